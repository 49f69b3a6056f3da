//! Quantities over time.

use crate::recording::Recording;
use crate::schema::Quantity;
use crate::selection::Selection;
use crate::value::value_of;
use gedanken_lang::value::Value;

impl Recording {
    /// The value of a quantity in a frame; `None` outside its context.
    pub fn value(&self, frame: usize, quantity: &Quantity) -> Option<Value> {
        value_of(&quantity.ty, &self.row(frame)[quantity.start..quantity.end()])
    }

    /// The value of what a name stands for in a frame; `None` where it has none.
    pub fn look(&self, frame: usize, what: &Selection) -> Option<Value> {
        let row = self.row(frame);
        let scalars = (0..what.width()).map(|it| self.schema.scalar(row, &what.scalar(it)));
        value_of(&what.ty, &scalars.collect::<Vec<f64>>())
    }

    /// The first scalar of a selection in every frame, NaN where it has no value; for one scalar of several,
    /// see [`Selection::elements`].
    pub fn series(&self, what: &Selection) -> Vec<f64> {
        (0..self.frames()).map(|frame| self.schema.scalar(self.row(frame), &what.places)).collect()
    }

    /// The frame nearest to a time, the earlier of two that are equally near; `None` if there are no frames.
    pub fn at(&self, time: f64) -> Option<usize> {
        let after = self.times.partition_point(|&it| it < time);
        match (after.checked_sub(1), self.times.get(after)) {
            (Some(before), Some(&next)) => {
                Some(if next - time < time - self.times[before] { after } else { before })
            }
            (None, Some(_)) => Some(0),
            (before, None) => before,
        }
    }

    /// The rate of change of a series at every frame, by central differences, (f(t₊) − f(t₋)) / (t₊ − t₋)
    /// over the frames before and after: exact for parabolas where frames are equally far apart, and wrong by
    /// h² f‴/6 in general. At the first and the last frame, and beside a gap, the difference is one-sided;
    /// NaN where there is no value, or only one.
    ///
    /// An event between two frames is not looked at: where a series jumps, the rate is the mean over two
    /// frames.
    ///
    /// # Panics
    /// If `series` has not one value for each frame.
    pub fn derivative(&self, series: &[f64]) -> Vec<f64> {
        assert_eq!(series.len(), self.frames(), "one value for each frame");
        let valued = |frame: usize| series.get(frame).is_some_and(|value| !value.is_nan());
        let rate = |frame: usize| {
            if !valued(frame) {
                return f64::NAN;
            }
            let from = if frame > 0 && valued(frame - 1) { frame - 1 } else { frame };
            let to = if valued(frame + 1) { frame + 1 } else { frame };
            if from == to {
                return f64::NAN;
            }
            (series[to] - series[from]) / (self.times[to] - self.times[from])
        };
        (0..series.len()).map(rate).collect()
    }
}

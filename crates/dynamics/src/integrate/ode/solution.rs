//! A trajectory as a list of steps, each a polynomial per component.

use super::piece::{Piece, Range};

/// The solution of a system of rates over an interval of time. Its polynomials are the trajectory by
/// definition.
///
/// Values and rates are continuous to the last bit, also where steps meet. Before the start and after the end
/// the first and last polynomials go on: good for a look ahead by about the length of a step, beyond which
/// [`extend`](super::extend) is the better way, since the errors grow with the fourth power. After an
/// interval of no length that is the tangent.
#[derive(Clone, Debug, PartialEq)]
pub struct Dense {
    steps: Vec<Step>,
    /// The components of the first step, then those of the second, …
    pieces: Vec<Piece>,
    /// The state at the end.
    last: Vec<f64>,
    end: f64,
}

/// Start of a step, and the length of time that its polynomials take as one.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Step {
    start: f64,
    duration: f64,
}

impl Step {
    /// The fraction of the step that has passed at `t`: exactly 0 and 1 at its ends, and monotonic in
    /// between.
    fn theta(&self, t: f64) -> f64 {
        (t - self.start) / self.duration
    }
}

impl Dense {
    /// No steps yet: to be followed by [`push`](Self::push) or [`stand`](Self::stand).
    pub(super) fn new(start: f64, y: &[f64]) -> Self {
        Self { steps: Vec::new(), pieces: Vec::new(), last: y.to_vec(), end: start }
    }

    /// Solution at rest: the placeholder of a trajectory that is still to be found.
    pub fn at_rest(start: f64, y: &[f64]) -> Self {
        let mut dense = Self::new(start, y);
        dense.stand(&vec![0.0; y.len()]);
        dense
    }

    /// Number of steps.
    pub fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// End time.
    pub fn end(&self) -> f64 {
        self.end
    }

    /// The state at the end.
    pub fn last(&self) -> &[f64] {
        &self.last
    }

    /// One more step, until `end`, where the state is `last`.
    pub(super) fn push(&mut self, end: f64, pieces: impl Iterator<Item = Piece>, last: &[f64]) {
        self.drop_tangent();
        self.steps.push(Step { start: self.end, duration: end - self.end });
        self.pieces.extend(pieces);
        self.last.copy_from_slice(last);
        self.end = end;
    }

    /// An interval of no length, if there is no other: a step that is all tangent, of unit duration.
    pub(super) fn stand(&mut self, rates: &[f64]) {
        if self.steps.is_empty() {
            self.steps.push(Step { start: self.end, duration: 1.0 });
            let tangents = self.last.iter().zip(rates);
            self.pieces.extend(tangents.map(|(&start, &k)| Piece {
                start,
                change: k,
                first: k,
                last: k,
                bulge: 0.0,
            }));
        }
    }

    fn drop_tangent(&mut self) {
        if self.steps.last().is_some_and(|step| step.start == self.end) {
            self.steps.pop();
            self.pieces.truncate(self.steps.len() * self.last.len());
        }
    }

    /// One component at `t`.
    pub fn value_of(&self, component: usize, t: f64) -> f64 {
        let (step, pieces) = self.step(self.find(t));
        pieces[component].value(step.duration, step.theta(t))
    }

    /// The rate of one component at `t`.
    pub fn rate_of(&self, component: usize, t: f64) -> f64 {
        let (step, pieces) = self.step(self.find(t));
        pieces[component].rate(step.duration, step.theta(t))
    }

    /// Bounds of one component and of its rate from `from` to `to`.
    pub fn bounds_of(&self, component: usize, from: f64, to: f64) -> (Range, Range) {
        let (first, last) = (self.find(from), self.find(to));
        let mut values = (f64::INFINITY, f64::NEG_INFINITY);
        let mut rates = values;
        let join = |all: Range, one: Range| (all.0.min(one.0), all.1.max(one.1));
        for index in first..=last {
            let (step, pieces) = self.step(index);
            let a = if index == first { step.theta(from) } else { 0.0 };
            let b = if index == last { step.theta(to) } else { 1.0 };
            values = join(values, pieces[component].bounds(step.duration, a, b));
            rates = join(rates, pieces[component].rate_bounds(step.duration, a, b));
        }
        (values, rates)
    }

    /// The step in which `t` lies; the first or last one if it lies outside.
    fn find(&self, t: f64) -> usize {
        self.steps.partition_point(|step| step.start <= t).saturating_sub(1)
    }

    fn step(&self, index: usize) -> (Step, &[Piece]) {
        let dimension = self.last.len();
        (self.steps[index], &self.pieces[index * dimension..(index + 1) * dimension])
    }
}

/// Access for tests: all components at once.
#[cfg(test)]
impl Dense {
    /// Start time.
    pub fn start(&self) -> f64 {
        self.steps.first().map_or(self.end, |step| step.start)
    }

    /// The times at which steps start, in order.
    pub fn joints(&self) -> impl Iterator<Item = f64> + '_ {
        self.steps.iter().map(|step| step.start)
    }

    /// The state at `t`.
    pub fn value(&self, t: f64, out: &mut [f64]) {
        let (step, pieces) = self.step(self.find(t));
        let theta = step.theta(t);
        for (out, piece) in out.iter_mut().zip(pieces) {
            *out = piece.value(step.duration, theta);
        }
    }

    /// The rates at `t`: the derivatives of the polynomials, which are f(t, y) itself where steps meet.
    pub fn rate(&self, t: f64, out: &mut [f64]) {
        let (step, pieces) = self.step(self.find(t));
        let theta = step.theta(t);
        for (out, piece) in out.iter_mut().zip(pieces) {
            *out = piece.rate(step.duration, theta);
        }
    }

    /// Bounds of all states from `from` to `to`, roundings included.
    pub fn enclose(&self, from: f64, to: f64, least: &mut [f64], greatest: &mut [f64]) {
        self.enclose_by(Piece::bounds, from, to, least, greatest);
    }

    /// Bounds of all rates from `from` to `to`, roundings included.
    pub fn enclose_rate(&self, from: f64, to: f64, least: &mut [f64], greatest: &mut [f64]) {
        self.enclose_by(Piece::rate_bounds, from, to, least, greatest);
    }

    fn enclose_by(
        &self,
        bounds: fn(&Piece, f64, f64, f64) -> Range,
        from: f64,
        to: f64,
        least: &mut [f64],
        greatest: &mut [f64],
    ) {
        let (from, to) = (from.min(to), from.max(to));
        least.fill(f64::INFINITY);
        greatest.fill(f64::NEG_INFINITY);
        let (first, last) = (self.find(from), self.find(to));
        for index in first..=last {
            let (step, pieces) = self.step(index);
            let a = if index == first { step.theta(from) } else { 0.0 };
            let b = if index == last { step.theta(to) } else { 1.0 };
            for (piece, (least, greatest)) in pieces.iter().zip(least.iter_mut().zip(greatest.iter_mut())) {
                let (low, high) = bounds(piece, step.duration, a, b);
                (*least, *greatest) = (least.min(low), greatest.max(high));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Method, System, integrate};

    /// A driven pendulum.
    struct Pendulum;

    impl System for Pendulum {
        type Error = ();

        fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), ()> {
            rates.copy_from_slice(&[y[1], libm::cos(2.0 * t) - libm::sin(y[0])]);
            Ok(())
        }
    }

    #[test]
    fn steps_meet_in_value_and_rate_to_the_last_bit() {
        for name in ["dormand-prince", "rk4", "implicit-midpoint"] {
            let method = Method::by_name(name).unwrap().with_steps(37).unwrap();
            let solution = integrate(&mut Pendulum, 0.3, &[1.0, 0.1], 7.0, 1e-9, method).unwrap();
            assert!(solution.steps.len() > 20);
            for n in 1..solution.steps.len() {
                let ((before, left), (after, right)) = (solution.step(n - 1), solution.step(n));
                assert_eq!(before.theta(after.start), 1.0);
                for (left, right) in left.iter().zip(right) {
                    assert_eq!(left.value(before.duration, 1.0), right.value(after.duration, 0.0));
                    assert_eq!(left.rate(before.duration, 1.0), right.rate(after.duration, 0.0));
                }
            }
            let mut out = [0.0; 2];
            solution.value(7.0, &mut out);
            assert_eq!(out, solution.last());
        }
    }
}

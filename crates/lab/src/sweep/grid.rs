//! All combinations of the values of some parameters.

use super::axis::Axis;
use gedanken_experiment::Override;

/// Maximum number of runs of a sweep: more would take years, and were never meant.
pub const MAX_RUNS: u64 = 10_000_000;

/// A grid of parameters. Its points are counted from 0; the last parameter varies fastest.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    axes: Vec<Axis>,
    count: u64,
}

impl Grid {
    /// The grid of these parameters.
    ///
    /// # Errors
    /// Why there is none, in words: no parameter, one that is there twice, or more than [`MAX_RUNS`] points.
    pub fn new(axes: Vec<Axis>) -> Result<Self, String> {
        if axes.is_empty() {
            return Err("nothing is varied: name a parameter and its values, such as seed=1:100".to_owned());
        }
        for (number, axis) in axes.iter().enumerate() {
            if axes[..number].iter().any(|it| it.name() == axis.name()) {
                let name = axis.name();
                return Err(format!("`{name}` is varied twice: put all its values into one {name}=…"));
            }
        }
        let count = axes.iter().try_fold(1_u64, |count, axis| count.checked_mul(axis.count()));
        match count.filter(|count| *count <= MAX_RUNS) {
            Some(count) => Ok(Self { axes, count }),
            None => {
                let counts: Vec<String> = axes.iter().map(|axis| axis.count().to_string()).collect();
                let many = counts.join(" × ");
                Err(format!("{many} runs are more than {MAX_RUNS}: choose longer steps, or several sweeps"))
            }
        }
    }

    /// Its parameters.
    pub fn axes(&self) -> &[Axis] {
        &self.axes
    }

    /// Number of its points, at least one.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Numbers of the values of each parameter at a point.
    fn numbers(&self, point: u64) -> Vec<u64> {
        let mut rest = point;
        let mut numbers: Vec<u64> = Vec::with_capacity(self.axes.len());
        for axis in self.axes.iter().rev() {
            numbers.push(rest % axis.count());
            rest /= axis.count();
        }
        numbers.reverse();
        numbers
    }

    /// Values of the parameters at a point.
    pub fn values(&self, point: u64) -> Vec<f64> {
        self.axes.iter().zip(self.numbers(point)).map(|(axis, number)| axis.value(number)).collect()
    }

    /// Settings that give the parameters their values at a point.
    pub fn settings(&self, point: u64) -> impl Iterator<Item = Override> {
        self.axes.iter().zip(self.numbers(point)).map(|(axis, number)| axis.setting(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(axes: &[&str]) -> Result<Grid, String> {
        Grid::new(axes.iter().map(|axis| Axis::read(axis).unwrap()).collect())
    }

    #[test]
    fn the_last_parameter_varies_fastest() {
        let grid = grid(&["a=1,2", "b=0:1:0.5"]).unwrap();
        let points: Vec<Vec<f64>> = (0..grid.count()).map(|point| grid.values(point)).collect();
        let expected = [[1.0, 0.0], [1.0, 0.5], [1.0, 1.0], [2.0, 0.0], [2.0, 0.5], [2.0, 1.0]];
        assert_eq!(points, expected);
        let settings: Vec<String> =
            grid.settings(4).map(|it| format!("{}={}", it.attribute, it.text)).collect();
        assert_eq!(settings, ["a=2", "b=0.5"]);
    }

    #[test]
    fn refusals_lead_on() {
        let refused = [
            &[][..],
            &["a=1", "b=2", "a=3"],
            &["a=1:10000", "b=1:10000"],
            &["a=1:1000000"; 1],
            &["a=1", "x.a=1"],
        ];
        let said = refused.map(|axes| grid(axes).err().unwrap_or_default());
        insta::assert_snapshot!(said.join("\n").trim_end(), @r"
        nothing is varied: name a parameter and its values, such as seed=1:100
        `a` is varied twice: put all its values into one a=…
        10000 × 10000 runs are more than 10000000: choose longer steps, or several sweeps
        ");
        let many: Vec<String> = (0..40).map(|n| format!("a{n}=1:9000000")).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(grid(&many).is_err(), "more than any number");
    }
}

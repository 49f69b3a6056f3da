//! One parameter of a sweep with all its values: `seed=1:100`, `restitution=0:1:0.05`, `ball.mass=1,2,5`.

use super::grid::MAX_RUNS;
use gedanken_experiment::Override;
use gedanken_lang::value::Value;

/// Part of a step by which a range may miss its end and still include it: the rounding of decimals.
const ROUNDING: f64 = 1e-9;
/// The same in proportion to the number of steps, for the longest ranges.
const ROUNDING_PER_STEP: f64 = 1e-12;
/// Maximum number of decimals to which the values of a range are rounded: the smallest reals have more.
const MAX_DECIMALS: usize = 400;

const EXAMPLE: &str = "write NAME=FROM:TO, NAME=FROM:TO:STEP, or NAME=VALUE,VALUE,…";

/// A parameter and its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Axis {
    /// Name of an object or a `lagrangian` block; `None` for the world.
    pub owner: Option<String>,
    /// Name of the attribute.
    pub attribute: String,
    values: Values,
}

#[derive(Clone, Debug, PartialEq)]
enum Values {
    List(Vec<f64>),
    /// `count` values from `from` on; the last one is the end of the range, if a step hits it. They have no
    /// more `decimals` than `from` and `step` have.
    Range {
        from: f64,
        step: f64,
        decimals: usize,
        count: u64,
        last: f64,
    },
}

impl Axis {
    /// Reads `NAME=FROM:TO`, `NAME=FROM:TO:STEP` or `NAME=VALUE,VALUE`; NAME is that of an [`Override`].
    ///
    /// # Errors
    /// Reason why it cannot be read, in words, with the way out.
    pub fn read(text: &str) -> Result<Self, String> {
        let Some((name, _)) = text.split_once('=') else {
            return Err(format!("there is no `=`: {EXAMPLE}"));
        };
        let Override { object: owner, attribute, text, .. } = Override::read(text)
            .map_err(|_| format!("`{}` is not a name: {EXAMPLE}, with NAME or OBJECT.NAME", name.trim()))?;
        let values = if text.contains(':') { range(&text)? } else { list(&text)? };
        Ok(Self { owner, attribute, values })
    }

    /// Its name, as it was written: `seed`, `ball.mass`.
    pub fn name(&self) -> String {
        match &self.owner {
            Some(owner) => format!("{owner}.{}", self.attribute),
            None => self.attribute.clone(),
        }
    }

    /// Number of its values: at least one, at most [`MAX_RUNS`].
    pub fn count(&self) -> u64 {
        match &self.values {
            Values::List(values) => values.len() as u64,
            Values::Range { count, .. } => *count,
        }
    }

    /// One of its values, counted from 0.
    ///
    /// # Panics
    /// If it has not so many.
    pub fn value(&self, number: u64) -> f64 {
        assert!(number < self.count(), "value {number} of {}", self.count());
        match &self.values {
            Values::List(values) => values[number as usize],
            Values::Range { from, .. } if number == 0 => *from,
            Values::Range { last, count, .. } if number + 1 == *count => *last,
            Values::Range { from, step, decimals, .. } => rounded(from + number as f64 * step, *decimals),
        }
    }

    /// The setting that gives the parameter one of its values.
    pub fn setting(&self, number: u64) -> Override {
        Override {
            object: self.owner.clone(),
            attribute: self.attribute.clone(),
            text: Value::Real(self.value(number)).to_string(),
            option: "--over",
        }
    }
}

/// The nearest number with so many decimals. So the third value of `0:1:0.05` is 0.15 and not
/// 0.15000000000000002, and `--set` with it gives the same run.
fn rounded(x: f64, decimals: usize) -> f64 {
    // Adding 0 takes the sign from -0.
    format!("{x:.decimals$}").parse().map_or(x, |it: f64| it + 0.0)
}

/// Number of decimals that a number is written with, at least 0.
fn decimals(x: f64) -> usize {
    let text = format!("{x:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let fraction = digits.split_once('.').map_or(0, |(_, fraction)| fraction.len()) as i64;
    let decimals = fraction - exponent.parse::<i64>().unwrap_or(0);
    (decimals.max(0) as usize).min(MAX_DECIMALS)
}

/// A number, as people write it.
fn number(text: &str) -> Result<f64, String> {
    let text = text.trim();
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ if text.is_empty() => Err(format!("a number is missing: {EXAMPLE}")),
        _ if text.starts_with('[') || text.ends_with(']') => Err(format!(
            "`{text}` is no number, and only numbers can be varied: give the element a name of its own, as an \
             attribute of the world, and use that name in the vector"
        )),
        _ => Err(format!("`{text}` is no number: {EXAMPLE}")),
    }
}

fn list(text: &str) -> Result<Values, String> {
    let values: Vec<f64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    Ok(Values::List(values))
}

fn range(text: &str) -> Result<Values, String> {
    let parts: Vec<f64> = text.split(':').map(number).collect::<Result<_, _>>()?;
    let (from, to, step) = match parts[..] {
        [from, to] => (from, to, 1.0),
        [from, to, step] => (from, to, step),
        _ => return Err(format!("`{text}` has {} numbers: {EXAMPLE}", parts.len())),
    };
    let shown = |x: f64| Value::Real(x).to_string();
    if step == 0.0 {
        return Err(format!("a step of 0 never gets from {} to {}", shown(from), shown(to)));
    }
    if (to - from) * step < 0.0 {
        let (from, to, step) = (shown(from), shown(to), shown(-step));
        return Err(format!("that range is empty: from {from} to {to} write {from}:{to}:{step}"));
    }
    let steps = (to - from) / step;
    let tolerance = ROUNDING.max(ROUNDING_PER_STEP * steps);
    let whole = libm::floor(steps + tolerance);
    // Also where the range is wider than any number.
    if whole >= MAX_RUNS as f64 {
        return Err(format!("that range has more than {MAX_RUNS} values: choose a longer step"));
    }
    let count = whole as u64 + 1;
    let decimals = decimals(from).max(decimals(step));
    let last = if (steps - whole).abs() <= tolerance { to } else { rounded(from + whole * step, decimals) };
    Ok(Values::Range { from, step, decimals, count, last: if count == 1 { from } else { last } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn values(text: &str) -> Vec<f64> {
        let axis = Axis::read(text).unwrap();
        (0..axis.count()).map(|number| axis.value(number)).collect()
    }

    #[test]
    fn ranges_include_their_end_if_they_hit_it() {
        assert_eq!(values("x=1:4"), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(values("x=0:1:0.1"), [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
        assert_eq!(values("x=0:1:0.3"), [0.0, 0.3, 0.6, 0.9]);
        assert_eq!(values("x=1:-1:-0.5"), [1.0, 0.5, 0.0, -0.5, -1.0]);
        assert_eq!(values("x = 2 : 2"), [2.0]);
        assert_eq!(values("x=2:2:-3"), [2.0]);
        assert_eq!(values("x=0.5:1.4"), [0.5]);
        assert_eq!(values("x=1e-7:3e-7:1e-7"), [1e-7, 2e-7, 3e-7]);
        let long = Axis::read("x=0:1e6:0.1000001").unwrap();
        assert_eq!(long.count(), 9_999_991);
        let longest = Axis::read("x=0.1:1e6:0.1").unwrap();
        assert_eq!((longest.count(), longest.value(9_999_999)), (10_000_000, 1e6));
    }

    #[test]
    fn lists_and_owners_are_read() {
        assert_eq!(values("ball.mass = 1, 2.5,-5e-3"), [1.0, 2.5, -5e-3]);
        assert_eq!(values("x=3"), [3.0]);
        let axis = Axis::read("ball.mass=1:2").unwrap();
        assert_eq!((axis.name().as_str(), axis.owner.as_deref()), ("ball.mass", Some("ball")));
        assert_eq!(axis.setting(1).text, "2");
        assert_eq!(Axis::read("x=-1e-9,2").unwrap().setting(0).text.parse::<f64>(), Ok(-1e-9));
    }

    #[test]
    fn refusals_lead_on() {
        let refused = |text: &str| Axis::read(text).unwrap_err();
        let all: Vec<String> = [
            "seed",
            "=1:2",
            "1x=1:2",
            "a.b.c=1",
            "x=",
            "x=1:",
            "x=1,,2",
            "x=one",
            "x=nan",
            "x=1:inf",
            "x=1:2:3:4",
            "x=0:1:0",
            "x=5:1",
            "x=0:1:-0.1",
            "x=0:1e9",
            "x=-1.7e308:1.7e308:1",
            "g=[0, 0, -9.81]",
        ]
        .into_iter()
        .map(|text| format!("{text}\n    {}", refused(text)))
        .collect();
        insta::assert_snapshot!(all.join("\n"));
    }

    proptest! {
        #[test]
        fn a_range_of_decimals_has_as_many_values_as_a_child_counts(
            from in -1000_i64..1000, step in 1_i64..500, count in 1_u64..2000, digits in 0_u32..6,
        ) {
            let scale = libm::pow(10.0, f64::from(digits));
            let decimal = |n: i64| n as f64 / scale;
            let to = from + step * (count as i64 - 1);
            let text = format!("x={}:{}:{}", decimal(from), decimal(to), decimal(step));
            let axis = Axis::read(&text).unwrap();
            prop_assert_eq!(axis.count(), count, "{}", text);
            for number in 0..count {
                prop_assert_eq!(axis.value(number), decimal(from + step * number as i64), "{} of {}", number, text);
            }
        }

        #[test]
        fn any_text_is_read_or_refused(text in "[x=:,.0-9e+-]{0,20}") {
            if let Ok(axis) = Axis::read(&text) {
                prop_assert!((1..=MAX_RUNS).contains(&axis.count()));
                prop_assert!(axis.value(0).is_finite() && axis.value(axis.count() - 1).is_finite());
            }
        }
    }
}

//! Series: recorded quantities as users name them, `ball.position#3` or `norm(ball.v)`, over time and at any time.

mod at;

pub(crate) use at::{At, at};

use crate::samples::Sample;
use gedanken_lab::recording::{Place, Recording, Schema, Selection};
use std::collections::BTreeSet;

/// The name of time.
pub(crate) const TIME: &str = "t";

/// A number over time.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Series {
    /// As in a legend: `norm(ball.v)`.
    pub(crate) name: String,
    values: Values,
}

#[derive(Clone, Debug, PartialEq)]
enum Values {
    Time,
    /// A scalar, by its places.
    One(Vec<Place>),
    /// The length of all these scalars: of a vector, and Frobenius' of a matrix.
    Norm(Vec<Vec<Place>>),
}

impl Series {
    /// The series that a text names: one, or all components of a vector or matrix.
    ///
    /// # Errors
    /// What is wrong with the name, with what it may be.
    pub(crate) fn read(schema: &Schema, text: &str) -> Result<Vec<Self>, String> {
        let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
        if text == TIME {
            return Ok(vec![Self { name: text, values: Values::Time }]);
        }
        if let Some(inner) = text.strip_prefix("norm(").and_then(|rest| rest.strip_suffix(')')) {
            let elements = elements(schema, inner)?.into_iter().map(|element| element.places).collect();
            return Ok(vec![Self { name: text, values: Values::Norm(elements) }]);
        }
        let series = |element: Selection| Self { name: element.name, values: Values::One(element.places) };
        Ok(elements(schema, &text)?.into_iter().map(series).collect())
    }

    /// The value in a sample: `None` if it was not recorded then, NaN if there was none.
    pub(crate) fn value(&self, recording: &Recording, sample: Sample) -> Option<f64> {
        match &self.values {
            Values::Time => Some(sample.time(recording)),
            Values::One(places) => sample.scalar(recording, places),
            Values::Norm(elements) => {
                let squares = elements.iter().map(|places| sample.scalar(recording, places).map(|x| x * x));
                squares.sum::<Option<f64>>().map(libm::sqrt)
            }
        }
    }
}

/// The scalars of what is called so.
fn elements(schema: &Schema, name: &str) -> Result<Vec<Selection>, String> {
    if let Some(found) = schema.find(name) {
        return Ok(found.elements());
    }
    // Is it only the element that is not there?
    let whole = &name[..name.find('#').unwrap_or(name.len())];
    Err(match schema.find(whole) {
        Some(found) => {
            let all: Vec<String> = found.elements().into_iter().map(|it| it.name).collect();
            format!("there is no {name}: {whole} is {}, and is recorded as {}", found.ty, list(&all))
        }
        None => unknown(schema, whole),
    })
}

/// Names in a row, cut where nobody would read on.
fn list(names: &[String]) -> String {
    const MOST: usize = 24;
    let shown = names.iter().take(MOST).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MOST) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// What to say about a name that nothing has.
fn unknown(schema: &Schema, name: &str) -> String {
    let mut seen = BTreeSet::new();
    let columns = schema.columns().into_iter();
    let whole = columns.map(|it| it.name[..it.name.len() - it.element.len()].to_owned());
    let names: Vec<String> = whole.filter(|name| seen.insert(name.clone())).collect();
    // Who writes `position` means that of some object.
    let of_an_object = names.iter().find(|known| known.split_once('.').is_some_and(|(_, own)| own == name));
    let meant = of_an_object.cloned().or_else(|| schema.similar(name));
    let meant = meant.map_or(String::new(), |meant| format!("\nhelp: did you mean {meant}?"));
    format!("nothing called `{name}` was recorded{meant}\nthere is {}, and the time {TIME}", list(&names))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tests::two_balls;

    fn names(text: &str) -> Result<Vec<String>, String> {
        let series = Series::read(&two_balls().schema, text)?;
        Ok(series.into_iter().map(|series| series.name).collect())
    }

    #[test]
    fn names_components_and_norms() {
        assert_eq!(names("a.x").unwrap(), ["a.x"]);
        assert_eq!(names("b.v").unwrap(), ["b.v#1", "b.v#2"]);
        assert_eq!(names(" b.v # 2 ").unwrap(), ["b.v#2"]);
        assert_eq!(names("norm( b.v )").unwrap(), ["norm(b.v)"]);
        assert_eq!(names("n").unwrap(), ["n"]);
        assert_eq!(names("t").unwrap(), ["t"]);
        assert_eq!(names("a.mass").unwrap(), ["a.mass"]);
    }

    #[test]
    fn wrong_names_lead_to_right_ones() {
        assert!(names("b.w").unwrap_err().contains("did you mean b.v?"));
        assert!(names("x").unwrap_err().contains("did you mean a.x?"));
        let all = names("nothing").unwrap_err();
        assert!(all.contains("there is g, a.mass, a.x, b.touched, b.v, n, and the time t"), "{all}");
        assert!(
            names("b.v#3").unwrap_err().contains("b.v is a vector of 2, and is recorded as b.v#1, b.v#2")
        );
        assert!(names("a.x#1").unwrap_err().contains("a.x is a real"));
        assert!(names("norm(b.v#1").is_err() && names("").is_err() && names("norm()").is_err());
    }

    #[test]
    fn values_at_samples() {
        let recording = two_balls();
        let value = |text: &str, sample| {
            let series = Series::read(&recording.schema, text).unwrap();
            series[0].value(&recording, sample)
        };
        assert_eq!(value("a.x", Sample::Frame(3)), Some(9.0));
        assert_eq!(value("a.x", Sample::After(0)), None);
        assert_eq!(value("b.v#2", Sample::After(0)), Some(1.5));
        assert_eq!(value("norm(b.v)", Sample::Before(0)), Some(3.0));
        assert_eq!(value("a.mass", Sample::Before(0)), Some(7.0));
        assert_eq!(value("t", Sample::Before(0)), Some(1.5));
        assert!(value("b.touched", Sample::Frame(0)).unwrap().is_nan());
    }
}

//! What a sweep collects of each run: measures, attributes and formulas.

use crate::console::diagnostics;
use crate::failure::Failure;
use crate::runner::source::{Choice, Text};
use crate::runner::verdict::nearest_frame;
use gedanken_experiment::Experiment;
use gedanken_lab::Options;
use gedanken_recording::formula::Formula;
use gedanken_recording::{Owner, Quantity, Recording, Sample, Schema};

/// What is collected.
#[derive(Debug)]
pub(super) struct Collected {
    pub(super) items: Vec<Item>,
    /// Name of the simulation.
    pub(super) simulation: String,
}

/// One thing that is collected.
#[derive(Debug)]
pub(super) struct Item {
    /// Formula over the recording.
    text: String,
    /// Name as the user wrote it.
    pub(super) name: String,
    /// Names of its scalars, one or more.
    pub(super) names: Vec<String>,
    /// The measure that it is, if it is one.
    measure: Option<String>,
}

impl Collected {
    /// Finds what is asked for; all measures, if nothing is. Diagnostics are printed.
    pub(super) fn new(asked: &[String], text: &Text, choice: &Choice) -> Result<Self, Failure> {
        let simulation = choice.simulation(text)?;
        // Only the schema is of interest.
        let engine = text.engine(&simulation, Options { native: false, threads: 0, ..Options::default() })?;
        let schema = engine.schema();
        let mut texts: Vec<String> = asked.iter().flat_map(|list| split(list)).collect();
        if asked.is_empty() {
            texts.extend(schema.owned(Owner::Measure).iter().map(|it| it.name.clone()));
        }
        if texts.is_empty() {
            let name = &text.name;
            return Err(Failure::Usage(format!(
                "{name} has no measure to collect: name something, such as --collect ball.position"
            )));
        }
        let items = texts.into_iter().map(|text| Item::new(schema, text)).collect::<Result<_, _>>()?;
        Ok(Self { items, simulation: simulation.name.clone() })
    }

    /// Number of all scalars.
    pub(super) fn width(&self) -> usize {
        self.items.iter().map(|item| item.names.len()).sum()
    }

    /// Names of all scalars.
    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.items.iter().flat_map(|item| &item.names)
    }

    /// The formulas, for recordings of this schema; `None` if a run does not have what is asked for.
    pub(super) fn formulas(&self, schema: &Schema) -> Option<Vec<Formula>> {
        self.items.iter().map(|item| Formula::read(schema, &item.text).ok()).collect()
    }
}

impl Item {
    fn new(schema: &Schema, name: String) -> Result<Self, Failure> {
        let is_measure = |it: &&Quantity| it.name == name;
        let measure = schema.owned(Owner::Measure).iter().find(is_measure).map(|it| it.name.clone());
        let text = measure.as_ref().map_or_else(|| name.clone(), |measure| format!("measure.{measure}"));
        let formula = Formula::read(schema, &text).map_err(|refused| {
            diagnostics::report(&refused.diagnostics, &refused.sources);
            Failure::ReportedUsage
        })?;
        let named = |it: String| match &measure {
            Some(measure) => it.replacen(&text, measure, 1),
            None => it,
        };
        Ok(Self { names: formula.names().into_iter().map(named).collect(), text, name, measure })
    }

    /// The time at which it is taken, if that is not the end of the run.
    pub(super) fn time(&self, experiment: &Experiment) -> Option<f64> {
        let name = self.measure.as_ref()?;
        experiment.measures.iter().find(|it| it.name == *name)?.at
    }

    /// Its scalars, NaN where there is no value: at a time, or in the last frame.
    pub(super) fn scalars(&self, formula: &mut Formula, recording: &Recording, at: Option<f64>) -> Vec<f64> {
        let scalars = match at {
            Some(time) => formula.at(recording, nearest_frame(recording, time)).map(|numbers| {
                numbers.into_iter().map(|it| it.value.unwrap_or(f64::NAN)).collect::<Vec<f64>>()
            }),
            None => {
                let last = recording.frames().checked_sub(1);
                last.and_then(|last| formula.value(recording, Sample::Frame(last)))
            }
        };
        scalars.unwrap_or_else(|| vec![f64::NAN; self.names.len()])
    }
}

/// Parts between commas that are in no brackets.
fn split(list: &str) -> Vec<String> {
    let (mut parts, mut depth) = (vec![String::new()], 0_u32);
    for letter in list.chars() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("there is always a last part").push(letter);
    }
    parts.into_iter().map(|part| part.trim().to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_brackets_belong_to_formulas() {
        assert_eq!(split("face, apex"), ["face", "apex"]);
        assert_eq!(split("max(a.x, b.x),[1, 2] . a.v"), ["max(a.x, b.x)", "[1, 2] . a.v"]);
        assert_eq!(split("a),b,"), ["a)", "b", ""]);
    }
}

//! What an experiment consists of, and where its laws will run.

use super::Experiment;
use gedanken_lang::ir::placement;
use gedanken_lang::program::OutputKind;
use std::fmt;

/// What there is to say about an experiment without mistakes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// How many objects obey laws.
    pub dynamic: usize,
    /// How many objects never change.
    pub fixed: usize,
    /// How many contexts there are.
    pub contexts: usize,
    /// The names of the simulations; the first one runs unless another is named.
    pub simulations: Vec<String>,
    /// The laws of all contexts that apply, in the order of contexts and laws.
    pub laws: Vec<Law>,
}

/// Where a law runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Law {
    /// The context it belongs to.
    pub context: String,
    /// The attribute as it is set there: `v`, or `v'` for a rate.
    pub name: String,
    /// `None` for native code; else why the evaluator runs it, for at least one combination of participants.
    pub evaluator: Option<String>,
}

impl Report {
    /// How many laws become native code.
    pub fn native(&self) -> usize {
        self.laws.iter().filter(|law| law.evaluator.is_none()).count()
    }
}

/// Counts what there is, and tells for every law where it runs.
pub fn report(experiment: &Experiment) -> Report {
    let mut laws: Vec<Law> = Vec::new();
    for checked in &experiment.checked {
        let context = &experiment.contexts[checked.context].name;
        let program = &checked.checked.program;
        for place in placement(program) {
            let output = &program.outputs[place.output];
            let prime = if output.kind == OutputKind::Rate { "'" } else { "" };
            let name = format!("{}{prime}", output.name);
            let evaluator = place.native.err().map(|why| why.reason);
            match laws.iter_mut().find(|law| law.context == *context && law.name == name) {
                Some(law) => law.evaluator = law.evaluator.take().or(evaluator),
                None => laws.push(Law { context: context.clone(), name, evaluator }),
            }
        }
    }
    let fixed = experiment.objects.iter().filter(|object| object.is_static).count();
    Report {
        dynamic: experiment.objects.len() - fixed,
        fixed,
        contexts: experiment.contexts.len(),
        simulations: experiment.simulations.iter().map(|it| it.name.clone()).collect(),
        laws,
    }
}

impl fmt::Display for Report {
    /// One line, and one more for each law that does not become native code.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |count: usize, one: &str| match count {
            1 => format!("1 {one}"),
            _ => format!("{count} {one}s"),
        };
        write!(
            f,
            "{} ({} dynamic, {} static), {}, {}; {} of {} as native code",
            plural(self.dynamic + self.fixed, "object"),
            self.dynamic,
            self.fixed,
            plural(self.contexts, "context"),
            plural(self.simulations.len(), "simulation"),
            self.native(),
            plural(self.laws.len(), "law"),
        )?;
        for law in &self.laws {
            if let Some(why) = &law.evaluator {
                write!(f, "\n  {} in {} stays with the evaluator: {why}", law.name, law.context)?;
            }
        }
        Ok(())
    }
}

//! Checks that need all objects: laws of contexts, rules, and laws of rigid bodies.
//!
//! A mistake in one object would show again in each of them, so nothing is checked before every object could
//! be read.

use crate::context::check as laws;
use crate::context::model::CheckedContext;
use crate::environment::Environment;
use crate::object::compound;
use crate::object::model::Object;
use crate::rigid;
use crate::rigid::force_law::model::CheckedForceLaw;
use crate::rule::check::check_rules;
use crate::rule::model::CheckedRule;
use crate::simulation::model::Simulation;
use crate::simulation::read::of_all;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::{SourceId, Span};
use std::collections::BTreeSet;

/// Programs of all laws.
#[derive(Default)]
pub(crate) struct Checks {
    /// Laws of contexts, for all objects that can meet in them.
    pub(crate) contexts: Vec<CheckedContext>,
    /// Rules, for all objects that they are evaluated for.
    pub(crate) rules: Vec<CheckedRule>,
    /// Laws of rigid bodies, for all bodies that they act on.
    pub(crate) force_laws: Vec<CheckedForceLaw>,
}

impl Checks {
    /// Checks the laws of an experiment whose simulations have been read.
    pub(crate) fn of(
        environment: &Environment<'_>,
        source: SourceId,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let &Environment { experiment, names, cancel, .. } = environment;
        if !names.is_whole {
            let wrong = experiment.contexts.iter().flat_map(|it| laws::wrong_keys(it, &experiment.library));
            diagnostics.extend(wrong);
            return Self::default();
        }
        Self {
            contexts: check_laws(environment, source, diagnostics),
            rules: check_rules(experiment, cancel, diagnostics),
            force_laws: rigid::check::check(experiment, cancel, diagnostics),
        }
    }
}

/// Checks the laws of contexts for all objects that take part; in a file without simulations, as if all did.
fn check_laws(
    environment: &Environment<'_>,
    source: SourceId,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<CheckedContext> {
    let &Environment { experiment, cancel, .. } = environment;
    if experiment.simulations.is_empty() {
        let all = of_all(environment, Span::new(source, 0..0));
        return laws::check(experiment, &[all], cancel, diagnostics);
    }
    idle_objects(&experiment.objects, &experiment.simulations, diagnostics);
    laws::check(experiment, &experiment.simulations, cancel, diagnostics)
}

/// Warns of objects that take part in no simulation.
fn idle_objects(objects: &[Object], simulations: &[Simulation], diagnostics: &mut Vec<Diagnostic>) {
    let mut active = BTreeSet::new();
    for simulation in simulations {
        for &index in &simulation.objects {
            compound::all_parts(objects, &objects[index], &mut active);
        }
    }
    for object in objects.iter().filter(|object| !active.contains(object.name.as_str())) {
        let message = format!("`{}` takes part in no simulation", object.name);
        let help = "add it to `objects_involved`, or remove it";
        diagnostics.push(Diagnostic::new(Code::W701, object.span, message).help(help));
    }
}

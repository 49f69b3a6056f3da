//! What is checked with all objects at hand: laws, rules, and what acts on bodies. What one object lacks would be missed in each of them,
//! so nothing of it is looked at before every object is there.

use super::acting::Acting;
use super::domain::{self, CheckedRule};
use super::laws::{self, CheckedContext};
use super::measure::Scene;
use super::newton::{self, Bodies};
use super::object::Object;
use super::parts;
use super::rule::Rule;
use super::simulation::{self, Cast, Simulation};
use crate::workflow;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::{SourceId, Span};
use std::collections::BTreeSet;

/// Everything that is checked with all objects at hand.
pub(super) struct Checks {
    pub(super) checked: Vec<CheckedContext>,
    pub(super) checked_rules: Vec<CheckedRule>,
    pub(super) acting: Vec<Acting>,
}

impl Checks {
    pub(super) fn of(
        scene: &Scene<'_>,
        cast: &Cast<'_>,
        rules: &[Rule],
        bodies: &Bodies,
        source: SourceId,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        if !scene.is_whole {
            let &Scene { contexts, library, .. } = scene;
            diagnostics.extend(contexts.iter().flat_map(|context| laws::wrong_keys(context, library)));
            return Self { checked: Vec::new(), checked_rules: Vec::new(), acting: Vec::new() };
        }
        Self {
            checked: check_laws(scene, cast, source, diagnostics),
            checked_rules: check_rules(scene, rules, diagnostics),
            acting: newton::check(scene, bodies, diagnostics),
        }
    }
}

/// Checks the rules, and that those of a `par` leave each other alone.
fn check_rules(scene: &Scene<'_>, rules: &[Rule], diagnostics: &mut Vec<Diagnostic>) -> Vec<CheckedRule> {
    let &Scene { world, objects, simulations, library, .. } = scene;
    let parts = &domain::Parts { world, objects, rules, simulations, library };
    let checked = domain::check_rules(parts, diagnostics);
    for (number, simulation) in parts.simulations.iter().enumerate() {
        let (world, objects, rules) = (parts.world, parts.objects, parts.rules);
        let checked: Vec<&CheckedRule> = checked.iter().filter(|it| it.simulation == number).collect();
        diagnostics.extend(workflow::Scene { world, objects, rules, simulation, checked }.clashes());
    }
    checked
}

/// Checks the laws for everybody who takes part; in a file without simulations, as if all did.
fn check_laws(
    scene: &Scene<'_>,
    cast: &Cast<'_>,
    source: SourceId,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<CheckedContext> {
    let &Scene { objects, contexts, simulations, library, .. } = scene;
    let world = scene.world.iter().map(|it| (it.name.clone(), it.ty())).collect();
    let parts = laws::Parts { world, objects, contexts, simulations, library };
    if parts.simulations.is_empty() {
        let all = [simulation::of_all(cast, Span::new(source, 0..0))];
        return laws::check(&laws::Parts { simulations: &all, ..parts }, diagnostics);
    }
    idle_objects(parts.objects, parts.simulations, diagnostics);
    laws::check(&parts, diagnostics)
}

/// Objects that take part in no simulation.
fn idle_objects(objects: &[Object], simulations: &[Simulation], diagnostics: &mut Vec<Diagnostic>) {
    let mut active = BTreeSet::new();
    for simulation in simulations {
        for &index in &simulation.objects {
            parts::all_parts(objects, &objects[index], &mut active);
        }
    }
    for object in objects.iter().filter(|object| !active.contains(object.name.as_str())) {
        let message = format!("`{}` takes part in no simulation", object.name);
        let help = "add it to `objects_involved`, or remove it";
        diagnostics.push(Diagnostic::new("W701", object.span, message).help(help));
    }
}

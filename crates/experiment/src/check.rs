//! What is checked with all objects at hand: laws, rules, and what acts on bodies. What one object lacks
//! would be missed in each of them, so nothing of it is looked at before every object is there.

use super::context::laws;
use super::context::laws::CheckedContext;
use super::measure::Scene;
use super::object::Object;
use super::object::compound;
use super::rigid;
use super::rigid::Bodies;
use super::rigid::force_law::check::Acting;
use super::rule::Rule;
use super::rule::domain;
use super::rule::domain::CheckedRule;
use super::simulation::{self, Cast, Simulation};
use gedanken_lang::diagnostic::{Code, Diagnostic};
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
            acting: rigid::check(scene, bodies, diagnostics),
        }
    }
}

/// Checks the rules: each for everybody that it is evaluated for.
fn check_rules(scene: &Scene<'_>, rules: &[Rule], diagnostics: &mut Vec<Diagnostic>) -> Vec<CheckedRule> {
    let &Scene { world, objects, simulations, library, .. } = scene;
    let parts = &domain::Parts { world, objects, rules, simulations, library };
    domain::check_rules(parts, diagnostics)
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
            compound::all_parts(objects, &objects[index], &mut active);
        }
    }
    for object in objects.iter().filter(|object| !active.contains(object.name.as_str())) {
        let message = format!("`{}` takes part in no simulation", object.name);
        let help = "add it to `objects_involved`, or remove it";
        diagnostics.push(Diagnostic::new(Code::W701, object.span, message).help(help));
    }
}

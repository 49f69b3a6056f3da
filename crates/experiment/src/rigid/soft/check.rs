//! Checks that the solvers of simulations have a use for what joints and materials say.
//!
//! A number that no solver reads is an error. Where one simulation reads it and another does not, as in a
//! comparison of solvers, it is a warning.

use crate::experiment::Experiment;
use crate::object::attribute::Attribute;
use crate::object::model::Object;
use crate::rigid::material::model::{Coefficient, Material};
use crate::rigid::quantities::StepKind;
use crate::simulation::model::Simulation;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::value::Value;
use gedanken_rigid::Settings;
use std::collections::BTreeSet;

/// A simulation of rigid bodies, with the objects whose surfaces take part.
struct Surfaces<'e> {
    simulation: &'e Simulation,
    objects: BTreeSet<usize>,
}

/// Reports numbers of joints and materials that a solver does not model.
pub(crate) fn check(experiment: &Experiment, rigid: &[&Simulation], diagnostics: &mut Vec<Diagnostic>) {
    let Experiment { objects, joints, materials, .. } = experiment;
    // Which solver is meant is not known where its name is a mistake.
    if diagnostics.iter().any(|it| matches!(it.code, Code::E706 | Code::E424)) {
        return;
    }
    for joint in joints.iter().filter(|it| !it.soft_keys.is_empty()) {
        let own: Vec<&Simulation> =
            rigid.iter().copied().filter(|it| joint.belongs_to(it, objects)).collect();
        report_keys(&joint.name, &joint.soft_keys, &own, diagnostics);
    }
    let surfaces: Vec<Surfaces<'_>> = rigid.iter().map(|it| Surfaces::of(it, objects)).collect();
    for material in materials {
        let own = surfaces.iter().filter(|it| it.contain(material, objects));
        let own: Vec<&Simulation> = own.map(|it| it.simulation).collect();
        report_keys(&material.name, &material.soft_keys, &own, diagnostics);
        let bounces = !matches!(material.restitution, Coefficient::Number(0.0));
        if let Some(simulation) = own.iter().find(|it| is_soft(it) && bounces) {
            let cure = "a `damping ratio` below 1 makes a soft contact bounce: write for example `time constant = 0.02  damping ratio = 0.3` instead";
            diagnostics.push(no_restitution(&material.name, material.restitution_span, simulation, cure));
        }
    }
    for (number, object) in objects.iter().enumerate() {
        let of_object = object.attribute("restitution").filter(|it| is_not_zero(it));
        let soft = surfaces.iter().find(|it| is_soft(it.simulation) && it.objects.contains(&number));
        if let (Some(restitution), Some(soft)) = (of_object, soft) {
            let cure = "a `damping ratio` below 1 makes a soft contact bounce: give the object a `material` with `time constant` and `damping ratio`";
            diagnostics.push(no_restitution(&object.name, restitution.span, soft.simulation, cure));
        }
    }
}

fn is_soft(simulation: &Simulation) -> bool {
    simulation.rigid().is_some_and(|it| it.step_kind() == StepKind::Soft)
}

fn is_not_zero(attribute: &Attribute) -> bool {
    matches!(attribute.value, Value::Real(real) if real != 0.0)
}

/// Warns of a restitution, once for a material or an object.
fn no_restitution(name: &str, span: Span, simulation: &Simulation, cure: &str) -> Diagnostic {
    let message = format!(
        "the restitution of `{name}` has no effect in `{}`: soft contacts are springs with dampers",
        simulation.name
    );
    Diagnostic::new(Code::W754, span, message).label("has no effect with `solver = soft`").help(cure)
}

/// Reports the soft keys of a joint or material that takes part in these simulations.
fn report_keys(
    name: &str,
    keys: &[(&'static str, Span)],
    simulations: &[&Simulation],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let Some((_, first)) = keys.first() else { return };
    let Some(other) = simulations.iter().find(|it| !is_soft(it)) else { return };
    let usual = || Settings::default().solver.name();
    let solver = other.rigid().and_then(|it| it.solver).unwrap_or_else(usual);
    if simulations.iter().any(|it| is_soft(it)) {
        let message = format!(
            "{} of `{name}` {} no effect in `{}`: its solver is `{solver}`",
            list(keys),
            if keys.len() == 1 { "has" } else { "have" },
            other.name
        );
        diagnostics.push(
            Diagnostic::new(Code::W754, *first, message)
                .label("only `solver = soft` reads this")
                .help("to compare solvers on the same problem, remove what only one of them reads"),
        );
        return;
    }
    for (key, span) in keys {
        let message = format!(
            "`{}` of `{name}` has no effect: only the solver `soft` reads it, and this is `{solver}`",
            key.replace('_', " ")
        );
        diagnostics.push(
            Diagnostic::new(Code::E770, *span, message)
                .label("has no effect here")
                .also(other.span, "in this simulation")
                .help("write `solver = soft` in the simulation, or remove the line"),
        );
    }
}

/// Keys in words: `a`, `b` and `c`.
fn list(keys: &[(&'static str, Span)]) -> String {
    let spoken: Vec<String> = keys.iter().map(|(key, _)| format!("`{}`", key.replace('_', " "))).collect();
    match spoken.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}

impl<'e> Surfaces<'e> {
    /// Objects of a simulation and all their parts.
    fn of(simulation: &'e Simulation, objects: &[Object]) -> Self {
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let mut queue = simulation.objects.clone();
        while let Some(number) = queue.pop() {
            if found.insert(number) {
                let parts = objects[number].parts.iter();
                let place = |name: &str| objects.binary_search_by(|it| it.name.as_str().cmp(name)).ok();
                queue.extend(parts.filter_map(|part| place(&part.text)));
            }
        }
        Self { simulation, objects: found }
    }

    /// Returns `true` if an object is made of the material.
    fn contain(&self, material: &Material, objects: &[Object]) -> bool {
        let mut named = self.objects.iter().filter_map(|&number| objects[number].material.as_ref());
        named.any(|it| it.text == material.name)
    }
}

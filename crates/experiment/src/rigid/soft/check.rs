//! Checks that the solvers of simulations have a use for what joints and materials say.
//!
//! A number that no solver reads is an error. Where one simulation reads it and another does not, as in a
//! comparison of solvers, it is a warning.

use crate::experiment::Experiment;
use crate::object::attribute::Attribute;
use crate::object::model::Object;
use crate::rigid::joint::coupling;
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
    let Experiment { objects, joints, couplings, materials, .. } = experiment;
    // Which solver is meant is not known where its name is a mistake.
    if diagnostics.iter().any(|it| matches!(it.code, Code::E706 | Code::E424)) {
        return;
    }
    for joint in joints {
        let own: Vec<&Simulation> =
            rigid.iter().copied().filter(|it| joint.belongs_to(it, objects)).collect();
        let hard = own.iter().find(|it| joint.kind.is_soft_only() && !is_soft(it));
        diagnostics.extend(hard.map(|it| soft_only(joint.kind.noun(), &joint.name, joint.span, it)));
        if hard.is_none() {
            report_keys(&joint.name, &joint.soft_keys, &own, diagnostics);
        }
    }
    for coupling in couplings {
        let own = |it: &&&Simulation| coupling.belongs_to(it, joints, objects) && !is_soft(it);
        let hard = rigid.iter().find(own);
        diagnostics.extend(hard.map(|it| soft_only(coupling::KIND, &coupling.name, coupling.span, it)));
    }
    let surfaces: Vec<Surfaces<'_>> = rigid.iter().map(|it| Surfaces::of(it, objects)).collect();
    for material in materials {
        let own = surfaces.iter().filter(|it| it.contain(material, objects));
        let own: Vec<&Simulation> = own.map(|it| it.simulation).collect();
        report_keys(&material.name, &material.soft_keys, &own, diagnostics);
        let slides = matches!(material.friction, Coefficient::Curve(_));
        if let Some(simulation) = own.iter().find(|it| is_soft(it) && slides) {
            diagnostics.push(no_curve(material, simulation));
        }
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

/// A kind of joint in a simulation whose solver does not know it.
fn soft_only(kind: &str, name: &str, span: Span, simulation: &Simulation) -> Diagnostic {
    let usual = || Settings::default().solver.name();
    let solver = simulation.rigid().and_then(|it| it.solver).unwrap_or_else(usual);
    let message = format!("`{name}` is a {kind}, which only the solver `soft` knows, and this is `{solver}`");
    let help = match kind {
        coupling::KIND => {
            "write `solver = soft` in the simulation, or tie the bodies by a `constraint` block"
        }
        _ => {
            "write `solver = soft` in the simulation, or remove the joint: other solvers leave a body free anyway"
        }
    };
    Diagnostic::new(Code::E770, span, message)
        .label(format!("a {kind}"))
        .also(simulation.span, "in this simulation")
        .help(help)
}

/// A coefficient of friction that depends on the speed.
fn no_curve(material: &Material, simulation: &Simulation) -> Diagnostic {
    let message = format!(
        "the friction of `{}` depends on the speed, which soft contacts in `{}` cannot follow",
        material.name, simulation.name
    );
    Diagnostic::new(Code::E770, material.friction_span, message)
        .label("a function of the speed")
        .also(simulation.span, "with `solver = soft`")
        .help("write a number, such as `friction = 0.3`, or choose another solver: the cone of a soft contact is fixed within a step")
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

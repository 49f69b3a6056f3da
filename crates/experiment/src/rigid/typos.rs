//! Attributes that rigid bodies do not know, named like some that they do.
//!
//! Any name is free for an attribute, so `v = [1, 0, 0]` breaks no rule. But in a rigid body it is meant to
//! be its velocity, and the body would stay where it is. A name that a law reads is meant as it stands.

use super::body::attribute_kind;
use super::force_law::model::CheckedForceLaw;
use crate::object::attribute::Attribute;
use crate::object::model::Object;
use crate::simulation::model::Simulation;
use gedanken_lang::check::{Binding, similar};
use gedanken_lang::diagnostic::{Code, Diagnostic};

/// Attributes that a body may leave out, and their names elsewhere. A body without a mass is an
/// error.
const ALTERNATIVE_NAMES: [(&str, &[&str]); 5] = [
    ("velocity", &["v", "vel", "speed"]),
    ("angular_velocity", &["omega", "w", "spin"]),
    ("restitution", &["e", "bounce", "elasticity", "cor"]),
    ("friction", &["mu", "friction_coefficient"]),
    ("inertia_tensor", &["inertia", "moment_of_inertia"]),
];

/// Warns of attributes whose names were probably meant to be others.
pub(crate) fn check(
    objects: &[Object],
    simulations: &[Simulation],
    laws: &[CheckedForceLaw],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (number, object) in objects.iter().enumerate() {
        // Laws of contexts and rules call things as they like.
        let mut in_all = simulations.iter().filter(|it| it.objects.contains(&number)).peekable();
        if in_all.peek().is_none() || !in_all.all(|it| it.rigid().is_some()) {
            continue;
        }
        for attribute in object.attributes.iter().filter(|it| !is_read(laws, number, object, &it.name)) {
            if let Some(meant) = meant(object, attribute) {
                let (name, own) = (&attribute.name, &object.name);
                let message = format!("`{name}` of `{own}` does nothing: rigid bodies do not know that name");
                diagnostics.push(
                    Diagnostic::new(Code::W753, attribute.span, message)
                        .label("no law reads this")
                        .help(format!("did you mean `{meant}`? a name of your own is for laws of your own")),
                );
            }
        }
    }
}

/// The attribute that is known, fits, was not written, and has a name like this one.
fn meant(object: &Object, attribute: &Attribute) -> Option<&'static str> {
    let name = attribute.name.as_str();
    if attribute_kind(name).is_some() || object.shape.fields().any(|field| field.name == name) {
        return None;
    }
    // What was left unsaid has been filled in, and stands where the object does.
    let is_written = |known: &str| object.attribute(known).is_some_and(|it| it.span != object.span);
    let could_be = |known: &str| {
        let is_known = match known {
            "velocity" | "angular_velocity" => !object.is_static,
            "inertia_tensor" => !object.is_static && !object.is_kinematic,
            _ => object.material.is_none(),
        };
        is_known
            && !is_written(known)
            && attribute_kind(known).is_some_and(|kind| (kind.fits)(&attribute.ty()))
    };
    let called = ALTERNATIVE_NAMES
        .iter()
        .find(|(_, elsewhere)| elsewhere.iter().any(|it| it.eq_ignore_ascii_case(name)));
    let known = called.map(|(known, _)| *known);
    known.or_else(|| similar(name, ALTERNATIVE_NAMES.map(|(known, _)| known))).filter(|known| could_be(known))
}

/// Returns `true` if a law reads the attribute of an object.
fn is_read(laws: &[CheckedForceLaw], number: usize, object: &Object, name: &str) -> bool {
    laws.iter().flat_map(|law| &law.groups).any(|group| {
        group.checked.scope.variables.iter().any(|variable| match &variable.binding {
            Binding::Object { index, attribute } => {
                attribute == name && group.members.iter().any(|member| member.get(*index) == Some(&number))
            }
            Binding::Named { object: named, attribute } => attribute == name && *named == object.name,
            _ => false,
        })
    })
}

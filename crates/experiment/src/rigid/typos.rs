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
use std::collections::HashSet;

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
    let read = ReadAttributes::of(laws);
    for (number, object) in objects.iter().enumerate() {
        // Laws of contexts and rules call things as they like.
        let takes_part = |it: &&Simulation| it.objects.binary_search(&number).is_ok();
        let mut in_all = simulations.iter().filter(takes_part).peekable();
        if in_all.peek().is_none() || !in_all.all(|it| it.rigid().is_some()) {
            continue;
        }
        for attribute in object.attributes.iter().filter(|it| !read.has(number, object, &it.name)) {
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

/// Attributes that laws read.
#[derive(Default)]
struct ReadAttributes<'l> {
    /// Of the bodies that a law acts on, by their indices.
    own: HashSet<(usize, &'l str)>,
    /// Of objects that a law names.
    named: HashSet<(&'l str, &'l str)>,
}

impl<'l> ReadAttributes<'l> {
    fn of(laws: &'l [CheckedForceLaw]) -> Self {
        let mut read = Self::default();
        for group in laws.iter().flat_map(|law| &law.groups) {
            for variable in &group.checked.scope.variables {
                match &variable.binding {
                    Binding::Object { index, attribute } => {
                        let bodies = group.members.iter().filter_map(|member| member.get(*index));
                        read.own.extend(bodies.map(|&body| (body, attribute.as_str())));
                    }
                    Binding::Named { object, attribute } => {
                        read.named.insert((object, attribute));
                    }
                    _ => {}
                }
            }
        }
        read
    }

    /// Returns `true` if a law reads the attribute of an object.
    fn has(&self, number: usize, object: &Object, name: &str) -> bool {
        self.own.contains(&(number, name)) || self.named.contains(&(object.name.as_str(), name))
    }
}

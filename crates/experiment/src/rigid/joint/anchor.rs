//! Anchors, axes, limits and motor of a joint.

use super::model::{Anchor, JointKind, Motor};
use crate::read::numbers::Numbers;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::Name;
use gedanken_lang::value::Value;
use std::f64::consts::PI;

/// Reads the numbers of a joint.
pub(crate) struct JointNumbers<'r> {
    pub(crate) numbers: Numbers<'r>,
    pub(crate) name: &'r Name,
}

impl JointNumbers<'_> {
    fn has(&self, key: &str) -> bool {
        self.numbers.fields.has(key)
    }

    fn bad(&self, key: &str, message: String, label: &str) -> Diagnostic {
        Diagnostic::new(Code::E759, self.numbers.fields.span_of(key), message).label(label)
    }

    /// A number that is 0 or greater.
    pub(crate) fn not_negative(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<f64> {
        let real = self.numbers.real(key, diagnostics)?;
        if real >= 0.0 {
            return Some(real);
        }
        let message =
            format!("the {} of `{}` cannot be {}", key.replace('_', " "), self.name.text, Value::Real(real));
        diagnostics.push(self.bad(key, message, "must be 0 or greater"));
        None
    }

    /// A number greater than 0.
    pub(crate) fn positive(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<f64> {
        let real = self.not_negative(key, diagnostics)?;
        if real > 0.0 {
            return Some(real);
        }
        let message = format!("the {} of `{}` cannot be 0", key.replace('_', " "), self.name.text);
        diagnostics.push(self.bad(key, message, "must be greater than 0"));
        None
    }

    /// Anchor of the joint.
    pub(crate) fn anchor(&self, kind: Option<JointKind>, diagnostics: &mut Vec<Diagnostic>) -> Anchor {
        if let Some(point) = self.numbers.vector("anchor", diagnostics) {
            return Anchor::World(point);
        }
        let ends = ["anchor1", "anchor2"].map(|key| self.numbers.vector(key, diagnostics));
        let single = kind.is_some_and(|kind| !kind.has_two_ends());
        for (one, other) in [("anchor1", "anchor2"), ("anchor2", "anchor1")] {
            if single && self.has(one) && !self.has(other) && !self.has("anchor") {
                let message = format!("`{}` has an anchor on one of its bodies only", self.name.text);
                let help = format!(
                    "add `{other} = …`, the same point as the other body sees it; or write one point of the world: `anchor = …`"
                );
                diagnostics.push(self.bad(one, message, "and on the other?").help(help));
            }
        }
        Anchor::Bodies(ends)
    }

    /// Its axes, of length 1.
    pub(crate) fn axes(&self, diagnostics: &mut Vec<Diagnostic>) -> Vec<[f64; 3]> {
        let mut axes = Vec::new();
        for key in ["axis", "axis2"] {
            let Some(axis) = self.numbers.vector(key, diagnostics) else { continue };
            let largest = axis.iter().fold(0.0f64, |most, it| most.max(it.abs()));
            if largest == 0.0 {
                let message = format!("the {key} of `{}` has length 0, and so no direction", self.name.text);
                diagnostics.push(self.bad(key, message, "of length 0").help("write for example `[0, 0, 1]`"));
                continue;
            }
            let scaled = axis.map(|it| it / largest);
            let length = scaled.iter().fold(0.0, |sum, it| sum + it * it).sqrt();
            axes.push(scaled.map(|it| it / length));
        }
        if let [first, second] = axes.as_slice() {
            let along: f64 = first.iter().zip(second).fold(0.0, |sum, (a, b)| sum + a * b);
            if along.abs() > 1e-6 {
                let message = format!("the two axes of `{}` are not across each other", self.name.text);
                let help =
                    "the axes of a universal joint are perpendicular, such as `[1, 0, 0]` and `[0, 1, 0]`";
                diagnostics.push(self.bad("axis2", message, "not at a right angle to `axis`").help(help));
            }
        }
        axes
    }

    /// Limits of its motion.
    pub(crate) fn limits(
        &self,
        kind: Option<JointKind>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<[f64; 2]> {
        let (value, span) = self.numbers.value("limits", diagnostics)?;
        match &value {
            Value::Vector(ends) if ends.len() == 2 && ends[0] < ends[1] => {
                let turns = kind == Some(JointKind::Hinge);
                if !turns || (ends[0] > -PI && ends[1] < PI) {
                    return Some([ends[0], ends[1]]);
                }
                let message = format!("the limits of `{}` go beyond half a turn", self.name.text);
                let help =
                    "angles are in radians, between -pi and pi: an angle beyond is the same as one within";
                diagnostics.push(
                    Diagnostic::new(Code::E759, span, message)
                        .label("must lie between -pi and pi")
                        .help(help),
                );
            }
            Value::Vector(ends) if ends.len() == 2 && ends[0] == ends[1] => {
                let message = format!("the limits of `{}` leave no way between them", self.name.text);
                diagnostics.push(
                    Diagnostic::new(Code::E759, span, message)
                        .label("they are equal")
                        .help("a joint that cannot move at all is a `weld`"),
                );
            }
            Value::Vector(ends) if ends.len() == 2 => {
                let message = format!("the limits of `{}` are the wrong way round", self.name.text);
                let help = format!("write `limits = [{}, {}]`", Value::Real(ends[1]), Value::Real(ends[0]));
                diagnostics.push(
                    Diagnostic::new(Code::E759, span, message)
                        .label("from the larger to the smaller")
                        .help(help),
                );
            }
            other => {
                let message = format!("`limits` are two reals, but this is {}", other.type_of());
                let help =
                    "write from where to where it can move: `limits = [-1, 1]`, in radians for a hinge";
                diagnostics
                    .push(Diagnostic::new(Code::E759, span, message).label("not two reals").help(help));
            }
        }
        None
    }

    /// Its motor.
    pub(crate) fn motor(&self, kind: Option<JointKind>, diagnostics: &mut Vec<Diagnostic>) -> Option<Motor> {
        let strength = if kind == Some(JointKind::Slider) { "motor_force" } else { "motor_torque" };
        let (speed, most) =
            (self.numbers.real("motor_speed", diagnostics), self.positive(strength, diagnostics));
        let asks = |key: &str, other: &str, example: &str| {
            let (key, other) = (key.replace('_', " "), other.replace('_', " "));
            let message = format!("the motor of `{}` has a {key} and no {other}", self.name.text);
            (message, format!("add a line such as `{other} = {example}`"))
        };
        match (self.has("motor_speed"), self.has(strength)) {
            (true, false) => {
                let (message, help) = asks("motor_speed", strength, "10");
                diagnostics.push(self.bad("motor_speed", message, "how strong is it?").help(help));
            }
            (false, true) => {
                let (message, help) = asks(strength, "motor_speed", "1");
                diagnostics.push(self.bad(strength, message, "how fast shall it go?").help(help));
            }
            _ => {}
        }
        Some(Motor { speed: speed?, most: most? })
    }
}

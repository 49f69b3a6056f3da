//! Tendons, as far as to tell whether they do anything: only those that do nothing can be left out.

use super::joint::Limited;
use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;

/// What a tendon does to the motion.
#[derive(Debug, Clone)]
pub(crate) struct TendonSpec {
    limited: Limited,
    range: [f64; 2],
    actuator_limited: Limited,
    actuator_range: [f64; 2],
    friction_loss: f64,
    stiffness: [f64; 3],
    damping: [f64; 3],
    armature: f64,
}

impl Default for TendonSpec {
    fn default() -> Self {
        Self {
            limited: Limited::Auto,
            range: [0.0; 2],
            actuator_limited: Limited::Auto,
            actuator_range: [0.0; 2],
            friction_loss: 0.0,
            stiffness: [0.0; 3],
            damping: [0.0; 3],
            armature: 0.0,
        }
    }
}

impl TendonSpec {
    /// Takes over what an element says, of a tendon or of a default class.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        self.limited.apply("limited", attributes, report);
        self.range = attributes.numbers("range", report).unwrap_or(self.range);
        self.actuator_limited.apply("actuatorfrclimited", attributes, report);
        self.actuator_range = attributes.numbers("actuatorfrcrange", report).unwrap_or(self.actuator_range);
        self.friction_loss = attributes.number("frictionloss", report).unwrap_or(self.friction_loss);
        attributes.some_numbers("stiffness", &mut self.stiffness, report);
        attributes.some_numbers("damping", &mut self.damping, report);
        self.armature = attributes.number("armature", report).unwrap_or(self.armature);
        attributes.without_effect(&[
            "group",
            "margin",
            "material",
            "rgba",
            "solimpfriction",
            "solimplimit",
            "solreffriction",
            "solreflimit",
            "springlength",
            "springyield",
            "user",
            "width",
        ]);
    }

    /// Returns `true` if it exerts forces of its own.
    pub(crate) fn acts(&self) -> bool {
        let is_limit = |limited: Limited, range: [f64; 2]| match limited {
            Limited::No => false,
            Limited::Yes => true,
            Limited::Auto => range != [0.0; 2],
        };
        let numbers = [self.friction_loss, self.armature];
        is_limit(self.limited, self.range)
            || numbers.iter().chain(&self.stiffness).chain(&self.damping).any(|number| *number != 0.0)
    }
}

//! Joints as they are written.

use super::unsupported::Unsupported;
use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::source::Span;
use gedanken_multibody::model::JointKind;

/// Whether a range is a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limited {
    /// No.
    No,
    /// Yes.
    Yes,
    /// If the range is not empty.
    Auto,
}

impl Limited {
    /// Takes over the word of an attribute.
    pub(crate) fn apply(&mut self, name: &'static str, attributes: &mut Attributes<'_>, report: &mut Report) {
        if let Some(choice) = attributes.choice(name, &["false", "true", "auto"], report) {
            *self = [Limited::No, Limited::Yes, Limited::Auto][choice];
        }
    }
}

/// `solref` and `solimp` as they are written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SoftnessSpec {
    /// Two numbers of the reference.
    pub(crate) solref: [f64; 2],
    /// Five numbers of the impedance.
    pub(crate) solimp: [f64; 5],
}

impl Default for SoftnessSpec {
    fn default() -> Self {
        Self { solref: [0.02, 1.0], solimp: [0.9, 0.95, 0.001, 0.5, 2.0] }
    }
}

impl SoftnessSpec {
    /// Takes over the numbers of two attributes; a shorter list keeps the rest.
    pub(crate) fn apply(
        &mut self,
        [reference, impedance]: [&'static str; 2],
        attributes: &mut Attributes<'_>,
        report: &mut Report,
    ) {
        attributes.some_numbers(reference, &mut self.solref, report);
        attributes.some_numbers(impedance, &mut self.solimp, report);
    }

    /// The softness they mean.
    pub(crate) fn softness(&self) -> gedanken_multibody::model::Softness {
        gedanken_multibody::model::Softness {
            reference: gedanken_multibody::model::Reference::from_solref(self.solref),
            impedance: gedanken_multibody::model::Impedance::from_solimp(self.solimp),
        }
    }
}

/// A joint as it is written.
#[derive(Debug, Clone)]
pub(crate) struct JointSpec {
    /// Its name.
    pub(crate) name: String,
    /// Place of its element.
    pub(crate) span: Option<Span>,
    /// Kind.
    pub(crate) kind: JointKind,
    /// Anchor.
    pub(crate) pos: [f64; 3],
    /// Axis.
    pub(crate) axis: [f64; 3],
    /// Time constant and damping ratio of spring and damper; zeros for none.
    pub(crate) spring_damper: [f64; 2],
    /// Whether `range` is a limit.
    pub(crate) limited: Limited,
    /// Limits.
    pub(crate) range: [f64; 2],
    /// Whether `actuator_range` is a limit.
    pub(crate) actuator_limited: Limited,
    /// Bounds of the sum of actuator forces.
    pub(crate) actuator_range: [f64; 2],
    /// Whether gravity compensation counts as a force of actuators.
    pub(crate) actuator_gravcomp: bool,
    /// Softness of limits.
    pub(crate) limit_softness: SoftnessSpec,
    /// Softness of dry friction.
    pub(crate) friction_softness: SoftnessSpec,
    /// Stiffness, and coefficients of the squared and cubed displacement.
    pub(crate) stiffness: [f64; 3],
    /// Damping, and coefficients of the squared and cubed velocity.
    pub(crate) damping: [f64; 3],
    /// Margin of limits.
    pub(crate) margin: f64,
    /// Coordinate in the pose of the file.
    pub(crate) reference: f64,
    /// Coordinate at which the spring rests.
    pub(crate) spring_reference: f64,
    /// Armature.
    pub(crate) armature: f64,
    /// Dry friction.
    pub(crate) friction_loss: f64,
    /// Whether the frame of a free body is moved to its principal axes; `None` as the compiler says.
    pub(crate) align: Option<bool>,
    /// What cannot be had.
    pub(crate) unsupported: Unsupported,
}

impl Default for JointSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            span: None,
            kind: JointKind::Hinge,
            pos: [0.0; 3],
            axis: [0.0, 0.0, 1.0],
            spring_damper: [0.0; 2],
            limited: Limited::Auto,
            range: [0.0; 2],
            actuator_limited: Limited::Auto,
            actuator_range: [0.0; 2],
            actuator_gravcomp: false,
            limit_softness: SoftnessSpec::default(),
            friction_softness: SoftnessSpec::default(),
            stiffness: [0.0; 3],
            damping: [0.0; 3],
            margin: 0.0,
            reference: 0.0,
            spring_reference: 0.0,
            armature: 0.0,
            friction_loss: 0.0,
            align: None,
            unsupported: Unsupported::default(),
        }
    }
}

impl JointSpec {
    /// Takes over what an element says, of a joint or of a default class.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        if let Some(kind) = attributes.choice("type", &["free", "ball", "slide", "hinge"], report) {
            self.kind = [JointKind::Free, JointKind::Ball, JointKind::Slide, JointKind::Hinge][kind];
        }
        self.pos = attributes.numbers("pos", report).unwrap_or(self.pos);
        self.axis = attributes.numbers("axis", report).unwrap_or(self.axis);
        self.spring_damper = attributes.numbers("springdamper", report).unwrap_or(self.spring_damper);
        self.limited.apply("limited", attributes, report);
        self.range = attributes.numbers("range", report).unwrap_or(self.range);
        self.actuator_limited.apply("actuatorfrclimited", attributes, report);
        self.actuator_range = attributes.numbers("actuatorfrcrange", report).unwrap_or(self.actuator_range);
        self.actuator_gravcomp =
            attributes.boolean("actuatorgravcomp", report).unwrap_or(self.actuator_gravcomp);
        self.limit_softness.apply(["solreflimit", "solimplimit"], attributes, report);
        self.friction_softness.apply(["solreffriction", "solimpfriction"], attributes, report);
        self.margin = attributes.number("margin", report).unwrap_or(self.margin);
        self.reference = attributes.number("ref", report).unwrap_or(self.reference);
        self.spring_reference = attributes.number("springref", report).unwrap_or(self.spring_reference);
        self.armature = attributes.number("armature", report).unwrap_or(self.armature);
        self.friction_loss = attributes.number("frictionloss", report).unwrap_or(self.friction_loss);
        self.apply_forces(attributes, report);
        attributes.without_effect(&["group", "user"]);
    }

    fn apply_forces(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        if attributes.some_numbers("stiffness", &mut self.stiffness, report) {
            let is_curved = self.stiffness[1] != 0.0 || self.stiffness[2] != 0.0;
            let span = attributes.span("stiffness");
            self.unsupported.set("stiffness", is_curved, span, "a spring that is not linear");
        }
        if attributes.some_numbers("damping", &mut self.damping, report) {
            let is_curved = self.damping[1] != 0.0 || self.damping[2] != 0.0;
            let span = attributes.span("damping");
            self.unsupported.set("damping", is_curved, span, "damping that is not linear");
        }
        if let Some(threshold) = attributes.number("springyield", report) {
            let span = attributes.span("springyield");
            self.unsupported.set(
                "springyield",
                threshold > 0.0,
                span,
                "a spring that yields (`springyield`)",
            );
        }
    }
}

//! Actuators as they are written. The kinds `motor`, `position` and `velocity` are short ways to write a
//! `general` one; a default class has one actuator for all of them, which every kind changes in its own way.

use super::equality::{Named, named};
use super::joint::Limited;
use super::unsupported::Unsupported;
use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::diagnostic::Code;
use gedanken_lang::source::Span;

/// The kinds of actuator that there are; the first five are read.
pub(crate) const ACTUATORS: [&str; 13] = [
    "general",
    "motor",
    "position",
    "velocity",
    "damper",
    "intvelocity",
    "cylinder",
    "muscle",
    "adhesion",
    "dcmotor",
    "orientation",
    "pid",
    "plugin",
];

/// Number of kinds at the start of [`ACTUATORS`] that are read.
const READ: usize = 5;

/// The kind of element that last set the gain of an actuator or default class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// `general`, or none yet.
    General,
    /// `motor`.
    Motor,
    /// `position`.
    Position,
    /// `velocity`.
    Velocity,
    /// `damper`.
    Damper,
}

/// What an actuator acts on.
#[derive(Debug, Clone)]
pub(crate) enum Target {
    /// A joint.
    Joint(Named),
    /// A joint, with the gear in its parent's frame.
    JointInParent(Named),
}

/// An actuator as it is written.
#[derive(Debug, Clone)]
pub(crate) struct ActuatorSpec {
    /// Its name.
    pub(crate) name: String,
    /// Place of its element.
    pub(crate) span: Option<Span>,
    /// Group, by which actuators are switched off.
    pub(crate) group: i32,
    /// What it acts on.
    pub(crate) target: Option<Target>,
    /// Gear.
    pub(crate) gear: [f64; 6],
    /// The kind of element that last set the gain.
    pub(crate) form: Form,
    /// Whether the gain is affine in length and velocity.
    pub(crate) has_affine_gain: bool,
    /// Whether there is a bias.
    pub(crate) has_bias: bool,
    /// Parameters of the gain.
    pub(crate) gain: [f64; 10],
    /// Parameters of the bias.
    pub(crate) bias: [f64; 10],
    /// Whether `control_range` is a limit.
    pub(crate) control_limited: Limited,
    /// Range of the control.
    pub(crate) control_range: [f64; 2],
    /// Whether `force_range` is a limit.
    pub(crate) force_limited: Limited,
    /// Range of the force.
    pub(crate) force_range: [f64; 2],
    /// Share of the joint's range that becomes the range of the control; 0 for none.
    pub(crate) inherit_range: f64,
    /// Inertia that it adds to its joint, before the gear.
    pub(crate) armature: f64,
    /// Damping that it adds to its joint, before the gear.
    pub(crate) damping: [f64; 3],
    /// What cannot be had.
    pub(crate) unsupported: Unsupported,
}

impl Default for ActuatorSpec {
    fn default() -> Self {
        let mut gain = [0.0; 10];
        gain[0] = 1.0;
        Self {
            name: String::new(),
            span: None,
            group: 0,
            target: None,
            gear: [1.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            form: Form::General,
            has_affine_gain: false,
            has_bias: false,
            gain,
            bias: [0.0; 10],
            control_limited: Limited::Auto,
            control_range: [0.0; 2],
            force_limited: Limited::Auto,
            force_range: [0.0; 2],
            inherit_range: 0.0,
            armature: 0.0,
            damping: [0.0; 3],
            unsupported: Unsupported::default(),
        }
    }
}

impl ActuatorSpec {
    /// Takes over what an element says, of an actuator or of a default class. Returns `false` for a kind that
    /// is not read, of which nothing is taken over.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) -> bool {
        let kind = attributes.element_name();
        if !ACTUATORS[..READ].contains(&kind) {
            return false;
        }
        self.apply_common(attributes, report);
        self.apply_target(attributes, report);
        match kind {
            "general" => self.apply_general(attributes, report),
            "motor" => self.become_form(Form::Motor),
            "position" => self.apply_position(attributes, report),
            "velocity" => {
                self.become_form(Form::Velocity);
                self.gain[0] = attributes.number("kv", report).unwrap_or(self.gain[0]);
                self.bias[..3].copy_from_slice(&[0.0, 0.0, -self.gain[0]]);
            }
            _ => {
                self.become_form(Form::Damper);
                let damping = attributes.number("kv", report).unwrap_or(-self.gain[2]);
                if damping < 0.0 {
                    report.error(
                        Code::E008,
                        attributes.span("kv"),
                        "the damping of a `damper` is not negative",
                    );
                }
                self.gain[..3].copy_from_slice(&[0.0, 0.0, -damping]);
            }
        }
        true
    }

    /// Makes the actuator one of a kind with a name. It keeps the gain of its own kind, and a fixed gain that
    /// a `general` one set; the gain of another kind means something else and is forgotten.
    fn become_form(&mut self, form: Form) {
        let is_plain = self.form == Form::General && (!self.has_affine_gain || form == Form::Damper);
        if form == Form::Motor || !(self.form == form || is_plain) {
            let unit = Self::default();
            (self.gain, self.bias) = (unit.gain, unit.bias);
        }
        self.form = form;
        self.has_affine_gain = form == Form::Damper;
        self.has_bias = matches!(form, Form::Position | Form::Velocity);
        for attribute in ["dyntype", "gaintype", "biastype", "timeconst"] {
            self.unsupported.clear(attribute);
        }
    }

    fn apply_common(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        self.group = attributes.integer("group", report).unwrap_or(self.group);
        self.control_limited.apply("ctrllimited", attributes, report);
        self.control_range = attributes.numbers("ctrlrange", report).unwrap_or(self.control_range);
        self.force_limited.apply("forcelimited", attributes, report);
        self.force_range = attributes.numbers("forcerange", report).unwrap_or(self.force_range);
        attributes.some_numbers("gear", &mut self.gear, report);
        self.armature = attributes.number("armature", report).unwrap_or(self.armature);
        if attributes.some_numbers("damping", &mut self.damping, report) {
            let is_curved = self.damping[1] != 0.0 || self.damping[2] != 0.0;
            let span = attributes.span("damping");
            self.unsupported.set("damping", is_curved, span, "damping that is not linear");
        }
        if let Some(delay) = attributes.number("delay", report) {
            let span = attributes.span("delay");
            self.unsupported.set("delay", delay > 0.0, span, "a control that comes late (`delay`)");
        }
        // A history of controls that nothing reads, and what only other kinds of transmission use.
        attributes.without_effect(&["nsample", "interp", "user", "lengthrange", "cranklength"]);
    }

    fn apply_target(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        let joint = named("joint", attributes).map(Target::Joint);
        let in_parent = named("jointinparent", attributes).map(Target::JointInParent);
        if let (Some(_), Some(Target::JointInParent((_, span)))) = (&joint, &in_parent) {
            report.error(Code::E012, *span, "an actuator acts on one thing, not on two");
        }
        if let Some(target) = joint.or(in_parent) {
            self.target = Some(target);
        }
        for (attribute, what) in [
            ("tendon", "an actuator of a tendon"),
            ("site", "an actuator of a site"),
            ("refsite", "an actuator of a site"),
            ("slidersite", "a slider crank"),
            ("cranksite", "a slider crank"),
            ("body", "an actuator of a body"),
        ] {
            if attributes.text(attribute).is_some() {
                let span = attributes.span(attribute);
                self.unsupported.set(attribute, true, span, what);
            }
        }
    }

    fn apply_general(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        const DYNAMICS: [&str; 8] =
            ["none", "integrator", "filter", "filterexact", "muscle", "dcmotor", "pid", "user"];
        const GAINS: [&str; 7] = ["fixed", "affine", "muscle", "dcmotor", "so3", "pid", "user"];
        const BIASES: [&str; 6] = ["none", "affine", "muscle", "dcmotor", "so3", "user"];
        self.form = Form::General;
        if let Some(kind) = attributes.choice("dyntype", &DYNAMICS, report) {
            let span = attributes.span("dyntype");
            let what = format!("an actuator with an activation (`{}`)", DYNAMICS[kind]);
            self.unsupported.set("dyntype", kind != 0, span, &what);
        }
        if let Some(kind) = attributes.choice("gaintype", &GAINS, report) {
            self.has_affine_gain = kind == 1;
            let span = attributes.span("gaintype");
            self.unsupported.set("gaintype", kind > 1, span, &format!("the gain `{}`", GAINS[kind]));
        }
        if let Some(kind) = attributes.choice("biastype", &BIASES, report) {
            self.has_bias = kind == 1;
            let span = attributes.span("biastype");
            self.unsupported.set("biastype", kind > 1, span, &format!("the bias `{}`", BIASES[kind]));
        }
        attributes.some_numbers("gainprm", &mut self.gain, report);
        attributes.some_numbers("biasprm", &mut self.bias, report);
        self.inherit_range = attributes.number("inheritrange", report).unwrap_or(self.inherit_range);
        // All of these belong to activations and to kinds that are refused by `dyntype` and `gaintype`.
        attributes.without_effect(&[
            "dynprm",
            "actlimited",
            "actrange",
            "actdim",
            "actearly",
            "input",
            "velrange",
            "ffrange",
        ]);
    }

    fn apply_position(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        self.become_form(Form::Position);
        self.gain[0] = attributes.number("kp", report).unwrap_or(self.gain[0]);
        (self.bias[0], self.bias[1]) = (0.0, -self.gain[0]);
        let damping = attributes.number("kv", report);
        let ratio = attributes.number("dampratio", report);
        if damping.is_some() && ratio.is_some() {
            let message = "`kv` and `dampratio` are two ways to say the same damping";
            report.error(Code::E012, attributes.span("dampratio"), message);
        }
        // A positive number in this place means a damping ratio, as in MuJoCo.
        self.bias[2] = damping.map(|kv| -kv).or(ratio).unwrap_or(self.bias[2]);
        if let Some(time) = attributes.number("timeconst", report) {
            let span = attributes.span("timeconst");
            self.unsupported.set("timeconst", time > 0.0, span, "a filter of the control (`timeconst`)");
        }
        self.inherit_range = attributes.number("inheritrange", report).unwrap_or(self.inherit_range);
    }
}

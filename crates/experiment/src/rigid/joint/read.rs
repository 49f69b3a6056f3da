//! From a `joint` block to a joint.

use super::anchor::JointNumbers;
use super::model::{Joint, JointKind};
use crate::environment::Environment;
use crate::read::fields::{BlockForm, Fields, no_such, truth};
use crate::read::numbers::Numbers;
use crate::rigid::force_law::read::pair;
use crate::rigid::soft;
use crate::rigid::soft::softness;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::{Block, Name};

pub(crate) const FORM: BlockForm = BlockForm {
    what: "a joint",
    keys: &[
        (
            "kind",
            "`point` or `ball`, `hinge`, `slider`, `universal`, `weld`, `distance`, `rope`, `spring`, `free` or `polynomial`",
        ),
        (
            "between",
            "the names of two objects, or of one and the world: `{door, world}`; of two joints for a `polynomial`",
        ),
        ("anchor", "a point of the world"),
        ("anchor1", "a point of the first body, in its own frame"),
        ("anchor2", "a point of the second body, in its own frame"),
        ("axis", "a direction in the world"),
        ("axis2", "a direction in the world, across the first"),
        ("length", "a real greater than 0"),
        ("limits", "two reals, the smaller first: `[-1, 1]`"),
        ("motor_speed", "a real, in rad/s or m/s"),
        ("motor_torque", "a real greater than 0, in newton metres"),
        ("motor_force", "a real greater than 0, in newtons"),
        (
            "stiffness",
            "a real that is not negative, in newtons per metre, or newton metres where a joint turns",
        ),
        (
            "damping",
            "a real that is not negative, in newton seconds per metre, or newton metre seconds where a joint turns",
        ),
        ("rest_length", "a real that is not negative"),
        ("collide", "`true` or `false`"),
        ("rest", "a real, the angle or shift at which the spring of a hinge or slider is at rest"),
        ("armature", "a real that is not negative, inertia that is added to every freedom"),
        (
            "friction_loss",
            "a real that is not negative, the largest force or torque of dry friction in the joint",
        ),
        ("coefficients", "up to five reals, of the powers 0 to 4 in a `polynomial`: `[0, 2]`"),
        ("time_constant", softness::TIME_CONSTANT),
        ("damping_ratio", softness::DAMPING_RATIO),
        ("softness_stiffness", softness::STIFFNESS),
        ("softness_damping", softness::DAMPING),
        ("impedance", softness::IMPEDANCE),
    ],
};

/// Keys that every kind has a use for.
const COMMON_KEYS: [&str; 6] = ["kind", "between", "collide", "anchor", "anchor1", "anchor2"];

/// Reads a joint. `None` if something is wrong that has been reported.
pub(crate) fn read(
    block: &Block,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Joint>) {
    let &Environment { names, evaluator, .. } = environment;
    let objects = &names.objects;
    let before = diagnostics.len();
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = fields.heading("elbow", diagnostics);
    fields.require("kind", "hinge", diagnostics);
    fields.require("between", "{arm, world}", diagnostics);
    let kind = kind(&fields, diagnostics);
    let ends = if fields.has("between") { pair(&fields, &name, objects, true, diagnostics) } else { None };
    if let Some(kind) = kind {
        check_keys(&fields, kind, &name, diagnostics);
    }
    let reader = JointNumbers { numbers: Numbers { fields: &fields, evaluator }, name: &name };
    let is_spring = kind == Some(JointKind::Spring);
    let mut of_spring = |key: &str| match is_spring {
        true => reader.not_negative(key, diagnostics).unwrap_or(0.0),
        false => 0.0,
    };
    let (stiffness, damping) = (of_spring("stiffness"), of_spring("damping"));
    let (soft, soft_keys) = soft::joint::read(&reader.numbers, &name, kind, diagnostics);
    let anchor = reader.anchor(kind, diagnostics);
    let axes = reader.axes(diagnostics);
    let joint = Joint {
        name: name.text.clone(),
        kind: kind.unwrap_or(JointKind::Point),
        a: name.clone(),
        b: None,
        anchor,
        axes,
        length: reader
            .positive("length", diagnostics)
            .or_else(|| reader.not_negative("rest_length", diagnostics)),
        limits: reader.limits(kind, diagnostics),
        motor: reader.motor(kind, diagnostics),
        stiffness,
        damping,
        soft,
        soft_keys,
        collide: fields.has("collide").then(|| truth(&fields, "collide", false, diagnostics)),
        span: name.span,
        anchor_span: ["anchor", "anchor1", "anchor2"]
            .into_iter()
            .find(|key| fields.has(key))
            .map_or(name.span, |key| fields.span_of(key)),
    };
    let sound = !diagnostics[before..].iter().any(Diagnostic::is_error);
    if let (Some(JointKind::Free), Some([body, other])) = (kind, &ends)
        && (other.text != "world" || objects.contains_key("world"))
    {
        let message = format!("`{}` leaves `{}` free, and is between two bodies", name.text, body.text);
        diagnostics.push(
            Diagnostic::new(Code::E755, other.span, message).label("not the world").help(format!(
                "a body that floats is free in the world: `between = {{{}, world}}`",
                body.text
            )),
        );
    }
    let sound = sound && !diagnostics[before..].iter().any(Diagnostic::is_error);
    let joint = ends.filter(|_| sound && kind.is_some()).map(|[a, b]| Joint {
        a,
        b: Some(b).filter(|b| b.text != "world" || objects.contains_key("world")),
        ..joint
    });
    (name, joint)
}

fn kind(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<JointKind> {
    let words = fields.words("kind", diagnostics)?;
    let found = JointKind::by_name(&words.text);
    if found.is_none() {
        let names: Vec<&str> = JointKind::names().collect();
        let help = format!("the kinds of joint are {}", names.join(", "));
        let said = match words.text.as_str() {
            "ball joint" | "spherical" | "pin" => {
                no_such(words, "joint", ["point"], "a joint that holds a point is a `point` joint")
            }
            "revolute" => no_such(words, "joint", ["hinge"], "a joint that turns about an axis is a `hinge`"),
            "prismatic" => {
                no_such(words, "joint", ["slider"], "a joint that shifts along an axis is a `slider`")
            }
            "fixed" | "rigid" => {
                no_such(words, "joint", ["weld"], "a joint that holds everything is a `weld`")
            }
            "rod" => {
                no_such(words, "joint", ["distance"], "a joint that holds a distance is a `distance` joint")
            }
            _ => no_such(words, "joint", names, &help),
        };
        diagnostics.push(said);
    }
    found
}

/// Reports keys that the kind lacks, and those that mean nothing to it.
fn check_keys(fields: &Fields<'_>, kind: JointKind, name: &Name, diagnostics: &mut Vec<Diagnostic>) {
    let what = kind.noun();
    for (key, example) in kind.needs().iter().filter(|(key, _)| !fields.has(key)) {
        let spoken = key.replace('_', " ");
        let message = format!("`{}` is a {what} and has no `{spoken}`", name.text);
        diagnostics.push(
            Diagnostic::new(Code::E759, name.span, message)
                .label(format!("`{spoken}` is missing"))
                .help(format!("add a line such as `{spoken} = {example}`")),
        );
    }
    // A key without a use in this kind of joint would silently do nothing.
    let is_common =
        |key: &str| COMMON_KEYS.contains(&key) && !(kind == JointKind::Free && key.starts_with("anchor"));
    let known = |key: &str| is_common(key) || kind.has(key);
    let keys = fields.block.entries.iter().map(|entry| entry.key.text.as_str());
    for key in keys.filter(|key| fields.has(key) && !known(key)) {
        let spoken = key.replace('_', " ");
        let message = format!("a {what} has no `{spoken}`");
        let having: Vec<String> = JointKind::ALL
            .into_iter()
            .filter(|it| it.has(key) || (COMMON_KEYS.contains(&key) && *it != JointKind::Free))
            .map(JointKind::name)
            .chain((key == "coefficients").then_some(super::coupling::KIND))
            .map(|name| format!("`{name}`"))
            .collect();
        diagnostics.push(
            Diagnostic::new(Code::E759, fields.span_of(key), message)
                .label("has no effect here")
                .help(format!("remove the line, or choose a kind that has it: {}", having.join(", "))),
        );
    }
    let anchored = ["anchor", "anchor1", "anchor2"].iter().any(|key| fields.has(key));
    if kind.needs_anchor() && !anchored {
        let message = format!("`{}` is a {what}, and nothing says where it is", name.text);
        diagnostics.push(
            Diagnostic::new(Code::E759, name.span, message)
                .label("an anchor is missing")
                .help("add a point of the world, such as `anchor = [0, 0, 1]`, or a point of each body: `anchor1 = …  anchor2 = …`"),
        );
    }
    if fields.has("anchor") && (fields.has("anchor1") || fields.has("anchor2")) {
        let other = if fields.has("anchor1") { "anchor1" } else { "anchor2" };
        let message = format!("`{}` is at a point of the world, and at points of its bodies", name.text);
        diagnostics.push(
            Diagnostic::new(Code::E759, fields.span_of(other), message)
                .label("a point of a body")
                .also(fields.span_of("anchor"), "a point of the world")
                .help("keep one of the two: `anchor` alone, or `anchor1` and `anchor2`"),
        );
    }
    // One point cannot say where both ends of a rope or a spring are.
    if fields.has("anchor") && kind.has_two_ends() {
        let message = format!("a {what} has two ends, and `anchor` is one point");
        diagnostics.push(
            Diagnostic::new(Code::E759, fields.span_of("anchor"), message)
                .label("of which end?")
                .help("write `anchor1 = …` and `anchor2 = …`, points of the bodies in their own frames; without them the ends are at their positions"),
        );
    }
}

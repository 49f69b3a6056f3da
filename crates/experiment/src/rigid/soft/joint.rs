//! Reads the numbers of a joint that only soft constraints have a use for.

use super::numbers::SoftNumbers;
use super::{SoftJoint, softness};
use crate::read::numbers::Numbers;
use crate::rigid::joint::model::JointKind;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::Name;

/// Keys that a hinge or a slider may have. The first is for those alone: other joints are at rest as they
/// begin.
pub(crate) const KEYS: [&str; 10] = [
    "rest",
    "stiffness",
    "damping",
    "armature",
    "friction_loss",
    "time_constant",
    "damping_ratio",
    "softness_stiffness",
    "softness_damping",
    "impedance",
];

/// Reads what soft constraints know of a joint, and which of its keys are written. A spring is the same with
/// every solver, and has none.
pub(crate) fn read(
    numbers: &Numbers<'_>,
    name: &Name,
    kind: Option<JointKind>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (SoftJoint, Vec<(&'static str, Span)>) {
    if kind == Some(JointKind::Spring) {
        return (SoftJoint::default(), Vec::new());
    }
    let reader = SoftNumbers { numbers, name, code: Code::E759 };
    let mut not_negative = |key: &str| reader.not_negative(key, diagnostics).unwrap_or(0.0);
    let (stiffness, damping) = (not_negative("stiffness"), not_negative("damping"));
    let (armature, friction_loss) = (not_negative("armature"), not_negative("friction_loss"));
    let rest = numbers.real("rest", diagnostics).unwrap_or(0.0);
    let has_rest = kind.is_some_and(|kind| kind.soft_keys().contains(&"rest"));
    if has_rest && reader.has("rest") && !reader.has("stiffness") {
        let message =
            format!("`{}` has a rest and no stiffness: without a spring nothing returns", name.text);
        diagnostics.push(
            reader
                .bad("rest", message, "has no effect here")
                .help("add a line such as `stiffness = 10`, or remove this one"),
        );
    }
    let softness = softness::read(&reader, diagnostics);
    let soft = SoftJoint { stiffness, rest, damping, armature, friction_loss, softness };
    (soft, reader.written(&KEYS))
}

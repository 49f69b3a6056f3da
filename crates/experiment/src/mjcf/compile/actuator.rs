//! Actuators: gains, biases and ranges.

use super::joint::{check, limits};
use super::model::Compiled;
use crate::mjcf::report::Report;
use crate::mjcf::spec::actuator::{ActuatorSpec, Target};
use crate::mjcf::spec::compiler::Compiler;
use crate::mjcf::spec::sections::ModelSpec;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_multibody::model::{Actuator, JointId, JointKind};

/// Makes the actuators.
pub(crate) fn actuators(model: &ModelSpec, compiled: &mut Compiled, report: &mut Report) {
    for spec in &model.actuators {
        let made = spec.as_ref().and_then(|spec| actuator(spec, model, compiled, report));
        compiled.is_actuator_kept.push(made.is_some());
        compiled.description.actuators.extend(made);
    }
}

fn actuator(
    spec: &ActuatorSpec,
    model: &ModelSpec,
    compiled: &mut Compiled,
    report: &mut Report,
) -> Option<Actuator> {
    let span = spec.span?;
    let (name, is_in_parent) = match &spec.target {
        Some(Target::Joint(name)) => (name, false),
        Some(Target::JointInParent(name)) => (name, true),
        None => {
            report.push(
                Diagnostic::new(Code::E011, span, "an actuator needs something to act on")
                    .help("for example `joint=\"elbow\"`"),
            );
            return None;
        }
    };
    let joint = compiled.joint_names.find("joint", name, report)?;
    add_to_joint(spec, joint, compiled, span, report);
    let control = control_range(spec, joint, compiled, span, report);
    let ranged = |limited, range, what: &str, report: &mut Report, compiler: &Compiler| {
        limits(limited, range, what, span, compiler, report).filter(|range| check(*range, what, span, report))
    };
    let [g0, g1, g2, ..] = spec.gain;
    let [b0, b1, b2, ..] = spec.bias;
    let mut gain = if spec.has_affine_gain { [g0, g1, g2] } else { [g0, 0.0, 0.0] };
    let mut bias = if spec.has_bias { [b0, b1, b2] } else { [0.0; 3] };
    let is_servo = is_position_servo(spec);
    // A positive velocity term of a position servo is a damping ratio.
    let is_ratio = is_servo && b2 > 0.0;
    if is_ratio {
        bias[2] = 0.0;
    }
    if model.option.disabled_groups.contains(&spec.group) {
        (gain, bias) = ([0.0; 3], [0.0; 3]);
    }
    Some(Actuator {
        gear: spec.gear,
        is_gear_in_parent: is_in_parent,
        gain,
        bias,
        is_servo,
        damping_ratio: is_ratio.then_some(b2),
        control_range: ranged(spec.control_limited, control, "`ctrlrange`", report, &model.compiler),
        force_range: ranged(spec.force_limited, spec.force_range, "`forcerange`", report, &model.compiler),
        ..Actuator::motor(spec.name.clone(), JointId::new(joint))
    })
}

/// Adds the rotor and the damper of an actuator to its joint: both turn with it, by the gear.
fn add_to_joint(spec: &ActuatorSpec, joint: usize, compiled: &mut Compiled, span: Span, report: &mut Report) {
    if spec.armature == 0.0 && spec.damping[0] == 0.0 {
        return;
    }
    let joint = &mut compiled.description.joints[joint];
    if !matches!(joint.kind, JointKind::Hinge | JointKind::Slide) {
        report.unsupported(span, "an actuator that adds inertia or damping to a ball or free joint");
        return;
    }
    let square = spec.gear[0] * spec.gear[0];
    joint.armature += spec.armature * square;
    joint.damping += spec.damping[0] * square;
}

/// Returns `true` if the force is proportional to control minus length.
fn is_position_servo(spec: &ActuatorSpec) -> bool {
    spec.has_bias && !spec.has_affine_gain && spec.gain[0] == -spec.bias[1]
}

/// The range of the control, perhaps from the range of the joint.
fn control_range(
    spec: &ActuatorSpec,
    joint: usize,
    compiled: &Compiled,
    span: Span,
    report: &mut Report,
) -> [f64; 2] {
    if spec.inherit_range <= 0.0 || !is_position_servo(spec) {
        return spec.control_range;
    }
    let [low, high] = compiled.joint_ranges[joint];
    if low == high {
        report.error(Code::E012, span, "`inheritrange` needs a joint with a `range`");
        return spec.control_range;
    }
    let (middle, radius) = (0.5 * (high + low), 0.5 * (high - low) * spec.inherit_range);
    [middle - radius, middle + radius]
}

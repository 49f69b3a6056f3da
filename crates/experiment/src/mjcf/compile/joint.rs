//! Joints: angles in radians, limits, frames.

use crate::mjcf::report::Report;
use crate::mjcf::spec::compiler::Compiler;
use crate::mjcf::spec::joint::{JointSpec, Limited};
use crate::mjcf::spec::orientation::unit;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::model::{BodyId, Joint, JointKind};

/// The range of something, if it is limited: as it says, or as its range implies.
pub(crate) fn limits(
    limited: Limited,
    range: [f64; 2],
    what: &str,
    span: Span,
    compiler: &Compiler,
    report: &mut Report,
) -> Option<[f64; 2]> {
    let is_given = range != [0.0; 2];
    match limited {
        Limited::No => return None,
        Limited::Auto if !is_given => return None,
        Limited::Auto if !compiler.autolimits => {
            report.push(
                Diagnostic::new(Code::E012, span, format!("{what} is given, but not whether it limits"))
                    .help("say so with `true` or `false`, or remove `autolimits=\"false\"`"),
            );
            return None;
        }
        Limited::Auto | Limited::Yes => {}
    }
    Some(range)
}

/// Makes a joint.
pub(crate) fn joint(
    spec: &JointSpec,
    frame: Pose,
    body: usize,
    compiler: &Compiler,
    fallback: Span,
    report: &mut Report,
) -> Joint {
    let span = spec.span.unwrap_or(fallback);
    let mut joint = Joint::new(spec.name.clone(), BodyId::new(body), spec.kind);
    let is_scalar = matches!(spec.kind, JointKind::Hinge | JointKind::Slide);
    if is_scalar {
        let axis = frame.vector_to_world(Vec3::from_array(spec.axis));
        joint.axis = unit(axis).unwrap_or_else(|| {
            report.error(Code::E008, span, "the axis of a joint has a length");
            Vec3::Z
        });
    }
    if spec.kind != JointKind::Free {
        joint.anchor = frame.point_to_world(Vec3::from_array(spec.pos));
    }
    let is_hinge = spec.kind == JointKind::Hinge;
    if is_scalar {
        let angle = |value: f64| if is_hinge { compiler.radians(value) } else { value };
        (joint.reference, joint.rest) = (angle(spec.reference), angle(spec.spring_reference));
    }
    joint.limits = joint_limits(spec, span, compiler, report);
    joint.limit_margin = spec.margin;
    joint.limit_softness = spec.limit_softness.softness();
    joint.friction_softness = spec.friction_softness.softness();
    (joint.stiffness, joint.damping) = (spec.stiffness[0], spec.damping[0]);
    (joint.armature, joint.friction_loss) = (spec.armature, spec.friction_loss);
    joint.compensates_by_actuators = spec.actuator_gravcomp;
    if spec.spring_damper != [0.0; 2] {
        if spec.spring_damper.iter().any(|number| *number <= 0.0) {
            report.error(Code::E008, span, "both numbers of `springdamper` are more than zero");
        }
        joint.spring_damper = Some(spec.spring_damper);
    }
    if is_scalar {
        let what = "`actuatorfrcrange`";
        let range = limits(spec.actuator_limited, spec.actuator_range, what, span, compiler, report);
        joint.actuator_force_range = range.filter(|range| check(*range, what, span, report));
    }
    joint
}

fn joint_limits(spec: &JointSpec, span: Span, compiler: &Compiler, report: &mut Report) -> Option<[f64; 2]> {
    if spec.kind == JointKind::Free {
        return None;
    }
    let range = limits(spec.limited, spec.range, "`range`", span, compiler, report)?;
    match spec.kind {
        JointKind::Ball if range[0] != 0.0 => {
            report.error(Code::E008, span, "the `range` of a ball joint begins at 0");
            None
        }
        JointKind::Slide => check(range, "`range`", span, report).then_some(range),
        JointKind::Hinge if !check(range, "`range`", span, report) => None,
        _ => Some(range.map(|angle| compiler.radians(angle))),
    }
}

/// Returns `true` if a range begins below its end; reports it otherwise.
pub(crate) fn check([low, high]: [f64; 2], what: &str, span: Span, report: &mut Report) -> bool {
    if low >= high {
        report.error(Code::E008, span, format!("{what} begins below its end, not {low} to {high}"));
    }
    low < high
}

//! Equalities: anchors and relative poses, from the pose in which the model is written.

use super::model::Compiled;
use crate::mjcf::report::Report;
use crate::mjcf::spec::equality::{Ends, EqualityKindSpec, EqualitySpec};
use crate::mjcf::spec::orientation::quaternion_of;
use crate::mjcf::spec::sections::ModelSpec;
use crate::mjcf::spec::tree::compose;
use gedanken_lang::diagnostic::Code;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::model::{BodyId, Equality, EqualityKind, JointId, JointKind, Mount};

/// Makes the equalities.
pub(crate) fn equalities(model: &ModelSpec, compiled: &mut Compiled, report: &mut Report) {
    for spec in &model.equalities {
        let Some(kind) = kind(spec, compiled, report) else { continue };
        compiled.description.equalities.push(Equality {
            name: spec.base.name.clone(),
            kind,
            softness: spec.base.softness.softness(),
            is_active: spec.base.is_active,
        });
    }
}

fn kind(spec: &EqualitySpec, compiled: &Compiled, report: &mut Report) -> Option<EqualityKind> {
    match &spec.kind {
        EqualityKindSpec::Connect { ends: Ends::Sites(first, second), .. } => {
            let [a, b] = sites([first, second], compiled, report)?;
            Some(EqualityKind::Connect {
                first: (a.body, a.frame.translation),
                second: (b.body, b.frame.translation),
            })
        }
        EqualityKindSpec::Connect { ends: Ends::Bodies(first, second), anchor } => {
            let [a, b] = bodies(spec, first, second.as_ref(), compiled, report)?;
            let anchor = Vec3::from_array(*anchor);
            let world = compiled.world_poses[a].point_to_world(anchor);
            let other = compiled.world_poses[b].point_to_body(world);
            Some(EqualityKind::Connect { first: (BodyId::new(a), anchor), second: (BodyId::new(b), other) })
        }
        EqualityKindSpec::Weld { ends: Ends::Sites(first, second), torque_scale, .. } => {
            let [first, second] = sites([first, second], compiled, report)?;
            Some(EqualityKind::Weld { first, second, torque_scale: *torque_scale })
        }
        EqualityKindSpec::Weld { ends: Ends::Bodies(first, second), anchor, relative_pose, torque_scale } => {
            let [a, b] = bodies(spec, first, second.as_ref(), compiled, report)?;
            let anchor = Vec3::from_array(*anchor);
            let frame =
                welded_frame(*relative_pose, anchor, compiled.world_poses[a], compiled.world_poses[b]);
            Some(EqualityKind::Weld {
                first: Mount { body: BodyId::new(a), frame },
                second: Mount { body: BodyId::new(b), frame: Pose::at(anchor) },
                torque_scale: *torque_scale,
            })
        }
        EqualityKindSpec::Joint { driven, driver, coefficients } => {
            let joint = |name, report: &mut Report| {
                let place = compiled.joint_names.find("joint", name, report)?;
                let kind = compiled.description.joints[place].kind;
                if !matches!(kind, JointKind::Hinge | JointKind::Slide) {
                    report.error(Code::E012, name.1, "only a hinge and a slide have one coordinate");
                    return None;
                }
                Some(JointId::new(place))
            };
            let driven_id = joint(driven, report)?;
            let driver_id = match driver {
                Some(name) => Some(joint(name, report)?),
                None => None,
            };
            if driver_id == Some(driven_id) {
                report.error(Code::E012, driven.1, "a joint does not follow itself");
            }
            Some(EqualityKind::Polynomial {
                driven: driven_id,
                driver: driver_id,
                coefficients: *coefficients,
            })
        }
    }
}

/// The frame of the first body that a weld holds to the anchor of the second.
fn welded_frame(relative: [f64; 7], anchor: Vec3, first: Pose, second: Pose) -> Pose {
    let [x, y, z, q @ ..] = relative;
    match quaternion_of(q) {
        Some(rotation) => Pose::new(rotation, Vec3::new(x, y, z)),
        None => {
            let here = compose(first.inverse(), second);
            let rotation: Quat = here.rotation;
            Pose::new(rotation, here.point_to_world(anchor))
        }
    }
}

fn sites(
    names: [&(String, gedanken_lang::source::Span); 2],
    compiled: &Compiled,
    report: &mut Report,
) -> Option<[Mount; 2]> {
    let found = names.map(|name| compiled.site_names.find("site", name, report));
    let [Some(first), Some(second)] = found else { return None };
    if first == second {
        report.error(Code::E012, names[1].1, "a site is not held to itself");
    }
    Some([compiled.sites[first], compiled.sites[second]])
}

fn bodies(
    spec: &EqualitySpec,
    first: &(String, gedanken_lang::source::Span),
    second: Option<&(String, gedanken_lang::source::Span)>,
    compiled: &Compiled,
    report: &mut Report,
) -> Option<[usize; 2]> {
    let a = compiled.body_names.find("body", first, report)?;
    let b = match second {
        Some(name) => compiled.body_names.find("body", name, report)?,
        None => 0,
    };
    if a == b {
        report.error(Code::E012, spec.span, "a body is not held to itself");
        return None;
    }
    Some([a, b])
}

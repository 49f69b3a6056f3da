//! Bodies: poses, and masses from `inertial` or from geoms.

use super::geom::MassiveGeom;
use super::principal_axes::principal_axes;
use crate::mjcf::report::Report;
use crate::mjcf::spec::compiler::{Compiler, InertiaFromGeom};
use crate::mjcf::spec::orientation::LEAST_LENGTH;
use crate::mjcf::spec::tree::BodySpec;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_math::{Mat3, Pose, Vec3};

/// Mass, centre of mass, principal axes and moments.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inertia {
    /// Mass.
    pub(crate) mass: f64,
    /// Centre of mass and principal axes.
    pub(crate) pose: Pose,
    /// Principal moments.
    pub(crate) moments: Vec3,
}

/// The inertia of a body other than the world.
pub(crate) fn inertia(
    spec: &BodySpec,
    geoms: &[MassiveGeom],
    compiler: &Compiler,
    report: &mut Report,
) -> Inertia {
    let written = spec.inertial.as_ref().map(|_| written(spec, compiler, report));
    let from_geoms = match (compiler.inertia_from_geom, &written) {
        (InertiaFromGeom::Always, _) | (InertiaFromGeom::Auto, None) => {
            of_geoms(geoms, compiler, spec.span, report)
        }
        _ => None,
    };
    // A body without mass has its own pose here, in the frame of its parent: a quirk of MuJoCo.
    let none = Inertia { mass: 0.0, pose: spec.pose, moments: Vec3::ZERO };
    let mut inertia = from_geoms.or(written).unwrap_or(none);
    inertia.mass = inertia.mass.max(compiler.least_mass);
    inertia.moments = inertia.moments.max(Vec3::splat(compiler.least_inertia));
    check(&mut inertia, spec, compiler, report);
    inertia
}

/// The inertia that an element `inertial` gives.
fn written(spec: &BodySpec, compiler: &Compiler, report: &mut Report) -> Inertia {
    let Some(inertial) = &spec.inertial else {
        return Inertia { mass: 0.0, pose: spec.pose, moments: Vec3::ZERO };
    };
    let centre = Vec3::from_array(inertial.pos);
    match inertial.full {
        Some([xx, yy, zz, xy, xz, yz]) => {
            let matrix = Mat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
            let (moments, axes) = positive_axes(matrix, inertial.span, compiler, report);
            Inertia { mass: inertial.mass, pose: Pose::new(axes, centre), moments }
        }
        None => Inertia {
            mass: inertial.mass,
            pose: Pose::new(inertial.orientation.resolve(compiler, report), centre),
            moments: Vec3::from_array(inertial.diagonal),
        },
    }
}

fn positive_axes(
    matrix: Mat3,
    span: Span,
    compiler: &Compiler,
    report: &mut Report,
) -> (Vec3, gedanken_math::Quat) {
    let (moments, axes) = principal_axes(matrix, 0.0);
    if moments.z < LEAST_LENGTH && compiler.least_inertia <= 0.0 {
        report.error(Code::E008, span, "all principal moments of an inertia are more than zero");
    }
    (moments, axes)
}

/// The inertia of the geoms whose group counts; `None` if none of them has mass.
fn of_geoms(geoms: &[MassiveGeom], compiler: &Compiler, span: Span, report: &mut Report) -> Option<Inertia> {
    let [first, last] = compiler.inertia_groups;
    let heavy: Vec<&MassiveGeom> =
        geoms.iter().filter(|it| it.group >= first && it.group <= last && it.mass > 0.0).collect();
    if let [only] = heavy[..] {
        return Some(Inertia { mass: only.mass, pose: only.geom.pose, moments: only.inertia });
    }
    let mass: f64 = heavy.iter().map(|it| it.mass).sum();
    if mass < LEAST_LENGTH {
        return None;
    }
    let centre: Vec3 = heavy.iter().map(|it| it.mass * it.geom.pose.translation).sum::<Vec3>() / mass;
    let mut total = Mat3::ZERO;
    for it in heavy {
        let rotation = Mat3::from_quat(it.geom.pose.rotation);
        total += rotation * Mat3::from_diagonal(it.inertia) * rotation.transpose();
        let arm = it.geom.pose.translation - centre;
        let outer = Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
        total += (Mat3::from_diagonal(Vec3::splat(arm.length_squared())) - outer) * it.mass;
    }
    let (moments, axes) = positive_axes(total, span, compiler, report);
    Some(Inertia { mass, pose: Pose::new(axes, centre), moments })
}

/// Reports moments that no body has, or balances them.
fn check(inertia: &mut Inertia, spec: &BodySpec, compiler: &Compiler, report: &mut Report) {
    let span = spec.inertial.as_ref().map_or(spec.span, |inertial| inertial.span);
    let Vec3 { x, y, z } = inertia.moments;
    if inertia.mass < 0.0 || x < 0.0 || y < 0.0 || z < 0.0 {
        report.error(Code::E008, span, "mass and moments of inertia are not negative");
        return;
    }
    // Sums of rounded moments of a flat body may miss by the last bits.
    let slack = 1e-12 * (x + y + z);
    if x + y + slack < z || x + z + slack < y || y + z + slack < x {
        if compiler.balance_inertia {
            inertia.moments = Vec3::splat((x + y + z) / 3.0);
            return;
        }
        report.push(
            Diagnostic::new(
                Code::E008,
                span,
                "one moment of inertia is larger than the sum of the other two",
            )
            .note(format!("they are {x}, {y} and {z}"))
            .help("no body has such moments; `balanceinertia=\"true\"` replaces them by their mean"),
        );
    }
}

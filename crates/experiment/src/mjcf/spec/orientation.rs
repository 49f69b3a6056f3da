//! Orientations: one of five ways to write a rotation.

use super::compiler::Compiler;
use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::diagnostic::Code;
use gedanken_lang::source::Span;
use gedanken_math::{Quat, Vec3};

/// Length below which a vector has no direction.
pub(crate) const LEAST_LENGTH: f64 = 1e-14;

/// A rotation as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Written {
    /// w, x, y, z.
    Quaternion([f64; 4]),
    /// Axis and angle.
    AxisAngle([f64; 4]),
    /// x axis and y axis.
    Axes([f64; 6]),
    /// The z axis; the rotation is the shortest one to it.
    ZAxis([f64; 3]),
    /// Three angles about the axes of the compiler's sequence.
    Euler([f64; 3]),
}

/// An orientation and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Orientation {
    written: Written,
    span: Option<Span>,
}

impl Default for Orientation {
    fn default() -> Self {
        Self { written: Written::Quaternion([1.0, 0.0, 0.0, 0.0]), span: None }
    }
}

impl Orientation {
    /// Takes over the orientation of an element, if it has one.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        const NAMES: [&str; 5] = ["quat", "axisangle", "xyaxes", "zaxis", "euler"];
        let given: Vec<&str> = NAMES.into_iter().filter(|name| attributes.has(name)).collect();
        if let [first, second, ..] = given[..] {
            let message = format!("`{first}` and `{second}` are two orientations of one thing");
            report.error(Code::E012, attributes.span(second), message);
        }
        let written = [
            attributes.numbers("quat", report).map(Written::Quaternion),
            attributes.numbers("axisangle", report).map(Written::AxisAngle),
            attributes.numbers("xyaxes", report).map(Written::Axes),
            attributes.numbers("zaxis", report).map(Written::ZAxis),
            attributes.numbers("euler", report).map(Written::Euler),
        ];
        if let Some((name, written)) = NAMES.iter().zip(written).find_map(|(name, it)| Some((name, it?))) {
            *self = Self { written, span: Some(attributes.span(name)) };
        }
    }

    /// Returns `true` if an element gave an orientation.
    pub(crate) fn is_given(&self) -> bool {
        self.span.is_some()
    }

    /// The rotation as a unit quaternion; the identity where it cannot be, which is reported.
    pub(crate) fn resolve(&self, compiler: &Compiler, report: &mut Report) -> Quat {
        self.rotation(compiler).unwrap_or_else(|message| {
            if let Some(span) = self.span {
                report.error(Code::E008, span, message);
            }
            Quat::IDENTITY
        })
    }

    fn rotation(&self, compiler: &Compiler) -> Result<Quat, &'static str> {
        match self.written {
            Written::Quaternion(quaternion) => {
                quaternion_of(quaternion).ok_or("a quaternion of length zero is no rotation")
            }
            Written::AxisAngle([x, y, z, angle]) => {
                let axis = unit(Vec3::new(x, y, z)).ok_or("an axis of length zero has no direction")?;
                let angle = if compiler.degrees { angle / 180.0 * std::f64::consts::PI } else { angle };
                Ok(about(axis, angle))
            }
            Written::Axes([a, b, c, d, e, f]) => {
                let x = unit(Vec3::new(a, b, c)).ok_or("an axis of length zero has no direction")?;
                let y = Vec3::new(d, e, f);
                let y = unit(y - x * x.dot(y)).ok_or("the two axes are parallel")?;
                Ok(from_axes(x, y, x.cross(y)))
            }
            Written::ZAxis(axis) => {
                let axis = unit(Vec3::from_array(axis)).ok_or("an axis of length zero has no direction")?;
                Ok(to_z_axis(axis))
            }
            Written::Euler(angles) => Ok(euler(angles, compiler)),
        }
    }
}

/// A unit quaternion from w, x, y, z, if these have a direction.
pub(crate) fn quaternion_of([w, x, y, z]: [f64; 4]) -> Option<Quat> {
    let length = (w * w + x * x + y * y + z * z).sqrt();
    (length * length >= LEAST_LENGTH && length.is_finite())
        .then(|| Quat::from_xyzw(x / length, y / length, z / length, w / length))
}

/// The unit vector of a vector, if it has a direction.
pub(crate) fn unit(v: Vec3) -> Option<Vec3> {
    let length = v.length();
    (length * length >= LEAST_LENGTH && length.is_finite()).then(|| v / length)
}

/// The rotation by an angle about a unit vector.
fn about(axis: Vec3, angle: f64) -> Quat {
    let (sine, cosine) = libm::sincos(angle / 2.0);
    Quat::from_xyzw(axis.x * sine, axis.y * sine, axis.z * sine, cosine)
}

/// The shortest rotation from z to a unit vector; half a turn about x for −z.
pub(crate) fn to_z_axis(direction: Vec3) -> Quat {
    let across = Vec3::Z.cross(direction);
    let sine = across.length();
    let axis = if sine < 1e-10 { Vec3::X } else { across / sine };
    about(axis, libm::atan2(sine, direction.z))
}

/// Rotations about three axes, one after the other: small letters turn with the body, capitals do not.
fn euler(angles: [f64; 3], compiler: &Compiler) -> Quat {
    let mut whole = Quat::IDENTITY;
    for (angle, axis) in angles.into_iter().zip(compiler.euler_sequence) {
        let angle = if compiler.degrees { angle / 180.0 * std::f64::consts::PI } else { angle };
        let direction = match axis.to_ascii_lowercase() {
            b'x' => Vec3::X,
            b'y' => Vec3::Y,
            _ => Vec3::Z,
        };
        let turn = about(direction, angle);
        whole = if axis.is_ascii_lowercase() { whole * turn } else { turn * whole };
    }
    whole.normalize()
}

/// The rotation to three perpendicular unit vectors, from the largest component of the quaternion.
fn from_axes(x: Vec3, y: Vec3, z: Vec3) -> Quat {
    let quaternion = if x.x + y.y + z.z > 0.0 {
        let w = 0.5 * (1.0 + x.x + y.y + z.z).sqrt();
        [w, 0.25 * (y.z - z.y) / w, 0.25 * (z.x - x.z) / w, 0.25 * (x.y - y.x) / w]
    } else if x.x > y.y && x.x > z.z {
        let i = 0.5 * (1.0 + x.x - y.y - z.z).sqrt();
        [0.25 * (y.z - z.y) / i, i, 0.25 * (y.x + x.y) / i, 0.25 * (z.x + x.z) / i]
    } else if y.y > z.z {
        let j = 0.5 * (1.0 - x.x + y.y - z.z).sqrt();
        [0.25 * (z.x - x.z) / j, 0.25 * (y.x + x.y) / j, j, 0.25 * (z.y + y.z) / j]
    } else {
        let k = 0.5 * (1.0 - x.x - y.y + z.z).sqrt();
        [0.25 * (x.y - y.x) / k, 0.25 * (z.x + x.z) / k, 0.25 * (z.y + y.z) / k, k]
    };
    quaternion_of(quaternion).unwrap_or(Quat::IDENTITY)
}

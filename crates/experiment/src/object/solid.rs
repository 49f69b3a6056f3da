//! From the values of an object to the shape that geometry computes with.

use super::model::Object;
use super::shape::ShapeKind;
use gedanken_geometry::{
    Capsule, Compound, Cone, ConvexHull, Cuboid, Cylinder, HalfSpace, Part, Shape, ShapeError, Solid, Sphere,
};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::value::Value;
use gedanken_math::rotation::about_axis;
use gedanken_math::{Pose, Quat, Vec3};
use std::sync::Arc;

/// Compounds of compounds of compounds: beyond this there must be a mistake.
const MAX_NESTING: usize = 64;

impl Object {
    /// Pose of the object when a simulation begins.
    pub fn pose(&self) -> Pose {
        let position = self.attribute("position").and_then(|it| it.vector()).unwrap_or_default();
        let elements = match self.attribute("orientation").map(|it| &it.value) {
            Some(Value::Vector(elements)) => elements.as_slice(),
            _ => &[],
        };
        let rotation = rotation(elements).unwrap_or(Quat::IDENTITY);
        Pose::new(rotation, Vec3::from_array(position))
    }

    /// The shape of the object, in its own coordinates, from its initial values. `objects` are all of the
    /// experiment, sorted by name: a compound finds its parts there, whose poses count in the compound's own
    /// coordinates.
    ///
    /// # Errors
    /// The mistake in its values, at the place to blame.
    pub fn solid(&self, objects: &[Self]) -> Result<Shape, Box<Diagnostic>> {
        self.nested(objects, MAX_NESTING, 1.0)
    }

    /// The shape with the density of each part: its own, or what its mass makes of its volume, or that of the
    /// whole.
    pub fn weighty_solid(&self, objects: &[Self]) -> Result<Shape, Box<Diagnostic>> {
        self.nested(objects, MAX_NESTING, self.real("density").unwrap_or(1.0))
    }

    /// The value of an attribute that is a real.
    pub fn real(&self, name: &str) -> Option<f64> {
        match self.attribute(name).map(|it| &it.value) {
            Some(Value::Real(real)) => Some(*real),
            _ => None,
        }
    }

    /// The density of a part of this shape, in a whole of density `inherited`.
    fn part_density(&self, shape: &Shape, inherited: f64) -> f64 {
        // A compound's parts have densities of their own already.
        let own = if self.shape == ShapeKind::Compound { 1.0 } else { inherited };
        let by_mass = || Some(self.real("mass")? / shape.mass_properties(1.0).ok()?.mass);
        let by_density = || self.real("density").filter(|_| self.shape != ShapeKind::Compound);
        by_mass().or_else(by_density).filter(|it| *it > 0.0 && it.is_finite()).unwrap_or(own)
    }

    fn nested(&self, objects: &[Self], levels: usize, density: f64) -> Result<Shape, Box<Diagnostic>> {
        let real = |name: &str| match self.attribute(name).map(|it| &it.value) {
            Some(Value::Real(real)) => *real,
            // Refused as a size, like any other that is not one.
            _ => f64::NAN,
        };
        let fail = |error: ShapeError, span: Span| Box::new(self.refused(&error, span));
        let at = |name: &str| self.attribute(name).map_or(self.shape_span, |it| it.span);
        Ok(match self.shape {
            ShapeKind::Sphere => Shape::Sphere(Sphere::new(real("size")).map_err(|it| fail(it, at("size")))?),
            ShapeKind::Cuboid => {
                let lengths = self.attribute("size").and_then(|it| it.vector()).unwrap_or([f64::NAN; 3]);
                Shape::Cuboid(Cuboid::new(Vec3::from_array(lengths)).map_err(|it| fail(it, at("size")))?)
            }
            ShapeKind::Capsule => {
                let capsule = Capsule::new(real("radius"), 0.5 * real("length"));
                Shape::Capsule(capsule.map_err(|it| fail(it, at("length")))?)
            }
            ShapeKind::Cylinder => {
                let cylinder = Cylinder::new(real("radius"), 0.5 * real("height"));
                Shape::Cylinder(cylinder.map_err(|it| fail(it, at("height")))?)
            }
            ShapeKind::Cone => {
                let cone = Cone::new(real("radius"), real("height"));
                Shape::Cone(cone.map_err(|it| fail(it, at("height")))?)
            }
            ShapeKind::HalfSpace => {
                let below = HalfSpace::new(Vec3::Z, 0.0);
                Shape::HalfSpace(below.map_err(|it| fail(it, self.shape_span))?)
            }
            ShapeKind::ConvexHull => {
                let (hull, span) = match (&self.surface, self.attribute("points").map(|it| &it.value)) {
                    (Some(surface), _) => (surface.to_hull(), self.shape_span),
                    (None, Some(Value::Matrix(points))) => {
                        let points: Vec<Vec3> =
                            points.elements.chunks_exact(3).map(Vec3::from_slice).collect();
                        (ConvexHull::new(&points), at("points"))
                    }
                    _ => (Err(ShapeError::NoPoints), self.shape_span),
                };
                Shape::Hull(Arc::new(hull.map_err(|it| fail(it, span))?))
            }
            ShapeKind::Mesh => {
                let mesh = self.surface.as_ref().ok_or(ShapeError::NoTriangles).and_then(|it| it.to_mesh());
                Shape::Mesh(Arc::new(mesh.map_err(|it| fail(it, self.shape_span))?))
            }
            ShapeKind::Compound => {
                let Some(levels) = levels.checked_sub(1) else {
                    let message =
                        format!("`{}` has parts that have parts, more than {MAX_NESTING} deep", self.name);
                    return Err(Box::new(Diagnostic::new(Code::E715, self.shape_span, message)));
                };
                let mut parts = Vec::with_capacity(self.parts.len());
                for name in &self.parts {
                    // A part that is not there has been reported where it is named.
                    let Some(part) = find(objects, &name.text) else { continue };
                    let shape = part.nested(objects, levels, part.real("density").unwrap_or(density))?;
                    let density = part.part_density(&shape, density);
                    parts.push(Part { shape, pose: part.pose(), density });
                }
                let compound = Compound::new(parts).map_err(|it| fail(it, self.shape_span))?;
                Shape::Compound(Arc::new(compound))
            }
        })
    }

    fn refused(&self, error: &ShapeError, span: Span) -> Diagnostic {
        Diagnostic::new(Code::E713, span, format!("`{}` cannot have this shape: {error}", self.name))
    }
}

/// The rotation that an orientation means: three Euler angles or a quaternion of any length; `None` for a
/// quaternion of zeros and for anything else.
pub fn rotation(orientation: &[f64]) -> Option<Quat> {
    match *orientation {
        [w, x, y, z] => {
            // Scaled first, so that the square of no length underflows or overflows.
            let largest = orientation.iter().fold(0.0f64, |most, it| most.max(it.abs()));
            let scaled = Quat::from_xyzw(x / largest, y / largest, z / largest, w / largest);
            (largest > 0.0 && scaled.is_finite()).then(|| scaled.normalize())
        }
        // Rx(a) Ry(b) Rz(c), the order of the language's Euler angles.
        [a, b, c] => Some(about_axis(0, a) * about_axis(1, b) * about_axis(2, c)),
        _ => None,
    }
}

/// The object of this name in a list sorted by name.
pub(crate) fn find<'o>(objects: &'o [Object], name: &str) -> Option<&'o Object> {
    objects.binary_search_by(|object| object.name.as_str().cmp(name)).ok().map(|place| &objects[place])
}

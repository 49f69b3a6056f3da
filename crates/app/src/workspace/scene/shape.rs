//! Shapes and colours of objects, as the page draws them.

use super::body_pose::{narrow, scalars};
use crate::wire::{BodyPart, BodyShape};
use gedanken_experiment::{Experiment, Object, Shape};
use gedanken_math::{Pose, Vec3};

/// Maximum depth of compounds of compounds: the checker refuses deeper ones.
const MAX_NESTING: usize = 64;

/// Returns the shape of an object; that of a compound with all parts of its parts.
pub(crate) fn body_shape(experiment: &Experiment, object: &Object) -> BodyShape {
    if object.parts.is_empty() {
        return match object.solid(&experiment.objects) {
            Ok(shape) => of_shape(&shape),
            // The engine refuses it before anything is drawn.
            Err(_) => BodyShape::Compound { parts: Vec::new() },
        };
    }
    let mut parts = Vec::new();
    add_parts(experiment, object, &Pose::IDENTITY, &colors(object), MAX_NESTING, &mut parts);
    BodyShape::Compound { parts }
}

fn add_parts(
    experiment: &Experiment,
    whole: &Object,
    at: &Pose,
    inherited: &[[f64; 3]],
    levels: usize,
    parts: &mut Vec<BodyPart>,
) {
    let named = whole.parts.iter().filter_map(|name| experiment.object(&name.text));
    for part in named.map(|index| &experiment.objects[index]) {
        let own = part.pose();
        let pose = Pose::new(at.rotation * own.rotation, at.point_to_world(own.translation));
        let colors = match colors(part) {
            none if none.is_empty() => inherited.to_vec(),
            own => own,
        };
        if part.parts.is_empty() {
            parts.push(BodyPart { shape: body_shape(experiment, part), pose: scalars(&pose), colors });
        } else if let Some(levels) = levels.checked_sub(1) {
            add_parts(experiment, part, &pose, &colors, levels, parts);
        }
    }
}

/// Returns the colours of an object.
pub(crate) fn colors(object: &Object) -> Vec<[f64; 3]> {
    let named = ["color1", "color2"].into_iter().filter_map(|name| object.attribute(name));
    named.filter_map(|it| it.vector()).collect()
}

fn of_shape(shape: &Shape) -> BodyShape {
    match shape {
        Shape::Sphere(it) => BodyShape::Sphere { radius: it.radius() },
        Shape::Cuboid(it) => BodyShape::Cuboid { size: it.lengths().to_array() },
        Shape::Capsule(it) => BodyShape::Capsule { radius: it.radius(), length: 2.0 * it.half_length() },
        Shape::Cylinder(it) => BodyShape::Cylinder { radius: it.radius(), height: 2.0 * it.half_height() },
        Shape::Cone(it) => BodyShape::Cone { radius: it.radius(), height: it.height() },
        Shape::HalfSpace(_) => BodyShape::HalfSpace {},
        Shape::Hull(it) => mesh(it.vertices(), it.triangles()),
        Shape::Mesh(it) => mesh(it.vertices(), it.triangles()),
        // Only objects with parts are compounds, and those are put together from the looks of their parts.
        Shape::Compound(_) => BodyShape::Compound { parts: Vec::new() },
    }
}

fn mesh(vertices: &[Vec3], triangles: &[[u32; 3]]) -> BodyShape {
    BodyShape::Mesh {
        corners: vertices.iter().flat_map(|it| it.to_array()).map(narrow).collect(),
        triangles: triangles.iter().flatten().copied().collect(),
    }
}

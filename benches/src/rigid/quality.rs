//! What the poses at the end say, by code that knows nothing of either solver.

use super::{DENSITY, End, Form, GRAVITY, Scene};
use crate::ours::Vec3;
use parry3d_f64::math::{Pose, Rotation, Vector};
use parry3d_f64::query;
use parry3d_f64::shape::{Ball, Cuboid, Shape};

fn shape(form: Form) -> Box<dyn Shape> {
    match form {
        Form::Ball(radius) => Box::new(Ball::new(radius)),
        Form::Block(half) => Box::new(Cuboid::new(Vector::new(half.x, half.y, half.z))),
    }
}

fn reach(form: Form) -> f64 {
    match form {
        Form::Ball(radius) => radius,
        Form::Block(half) => half.length(),
    }
}

/// The deepest overlap of any two bodies, m.
pub fn overlap(scene: &Scene, ends: &[End]) -> f64 {
    let shapes: Vec<Box<dyn Shape>> = scene.solids.iter().map(|solid| shape(solid.form)).collect();
    let pose = |end: &End| {
        let q = end.turned;
        Pose::from_parts(Vector::new(end.at.x, end.at.y, end.at.z), Rotation::from_xyzw(q.x, q.y, q.z, q.w))
    };
    let mut deepest = 0.0f64;
    for (i, one) in ends.iter().enumerate() {
        for (j, two) in ends.iter().enumerate().skip(i + 1) {
            let (a, b) = (&scene.solids[i], &scene.solids[j]);
            let near = (one.at - two.at).length() < reach(a.form) + reach(b.form);
            if (a.fixed && b.fixed) || !near {
                continue;
            }
            let met = query::contact(&pose(one), &*shapes[i], &pose(two), &*shapes[j], 0.0);
            if let Ok(Some(contact)) = met {
                deepest = deepest.max(-contact.dist);
            }
        }
    }
    deepest
}

/// How far the top of a stack has sunk, and how far any of its boxes went sideways, m.
pub fn stack(scene: &Scene, ends: &[End]) -> (f64, f64) {
    let last = ends.len() - 1;
    let sideways = scene.solids.iter().zip(ends).map(|(solid, end)| {
        let d = end.at - solid.at;
        Vec3::new(d.x, d.y, 0.0).length()
    });
    (scene.solids[last].at.z - ends[last].at.z, sideways.fold(0.0, f64::max))
}

/// The largest distance of two anchors that should be one point, m.
pub fn joint_error(scene: &Scene, ends: &[End]) -> f64 {
    let place =
        |body: Option<usize>, anchor: Vec3| body.map_or(anchor, |k| ends[k].at + ends[k].turned * anchor);
    let gaps = scene.links.iter().map(|link| {
        (place(link.bodies[0], link.anchors[0]) - place(link.bodies[1], link.anchors[1])).length()
    });
    gaps.fold(0.0, f64::max)
}

/// Kinetic and potential energy of blocks, J.
pub fn energy(scene: &Scene, ends: &[End]) -> f64 {
    scene.solids.iter().zip(ends).fold(0.0, |sum, (solid, end)| {
        let Form::Block(half) = solid.form else { return sum };
        let mass = DENSITY * 8.0 * half.x * half.y * half.z;
        let squares = half * half;
        let moments =
            Vec3::new(squares.y + squares.z, squares.z + squares.x, squares.x + squares.y) * (mass / 3.0);
        let spin = end.turned.conjugate() * end.spin;
        let kinetic = 0.5 * mass * end.velocity.length_squared() + 0.5 * spin.dot(moments * spin);
        sum + kinetic + mass * GRAVITY * end.at.z
    })
}

/// The far end of the last bar of a chain.
pub fn tip(ends: &[End], reach: f64) -> Vec3 {
    ends.last().map_or(Vec3::ZERO, |end| end.at + end.turned * Vec3::new(reach, 0.0, 0.0))
}

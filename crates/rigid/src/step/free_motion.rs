//! Free motion: drifts and kicks of bodies that touch nothing and have no joint, and of kinematic ones.
//!
//! Between kicks a body flies straight and turns freely, by exact rotations about its principal axes, so the
//! gyroscopic term is always on. Under a constant force, half a drift, a kick and half a drift are the exact
//! parabola.
//!
//! The free rotation of a body with three different moments is a product of small rotations, good only while
//! they are small. A body that spins fast is turned in parts of a quarter of a radian, so that its energy
//! stays, and so that the rate at which its surface moves along this path is that of the body: impacts are
//! looked for by that rate.

use super::free_rotation::{SymmetricTop, spin, turn};
use crate::collide::island::Islands;
use crate::world::solver_body::{Displacements, SolverBodies, SolverBody};
use gedanken_dynamics::Attribute as _;
use gedanken_dynamics::integrate::rotation::fine_free_rotation;
use gedanken_dynamics::{
    Access, AngularVelocity, Flow, Force, Inertia, Mass, Orientation, Position, Rule, ThreeD, Torque,
    Velocity, read, read_table, write, write_table,
};
use gedanken_math::rotation::{from_rotation_vector, to_body, to_world};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Quat, Twist, Vec3};

/// The angle of one part of a free rotation, |L|/I₁ times its length with the smallest moment I₁, rad. With
/// it the fourth-order product keeps the energy of the rotation to some 1e-6, however fast it is.
const PART_ANGLE: f64 = 0.25;
/// The most parts of a flight, some forty turns: what spins faster still is turned in larger ones, so that
/// the work of a step is bounded.
const MAX_PARTS: f64 = 1024.0;

/// The pose and motion after flying freely for `h`.
#[must_use]
pub(crate) fn drifted(pose: Pose, twist: Twist, moments: Vec3, h: f64) -> (Pose, Twist) {
    moved(pose, twist, h, turned(pose.rotation, twist.angular, moments, h, turn_any))
}

/// The same with a rotation of fourth order, three times the work: for bodies that fly, of which the rotation
/// is all the error.
#[must_use]
fn flown(pose: Pose, twist: Twist, moments: Vec3, h: f64) -> (Pose, Twist) {
    moved(pose, twist, h, turned(pose.rotation, twist.angular, moments, h, turn_finely))
}

/// Exactly where two moments are equal, else to fourth order in parts of `PART_ANGLE` and what is left: a
/// continuous function of `h`.
fn turn_finely(q: Quat, omega: Vec3, moments: Vec3, h: f64) -> (Quat, Vec3) {
    if let Some(top) = SymmetricTop::of(moments) {
        return top.turn(q, omega, h);
    }
    let fastest = (moments * to_body(q, omega)).length() / moments.min_element();
    let parts = fastest * h.abs() / PART_ANGLE;
    if parts <= 1.0 || !parts.is_finite() {
        return fine_free_rotation(q, omega, moments, h);
    }
    let whole = parts.min(MAX_PARTS).floor();
    let part = h / parts.min(MAX_PARTS);
    let mut motion = (q, omega);
    for _ in 0..whole as u32 {
        motion = fine_free_rotation(motion.0, motion.1, moments, part);
    }
    fine_free_rotation(motion.0, motion.1, moments, h - whole * part)
}

/// Exactly where two moments are equal, by splitting where none are.
#[inline]
fn turn_any(q: Quat, omega: Vec3, moments: Vec3, h: f64) -> (Quat, Vec3) {
    match SymmetricTop::of(moments) {
        Some(top) => top.turn(q, omega, h),
        None => turn(q, omega, moments, h),
    }
}

fn moved(pose: Pose, twist: Twist, h: f64, (rotation, angular): (Quat, Vec3)) -> (Pose, Twist) {
    (Pose::new(rotation, pose.translation + twist.linear * h), Twist::new(twist.linear, angular))
}

/// The orientation and angular velocity after turning freely for `h`, by `method` where the axis of rotation
/// moves; bodies without moments turn uniformly.
#[inline]
fn turned(
    q: Quat,
    omega: Vec3,
    moments: Vec3,
    h: f64,
    method: fn(Quat, Vec3, Vec3, f64) -> (Quat, Vec3),
) -> (Quat, Vec3) {
    if omega == Vec3::ZERO {
        (q, omega)
    } else if moments.x == moments.y && moments.y == moments.z {
        (spin(q, omega * h), omega)
    } else {
        method(q, omega, moments, h)
    }
}

/// The motion after a constant force and torque have acted for `h`, at a fixed pose.
#[must_use]
pub(crate) fn kicked(mover: &SolverBody, h: f64) -> Twist {
    if mover.mass <= 0.0 {
        return mover.twist;
    }
    let torque = to_body(mover.pose.rotation, mover.force.angular);
    let angular = to_world(mover.pose.rotation, torque / mover.moments);
    mover.twist + Twist::new(mover.force.linear * (1.0 / mover.mass), angular) * h
}

/// A body flying for `h` under the constant force that it carries: half a drift, a kick, half a drift.
pub(crate) fn fly(mover: &mut SolverBody, h: f64) {
    (mover.pose, mover.twist) = flown(mover.pose, mover.twist, mover.moments, 0.5 * h);
    let before = mover.twist;
    mover.twist = kicked(mover, h);
    mover.moved += (before + mover.twist) * (0.5 * h);
    (mover.pose, mover.twist) = flown(mover.pose, mover.twist, mover.moments, 0.5 * h);
}

/// Drifts bodies that touch nothing and have no joint. Time passes.
pub(crate) fn drift() -> Rule {
    let moves = (
        write::<Position<ThreeD>>(),
        write::<Orientation>(),
        read::<Velocity<ThreeD>>(),
        write::<AngularVelocity>(),
    );
    let view = (moves, read::<Inertia>(), read_table::<Islands>());
    let rule = Rule::new("drift", view, |step, ((r, q, v, omega), inertia, islands)| {
        let h = step.h.si();
        for k in (0..r.len()).filter(|&k| islands.is_free(k)) {
            r[k] += v[k] * step.h;
            let (turned, spun) = turned(q[k], omega[k].si(), inertia[k].si(), h, turn_finely);
            (q[k], omega[k]) = (turned, Quantity::new(spun));
        }
    });
    rule.advancing().with_cost(16.0)
}

/// Kicks bodies that touch nothing and have no joint, with the forces of the laws.
pub(crate) fn kick() -> Rule {
    let forces = (read::<Force<ThreeD>>(), read::<Torque>());
    let body = (read::<Mass>(), read::<Inertia>(), read::<Orientation>());
    let moves = (write::<Velocity<ThreeD>>(), write::<AngularVelocity>(), write_table::<Displacements>());
    let view = (forces, body, moves, read_table::<Islands>());
    let rule = Rule::new(
        "kick",
        view,
        |step, ((force, torque), (mass, inertia, q), (v, omega, displacements), islands)| {
            let h = step.h.si();
            for k in (0..v.len()).filter(|&k| mass[k].si() > 0.0 && islands.is_free(k)) {
                let before = Twist::new(v[k].si(), omega[k].si());
                let torque = to_body(q[k], torque[k].si());
                let turn = to_world(q[k], torque / inertia[k].si());
                let after = before + Twist::new(force[k].si() * (1.0 / mass[k].si()), turn) * h;
                displacements.moved[k] += (before + after) * (0.5 * h);
                (v[k], omega[k]) = (Quantity::new(after.linear), Quantity::new(after.angular));
            }
        },
    );
    rule.with_cost(4.0)
}

/// Puts bodies that touch something where they will be half way through the kick, so that laws see all bodies
/// at one time. What no law looks at stays: the solver starts from the start of the step.
pub(crate) fn predict(laws: &Flow) -> Rule {
    let seen = |name: &str| {
        let reads = |access: &Access| &*access.attribute.name == name;
        laws.rules().iter().any(|rule| rule.domain().iter().any(reads))
    };
    let (place, turn) = (seen(Position::<ThreeD>::NAME), seen(Orientation::NAME));
    let view = (
        write::<Position<ThreeD>>(),
        write::<Orientation>(),
        read_table::<SolverBodies>(),
        read_table::<Islands>(),
    );
    Rule::new("predict", view, move |step, (r, q, at_start, islands)| {
        if !place && !turn {
            return;
        }
        for k in (0..r.len()).filter(|&k| islands.is_touching(k)) {
            let SolverBody { pose, twist, .. } = &at_start.bodies[k];
            let half = 0.5 * step.h.si();
            if place {
                r[k] = Quantity::new(pose.translation + twist.linear * half);
            }
            if turn {
                q[k] = (from_rotation_vector(twist.angular * half) * pose.rotation).normalize();
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Settings, Simulation, World};
    use gedanken_dynamics::laws::{Law, Laws, Target, UniformGravity};
    use gedanken_dynamics::{BuildError, Model};
    use gedanken_geometry::{Cuboid, HalfSpace, Shape};
    use std::sync::{Arc, Mutex};

    /// A law that does nothing but look at where the last body is.
    #[derive(Debug, Default)]
    struct Watch {
        seen: Arc<Mutex<Vec<Pose>>>,
    }

    impl Law<ThreeD> for Watch {
        fn name(&self) -> &str {
            "watch"
        }
        fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
            let seen = self.seen.clone();
            let view = (read::<Position<ThreeD>>(), read::<Orientation>(), target.force::<ThreeD>());
            Ok(Rule::new("watch", view, move |_, (r, q, _)| {
                let last = r.len() - 1;
                seen.lock().expect("nobody panics here").push(Pose::new(q[last], r[last].si()));
            }))
        }
    }

    fn slide(watch: Option<Watch>) -> Simulation {
        let ground = Body::fixed(
            Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).expect("a unit normal")),
            Pose::IDENTITY,
        );
        let block = Body::dynamic(
            Shape::Cuboid(Cuboid::new(Vec3::ONE).expect("a size")),
            Pose::at(Vec3::new(0.0, 0.0, 0.5)),
        );
        let block = block.with_mass(1.0).with_velocity(Vec3::X).with_angular_velocity(Vec3::Z);
        let mut laws = Laws::from(UniformGravity::new(Quantity::new(Vec3::Z * -10.0)));
        if let Some(watch) = watch {
            laws = laws + Laws::of(watch);
        }
        let world = World::new([("a ground", ground), ("block", block)], []).expect("two bodies");
        Simulation::new(world.with_laws(laws), Settings::default()).expect("a world")
    }

    #[test]
    fn laws_that_look_at_bodies_see_them_half_way_and_others_change_nothing() {
        let watch = Watch::default();
        let seen = watch.seen.clone();
        let (mut watched, mut alone) = (slide(Some(watch)), slide(None));
        seen.lock().expect("nobody panics here").clear();
        let h = 0.01;
        watched.step(h).expect("a step");
        alone.step(h).expect("a step");
        let seen = seen.lock().expect("nobody panics here").clone();
        let half = |pose: &Pose| {
            (pose.translation.x - 0.5 * h).abs() < 1e-15
                && (pose.rotation - from_rotation_vector(Vec3::Z * (0.5 * h))).length() < 1e-15
        };
        assert!(seen.iter().any(half), "{seen:?}");
        let id = alone.world().id("block").expect("it is there");
        assert!(alone.pose(id).translation.x > 0.5 * h, "it slides");
        assert_eq!((watched.pose(id), watched.twist(id)), (alone.pose(id), alone.twist(id)));
    }
}

//! The bound on energy: contacts take energy from an island, and never give it any.
//!
//! Arms and normals are those of the start of the step, so a body that turns about a point may end the step
//! with more energy than laws and told bodies gave it: an error of the second order in the angle of the step.
//! What is too much is taken back from the velocities. With v = v_r + w, v_r being the motion of the island as
//! one rigid body, w is scaled: that keeps momentum and angular momentum, relative velocities at contacts keep
//! their directions, and those that are zero stay zero. So Signorini's and Coulomb's laws still hold, and
//! joints too. An island that leans on something immovable has v_r = 0.

use crate::collide::contact_table::Touch;
use crate::contacts::solver::Problem;
use crate::ledger::Entry;
use crate::world::solver_body::SolverBody;
use gedanken_math::rotation::to_body;
use gedanken_math::{Mat3, Twist, Vec3};

/// Gains up to this part of the kinetic energy are rounding.
const ROUNDING: f64 = 1e-11;

fn movable(movers: &[SolverBody]) -> impl Iterator<Item = &SolverBody> {
    movers.iter().filter(|mover| mover.inverse.is_movable())
}

/// ω·I ω in the principal frame of the body.
fn spin_energy(mover: &SolverBody, spin: Vec3) -> f64 {
    let spin = to_body(mover.pose.rotation, spin);
    (spin * spin).dot(mover.moments)
}

/// Kinetic energy of the movable bodies.
pub(crate) fn kinetic(movers: &[SolverBody]) -> f64 {
    let each = |mover: &SolverBody| {
        mover.mass * mover.twist.linear.length_squared() + spin_energy(mover, mover.twist.angular)
    };
    0.5 * movable(movers).map(each).sum::<f64>()
}

/// Takes back what bodies have gained beyond the work of the laws since they had the kinetic energy `before`.
/// `shifted` is the energy of position that shifts without velocity have given them. Returns the change of energy,
/// and of the momentum that immovable bodies give.
pub(crate) fn take_back_gain(problem: &mut Problem<'_>, before: f64, shifted: f64) -> Entry {
    // A body that moves as it is told does work that is not known here.
    if problem.movers.iter().any(|mover| !mover.inverse.is_movable() && mover.twist != Twist::ZERO) {
        return Entry::default();
    }
    let work = |mover: &SolverBody| mover.force.dot(mover.moved);
    let most = before + movable(problem.movers).map(work).sum::<f64>() - shifted;
    let now = kinetic(problem.movers);
    // What rests has hardly any energy, and noise in it.
    let rest = problem.settings.rest_speed;
    let noise = 0.5 * rest * rest * movable(problem.movers).map(|mover| mover.mass).sum::<f64>();
    if now - most <= ROUNDING * now.max(before) + noise {
        return Entry::default();
    }
    let leans = problem.ends.iter().zip(&*problem.touches).any(|(ends, touch)| {
        is_pressed(touch) && ends.iter().any(|&end| !problem.movers[end as usize].inverse.is_movable())
    });
    let together = if leans { None } else { RigidMotion::of(problem.movers) };
    let kept = together.as_ref().map_or(0.0, |motion| motion.energy);
    let part = ((most - kept).max(0.0) / (now - kept)).sqrt().min(1.0);
    let mut momentum = Vec3::ZERO;
    for mover in problem.movers.iter_mut().filter(|mover| mover.inverse.is_movable()) {
        let rigid = together.as_ref().map_or(Twist::ZERO, |motion| motion.of_body(mover));
        let after = rigid + (mover.twist - rigid) * part;
        momentum += (after.linear - mover.twist.linear) * mover.mass;
        mover.twist = after;
    }
    let momentum = if leans { momentum } else { Vec3::ZERO };
    Entry { energy: kinetic(problem.movers) - now, momentum }
}

/// Takes back what a body alone has gained beyond the work of its force since it was `before`. Returns the change
/// of energy and momentum.
pub(crate) fn take_back_gain_of_one(before: &SolverBody, after: &mut SolverBody) -> Entry {
    let one = |mover: &SolverBody| kinetic(std::slice::from_ref(mover));
    let moved = Twist::new(after.pose.translation - before.pose.translation, Vec3::ZERO);
    let (most, now) = (one(before) + before.force.dot(moved), one(after));
    if now - most <= ROUNDING * now.max(one(before)) {
        return Entry::default();
    }
    let part = (most.max(0.0) / now).sqrt();
    let momentum = after.twist.linear * (after.mass * (part - 1.0));
    after.twist = after.twist * part;
    Entry { energy: most.max(0.0) - now, momentum }
}

fn is_pressed(touch: &Touch) -> bool {
    touch.points().iter().any(|point| point.normal_impulse > 0.0)
}

/// Motion of bodies as if they were one, with their momentum and angular momentum.
struct RigidMotion {
    centre: Vec3,
    twist: Twist,
    energy: f64,
}

impl RigidMotion {
    fn of(movers: &[SolverBody]) -> Option<Self> {
        let (mut mass, mut first, mut momentum) = (0.0, Vec3::ZERO, Vec3::ZERO);
        for mover in movable(movers) {
            mass += mover.mass;
            first += mover.pose.translation * mover.mass;
            momentum += mover.twist.linear * mover.mass;
        }
        if mass <= 0.0 {
            return None;
        }
        let (centre, velocity) = (first / mass, momentum / mass);
        let (mut spin, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
        for mover in movable(movers) {
            let own = mover.inverse.inv_inertia.inverse();
            let arm = mover.pose.translation - centre;
            spin += arm.cross((mover.twist.linear - velocity) * mover.mass) + own * mover.twist.angular;
            let outer = Mat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            inertia =
                inertia + own + (Mat3::from_diagonal(Vec3::splat(arm.length_squared())) - outer) * mover.mass;
        }
        let angular = inertia.inverse() * spin;
        let energy = 0.5 * (mass * velocity.length_squared() + angular.dot(spin));
        Some(Self { centre, twist: Twist::new(velocity, angular), energy })
    }

    fn of_body(&self, mover: &SolverBody) -> Twist {
        Twist::new(self.twist.at(mover.pose.translation - self.centre), self.twist.angular)
    }
}

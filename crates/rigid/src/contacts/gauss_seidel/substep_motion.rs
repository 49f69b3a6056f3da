//! Motion of bodies through the sub-steps of a step: kicks of the laws, pushes of contacts, displacements.
//!
//! In a sub-step of length h a body goes from velocity v⁻ to v⁺ = v⁻ + h F/m + c, c being the push of all its
//! contacts. A steady push acts all the time and counts half in the displacement d. A sudden push acts at
//! once and counts in full:
//!
//! d = h (v⁺ - (h F/m + c_s)/2).
//!
//! The steady part c_s is all of c if the velocity changes by no more than laws alone would change it, else
//! the smaller of c and the push of the sub-step before. For the centre it is decided contact by contact, the
//! same for both bodies (`persistent`), so that their common centre of mass goes where their momentum takes
//! it. Around joints, in large islands, and for the turning, it is decided body by body.
//!
//! So free flight is the exact parabola, a box slides to a stop over the exact distance, and an impact lets
//! nothing through. The work of laws and contacts is impulse·(v⁻ + v⁺)/2. Where d is not h (v⁻ + v⁺)/2, the
//! difference is a shift that no velocity knows of, and is booked as stabilisation.

use crate::contacts::contact_rows::{Rows, SweepBody};
use crate::world::solver_body::SolverBody;
use gedanken_math::rotation::{from_rotation_vector, to_body, to_world};
use gedanken_math::{Quat, Twist, Vec3};

/// One body on its way through the sub-steps.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SubstepMotion {
    /// Twist at the start of the sub-step, v⁻.
    pub(super) before: Twist,
    /// Change of the twist by the laws in a sub-step, h F/m.
    pub(super) kick: Twist,
    /// Change of the twist by contacts in a sub-step, c: first predicted, then as it was.
    pub(super) push: Twist,
    /// Steady part of the push on the centre, c_s.
    pub(super) steady: Vec3,
    /// Change of the twist that conserves angular momentum (`persistent`). It is no push that comes again.
    pub(super) correction: Twist,
    /// Mean velocity of displacement in the sub-step, d/h.
    pub(super) drift: Twist,
    /// Displacement since the start of the step, Σ d.
    pub(super) shift: Twist,
    /// ∫ v dt by the mean velocities, Σ h (v⁻ + v⁺)/2.
    pub(super) way: Twist,
}

impl SubstepMotion {
    /// Motion of a body at the start of a step of sub-steps of length `h`.
    pub(super) fn new(mover: &SolverBody, h: f64) -> Self {
        let kick =
            if mover.inverse.is_movable() { mover.inverse.apply(mover.force) * h } else { Twist::ZERO };
        Self { before: mover.twist, kick, ..Self::default() }
    }

    /// Starts a sub-step: laws act, and contacts as predicted.
    pub(super) fn begin(&mut self, body: &mut SweepBody) {
        self.before = body.twist();
        body.set_twist(self.before + self.kick + self.push);
    }

    /// Returns `true` if laws alone would change the velocity of the centre as much, or if impulses do not
    /// move the body.
    pub(super) fn is_calm(&self, body: &SweepBody) -> bool {
        body.inv_mass == 0.0
            || (body.linear - self.before.linear).length_squared() <= self.kick.linear.length_squared()
    }

    /// Decides the steady part of the push by the body alone, not contact by contact.
    pub(super) fn classify_by_body(&mut self, body: &SweepBody) {
        let change = body.linear - self.before.linear;
        let push = change - self.kick.linear;
        self.steady = steady(push, self.push.linear, change, self.kick.linear);
    }

    /// Ends the sub-step, when the body has its new twist and `steady` is decided.
    pub(super) fn end(&mut self, body: &SweepBody, h: f64) {
        let after = body.twist();
        let change = after - self.before;
        let push = change - self.kick - self.correction;
        let steady = Twist::new(
            self.steady,
            steady(push.angular, self.push.angular, change.angular, self.kick.angular),
        );
        self.push = push;
        self.drift = after - (self.kick + steady) * 0.5;
        self.shift += self.drift * h;
        self.way += (self.before + after) * (0.5 * h);
    }

    /// Puts the mover at the end of the step. Returns the energy of position that shifts without velocity
    /// have given it.
    ///
    /// The sub-steps kept the inertia of the start. As the body turns its angular momentum is conserved, not
    /// its angular velocity.
    fn finish(&self, mover: &mut SolverBody, body: &SweepBody, h: f64) -> f64 {
        if !mover.inverse.is_movable() {
            return 0.0;
        }
        mover.pose.translation += self.shift.linear;
        mover.twist = body.twist();
        mover.moved += self.way;
        mover.shifted += self.shift - self.way;
        let (start, moments) = (mover.pose.rotation, mover.moments);
        mover.pose.rotation = turned(start, self.shift.angular);
        if !is_round(moments) && self.shift.angular != Vec3::ZERO {
            let momentum = to_world(start, to_body(start, body.angular) * moments);
            let spin = |q: Quat| to_world(q, to_body(q, momentum) / moments);
            let change = spin(mover.pose.rotation) - body.angular;
            mover.pose.rotation = turned(start, self.shift.angular + change * (0.5 * h));
            mover.twist.angular = spin(mover.pose.rotation);
        }
        -mover.force.dot(self.shift - self.way)
    }
}

/// Takes all bodies to the end of the step of length `h`. Returns the energy of position that shifts without
/// velocity have given them.
pub(super) fn finish_step(
    movers: &mut [SolverBody],
    motions: &[SubstepMotion],
    bodies: &[SweepBody],
    h: f64,
) -> f64 {
    let mut shifted = 0.0;
    for ((mover, motion), body) in movers.iter_mut().zip(motions).zip(bodies) {
        shifted += motion.finish(mover, body, h);
    }
    shifted
}

/// Sets the pushes to those of the impulses that the sub-step starts from.
pub(super) fn predict_pushes(rows: &Rows, motions: &mut [SubstepMotion]) {
    motions.iter_mut().for_each(|motion| motion.push = Twist::ZERO);
    for manifold in &rows.manifolds {
        let [a, b] = [manifold.a, manifold.b].map(|place| place as usize);
        for point in &rows.points[manifold.first as usize..][..manifold.count as usize] {
            let impulse = manifold.frame * point.impulse;
            motions[a].push += rows.bodies[a].response(-impulse, point.arm_a);
            motions[b].push += rows.bodies[b].response(impulse, point.arm_b);
        }
    }
}

/// Returns the part of a push that acts steadily: all of it if laws alone change the velocity as much or if
/// the push before was as large, else the push before.
fn steady(push: Vec3, before: Vec3, change: Vec3, kick: Vec3) -> Vec3 {
    let least = push.length_squared() <= before.length_squared();
    if least || change.length_squared() <= kick.length_squared() { push } else { before }
}

/// Returns `true` if the angular velocity is conserved as the body turns.
fn is_round(moments: Vec3) -> bool {
    moments.x == moments.y && moments.y == moments.z
}

fn turned(q: Quat, by: Vec3) -> Quat {
    (from_rotation_vector(by) * q).normalize()
}

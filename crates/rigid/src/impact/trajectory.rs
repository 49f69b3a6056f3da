//! Trajectories: the pose of a body as a function of time within the step, from impact to impact.
//!
//! | a body that | moves by | and after an impact by |
//! |---|---|---|
//! | is free or kinematic | [`free_motion::fly`] under the constant force of the step | the same |
//! | touches something | a straight line from its start to the end that the solver found | [`free_motion::fly`] |
//! | has joints | a parabola to that end that begins with its velocity | the same to the end of its island |
//!
//! The end of an island after an impact is found by `jointed_impact`.
//!
//! The parabola of a free trajectory is exact, so where an impact cuts it makes no difference to its energy.
//! A body that a solver moved has its mean acceleration all the time; when it is hit, what the solver gave it
//! for the rest of the step is taken back.

use crate::ledger::Entry;
use crate::step::free_motion;
use crate::step::free_rotation::rotation_vector;
use crate::world::solver_body::{InverseMass, SolverBody};
use gedanken_math::rotation::{from_rotation_vector, to_body, to_world};
use gedanken_math::{Pose, Twist, Vec3};
use std::f64::consts::TAU;

/// Law of motion of a trajectory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Path {
    /// The constant force that it carries.
    Free,
    /// Rest: the body stays where it is up to the end of the step.
    Halted,
    /// A solver: it goes and turns to the end that was found, with constant rates or, with joints, with rates
    /// that change evenly from those of the start.
    Given {
        /// The way and the rotation vector of the step, divided by its length.
        rate: Twist,
        /// Change of the rates per second.
        bend: Twist,
        /// The mean acceleration.
        mean: Twist,
        /// End of the step, s.
        end: f64,
        /// `true` if joints hold it.
        jointed: bool,
    },
}

/// The trajectory of one body since the start of the step, or since its last impact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Trajectory {
    /// The body when it began.
    pub(super) base: SolverBody,
    /// Time of `base`, in seconds since the start of the step.
    pub(super) since: f64,
    /// Law of motion.
    pub(super) course: Path,
    /// Number of the trajectory of this body: 0 is the one without impacts.
    pub(super) number: u32,
}

/// Bound on the angular velocity of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum TurnRate {
    /// With this angular velocity all the time.
    Steady(Vec3),
    /// With no more than this.
    Bounded(f64),
}

impl Trajectory {
    /// The trajectory of a free or kinematic body, with the force of the step in `start`.
    pub(super) fn free(start: SolverBody) -> Self {
        Self { base: start, since: 0.0, course: Path::Free, number: 0 }
    }

    /// The trajectory of a body that a solver took to `end` in the time between `since` and `h`; the force
    /// and the way are those of the step.
    pub(super) fn given(start: SolverBody, end: (Pose, Twist), [since, h]: [f64; 2], jointed: bool) -> Self {
        let (pose, twist) = end;
        let way = pose.translation - start.pose.translation;
        let turn = rotation_vector(pose.rotation * start.pose.rotation.conjugate());
        let turn = with_whole_turns(turn, (start.twist.angular + twist.angular) * (0.5 * (h - since)));
        let per_time = if h > since { 1.0 / (h - since) } else { 0.0 };
        let rate = Twist::new(way, turn) * per_time;
        let mean = (twist - start.twist) * per_time;
        let bend = if jointed { (rate - start.twist) * (2.0 * per_time) } else { Twist::ZERO };
        let course = Path::Given { rate, bend, mean, end: h, jointed };
        Self { base: SolverBody { twist, ..start }, since, course, number: 0 }
    }

    /// Entry that takes back what a solver did for the rest of the step, if the body is hit at `t`:
    /// taken back: its change of velocity M a τ, and the way v τ on which the laws have worked. `None` where
    /// nothing is.
    pub(super) fn taken_back(&self, t: f64) -> Option<Entry> {
        let Path::Given { rate, mean, end, jointed: false, .. } = self.course else { return None };
        let (now, tau) = (self.now(t), end - t);
        let q = now.pose.rotation;
        let spun = to_world(q, now.moments * to_body(q, mean.angular));
        let pushed = Twist::new(mean.linear * now.mass, spun);
        let velocity = (self.base.twist + now.twist) * 0.5;
        let energy = (self.base.force.dot(rate) - pushed.dot(velocity)) * tau;
        Some(Entry { energy, momentum: (self.base.force.linear - pushed.linear) * tau })
    }

    /// Returns `true` if no solver has a say in where it goes.
    pub(super) fn goes_alone(&self) -> bool {
        matches!(self.course, Path::Free | Path::Halted)
    }

    /// Returns `true` if joints have a say in where it goes.
    pub(super) fn has_joints(&self) -> bool {
        matches!(self.course, Path::Given { jointed: true, .. })
    }

    /// Returns `true` if it is where it is up to the end of the step.
    pub(super) fn stays(&self) -> bool {
        self.course == Path::Halted || (!self.is_movable() && self.base.twist == Twist::ZERO)
    }

    /// Returns `true` if forces go on acting on it.
    pub(super) fn is_free(&self) -> bool {
        self.course == Path::Free
    }

    /// Returns `true` if anything can move it.
    pub(super) fn is_movable(&self) -> bool {
        self.base.inverse.is_movable()
    }

    /// The body at a time of the step; M⁻¹ is that of `base`.
    pub(super) fn at(&self, t: f64) -> SolverBody {
        let mut mover = self.base;
        let tau = t - self.since;
        match self.course {
            Path::Given { rate, bend, mean, end, .. } => {
                mover.twist -= mean * (end - t);
                // The way of the laws is that of the whole step; see [`Trajectory::taken_back`].
                mover.moved -= rate * (end - t);
                let gone = rate * tau - bend * (0.5 * tau * (end - t));
                mover.pose.translation += gone.linear;
                mover.pose.rotation = (from_rotation_vector(gone.angular) * mover.pose.rotation).normalize();
            }
            Path::Halted => {}
            _ if !self.is_movable() && mover.twist == Twist::ZERO => {}
            _ if tau > 0.0 => free_motion::fly(&mut mover, tau),
            _ => {}
        }
        mover
    }

    /// Position of the centre of mass: that of [`Trajectory::at`] up to rounding, and cheaper.
    pub(super) fn place(&self, t: f64) -> Vec3 {
        let tau = t - self.since;
        let start = self.base.pose.translation;
        match self.course {
            Path::Given { rate, bend, end, .. } => {
                start + rate.linear * tau - bend.linear * (0.5 * tau * (end - t))
            }
            Path::Halted => start,
            Path::Free => start + (self.base.twist.linear + self.path_acceleration() * (0.5 * tau)) * tau,
        }
    }

    /// The body at a time of the step, with M⁻¹ as it is then.
    pub(super) fn now(&self, t: f64) -> SolverBody {
        let mover = self.at(t);
        let inverse = if self.is_movable() {
            InverseMass::new(mover.mass, mover.moments, mover.pose.rotation)
        } else {
            InverseMass::IMMOVABLE
        };
        SolverBody { inverse, ..mover }
    }

    /// A new trajectory of this body, from `mover` at `t` on.
    pub(super) fn go_on(&mut self, mover: SolverBody, t: f64) {
        *self = Self { base: mover, since: t, course: Path::Free, number: self.number + 1 };
    }

    /// The velocity of its centre along the path.
    pub(super) fn velocity(&self, t: f64) -> Vec3 {
        match self.course {
            Path::Given { rate, bend, end, .. } => rate.linear + bend.linear * (t - 0.5 * (self.since + end)),
            Path::Halted => Vec3::ZERO,
            Path::Free => self.base.twist.linear + self.path_acceleration() * (t - self.since),
        }
    }

    /// The constant acceleration of its centre along the path.
    pub(super) fn path_acceleration(&self) -> Vec3 {
        match self.course {
            Path::Free => self.base.force.linear * self.base.inverse.inv_mass,
            Path::Halted => Vec3::ZERO,
            Path::Given { bend, .. } => bend.linear,
        }
    }

    /// Acceleration by forces, linear and angular.
    pub(super) fn acceleration(&self, now: &SolverBody) -> Twist {
        match self.course {
            Path::Free => now.inverse.apply(self.base.force),
            Path::Halted => Twist::ZERO,
            Path::Given { mean, .. } => mean,
        }
    }

    /// Bound on the angular velocity up to the end of a step of length `h`.
    ///
    /// Free rotation keeps |L|, so |ω| ≤ |L|/I₁ with the smallest moment I₁. The path on which the body is
    /// put turns no faster than twice that: a top goes round L and spins, and of another body the rotations
    /// are cut into parts that are small enough (`free_motion`). A torque acts at once in the middle of the
    /// trajectory.
    pub(super) fn spin(&self, h: f64) -> TurnRate {
        match self.course {
            Path::Given { rate, bend, end, .. } => {
                let change = 0.5 * (end - self.since) * bend.angular.length();
                let most = rate.angular.length() + change;
                return if change == 0.0 { TurnRate::Steady(rate.angular) } else { TurnRate::Bounded(most) };
            }
            Path::Halted => return TurnRate::Steady(Vec3::ZERO),
            Path::Free => {}
        }
        let SolverBody { moments, twist, pose, force, .. } = self.base;
        let alike = moments.x == moments.y && moments.y == moments.z;
        let torque = if self.is_free() && self.is_movable() { force.angular } else { Vec3::ZERO };
        if torque == Vec3::ZERO && (alike || twist.angular == Vec3::ZERO) {
            return TurnRate::Steady(twist.angular);
        }
        let momentum = (moments * to_body(pose.rotation, twist.angular)).length();
        TurnRate::Bounded(2.0 * (momentum + 2.0 * torque.length() * (h - self.since)) / moments.min_element())
    }
}

/// The rotation vector of the same orientation that is nearest to an expected one: fast bodies turn several
/// times in a step.
fn with_whole_turns(turn: Vec3, expected: Vec3) -> Vec3 {
    let angle = turn.length();
    // A whole number of turns looks like none: the axis is then that of what is expected.
    let axis = if angle > 1e-9 { turn / angle } else { expected.normalize_or_zero() };
    let turns = ((expected.dot(axis) - angle) / TAU).round();
    if turns == 0.0 { turn } else { axis * (angle + turns * TAU) }
}

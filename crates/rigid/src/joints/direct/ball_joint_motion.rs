//! Drifts and kicks of groups that are ball joints alone: what [`super::drift`] and [`super::projection`]
//! do, joint by joint.

use super::ball_joints::TopFlight;
use super::drift::{MAX_ITERATIONS, POSITION_GOAL};
use super::flight_derivative::FlightResponse;
use super::{Group, WORLD};
use crate::ledger::{Account, Entry, Exchange};
use crate::step::free_motion::{drifted, kicked};
use crate::world::solver_body::{InverseMass, SolverBody};
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::{Pose, Twist, Vec3};

impl Group {
    /// Laws and joints act on the bodies for `h`, and share the work.
    pub(crate) fn kick(
        &mut self,
        movers: &mut [SolverBody],
        time: f64,
        h: f64,
        exchange: Option<&mut Exchange>,
    ) {
        if self.is_balls() && self.balls.factor(movers, &self.ends, &self.planned) {
            self.start.clear();
            self.start.extend(movers.iter().map(|mover| (mover.pose, mover.twist)));
            for mover in movers.iter_mut() {
                mover.twist += mover.inverse.apply(mover.force) * h;
            }
            self.hold_balls(movers);
            if let Some(exchange) = exchange {
                self.book_balls(movers, |k, group| group.start[k].1, |k, _| movers[k].twist, exchange);
            }
            return;
        }
        self.factor(movers, time);
        self.note_before(movers);
        for mover in movers.iter_mut() {
            mover.twist = kicked(mover, h);
        }
        self.hold_motion_now(movers, h);
        if let Some(exchange) = exchange {
            self.note_after(movers);
            self.book(movers, exchange);
        }
    }

    /// Returns `true` if it is ball joints alone, none of them at a hub.
    pub(super) fn is_balls(&self) -> bool {
        self.balls.anchors.len() == self.len() && self.planned.hubs.is_empty()
    }

    /// Makes the bodies' twists respect the joints at the arms at hand, which are factorised.
    fn hold_balls(&mut self, movers: &mut [SolverBody]) {
        let mut vector = std::mem::take(&mut self.balls.vector);
        self.balls.rates(|k| movers.get(k).map(|mover| mover.twist), &self.ends, &mut vector);
        vector.iter_mut().for_each(|x| *x = -*x);
        self.balls.vector = vector;
        self.balls.solve(&self.planned, false);
        std::mem::swap(&mut self.balls.vector, &mut self.balls.impulses);
        self.balls.respond(movers, &self.ends);
        movers.iter_mut().zip(&self.balls.change).for_each(|(mover, change)| mover.twist += *change);
        self.note_impulses();
    }

    fn note_impulses(&mut self) {
        for (out, impulse) in self.impulses.chunks_exact_mut(3).zip(&self.balls.impulses) {
            out.copy_from_slice(&impulse.to_array());
        }
    }

    /// Books the present impulses, between twists before and after.
    fn book_balls(
        &self,
        movers: &[SolverBody],
        before: impl Fn(usize, &Self) -> Twist,
        after: impl Fn(usize, &Self) -> Twist,
        exchange: &mut Exchange,
    ) {
        let (mut joint, mut motor) = (Entry::default(), Entry::default());
        for ((arms, impulse), ends) in self.balls.arms.iter().zip(&self.balls.impulses).zip(&self.ends) {
            let (mut mean, mut own) = (Vec3::ZERO, Vec3::ZERO);
            for (end, sign) in [(0, 1.0), (1, -1.0)].into_iter().filter(|(end, _)| ends[*end] != WORLD) {
                let k = ends[end] as usize;
                let rate = (before(k, self) + after(k, self)).at(arms[end]) * (0.5 * sign);
                mean += rate;
                if movers[k].inverse.is_movable() {
                    joint.momentum += *impulse * sign;
                } else {
                    own += rate;
                }
            }
            joint.energy += impulse.dot(mean);
            motor.energy -= impulse.dot(own);
        }
        exchange.book(Account::Joint, joint);
        exchange.book(Account::Motor, motor);
    }

    /// A drift; `None`, with the bodies as they were, if it takes more than this to do it.
    pub(super) fn drift_balls(
        &mut self,
        movers: &mut [SolverBody],
        h: f64,
        exchange: Option<&mut Exchange>,
    ) -> Option<f64> {
        if !self.is_balls() || !self.balls.factor(movers, &self.ends, &self.planned) {
            return None;
        }
        self.start.clear();
        self.start.extend(movers.iter().map(|mover| (mover.pose, mover.twist)));
        let Some(error) = self.fly_balls(movers, h) else {
            self.restart(movers);
            return None;
        };
        if let Some(exchange) = exchange {
            let change = self.balls.change.iter_mut().zip(&*movers);
            change.for_each(|(push, mover)| *push = mover.inverse.apply(*push));
            self.book_balls(
                movers,
                |k, group| group.start[k].1,
                |k, group| group.start[k].1 + group.balls.change[k],
                exchange,
            );
            self.end_balls(movers)?;
            self.book_balls(
                movers,
                |k, group| movers[k].twist - group.balls.change[k],
                |k, _| movers[k].twist,
                exchange,
            );
        } else {
            self.end_balls(movers)?;
        }
        Some(error)
    }

    /// Takes away what the motion at the end of a flight would do to the joints.
    fn end_balls(&mut self, movers: &mut [SolverBody]) -> Option<()> {
        for mover in movers.iter_mut() {
            mover.inverse = InverseMass::new(mover.mass, mover.moments, mover.pose.rotation);
        }
        self.balls.arrive(movers);
        if !self.balls.factor(movers, &self.ends, &self.planned) {
            self.restart(movers);
            for mover in movers.iter_mut() {
                mover.inverse = InverseMass::new(mover.mass, mover.moments, mover.pose.rotation);
            }
            return None;
        }
        self.hold_balls(movers);
        Some(())
    }

    /// Impulses to begin with: with them the gaps stay closed up to the third order, C = ½h² J̇v + h J M⁻¹
    /// Jᵀλ. J̇v is made of the accelerations of the anchors in free flight, ω × (ω × r) + ω̇ × r with ω̇ =
    /// −W(ω × L).
    fn guess(&mut self, movers: &[SolverBody], h: f64) {
        let Self { balls, ends, .. } = self;
        balls.change.clear();
        balls.change.extend(movers.iter().zip(&balls.top_flights).map(|(mover, top_flight)| {
            let (moments, omega) = (mover.moments, mover.twist.angular);
            let turning = if let Some(top) = &top_flight.top {
                top.acceleration(omega, top_flight.axes[0])
            } else if mover.inverse.is_movable() {
                let momentum = to_world(mover.pose.rotation, moments * to_body(mover.pose.rotation, omega));
                mover.inverse.inv_inertia * momentum.cross(omega)
            } else {
                Vec3::ZERO
            };
            Twist::new(Vec3::ZERO, turning)
        }));
        balls.vector.clear();
        for (arms, ends) in balls.arms.iter().zip(&*ends) {
            let inward = |end: usize| match movers.get(ends[end] as usize) {
                Some(SolverBody { twist: Twist { angular, .. }, .. }) => {
                    let turning = balls.change[ends[end] as usize].angular;
                    angular.cross(angular.cross(arms[end])) + turning.cross(arms[end])
                }
                None => Vec3::ZERO,
            };
            balls.vector.push((inward(0) - inward(1)) * (-0.5 * h));
        }
        balls.solve(&self.planned, false);
        std::mem::swap(&mut balls.vector, &mut balls.impulses);
    }

    /// Finds the impulses at the start, and brings the bodies to the end.
    fn fly_balls(&mut self, movers: &mut [SolverBody], h: f64) -> Option<f64> {
        let reach =
            movers.iter().fold(1.0, |most: f64, mover| most.max(mover.pose.translation.abs().max_element()));
        let goal = POSITION_GOAL * reach;
        self.balls.top_flights.clear();
        self.balls.top_flights.extend(movers.iter().map(TopFlight::new));
        self.guess(movers, h);
        let (mut last, mut is_ready) = (f64::INFINITY, false);
        for _ in 0..MAX_ITERATIONS {
            self.balls.push(&self.ends, movers.len());
            let Self { balls, start, .. } = self;
            for (((mover, (pose, twist)), push), top_flight) in
                movers.iter_mut().zip(&*start).zip(&balls.change).zip(&mut balls.top_flights)
            {
                if let Some(top) = &top_flight.top {
                    let linear = twist.linear + push.linear * mover.inverse.inv_mass;
                    let momentum = top_flight.momentum + push.angular;
                    let (rotation, angular, axis) =
                        top.precess(pose.rotation, top_flight.axes[0], momentum, h);
                    top_flight.axes[1] = axis;
                    mover.pose = Pose::new(rotation, pose.translation + linear * h);
                    mover.twist = Twist::new(linear, angular);
                } else {
                    let change = mover.inverse.apply(*push);
                    (mover.pose, mover.twist) = drifted(*pose, *twist + change, mover.moments, h);
                }
            }
            self.balls.meet(movers, &self.ends);
            let mut error = 0.0;
            for gap in &self.balls.gaps {
                let size = gap.abs().max_element();
                // Not `max`, which would lose what is no number.
                error = if size <= error { error } else { size };
            }
            if error <= goal {
                return Some(error);
            }
            // An iteration that does not halve the error is left to the general solver, which can cut the
            // drift.
            if error.is_nan() || error >= 0.5 * last {
                return None;
            }
            let factor = -1.0 / h;
            self.balls.vector.clear();
            let Self { balls, .. } = self;
            balls.vector.extend(balls.gaps.iter().map(|gap| *gap * factor));
            // Near the end the last derivative does: its error shrinks the rest below the goal.
            if !is_ready || error * (error / last) > goal {
                let mut responses = std::mem::take(&mut self.flight.responses);
                responses.clear();
                let bodies =
                    movers.iter().zip(&self.start).zip(&self.balls.change).zip(&self.balls.top_flights);
                responses.extend(bodies.map(|(((mover, (pose, twist)), push), top_flight)| {
                    match &top_flight.top {
                        Some(top) if !top.is_sphere() => {
                            let momentum = top_flight.momentum + push.angular;
                            FlightResponse::of_top(mover.inverse.inv_mass, top, top_flight.axes, momentum, h)
                        }
                        _ => {
                            let omega = twist.angular + mover.inverse.apply(*push).angular;
                            FlightResponse::of(mover, *pose, omega, h)
                        }
                    }
                }));
                self.balls.differentiate(&responses, &self.ends, &self.planned);
                self.flight.responses = responses;
                is_ready = true;
            }
            self.balls.solve(&self.planned, true);
            let Self { balls, .. } = self;
            balls.impulses.iter_mut().zip(&balls.vector).for_each(|(impulse, more)| *impulse += *more);
            last = error;
        }
        None
    }
}

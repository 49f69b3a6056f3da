//! Holding the place: Newton's method on C = 0, each body giving way by its inverse mass.

use super::bounded_rows::LIMIT_TOLERANCE;
use super::drift::POSITION_GOAL;
use super::{Group, violation};
use crate::joints::constraint::Sense;
use crate::world::solver_body::InverseMass;
use crate::world::solver_body::SolverBody;
use gedanken_math::Pose;
use gedanken_math::rotation::from_rotation_vector;

/// Steps of Newton's method.
const MAX_NEWTON_STEPS: usize = 30;

/// The largest turn of one step, rad: far from a solution the straight line is no guide.
const MAX_STEP_ANGLE: f64 = 0.5;

impl Group {
    /// Moves the bodies so that all constraints hold, and tells the largest violation left, m or rad.
    /// Velocities stay as they are. The group is left evaluated at the new poses.
    pub fn hold_place(&mut self, movers: &mut [SolverBody], time: f64) -> f64 {
        let (mut last, mut stuck) = (f64::INFINITY, 0);
        for _ in 0..MAX_NEWTON_STEPS {
            self.evaluate(movers, time);
            let reach = movers
                .iter()
                .fold(1.0, |most: f64, mover| most.max(mover.pose.translation.abs().max_element()));
            let error = self.rows.iter().fold(0.0, |most: f64, row| most.max(violation(row)));
            stuck = if error > 0.5 * last { stuck + 1 } else { 0 };
            last = last.min(error);
            if error <= POSITION_GOAL * reach || stuck == 2 {
                break;
            }
            self.step_towards(movers);
        }
        self.evaluate(movers, time);
        self.violation()
    }

    /// One step of Newton's method.
    fn step_towards(&mut self, movers: &mut [SolverBody]) {
        self.open_equations();
        for c in 0..self.len() {
            for (k, row) in self.range(c).enumerate() {
                let row = &self.rows[row];
                if row.sense == Sense::AtLeast && row.value < -LIMIT_TOLERANCE {
                    self.open[c] |= 1 << k;
                }
            }
        }
        self.eliminate(movers);
        self.vector.clear();
        for c in 0..self.len() {
            for (k, row) in self.range(c).enumerate() {
                self.vector.push(if self.open[c] >> k & 1 == 1 { -self.rows[row].value } else { 0.0 });
            }
        }
        self.solve_vector();
        std::mem::swap(&mut self.vector, &mut self.impulses);
        self.respond_all(movers.len());
        let most = self.change.iter().fold(0.0, |most: f64, change| most.max(change.angular.length()));
        let share = if most > MAX_STEP_ANGLE { MAX_STEP_ANGLE / most } else { 1.0 };
        for (mover, change) in
            movers.iter_mut().zip(&self.change).filter(|(mover, _)| mover.inverse.is_movable())
        {
            let turn = from_rotation_vector(change.angular * share);
            let place = mover.pose.translation + change.linear * share;
            mover.pose = Pose::new((turn * mover.pose.rotation).normalize(), place);
            mover.inverse = InverseMass::new(mover.mass, mover.moments, mover.pose.rotation);
        }
        std::mem::swap(&mut self.vector, &mut self.impulses);
    }
}

//! The books of a group: what its impulses did to the bodies.
//!
//! An impulse λ of a row does the work λ·(u⁻ + u⁺)/2, u being J times the twists of the movable bodies. A
//! joint that stays closed by itself does none. What remains if the other end moves by its own will (a
//! kinematic body, a condition that changes with time) is work of whoever moves it, and goes to the motors.

use super::Group;
use crate::joints::Sense;
use crate::ledger::{Account, Entry, Exchange};
use crate::world::solver_body::Mover;
use gedanken_math::Twist;
use gedanken_math::Vec3;

impl Group {
    /// Notes the rates before impulses that are going to be booked.
    pub(crate) fn note_before(&mut self, movers: &[Mover]) {
        let mut before = std::mem::take(&mut self.before);
        self.rates(movers, &mut before);
        self.before = before;
    }

    /// Notes the rates after them.
    pub(crate) fn note_after(&mut self, movers: &[Mover]) {
        let mut after = std::mem::take(&mut self.after);
        self.rates(movers, &mut after);
        self.after = after;
    }

    /// The rates of a constraint's rows as last noted after impulses.
    pub(crate) fn rates_after(&self, constraint: usize) -> &[f64] {
        &self.after[self.range(constraint)]
    }

    /// Books the impulses of the last solve. Between the notes before and after, all impulses are taken to
    /// have acted together.
    pub fn book(&self, movers: &[Mover], exchange: &mut Exchange) {
        let (mut joint, mut motor) = (Entry::default(), Entry::default());
        for (c, &ends) in self.ends.iter().enumerate() {
            let immovable = ends.map(|end| self.movable.get(end as usize) != Some(&true));
            let own = [0, 1].map(|k| match movers.get(ends[k] as usize) {
                Some(mover) if immovable[k] => mover.twist,
                _ => Twist::ZERO,
            });
            for k in self.range(c) {
                let (row, impulse) = (&self.rows[k], self.impulses[k]);
                let own = row.rate + row.a.dot(own[0]) + row.b.dot(own[1]);
                let mean = 0.5 * (self.before[k] + self.after[k]);
                let push = match immovable {
                    [false, false] => row.a.linear + row.b.linear,
                    [false, true] => row.a.linear,
                    [true, false] => row.b.linear,
                    [true, true] => Vec3::ZERO,
                } * impulse;
                if matches!(row.sense, Sense::Driven { .. }) {
                    motor += Entry { energy: impulse * (mean - own), momentum: push };
                } else {
                    joint += Entry { energy: impulse * mean, momentum: push };
                    motor.energy -= impulse * own;
                }
            }
        }
        exchange.book(Account::Joint, joint);
        exchange.book(Account::Motor, motor);
    }
}

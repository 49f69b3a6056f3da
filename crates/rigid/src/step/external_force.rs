//! External forces: forces that a user gives to a body for the next step.
//!
//! A force lasts for the next step only, and is constant in the world; if its point is off the centre of
//! mass, it is a torque too. Forces that wait to act are part of the state, so that a snapshot taken before
//! the step continues as the original does. They are booked to [`Account::User`], on the page of the next
//! step.

use crate::ledger::{Account, Entry, Exchange};
use crate::world::solver_body::Displacements;
use gedanken_dynamics::{Force, Life, Rule, Table, ThreeD, Torque, read_table, write, write_table};
use gedanken_math::Twist;
use gedanken_math::units::Quantity;

/// A force on one body, and its torque about the centre of mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ExternalForce {
    /// The row of the body.
    pub row: u32,
    /// Force and torque.
    pub force: Twist,
}

/// Forces that act during the next step.
#[derive(Debug, PartialEq, Default)]
pub struct ExternalForces {
    /// By row, each at most once.
    pub list: Vec<ExternalForce>,
}

impl Clone for ExternalForces {
    fn clone(&self) -> Self {
        Self { list: self.list.clone() }
    }
    fn clone_from(&mut self, other: &Self) {
        self.list.clone_from(&other.list);
    }
}

impl Table for ExternalForces {
    const NAME: &'static str = "external forces";
    const LIFE: Life = Life::State;

    fn words(&self, word: &mut dyn FnMut(u64)) {
        for push in &self.list {
            word(u64::from(push.row));
            for v in [push.force.linear, push.force.angular] {
                v.to_array().iter().for_each(|x| word(x.to_bits()));
            }
        }
    }

    fn is_finite(&self) -> bool {
        self.list.iter().all(|push| push.force.is_finite())
    }
}

impl ExternalForces {
    /// One more force on the body in a row.
    pub(crate) fn add(&mut self, row: u32, force: Twist) {
        match self.list.binary_search_by_key(&row, |push| push.row) {
            Ok(place) => self.list[place].force += force,
            Err(place) => self.list.insert(place, ExternalForce { row, force }),
        }
    }
}

/// Adds the forces to the forces of the laws.
pub(crate) fn act() -> Rule {
    let view = (read_table::<ExternalForces>(), write::<Force<ThreeD>>(), write::<Torque>());
    Rule::new("external forces", view, |_, (forces, force, torque)| {
        for push in &forces.list {
            force[push.row as usize] += Quantity::new(push.force.linear);
            torque[push.row as usize] += Quantity::new(push.force.angular);
        }
    })
}

/// Books what the forces did since the last time: work force·way, momentum force·h. They have no potential,
/// so they take back what was booked for shifts against them.
pub(crate) fn book() -> Rule {
    let view = (read_table::<ExternalForces>(), read_table::<Displacements>(), write_table::<Exchange>());
    Rule::new("book external forces", view, |step, (forces, displacements, exchange)| {
        let (mut entry, mut shifting) = (Entry::default(), Entry::default());
        for push in &forces.list {
            entry.energy += push.force.dot(displacements.moved[push.row as usize]);
            entry.momentum += push.force.linear * step.h.si();
            shifting.energy += push.force.dot(displacements.shifted[push.row as usize]);
        }
        exchange.book(Account::User, entry);
        exchange.book(Account::Stabilisation, shifting);
    })
}

/// Clears the external forces at the end of the step.
pub(crate) fn end() -> Rule {
    Rule::new("clear external forces", (write_table::<ExternalForces>(),), |_, (forces,)| forces.list.clear())
}

//! Pushes: forces and impulses that a user gives to a body between steps.
//!
//! A force lasts for the next step only, and is constant in the world; where its point is off the centre of
//! mass, it is a torque too. What waits to act is part of the state, so that a snapshot taken before the step
//! continues as the original does. An impulse acts at once. Both are booked to [`Account::User`], on the page
//! of the next step.

use super::simulation::Simulation;
use crate::world::solver_body::Ways;
use crate::ledger;
use crate::ledger::{Account, Entry, Exchange};
use crate::world::body::BodyKind;
use crate::world::error::RigidError;
use crate::world::inverse_mass::Inverse;
use gedanken_dynamics::{
    AngularVelocity, ComponentId, Force, Life, Rule, Table, ThreeD, Torque, Values, Velocity, read_table,
    write, write_table,
};
use gedanken_math::Twist;
use gedanken_math::Vec3;
use gedanken_math::units::Quantity;

/// A force on one body, and its torque about the centre of mass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Push {
    /// The row of the body.
    pub row: u32,
    /// Force and torque.
    pub force: Twist,
}

/// What is pushed during the next step.
#[derive(Debug, PartialEq, Default)]
pub struct Pushes {
    /// By row, each at most once.
    pub list: Vec<Push>,
}

impl Clone for Pushes {
    fn clone(&self) -> Self {
        Self { list: self.list.clone() }
    }
    fn clone_from(&mut self, other: &Self) {
        self.list.clone_from(&other.list);
    }
}

impl Table for Pushes {
    const NAME: &'static str = "pushes";
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

impl Pushes {
    /// One more force on the body in a row.
    fn add(&mut self, row: u32, force: Twist) {
        match self.list.binary_search_by_key(&row, |push| push.row) {
            Ok(place) => self.list[place].force += force,
            Err(place) => self.list.insert(place, Push { row, force }),
        }
    }
}

/// Adds the pushes to the forces of the laws.
pub(crate) fn act() -> Rule {
    let view = (read_table::<Pushes>(), write::<Force<ThreeD>>(), write::<Torque>());
    Rule::new("push", view, |_, (pushes, force, torque)| {
        for push in &pushes.list {
            force[push.row as usize] += Quantity::new(push.force.linear);
            torque[push.row as usize] += Quantity::new(push.force.angular);
        }
    })
}

/// Books what the pushes did since the last time: work force·way, momentum force·h. They have no potential,
/// so they take back what was booked for shifts against them.
pub(crate) fn book() -> Rule {
    let view = (read_table::<Pushes>(), read_table::<Ways>(), write_table::<Exchange>());
    Rule::new("book pushes", view, |step, (pushes, ways, exchange)| {
        let (mut entry, mut shifting) = (Entry::default(), Entry::default());
        for push in &pushes.list {
            entry.energy += push.force.dot(ways.ways[push.row as usize]);
            entry.momentum += push.force.linear * step.h.si();
            shifting.energy += push.force.dot(ways.shifts[push.row as usize]);
        }
        exchange.book(Account::User, entry);
        exchange.book(Account::Stabilisation, shifting);
    })
}

/// Nothing is pushed any more.
pub(crate) fn end() -> Rule {
    Rule::new("end pushes", (write_table::<Pushes>(),), |_, (pushes,)| pushes.list.clear())
}

impl Simulation {
    /// Pushes a body with a force (N) at a point of the world during the next step.
    pub fn apply_force(&mut self, id: ComponentId, force: Vec3, point: Vec3) -> Result<(), RigidError> {
        self.check_push(id, "force", force)?;
        self.check_push(id, "point of a force", point)?;
        let arm = point - self.centre(id).translation;
        self.push(id, Twist::of_impulse(force, arm))
    }

    /// Turns a body with a torque (N·m) during the next step.
    pub fn apply_torque(&mut self, id: ComponentId, torque: Vec3) -> Result<(), RigidError> {
        self.check_push(id, "torque", torque)?;
        self.push(id, Twist::new(Vec3::ZERO, torque))
    }

    /// Hits a body with an impulse (N·s) at a point of the world, now.
    pub fn apply_impulse(&mut self, id: ComponentId, impulse: Vec3, point: Vec3) -> Result<(), RigidError> {
        self.check_push(id, "impulse", impulse)?;
        self.check_push(id, "point of an impulse", point)?;
        let (centre, before) = (self.centre(id), self.twist(id));
        let body = self.world().body(id).expect("the body was checked");
        let push = Twist::of_impulse(impulse, point - centre.translation);
        let inverse = Inverse::new(body.mass(), body.moments(), centre.rotation);
        let after = before + inverse.apply(push);
        if !after.is_finite() {
            return Err(self.too_large(id, "impulse", impulse));
        }
        self.set_twist(id, after)?;
        if self.settings().ledger {
            let entry = Entry { energy: push.dot(before + after) * 0.5, momentum: push.linear };
            ledger::expect(self.state_mut(), entry)?;
        }
        Ok(())
    }

    /// Makes a kinematic body move like this from now on: the velocity of its frame's origin, and the angular
    /// velocity.
    pub fn set_velocity(&mut self, id: ComponentId, velocity: Vec3, angular: Vec3) -> Result<(), RigidError> {
        if self.kind_of(id) != Some(BodyKind::Kinematic) {
            return Err(self.unfit(id, "has no velocity that could be set", "make it kinematic, or push it"));
        }
        for (what, value) in [("velocity", velocity), ("angular velocity", angular)] {
            if !value.is_finite() {
                return Err(self.too_large(id, what, value));
            }
        }
        let arm = self.centre(id).translation - self.pose(id).translation;
        self.set_twist(id, Twist::new(velocity + angular.cross(arm), angular))
    }

    fn push(&mut self, id: ComponentId, force: Twist) -> Result<(), RigidError> {
        if !force.is_finite() {
            return Err(self.too_large(id, "force", force.linear));
        }
        self.state_mut().table_mut::<Pushes>()?.add(id.row() as u32, force);
        Ok(())
    }

    fn set_twist(&mut self, id: ComponentId, twist: Twist) -> Result<(), RigidError> {
        let state = self.state_mut();
        state.set::<Velocity<ThreeD>>(id, Quantity::new(twist.linear))?;
        state.set::<AngularVelocity>(id, Quantity::new(twist.angular))?;
        Ok(())
    }

    /// Refuses to push what does not move by forces, and with what is no number.
    fn check_push(&self, id: ComponentId, what: &'static str, value: Vec3) -> Result<(), RigidError> {
        if self.kind_of(id) != Some(BodyKind::Dynamic) {
            return Err(self.unfit(id, "is not moved by forces", "make it dynamic, or push another body"));
        }
        if value.is_finite() { Ok(()) } else { Err(self.too_large(id, what, value)) }
    }

    fn kind_of(&self, id: ComponentId) -> Option<BodyKind> {
        self.world().body(id).map(|body| body.kind())
    }

    fn unfit(&self, id: ComponentId, problem: &str, remedy: &str) -> RigidError {
        let components = self.world().model().components();
        let name = if id.row() < components.len() { components.name(id) } else { "a body of another world" };
        RigidError::Unfit(format!("'{name}' {problem}: {remedy}"))
    }

    fn too_large(&self, id: ComponentId, what: &'static str, value: Vec3) -> RigidError {
        let of = self.world().model().components().name(id).to_owned();
        let reason = "it must be made of finite numbers, and so must the motion that it makes";
        RigidError::BadNumber { what, of, value: Values::Vector(vec![value]).show(0), reason }
    }
}

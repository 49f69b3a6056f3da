//! Acting on a simulation between two steps: forces and torques for the next step, impulses, and velocities
//! of kinematic bodies.

use super::bookkeeping;
use super::external_force::ExternalForces;
use super::simulation::Simulation;
use crate::collide::contact_table::Contacts;
use crate::ledger::Entry;
use crate::world::body::BodyKind;
use crate::world::error::RigidError;
use crate::world::solver_body::InverseMass;
use gedanken_dynamics::{AngularVelocity, ComponentId, Orientation, Position, ThreeD, Values, Velocity};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Twist, Vec3};
use std::sync::Arc;

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
        let inverse = InverseMass::new(body.mass(), body.moments(), centre.rotation);
        let after = before + inverse.apply(push);
        if !after.is_finite() {
            return Err(self.too_large(id, "impulse", impulse));
        }
        self.set_twist(id, after)?;
        if self.settings().ledger {
            let entry = Entry { energy: push.dot(before + after) * 0.5, momentum: push.linear };
            bookkeeping::expect(self.state_mut(), entry)?;
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

    /// Puts a dynamic body somewhere, with a motion, as if it had always been there: the pose of its own
    /// frame, the velocity of the frame's origin, and the angular velocity. Contacts are forgotten, and energy
    /// and momentum are counted anew.
    pub fn put(
        &mut self,
        id: ComponentId,
        pose: Pose,
        velocity: Vec3,
        angular: Vec3,
    ) -> Result<(), RigidError> {
        if self.kind_of(id) != Some(BodyKind::Dynamic) {
            return Err(self.unfit(id, "cannot be put elsewhere", "make it dynamic"));
        }
        for (what, value) in
            [("position", pose.translation), ("velocity", velocity), ("angular velocity", angular)]
        {
            if !value.is_finite() {
                return Err(self.too_large(id, what, value));
            }
        }
        let frame = self.world().body(id).expect("the body was checked").frame();
        let centre = pose * frame.inverse();
        let arm = centre.translation - pose.translation;
        let state = self.state_mut();
        state.set::<Position<ThreeD>>(id, Quantity::new(centre.translation))?;
        state.set::<Orientation>(id, centre.rotation)?;
        state.table_mut::<Contacts>()?.touches = Arc::default();
        self.set_twist(id, Twist::new(velocity + angular.cross(arm), angular))?;
        self.reopen_ledger()
    }

    fn push(&mut self, id: ComponentId, force: Twist) -> Result<(), RigidError> {
        if !force.is_finite() {
            return Err(self.too_large(id, "force", force.linear));
        }
        self.state_mut().table_mut::<ExternalForces>()?.add(id.row() as u32, force);
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

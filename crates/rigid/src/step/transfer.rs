//! Transfer of a state to another world, by the names of bodies.
//!
//! Bodies that both worlds have continue as they are; new ones start as they were placed. Rows follow the
//! order of names, so two bodies that both worlds have stand in the same order in both: contacts are
//! renumbered, and need no reversal.

use super::external_force::ExternalForces;
use crate::collide::contact_table::Contacts;
use crate::ledger::Ledger;
use crate::world::World;
use crate::world::body::{Body, BodyKind};
use crate::world::error::RigidError;
use gedanken_dynamics::{
    Acceleration, AngularAcceleration, AngularVelocity, AtRest, ComponentId, Orientation, Position, State,
    ThreeD, Velocity,
};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Twist};
use std::sync::Arc;

/// The state of `to` in which the bodies that both worlds have are as they are in `state`, with their
/// contacts, waiting forces, books and clock.
pub(crate) fn carried(from: &World, state: &State, to: &World) -> Result<State, RigidError> {
    let mut next = to.start()?;
    next.set_clock(state.time(), state.tick());
    // By row of `from`: the row of the same body in `to`.
    let mut rows: Vec<Option<u32>> = vec![None; from.model().components().len()];
    for (id, body) in to.bodies() {
        let name = to.model().components().name(id);
        let Ok(old) = from.id(name) else { continue };
        if let Some(before) = from.body(old) {
            rows[old.row()] = Some(id.row() as u32);
            take_over(state, (old, before), &mut next, (id, body))?;
        }
    }
    let mut touches = state.table::<Contacts>()?.touches.to_vec();
    touches.retain_mut(|touch| {
        let (Some(a), Some(b)) = (rows[touch.a as usize], rows[touch.b as usize]) else { return false };
        (touch.a, touch.b) = (a, b);
        to.may_touch(a, b)
    });
    touches.sort_by_key(|touch| touch.key());
    next.table_mut::<Contacts>()?.touches = Arc::new(touches);
    let mut forces = state.table::<ExternalForces>()?.clone();
    forces.list.retain_mut(|force| {
        let Some(row) = rows[force.row as usize] else { return false };
        let ids = [ComponentId::from_row(force.row as usize), ComponentId::from_row(row as usize)];
        let moved = centre(state, ids[0]).translation - centre(&next, ids[1]).translation;
        force.force.angular += moved.cross(force.force.linear);
        force.row = row;
        to.body(ids[1]).is_some_and(|body| body.kind() == BodyKind::Dynamic)
    });
    *next.table_mut::<ExternalForces>()? = forces;
    next.table_mut::<Ledger>()?.clone_from(state.table::<Ledger>()?);
    Ok(next)
}

/// Gives a body the place and the motion that it had in another world. What stays the same is that of the
/// body's own frame; its centre of mass and principal axes may have become others.
fn take_over(
    state: &State,
    (old, before): (ComponentId, &Body),
    next: &mut State,
    (new, now): (ComponentId, &Body),
) -> Result<(), RigidError> {
    let (mut pose, mut twist) = (centre(state, old), motion(state, old)?);
    // The same numbers, not merely the same place: unchanged bodies are carried bit for bit.
    if before.frame() != now.frame() {
        let centred = pose.translation;
        pose = pose * before.frame() * now.frame().inverse();
        pose.rotation = pose.rotation.normalize();
        twist.linear = twist.at(pose.translation - centred);
    }
    next.set::<Position<ThreeD>>(new, Quantity::new(pose.translation))?;
    next.set::<Orientation>(new, pose.rotation)?;
    if now.kind() != BodyKind::Static {
        next.set::<Velocity<ThreeD>>(new, Quantity::new(twist.linear))?;
        next.set::<AngularVelocity>(new, Quantity::new(twist.angular))?;
    }
    if now.kind() == BodyKind::Dynamic {
        next.overwrite::<Acceleration<ThreeD>>(new.row(), state.get::<Acceleration<ThreeD>>(old)?);
        next.overwrite::<AngularAcceleration>(new.row(), state.get::<AngularAcceleration>(old)?);
        next.overwrite::<AtRest>(new.row(), state.get::<AtRest>(old)?);
    }
    Ok(())
}

fn centre(state: &State, id: ComponentId) -> Pose {
    const HAS: &str = "every world has poses";
    let place = state.get::<Position<ThreeD>>(id).expect(HAS);
    Pose::new(state.get::<Orientation>(id).expect(HAS), place.si())
}

fn motion(state: &State, id: ComponentId) -> Result<Twist, RigidError> {
    Ok(Twist::new(state.get::<Velocity<ThreeD>>(id)?.si(), state.get::<AngularVelocity>(id)?.si()))
}

//! Two objects at an instant: their contact, their distance, and the speed at which they approach.

use super::super::Engine;
use super::super::ids::ActorId;
use super::super::touch::closest::separation;
use super::super::touch::{Touch, touch};
use super::super::trajectory::bounds::Placed;
use super::super::trajectory::{Trajectory, Velocity};
use super::super::world::Instant;
use super::recent::Key;
use crate::run::options::Stop;
use gedanken_geometry::bounds::radius_about_origin;
use gedanken_geometry::narrow::QueryError;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;

/// Rounding of a speed of approach, relative to the speeds involved.
pub(super) const APPROACH_NOISE: f64 = 1e-12;

/// Speed at which two objects approach.
#[derive(Clone, Copy, Debug)]
pub(in crate::contexts) struct ClosingSpeed {
    /// Speed of approach of their surfaces; negative if they separate.
    pub(in crate::contexts) speed: f64,
    /// Part of it that may be rounding.
    pub(super) noise: f64,
}

impl Engine<'_> {
    /// Returns shape and pose of an object at `t`.
    fn place(&self, actor: ActorId, t: f64) -> Result<Placed, Stop> {
        let trajectory = Trajectory { world: &self.world, actor };
        let Some(key) = Key::of(&self.world, actor, t) else {
            return Ok(trajectory.place_at(&Instant::at(t))?);
        };
        if let Some(known) = self.recent.borrow().place(key) {
            return Ok(known.clone());
        }
        let placed = trajectory.place_at(&Instant::at(t))?;
        self.recent.borrow_mut().keep_place(key, placed.clone());
        Ok(placed)
    }

    /// Returns shape and pose of an object at `t`, if they were computed lately.
    pub(in crate::contexts) fn known_place(&self, actor: ActorId, t: f64) -> Option<Placed> {
        self.recent.borrow().place(Key::of(&self.world, actor, t)?).cloned()
    }

    /// Returns the velocity of an object at `t`.
    pub(super) fn velocity(&self, actor: ActorId, t: f64) -> Result<Velocity, Stop> {
        let step = self.search.tick * 1024.0;
        let trajectory = Trajectory { world: &self.world, actor };
        let Some(key) = Key::of(&self.world, actor, t) else { return Ok(trajectory.velocity(t, step)?) };
        if let Some(known) = self.recent.borrow().velocity(key) {
            return Ok(*known);
        }
        let velocity = trajectory.velocity(t, step)?;
        self.recent.borrow_mut().keep_velocity(key, velocity);
        Ok(velocity)
    }

    /// Returns the contact of two objects at `t`.
    pub(in crate::contexts) fn touch(&mut self, a: ActorId, b: ActorId, t: f64) -> Result<Touch, Stop> {
        let (one, other) = (self.place(a, t)?, self.place(b, t)?);
        let poses = [one.pose, other.pose];
        let world = &self.world;
        let rigid = [a, b].iter().all(|&it| world.laws_of(it).is_none_or(|laws| !laws.motion.resizes));
        if let Some((at, touch)) = &self.touched
            && rigid
            && (touch.a, touch.b) == (a, b)
            && *at == poses
        {
            return Ok(touch.clone());
        }
        let found = touch(a, &one, b, &other, &mut self.scratch);
        let found = found.map_err(|error| Stop::from(self.no_distance(a, b, t, &error)))?;
        self.touched = rigid.then(|| (poses, found.clone()));
        Ok(found)
    }

    /// Returns the distance of two objects at `t`; negative if they overlap.
    pub(in crate::contexts) fn gap(&mut self, a: ActorId, b: ActorId, t: f64) -> Result<f64, Stop> {
        let (one, other) = (self.place(a, t)?, self.place(b, t)?);
        match separation(&one, &other, &mut self.scratch) {
            Ok((gap, ..)) => Ok(gap),
            Err(error) => Err(self.no_distance(a, b, t, &error).into()),
        }
    }

    /// Returns the speed at which two touching objects approach, by the derivatives of the laws that hold for
    /// them now.
    pub(in crate::contexts) fn approach(
        &self,
        a: ActorId,
        b: ActorId,
        touch: &Touch,
        t: f64,
    ) -> Result<ClosingSpeed, Stop> {
        let velocities = [self.velocity(a, t)?, self.velocity(b, t)?];
        let scale: f64 = velocities.iter().map(|it| it.speed_at(touch.point)).sum();
        let growth: f64 = velocities.iter().map(|it| it.growth).sum();
        let [one, other] = velocities.map(|it| it.twist());
        let speed = touch.closing_speed(&one, &other) + growth;
        Ok(ClosingSpeed { speed, noise: APPROACH_NOISE * scale })
    }

    /// Computes the shapes of actors anew from the stored attributes, where laws can change them.
    pub(in crate::contexts) fn reshape(&mut self, actors: &[ActorId]) -> Result<(), Stop> {
        for &actor in actors {
            let object = self.world.layout.object(self.world.experiment, actor);
            let names: Vec<&str> = object.shape.own_fields().iter().map(|it| it.name).collect();
            let changed = names.iter().any(|name| {
                let (Some(field), Some(initial)) =
                    (self.world.layout.find(actor, name), object.attribute(name))
                else {
                    return false;
                };
                let stored = field.columns().map(|it| self.world.stored(actor, it));
                let scalars = initial.value.scalars().unwrap_or_default();
                self.search.reshaped.contains(&actor) || !stored.eq(scalars)
            });
            if changed {
                let shape = self.world.stored_shape(actor)?;
                let state = &mut self.world.actors[actor];
                state.radius = radius_about_origin(&shape);
                state.shape = shape;
                self.touched = None;
                self.search.reshaped.insert(actor);
            }
        }
        Ok(())
    }

    pub(in crate::contexts) fn no_distance(
        &self,
        a: ActorId,
        b: ActorId,
        t: f64,
        error: &QueryError,
    ) -> Box<Diagnostic> {
        let [one, other] = [a, b].map(|it| self.world.layout.object(self.world.experiment, it));
        let message = format!("where `{}` and `{}` touch cannot be found: {error}", one.name, other.name);
        Box::new(
            Diagnostic::new(Code::E801, one.span, message)
                .also(other.span, "the other one")
                .note(format!("at t = {}", Value::Real(t)))
                .help(match error {
                    QueryError::Unsupported { .. } => {
                        "between half spaces and meshes there is no distance: make one of them a `cuboid`, or of \
                         another solid shape"
                    }
                    _ => "the numbers are too large or too unequal: smaller coordinates, or less thin shapes, would help",
                }),
        )
    }
}

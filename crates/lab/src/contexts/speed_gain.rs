//! Collisions that add energy, and collisions that do not part their objects.
//!
//! A law after which two objects part faster than they met is no mistake by itself: a pinball bumper is one.
//! Where a run is stopped or diverges, it is the first suspect, and messages name it. A law after which they
//! still approach lets them sink into each other, and its sign is the first suspect.

use super::Engine;
use super::ids::{ActorId, Id};
use gedanken_lang::value::Value;

/// Least part by which the speed of two objects must rise to count: rounding gives less.
const MIN_GAIN: f64 = 1e-6;

/// Least speed of approach after a collision that counts, in units of its rounding.
const MIN_APPROACH: f64 = 1e6;

/// Advice for whoever has written such a law.
pub(super) const ADVICE: &str =
    "look for a restitution above 1, a wrong sign or a factor too large in its laws";

/// A collision after which two objects parted faster than they had met.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpeedGain {
    /// The objects, the first by name first.
    pub(super) pair: [ActorId; 2],
    /// Index of the collision context among those of the experiment.
    pub(super) context: usize,
    /// Speed at which they parted, in units of the speed at which they met.
    ratio: f64,
    /// Time of the collision, s.
    pub(super) time: f64,
}

impl Engine<'_> {
    /// Remembers the collision of a pair if it parts faster than it met. Speeds are those of approach.
    pub(super) fn note_speed_gain(&mut self, a: ActorId, b: ActorId, time: f64, before: f64, after: f64) {
        let ratio = -after / before;
        if before > 0.0
            && ratio > 1.0 + MIN_GAIN
            && ratio.is_finite()
            && let Some(context) = self.collision_context(a, b)
        {
            self.speed_gain = Some(SpeedGain { pair: [a, b], context, ratio, time });
        }
    }

    /// Says which collision law leaves two objects approaching at `speed`, of which `noise` is rounding; `None` if they do not approach, or if
    /// no law has changed them.
    pub(super) fn still_approaching(
        &mut self,
        a: ActorId,
        b: ActorId,
        speed: f64,
        noise: f64,
    ) -> Option<String> {
        // Without a speed it is the fall that goes on: such a pair needs a contact, not another sign.
        if speed <= MIN_APPROACH * noise {
            return None;
        }
        let context = &self.world.experiment.contexts[self.collision_context(a, b)?];
        if !context.has_laws() {
            return None;
        }
        let speed = Value::Real(format!("{speed:.2e}").parse().unwrap_or(speed));
        Some(format!(
            "after `{}` they still approach at {speed}; is a sign wrong, or `*` of two vectors, the cross product, where `.` is \
             meant?",
            context.name
        ))
    }

    /// Says which law adds energy, if the last collision that did so is not before `since`.
    pub(super) fn energy_added(&self, since: f64) -> Option<String> {
        let gain = self.speed_gain.filter(|it| it.time >= since)?;
        let law = &self.world.experiment.contexts[gain.context].name;
        let [one, other] = gain.pair.map(|it| &self.world.layout.names[it]);
        let [ratio, time] = [(gain.ratio * 1e6).round() / 1e6, gain.time].map(Value::Real);
        Some(format!(
            "the motion diverges: `{law}` adds energy at each collision; at t = {time} `{one}` and `{other}` part {ratio} \
             times as fast as they met"
        ))
    }

    /// Name of the law that last added energy to an object, or to any.
    pub(super) fn law_that_adds_energy(&self, object: Option<usize>) -> Option<String> {
        let gain = self.speed_gain?;
        let is_of = |object: usize| gain.pair.iter().any(|it| it.index() == object);
        object.is_none_or(is_of).then(|| self.world.experiment.contexts[gain.context].name.clone())
    }
}

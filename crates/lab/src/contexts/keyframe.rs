//! Keyframes: everything that a run needs to go on from a frame, as bytes.
//!
//! | what | as |
//! |---|---|
//! | how many events there have been | u64 |
//! | scalars of the world, then of every class, column by column | f64 each |
//! | of each actor: the context it is in, since when, when it was stored | u32 (one more than the index, 0 for none), f64, f64 |
//! | and its context attributes | f64 each |
//! | bonds: two actors, and whether they stay together | u32, u32, u8 |
//! | what has been said | u32 length, then UTF-8 |
//!
//! Counts go before lists. All numbers are little-endian. What geometry tells of contacts is computed again:
//! it is that of the frame's own instant.

use super::Engine;
use super::ids::{ActorId, ContextId, Id};
use super::search::pairs::Bond;
use crate::run::options::Stop;
use gedanken_recording::Sink;

/// Scalars of state for which every frame can have a keyframe; larger states have one every so many frames.
const SMALL: usize = 1000;

/// Frames between keyframes, at most.
const MOST_APART: u64 = 60;

/// Reads what a keyframe holds, in order.
struct Reader<'k> {
    bytes: &'k [u8],
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], Stop> {
        let (head, rest) = self.bytes.split_first_chunk::<N>().ok_or_else(damaged)?;
        self.bytes = rest;
        Ok(*head)
    }

    fn whole(&mut self) -> Result<u64, Stop> {
        self.take().map(u64::from_le_bytes)
    }

    fn index(&mut self, below: usize) -> Result<usize, Stop> {
        let index = u32::from_le_bytes(self.take()?) as usize;
        if index < below { Ok(index) } else { Err(damaged()) }
    }

    fn real(&mut self) -> Result<f64, Stop> {
        let real = f64::from_le_bytes(self.take()?);
        if real.is_finite() { Ok(real) } else { Err(damaged()) }
    }
}

fn damaged() -> Stop {
    Stop::Keyframe("it is damaged, or of another experiment".to_owned())
}

impl Engine<'_> {
    /// Whether a frame gets a keyframe: a matter of size, so that they never take more room than the rows do.
    pub(super) fn is_keyframe(&self, frame: u64) -> bool {
        let scalars: usize = self.world.stored.iter().flatten().map(Vec::len).sum();
        frame.is_multiple_of(((scalars / SMALL) as u64 + 1).min(MOST_APART))
    }

    /// The state as bytes.
    pub(super) fn keyframe(&self) -> Vec<u8> {
        let world = &self.world;
        let mut bytes = Vec::new();
        let whole = |bytes: &mut Vec<u8>, number: usize| bytes.extend((number as u32).to_le_bytes());
        let real = |bytes: &mut Vec<u8>, real: f64| bytes.extend(real.to_le_bytes());
        bytes.extend(self.events.to_le_bytes());
        for &scalar in world.values.iter().chain(world.stored.iter().flatten().flatten()) {
            real(&mut bytes, scalar);
        }
        for (actor, state) in world.actors.entries() {
            let laws = state.laws.map(|it| (it, &world.laws[it]));
            whole(&mut bytes, laws.map_or(0, |(_, it)| it.context.index() + 1));
            real(&mut bytes, state.since);
            real(&mut bytes, state.updated);
            let kept = laws.map(|(id, _)| &world.kept[id]);
            whole(&mut bytes, kept.map_or(0, |it| it.len()));
            for column in kept.into_iter().flatten() {
                real(&mut bytes, column[world.layout.rows[actor].index]);
            }
        }
        let bonds: Vec<(ActorId, ActorId, Bond)> = self.search.bonds.all().collect();
        whole(&mut bytes, bonds.len());
        for (a, b, bond) in bonds {
            whole(&mut bytes, a.index());
            whole(&mut bytes, b.index());
            bytes.push(u8::from(bond == Bond::Together));
        }
        whole(&mut bytes, self.said.len());
        for said in &self.said {
            whole(&mut bytes, said.len());
            bytes.extend(said.as_bytes());
        }
        bytes
    }

    /// Goes on from a frame of an earlier run: `keyframe` is what that run gave with frame `frame`. The next
    /// call of [`advance`](Self::advance) gives the frame after it.
    ///
    /// # Errors
    /// If the keyframe is of another experiment, or damaged.
    pub fn resume(&mut self, frame: u64, keyframe: &[u8]) -> Result<(), Stop> {
        let mut reader = Reader { bytes: keyframe };
        let count = self.world.layout.len();
        self.events = reader.whole()?;
        let columns = self.world.values.iter_mut().chain(self.world.stored.iter_mut().flatten().flatten());
        for scalar in columns {
            *scalar = reader.real()?;
        }
        let mut contexts = Vec::with_capacity(count);
        let mut kept = Vec::with_capacity(count);
        for actor in self.world.layout.actors() {
            let context = reader.index(self.world.experiment.contexts.len() + 1)?.checked_sub(1);
            contexts.push(context.map(ContextId::new));
            self.world.actors[actor].since = reader.real()?;
            self.world.actors[actor].updated = reader.real()?;
            let width = reader.index(reader.bytes.len() + 1)?;
            kept.push((0..width).map(|_| reader.real()).collect::<Result<Vec<f64>, Stop>>()?);
        }
        for _ in 0..reader.index(usize::MAX)? {
            let (a, b) = (ActorId::new(reader.index(count)?), ActorId::new(reader.index(count)?));
            let bond = if reader.take::<1>()? == [1] { Bond::Together } else { Bond::Free };
            self.search.bonds.set(a, b, Some(bond));
        }
        for _ in 0..reader.index(usize::MAX)? {
            let length = reader.index(reader.bytes.len() + 1)?;
            let (text, rest) = reader.bytes.split_at_checked(length).ok_or_else(damaged)?;
            self.said.insert(String::from_utf8(text.to_vec()).map_err(|_| damaged())?);
            reader.bytes = rest;
        }
        if !reader.bytes.is_empty() {
            return Err(damaged());
        }
        for (actor, context) in self.world.layout.actors().zip(contexts) {
            let laws = match context {
                Some(context) => Some(self.laws_for(actor, context, &[])?),
                None => None,
            };
            if !self.world.restore_actor(actor, laws, &kept[actor.index()]) {
                return Err(damaged());
            }
        }
        let everybody: Vec<ActorId> = self.world.layout.actors().collect();
        self.reshape(&everybody)?;
        self.frame = Some(frame);
        let time = self.time(frame);
        let said = self.said.clone();
        self.measure_contacts(time, &mut Nobody)?;
        self.said = said;
        Ok(())
    }
}

/// Takes nothing: what is said again when a run goes on has been said.
struct Nobody;

impl Sink for Nobody {
    fn frame(&mut self, _: gedanken_recording::Frame<'_>) -> std::io::Result<()> {
        Ok(())
    }

    fn event(&mut self, _: &gedanken_recording::Event) -> std::io::Result<()> {
        Ok(())
    }

    fn notice(&mut self, _: &gedanken_recording::Notice) -> std::io::Result<()> {
        Ok(())
    }
}

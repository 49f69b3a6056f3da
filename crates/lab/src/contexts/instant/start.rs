//! Free falls that begin, and the pairs that touch when a simulation starts.

use super::super::Engine;
use super::super::ids::{ActorId, Id};
use super::super::search::pairs::{Bond, Entry, EntryKind};
use crate::run::events::{Events, Happened};
use crate::run::options::Stop;
use gedanken_lang::value::Value;
use gedanken_recording::EventKind;

impl Engine<'_> {
    /// Begins the free fall of an actor whose values are stored as of `t`, and records it.
    pub(in crate::contexts) fn begin_recorded_free_fall(
        &mut self,
        actor: ActorId,
        t: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let free = self.world.actors[actor].free_fall;
        self.world.start(actor, free, t)?;
        self.record_free_fall(actor, t, sink)
    }

    /// Records that an actor whose values are stored as of `t` has begun to fall freely.
    pub(in crate::contexts) fn record_free_fall(
        &mut self,
        actor: ActorId,
        t: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let Some(laws) = self.world.laws_of(actor) else { return Ok(()) };
        let context = Some(laws.context.index());
        let now = self.world.actors[actor].laws;
        self.world.actors[actor].laws = None;
        let before = sink.row(&self.moment_of_event(t), &[actor.index()])?;
        self.world.actors[actor].laws = now;
        self.world.commit(actor, t)?;
        let after = sink.row(&self.moment_of_event(t), &[actor.index()])?;
        sink.event(Happened {
            time: t,
            kind: EventKind::FreeFall,
            context,
            objects: vec![actor.index()],
            given: Vec::new(),
            before,
            after,
        })
    }

    /// Returns the pairs that touch when the simulation begins. Pairs that overlap are left alone until they
    /// have come apart.
    pub(in crate::contexts) fn touching_at_start(
        &mut self,
        t: f64,
        sink: &mut Events<'_>,
    ) -> Result<Vec<Entry>, Stop> {
        let pairs = self.search.pairs();
        let mut touching = Vec::new();
        for (a, b) in pairs {
            if self.world.layout.is_static[a] && self.world.layout.is_static[b] {
                continue;
            }
            let touch = self.touch(a, b, t)?;
            let (gap, band) = (touch.gap, self.search.band(&self.world, a, b).at(touch.farthest));
            if gap < -band {
                self.search.bonds.tie(a, b, Bond::Inside, band);
                let [one, other] = [a, b].map(|it| &self.world.layout.names[it]);
                let depth = Value::Real(-gap);
                let message = format!(
                    "`{one}` and `{other}` overlap by {depth} at the start: they do not meet until they have been apart; place them apart if they should"
                );
                sink.notice(format!("start {one} {other}"), t, message)?;
            } else if gap <= band {
                let versions = [a, b].map(|it| self.world.actors[it].version);
                touching.push(Entry { time: t, a, b, versions, kind: EntryKind::Contact });
            }
        }
        Ok(touching)
    }
}

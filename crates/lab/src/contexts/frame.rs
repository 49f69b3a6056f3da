//! A frame: all contacts between two times, in order, then the state at its end.

use super::Engine;
use super::ids::ActorId;
use super::search::pairs::{Bond, Entry, EntryKind};
use super::speed_gain::ADVICE;
use crate::run::events::Events;
use crate::run::options::Stop;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;

impl Engine<'_> {
    /// Length of every frame but a last, short one.
    pub(super) fn frame_length(&self) -> f64 {
        1.0 / self.simulation.frame_rate
    }

    /// The state at the initial time: everybody falls freely, and those that touch are settled. It looks as
    /// far ahead as `frame_end`, the first frame of the grid, also if the run ends before: so it is the state
    /// that any longer run begins with.
    pub(super) fn start(&mut self, frame_end: f64, sink: &mut Events<'_>) -> Result<(), Stop> {
        let t = self.simulation.initial_time;
        let frame = frame_end - t;
        self.frame_end = t + frame;
        self.search.set_tick(t, frame);
        let dynamic: Vec<ActorId> =
            self.world.layout.actors().filter(|&it| !self.world.layout.is_static[it]).collect();
        for &actor in &dynamic {
            self.begin_recorded_free_fall(actor, t, sink)?;
        }
        self.world.integrate_anew(&dynamic, t, t + frame)?;
        self.search.refresh(&self.world, t, t + frame);
        let touching = self.touching_at_start(t, sink)?;
        self.resolve_instant(t, &touching, t + frame, sink)?;
        Ok(())
    }

    /// A frame, from `from` to `to`.
    pub(super) fn pass(&mut self, from: f64, to: f64, sink: &mut Events<'_>) -> Result<(), Stop> {
        self.search.set_tick(to, to - from);
        self.frame_end = to;
        self.world.integrate_all(from, to)?;
        self.search.refresh(&self.world, from, to);
        self.search_all(from, to, sink)?;
        let (mut collisions, mut t) = (0, from);
        let mut met: Vec<Entry> = Vec::new();
        while let Some(first) = self.search.queue.next(&self.world) {
            self.world.cancel.check()?;
            if first.kind == EntryKind::Reminder {
                self.search_again(&first, to, sink)?;
                continue;
            }
            t = first.time.max(t);
            met.clear();
            met.push(first);
            while let Some(entry) = self.search.queue.next_until(&self.world, t + self.search.tick) {
                match entry.kind {
                    EntryKind::Reminder => self.search_again(&entry, to, sink)?,
                    _ => met.push(entry),
                }
            }
            collisions += self.resolve_instant(t, &met, to, sink)?;
            if collisions > self.options.most_collisions {
                return Err(self.runaway(&met[0], collisions, from, to).into());
            }
        }
        self.complete(to, sink)
    }

    /// The end of a frame: all laws at `to`, all at once where that is possible.
    fn complete(&mut self, to: f64, sink: &mut Events<'_>) -> Result<(), Stop> {
        let mut rest = Vec::new();
        for class in self.world.layout.classes.ids() {
            self.world.commit_class(class, to, &mut rest)?;
        }
        self.world.commit_all(&rest, to)?;
        self.reshape(&rest)?;
        for class in self.world.layout.classes.ids() {
            if self.varying.resizes(&self.world.layout, class) {
                let members = self.world.layout.classes[class].members.clone();
                self.reshape(&members)?;
            }
        }
        self.search.remove_separated_bonds(&self.world);
        let (bonds, frame) = (&self.search.bonds, self.frame_length());
        let is_held = |(a, b): (ActorId, ActorId)| bonds.get(a, b) == Some(Bond::Together);
        self.search.returns.forget_before(to - frame, is_held);
        self.measure_contacts(to, Some(sink))
    }

    fn runaway(&self, entry: &Entry, count: u64, from: f64, to: f64) -> Box<Diagnostic> {
        let [a, b] = [entry.a, entry.b].map(|it| &self.world.layout.names[it]);
        let span = self.world.layout.object(self.world.experiment, entry.a).span;
        let diverges = self.energy_added(from);
        let [t, from, to] = [entry.time, from, to].map(Value::Real);
        let most = self.options.most_collisions;
        let count_told = format!("more than {most} collisions in one frame: the run is stopped");
        let (message, help) = match diverges {
            Some(diverges) => (format!("{diverges}; {count_told}"), ADVICE),
            None => (
                count_told,
                "a contact context lets objects rest; a larger `touching tolerance` lets small bounces count as rest",
            ),
        };
        Box::new(
            Diagnostic::new(Code::E804, span, message)
                .label(format!("`{a}` and `{b}` meet again and again"))
                .note(format!("{count} collisions between t = {from} and t = {to}, the last at t = {t}"))
                .help(help),
        )
    }
}

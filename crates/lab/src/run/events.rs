//! Events and notices of a step.

use super::divergence::{self, Divergence};
use super::options::Stop;
use super::rows::Rows;
use super::values::Values;
use gedanken_math::Cancel;
use gedanken_recording::{Event, EventKind, Notice, Sink};
use std::collections::BTreeSet;

/// Takes what happens within a step to the sink.
pub(crate) struct Events<'r> {
    pub(super) sink: &'r mut dyn Sink,
    pub(super) cancel: &'r Cancel,
    pub(super) divergence: &'r Divergence,
    pub(super) rows: &'r mut Rows,
    /// Number of events so far.
    pub(super) count: &'r mut u64,
    /// Number of events before the last frame.
    pub(super) before_frame: u64,
    /// Keys of notices that have been told.
    pub(super) told: &'r mut BTreeSet<String>,
}

/// Something that happened, without its number.
pub(crate) struct Happened {
    /// When.
    pub(crate) time: f64,
    pub(crate) kind: EventKind,
    /// Place among the contexts of the schema.
    pub(crate) context: Option<usize>,
    /// Objects that took part, as in [`Event::objects`].
    pub(crate) objects: Vec<usize>,
    pub(crate) given: Vec<(String, Vec<f64>)>,
    /// Rows before and after, as [`Events::row`] makes them.
    pub(crate) before: Vec<f64>,
    pub(crate) after: Vec<f64>,
}

impl Events<'_> {
    /// Number of events since the last frame.
    pub(crate) fn since_frame(&self) -> u64 {
        *self.count - self.before_frame
    }

    /// Row of an event of these objects: the world's quantities, theirs by name, and measures.
    pub(crate) fn row(&mut self, values: &dyn Values, objects: &[usize]) -> Result<Vec<f64>, Stop> {
        let mut notices = Vec::new();
        let row = self.rows.of_event(values, objects, &mut notices);
        // A measure that was cancelled has no value, which is not to be told.
        self.cancel.check()?;
        self.notices(notices)?;
        Ok(row)
    }

    /// Tells an event, unless the run was cancelled, since what is known of it then may be incomplete.
    pub(crate) fn event(&mut self, happened: Happened) -> Result<(), Stop> {
        self.cancel.check()?;
        let Happened { time, kind, context, objects, given, before, after } = happened;
        *self.count += 1;
        let count = self.since_frame();
        if self.divergence.is_rising(count) && !self.told.contains(divergence::KEY) {
            let message = self.divergence.events_rise(count, context, &objects);
            self.warn(divergence::KEY, time, message)?;
        }
        let index = *self.count - 1;
        let event = Event { index, time, kind, context, objects, given, before, after };
        Ok(self.sink.take_event(event)?)
    }

    /// Tells at once what cannot wait for the end of the run, once for each key.
    pub(super) fn warn(&mut self, key: &str, time: f64, message: String) -> Result<(), Stop> {
        if self.told.insert(key.to_owned()) {
            self.sink.warn(&Notice { time, message })?;
        }
        Ok(())
    }

    /// Tells something, once for each key.
    pub(crate) fn notice(&mut self, key: String, time: f64, message: String) -> Result<(), Stop> {
        if self.told.insert(key) {
            self.sink.notice(&Notice { time, message })?;
        }
        Ok(())
    }

    /// Tells these, each message once.
    pub(crate) fn notices(&mut self, notices: Vec<Notice>) -> Result<(), Stop> {
        notices.into_iter().try_for_each(|it| self.notice(it.message.clone(), it.time, it.message))
    }
}

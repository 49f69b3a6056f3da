//! A workspace: the state of one page. Its text, its runs with their recordings, its session of the language.
//!
//! Requests are handled one after the other; replies go to the [`Outbox`]. A run has a thread of its own,
//! which fills a recording that requests read while it grows. The workspace knows no socket, so that it can
//! serve a page in any other way.
//!
//! `text` checks the experiment and helps the editor; `run_slot` starts and cancels runs, `run_thread` runs
//! them, `run_ticket` limits how many run at once, `time_limit` how long, and `stream` sends poses and events
//! meanwhile; `recordings` keeps the results, from which `query` answers; `scene` describes the bodies;
//! `derivation` derives equations, `session` evaluates, `previews` shows experiments before they are opened.

mod derivation;
mod previews;
mod query;
mod recordings;
mod run_slot;
mod run_thread;
mod run_ticket;
mod scene;
mod session;
mod stream;
mod text;
mod time_limit;

use crate::server::{Disconnected, Library, Outbox, Saved};
use crate::wire::{Origin, Problem, Reply, Request};
use derivation::Derivations;
use gedanken_math::Cancel;
use previews::Previews;
use run_slot::RunSlot;
use run_thread::RunRequest;
use session::LanguageSession;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use text::Text;

/// Stack size of threads, that of the main thread: laws are trees, and walks over them recurse.
const STACK_BYTES: usize = 8 << 20;

/// Limits of a run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Maximum wall time in seconds.
    pub(crate) seconds: f64,
    /// Maximum size of the recording in bytes.
    pub(crate) bytes: u64,
    /// Maximum size in bytes of the poses that are sent unrequested in a whole run: more bodies, fewer
    /// frames.
    pub(crate) pose_bytes: u64,
    /// Maximum number of events that are sent unrequested.
    pub(crate) events: u32,
}

/// State of one page.
pub(crate) struct Workspace {
    library: Arc<Library>,
    outbox: Outbox,
    limits: Limits,
    /// `true` if the page has shown the secret of the lab.
    may_save: bool,
    text: Option<Arc<Text>>,
    origin: Origin,
    runs: RunSlot,
    /// Started by the first input.
    session: Option<LanguageSession>,
    /// Started by the first request for equations.
    derivations: Option<Derivations>,
    /// Started by the first request for a preview.
    previews: Option<Previews>,
}

impl Workspace {
    /// Makes an empty workspace.
    pub(crate) fn new(library: Arc<Library>, outbox: Outbox, limits: Limits, may_save: bool) -> Self {
        Self {
            library,
            outbox,
            limits,
            may_save,
            text: None,
            origin: Origin::Page {},
            runs: RunSlot::default(),
            session: None,
            derivations: None,
            previews: None,
        }
    }

    /// Handles a request. Replies go to the outbox, now or later; runs end with the workspace. `cancel` ends
    /// the check of a text that is stale by now, and then nothing is replied.
    pub(crate) fn handle(&mut self, request: Request, cancel: &Cancel) {
        let about = RequestTarget::of(&request);
        // Whatever breaks is one answer: the text, the runs and the session are each whole or as they were.
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer(request, cancel)));
        let reply = match answered {
            Ok(Ok(()) | Err(Refusal::Disconnected)) => return,
            Ok(Err(Refusal::Refused(why))) => about.refused(why),
            Err(payload) => about.broken(run_thread::internal_error(&*payload, "the answer")),
        };
        // A page that has gone needs no answer.
        let _ = self.outbox.send(reply);
    }

    fn answer(&mut self, request: Request, cancel: &Cancel) -> Result<(), Refusal> {
        let reply = match request {
            Request::Edit { revision, origin, text, settings } => {
                if let Some(derivations) = &self.derivations {
                    derivations.cancel();
                }
                let checked = Text::check(&self.library, revision, &origin, text, &settings, cancel);
                let Some((text, reply)) = checked else { return Ok(()) };
                // Imports of the session are searched beside the text that is edited now.
                if let Some(session) = &self.session {
                    session.move_to(&origin);
                }
                (self.text, self.origin) = (Some(Arc::new(text)), origin);
                reply
            }
            Request::Run { run, revision, simulation, coarse } => {
                let current = self.text.as_ref().filter(|it| it.revision == revision);
                // A stale text, or one whose errors the page has got, is not run: the page knows.
                let Some(text) = current.filter(|it| it.experiment.is_some()) else { return Ok(()) };
                let request = RunRequest { run, simulation, coarse };
                self.runs.start(Arc::clone(text), request, self.outbox.clone(), self.limits)?;
                return Ok(());
            }
            Request::Cancel { run } => {
                self.runs.cancel(run);
                return Ok(());
            }
            Request::Read { id, run, formulas, from, to, most, events } => {
                let request = query::columns::ColumnsRequest { formulas, from, to, most, events };
                self.outbox.send_chunk(query::columns::read(&*self.runs.find(run)?, id, &request))?;
                return Ok(());
            }
            Request::Poses { id, run, first, last, stride } => {
                self.outbox.send_chunk(self.runs.find(run)?.answer_poses(id, first, last, stride))?;
                return Ok(());
            }
            Request::Values { id, run, moment, object } => {
                query::tables::values(&*self.runs.find(run)?, id, moment, object.as_deref())?
            }
            Request::Event { id, run, index } => query::tables::table(&*self.runs.find(run)?, id, index)?,
            Request::Events { id, run, filter, skip, most } => {
                query::event_list::list(&*self.runs.find(run)?, id, &filter, skip, most)?
            }
            Request::Evaluate { id, input } => {
                self.session()?.send(id, input)?;
                return Ok(());
            }
            Request::Complete { id, revision, at } => {
                text::editor_help::complete(self.text(revision)?, id, at)
            }
            Request::Hover { id, revision, at } => text::editor_help::hover(self.text(revision)?, id, at),
            Request::Derive { id, revision } => {
                let text = Arc::clone(self.text(revision)?);
                self.derivations()?.send(id, text)?;
                return Ok(());
            }
            Request::Library { id } => Reply::Library { id, entries: self.library.entries() },
            Request::Preview { id, origin } => {
                self.previews()?.send(id, origin)?;
                return Ok(());
            }
            Request::Open { id, origin } => {
                let opened = self.library.open(&origin)?;
                Reply::Opened { id, origin, text: opened.text, file_version: opened.version }
            }
            Request::Disk { id, name, known } => {
                let disk = self.library.look(&name)?;
                let is_known = disk.version() == known.as_deref();
                Reply::Disk { id, disk: (!is_known).then_some(disk) }
            }
            Request::Save { id, name, text, base } => {
                if !self.may_save {
                    let why = "guests may read and run, but only the secret of the lab lets one save";
                    return Err(Refusal::Refused(why.to_owned()));
                }
                match self.library.save(&name, &text, base.as_deref())? {
                    Saved::Written { origin, version } => Reply::Saved { id, origin, file_version: version },
                    Saved::Differs { origin, disk } => Reply::Conflict { id, origin, disk },
                }
            }
        };
        Ok(self.outbox.send(reply)?)
    }

    /// Returns the text, if its revision is this one.
    fn text(&self, revision: u32) -> Result<&Arc<Text>, String> {
        let current = self.text.as_ref().filter(|it| it.revision == revision);
        current.ok_or_else(|| "the text has changed since".to_owned())
    }

    fn session(&mut self) -> Result<&LanguageSession, String> {
        let started = match self.session.take() {
            Some(started) => started,
            None => {
                LanguageSession::start(Arc::clone(&self.library), self.outbox.clone(), self.origin.clone())?
            }
        };
        Ok(self.session.insert(started))
    }

    fn derivations(&mut self) -> Result<&mut Derivations, String> {
        let started = match self.derivations.take() {
            Some(started) => started,
            None => Derivations::start(self.outbox.clone())?,
        };
        Ok(self.derivations.insert(started))
    }

    fn previews(&mut self) -> Result<&Previews, String> {
        let started = match self.previews.take() {
            Some(started) => started,
            None => Previews::start(Arc::clone(&self.library), self.outbox.clone())?,
        };
        Ok(self.previews.insert(started))
    }
}

/// Reason why a request has no reply.
enum Refusal {
    /// The request is refused, for this reason.
    Refused(String),
    /// The page is disconnected.
    Disconnected,
}

impl From<String> for Refusal {
    fn from(why: String) -> Self {
        Self::Refused(why)
    }
}

impl From<Disconnected> for Refusal {
    fn from(_: Disconnected) -> Self {
        Self::Disconnected
    }
}

/// Subject of a request: decides which reply reports a failure.
#[derive(Clone, Copy)]
enum RequestTarget {
    Text(u32),
    Question(u32),
    Run,
}

impl RequestTarget {
    fn of(request: &Request) -> Self {
        match request {
            Request::Edit { revision, .. } => Self::Text(*revision),
            Request::Run { .. } | Request::Cancel { .. } => Self::Run,
            Request::Read { id, .. }
            | Request::Poses { id, .. }
            | Request::Values { id, .. }
            | Request::Event { id, .. }
            | Request::Events { id, .. }
            | Request::Evaluate { id, .. }
            | Request::Complete { id, .. }
            | Request::Hover { id, .. }
            | Request::Derive { id, .. }
            | Request::Library { id }
            | Request::Preview { id, .. }
            | Request::Open { id, .. }
            | Request::Disk { id, .. }
            | Request::Save { id, .. } => Self::Question(*id),
        }
    }

    fn refused(self, why: String) -> Reply {
        match self {
            Self::Question(id) => Reply::Refused { id, why },
            Self::Text(_) | Self::Run => Reply::Fault { why },
        }
    }

    /// Returns the reply after an internal error.
    fn broken(self, bug: Problem) -> Reply {
        match self {
            Self::Text(revision) => Reply::Checked {
                revision,
                sound: false,
                problems: vec![bug],
                formulas: Vec::new(),
                numbers: Vec::new(),
                simulations: Vec::new(),
            },
            Self::Question(_) | Self::Run => self.refused(bug.message),
        }
    }
}

#[cfg(test)]
mod tests;

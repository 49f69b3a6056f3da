//! A workspace: the state of one page. Its text, its runs with their recordings, its session of the language.
//!
//! Requests are handled one after the other; replies go to the [`Outbox`]. A run has a thread of its own,
//! which fills a recording that requests read while it grows. The workspace knows no socket, so that it can
//! serve a page in any other way.
//!
//! `text` checks the experiment and helps the editor, `checks` does so on a thread of its own when it is the
//! page's turn, which `check_gate` decides; `run_slot` starts and cancels runs, `run_thread` runs
//! them, `run_ticket` limits how many run at once, `time_limit` how long, and `stream` sends poses and events
//! meanwhile;
//! `recordings` keeps the results, from which `query` answers; `scene` describes the bodies; `derivation`
//! derives equations, `session` evaluates, `previews` shows experiments before they are opened.

mod check_gate;
mod checks;
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
use crate::wire::{Origin, Reply, Request};
use checks::Checks;
use derivation::Derivations;
use gedanken_math::Cancel;
use previews::Previews;
use run_slot::RunSlot;
use run_thread::RunRequest;
use session::LanguageSession;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use text::{Text, WrittenText};

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
    checks: Checks,
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
            checks: Checks::new(Arc::clone(&library), outbox.clone()),
            library,
            outbox,
            limits,
            may_save,
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
            Err(payload) => about.refused(run_thread::internal_error(&*payload, "the answer").message),
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
                // Imports of the session are searched beside the text that is edited now.
                if let Some(session) = &self.session {
                    session.move_to(&origin);
                }
                self.origin = origin.clone();
                self.checks.edit(WrittenText::new(revision, origin, text, settings, cancel.clone()))?;
                return Ok(());
            }
            Request::Run { run, revision, simulation, coarse, forces } => {
                let current = self.checks.checked(revision);
                // A stale text, or one whose errors the page has got, is not run: the page knows.
                let Some(text) = current.filter(|it| it.experiment.is_some()) else { return Ok(()) };
                let request = RunRequest { run, simulation, coarse, forces };
                self.runs.start(text, request, self.outbox.clone(), self.limits)?;
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
            Request::Contacts { id, run, time } => {
                query::contacts::contacts(&*self.runs.find(run)?, id, time)?
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
                text::editor_help::complete(&*self.written(revision)?, id, at)
            }
            Request::Hover { id, revision, at } => {
                text::editor_help::hover(&*self.written(revision)?, id, at)
            }
            Request::Derive { id, revision } => {
                let text = self.text(revision)?;
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

    /// Returns the text as it is written, if its revision is this one.
    fn written(&self, revision: u32) -> Result<Arc<WrittenText>, String> {
        self.checks.written(revision).ok_or_else(|| "the text has changed since".to_owned())
    }

    /// Returns the checked text, if its revision is this one.
    fn text(&self, revision: u32) -> Result<Arc<Text>, String> {
        self.checks.checked(revision).ok_or_else(|| "the text has changed since".to_owned())
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
    Question(u32),
    Other,
}

impl RequestTarget {
    fn of(request: &Request) -> Self {
        match request {
            Request::Edit { .. } | Request::Run { .. } | Request::Cancel { .. } => Self::Other,
            Request::Read { id, .. }
            | Request::Poses { id, .. }
            | Request::Values { id, .. }
            | Request::Contacts { id, .. }
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
            Self::Other => Reply::Fault { why },
        }
    }
}

#[cfg(test)]
mod tests;

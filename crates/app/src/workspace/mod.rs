//! A desk: what one page works at. Its text, its runs with their recordings, its session of the language.
//!
//! Questions come in one after the other, answers go out by the [`Line`]. A run has a thread of its own,
//! which fills a recording that questions read while it grows. It knows no socket, so that the same desk can
//! serve a page in any other way.
//!
//! `text` checks, `problem` and `units` say where; `run` runs, with `order` for who may, `scene` for what
//! there is to see and `teller` for what is told meanwhile; `kept` is a recording that is asked, by `read`,
//! `tables` and `list`; `names`, `track` and `shape` say what its columns mean to the eye; `help` is for who
//! writes, `derivation` for who states energies, `session` evaluates, `preview` looks into experiments before
//! they are opened.

mod derivation;
mod previews;
mod recordings;
mod run_thread;
mod run_ticket;
mod scene;
mod session;
mod stream;
mod text;

use crate::server::{Gone, Line, Shelf, is_same};
use crate::wire::{Ask, Origin, Problem, Tell};
use derivation::Derivations;
use previews::Previews;
use run_thread::Runs;
use session::Conversation;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use text::Text;

/// Laws are trees, and who walks over them recurses: threads get as much room as the main one has.
const STACK: usize = 8 << 20;

/// What a run may take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Seconds.
    pub(crate) seconds: f64,
    /// Bytes of recording.
    pub(crate) bytes: u64,
    /// Bytes of poses that come by themselves, for a whole run: more bodies, fewer frames.
    pub(crate) pose_bytes: u64,
    /// Events that are told by themselves.
    pub(crate) events: u32,
}

/// What one page works at.
pub(crate) struct Desk {
    shelf: Arc<Shelf>,
    line: Line,
    limits: Limits,
    /// Who saves must know it.
    token: String,
    text: Option<Arc<Text>>,
    origin: Origin,
    runs: Runs,
    /// Begun by the first input.
    conversation: Option<Conversation>,
    /// Begun by the first text whose equations are asked for.
    derivations: Option<Derivations>,
    /// Begun by the first that is asked for.
    previews: Option<Previews>,
}

impl Desk {
    /// An empty desk.
    pub(crate) fn new(shelf: Arc<Shelf>, line: Line, limits: Limits, token: String) -> Self {
        Self {
            shelf,
            line,
            limits,
            token,
            text: None,
            origin: Origin::Page {},
            runs: Runs::default(),
            conversation: None,
            derivations: None,
            previews: None,
        }
    }

    /// Takes a question. Answers go by the line, now or later; runs that go on end with the desk.
    pub(crate) fn ask(&mut self, ask: Ask) {
        let about = About::of(&ask);
        // Whatever breaks is one answer: the text, the runs and the session are each whole or as they were.
        let answered = catch_unwind(AssertUnwindSafe(|| self.answer(ask)));
        let tell = match answered {
            Ok(Ok(()) | Err(Trouble::Gone)) => return,
            Ok(Err(Trouble::Refused(why))) => about.refused(why),
            Err(payload) => about.broken(run_thread::our_bug(&*payload, "the answer")),
        };
        // A page that has gone needs no answer.
        let _ = self.line.tell(tell);
    }

    fn answer(&mut self, ask: Ask) -> Result<(), Trouble> {
        let tell = match ask {
            Ask::Edit { revision, origin, text, settings } => {
                let (text, tell) = Text::check(&self.shelf, revision, &origin, text, &settings);
                if let Some(conversation) = &self.conversation {
                    conversation.move_to(&origin);
                }
                (self.text, self.origin) = (Some(Arc::new(text)), origin);
                tell
            }
            Ask::Run { run, revision, simulation, coarse } => {
                let current = self.text.as_ref().filter(|it| it.revision == revision);
                // What is stale, or was told to be wrong, is not run.
                let Some(text) = current.filter(|it| it.experiment.is_some()) else { return Ok(()) };
                let wanted = run_thread::Wanted { run, simulation, coarse };
                self.runs.start(Arc::clone(text), wanted, self.line.clone(), self.limits)?;
                return Ok(());
            }
            Ask::Cancel { run } => {
                self.runs.cancel(run);
                return Ok(());
            }
            Ask::Read { id, run, formulas, from, to, most, events } => {
                let wanted = query::columns::Wanted { formulas, from, to, most, events };
                self.line.chunk(query::columns::read(&*self.runs.find(run)?, id, &wanted))?;
                return Ok(());
            }
            Ask::Poses { id, run, first, last, stride } => {
                self.line.chunk(self.runs.find(run)?.answer_poses(id, first, last, stride))?;
                return Ok(());
            }
            Ask::Look { id, run, moment, object } => {
                query::tables::values(&*self.runs.find(run)?, id, moment, object.as_deref())?
            }
            Ask::Event { id, run, index } => query::tables::table(&*self.runs.find(run)?, id, index)?,
            Ask::Events { id, run, filter, skip, most } => {
                query::event_list::list(&*self.runs.find(run)?, id, &filter, skip, most)?
            }
            Ask::Evaluate { id, input } => {
                self.conversation()?.ask(id, input)?;
                return Ok(());
            }
            Ask::Complete { id, revision, at } => text::editor_help::complete(self.text(revision)?, id, at),
            Ask::Hover { id, revision, at } => text::editor_help::hover(self.text(revision)?, id, at),
            Ask::Derive { id, revision } => {
                let text = Arc::clone(self.text(revision)?);
                self.derivations()?.ask(id, text)?;
                return Ok(());
            }
            Ask::Library { id } => Tell::Library { id, entries: self.shelf.entries() },
            Ask::Preview { id, origin } => {
                self.previews()?.ask(id, origin)?;
                return Ok(());
            }
            Ask::Open { id, origin } => {
                let text = self.shelf.read(&origin)?;
                Tell::Opened { id, origin, text }
            }
            Ask::Save { id, token, name, text, replace } => {
                if !is_same(&token, &self.token) {
                    let why = "only the page that the server gave out may save: load it anew".to_owned();
                    return Err(Trouble::Refused(why));
                }
                Tell::Saved { id, origin: self.shelf.save(&name, &text, replace)? }
            }
        };
        Ok(self.line.tell(tell)?)
    }

    /// The text, if it is this one.
    fn text(&self, revision: u32) -> Result<&Arc<Text>, String> {
        let current = self.text.as_ref().filter(|it| it.revision == revision);
        current.ok_or_else(|| "the text has changed since".to_owned())
    }

    fn conversation(&mut self) -> Result<&Conversation, String> {
        let begun = match self.conversation.take() {
            Some(begun) => begun,
            None => Conversation::begin(Arc::clone(&self.shelf), self.line.clone(), self.origin.clone())?,
        };
        Ok(self.conversation.insert(begun))
    }

    fn derivations(&mut self) -> Result<&Derivations, String> {
        let begun = match self.derivations.take() {
            Some(begun) => begun,
            None => Derivations::begin(self.line.clone())?,
        };
        Ok(self.derivations.insert(begun))
    }

    fn previews(&mut self) -> Result<&Previews, String> {
        let begun = match self.previews.take() {
            Some(begun) => begun,
            None => Previews::begin(Arc::clone(&self.shelf), self.line.clone())?,
        };
        Ok(self.previews.insert(begun))
    }
}

/// Why there is no answer.
enum Trouble {
    /// In a sentence.
    Refused(String),
    /// Nobody listens.
    Gone,
}

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Self::Refused(why)
    }
}

impl From<Gone> for Trouble {
    fn from(_: Gone) -> Self {
        Self::Gone
    }
}

/// What a question was about: whoever waits for an answer gets one.
#[derive(Clone, Copy)]
enum About {
    Text(u32),
    Question(u32),
    Run,
}

impl About {
    fn of(ask: &Ask) -> Self {
        match ask {
            Ask::Edit { revision, .. } => Self::Text(*revision),
            Ask::Run { .. } | Ask::Cancel { .. } => Self::Run,
            Ask::Read { id, .. }
            | Ask::Poses { id, .. }
            | Ask::Look { id, .. }
            | Ask::Event { id, .. }
            | Ask::Events { id, .. }
            | Ask::Evaluate { id, .. }
            | Ask::Complete { id, .. }
            | Ask::Hover { id, .. }
            | Ask::Derive { id, .. }
            | Ask::Library { id }
            | Ask::Preview { id, .. }
            | Ask::Open { id, .. }
            | Ask::Save { id, .. } => Self::Question(*id),
        }
    }

    fn refused(self, why: String) -> Tell {
        match self {
            Self::Question(id) => Tell::Refused { id, why },
            Self::Text(_) | Self::Run => Tell::Fault { why },
        }
    }

    /// After a mistake of ours.
    fn broken(self, bug: Problem) -> Tell {
        match self {
            Self::Text(revision) => Tell::Checked {
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

pub mod query;
#[cfg(test)]
mod tests;

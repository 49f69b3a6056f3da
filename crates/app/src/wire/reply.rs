//! What the page is told.

use super::{Completion, Derived, Formula, Number, Origin, Problem, Scene, SessionOutput, TableRow, Word};
use serde::Serialize;

/// A message to the page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Reply {
    /// The first message on every connection.
    Welcome {
        /// Of the program.
        version: String,
        /// The folder, if there is one; experiments can be saved in it.
        folder: Option<String>,
        /// What the server was started with, to be shown unless the page has something itself.
        origin: Origin,
        /// Its text.
        text: String,
        /// Settings that the server was started with.
        settings: Vec<String>,
        /// The words of the language, for colours.
        words: Vec<Word>,
    },
    /// A text was looked at.
    Checked {
        /// Which.
        revision: u32,
        /// Whether it can run.
        sound: bool,
        /// Errors and warnings, in the order of the text.
        problems: Vec<Problem>,
        /// Laws and measures.
        formulas: Vec<Formula>,
        /// Numbers.
        numbers: Vec<Number>,
        /// The names of its simulations; empty unless it is sound.
        simulations: Vec<String>,
    },
    /// A run begins.
    Started {
        /// Which.
        run: u32,
        /// Of which text.
        revision: u32,
        /// Whether it has fewer frames than was written.
        coarse: bool,
        /// What there is to see.
        scene: Scene,
    },
    /// Events happened, in order of time.
    Happened {
        /// In which run.
        run: u32,
        /// Of which text.
        revision: u32,
        /// The next events; after the first so many none are told, and `events` asks for them.
        events: Vec<EventInfo>,
    },
    /// How far a run has come.
    Progress {
        /// Which.
        run: u32,
        /// Of which text.
        revision: u32,
        /// Frames so far, frame 0 among them.
        frames: u32,
        /// The time of the last one.
        time: f64,
        /// Events so far.
        events: u32,
    },
    /// A run has ended. Its recording stays until two later runs have started.
    Ended {
        /// Which.
        run: u32,
        /// Of which text.
        revision: u32,
        /// How.
        ending: Ending,
        /// Frames, frame 0 among them.
        frames: u32,
        /// The time of the last one.
        time: f64,
        /// Events.
        events: u32,
        /// What the run had to say, each thing once.
        notices: Vec<String>,
        /// What was measured, beside what was expected.
        verdicts: Vec<Verdict>,
        /// The fingerprint of the last frame: 16 hexadecimal digits.
        hash: String,
        /// How long it took, in seconds.
        took: f64,
    },
    /// All values of one owner at one moment.
    Values {
        /// Of the question.
        id: u32,
        /// Of which run.
        run: u32,
        /// Of which text.
        revision: u32,
        /// When: of the frame, or of the event; of the frame before it, if the object takes no part in the
        /// event.
        time: f64,
        /// What.
        rows: Vec<TableRow>,
    },
    /// Everything before and after an event.
    Table {
        /// Of the question.
        id: u32,
        /// Of which run.
        run: u32,
        /// Of which text.
        revision: u32,
        /// Which event.
        event: EventInfo,
        /// What the engine measured: where they met, and each object's normal; and what a collision's context
        /// keeps.
        given: Vec<TableRow>,
        /// The world, the objects, their context attributes, the measures.
        rows: Vec<TableRow>,
    },
    /// Events that passed a filter.
    List {
        /// Of the question.
        id: u32,
        /// Of which run.
        run: u32,
        /// Of which text.
        revision: u32,
        /// How many pass.
        total: u32,
        /// Those that were asked for.
        events: Vec<EventInfo>,
    },
    /// What the session of the language says.
    Evaluated {
        /// Of the question.
        id: u32,
        /// The number of the input; `None` if it is not complete, and goes on in the next line.
        input: Option<u32>,
        /// Its answers.
        replies: Vec<SessionOutput>,
    },
    /// What can stand at a place.
    Completions {
        /// Of the question.
        id: u32,
        /// What is typed already begins here.
        start: u32,
        /// And ends here.
        end: u32,
        /// Best first.
        items: Vec<Completion>,
    },
    /// What stands at a place.
    Hovered {
        /// Of the question.
        id: u32,
        /// From here.
        start: u32,
        /// To here.
        end: u32,
        /// About it; empty if there is nothing to say.
        text: String,
    },
    /// What follows from the energies in a text.
    Derived {
        /// Of the question.
        id: u32,
        /// Of which text.
        revision: u32,
        /// One for each `lagrangian` block, in the order of the text; none if the text is not sound.
        systems: Vec<Derived>,
    },
    /// All experiments.
    Library {
        /// Of the question.
        id: u32,
        /// By name: those of the folder, then those of the gallery.
        entries: Vec<LibraryEntry>,
    },
    /// An experiment at its start.
    Previewed {
        /// Of the question.
        id: u32,
        /// What there is to see, without quantities.
        scene: Scene,
        /// For each body of the scene, where it goes: x, y, z of a few moments.
        paths: Vec<Vec<f32>>,
    },
    /// The text of an experiment.
    Opened {
        /// Of the question.
        id: u32,
        /// Which.
        origin: Origin,
        /// What it says.
        text: String,
    },
    /// An experiment was written.
    Saved {
        /// Of the question.
        id: u32,
        /// Where.
        origin: Origin,
    },
    /// A question cannot be answered.
    Refused {
        /// Of the question.
        id: u32,
        /// Why, in a sentence.
        why: String,
    },
    /// A message was not understood, or the server is too busy. The connection goes on.
    Fault {
        /// Why, in a sentence.
        why: String,
    },
}

/// How a run ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "how", rename_all = "snake_case")]
pub(crate) enum Ending {
    /// All frames are there.
    Complete {},
    /// The page wanted it.
    Cancelled {},
    /// A law failed, or the run could not go on. What was computed stays.
    Failed {
        /// Why and where.
        problem: Box<Problem>,
    },
    /// It took more time or memory than a run may.
    Bounded {
        /// Which bound, and the way out.
        why: String,
    },
}

/// Something that happened.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EventInfo {
    /// Counts from 0.
    pub(crate) index: u32,
    /// When.
    pub(crate) time: f64,
    /// `free fall`, `collision`, `contact` or `phenomenon`.
    pub(crate) kind: String,
    /// The context that was applied.
    pub(crate) context: Option<String>,
    /// Who took part: indices into the bodies of the scene.
    pub(crate) bodies: Vec<u32>,
    /// Where each of them was then: position, then quaternion w, x, y, z.
    pub(crate) poses: Vec<[f64; 7]>,
    /// Where they met, in a collision.
    pub(crate) point: Option<[f64; 3]>,
}

/// A measure at the time it is meant for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Verdict {
    /// Its name.
    pub(crate) name: String,
    /// When it was looked at.
    pub(crate) time: f64,
    /// What it was; `None` if the run did not come that far.
    pub(crate) value: Option<String>,
    /// What was expected, if anything was.
    pub(crate) expected: Option<String>,
    /// Whether it is as expected.
    pub(crate) ok: Option<bool>,
}

/// An experiment that can be opened.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LibraryEntry {
    /// Which.
    pub(crate) origin: Origin,
    /// Its name, without ending.
    pub(crate) name: String,
    /// What it is about: its first sentence.
    pub(crate) summary: String,
    /// The comment that it begins with: the theory.
    pub(crate) theory: String,
    /// The measures it ends in.
    pub(crate) measures: Vec<String>,
}

//! Replies: the messages to the page.

use super::{Completion, Derived, Formula, Number, Origin, Problem, Scene, SessionOutput, TableRow, Word};
use serde::Serialize;

/// A point at which two bodies push each other.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ContactPoint {
    /// Indices of the bodies; `None` for the world.
    pub(crate) bodies: [Option<u32>; 2],
    /// The point.
    pub(crate) point: [f64; 3],
    /// The unit normal, from the first to the second.
    pub(crate) normal: [f64; 3],
    /// The force on the second, N.
    pub(crate) force: [f64; 3],
}

/// A message to the page.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Reply {
    /// The first message on every connection.
    Welcome {
        /// Version of the program.
        version: String,
        /// The folder, if there is one; experiments can be saved in it.
        folder: Option<String>,
        /// Identifier of the folder, the same at every start; empty without folder.
        folder_id: String,
        /// Experiment that the server was started with; shown unless the page brings its own.
        origin: Origin,
        /// Text of the experiment.
        text: String,
        /// Version of its file; `None` if it is not in the folder.
        file_version: Option<String>,
        /// Settings that the server was started with.
        settings: Vec<String>,
        /// Words of the language, for syntax colours.
        words: Vec<Word>,
    },
    /// A text was checked.
    Checked {
        /// Revision of the text.
        revision: u32,
        /// `true` if it can run.
        sound: bool,
        /// The first errors and warnings, in the order of the text.
        problems: Vec<Problem>,
        /// Number of further errors.
        more_errors: u32,
        /// Number of further warnings.
        more_warnings: u32,
        /// Laws and measures as formulas.
        formulas: Vec<Formula>,
        /// Numbers in the text.
        numbers: Vec<Number>,
        /// The names of its simulations; empty unless it is sound.
        simulations: Vec<String>,
    },
    /// A run begins.
    Started {
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// `true` if it has fewer frames than the experiment says.
        coarse: bool,
        /// Scene of the run.
        scene: Scene,
    },
    /// Events happened, in order of time.
    Happened {
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// The next events. After a limit no more are sent; the request `events` returns them.
        events: Vec<EventInfo>,
    },
    /// Progress of a run.
    Progress {
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// Number of frames so far, frame 0 included.
        frames: u32,
        /// Time of the last frame.
        time: f64,
        /// Number of events so far.
        events: u32,
    },
    /// A run that goes on has something to say that cannot wait for its end. It is among the notices of the
    /// end as well.
    Warned {
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// One sentence, with the remedy.
        message: String,
    },
    /// A run has ended. Its recording stays until two later runs have started.
    Ended {
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// Reason of the end.
        ending: Ending,
        /// Number of frames, frame 0 included.
        frames: u32,
        /// Time of the last frame.
        time: f64,
        /// Number of events.
        events: u32,
        /// Notices of the run, each once.
        notices: Vec<String>,
        /// Measured values beside the expected ones.
        verdicts: Vec<Verdict>,
        /// The fingerprint of the last frame: 16 hexadecimal digits.
        hash: String,
        /// Wall time in seconds.
        took: f64,
    },
    /// All values of one owner at one moment.
    Values {
        /// Number of the request.
        id: u32,
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// Time of the frame or of the event; of the frame before the event, if the object takes no part in
        /// it.
        time: f64,
        /// Values, one per row.
        rows: Vec<TableRow>,
    },
    /// Contacts of a frame.
    Contacts {
        /// Number of the request.
        id: u32,
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// Time of the frame.
        time: f64,
        /// `true` if contacts are recorded in this run.
        recorded: bool,
        /// The contacts.
        contacts: Vec<ContactPoint>,
    },
    /// Everything before and after an event.
    Table {
        /// Number of the request.
        id: u32,
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// The event.
        event: EventInfo,
        /// Quantities that the engine measured (contact point, each object's normal), and those that the
        /// context of a collision keeps.
        given: Vec<TableRow>,
        /// The world, the objects, their context attributes, the measures.
        rows: Vec<TableRow>,
    },
    /// Events that passed a filter.
    List {
        /// Number of the request.
        id: u32,
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// Number of events that pass the filter.
        total: u32,
        /// Requested part of them.
        events: Vec<EventInfo>,
    },
    /// Output of the session of the language.
    Evaluated {
        /// Number of the request.
        id: u32,
        /// The number of the input; `None` if it is not complete, and goes on in the next line.
        input: Option<u32>,
        /// Outputs of the input.
        replies: Vec<SessionOutput>,
    },
    /// Completions at a position.
    Completions {
        /// Number of the request.
        id: u32,
        /// Start of the typed prefix.
        start: u32,
        /// End of the typed prefix.
        end: u32,
        /// Best first.
        items: Vec<Completion>,
    },
    /// Description of the word at a position.
    Hovered {
        /// Number of the request.
        id: u32,
        /// Start, in UTF-16 code units.
        start: u32,
        /// End, in UTF-16 code units.
        end: u32,
        /// Description; empty if there is none.
        text: String,
    },
    /// Equations that follow from the energies of a text.
    Derived {
        /// Number of the request.
        id: u32,
        /// Revision of the text.
        revision: u32,
        /// One for each `lagrangian` block, in the order of the text; none if the text is not sound.
        systems: Vec<Derived>,
    },
    /// All experiments.
    Library {
        /// Number of the request.
        id: u32,
        /// Entries by name: those of the folder, then those of the gallery.
        entries: Vec<LibraryEntry>,
    },
    /// An experiment at its start.
    Previewed {
        /// Number of the request.
        id: u32,
        /// Scene without quantities.
        scene: Scene,
        /// Path of each body of the scene: x, y, z at a few moments.
        paths: Vec<Vec<f32>>,
    },
    /// The text of an experiment.
    Opened {
        /// Number of the request.
        id: u32,
        /// Origin of the experiment.
        origin: Origin,
        /// Text of the experiment.
        text: String,
        /// Version of its file; `None` if it is not in the folder.
        file_version: Option<String>,
    },
    /// An experiment was written.
    Saved {
        /// Number of the request.
        id: u32,
        /// Origin of the saved experiment.
        origin: Origin,
        /// Version of its file.
        file_version: String,
    },
    /// An experiment was not written, because its file is not the one that the text began from.
    Conflict {
        /// Number of the request.
        id: u32,
        /// Name of the file, with its ending.
        origin: Origin,
        /// The file as it is.
        disk: OnDisk,
    },
    /// State of a file.
    Disk {
        /// Number of the request.
        id: u32,
        /// The file as it is; `None` if the page knows it.
        disk: Option<OnDisk>,
    },
    /// A request was refused.
    Refused {
        /// Number of the request.
        id: u32,
        /// Reason, in a sentence.
        why: String,
    },
    /// A message was not understood, or the server is too busy. The connection goes on.
    Fault {
        /// Reason, in a sentence.
        why: String,
    },
}

/// State of a file of the folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "is", rename_all = "snake_case")]
pub(crate) enum OnDisk {
    /// The file is a text.
    Text {
        /// The text, its lines ended by line feeds, without byte order mark.
        text: String,
        /// Version of the file.
        version: String,
    },
    /// The file cannot be shown.
    Unreadable {
        /// Reason, in a few words.
        why: String,
        /// Version of the file.
        version: String,
    },
    /// There is no file of this name.
    Absent {},
}

impl OnDisk {
    /// Returns the version of the file; `None` if there is none.
    pub(crate) fn version(&self) -> Option<&str> {
        match self {
            Self::Text { version, .. } | Self::Unreadable { version, .. } => Some(version),
            Self::Absent {} => None,
        }
    }
}

/// Reason why a run ended.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "how", rename_all = "snake_case")]
pub(crate) enum Ending {
    /// All frames are there.
    Complete {},
    /// The page cancelled it.
    Cancelled {},
    /// A law failed, or the run could not go on. What was computed stays.
    Failed {
        /// Reason and place.
        problem: Box<Problem>,
    },
    /// The run exceeded its limit of time or memory.
    Bounded {
        /// Limit that was exceeded, and a remedy.
        why: String,
    },
}

/// An event of a run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct EventInfo {
    /// Index of the event, from 0.
    pub(crate) index: u32,
    /// Time of the event.
    pub(crate) time: f64,
    /// `free fall`, `collision`, `contact` or `phenomenon`.
    pub(crate) kind: String,
    /// Context that was applied.
    pub(crate) context: Option<String>,
    /// Participants: indices of bodies of the scene.
    pub(crate) bodies: Vec<u32>,
    /// Pose of each participant at the event: position, then quaternion w, x, y, z.
    pub(crate) poses: Vec<[f64; 7]>,
    /// Contact point of a collision.
    pub(crate) point: Option<[f64; 3]>,
}

/// A measure at the time it is meant for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Verdict {
    /// Name.
    pub(crate) name: String,
    /// Time of the measurement.
    pub(crate) time: f64,
    /// Measured value; `None` if the run did not reach that time.
    pub(crate) value: Option<String>,
    /// Expected value, if there is one.
    pub(crate) expected: Option<String>,
    /// Largest difference that is allowed; `None` without expectation.
    pub(crate) tolerance: Option<f64>,
    /// Difference, in the component where it is largest; `None` without expectation, or if there is none.
    pub(crate) miss: Option<f64>,
    /// `true` if the value is within the tolerance; `None` without expectation.
    pub(crate) ok: Option<bool>,
}

/// An experiment that can be opened.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct LibraryEntry {
    /// Origin of the experiment.
    pub(crate) origin: Origin,
    /// Name of the experiment, without ending.
    pub(crate) name: String,
    /// Summary: the first sentence of the comment.
    pub(crate) summary: String,
    /// Theory: the comment that the text begins with.
    pub(crate) theory: String,
    /// Names of its measures.
    pub(crate) measures: Vec<String>,
}

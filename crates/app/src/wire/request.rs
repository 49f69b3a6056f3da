//! Requests: the messages from the page.

use serde::Deserialize;

/// A message from the page.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    /// The text, or a setting, has changed: it is checked, and may be run. Answered by `checked`, unless a newer
    /// text comes before the answer.
    Edit {
        /// Revision of the text; counts upwards.
        revision: u32,
        /// Origin of the text; imports are searched beside it.
        origin: Origin,
        /// Text of the experiment.
        text: String,
        /// Values set from outside: `restitution=0.5`, `ball.v=[0, 0, 1]`.
        settings: Vec<String>,
    },
    /// Run the text of a revision; a run that goes on is cancelled first.
    Run {
        /// Number of the run; counts upwards.
        run: u32,
        /// Revision of the text. If it is not the newest one, the request is stale and nothing happens.
        revision: u32,
        /// Name of the simulation; `None` for the first.
        simulation: Option<String>,
        /// `true` if fewer frames will do, as while a slider is dragged. Events are the same.
        coarse: bool,
        /// `true` if contacts, and forces of joints, are recorded though the experiment does not ask for them.
        #[serde(default)]
        forces: bool,
    },
    /// End a run. What it has recorded stays.
    Cancel {
        /// Number of the run.
        run: u32,
    },
    /// Formulas over time. Answered by a chunk of columns.
    Read {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Number of the run.
        run: u32,
        /// `ball.position`, `norm(ball.v)`, `t`, any expression over what is recorded.
        formulas: Vec<String>,
        /// Start of the time range. The point before it is included, so that a line reaches the edge.
        from: f64,
        /// End of the time range. The point after it is included.
        to: f64,
        /// Approximate maximum number of points per series; extremes are kept.
        most: u32,
        /// `true` to include the points on both sides of events.
        events: bool,
    },
    /// Poses of all moving bodies. Answered by a chunk of poses.
    Poses {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Number of the run.
        run: u32,
        /// First frame.
        first: u32,
        /// Last frame, included.
        last: u32,
        /// Number of frames from one to the next.
        stride: u32,
    },
    /// All values of one owner at one moment. Answered by `values`.
    Values {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Number of the run.
        run: u32,
        /// Moment of the values.
        moment: Moment,
        /// Name of the object; `None` for the world and the measures.
        object: Option<String>,
    },
    /// Contacts of rigid bodies in the frame nearest to a time. Answered by `contacts`.
    Contacts {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Number of the run.
        run: u32,
        /// The time.
        time: f64,
    },
    /// Everything before and after an event. Answered by `table`.
    Event {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Number of the run.
        run: u32,
        /// Index of the event.
        index: u32,
    },
    /// Events that pass a filter. Answered by `list`.
    Events {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Number of the run.
        run: u32,
        /// Filter that the events pass.
        filter: Filter,
        /// Number of events to skip.
        skip: u32,
        /// Maximum number of events.
        most: u32,
    },
    /// An input of the session of the language. Answered by `evaluated`.
    Evaluate {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Typed text.
        input: String,
    },
    /// Completions at a position of the newest text. Answered by `completions`.
    Complete {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Revision of the text.
        revision: u32,
        /// Position in the text.
        at: u32,
    },
    /// Description of the word at a position. Answered by `hovered`.
    Hover {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Revision of the text.
        revision: u32,
        /// Position in the text.
        at: u32,
    },
    /// Equations that follow from the energies of the newest text. Answered by `derived`.
    Derive {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Revision of the text.
        revision: u32,
    },
    /// All experiments of the gallery and of the folder. Answered by `library`.
    Library {
        /// Number of the request; the reply carries it too.
        id: u32,
    },
    /// Scene of an experiment at its start, and the paths of its objects. Answered by `previewed`.
    Preview {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Origin of the experiment.
        origin: Origin,
    },
    /// The text of an experiment. Answered by `opened`.
    Open {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Origin of the experiment.
        origin: Origin,
    },
    /// Write an experiment to the folder. Answered by `saved`; guests are refused.
    Save {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// The name of the file.
        name: String,
        /// Text to write.
        text: String,
        /// Version of the file that the text began from. It is written only over this version; for `None`,
        /// only if there is no file of this name. Otherwise answered by `conflict`.
        base: Option<String>,
    },
    /// State of a file of the folder, if it has changed. Answered by `disk`.
    Disk {
        /// Number of the request; the reply carries it too.
        id: u32,
        /// Name of the file.
        name: String,
        /// Version that the page knows; `None` if it knows of no file.
        known: Option<String>,
    },
}

/// Origin of an experiment.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "from", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Origin {
    /// The gallery that comes with the lab.
    Gallery {
        /// `bouncing_ball`.
        name: String,
    },
    /// The folder that the server was started in.
    Folder {
        /// A path below it: `week1/drop.lab`.
        name: String,
    },
    /// No file: typed, or shared as a link. Imports are searched in the folder, then in the gallery.
    Page {},
}

/// A moment of a recording.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "at", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Moment {
    /// The frame nearest to this time.
    Time {
        /// The time.
        time: f64,
    },
    /// Just before an event.
    Before {
        /// Index of the event.
        event: u32,
    },
    /// Just after it.
    After {
        /// Index of the event.
        event: u32,
    },
}

/// Filter of events.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct Filter {
    /// `free fall`, `collision`, `contact`, `phenomenon`; all, if empty.
    pub(crate) kinds: Vec<String>,
    /// Earliest time.
    pub(crate) from: Option<f64>,
    /// Latest time.
    pub(crate) to: Option<f64>,
    /// Names of objects that all took part.
    pub(crate) objects: Vec<String>,
}

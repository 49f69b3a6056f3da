//! What the page asks.

use serde::Deserialize;

/// A message from the page.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Request {
    /// The text, or a setting, has changed: it is checked, and may be run. Answered by `checked`.
    Edit {
        /// Counts upwards.
        revision: u32,
        /// Where the text comes from: imports are looked for beside it.
        origin: Origin,
        /// The experiment.
        text: String,
        /// Values set from outside: `restitution=0.5`, `ball.v=[0, 0, 1]`.
        settings: Vec<String>,
    },
    /// Run the text of a revision; a run that goes on is cancelled first.
    Run {
        /// Counts upwards.
        run: u32,
        /// Which text; if it is not the last one that was edited, the question is stale and nothing happens.
        revision: u32,
        /// Which simulation; the first, if none is named.
        simulation: Option<String>,
        /// Whether fewer frames will do, as while a slider is dragged. Events are the same.
        coarse: bool,
    },
    /// End a run. What it has recorded stays.
    Cancel {
        /// Which.
        run: u32,
    },
    /// Formulas over time. Answered by a chunk of columns.
    Read {
        /// Comes back.
        id: u32,
        /// Of which run.
        run: u32,
        /// `ball.position`, `norm(ball.v)`, `t`, any expression over what is recorded.
        formulas: Vec<String>,
        /// From this time; the point before it is also given, so that a line goes on to the edge.
        from: f64,
        /// To this time, and the point after it.
        to: f64,
        /// At most about so many points for each; extremes are kept.
        most: u32,
        /// Whether both sides of events are among the points.
        events: bool,
    },
    /// Where everybody is. Answered by a chunk of poses.
    Poses {
        /// Comes back.
        id: u32,
        /// Of which run.
        run: u32,
        /// From this frame.
        first: u32,
        /// To this frame, itself included.
        last: u32,
        /// Every so many frames.
        stride: u32,
    },
    /// All values of one owner at one moment. Answered by `values`.
    Values {
        /// Comes back.
        id: u32,
        /// Of which run.
        run: u32,
        /// When.
        moment: Moment,
        /// An object's name; the world and the measures, if `None`.
        object: Option<String>,
    },
    /// Everything before and after an event. Answered by `table`.
    Event {
        /// Comes back.
        id: u32,
        /// Of which run.
        run: u32,
        /// Which event.
        index: u32,
    },
    /// Events that pass a filter. Answered by `list`.
    Events {
        /// Comes back.
        id: u32,
        /// Of which run.
        run: u32,
        /// Which.
        filter: Filter,
        /// Leave out so many.
        skip: u32,
        /// Give at most so many.
        most: u32,
    },
    /// An input of the session of the language. Answered by `evaluated`.
    Evaluate {
        /// Comes back.
        id: u32,
        /// What was typed.
        input: String,
    },
    /// What can stand at a place of the text that was edited last. Answered by `completions`.
    Complete {
        /// Comes back.
        id: u32,
        /// Of which text.
        revision: u32,
        /// Where.
        at: u32,
    },
    /// What stands there. Answered by `hovered`.
    Hover {
        /// Comes back.
        id: u32,
        /// Of which text.
        revision: u32,
        /// Where.
        at: u32,
    },
    /// What follows from the energies in the text that was edited last. Answered by `derived`.
    Derive {
        /// Comes back.
        id: u32,
        /// Of which text.
        revision: u32,
    },
    /// All experiments of the gallery and of the folder. Answered by `library`.
    Library {
        /// Comes back.
        id: u32,
    },
    /// What an experiment looks like at its start, and where its objects go. Answered by `previewed`.
    Preview {
        /// Comes back.
        id: u32,
        /// Which.
        origin: Origin,
    },
    /// The text of an experiment. Answered by `opened`.
    Open {
        /// Comes back.
        id: u32,
        /// Which.
        origin: Origin,
    },
    /// Write an experiment to the folder. Answered by `saved`.
    Save {
        /// Comes back.
        id: u32,
        /// The token that the page was served with.
        token: String,
        /// The name of the file.
        name: String,
        /// What to write.
        text: String,
        /// Whether a file of this name may be replaced.
        replace: bool,
    },
}

/// Where an experiment comes from.
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
    /// Nowhere: typed, or shared as a link. Imports are looked for in the folder, then in the gallery.
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
        /// Its number.
        event: u32,
    },
    /// Just after it.
    After {
        /// Its number.
        event: u32,
    },
}

/// Which events.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, serde::Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(deny_unknown_fields)]
pub(crate) struct Filter {
    /// `free fall`, `collision`, `contact`, `phenomenon`; all, if empty.
    pub(crate) kinds: Vec<String>,
    /// Not before this time.
    pub(crate) from: Option<f64>,
    /// Not after this time.
    pub(crate) to: Option<f64>,
    /// All of these objects took part.
    pub(crate) objects: Vec<String>,
}

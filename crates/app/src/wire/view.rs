//! What is drawn beside the bodies, and what a file wants to be shown at first.

use serde::Serialize;

/// Something that is drawn beside the bodies.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Drawing {
    /// Name of the joint or constraint; empty for a drawing of a view.
    pub(crate) name: String,
    /// `spring`, `rod`, `rope`, `line`, `circle`, `axle`, `wall` or `track` of a view or a joint; `hinge`, `slider`, `ball`,
    /// `universal` or `weld` of a joint; `tie` of a constraint between two bodies.
    pub(crate) kind: String,
    /// Places: the two ends of what has ends.
    pub(crate) places: Vec<Spot>,
    /// Direction of an axle, a hinge or a rail, across a circle or a wall.
    pub(crate) direction: Option<Spot>,
    /// Length of a rope, a rod, or a spring at rest; radius of a circle.
    pub(crate) length: Option<Amount>,
    /// Range of the motion of a slider.
    pub(crate) limits: Option<[f64; 2]>,
}

/// A place or a direction.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "how", rename_all = "snake_case")]
pub(crate) enum Spot {
    /// In the frame of a body.
    Fixed {
        /// Index of the body; the world, if `None`.
        body: Option<u32>,
        /// Its coordinates there.
        at: [f64; 3],
    },
    /// A formula over the recording, with three scalars.
    Formula {
        /// Its text.
        text: String,
    },
}

/// A length.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "how", rename_all = "snake_case")]
pub(crate) enum Amount {
    /// It never changes.
    Fixed {
        /// The length.
        value: f64,
    },
    /// A formula over the recording, with one scalar.
    Formula {
        /// Its text.
        text: String,
    },
}

/// What a file wants to be shown at first.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ViewInfo {
    /// Curves, a plot each.
    pub(crate) plots: Vec<CurveInfo>,
    /// Vectors that are drawn as arrows: formulas.
    pub(crate) arrows: Vec<String>,
    /// Position of the camera; the page chooses, if `None`.
    pub(crate) camera: Option<CameraInfo>,
    /// Object that the camera follows.
    pub(crate) follow: Option<String>,
    /// Time that is shown first; then nothing plays.
    pub(crate) moment: Option<f64>,
    /// Speed of playing.
    pub(crate) speed: Option<f64>,
    /// Tab of the results; `closed` for none.
    pub(crate) drawer: Option<String>,
    /// What lies over the world; the page chooses, if `None`.
    pub(crate) overlays: Option<Vec<String>>,
    /// Objects whose trails are drawn; the page chooses, if `None`.
    pub(crate) trails: Option<Vec<String>>,
    /// Label of the number that a visitor is asked to change: `g`, `ball.v`, `g#3`.
    pub(crate) tried: Option<String>,
    /// Title for people.
    pub(crate) title: Option<String>,
    /// Group of the gallery.
    pub(crate) group: Option<String>,
    /// 1 to begin with, 2 for school, 3 for university.
    pub(crate) level: Option<u32>,
}

/// A curve of a plot.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct CurveInfo {
    /// Formula upwards.
    pub(crate) value: String,
    /// Formula to the right; `t` for time.
    pub(crate) against: String,
}

/// Position of the camera.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "how", rename_all = "snake_case")]
pub(crate) enum CameraInfo {
    /// In perspective.
    At {
        /// The eye.
        eye: [f64; 3],
        /// The point that it looks at.
        target: [f64; 3],
    },
    /// From a side, without perspective.
    Side {
        /// `front`, `back`, `left`, `right`, `top` or `bottom`.
        side: String,
    },
}

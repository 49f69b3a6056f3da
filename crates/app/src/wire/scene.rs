//! What there is to see: the bodies of a run, their shapes and where they begin.

use serde::Serialize;

/// Everything about a run that is known before it begins.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Scene {
    /// The simulation that runs.
    pub(crate) simulation: String,
    /// The time of frame 0.
    pub(crate) initial_time: f64,
    /// The time of the last frame there will be.
    pub(crate) end: f64,
    /// Frame k is at `initial_time + k / frame_rate`, the last one at `end`.
    pub(crate) frame_rate: f64,
    /// The number of the last frame there will be.
    pub(crate) frames: u32,
    /// Which way is up for the eye.
    pub(crate) up: [f64; 3],
    /// All objects that take part, by name.
    pub(crate) bodies: Vec<Body>,
    /// The contexts, or events of a workflow.
    pub(crate) contexts: Vec<ContextInfo>,
    /// What is recorded and what is constant.
    pub(crate) quantities: Vec<super::QuantityInfo>,
    /// Poses come by themselves for every so many frames; for the others the page asks.
    pub(crate) stride: u32,
}

/// An object.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Body {
    /// Its name.
    pub(crate) name: String,
    /// Whether it is static.
    pub(crate) is_static: bool,
    /// Its place in every frame of a chunk of poses; `None` if its pose never changes.
    pub(crate) moves: Option<u32>,
    /// What it looks like.
    pub(crate) shape: BodyShape,
    /// Whether its size changes: its column `size` (or `radius`, …) says how.
    pub(crate) resizes: bool,
    /// Its colour, and the second one where it has two: red, green, blue, from 0 to 1.
    pub(crate) colors: Vec<[f64; 3]>,
    /// Where it begins: position, then quaternion w, x, y, z.
    pub(crate) pose: [f64; 7],
}

/// A shape, in the body's own coordinates.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum BodyShape {
    /// About the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// About the origin.
    Cuboid {
        /// Full lengths of its edges.
        size: [f64; 3],
    },
    /// Along z.
    Capsule {
        /// Its radius.
        radius: f64,
        /// The length of its straight part.
        length: f64,
    },
    /// Along z.
    Cylinder {
        /// Its radius.
        radius: f64,
        /// Its height.
        height: f64,
    },
    /// Apex along +z, centre of mass at the origin: the base is at z = -height / 4.
    Cone {
        /// Of its base.
        radius: f64,
        /// Its height.
        height: f64,
    },
    /// All below the xy plane.
    HalfSpace {},
    /// A convex hull, or a surface from a file.
    Mesh {
        /// Three reals for each corner.
        corners: Vec<f32>,
        /// Three corners for each triangle, counter-clockwise seen from outside.
        triangles: Vec<u32>,
    },
    /// Others, glued together.
    Compound {
        /// Its parts, none of them a compound.
        parts: Vec<BodyPart>,
    },
}

/// A part of a compound.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BodyPart {
    /// Its shape.
    pub(crate) shape: BodyShape,
    /// Where it is in the compound: position, then quaternion w, x, y, z.
    pub(crate) pose: [f64; 7],
    /// Its own colours, if it has any.
    pub(crate) colors: Vec<[f64; 3]>,
}

/// A context, or an event of a workflow.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ContextInfo {
    /// Its name.
    pub(crate) name: String,
    /// `free fall`, `collision`, `contact` or `phenomenon`.
    pub(crate) kind: String,
}

//! The scene of a run: its bodies, their shapes and initial poses.

use serde::Serialize;

/// The facts about a run that are known before it starts.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Scene {
    /// Name of the simulation.
    pub(crate) simulation: String,
    /// Time of frame 0.
    pub(crate) initial_time: f64,
    /// Time of the last frame.
    pub(crate) end: f64,
    /// Frame k is at `initial_time + k / frame_rate`, the last one at `end`.
    pub(crate) frame_rate: f64,
    /// Index of the last frame.
    pub(crate) frames: u32,
    /// Upward direction of the view.
    pub(crate) up: [f64; 3],
    /// Objects that take part, by name.
    pub(crate) bodies: Vec<Body>,
    /// The contexts, or events of a workflow.
    pub(crate) contexts: Vec<ContextInfo>,
    /// Recorded and constant quantities.
    pub(crate) quantities: Vec<super::QuantityInfo>,
    /// `true` if things fall, so that there is a floor below them; space has a sky and no floor.
    pub(crate) has_ground: bool,
    /// `true` if lengths are metres.
    pub(crate) in_metres: bool,
    /// What is drawn beside the bodies: joints of rigid bodies, and what a view draws.
    pub(crate) drawings: Vec<super::Drawing>,
    /// What the file wants to be shown at first.
    pub(crate) view: Option<super::ViewInfo>,
    /// Poses are sent unrequested for every `stride`-th frame; the page requests the others.
    pub(crate) stride: u32,
}

/// An object.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Body {
    /// Name.
    pub(crate) name: String,
    /// `true` if it is static.
    pub(crate) is_static: bool,
    /// Position in every frame of a chunk of poses; `None` if its pose never changes.
    pub(crate) moves: Option<u32>,
    /// Shape.
    pub(crate) shape: BodyShape,
    /// `true` if its size changes; its column `size` (or `radius`, …) has the values.
    pub(crate) resizes: bool,
    /// Colours, one or two: red, green, blue, from 0 to 1.
    pub(crate) colors: Vec<[f64; 3]>,
    /// Initial pose: position, then quaternion w, x, y, z.
    pub(crate) pose: [f64; 7],
}

/// A shape, in the body's own coordinates.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum BodyShape {
    /// About the origin.
    Sphere {
        /// Radius.
        radius: f64,
    },
    /// About the origin.
    Cuboid {
        /// Full lengths of its edges.
        size: [f64; 3],
    },
    /// Along z.
    Capsule {
        /// Radius.
        radius: f64,
        /// The length of its straight part.
        length: f64,
    },
    /// Along z.
    Cylinder {
        /// Radius.
        radius: f64,
        /// Height.
        height: f64,
    },
    /// Apex along +z, centre of mass at the origin: the base is at z = -height / 4.
    Cone {
        /// Radius of the base.
        radius: f64,
        /// Height.
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
    /// Shapes that are fixed to each other.
    Compound {
        /// Parts, none of them a compound.
        parts: Vec<BodyPart>,
    },
}

/// A part of a compound.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct BodyPart {
    /// Shape.
    pub(crate) shape: BodyShape,
    /// Pose in the compound: position, then quaternion w, x, y, z.
    pub(crate) pose: [f64; 7],
    /// Own colours, if it has any.
    pub(crate) colors: Vec<[f64; 3]>,
}

/// A context, or an event of a workflow.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ContextInfo {
    /// Name.
    pub(crate) name: String,
    /// `free fall`, `collision`, `contact` or `phenomenon`.
    pub(crate) kind: String,
}

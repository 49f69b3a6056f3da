//! Joints: what holds two bodies together, or a body to the world.
//!
//! | kind | holds | needs | may have |
//! |---|---|---|---|
//! | point | a point of one on a point of the other | an anchor | |
//! | hinge | the same, and an axis | an anchor, `axis` | `limits`, a motor |
//! | slider | everything but a shift along an axis | `axis` | an anchor, `limits`, a motor |
//! | universal | a point, and two axes across each other | an anchor, `axis`, `axis2` | |
//! | weld | everything | | an anchor |
//! | distance | the distance of two points | | anchors, `length` |
//! | rope | the distance of two points at most | `length` | anchors |
//! | free | nothing: a body floats, and may have a spring and a damper | | |
//! | spring | nothing: it pulls | `stiffness` | anchors, `rest_length`, `damping` |
//!
//! `ball` is another name of `point`. A `polynomial` is between two joints, not bodies; see [`coupling`].
//!
//! With the solver `soft` joints with freedoms may also have `stiffness`, `damping`, `armature` and
//! `friction loss`, and all but springs a softness; see [`soft`](super::soft).
//!
//! An anchor is a point of the world at the start (`anchor`), or a point of each body in its own frame
//! (`anchor1`, `anchor2`; of the world, where it takes the place of a body).

pub(crate) mod anchor;
pub(crate) mod coupling;
pub(crate) mod model;
pub(crate) mod read;

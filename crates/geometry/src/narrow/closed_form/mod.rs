//! Pairs of shapes whose answer is a formula: no iteration, only a few roundings.
//!
//! `distance` gives the closest points of balls, capsules, a ball and a box, a half-space and any convex
//! body. `manifold` gives the contact points of balls, boxes and half-spaces, with `box_box` and `box_clip`
//! for two boxes. All other pairs go to GJK, EPA and clipping.

mod box_box;
mod box_clip;
pub(super) mod distance;
pub(super) mod manifold;

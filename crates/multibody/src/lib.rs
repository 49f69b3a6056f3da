//! Articulated bodies in generalised coordinates, with soft constraints.
//!
//! A mechanism is a forest of bodies whose joints are exact: the state is q, v, and poses follow. Everything
//! else that binds it (contacts, limits, dry friction, closed loops) is soft: the acceleration is the one
//! minimum of a convex cost,
//!
//! ```text
//! ½ (a − a_smooth)ᵀ M (a − a_smooth) + s(J a − a_ref).
//! ```

pub mod compile;
pub mod constraints;
pub mod contacts;
pub mod dynamics;
pub mod energy;
pub mod forces;
pub mod integrate;
pub mod ledger;
pub mod model;
pub mod simulation;
pub mod solve;
pub mod state;
pub mod surroundings;
pub mod tree;

//! A look inside of single steps: from every state that is given, one step, with the cost by terms, the
//! multipliers of all contact points, and the residuals.
//!
//! ```text
//! text ──read_states──► GivenState ──Inspector::step──► InspectedStep ──to_json──► text
//! ```
//!
//! `json` reads any JSON with its places, `states` what states mean, `inspector` takes the steps, `report` is
//! what is told of one.

mod inspector;
mod json;
mod report;
mod states;

pub use inspector::Inspector;
pub use report::{BodyMotion, InspectedStep};
pub use states::{GivenBody, GivenNormalForce, GivenState, Misstated, read_states};

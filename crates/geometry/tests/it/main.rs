//! Shapes, hulls, bounds, broad phases, contacts and imports against independent answers.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod bad_input;
mod bodies_of_revolution;
mod bounds;
mod bounds_of_shapes;
mod broad;
mod closed_form_manifolds;
mod contact;
mod enclosed_balls;
mod hull_checks;
mod hull_exact;
mod hull_rounding;
mod hull_solids;
mod import;
mod manifold;
mod mass;
mod oracle;
mod oracle_settles;
#[path = "../support/random_shapes.rs"]
mod random_shapes;
mod shapes;

//! Rigid bodies: Newton and Euler, joints that hold, contacts that can be trusted.
//!
//! A [`World`] says what there is: [`Body`]s with shapes and [`Material`]s, laws, [`Constraint`]s. A [`Simulation`] lets it
//! move. One step is a flow of rules, made by [`pipeline`], that prints on one screen:
//!
//! ```text
//! start >> broad >> narrow >> islands >> drift·½ >> laws >> rows >> solve >> kick >> drift·½
//!       >> impacts >> correct >> events >> ledger
//! ```
//!
//! Three kinds of motion share the bodies, and every body is in one of them for the length of a step:
//!
//! | a body that | moves by | in |
//! |---|---|---|
//! | touches nothing and has no joint | the integrator's drifts and kicks | [`motion`] |
//! | touches nothing and has joints | the same, kept on its constraints by multipliers (RATTLE) | [`constraint`] |
//! | touches something | a contact solver in sub-steps, forces of laws constant | [`solver`] |
//!
//! Impacts with restitution are located inside the step ([`impact`]): bodies fly up to the instant of contact, take the
//! impulse, and fly on. So restitution means what it says, at any step.
//!
//! Conventions: the position of a body is its centre of mass, its frame lies along its principal axes; [`Body::frame`] tells
//! where the shape is in it. Normals point from A to B, A being the body of the smaller row. Rows follow the order of names,
//! so the order of creation leaves no trace.

mod arrival;
pub mod body;
pub mod books;
pub mod broad;
mod carry;
pub mod constraint;
pub mod contact;
pub mod correct;
pub mod error;
pub mod events;
pub mod impact;
pub mod inverse_mass;
pub mod island;
pub mod joints;
mod keep;
mod linkage;
pub mod material;
mod measure;
pub mod motion;
pub mod narrow;
pub mod notice;
pub mod pipeline;
pub mod placed;
mod push;
pub mod rest;
pub mod settings;
pub mod simulation;
pub mod solver;
pub mod start;
mod surface;
mod turn;
pub mod world;

pub use body::{Body, BodyKind};
pub use books::{Account, Books};
pub use constraint::Constraint;
pub use contact::{Contacts, Touch, TouchPoint};
pub use error::RigidError;
pub use gedanken_math::Twist;
pub use inverse_mass::Inverse;
pub use material::{Combination, Curve, Material};
pub use notice::Notice;
pub use push::{Push, Pushes};
pub use settings::Settings;
pub use simulation::{Simulation, Snapshot};
pub use world::World;

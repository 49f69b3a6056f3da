//! Rigid bodies: Newton and Euler, joints that hold, contacts that can be trusted.
//!
//! A [`World`] says what there is: [`Body`]s with shapes and [`Material`]s, laws, [`Constraint`]s. A
//! [`Simulation`] lets it move. One step is a flow of rules, made by [`pipeline`], that prints on one screen:
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
//! Impacts with restitution are located inside the step ([`impact`]): bodies fly up to the instant of
//! contact, take the impulse, and fly on. So restitution means what it says, at any step.
//!
//! Conventions: the position of a body is its centre of mass, its frame lies along its principal axes;
//! [`Body::frame`] tells where the shape is in it. Normals point from A to B, A being the body of the smaller
//! row. Rows follow the order of names, so the order of creation leaves no trace.

mod collide;
pub mod contacts;
mod energies;
mod impact;
pub mod joints;
mod ledger;
mod step;
mod world;

pub use collide::contact_table::{Contacts, Touch, TouchPoint};
pub use gedanken_math::Twist;
pub use impact::Impact;
pub use joints::Constraint;
pub use ledger::{Account, Entry, Exchange, LawEntry, Ledger, LedgerPage};
pub use step::external_force::{ExternalForce, ExternalForces};
pub use step::outcome::{Event, EventKind};
pub use step::simulation::{Simulation, Snapshot};
pub use step::start_notice::Notice;
pub use world::World;
pub use world::body::{Body, BodyKind};
pub use world::error::RigidError;
pub use world::material::{Combination, Curve, Material};
pub use world::settings::Settings;
pub use world::solver_body::{InverseMass, SolverBody};

/// The programs in the book, compiled and run as tests of the documentation.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../docs/rigid.md")]
    mod rigid {}
}

//! Rigid bodies: the equations of Newton and Euler with joints, contacts and impacts.
//!
//! A [`World`] holds [`Body`]s with shapes and [`Material`]s, laws and [`Constraint`]s; it does not change
//! while bodies move. A [`Simulation`] steps it. One step is a flow of rules, assembled in
//! `step/pipeline.rs`. With contacts, joints, gravity and a ledger it prints as
//!
//! <!-- one step -->
//! ```text
//! (clear forces | clear torques | clear forces | clear torques) >> gravity
//!     >> (add up forces | add up torques) >> external forces >> start >> open ledger >> broad
//!     >> narrow >> islands >> (drift joints >> drift)·0.5 >> predict
//!     >> (clear forces | clear torques | clear forces | clear torques) >> gravity
//!     >> (add up forces | add up torques) >> external forces >> solve >> kick >> kick joints
//!     >> (drift joints >> drift)·0.5 >> impacts >> correct >> book laws >> book external forces
//!     >> clear displacements >> clear external forces >> rest >> events
//! ```
//! <!-- end of one step -->
//!
//! Folders stand in the order of the step: `world` (what there is), `step` (the pipeline, free motion,
//! bookkeeping), `collide` (broad phase, narrow phase, islands), [`contacts`] (solvers), [`joints`]
//! (constraints and their direct solver), `impact` (impacts located inside the step). `world/mod.rs` says why
//! a body has four representations.
//!
//! Three kinds of motion share the bodies, and every body is in one of them for the length of a step:
//!
//! | a body that | moves by | in |
//! |---|---|---|
//! | touches nothing and has no joint | the integrator's drifts and kicks | `step/free_motion.rs` |
//! | touches nothing and has joints | the same, kept on its constraints (RATTLE) | [`joints`] |
//! | touches something | a contact solver in sub-steps, forces of laws constant | [`contacts`] |
//!
//! Impacts with restitution are located inside the step: bodies fly up to the instant of contact, take the
//! impulse, and fly on. So a coefficient of restitution has its textbook meaning at any length of the step.
//!
//! Conventions: the position of a body is its centre of mass, its frame lies along its principal axes;
//! [`Body::frame`] is the pose of the shape in it. Normals point from A to B, A being the body of the smaller
//! row. Rows follow the order of names, so the order of creation leaves no trace.

mod collide;
pub mod contacts;
mod energies;
mod impact;
pub mod joints;
mod ledger;
mod step;
pub mod variational;
mod world;

pub use collide::contact_table::{Contacts, Touch, TouchPoint};
pub use energies::EnergyBalance;
pub use gedanken_math::Twist;
pub use impact::Impact;
pub use joints::Constraint;
pub use ledger::{Account, Entry, Exchange, LawEntry, Ledger, LedgerPage};
pub use step::external_force::{ExternalForce, ExternalForces};
pub use step::outcome::{ContactEvent, ContactEventKind};
pub use step::reactions::ContactForce;
pub use step::simulation::{Simulation, Snapshot};
pub use step::start_notice::Notice;
pub use step::stiffness::{Stiffness, StiffnessKind};
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

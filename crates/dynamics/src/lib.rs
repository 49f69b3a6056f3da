//! Mechanics as pure rules that compose.
//!
//! A step of mechanics is a pure function from world to world, assembled from small laws that declare what
//! they read, write and add to. The central types, in the order of a first reading:
//!
//! - [`Components`]: what there is, an ordered tree of named things;
//! - [`Model`] and [`State`]: what is known of it, as columns of [`Attribute`]s;
//! - [`Rule`]: a named pure function with a declared domain; [`Flow`]: rules put together with `seq` and
//!   `par`;
//! - [`Workflow`]: a flow checked against a model, run by one interpreter, whole or not at all.
//!
//! ```
//! use gedanken_math::units::{KILOGRAM, METRE, SECOND};
//! use gedanken_dynamics::*;
//!
//! let model = Model::new(Components::atoms(["ball"])?).with::<Position<OneD>>().with::<Velocity<OneD>>();
//! let ball = model.id("ball")?;
//! let mut state = model.state();
//! state.set::<Velocity<OneD>>(ball, 3.0 * METRE / SECOND)?;
//!
//! let drift = Rule::new("drift", (read::<Velocity<OneD>>(), write::<Position<OneD>>()), |step, (v, r)| {
//!     for (r, v) in r.iter_mut().zip(v) {
//!         *r += *v * step.h;
//!     }
//! });
//! let workflow = Flow::from(drift).build(&model)?;
//! let later = workflow.stepped(state, 0.5 * SECOND)?;
//! assert_eq!(later.get::<Position<OneD>>(ball)?, 1.5 * METRE);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Invariants: this crate knows no text, no file, no clock and no thread count; equal model, state and
//! workflow give equal bits on every machine.

pub mod attributes;
mod booking;
mod core;
pub mod diagnostics;
pub mod integrate;
pub mod laws;
mod ledger;
mod mechanics;
pub mod nbody;
pub mod scenes;
mod space;
mod spin_wait;

pub use crate::core::access::{
    Access, Add, AddAt, Cells, CellsMut, Declaration, Emitter, Lease, Memory, Phenomena, Phenomenon, Read,
    ReadAt, Verb, View, Write, WriteAt, add, add_at, memory, phenomena, read, read_at, write, write_at,
};
pub use crate::core::attribute::{Attribute, AttributeInfo, Frame, Life, Parity};
pub use crate::core::column::{Additive, Column, Coordinates, Kind, Value, Values};
pub use crate::core::component::{Component, ComponentError, ComponentId, Components};
pub use crate::core::fault::{BuildError, Clash, Fault, Strain, StrainKind, Trouble};
pub use crate::core::flow::Flow;
pub use crate::core::model::Model;
pub use crate::core::rows::{RowSet, Rows};
pub use crate::core::rule::{Outcome, Rule, Step};
pub use crate::core::state::{State, StateError};
pub use crate::core::table::{
    AnyTable, ReadTable, Table, TableKind, WriteTable, read_table, table_info, write_table,
};
pub use crate::core::workflow::{Scratch, StepReport, Workflow};
pub use attributes::*;
pub use integrate::moves::{Moves, Splitting};
pub use integrate::{INTEGRATORS, Integrator, Stepper};
pub use ledger::{LawEntry, Ledger};
pub use mechanics::Mechanics;
pub use space::{Directed, OneD, Space, ThreeD};

/// The programs in the book and the README, compiled and run as tests of the documentation.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../README.md")]
    mod readme {}
    #[doc = include_str!("../../../docs/rules.md")]
    mod rules {}
    #[doc = include_str!("../../../docs/motion.md")]
    mod motion {}
}

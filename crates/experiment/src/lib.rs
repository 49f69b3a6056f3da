//! From the text of a `.lab` file to a checked model, or to all mistakes in it.
//!
//! [`read()`] goes through the file once for each kind of block: the world first, then objects, whose values
//! may use it, then contexts and simulations, which name objects. So the order of blocks never matters. Last
//! come the laws: each context is checked for all combinations of participants that can meet, each rule for
//! all objects that it is evaluated for, each law of rigid bodies for all bodies that it acts on. Energies
//! become equations of motion as soon as their block is read.
//!
//! Every kind of block has a folder with the same files: `model` is the checked result, `read` makes it from
//! the block, `check` checks its formulas. `environment` is all that a block can name. `editor` completes and
//! explains a text while it is written. [`mjcf`] reads models of mechanisms in MuJoCo's XML. The crate knows no
//! engine: it says what an experiment is, not how it runs.

mod check;
mod context;
pub mod editor;
mod environment;
mod experiment;
mod files;
pub mod gallery;
pub mod lagrangian;
mod links;
mod measure;
pub mod mjcf;
mod object;
mod read;
pub mod rigid;
mod rule;
mod simulation;
mod view;

pub use context::model::{CheckedContext, Context, Role};
pub use context::select::{SelectedContext, Selector, Tie};
pub use experiment::Experiment;
pub use files::Files;
pub use lagrangian::model::{Derived, Formula, Lagrangian, Parameter};
pub use links::{Link, LinkKind, LinkPoint, links};
pub use measure::model::{Expected, Measure, MeasureProgram};
pub use object::attribute::Attribute;
pub use object::model::{Object, list_objects};
pub use object::shape::{Field, Form, ShapeKind};
pub use object::solid::rotation;
pub use read::experiment::{Reading, read};
pub use read::overrides::Override;
pub use rigid::force_law::model::{
    CENTRE, CheckedForceLaw, ForceLaw, ForceLawKind, ForceLawProgram, ROTATION, Targets,
};
pub use rigid::joint::coupling::Coupling;
pub use rigid::joint::model::{Anchor, Joint, JointKind, Motor};
pub use rigid::material::model::{Coefficient, DEFAULT_FRICTION, DEFAULT_RESTITUTION, Material, SPEED};
pub use rigid::settings::RigidSettings;
pub use rule::flow::Flow;
pub use rule::model::{Cell, CheckedRule, Rule, RuleProgram, Verb, WHEN};
pub use simulation::model::{
    ContextSettings, DEFAULT_TOLERANCE, LagrangianSettings, Mechanics, Record, Simulation,
};

pub use view::drawing::{Drawing, DrawingKind, Length, Place};
pub use view::model::{Camera, View, ViewCurve, Written};

/// The shape that [`Object::solid`] returns.
pub use gedanken_geometry::Shape;

//! A simulation as the file describes it: what all mechanics share, and the settings of the one it uses.

use crate::object::model::Object;
use crate::rigid::settings::RigidSettings;
use crate::rule::flow::Flow;
use gedanken_lang::source::Span;
use gedanken_math::Vec3;
use gedanken_multibody::model::{BodyId, Description};
use std::sync::Arc;

/// One simulation of the experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Simulation {
    /// Its name; no two simulations have the same.
    pub name: String,
    /// Time at which it begins.
    pub initial_time: f64,
    /// Length in time; positive.
    pub duration: f64,
    /// Frames per unit of time.
    pub frame_rate: f64,
    /// Length of a step; one step for each frame, if `None`.
    pub time_step: Option<f64>,
    /// Objects that take part: indices into those of the experiment, increasing, hence by name. Parts of
    /// compounds are not among them.
    pub objects: Vec<usize>,
    /// The laws that move them, with their settings.
    pub mechanics: Mechanics,
    /// Quantities that are recorded.
    pub record: Record,
    /// Direction that is up on the screen. No law knows it.
    pub up: [f64; 3],
    /// Position of its name in the text.
    pub span: Span,
}

/// The laws of a simulation, with the settings that only they have.
#[derive(Clone, Debug, PartialEq)]
pub enum Mechanics {
    /// Laws of the file, in contexts.
    Contexts(ContextSettings),
    /// Rules of the file, put together to a step.
    Workflow(Flow),
    /// The equations of Newton and Euler; the file adds forces, potentials, constraints and joints.
    Rigid(RigidSettings),
    /// The equations of Lagrange or Hamilton, derived from energies in the file.
    Lagrangian(LagrangianSettings),
    /// A mechanism that a model describes whole.
    Mechanism(Imported),
}

/// A mechanism that a model describes whole.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The mechanism.
    pub description: Arc<Description>,
    /// By object of the simulation, the body that it shows; `None` for what belongs to the world.
    pub bodies: Vec<Option<BodyId>>,
    /// By geom, the place in the simulation of the object that shows it, if one does.
    pub geoms: Vec<Option<usize>>,
    /// The keyframe in which it starts; the pose of the model, if `None`.
    pub keyframe: Option<usize>,
}

impl Imported {
    /// Returns `true` if everything in it falls.
    pub fn has_gravity(&self) -> bool {
        self.description.settings.gravity != Vec3::ZERO
    }
}

impl PartialEq for Imported {
    /// Two are equal if they show the same description, not an equal one.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.description, &other.description)
            && self.bodies == other.bodies
            && self.geoms == other.geoms
            && self.keyframe == other.keyframe
    }
}

/// Settings of a simulation by contexts.
#[derive(Clone, Debug, PartialEq)]
pub struct ContextSettings {
    /// Contexts that can apply: indices into those of the experiment, increasing.
    pub contexts: Vec<usize>,
    /// Method that integrates rates; chosen by the engine if `None`.
    pub integrator: Option<String>,
    /// Error that the integration of rates may make per step.
    pub tolerance: f64,
    /// Distance below which surfaces touch; chosen by the engine if `None`.
    pub touching_tolerance: Option<f64>,
}

/// Settings of a simulation whose motion follows from energies.
#[derive(Clone, Debug, PartialEq)]
pub struct LagrangianSettings {
    /// The system that moves: an index into the `lagrangian` blocks of the experiment. `None` only after a
    /// mistake that has been reported.
    pub system: Option<usize>,
    /// Method that integrates the equations of motion; chosen by the engine if `None`.
    pub integrator: Option<String>,
    /// Error that an adaptive method may make per step.
    pub tolerance: f64,
}

/// Quantities that a simulation records, beside its measures, which are always recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Record {
    /// The file says nothing: all attributes, those of contexts too.
    #[default]
    Default,
    /// All attributes, and every function without parameters of the contexts.
    All,
    /// The attributes of objects and of the world.
    Attributes,
    /// Quantities with one of these names, sorted.
    Names(Vec<String>),
}

/// Frames per unit of time, unless the simulation says otherwise.
pub(crate) const DEFAULT_FRAME_RATE: f64 = 60.0;

/// Error that an integration may make per step, unless the simulation says otherwise.
pub const DEFAULT_TOLERANCE: f64 = 1e-10;

impl Default for ContextSettings {
    fn default() -> Self {
        Self {
            contexts: Vec::new(),
            integrator: None,
            tolerance: DEFAULT_TOLERANCE,
            touching_tolerance: None,
        }
    }
}

impl Simulation {
    /// Contexts that can apply: indices into those of the experiment, increasing. Empty for other mechanics.
    pub fn contexts(&self) -> &[usize] {
        self.context_settings().map_or(&[], |it| &it.contexts)
    }

    /// Settings of the contexts, if they state the laws.
    pub fn context_settings(&self) -> Option<&ContextSettings> {
        match &self.mechanics {
            Mechanics::Contexts(settings) => Some(settings),
            _ => None,
        }
    }

    /// The workflow, if rules state the laws.
    pub fn workflow(&self) -> Option<&Flow> {
        match &self.mechanics {
            Mechanics::Workflow(flow) => Some(flow),
            _ => None,
        }
    }

    /// Settings of the rigid bodies, if it moves such.
    pub fn rigid(&self) -> Option<&RigidSettings> {
        match &self.mechanics {
            Mechanics::Rigid(settings) => Some(settings),
            _ => None,
        }
    }

    /// The mechanism of a model, if it moves one.
    pub fn imported(&self) -> Option<&Imported> {
        match &self.mechanics {
            Mechanics::Mechanism(imported) => Some(imported),
            _ => None,
        }
    }

    /// Settings of the system that is stated by its energies, if it moves one.
    pub fn lagrangian(&self) -> Option<&LagrangianSettings> {
        match &self.mechanics {
            Mechanics::Lagrangian(settings) => Some(settings),
            _ => None,
        }
    }

    /// Index of the `lagrangian` block whose system moves, if the motion follows from one.
    pub fn lagrangian_block(&self) -> Option<usize> {
        self.lagrangian()?.system
    }
}

impl Record {
    /// Returns `true` if an attribute of an object is recorded; `attribute` is its proper name. The position
    /// and the size of an object are recorded in any case, or it could not be shown.
    pub fn has_attribute(&self, object: &Object, attribute: &str) -> bool {
        match self {
            Self::Names(names) => {
                object.shape.fields().any(|field| field.name == attribute)
                    || names.iter().any(|name| name == attribute)
            }
            _ => true,
        }
    }

    /// Returns `true` if an attribute of the world is recorded.
    pub fn has_world_attribute(&self, attribute: &str) -> bool {
        self.is_named(attribute).unwrap_or(true)
    }

    /// Returns `true` if an attribute of contexts is recorded.
    pub fn has_context_attribute(&self, attribute: &str) -> bool {
        self.is_named(attribute).unwrap_or(*self != Self::Attributes)
    }

    /// Returns `true` if a function without parameters is recorded.
    pub fn has_helper(&self, name: &str) -> bool {
        self.is_named(name).unwrap_or(*self == Self::All)
    }

    fn is_named(&self, name: &str) -> Option<bool> {
        match self {
            Self::Names(names) => Some(names.iter().any(|it| it == name)),
            _ => None,
        }
    }
}

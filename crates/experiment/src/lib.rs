//! From the text of a `.lab` file to a model in which everything is known and possible, or to all that is
//! wrong with it.
//!
//! [`read`] goes through the file once for each kind of block: the world first, then objects, whose values
//! may use it, then contexts and simulations, which name objects. So the order of blocks never matters. Last
//! come the laws: each context is checked for all combinations of participants that can meet (`laws`), chosen
//! by the rules of `select`; each rule of a workflow for all objects that it is evaluated for (`who`,
//! `domain`, `scope`); each law of rigid bodies for all that it acts on (`newton`, `acting`). Energies become
//! equations of motion as soon as their block is read (`lagrangian`).

mod checks;
pub mod context;
pub mod editor;
mod files;
pub mod gallery;
pub mod lagrangian;
mod measure;
mod object;
mod read;
pub mod rigid;
mod rule;
mod simulation;

pub use context::laws::CheckedContext;
pub use context::select::{Applied, Selector, Tie};
pub use context::{Context, Role};
pub use files::Files;
pub use lagrangian::{Derived, Formula, Lagrangian, Parameter};
pub use measure::program::Measured;
pub use measure::{Expected, Measure};
pub use object::Object;
pub use object::attribute::Attribute;
pub use object::shape::{Field, Form, ShapeKind};
pub use object::solid::rotation;
pub(crate) use read::keys::{BLOCKS, keys, written};
pub use read::overrides::Override;
pub use read::{Reading, read};
pub use rigid::force_law::check::{Acted, Acting};
pub use rigid::force_law::check::{CENTRE, ROTATION};
pub use rigid::force_law::{Bodily, Kind as BodilyKind, Whom};
pub use rigid::joint::{Anchor, Joint, JointKind, Motor};
pub use rigid::material::SPEED;
pub use rigid::material::{Coefficient, FRICTION, Material, RESTITUTION};
pub use rigid::settings::RigidSettings;
pub use rule::Rule;
pub use rule::WHEN;
pub use rule::domain::{Cell, CheckedRule, Group, Verb};
pub use rule::flow::Flow;
pub use simulation::record::Record;
pub use simulation::{FRAME_RATE, Mechanics, Simulation, TOLERANCE};

/// What geometry computes with: what [`Object::solid`] gives.
pub use gedanken_geometry::Shape;
use gedanken_lang::check::{Library, Participant};
use gedanken_lang::diagnostic::Diagnostic;

/// An experiment without mistakes.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The attributes of the world, sorted by name.
    pub world: Vec<Attribute>,
    /// All objects, sorted by name; parts of compounds among them.
    pub objects: Vec<Object>,
    /// All contexts, sorted by name.
    pub contexts: Vec<Context>,
    /// All rules and events, sorted by name.
    pub rules: Vec<Rule>,
    /// All simulations, in the order of the file: the first one runs unless another is named. There is at
    /// least one.
    pub simulations: Vec<Simulation>,
    /// All measures, sorted by name.
    pub measures: Vec<Measure>,
    /// All materials, sorted by name.
    pub materials: Vec<Material>,
    /// All forces, potentials and constraints, sorted by name.
    pub bodily: Vec<Bodily>,
    /// All joints, sorted by name.
    pub joints: Vec<Joint>,
    /// All systems that are stated by their energies, sorted by name.
    pub lagrangians: Vec<Lagrangian>,
    /// The functions that every context may call.
    pub library: Library,
    /// The laws of every context, for all participants that they can meet in a simulation.
    pub checked: Vec<CheckedContext>,
    /// The functions of every rule, for everybody that they are evaluated for in a simulation.
    pub checked_rules: Vec<CheckedRule>,
    /// The formulas of forces, potentials and constraints, for everybody they act on in a simulation of rigid
    /// bodies.
    pub acting: Vec<Acting>,
    /// What is probably not meant.
    pub warnings: Vec<Diagnostic>,
}

impl Experiment {
    /// The simulation of this name; the first one, if there is no name.
    pub fn simulation(&self, name: Option<&str>) -> Option<&Simulation> {
        match name {
            None => self.simulations.first(),
            Some(name) => self.simulations.iter().find(|simulation| simulation.name == name),
        }
    }

    /// The index of an object.
    pub fn object(&self, name: &str) -> Option<usize> {
        self.objects.binary_search_by(|object| object.name.as_str().cmp(name)).ok()
    }

    /// Who chooses contexts in a simulation.
    pub fn selector<'e>(&'e self, simulation: &'e Simulation) -> Selector<'e> {
        Selector { objects: &self.objects, contexts: &self.contexts, involved: &simulation.contexts }
    }

    /// Checks the laws of a context for objects that it was not checked for, in the order of their indices:
    /// members of a contact that laws name by index; or for a known number of others that the evaluated one
    /// touches in each direction, unless `touching` is empty.
    ///
    /// # Errors
    /// Everything that is wrong.
    pub fn check_laws(
        &self,
        context: usize,
        objects: &[usize],
        evaluated: usize,
        touching: &[u32],
    ) -> Result<CheckedContext, Vec<Diagnostic>> {
        context::laws::check_for(self, context, objects, evaluated, touching)
    }

    /// The laws of a context for these objects, in the order of their indices; `evaluated` says whose names
    /// need no alias in free fall and contact.
    pub fn laws(&self, context: usize, objects: &[usize], evaluated: usize) -> Option<&CheckedContext> {
        let participants: Vec<Participant> =
            objects.iter().map(|&index| self.objects[index].participant()).collect();
        self.checked
            .iter()
            .find(|it| it.context == context && it.evaluated == evaluated && it.participants == participants)
    }
}

//! The checked model of a file.

use crate::context::model::{CheckedContext, Context};
use crate::context::select::Selector;
use crate::lagrangian::model::Lagrangian;
use crate::measure::model::Measure;
use crate::object::attribute::Attribute;
use crate::object::model::Object;
use crate::rigid::force_law::model::{CheckedForceLaw, ForceLaw};
use crate::rigid::joint::coupling::Coupling;
use crate::rigid::joint::model::Joint;
use crate::rigid::material::model::Material;
use crate::rule::model::{CheckedRule, Rule};
use crate::simulation::model::Simulation;
use crate::view::model::View;
use gedanken_lang::check::{Library, Participant};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::types::Type;

/// An experiment without mistakes.
#[derive(Clone, Debug, Default)]
pub struct Experiment {
    /// Attributes of the world, sorted by name.
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
    pub force_laws: Vec<ForceLaw>,
    /// All joints, sorted by name.
    pub joints: Vec<Joint>,
    /// All couplings of joints, sorted by name.
    pub couplings: Vec<Coupling>,
    /// All systems that are stated by their energies, sorted by name.
    pub lagrangians: Vec<Lagrangian>,
    /// What the page shows at first, at most one for each simulation.
    pub views: Vec<View>,
    /// Imported functions, which every formula may call.
    pub library: Library,
    /// Laws of every context, for all participants that they can meet in a simulation.
    pub checked_contexts: Vec<CheckedContext>,
    /// Functions of every rule, for all objects that they are evaluated for in a simulation.
    pub checked_rules: Vec<CheckedRule>,
    /// Formulas of forces, potentials and constraints, for all bodies that they act on in a simulation of
    /// rigid bodies.
    pub checked_force_laws: Vec<CheckedForceLaw>,
    /// Warnings: things that are probably not meant.
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

    /// Index of the object of this name.
    pub fn object(&self, name: &str) -> Option<usize> {
        self.objects.binary_search_by(|object| object.name.as_str().cmp(name)).ok()
    }

    /// The attribute of the world of this name.
    pub fn world_attribute(&self, name: &str) -> Option<&Attribute> {
        let place = self.world.binary_search_by(|attribute| attribute.name.as_str().cmp(name)).ok()?;
        Some(&self.world[place])
    }

    /// Index of the object of this name, if it takes part in a simulation.
    pub fn object_of(&self, simulation: &Simulation, name: &str) -> Option<usize> {
        self.object(name).filter(|index| simulation.objects.binary_search(index).is_ok())
    }

    /// Selector of the contexts of a simulation.
    pub fn selector<'e>(&'e self, simulation: &'e Simulation) -> Selector<'e> {
        Selector { objects: &self.objects, contexts: &self.contexts, involved: simulation.contexts() }
    }

    /// Names and types of the attributes of the world.
    pub(crate) fn world_types(&self) -> Vec<(String, Type)> {
        self.world.iter().map(|it| (it.name.clone(), it.ty())).collect()
    }

    /// Laws of a context for these objects, in the order of their indices. In free fall and contact, names
    /// of the object number `evaluated` need no alias.
    pub fn laws(&self, context: usize, objects: &[usize], evaluated: usize) -> Option<&CheckedContext> {
        let participants: Vec<Participant> =
            objects.iter().map(|&index| self.objects[index].participant()).collect();
        self.checked_contexts
            .iter()
            .find(|it| it.context == context && it.evaluated == evaluated && it.participants == participants)
    }
}

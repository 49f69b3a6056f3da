//! Attributes as columns: every scalar of every attribute is a column of reals, with a row for the world and
//! one for each object. Booleans are 0 and 1, as everywhere in recordings and compiled laws.

use gedanken_dynamics::{AttributeInfo, ComponentId, Components, Life, Model, State};
use gedanken_experiment::{Attribute, Object, Simulation};
use gedanken_lang::types::{Dim, Type};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The model of a simulation, and where each attribute stands in it.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) model: Model,
    by_name: BTreeMap<String, usize>,
    /// Row 0 is the world's, row k + 1 that of object k of the simulation.
    ids: Vec<ComponentId>,
    /// Indices into the objects of the experiment, increasing.
    objects: Vec<usize>,
}

/// The names of the scalars of an attribute: `v#1`, `m#1#2`, or the name itself.
pub(super) fn scalar_names(attribute: &str, ty: &Type) -> Vec<String> {
    match *ty {
        Type::Vector(Dim::Is(n)) => (1..=n).map(|i| format!("{attribute}#{i}")).collect(),
        Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => {
            let row = |i| (1..=columns).map(move |j| format!("{attribute}#{i}#{j}"));
            (1..=rows).flat_map(row).collect()
        }
        _ => vec![attribute.to_owned()],
    }
}

/// The attributes of the world that are stored: the time is the state's own.
pub(super) fn stored(world: &[Attribute]) -> impl Iterator<Item = &Attribute> {
    world.iter().filter(|attribute| attribute.name != "t")
}

impl Columns {
    pub(super) fn new(world: &[Attribute], objects: &[Object], simulation: &Simulation) -> Self {
        let own = simulation.objects.iter().flat_map(|&index| &objects[index].attributes);
        let mut by_name: BTreeMap<String, usize> = stored(world)
            .chain(own)
            .flat_map(|attribute| scalar_names(&attribute.name, &attribute.ty()))
            .map(|name| (name, 0))
            .collect();
        by_name.values_mut().enumerate().for_each(|(index, place)| *place = index);
        // Objects go by number, so that none of their names means anything to the core.
        let components = Components::numbered("", simulation.objects.len())
            .expect("numbers are distinct names, and a text holds fewer than 2³² objects");
        let ids = std::iter::once(ComponentId::WORLD).chain(components.iter()).collect();
        let columns = by_name.keys().map(|name| AttributeInfo::real(name.as_str(), Life::State));
        let model = columns.fold(Model::new(components), Model::with_attribute);
        Self { model, by_name, ids, objects: simulation.objects.clone() }
    }

    /// The columns of an attribute's scalars, in their order.
    pub(super) fn of(&self, attribute: &str, ty: &Type) -> Vec<usize> {
        scalar_names(attribute, ty).iter().filter_map(|name| self.by_name.get(name).copied()).collect()
    }

    /// The row of an object of the experiment; the world's for `None`.
    pub(super) fn row(&self, object: Option<usize>) -> usize {
        let place = |object: usize| self.objects.binary_search(&object).ok();
        object.and_then(place).map_or(0, |place| place + 1)
    }

    /// The object of the simulation that stands in a row; `None` for the world.
    pub(super) fn object(&self, row: usize) -> Option<usize> {
        row.checked_sub(1)
    }

    pub(super) fn id(&self, row: usize) -> ComponentId {
        self.ids[row]
    }

    pub(super) fn name(&self, column: usize) -> &Arc<str> {
        &self.model.schema()[column].name
    }

    /// The state in which everything has its initial value.
    pub(super) fn initial(&self, world: &[Attribute], objects: &[Object]) -> State {
        let mut state = self.model.state();
        let mut set = |row: usize, attribute: &Attribute| {
            let scalars = attribute.value.scalars().unwrap_or_default();
            for (name, scalar) in scalar_names(&attribute.name, &attribute.ty()).iter().zip(scalars) {
                state
                    .set_real(name, self.ids[row], scalar)
                    .expect("initial values are finite, and every attribute has its columns");
            }
        };
        stored(world).for_each(|attribute| set(0, attribute));
        for (place, &object) in self.objects.iter().enumerate() {
            objects[object].attributes.iter().for_each(|attribute| set(place + 1, attribute));
        }
        state
    }
}

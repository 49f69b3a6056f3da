//! Who takes part, and where the scalars of their attributes are: objects that laws cannot tell apart are a
//! class, whose attributes are columns, one scalar of one attribute each.

use gedanken_experiment::{Experiment, ShapeKind, Simulation};
use gedanken_lang::check::Participant;
use gedanken_lang::types::Type;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// An attribute of a class, or of the world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// The column of its first scalar.
    pub(crate) start: usize,
}

impl Field {
    /// How many columns it has.
    pub(crate) fn width(&self) -> usize {
        self.ty.scalars().unwrap_or(0)
    }
}

/// Objects with the same attributes, shape and free fall.
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) shape: ShapeKind,
    /// Attributes, by name.
    pub(crate) fields: Vec<Field>,
    /// The columns of `position` and of `orientation`: they are looked up all the time.
    pub(crate) pose: [Range<usize>; 2],
    /// Its members, by name: indices of actors. Row k belongs to member k.
    pub(crate) members: Vec<usize>,
    /// The context that its members fall in: an index into those of the experiment.
    pub(crate) free_fall: Option<usize>,
}

/// Where an actor's scalars are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) class: usize,
    pub(crate) row: usize,
}

/// Everybody who takes part. Actors are numbered by name.
#[derive(Debug)]
pub(crate) struct Cast {
    pub(crate) names: Vec<String>,
    /// Of each actor, its index among the objects of the experiment.
    pub(crate) objects: Vec<usize>,
    pub(crate) is_static: Vec<bool>,
    pub(crate) places: Vec<Place>,
    pub(crate) classes: Vec<Class>,
    /// Attributes of the world, without the time.
    pub(crate) world: Vec<Field>,
}

impl Cast {
    /// The cast of a simulation, and all initial values: of the world, and of every class by column.
    pub(crate) fn new(
        experiment: &Experiment,
        simulation: &Simulation,
    ) -> (Self, Vec<f64>, Vec<Vec<Vec<f64>>>) {
        let selector = experiment.selector(simulation);
        // Who is read by name reads itself where others read it, so that it is no longer like them.
        let contexts = simulation.contexts().iter().map(|&it| &experiment.contexts[it]);
        let read: BTreeSet<&str> = contexts.flat_map(|it| it.reads()).collect();
        let mut classes: Vec<(Participant, Class)> = Vec::new();
        let mut known: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        let mut places = Vec::with_capacity(simulation.objects.len());
        let mut columns: Vec<Vec<Vec<f64>>> = Vec::new();
        for (actor, &index) in simulation.objects.iter().enumerate() {
            let object = &experiment.objects[index];
            let participant = object.participant();
            // A tie has been reported when the experiment was read.
            let free_fall = selector.free_fall(index).unwrap_or(None);
            let alone = read.contains(object.name.as_str()).then_some(index);
            let candidates =
                known.entry((object.is_static, object.shape.name(), free_fall, alone)).or_default();
            let class = match candidates.iter().find(|&&it| classes[it].0 == participant) {
                Some(&class) => class,
                None => {
                    let fields = fields(participant.attributes.iter());
                    let width = fields.last().map_or(0, |it| it.start + it.width());
                    candidates.push(classes.len());
                    columns.push(vec![Vec::new(); width]);
                    let pose = ["position", "orientation"]
                        .map(|name| field(&fields, name).map_or(0..0, |it| it.start..it.start + it.width()));
                    let class = Class { shape: object.shape, fields, pose, members: Vec::new(), free_fall };
                    classes.push((participant, class));
                    classes.len() - 1
                }
            };
            let scalars = object.attributes.iter().flat_map(|it| it.value.scalars().unwrap_or_default());
            for (column, scalar) in columns[class].iter_mut().zip(scalars) {
                column.push(scalar);
            }
            let members = &mut classes[class].1.members;
            places.push(Place { class, row: members.len() });
            members.push(actor);
        }
        let types: Vec<(String, Type)> = experiment
            .world
            .iter()
            .filter(|it| it.name != "t")
            .map(|it| (it.name.clone(), it.ty()))
            .collect();
        let world = fields(types.iter());
        let values = experiment.world.iter().filter(|it| it.name != "t");
        let values = values.flat_map(|it| it.value.scalars().unwrap_or_default()).collect();
        let of = |index: &usize| &experiment.objects[*index];
        let cast = Self {
            names: simulation.objects.iter().map(|it| of(it).name.clone()).collect(),
            objects: simulation.objects.clone(),
            is_static: simulation.objects.iter().map(|it| of(it).is_static).collect(),
            places,
            classes: classes.into_iter().map(|(_, class)| class).collect(),
            world,
        };
        (cast, values, columns)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn class(&self, actor: usize) -> &Class {
        &self.classes[self.places[actor].class]
    }

    /// The column of an attribute's first scalar.
    pub(crate) fn column(&self, actor: usize, attribute: &str) -> usize {
        self.find(actor, attribute).expect("the checker found this attribute").start
    }

    /// An attribute of an actor, if it has it.
    pub(crate) fn find(&self, actor: usize, attribute: &str) -> Option<&Field> {
        field(&self.class(actor).fields, attribute)
    }

    /// Whether an attribute that begins at a column belongs to the shape of an actor.
    pub(crate) fn is_size(&self, actor: usize, column: usize) -> bool {
        let mut fields = self.class(actor).shape.own_fields().iter();
        fields.any(|it| self.find(actor, it.name).is_some_and(|it| it.start == column))
    }

    /// The column of a world attribute's first scalar.
    pub(crate) fn world_column(&self, attribute: &str) -> usize {
        self.world_columns(attribute).start
    }

    /// The columns of a world attribute.
    pub(crate) fn world_columns(&self, attribute: &str) -> Range<usize> {
        let field = field(&self.world, attribute).expect("the checker found this attribute");
        field.start..field.start + field.width()
    }

    /// The actor of this name.
    pub(crate) fn actor(&self, name: &str) -> Option<usize> {
        self.names.binary_search_by(|it| it.as_str().cmp(name)).ok()
    }
}

type Key = (bool, &'static str, Option<usize>, Option<usize>);

/// Attributes, which come sorted by name, one after the other.
fn fields<'t>(types: impl Iterator<Item = &'t (String, Type)>) -> Vec<Field> {
    let mut start = 0;
    let mut fields = Vec::new();
    for (name, ty) in types {
        let field = Field { name: name.clone(), ty: ty.clone(), start };
        start += field.width();
        fields.push(field);
    }
    fields
}

fn field<'f>(fields: &'f [Field], name: &str) -> Option<&'f Field> {
    fields.binary_search_by(|it| it.name.as_str().cmp(name)).ok().map(|place| &fields[place])
}

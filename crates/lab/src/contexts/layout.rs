//! Layout of a simulation's state: which objects take part, and where the scalars of their attributes are.
//!
//! Objects that no law can tell apart form a class. The attributes of a class are columns, one scalar of one
//! attribute each, and every member has one row in them. So a law runs over all members of a class at once.

use super::ids::{ActorId, ClassId, Column, ColumnId, ContextId, Id, ObjectId, Table, WorldColumnId};
use gedanken_experiment::{Experiment, Object, ShapeKind, Simulation};
use gedanken_lang::check::Participant;
use gedanken_lang::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// An attribute of a class, or of the world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field<C> {
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// Column of its first scalar.
    pub(crate) start: C,
}

impl<C: Column> Field<C> {
    /// Number of its scalars.
    pub(crate) fn width(&self) -> usize {
        self.ty.scalars().unwrap_or(0)
    }

    /// Columns of its scalars.
    pub(crate) fn columns(&self) -> impl Iterator<Item = C> + Clone + use<C> {
        self.start.span(self.width())
    }
}

/// Objects with the same attributes, shape and free fall.
#[derive(Debug)]
pub(crate) struct Class {
    pub(crate) shape: ShapeKind,
    /// Attributes, by name.
    pub(crate) fields: Vec<Field<ColumnId>>,
    /// First column and width of `position` and of `orientation`, which are read at every instant.
    pub(crate) pose: [(ColumnId, usize); 2],
    /// Members, by name. Row k belongs to member k.
    pub(crate) members: Vec<ActorId>,
    /// Context of the members' free fall.
    pub(crate) free_fall: Option<ContextId>,
}

/// Position of an actor's scalars: a row of the columns of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) class: ClassId,
    pub(crate) index: usize,
}

/// Scalars of the attributes of all classes, by class, column and row.
pub(crate) type Columns = Table<ClassId, Table<ColumnId, Vec<f64>>>;

/// Objects that take part, called actors and numbered by name, and their classes.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) names: Table<ActorId, String>,
    /// Object of the experiment that each actor is.
    pub(crate) objects: Table<ActorId, ObjectId>,
    pub(crate) is_static: Table<ActorId, bool>,
    pub(crate) rows: Table<ActorId, Row>,
    pub(crate) classes: Table<ClassId, Class>,
    /// Attributes of the world, without the time.
    pub(crate) world: Vec<Field<WorldColumnId>>,
}

impl Layout {
    /// Returns the layout of a simulation, and all initial values: of the world, and of every class.
    pub(crate) fn new(
        experiment: &Experiment,
        simulation: &Simulation,
    ) -> (Self, Table<WorldColumnId, f64>, Columns) {
        let selector = experiment.selector(simulation);
        // An object that is read by name reads itself where others read it, so it is no longer like them.
        let contexts = simulation.contexts().iter().map(|&it| &experiment.contexts[it]);
        let read: BTreeSet<&str> = contexts.flat_map(|it| it.reads()).collect();
        let mut classes: Vec<(Participant, Class)> = Vec::new();
        // Participants are compared only within these groups: comparing each with all classes would cost the
        // square of their number.
        let mut known: BTreeMap<Key, Vec<usize>> = BTreeMap::new();
        let mut rows = Vec::with_capacity(simulation.objects.len());
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
                    let class = Class::new(object, &participant, free_fall);
                    let width = class.fields.last().map_or(0, |it| it.start.index() + it.width());
                    candidates.push(classes.len());
                    columns.push(vec![Vec::new(); width]);
                    classes.push((participant, class));
                    classes.len() - 1
                }
            };
            let scalars = object.attributes.iter().flat_map(|it| it.value.scalars().unwrap_or_default());
            for (column, scalar) in columns[class].iter_mut().zip(scalars) {
                column.push(scalar);
            }
            let members = &mut classes[class].1.members;
            rows.push(Row { class: ClassId::new(class), index: members.len() });
            members.push(ActorId::new(actor));
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
        let layout = Self {
            names: simulation.objects.iter().map(|it| of(it).name.clone()).collect(),
            objects: simulation.objects.iter().map(|&it| ObjectId::new(it)).collect(),
            is_static: simulation.objects.iter().map(|it| of(it).is_static).collect(),
            rows: rows.into(),
            classes: classes.into_iter().map(|(_, class)| class).collect(),
            world,
        };
        (layout, values, columns.into_iter().map(Table::from).collect())
    }

    /// Number of actors.
    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    /// All actors, in the order of names.
    pub(crate) fn actors(&self) -> impl Iterator<Item = ActorId> + Clone + use<> {
        self.names.ids()
    }

    pub(crate) fn class(&self, actor: ActorId) -> &Class {
        &self.classes[self.rows[actor].class]
    }

    /// The experiment's object that an actor is.
    pub(crate) fn object<'e>(&self, experiment: &'e Experiment, actor: ActorId) -> &'e Object {
        &experiment.objects[self.objects[actor].index()]
    }

    /// Column of an attribute's first scalar.
    pub(crate) fn column(&self, actor: ActorId, attribute: &str) -> ColumnId {
        self.find(actor, attribute).expect("the checker found this attribute").start
    }

    /// Returns an attribute of an actor; `None` if the actor has none of this name.
    pub(crate) fn find(&self, actor: ActorId, attribute: &str) -> Option<&Field<ColumnId>> {
        field(&self.class(actor).fields, attribute)
    }

    /// Returns `true` if an attribute that begins at a column belongs to the shape of an actor.
    pub(crate) fn is_size(&self, actor: ActorId, column: ColumnId) -> bool {
        let mut fields = self.class(actor).shape.own_fields().iter();
        fields.any(|it| self.find(actor, it.name).is_some_and(|it| it.start == column))
    }

    /// An attribute of the world.
    pub(crate) fn world_field(&self, attribute: &str) -> &Field<WorldColumnId> {
        field(&self.world, attribute).expect("the checker found this attribute")
    }

    /// Name of the world attribute that a column belongs to.
    pub(crate) fn world_name(&self, column: WorldColumnId) -> &str {
        let field = self.world.iter().rev().find(|it| it.start <= column);
        field.map_or("", |it| &it.name)
    }

    /// Returns the actor of this name.
    pub(crate) fn actor(&self, name: &str) -> Option<ActorId> {
        self.names.position(|it| it.as_str().cmp(name))
    }

    /// Returns the actor that an object of the experiment is.
    pub(crate) fn actor_of(&self, object: ObjectId) -> Option<ActorId> {
        // Both are numbered by name.
        self.objects.position(|it| it.cmp(&object))
    }
}

/// Static or not, shape, free fall, and the object itself if laws read it by name.
type Key = (bool, &'static str, Option<usize>, Option<usize>);

impl Class {
    /// Returns the class of an object, without members.
    fn new(object: &Object, participant: &Participant, free_fall: Option<usize>) -> Self {
        let fields = fields(participant.attributes.iter());
        let pose = ["position", "orientation"]
            .map(|name| field(&fields, name).map_or_else(Default::default, |it| (it.start, it.width())));
        let free_fall = free_fall.map(ContextId::new);
        Self { shape: object.shape, fields, pose, members: Vec::new(), free_fall }
    }
}

/// Attributes one after the other. They come sorted by name.
fn fields<'t, C: Column>(types: impl Iterator<Item = &'t (String, Type)>) -> Vec<Field<C>> {
    let mut start = 0;
    let mut fields = Vec::new();
    for (name, ty) in types {
        let field = Field { name: name.clone(), ty: ty.clone(), start: C::new(start) };
        start += field.width();
        fields.push(field);
    }
    fields
}

fn field<'f, C>(fields: &'f [Field<C>], name: &str) -> Option<&'f Field<C>> {
    fields.binary_search_by(|it| it.name.as_str().cmp(name)).ok().map(|place| &fields[place])
}

//! From the state of a simulation to rows of a recording.

use super::ids::{ActorId, ClassId, ColumnId, ContextId, Id, LawId, Table, WorldColumnId};
use super::laws::helpers;
use super::world::{Instant, World};
use crate::run::measures::Meter;
use crate::run::schema::{add_measures, schema_of};
use gedanken_experiment::{Experiment, Record, Simulation};
use gedanken_lang::check::{Binding, ContextKind};
use gedanken_lang::program::FunctionId;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use gedanken_recording::{Constant, Owner, Quantity, Schema};
use std::collections::BTreeSet;
use std::ops::Range;

/// Source of the scalars of a quantity.
#[derive(Clone, Copy, Debug)]
enum Cell {
    World {
        column: WorldColumnId,
    },
    Stored {
        actor: ActorId,
        column: ColumnId,
    },
    /// The so-manieth attribute of the context that the quantity belongs to, of the object itself.
    Kept {
        actor: ActorId,
        context: ContextId,
        nth: usize,
    },
    /// The so-manieth helper of the context that the quantity belongs to.
    Helper {
        actor: ActorId,
        context: ContextId,
        nth: usize,
    },
}

/// Quantities that are recorded, and their sources.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) schema: Schema,
    /// Source of each quantity and number of its scalars: rows are written without a look at names and types.
    cells: Vec<(Cell, usize)>,
}

/// Scalars of a row up to which context attributes are recorded unless asked for. The length of a run does not
/// count: a run that is resumed to a later end has the rows, and so the hashes, of the shorter one.
const MAX_ROW_UNASKED: usize = 20_000;

/// Attributes of the world and of objects that the laws of some context set.
#[derive(Debug, Default)]
struct Set {
    world: BTreeSet<String>,
    objects: BTreeSet<(ClassId, String)>,
}

impl Set {
    fn new(experiment: &Experiment, world: &World<'_>) -> Self {
        let mut set = Self::default();
        // Of each class, one member stands for all.
        let classes = world.layout.classes.entries();
        let members: Vec<(ClassId, _)> = classes
            .map(|(class, it)| (class, world.layout.object(experiment, it.members[0]).participant()))
            .collect();
        for checked in &experiment.checked_contexts {
            for output in &checked.checked.program.outputs {
                match &checked.checked.scope.variables[output.scope_index].binding {
                    Binding::World { name } => {
                        set.world.insert(name.clone());
                    }
                    Binding::Object { index, attribute } => {
                        for (class, participant) in &members {
                            if *participant == checked.participants[*index] {
                                set.objects.insert((*class, attribute.clone()));
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        set
    }
}

impl Rows {
    /// Everything that can change in a simulation, and with it the schema.
    pub(crate) fn new(
        experiment: &Experiment,
        simulation: &Simulation,
        world: &World<'_>,
        meter: &Meter,
    ) -> Self {
        let set = Set::new(experiment, world);
        let mut rows = Self {
            schema: schema_of(
                simulation,
                world.layout.names.iter().cloned().collect(),
                experiment.contexts.iter().map(|it| it.name.clone()).collect(),
            ),
            cells: Vec::new(),
        };
        for field in &world.layout.world {
            let scalars = world.values.slice(field.start, field.width()).to_vec();
            if !simulation.record.has_world_attribute(&field.name) {
                continue;
            }
            if set.world.contains(&field.name) {
                rows.add(Owner::World, &field.name, &field.ty, None, Cell::World { column: field.start });
            } else {
                rows.constant(Owner::World, &field.name, &field.ty, scalars);
            }
        }
        let small = |rows: &Self| rows.schema.width() <= MAX_ROW_UNASKED;
        let contexts: Table<ClassId, _> =
            world.layout.classes.iter().map(|it| world.contexts_of(it.members[0])).collect();
        for actor in world.layout.actors() {
            let owner = Owner::Object(actor.index());
            let place = world.layout.rows[actor];
            let object = world.layout.object(experiment, actor);
            for field in &world.layout.classes[place.class].fields {
                if !simulation.record.has_attribute(object, &field.name) {
                    continue;
                }
                if set.objects.contains(&(place.class, field.name.clone())) {
                    let cell = Cell::Stored { actor, column: field.start };
                    rows.add(owner, &field.name, &field.ty, None, cell);
                } else {
                    let scalars = field.columns().map(|it| world.stored(actor, it));
                    rows.constant(owner, &field.name, &field.ty, scalars.collect());
                }
            }
            for &(context, ref kept, ref helpers) in &contexts[place.class] {
                let wanted = |name: &str| match simulation.record {
                    Record::Default => small(&rows),
                    _ => simulation.record.has_context_attribute(name),
                };
                let kept: Vec<_> = kept.iter().enumerate().filter(|(_, (name, _))| wanted(name)).collect();
                for (nth, (name, ty)) in kept {
                    rows.add(owner, name, ty, Some(context.index()), Cell::Kept { actor, context, nth });
                }
                for (nth, (name, ty, _)) in helpers.iter().enumerate() {
                    if simulation.record.has_helper(name) {
                        rows.add(
                            owner,
                            name,
                            ty,
                            Some(context.index()),
                            Cell::Helper { actor, context, nth },
                        );
                    }
                }
            }
        }
        add_measures(&mut rows.schema, meter);
        rows
    }

    fn add(&mut self, owner: Owner, name: &str, ty: &Type, context: Option<usize>, cell: Cell) {
        let start = self.schema.width();
        let quantity = Quantity { owner, name: name.to_owned(), ty: ty.clone(), context, start };
        self.cells.push((cell, quantity.width()));
        self.schema.quantities.push(quantity);
    }

    fn constant(&mut self, owner: Owner, name: &str, ty: &Type, scalars: Vec<f64>) {
        self.schema.constants.push(Constant { owner, name: name.to_owned(), ty: ty.clone(), scalars });
    }

    /// Appends quantities as stored.
    pub(crate) fn recorded(&self, world: &World<'_>, quantities: Range<usize>, out: &mut Vec<f64>) {
        // Helpers of one object follow each other: its laws run once.
        let mut helpers: Option<(ActorId, Vec<Option<Value>>)> = None;
        for &(cell, width) in &self.cells[quantities] {
            match cell {
                Cell::World { column } => out.extend_from_slice(world.values.slice(column, width)),
                Cell::Stored { actor, column } => {
                    let place = world.layout.rows[actor];
                    let columns = world.stored[place.class].slice(column, width);
                    out.extend(columns.iter().map(|column| column[place.index]));
                }
                Cell::Kept { actor, context, nth } => {
                    let laws = world.actors[actor].laws.filter(|&it| world.laws[it].context == context);
                    match laws.and_then(|it| Some((it, world.laws[it].own_kept(nth)?))) {
                        Some((laws, start)) => {
                            let row = world.layout.rows[actor].index;
                            let columns = world.kept[laws].slice(start, width);
                            out.extend(columns.iter().map(|column| column[row]));
                        }
                        None => out.extend(std::iter::repeat_n(f64::NAN, width)),
                    }
                }
                Cell::Helper { actor, context, nth } => {
                    let laws = world.actors[actor].laws.filter(|&it| world.laws[it].context == context);
                    if helpers.as_ref().is_none_or(|(of, _)| *of != actor) {
                        helpers = laws.map(|laws| (actor, world.helpers_of(actor, laws)));
                    }
                    let values = helpers.as_ref().filter(|(of, _)| *of == actor && laws.is_some());
                    let value = values.and_then(|(_, values)| values.get(nth)?.as_ref()?.scalars());
                    match value.filter(|it| it.len() == width) {
                        Some(scalars) => out.extend(scalars),
                        None => out.extend(std::iter::repeat_n(f64::NAN, width)),
                    }
                }
            }
        }
    }
}

/// A context: its index, names and types of its attributes, and its helpers.
type Kept = (ContextId, Vec<(String, Type)>, Vec<(String, Type, FunctionId)>);

impl World<'_> {
    /// The contexts that an actor can be in.
    fn contexts_of(&self, actor: ActorId) -> Vec<Kept> {
        let participant = self.layout.object(self.experiment, actor).participant();
        let mut found: Vec<Kept> = Vec::new();
        for checked in &self.experiment.checked_contexts {
            let kind = self.experiment.contexts[checked.context].kind;
            if kind == ContextKind::Collision
                || checked.participants[checked.evaluated] != participant
                || found.iter().any(|(context, _, _)| context.index() == checked.context)
            {
                continue;
            }
            let mut kept: Vec<(String, Type)> = Vec::new();
            for variable in &checked.checked.scope.variables {
                if let (Binding::Context { index, attribute }, Some(ty)) = (&variable.binding, &variable.ty)
                    && *index == checked.evaluated
                    && !kept.iter().any(|(name, _)| name == attribute)
                {
                    kept.push((attribute.clone(), ty.clone()));
                }
            }
            found.push((ContextId::new(checked.context), kept, helpers(&checked.checked)));
        }
        found
    }

    /// The helpers of an actor's laws and rates as stored, as far as these need them.
    fn helpers_of(&self, actor: ActorId, laws: LawId) -> Vec<Option<Value>> {
        let at = Instant::at(self.actors[actor].updated);
        let functions: Vec<FunctionId> = self.laws[laws].helpers.iter().map(|it| it.2).collect();
        let given = |given: usize| self.given(&at, actor, given);
        let mut values = vec![None; functions.len()];
        for program in self.laws[laws].laws.iter().chain(&self.laws[laws].rates) {
            let reached = program.reached(|source| self.read(&at, actor, laws, source), given, &functions);
            for (value, reached) in values.iter_mut().zip(reached) {
                *value = value.take().or(reached);
            }
        }
        values
    }
}

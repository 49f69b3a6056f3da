//! From the state of a simulation to rows of a recording.

use super::laws::helpers;
use super::world::{Instant, World};
use gedanken_experiment::{Experiment, Record, Simulation};
use gedanken_lang::check::{Binding, ContextKind};
use gedanken_lang::program::FunctionId;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use gedanken_recording::{Constant, Owner, Quantity, Schema};
use std::collections::BTreeSet;
use std::ops::Range;

/// Where the scalars of a quantity are found.
#[derive(Clone, Copy, Debug)]
enum Cell {
    World {
        column: usize,
    },
    Stored {
        actor: usize,
        column: usize,
    },
    /// The so-manieth attribute of the context that the quantity belongs to, of the object itself.
    Kept {
        actor: usize,
        context: usize,
        nth: usize,
    },
    /// The so-manieth helper of the context that the quantity belongs to.
    Helper {
        actor: usize,
        context: usize,
        nth: usize,
    },
    Measure,
}

/// What is recorded, and where it is found.
#[derive(Debug)]
pub(crate) struct Rows {
    pub(crate) schema: Schema,
    /// Of each quantity, where its scalars are and how many: rows are written without a look at names and
    /// types.
    cells: Vec<(Cell, usize)>,
    /// Quantities of the world, of each actor, and measures: ranges of indices.
    world: Range<usize>,
    actors: Vec<Range<usize>>,
    measures: Range<usize>,
}

/// Scalars up to which context attributes are recorded unless asked for.
const SMALL: f64 = 2e7;

/// Whether the laws of some context set an attribute of an object, or of the world.
#[derive(Debug, Default)]
struct Set {
    world: BTreeSet<String>,
    objects: BTreeSet<(usize, String)>,
}

impl Set {
    fn new(experiment: &Experiment, world: &World<'_>) -> Self {
        let mut set = Self::default();
        // Of each class, one member stands for all.
        let classes = world.cast.classes.iter().enumerate();
        let members: Vec<(usize, _)> = classes
            .map(|(class, it)| (class, experiment.objects[world.cast.objects[it.members[0]]].participant()))
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
        frames: u64,
        measures: &[(String, Type)],
    ) -> Self {
        let set = Set::new(experiment, world);
        let mut rows = Self {
            schema: crate::run::schema_of(
                simulation,
                world.cast.names.clone(),
                experiment.contexts.iter().map(|it| it.name.clone()).collect(),
            ),
            cells: Vec::new(),
            world: 0..0,
            actors: Vec::new(),
            measures: 0..0,
        };
        for field in &world.cast.world {
            let scalars = world.values[field.start..field.start + field.width()].to_vec();
            if !simulation.record.has_world_attribute(&field.name) {
                continue;
            }
            if set.world.contains(&field.name) {
                rows.add(Owner::World, &field.name, &field.ty, None, Cell::World { column: field.start });
            } else {
                rows.constant(Owner::World, &field.name, &field.ty, scalars);
            }
        }
        rows.world = 0..rows.cells.len();
        let small = |rows: &Self| rows.schema.width() as f64 * frames as f64 <= SMALL;
        let contexts: Vec<_> = world.cast.classes.iter().map(|it| world.contexts_of(it.members[0])).collect();
        for actor in 0..world.cast.len() {
            let start = rows.cells.len();
            let owner = Owner::Object(actor);
            let place = world.cast.places[actor];
            let object = &experiment.objects[world.cast.objects[actor]];
            for field in &world.cast.classes[place.class].fields {
                if !simulation.record.has_attribute(object, &field.name) {
                    continue;
                }
                if set.objects.contains(&(place.class, field.name.clone())) {
                    let cell = Cell::Stored { actor, column: field.start };
                    rows.add(owner, &field.name, &field.ty, None, cell);
                } else {
                    let scalars =
                        (field.start..field.start + field.width()).map(|it| world.stored(actor, it));
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
                    rows.add(owner, name, ty, Some(context), Cell::Kept { actor, context, nth });
                }
                for (nth, (name, ty, _)) in helpers.iter().enumerate() {
                    if simulation.record.has_helper(name) {
                        rows.add(owner, name, ty, Some(context), Cell::Helper { actor, context, nth });
                    }
                }
            }
            rows.actors.push(start..rows.cells.len());
        }
        let start = rows.cells.len();
        for (name, ty) in measures {
            rows.add(Owner::Measure, name, ty, None, Cell::Measure);
        }
        rows.measures = start..rows.cells.len();
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

    /// All that is recorded, as stored.
    pub(crate) fn row(&self, world: &World<'_>, measures: &[f64], out: &mut Vec<f64>) {
        out.clear();
        self.some(world, 0..self.measures.start, out);
        out.extend_from_slice(measures);
    }

    /// What is recorded of the world, of some actors (by name) and in all, as stored.
    pub(crate) fn part(&self, world: &World<'_>, actors: &[usize], measures: &[f64]) -> Vec<f64> {
        let width = |which: &Range<usize>| match self.schema.quantities[which.clone()] {
            [ref first, .., ref last] => last.end() - first.start,
            [ref only] => only.width(),
            [] => 0,
        };
        let wide = actors.iter().map(|&it| width(&self.actors[it])).sum::<usize>();
        let mut out = Vec::with_capacity(width(&self.world) + wide + measures.len());
        self.some(world, self.world.clone(), &mut out);
        match *actors {
            // Most events are of one, or of two.
            [one] => self.some(world, self.actors[one].clone(), &mut out),
            [one, other] => {
                self.some(world, self.actors[one.min(other)].clone(), &mut out);
                self.some(world, self.actors[one.max(other)].clone(), &mut out);
            }
            _ => {
                let mut sorted = actors.to_vec();
                sorted.sort_unstable();
                sorted.iter().for_each(|&it| self.some(world, self.actors[it].clone(), &mut out));
            }
        }
        out.extend_from_slice(measures);
        out
    }

    fn some(&self, world: &World<'_>, which: Range<usize>, out: &mut Vec<f64>) {
        // Helpers of one object follow each other: its laws are asked once.
        let mut asked: Option<(usize, Vec<Option<Value>>)> = None;
        for &(cell, width) in &self.cells[which] {
            match cell {
                Cell::World { column } => out.extend_from_slice(&world.values[column..column + width]),
                Cell::Stored { actor, column } => {
                    let place = world.cast.places[actor];
                    let columns = &world.stored[place.class][column..column + width];
                    out.extend(columns.iter().map(|column| column[place.row]));
                }
                Cell::Kept { actor, context, nth } => {
                    let laws = world.actors[actor].laws.filter(|&it| world.laws[it].context == context);
                    match laws.and_then(|it| Some((it, world.laws[it].own_kept(nth)?))) {
                        Some((laws, start)) => {
                            let row = world.cast.places[actor].row;
                            let columns = &world.kept[laws][start..start + width];
                            out.extend(columns.iter().map(|column| column[row]));
                        }
                        None => out.extend(std::iter::repeat_n(f64::NAN, width)),
                    }
                }
                Cell::Helper { actor, context, nth } => {
                    let laws = world.actors[actor].laws.filter(|&it| world.laws[it].context == context);
                    if asked.as_ref().is_none_or(|(of, _)| *of != actor) {
                        asked = laws.map(|laws| (actor, world.helpers_of(actor, laws)));
                    }
                    let values = asked.as_ref().filter(|(of, _)| *of == actor && laws.is_some());
                    let value = values.and_then(|(_, values)| values.get(nth)?.as_ref()?.scalars());
                    match value.filter(|it| it.len() == width) {
                        Some(scalars) => out.extend(scalars),
                        None => out.extend(std::iter::repeat_n(f64::NAN, width)),
                    }
                }
                Cell::Measure => {}
            }
        }
    }
}

/// A context: its index, names and types of its attributes, and its helpers.
type Kept = (usize, Vec<(String, Type)>, Vec<(String, Type, FunctionId)>);

impl World<'_> {
    /// The contexts that an actor can be in.
    fn contexts_of(&self, actor: usize) -> Vec<Kept> {
        let participant = self.experiment.objects[self.cast.objects[actor]].participant();
        let mut found: Vec<Kept> = Vec::new();
        for checked in &self.experiment.checked_contexts {
            let kind = self.experiment.contexts[checked.context].kind;
            if kind == ContextKind::Collision
                || checked.participants[checked.evaluated] != participant
                || found.iter().any(|(context, _, _)| *context == checked.context)
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
            found.push((checked.context, kept, helpers(&checked.checked)));
        }
        found
    }

    /// The helpers of an actor's laws as stored, as far as its laws need them.
    fn helpers_of(&self, actor: usize, laws: usize) -> Vec<Option<Value>> {
        let at = Instant::at(self.actors[actor].updated);
        let functions: Vec<FunctionId> = self.laws[laws].helpers.iter().map(|it| it.2).collect();
        let Some(program) = &self.laws[laws].laws else { return Vec::new() };
        let given = |given: usize| {
            let given = self.actors[actor].given.get(given);
            given.map_or_else(|| Value::Vector(Vec::new()), |it| it.value.clone())
        };
        program.reached(|source| self.read(&at, actor, laws, source), given, &functions)
    }
}

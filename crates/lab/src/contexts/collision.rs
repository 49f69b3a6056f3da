//! Collisions: the context that holds for two objects, and its laws applied to them.
//!
//! Here the collision laws of the experiment act, restitution included: a law such as `v = previous(v) - (1 +
//! e) …` runs in [`Engine::collide`]. Impacts of the rigid mechanics are in `gedanken_rigid::impact`.

use super::Engine;
use super::ids::{ActorId, ClassId, Column, ContextColumnId, Id, LawId, ParticipantId, Table, WorldColumnId};
use super::laws::Laws;
use super::laws::inputs::{Source, Target};
use super::laws::program::{Failure, Program};
use super::layout::Layout;
use super::touch::Touch;
use super::world::{Given, Instant, World};
use crate::run::events::{Events, Happened};
use crate::run::options::Stop;
use gedanken_experiment::Simulation;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::program::FunctionId;
use gedanken_lang::value::Value;
use gedanken_recording::EventKind;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A collision context compiled for two kinds of objects.
#[derive(Clone, Copy, Debug)]
struct CollisionContext {
    /// Compiled laws.
    laws: LawId,
    /// `true` if the object that comes second by name has index 0.
    swapped: bool,
    /// `true` if one of the two can have another shape after the collision.
    reshapes: bool,
}

/// Collision contexts of all pairs that have met.
#[derive(Debug)]
pub(crate) struct Collisions {
    /// Objects that some context names: each is a kind of its own.
    named: BTreeSet<ActorId>,
    known: BTreeMap<(ActorKind, ActorKind), Option<CollisionContext>>,
    /// Time at which a collision last set each scalar of the world.
    set_at: Table<WorldColumnId, Option<f64>>,
    /// Scalars of the world that collisions of this instant have changed.
    changed: Vec<WorldColumnId>,
}

/// Objects that no context tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ActorKind {
    Class(ClassId),
    Named(ActorId),
}

impl Collisions {
    pub(crate) fn new(world: &World<'_>, simulation: &Simulation) -> Self {
        let contexts = simulation.contexts().iter().map(|&it| &world.experiment.contexts[it]);
        let named = contexts.flat_map(|it| it.named()).filter_map(|name| world.layout.actor(name)).collect();
        Self {
            named,
            known: BTreeMap::new(),
            set_at: Table::filled(None, world.values.len()),
            changed: Vec::new(),
        }
    }

    fn kind(&self, layout: &Layout, actor: ActorId) -> ActorKind {
        if self.named.contains(&actor) {
            ActorKind::Named(actor)
        } else {
            ActorKind::Class(layout.rows[actor].class)
        }
    }
}

impl Engine<'_> {
    /// Returns the context for two objects, the first by name first. Compiles it when two such kinds first
    /// meet.
    fn collision_of(&mut self, a: ActorId, b: ActorId) -> Option<CollisionContext> {
        let layout = &self.world.layout;
        let key = (self.collisions.kind(layout, a), self.collisions.kind(layout, b));
        if let Some(known) = self.collisions.known.get(&key) {
            return *known;
        }
        let experiment = self.world.experiment;
        let objects = [a, b].map(|it| layout.objects[it].index());
        // A tie has been reported when the experiment was read.
        let applied = experiment.selector(self.simulation).collision(objects[0], objects[1]).ok().flatten();
        let made = applied.and_then(|applied| {
            let checked = experiment.laws(applied.context, &applied.objects, 0)?;
            let swapped = applied.objects[0] != objects[0];
            let pair = if swapped { [b, a] } else { [a, b] };
            let laws = Laws::new(experiment, layout, &self.varying, checked, &pair, None, &self.options);
            let mut targets = laws.first.iter().chain(&laws.laws).flat_map(|it| &it.targets);
            let reshapes = pair.iter().any(|&it| self.varying.resizes(layout, layout.rows[it].class))
                || targets.any(|it| match it.0 {
                    Target::Stored { participant, column } => {
                        layout.is_size(pair[participant.index()], column)
                    }
                    _ => false,
                });
            Some((laws, swapped, reshapes))
        });
        let applied = made.map(|(laws, swapped, reshapes)| {
            let laws = self.world.add_laws(Arc::new(laws));
            CollisionContext { laws, swapped, reshapes }
        });
        self.collisions.known.insert(key, applied);
        applied
    }

    /// Returns `true` if two objects have a collision context.
    pub(super) fn can_collide(&mut self, a: ActorId, b: ActorId) -> bool {
        self.collision_of(a, b).is_some()
    }

    /// Returns the collision context of two objects, as an index into those of the experiment.
    pub(super) fn collision_context(&mut self, a: ActorId, b: ActorId) -> Option<usize> {
        let applied = self.collision_of(a, b)?;
        Some(self.world.laws[applied.laws].context.index())
    }

    /// Applies the collision context of two objects that touch and records the event. `a` is first by name,
    /// and the values of both are stored as of `t`.
    pub(super) fn collide(
        &mut self,
        a: ActorId,
        b: ActorId,
        touch: &Touch,
        t: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let Some(applied) = self.collision_of(a, b) else { return Ok(()) };
        let laws = Arc::clone(&self.world.laws[applied.laws]);
        // A contact's normal points from the first by name to the second, an object's own normal towards it.
        let (pair, normal) = if applied.swapped { ([b, a], touch.normal) } else { ([a, b], -touch.normal) };
        let vector = |it: gedanken_math::Vec3| Given::from(Value::Vector(it.to_array().to_vec()));
        let given: Vec<Given> = laws
            .given
            .iter()
            .map(|(index, _)| match index {
                None => vector(touch.point),
                Some(it) if it.index() == 0 => vector(normal),
                Some(_) => vector(-normal),
            })
            .collect();
        let before = sink.row(&self.moment_of_event(t), &pair.map(ActorId::index))?;
        let mut kept = [0, 1].map(|it| Table::filled(0.0, laws.kept_width(ParticipantId::new(it))));
        // First-time-only attributes are stored before the laws run, which may read them. Each program reads
        // everything before anything is stored: both objects collide with the values from before.
        let mut helpers = Vec::new();
        for program in laws.first.iter().chain(&laws.laws) {
            if laws.laws.as_ref().is_some_and(|it| std::ptr::eq(it, program)) {
                helpers = self.recorded_helpers(&laws, program, pair, &kept, &given, t);
            }
            let mut out = vec![0.0; program.width];
            self.world.collide(program, pair, &kept, &given, t, applied.laws, &mut out)?;
            self.check_world(program, pair, applied.laws, t)?;
            let changed = self.world.store_collision(program, pair, &mut kept, &out);
            self.collisions.changed.extend(changed);
        }
        if applied.reshapes {
            self.reshape(&pair).map_err(|stop| self.blame_size(stop, pair, applied.laws, t))?;
        }
        let after = sink.row(&self.moment_of_event(t), &pair.map(ActorId::index))?;
        let mut shown = vec![
            ("collisionPoint".to_owned(), touch.point.to_array().to_vec()),
            (self.attribute_of(pair[0], "collisionNormal"), normal.to_array().to_vec()),
            (self.attribute_of(pair[1], "collisionNormal"), (-normal).to_array().to_vec()),
        ];
        shown.reserve_exact(laws.kept.len() + helpers.len());
        for field in &laws.kept {
            let name = self.attribute_of(pair[field.participant.index()], &field.name);
            let width = field.ty.scalars().unwrap_or(0);
            shown.push((name, kept[field.participant.index()].slice(field.start, width).to_vec()));
        }
        shown.extend(helpers);
        sink.event(Happened {
            time: t,
            kind: EventKind::Collision,
            context: Some(laws.context.index()),
            objects: pair.map(ActorId::index).to_vec(),
            given: shown,
            before,
            after,
        })
    }

    /// Name of an attribute of an actor, as events show it. A format would take most of the time of an event.
    fn attribute_of(&self, actor: ActorId, attribute: &str) -> String {
        let owner = &self.world.layout.names[actor];
        let mut name = String::with_capacity(owner.len() + 1 + attribute.len());
        name.push_str(owner);
        name.push('.');
        name.push_str(attribute);
        name
    }

    /// The helpers of a collision that are recorded, as far as its laws need them: names and scalars.
    fn recorded_helpers(
        &self,
        laws: &Laws,
        program: &Program,
        pair: [ActorId; 2],
        kept: &[Table<ContextColumnId, f64>; 2],
        given: &[Given],
        t: f64,
    ) -> Vec<(String, Vec<f64>)> {
        let recorded = laws.helpers.iter().filter(|it| self.simulation.record.has_helper(&it.0));
        let (names, functions): (Vec<&String>, Vec<FunctionId>) = recorded.map(|it| (&it.0, it.2)).unzip();
        if names.is_empty() {
            return Vec::new();
        }
        let read = |source: Source| self.world.collision_scalar(source, pair, kept, given, t);
        let values = program.reached(read, |index| given[index].value.clone(), &functions);
        let scalars = |value: Option<Value>| value.and_then(|it| it.scalars());
        let named = names.into_iter().zip(values);
        named.filter_map(|(name, value)| Some((name.clone(), scalars(value)?))).collect()
    }

    /// Refuses a second collision at one instant that sets the same attribute of the world, unless its law
    /// reads the value that the first one left.
    fn check_world(
        &mut self,
        program: &Program,
        pair: [ActorId; 2],
        laws: LawId,
        t: f64,
    ) -> Result<(), Stop> {
        for &(target, width) in &program.targets {
            let Target::World(start) = target else { continue };
            for column in start.span(width) {
                let again = self.collisions.set_at[column] == Some(t);
                if again && !program.sources().any(|it| it == Source::World(column)) {
                    let note = self.world.participants_note(&pair, Some(laws), t);
                    return Err(Box::new(self.set_twice(column, program).note(note)).into());
                }
                self.collisions.set_at[column] = Some(t);
            }
        }
        Ok(())
    }

    /// Returns the actors whose laws read a scalar of the world that collisions of this instant have changed.
    pub(super) fn readers_of_changed_world(&mut self) -> Vec<ActorId> {
        let changed = std::mem::take(&mut self.collisions.changed);
        if changed.is_empty() {
            return Vec::new();
        }
        let is_read = |source: Source| matches!(source, Source::World(column) if changed.contains(&column));
        let reading: Table<LawId, bool> = self.world.laws.iter().map(|it| it.reads().any(is_read)).collect();
        if !reading.iter().any(|it| *it) {
            return Vec::new();
        }
        let actors = self.world.actors.entries();
        actors.filter(|(_, it)| it.laws.is_some_and(|laws| reading[laws])).map(|(actor, _)| actor).collect()
    }

    /// Blames an impossible size on the law of the collision that gave it.
    fn blame_size(&self, stop: Stop, pair: [ActorId; 2], laws: LawId, t: f64) -> Stop {
        let Stop::Experiment(mut told) = stop else { return stop };
        let programs = &self.world.laws[laws];
        let fields = pair.iter().flat_map(|&it| self.world.layout.class(it).shape.own_fields());
        let mut places = fields
            .filter_map(|it| programs.first.iter().chain(&programs.laws).find_map(|law| law.place(it.name)));
        told.primary.span = places.next().unwrap_or(told.primary.span);
        told.notes = vec![self.world.participants_note(&pair, Some(laws), t)];
        Stop::Experiment(told)
    }

    fn set_twice(&self, column: WorldColumnId, program: &Program) -> Diagnostic {
        let name = self.world.layout.world_name(column);
        let message = format!("two collisions at the same instant both set the world's `{name}`");
        Diagnostic::new(Code::E803, program.place(name).unwrap_or(self.simulation.span), message)
            .label("by each of them")
            .help(format!("let the law build on what the other has left: `{name} = previous({name}) + …`"))
    }
}

impl World<'_> {
    /// Runs a program of a collision context.
    fn collide(
        &self,
        program: &Program,
        pair: [ActorId; 2],
        kept: &[Table<ContextColumnId, f64>; 2],
        given: &[Given],
        t: f64,
        laws: LawId,
        out: &mut [f64],
    ) -> Result<(), Box<Diagnostic>> {
        let read = |source: Source| self.collision_scalar(source, pair, kept, given, t);
        let ran = program.run(read, |index| given[index].value.clone(), out);
        ran.map_err(|failure| self.diagnose(failure, &pair, laws, t))
    }

    /// Reads a scalar for the laws of a collision: values of both objects are those from before it.
    fn collision_scalar(
        &self,
        source: Source,
        pair: [ActorId; 2],
        kept: &[Table<ContextColumnId, f64>; 2],
        given: &[Given],
        t: f64,
    ) -> Result<f64, Failure> {
        let at = Instant::at(t);
        Ok(match source {
            Source::Time => t,
            Source::Elapsed => 0.0,
            Source::World(column) => self.world_scalar(&at, column)?,
            Source::Fixed(column) => self.values[column],
            Source::Stored { participant, column } => self.stored(pair[participant.index()], column),
            Source::Kept { participant, column } => kept[participant.index()][column],
            Source::Other { actor, column } if pair.contains(&actor) => self.stored(actor, column),
            Source::Other { actor, column } => self.scalar(&at, actor, column)?,
            Source::Integrated { column } => self.stored(pair[0], column),
            Source::Constant(bits) => f64::from_bits(bits),
            Source::Given { given: index, element } => given[index].scalars[element],
        })
    }

    /// Stores the outputs of a program of a collision. Returns the scalars of the world that have changed.
    fn store_collision(
        &mut self,
        program: &Program,
        pair: [ActorId; 2],
        kept: &mut [Table<ContextColumnId, f64>; 2],
        out: &[f64],
    ) -> Vec<WorldColumnId> {
        let mut changed = Vec::new();
        let mut values = out.iter();
        for &(target, width) in &program.targets {
            for (element, &value) in values.by_ref().take(width).enumerate() {
                match target.element(element) {
                    Target::World(column) => {
                        if self.values[column] != value {
                            changed.push(column);
                        }
                        self.values[column] = value;
                    }
                    Target::Stored { participant, column } => {
                        let row = self.layout.rows[pair[participant.index()]];
                        self.stored[row.class][column][row.index] = value;
                    }
                    Target::Kept { participant, column } => kept[participant.index()][column] = value,
                }
            }
        }
        changed
    }
}

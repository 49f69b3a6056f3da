//! Collisions: which context holds for two objects, and its laws applied to them.

use super::laws::Laws;
use super::laws::inputs::{Source, Target};
use super::laws::program::Program;
use super::layout::Cast;
use super::touch::Touch;
use super::world::{Given, Instant, World};
use super::{Engine, Stop};
use gedanken_experiment::Simulation;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_recording::{Event, EventKind, Sink};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A context for two objects.
#[derive(Clone, Copy, Debug)]
struct Applied {
    /// Its laws.
    laws: usize,
    /// Whether the object that comes second by name has index 0.
    swapped: bool,
    /// Whether one of the two can have another shape after it than before.
    reshapes: bool,
}

/// The collision contexts of all pairs that have met.
#[derive(Debug)]
pub(crate) struct Collisions {
    /// Objects that some context names: each is a kind of its own.
    named: BTreeSet<usize>,
    known: BTreeMap<(Kind, Kind), Option<Applied>>,
    /// Of each scalar of the world, when a collision last set it.
    set_at: Vec<Option<f64>>,
    /// Scalars of the world that collisions of this instant have changed.
    changed: Vec<usize>,
}

/// Objects that no context tells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Class(usize),
    Named(usize),
}

impl Collisions {
    pub(crate) fn new(world: &World<'_>, simulation: &Simulation) -> Self {
        let contexts = simulation.contexts().iter().map(|&it| &world.experiment.contexts[it]);
        let named = contexts.flat_map(|it| it.named()).filter_map(|name| world.cast.actor(name)).collect();
        Self { named, known: BTreeMap::new(), set_at: vec![None; world.values.len()], changed: Vec::new() }
    }

    fn kind(&self, cast: &Cast, actor: usize) -> Kind {
        if self.named.contains(&actor) { Kind::Named(actor) } else { Kind::Class(cast.places[actor].class) }
    }
}

impl Engine<'_> {
    /// The context for two objects, the first by name first.
    fn collision_of(&mut self, a: usize, b: usize) -> Option<Applied> {
        let cast = &self.world.cast;
        let key = (self.collisions.kind(cast, a), self.collisions.kind(cast, b));
        if let Some(known) = self.collisions.known.get(&key) {
            return *known;
        }
        let experiment = self.world.experiment;
        let pair = [a, b].map(|it| cast.objects[it]);
        // A tie has been reported when the experiment was read.
        let applied = experiment.selector(self.simulation).collision(pair[0], pair[1]).ok().flatten();
        let made = applied.and_then(|applied| {
            let checked = experiment.laws(applied.context, &applied.objects, 0)?;
            let swapped = applied.objects[0] != pair[0];
            let who = if swapped { [b, a] } else { [a, b] };
            let laws = Laws::new(experiment, cast, &self.varying, checked, &who, None, self.options.native);
            let mut targets = laws.first.iter().chain(&laws.laws).flat_map(|it| &it.targets);
            let reshapes = who.iter().any(|&it| self.varying.resizes(cast, cast.places[it].class))
                || targets.any(|it| match it.0 {
                    Target::Stored { who: index, column } => cast.is_size(who[index], column),
                    _ => false,
                });
            Some((laws, swapped, reshapes))
        });
        let applied = made.map(|(laws, swapped, reshapes)| {
            let laws = self.world.add_laws(Arc::new(laws));
            Applied { laws, swapped, reshapes }
        });
        self.collisions.known.insert(key, applied);
        applied
    }

    /// Whether two objects have a collision context.
    pub(super) fn can_collide(&mut self, a: usize, b: usize) -> bool {
        self.collision_of(a, b).is_some()
    }

    /// Applies the collision context of two objects that touch, `a` first by name, whose values are stored as
    /// of `t`.
    pub(super) fn collide(
        &mut self,
        a: usize,
        b: usize,
        touch: &Touch,
        t: f64,
        sink: &mut dyn Sink,
    ) -> Result<(), Stop> {
        let Some(applied) = self.collision_of(a, b) else { return Ok(()) };
        let laws = Arc::clone(&self.world.laws[applied.laws]);
        // The touch has its normal from the first by name to the second; an object's own normal points
        // towards it.
        let (who, normal) = if applied.swapped { ([b, a], touch.normal) } else { ([a, b], -touch.normal) };
        let vector = |it: gedanken_math::Vec3| Given::from(Value::Vector(it.to_array().to_vec()));
        let given: Vec<Given> = laws
            .given
            .iter()
            .map(|(index, _)| match index {
                None => vector(touch.point),
                Some(0) => vector(normal),
                Some(_) => vector(-normal),
            })
            .collect();
        let measures = self.measures_at_event(t, sink)?;
        let before = self.rows.part(&self.world, &who, &measures);
        let mut kept = [0, 1].map(|index| vec![0.0; laws.kept_width(index)]);
        for program in laws.first.iter().chain(&laws.laws) {
            let mut out = vec![0.0; program.width];
            self.world.collide(program, who, &kept, &given, t, applied.laws, &mut out)?;
            self.check_world(program, who, applied.laws, t)?;
            let changed = self.world.store_collision(program, who, &mut kept, &out);
            self.collisions.changed.extend(changed);
        }
        if applied.reshapes {
            self.reshape(&who).map_err(|stop| self.misshapen(stop, who, applied.laws, t))?;
        }
        let measures = self.measures_at_event(t, sink)?;
        let after = self.rows.part(&self.world, &who, &measures);
        let mut shown = vec![
            ("collisionPoint".to_owned(), touch.point.to_array().to_vec()),
            (format!("{}.collisionNormal", self.world.cast.names[who[0]]), normal.to_array().to_vec()),
            (format!("{}.collisionNormal", self.world.cast.names[who[1]]), (-normal).to_array().to_vec()),
        ];
        for field in &laws.kept {
            let name = format!("{}.{}", self.world.cast.names[who[field.who]], field.name);
            let width = field.ty.scalars().unwrap_or(0);
            shown.push((name, kept[field.who][field.start..field.start + width].to_vec()));
        }
        let event = Event {
            index: self.events,
            time: t,
            kind: EventKind::Collision,
            context: Some(laws.context),
            objects: who.to_vec(),
            given: shown,
            before,
            after,
        };
        self.event(event, sink)
    }

    /// Two collisions at one instant that set the same attribute of the world are a conflict, unless the
    /// second one reads what the first one has left.
    fn check_world(&mut self, program: &Program, who: [usize; 2], laws: usize, t: f64) -> Result<(), Stop> {
        for &(target, width) in &program.targets {
            let Target::World(start) = target else { continue };
            for column in start..start + width {
                let again = self.collisions.set_at[column] == Some(t);
                if again && !program.sources().any(|it| it == Source::World(column)) {
                    let note = self.world.whose(&who, Some(laws), t);
                    return Err(Box::new(self.set_twice(column, program).note(note)).into());
                }
                self.collisions.set_at[column] = Some(t);
            }
        }
        Ok(())
    }

    /// Those whose laws read what collisions of this instant have changed of the world. Few laws do: a
    /// counter costs nobody anything.
    pub(super) fn readers_of_world(&mut self) -> Vec<usize> {
        let changed = std::mem::take(&mut self.collisions.changed);
        if changed.is_empty() {
            return Vec::new();
        }
        let is_read = |source: Source| matches!(source, Source::World(column) if changed.contains(&column));
        let reading: Vec<bool> = self.world.laws.iter().map(|it| it.reads().any(is_read)).collect();
        if !reading.contains(&true) {
            return Vec::new();
        }
        let actors = self.world.actors.iter().enumerate();
        actors.filter(|(_, it)| it.laws.is_some_and(|laws| reading[laws])).map(|(actor, _)| actor).collect()
    }

    /// An impossible size is blamed on the law of the collision that gave it.
    fn misshapen(&self, stop: Stop, who: [usize; 2], laws: usize, t: f64) -> Stop {
        let Stop::Experiment(mut told) = stop else { return stop };
        let programs = &self.world.laws[laws];
        let fields = who.iter().flat_map(|&it| self.world.cast.class(it).shape.own_fields());
        let mut places = fields
            .filter_map(|it| programs.first.iter().chain(&programs.laws).find_map(|law| law.place(it.name)));
        told.primary.span = places.next().unwrap_or(told.primary.span);
        told.notes = vec![self.world.whose(&who, Some(laws), t)];
        Stop::Experiment(told)
    }

    fn set_twice(&self, column: usize, program: &Program) -> Diagnostic {
        let field = self.world.cast.world.iter().rev().find(|it| it.start <= column);
        let name = field.map_or("", |it| &it.name);
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
        who: [usize; 2],
        kept: &[Vec<f64>; 2],
        given: &[Given],
        t: f64,
        laws: usize,
        out: &mut [f64],
    ) -> Result<(), Box<Diagnostic>> {
        let at = Instant::at(t);
        let read = |source: Source| {
            Ok(match source {
                Source::Time => t,
                Source::Elapsed => 0.0,
                Source::World(column) => self.world_scalar(&at, column)?,
                Source::Stored { who: index, column } => self.stored(who[index], column),
                Source::Kept { who: index, column } => kept[index][column],
                Source::Other { object, column } if who.contains(&object) => self.stored(object, column),
                Source::Other { object, column } => self.scalar(&at, object, column)?,
                Source::Flowing { column } => self.stored(who[0], column),
                Source::Constant(bits) => f64::from_bits(bits),
                Source::Given { given: index, element } => given[index].scalars[element],
            })
        };
        let ran = program.run(read, |index| given[index].value.clone(), out);
        ran.map_err(|failure| self.tell(failure, &who, laws, t))
    }

    /// Stores what a program of a collision has computed. Gives the scalars of the world that have changed.
    fn store_collision(
        &mut self,
        program: &Program,
        who: [usize; 2],
        kept: &mut [Vec<f64>; 2],
        out: &[f64],
    ) -> Vec<usize> {
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
                    Target::Stored { who: index, column } => {
                        let place = self.cast.places[who[index]];
                        self.stored[place.class][column][place.row] = value;
                    }
                    Target::Kept { who: index, column } => kept[index][column] = value,
                }
            }
        }
        changed
    }
}

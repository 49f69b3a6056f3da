//! State of a simulation: the values of all attributes, the context of each actor, and everything that
//! follows from them at any instant.
//!
//! Reading changes nothing: any instant can be evaluated, in any order, by any thread. Values are written by
//! [`World::commit`] at frames and events, by [`World::start`] when a context begins, and by collisions.

use super::ids::{
    ActorId, ClassId, Column, ColumnId, ContextColumnId, Id, LawId, ParticipantId, SystemId, Table,
    WorldColumnId,
};
use super::laws::Laws;
use super::laws::inputs::{Source, Target};
use super::laws::program::{Failure, Program};
use super::laws::rates::CoupledSystems;
use super::layout::{Columns, Layout};
use super::touch::live::{LiveContact, LiveRows};
use gedanken_experiment::Experiment;
use gedanken_geometry::Shape;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::ir::Feed;
use gedanken_lang::kernel::room;
use gedanken_lang::source::Span;
use gedanken_lang::value::Value;
use gedanken_math::Cancel;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An object that takes part, and its present state.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    /// Laws of its free fall.
    pub(crate) free_fall: Option<LawId>,
    /// Laws that hold for it now.
    pub(crate) laws: Option<LawId>,
    /// Time at which they began to hold, s.
    pub(crate) since: f64,
    /// Time of the last completed frame or event, s: the stored values are of this time.
    pub(crate) updated: f64,
    /// Number of changes of its motion. A contact that was found with another number is void.
    pub(crate) version: u32,
    /// Values that the engine measured for its laws.
    pub(crate) given: Vec<Given>,
    /// Shape, from the stored attributes.
    pub(crate) shape: Shape,
    /// Largest distance of its points from its position, from the stored attributes.
    pub(crate) radius: f64,
}

/// A value that the engine measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Given {
    pub(crate) value: Value,
    pub(crate) scalars: Vec<f64>,
    /// The same at any instant, where it follows the motion.
    pub(crate) live: Option<LiveRows>,
}

impl From<Value> for Given {
    fn from(value: Value) -> Self {
        Self { scalars: value.scalars().unwrap_or_default(), value, live: None }
    }
}

/// An instant at which laws are evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instant<'y> {
    pub(crate) t: f64,
    /// Trial values of an integrator: the system, and all its scalars.
    pub(crate) trial: Option<(SystemId, &'y [f64])>,
    /// `true` if a context starts now: integrated values are the stored ones.
    pub(crate) start: bool,
    /// Depth of the evaluation: laws of objects that need laws of other objects.
    pub(crate) depth: u32,
    /// Results of laws at this instant, so that no law runs again for every scalar that is read.
    pub(crate) known: Option<&'y LawCache>,
}

/// Results of the laws of objects, and contacts, at one instant.
#[derive(Debug, Default)]
pub(crate) struct LawCache {
    laws: RefCell<BTreeMap<ActorId, Vec<f64>>>,
    contacts: RefCell<BTreeMap<(ActorId, ActorId), LiveContact>>,
}

impl LawCache {
    /// Returns the known contact of an object with another.
    pub(crate) fn contact(&self, pair: (ActorId, ActorId)) -> Option<LiveContact> {
        self.contacts.borrow().get(&pair).copied()
    }

    pub(crate) fn keep_contact(&self, pair: (ActorId, ActorId), contact: LiveContact) {
        self.contacts.borrow_mut().insert(pair, contact);
    }
}

impl Instant<'_> {
    pub(crate) fn at(t: f64) -> Self {
        Instant { t, trial: None, start: false, depth: 0, known: None }
    }
}

/// Number of inputs or outputs of a law that need no heap memory.
const INLINE_INPUTS: usize = 32;

/// Maximum depth of laws that read laws of other objects. Deeper evaluation means a cycle.
pub(crate) const MAX_LAW_DEPTH: u32 = 100;

/// Help for objects whose laws need each other in a cycle.
pub(crate) const CYCLE_HELP: &str = "give one of them a rate (`position' = …`): rates are integrated together; or keep what it \
                                     needs from the start of the context, as a first-time-only attribute";

/// State of a simulation, and its laws.
#[derive(Debug)]
pub(crate) struct World<'e> {
    pub(crate) experiment: &'e Experiment,
    pub(crate) layout: Layout,
    pub(crate) laws: Table<LawId, Arc<Laws>>,
    /// Scalars of the world's attributes.
    pub(crate) values: Table<WorldColumnId, f64>,
    /// Scalars of the actors' attributes, as of [`Actor::updated`].
    pub(crate) stored: Columns,
    /// Scalars of context attributes, by laws, column and row.
    pub(crate) kept: Table<LawId, Table<ContextColumnId, Vec<f64>>>,
    pub(crate) actors: Table<ActorId, Actor>,
    /// Actor whose laws set each scalar of the world now.
    pub(crate) owners: Table<WorldColumnId, Option<ActorId>>,
    pub(crate) integrated: CoupledSystems,
    /// Token that ends the run.
    pub(crate) cancel: Cancel,
}

impl<'e> World<'e> {
    /// Adds laws, with room for the context attributes of their evaluated objects.
    pub(crate) fn add_laws(&mut self, laws: Arc<Laws>) -> LawId {
        let width = laws.evaluated.map_or(0, |it| laws.kept_width(it));
        let rows = laws.class.map_or(0, |class| self.layout.classes[class].members.len());
        self.kept.push(Table::filled(vec![0.0; rows], width));
        self.laws.push(laws)
    }

    /// Returns a stored scalar.
    pub(crate) fn stored(&self, actor: ActorId, column: ColumnId) -> f64 {
        let row = self.layout.rows[actor];
        self.stored[row.class][column][row.index]
    }

    /// Returns the laws that hold for an actor now.
    pub(crate) fn laws_of(&self, actor: ActorId) -> Option<&Laws> {
        self.actors[actor].laws.map(|it| &*self.laws[it])
    }

    /// Returns the value of a source of an actor's laws at an instant.
    pub(crate) fn read(
        &self,
        at: &Instant<'_>,
        actor: ActorId,
        laws: LawId,
        source: Source,
    ) -> Result<f64, Failure> {
        let row = self.layout.rows[actor].index;
        Ok(match source {
            Source::Time => at.t,
            Source::Elapsed => at.t - self.actors[actor].updated,
            // A scalar that its own law sets is read only as `previous`.
            Source::World(column) if self.owners[column] == Some(actor) => self.values[column],
            Source::World(column) => self.world_scalar(at, column)?,
            Source::Fixed(column) => self.values[column],
            Source::Stored { column, .. } => self.stored(actor, column),
            Source::Integrated { column } if at.start => self.stored(actor, column),
            Source::Integrated { column } => self.integrated_scalar(at, actor, column),
            Source::Kept { column, .. } => self.kept[laws][column][row],
            Source::Other { actor, column } => self.scalar(at, actor, column)?,
            Source::Constant(bits) => f64::from_bits(bits),
            Source::Given { given, element } => {
                let given = self.actors[actor].given.get(given);
                let live = given.and_then(|it| it.live.as_ref()).and_then(|it| it.scalar(self, at, element));
                live.or_else(|| given?.scalars.get(element).copied()).unwrap_or(0.0)
            }
        })
    }

    /// Reads plain sources of an actor's laws at `t`.
    #[inline]
    pub(crate) fn read_plain(
        &self,
        t: f64,
        actor: ActorId,
        laws: LawId,
        sources: &[Source],
        inputs: &mut [f64],
    ) {
        let row = self.layout.rows[actor];
        let (stored, kept) = (&self.stored[row.class], &self.kept[laws]);
        for (input, &source) in inputs.iter_mut().zip(sources) {
            *input = match source {
                Source::Time => t,
                Source::Elapsed => t - self.actors[actor].updated,
                Source::Fixed(column) => self.values[column],
                Source::Stored { column, .. } => stored[column][row.index],
                Source::Kept { column, .. } => kept[column][row.index],
                Source::Constant(bits) => f64::from_bits(bits),
                _ => unreachable!("not a plain source"),
            };
        }
    }

    /// Returns an integrated scalar at an instant.
    fn integrated_scalar(&self, at: &Instant<'_>, actor: ActorId, column: ColumnId) -> f64 {
        match (self.integrated.place(actor, column), at.trial) {
            (Some((system, place)), Some((trial, values))) if trial == system => values[place],
            (Some((system, place)), _) => {
                self.integrated.value(system, place, at.t).unwrap_or_else(|| self.stored(actor, column))
            }
            (None, _) => self.stored(actor, column),
        }
    }

    /// Returns a scalar of the world at an instant.
    pub(crate) fn world_scalar(&self, at: &Instant<'_>, column: WorldColumnId) -> Result<f64, Failure> {
        let Some(owner) = self.owners[column] else { return Ok(self.values[column]) };
        self.law(at, owner, |target, width| match target {
            Target::World(start) => column.within(start, width),
            _ => None,
        })
        .map(|found| found.unwrap_or(self.values[column]))
    }

    /// Returns a scalar of an actor's attributes at an instant, by the laws that hold for it.
    pub(crate) fn scalar(&self, at: &Instant<'_>, actor: ActorId, wanted: ColumnId) -> Result<f64, Failure> {
        let Some(laws) = self.laws_of(actor) else { return Ok(self.stored(actor, wanted)) };
        if laws.integrates(wanted) {
            return Ok(self.integrated_scalar(at, actor, wanted));
        }
        if !laws.governs(wanted) {
            return Ok(self.stored(actor, wanted));
        }
        let found = self.law(at, actor, |target, width| match target {
            Target::Stored { column, .. } => wanted.within(column, width),
            _ => None,
        })?;
        Ok(found.unwrap_or_else(|| self.stored(actor, wanted)))
    }

    /// Returns the scalar that an actor's laws give for the target that `wanted` accepts; `None` if they have
    /// no such target.
    fn law(
        &self,
        at: &Instant<'_>,
        actor: ActorId,
        wanted: impl Fn(Target, usize) -> Option<usize>,
    ) -> Result<Option<f64>, Failure> {
        let Some((id, laws)) = self.actors[actor].laws.map(|id| (id, &self.laws[id])) else {
            return Ok(None);
        };
        let Some(program) = &laws.laws else { return Ok(None) };
        let mut place = 0;
        let wanted = program.targets.iter().find_map(|&(target, width)| {
            place += width;
            wanted(target, width).map(|element| place - width + element)
        });
        let Some(wanted) = wanted else { return Ok(None) };
        if let Some(found) = at.known.and_then(|it| it.laws.borrow().get(&actor).map(|out| out[wanted])) {
            return Ok(Some(found));
        }
        if at.depth >= MAX_LAW_DEPTH {
            return Err(Failure::Told(Box::new(self.cycle_diagnostic(actor, at.t))));
        }
        let deeper = Instant { depth: at.depth + 1, start: false, ..*at };
        let mut out = vec![0.0; program.width];
        self.run(&deeper, actor, id, program, &mut out).map_err(Failure::Told)?;
        let found = out[wanted];
        if let Some(known) = at.known {
            known.laws.borrow_mut().insert(actor, out);
        }
        Ok(Some(found))
    }

    /// Runs a program of an actor's laws, unless the run was cancelled: whatever searches, predicts or
    /// integrates comes by here.
    pub(crate) fn run(
        &self,
        at: &Instant<'_>,
        actor: ActorId,
        laws: LawId,
        program: &Program,
        out: &mut [f64],
    ) -> Result<(), Box<Diagnostic>> {
        if self.cancel.is_asked() {
            return Err(self.cancelled(actor));
        }
        if let Some(slots) = program.slots.as_ref().filter(|it| it.is_plain) {
            let (mut few, mut many) = ([0.0; INLINE_INPUTS], Vec::new());
            let inputs = room(&mut few, &mut many, slots.sources.len());
            self.read_plain(at.t, actor, laws, &slots.sources, inputs);
            let ran = program.kernel.run_slots(inputs, out);
            return ran.map_err(|fault| self.diagnose(Failure::law(fault), &[actor], laws, at.t));
        }
        let known = LawCache::default();
        let at = Instant { known: Some(at.known.unwrap_or(&known)), ..*at };
        let given = |given: usize| self.given(&at, actor, given);
        let ran = program.run(|source| self.read(&at, actor, laws, source), given, out);
        ran.map_err(|failure| self.diagnose(failure, &[actor], laws, at.t))
    }

    /// Returns a value that the engine gives the laws of an actor at an instant.
    pub(crate) fn given(&self, at: &Instant<'_>, actor: ActorId, number: usize) -> Value {
        let given = self.actors[actor].given.get(number);
        let live = given.and_then(|it| it.live.as_ref()).and_then(|it| it.value(self, at));
        live.or_else(|| Some(given?.value.clone())).unwrap_or_else(|| Value::Vector(Vec::new()))
    }

    /// Error of an evaluation that was cancelled. Nobody reads it: the driver says that the run was cancelled.
    #[cold]
    fn cancelled(&self, actor: ActorId) -> Box<Diagnostic> {
        let span = self.layout.object(self.experiment, actor).span;
        Box::new(Diagnostic::new(Code::E524, span, "the run was cancelled"))
    }

    /// Returns the diagnostic of a failure, with a note on the actors, the context and the time.
    pub(crate) fn diagnose(
        &self,
        failure: Failure,
        actors: &[ActorId],
        laws: LawId,
        t: f64,
    ) -> Box<Diagnostic> {
        match failure {
            Failure::Told(diagnostic) => diagnostic,
            Failure::Law(fault) => {
                Box::new(fault.diagnostic().note(self.participants_note(actors, Some(laws), t)))
            }
        }
    }

    /// Names actors, context and time for a note.
    pub(crate) fn participants_note(&self, actors: &[ActorId], laws: Option<LawId>, t: f64) -> String {
        let names: Vec<String> = actors.iter().map(|&it| format!("`{}`", self.layout.names[it])).collect();
        let (names, when) = (names.join(" and "), Value::Real(t));
        match laws {
            Some(laws) => {
                let context = &self.experiment.contexts[self.laws[laws].context.index()].name;
                format!("of {names} in `{context}`, at t = {when}")
            }
            None => format!("of {names}, at t = {when}"),
        }
    }

    /// Returns the span of the law or rate of an attribute of an actor, or of the world; else the span of the
    /// actor.
    pub(crate) fn law_place(&self, actor: ActorId, attribute: &str) -> Span {
        let laws = self.laws_of(actor).into_iter().flat_map(|it| it.laws.iter().chain(&it.rates));
        let mut places = laws.flat_map(|it| it.place(attribute));
        places.next().unwrap_or(self.layout.object(self.experiment, actor).span)
    }

    fn cycle_diagnostic(&self, actor: ActorId, t: f64) -> Diagnostic {
        let object = self.layout.object(self.experiment, actor);
        let message =
            format!("the laws of `{}` need those of other objects, which need its own", object.name);
        Diagnostic::new(Code::E802, object.span, message)
            .note(self.participants_note(&[actor], self.actors[actor].laws, t))
            .help(CYCLE_HELP)
    }

    /// Computes all laws of an actor at `t` and stores the values: a frame or an event is complete.
    pub(crate) fn commit(&mut self, actor: ActorId, t: f64) -> Result<(), Box<Diagnostic>> {
        let values = self.values_at(actor, t)?;
        self.store_values(actor, &values, t);
        Ok(())
    }

    /// Returns the values of an actor's laws at `t`, followed by its integrated scalars.
    pub(crate) fn values_at(&self, actor: ActorId, t: f64) -> Result<Vec<f64>, Box<Diagnostic>> {
        let mut values = Vec::new();
        let Some((id, laws)) = self.actors[actor].laws.map(|id| (id, &self.laws[id])) else {
            return Ok(values);
        };
        let at = Instant::at(t);
        if let Some(program) = &laws.laws {
            values.resize(program.width, 0.0);
            self.run(&at, actor, id, program, &mut values)?;
        }
        for column in laws.rates.iter().flat_map(Program::columns) {
            values.push(self.integrated_scalar(&at, actor, column));
        }
        Ok(values)
    }

    /// Stores the result of [`values_at`](Self::values_at).
    pub(crate) fn store_values(&mut self, actor: ActorId, values: &[f64], t: f64) {
        if let Some(id) = self.actors[actor].laws {
            let laws = Arc::clone(&self.laws[id]);
            let mut flowing = values;
            if let Some(program) = &laws.laws {
                self.store(program, actor, id, values);
                flowing = &values[program.width..];
            }
            for (column, &value) in laws.rates.iter().flat_map(Program::columns).zip(flowing) {
                self.set(Target::Stored { participant: ParticipantId::default(), column }, actor, id, value);
            }
        }
        self.actors[actor].updated = t;
    }

    /// Stores the outputs of a program.
    fn store(&mut self, program: &Program, actor: ActorId, laws: LawId, out: &[f64]) {
        let mut values = out.iter();
        for &(target, width) in &program.targets {
            for (element, &value) in values.by_ref().take(width).enumerate() {
                self.set(target.element(element), actor, laws, value);
            }
        }
    }

    fn set(&mut self, target: Target, actor: ActorId, laws: LawId, value: f64) {
        let row = self.layout.rows[actor];
        match target {
            Target::World(column) => self.values[column] = value,
            Target::Stored { column, .. } => self.stored[row.class][column][row.index] = value,
            Target::Kept { column, .. } => self.kept[laws][column][row.index] = value,
        }
    }

    /// Begins a context on an actor whose stored values are of time `t`, and computes its first-time-only
    /// attributes.
    pub(crate) fn start(
        &mut self,
        actor: ActorId,
        laws: Option<LawId>,
        t: f64,
    ) -> Result<(), Box<Diagnostic>> {
        for owner in self.owners.iter_mut().filter(|owner| **owner == Some(actor)) {
            *owner = None;
        }
        let state = &mut self.actors[actor];
        (state.laws, state.since, state.updated) = (laws, t, t);
        state.version = state.version.wrapping_add(1);
        let Some(id) = laws else { return Ok(()) };
        let laws = Arc::clone(&self.laws[id]);
        if let Some(first) = &laws.first {
            let at = Instant { start: true, ..Instant::at(t) };
            let (mut few, mut many) = ([0.0; INLINE_INPUTS], Vec::new());
            let out = room(&mut few, &mut many, first.width);
            self.run(&at, actor, id, first, out)?;
            self.store(first, actor, id, out);
        }
        for &(target, width) in laws.laws.iter().flat_map(|it| &it.targets) {
            let Target::World(start) = target else { continue };
            for column in start.span(width) {
                if let Some(other) = self.owners[column] {
                    return Err(Box::new(self.conflict(column, [other, actor], t)));
                }
                self.owners[column] = Some(actor);
            }
        }
        Ok(())
    }

    /// Puts an actor in the middle of a context, with its context attributes there. Returns `false` if they
    /// do not fit.
    pub(crate) fn restore_actor(&mut self, actor: ActorId, laws: Option<LawId>, kept: &[f64]) -> bool {
        self.actors[actor].laws = laws;
        let Some(id) = laws else { return kept.is_empty() };
        let row = self.layout.rows[actor].index;
        if self.kept[id].len() != kept.len() {
            return false;
        }
        for (column, &value) in self.kept[id].iter_mut().zip(kept) {
            column[row] = value;
        }
        for &(target, width) in self.laws[id].laws.iter().flat_map(|it| &it.targets) {
            if let Target::World(start) = target {
                self.owners.slice_mut(start, width).fill(Some(actor));
            }
        }
        true
    }

    /// Exchanges the laws of an actor for others of the same context and class. Its context attributes stay.
    pub(crate) fn change_laws(&mut self, actor: ActorId, laws: LawId) {
        let Some(before) = self.actors[actor].laws.replace(laws).filter(|it| *it != laws) else { return };
        let row = self.layout.rows[actor].index;
        for column in self.kept[laws].ids() {
            self.kept[laws][column][row] = self.kept[before][column][row];
        }
    }

    /// Computes all laws of several actors at `t`, each from what was stored before, then stores the values
    /// of all.
    pub(crate) fn commit_all(&mut self, actors: &[ActorId], t: f64) -> Result<(), Box<Diagnostic>> {
        let mut found = Vec::with_capacity(actors.len());
        for &actor in actors {
            found.push(self.values_at(actor, t)?);
        }
        for (&actor, values) in actors.iter().zip(&found) {
            self.store_values(actor, values, t);
        }
        Ok(())
    }

    fn conflict(&self, column: WorldColumnId, actors: [ActorId; 2], t: f64) -> Diagnostic {
        let name = self.layout.world_name(column);
        let [a, b] = actors.map(|it| &self.layout.names[it]);
        let [first, second] = actors.map(|it| self.law_place(it, name));
        let message = format!("the laws of `{a}` and of `{b}` both set the world's `{name}`");
        let diagnostic = Diagnostic::new(Code::E803, second, message);
        let diagnostic = if first == second {
            diagnostic.label("for each of them")
        } else {
            diagnostic.label(format!("for `{b}`")).also(first, format!("for `{a}`"))
        };
        diagnostic
            .note(format!("at t = {}", Value::Real(t)))
            .help(format!("let the laws of one object set `{name}`, or make it an attribute of the objects"))
    }

    /// Computes the laws of all actors of a class at `t` that can run as columns, and adds the other actors
    /// to `rest`.
    pub(crate) fn commit_class(
        &mut self,
        class: ClassId,
        t: f64,
        rest: &mut Vec<ActorId>,
    ) -> Result<(), Box<Diagnostic>> {
        let members = self.layout.classes[class].members.len();
        let mut start = 0;
        while start < members {
            let actor = self.layout.classes[class].members[start];
            let id = self.actors[actor].laws;
            let same = |row: usize| self.actors[self.layout.classes[class].members[row]].laws == id;
            let end = (start..members).find(|&row| !same(row)).unwrap_or(members);
            match id {
                Some(id) if self.laws[id].batch => self.commit_rows(class, id, start..end, t)?,
                Some(_) => rest.extend(&self.layout.classes[class].members[start..end]),
                None => {}
            }
            start = end;
        }
        Ok(())
    }

    fn commit_rows(
        &mut self,
        class: ClassId,
        id: LawId,
        rows: std::ops::Range<usize>,
        t: f64,
    ) -> Result<(), Box<Diagnostic>> {
        let laws = Arc::clone(&self.laws[id]);
        let members = &self.layout.classes[class].members[rows.clone()];
        if let Some(program) = &laws.laws
            && let Some(slots) = &program.slots
        {
            // Members may have been stored at different events, so the elapsed time is a column.
            let elapsed: Vec<f64> = members.iter().map(|&it| t - self.actors[it].updated).collect();
            let feeds: Vec<Feed<'_>> = slots
                .sources
                .iter()
                .map(|source| match *source {
                    Source::Time => Feed::Same(t),
                    Source::Elapsed => Feed::Column(&elapsed),
                    Source::World(column) | Source::Fixed(column) => Feed::Same(self.values[column]),
                    Source::Stored { column, .. } => Feed::Column(&self.stored[class][column][rows.clone()]),
                    Source::Kept { column, .. } => Feed::Column(&self.kept[id][column][rows.clone()]),
                    Source::Constant(bits) => Feed::Same(f64::from_bits(bits)),
                    Source::Integrated { .. } | Source::Other { .. } | Source::Given { .. } => {
                        unreachable!("such laws are computed one by one")
                    }
                })
                .collect();
            let mut out = vec![vec![0.0; rows.len()]; program.width];
            let mut columns: Vec<&mut [f64]> = out.iter_mut().map(Vec::as_mut_slice).collect();
            let ran = program.kernel.run_feeds(&feeds, 0..rows.len(), &mut columns);
            if let Err((row, fault)) = ran {
                return Err(self.diagnose(Failure::law(fault), &[members[row]], id, t));
            }
            let mut columns = out.into_iter();
            for &(target, width) in &program.targets {
                for (element, values) in columns.by_ref().take(width).enumerate() {
                    let to = match target.element(element) {
                        Target::Stored { column, .. } => &mut self.stored[class][column],
                        Target::Kept { column, .. } => &mut self.kept[id][column],
                        Target::World(_) => unreachable!("such laws are computed one by one"),
                    };
                    // A whole column is replaced without a copy.
                    if rows.len() == to.len() {
                        *to = values;
                    } else {
                        to[rows.clone()].copy_from_slice(&values);
                    }
                }
            }
        }
        for &actor in &self.layout.classes[class].members[rows] {
            self.actors[actor].updated = t;
        }
        Ok(())
    }
}

impl Target {
    /// Returns the target of a further scalar.
    pub(crate) fn element(self, element: usize) -> Self {
        match self {
            Self::World(column) => Self::World(column.offset(element)),
            Self::Stored { participant, column } => {
                Self::Stored { participant, column: column.offset(element) }
            }
            Self::Kept { participant, column } => Self::Kept { participant, column: column.offset(element) },
        }
    }
}

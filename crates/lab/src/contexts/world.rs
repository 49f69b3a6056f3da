//! The state of a simulation: the values of all attributes, who is in which context since when; and what
//! follows from it at any instant.
//!
//! Reading never changes anything: an instant can be tried, in any order, by any thread. What is written is
//! written by [`World::commit`] at frames and events, by [`World::start`] when a context begins, and by
//! collisions.

use super::laws::Laws;
use super::laws::inputs::{Source, Target};
use super::laws::program::{Failure, Program};
use super::laws::rates::Flows;
use super::layout::Cast;
use gedanken_experiment::Experiment;
use gedanken_geometry::Shape;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::ir::Feed;
use gedanken_lang::kernel::room;
use gedanken_lang::source::Span;
use gedanken_lang::value::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// An object that takes part, and what it does now.
#[derive(Clone, Debug)]
pub(crate) struct Actor {
    /// The laws of its free fall.
    pub(crate) free: Option<usize>,
    /// The laws that hold for it now.
    pub(crate) laws: Option<usize>,
    /// When they began to.
    pub(crate) since: f64,
    /// The last completed frame or event: what is stored is of this time.
    pub(crate) updated: f64,
    /// Counts how often its motion has changed; a contact that was found with another count means nothing.
    pub(crate) version: u32,
    /// What the engine measured for its laws.
    pub(crate) given: Vec<Given>,
    /// What it looks like, as stored.
    pub(crate) shape: Shape,
    /// The largest distance of its points from its position, as stored.
    pub(crate) radius: f64,
}

/// Something that the engine measured.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Given {
    pub(crate) value: Value,
    pub(crate) scalars: Vec<f64>,
}

impl From<Value> for Given {
    fn from(value: Value) -> Self {
        Self { scalars: value.scalars().unwrap_or_default(), value }
    }
}

/// An instant at which something is evaluated.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Instant<'y> {
    pub(crate) t: f64,
    /// Integrated values that are being tried: of which flow, and all of them.
    pub(crate) trial: Option<(usize, &'y [f64])>,
    /// Whether a context starts now: integrated values are those stored.
    pub(crate) start: bool,
    /// Laws of objects that need laws of objects: how deep.
    pub(crate) depth: u32,
    /// What the laws of objects have given at this instant, so that none is computed again for every scalar
    /// that is read.
    pub(crate) known: Option<&'y Known>,
}

/// What the laws of objects give at one instant.
pub(crate) type Known = RefCell<BTreeMap<usize, Vec<f64>>>;

impl Instant<'_> {
    pub(crate) fn at(t: f64) -> Self {
        Instant { t, trial: None, start: false, depth: 0, known: None }
    }
}

/// Inputs of a law that need no memory of their own.
const FEW: usize = 32;

/// Objects that read objects that read objects: beyond this they read each other in a circle.
pub(crate) const MOST_DEEP: u32 = 100;

/// The state of a simulation, and the laws.
#[derive(Debug)]
pub(crate) struct World<'e> {
    pub(crate) experiment: &'e Experiment,
    pub(crate) cast: Cast,
    pub(crate) laws: Vec<Arc<Laws>>,
    /// Scalars of the world's attributes.
    pub(crate) values: Vec<f64>,
    /// By class, column and row.
    pub(crate) stored: Vec<Vec<Vec<f64>>>,
    /// Context attributes, by laws, column and row.
    pub(crate) kept: Vec<Vec<Vec<f64>>>,
    pub(crate) actors: Vec<Actor>,
    /// Of each scalar of the world, the object whose laws set it now.
    pub(crate) owners: Vec<Option<usize>>,
    pub(crate) flows: Flows,
}

impl<'e> World<'e> {
    /// A stored scalar.
    pub(crate) fn stored(&self, actor: usize, column: usize) -> f64 {
        let place = self.cast.places[actor];
        self.stored[place.class][column][place.row]
    }

    /// The laws that hold for an actor now.
    pub(crate) fn laws_of(&self, actor: usize) -> Option<&Laws> {
        self.actors[actor].laws.map(|it| &*self.laws[it])
    }

    /// What a source of an actor's laws holds at an instant.
    pub(crate) fn read(
        &self,
        at: &Instant<'_>,
        actor: usize,
        laws: usize,
        source: Source,
    ) -> Result<f64, Failure> {
        let row = self.cast.places[actor].row;
        Ok(match source {
            Source::Time => at.t,
            Source::Elapsed => at.t - self.actors[actor].updated,
            // What its own law sets is read only as `previous`.
            Source::World(column) if self.owners[column] == Some(actor) => self.values[column],
            Source::World(column) => self.world_scalar(at, column)?,
            Source::Stored { column, .. } => self.stored(actor, column),
            Source::Flowing { column } if at.start => self.stored(actor, column),
            Source::Flowing { column } => self.flowing(at, actor, column),
            Source::Kept { column, .. } => self.kept[laws][column][row],
            Source::Other { object, column } => self.scalar(at, object, column)?,
            Source::Constant(bits) => f64::from_bits(bits),
            Source::Given { given, element } => {
                let given = self.actors[actor].given.get(given);
                given.and_then(|it| it.scalars.get(element)).copied().unwrap_or(0.0)
            }
        })
    }

    /// What a plain source of an actor's laws holds at `t`.
    #[inline]
    pub(crate) fn read_plain(&self, t: f64, actor: usize, laws: usize, source: Source) -> f64 {
        let place = self.cast.places[actor];
        match source {
            Source::Time => t,
            Source::Elapsed => t - self.actors[actor].updated,
            Source::Stored { column, .. } => self.stored[place.class][column][place.row],
            Source::Kept { column, .. } => self.kept[laws][column][place.row],
            Source::Constant(bits) => f64::from_bits(bits),
            _ => unreachable!("not a plain source"),
        }
    }

    /// An integrated scalar.
    fn flowing(&self, at: &Instant<'_>, actor: usize, column: usize) -> f64 {
        match (self.flows.place(actor, column), at.trial) {
            (Some((flow, place)), Some((trial, values))) if trial == flow => values[place],
            (Some((flow, place)), _) => {
                self.flows.value(flow, place, at.t).unwrap_or_else(|| self.stored(actor, column))
            }
            (None, _) => self.stored(actor, column),
        }
    }

    /// A scalar of the world at an instant.
    pub(crate) fn world_scalar(&self, at: &Instant<'_>, column: usize) -> Result<f64, Failure> {
        let Some(owner) = self.owners[column] else { return Ok(self.values[column]) };
        self.law(at, owner, |target, width| match target {
            Target::World(start) if (start..start + width).contains(&column) => Some(column - start),
            _ => None,
        })
        .map(|found| found.unwrap_or(self.values[column]))
    }

    /// A scalar of an actor's attributes at an instant, by the laws that hold for it.
    pub(crate) fn scalar(&self, at: &Instant<'_>, actor: usize, wanted: usize) -> Result<f64, Failure> {
        let Some(laws) = self.laws_of(actor) else { return Ok(self.stored(actor, wanted)) };
        if laws.flows(wanted) {
            return Ok(self.flowing(at, actor, wanted));
        }
        if !laws.governs(wanted) {
            return Ok(self.stored(actor, wanted));
        }
        let found = self.law(at, actor, |target, width| match target {
            Target::Stored { column, .. } if (column..column + width).contains(&wanted) => {
                Some(wanted - column)
            }
            _ => None,
        })?;
        Ok(found.unwrap_or_else(|| self.stored(actor, wanted)))
    }

    /// The scalar that an actor's laws give for the target that `wanted` knows.
    fn law(
        &self,
        at: &Instant<'_>,
        actor: usize,
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
        if let Some(found) = at.known.and_then(|it| it.borrow().get(&actor).map(|out| out[wanted])) {
            return Ok(Some(found));
        }
        if at.depth >= MOST_DEEP {
            return Err(Failure::Told(Box::new(self.circle(actor, at.t))));
        }
        let deeper = Instant { depth: at.depth + 1, start: false, ..*at };
        let mut out = vec![0.0; program.width];
        self.run(&deeper, actor, id, program, &mut out).map_err(Failure::Told)?;
        let found = out[wanted];
        if let Some(known) = at.known {
            known.borrow_mut().insert(actor, out);
        }
        Ok(Some(found))
    }

    /// Runs a program of an actor's laws.
    pub(crate) fn run(
        &self,
        at: &Instant<'_>,
        actor: usize,
        laws: usize,
        program: &Program,
        out: &mut [f64],
    ) -> Result<(), Box<Diagnostic>> {
        if let Some(slots) = program.slots.as_ref().filter(|it| it.is_plain) {
            let (mut few, mut many) = ([0.0; FEW], Vec::new());
            let inputs = room(&mut few, &mut many, slots.sources.len());
            for (input, &source) in inputs.iter_mut().zip(&slots.sources) {
                *input = self.read_plain(at.t, actor, laws, source);
            }
            let ran = program.kernel.run_slots(inputs, out);
            return ran.map_err(|fault| self.tell(Failure::law(fault), &[actor], laws, at.t));
        }
        let given = |given: usize| {
            let given = self.actors[actor].given.get(given);
            given.map_or_else(|| Value::Vector(Vec::new()), |it| it.value.clone())
        };
        let known = Known::default();
        let at = Instant { known: Some(at.known.unwrap_or(&known)), ..*at };
        let ran = program.run(|source| self.read(&at, actor, laws, source), given, out);
        ran.map_err(|failure| self.tell(failure, &[actor], laws, at.t))
    }

    /// A failure in words: the law, where it stands, and whose and when it is.
    pub(crate) fn tell(&self, failure: Failure, actors: &[usize], laws: usize, t: f64) -> Box<Diagnostic> {
        match failure {
            Failure::Told(diagnostic) => diagnostic,
            Failure::Law(fault) => Box::new(fault.diagnostic().note(self.whose(actors, Some(laws), t))),
        }
    }

    /// Whose laws, in which context and when, in words.
    pub(crate) fn whose(&self, actors: &[usize], laws: Option<usize>, t: f64) -> String {
        let names: Vec<String> = actors.iter().map(|&it| format!("`{}`", self.cast.names[it])).collect();
        let (names, when) = (names.join(" and "), Value::Real(t));
        match laws {
            Some(laws) => {
                let context = &self.experiment.contexts[self.laws[laws].context].name;
                format!("of {names} in `{context}`, at t = {when}")
            }
            None => format!("of {names}, at t = {when}"),
        }
    }

    /// Where the law or rate of an attribute of an actor, or of the world, is written; else where the actor
    /// is.
    pub(crate) fn law_place(&self, actor: usize, attribute: &str) -> Span {
        let laws = self.laws_of(actor).into_iter().flat_map(|it| it.laws.iter().chain(&it.rates));
        let mut places = laws.flat_map(|it| it.place(attribute));
        places.next().unwrap_or(self.experiment.objects[self.cast.objects[actor]].span)
    }

    fn circle(&self, actor: usize, t: f64) -> Diagnostic {
        let object = &self.experiment.objects[self.cast.objects[actor]];
        let message =
            format!("the laws of `{}` need those of other objects, which need its own", object.name);
        Diagnostic::new(Code::E802, object.span, message)
            .note(self.whose(&[actor], self.actors[actor].laws, t))
            .help(super::laws::cycles::HELP)
    }

    /// Computes all laws of an actor at `t` and stores the values: a frame or an event is complete.
    pub(crate) fn commit(&mut self, actor: usize, t: f64) -> Result<(), Box<Diagnostic>> {
        let values = self.values_at(actor, t)?;
        self.take(actor, &values, t);
        Ok(())
    }

    /// What the laws of an actor give at `t`, and after it what its rates have led to.
    fn values_at(&self, actor: usize, t: f64) -> Result<Vec<f64>, Box<Diagnostic>> {
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
            values.push(self.flowing(&at, actor, column));
        }
        Ok(values)
    }

    /// Stores what [`values_at`](Self::values_at) found.
    fn take(&mut self, actor: usize, values: &[f64], t: f64) {
        if let Some(id) = self.actors[actor].laws {
            let laws = Arc::clone(&self.laws[id]);
            let mut flowing = values;
            if let Some(program) = &laws.laws {
                self.store(program, actor, id, values);
                flowing = &values[program.width..];
            }
            for (column, &value) in laws.rates.iter().flat_map(Program::columns).zip(flowing) {
                self.set(Target::Stored { who: 0, column }, actor, id, value);
            }
        }
        self.actors[actor].updated = t;
    }

    /// Stores what a program gave.
    fn store(&mut self, program: &Program, actor: usize, laws: usize, out: &[f64]) {
        let mut values = out.iter();
        for &(target, width) in &program.targets {
            for (element, &value) in values.by_ref().take(width).enumerate() {
                self.set(target.element(element), actor, laws, value);
            }
        }
    }

    fn set(&mut self, target: Target, actor: usize, laws: usize, value: f64) {
        let place = self.cast.places[actor];
        match target {
            Target::World(column) => self.values[column] = value,
            Target::Stored { column, .. } => self.stored[place.class][column][place.row] = value,
            Target::Kept { column, .. } => self.kept[laws][column][place.row] = value,
        }
    }

    /// Begins a context on an actor, whose stored values are of time `t`: first-time-only attributes are
    /// computed.
    pub(crate) fn start(&mut self, actor: usize, laws: Option<usize>, t: f64) -> Result<(), Box<Diagnostic>> {
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
            let mut out = vec![0.0; first.width];
            self.run(&at, actor, id, first, &mut out)?;
            self.store(first, actor, id, &out);
        }
        for &(target, width) in laws.laws.iter().flat_map(|it| &it.targets) {
            let Target::World(start) = target else { continue };
            for column in start..start + width {
                if let Some(other) = self.owners[column] {
                    return Err(Box::new(self.conflict(column, [other, actor], t)));
                }
                self.owners[column] = Some(actor);
            }
        }
        Ok(())
    }

    /// Puts an actor into the midst of a context, with the context attributes it had there. Gives whether
    /// they fit.
    pub(crate) fn take_up(&mut self, actor: usize, laws: Option<usize>, kept: &[f64]) -> bool {
        self.actors[actor].laws = laws;
        let Some(id) = laws else { return kept.is_empty() };
        let row = self.cast.places[actor].row;
        if self.kept[id].len() != kept.len() {
            return false;
        }
        for (column, &value) in self.kept[id].iter_mut().zip(kept) {
            column[row] = value;
        }
        for &(target, width) in self.laws[id].laws.iter().flat_map(|it| &it.targets) {
            if let Target::World(start) = target {
                self.owners[start..start + width].fill(Some(actor));
            }
        }
        true
    }

    /// Exchanges the laws of an actor by others of the same context and class: it stays where it is in it.
    pub(crate) fn change_laws(&mut self, actor: usize, laws: usize) {
        let Some(before) = self.actors[actor].laws.replace(laws).filter(|it| *it != laws) else { return };
        let row = self.cast.places[actor].row;
        for column in 0..self.kept[laws].len() {
            self.kept[laws][column][row] = self.kept[before][column][row];
        }
    }

    /// Computes all laws of several actors at `t`, each from what was stored before, then stores the values
    /// of all.
    pub(crate) fn commit_all(&mut self, actors: &[usize], t: f64) -> Result<(), Box<Diagnostic>> {
        let mut found = Vec::with_capacity(actors.len());
        for &actor in actors {
            found.push(self.values_at(actor, t)?);
        }
        for (&actor, values) in actors.iter().zip(&found) {
            self.take(actor, values, t);
        }
        Ok(())
    }

    fn conflict(&self, column: usize, actors: [usize; 2], t: f64) -> Diagnostic {
        let field = self.cast.world.iter().rev().find(|it| it.start <= column);
        let name = field.map_or("", |it| &it.name);
        let [a, b] = actors.map(|it| &self.cast.names[it]);
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

    /// Computes the laws of all actors of a class at `t`, those that can be computed at once; gives the rest.
    pub(crate) fn commit_class(
        &mut self,
        class: usize,
        t: f64,
        rest: &mut Vec<usize>,
    ) -> Result<(), Box<Diagnostic>> {
        let members = self.cast.classes[class].members.len();
        let mut start = 0;
        while start < members {
            let actor = self.cast.classes[class].members[start];
            let id = self.actors[actor].laws;
            let same = |row: usize| self.actors[self.cast.classes[class].members[row]].laws == id;
            let end = (start..members).find(|&row| !same(row)).unwrap_or(members);
            match id {
                Some(id) if self.laws[id].batch => self.commit_rows(class, id, start..end, t)?,
                Some(_) => rest.extend(&self.cast.classes[class].members[start..end]),
                None => {}
            }
            start = end;
        }
        Ok(())
    }

    fn commit_rows(
        &mut self,
        class: usize,
        id: usize,
        rows: std::ops::Range<usize>,
        t: f64,
    ) -> Result<(), Box<Diagnostic>> {
        let laws = Arc::clone(&self.laws[id]);
        let members = &self.cast.classes[class].members[rows.clone()];
        if let Some(program) = &laws.laws
            && let Some(slots) = &program.slots
        {
            let elapsed: Vec<f64> = members.iter().map(|&it| t - self.actors[it].updated).collect();
            let feeds: Vec<Feed<'_>> = slots
                .sources
                .iter()
                .map(|source| match *source {
                    Source::Time => Feed::Same(t),
                    Source::Elapsed => Feed::Column(&elapsed),
                    Source::World(column) => Feed::Same(self.values[column]),
                    Source::Stored { column, .. } => Feed::Column(&self.stored[class][column][rows.clone()]),
                    Source::Kept { column, .. } => Feed::Column(&self.kept[id][column][rows.clone()]),
                    Source::Constant(bits) => Feed::Same(f64::from_bits(bits)),
                    Source::Flowing { .. } | Source::Other { .. } | Source::Given { .. } => {
                        unreachable!("such laws are computed one by one")
                    }
                })
                .collect();
            let mut out = vec![vec![0.0; rows.len()]; program.width];
            let mut columns: Vec<&mut [f64]> = out.iter_mut().map(Vec::as_mut_slice).collect();
            let ran = program.kernel.run_feeds(&feeds, 0..rows.len(), &mut columns);
            if let Err((row, fault)) = ran {
                return Err(self.tell(Failure::law(fault), &[members[row]], id, t));
            }
            let mut columns = out.into_iter();
            for &(target, width) in &program.targets {
                for (element, values) in columns.by_ref().take(width).enumerate() {
                    let to = match target.element(element) {
                        Target::Stored { column, .. } => &mut self.stored[class][column],
                        Target::Kept { column, .. } => &mut self.kept[id][column],
                        Target::World(_) => unreachable!("such laws are computed one by one"),
                    };
                    if rows.len() == to.len() {
                        *to = values;
                    } else {
                        to[rows.clone()].copy_from_slice(&values);
                    }
                }
            }
        }
        for &actor in &self.cast.classes[class].members[rows] {
            self.actors[actor].updated = t;
        }
        Ok(())
    }
}

impl Target {
    /// The place of a further scalar.
    pub(crate) fn element(self, element: usize) -> Self {
        match self {
            Self::World(column) => Self::World(column + element),
            Self::Stored { who, column } => Self::Stored { who, column: column + element },
            Self::Kept { who, column } => Self::Kept { who, column: column + element },
        }
    }
}

//! Rates: attributes that are integrated, each object together with all that it reads and that read it.

use super::inputs::Source;
use super::program::Program;
use crate::contexts::ids::{ActorId, ColumnId, Id, SystemId, Table};
use crate::contexts::touch::live::LiveRows;
use crate::contexts::world::{Instant, World};
use gedanken_dynamics::integrate::ode::{Dense, Failure as Stuck, Method, System, Trouble, integrate};
use gedanken_experiment::{DEFAULT_TOLERANCE, Simulation};
use gedanken_lang::check::ContextKind;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Maximum number of objects that a message names of those integrated together.
const MAX_NAMED: usize = 4;

/// An object in a coupled system.
#[derive(Clone, Debug)]
struct Member {
    actor: ActorId,
    /// Integrated columns, in the order of the rates of its laws.
    columns: Vec<ColumnId>,
    /// Place of the first one in the system.
    start: usize,
}

/// Objects that are integrated together, and their solution.
#[derive(Clone, Debug)]
struct CoupledSystem {
    members: Vec<Member>,
    solution: Dense,
}

/// All coupled systems.
#[derive(Clone, Debug)]
pub(crate) struct CoupledSystems {
    systems: Table<SystemId, Option<CoupledSystem>>,
    /// System that contains each actor.
    of: Table<ActorId, Option<SystemId>>,
    method: Method,
    /// Step of a method with a fixed step, s.
    time_step: Option<f64>,
    tolerance: f64,
    /// Number of steps of the integrator so far.
    steps: u64,
}

impl CoupledSystems {
    pub(crate) fn new(actors: usize, simulation: &Simulation) -> Self {
        let settings = simulation.context_settings();
        let method = match settings.and_then(|it| it.integrator.as_deref()) {
            None => Method::default(),
            // Refused when the experiment was read, if there is no such method.
            Some(name) => Method::by_name(name).unwrap_or_default(),
        };
        Self {
            systems: Vec::new().into(),
            of: Table::filled(None, actors),
            method,
            time_step: simulation.time_step,
            tolerance: settings.map_or(DEFAULT_TOLERANCE, |it| it.tolerance),
            steps: 0,
        }
    }

    /// Drops all solutions.
    fn clear(&mut self) {
        self.systems = Vec::new().into();
        self.of.fill(None);
    }

    /// Returns the system that integrates a column of an actor, and the place in it.
    pub(crate) fn place(&self, actor: ActorId, column: ColumnId) -> Option<(SystemId, usize)> {
        let system = self.of[actor]?;
        let members = &self.systems[system].as_ref()?.members;
        let member = &members[members.binary_search_by_key(&actor, |it| it.actor).ok()?];
        let place = member.columns.iter().position(|&it| it == column)?;
        Some((system, member.start + place))
    }

    fn solution(&self, system: SystemId) -> Option<&Dense> {
        self.systems[system].as_ref().map(|it| &it.solution)
    }

    /// Number of steps of the integrator so far.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Returns the value at a place of a system.
    pub(crate) fn value(&self, system: SystemId, place: usize, t: f64) -> Option<f64> {
        self.solution(system).map(|it| it.value_of(place, t))
    }

    /// Returns the rate at a place of a system.
    pub(crate) fn rate(&self, system: SystemId, place: usize, t: f64) -> Option<f64> {
        self.solution(system).map(|it| it.rate_of(place, t))
    }

    /// Accuracy of the integration.
    pub(crate) fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// Returns the system that contains an actor.
    pub(crate) fn system_of(&self, actor: ActorId) -> Option<SystemId> {
        self.of[actor]
    }

    /// Takes an actor out of its system, whose other members keep their solution.
    pub(crate) fn leave(&mut self, actor: ActorId) {
        self.of[actor] = None;
    }

    /// Puts an actor back into a system that it has left. One in which it was integrated alone since then is
    /// dropped.
    pub(crate) fn rejoin(&mut self, actor: ActorId, system: Option<SystemId>) {
        if let Some(own) = self.of[actor]
            && self.of[actor] != system
        {
            self.systems[own] = None;
        }
        self.of[actor] = system;
    }

    /// Returns the least and greatest value, and the least and greatest rate.
    pub(crate) fn enclose(&self, system: SystemId, place: usize, from: f64, to: f64) -> Option<[f64; 4]> {
        let (values, rates) = self.solution(system)?.bounds_of(place, from, to);
        Some([values.0, values.1, rates.0, rates.1])
    }
}

/// Rates of a system's members as a function of time and state.
struct SystemRates<'w, 'e> {
    world: &'w World<'e>,
    system: SystemId,
    members: &'w [Member],
}

impl System for SystemRates<'_, '_> {
    type Error = Box<Diagnostic>;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Self::Error> {
        let at = Instant { trial: Some((self.system, y)), ..Instant::at(t) };
        for member in self.members {
            let Some(id) = self.world.actors[member.actor].laws else { continue };
            let laws = Arc::clone(&self.world.laws[id]);
            if let Some(program) = &laws.rates {
                let out = &mut rates[member.start..member.start + member.columns.len()];
                self.world.run(&at, member.actor, id, program, out)?;
            }
        }
        Ok(())
    }
}

impl World<'_> {
    /// Integrates everything that has rates from `from` to `to`. Values are stored as of `from`.
    pub(crate) fn integrate_all(&mut self, from: f64, to: f64) -> Result<(), Box<Diagnostic>> {
        let rated: Vec<ActorId> = self.layout.actors().filter(|&it| self.rates_of(it).is_some()).collect();
        if rated.is_empty() && self.integrated.systems.len() == 0 {
            return Ok(());
        }
        self.integrated.clear();
        self.integrate_anew(&rated, from, to)?;
        Ok(())
    }

    /// Integrates the systems of some actors anew from `from`, as of which their values are stored. Values of
    /// the other actors in these systems are stored first. Returns those others: their motion has changed as
    /// well.
    pub(crate) fn integrate_anew(
        &mut self,
        actors: &[ActorId],
        from: f64,
        to: f64,
    ) -> Result<Vec<ActorId>, Box<Diagnostic>> {
        let mut open: BTreeSet<ActorId> = BTreeSet::new();
        for &actor in actors {
            // Actors that it was integrated with lose their solution as well.
            if let Some(system) = self.integrated.of[actor] {
                let members = self.integrated.systems[system].iter().flat_map(|it| &it.members);
                open.extend(members.map(|it| it.actor));
            }
            if self.rates_of(actor).is_some() {
                open.insert(actor);
            }
        }
        let others: Vec<ActorId> = open.iter().copied().filter(|it| !actors.contains(it)).collect();
        self.commit_all(&others, from)?;
        for &actor in &others {
            self.actors[actor].version = self.actors[actor].version.wrapping_add(1);
        }
        for &actor in &open {
            if let Some(system) = self.integrated.of[actor].take() {
                self.integrated.systems[system] = None;
            }
        }
        open.retain(|&it| self.rates_of(it).is_some());
        while let Some(&first) = open.first() {
            let together = self.coupled(first, &open);
            open.retain(|it| !together.contains(it));
            self.integrate(&together, from, to)?;
        }
        Ok(others)
    }

    /// Integrates an actor, if it has rates, without those that it reads or that read it: they keep their
    /// solutions.
    pub(crate) fn integrate_alone(
        &mut self,
        actor: ActorId,
        from: f64,
        to: f64,
    ) -> Result<(), Box<Diagnostic>> {
        if self.rates_of(actor).is_none() {
            return Ok(());
        }
        self.integrate(&BTreeSet::from([actor]), from, to)
    }

    fn integrate(&mut self, actors: &BTreeSet<ActorId>, from: f64, to: f64) -> Result<(), Box<Diagnostic>> {
        let mut members = Vec::with_capacity(actors.len());
        let mut state = Vec::new();
        for &actor in actors {
            let columns = self.rates_of(actor).unwrap_or_default();
            members.push(Member { actor, start: state.len(), columns: columns.clone() });
            state.extend(columns.iter().map(|&it| self.stored(actor, it)));
        }
        let systems = &mut self.integrated.systems;
        let system = systems.entries().find(|(_, it)| it.is_none()).map(|(id, _)| id);
        let system = system.unwrap_or_else(|| systems.push(None));
        for member in &members {
            self.integrated.of[member.actor] = Some(system);
        }
        // Laws look up trial values by their place in the new system, so it must exist before the solution.
        let solution = Dense::at_rest(from, &state);
        self.integrated.systems[system] = Some(CoupledSystem { members: members.clone(), solution });
        let CoupledSystems { method, time_step, tolerance, .. } = self.integrated;
        // A method of fixed step divides the frame as `time step` says.
        let steps = time_step.map(|step| ((to - from) / step).ceil().max(1.0) as u32);
        let method = steps.and_then(|steps| method.with_steps(steps)).unwrap_or(method);
        let mut rates = SystemRates { world: &*self, system, members: &members };
        let solution = integrate(&mut rates, from, &state, to, tolerance, method);
        let solution = solution.map_err(|stuck| match stuck {
            Stuck::Rates { error, .. } => error,
            Stuck::Trouble(trouble) => {
                let actors: Vec<ActorId> = members.iter().map(|it| it.actor).collect();
                Box::new(self.not_integrable(&actors, trouble))
            }
        })?;
        self.integrated.steps += solution.step_count() as u64;
        self.integrated.systems[system] = Some(CoupledSystem { members, solution });
        Ok(())
    }
}

impl World<'_> {
    /// Diagnostic of rates that cannot be integrated.
    fn not_integrable(&self, actors: &[ActorId], trouble: Trouble) -> Diagnostic {
        let actor = actors[0];
        let rates = self.laws_of(actor).and_then(|it| it.rates.as_ref());
        let span = rates.and_then(Program::first_place).unwrap_or(self.law_place(actor, ""));
        let context = self.laws_of(actor).map_or("", |it| &self.experiment.contexts[it.context.index()].name);
        let name = &self.layout.names[actor];
        let message = format!("the rates of `{name}` in `{context}` cannot be integrated: {trouble}");
        let diagnostic = Diagnostic::new(Code::E805, span, message).help(match trouble {
            Trouble::Unsettled { .. } => "shorter frames, or `integrator = dormand_prince`, would help",
            _ => "slower rates, a larger `tolerance`, shorter frames or a shorter `duration` would help",
        });
        let others: Vec<String> =
            actors[1..].iter().map(|&it| format!("`{}`", self.layout.names[it])).collect();
        match others.len() {
            0 => diagnostic,
            1..=MAX_NAMED => diagnostic.note(format!("integrated together with {}", others.join(", "))),
            many => diagnostic.note(format!("integrated together with {many} others")),
        }
    }

    /// Returns the columns of an actor that are integrated now, in the order of its rates; `None` if there
    /// are none.
    pub(crate) fn rates_of(&self, actor: ActorId) -> Option<Vec<ColumnId>> {
        Some(self.laws_of(actor)?.rates.as_ref()?.columns().collect())
    }

    /// Returns the actors of `open` that must be integrated together with an actor: its laws read theirs, or
    /// theirs its.
    fn coupled(&self, actor: ActorId, open: &BTreeSet<ActorId>) -> BTreeSet<ActorId> {
        let mut together = BTreeSet::from([actor]);
        let mut queue = vec![actor];
        while let Some(one) = queue.pop() {
            for &other in open {
                if !together.contains(&other) && (self.reads(one, other) || self.reads(other, one)) {
                    together.insert(other);
                    queue.push(other);
                }
            }
        }
        together
    }

    /// Returns `true` if the laws of one actor read another, or a contact with it.
    fn reads(&self, one: ActorId, other: ActorId) -> bool {
        let is_touched = |it: &LiveRows| it.object == other || it.touched.contains(&other);
        self.laws_of(one).is_some_and(|laws| {
            laws.reads().any(|it| matches!(it, Source::Other { actor, .. } if actor == other))
                || laws.kind == ContextKind::Contact
                    && self.actors[one].given.iter().filter_map(|it| it.live.as_ref()).any(is_touched)
        })
    }
}

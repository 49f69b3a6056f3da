//! Rates: attributes that are integrated, each object with all those that it reads and that read it.

use super::inputs::Source;
use super::program::Program;
use crate::contexts::Engine;
use crate::contexts::world::{Instant, World};
use crate::run::Stop;
use gedanken_dynamics::integrate::ode::{Dense, Failure as Stuck, Method, System, Trouble, integrate};
use gedanken_experiment::DEFAULT_TOLERANCE;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Of objects that are integrated together, a message names at most so many.
const MOST_NAMED: usize = 4;

/// An object in a flow.
#[derive(Clone, Debug)]
struct Member {
    actor: usize,
    /// The columns that are integrated, in the order of the rates of its laws.
    columns: Vec<usize>,
    /// Where they begin in the flow.
    start: usize,
}

/// Objects that are integrated together.
#[derive(Clone, Debug)]
struct Flow {
    members: Vec<Member>,
    solution: Dense,
}

/// All that is integrated.
#[derive(Clone, Debug)]
pub(crate) struct Flows {
    flows: Vec<Option<Flow>>,
    /// Which flow an actor is in.
    of: Vec<Option<usize>>,
}

impl Flows {
    pub(crate) fn new(actors: usize) -> Self {
        Self { flows: Vec::new(), of: vec![None; actors] }
    }

    /// Where a column of an actor is integrated: the flow, and the place in it.
    pub(crate) fn place(&self, actor: usize, column: usize) -> Option<(usize, usize)> {
        let flow = self.of[actor]?;
        let members = &self.flows[flow].as_ref()?.members;
        let member = &members[members.binary_search_by_key(&actor, |it| it.actor).ok()?];
        let place = member.columns.iter().position(|&it| it == column)?;
        Some((flow, member.start + place))
    }

    fn solution(&self, flow: usize) -> Option<&Dense> {
        self.flows[flow].as_ref().map(|it| &it.solution)
    }

    /// The value at a place.
    pub(crate) fn value(&self, flow: usize, place: usize, t: f64) -> Option<f64> {
        self.solution(flow).map(|it| it.value_of(place, t))
    }

    /// The rate at a place.
    pub(crate) fn rate(&self, flow: usize, place: usize, t: f64) -> Option<f64> {
        self.solution(flow).map(|it| it.rate_of(place, t))
    }

    /// The least and greatest value, and the least and greatest rate.
    pub(crate) fn enclose(&self, flow: usize, place: usize, from: f64, to: f64) -> Option<[f64; 4]> {
        let (values, rates) = self.solution(flow)?.bounds_of(place, from, to);
        Some([values.0, values.1, rates.0, rates.1])
    }
}

/// The rates of a flow's members, as a function of time and state.
struct Rates<'w, 'e> {
    world: &'w World<'e>,
    flow: usize,
    members: &'w [Member],
}

impl System for Rates<'_, '_> {
    type Error = Box<Diagnostic>;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Self::Error> {
        let at = Instant { trial: Some((self.flow, y)), ..Instant::at(t) };
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

impl Engine<'_> {
    /// Integrates everything that has rates from `from` to `to`, whose values are stored as of `from`.
    pub(crate) fn flow_all(&mut self, from: f64, to: f64) -> Result<(), Stop> {
        let rated: Vec<usize> =
            (0..self.world.cast.len()).filter(|&it| self.world.rates_of(it).is_some()).collect();
        if rated.is_empty() && self.world.flows.flows.is_empty() {
            return Ok(());
        }
        self.world.flows = Flows::new(self.world.cast.len());
        self.flow(&rated, from, to)?;
        Ok(())
    }

    /// Integrates the flows of some actors anew from `from`, all values of theirs being stored as of then.
    /// The others in their flows are brought up to date first, and given back: their motion has changed as
    /// well.
    pub(crate) fn flow(&mut self, actors: &[usize], from: f64, to: f64) -> Result<Vec<usize>, Stop> {
        let mut open: BTreeSet<usize> = BTreeSet::new();
        for &actor in actors {
            // Whom it was integrated with.
            if let Some(flow) = self.world.flows.of[actor] {
                let members = self.world.flows.flows[flow].iter().flat_map(|it| &it.members);
                open.extend(members.map(|it| it.actor));
            }
            if self.world.rates_of(actor).is_some() {
                open.insert(actor);
            }
        }
        let others: Vec<usize> = open.iter().copied().filter(|it| !actors.contains(it)).collect();
        self.world.commit_all(&others, from)?;
        for &actor in &others {
            self.world.actors[actor].version = self.world.actors[actor].version.wrapping_add(1);
        }
        for &actor in &open {
            if let Some(flow) = self.world.flows.of[actor].take() {
                self.world.flows.flows[flow] = None;
            }
        }
        open.retain(|&it| self.world.rates_of(it).is_some());
        while let Some(&first) = open.first() {
            let together = self.world.coupled(first, &open);
            open.retain(|it| !together.contains(it));
            self.integrate(&together, from, to)?;
        }
        Ok(others)
    }

    fn integrate(&mut self, actors: &BTreeSet<usize>, from: f64, to: f64) -> Result<(), Stop> {
        let mut members = Vec::with_capacity(actors.len());
        let mut state = Vec::new();
        for &actor in actors {
            let columns = self.world.rates_of(actor).unwrap_or_default();
            members.push(Member { actor, start: state.len(), columns: columns.clone() });
            state.extend(columns.iter().map(|&it| self.world.stored(actor, it)));
        }
        let flows = &mut self.world.flows.flows;
        let flow = flows.iter().position(Option::is_none).unwrap_or_else(|| {
            flows.push(None);
            flows.len() - 1
        });
        for member in &members {
            self.world.flows.of[member.actor] = Some(flow);
        }
        // The place of a trial is looked up in the flow that is being made.
        let solution = Dense::at_rest(from, &state);
        self.world.flows.flows[flow] = Some(Flow { members: members.clone(), solution });
        let settings = self.simulation.context_settings();
        let method = match settings.and_then(|it| it.integrator.as_deref()) {
            None => Method::default(),
            // Refused when the experiment was read, if there is no such method.
            Some(name) => Method::by_name(name).unwrap_or_default(),
        };
        let tolerance = settings.map_or(DEFAULT_TOLERANCE, |it| it.tolerance);
        // A method of fixed step divides the frame as `time step` says.
        let steps = self.simulation.time_step.map(|step| ((to - from) / step).ceil().max(1.0) as u32);
        let method = steps.and_then(|steps| method.with_steps(steps)).unwrap_or(method);
        let mut rates = Rates { world: &self.world, flow, members: &members };
        let solution = integrate(&mut rates, from, &state, to, tolerance, method);
        let solution = solution.map_err(|stuck| match stuck {
            Stuck::Rates { error, .. } => error,
            Stuck::Trouble(trouble) => {
                let actors: Vec<usize> = members.iter().map(|it| it.actor).collect();
                Box::new(self.world.no_way_on(&actors, trouble))
            }
        })?;
        self.world.flows.flows[flow] = Some(Flow { members, solution });
        Ok(())
    }
}

impl World<'_> {
    /// Rates that cannot be integrated, in words.
    fn no_way_on(&self, actors: &[usize], trouble: Trouble) -> Diagnostic {
        let actor = actors[0];
        let rates = self.laws_of(actor).and_then(|it| it.rates.as_ref());
        let span = rates.and_then(Program::first_place).unwrap_or(self.law_place(actor, ""));
        let context = self.laws_of(actor).map_or("", |it| &self.experiment.contexts[it.context].name);
        let name = &self.cast.names[actor];
        let message = format!("the rates of `{name}` in `{context}` cannot be integrated: {trouble}");
        let diagnostic = Diagnostic::new(Code::E805, span, message).help(match trouble {
            Trouble::Unsettled { .. } => "shorter frames, or `integrator = dormand_prince`, would help",
            _ => "slower rates, a larger `tolerance`, shorter frames or a shorter `duration` would help",
        });
        let others: Vec<String> =
            actors[1..].iter().map(|&it| format!("`{}`", self.cast.names[it])).collect();
        match others.len() {
            0 => diagnostic,
            // Of many, a few are named.
            1..=MOST_NAMED => diagnostic.note(format!("integrated together with {}", others.join(", "))),
            many => diagnostic.note(format!("integrated together with {many} others")),
        }
    }

    /// The columns of an actor that are integrated now, in the order of its rates; `None` if there are none.
    pub(crate) fn rates_of(&self, actor: usize) -> Option<Vec<usize>> {
        Some(self.laws_of(actor)?.rates.as_ref()?.columns().collect())
    }

    /// Those of `open` that an actor must be integrated with: whose values its laws read, or who read its.
    fn coupled(&self, actor: usize, open: &BTreeSet<usize>) -> BTreeSet<usize> {
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

    /// Whether the laws of one actor read another.
    fn reads(&self, one: usize, other: usize) -> bool {
        self.laws_of(one).is_some_and(|laws| {
            laws.reads().any(|it| matches!(it, Source::Other { object, .. } if object == other))
        })
    }
}

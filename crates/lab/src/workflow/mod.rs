//! The workflow engine: moves objects by rules that the user wrote and put together with `seq` and `par`.
//!
//! A step is one run of the whole workflow, whole or not at all.
//!
//! ```text
//! Rule ──plan──► cells of the core ──► clash check ──┐
//! functions ───────► Kernel over columns ───────body──► Flow ──► Workflow::step ──► moment, phenomena
//! ```
//!
//! The core announces that an event happened, and when. What was before and after is found by running the
//! step once more, up to the event and including it: rules are pure, so it takes the same path.
//!
//! `columns` is the state, `layout` says what of it is recorded and `moment` reads it; a saved state holds
//! all that rules change, and nothing that follows from it.

mod body;
mod columns;
mod events;
mod fault;
mod layout;
mod moment;
mod plan;

pub(crate) use plan::Planner;

use crate::run::clock::StepClock;
use crate::run::events::{Events, Happened};
use crate::run::measures::Meter;
use crate::run::mechanism::Mechanism;
use crate::run::options::{Options, Stop};
use crate::run::values::Values;
use crate::run::words::{Hash, Words, WordsReader};
use body::Body;
use events::Witness;
use gedanken_dynamics::{Phenomenon, Scratch, State, Workflow};
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_math::units::Quantity;
use gedanken_recording::{EventKind, Owner, Schema};
use layout::Layout;
use moment::{Moment, Readings};
use plan::Plan;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A simulation by rules under way.
pub(crate) struct WorkflowMechanism<'e> {
    experiment: &'e Experiment,
    simulation: &'e Simulation,
    plan: Plan<'e>,
    bodies: Vec<Arc<Body>>,
    workflow: Workflow,
    scratch: Scratch,
    /// Threads that share a `par`; `None` if there is none.
    pool: Option<rayon::ThreadPool>,
    /// For every leaf that is an event, the parts of the workflow that lead to it.
    witnesses: Vec<Option<Witness>>,
    layout: Layout,
    readings: Readings,
    state: State,
}

impl<'e> WorkflowMechanism<'e> {
    /// Compiles the rules of a simulation and puts everything into its initial state.
    ///
    /// # Errors
    /// If the simulation is not a workflow, or its rules do not go together; a checked experiment has neither
    /// fault.
    pub(crate) fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
        meter: &Meter,
    ) -> Result<Self, Vec<Diagnostic>> {
        let planner = Planner::new(experiment, simulation);
        let plan = planner.plan().ok_or_else(|| {
            let message = format!("the simulation `{}` has no workflow", simulation.name);
            vec![Diagnostic::new(Code::E740, simulation.span, message)]
        })?;
        let names: Vec<String> =
            simulation.objects.iter().map(|&index| experiment.objects[index].name.clone()).collect();
        let body = |leaf| Arc::new(Body::new(&plan, leaf, &names, &options));
        let bodies: Vec<Arc<Body>> = plan.leaves.iter().map(body).collect();
        let flows: Vec<gedanken_dynamics::Flow> =
            plan.leaves.iter().zip(&bodies).map(|(leaf, body)| leaf.flow(body.rule(&leaf.name))).collect();
        let model = &plan.columns.model;
        let built = plan.tree.flow(&flows).build(model).map_err(|error| planner.explain(&plan, &error))?;
        let workflow = built.until(options.cancel.clone());
        let witness = |(number, leaf): (usize, &plan::Leaf<'_>)| {
            leaf.rule.is_event.then(|| Witness::new(&plan.tree, &flows, number, model))
        };
        let witnesses = plan.leaves.iter().enumerate().map(witness).collect();
        let readings = Readings::new(experiment, simulation, &plan.columns, meter);
        let layout = layout::layout(&plan, &experiment.world, &experiment.objects, simulation, meter);
        let pool = (plan.tree.has_par() && options.threads > 0)
            .then(|| rayon::ThreadPoolBuilder::new().num_threads(options.threads).build().ok());
        Ok(Self {
            experiment,
            simulation,
            scratch: workflow.scratch(),
            workflow,
            pool: pool.flatten(),
            witnesses,
            layout,
            readings,
            state: plan.columns.initial(&experiment.world, &experiment.objects),
            plan,
            bodies,
        })
    }

    fn one_step(&mut self, length: f64) -> Result<Vec<Phenomenon>, Stop> {
        let Self { workflow, scratch, state, pool, .. } = self;
        let mut run = || {
            let report = workflow.step(state, scratch, Quantity::new(length));
            report.map(|report| report.phenomena.to_vec())
        };
        let result = match pool {
            Some(pool) => pool.install(run),
            None => run(),
        };
        result.map_err(|fault| Stop::Experiment(Box::new(self.explain(&fault))))
    }

    /// Tells what happened in a step from `before` on.
    fn tell(
        &self,
        happened: &[Phenomenon],
        before: &State,
        length: f64,
        events: &mut Events<'_>,
    ) -> Result<(), Stop> {
        // One event may happen to many objects at once.
        let mut around: BTreeMap<usize, [State; 2]> = BTreeMap::new();
        for phenomenon in happened {
            let Some(leaf) = self.plan.leaves.iter().position(|it| it.name == phenomenon.rule) else {
                continue;
            };
            let Some(witness) = &self.witnesses[leaf] else { continue };
            let [before, after] =
                around.entry(leaf).or_insert_with(|| witness.around(before, Quantity::new(length)));
            let objects: Vec<usize> =
                self.plan.columns.object(phenomenon.component.row()).into_iter().collect();
            let mut row = |state: &State| {
                let Self { layout, readings, .. } = self;
                let moment = Moment { time: phenomenon.time, state, layout, readings, is_event: true };
                events.row(&moment, &objects)
            };
            let (before, after) = (row(before)?, row(after)?);
            let name = &self.plan.leaves[leaf].rule.name;
            events.event(Happened {
                time: phenomenon.time,
                kind: EventKind::Phenomenon,
                context: self.layout.schema.contexts.iter().position(|event| event == name),
                objects,
                given: vec![("tick".to_owned(), vec![phenomenon.tick as f64])],
                before,
                after,
            })?;
        }
        Ok(())
    }
}

impl Mechanism for WorkflowMechanism<'_> {
    fn schema(&self) -> &Schema {
        &self.layout.schema
    }

    fn begin(&mut self, _: f64, _: &mut Events<'_>) -> Result<(), Stop> {
        Ok(())
    }

    fn step(&mut self, clock: StepClock, events: &mut Events<'_>) -> Result<(), Stop> {
        self.set_time(clock.start);
        let before = self.witnesses.iter().any(Option::is_some).then(|| self.state.clone());
        let happened = self.one_step(clock.length)?;
        match before {
            Some(before) => self.tell(&happened, &before, clock.length, events),
            None => Ok(()),
        }
    }

    /// All rules of the workflow: each may write what the next one reads.
    fn laws_moving(&self, _: Option<usize>) -> Vec<String> {
        let names: BTreeSet<&String> = self.plan.leaves.iter().map(|leaf| &leaf.rule.name).collect();
        names.into_iter().cloned().collect()
    }

    fn set_time(&mut self, time: f64) {
        self.state.set_clock(Quantity::new(time), self.state.tick());
    }

    fn moment(&self) -> Result<Box<dyn Values + '_>, Stop> {
        let Self { state, layout, readings, .. } = self;
        Ok(Box::new(Moment { time: state.time().si(), state, layout, readings, is_event: false }))
    }

    fn hash(&self, _: &[f64]) -> u64 {
        self.state.hash()
    }

    fn scalars(&self) -> usize {
        self.layout.kept.len()
    }

    fn save(&self, to: &mut Words) {
        to.word(self.state.tick());
        let kept = &self.layout.kept;
        kept.some(0..kept.len(), &self.state).for_each(|real| to.real(real));
    }

    fn load(&mut self, time: f64, from: &mut WordsReader<'_>) -> Result<(), Stop> {
        let mut state = self.plan.columns.initial(&self.experiment.world, &self.experiment.objects);
        state.set_clock(Quantity::new(time), from.word()?);
        for (column, row) in self.layout.kept.iter() {
            state
                .set_real(self.plan.columns.name(column), self.plan.columns.id(row), from.real()?)
                .map_err(|error| Stop::Keyframe(error.to_string()))?;
        }
        self.state = state;
        Ok(())
    }

    /// Names and types of everything that rules change.
    fn fingerprint(&self, hash: &mut Hash) {
        for quantity in &self.layout.changing {
            match quantity.owner {
                Owner::World => hash.text("world"),
                Owner::Object(object) => hash.text(&self.layout.schema.objects[object]),
                Owner::Measure => hash.text("measure"),
            }
            hash.text(&quantity.name);
            hash.text(&quantity.ty.to_string());
        }
    }
}

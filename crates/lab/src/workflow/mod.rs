//! The workflow engine: moves objects by rules that the user wrote and put together with `seq` and `par`.
//!
//! A step is one run of the whole workflow, whole or not at all; frames are states that whole numbers of
//! steps have made.
//!
//! ```text
//! Rule ──plan──► cells of the core ──► clash check ──┐
//! functions ──law──► native code over columns ──body──► Flow ──► Workflow::step ──► rows, phenomena ──► Sink
//! ```
//!
//! The core announces that an event happened, and when. What was before and after is found by running the
//! step once more, up to the event and including it: rules are pure, so it takes the same path.
//!
//! `columns` is the state, `layout` says what of it is recorded and `measures` what is computed from it;
//! `keyframe` holds all that rules change, and nothing that follows from it.

mod body;
mod columns;
mod events;
mod keyframe;
pub(crate) mod law;
mod layout;
mod measures;
mod plan;

pub(crate) use plan::Planner;

use crate::run::{Options, Stop};
use body::Body;
use events::Witness;
use gedanken_dynamics::{Fault, Phenomenon, Scratch, State, Workflow};
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_math::units::Quantity;
use gedanken_recording::{Event, EventKind, Frame, Schema, Sink};
use keyframe::Keyframe;
use layout::Layout;
use measures::Measures;
use plan::Plan;
use std::collections::BTreeMap;
use std::sync::Arc;

/// How many frames there are from one that a run can go on from to the next.
const KEYFRAMES: u64 = 64;

/// A simulation by rules under way.
pub struct WorkflowRun<'e> {
    experiment: &'e Experiment,
    simulation: &'e Simulation,
    plan: Plan<'e>,
    bodies: Vec<Arc<Body>>,
    workflow: Workflow,
    scratch: Scratch,
    /// Where a par goes wide; `None` if there is none.
    pool: Option<rayon::ThreadPool>,
    /// For every leaf that is an event, who can tell what was before and after it.
    witnesses: Vec<Option<Witness>>,
    layout: Layout,
    measures: Measures,
    state: State,
    /// The last completed frame, and how many steps have been taken since.
    frame: Option<u64>,
    step: u64,
    events: u64,
}

impl<'e> WorkflowRun<'e> {
    /// Compiles the rules of a simulation and puts everything into its initial state.
    ///
    /// # Errors
    /// If the simulation is not a workflow, or its rules do not go together; a checked experiment has neither
    /// fault.
    pub fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        let planner = Planner::new(experiment, simulation);
        let plan = planner.plan().ok_or_else(|| {
            let message = format!("the simulation `{}` has no workflow", simulation.name);
            vec![Diagnostic::new(Code::E740, simulation.span, message)]
        })?;
        let names: Vec<String> =
            simulation.objects.iter().map(|&index| experiment.objects[index].name.clone()).collect();
        let body = |leaf| Arc::new(Body::new(&plan, leaf, &names, options.native));
        let bodies: Vec<Arc<Body>> = plan.leaves.iter().map(body).collect();
        let flows: Vec<gedanken_dynamics::Flow> =
            plan.leaves.iter().zip(&bodies).map(|(leaf, body)| leaf.flow(body.rule(&leaf.name))).collect();
        let model = &plan.columns.model;
        let workflow = plan.tree.flow(&flows).build(model).map_err(|error| planner.explain(&plan, &error))?;
        let witness = |(number, leaf): (usize, &plan::Leaf<'_>)| {
            leaf.rule.is_event.then(|| Witness::new(&plan.tree, &flows, number, model))
        };
        let witnesses = plan.leaves.iter().enumerate().map(witness).collect();
        let measures = Measures::new(experiment, simulation, &plan.columns, options.native);
        let layout =
            layout::layout(&plan, &experiment.world, &experiment.objects, simulation, measures.meter());
        let pool = plan.tree.has_par().then(|| {
            let threads = options.threads.max(1);
            rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok()
        });
        Ok(Self {
            experiment,
            simulation,
            scratch: workflow.scratch(),
            workflow,
            pool: pool.flatten(),
            witnesses,
            layout,
            measures,
            state: plan.columns.initial(&experiment.world, &experiment.objects),
            plan,
            bodies,
            frame: None,
            step: 0,
            events: 0,
        })
    }

    /// What a recording of it will contain. The caller fills in text, path, imports and parameters.
    pub fn schema(&self) -> &Schema {
        &self.layout.schema
    }

    /// How many frames there will be after frame 0.
    pub fn frames(&self) -> u64 {
        self.simulation.frames()
    }

    /// The number of the last completed frame; `None` before the first.
    pub fn frame(&self) -> Option<u64> {
        self.frame
    }

    /// Computes one more frame: the first call gives frame 0, the initial state. Gives `false`, and does
    /// nothing, when there are no more.
    ///
    /// # Errors
    /// See [`Stop`]. The state is as it was before the step that failed.
    pub fn advance(&mut self, sink: &mut dyn Sink) -> Result<bool, Stop> {
        let next = match self.frame {
            None => 0,
            Some(last) if last >= self.frames() => return Ok(false),
            Some(last) => {
                self.steps(last, sink)?;
                last + 1
            }
        };
        let time = self.simulation.frame_time(next);
        self.state.set_clock(Quantity::new(time), self.state.tick());
        let keyframe = next.is_multiple_of(KEYFRAMES).then(|| {
            let (tick, row) = (self.state.tick(), self.layout.kept.row(&self.state));
            Keyframe { frame: next, tick, events: self.events, row }.to_bytes(&self.layout)
        });
        let mut row = self.layout.recorded.row(&self.state);
        let mut notices = Vec::new();
        self.measures.append(time, &self.state, &mut row, &mut notices);
        notices.iter().try_for_each(|notice| sink.notice(notice))?;
        let (row, hash) = (row.as_slice(), self.state.hash());
        sink.frame(Frame { index: next, time, row, hash, keyframe: keyframe.as_deref() })?;
        (self.frame, self.step) = (Some(next), 0);
        Ok(true)
    }

    /// Goes on from a frame of an earlier run: `keyframe` is what that run gave with frame `frame`. The next
    /// call of [`advance`](Self::advance) gives the frame after it.
    ///
    /// # Errors
    /// If the keyframe is of another experiment, or damaged.
    pub fn resume(&mut self, frame: u64, keyframe: &[u8]) -> Result<(), Stop> {
        let found = Keyframe::from_bytes(keyframe, &self.layout).map_err(Stop::Keyframe)?;
        if found.frame != frame {
            return Err(Stop::Keyframe(format!("it belongs to frame {}, not to {frame}", found.frame)));
        }
        let mut state = self.plan.columns.initial(&self.experiment.world, &self.experiment.objects);
        for ((column, row), value) in self.layout.kept.iter().zip(&found.row) {
            state
                .set_real(self.plan.columns.name(column), self.plan.columns.id(row), *value)
                .map_err(|error| Stop::Keyframe(error.to_string()))?;
        }
        state.set_clock(Quantity::new(self.simulation.frame_time(frame)), found.tick);
        (self.state, self.frame, self.step, self.events) = (state, Some(frame), 0, found.events);
        Ok(())
    }

    /// The steps from frame `last` to the next one, those that are left.
    fn steps(&mut self, last: u64, sink: &mut dyn Sink) -> Result<(), Stop> {
        let (steps, length) = self.simulation.steps();
        while self.step < steps {
            // From the frame's own time, so that nothing adds up.
            let time = self.simulation.frame_time(last) + self.step as f64 * length;
            self.state.set_clock(Quantity::new(time), self.state.tick());
            let before = self.witnesses.iter().any(Option::is_some).then(|| self.state.clone());
            let happened = self.one_step(length)?;
            self.step += 1;
            if let Some(before) = before {
                self.tell(&happened, &before, length, sink)?;
            }
        }
        Ok(())
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

    /// Tells the sink what happened in a step from `before` on.
    fn tell(
        &mut self,
        happened: &[Phenomenon],
        before: &State,
        length: f64,
        sink: &mut dyn Sink,
    ) -> Result<(), Stop> {
        // One event may happen to many objects at once.
        let mut rows: BTreeMap<usize, [Vec<f64>; 2]> = BTreeMap::new();
        for phenomenon in happened {
            let Some(leaf) = self.plan.leaves.iter().position(|it| it.name == phenomenon.rule) else {
                continue;
            };
            let Some(witness) = &self.witnesses[leaf] else { continue };
            let mut notices = Vec::new();
            let around = rows.entry(leaf).or_insert_with(|| {
                witness.around(before, Quantity::new(length)).map(|state| {
                    let mut row = self.layout.recorded.row(&state);
                    self.measures.append_at_event(phenomenon.time, &state, &mut row, &mut notices);
                    row
                })
            });
            notices.iter().try_for_each(|notice| sink.notice(notice))?;
            let objects: Vec<usize> =
                self.plan.columns.object(phenomenon.component.row()).into_iter().collect();
            let [before, after] = [&around[0], &around[1]].map(|row| self.layout.schema.cut(row, &objects));
            let name = &self.plan.leaves[leaf].rule.name;
            let event = Event {
                index: self.events,
                time: phenomenon.time,
                kind: EventKind::Phenomenon,
                context: self.layout.schema.contexts.iter().position(|event| event == name),
                objects,
                given: vec![("tick".to_owned(), vec![phenomenon.tick as f64])],
                before,
                after,
            };
            self.events += 1;
            sink.take_event(event)?;
        }
        Ok(())
    }

    /// A fault of the core, in the words and at the places of the experiment.
    fn explain(&self, fault: &Fault) -> Diagnostic {
        let leaf_of = |rule: &str| self.plan.leaves.iter().position(|leaf| *leaf.name == *rule);
        let object = |row: usize| match self.plan.columns.object(row) {
            Some(object) => format!("`{}`", self.layout.schema.objects[object]),
            None => "the world".to_owned(),
        };
        match fault {
            Fault::Failed { rule, time, .. } => {
                if let Some(leaf) = leaf_of(rule)
                    && let Some(failure) = self.bodies[leaf].take_failure()
                {
                    let (name, whom) = (&self.plan.leaves[leaf].rule.name, object(failure.row));
                    let place = format!("in `{}` of `{name}`, for {whom}, at t = {time}", failure.function);
                    return failure.diagnostic.note(place);
                }
            }
            Fault::NotFinite { rule, column, component, time, .. } => {
                if let Some(leaf) = leaf_of(rule) {
                    let attribute = column.split('#').next().unwrap_or_default();
                    let row = component.parse::<usize>().map_or(0, |number| number + 1);
                    let (leaf, whom) = (&self.plan.leaves[leaf], object(row));
                    let message = format!("what is added to `{attribute}` of {whom} is too large in sum");
                    let added = leaf.rule.adds.iter().find(|name| name.text == attribute);
                    return Diagnostic::new(Code::E505, added.map_or(leaf.rule.span, |it| it.span), message)
                        .label("beyond the largest number")
                        .note(format!("in `{}`, for {whom}, at t = {time}", leaf.rule.name))
                        .help("set the attribute to zero before each sum, or add less");
                }
            }
            _ => {}
        }
        // Nothing else can happen to a workflow that was checked.
        Diagnostic::new(Code::E740, self.simulation.span, format!("the workflow cannot go on: {fault}"))
    }
}

impl std::fmt::Debug for WorkflowRun<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let simulation = &self.simulation.name;
        f.debug_struct("WorkflowRun").field("simulation", simulation).field("frame", &self.frame).finish()
    }
}

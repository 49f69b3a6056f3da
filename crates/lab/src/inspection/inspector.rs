//! Takes one step from each of many states of a simulation.

use super::report::{BodyMotion, InspectedStep};
use super::states::{GivenBody, GivenNormalForce, GivenState, Misstated};
use crate::rigid::{Built, Failures, build, fault, refused};
use crate::run::options::Options;
use gedanken_dynamics::ComponentId;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_math::Pose;
use gedanken_math::rotation::to_world;
use gedanken_rigid::variational::GivenForce;
use gedanken_rigid::{BodyKind, RigidError, Settings, Snapshot, World};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A simulation of which single steps are looked into.
#[derive(Debug)]
pub struct Inspector<'e> {
    experiment: &'e Experiment,
    simulation: &'e Simulation,
    world: World,
    settings: Settings,
    bodies: Vec<(usize, ComponentId)>,
    failures: Arc<Failures>,
    run: gedanken_rigid::Simulation,
    /// The run as the experiment begins.
    start: Snapshot,
}

impl<'e> Inspector<'e> {
    /// Builds the world of a simulation.
    ///
    /// # Errors
    /// A simulation whose solver tells nothing of its steps, or one that cannot begin.
    pub fn new(
        experiment: &'e Experiment,
        simulation: &'e Simulation,
        options: &Options,
    ) -> Result<Self, Vec<Diagnostic>> {
        if !simulation.rigid().is_some_and(|it| it.is_variational()) {
            let message =
                format!("the simulation `{}` has no variational steps to look into", simulation.name);
            return Err(vec![
                Diagnostic::new(Code::E761, simulation.span, message)
                    .label("its solver tells no cost and no multipliers")
                    .help(
                        "write `mechanics = rigid` and `solver = variational`, or choose another simulation",
                    ),
            ]);
        }
        let Built { world, settings, bodies, failures } = build(experiment, simulation, options)?;
        let run = begin(&world, &settings, simulation)
            .map_err(|error| vec![refused(&error, experiment, simulation)])?;
        let start = run.snapshot();
        Ok(Self { experiment, simulation, world, settings, bodies, failures, run, start })
    }

    /// Everything in a list of states that does not fit the simulation: names of bodies that do not exist, and
    /// motions of those that cannot be moved.
    #[must_use]
    pub fn misfits(&self, states: &[GivenState]) -> Vec<Misstated> {
        let mut found = Vec::new();
        for (number, state) in states.iter().enumerate() {
            for (name, _) in &state.bodies {
                let place = format!("[{number}].{name}");
                found.extend(self.unfit(name, true).map(|message| Misstated { place, message }));
            }
            for (force, given) in state.lambda.iter().enumerate() {
                let place = || format!("[{number}].lambda[{force}].bodies");
                let messages = match &given.bodies {
                    Some([a, b]) if a == b => vec!["a body does not touch itself".to_owned()],
                    Some(names) => names.iter().filter_map(|name| self.unfit(name, false)).collect(),
                    None if self.only_pair().is_none() => {
                        let message = "name the two bodies: more than one pair can touch here, or none";
                        vec![message.to_owned()]
                    }
                    None => Vec::new(),
                };
                found.extend(messages.into_iter().map(|message| Misstated { place: place(), message }));
            }
            if !state.lambda.is_empty() && self.is_coupled() {
                let place = format!("[{number}].lambda");
                let message = "it has no effect: only lagged friction has a first pass; write `friction iteration = lagged` or `kinetic = seed`, or remove it".to_owned();
                found.push(Misstated { place, message });
            }
        }
        found
    }

    /// Takes one step of this length, s, from a state that fits the simulation.
    ///
    /// # Errors
    /// A state in which the bodies cannot be, or a step that cannot be made.
    pub fn step(&mut self, state: &GivenState, length: f64) -> Result<InspectedStep, Box<Diagnostic>> {
        if state.lambda.is_empty() && self.run.settings().given_forces.is_empty() {
            self.run.restore(&self.start).map_err(|error| self.refused(&error))?;
        } else {
            // The forces are settings, and settings belong to a run for good.
            let given_forces = self.given_forces(&state.lambda);
            let settings = Settings { given_forces, ..self.settings.clone() };
            self.run =
                begin(&self.world, &settings, self.simulation).map_err(|error| self.refused(&error))?;
        }
        for (name, body) in &state.bodies {
            if let Some(id) = self.id(name) {
                self.put(id, body).map_err(|error| self.refused(&error))?;
            }
        }
        let result = self.run.step(length);
        let told = self.failures.take();
        result.map_err(|fault| {
            let of_law = fault::strained(&fault, self.experiment, self.simulation.span).or(told);
            let time = self.run.time();
            let bodies = self.bodies.iter().map(|&(index, _)| &self.experiment.objects[index]);
            Box::new(of_law.unwrap_or_else(|| fault::explain(&fault, bodies, self.simulation.span, time)))
        })?;
        Ok(self.told())
    }

    /// Forces of the first pass, by rows. Points that are not listed have none, beside one that is.
    fn given_forces(&self, lambda: &[GivenNormalForce]) -> Vec<GivenForce> {
        let rows = |it: &GivenNormalForce| {
            let mut rows = match &it.bodies {
                Some([a, b]) => [self.id(a)?.row() as u32, self.id(b)?.row() as u32],
                None => self.only_pair()?,
            };
            rows.sort_unstable();
            Some(rows)
        };
        let pairs: BTreeSet<[u32; 2]> = lambda.iter().filter_map(rows).collect();
        let none = pairs
            .iter()
            .flat_map(|&rows| (0..POINTS_PER_PAIR).map(move |point| GivenForce { rows, point, force: 0.0 }));
        // Of several forces at a point the last one holds.
        let listed = lambda
            .iter()
            .filter_map(|it| Some(GivenForce { rows: rows(it)?, point: it.point, force: it.force }));
        none.chain(listed).collect()
    }

    fn is_coupled(&self) -> bool {
        use gedanken_rigid::variational::FrictionIteration;
        self.settings.variational.implied().friction == FrictionIteration::Coupled
    }

    /// Why no body of this name can be put somewhere, or touched.
    fn unfit(&self, name: &str, is_moved: bool) -> Option<String> {
        let names = || self.bodies.iter().map(|&(index, _)| self.experiment.objects[index].name.as_str());
        let Some(id) = self.id(name) else {
            return Some(match similar(name, names()) {
                Some(meant) => format!("there is no body `{name}`: did you mean `{meant}`?"),
                None => {
                    let known: Vec<String> = names().take(MAX_NAMES).map(|it| format!("`{it}`")).collect();
                    let more = if self.bodies.len() > MAX_NAMES { ", …" } else { "" };
                    format!("there is no body `{name}`: there is {}{more}", known.join(", "))
                }
            });
        };
        let kind = self.world.body(id).map(|body| body.kind());
        match kind {
            Some(BodyKind::Dynamic) => None,
            Some(BodyKind::Static) if is_moved => {
                Some("it is static, and stays where the file puts it".to_owned())
            }
            _ if is_moved => Some("it is kinematic, and moves as the file says".to_owned()),
            _ => None,
        }
    }

    fn id(&self, name: &str) -> Option<ComponentId> {
        let is_named = |&&(index, _): &&(usize, ComponentId)| self.experiment.objects[index].name == name;
        self.bodies.iter().find(is_named).map(|(_, id)| *id)
    }

    /// Rows of the only two bodies that can touch.
    fn only_pair(&self) -> Option<[u32; 2]> {
        let rows = || self.world.bodies().map(|(id, _)| id.row() as u32);
        let pairs = rows().flat_map(|a| rows().filter(move |b| a < *b).map(move |b| [a, b]));
        let mut touching = pairs.filter(|[a, b]| self.world.may_touch(*a, *b));
        touching.next().filter(|_| touching.next().is_none())
    }

    fn refused(&self, error: &RigidError) -> Box<Diagnostic> {
        Box::new(refused(error, self.experiment, self.simulation))
    }

    /// Puts a body where the state has it.
    fn put(&mut self, id: ComponentId, body: &GivenBody) -> Result<(), RigidError> {
        let now = self.motion(id);
        let pose =
            Pose::new(body.orientation.unwrap_or(now.orientation), body.position.unwrap_or(now.position));
        let velocity = body.velocity.unwrap_or(now.velocity);
        self.run.put(id, pose, velocity, body.angular_velocity.unwrap_or(now.angular_velocity))
    }

    fn motion(&self, id: ComponentId) -> BodyMotion {
        let (centre, pose, twist) = (self.run.centre(id), self.run.pose(id), self.run.twist(id));
        let frame = self.world.body(id).map_or(Pose::IDENTITY, |body| body.frame());
        let arm = to_world(centre.rotation, frame.translation);
        BodyMotion {
            position: pose.translation,
            orientation: pose.rotation,
            velocity: twist.linear + twist.angular.cross(arm),
            angular_velocity: twist.angular,
        }
    }

    /// What the step tells.
    fn told(&self) -> InspectedStep {
        let components = self.world.model().components();
        let moves = |id: ComponentId| self.world.body(id).is_some_and(|it| it.kind() != BodyKind::Static);
        let movable = self.bodies.iter().filter(|(_, id)| moves(*id));
        let inspection = self.run.inspection().unwrap_or_default();
        let name = |row: u32| {
            let id = components.iter().find(|id| id.row() == row as usize);
            id.map_or_else(String::new, |id| components.name(id).to_owned())
        };
        InspectedStep {
            bodies: movable
                .map(|&(index, id)| (self.experiment.objects[index].name.clone(), self.motion(id)))
                .collect(),
            pairs: inspection.multipliers.iter().map(|it| it.rows.map(name)).collect(),
            inspection,
            report: self.run.report(),
        }
    }
}

/// Number of points of two bodies that have no force where only others are listed.
const POINTS_PER_PAIR: u32 = 64;

/// Number of bodies that a message lists.
const MAX_NAMES: usize = 12;

fn begin(
    world: &World,
    settings: &Settings,
    simulation: &Simulation,
) -> Result<gedanken_rigid::Simulation, RigidError> {
    gedanken_rigid::Simulation::starting_at(world.clone(), settings.clone(), simulation.initial_time)
}

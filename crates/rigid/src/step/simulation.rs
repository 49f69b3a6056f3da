//! Simulations: a world in motion. Steps, snapshots, and all that can be read.

use super::outcome::{ContactEvent, Events};
use super::start_notice::{self, Notice};
use super::{bookkeeping, pipeline, transfer};
use crate::collide::contact_table::Contacts;
use crate::contacts::report::Report;
use crate::impact::{Impact, Impacts};
use crate::joints::jointed_motion;
use crate::ledger::Ledger;
use crate::variational::inspection::Inspection;
use crate::world::World;
use crate::world::error::RigidError;
use crate::world::settings::Settings;
use gedanken_dynamics::integrate::kick::KickSearch;
use gedanken_dynamics::{
    AngularVelocity, AtRest, Attribute, ComponentId, Fault, Flow, Orientation, Position, Scratch, State,
    Table, ThreeD, Velocity, Workflow,
};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Twist};
use std::sync::Arc;

/// State of a simulation: everything that decides how it goes on. Cloning it takes a snapshot.
pub type Snapshot = State;

/// A world in motion.
///
/// ```
/// use gedanken_math::{Pose, Vec3};
/// use gedanken_dynamics::laws::UniformGravity;
/// use gedanken_rigid::{Body, Settings, Simulation, World};
/// use gedanken_math::units::Quantity;
/// use gedanken_geometry::{HalfSpace, Shape, Sphere};
///
/// let ground = Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0)?), Pose::IDENTITY);
/// let ball = Body::dynamic(Shape::Sphere(Sphere::new(0.1)?), Pose::at(Vec3::Z)).with_mass(1.0);
/// let world = World::new([("ground", ground), ("ball", ball)], [])?
///     .with_laws(UniformGravity::new(Quantity::new(Vec3::new(0.0, 0.0, -9.81))));
/// let ball = world.id("ball")?;
/// let mut run = Simulation::new(world, Settings::default())?;
/// for _ in 0..240 {
///     run.step(1.0 / 240.0)?;
/// }
/// assert!((run.pose(ball).translation.z - 0.1).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Simulation {
    world: Arc<World>,
    settings: Arc<Settings>,
    flow: Flow,
    workflow: Workflow,
    state: State,
    scratch: Scratch,
    notices: Vec<Notice>,
    /// Memory for closing the page of a step.
    potentials: Vec<Option<f64>>,
}

impl Simulation {
    /// The world at its start. Joints that do not hold are refused; those that nearly do are brought to hold.
    pub fn new(world: World, settings: Settings) -> Result<Self, RigidError> {
        let state = world.start()?;
        Self::from_state(world, settings, state)
    }

    /// The same at another time than zero, s.
    pub fn starting_at(world: World, settings: Settings, time: f64) -> Result<Self, RigidError> {
        let state = world.start()?.at_time(Quantity::new(time));
        Self::from_state(world, settings, state)
    }

    /// The world in another state of its own model.
    fn from_state(world: World, settings: Settings, mut state: State) -> Result<Self, RigidError> {
        settings.check()?;
        if world.has_contacts() && !settings.integrator.kicks_once() {
            return Err(RigidError::Unfit(format!(
                "'{}' takes several kicks in a step, some of them backwards perhaps, which contacts cannot follow: use \
                 'leapfrog' or 'symplectic-euler', or let bodies pass through each other",
                settings.integrator.name
            )));
        }
        let mut notices = jointed_motion::settle(&world, &settings, &mut state)?;
        let (world, settings) = (Arc::new(world), Arc::new(settings));
        let flow = pipeline::flow(&world, &settings, &state)?;
        let workflow = flow.build(world.model())?.until(settings.cancel.clone());
        let scratch = workflow.scratch();
        bookkeeping::open(&world, &mut state)?;
        notices.extend(start_notice::overlaps(&world, &settings, &state)?);
        Ok(Self { world, settings, flow, workflow, state, scratch, notices, potentials: Vec::new() })
    }

    /// Advances by `h` seconds. On a fault nothing has happened.
    pub fn step(&mut self, h: f64) -> Result<(), Fault> {
        let clock = (self.state.time().si(), self.state.tick());
        self.workflow.step(&mut self.state, &mut self.scratch, Quantity::new(h))?;
        let Self { world, workflow, state, scratch, potentials, .. } = self;
        if self.settings.ledger {
            bookkeeping::close(world, workflow, scratch, state, potentials)
                .inspect_err(|_| workflow.take_back(state, scratch, clock))?;
        }
        Ok(())
    }

    /// The same bodies in another world (with other bodies, laws or constraints): those that both worlds
    /// have, by name, go on as they are, contacts and all; the others start as they were put.
    pub fn onto(&self, world: World) -> Result<Self, RigidError> {
        let state = transfer::transferred(&self.world, &self.state, &world)?;
        Self::from_state(world, (*self.settings).clone(), state)
    }

    /// All that decides how the run goes on.
    #[must_use]
    pub fn snapshot(&self) -> Snapshot {
        self.state.clone()
    }

    /// Goes back, or on, to a snapshot of this simulation or of one of the same world; one of other bodies is
    /// refused.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), RigidError> {
        let (theirs, mine) = (snapshot.model().components(), self.world.model().components());
        if !theirs.iter().map(|id| theirs.name(id)).eq(mine.iter().map(|id| mine.name(id))) {
            return Err(RigidError::Unfit(
                "the snapshot is of a world with other bodies: restore it there, and take that over with `onto`"
                    .to_owned(),
            ));
        }
        self.state = snapshot.onto(self.world.model());
        Ok(())
    }

    /// Notices of the start: joints that repeat or contradict others, bodies that
    /// overlap.
    #[must_use]
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    pub(crate) fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// The world.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Settings.
    #[must_use]
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// A step, as a flow: it prints as what follows what.
    #[must_use]
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// The flow of a step, as it runs.
    #[must_use]
    pub fn workflow(&self) -> &Workflow {
        &self.workflow
    }

    /// The state: columns of the principal frames, and tables.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// A table of the last step.
    pub(crate) fn step_table<T: Table>(&self) -> Option<&T> {
        self.workflow.transient_table(&self.scratch)
    }

    /// A column of the last step.
    pub(crate) fn step_column<A: Attribute>(&self) -> Option<&[A::Value]> {
        self.workflow.transient::<A>(&self.scratch)
    }

    /// The time, s.
    #[must_use]
    pub fn time(&self) -> f64 {
        self.state.time().si()
    }

    /// The pose of a body's own frame, that of its shape.
    #[must_use]
    pub fn pose(&self, id: ComponentId) -> Pose {
        let frame = self.world.body(id).map_or(Pose::IDENTITY, |body| body.frame());
        self.centre(id) * frame
    }

    /// The pose of a body's principal frame: its centre of mass, along its principal axes.
    #[must_use]
    pub fn centre(&self, id: ComponentId) -> Pose {
        const HAS: &str = "every world has poses and motions";
        let place = self.state.get::<Position<ThreeD>>(id).expect(HAS);
        Pose::new(self.state.get::<Orientation>(id).expect(HAS), place.si())
    }

    /// The motion of a body's centre of mass.
    #[must_use]
    pub fn twist(&self, id: ComponentId) -> Twist {
        const HAS: &str = "every world has poses and motions";
        let (v, omega) = (self.state.get::<Velocity<ThreeD>>(id), self.state.get::<AngularVelocity>(id));
        Twist::new(v.expect(HAS).si(), omega.expect(HAS).si())
    }

    /// Returns `true` if a body has come to rest.
    #[must_use]
    pub fn is_at_rest(&self, id: ComponentId) -> bool {
        self.state.get::<AtRest>(id).unwrap_or(false)
    }

    /// Contacts of the last step.
    #[must_use]
    pub fn contacts(&self) -> &Contacts {
        self.state.table().expect("every world has contacts")
    }

    /// Events of the last step, in order of time.
    #[must_use]
    pub fn events(&self) -> &[ContactEvent] {
        let table = self.workflow.transient_table::<Events>(&self.scratch);
        table.map_or(&[], |table| &table.list)
    }

    /// The impacts of the last step, in the order in which they were settled.
    #[must_use]
    pub fn impacts(&self) -> &[Impact] {
        let table = self.workflow.transient_table::<Impacts>(&self.scratch);
        table.map_or(&[], |table| &table.list)
    }

    /// Number of kicks of the last step in which forces that depend on velocities had to be taken at the start of
    /// the kick, since no motion balances them: they jump there.
    #[must_use]
    pub fn explicit_kicks(&self) -> u32 {
        self.step_table::<KickSearch>().map_or(0, KickSearch::explicit_kicks)
    }

    /// Residuals of the contacts and joints of the last step.
    #[must_use]
    pub fn report(&self) -> Report {
        self.workflow.transient_table::<Report>(&self.scratch).copied().unwrap_or_else(Report::nothing)
    }

    /// A look inside of the last step, if the solver is `variational`.
    #[must_use]
    pub fn inspection(&self) -> Option<Inspection> {
        let mut inspection = self.step_table::<Inspection>()?.clone();
        inspection.cost.potential = self.potential_energy();
        Some(inspection)
    }

    /// Opens the ledger anew at the present state.
    pub(crate) fn reopen_ledger(&mut self) -> Result<(), RigidError> {
        let Self { world, state, .. } = self;
        bookkeeping::open(world, state)
    }

    /// Ledger of energy and momentum.
    #[must_use]
    pub fn ledger(&self) -> &Ledger {
        self.state.table().expect("every world has a ledger")
    }
}

//! What acts on the mechanism of an experiment from outside: kinematic bodies that move, forces, potentials and
//! springs, and conditions of the file's own.
//!
//! Laws and conditions are those of all rigid bodies. They look at a [`State`] of the world's own, which is filled
//! from the poses and velocities of the tree wherever a step asks.

use crate::rigid::{BuiltWorld, Failures};
use gedanken_dynamics::laws::{Laws, SlopeAnswer, SlopeBlock, Slopes, Term};
use gedanken_dynamics::{
    AngularVelocity, ComponentId, Force, Mechanics, Moves as _, Orientation, Position, Scratch, State,
    ThreeD, Torque, Velocity, Workflow,
};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::model::BodyId;
use gedanken_multibody::state::Prescribed;
use gedanken_multibody::surroundings::{OutsideRow, Surroundings, VelocitySlope};
use gedanken_multibody::tree::kinematics::Kinematics;
use gedanken_multibody::tree::spatial::Motion;
use gedanken_rigid::joints::{Configuration, Row};
use gedanken_rigid::{Constraint, RigidError, Twist};
use std::sync::Arc;

/// Everything outside of a mechanism.
#[derive(Default)]
pub(super) struct Outside {
    /// By prescribed body, how it moves; those of a model stay where they are.
    courses: Vec<UniformMotion>,
    laws: Option<LawWorld>,
}

/// Motion of a kinematic body: constant velocities, of its frame's origin and about it.
#[derive(Clone, Copy)]
pub(super) struct UniformMotion {
    /// Pose at the initial time.
    pub(super) start: Pose,
    pub(super) initial_time: f64,
    pub(super) velocity: Vec3,
    pub(super) angular_velocity: Vec3,
}

impl UniformMotion {
    fn at(&self, time: f64) -> Prescribed {
        let passed = time - self.initial_time;
        let turn = from_rotation_vector(self.angular_velocity * passed);
        let rotation = (turn * self.start.rotation).normalize();
        Prescribed {
            velocity: self.velocity,
            angular_velocity: self.angular_velocity,
            ..Prescribed::at_rest(Pose::new(rotation, self.start.translation + self.velocity * passed))
        }
    }
}

/// Laws and conditions, with the state that they look at.
struct LawWorld {
    state: State,
    laws: Vec<ActingLaw>,
    /// Bodies that move.
    bodies: Vec<LawBody>,
    constraints: Vec<Arc<dyn Constraint>>,
    failures: Arc<Failures>,
    rows: Vec<Row>,
    drifts: Vec<f64>,
    told: Slopes,
}

struct ActingLaw {
    term: Term<ThreeD>,
    workflow: Workflow,
    scratch: Scratch,
}

/// A body as laws and the tree know it.
#[derive(Clone, Copy)]
struct LawBody {
    id: ComponentId,
    body: BodyId,
    /// Pose of its principal frame in its own.
    principal: Pose,
}

impl Outside {
    /// Surroundings of an experiment; `bodies` are those of the tree, by place in the simulation.
    ///
    /// # Errors
    /// Laws that cannot act.
    pub(super) fn new(
        courses: Vec<UniformMotion>,
        built: BuiltWorld,
        bodies: &[Option<BodyId>],
    ) -> Result<Self, RigidError> {
        let BuiltWorld { world, bodies: ids, failures } = built;
        if world.laws().terms().is_empty() && world.constraints().is_empty() {
            return Ok(Self { courses, laws: None });
        }
        let placed = ids.iter().zip(bodies).filter_map(|(&(_, id), body)| {
            let frame = world.body(id).map_or(Pose::IDENTITY, |it| it.frame());
            Some(LawBody { id, body: (*body)?, principal: frame.inverse() })
        });
        let acting = |term: &Term<ThreeD>| {
            let mechanics = Mechanics::<ThreeD>::new(world.model(), Laws::from(term.clone()))?;
            let workflow = mechanics.forces().build(world.model())?;
            Ok(ActingLaw { term: term.clone(), scratch: workflow.scratch(), workflow })
        };
        let laws = LawWorld {
            state: world.start()?,
            laws: world.laws().terms().iter().map(acting).collect::<Result<_, RigidError>>()?,
            bodies: placed.collect(),
            constraints: world.constraints().to_vec(),
            failures,
            rows: Vec::new(),
            drifts: Vec::new(),
            told: Slopes::new(),
        };
        Ok(Self { courses, laws: Some(laws) })
    }

    /// Names of the laws, in the order of the ledger.
    pub(super) fn law_names(&self) -> Vec<String> {
        let laws = self.laws.iter().flat_map(|it| &it.laws);
        laws.map(|it| it.term.label.to_string()).collect()
    }

    /// Names of the conditions.
    pub(super) fn condition_names(&self) -> impl Iterator<Item = &str> {
        self.laws.iter().flat_map(|it| &it.constraints).map(|it| it.name())
    }

    /// Writes the potential energy of every law; `None` for one that has none.
    pub(super) fn energies(&mut self, time: f64, view: &Kinematics, out: &mut Vec<Option<f64>>) {
        out.clear();
        let Some(world) = &mut self.laws else { return };
        world.look(time, view);
        // Where a law has no value here, the step that begins here tells.
        let energy = |law: &ActingLaw| law.term.energy(&world.state).ok().flatten().map(|it| it.si());
        out.extend(world.laws.iter().map(energy));
        world.failures.take();
    }

    /// Takes the failure of a law or condition since the last call, in the words of the file.
    pub(super) fn take_failure(&self) -> Option<Diagnostic> {
        self.laws.as_ref().and_then(|it| it.failures.take())
    }
}

impl LawWorld {
    /// Takes over poses and velocities.
    fn look(&mut self, time: f64, view: &Kinematics) {
        for it in &self.bodies {
            let principal = view.poses[it.body.index()] * it.principal;
            let row = it.id.row();
            let velocity = view.velocity_at(it.body, principal.translation);
            let spin = view.velocities[it.body.index()].angular;
            self.state.overwrite::<Position<ThreeD>>(row, Quantity::new(principal.translation));
            self.state.overwrite::<Orientation>(row, principal.rotation);
            self.state.overwrite::<Velocity<ThreeD>>(row, Quantity::new(velocity));
            self.state.overwrite::<AngularVelocity>(row, Quantity::new(spin));
        }
        let tick = self.state.tick();
        self.state.set_clock(Quantity::new(time), tick);
    }

    /// Pose of the principal frame of a body, and its velocity; the world stands still.
    fn placed(&self, id: Option<ComponentId>) -> Option<(Pose, Twist)> {
        let Some(id) = id else { return Some((Pose::IDENTITY, Twist::ZERO)) };
        let row = id.row();
        let place = self.state.all::<Position<ThreeD>>().ok()?[row].si();
        let turn = self.state.all::<Orientation>().ok()?[row];
        let velocity = self.state.all::<Velocity<ThreeD>>().ok()?[row].si();
        let spin = self.state.all::<AngularVelocity>().ok()?[row].si();
        Some((Pose::new(turn, place), Twist::new(velocity, spin)))
    }

    /// Appends the rows of a condition.
    fn constrain(&mut self, time: f64, number: usize, out: &mut Vec<OutsideRow>) -> Result<(), String> {
        let constraint = &self.constraints[number];
        let (a, b) = constraint.bodies();
        let nowhere = || format!("`{}` looks at a body that is not there", constraint.name());
        let (pose_a, twist_a) = self.placed(Some(a)).ok_or_else(nowhere)?;
        let (pose_b, twist_b) = self.placed(b).ok_or_else(nowhere)?;
        let at = Configuration { a: pose_a, b: pose_b, time };
        self.rows.clear();
        self.drifts.clear();
        constraint.rows(&at, &mut self.rows);
        if self.rows.iter().any(|row| !row.value.is_finite()) {
            return Err(format!("`{}` has no value", constraint.name()));
        }
        constraint.drift(&at, twist_a, twist_b, &mut self.drifts);
        let motion = |twist: Twist| Motion { angular: twist.angular, linear: twist.linear };
        out.extend(self.rows.iter().zip(&self.drifts).map(|(row, &drift)| OutsideRow {
            number,
            value: row.value,
            slopes: [motion(row.a), motion(row.b)],
            rate: row.rate,
            drift,
        }));
        Ok(())
    }
}

impl Surroundings for Outside {
    fn prescribe(&mut self, time: f64, bodies: &mut [Prescribed]) {
        for (body, course) in bodies.iter_mut().zip(&self.courses) {
            *body = course.at(time);
        }
    }

    fn laws(&self) -> usize {
        self.laws.as_ref().map_or(0, |it| it.laws.len())
    }

    fn act(
        &mut self,
        time: f64,
        kinematics: &Kinematics,
        push: &mut dyn FnMut(usize, BodyId, Vec3, Vec3),
    ) -> Result<(), String> {
        let Some(world) = &mut self.laws else { return Ok(()) };
        world.look(time, kinematics);
        for (number, law) in world.laws.iter_mut().enumerate() {
            law.workflow.evaluate(&mut world.state, &mut law.scratch).map_err(|fault| fault.to_string())?;
            let force = law.workflow.transient::<Force<ThreeD>>(&law.scratch);
            let torque = law.workflow.transient::<Torque>(&law.scratch);
            for it in &world.bodies {
                let row = it.id.row();
                let force = force.map_or(Vec3::ZERO, |force| force[row].si());
                let torque = torque.map_or(Vec3::ZERO, |torque| torque[row].si());
                push(number, it.body, force, torque);
            }
        }
        Ok(())
    }

    fn slopes(&mut self, slopes: &mut Vec<VelocitySlope>) {
        let Some(world) = &mut self.laws else { return };
        let LawWorld { state, laws, bodies, told, .. } = world;
        let body_of = |id: ComponentId| bodies.iter().find(|it| it.id == id).map(|it| it.body);
        for law in laws {
            told.clear();
            // A law that cannot tell its slopes acts as at the start of the step.
            if !matches!(law.term.slopes(state, told), Ok(SlopeAnswer::Exact)) {
                continue;
            }
            slopes.extend(told.pairs().iter().filter_map(|pair| {
                let SlopeBlock { force_linear, force_angular, torque_linear, torque_angular } = pair.motion;
                let (on, of) = (body_of(pair.on)?, body_of(pair.of)?);
                let is_felt = pair.motion.is_finite() && pair.motion.max_abs() > 0.0;
                is_felt.then_some(VelocitySlope {
                    on,
                    of,
                    force_linear,
                    force_angular,
                    torque_linear,
                    torque_angular,
                })
            }));
        }
    }

    fn constrain(
        &mut self,
        time: f64,
        kinematics: &Kinematics,
        rows: &mut Vec<OutsideRow>,
    ) -> Result<(), String> {
        let Some(world) = &mut self.laws else { return Ok(()) };
        if !world.constraints.is_empty() {
            world.look(time, kinematics);
        }
        (0..world.constraints.len()).try_for_each(|number| world.constrain(time, number, rows))
    }
}

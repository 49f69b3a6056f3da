//! The answer: all inner quantities of each state, and the motions.

use super::given::{GivenMotion, GivenState, GivenStates, MotionKind};
use gedanken_math::Quat;
use gedanken_multibody::compile::Model;
use gedanken_multibody::constraints::rows::{RowKind, Rows};
use gedanken_multibody::contacts::Contact;
use gedanken_multibody::dynamics::Dynamics;
use gedanken_multibody::model::Stopping;
use gedanken_multibody::simulation::Simulation;
use gedanken_multibody::tree::jacobian;
use serde_json::{Value, json};

/// Time between two samples of a motion, in s.
const SAMPLE: f64 = 0.05;
/// Length of a motion, in s.
const DURATION: f64 = 1.0;
/// Coordinates, velocities and accelerations beyond this are a motion that has gone wrong.
const BEYOND: f64 = 1e10;
/// The search goes on until rounding ends it.
const TO_ROUNDING: Stopping = Stopping::Certificate(1e-15);
/// Maximum number of iterations.
const ITERATIONS: usize = 200;

/// Computes answers for a model.
pub struct Inspector {
    model: Model,
    dynamics: Dynamics,
}

impl Inspector {
    /// An inspector of a model, with its search run to rounding.
    #[must_use]
    pub fn new(mut model: Model) -> Self {
        let solver = &mut model.description.settings.solver;
        solver.stopping = TO_ROUNDING;
        solver.iterations = ITERATIONS;
        let dynamics = Dynamics::new(&model);
        Self { model, dynamics }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// All answers, as one object.
    ///
    /// # Errors
    /// A state without an acceleration, or a motion that does not stay finite.
    pub fn answer(&mut self, given: &GivenStates) -> Result<Value, String> {
        let mut states = Vec::with_capacity(given.states.len());
        for (number, state) in given.states.iter().enumerate() {
            let found = self.state(state).map_err(|why| format!("states[{number}]: {why}"))?;
            states.push(found);
        }
        let mut motions = serde_json::Map::new();
        for motion in &given.motions {
            motions.insert(motion.name.clone(), self.motion(motion, &given.states[motion.state]));
        }
        Ok(json!({ "id": given.id, "states": states, "motions": motions }))
    }

    /// Quantities of one state.
    fn state(&mut self, given: &GivenState) -> Result<Value, String> {
        let Self { model, dynamics } = self;
        let state = &given.state;
        dynamics.place(model, state);
        dynamics.find_contacts(model);
        dynamics.smooth(model, state).map_err(|error| error.to_string())?;
        let mut answer = json!({
            "M": dynamics.matrix.to_dense(&model.topology),
            "qfrc_bias": dynamics.bias,
            "qfrc_passive": dynamics.passive,
            "qfrc_actuator": dynamics.actuation,
            "qacc_smooth": dynamics.smooth,
            "xpos": places(dynamics),
            "xquat": turns(dynamics),
            "jac": given.points.iter().map(|&(body, offset)| {
                let point = dynamics.kinematics.point(body, offset);
                jacobian::dense(&dynamics.kinematics, &model.topology, body, point)
            }).collect::<Vec<_>>(),
        });
        if let Some(acceleration) = &given.acceleration {
            let mut forces = vec![0.0; model.freedoms()];
            dynamics.inverse(model, state, acceleration, &mut forces);
            answer["inverse"] = json!(forces);
        }
        answer["contacts"] = contacts(&dynamics.contacts);
        constrained(model, dynamics, given, &mut answer);
        if let Some(contacts) = &given.contacts {
            dynamics.contacts.clone_from(contacts);
            let mut with_given = json!({});
            constrained(model, dynamics, given, &mut with_given);
            answer["given"] = with_given;
        }
        Ok(answer)
    }

    /// A motion of one second.
    ///
    /// Where a number exceeds [`BEYOND`], the mechanism is put back to its initial state, as MuJoCo does, and
    /// the motion ends with that step.
    fn motion(&self, motion: &GivenMotion, given: &GivenState) -> Value {
        let mut model = self.model.clone();
        let disabled = &mut model.description.settings.disabled;
        disabled.constraints |= motion.kind == MotionKind::Smooth;
        disabled.contacts |= motion.kind == MotionKind::WithoutContacts;
        let h = model.description.settings.time_step;
        let steps = (DURATION / h).round_ties_even() as usize;
        let every = ((SAMPLE / h).round_ties_even() as usize).max(1);
        let mut run = Simulation::new(model);
        run.state_mut().clone_from(&given.state);
        run.state_mut().warm_start.fill(0.0);
        let mut times = vec![0.0];
        let mut places = vec![given.state.coordinates.clone()];
        for step in 1..=steps {
            let is_whole = step_or_reset(&mut run);
            if step % every == 0 {
                times.push(step as f64 * h);
                places.push(run.state().coordinates.clone());
            }
            if !is_whole {
                break;
            }
        }
        json!({ "time": times, "qpos": places })
    }
}

/// Makes a step, from the initial state if the present one has left the range of numbers; `false` if so.
fn step_or_reset(run: &mut Simulation) -> bool {
    let is_near = |numbers: &[f64]| numbers.iter().all(|number| number.abs() <= BEYOND);
    let state = run.state();
    let mut is_whole = is_near(&state.coordinates) && is_near(&state.velocities);
    if is_whole {
        is_whole = run.evaluate().is_ok() && is_near(run.dynamics().acceleration());
    }
    if !is_whole {
        let start = run.model().initial_state();
        run.state_mut().clone_from(&start);
    }
    run.step().is_ok() && is_whole
}

/// Rows, acceleration and forces with the contacts that stand in `dynamics`.
fn constrained(model: &Model, dynamics: &mut Dynamics, given: &GivenState, answer: &mut Value) {
    let mut state = given.state.clone();
    state.warm_start.clone_from(&dynamics.smooth);
    dynamics.constrain(model, &state);
    dynamics.solve(model, &state);
    answer["rows"] = rows(&dynamics.rows, model.freedoms());
    answer["qacc"] = json!(dynamics.acceleration());
    answer["efc_force"] = json!(dynamics.solver.forces);
    answer["certificate"] = json!(dynamics.solution.certificate);
    answer["duality_gap"] = json!(dynamics.solution.duality_gap);
    answer["iterations"] = json!(dynamics.solution.iterations);
}

fn places(dynamics: &Dynamics) -> Vec<[f64; 3]> {
    dynamics.kinematics.poses.iter().map(|pose| pose.translation.to_array()).collect()
}

fn turns(dynamics: &Dynamics) -> Vec<[f64; 4]> {
    let numbers = |q: Quat| [q.w, q.x, q.y, q.z];
    dynamics.kinematics.poses.iter().map(|pose| numbers(pose.rotation)).collect()
}

fn contacts(contacts: &[Contact]) -> Value {
    let column = |of: &dyn Fn(&Contact) -> Value| contacts.iter().map(of).collect::<Vec<_>>();
    json!({
        "geom": column(&|it| json!(it.geoms.map(|geom| geom.index()))),
        "pos": column(&|it| json!(it.position.to_array())),
        "frame": column(&|it| json!(it.frame.iter().flat_map(|axis| axis.to_array()).collect::<Vec<_>>())),
        "dist": column(&|it| json!(it.distance)),
        "dim": column(&|it| json!(it.dimension.components())),
        "friction": column(&|it| json!(it.friction)),
    })
}

fn rows(rows: &Rows, freedoms: usize) -> Value {
    let mut kinds = Vec::with_capacity(rows.len());
    let mut owners = Vec::with_capacity(rows.len());
    for block in &rows.blocks {
        let kind = match block.kind {
            RowKind::Equality => 0,
            RowKind::FrictionLoss | RowKind::Motor => 1,
            RowKind::Limit | RowKind::Inequality => 3,
            RowKind::Frictionless => 5,
            RowKind::PyramidEdge => 6,
            RowKind::Elliptic => 7,
        };
        kinds.extend(core::iter::repeat_n(kind, block.count));
        owners.extend(core::iter::repeat_n(block.owner, block.count));
    }
    json!({
        "type": kinds,
        "id": owners,
        "J": rows.to_dense(freedoms),
        "pos": rows.positions,
        "aref": rows.references,
        "D": rows.stiffness,
        "R": rows.regularisation,
    })
}

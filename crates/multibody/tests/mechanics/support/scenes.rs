//! Random scenes with contacts, limits, dry friction and equalities.

use super::build::{model, state, tree};
use super::dice::Dice;
use gedanken_math::Vec3;
use gedanken_multibody::compile::Model;
use gedanken_multibody::dynamics::Dynamics;
use gedanken_multibody::model::{
    Body, BodyId, Cone, ContactDimension, Description, Equality, EqualityKind, Geom, GeomShape, Joint,
    JointKind, Softness,
};
use gedanken_multibody::solve::{Problem, Solution, Solver};
use gedanken_multibody::state::State;

/// Cones that contacts can have.
pub(crate) const CONES: [Cone; 4] =
    [Cone::Pyramid { edges: 4 }, Cone::Pyramid { edges: 8 }, Cone::Pyramid { edges: 16 }, Cone::Elliptic];

/// A random scene: a forest and loose balls above and in a plane.
pub(crate) fn scene(seed: u64, cone: Cone) -> (Model, State) {
    let mut dice = Dice::new(seed);
    let mut description = tree(&mut dice);
    let mut floor = Geom::new("floor", BodyId::WORLD, GeomShape::Plane);
    floor.pose.translation = Vec3::new(0.0, 0.0, -0.4);
    description.geoms.push(floor);
    for index in 1..description.bodies.len() {
        let shape = match dice.below(3) {
            0 => GeomShape::Capsule { radius: dice.between(0.05, 0.15), half_length: dice.between(0.1, 0.3) },
            1 => GeomShape::Box { half_sides: dice.vector(0.1).abs() + Vec3::splat(0.1) },
            _ => GeomShape::Sphere { radius: dice.between(0.1, 0.3) },
        };
        push_geom(&mut description, &mut dice, BodyId::new(index), shape);
    }
    for _ in 0..3 {
        push_ball(&mut description, &mut dice);
    }
    constrain(&mut description, &mut dice);
    description.settings.cone = cone;
    description.settings.impedance_ratio = [1.0, 3.0][dice.below(2)];
    let model = model(description);
    let state = state(&model, &mut dice);
    (model, state)
}

fn push_geom(description: &mut Description, dice: &mut Dice, body: BodyId, shape: GeomShape) {
    let mut geom = Geom::new("", body, shape);
    geom.pose = dice.pose(0.1);
    geom.surface.friction = [dice.between(0.2, 1.2), dice.between(0.01, 0.1), dice.between(0.001, 0.05)];
    geom.surface.dimension = [1, 3, 4, 6].map(ContactDimension::from_condim)[dice.below(4)].expect("known");
    description.geoms.push(geom);
}

fn push_ball(description: &mut Description, dice: &mut Dice) {
    let body = BodyId::new(description.bodies.len());
    let mut ball = Body::new("ball", BodyId::WORLD);
    ball.mass = dice.between(0.2, 2.0);
    ball.inertia = Vec3::splat(0.4 * ball.mass * 0.04);
    description.bodies.push(ball);
    description.joints.push(Joint::new("ball", body, JointKind::Free));
    push_geom(description, dice, body, GeomShape::Sphere { radius: 0.2 });
}

/// Limits and dry friction at some joints, and a connect.
fn constrain(description: &mut Description, dice: &mut Dice) {
    for joint in &mut description.joints {
        if dice.chance(0.4) {
            joint.friction_loss = dice.between(0.01, 1.0);
        }
        if dice.chance(0.5) && joint.kind != JointKind::Free {
            joint.limits = Some(if joint.kind == JointKind::Ball { [0.0, 0.5] } else { [-0.3, 0.3] });
            joint.limit_margin = dice.between(0.0, 0.1);
        }
    }
    let count = description.bodies.len();
    let [first, second] = [0; 2].map(|_| (BodyId::new(1 + dice.below(count - 1)), dice.vector(0.2)));
    description.equalities.push(Equality {
        name: String::new(),
        kind: EqualityKind::Connect { first, second },
        softness: Softness::MUJOCO,
        is_active: true,
    });
}

/// Everything at the state up to the rows of constraints.
pub(crate) fn rows(model: &Model, state: &State) -> Dynamics {
    let mut dynamics = Dynamics::new(model);
    dynamics.place(model, state);
    dynamics.find_contacts(model);
    dynamics.smooth(model, state).expect("a positive mass matrix");
    dynamics.constrain(model, state);
    dynamics
}

/// The problem of a state, with the settings of the model.
pub(crate) fn problem<'a>(model: &'a Model, dynamics: &'a Dynamics) -> Problem<'a> {
    Problem {
        topology: &model.topology,
        matrix: &dynamics.matrix,
        factor: &dynamics.factor,
        rows: &dynamics.rows,
        smooth_forces: &dynamics.smooth_forces,
        smooth: &dynamics.smooth,
        inertia: model.initial.inertia,
        settings: model.description.settings.solver,
    }
}

/// Solves a problem by a new solver.
pub(crate) fn solve(problem: &Problem<'_>, start: Option<&[f64]>) -> (Solver, Solution) {
    let mut solver = Solver::default();
    let solution = solver.solve(problem, start);
    (solver, solution)
}

/// ‖x‖ in the norm of M.
pub(crate) fn norm(problem: &Problem<'_>, x: &[f64]) -> f64 {
    let matrix = problem.matrix.to_dense(problem.topology);
    super::slopes::dot(x, &super::slopes::times(&matrix, x)).max(0.0).sqrt()
}

/// ‖x − y‖ in the norm of M.
pub(crate) fn apart(problem: &Problem<'_>, one: &[f64], other: &[f64]) -> f64 {
    let difference: Vec<f64> = one.iter().zip(other).map(|(a, b)| a - b).collect();
    norm(problem, &difference)
}

//! A tree whose root is free, and its twin whose root is prescribed to move in the same way: bias forces,
//! accelerations and rows of both must agree, as M and J of the first tell.

use crate::support::build::{model, state, tree};
use crate::support::dice::Dice;
use crate::support::slopes::{distance, dot, largest};
use gedanken_math::rotation::to_world;
use gedanken_math::{Quat, Vec3};
use gedanken_multibody::compile::Model;
use gedanken_multibody::contacts::Contact;
use gedanken_multibody::dynamics::Dynamics;
use gedanken_multibody::model::{
    BodyId, Cone, ContactDimension, Description, Equality, EqualityKind, Geom, GeomId, GeomShape, Integrator,
    JointKind, Mount, Softness,
};
use gedanken_multibody::simulation::Simulation;
use gedanken_multibody::state::{Prescribed, State};

/// Freedoms of the root.
const ROOT: usize = 6;
const CONES: [Cone; 3] = [Cone::Pyramid { edges: 4 }, Cone::Pyramid { edges: 8 }, Cone::Elliptic];

struct Twins {
    free: Model,
    free_state: State,
    driven: Model,
    driven_state: State,
    /// Accelerations of the root's freedoms.
    rates: Vec<f64>,
}

/// Random equalities between random bodies, and a sphere on each body.
fn furnish(description: &mut Description, dice: &mut Dice) {
    let count = description.bodies.len();
    for number in 0..6 {
        let bodies = [dice.below(count), dice.below(count)].map(BodyId::new);
        let ends = bodies.map(|body| (body, dice.vector(0.3)));
        let [first, second] = bodies.map(|body| Mount { body, frame: dice.pose(0.3) });
        let kind = match number {
            0 => EqualityKind::Connect { first: ends[0], second: ends[1] },
            1 => EqualityKind::Weld { first, second, torque_scale: 0.7 },
            2 => EqualityKind::Hinge { first, second },
            3 => EqualityKind::Slide { first, second },
            4 => EqualityKind::Universal { first, second },
            _ => EqualityKind::Distance { first: ends[0], second: ends[1], length: 0.4 },
        };
        let softness = Softness::MUJOCO;
        description.equalities.push(Equality { name: String::new(), kind, softness, is_active: true });
    }
    for index in 0..count {
        description.geoms.push(Geom::new("", BodyId::new(index), GeomShape::Sphere { radius: 0.1 }));
    }
}

fn twins(dice: &mut Dice) -> Option<Twins> {
    let mut description = tree(dice);
    let root = &description.joints[0];
    if root.kind != JointKind::Free || root.body != BodyId::new(1) || description.joints.len() < 3 {
        return None;
    }
    furnish(&mut description, dice);
    description.settings.cone = CONES[dice.below(CONES.len())];
    let free = model(description.clone());
    let free_state = state(&free, dice);
    description.joints.remove(0);
    description.bodies[1].is_prescribed = true;
    let driven = model(description);
    let mut driven_state = driven.initial_state();
    driven_state.coordinates.copy_from_slice(&free_state.coordinates[7..]);
    driven_state.velocities.copy_from_slice(&free_state.velocities[ROOT..]);
    let q = &free_state.coordinates;
    let turn = Quat::from_xyzw(q[4], q[5], q[6], q[3]);
    let rates = dice.numbers(ROOT, 3.0);
    let v = &free_state.velocities;
    driven_state.prescribed[0] = Prescribed {
        pose: gedanken_math::Pose::new(turn, Vec3::from_slice(&q[..3])),
        velocity: Vec3::from_slice(&v[..3]),
        angular_velocity: to_world(turn, Vec3::from_slice(&v[3..6])),
        acceleration: Vec3::from_slice(&rates[..3]),
        // In the body's frame and in the world's, for ω × ω = 0.
        angular_acceleration: to_world(turn, Vec3::from_slice(&rates[3..])),
    };
    Some(Twins { free, free_state, driven, driven_state, rates })
}

/// Tries many twins.
fn each(mut try_one: impl FnMut(u64, &Twins, &mut Dice)) {
    let mut tried = 0;
    for seed in 0..120 {
        let mut dice = Dice::new(seed);
        if let Some(twins) = twins(&mut dice) {
            tried += 1;
            try_one(seed, &twins, &mut dice);
        }
    }
    assert!(tried > 15, "only {tried} twins");
}

fn evaluated(model: &Model, state: &State, contacts: &[Contact]) -> Dynamics {
    let mut dynamics = Dynamics::new(model);
    dynamics.place(model, state);
    dynamics.smooth(model, state).expect("a positive mass matrix");
    dynamics.contacts = contacts.to_vec();
    dynamics.constrain(model, state);
    dynamics
}

#[test]
fn bias_forces_carry_the_acceleration_of_the_root() {
    each(|seed, twins, dice| {
        let Twins { free, free_state, driven, driven_state, rates } = twins;
        let mut accelerations = rates.clone();
        accelerations.extend(dice.numbers(driven.freedoms(), 2.0));
        let mut needed = vec![0.0; free.freedoms()];
        evaluated(free, free_state, &[]).inverse(free, free_state, &accelerations, &mut needed);
        let mut found = vec![0.0; driven.freedoms()];
        let mut dynamics = evaluated(driven, driven_state, &[]);
        dynamics.inverse(driven, driven_state, &accelerations[ROOT..], &mut found);
        let off = distance(&found, &needed[ROOT..]) / largest(&needed).max(1.0);
        assert!(off < 1e-11, "seed {seed}: {off:e}");
    });
}

#[test]
fn both_ways_to_the_acceleration_agree() {
    each(|seed, twins, _| {
        let Twins { driven, driven_state, .. } = twins;
        let mut description = driven.description.clone();
        description.equalities.clear();
        description.geoms.clear();
        description.settings.integrator = Integrator::SemiImplicit;
        let model = model(description);
        let mut dynamics = Dynamics::new(&model);
        dynamics.evaluate(&model, driven_state).expect("an acceleration");
        let expected = dynamics.acceleration().to_vec();
        // A step without rows goes by the articulated-body algorithm.
        let mut run = Simulation::new(model);
        *run.state_mut() = driven_state.clone();
        run.step().expect("a step");
        let off = distance(&run.state().warm_start, &expected) / largest(&expected).max(1.0);
        assert!(off < 1e-9, "seed {seed}: {off:e}");
    });
}

/// A contact at a random place between two random bodies.
fn contact(twins: &Twins, dice: &mut Dice) -> Contact {
    let count = twins.free.description.geoms.len();
    let first = dice.below(count);
    let second = (first + 1 + dice.below(count - 1)) % count;
    let turn = dice.rotation();
    Contact {
        geoms: [first, second].map(GeomId::new),
        position: dice.vector(0.5),
        frame: Vec3::AXES.map(|axis| to_world(turn, axis)),
        distance: -1e-3,
        dimension: [ContactDimension::Sliding, ContactDimension::Rolling][dice.below(2)],
        friction: [0.8, 0.8, 0.3, 0.2, 0.2],
        softness: Softness::MUJOCO,
        friction_reference: None,
        include_margin: 0.0,
        in_gap: false,
    }
}

#[test]
fn rows_feel_the_velocity_and_the_acceleration_of_the_root() {
    let mut kinds = std::collections::BTreeSet::new();
    each(|seed, twins, dice| {
        let Twins { free, free_state, driven, driven_state, rates } = twins;
        let contacts: Vec<Contact> = (0..6).map(|_| contact(twins, dice)).collect();
        let free_rows = evaluated(free, free_state, &contacts).rows;
        let driven_rows = evaluated(driven, driven_state, &contacts).rows;
        let [jacobian, found] =
            [(&free_rows, free), (&driven_rows, driven)].map(|(rows, model)| rows.to_dense(model.freedoms()));
        for block in &driven_rows.blocks {
            kinds.insert(format!("{:?} {}", block.kind, block.count));
            let same = |it: &&gedanken_multibody::constraints::rows::Block| {
                it.kind == block.kind && it.owner == block.owner
            };
            let twin = free_rows.blocks.iter().find(same).expect("the free twin has all rows");
            for k in 0..block.count {
                let (row, other) = (block.first + k, twin.first + k);
                let off = distance(&found[row], &jacobian[other][ROOT..]);
                assert!(off < 1e-12, "seed {seed}, {:?}: J off by {off:e}", block.kind);
                let speed = free_rows.velocities[other];
                let off = (driven_rows.velocities[row] - speed).abs();
                assert!(off < 1e-12 * speed.abs().max(10.0), "seed {seed}, {:?}: {off:e}", block.kind);
                let moved = dot(&jacobian[other][..ROOT], rates);
                let expected = free_rows.references[other] - moved;
                let off = (driven_rows.references[row] - expected).abs();
                assert!(off < 1e-10 * expected.abs().max(10.0), "seed {seed}, {:?}: {off:e}", block.kind);
            }
        }
    });
    assert!(kinds.len() >= 6, "{kinds:?}");
}

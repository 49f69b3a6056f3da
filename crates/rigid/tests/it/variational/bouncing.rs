//! Bouncing: impacts are located and settled by the stage that all solvers share.

use super::{ORDERS, of_order};
use crate::support::{G, at, ball, cuboid, gravity, ground, id, run, simulation};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::variational::Order;
use gedanken_rigid::{Body, Material, World};

#[test]
fn a_ball_bounces_to_e_squared_and_comes_to_rest() {
    for order in ORDERS {
        let rubber = Material::new("rubber", 0.8, 0.4).unwrap();
        let thing = ball(0.1, 1.0, at(0.0, 0.0, 2.1)).with_material("rubber");
        let world = World::new([("ball", thing), ("ground", ground().with_material("rubber"))], [rubber]);
        let mut simulation = simulation(world.unwrap().with_laws(gravity()), of_order(order));
        let thing = id(&simulation, "ball");
        let (mut tops, mut before) = (Vec::new(), 0.0);
        for _ in 0..1600 {
            simulation.step(0.005).unwrap();
            let (height, v) = (simulation.pose(thing).translation.z - 0.1, simulation.twist(thing).linear.z);
            if before > 0.0 && v <= 0.0 && height > 1e-3 {
                tops.push(height + 0.5 * v * v / G);
            }
            before = v;
        }
        for (n, top) in tops.iter().take(4).enumerate() {
            let expected = 2.0 * libm::pow(0.64, n as f64 + 1.0);
            // Backward Euler falls short by its own order.
            let part = if order == Order::First { 0.15 } else { 2e-3 };
            assert!((top - expected).abs() < part * expected, "{order:?}, bounce {n}: {top} {expected}");
        }
        assert!(simulation.is_at_rest(thing), "{order:?}: {:?}", simulation.twist(thing));
    }
}

#[test]
fn a_die_that_bounces_gains_no_energy_and_comes_to_rest() {
    let plastic = Material::new("plastic", 0.5, 0.3).unwrap();
    let turn = from_rotation_vector(Vec3::new(0.5, 0.7, -0.3));
    let die = Body::dynamic(cuboid(0.1, 0.1, 0.1), Pose::new(turn, Vec3::Z * 0.6)).with_mass(0.2);
    let die = die.with_velocity(Vec3::X).with_angular_velocity(Vec3::new(3.0, -5.0, 2.0));
    let bodies = [("die", die.with_material("plastic")), ("ground", ground().with_material("plastic"))];
    let world = World::new(bodies, [plastic]).unwrap().with_laws(gravity());
    let mut simulation = simulation(world, of_order(Order::Second));
    let mut energy = simulation.energy();
    for step in 0..2000 {
        simulation.step(0.002).unwrap();
        assert!(simulation.energy() < energy + 2e-5, "step {step}: {} {energy}", simulation.energy());
        energy = simulation.energy();
        assert!(simulation.report().overlap < 1e-8, "step {step}: {:?}", simulation.report());
    }
    run(&mut simulation, 0.002, 10);
    assert!(simulation.is_at_rest(id(&simulation, "die")));
}

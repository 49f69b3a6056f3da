//! Free bodies: angular momentum, orders, the energy that backward Euler loses.

use super::{ORDERS, of_order};
use crate::support::{G, at, cuboid, gravity, id, run, simulation};
use gedanken_math::{Mat3, Vec3};
use gedanken_rigid::variational::Order;
use gedanken_rigid::{Body, Simulation, World};

fn tumbling(order: Order) -> Simulation {
    let inertia = Mat3::from_diagonal(Vec3::new(1.0, 2.0, 3.0));
    let body =
        Body::shapeless(1.0, inertia, at(0.0, 0.0, 0.0)).with_angular_velocity(Vec3::new(0.3, 1.0, 0.2));
    simulation(World::new([("body", body)], []).unwrap(), of_order(order))
}

fn angular_momentum(simulation: &Simulation) -> Vec3 {
    let body = id(simulation, "body");
    let (pose, twist) = (simulation.centre(body), simulation.twist(body));
    pose.vector_to_world(Vec3::new(1.0, 2.0, 3.0) * pose.vector_to_body(twist.angular))
}

/// However fast it flies: what Newton's method leaves of its equations must not add up.
#[test]
fn angular_momentum_of_an_asymmetric_body_stays() {
    for order in ORDERS {
        for speed in [0.0, 1.0, 1e3] {
            let mut simulation = tumbling(order);
            let body = id(&simulation, "body");
            let (pose, spin) = (simulation.pose(body), simulation.twist(body).angular);
            simulation.put(body, pose, Vec3::X * speed, spin).unwrap();
            let before = angular_momentum(&simulation);
            let mut worst = 0.0_f64;
            for _ in 0..20_000 {
                simulation.step(0.01).unwrap();
                worst = worst.max((angular_momentum(&simulation) - before).length() / before.length());
            }
            assert!(worst < 1e-12, "{order:?}, {speed} m/s: {worst:e}");
        }
    }
}

/// Without momentum and force there is only angular momentum by which the balance can be judged.
#[test]
fn a_body_that_only_turns_is_solved_at_once() {
    for order in ORDERS {
        let mut simulation = tumbling(order);
        for _ in 0..100 {
            simulation.step(0.01).unwrap();
            let report = simulation.report();
            assert!(report.converged && report.iterations <= 5, "{order:?}: {report:?}");
        }
    }
}

#[test]
fn free_rotation_has_its_order() {
    let end = |order: Order, h: f64| {
        let mut simulation = tumbling(order);
        run(&mut simulation, h, (2.0 / h).round() as usize);
        simulation.centre(id(&simulation, "body")).rotation
    };
    for order in ORDERS {
        let [a, b, c] = [0.02, 0.01, 0.005].map(|h| end(order, h));
        let slope = libm::log2((a - b).length() / (b - c).length());
        assert!((slope - f64::from(order.number())).abs() < 0.1, "{order:?}: {slope}");
    }
}

#[test]
fn backward_euler_loses_what_it_states_and_the_midpoint_nothing() {
    for order in ORDERS {
        let body = Body::dynamic(cuboid(0.1, 0.1, 0.1), at(0.0, 0.0, 10.0)).with_mass(2.0);
        let world = World::new([("body", body)], []).unwrap().with_laws(gravity());
        let mut simulation = simulation(world, of_order(order));
        let h = 0.01;
        run(&mut simulation, h, 50);
        let lost = -simulation.ledger().total.residual();
        let stated = if order == Order::First { 50.0 * 0.5 * 2.0 * G * G * h * h } else { 0.0 };
        assert!((lost - stated).abs() < 1e-10, "{order:?}: {lost} {stated}");
    }
}

//! Joints, limits and motors.

use super::{ORDERS, of_order};
use crate::support::{at, gravity, id, run, simulation};
use gedanken_math::{Mat3, Vec3};
use gedanken_rigid::joints::{Ends, Hinge, Limit, Motor, Point};
use gedanken_rigid::{Body, Settings, Simulation, World};

fn rod(place: Vec3) -> Body {
    let inertia = Mat3::from_diagonal(Vec3::new(0.01, 0.1, 0.09));
    Body::shapeless(1.0, inertia, at(place.x, place.y, place.z))
}

fn joined(world: World, a: &str, b: Option<&str>, place: Vec3) -> World {
    let (one, two) = (world.id(a).unwrap(), b.map(|b| world.id(b).unwrap()));
    let ends = Ends::at(&world, format!("{a} {}", b.unwrap_or("world")), one, two, place).unwrap();
    world.with_constraint(Point::new(ends).unwrap()).unwrap()
}

/// A double pendulum that starts level.
fn chain(settings: Settings) -> Simulation {
    let bodies = [("rod 0", rod(Vec3::X * 0.5)), ("rod 1", rod(Vec3::X * 1.5))];
    let world = World::new(bodies, []).unwrap().with_laws(gravity());
    let world = joined(world, "rod 0", None, Vec3::ZERO);
    simulation(joined(world, "rod 1", Some("rod 0"), Vec3::X), settings)
}

/// Checks that errors against a fine reference fall with the order.
fn falls_with_order(make: impl Fn(Settings) -> Simulation, body: &str, duration: f64, steps: [f64; 2]) {
    let end = |settings: Settings, h: f64| {
        let mut simulation = make(settings);
        run(&mut simulation, h, (duration / h).round() as usize);
        let report = simulation.report();
        assert!(report.joints < 1e-9 && report.converged, "{report:?}");
        simulation.pose(id(&simulation, body)).translation
    };
    let exact = end(Settings::default(), 1e-4);
    for order in ORDERS {
        let [coarse, fine] = steps.map(|h| (end(of_order(order), h) - exact).length());
        let slope = libm::log2(coarse / fine) / libm::log2(steps[0] / steps[1]);
        assert!((slope - f64::from(order.number())).abs() < 0.25, "{order:?}: {slope} {coarse:e} {fine:e}");
    }
}

#[test]
fn a_double_pendulum_moves_as_with_the_direct_solver() {
    falls_with_order(chain, "rod 1", 0.8, [4e-3, 2e-3]);
}

#[test]
fn a_limit_stops_a_hinge_and_a_motor_turns_it() {
    for order in ORDERS {
        let world = World::new([("rod", rod(Vec3::X * 0.5))], []).unwrap().with_laws(gravity());
        let rod = world.id("rod").unwrap();
        let hinge =
            Hinge::new(Ends::along(&world, "hinge", rod, None, Vec3::ZERO, Vec3::Y).unwrap()).unwrap();
        let angle = hinge.angle();
        let limit = Limit::new("limit", angle, -0.5, 0.7).unwrap();
        let held = world.clone().with_constraint(hinge.clone()).unwrap().with_constraint(limit).unwrap();
        let mut held = simulation(held, of_order(order));
        run(&mut held, 0.01, 300);
        let tilt = held.pose(rod).translation;
        assert!(held.twist(rod).angular.length() < 1e-10, "{order:?}: {:?}", held.twist(rod));
        let fallen = libm::atan(tilt.z / tilt.x).abs();
        assert!((fallen - 0.7).abs() < 1e-9 || (fallen - 0.5).abs() < 1e-9, "{order:?}: {fallen}");
        assert!(held.report().converged, "{:?}", held.report());
        let motor = Motor::new("motor", angle, 2.0, 50.0).unwrap();
        let turned = world.with_constraint(hinge).unwrap().with_constraint(motor).unwrap();
        let mut turned = simulation(turned, of_order(order));
        run(&mut turned, 0.01, 100);
        let speed = turned.twist(rod).angular.y.abs();
        assert!((speed - 2.0).abs() < 1e-9, "{order:?}: {speed}");
    }
}

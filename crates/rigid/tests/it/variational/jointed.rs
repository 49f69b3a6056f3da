//! Joints, limits, motors and laws: the same motion as the direct solver's, within the order.

use super::{ORDERS, of_order};
use crate::support::{at, gravity, id, run, simulation};
use gedanken_dynamics::laws::{Custom, LinearDrag, NewtonianGravity, Springs};
use gedanken_math::units::Quantity;
use gedanken_math::{Mat3, Vec3};
use gedanken_rigid::joints::{Ends, Hinge, Limit, Motor, Point};
use gedanken_rigid::variational::Order;
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

/// A linkage of three rods and the world: a loop, with rows that repeat each other.
fn four_bar(settings: Settings) -> Simulation {
    let bodies = [
        ("left", rod(Vec3::new(0.0, 0.0, 0.5))),
        ("top", rod(Vec3::new(0.5, 0.0, 1.0))),
        ("right", rod(Vec3::new(1.0, 0.0, 0.5)).with_velocity(Vec3::ZERO)),
    ];
    let mut world = World::new(bodies, []).unwrap().with_laws(gravity());
    let pins = [("left", None, Vec3::ZERO), ("right", None, Vec3::X)];
    let pins = pins
        .into_iter()
        .chain([("top", Some("left"), Vec3::Z), ("top", Some("right"), Vec3::new(1.0, 0.0, 1.0))]);
    for (a, b, place) in pins {
        let (one, two) = (world.id(a).unwrap(), b.map(|b| world.id(b).unwrap()));
        let name = format!("{a} {}", b.unwrap_or("world"));
        let ends = Ends::along(&world, name, one, two, place, Vec3::Y).unwrap();
        world = world.with_constraint(Hinge::new(ends).unwrap()).unwrap();
    }
    let mut simulation = simulation(world, settings);
    let top = id(&simulation, "top");
    simulation.apply_impulse(top, Vec3::X * 0.3, Vec3::new(0.5, 0.0, 1.0)).unwrap();
    simulation
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
fn a_four_bar_linkage_moves_as_with_the_direct_solver() {
    falls_with_order(four_bar, "top", 0.6, [4e-3, 2e-3]);
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

fn particle() -> Body {
    Body::shapeless(1.0, Mat3::IDENTITY * 0.1, at(1.0, 0.0, 0.0)).with_velocity(Vec3::new(0.0, 1.0, 0.3))
}

#[test]
fn a_magnetic_force_does_no_work_and_drag_has_its_order() {
    let magnetic = || {
        Custom::new("magnetic", |body| {
            let (v, r): (Vec3, Vec3) = (body.velocity.si(), body.position.si());
            Quantity::new(v.cross(Vec3::new(0.0, 0.3, 2.0 + r.x)))
        })
    };
    for order in ORDERS {
        let end = |h: f64| {
            let world = World::new([("particle", particle())], []).unwrap().with_laws(magnetic());
            let mut simulation = simulation(world, of_order(order));
            run(&mut simulation, h, (2.0 / h).round() as usize);
            simulation
        };
        let speed = |simulation: &Simulation| simulation.twist(id(simulation, "particle")).linear.length();
        if order == Order::Second {
            assert!((speed(&end(0.02)) - 1.09f64.sqrt()).abs() < 1e-11, "{}", speed(&end(0.02)));
        }
        let [a, b, c] = [0.02, 0.01, 0.005].map(|h| {
            let simulation = end(h);
            simulation.pose(id(&simulation, "particle")).translation
        });
        let slope = libm::log2((a - b).length() / (b - c).length());
        assert!((slope - f64::from(order.number())).abs() < 0.15, "{order:?}: {slope}");
        let drag = |h: f64| {
            let world = World::new([("particle", particle())], []).unwrap();
            let world = world.with_laws(LinearDrag::new(Quantity::new(0.8)));
            let mut simulation = simulation(world, of_order(order));
            run(&mut simulation, h, (2.0 / h).round() as usize);
            (speed(&simulation) - 1.09f64.sqrt() * libm::exp(-1.6)).abs()
        };
        let slope = libm::log2(drag(0.02) / drag(0.01));
        assert!((slope - f64::from(order.number())).abs() < 0.1, "{order:?}: {slope}");
    }
}

#[test]
fn stiff_springs_and_orbits_are_followed() {
    for order in ORDERS {
        let bodies = [
            ("a", Body::shapeless(1.0, Mat3::IDENTITY, at(0.0, 0.0, 0.0))),
            ("b", Body::shapeless(2.0, Mat3::IDENTITY, at(1.001, 0.0, 0.0))),
        ];
        let world = World::new(bodies, []).unwrap();
        let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
        let springs = Springs::new().link(a, b, Quantity::new(1e8), Quantity::new(1.0));
        // ω h = 122: an explicit method would have to take a thousand times shorter steps.
        let mut simulation = simulation(world.with_laws(springs), of_order(order));
        run(&mut simulation, 0.01, 100);
        let length = (simulation.pose(a).translation - simulation.pose(b).translation).length();
        assert!((length - 1.0).abs() < 1.1e-3, "{order:?}: {length}");
        assert!(simulation.report().converged, "{:?}", simulation.report());
    }
    let sun = Body::shapeless(1.0, Mat3::IDENTITY, at(0.0, 0.0, 0.0));
    let planet = Body::shapeless(1e-9, Mat3::IDENTITY * 1e-9, at(1.0, 0.0, 0.0)).with_velocity(Vec3::Y);
    let world = World::new([("sun", sun), ("planet", planet)], []).unwrap();
    let world = world.with_laws(NewtonianGravity::new(Quantity::new(1.0)));
    let mut simulation = simulation(world, of_order(Order::Second));
    run(&mut simulation, 0.01, 1257);
    let planet = simulation.pose(id(&simulation, "planet")).translation;
    assert!((planet.length() - 1.0).abs() < 1e-4, "{planet}");
}

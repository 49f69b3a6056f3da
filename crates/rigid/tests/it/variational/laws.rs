//! Laws of position and velocity: drag, magnetic forces, springs, orbits.

use super::{ORDERS, of_order};
use crate::support::{at, id, run, simulation};
use gedanken_dynamics::ThreeD;
use gedanken_dynamics::laws::{Custom, Laws, LinearDrag, NewtonianGravity, Springs};
use gedanken_math::units::Quantity;
use gedanken_math::{Mat3, Vec3};
use gedanken_rigid::variational::Order;
use gedanken_rigid::{Body, Entry, Simulation, World};

/// Speed of the particle at the start.
fn start_speed() -> f64 {
    1.09_f64.sqrt()
}

fn particle(order: Order, laws: impl Into<Laws<ThreeD>>) -> Simulation {
    let body = Body::shapeless(1.0, Mat3::IDENTITY * 0.1, at(1.0, 0.0, 0.0));
    let body = body.with_velocity(Vec3::new(0.0, 1.0, 0.3));
    simulation(World::new([("particle", body)], []).unwrap().with_laws(laws), of_order(order))
}

fn magnetic() -> Custom<ThreeD> {
    Custom::new("magnetic", |body| {
        let (v, r): (Vec3, Vec3) = (body.velocity.si(), body.position.si());
        Quantity::new(v.cross(Vec3::new(0.0, 0.3, 2.0 + r.x)))
    })
}

fn speed(simulation: &Simulation) -> f64 {
    simulation.twist(id(simulation, "particle")).linear.length()
}

/// The ledger's work of the law is rounding in every step. With order 2 the energy stays, too; what backward
/// Euler loses, ½ m |Δv|², is numerical error and not work.
#[test]
fn a_magnetic_force_does_no_work() {
    for order in ORDERS {
        let h = 0.02;
        let mut simulation = particle(order, magnetic());
        for step in 0..1000 {
            let before = 0.5 * speed(&simulation) * speed(&simulation);
            let velocity = simulation.twist(id(&simulation, "particle")).linear;
            simulation.step(h).unwrap();
            let page = &simulation.ledger().step;
            let Entry { energy: work, momentum } = page.laws[0].entry;
            // Places are rounded, and with them the velocity that follows from two of them.
            let place = simulation.pose(id(&simulation, "particle")).translation;
            let rounding = 8.0 * f64::EPSILON * (before + momentum.length() / h * place.length());
            assert!(work.abs() <= rounding, "{order:?}, step {step}: {work:e} J of {before} J");
            // What Newton's method may leave of an equation, as a part of the momentum.
            let bound = 1e-13 * before;
            let change = simulation.twist(id(&simulation, "particle")).linear - velocity;
            let lost = if order == Order::First { 0.5 * change.length_squared() } else { 0.0 };
            assert!((page.kinetic_change + lost).abs() <= bound, "{order:?}, step {step}: {page:?}");
            assert!((page.residual() + lost).abs() <= bound, "{order:?}, step {step}: {page:?}");
        }
    }
}

#[test]
fn a_magnetic_force_has_the_order_of_the_step() {
    for order in ORDERS {
        let end = |h: f64| {
            let mut simulation = particle(order, magnetic());
            run(&mut simulation, h, (2.0 / h).round() as usize);
            simulation.pose(id(&simulation, "particle")).translation
        };
        let [a, b, c] = [0.01, 0.005, 0.0025].map(end);
        let slope = libm::log2((a - b).length() / (b - c).length());
        assert!((slope - f64::from(order.number())).abs() < 0.1, "{order:?}: {slope}");
    }
}

/// v = v₀ exp(-c t/m), x = x₀ + v₀ m/c (1 - exp(-c t/m)).
#[test]
fn drag_has_the_order_of_the_step() {
    for order in ORDERS {
        let errors = |h: f64| {
            let mut simulation = particle(order, LinearDrag::new(Quantity::new(0.8)));
            run(&mut simulation, h, (2.0 / h).round() as usize);
            let place = simulation.pose(id(&simulation, "particle")).translation;
            let way = Vec3::new(0.0, 1.0, 0.3) * ((1.0 - libm::exp(-1.6)) / 0.8);
            let slow = speed(&simulation) - start_speed() * libm::exp(-1.6);
            [slow.abs(), (place - Vec3::X - way).length()]
        };
        for (coarse, fine) in errors(0.02).into_iter().zip(errors(0.01)) {
            let slope = libm::log2(coarse / fine);
            assert!((slope - f64::from(order.number())).abs() < 0.1, "{order:?}: {slope}");
        }
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

//! Limits and ropes that are reached in the middle of a step, against closed forms of when and how fast.

use crate::support::*;
use gedanken_math::Vec3;
use gedanken_rigid::joints::{Ends, Hinge, Limit, Rope, Slider};
use gedanken_rigid::{Account, Body, Settings, Simulation, World};

/// What joints have taken, J.
fn taken(run: &Simulation) -> f64 {
    -run.ledger().total.exchange.of(Account::Joint).energy
}

/// A rod that falls from the horizontal about its end, to a stop at one radian.
fn rod() -> Simulation {
    let rod = Body::dynamic(cuboid(1.0, 0.04, 0.04), at(0.5, 0.0, 0.0)).with_mass(2.0);
    let world = World::new([("rod", rod)], []).unwrap().with_laws(gravity());
    let id = world.id("rod").unwrap();
    let hinge = Hinge::new(Ends::along(&world, "hinge", id, None, Vec3::ZERO, Vec3::Y).unwrap()).unwrap();
    let limit = Limit::new("stop", hinge.angle(), -1.0, 1.0).unwrap();
    let world = world.with_constraint(hinge).unwrap().with_constraint(limit).unwrap();
    simulation(world, Settings::default())
}

/// It is stopped with the speed of the instant, wherever in the step that is: what is left is the error of
/// the method, of second order. (At the end of the drift it was of first order, 2.6 % of the energy at 60
/// steps a second.)
#[test]
fn a_rod_meets_its_stop_in_the_middle_of_a_step() {
    // m g L/2 sin 1.
    let energy = 2.0 * G * 0.5 * libm::sin(1.0);
    let error = |steps: f64| {
        let mut run = rod();
        crate::support::run(&mut run, 1.0 / steps, (0.4 * steps) as usize);
        assert!(run.twist(id(&run, "rod")).angular.length() < 1e-12, "it is stopped");
        (taken(&run) - energy) / energy
    };
    for steps in [60.0, 120.0, 240.0, 500.0, 530.0] {
        let off = error(steps);
        // The energy of a leapfrog is off by a part of (ω h)², ω being the 3.8 rad/s of the swing.
        let most = 0.15 * (3.8 / steps) * (3.8 / steps);
        assert!(off.abs() < most, "{steps} steps a second: {off:e}");
    }
    let ratio = error(60.0) / error(120.0);
    assert!((ratio - 4.0).abs() < 0.5, "{ratio}");
}

/// Two blocks on vertical rails, the second on a rail of the first: the first falls by ½ g t₁² to its stop,
/// the second goes on to ½ g t₂², both in one long step. Parabolas are exact, so what the stops take is, too:
/// m g s.
#[test]
fn two_stops_in_one_step_are_met_one_after_the_other() {
    let (first, second) = (0.5 * G * 0.32 * 0.32, 0.5 * G * 0.37 * 0.37);
    let block = |x: f64, mass: f64| Body::dynamic(cuboid(0.1, 0.1, 0.1), at(x, 0.0, 0.0)).with_mass(mass);
    let world = World::new([("one", block(0.0, 2.0)), ("two", block(1.0, 3.0))], []).unwrap();
    let world = world.with_laws(gravity());
    let [one, two] = ["one", "two"].map(|name| world.id(name).unwrap());
    let rail = |name: &str, a, b| {
        let ends = Ends::along(&world, name, a, b, Vec3::ZERO, Vec3::Z).unwrap();
        Slider::new(ends).unwrap()
    };
    let (outer, inner) = (rail("outer", one, None), rail("inner", two, Some(one)));
    let stops = [
        Limit::new("stop of one", outer.travel(), -first, f64::INFINITY).unwrap(),
        Limit::new("stop of two", inner.travel(), first - second, f64::INFINITY).unwrap(),
    ];
    let [a, b] = stops;
    let world = world.with_constraint(outer).unwrap().with_constraint(inner).unwrap();
    let world = world.with_constraint(a).unwrap().with_constraint(b).unwrap();
    let mut run = simulation(world, Settings::default());
    crate::support::run(&mut run, 0.1, 4);
    for (name, fallen) in [("one", first), ("two", second)] {
        let body = id(&run, name);
        assert!((run.centre(body).translation.z + fallen).abs() < 1e-9, "{name}");
        assert!(run.twist(body).linear.length() < 1e-9, "{name}: {}", run.twist(body).linear);
    }
    let energy = 2.0 * G * first + 3.0 * G * second;
    assert!((taken(&run) - energy).abs() < 1e-8 * energy, "{} {energy}", taken(&run));
    assert!(run.ledger().total.residual().abs() < 1e-8 * energy);
    assert!(run.ledger().total.momentum_residual().length() < 1e-9);
}

/// A ball is thrown from where its rope is tied, along x. The rope is taut when v² t² + ¼ g² t⁴ = L², and
/// takes the velocity along itself. The ball swings on with the rest.
#[test]
fn a_rope_goes_taut_in_the_middle_of_a_step() {
    let v = 2.0_f64;
    let t = ((libm::sqrt(v * v * v * v + G * G) - v * v) / (0.5 * G * G)).sqrt();
    let along = v * v * t + 0.5 * G * G * t * t * t;
    let rest = 0.5 * v * v - 0.5 * along * along;
    for (steps, small) in [(60.0, 1e-4), (120.0, 1e-5), (500.0, 1e-6), (530.0, 1e-6)] {
        let h = 1.0 / steps;
        let bob = ball(0.05, 1.0, at(0.0, 0.0, 0.0)).with_velocity(Vec3::X * v);
        let world = World::new([("bob", bob)], []).unwrap().with_laws(gravity());
        let bob = world.id("bob").unwrap();
        let ends = Ends::spanning(&world, "rope", bob, None, [Vec3::ZERO; 2]).unwrap();
        let world = world.with_constraint(Rope::new(ends, 1.0).unwrap()).unwrap();
        let mut run = simulation(world, Settings::default());
        crate::support::run(&mut run, h, (t / h) as usize + 1);
        assert!((run.pose(bob).translation.length() - 1.0).abs() < 1e-9, "it is taut");
        assert!((taken(&run) - 0.5 * along * along).abs() < 1e-8, "{steps}: {}", taken(&run));
        assert!((run.energy() - rest).abs() < small, "{steps}: {:e}", run.energy() - rest);
    }
}

/// What is kept to go a step again changes no bit: a fresh run goes on from a snapshot before the arrival as
/// the first one does.
#[test]
fn arrivals_are_the_same_from_any_snapshot() {
    let h = 1.0 / 60.0;
    let mut first = rod();
    crate::support::run(&mut first, h, 20);
    let mut other = rod();
    other.restore(&first.snapshot()).unwrap();
    for _ in 0..10 {
        first.step(h).unwrap();
        other.step(h).unwrap();
        assert_eq!(first.state().hash(), other.state().hash());
    }
    assert!(taken(&first) > 8.0, "it has arrived: {}", taken(&first));
}

//! Forces and torques that depend on velocities, on rigid bodies: free, coupled, on joints and in contact.

use crate::support::{at, ball, gravity, ground, id, run, simulation};
use gedanken_dynamics::integrate::{Control, INTEGRATORS, Integrator};
use gedanken_dynamics::laws::{
    Anchor, AnchoredSprings, Custom, Dampers, Law, Laws, SlopeAnswer, SlopeBlock, Slopes, Target,
};
use gedanken_dynamics::{
    AngularVelocity, BuildError, ComponentId, Model, Rule, State, StateError, ThreeD, read,
};
use gedanken_math::matrix::multiple_of_unit;
use gedanken_math::units::Quantity;
use gedanken_math::{Mat3, Pose, Vec3};
use gedanken_rigid::joints::{Ends, Hinge};
use gedanken_rigid::{Account, Body, Settings, Simulation, StiffnessKind, World};

/// The torque -c ω on every body, which may keep its slopes to itself.
#[derive(Debug)]
struct Viscous {
    c: f64,
    tells: bool,
}

impl Law<ThreeD> for Viscous {
    fn name(&self) -> &str {
        "viscous"
    }
    fn rule(&self, _model: &Model, target: &Target) -> Result<Rule, BuildError> {
        let c = self.c;
        let view = (read::<AngularVelocity>(), target.torque());
        Ok(Rule::new("viscous", view, move |_, (omega, torque)| {
            torque
                .iter_mut()
                .zip(omega)
                .for_each(|(torque, omega)| *torque += Quantity::new(omega.si() * -c));
        }))
    }
    fn slopes(&self, state: &State, out: &mut Slopes) -> Result<SlopeAnswer, StateError> {
        if !self.tells {
            return Ok(SlopeAnswer::Unknown);
        }
        for row in 0..state.model().components().len() {
            let id = ComponentId::from_row(row);
            out.add(id, id, SlopeBlock::ZERO, SlopeBlock::of_torque(multiple_of_unit(-self.c)));
        }
        Ok(SlopeAnswer::Exact)
    }
    fn turns(&self) -> bool {
        true
    }
}

fn with(integrator: &'static Integrator) -> Settings {
    Settings { integrator, ..Settings::default() }
}

/// The methods that move rigid bodies in steps of one length.
fn methods() -> impl Iterator<Item = &'static Integrator> {
    INTEGRATORS.into_iter().filter(|it| it.splits() && it.control == Control::Fixed)
}

/// Fits the order of an error over four numbers of steps.
fn fitted(order: u32, error: impl Fn(usize) -> f64) -> f64 {
    let base: [usize; 4] = match order {
        1 => [2000, 3000, 4500, 6700],
        2 => [400, 600, 900, 1350],
        4 => [100, 140, 200, 280],
        6 => [40, 50, 62, 78],
        _ => [20, 24, 29, 35],
    };
    let points = base.map(|n| (-libm::log(n as f64), libm::log(error(n))));
    let mean = |f: fn(&(f64, f64)) -> f64| points.iter().map(f).sum::<f64>() / 4.0;
    let (x, y) = (mean(|p| p.0), mean(|p| p.1));
    let slope = |f: fn(&(f64, f64), f64, f64) -> f64| points.iter().map(|p| f(p, x, y)).sum::<f64>();
    slope(|p, x, y| (p.0 - x) * (p.1 - y)) / slope(|p, x, _| (p.0 - x) * (p.0 - x))
}

#[allow(clippy::print_stdout, reason = "the measured orders, for whoever runs the test alone")]
fn has_order(order: u32, name: &str, what: &str, error: impl Fn(usize) -> f64) {
    let measured = fitted(order, error);
    println!("{what:<10} {name:<18} order {order}: measured {measured:.3}");
    let allowed = if order >= 8 { 0.4 } else { 0.15 };
    assert!(measured > f64::from(order) - allowed, "{what}, {name}: measured {measured:.3}");
}

/// A charge in a field with a gradient, B = B₀(1 + y/L) z: it drifts across the gradient. No method that moves
/// rigid bodies gives it energy, however long the step; and its drift is that of adiabatic theory.
#[test]
fn a_charge_drifts_across_a_gradient_and_keeps_its_energy() {
    let (field, length, speed) = (20.0, 10.0, 1.0);
    for integrator in methods() {
        let lorentz = Custom::<ThreeD>::new("lorentz", move |it| {
            let (r, v): (Vec3, Vec3) = (it.position.si(), it.velocity.si());
            Quantity::new(v.cross(Vec3::Z) * (field * (1.0 + r.y / length)))
        });
        let charge = ball(0.01, 1.0, at(0.0, 0.0, 0.0)).with_velocity(Vec3::new(speed, 0.0, 0.1));
        let world = World::new([("charge", charge.without_contacts())], []).unwrap().with_laws(lorentz);
        let mut simulation = simulation(world, with(integrator));
        let start = simulation.kinetic_energy();
        let (h, seconds) = (2.5e-3, 20.0);
        run(&mut simulation, h, (seconds / h) as usize);
        let gained = simulation.kinetic_energy() - start;
        assert!(gained.abs() < 1e-12, "{}: {gained:e} J", integrator.name);
        let page = &simulation.ledger().total;
        assert!(page.laws[0].entry.energy.abs() < 1e-12, "{}: {page:?}", integrator.name);
        // v²/(2 ω L): half the gyration speed times the Larmor radius over the length of the gradient.
        let drift = speed * speed / (2.0 * field * length);
        let place = simulation.pose(id(&simulation, "charge")).translation.x.abs();
        let turns = 2.0 * speed / field;
        assert!((place - drift * seconds).abs() < turns, "{}: {place} m", integrator.name);
    }
}

/// ω falls as exp(-ct/I) on a ball, whether or not the law tells its slopes.
#[test]
fn viscous_spin_has_the_order_of_the_method() {
    for tells in [true, false] {
        for integrator in methods() {
            has_order(integrator.order.max(2), integrator.name, "spin", |steps| {
                let spinning = Body::shapeless(1.0, Mat3::IDENTITY * 2.0, Pose::IDENTITY);
                let spinning = spinning.with_angular_velocity(Vec3::new(1.0, -2.0, 3.0));
                let world = World::new([("ball", spinning)], []).unwrap();
                let world = world.with_laws(Laws::of(Viscous { c: 6.0, tells }));
                let mut simulation = simulation(world, with(integrator));
                run(&mut simulation, 2.0 / steps as f64, steps);
                let omega = simulation.twist(id(&simulation, "ball")).angular;
                (omega - Vec3::new(1.0, -2.0, 3.0) * libm::exp(-6.0)).length()
            });
        }
    }
}

/// Two bodies with a spring and a damper between them: the distance is a damped oscillation of the reduced mass.
#[test]
fn a_damper_between_bodies_has_the_order_of_the_method() {
    let (masses, k, c) = ([1.0, 3.0], 12.0, 0.9);
    let reduced = masses[0] * masses[1] / (masses[0] + masses[1]);
    let (decay, omega0) = (0.5 * c / reduced, libm::sqrt(k / reduced));
    let omega = libm::sqrt(omega0 * omega0 - decay * decay);
    for integrator in methods() {
        has_order(integrator.order, integrator.name, "damper", |steps| {
            let body = |x: f64, m: f64| Body::shapeless(m, Mat3::IDENTITY, at(x, 0.0, 0.0));
            let bodies = [("a", body(0.0, masses[0])), ("b", body(2.5, masses[1]))];
            let world = World::new(bodies, []).unwrap();
            let anchor = |name: &str| Anchor { body: world.id(name).unwrap(), arm: Vec3::ZERO };
            let (a, b) = (anchor("a"), anchor("b"));
            let spring = AnchoredSprings::new().link(a, b, Quantity::new(k), Quantity::new(2.0));
            let damper = Dampers::new().link(a, b, Quantity::new(c));
            let world = world.with_laws(Laws::of(spring) + Laws::of(damper));
            let mut simulation = simulation(world, with(integrator));
            let time = 1.7;
            run(&mut simulation, time / steps as f64, steps);
            let x = |name| simulation.centre(id(&simulation, name)).translation.x;
            let stretch = x("b") - x("a") - 2.0;
            let exact = 0.5
                * libm::exp(-decay * time)
                * (libm::cos(omega * time) + decay / omega * libm::sin(omega * time));
            (stretch - exact).abs()
        });
    }
}

/// θ̈ = -(m g d/I) sin θ - (c d²/I) θ̇ for a bob with drag on a hinge, by many steps of the classical method.
fn damped_pendulum(c: f64, time: f64) -> f64 {
    let rate = |theta: f64, omega: f64| (omega, -9.81 * libm::sin(theta) - c * omega);
    let (n, mut theta, mut omega) = (20_000, 1.2_f64, 0.0_f64);
    let h = time / f64::from(n);
    for _ in 0..n {
        let k1 = rate(theta, omega);
        let k2 = rate(theta + 0.5 * h * k1.0, omega + 0.5 * h * k1.1);
        let k3 = rate(theta + 0.5 * h * k2.0, omega + 0.5 * h * k2.1);
        let k4 = rate(theta + h * k3.0, omega + h * k3.1);
        theta += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        omega += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    theta
}

fn pendulum(integrator: &'static Integrator, c: f64) -> Simulation {
    let start = Vec3::new(libm::sin(1.2), 0.0, -libm::cos(1.2));
    // A point as near as can be: the moment about the hinge is that of the mass at its distance.
    let bob = Body::shapeless(1.0, Mat3::IDENTITY * 1e-9, Pose::at(start));
    let world = World::new([("bob", bob)], []).unwrap();
    let ends = Ends::along(&world, "hinge", world.id("bob").unwrap(), None, Vec3::ZERO, Vec3::Y).unwrap();
    let drag = Custom::<ThreeD>::new("drag", move |it| Quantity::new(it.velocity.si() * -c));
    let world = world.with_constraint(Hinge::new(ends).unwrap()).unwrap();
    simulation(world.with_laws(Laws::from(gravity()) + drag), with(integrator))
}

#[test]
fn a_pendulum_with_drag_has_the_order_that_joints_have() {
    let (c, time) = (0.8, 1.5);
    let exact = damped_pendulum(c, time);
    for integrator in methods() {
        let order = integrator.order_on_joints.unwrap();
        has_order(order, integrator.name, "pendulum", |steps| {
            let mut simulation = pendulum(integrator, c);
            run(&mut simulation, time / steps as f64, steps);
            let place = simulation.centre(id(&simulation, "bob")).translation;
            (libm::atan2(place.x, -place.z) - exact).abs()
        });
    }
}

/// In a swing with drag the joint does no work, and the ledger closes.
#[test]
fn the_ledger_of_a_pendulum_with_drag_closes() {
    let mut simulation = pendulum(Integrator::by_name("leapfrog").unwrap(), 0.8);
    let start = simulation.energy();
    run(&mut simulation, 1e-3, 3000);
    let page = &simulation.ledger().total;
    let (drag, joint) = (page.laws[1].entry.energy, page.exchange.of(Account::Joint).energy);
    let lost = simulation.energy() - start;
    assert!(joint.abs() < 1e-10, "{joint:e}");
    assert!((lost - drag - page.residual() - joint).abs() < 1e-12, "{page:?}");
    assert!(page.residual().abs() < 1e-5 && drag < -1.0, "{page:?}");
}

/// A charge that slides on a table: the field does no work, and the table none either.
#[test]
fn a_magnetic_force_does_no_work_in_contact() {
    let lorentz = Custom::<ThreeD>::new("lorentz", |it| Quantity::new(it.velocity.si().cross(Vec3::Z) * 2.0));
    let puck = Body::dynamic(crate::support::cuboid(0.2, 0.2, 0.1), at(0.0, 0.0, 0.05)).with_mass(1.0);
    let world = World::new([("ground", ground()), ("puck", puck.with_velocity(Vec3::X * 2.0))], []).unwrap();
    let mut simulation = simulation(world.with_laws(Laws::from(gravity()) + lorentz), Settings::default());
    run(&mut simulation, 1.0 / 240.0, 48);
    let entry = simulation.ledger().total.laws[1].entry;
    assert!(entry.momentum.length() > 0.1 && entry.energy.abs() < 1e-12, "{entry:?}");
}

/// A spring and a drag that are too fast for a step are named, with the longest step.
#[test]
fn stiff_laws_are_recognised_by_their_slopes() {
    let body = |x: f64| Body::shapeless(2.0, Mat3::IDENTITY, at(x, 0.0, 0.0));
    let world = World::new([("calm", body(0.0)), ("stiff", body(5.0)), ("wall", body(6.0))], []).unwrap();
    let anchor = |name: &str| Anchor { body: world.id(name).unwrap(), arm: Vec3::ZERO };
    let fixed = |at: Vec3| Anchor { body: ComponentId::WORLD, arm: at };
    let soft = AnchoredSprings::new().named("soft");
    let soft = soft.link(anchor("calm"), fixed(Vec3::Y), Quantity::new(8.0), Quantity::new(0.0));
    let hard = AnchoredSprings::new().named("hard");
    let hard = hard.link(anchor("stiff"), fixed(Vec3::X * 4.0), Quantity::new(5000.0), Quantity::new(0.5));
    let drag = Dampers::new().named("grease");
    let drag = drag.link(anchor("wall"), fixed(Vec3::X * 9.0), Quantity::new(600.0));
    let world = world.with_laws(Laws::of(soft) + Laws::of(hard) + Laws::of(drag));
    let simulation = simulation(world, Settings::default());
    let found = simulation.stiffness();
    let name =
        |it: &gedanken_rigid::Stiffness| simulation.world().model().components().name(it.body).to_owned();
    let [spring, damper] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(
        (spring.kind, &*spring.law, name(spring).as_str()),
        (StiffnessKind::Oscillation, "hard", "stiff")
    );
    assert!((spring.rate / 50.0 - 1.0).abs() < 0.02 && (spring.step / 0.04 - 1.0).abs() < 0.02, "{spring:?}");
    assert_eq!(
        (damper.kind, &*damper.law, name(damper).as_str()),
        (StiffnessKind::Relaxation, "grease", "wall")
    );
    assert!((damper.rate / 300.0 - 1.0).abs() < 0.02, "{damper:?}");
}

//! The ledger of a rigid simulation closes, and forces and impulses from outside are in them.

use crate::support::*;
use gedanken_dynamics::laws::{Custom, LinearDrag, Springs};
use gedanken_dynamics::{Fault, Integrator, ThreeD};
use gedanken_math::units::Quantity;
use gedanken_math::{Mat3, Vec3};
use gedanken_rigid::{Account, Body, LedgerPage, RigidError, Settings, Simulation, World};
use insta::assert_snapshot;

fn brick(place: Vec3) -> Body {
    let inertia = Mat3::from_diagonal(Vec3::new(1.0, 2.0, 2.5));
    Body::shapeless(2.0, inertia, at(place.x, place.y, place.z))
}

fn refusal<T: std::fmt::Debug>(result: Result<T, RigidError>) -> RigidError {
    result.expect_err("it must be refused")
}

/// The parabola is exact under leapfrog, so nothing is left over but rounding: of every step, and of all.
#[test]
fn a_fall_leaves_nothing_over() {
    let moving = brick(Vec3::new(0.0, 0.0, 10.0)).with_velocity(Vec3::new(1.0, -2.0, 3.0));
    let world = World::new([("brick", moving)], []).unwrap().with_laws(gravity());
    let mut run = simulation(world, Settings::default());
    for _ in 0..1000 {
        run.step(0.01).unwrap();
        let page = &run.ledger().step;
        assert!(page.residual().abs() < 1e-10, "{}", page.residual());
        assert!(page.momentum_residual().length() < 1e-11, "{}", page.momentum_residual());
        let law = &page.laws[0];
        assert!((law.entry.energy + law.potential_change.unwrap()).abs() < 1e-10, "{law:?}");
    }
    let total = &run.ledger().total;
    assert!(total.residual().abs() < 1e-9, "{}", total.residual());
    // Gravity gave m g t downwards.
    let given = total.laws[0].entry.momentum;
    assert!((given - Vec3::new(0.0, 0.0, -2.0 * G * 10.0)).length() < 1e-9, "{given}");
}

/// Leapfrog's energy error in a spring is of second order, and all of it stands in the residual.
#[test]
fn springs_leave_an_error_of_second_order() {
    let worst = |h: f64| {
        let world = World::new([("a", brick(Vec3::ZERO)), ("b", brick(Vec3::X * 1.5))], []).unwrap();
        let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
        let springs = Springs::new().link(a, b, Quantity::new(20.0), Quantity::new(1.0));
        let mut run = simulation(world.with_laws(springs), Settings::default());
        let (start, mut worst) = (run.energy(), 0.0_f64);
        for _ in 0..(2.0 / h) as usize {
            run.step(h).unwrap();
            let total = &run.ledger().total;
            assert!((total.residual() - (run.energy() - start)).abs() < 1e-12);
            assert!(total.momentum_residual().length() < 1e-12);
            worst = worst.max(total.residual().abs());
        }
        worst
    };
    let ratio = worst(0.01) / worst(0.005);
    assert!((3.8..4.2).contains(&ratio), "halving the step divides the residual by {ratio}");
}

/// Drag has no potential: its work is what is missing, and nothing is left over.
#[test]
fn a_law_without_a_potential_owns_its_work() {
    let moving = brick(Vec3::ZERO).with_velocity(Vec3::X * 3.0);
    let world = World::new([("brick", moving)], []).unwrap().with_laws(LinearDrag::new(Quantity::new(0.5)));
    let mut run = simulation(world, Settings::default());
    let start = run.energy();
    crate::support::run(&mut run, 0.01, 200);
    let total = &run.ledger().total;
    assert!(total.laws[0].potential_change.is_none());
    assert!((total.laws[0].entry.energy - (run.energy() - start)).abs() < 1e-12);
    assert!(total.residual().abs() < 1e-12);
}

/// The pages of all steps add up to the totals, also where bodies touch.
#[test]
fn pages_add_up() {
    every_solver().into_iter().for_each(adds_up);
}

fn adds_up(settings: Settings) {
    let falling = ball(0.2, 1.0, at(0.0, 0.0, 0.5)).with_velocity(Vec3::new(2.0, 0.0, 0.0));
    let world = World::new([("ball", falling), ("ground", ground())], []).unwrap().with_laws(gravity());
    let mut run = simulation(world, settings);
    let (mut kinetic, mut friction, mut normal) = (0.0, 0.0, Vec3::ZERO);
    for _ in 0..200 {
        run.step(0.005).unwrap();
        let LedgerPage { exchange, kinetic_change, .. } = &run.ledger().step;
        kinetic += kinetic_change;
        friction += exchange.of(Account::Friction).energy;
        normal += exchange.of(Account::Normal).momentum;
        assert!(run.ledger().step.momentum_residual().length() < 1e-13);
    }
    let total = &run.ledger().total;
    assert!((total.kinetic_change - kinetic).abs() < 1e-12);
    assert!((total.exchange.of(Account::Friction).energy - friction).abs() < 1e-12 && friction < -0.1);
    assert!((total.exchange.of(Account::Normal).momentum - normal).length() < 1e-12);
    // The ground gave back all that gravity took: m g t.
    assert!((normal.z - G).abs() < 1e-9, "{normal}");
}

/// A tumbling heap: what the free rotation of each step does to the energy is all that is left over.
#[test]
fn the_books_of_a_heap_close() {
    every_solver().into_iter().for_each(closes);
}

fn closes(settings: Settings) {
    let mut bodies = vec![("ground".to_owned(), ground())];
    for k in 0..12 {
        let place = at(0.3 * f64::from(k % 3), 0.25 * f64::from(k % 4), 0.5 + 0.6 * f64::from(k));
        let spin = Vec3::new(1.0, -0.5, 0.3) * f64::from(k % 5);
        let body = Body::dynamic(cuboid(0.5, 0.4, 0.3), place).with_mass(1.0).with_angular_velocity(spin);
        bodies.push((format!("{k}"), body));
    }
    let mut run = simulation(World::new(bodies, []).unwrap().with_laws(gravity()), settings);
    let start = run.energy();
    crate::support::run(&mut run, 1.0 / 480.0, 960);
    let total = &run.ledger().total;
    assert!(total.residual().abs() < 1e-3 * (start - run.energy()), "{} J", total.residual());
    assert!(total.momentum_residual().length() < 1e-10, "{}", total.momentum_residual());
    assert!(
        total.exchange.of(Account::Friction).energy < -1.0
            && total.exchange.of(Account::Normal).energy < -1.0
    );
}

#[test]
fn energies_of_bodies_add_up() {
    let world = World::new(
        [
            ("a", brick(Vec3::ZERO).with_velocity(Vec3::X).with_angular_velocity(Vec3::new(1.0, 2.0, 3.0))),
            ("b", brick(Vec3::Y).with_angular_velocity(Vec3::Z)),
        ],
        [],
    );
    let run = simulation(world.unwrap().with_laws(gravity()), Settings::default());
    let (a, b) = (id(&run, "a"), id(&run, "b"));
    assert_eq!(run.linear_energy_of(a), 1.0);
    assert_eq!(run.rotational_energy_of(a), 0.5 * (1.0 + 2.0 * 4.0 + 2.5 * 9.0));
    assert_eq!(run.rotational_energy_of(b), 1.25);
    assert_eq!(run.rotational_energy(), run.rotational_energy_of(a) + run.rotational_energy_of(b));
    assert_eq!(run.linear_energy(), 1.0);
    assert_eq!(run.kinetic_energy(), run.linear_energy() + run.rotational_energy());
    assert_eq!(run.potentials().collect::<Vec<_>>(), [("gravity", Some(0.0))]);
    assert_eq!(run.momentum(), Vec3::X * 2.0);
    // r × m v of b is zero, and spins add.
    assert_eq!(run.angular_momentum(), Vec3::new(1.0, 4.0, 7.5) + Vec3::Z * 2.5);
}

mod external_forces {
    use super::*;

    fn alone(body: Body, settings: Settings) -> (Simulation, gedanken_dynamics::ComponentId) {
        let run = simulation(World::new([("brick", body)], []).unwrap(), settings);
        let brick = id(&run, "brick");
        (run, brick)
    }

    /// x = ½ (F/m) t² of a force that is given in every step, by every integrator; one that is not, ends with
    /// the step.
    #[test]
    fn a_force_lasts_for_one_step() {
        for name in ["leapfrog", "symplectic-euler", "leapfrog-kdk", "velocity-verlet", "yoshida6"] {
            let integrator = Integrator::by_name(name).unwrap();
            let (mut run, brick) = alone(brick(Vec3::ZERO), Settings { integrator, ..Settings::default() });
            for _ in 0..100 {
                let centre = run.centre(brick).translation;
                run.apply_force(brick, Vec3::X * 4.0, centre).unwrap();
                run.step(0.01).unwrap();
            }
            assert!((run.twist(brick).linear.x - 2.0).abs() < 1e-12, "{name}: {:?}", run.twist(brick));
            let x = run.centre(brick).translation.x;
            let error = if integrator.order == 1 { 0.011 } else { 1e-12 };
            assert!((x - 1.0).abs() < error, "{name}: {x}");
            let user = run.ledger().total.exchange.of(Account::User);
            assert!((user.energy - 4.0).abs() < 1e-12 && (user.momentum - Vec3::X * 4.0).length() < 1e-12);
            assert!(run.ledger().total.residual().abs() < 1e-12, "{name}");
            crate::support::run(&mut run, 0.01, 10);
            assert!((run.twist(brick).linear.x - 2.0).abs() < 1e-12, "{name} goes on pushing");
            assert_eq!(run.ledger().step.exchange.of(Account::User).energy, 0.0);
        }
    }

    /// A force acts on touching bodies too: 30 N on 3 kg with friction 0.5.
    #[test]
    fn a_force_pushes_what_lies_on_the_ground() {
        every_solver().into_iter().for_each(pushes_a_box);
    }

    fn pushes_a_box(settings: Settings) {
        let lying = Body::dynamic(cuboid(1.0, 1.0, 0.2), at(0.0, 0.0, 0.1)).with_mass(3.0);
        let world = World::new([("box", lying), ("ground", ground())], []).unwrap().with_laws(gravity());
        let mut run = simulation(world, settings);
        let lying = id(&run, "box");
        for _ in 0..100 {
            let under = run.centre(lying).translation - Vec3::Z * 0.1;
            run.apply_force(lying, Vec3::X * 30.0, under).unwrap();
            run.step(0.01).unwrap();
        }
        let expected = 10.0 - 0.5 * G;
        assert!((run.twist(lying).linear.x - expected).abs() < 1e-6, "{:?}", run.twist(lying));
        assert!(run.ledger().total.residual().abs() < 1e-9);
        assert!(run.ledger().total.momentum_residual().length() < 1e-9);
    }

    /// Taking an overlap apart costs energy against gravity, which has a potential, and none against a hand
    /// or a drag.
    #[test]
    fn only_potentials_are_paid_for_shifts() {
        for settings in every_solver() {
            let sunk = Body::dynamic(cuboid(1.0, 1.0, 1.0), at(0.0, 0.0, 0.3)).with_mass(2.0);
            let world = World::new([("box", sunk), ("ground", ground())], []).unwrap().with_laws(gravity());
            let mut run = simulation(world.with_laws(LinearDrag::new(Quantity::new(0.5))), settings);
            let sunk = id(&run, "box");
            run.apply_impulse(sunk, Vec3::X, Vec3::new(0.0, 0.0, 0.3)).unwrap();
            for _ in 0..100 {
                let centre = run.centre(sunk).translation;
                run.apply_force(sunk, Vec3::Z * -50.0, centre).unwrap();
                run.step(0.01).unwrap();
            }
            let lifted = run.pose(sunk).translation.z - 0.3;
            let paid = run.ledger().total.exchange.of(Account::Stabilisation).energy;
            // Of that the motion may have paid what it had: p²/2m.
            let owed = 2.0 * G * lifted - paid;
            assert!(lifted > 0.18 && owed > -1e-5 && owed < 0.25, "{paid} J for {lifted} m");
            assert!(run.ledger().total.residual().abs() < 1e-9, "{}", run.ledger().total.residual());
        }
    }

    /// Off its centre a force turns as well, and so does a torque: α = τ/I.
    #[test]
    fn a_force_off_centre_turns() {
        let (mut run, brick) = alone(brick(Vec3::ZERO), Settings::default());
        run.apply_force(brick, Vec3::X * 2.0, Vec3::Y * 0.5).unwrap();
        run.apply_torque(brick, Vec3::Z * 6.0).unwrap();
        run.step(0.01).unwrap();
        let twist = run.twist(brick);
        assert!((twist.linear.x - 0.01).abs() < 1e-15, "{twist:?}");
        assert!((twist.angular.z - (6.0 - 1.0) / 2.5 * 0.01).abs() < 1e-15, "{twist:?}");
        assert!(run.ledger().step.residual().abs() < 1e-15);
    }

    /// v = j/m, ω = I⁻¹ r × j, at once; and the page of the next step has it.
    #[test]
    fn an_impulse_acts_at_once() {
        let moving = brick(Vec3::ZERO).with_velocity(Vec3::Y);
        let (mut run, brick) = alone(moving, Settings::default());
        let start = run.kinetic_energy();
        run.apply_impulse(brick, Vec3::Y * 3.0, Vec3::X * 0.5).unwrap();
        assert_eq!(run.twist(brick).linear, Vec3::Y * 2.5);
        assert!((run.twist(brick).angular - Vec3::Z * 0.6).length() < 1e-15);
        let gained = run.kinetic_energy() - start;
        run.step(0.01).unwrap();
        let user = run.ledger().step.exchange.of(Account::User);
        assert!((user.energy - gained).abs() < 1e-14 && user.momentum == Vec3::Y * 3.0, "{user:?}");
        assert!(run.ledger().step.residual().abs() < 1e-14);
        run.step(0.01).unwrap();
        assert_eq!(run.ledger().step.exchange.of(Account::User).energy, 0.0);
    }

    /// A force that waits for the next step is part of the state.
    #[test]
    fn a_snapshot_has_what_waits() {
        let (mut run, brick) = alone(brick(Vec3::ZERO), Settings::default());
        let idle = run.snapshot().hash();
        run.apply_force(brick, Vec3::X, Vec3::ZERO).unwrap();
        let waiting = run.snapshot();
        assert_ne!(waiting.hash(), idle);
        run.step(0.01).unwrap();
        let later = run.snapshot().hash();
        run.restore(&waiting).unwrap();
        run.step(0.01).unwrap();
        assert_eq!(run.snapshot().hash(), later);
        run.apply_impulse(brick, Vec3::X, Vec3::ZERO).unwrap();
        let hit = run.snapshot();
        run.step(0.01).unwrap();
        let later = run.ledger().total.clone();
        run.restore(&hit).unwrap();
        run.step(0.01).unwrap();
        assert_eq!(run.ledger().total, later);
    }

    #[test]
    fn what_cannot_be_pushed_is_refused() {
        let world = World::new(
            [
                ("brick", brick(Vec3::ZERO)),
                ("ground", ground()),
                ("lift", Body::kinematic(sphere(0.1), at(0.0, 0.0, 5.0))),
            ],
            [],
        );
        let mut run = simulation(world.unwrap(), jacobi());
        let [brick, ground, lift] = ["brick", "ground", "lift"].map(|name| id(&run, name));
        let before = run.snapshot().hash();
        assert_snapshot!(refusal(run.apply_force(ground, Vec3::X, Vec3::ZERO)), @"'ground' is not moved by forces: make it dynamic, or push another body");
        assert_snapshot!(refusal(run.apply_torque(lift, Vec3::X)), @"'lift' is not moved by forces: make it dynamic, or push another body");
        assert_snapshot!(refusal(run.apply_impulse(gedanken_dynamics::ComponentId::WORLD, Vec3::X, Vec3::ZERO)), @"'world' is not moved by forces: make it dynamic, or push another body");
        assert_snapshot!(refusal(run.apply_force(brick, Vec3::NAN, Vec3::ZERO)), @"the force of 'brick' cannot be [NaN, NaN, NaN]: it must be made of finite numbers, and so must the motion that it makes");
        assert_snapshot!(refusal(run.apply_impulse(brick, Vec3::X, Vec3::INFINITY)), @"the point of an impulse of 'brick' cannot be [inf, inf, inf]: it must be made of finite numbers, and so must the motion that it makes");
        assert_snapshot!(refusal(run.apply_impulse(brick, Vec3::X * f64::MAX, Vec3::Y * f64::MAX)), @"the impulse of 'brick' cannot be [1.7976931348623157e308, 0, 0]: it must be made of finite numbers, and so must the motion that it makes");
        assert_snapshot!(refusal(run.set_velocity(brick, Vec3::X, Vec3::ZERO)), @"'brick' has no velocity that could be set: make it kinematic, or push it");
        assert_snapshot!(refusal(run.set_velocity(lift, Vec3::X, Vec3::NAN)), @"the angular velocity of 'lift' cannot be [NaN, NaN, NaN]: it must be made of finite numbers, and so must the motion that it makes");
        assert_eq!(run.snapshot().hash(), before);
    }

    /// A kinematic body goes as it is told, and carries what lies on it.
    #[test]
    fn a_lift_goes_up_and_takes_a_ball_along() {
        every_solver().into_iter().for_each(lifts_a_ball);
    }

    fn lifts_a_ball(settings: Settings) {
        let lift = Body::kinematic(cuboid(2.0, 2.0, 0.2), at(0.0, 0.0, -0.1));
        let world = World::new([("ball", ball(0.1, 1.0, at(0.0, 0.0, 0.1))), ("lift", lift)], []).unwrap();
        let mut run = simulation(world.with_laws(gravity()), settings);
        let (ball, lift) = (id(&run, "ball"), id(&run, "lift"));
        let slop = run.settings().slop;
        run.set_velocity(lift, Vec3::Z * 0.5, Vec3::ZERO).unwrap();
        crate::support::run(&mut run, 0.005, 200);
        assert!((run.pose(lift).translation.z - 0.4).abs() < 1e-12);
        assert!((run.pose(ball).translation.z - 0.6).abs() < slop, "{:?}", run.pose(ball));
        // The lift did the work m g Δz + ½ m v², some of it perhaps by a shift when it started all of a
        // sudden.
        let of = |account| run.ledger().total.exchange.of(account).energy;
        let work = of(Account::Normal) + of(Account::Stabilisation);
        assert!((work - (G * 0.5 + 0.125)).abs() < G * slop, "{work}");
        assert!(of(Account::Normal) > 5.0 && run.ledger().total.residual().abs() < 1e-9);
    }
}

/// A potential that is no number where a body comes to: a fault with the law's name, and the step has not
/// happened.
#[test]
fn a_potential_that_is_no_number_is_a_fault() {
    let law = Custom::<ThreeD>::new("well", |_| Quantity::new(Vec3::ZERO))
        .with_energy(|body| Quantity::new(libm::log(1.0 - body.position.si().x)));
    let moving = brick(Vec3::ZERO).with_velocity(Vec3::X);
    let mut run =
        simulation(World::new([("brick", moving)], []).unwrap().with_laws(law.clone()), Settings::default());
    crate::support::run(&mut run, 0.3, 3);
    let (before, books) = (run.snapshot().hash(), run.ledger().clone());
    let fault = run.step(0.3).expect_err("the logarithm has ended");
    assert_snapshot!(fault, @"rule 'well' failed at t = 1.2 s: its potential energy is NaN J where the bodies are now; give it one that is finite there");
    assert!(matches!(fault, Fault::Failed { .. }));
    assert_eq!((run.snapshot().hash(), run.ledger()), (before, &books));
    run.step(0.05).unwrap();
    let outside = World::new([("brick", brick(Vec3::X * 2.0))], []).unwrap().with_laws(law);
    assert_snapshot!(refusal(Simulation::new(outside, Settings::default())), @"rule 'well' failed at t = 0 s: its potential energy is NaN J where the bodies are now; give it one that is finite there");
}

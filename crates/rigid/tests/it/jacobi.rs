//! The contact solver `jacobi` against closed forms, and where plain Jacobi would diverge.

use crate::support::*;
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::contacts::SOLVERS;
use gedanken_rigid::joints::{Ends, Hinge, Motor, Point};
use gedanken_rigid::{Account, Body, Material, Settings, Simulation, World};

const H: f64 = 1.0 / 240.0;

fn rough(mu: f64) -> Material {
    Material::new("rough", 0.0, mu).unwrap()
}

/// A world of these bodies, made of one material of friction `mu`, under gravity.
fn world(mu: f64, bodies: Vec<(&str, Body)>) -> World {
    let bodies = bodies.into_iter().map(|(name, body)| (name, body.with_material("rough")));
    World::new(bodies, [rough(mu)]).unwrap().with_laws(gravity())
}

#[test]
fn it_is_in_the_registry_with_the_settings_of_its_source() {
    assert!(SOLVERS.iter().any(|solver| solver.name() == "jacobi" && !solver.summary().is_empty()));
    let Settings { iterations, correction, slop, .. } = jacobi();
    assert_eq!((iterations, correction, slop), (8, 0.2, 0.01));
}

/// A ball that falls stops at the ground, is not shot back, and keeps its books: what it had is lost to the
/// contact.
#[test]
fn a_ball_that_falls_lies_on_the_ground() {
    for h in [1.0 / 60.0, H, 1e-3] {
        let ball = ball(0.1, 2.0, at(0.0, 0.0, 1.1));
        let mut run = simulation(world(0.5, vec![("ground", ground()), ("ball", ball)]), jacobi());
        let ball = id(&run, "ball");
        let mut lowest = f64::MAX;
        for _ in 0..(1.0 / h) as usize {
            run.step(h).unwrap();
            lowest = lowest.min(run.pose(ball).translation.z);
        }
        assert!(lowest > 0.1 - 1e-9, "h = {h}: it sank to {lowest}");
        assert!((run.pose(ball).translation.z - 0.1).abs() < 1e-9, "{}", run.pose(ball).translation.z);
        assert!(run.is_at_rest(ball), "{:?}", run.twist(ball));
        let total = &run.ledger().total;
        assert!((total.exchange.of(Account::Normal).energy + 2.0 * G).abs() < 1e-9, "{total:?}");
        assert!(total.residual().abs() < 1e-9, "{}", total.residual());
    }
}

/// x = v₀ t - ½ μ g t², until it stops after v₀²/(2 μ g).
#[test]
fn a_box_slides_and_stops_where_coulomb_says() {
    let (mu, v0) = (0.3, 2.0);
    let slider = Body::dynamic(cuboid(1.0, 1.0, 0.2), at(0.0, 0.0, 0.1)).with_mass(3.0);
    let slider = slider.with_velocity(Vec3::new(v0, 0.0, 0.0));
    let mut run = simulation(world(mu, vec![("ground", ground()), ("box", slider)]), jacobi());
    let slider = id(&run, "box");
    for _ in 0..120 {
        run.step(H).unwrap();
        let t = run.time();
        let x = v0 * t - 0.5 * mu * G * t * t;
        assert!((run.pose(slider).translation.x - x).abs() < 1e-6, "t = {t}: {:?}", run.pose(slider));
    }
    crate::support::run(&mut run, H, 120);
    let way = v0 * v0 / (2.0 * mu * G);
    assert!((run.pose(slider).translation.x - way).abs() < v0 * H, "{:?}", run.pose(slider));
    let friction = run.ledger().total.exchange.of(Account::Friction).energy;
    assert!((friction + 0.5 * 3.0 * v0 * v0).abs() < 1e-6, "friction took {friction}");
    assert!(run.ledger().total.residual().abs() < 1e-9);
}

/// On a slope of angle α a box stays if tan α < μ, else it slides with g (sin α - μ cos α).
#[test]
fn a_box_on_a_slope_stays_or_slides() {
    for (mu, alpha, slides) in [(0.5, 0.4_f64, false), (0.3, 0.4, true)] {
        let turn = from_rotation_vector(Vec3::new(0.0, alpha, 0.0));
        let slope = Body::fixed(cuboid(100.0, 10.0, 2.0), Pose::new(turn, turn * Vec3::new(0.0, 0.0, -1.0)));
        let body = Body::dynamic(cuboid(1.0, 1.0, 0.2), Pose::new(turn, turn * Vec3::new(0.0, 0.0, 0.1)));
        let mut run = simulation(world(mu, vec![("slope", slope), ("box", body.with_mass(1.0))]), jacobi());
        let body = id(&run, "box");
        let start = run.pose(body).translation;
        crate::support::run(&mut run, H, 240);
        let way = (run.pose(body).translation - start).length();
        let a = if slides { G * (libm::sin(alpha) - mu * libm::cos(alpha)) } else { 0.0 };
        assert!((way - 0.5 * a).abs() < 1e-4, "μ = {mu}: {way}, expected {}", 0.5 * a);
    }
}

/// Sliding friction has no moment about the line of contact: a ball that slides rolls in the end at 5/7 of
/// its speed.
#[test]
fn a_ball_that_slides_rolls_at_five_sevenths() {
    let moving = ball(0.2, 5.0, at(0.0, 0.0, 0.2)).with_velocity(Vec3::new(7.0, 0.0, 0.0));
    let mut run = simulation(world(0.2, vec![("ground", ground()), ("ball", moving)]), jacobi());
    let moving = id(&run, "ball");
    crate::support::run(&mut run, H, 480);
    let twist = run.twist(moving);
    assert!((twist.linear.x - 5.0).abs() < 1e-9, "{twist:?}");
    assert!((twist.angular.y - 25.0).abs() < 1e-8, "{twist:?}");
    assert!(run.report().converged, "{:?}", run.report());
}

/// Twenty balls carry one light plank: plain Jacobi would throw it back nineteen times as fast.
#[test]
fn many_contacts_of_one_body_do_not_diverge() {
    let mut bodies = vec![("ground".to_owned(), ground())];
    for k in 0..20 {
        bodies.push((format!("ball {k}"), ball(0.1, 1.0, at(0.25 * f64::from(k), 0.0, 0.1))));
    }
    let plank = Body::dynamic(cuboid(6.0, 0.5, 0.1), at(2.375, 0.0, 0.26)).with_mass(0.5);
    bodies.push(("plank".to_owned(), plank));
    let world = World::new(bodies, []).unwrap().with_laws(gravity());
    let mut run = simulation(world, jacobi());
    let start = run.energy();
    for _ in 0..480 {
        run.step(H).unwrap();
        assert!(
            run.energy() <= start + 1e-9,
            "t = {}: {} J came from nowhere",
            run.time(),
            run.energy() - start
        );
    }
    let plank = run.pose(id(&run, "plank")).translation;
    assert!((plank.z - 0.25).abs() < 2e-3, "{plank}");
}

/// More passes, less error, at the rate of the theory: for a column of six balls J M⁻¹ Jᵀ is the second
/// difference with a free end, whose smallest eigenvalue is 2 - 2 cos(π/13), and split masses double its
/// diagonal of 2. The report is about what is left.
#[test]
fn residuals_shrink_with_passes() {
    let residual = |iterations| {
        let mut bodies = vec![("ground".to_owned(), ground())];
        for k in 0..6 {
            bodies.push((format!("{k}"), ball(0.5, 1.0, at(0.0, 0.0, 0.5 + f64::from(k)))));
        }
        let world = World::new(bodies, []).unwrap().with_laws(gravity());
        let mut run = simulation(world, Settings { iterations, ..jacobi() });
        run.step(H).unwrap();
        assert_eq!((run.report().points, run.report().iterations), (6, iterations));
        assert!(run.report().cone <= 1e-12, "{:?}", run.report());
        (run.report().signorini, run.report().converged)
    };
    let rate = 1.0 - (2.0 - 2.0 * libm::cos(std::f64::consts::PI / 13.0)) / 4.0;
    let (some, more) = (residual(100).0, residual(200).0);
    let expected = libm::pow(rate, 100.0);
    assert!(
        (0.7 * expected..1.1 * expected).contains(&(more / some)),
        "{} instead of {expected}",
        more / some
    );
    assert!(!residual(8).1 && residual(1000).1);
}

/// Two boxes start far inside of each other: they part at no speed, and what energy that gives is booked.
#[test]
fn a_deep_overlap_is_taken_apart_without_speed() {
    let lower = Body::dynamic(cuboid(1.0, 1.0, 1.0), at(0.0, 0.0, 0.5)).with_mass(1.0);
    let upper = Body::dynamic(cuboid(1.0, 1.0, 1.0), at(0.0, 0.0, 0.9)).with_mass(1.0);
    let mut run = simulation(world(0.5, vec![("a", lower), ("b", upper), ("ground", ground())]), jacobi());
    let (start, b) = (run.energy(), id(&run, "b"));
    let mut fastest = 0.0_f64;
    for _ in 0..480 {
        run.step(H).unwrap();
        fastest = fastest.max(run.twist(b).linear.length());
    }
    assert!((run.pose(b).translation.z - 1.5).abs() < 0.03, "{:?}", run.pose(b));
    assert!(fastest < 0.1, "it flew off with {fastest} m/s");
    let given = run.ledger().total.exchange.of(Account::Stabilisation).energy;
    assert!(given > 4.0 && run.energy() - start <= given + 1e-6, "{given}, {}", run.energy() - start);
    assert!(run.ledger().total.residual().abs() < 1e-6, "{}", run.ledger().total.residual());
}

fn stacked(count: u32) -> Simulation {
    let mut bodies = vec![("ground".to_owned(), ground())];
    for k in 0..count {
        let body = Body::dynamic(cuboid(1.0, 1.0, 1.0), at(0.0, 0.0, 0.5 + f64::from(k))).with_mass(1.0);
        bodies.push((format!("{k}"), body));
    }
    simulation(World::new(bodies, []).unwrap().with_laws(gravity()), jacobi())
}

#[test]
fn a_small_stack_stands() {
    let mut run = stacked(5);
    crate::support::run(&mut run, H, 1200);
    let top = run.pose(id(&run, "4")).translation;
    assert!((top - Vec3::new(0.0, 0.0, 4.5)).length() < 0.05, "{top}");
    assert!(run.kinetic_energy() < 1e-6, "{}", run.kinetic_energy());
    assert!(run.ledger().total.residual().abs() < 1e-6, "{}", run.ledger().total.residual());
}

/// A chain of three bars falls flat on the ground: its joints hold all the time, and its books close.
#[test]
fn joints_hold_while_bodies_touch() {
    let bar = |k: f64| Body::dynamic(cuboid(1.0, 0.1, 0.1), at(k, 0.0, 0.4 + 0.05)).with_mass(1.0);
    let mut chain = world(0.5, vec![("a", bar(0.0)), ("b", bar(1.0)), ("c", bar(2.0)), ("ground", ground())]);
    let [a, b, c] = ["a", "b", "c"].map(|name| chain.id(name).unwrap());
    for (name, one, two, x) in [("ab", a, b, 0.5), ("bc", b, c, 1.5)] {
        let ends = Ends::at(&chain, name, one, two, Vec3::new(x, 0.0, 0.45)).unwrap();
        chain = chain.with_constraint(Point::new(ends).unwrap()).unwrap();
    }
    let mut run = simulation(chain, jacobi());
    run.apply_impulse(a, Vec3::Y * 0.5, Vec3::new(-0.5, 0.0, 0.45)).unwrap();
    let start = run.energy();
    for _ in 0..480 {
        run.step(H).unwrap();
        let open = run.pose(a) * at(0.5, 0.0, 0.0);
        let gap = (open.translation - (run.pose(b) * at(-0.5, 0.0, 0.0)).translation).length();
        assert!(gap < 1e-8, "t = {}: the joint is open by {gap}", run.time());
        assert!(run.ledger().step.residual().abs() < 1e-4, "{}", run.ledger().step.residual());
    }
    assert!((run.pose(c).translation.z - 0.05).abs() < 2e-3, "{:?}", run.pose(c));
    assert!(run.contacts().touches.len() == 3 && run.kinetic_energy() < 1e-3, "{}", run.kinetic_energy());
    let residual = run.ledger().total.residual();
    assert!(residual.abs() < 1e-3 * (start - run.energy()), "{residual}");
    assert!(run.ledger().total.momentum_residual().length() < 1e-9);
}

/// A motor has its torque once per step, not once per pass: ω = τ t/I of a ball that grazes the ground
/// without friction.
#[test]
fn a_motor_keeps_to_its_torque() {
    let wheel = ball(0.2, 1.0, at(0.0, 0.0, 0.2));
    let world = world(0.0, vec![("wheel", wheel), ("ground", ground())]);
    let wheel = world.id("wheel").unwrap();
    let hinge =
        Hinge::new(Ends::along(&world, "axle", wheel, None, Vec3::Z * 0.2, Vec3::Y).unwrap()).unwrap();
    let motor = Motor::new("motor", hinge.angle(), 100.0, 0.03).unwrap();
    let mut run = simulation(world.with_constraint(hinge).unwrap().with_constraint(motor).unwrap(), jacobi());
    crate::support::run(&mut run, H, 240);
    assert_eq!(run.contacts().touches.len(), 1);
    let omega = 0.03 / (0.4 * 0.2 * 0.2);
    assert!((run.twist(wheel).angular.y - omega).abs() < 1e-9, "{:?}", run.twist(wheel));
    let work = run.ledger().total.exchange.of(Account::Motor).energy;
    assert!((work - run.kinetic_energy()).abs() < 1e-9, "{work} {}", run.kinetic_energy());
}

//! One body and what does not move.

use super::*;
use gedanken_rigid::{Account, Curve, Settings};

/// ACCURACY 6: h_n = e^(2n) h₀, and the bouncing ends after √(2h₀/g)(1 + e)/(1 - e).
#[test]
fn a_bouncing_ball_keeps_e_squared_of_its_height_and_ends() {
    let (e, h0, radius) = (0.8, 2.0, 0.1);
    let bodies = [("floor", floor()), ("ball", ball(radius, Vec3::new(0.0, 0.0, h0 + radius)))];
    let world = with_gravity(world(bodies, e, 0.0));
    let id = world.id("ball").unwrap();
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    let (mut bounces, mut height, mut end, mut worst) = (0, h0, 0.0, 0.0f64);
    for _ in 0..7 * 240 {
        run.step(1.0 / 240.0).unwrap();
        for impact in run.impacts() {
            end = impact.time;
            if impact.restitution > 0.0 {
                bounces += 1;
                height *= e * e;
                let speed = impact.after[0].twist.linear.z;
                worst = worst.max((speed * speed / (2.0 * G * height) - 1.0).abs());
            }
        }
    }
    let total = (2.0 * h0 / G).sqrt() * (1.0 + e) / (1.0 - e);
    assert!(bounces > 40 && worst < 1e-9, "{bounces} bounces, {worst:e}");
    assert!((end / total - 1.0).abs() < 1e-4, "it ended at {end}");
    assert!(run.twist(id).linear.length() < 1e-9, "{:?}", run.twist(id));
    assert!((run.centre(id).translation.z - radius).abs() < 1e-9);
    assert!(run.impacts().is_empty());
    let books = run.ledger();
    assert!(books.total.residual().abs() < 1e-10, "{:e}", books.total.residual());
    assert!(books.total.momentum_residual().length() < 1e-10);
}

/// ACCURACY 7: a thousand elastic bounces.
#[test]
fn elastic_bounces_keep_the_energy() {
    for shape in [sphere(0.1), brick(Vec3::splat(0.1))] {
        let bodies = [("floor", floor()), ("body", body(shape, Vec3::new(0.0, 0.0, 0.2)))];
        let mut run = Simulation::new(with_gravity(world(bodies, 1.0, 0.0)), Settings::default()).unwrap();
        let before = energy(&run);
        let (mut bounces, mut worst) = (0, 0.0f64);
        while bounces < 1000 {
            run.step(1.0 / 60.0).unwrap();
            bounces += run.impacts().len();
            worst = worst.max((energy(&run) / before - 1.0).abs());
        }
        assert!(worst < 1e-12, "{worst:e}");
    }
}

/// The height of the first rebound is e² of that of the fall, whatever falls on whatever.
#[test]
fn rebounds_are_e_squared() {
    let table = Body::fixed(brick(Vec3::new(1.0, 1.0, 0.5)), Pose::at(Vec3::new(0.0, 0.0, -0.5)));
    for e in [0.3, 0.5, 0.8, 0.95] {
        for ground in [floor(), table.clone().with_material("stuff")] {
            for (shape, low) in [(sphere(0.1), 0.1), (brick(Vec3::new(0.3, 0.2, 0.1)), 0.1)] {
                let start = Vec3::new(0.05, -0.02, low + 1.0);
                let world =
                    with_gravity(world([("ground", ground.clone()), ("body", body(shape, start))], e, 0.5));
                let id = world.id("body").unwrap();
                let mut run = Simulation::new(world, Settings::default()).unwrap();
                let mut hit = false;
                let top = loop {
                    run.step(1.0 / 240.0).unwrap();
                    hit |= !run.impacts().is_empty();
                    let (z, v) = (run.centre(id).translation.z, run.twist(id).linear.z);
                    if hit && v <= 0.0 {
                        break z - low + v * v / (2.0 * G);
                    }
                };
                assert!((top / (e * e) - 1.0).abs() < 1e-9, "{e}: {top}");
            }
        }
    }
}

/// A ball with backspin that lands obliquely: it slides throughout, or it grips.
///
/// With u the tangential velocity of the contact point, friction can change it by (7/2) μ(1 + e) v_n/… : the
/// tangential impulse is min(μ(1 + e) m v_n, (2/7) m u), for 1/m + r²/I = 7/(2m).
#[test]
fn friction_takes_the_spin_of_a_ball() {
    let (radius, e, down) = (0.1, 0.7, 3.0);
    for (mu, across, spin) in [(0.1, 2.0, -40.0), (0.9, 2.0, -40.0), (0.2, 0.0, 5.0), (0.05, -1.0, 100.0)] {
        let start = ball(radius, Vec3::new(0.0, 0.0, 0.13))
            .with_velocity(Vec3::new(across, 0.0, -down))
            .with_angular_velocity(Vec3::Y * spin);
        let world = world([("floor", floor()), ("ball", start)], e, mu);
        let id = world.id("ball").unwrap();
        let mut run = Simulation::new(world, Settings::default()).unwrap();
        for _ in 0..10 {
            run.step(1.0 / 240.0).unwrap();
        }
        // The contact point is below the centre: its velocity is v - ω r along x for ω about y.
        let sliding = across - spin * radius;
        let most = mu * (1.0 + e) * down;
        let taken = (2.0 / 7.0 * sliding).clamp(-most, most);
        let expected = Vec3::new(across - taken, 0.0, e * down);
        let turning = spin + taken * radius / (0.4 * radius * radius);
        let twist = run.twist(id);
        assert!((twist.linear - expected).length() < 1e-12);
        assert!((twist.angular - Vec3::Y * turning).length() < 1e-11);
    }
}

/// e as a function of the approach speed is asked with that speed; one that cannot be is refused with its
/// name.
#[test]
fn restitution_may_be_a_curve() {
    let drop = |curve: Curve| {
        let bodies = [("floor", floor()), ("ball", ball(0.1, Vec3::new(0.0, 0.0, 0.6)))];
        let stuff = Material { name: "stuff".to_owned(), restitution: curve, friction: 0.0.into() };
        let world = with_gravity(World::new(bodies, [stuff]).unwrap());
        Simulation::new(world, Settings::default()).unwrap()
    };
    let mut run = drop(Curve::of_speed(|v| 1.0 / (1.0 + v)));
    let mut speed = (2.0 * G * 0.5f64).sqrt();
    let mut seen = 0;
    while seen < 4 {
        run.step(1.0 / 120.0).unwrap();
        for impact in run.impacts() {
            assert!((impact.approach - speed).abs() < 1e-9, "{} {speed}", impact.approach);
            speed = speed / (1.0 + speed);
            seen += 1;
        }
    }
    for bad in [f64::NAN, 1.5, -0.1] {
        let mut run = drop(Curve::of_speed(move |_| bad));
        let fault = (0..120).find_map(|_| run.step(1.0 / 120.0).err()).unwrap().to_string();
        assert!(fault.contains("'stuff'") && fault.contains("restitution"), "{fault}");
    }
}

/// Nothing jumps through a plate, however fast: 1 cm at 500 m/s against 1 mm.
#[test]
fn bullets_do_not_tunnel() {
    for (e, spin) in [(0.0, 0.0), (0.0, 3000.0), (0.5, 0.0), (1.0, 100.0)] {
        for shape in [sphere(0.005), brick(Vec3::new(0.01, 0.005, 0.005))] {
            let plate = Body::fixed(brick(Vec3::new(0.0005, 1.0, 1.0)), Pose::at(Vec3::X * 3.3))
                .with_material("stuff");
            let bullet = body(shape, Vec3::ZERO)
                .with_velocity(Vec3::new(500.0, 3.0, 1.0))
                .with_angular_velocity(Vec3::new(0.5, 0.3, 0.8) * spin);
            let world = world([("bullet", bullet), ("plate", plate)], e, 0.3);
            let id = world.id("bullet").unwrap();
            let mut run = Simulation::new(world, Settings::default()).unwrap();
            let mut hits = 0;
            for _ in 0..60 {
                run.step(1.0 / 60.0).unwrap();
                hits += run.impacts().len();
                assert!(run.centre(id).translation.x < 3.3, "{e} {spin}: {}", run.centre(id).translation);
            }
            assert!(hits > 0);
        }
    }
}

/// A ball shut in by walls that it meets again and again within one step stays inside: after an impact, all
/// that may come next is looked for.
#[test]
fn a_fast_ball_stays_in_its_box() {
    let walls = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|n| [n, -n]).enumerate();
    let mut bodies: Vec<(String, Body)> = walls.map(|(k, n)| (format!("wall {k}"), wall(n, -0.5))).collect();
    bodies.push(("ball".to_owned(), ball(0.1, Vec3::ZERO).with_velocity(Vec3::new(97.0, 31.0, -53.0))));
    let world = world(bodies, 1.0, 0.0);
    let id = world.id("ball").unwrap();
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    let v = run.twist(id).linear;
    for _ in 0..100 {
        run.step(1.0 / 60.0).unwrap();
    }
    // Unfolded, it flies straight on: each coordinate is a triangle wave of ±0.4.
    let (now, place) = (run.twist(id).linear, run.centre(id).translation);
    for axis in 0..3 {
        assert!((now[axis].abs() - v[axis].abs()).abs() < 1e-12);
        let phase = (v[axis] * run.time() + 0.4).rem_euclid(1.6);
        let expected = if phase < 0.8 { phase - 0.4 } else { 1.2 - phase };
        assert!((place[axis] - expected).abs() < 1e-7, "{place} {expected}");
    }
    assert!(run.ledger().total.exchange.of(Account::Impact).energy.abs() < 1e-8);
}

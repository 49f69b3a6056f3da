//! Many bodies.

use super::*;
use gedanken_rigid::Settings;

/// 7 × 7 elastic balls in a closed box under gravity, set going in all directions; the relative gain of
/// energy.
fn gain_of_49_balls(seconds: f64) -> (f64, usize) {
    let walls = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z].into_iter().enumerate();
    let mut bodies: Vec<(String, Body)> = walls
        .map(|(k, n)| (format!("wall {k}"), wall(n, if n.z > 0.0 { 0.0 } else { -1.0 - n.z.abs() })))
        .collect();
    for k in 0..49 {
        let (i, j) = (f64::from(k % 7) - 3.0, f64::from(k / 7) - 3.0);
        let v = Vec3::new(libm::sin(f64::from(k)), libm::cos(2.0 * f64::from(k)), 0.3 * j) * 2.0;
        bodies.push((format!("ball {k}"), ball(0.1, Vec3::new(0.25 * i, 0.25 * j, 1.0)).with_velocity(v)));
    }
    let mut run = Simulation::new(with_gravity(world(bodies, 1.0, 0.0)), Settings::default()).unwrap();
    let before = energy(&run);
    let (mut most, mut hits) = (0.0f64, 0);
    for _ in 0..(seconds * 240.0) as usize {
        run.step(1.0 / 240.0).unwrap();
        hits += run.impacts().len();
        most = most.max((energy(&run) - before) / before);
    }
    let inside =
        |place: Vec3| place.x.abs() < 0.9 + 1e-6 && place.y.abs() < 0.9 + 1e-6 && place.z > 0.1 - 1e-6;
    let world = run.world();
    let balls = world.bodies().filter(|(_, body)| body.mass() > 0.0);
    assert!(balls.map(|(id, _)| run.centre(id).translation).all(inside), "a ball got out");
    (most, hits)
}

#[test]
fn elastic_balls_in_a_box_gain_no_energy() {
    let (gain, hits) = gain_of_49_balls(20.0);
    assert!(gain < 1e-12 && hits > 5000, "{gain:e} after {hits} impacts");
}

/// Columns of balls that lose half of their speed collapse: infinitely many impacts in a finite time. The
/// contact solver takes over, everything comes to rest, and no step settles more than a few impacts per ball.
#[test]
fn columns_of_balls_collapse_and_come_to_rest() {
    let mut bodies = vec![("floor".to_owned(), floor())];
    for k in 0..30 {
        let (i, l) = (f64::from(k % 5), f64::from(k / 5));
        bodies.push((format!("ball {k}"), ball(0.1, Vec3::new(0.5 * i, 0.0, 0.3 + 0.25 * l))));
    }
    let mut run = Simulation::new(with_gravity(world(bodies, 0.5, 0.2)), Settings::default()).unwrap();
    let mut most = 0;
    for _ in 0..3 * 240 {
        run.step(1.0 / 240.0).unwrap();
        most = most.max(run.impacts().len());
    }
    assert!(most < 30 * 30, "{most} impacts in a step");
    let world = run.world();
    for (id, _) in world.bodies().filter(|(_, body)| body.mass() > 0.0) {
        let (place, twist) = (run.centre(id).translation, run.twist(id));
        let levels = (place.z - 0.1) / 0.2;
        assert!(twist.linear.length() < 1e-3, "{twist:?}");
        assert!((levels - levels.round()).abs() < 0.01, "{place}");
    }
}

/// A thousand balls that fall on a floor and on each other come to their end, and a step stays affordable.
#[test]
fn a_thousand_balls_fall_on_a_floor() {
    let mut bodies = vec![("floor".to_owned(), floor())];
    for k in 0..1000 {
        let (i, j, l) = (f64::from(k % 10), f64::from(k / 10 % 10), f64::from(k / 100));
        let place = Vec3::new(0.25 * i + 0.01 * l, 0.25 * j - 0.007 * l, 0.3 + 0.25 * l);
        bodies.push((format!("ball {k}"), ball(0.1, place)));
    }
    let mut run = Simulation::new(with_gravity(world(bodies, 0.9, 0.2)), Settings::default()).unwrap();
    let mut last = energy(&run);
    for _ in 0..240 {
        run.step(1.0 / 240.0).unwrap();
        let now = energy(&run);
        assert!(now <= last * (1.0 + 1e-9), "{last} {now}");
        last = now;
    }
}

/// Boxes and balls that bounce in a heap.
fn heap() -> Simulation {
    let mut bodies = vec![("floor".to_owned(), floor())];
    for k in 0..24 {
        let (i, l) = (f64::from(k % 4), f64::from(k / 4));
        let place = Vec3::new(0.23 * i + 0.03 * l, 0.02 * i * l, 0.2 + 0.25 * l);
        let shape = if k % 2 == 0 { sphere(0.1) } else { brick(Vec3::new(0.1, 0.07, 0.05)) };
        bodies.push((format!("body {k}"), body(shape, place).with_angular_velocity(Vec3::new(l, i, 1.0))));
    }
    Simulation::new(with_gravity(world(bodies, 0.6, 0.4)), Settings::default()).unwrap()
}

/// Where everything is and how it moves, in bits.
fn bits(run: &Simulation) -> Vec<u64> {
    let of = |v: Vec3| v.to_array().map(f64::to_bits);
    let bodies = run.world().bodies().map(|(id, _)| (run.centre(id), run.twist(id)));
    bodies
        .flat_map(|(pose, twist)| {
            let turned = pose.rotation.to_array().map(f64::to_bits);
            [of(pose.translation), of(twist.linear), of(twist.angular)].into_iter().flatten().chain(turned)
        })
        .collect()
}

#[test]
fn a_heap_continues_from_any_snapshot_with_equal_bits() {
    let mut run = heap();
    let mut kept = Vec::new();
    for step in 0..200 {
        if step % 25 == 0 {
            kept.push((step, run.snapshot()));
        }
        run.step(1.0 / 120.0).unwrap();
    }
    let end = bits(&run);
    let mut other = heap();
    for (step, snapshot) in kept.into_iter().rev() {
        other.restore(&snapshot).expect("a snapshot of the same bodies");
        (step..200).for_each(|_| other.step(1.0 / 120.0).unwrap());
        assert!(bits(&other) == end, "from step {step}");
    }
}

/// Whoever meets nobody is not touched: a ball that flies far away from a collision has the bits of one that
/// flies alone.
#[test]
fn bodies_without_impact_keep_their_bits() {
    let far = || ball(0.1, Vec3::new(50.0, 0.0, 5.0)).with_velocity(Vec3::new(1.0, 2.0, 3.0));
    let near = [
        ("a", ball(0.1, Vec3::ZERO).with_velocity(Vec3::X * 3.0)),
        ("b", ball(0.1, Vec3::X)),
        ("far", far()),
        ("floor", wall(Vec3::Z, -10.0)),
    ];
    let alone = [("far", far()), ("floor", wall(Vec3::Z, -10.0))];
    let mut runs = [near.to_vec(), alone.to_vec()]
        .map(|bodies| Simulation::new(with_gravity(world(bodies, 1.0, 0.1)), Settings::default()).unwrap());
    let mut hits = 0;
    for _ in 0..120 {
        runs.iter_mut().for_each(|run| run.step(1.0 / 240.0).unwrap());
        hits += runs[0].impacts().len();
        let [one, two] = &runs;
        let [p, q] = [one, two].map(|run| run.centre(run.world().id("far").unwrap()));
        assert!(p == q);
    }
    assert!(hits > 0);
}

//! Joints together with impacts and contacts, against closed forms and small systems solved by hand.

use gedanken_dynamics::laws::{Springs, UniformGravity};
use gedanken_geometry::{Capsule, Cuboid, HalfSpace, Shape, Sphere};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::joints::{Ends, Hinge, Point};
use gedanken_rigid::{Account, Body, Material, Settings, Simulation, World};

const G: f64 = 9.81;

fn world(bodies: impl IntoIterator<Item = (String, Body)>, e: f64, friction: f64) -> World {
    World::new(bodies, [Material::new("stuff", e, friction).unwrap()]).unwrap()
}

fn heavy(world: World) -> World {
    world.with_laws(UniformGravity::new(Quantity::new(Vec3::new(0.0, 0.0, -G))))
}

fn ball(radius: f64, mass: f64, at: Vec3) -> Body {
    let shape = Shape::Sphere(Sphere::new(radius).unwrap());
    Body::dynamic(shape, Pose::at(at)).with_mass(mass).with_material("stuff")
}

fn brick(edges: Vec3, mass: f64, at: Vec3) -> Body {
    let shape = Shape::Cuboid(Cuboid::new(edges).unwrap());
    Body::dynamic(shape, Pose::at(at)).with_mass(mass).with_material("stuff")
}

/// n·x ≤ d.
fn wall(normal: Vec3, offset: f64) -> Body {
    let shape = Shape::HalfSpace(HalfSpace::new(normal, offset).unwrap());
    Body::fixed(shape, Pose::IDENTITY).with_material("stuff")
}

fn joined(world: World, a: &str, b: Option<&str>, at: Vec3) -> World {
    let (one, two) = (world.id(a).unwrap(), b.map(|b| world.id(b).unwrap()));
    let ends = Ends::at(&world, format!("joint of {a}"), one, two, at).unwrap();
    world.with_constraint(Point::new(ends).unwrap()).unwrap()
}

fn hinged(world: World, a: &str, b: Option<&str>, at: Vec3, axis: Vec3) -> World {
    let (one, two) = (world.id(a).unwrap(), b.map(|b| world.id(b).unwrap()));
    let ends = Ends::along(&world, format!("hinge of {a}"), one, two, at, axis).unwrap();
    world.with_constraint(Hinge::new(ends).unwrap()).unwrap()
}

fn energy(run: &Simulation) -> f64 {
    run.world().bodies().filter(|(_, body)| body.mass() > 0.0).fold(0.0, |sum, (id, body)| {
        let (twist, pose) = (run.twist(id), run.centre(id));
        let spin = pose.vector_to_body(twist.angular);
        sum + 0.5 * (body.mass() * twist.linear.length_squared() + spin.dot(body.moments() * spin))
    })
}

/// The place of a point that a body carries, from where it was at the start.
fn carried(run: &Simulation, name: &str, start: Vec3, at: Vec3) -> Vec3 {
    run.pose(run.world().id(name).unwrap()).point_to_world(at - start)
}

/// Steps until there is an impact.
fn meet(run: &mut Simulation) {
    let met = (0..240).any(|_| {
        run.step(1.0 / 240.0).unwrap();
        !run.impacts().is_empty()
    });
    assert!(met, "they never meet");
}

const ROD: Vec3 = Vec3::new(1.0, 0.04, 0.06);
const HALF: Vec3 = Vec3::new(0.5, 0.0, 0.0);

/// A rod that hangs on a pivot at the origin, along x, and a ball that comes along -y and meets it at x = d.
fn rod_and_ball(d: f64, e: f64, friction: f64, hinge: bool, (m, v): (f64, f64)) -> Simulation {
    let rod = brick(ROD, 2.0, HALF);
    let ball = ball(0.1, m, Vec3::new(d, 0.5, 0.0)).with_velocity(Vec3::new(0.0, -v, 0.0));
    let world = world([("rod".to_owned(), rod), ("ball".to_owned(), ball)], e, friction);
    let world = if hinge {
        hinged(world, "rod", None, Vec3::ZERO, Vec3::Z)
    } else {
        joined(world, "rod", None, Vec3::ZERO)
    };
    Simulation::new(world, Settings::default()).unwrap()
}

/// The angular momentum about the pivot stays, and e is the ratio of the speeds: ω = m v d (1 + e)/(m d² +
/// I).
#[test]
fn a_ball_turns_a_rod_on_its_pivot() {
    let inertia = 2.0 / 12.0 * (ROD.x * ROD.x + ROD.y * ROD.y) + 2.0 * 0.25;
    for (d, e, friction, hinge) in [
        (0.7, 0.1, 0.0, true),
        (0.7, 0.5, 0.0, false),
        (0.3, 1.0, 0.0, true),
        (0.95, 1.0, 0.0, false),
        (0.6, 0.8, 0.0, true),
    ] {
        let (m, v, h) = (0.5, 3.0, 1.0 / 240.0);
        let mut run = rod_and_ball(d, e, friction, hinge, (m, v));
        let (rod, ball) = (run.world().id("rod").unwrap(), run.world().id("ball").unwrap());
        meet(&mut run);
        let omega = -m * v * d * (1.0 + e) / (m * d * d + inertia);
        let impact = run.impacts()[0];
        // The struck motion is that of the rod about its pivot, from the instant of the impact on.
        let after = impact.after.iter().find(|mover| mover.row as usize == rod.row()).unwrap().twist;
        assert!((after.angular - Vec3::Z * omega).length() < 1e-9, "{d} {e}: {} {omega}", after.angular);
        assert!((after.linear - Vec3::Y * (0.5 * omega)).length() < 1e-9, "{}", after.linear);
        let after = run.twist(rod);
        assert!((after.angular - Vec3::Z * omega).length() < 1e-4 * omega.abs(), "{} {omega}", after.angular);
        let rebound = e * v + omega * d;
        if e > 0.0 {
            assert!((run.twist(ball).linear - Vec3::Y * rebound).length() < 1e-9);
        }
        let turning = |run: &Simulation| {
            inertia * run.twist(rod).angular.z + m * run.twist(ball).linear.y * run.pose(ball).translation.x
        };
        assert!((turning(&run) + m * v * d).abs() < 1e-4, "{} {}", turning(&run), -m * v * d);
        let lost = 0.5 * m * v * v * (1.0 - e * e) / (1.0 + m * d * d / inertia);
        assert!((energy(&run) - (0.5 * m * v * v - lost)).abs() < 1e-4, "{}", energy(&run));
        assert!(carried(&run, "rod", HALF, Vec3::ZERO).length() < 1e-12);
        let page = &run.ledger().step;
        assert!((page.exchange.of(Account::Impact).energy + lost).abs() < 1e-8);
        assert!(page.residual().abs() < 1e-9 && page.momentum_residual().length() < 1e-12);
        // What is left goes round, on the joint. (The ball has gone the other way.)
        let kept = energy(&run);
        if rebound > 0.0 && e > 0.0 {
            for _ in 0..60 {
                run.step(h).unwrap();
                assert!(carried(&run, "rod", HALF, Vec3::ZERO).length() < 1e-12);
            }
            assert!((energy(&run) - kept).abs() < 1e-3 * kept);
        }
    }
}

/// A rod that turns evenly on its hinge meets a fixed ball when its face does: at the angle asin((w/2 + r)/d)
/// before the ball. Its middle goes round in a circle, and no straight way from step to step would tell the
/// instant.
#[test]
fn a_rod_meets_a_ball_at_the_instant() {
    for (omega, d, e) in [(2.0, 0.8, 1.0), (5.0, 0.9, 0.5), (-3.0, 0.7, 0.5)] {
        let (radius, h) = (0.05, 1.0 / 240.0);
        let expected = 0.6 * h;
        let before = libm::asin((0.5 * ROD.y + radius) / d) + f64::abs(omega) * expected;
        let angle = before * f64::signum(omega);
        let rod = brick(ROD, 2.0, HALF)
            .with_velocity(Vec3::Y * (0.5 * omega))
            .with_angular_velocity(Vec3::Z * omega);
        let place = Vec3::new(libm::cos(angle), libm::sin(angle), 0.0) * d;
        let stop =
            Body::fixed(Shape::Sphere(Sphere::new(radius).unwrap()), Pose::at(place)).with_material("stuff");
        let world = world([("rod".to_owned(), rod), ("stop".to_owned(), stop)], e, 0.0);
        let mut run =
            Simulation::new(hinged(world, "rod", None, Vec3::ZERO, Vec3::Z), Settings::default()).unwrap();
        run.step(h).unwrap();
        let off = (run.impacts()[0].time - expected).abs();
        // On the chord it would be off by ω² r h²/8 over the speed, 1e-6 s and more.
        assert!(off < 2e-8, "{omega} {d}: {off:e}");
        // The hinge turns back with e times the rate.
        let back = run.twist(run.world().id("rod").unwrap()).angular.z;
        assert!((back + e * omega).abs() < 1e-6 * omega.abs(), "{back}");
    }
}

/// Without restitution it is the contact solver that stops them, around the joint: they go on together, as
/// one body on the pivot.
#[test]
fn a_ball_that_does_not_bounce_goes_on_with_the_rod() {
    let inertia = 2.0 / 12.0 * (ROD.x * ROD.x + ROD.y * ROD.y) + 2.0 * 0.25;
    for (d, hinge) in [(0.3, true), (0.7, false), (0.95, true)] {
        let (m, v) = (0.5, 3.0);
        let mut run = rod_and_ball(d, 0.0, 0.0, hinge, (m, v));
        let (rod, ball) = (run.world().id("rod").unwrap(), run.world().id("ball").unwrap());
        let met = (0..240).any(|_| {
            run.step(1.0 / 240.0).unwrap();
            run.twist(rod).angular.z != 0.0
        });
        assert!(met);
        run.step(1.0 / 240.0).unwrap();
        let omega = -m * v * d / (m * d * d + inertia);
        // Contacts and joints take turns, 64 at most; what is left of a hit near the pivot is most.
        let small = 3e-3 * v;
        assert!((run.twist(rod).angular.z - omega).abs() * d < small);
        assert!((run.twist(ball).linear.y - omega * d).abs() < small, "{d}: {}", run.twist(ball).linear.y);
        let turning = inertia * run.twist(rod).angular.z + m * d * run.twist(ball).linear.y;
        assert!((turning + m * v * d).abs() < 1e-3 * m * v * d, "{d}: {turning}");
        assert!(carried(&run, "rod", HALF, Vec3::ZERO).length() < 1e-12);
    }
}

/// Gaussian elimination with partial pivoting.
fn gauss<const N: usize>(mut a: [[f64; N]; N], mut b: [f64; N]) -> [f64; N] {
    for k in 0..N {
        let pivot = (k..N).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..N {
            let (factor, above) = (a[i][k] / a[k][k], a[k]);
            a[i].iter_mut().zip(above).for_each(|(x, y)| *x -= factor * y);
            b[i] -= factor * b[k];
        }
    }
    for k in (0..N).rev() {
        let sum: f64 = (k + 1..N).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k][k];
    }
    b
}

/// Two rods of length 1 in a line, the first on a pivot at the origin, hit at x = 1 + d by a ball. In the
/// plane, with the angular velocities ω₁, ω₂, the velocity u₂ of the second centre, the impulse P of the ball
/// and R of the second rod on the first:
///
/// I₀ ω₁ = R, M u₂ = P − R, I ω₂ = P (d − ½) + ½ R, ω₁ = u₂ − ½ ω₂, u₂ + (d − ½) ω₂ − w = −e v, m (w + v) =
/// −P.
#[test]
fn a_ball_hits_the_second_link_of_a_chain() {
    let (big, m, v) = (2.0, 0.5, 3.0);
    let inertia = big / 12.0 * (ROD.x * ROD.x + ROD.y * ROD.y);
    for (d, e) in [(0.5, 0.1), (0.8, 0.5), (0.95, 1.0), (0.1, 1.0)] {
        let [first, second] = [HALF, HALF + Vec3::X];
        let ball = ball(0.1, m, Vec3::new(1.0 + d, 0.5, 0.0)).with_velocity(Vec3::new(0.0, -v, 0.0));
        let bodies = [
            ("first".to_owned(), brick(ROD, big, first)),
            ("second".to_owned(), brick(ROD, big, second)),
            ("ball".to_owned(), ball),
        ];
        let world = joined(world(bodies, e, 0.0), "first", None, Vec3::ZERO);
        let world = joined(world, "second", Some("first"), Vec3::X);
        let mut run = Simulation::new(world, Settings::default()).unwrap();
        meet(&mut run);
        let arm = d - 0.5;
        // Unknowns: ω₁, ω₂, u₂, P, R, w.
        let solution = gauss(
            [
                [inertia + 0.25 * big, 0.0, 0.0, 0.0, -1.0, 0.0],
                [0.0, 0.0, big, -1.0, 1.0, 0.0],
                [0.0, inertia, 0.0, -arm, -0.5, 0.0],
                [1.0, 0.5, -1.0, 0.0, 0.0, 0.0],
                [0.0, arm, 1.0, 0.0, 0.0, -1.0],
                [0.0, 0.0, 0.0, 1.0, 0.0, m],
            ],
            [0.0, 0.0, 0.0, 0.0, -e * v, -m * v],
        );
        let [omega_1, omega_2, speed, push, _, left] = solution;
        let impact = run.impacts()[0];
        let id = |name: &str| run.world().id(name).unwrap();
        let after = impact.after.iter().find(|mover| mover.row as usize == id("second").row()).unwrap().twist;
        assert!((after.angular.z - omega_2).abs() < 1e-9 * omega_2.abs().max(1.0), "{d} {e}");
        assert!((after.linear.y - speed).abs() < 1e-9, "{d} {e}: {} {speed}", after.linear.y);
        assert!((impact.impulse.length() - push.abs()).abs() < 1e-9);
        assert!((run.twist(id("first")).angular.z - omega_1).abs() < 1e-3 * omega_1.abs().max(1.0));
        if e > 0.0 {
            assert!((run.twist(id("ball")).linear.y - left).abs() < 1e-9);
        }
        let ends = [carried(&run, "first", first, Vec3::X), carried(&run, "second", second, Vec3::X)];
        assert!((ends[0] - ends[1]).length() < 1e-12);
        if e == 1.0 {
            assert!((energy(&run) - 0.5 * m * v * v).abs() < 1e-4 * m * v * v);
        }
        let page = &run.ledger().step;
        assert!(page.residual().abs() < 1e-9 && page.momentum_residual().length() < 1e-12);
    }
}

/// A pendulum of bouncing ball swings against a wall at its lowest point: with e = 1 it keeps its energy for
/// ever, and comes back in half of its period each time.
#[test]
fn a_pendulum_bounces_off_a_wall() {
    let bob = ball(0.1, 1.0, Vec3::new(0.3, 0.0, 0.0));
    let bodies = [("bob".to_owned(), bob), ("wall".to_owned(), wall(Vec3::X, -0.1))];
    let world = hinged(heavy(world(bodies, 1.0, 0.0)), "bob", None, Vec3::new(0.0, 0.0, 1.0), Vec3::Y);
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    let id = run.world().id("bob").unwrap();
    let total = |run: &Simulation| energy(run) + G * run.pose(id).translation.z;
    let start = total(&run);
    let scale = start - G * (1.0 - (1.0f64 + 0.09).sqrt());
    let (mut hits, mut times) = (0, Vec::new());
    for _ in 0..2400 {
        run.step(1.0 / 240.0).unwrap();
        hits += run.impacts().len();
        times.extend(run.impacts().iter().map(|impact| impact.time));
        let pivot = run.pose(id).point_to_world(Vec3::new(-0.3, 0.0, 1.0));
        assert!((pivot - Vec3::new(0.0, 0.0, 1.0)).length() < 1e-11);
        assert!(run.pose(id).translation.x > -1e-6);
    }
    assert!(hits >= 8, "{hits}");
    assert!((total(&run) - start).abs() < 0.02 * scale, "{}", (total(&run) - start) / scale);
    // From wall to wall it always takes the same time.
    let periods: Vec<f64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let mean = periods.iter().sum::<f64>() / periods.len() as f64;
    assert!(periods.iter().all(|period| (period - mean).abs() < 0.01 * mean), "{periods:?}");
    assert!(run.ledger().total.residual().abs() < 0.05 * scale);
}

/// Two blocks joined by a hinge lie on the floor: it carries what they weigh, and nothing moves.
#[test]
fn a_jointed_pair_lies_still_on_the_floor() {
    for hinge in [false, true] {
        let edges = Vec3::new(0.4, 0.3, 0.2);
        let bodies = [
            ("floor".to_owned(), wall(Vec3::Z, 0.0)),
            ("one".to_owned(), brick(edges, 2.0, Vec3::new(-0.25, 0.0, 0.1))),
            ("two".to_owned(), brick(edges, 3.0, Vec3::new(0.25, 0.0, 0.1))),
        ];
        let at = Vec3::new(0.0, 0.0, 0.1);
        let world = heavy(world(bodies, 0.0, 0.5));
        let world = if hinge {
            hinged(world, "one", Some("two"), at, Vec3::Y)
        } else {
            joined(world, "one", Some("two"), at)
        };
        let mut run = Simulation::new(world, Settings::default()).unwrap();
        let h = 1.0 / 240.0;
        for step in 0..720 {
            run.step(h).unwrap();
            if step < 24 {
                continue;
            }
            let carried = run.contacts().touches.iter().fold(Vec3::ZERO, |sum, touch| {
                sum + touch.normal * touch.points().iter().map(|point| point.normal_impulse).sum::<f64>()
            });
            let weight = 5.0 * G * h;
            assert!((carried.z.abs() - weight).abs() < 1e-6 * weight, "step {step}: {} {weight}", carried.z);
        }
        for (name, start) in [("one", Vec3::new(-0.25, 0.0, 0.1)), ("two", Vec3::new(0.25, 0.0, 0.1))] {
            let pose = run.pose(run.world().id(name).unwrap());
            assert!((pose.translation - start).length() < 1.5e-4, "{name}: {}", pose.translation - start);
            let slid = pose.translation - start;
            assert!(libm::hypot(slid.x, slid.y) < 1e-6, "{slid}");
        }
        let gap = carried(&run, "one", Vec3::new(-0.25, 0.0, 0.1), at)
            - carried(&run, "two", Vec3::new(0.25, 0.0, 0.1), at);
        assert!(gap.length() < 1e-9, "{gap}");
        assert!(run.report().converged);
    }
}

/// A pendulum that leans on a wall: its weight turns it about the pivot, the wall turns it back, N = m g tan
/// θ.
#[test]
fn a_pendulum_rests_against_a_wall() {
    let (m, x, z) = (2.0, 0.6, 0.8);
    // The pivot is at (0, 0, z), the bob at the origin plus x; it would swing to -x, where the wall is.
    let bodies = [
        ("bob".to_owned(), ball(0.1, m, Vec3::new(x, 0.0, 0.0))),
        ("wall".to_owned(), wall(Vec3::X, x - 0.1)),
    ];
    let world = hinged(heavy(world(bodies, 0.0, 0.0)), "bob", None, Vec3::new(0.0, 0.0, z), Vec3::Y);
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    let (id, h) = (run.world().id("bob").unwrap(), 1.0 / 240.0);
    let force = m * G * x / z;
    for step in 0..720 {
        run.step(h).unwrap();
        if step >= 24 {
            let pushed: f64 = run.contacts().touches.iter().map(|touch| touch.impulse().length()).sum();
            assert!((pushed / h - force).abs() < 1e-3 * force, "step {step}: {} {force}", pushed / h);
        }
    }
    let pose = run.pose(id);
    assert!((pose.translation - Vec3::new(x, 0.0, 0.0)).length() < 3e-4, "{}", pose.translation);
    let pivot = pose.point_to_world(Vec3::new(-x, 0.0, z));
    assert!((pivot - Vec3::new(0.0, 0.0, z)).length() < 1e-9, "{pivot}");
}

/// A fixed ball.
fn pin(radius: f64, at: Vec3) -> Body {
    Body::fixed(Shape::Sphere(Sphere::new(radius).unwrap()), Pose::at(at)).with_material("stuff")
}

/// A rod on a hinge at the origin, along x, that turns downwards with ω and meets a pin under x = 0.9 when
/// 0.2 h have passed.
fn falling_rod(e: f64, omega: f64, h: f64) -> Simulation {
    let edges = Vec3::new(1.0, 0.04, 0.04);
    let rod = brick(edges, 2.0, HALF)
        .with_velocity(-Vec3::Z * (0.5 * omega))
        .with_angular_velocity(Vec3::Y * omega);
    let stop = pin(0.05, Vec3::new(0.9, 0.0, -0.07 - 0.2 * omega * 0.9 * h));
    let world = heavy(world([("rod".to_owned(), rod), ("pin".to_owned(), stop)], e, 0.0));
    Simulation::new(hinged(world, "rod", None, Vec3::ZERO, Vec3::Y), Settings::default()).unwrap()
}

/// How far the rod's lower face is from the pin.
fn room(run: &Simulation) -> f64 {
    let [rod, pin] = ["rod", "pin"].map(|name| run.pose(run.world().id(name).unwrap()));
    -rod.point_to_body(pin.translation).z - 0.07
}

/// A rod that bounces on a pin less and less comes to rest there, and the pin carries what the lever says: N
/// d = m g L/2. (Nothing held a jointed body for the rest of a step in which it stopped: it fell on, bounced
/// again in the next, and sank for ever.)
#[test]
fn a_hinged_rod_that_bounces_comes_to_rest() {
    for h in [1.0 / 240.0, 1.0 / 60.0] {
        let mut run = falling_rod(0.3, 2.0, h);
        let steps = (1.0 / h) as usize;
        (0..steps).for_each(|_| run.step(h).unwrap());
        assert!(run.impacts().is_empty(), "it still bounces");
        let turning = run.twist(run.world().id("rod").unwrap()).angular.length();
        assert!(turning < 1e-6, "h = {h}: {turning:e} rad/s");
        assert!(room(&run).abs() < 1e-5, "h = {h}: {:e} m", room(&run));
        let carried: f64 = run.contacts().touches.iter().map(|touch| touch.impulse().length()).sum();
        let force = 2.0 * G * 0.5 / 0.9;
        assert!((carried / h - force).abs() < 2e-3 * force, "{} {force}", carried / h);
    }
}

/// Without restitution a fast rod stops where it meets the pin, and stays there to the end of the step.
#[test]
fn a_hinged_rod_that_does_not_bounce_stays_where_it_stops() {
    let h = 1.0 / 60.0;
    let mut run = falling_rod(0.0, 6.0, h);
    run.step(h).unwrap();
    assert_eq!(run.impacts().len(), 1, "it is fast enough to be located");
    let turning = run.twist(run.world().id("rod").unwrap()).angular.length();
    // Let alone it would turn by (3/2)(g/L)·0.8 h = 0.2 rad/s until then, and sink by a millimetre.
    assert!(turning < 1e-6 && room(&run).abs() < 5e-6, "{turning:e} rad/s, {:e} m", room(&run));
    let page = &run.ledger().step;
    assert!(page.momentum_residual().length() < 1e-12);
}

/// A ball that a spring draws to a jointed pair in space bounces on it, stops, and is held there: both push
/// each other, so momentum stays.
#[test]
fn what_holds_a_ball_on_a_jointed_body_keeps_momentum() {
    let edges = Vec3::new(0.5, 0.2, 0.2);
    let bodies = [
        ("a".to_owned(), brick(edges, 1.0, Vec3::X * 0.25)),
        ("b".to_owned(), brick(edges, 1.0, Vec3::X * -0.25)),
        ("c".to_owned(), ball(0.02, 1.0, Vec3::new(0.1, 0.0, 0.42)).with_velocity(Vec3::Z * -10.0)),
    ];
    let world = world(bodies, 0.3, 0.0);
    let [a, c] = ["a", "c"].map(|name| world.id(name).unwrap());
    let springs = Springs::new().link(a, c, Quantity::new(1000.0), Quantity::new(0.0));
    let world = hinged(world.with_laws(springs), "a", Some("b"), Vec3::ZERO, Vec3::Y);
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    let (start, mut stopped) = (run.momentum(), false);
    for _ in 0..24 {
        run.step(1.0 / 240.0).unwrap();
        stopped |= run.impacts().iter().any(|impact| impact.restitution == 0.0);
        assert!((run.momentum() - start).length() < 1e-12, "{}", run.momentum() - start);
        assert!(run.ledger().step.momentum_residual().length() < 1e-12);
    }
    assert!(stopped, "it never stops bouncing");
}

/// A ball lies on a fast rod that a pin stops. In long steps they meet again and again, until the ball is
/// left where it is for the rest of one: what it does not get of its weight then is booked, so that no
/// momentum is missing.
#[test]
fn what_is_halted_is_booked() {
    let (h, omega, x) = (1.0 / 60.0, 6.0, 0.3);
    let edges = Vec3::new(1.0, 0.04, 0.04);
    let bodies = [
        (
            "rod".to_owned(),
            brick(edges, 2.0, HALF)
                .with_velocity(Vec3::Z * (-0.5 * omega))
                .with_angular_velocity(Vec3::Y * omega),
        ),
        ("pin".to_owned(), pin(0.05, Vec3::new(0.9, 0.0, -0.088))),
        ("ball".to_owned(), ball(0.1, 0.2, Vec3::new(x, 0.0, 0.12)).with_velocity(Vec3::Z * (-x * omega))),
    ];
    let world = hinged(heavy(world(bodies, 0.0, 0.0)), "rod", None, Vec3::ZERO, Vec3::Y);
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    for _ in 0..20 {
        run.step(h).unwrap();
        assert!(
            run.ledger().step.momentum_residual().length() < 1e-12,
            "{}",
            run.ledger().step.momentum_residual()
        );
    }
    let ball = run.world().id("ball").unwrap();
    assert!(run.twist(ball).linear.z.abs() < 0.02, "it does not fall: {}", run.twist(ball).linear);
}

/// A chain that falls on itself: every number stays a number, and every joint holds.
#[test]
fn a_chain_that_touches_itself_holds_together() {
    let (n, link) = (20, 0.2);
    let bodies = (0..n).map(|k| {
        let at = Vec3::new((f64::from(k) + 0.5) * link, 0.0, 0.0);
        let turned = gedanken_math::rotation::from_rotation_vector(Vec3::Y * std::f64::consts::FRAC_PI_2);
        let shape = Shape::Capsule(Capsule::new(0.02, link - 0.04).unwrap());
        let body = Body::dynamic(shape, Pose::new(turned, at)).with_mass(0.1).with_material("stuff");
        (format!("l{k}"), body)
    });
    for e in [0.0, 0.5] {
        let mut world = heavy(world(bodies.clone(), e, 0.3));
        for k in 0..n {
            let other = (k > 0).then(|| format!("l{}", k - 1));
            world = joined(world, &format!("l{k}"), other.as_deref(), Vec3::X * (f64::from(k) * link));
        }
        let mut run = Simulation::new(world, Settings::default()).unwrap();
        let mut touched = false;
        let mut apart = 0.0f64;
        for _ in 0..1440 {
            run.step(1.0 / 480.0).unwrap();
            touched |= !run.contacts().touches.is_empty() || !run.impacts().is_empty();
            let mut end = Vec3::ZERO;
            for k in 0..n {
                let pose = run.pose(run.world().id(&format!("l{k}")).unwrap());
                let at = pose.point_to_world(Vec3::new(0.0, 0.0, -0.5 * link));
                apart = apart.max((at - end).length());
                end = pose.point_to_world(Vec3::new(0.0, 0.0, 0.5 * link));
            }
        }
        assert!(touched, "nothing to see here");
        assert!(apart < 1e-9, "{apart:e}");
        let kinetic = energy(&run);
        assert!(kinetic.is_finite() && kinetic < 0.1 * f64::from(n) * G * 2.0 * link * f64::from(n));
    }
}

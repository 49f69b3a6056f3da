//! Bodies on joints against closed forms: pendulums, tops, chains, loops, motors, stops.

use gedanken_dynamics::laws::UniformGravity;
use gedanken_dynamics::{AngularVelocity, ComponentId, ThreeD, Velocity};
use gedanken_geometry::{Cuboid, Shape, Sphere};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::units::Quantity;
use gedanken_math::{Mat3, Pose, Quat, Vec3};
use gedanken_rigid::joints::{Configuration, Constraint, Ends, Hinge, Limit, Motor, Point, Row, direct};
use gedanken_rigid::{
    Account, Body, InverseMass, RigidError, Settings, Simulation, SolverBody, Twist, World,
};
use std::f64::consts::{FRAC_PI_2, PI};

const G: f64 = 9.81;

fn heavy(world: World) -> World {
    world.with_laws(UniformGravity::new(Quantity::new(Vec3::new(0.0, 0.0, -G))))
}

/// The world with a ball joint of two bodies, or of a body and the world, at a point.
fn joined(world: World, name: &str, a: &str, b: Option<&str>, at: Vec3) -> World {
    let (a, b) = (world.id(a).unwrap(), b.map(|b| world.id(b).unwrap()));
    let ends = Ends::at(&world, name, a, b, at).unwrap();
    world.with_constraint(Point::new(ends).unwrap()).unwrap()
}

fn hinged(world: World, name: &str, a: &str, b: Option<&str>, at: Vec3, axis: Vec3) -> World {
    let (a, b) = (world.id(a).unwrap(), b.map(|b| world.id(b).unwrap()));
    let ends = Ends::along(&world, name, a, b, at, axis).unwrap();
    world.with_constraint(Hinge::new(ends).unwrap()).unwrap()
}

fn energy(run: &Simulation) -> f64 {
    run.world().bodies().fold(0.0, |sum, (id, body)| {
        let (twist, pose) = (run.twist(id), run.centre(id));
        let spin = pose.vector_to_body(twist.angular);
        let kinetic = 0.5 * (body.mass() * twist.linear.length_squared() + spin.dot(body.moments() * spin));
        sum + kinetic + body.mass() * G * pose.translation.z
    })
}

/// The complete elliptic integral of the first kind, by the arithmetic-geometric mean.
fn complete_elliptic(k: f64) -> f64 {
    let (mut a, mut b) = (1.0, (1.0 - k * k).sqrt());
    for _ in 0..40 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    PI / (2.0 * a)
}

/// The instants at which a coordinate crosses zero upwards, from values and rates at both ends of each step.
fn upward_crossings(
    run: &mut Simulation,
    h: f64,
    count: usize,
    coordinate: impl Fn(&Simulation) -> (f64, f64),
) -> Vec<f64> {
    let (mut found, mut last) = (Vec::new(), coordinate(run));
    while found.len() < count {
        run.step(h).unwrap();
        let now = coordinate(run);
        if last.0 < 0.0 && now.0 >= 0.0 {
            // Where the cubic through values and rates is zero, by bisection.
            let value = |s: f64| {
                let (a, b) = (last.0, now.0);
                let (u, v) = (last.1 * h, now.1 * h);
                a + s * (u + s * ((3.0 * (b - a) - 2.0 * u - v) + s * (2.0 * (a - b) + u + v)))
            };
            let (mut low, mut high) = (0.0, 1.0);
            for _ in 0..60 {
                let middle = 0.5 * (low + high);
                if value(middle) < 0.0 { low = middle } else { high = middle }
            }
            found.push(run.time() - h + 0.5 * (low + high) * h);
        }
        last = now;
    }
    found
}

/// A box that hangs by a corner of its top, let go at a right angle: T = 4 √(I/(m g d)) K(sin 45°), I about
/// the pivot.
#[test]
fn a_pendulum_let_go_at_a_right_angle_has_the_period_of_the_elliptic_integral() {
    let (size, mass) = (Vec3::new(1.0, 0.1, 0.2), 2.0);
    let box_ = Shape::Cuboid(Cuboid::new(size).unwrap());
    let body = Body::dynamic(box_, Pose::at(Vec3::new(0.5, 0.0, 0.0))).with_mass(mass).without_contacts();
    let world = joined(heavy(World::new([("bob", body)], []).unwrap()), "pivot", "bob", None, Vec3::ZERO);
    let bob = world.id("bob").unwrap();
    let moment = mass * (size.x * size.x + size.z * size.z) / 12.0 + mass * 0.25;
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    let angle = |run: &Simulation| (run.centre(bob).translation.x, run.twist(bob).linear.x);
    let times = upward_crossings(&mut run, 5e-4, 3, angle);
    let exact = 4.0 * (moment / (mass * G * 0.5)).sqrt() * complete_elliptic(libm::sin(PI / 4.0));
    let measured = 0.5 * (times[2] - times[0]);
    println!("pendulum at 90 degrees: {measured}, exact {exact}, error {:.1e}", measured / exact - 1.0);
    assert!((measured / exact - 1.0).abs() < 1e-6);
}

/// Two equal point masses on rods of one metre: ω² = (2 ± √2) g/l.
#[test]
fn a_double_pendulum_has_both_of_its_modes() {
    for (sign, exact) in [(1.0, 2.397_199), (-1.0, 5.787_351)] {
        let amplitude = 1e-4;
        let place = |angle: f64| Vec3::new(libm::sin(angle), 0.0, -libm::cos(angle));
        let (one, two) = (amplitude, sign * 2.0_f64.sqrt() * amplitude);
        let first = place(one);
        let ball = |at: Vec3| Body::shapeless(1.0, Mat3::IDENTITY * 1e-7, Pose::at(at));
        let bodies = [("one", ball(first)), ("two", ball(first + place(two)))];
        let mut world = heavy(World::new(bodies, []).unwrap());
        world = joined(world, "upper", "one", None, Vec3::ZERO);
        world = joined(world, "lower", "two", Some("one"), first);
        let id = world.id("one").unwrap();
        let mut run = Simulation::new(world, Settings::default()).unwrap();
        let times =
            upward_crossings(&mut run, 1e-3, 6, |run| (run.centre(id).translation.x, run.twist(id).linear.x));
        let measured = 2.0 * PI * 5.0 / (times[5] - times[0]);
        println!("double pendulum: {measured}, exact {exact}, error {:.1e}", measured / exact - 1.0);
        assert!((measured / exact - 1.0).abs() < 1e-5);
    }
}

/// A symmetric top on its tip: I₁ W² cos θ − I₃ w₃ W + m g l = 0 has two solutions, and both are steady.
#[test]
fn a_heavy_top_precesses_steadily_at_both_rates() {
    let (mass, l, i_side, i3, theta, w3) = (1.5, 0.3, 0.02, 0.01, 0.6_f64, 250.0);
    let i1 = i_side + mass * l * l;
    let (a, b, c) = (i1 * libm::cos(theta), -i3 * w3, mass * G * l);
    let root = (b * b - 4.0 * a * c).sqrt();
    for rate in [(-b - root) / (2.0 * a), (-b + root) / (2.0 * a)] {
        let axis = Vec3::new(libm::sin(theta), 0.0, libm::cos(theta));
        // w₃ along the axis in all; the axis itself goes round the vertical.
        let omega = Vec3::Z * rate + axis * (w3 - rate * libm::cos(theta));
        let tilt = from_rotation_vector(Vec3::Y * theta);
        let inertia = Mat3::from_diagonal(Vec3::new(i_side, i_side, i3));
        let top = Body::shapeless(mass, inertia, Pose::new(tilt, axis * l))
            .with_velocity(omega.cross(axis * l))
            .with_angular_velocity(omega);
        let world = joined(heavy(World::new([("top", top)], []).unwrap()), "tip", "top", None, Vec3::ZERO);
        let id = world.id("top").unwrap();
        let mut run = Simulation::new(world, Settings::default()).unwrap();
        let (start, h, mut turned, mut last) = (energy(&run), 1e-4, 0.0, 0.0);
        let spin = |run: &Simulation| {
            let (r, twist) = (run.centre(id).translation, run.twist(id));
            let spin = run.centre(id).vector_to_body(twist.angular);
            let own = run.centre(id).vector_to_world(Vec3::new(i_side, i_side, i3) * spin);
            (mass * r.cross(twist.linear).z + own.z, i3 * spin.z)
        };
        let before = spin(&run);
        for _ in 0..5000 {
            run.step(h).unwrap();
            let place = run.centre(id).translation;
            let now = libm::atan2(place.y, place.x);
            turned += (now - last + 3.0 * PI).rem_euclid(2.0 * PI) - PI;
            last = now;
            assert!(
                (place.z / l - libm::cos(theta)).abs() < 1e-5,
                "it nods: {}",
                place.z / l - libm::cos(theta)
            );
        }
        let measured = turned / (5000.0 * h);
        println!("top: precesses at {measured}, exact {rate}, error {:.1e}", measured / rate - 1.0);
        assert!((measured / rate - 1.0).abs() < 1e-6);
        let after = spin(&run);
        println!(
            "  kept: E {:.1e}, p_phi {:.1e}, p_psi {:.1e}",
            energy(&run) / start - 1.0,
            after.0 / before.0 - 1.0,
            after.1 / before.1 - 1.0
        );
        assert!((energy(&run) / start - 1.0).abs() < 1e-6);
        assert!((after.0 / before.0 - 1.0).abs() < 1e-11 && (after.1 / before.1 - 1.0).abs() < 1e-6);
    }
}

/// A crooked body on a ball joint: three different moments, the centre of mass off every axis. Energy errors
/// are bounded and of second order; the angular momentum about the vertical through the joint is kept to
/// rounding.
#[test]
fn a_crooked_body_on_a_ball_joint_keeps_its_energy_and_its_vertical_momentum() {
    let run = |h: f64| {
        let pose = Pose::new(from_rotation_vector(Vec3::new(0.4, -0.9, 0.3)), Vec3::new(0.3, 0.1, -0.1));
        let inertia = Mat3::from_cols(
            Vec3::new(0.05, 0.01, -0.004),
            Vec3::new(0.01, 0.08, 0.006),
            Vec3::new(-0.004, 0.006, 0.06),
        );
        let body = Body::shapeless(1.2, inertia, pose)
            .with_centre(Vec3::new(0.05, -0.02, 0.03))
            .with_angular_velocity(Vec3::new(3.0, 1.0, 5.0));
        let world =
            joined(heavy(World::new([("crook", body)], []).unwrap()), "pivot", "crook", None, Vec3::ZERO);
        let id = world.id("crook").unwrap();
        let (mass, moments) = (world.body(id).unwrap().mass(), world.body(id).unwrap().moments());
        let mut run = Simulation::new(world, Settings::default()).unwrap();
        let vertical = |run: &Simulation| {
            let (pose, twist) = (run.centre(id), run.twist(id));
            let own = pose.vector_to_world(moments * pose.vector_to_body(twist.angular));
            mass * pose.translation.cross(twist.linear).z + own.z
        };
        let (start, momentum) = (energy(&run), vertical(&run));
        let (mut early, mut late, mut drift): (f64, f64, f64) = (0.0, 0.0, 0.0);
        let steps = (20.0 / h).round() as usize;
        for k in 0..steps {
            run.step(h).unwrap();
            let error = (energy(&run) - start).abs();
            if k < steps / 2 {
                early = early.max(error)
            } else {
                late = late.max(error)
            }
            drift = drift.max((vertical(&run) - momentum).abs());
        }
        (early, late, drift / momentum.abs(), start)
    };
    let (coarse, fine) = (run(2e-3), run(1e-3));
    println!(
        "crooked body: energy error {:.1e} then {:.1e} of {}, momentum {:.1e}",
        coarse.0, coarse.1, coarse.3, coarse.2
    );
    assert!(coarse.1 < 1.3 * coarse.0, "the error grows");
    assert!((coarse.0 / fine.0 - 4.0).abs() < 0.4, "order {}", libm::log2(coarse.0 / fine.0));
    assert!(coarse.2 < 1e-10 && fine.2 < 1e-10);
}

fn chain(n: usize, boxes: bool) -> World {
    let bodies = (0..n).map(|k| {
        let shape = if boxes {
            Shape::Cuboid(Cuboid::new(Vec3::new(0.18, 0.06, 0.04)).unwrap())
        } else {
            Shape::Sphere(Sphere::new(0.08).unwrap())
        };
        let body = Body::dynamic(shape, Pose::at(Vec3::new(0.1 + 0.2 * k as f64, 0.0, 0.0)));
        (format!("link {k}"), body.with_mass(0.1).without_contacts())
    });
    let mut world = heavy(World::new(bodies, []).unwrap());
    for k in 0..n {
        let other = (k > 0).then(|| format!("link {}", k - 1));
        let at = Vec3::new(0.2 * k as f64, 0.0, 0.0);
        world = joined(world, &format!("joint {k}"), &format!("link {k}"), other.as_deref(), at);
    }
    world
}

/// How far the ends of neighbours are apart, from poses alone.
fn joint_error(run: &Simulation, n: usize) -> f64 {
    let mut end = Vec3::ZERO;
    let mut worst: f64 = 0.0;
    for k in 0..n {
        let pose = run.pose(run.world().id(&format!("link {k}")).unwrap());
        worst = worst.max((pose.point_to_world(Vec3::new(-0.1, 0.0, 0.0)) - end).length());
        end = pose.point_to_world(Vec3::new(0.1, 0.0, 0.0));
    }
    worst
}

#[test]
fn a_chain_of_a_hundred_links_holds_together_and_keeps_its_energy() {
    for boxes in [false, true] {
        let mut run = Simulation::new(chain(100, boxes), Settings::default()).unwrap();
        let (mut apart, mut error): (f64, f64) = (0.0, 0.0);
        for step in 0..1200 {
            run.step(1.0 / 240.0).unwrap();
            if step % 10 == 9 {
                apart = apart.max(joint_error(&run, 100));
                error = error.max(energy(&run).abs());
            }
        }
        // Released from the horizontal, where the energy is zero: measured by what has gone into motion at
        // most.
        let fall = 100.0 * 0.1 * G * 10.0;
        println!(
            "chain (boxes: {boxes}): joints {apart:.1e} m, energy {:.1e}, at the end {:.1e}",
            error / fall,
            energy(&run) / fall
        );
        assert!(apart < 1e-10);
        assert!(error < 0.005 * fall);
        let page = &run.ledger().total;
        assert!(page.residual().abs() < 0.01 * fall && page.momentum_residual().length() < 1e-9);
    }
}

#[test]
fn a_chain_is_of_second_order() {
    let tip = |h: f64| {
        let mut run = Simulation::new(chain(6, true), Settings::default()).unwrap();
        (0..(0.8 / h).round() as usize).for_each(|_| run.step(h).unwrap());
        run.centre(run.world().id("link 5").unwrap()).translation
    };
    let exact = tip(1.0 / 15360.0);
    let errors = [1.0 / 240.0, 1.0 / 480.0, 1.0 / 960.0].map(|h| (tip(h) - exact).length());
    let slope = libm::log2(errors[0] / errors[2]) / 2.0;
    println!("chain of 6: errors {errors:?}, order {slope}");
    assert!((slope - 2.0).abs() < 0.1);
}

#[test]
fn a_chain_goes_back_the_way_it_came() {
    let mut run = Simulation::new(chain(20, true), Settings::default()).unwrap();
    let (start, h) = (run.snapshot(), 1.0 / 240.0);
    (0..120).for_each(|_| run.step(h).unwrap());
    let mut there = run.snapshot();
    for (id, _) in run.world().bodies() {
        let (v, w) = (there.get::<Velocity<ThreeD>>(id).unwrap(), there.get::<AngularVelocity>(id).unwrap());
        there.set::<Velocity<ThreeD>>(id, -v).unwrap();
        there.set::<AngularVelocity>(id, -w).unwrap();
    }
    run.restore(&there).expect("a snapshot of the same bodies");
    (0..120).for_each(|_| run.step(h).unwrap());
    let back = run.snapshot();
    run.restore(&start).expect("a snapshot of the same bodies");
    let first: Vec<Vec3> = run.world().bodies().map(|(id, _)| run.centre(id).translation).collect();
    run.restore(&back).expect("a snapshot of the same bodies");
    let miss = run.world().bodies().zip(first).map(|((id, _), r)| (run.centre(id).translation - r).length());
    let miss = miss.fold(0.0, f64::max);
    println!("chain of 20, half a second there and back: {miss:.1e} m");
    assert!(miss < 1e-7);
}

/// Factors are shared between rules and steps; a simulation that starts anew before every step has none to
/// share.
#[test]
fn what_is_kept_to_save_work_changes_no_bit() {
    let (mut one, mut other) = (
        Simulation::new(chain(5, true), Settings::default()).unwrap(),
        Simulation::new(chain(5, true), Settings::default()).unwrap(),
    );
    for _ in 0..50 {
        one.step(0.01).unwrap();
        let state = other.snapshot();
        other = Simulation::new(chain(5, true), Settings::default()).unwrap();
        other.restore(&state).expect("a snapshot of the same bodies");
        other.step(0.01).unwrap();
    }
    assert_eq!(one.snapshot().hash(), other.snapshot().hash());
}

/// A ball joint that does not say so: its group goes the general way.
#[derive(Debug)]
struct Unnamed(Point);

impl Constraint for Unnamed {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn kind(&self) -> &'static str {
        self.0.kind()
    }
    fn bodies(&self) -> (ComponentId, Option<ComponentId>) {
        self.0.bodies()
    }
    fn dimension(&self) -> usize {
        self.0.dimension()
    }
    fn rows(&self, at: &Configuration, rows: &mut Vec<Row>) {
        self.0.rows(at, rows);
    }
}

/// A ring of links, from every third of which a branch hangs, and a kinematic body that carries it: the short
/// way for ball joints and the general one move it alike.
#[test]
fn ball_joints_alone_move_as_joints_in_general() {
    let crowd = |named: bool| {
        let ring: u32 = 9;
        let place = |k: u32| {
            let angle = 2.0 * PI * f64::from(k) / f64::from(ring);
            Vec3::new(libm::cos(angle), libm::sin(angle), 0.3 * libm::sin(2.0 * angle))
        };
        let inertia = Mat3::from_diagonal(Vec3::new(0.01, 0.02, 0.015));
        let body = |at: Vec3| Body::shapeless(0.3, inertia, Pose::new(from_rotation_vector(at), at));
        let hand = Body::kinematic(Shape::Sphere(Sphere::new(0.1).unwrap()), Pose::at(place(0)))
            .without_contacts()
            .with_velocity(Vec3::new(0.3, 0.0, 0.5))
            .with_angular_velocity(Vec3::new(0.0, 1.0, 0.5));
        let mut bodies: Vec<(String, Body)> = vec![("hand".to_owned(), hand)];
        bodies.extend((0..ring).map(|k| (format!("r{k}"), body(place(k)))));
        bodies.extend((0..ring / 3).map(|k| (format!("t{k}"), body(place(3 * k) - Vec3::Z))));
        let mut world = heavy(World::new(bodies, []).unwrap());
        let mut joints = vec![("r0".to_owned(), "hand".to_owned(), place(0) * 1.1)];
        for k in 0..ring {
            let next = (k + 1) % ring;
            joints.push((format!("r{k}"), format!("r{next}"), 0.5 * (place(k) + place(next))));
        }
        joints.extend(
            (0..ring / 3).map(|k| (format!("t{k}"), format!("r{}", 3 * k), place(3 * k) - Vec3::Z * 0.5)),
        );
        for (k, (a, b, at)) in joints.iter().enumerate() {
            let (a, b) = (world.id(a).unwrap(), world.id(b).unwrap());
            let point = Point::new(Ends::at(&world, format!("j{k}"), a, b, *at).unwrap()).unwrap();
            world = if named { world.with_constraint(point) } else { world.with_constraint(Unnamed(point)) }
                .unwrap();
        }
        let mut run = Simulation::new(world, Settings::default()).unwrap();
        for _ in 0..200 {
            run.step(2e-3).unwrap();
            assert!(run.report().joints < 1e-12 && run.report().converged);
        }
        run
    };
    let (short, general) = (crowd(true), crowd(false));
    for (id, _) in short.world().bodies() {
        assert!((short.centre(id).translation - general.centre(id).translation).length() < 1e-9);
        assert!((short.twist(id).angular - general.twist(id).angular).length() < 1e-7);
    }
    for account in Account::ALL {
        let [one, two] = [&short, &general].map(|run| run.ledger().total.exchange.of(account));
        assert!((one.energy - two.energy).abs() < 1e-7, "{account:?}: {one:?} {two:?}");
        assert!((one.momentum - two.momentum).length() < 1e-7, "{account:?}: {one:?} {two:?}");
    }
}

fn rod(from: Vec3, to: Vec3) -> Body {
    let length = (to - from).length();
    let shape = Shape::Cuboid(Cuboid::new(Vec3::new(length, 0.04, 0.04)).unwrap());
    let turn = Quat::from_rotation_arc(Vec3::X, (to - from) / length);
    Body::dynamic(shape, Pose::new(turn, 0.5 * (from + to))).with_density(1000.0).without_contacts()
}

/// Crank, coupler and rocker on four parallel hinges: 20 rows where 17 would do. It stays closed, and falls
/// and swings without gaining or losing energy.
#[test]
fn a_four_bar_linkage_stays_closed() {
    let points = [Vec3::ZERO, Vec3::new(0.1, 0.0, 0.5), Vec3::new(1.0, 0.0, 0.8), Vec3::new(0.9, 0.0, 0.0)];
    let bodies = [
        ("crank", rod(points[0], points[1])),
        ("coupler", rod(points[1], points[2])),
        ("rocker", rod(points[2], points[3])),
    ];
    let mut world = heavy(World::new(bodies, []).unwrap());
    world = hinged(world, "a", "crank", None, points[0], Vec3::Y);
    world = hinged(world, "b", "coupler", Some("crank"), points[1], Vec3::Y);
    world = hinged(world, "c", "rocker", Some("coupler"), points[2], Vec3::Y);
    world = hinged(world, "d", "rocker", None, points[3], Vec3::Y);
    let (crank, rocker) = (world.id("crank").unwrap(), world.id("rocker").unwrap());
    let solution = solved(&world, &Simulation::new(world.clone(), Settings::default()).unwrap());
    assert_eq!((solution.redundant.len(), solution.conflicting.len()), (1, 0), "{:?}", solution.redundant);
    assert!(solution.converged && solution.condition > 1.0 && solution.condition < 1e6);
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    let (start, mut worst): (f64, f64) = (energy(&run), 0.0);
    let mut fastest: f64 = 0.0;
    for _ in 0..4000 {
        run.step(1e-3).unwrap();
        worst = worst.max((energy(&run) - start).abs());
        fastest = fastest.max(run.twist(crank).angular.length());
        assert!(run.report().joints < 1e-10 && run.report().converged);
    }
    // From poses alone: the rods' ends are where the hinges are.
    let end = |id: ComponentId, x: f64| run.pose(id).point_to_world(Vec3::new(x, 0.0, 0.0));
    let half = |k: usize| 0.5 * (points[k + 1] - points[k]).length();
    assert!((end(crank, -half(0))).length() < 1e-10 && (end(rocker, half(2)) - points[3]).length() < 1e-10);
    println!("four-bar linkage: energy error {:.1e} of {start}, crank up to {fastest} rad/s", worst);
    assert!(fastest > 1.0 && worst < 2e-4 * start.abs());
}

/// The forces of the constraints in the present state of a run, under gravity.
fn solved(world: &World, run: &Simulation) -> direct::Solution {
    let movers: Vec<SolverBody> = world
        .bodies()
        .map(|(id, body)| {
            let pose = run.centre(id);
            SolverBody {
                row: id.row() as u32,
                inverse: InverseMass::new(body.mass(), body.moments(), pose.rotation),
                mass: body.mass(),
                moments: body.moments(),
                pose,
                twist: run.twist(id),
                force: Twist::new(Vec3::new(0.0, 0.0, -G * body.mass()), Vec3::ZERO),
                moved: Twist::ZERO,
                shifted: Twist::ZERO,
            }
        })
        .collect();
    direct::solve(world.constraints(), &movers, run.time())
}

/// The second hinge of a door adds nothing but a name in the list; without gravity along it, the door swings
/// as with one.
#[test]
fn a_door_with_two_hinges_swings_as_with_one() {
    let door = || {
        let shape = Shape::Cuboid(Cuboid::new(Vec3::new(0.8, 0.04, 2.0)).unwrap());
        let body =
            Body::dynamic(shape, Pose::at(Vec3::new(0.4, 0.0, 1.0))).with_mass(20.0).without_contacts();
        let spun =
            body.with_angular_velocity(Vec3::new(0.0, 0.0, 1.5)).with_velocity(Vec3::new(0.0, 0.6, 0.0));
        let world = heavy(World::new([("door", spun)], []).unwrap());
        hinged(world, "upper", "door", None, Vec3::new(0.0, 0.0, 1.7), Vec3::Z)
    };
    let both = hinged(door(), "lower", "door", None, Vec3::new(0.0, 0.0, 0.3), Vec3::Z);
    let solution = solved(&both, &Simulation::new(both.clone(), Settings::default()).unwrap());
    assert_eq!(solution.redundant, ["lower"]);
    assert!(solution.conflicting.is_empty() && solution.converged);
    // The force that holds the door up is its weight.
    let total = solution.forces[0].linear;
    assert!((total.z - 20.0 * G).abs() < 1e-9, "{total}");
    let swung = |world: World| {
        let mut run = Simulation::new(world, Settings::default()).unwrap();
        (0..500).for_each(|_| run.step(0.004).unwrap());
        run.pose(run.world().id("door").unwrap())
    };
    let (one, two) = (swung(door()), swung(both));
    assert!((one.translation - two.translation).length() < 1e-10);
    // 3 rad in 2 s, but for the second-order error of the step.
    let heading = two.vector_to_world(Vec3::X);
    assert!((libm::atan2(heading.y, heading.x) - 3.0).abs() < 1e-5);
}

/// A wheel on a motor: torque / inertia until it has its speed, then that speed; the motor's work is the
/// wheel's energy.
#[test]
fn a_motor_gives_its_torque_until_it_has_its_speed() {
    let inertia = Mat3::from_diagonal(Vec3::new(0.3, 0.3, 0.5));
    let world = World::new([("wheel", Body::shapeless(3.0, inertia, Pose::IDENTITY))], []).unwrap();
    let id = world.id("wheel").unwrap();
    let hinge = Hinge::new(Ends::along(&world, "axle", id, None, Vec3::ZERO, Vec3::Z).unwrap()).unwrap();
    let motor = Motor::new("motor", hinge.coordinate().unwrap(), 6.0, 2.0).unwrap();
    let world = world.with_constraint(hinge).unwrap().with_constraint(motor).unwrap();
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    for step in 1..=1000 {
        run.step(2e-3).unwrap();
        let exact = (2.0 / 0.5 * 2e-3 * f64::from(step)).min(6.0);
        assert!(
            (run.twist(id).angular.z - exact).abs() < 1e-10,
            "{} against {exact}",
            run.twist(id).angular.z
        );
    }
    let books = run.ledger().total.exchange;
    assert!((books.of(Account::Motor).energy - 0.5 * 0.5 * 36.0).abs() < 1e-10);
    assert!(books.of(Account::Joint).energy.abs() < 1e-12);
}

/// A pendulum that falls on a stop stays there: the limit takes its energy, and only pushes.
#[test]
fn a_stop_stops_and_does_not_hold() {
    let size = Vec3::new(1.0, 0.1, 0.1);
    let body = Body::dynamic(Shape::Cuboid(Cuboid::new(size).unwrap()), Pose::at(Vec3::new(0.5, 0.0, 0.0)));
    let world = heavy(World::new([("flap", body.with_mass(1.0).without_contacts())], []).unwrap());
    let id = world.id("flap").unwrap();
    let hinge = Hinge::new(Ends::along(&world, "axle", id, None, Vec3::ZERO, Vec3::Y).unwrap()).unwrap();
    let coordinate = hinge.coordinate().unwrap();
    // Turning about y takes x down: the flap falls to the stop half a radian below.
    let stop = Limit::new("stop", coordinate, -1.0, 0.5).unwrap();
    let world = world.with_constraint(hinge).unwrap().with_constraint(stop).unwrap();
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    let mut seen = false;
    for _ in 0..500 {
        run.step(4e-3).unwrap();
        let angle = -libm::atan2(run.centre(id).translation.z, run.centre(id).translation.x);
        assert!(angle < 0.5 + 1e-9, "{angle}");
        seen |= angle > 0.5 - 1e-6;
    }
    assert!(seen && run.twist(id).angular.length() < 1e-9, "{}", run.twist(id).angular);
    let lost = run.ledger().total.exchange.of(Account::Joint).energy;
    // The instant of the stop is known to the step, and the work of gravity with it.
    assert!((lost - energy(&run)).abs() < 4e-3 * G, "the stop took {lost} of {}", energy(&run));
    // Thrown upwards it leaves the stop freely.
    let mut state = run.snapshot();
    let upwards = Vec3::new(0.0, -1.0, 0.0);
    state.set::<AngularVelocity>(id, Quantity::new(upwards)).unwrap();
    state.set::<Velocity<ThreeD>>(id, Quantity::new(upwards.cross(run.centre(id).translation))).unwrap();
    run.restore(&state).expect("a snapshot of the same bodies");
    run.step(4e-3).unwrap();
    assert!(
        (run.twist(id).angular.y - (-1.0 + 4e-3 * G * 0.5 * libm::cos(0.5) / (0.25 + (0.25 + 0.0025) / 3.0)))
            .abs()
            < 1e-3
    );
}

/// A kinematic crank that turns a pendulum's pivot: what the pendulum gains is work of whoever turns the
/// crank.
#[test]
fn work_of_a_kinematic_body_is_booked_to_the_motor() {
    let ball = || Shape::Sphere(Sphere::new(0.1).unwrap());
    let shaft = Body::kinematic(ball(), Pose::IDENTITY)
        .without_contacts()
        .with_angular_velocity(Vec3::new(0.0, 2.0, 0.0));
    let bob = Body::dynamic(ball(), Pose::at(Vec3::new(0.3, 0.0, -1.0))).with_mass(1.0).without_contacts();
    let world = heavy(World::new([("bob", bob), ("shaft", shaft)], []).unwrap());
    let world = joined(world, "pin", "bob", Some("shaft"), Vec3::new(0.3, 0.0, 0.0));
    let (bob, shaft) = (world.id("bob").unwrap(), world.id("shaft").unwrap());
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    let start = energy(&run);
    for _ in 0..1000 {
        run.step(1e-3).unwrap();
    }
    let pin = run.pose(shaft).point_to_world(Vec3::new(0.3, 0.0, 0.0));
    assert!(((run.pose(bob).point_to_world(Vec3::new(0.0, 0.0, 1.0))) - pin).length() < 1e-11);
    let (gained, page) = (energy(&run) - start, &run.ledger().total);
    let work = page.exchange.of(Account::Motor).energy;
    println!("crank: gained {gained}, work {work}, joint {:.1e}", page.exchange.of(Account::Joint).energy);
    assert!(gained.abs() > 0.5 && (work - gained).abs() < 1e-4 * gained.abs().max(1.0));
    assert!(page.residual().abs() < 1e-4 && page.momentum_residual().length() < 1e-10);
}

#[test]
fn joints_that_nearly_hold_are_closed_and_others_refused() {
    let world = |gap: f64| {
        let ball = |x: f64| Body::shapeless(1.0, Mat3::IDENTITY * 0.1, Pose::at(Vec3::new(x, 0.0, 0.0)));
        let world = World::new([("a", ball(0.0)), ("b", ball(1.0 + gap))], []).unwrap();
        let (a, b) = (world.id("a").unwrap(), world.id("b").unwrap());
        let points = [Vec3::new(0.5, 0.0, 0.0), Vec3::new(0.5 + gap, 0.0, 0.0)];
        let ends = Ends::spanning(&world, "link", a, b, points).unwrap();
        world.with_constraint(Point::new(ends).unwrap()).unwrap()
    };
    let run = Simulation::new(world(5e-4), Settings::default()).unwrap();
    let [a, b] = ["a", "b"].map(|name| run.pose(run.world().id(name).unwrap()));
    // Equal bodies give way by half each; the anchors meet half way.
    assert!((a.translation.x - 2.5e-4).abs() < 1e-15 && (b.translation.x - 1.0 - 2.5e-4).abs() < 1e-12);
    for gap in [0.01, 1000.0, -3.0] {
        let refused = Simulation::new(world(gap), Settings::default()).unwrap_err();
        let RigidError::DoesNotHold { joint, error, unit } = refused else { panic!("{refused}") };
        assert_eq!((joint.as_str(), unit), ("link", "m"));
        assert!((error - gap.abs()).abs() < 1e-9);
    }
}

/// Velocities that tear at a joint lose just that part at the start: the ball joint of two equal balls.
#[test]
fn motions_that_tear_at_a_joint_are_projected_at_the_start() {
    let ball = |x: f64, v: f64| {
        let body = Body::shapeless(1.0, Mat3::IDENTITY * 0.1, Pose::at(Vec3::new(x, 0.0, 0.0)));
        body.with_velocity(Vec3::new(v, 0.0, 0.0))
    };
    let world = World::new([("a", ball(0.0, 3.0)), ("b", ball(1.0, -1.0))], []).unwrap();
    let world = joined(world, "link", "a", Some("b"), Vec3::new(0.5, 0.0, 0.0));
    let run = Simulation::new(world, Settings::default()).unwrap();
    for name in ["a", "b"] {
        let twist = run.twist(run.world().id(name).unwrap());
        assert!((twist.linear - Vec3::X).length() < 1e-14 && twist.angular == Vec3::ZERO);
    }
}

/// A quarter turn in a quarter of the period of a spinning bar on a hinge: fast rotations are followed at any
/// step.
#[test]
fn a_fast_bar_turns_at_its_rate_at_any_step() {
    let bar = rod(Vec3::ZERO, Vec3::X).with_angular_velocity(Vec3::new(0.0, 0.0, 200.0));
    let bar = bar.with_velocity(Vec3::new(0.0, 100.0, 0.0));
    let world = World::new([("bar", bar)], []).unwrap();
    let world = hinged(world, "axle", "bar", None, Vec3::ZERO, Vec3::Z);
    let id = world.id("bar").unwrap();
    let mut run = Simulation::new(world, Settings::default()).unwrap();
    for _ in 0..200 {
        run.step(FRAC_PI_2 / 200.0).unwrap();
        assert!(run.report().joints < 1e-9, "{}", run.report().joints);
    }
    assert!((run.twist(id).angular.length() - 200.0).abs() < 1e-6, "{}", run.twist(id).angular);
}

//! Contacts that last: what stands, stands; what slides, stops where it must; loads are what is on top.
//!
//! All cases have closed forms (ACCURACY rows 1 to 4, 12 to 15), and all run in the default settings.

use gedanken_dynamics::ComponentId;
use gedanken_dynamics::laws::UniformGravity;
use gedanken_geometry::{Cuboid, HalfSpace, Shape, Sphere};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_rigid::{Account, Body, Material, Settings, Simulation, World};

const G: f64 = 9.81;
const H: f64 = 1.0 / 240.0;

fn ground() -> Body {
    Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), Pose::IDENTITY)
}

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

fn ball(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

/// Gravity as seen from a slope that falls towards +x.
fn on_slope(angle: f64) -> Vec3 {
    Vec3::new(libm::sin(angle), 0.0, -libm::cos(angle)) * G
}

/// A world in which everything is made of one material with this friction.
fn run(bodies: Vec<(String, Body)>, friction: f64, gravity: Vec3) -> Simulation {
    let material = Material::new("stuff", 0.0, friction).unwrap();
    let bodies = bodies.into_iter().map(|(name, body)| (name, body.with_material("stuff")));
    let world = World::new(bodies, [material]).unwrap();
    let world = world.with_laws(UniformGravity::new(Quantity::new(gravity)));
    Simulation::new(world, Settings::default()).unwrap()
}

fn advance(run: &mut Simulation, seconds: f64) {
    for _ in 0..(seconds / H).round() as usize {
        run.step(H).unwrap();
    }
}

fn place(run: &Simulation, name: &str) -> Vec3 {
    run.pose(run.world().id(name).unwrap()).translation
}

fn one_on_ground(body: Body) -> Vec<(String, Body)> {
    vec![("ground".into(), ground()), ("body".into(), body)]
}

fn tower(count: usize, mass: impl Fn(usize) -> f64) -> Vec<(String, Body)> {
    let mut bodies = vec![("ground".into(), ground())];
    for k in 0..count {
        let pose = Pose::at(Vec3::new(0.0, 0.0, k as f64 + 0.5));
        bodies.push((format!("box {k}"), Body::dynamic(cuboid(1.0, 1.0, 1.0), pose).with_mass(mass(k))));
    }
    bodies
}

/// The force between two bodies in the last step, upwards on the upper one.
fn force_between(run: &Simulation, lower: &str, upper: &str) -> f64 {
    let row = |name: &str| run.world().id(name).unwrap().row() as u32;
    let (lower, upper) = (row(lower), row(upper));
    let between =
        run.contacts().touches.iter().filter(|it| (it.a, it.b) == (lower.min(upper), lower.max(upper)));
    let sign = if lower < upper { 1.0 } else { -1.0 };
    between.map(|touch| touch.impulse().z * sign / H).sum()
}

#[test]
fn towers_stand_and_carry_what_is_on_top() {
    for count in [10, 20, 50] {
        let mut run = run(tower(count, |_| 1.0), 0.5, Vec3::Z * -G);
        advance(&mut run, if count == 50 { 0.5 } else { 1.0 });
        for k in 0..count {
            let at = place(&run, &format!("box {k}"));
            assert!(libm::hypot(at.x, at.y) < 1e-9, "box {k} of {count} drifted to {at}");
            assert!((at.z - (k as f64 + 0.5)).abs() < 1e-6, "box {k} of {count} sank to {}", at.z);
            let below = if k == 0 { "ground".into() } else { format!("box {}", k - 1) };
            let load = force_between(&run, &below, &format!("box {k}")) / ((count - k) as f64 * G);
            assert!((load - 1.0).abs() < 1e-6, "level {k} of {count} carries {load} of its load");
        }
        assert!(run.report().converged && run.report().signorini < 1e-9);
    }
}

/// The energy of cubes of one kilogram and one metre, whose moments of inertia are 1/6 kg m².
fn energy(run: &Simulation, names: &[String]) -> f64 {
    let each = |name: &String| {
        let twist = run.twist(run.world().id(name).unwrap());
        let kinetic = 0.5 * twist.linear.length_squared() + twist.angular.length_squared() / 12.0;
        kinetic + G * place(run, name).z
    };
    names.iter().map(each).sum()
}

#[test]
fn boxes_that_fall_on_each_other_come_to_rest() {
    for count in [2, 3, 4, 6, 8, 12, 16] {
        let names: Vec<String> = (0..count).map(|k| format!("box {k}")).collect();
        let mut bodies = vec![("ground".into(), ground())];
        for (k, name) in names.iter().enumerate() {
            let aside = 0.08 * [0.3, -0.9, 0.7, -0.2][k % 4];
            let pose = Pose::at(Vec3::new(aside, -0.5 * aside, 0.7 + 1.3 * k as f64));
            bodies.push((name.clone(), Body::dynamic(cuboid(1.0, 1.0, 1.0), pose).with_mass(1.0)));
        }
        let mut run = run(bodies, 0.5, Vec3::Z * -G);
        let mut before = energy(&run, &names);
        for _ in 0..480 {
            run.step(H).unwrap();
            let now = energy(&run, &names);
            assert!(now <= before + 1e-3, "{count} boxes gain {} J", now - before);
            before = now;
        }
        assert!(run.report().converged, "{count} boxes: {:?}", run.report());
        for (k, name) in names.iter().enumerate() {
            let off = place(&run, name).z - (k as f64 + 0.5);
            assert!(off.abs() < 1e-3, "{name} of {count} is {off} m from where it belongs");
            let speed = run.twist(run.world().id(name).unwrap()).linear.length();
            assert!(speed < 1e-6, "{name} of {count} moves with {speed} m/s");
        }
        let load = force_between(&run, "ground", "box 0");
        assert!((load / (G * count as f64) - 1.0).abs() < 1e-6, "{count} boxes weigh {load} N");
    }
}

#[test]
fn a_heavy_box_stands_on_a_light_one() {
    for ratio in [1e3, 1e6] {
        let mut run = run(tower(2, |k| if k == 0 { 1.0 } else { ratio }), 0.5, Vec3::Z * -G);
        advance(&mut run, 1.0);
        assert!((place(&run, "box 1").z - 1.5).abs() < 1e-4);
        assert!((force_between(&run, "ground", "box 0") / ((ratio + 1.0) * G) - 1.0).abs() < 1e-6);
    }
}

#[test]
fn a_box_at_rest_on_a_slope_does_not_creep() {
    let body = Body::dynamic(cuboid(1.0, 0.8, 0.5), Pose::at(Vec3::Z * 0.25)).with_density(1.0);
    let mut run = run(one_on_ground(body), 0.5, on_slope(0.45));
    advance(&mut run, 10.0);
    let off = place(&run, "body") - Vec3::Z * 0.25;
    assert!(off.length() < 1e-9, "{off}");
}

#[test]
fn friction_stops_a_box_after_the_same_way_in_all_directions() {
    let (speed, mu) = (3.0, 0.3);
    for k in 0..12 {
        let (sin, cos) = libm::sincos(0.1 + f64::from(k) * std::f64::consts::FRAC_PI_6);
        let along = Vec3::new(cos, sin, 0.0);
        let body = Body::dynamic(cuboid(1.0, 0.8, 0.5), Pose::at(Vec3::Z * 0.25)).with_density(1.0);
        let mut run = run(one_on_ground(body.with_velocity(along * speed)), mu, Vec3::Z * -G);
        advance(&mut run, 1.3);
        let off = place(&run, "body") - Vec3::Z * 0.25;
        let way = speed * speed / (2.0 * mu * G);
        assert!((off - along * way).length() < 1e-4 * way, "direction {k}: {off}");
        let lost = run.ledger().total.exchange.of(Account::Friction).energy;
        assert!((lost + 0.5 * 0.4 * speed * speed).abs() < 1e-6, "friction took {lost} J");
    }
}

#[test]
fn a_box_sent_up_a_slope_stops_where_it_must() {
    let (speed, mu, angle) = (3.0, 0.6, 0.3);
    let body = Body::dynamic(cuboid(1.0, 0.8, 0.2), Pose::at(Vec3::Z * 0.1)).with_density(1.0);
    let mut run = run(one_on_ground(body.with_velocity(-Vec3::X * speed)), mu, on_slope(angle));
    advance(&mut run, 1.0);
    let way = speed * speed / (2.0 * G * (libm::sin(angle) + mu * libm::cos(angle)));
    assert!((place(&run, "body").x + way).abs() < 1e-4 * way);
}

#[test]
fn a_sphere_rolls_down_a_slope() {
    let angle = 15.0_f64.to_radians();
    let body = Body::dynamic(ball(0.1), Pose::at(Vec3::Z * 0.1)).with_mass(0.1);
    let mut run = run(one_on_ground(body), 0.5, on_slope(angle));
    advance(&mut run, 1.0);
    let acceleration = G * libm::sin(angle) / 1.4;
    assert!((run.twist(run.world().id("body").unwrap()).linear.x - acceleration).abs() < 1e-6);
    assert!((place(&run, "body").x - 0.5 * acceleration).abs() < 1e-5);
    let friction = run.contacts().touches[0].points()[0].friction_impulse.length() / H;
    assert!((friction / (0.1 * G * libm::sin(angle) * 0.4 / 1.4) - 1.0).abs() < 1e-6);
}

#[test]
fn a_sphere_slides_and_then_rolls() {
    let (speed, mu) = (5.0, 0.3);
    let body =
        Body::dynamic(ball(0.1), Pose::at(Vec3::Z * 0.1)).with_mass(0.1).with_velocity(Vec3::X * speed);
    let mut run = run(one_on_ground(body), mu, Vec3::Z * -G);
    let (turn, rolling) = (speed * 0.4 / (mu * G * 1.4), speed / 1.4);
    let id = run.world().id("body").unwrap();
    let slip = |run: &Simulation| run.twist(id).linear.x - 0.1 * run.twist(id).angular.y;
    while run.time() < turn - H {
        run.step(H).unwrap();
        assert!((slip(&run) - (speed - 3.5 * mu * G * run.time())).abs() < 1e-9);
    }
    advance(&mut run, 0.5);
    assert!(slip(&run).abs() < 1e-9);
    assert!((run.twist(id).linear.x - rolling).abs() < 1e-9);
    let way = speed * turn - 0.5 * mu * G * turn * turn + rolling * (run.time() - turn);
    assert!((place(&run, "body").x - way).abs() < 1e-5);
}

/// Ten bricks, each beyond the one below by its share of half a length times the harmonic number.
fn overhang(part: f64) -> Simulation {
    let table = Body::fixed(cuboid(10.0, 2.0, 1.0), Pose::at(Vec3::new(-5.0, 0.0, -0.5)));
    let mut bodies = vec![("table".into(), table)];
    let mut x = -0.5;
    for k in 0..10 {
        x += part * 0.5 / f64::from(10 - k);
        let pose = Pose::at(Vec3::new(x, 0.0, 0.25 * (f64::from(k) + 0.5)));
        bodies.push((format!("brick {k}"), Body::dynamic(cuboid(1.0, 0.5, 0.25), pose).with_density(1.0)));
    }
    run(bodies, 0.5, Vec3::Z * -G)
}

#[test]
fn an_overhang_topples_beyond_the_harmonic_number_and_not_before() {
    let height = 0.25 * 9.5;
    let mut stands = overhang(0.999);
    advance(&mut stands, 2.0);
    assert!((place(&stands, "brick 9").z - height).abs() < 1e-6);
    let mut topples = overhang(1.001);
    advance(&mut topples, 2.0);
    assert!(place(&topples, "brick 9").z < height - 0.1);
}

#[test]
fn a_box_on_a_slope_topples_when_its_weight_passes_the_edge() {
    let (base, height) = (0.5, 1.0);
    for (part, topples) in [(0.999, false), (1.001, true)] {
        let angle = libm::atan(part * base / height);
        let body = Body::dynamic(cuboid(base, 0.5, height), Pose::at(Vec3::Z * 0.5)).with_density(1.0);
        let mut run = run(one_on_ground(body), 2.0, on_slope(angle));
        advance(&mut run, 4.0);
        assert_eq!(place(&run, "body").z < 0.45, topples, "at {part} of the threshold");
    }
}

#[test]
fn a_box_slides_when_the_slope_is_steeper_than_its_friction() {
    for (part, slides) in [(0.999, false), (1.001, true)] {
        let body = Body::dynamic(cuboid(1.0, 0.8, 0.2), Pose::at(Vec3::Z * 0.1)).with_density(1.0);
        let mut run = run(one_on_ground(body), 0.5, on_slope(libm::atan(part * 0.5)));
        advance(&mut run, 2.0);
        let x = place(&run, "body").x;
        assert!(if slides { x > 5e-3 } else { x.abs() < 1e-7 }, "at {part} of the threshold: {x} m");
    }
}

#[test]
fn a_pyramid_stands_and_hardly_overlaps() {
    let rows = 20;
    let mut bodies = vec![("ground".into(), ground())];
    for row in 0..rows {
        for k in 0..rows - row {
            let at = Vec3::new(k as f64 + 0.5 * row as f64, 0.0, row as f64 + 0.5);
            let body = Body::dynamic(cuboid(1.0, 1.0, 1.0), Pose::at(at)).with_density(1.0);
            bodies.push((format!("box {row} {k}"), body));
        }
    }
    let mut run = run(bodies, 0.5, Vec3::Z * -G);
    advance(&mut run, 1.0);
    for row in 0..rows {
        for k in 0..rows - row {
            let z = place(&run, &format!("box {row} {k}")).z;
            let below = if row == 0 { -0.5 } else { place(&run, &format!("box {} {k}", row - 1)).z };
            assert!(z - below > 1.0 - 1e-3, "box {row} {k} overlaps by {}", 1.0 - (z - below));
            assert!(z > row as f64 + 0.5 - 1e-2, "box {row} {k} sank to {z}");
        }
    }
}

/// Some towers of turned boxes and some balls that fall onto each other: many islands, impacts, slides.
fn rubble() -> Simulation {
    let mut bodies = vec![("ground".into(), ground())];
    for tower in 0..12 {
        for k in 0..6 {
            let turn = Quat::from_xyzw(0.1 * f64::from(k), 0.05 * f64::from(tower), 0.2, 1.0).normalize();
            let at = Vec3::new(3.0 * f64::from(tower), 0.1 * f64::from(k % 3), 1.0 + 1.4 * f64::from(k));
            let shape = if k % 3 == 2 { ball(0.5) } else { cuboid(1.0, 0.8, 0.6) };
            bodies.push((
                format!("body {tower} {k}"),
                Body::dynamic(shape, Pose::new(turn, at)).with_density(1.0),
            ));
        }
    }
    run(bodies, 0.5, Vec3::Z * -G)
}

#[test]
fn threads_leave_no_trace() {
    let bits = |threads: usize| -> Vec<u64> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut run = rubble();
            advance(&mut run, 1.0);
            let ids: Vec<ComponentId> = run.world().bodies().map(|(id, _)| id).collect();
            let numbers = ids.iter().flat_map(|&id| {
                let (pose, twist) = (run.pose(id), run.twist(id));
                [pose.translation, twist.linear, twist.angular].into_iter().flat_map(|v| v.to_array())
            });
            numbers.map(f64::to_bits).collect()
        })
    };
    assert_eq!(bits(1), bits(2));
}

#[test]
fn every_joule_of_a_collapse_has_an_owner() {
    let mut run = rubble();
    for _ in 0..240 {
        run.step(H).unwrap();
        let report = run.report();
        assert!(report.cone < 1e-9, "{report:?}");
    }
    // What nobody owns is the error of turning bodies that are not round, by steps.
    let gedanken_rigid::LedgerPage { exchange, .. } = &run.ledger().total;
    let lost = exchange.of(Account::Normal).energy + exchange.of(Account::Friction).energy;
    assert!(run.ledger().total.residual().abs() < 1e-3 * lost.abs(), "{}", run.ledger().total.residual());
    assert!(run.ledger().total.momentum_residual().length() < 1e-9);
    assert!(exchange.of(Account::Friction).energy < 0.0);
    assert!(exchange.of(Account::Normal).energy < 0.0);
}

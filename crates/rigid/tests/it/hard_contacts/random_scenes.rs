//! Random small scenes of all shapes, with friction up to 2, restitution and joints: properties that hold in every
//! step, computed from poses, velocities and the impulses that are told.

use crate::support::{Numbers, at, cuboid, energies, gravity, ground, simulation, sphere};
use gedanken_dynamics::ComponentId;
use gedanken_geometry::{Capsule, Cone, ConvexHull, Cylinder, Shape};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::joints::{Ends, Hinge, Limit, Point};
use gedanken_rigid::{Account, Body, Material, Settings, Simulation, World};

const H: f64 = 1.0 / 240.0;
/// Number of scenes, by seed.
const SCENES: u64 = 50;

/// A scene, and the smallest size of its bodies.
struct Scene {
    run: Simulation,
    smallest: f64,
}

fn shape(numbers: &mut Numbers) -> (Shape, f64) {
    let mut size = || numbers.between(0.2, 0.6);
    let (x, y, z) = (size(), size(), size());
    let least = x.min(y).min(z);
    match numbers.below(6) {
        0 => (cuboid(x, y, z), least),
        1 => (sphere(0.5 * x), x),
        2 => (Shape::Capsule(Capsule::new(0.5 * least, 0.5 * x.max(y)).unwrap()), least),
        3 => (Shape::Cylinder(Cylinder::new(0.5 * x, 0.5 * y).unwrap()), x.min(y)),
        4 => (Shape::Cone(Cone::new(0.5 * x, y).unwrap()), x.min(y)),
        _ => {
            let points: Vec<Vec3> = (0..10).map(|_| numbers.vector(0.4)).collect();
            match ConvexHull::new(&points) {
                Ok(hull) => (Shape::Hull(std::sync::Arc::new(hull)), 0.3),
                Err(_) => (cuboid(x, y, z), least),
            }
        }
    }
}

fn scene(seed: u64, jointed: bool) -> Scene {
    let mut numbers = Numbers::new(seed);
    let count = 2 + numbers.below(11);
    let friction = numbers.between(0.0, 2.0);
    let restitution = if numbers.next() < 0.5 { 0.0 } else { numbers.next() };
    let mut bodies = vec![("ground".to_owned(), ground().with_material("stuff"))];
    let mut smallest = f64::INFINITY;
    for k in 0..count {
        let (shape, size) = shape(&mut numbers);
        smallest = smallest.min(size);
        let place =
            at(numbers.between(-0.4, 0.4), numbers.between(-0.4, 0.4), 0.7 + 1.2 * k as f64).translation;
        let pose = Pose::new(from_rotation_vector(numbers.vector(2.0)), place);
        let body = Body::dynamic(shape, pose).with_density(numbers.between(200.0, 2000.0));
        let body = body.with_velocity(numbers.vector(1.0)).with_angular_velocity(numbers.vector(3.0));
        bodies.push((format!("body {k}"), body.with_material("stuff")));
    }
    let world = World::new(bodies, [Material::new("stuff", restitution, friction).unwrap()]).unwrap();
    let mut world = world.with_laws(gravity());
    if jointed {
        let ids: Vec<ComponentId> = (0..count).map(|k| world.id(&format!("body {k}")).unwrap()).collect();
        for pair in ids.windows(2).step_by(2) {
            world = joined(world, pair, &mut numbers);
        }
    }
    Scene { run: simulation(world, Settings::default()), smallest }
}

/// The world with a ball joint, or a hinge with a limit, half way between two bodies.
fn joined(world: World, pair: &[ComponentId], numbers: &mut Numbers) -> World {
    let place = |id: ComponentId| world.body(id).unwrap().principal_pose().translation;
    let middle = (place(pair[0]) + place(pair[1])) * 0.5;
    let name = format!("joint {}", pair[0].row());
    let axis = (numbers.vector(1.0) + Vec3::X * 0.1).normalize();
    let ends = Ends::along(&world, name.as_str(), pair[0], Some(pair[1]), middle, axis).unwrap();
    if numbers.next() < 0.5 {
        return world.with_constraint(Point::new(ends).unwrap()).unwrap();
    }
    let hinge = Hinge::new(ends).unwrap();
    let limit = Limit::new(format!("limit of {name}"), hinge.angle(), -0.8, 0.8).unwrap();
    world.with_constraint(hinge).unwrap().with_constraint(limit).unwrap()
}

/// The largest energy so far, from which E* is computed.
#[derive(Default)]
struct Energies {
    kinetic: f64,
    low: f64,
    high: f64,
}

impl Energies {
    fn note(&mut self, [kinetic, potential]: [f64; 2]) -> f64 {
        self.kinetic = self.kinetic.max(kinetic);
        self.low = self.low.min(potential);
        self.high = self.high.max(potential);
        self.kinetic + self.high - self.low
    }
}

/// The natural map of De Saxcé for impulses and velocities at the end of the step, over the largest impulse.
fn natural_map(run: &Simulation) -> f64 {
    let bodies: Vec<(u32, ComponentId)> = run.world().bodies().map(|(id, _)| (id.row() as u32, id)).collect();
    let id = |row: u32| bodies.iter().find(|(other, _)| *other == row).unwrap().1;
    let substeps = f64::from(run.settings().substeps);
    let (mut largest, mut worst) = (0.0f64, 0.0f64);
    for touch in run.contacts().touches.iter() {
        let [a, b] = [touch.a, touch.b].map(|row| run.twist(id(row)));
        let inverse = |row: u32| {
            let body = run.world().body(id(row)).unwrap();
            if body.mass() > 0.0 { 1.0 / body.mass() } else { 0.0 }
        };
        let rho = 1.0 / (inverse(touch.a) + inverse(touch.b));
        let n = touch.normal;
        for point in touch.points() {
            let half = n * (0.5 * point.gap);
            let u = b.at(point.arm_b - half) - a.at(point.arm_a + half);
            let lambda = (n * point.normal_impulse + point.friction_impulse) / substeps;
            let slide = u - n * u.dot(n);
            let allowed = point.gap.max(0.0) * substeps / H;
            let y = lambda - (u + n * (allowed + touch.friction * slide.length())) * rho;
            let (yn, yt) = (y.dot(n), y - n * y.dot(n));
            let t = yt.length();
            let projected = if t <= touch.friction * yn {
                y
            } else if touch.friction * t <= -yn {
                Vec3::ZERO
            } else {
                let normal = (yn + touch.friction * t) / (1.0 + touch.friction * touch.friction);
                n * normal + yt * (touch.friction * normal / t)
            };
            worst = worst.max((lambda - projected).length());
            largest = largest.max(lambda.length());
        }
    }
    if worst == 0.0 { 0.0 } else { worst / largest }
}

/// Findings over a scene.
#[derive(Default)]
struct Findings {
    problems: Vec<String>,
    /// Steps in contact, and those of them that converged.
    contact: usize,
    converged: usize,
}

/// Looks at a scene over so many steps.
fn examine(seed: u64, jointed: bool, steps: usize) -> Findings {
    let Scene { mut run, smallest } = scene(seed, jointed);
    let mut found = Findings::default();
    let mut last = energies(&run);
    let mut scale = Energies { low: last[1], high: last[1], kinetic: last[0] };
    for step in 0..steps {
        run.step(H).unwrap_or_else(|fault| panic!("seed {seed}, step {step}: {fault}"));
        let now = energies(&run);
        let unit = scale.note(now);
        // What had sunk and is lifted again has an account of its own.
        let lifted = run.ledger().step.exchange.of(Account::Stabilisation).energy.max(0.0);
        let gain = (now[0] + now[1] - last[0] - last[1] - lifted) / unit;
        if gain > 1e-6 || !gain.is_finite() {
            found.problems.push(format!("seed {seed}, step {step}: gains {gain:e} of E*"));
        }
        last = now;
        let report = run.report();
        if report.points == 0 {
            continue;
        }
        found.contact += 1;
        if report.overlap > 0.25 * smallest {
            found
                .problems
                .push(format!("seed {seed}, step {step}: overlap {:e} of {smallest}", report.overlap));
        }
        if report.converged {
            found.converged += 1;
            let off = natural_map(&run);
            if off > 1e-6 {
                found.problems.push(format!("seed {seed}, step {step}: converged, but {off:e}: {report:?}"));
            }
        }
    }
    found
}

/// Looks at all scenes.
fn examine_all(jointed: bool) -> Findings {
    let mut all = Findings::default();
    for seed in 0..SCENES {
        let found = examine(seed, jointed, 300);
        all.problems.extend(found.problems);
        all.contact += found.contact;
        all.converged += found.converged;
    }
    all
}

#[test]
fn random_scenes_gain_nothing_and_tell_whether_they_converged() {
    let found = examine_all(false);
    assert!(found.problems.is_empty(), "{}", found.problems.join("\n"));
    assert!(found.converged * 20 > found.contact, "{} of {}", found.converged, found.contact);
}

#[test]
fn random_jointed_scenes_tell_whether_they_converged() {
    let found = examine_all(true);
    // Joints oscillate in energy, and contacts of bodies with joints are not bounded.
    let problems: Vec<String> = found.problems.into_iter().filter(|it| !it.contains("gains")).collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

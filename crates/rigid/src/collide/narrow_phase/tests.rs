//! Finding contacts, broad and narrow: nothing that meets is missed, and what is found is where it is.

use super::{ImpactCandidates, TouchChanges};
use crate::collide::broad_phase;
use crate::collide::broad_phase::Candidates;
use crate::collide::contact_table::{Contacts, Touch};
use crate::step::free_motion;
use crate::step::start::start_rule;
use crate::world::solver_body::{SolverBodies, SolverBody};
use crate::{Body, BodyKind, Curve, Material, Settings, World};
use gedanken_dynamics::laws::UniformGravity;
use gedanken_dynamics::{Fault, Mechanics, Moves as _, Position, Scratch, State, ThreeD, Workflow, seq};
use gedanken_geometry::narrow::{self, Distance};
use gedanken_geometry::{Capsule, Compound, Cuboid, Cylinder, HalfSpace, Part, Shape, Sphere, TriangleMesh};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3, rotation};
use std::collections::BTreeSet;
use std::sync::Arc;

const G: Vec3 = Vec3::new(0.0, 0.0, -9.81);

/// A stream of numbers (splitmix64).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }
    fn vector(&mut self, half: f64) -> Vec3 {
        Vec3::new(self.unit() - 0.5, self.unit() - 0.5, self.unit() - 0.5) * (2.0 * half)
    }
    fn pose(&mut self, half: f64) -> Pose {
        Pose::new(rotation::from_rotation_vector(self.vector(3.0)).normalize(), self.vector(half))
    }
    fn shape(&mut self) -> Shape {
        let (p, q) = (0.1 + 0.2 * self.unit(), 0.1 + 0.3 * self.unit());
        match (self.unit() * 5.0) as u32 {
            0 => Shape::Sphere(Sphere::new(p).unwrap()),
            1 => Shape::Cuboid(Cuboid::new(Vec3::new(p, q, 0.3)).unwrap()),
            2 => Shape::Capsule(Capsule::new(0.5 * p, q).unwrap()),
            3 => Shape::Cylinder(Cylinder::new(p, q).unwrap()),
            _ => {
                let ball = Shape::Sphere(Sphere::new(p).unwrap());
                let part = |x: f64| Part { shape: ball.clone(), pose: Pose::at(Vec3::X * x), density: 1.0 };
                Shape::Compound(Arc::new(Compound::new(vec![part(-q), part(2.0 * q)]).unwrap()))
            }
        }
    }
}

/// The step up to the contacts; nothing moves.
struct Finder {
    workflow: Workflow,
    scratch: Scratch,
    state: State,
}

impl Finder {
    fn new(world: World, settings: Settings) -> Self {
        let state = world.start().unwrap();
        let (world, settings) = (Arc::new(world), Arc::new(settings));
        let mechanics = Mechanics::<ThreeD>::new(world.model(), world.laws().clone()).unwrap();
        let find = seq![broad_phase::rule(&world, &settings), super::rule(&world, &settings)];
        let flow = seq![mechanics.forces(), start_rule(), find];
        let workflow = flow.build(world.model()).unwrap();
        let scratch = workflow.scratch();
        Self { workflow, scratch, state }
    }
    fn find(&mut self, h: f64) -> Result<(), Fault> {
        self.workflow.step(&mut self.state, &mut self.scratch, Quantity::new(h)).map(|_| ())
    }
    fn candidates(&self) -> &[(u32, u32)] {
        &self.workflow.transient_table::<Candidates>(&self.scratch).unwrap().pairs
    }
    fn left(&self) -> &[(u32, u32)] {
        &self.workflow.transient_table::<ImpactCandidates>(&self.scratch).unwrap().pairs
    }
    fn movers(&self) -> &[SolverBody] {
        &self.workflow.transient_table::<SolverBodies>(&self.scratch).unwrap().bodies
    }
    fn touches(&self) -> &[Touch] {
        &self.state.table::<Contacts>().unwrap().touches
    }
}

/// Forty bodies of all kinds over a floor, beside a wall and on a mesh, most of them flying and turning.
fn scene(seed: u64, speed: f64) -> World {
    let mut random = Random(seed);
    let mut bodies = Vec::new();
    for k in 0..40 {
        let (shape, pose) = (random.shape(), random.pose(1.2));
        let body = match k % 8 {
            0 => Body::fixed(shape, pose),
            1 => Body::kinematic(shape, pose),
            _ => Body::dynamic(shape, pose).with_density(1000.0),
        };
        let moving =
            body.with_velocity(random.vector(speed)).with_angular_velocity(random.vector(4.0 * speed));
        bodies.push((format!("body {k}"), moving));
    }
    let plane = |n: Vec3, d: f64| Shape::HalfSpace(HalfSpace::new(n, d).unwrap());
    bodies.push(("floor".to_owned(), Body::fixed(plane(Vec3::Z, -0.8), random.pose(0.1))));
    let wall = Body::kinematic(plane(Vec3::new(1.0, 0.2, 0.0), -0.9), Pose::IDENTITY);
    bodies.push(("wall".to_owned(), wall.with_velocity(Vec3::X).with_angular_velocity(Vec3::Y * 0.3)));
    let corners = vec![Vec3::new(-2.0, -2.0, 0.0), Vec3::X * 2.0, Vec3::Y * 2.0, Vec3::new(1.0, 1.0, 0.4)];
    let mesh = TriangleMesh::new(corners, vec![[0, 1, 2], [1, 3, 2]]).unwrap();
    bodies.push(("hill".to_owned(), Body::fixed(Shape::Mesh(Arc::new(mesh)), Pose::at(Vec3::Z * -0.3))));
    let world = World::new(bodies, []).unwrap().with_laws(UniformGravity::new(Quantity::new(G)));
    let (one, two) = (world.id("body 2").unwrap(), world.id("body 3").unwrap());
    world.with_passing(one, two)
}

/// Pose of the shape of a body after flying for `t`.
fn later(world: &World, mover: &SolverBody, t: f64) -> (Shape, Pose) {
    let body = world.at_row(mover.row as usize).unwrap();
    let mut mover = *mover;
    mover.force.linear = G * mover.mass;
    free_motion::fly(&mut mover, t);
    (body.shape().unwrap().clone(), mover.pose * body.frame())
}

#[test]
fn whatever_meets_within_the_step_is_a_candidate() {
    let mut met = 0;
    for (seed, speed, h) in [(1, 0.3, 0.01), (2, 3.0, 0.01), (3, 20.0, 0.02), (4, 1.0, 0.05)] {
        let world = scene(seed, speed);
        let mut finder = Finder::new(world.clone(), Settings::default());
        finder.find(h).unwrap();
        let candidates: BTreeSet<_> = finder.candidates().iter().copied().collect();
        assert!(finder.candidates().windows(2).all(|pair| pair[0] < pair[1]), "not in order");
        let rows = finder.movers().len() as u32;
        let mut scratch = narrow::Scratch::default();
        for (a, b) in (1..rows).flat_map(|a| (a + 1..rows).map(move |b| (a, b))) {
            if !world.may_touch(a, b) {
                assert!(!candidates.contains(&(a, b)), "{a} and {b} pass through each other");
                continue;
            }
            let meets = (0..=16).any(|k| {
                let [(one, p), (two, q)] =
                    [a, b].map(|row| later(&world, &finder.movers()[row as usize], h * f64::from(k) / 16.0));
                narrow::intersects(&one, &p, &two, &q, &mut scratch).unwrap()
            });
            met += usize::from(meets);
            assert!(!meets || candidates.contains(&(a, b)), "seed {seed}: {a} and {b} meet");
        }
        // Not everything is a candidate, or the phase would be of no use.
        assert!(candidates.len() < (rows * rows / 3) as usize, "{}", candidates.len());
    }
    assert!(met > 100, "{met}");
}

#[test]
fn what_overlaps_is_a_contact_as_deep_as_it_is() {
    let (mut seen, slop) = (0, Settings::default().slop);
    for seed in 10..16 {
        let world = scene(seed, 0.2);
        let mut finder = Finder::new(world.clone(), Settings::default());
        finder.find(1.0 / 240.0).unwrap();
        assert!(finder.touches().windows(2).all(|pair| pair[0].key() < pair[1].key()), "not in order");
        let rows = finder.movers().len() as u32;
        let mut scratch = narrow::Scratch::default();
        for (a, b) in (1..rows).flat_map(|a| (a + 1..rows).map(move |b| (a, b))) {
            if !world.may_touch(a, b) {
                continue;
            }
            let [(one, p), (two, q)] = [a, b].map(|row| later(&world, &finder.movers()[row as usize], 0.0));
            let gap = match narrow::distance(&one, &p, &two, &q, &mut scratch).unwrap() {
                Distance::Separated(apart) => apart.distance,
                Distance::Overlapping(contact) => -contact.depth,
            };
            let own: Vec<&Touch> = finder.touches().iter().filter(|t| (t.a, t.b) == (a, b)).collect();
            assert!(!own.is_empty() || gap > slop, "seed {seed}: {a} and {b} overlap by {}", -gap);
            if gap > slop {
                continue;
            }
            seen += 1;
            let found = own.iter().flat_map(|touch| touch.points()).map(|point| point.gap);
            let least = found.fold(f64::INFINITY, f64::min);
            // Boxes may name another axis that is worse by a hair.
            assert!((least - gap).abs() < 1e-5, "seed {seed}: {a} and {b}: {least} for {gap}");
            for touch in own {
                let [m, n] = [a, b].map(|row| finder.movers()[row as usize].pose.translation);
                for point in touch.points() {
                    let off = (n + point.arm_b) - (m + point.arm_a) - touch.normal * point.gap;
                    assert!(off.length() < 1e-6, "{off}");
                }
            }
        }
    }
    assert!(seen > 60, "{seen}");
}

#[test]
fn memory_and_threads_leave_no_trace() {
    let h = 1.0 / 240.0;
    let mut crowd = Random(77);
    let bodies = (0..700).map(|k| {
        let ball = Shape::Sphere(Sphere::new(0.15).unwrap());
        (format!("ball {k}"), Body::dynamic(ball, crowd.pose(0.9)).with_mass(1.0))
    });
    let world = World::new(bodies, []).unwrap().with_laws(UniformGravity::new(Quantity::new(G)));
    let find = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut finder = Finder::new(world.clone(), Settings::default());
        pool.install(|| finder.find(h).unwrap());
        assert!(finder.candidates().len() > 2 * super::MIN_PARALLEL_PAIRS);
        finder.touches().to_vec()
    };
    assert_eq!(find(1), find(2));
    // A finder that has seen other states finds in this one what a new one finds.
    let (one, two) =
        (Finder::new(scene(20, 2.0), Settings::default()), Finder::new(scene(21, 9.0), Settings::default()));
    let mut jumping = one;
    for state in [two.state.clone(), jumping.state.clone(), two.state.clone()] {
        jumping.state = state.onto(jumping.workflow.model());
        let mut fresh = Finder::new(scene(20, 2.0), Settings::default());
        fresh.state = jumping.state.onto(fresh.workflow.model());
        jumping.find(h).unwrap();
        fresh.find(h).unwrap();
        assert_eq!(jumping.candidates(), fresh.candidates());
        assert_eq!(jumping.touches(), fresh.touches());
    }
}

fn ball_over_floor(height: f64, velocity: Vec3) -> [(&'static str, Body); 2] {
    let floor = Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), Pose::IDENTITY);
    let ball = Body::dynamic(Shape::Sphere(Sphere::new(0.1).unwrap()), Pose::at(Vec3::Z * (0.1 + height)));
    [("floor", floor), ("ball", ball.with_mass(1.0).with_velocity(velocity))]
}

fn found(bodies: [(&'static str, Body); 2], materials: Vec<Material>, h: f64) -> Result<Finder, Fault> {
    let world = World::new(bodies, materials).unwrap().with_laws(UniformGravity::new(Quantity::new(G)));
    let mut finder = Finder::new(world, Settings::default());
    finder.find(h)?;
    Ok(finder)
}

#[test]
fn the_margin_is_what_the_step_can_close() {
    let h = 1.0 / 60.0;
    let fall = 0.5 * 9.81 * h * h;
    let count = |height, v| found(ball_over_floor(height, v), vec![], h).unwrap().touches().len();
    // From rest it falls by gh²/2, and from the start the law is known.
    assert_eq!(count(fall, Vec3::ZERO), 1);
    assert_eq!(count(4.0 * fall, Vec3::ZERO), 0);
    assert_eq!(count(0.99 * h + fall, -Vec3::Z), 1);
    assert_eq!(count(2.0 * h + 4.0 * fall, -Vec3::Z), 0);
}

#[test]
fn fast_bodies_are_left_to_impacts_unless_they_touch() {
    let h = 1.0 / 240.0;
    let wall = Shape::Cuboid(Cuboid::new(Vec3::new(0.02, 1.0, 1.0)).unwrap());
    let bullet = |x: f64, v: Vec3| {
        let ball = Shape::Sphere(Sphere::new(0.05).unwrap());
        let body = Body::dynamic(ball, Pose::at(Vec3::X * x)).with_mass(1.0).with_velocity(v);
        found([("bullet", body), ("wall", Body::fixed(wall.clone(), Pose::IDENTITY))], vec![], h).unwrap()
    };
    // Far away, and through the wall within the step: no contact, and an impact to look for.
    let flying = bullet(-0.5, Vec3::X * 300.0);
    assert_eq!((flying.touches().len(), flying.left()), (0, &[(1, 2)][..]));
    // Slow and near: a contact, no impact.
    let slow = bullet(-0.062, Vec3::X);
    assert_eq!((slow.touches().len(), slow.left().len()), (1, 0));
    // Sliding along it at the same speed.
    let sliding = bullet(-0.06, Vec3::Y * 300.0);
    assert_eq!((sliding.touches().len(), sliding.left().len()), (1, 0));
}

#[test]
fn curves_are_used_at_the_sliding_speed_and_checked() {
    let h = 1.0 / 240.0;
    let friction = |curve: Curve, v: f64| {
        let [(floor, ground), (ball, body)] = ball_over_floor(0.0, Vec3::X * v);
        let bodies = [(floor, ground.with_material("ice")), (ball, body.with_material("ice"))];
        found(bodies, vec![Material::new("ice", 0.0, curve).unwrap()], h)
    };
    let stribeck = || Curve::of_speed(|v| 0.3 / (1.0 + v));
    assert!((friction(stribeck(), 2.0).unwrap().touches()[0].friction - 0.1).abs() < 1e-15);
    for bad in [f64::NAN, -0.5, f64::INFINITY] {
        let message = friction(Curve::of_speed(move |_| bad), 2.0).err().unwrap().to_string();
        for word in ["ball", "floor", "ice", "2 m/s", "friction"] {
            assert!(message.contains(word), "'{word}' is not in: {message}");
        }
    }
}

#[test]
fn begun_and_ended_are_the_differences() {
    let mut random = Random(5);
    for _ in 0..200 {
        let mut pairs = || -> BTreeSet<[u32; 2]> {
            (0..20).map(|_| [(random.unit() * 6.0) as u32, 6 + (random.unit() * 4.0) as u32]).collect()
        };
        let (then, now) = (pairs(), pairs());
        let list = |pairs: &BTreeSet<[u32; 2]>| pairs.iter().copied().collect::<Vec<_>>();
        let mut changes = TouchChanges::default();
        changes.find(1.5, &list(&then), &list(&now));
        assert_eq!(changes.begun, now.difference(&then).copied().collect::<Vec<_>>());
        assert_eq!(changes.ended, then.difference(&now).copied().collect::<Vec<_>>());
        assert_eq!(changes.time, 1.5);
    }
}

/// A ball that hovers within reach is a contact that does not touch; one that is there does, until it is
/// taken away.
#[test]
fn what_begins_and_ends_is_what_touches() {
    let h = 1.0 / 240.0;
    let mut finder = found(ball_over_floor(0.0, Vec3::ZERO), vec![], h).unwrap();
    let ball = finder.state.model().id("ball").unwrap();
    for (height, seen) in [(0.0, [0, 0]), (1.5e-4, [0, 1]), (0.0, [1, 0]), (1.0, [0, 1]), (1.0, [0, 0])] {
        finder.state.set::<Position<ThreeD>>(ball, Quantity::new(Vec3::Z * (0.1 + height))).unwrap();
        finder.find(h).unwrap();
        let changes = finder.workflow.transient_table::<TouchChanges>(&finder.scratch).unwrap();
        assert_eq!([changes.begun.len(), changes.ended.len()], seen, "at {height}");
        assert_eq!(finder.touches().len(), usize::from(height < 2e-4));
    }
}

#[test]
fn nobody_who_cannot_move_touches_anybody() {
    let world = scene(30, 1.0);
    let mut finder = Finder::new(world.clone(), Settings::default());
    finder.find(0.01).unwrap();
    let dynamic = |row: u32| world.at_row(row as usize).unwrap().kind() == BodyKind::Dynamic;
    assert!(!finder.candidates().is_empty());
    assert!(finder.candidates().iter().all(|&(a, b)| dynamic(a) || dynamic(b)));
}

//! Sweeps against closed forms: never late, and early by no more than the tolerance allows.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod narrow_support;

use gedanken_geometry::narrow::{self, Distance, QueryError, Scratch};
use gedanken_geometry::sweep::{Impact, Motion, Uniform, UniformMotion, first_contact};
use gedanken_geometry::{Capsule, Compound, Cuboid, HalfSpace, Part, Shape, Sphere};
use gedanken_math::{Pose, Vec3};
use narrow_support::Random;
use std::sync::Arc;

const TOLERANCE: f64 = 1e-9;

fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

fn moving(position: Vec3, velocity: Vec3) -> Uniform {
    Uniform { velocity, ..Uniform::rest(Pose::at(position)) }
}

fn sweep(a: &Shape, of_a: Uniform, b: &Shape, of_b: Uniform) -> Result<Option<Impact>, QueryError> {
    let motion = UniformMotion::new(a, of_a, b, of_b)?;
    first_contact(a, b, &motion, TOLERANCE, &mut Scratch::default())
}

/// |x + s v| = R has the first root s = (-b - √(b² - v² c)) / v², b = x·v, c = x² - R².
#[test]
fn two_spheres_meet_at_the_root_of_the_quadratic() {
    let mut random = Random(1);
    let (mut hits, mut most) = (0, 0);
    for _ in 0..2000 {
        let (p, q) = (random.between(0.1, 1.0), random.between(0.1, 1.0));
        let x = random.vector(4.0);
        let v = x * random.between(-3.0, -0.5) + random.vector(2.0);
        let (b, c) = (x.dot(v), x.length_squared() - (p + q) * (p + q));
        if c <= 0.0 {
            continue;
        }
        let discriminant = b * b - v.length_squared() * c;
        let root = (-b - discriminant.max(0.0).sqrt()) / v.length_squared();
        let start = random.vector(2.0);
        let drift = random.vector(2.0);
        let found =
            sweep(&sphere(p), moving(start, drift), &sphere(q), moving(start + x, drift + v)).unwrap();
        let miss = (x.length_squared() - b * b / v.length_squared()).max(0.0).sqrt() - (p + q);
        match found {
            Some(impact) => {
                hits += 1;
                most = most.max(impact.iterations);
                assert!(impact.gap > 0.0 && impact.gap <= TOLERANCE);
                assert!(miss <= TOLERANCE, "a miss by {miss:e} was called a hit");
                // Never late; early by the way the gap takes to close at the closing speed of the contact.
                assert!(discriminant < 0.0 || impact.s <= root + 1e-14, "{} after {root}", impact.s);
                let closing = -(impact.normal.dot(v));
                if discriminant > 0.0 && closing > 1e-3 {
                    assert!(root - impact.s <= TOLERANCE / closing * 1.01, "{} long before {root}", impact.s);
                }
            }
            None => assert!(discriminant < 1e-12 || !(0.0..=1.0).contains(&root), "missed the hit at {root}"),
        }
    }
    println!("{hits} hits, at most {most} steps");
    assert!(hits > 200);
}

#[test]
fn grazing_spheres_touch_or_pass() {
    for (miss, hit) in [(-1e-6, true), (-1e-13, true), (0.0, true), (1e-13, true), (1e-6, false)] {
        let (a, b) = (sphere(1.0), sphere(0.5));
        let from = Vec3::new(-3.0, 1.5 + miss, 0.0);
        let found =
            sweep(&a, Uniform::rest(Pose::IDENTITY), &b, moving(from, Vec3::new(6.0, 0.0, 0.0))).unwrap();
        // Within the tolerance of touching counts as a contact, early; farther away does not.
        assert_eq!(found.is_some(), hit, "{miss:e}");
        if let Some(impact) = found {
            assert!(impact.s <= 0.5 && impact.gap > 0.0 && impact.gap <= TOLERANCE);
            assert!(impact.iterations < 100, "{}", impact.iterations);
        }
    }
}

/// An L of two boxes: the ball flies along the floor, closest to it all the way, and into the wall.
#[test]
fn a_ball_in_the_notch_of_a_compound_hits_its_wall() {
    let slab = |size: Vec3, at: Vec3| Part {
        shape: Shape::Cuboid(Cuboid::new(size).unwrap()),
        pose: Pose::at(at),
        density: 1.0,
    };
    let floor = slab(Vec3::new(10.0, 1.0, 1.0), Vec3::new(0.0, 0.0, -0.5));
    let wall = slab(Vec3::new(1.0, 1.0, 4.0), Vec3::new(5.5, 0.0, 1.0));
    let ell = Shape::Compound(Arc::new(Compound::new(vec![floor, wall]).unwrap()));
    let ball = sphere(0.25);
    let flies = moving(Vec3::new(-4.0, 0.0, 0.3), Vec3::new(12.0, 0.0, 0.0));
    let impact = sweep(&ball, flies, &ell, Uniform::rest(Pose::IDENTITY)).unwrap().unwrap();
    assert!((impact.s - 8.75 / 12.0).abs() < 1e-8, "{}", impact.s);
    assert!((impact.normal - Vec3::X).length() < 1e-6);
}

#[test]
fn a_sphere_falls_onto_a_plane() {
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    let ball = sphere(0.25);
    let fall = moving(Vec3::new(0.3, -0.2, 2.25), Vec3::new(5.0, 0.0, -4.0));
    let impact = sweep(&floor, Uniform::rest(Pose::IDENTITY), &ball, fall).unwrap().unwrap();
    assert!(impact.s <= 0.5 && 0.5 - impact.s <= TOLERANCE / 4.0 * 1.01, "{}", impact.s);
    assert!((impact.normal - Vec3::Z).length() < 1e-14);
    let paper = Pose::at(Vec3::ZERO);
    let away = moving(Vec3::new(0.0, 0.0, 2.0), Vec3::new(0.0, 0.0, 4.0));
    assert_eq!(sweep(&floor, Uniform::rest(paper), &ball, away).unwrap(), None);
    // A floor that turns has no bound.
    let turning = Uniform { angular_velocity: Vec3::X, ..Uniform::rest(Pose::IDENTITY) };
    assert!(matches!(sweep(&floor, turning, &ball, fall), Err(QueryError::Unsupported { .. })));
}

/// A motion of the caller's own: a ball in free fall, z = h - g s²/2, touches the floor at s = √(2 (h - r) /
/// g). From s to t it goes g (t² - s²) / 2, which is the bound.
#[test]
fn a_ball_in_free_fall_lands_at_the_root() {
    struct Fall {
        height: f64,
    }
    const G: f64 = 9.0;
    impl Motion for Fall {
        fn pose_a(&self, _: f64) -> Pose {
            Pose::IDENTITY
        }
        fn pose_b(&self, s: f64) -> Pose {
            Pose::at(Vec3::Z * (self.height - 0.5 * G * s * s))
        }
        fn bound(&self, from: f64, to: f64) -> f64 {
            0.5 * G * (to * to - from * from)
        }
    }
    let (floor, radius) = (Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), 0.25);
    let fall =
        |height| first_contact(&floor, &sphere(radius), &Fall { height }, TOLERANCE, &mut Scratch::default());
    for height in [0.3, 0.7, 1.0, 2.5, 4.7] {
        let impact = fall(height).unwrap().unwrap();
        let exact = (2.0 * (height - radius) / G).sqrt();
        // The ball gets faster, so what is left of the gap is closed at the speed g s at least.
        let early = exact - impact.s;
        assert!(
            (-1e-14..=TOLERANCE / (G * impact.s) * 1.01).contains(&early),
            "{} for {exact} from {height}",
            impact.s
        );
    }
    // √(2 · 4.75 / 9) is above 1: it does not arrive.
    assert_eq!(fall(5.0).unwrap(), None);
}

/// A rod along x of half length h and radius r turns about z through its middle; a ball of radius R waits at
/// distance d under the angle φ₀. They touch when the distance d sin(φ₀ - φ) of the ball's centre from the
/// rod's axis is r + R (as long as d cos(φ₀ - φ) ≤ h).
#[test]
fn a_spinning_rod_hits_a_sphere() {
    let (half, r, radius, d, angle) = (2.0, 0.1, 0.2, 1.5, 2.0);
    let rod = Shape::Capsule(Capsule::new(r, half).unwrap());
    let along_x = gedanken_math::rotation::about_axis(1, std::f64::consts::FRAC_PI_2);
    let omega = 3.0;
    let spin = Uniform { angular_velocity: Vec3::Z * omega, ..Uniform::rest(Pose::new(along_x, Vec3::ZERO)) };
    let place = Vec3::new(libm::cos(angle), libm::sin(angle), 0.0) * d;
    let impact = sweep(&rod, spin, &sphere(radius), Uniform::rest(Pose::at(place))).unwrap().unwrap();
    let exact = (angle - libm::asin((r + radius) / d)) / omega;
    // The ball is approached at the speed ω √(d² - (r + R)²).
    let speed = omega * (d * d - (r + radius) * (r + radius)).sqrt();
    assert!(
        impact.s <= exact + 1e-14 && exact - impact.s <= TOLERANCE / speed * 1.01,
        "{} {exact}",
        impact.s
    );
    assert!(impact.iterations < 60, "{}", impact.iterations);
}

/// No closed form, but a check that any motion allows: no sample before s overlaps, and at s the gap is as
/// promised.
#[test]
fn random_tumbling_pairs_do_not_overlap_before_the_impact() {
    let (mut random, mut scratch, mut hits) = (Random(7), Scratch::default(), 0);
    for round in 0..120 {
        let (a, b) = (random.shape(round % 6), random.shape(round / 6 % 6));
        let mut tumbling = |at: f64| Uniform {
            start: Pose::new(random.rotation(), Vec3::new(at, 0.0, 0.0) + random.vector(0.5)),
            centre: random.vector(0.2),
            velocity: Vec3::new(-at, 0.0, 0.0) + random.vector(0.5),
            angular_velocity: random.vector(2.0),
        };
        let (of_a, of_b) = (tumbling(-2.0), tumbling(2.0));
        let motion = UniformMotion::new(&a, of_a, &b, of_b).unwrap();
        let found = first_contact(&a, &b, &motion, 1e-7, &mut scratch).unwrap();
        let end = found.map_or(1.0, |impact| impact.s);
        hits += u32::from(found.is_some());
        let mut gap =
            |s: f64| match narrow::distance(&a, &motion.pose_a(s), &b, &motion.pose_b(s), &mut scratch)
                .unwrap()
            {
                Distance::Separated(apart) => apart.distance,
                Distance::Overlapping(contact) => -contact.depth,
            };
        if end == 0.0 {
            assert!(gap(0.0) <= 0.0);
            continue;
        }
        for k in 0..=100 {
            assert!(gap(end * f64::from(k) / 100.0) > 0.0, "round {round}: overlap before {end}");
        }
        if found.is_some() {
            assert!(gap(end) <= 1e-7);
        }
    }
    assert!(hits > 40, "{hits}");
}

#[test]
fn bad_bounds_and_tolerances_are_errors() {
    struct Broken(f64);
    impl Motion for Broken {
        fn pose_a(&self, _: f64) -> Pose {
            Pose::IDENTITY
        }
        fn pose_b(&self, s: f64) -> Pose {
            Pose::at(Vec3::X * (5.0 - s))
        }
        fn bound(&self, _: f64, _: f64) -> f64 {
            self.0
        }
    }
    let (a, b, mut scratch) = (sphere(1.0), sphere(1.0), Scratch::default());
    let mut ask = |bound, tolerance| first_contact(&a, &b, &Broken(bound), tolerance, &mut scratch);
    assert!(matches!(ask(f64::NAN, 1e-9), Err(QueryError::BadBound { .. })));
    assert!(matches!(ask(1e9, 1e-9), Err(QueryError::BadBound { .. })));
    assert!(matches!(ask(1.0, 0.0), Err(QueryError::BadTolerance { .. })));
    assert_eq!(ask(1.0, 1e-9).unwrap(), None);
}

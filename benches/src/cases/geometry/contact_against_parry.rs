//! Contacts against parry3d-f64: 10,000 random pairs of hulls of 32 vertices, boolean and contact queries,
//! one thread; and yes or no on 100,000 random pairs over all pairs of convex shapes, and on as many of a
//! half-space, a compound or a mesh with a convex shape.
//!
//! Both sides get the same points and poses and go through their one entry for any two shapes. The pairs are
//! placed so that about half of them overlap. Yes and no must agree wherever the shapes are apart or overlap
//! by more than [`BAND`], which is parry's own tolerance; where they do not, ours must carry its proof: a
//! plane between the shapes for "no", and for "yes" a depth that no direction of many undercuts. Compounds
//! and meshes are proved part by part and triangle by triangle.

use crate::cases::Outcome;
use crate::clock::{Times, seconds};
use crate::table::Row;
use gedanken_geometry::narrow::{self, Distance, Scratch};
use gedanken_geometry::{
    Capsule, Compound, Cone, ConvexHull, Cuboid, Cylinder, HalfSpace, Part, Shape, Sphere, TriangleMesh,
};
use gedanken_math::{Pose, Quat, Vec3};
use parry3d_f64::math as theirs;
use parry3d_f64::query;
use parry3d_f64::shape as peer;
use std::hint::black_box;
use std::sync::Arc;

const PAIRS: usize = 10_000;
const CHECKED: usize = 100_000;
const VERTICES: usize = 32;
const REPETITIONS: usize = 12;
/// Gaps and depths below this are not held against anyone.
const BAND: f64 = 1e-6;

/// A stream of numbers (splitmix64).
struct Random(u64);

impl Random {
    fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self, half: f64) -> Vec3 {
        Vec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }

    fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            if v.length() > 0.1 && v.length() <= 1.0 {
                return v.normalize();
            }
        }
    }

    fn pose(&mut self, half: f64) -> Pose {
        let q = Quat::from_xyzw(
            self.between(-1.0, 1.0),
            self.between(-1.0, 1.0),
            self.between(-1.0, 1.0),
            self.between(0.01, 1.0),
        );
        Pose::new(q.normalize(), self.vector(half))
    }
}

/// A shape on both sides, with the place of theirs in ours.
struct Both {
    ours: Shape,
    theirs: peer::SharedShape,
    place: Pose,
}

fn vector(v: Vec3) -> theirs::Vector {
    theirs::Vector::new(v.x, v.y, v.z)
}

fn pose(p: Pose) -> theirs::Pose {
    let q = p.rotation;
    theirs::Pose::from_parts(vector(p.translation), theirs::Rotation::from_xyzw(q.x, q.y, q.z, q.w))
}

fn hull(random: &mut Random, stretch: Vec3) -> Both {
    let points: Vec<Vec3> = (0..VERTICES).map(|_| random.direction() * stretch).collect();
    let ours = ConvexHull::new(&points).expect("random points span a volume");
    let points: Vec<theirs::Vector> = points.iter().map(|&p| vector(p)).collect();
    let theirs = peer::SharedShape::convex_hull(&points).expect("random points span a volume");
    Both { ours: Shape::Hull(Arc::new(ours)), theirs, place: Pose::IDENTITY }
}

fn shape(random: &mut Random, kind: usize) -> Both {
    let size = "positive";
    let (p, q, r) = (random.between(0.2, 1.0), random.between(0.2, 1.0), random.between(0.2, 1.0));
    // Their axis of revolution is y, ours z; their cone is centred at half its height, ours at its centre of
    // mass.
    let upright =
        |z: f64| Pose::new(gedanken_math::rotation::about_axis(0, std::f64::consts::FRAC_PI_2), Vec3::Z * z);
    let (ours, theirs, place) = match kind {
        0 => (Shape::Sphere(Sphere::new(p).expect(size)), peer::SharedShape::ball(p), Pose::IDENTITY),
        1 => {
            let ours = Cuboid::new(2.0 * Vec3::new(p, q, r)).expect(size);
            (Shape::Cuboid(ours), peer::SharedShape::cuboid(p, q, r), Pose::IDENTITY)
        }
        2 => (
            Shape::Capsule(Capsule::new(p, q).expect(size)),
            peer::SharedShape::capsule_z(q, p),
            Pose::IDENTITY,
        ),
        3 => (
            Shape::Cylinder(Cylinder::new(p, q).expect(size)),
            peer::SharedShape::cylinder(q, p),
            upright(0.0),
        ),
        4 => {
            (Shape::Cone(Cone::new(p, 2.0 * q).expect(size)), peer::SharedShape::cone(q, p), upright(0.5 * q))
        }
        _ => return hull(random, Vec3::new(p, q, r)),
    };
    Both { ours, theirs, place }
}

pub fn run() -> Outcome {
    let convex = agreement("all pairs of convex shapes: do they touch", |random, k| {
        (shape(random, k % 6), shape(random, k / 6 % 6))
    })?;
    let other =
        agreement("half-spaces, compounds and meshes with convex shapes: do they touch", |random, k| {
            let (one, other) = (special(random, k % 3), shape(random, k / 3 % 6));
            if k / 18 % 2 == 0 { (one, other) } else { (other, one) }
        })?;
    Ok(vec![convex, other, boolean()?, contacts()?])
}

/// What is not a bounded convex body: a half-space, three convex shapes glued, a crumpled sheet of 32
/// triangles.
fn special(random: &mut Random, kind: usize) -> Both {
    match kind {
        0 => {
            let normal = random.direction();
            let offset = random.between(-0.5, 0.5);
            let ours = HalfSpace::new(normal, offset).expect("a unit normal");
            // Theirs goes through its own origin.
            let place = Pose::at(normal * offset);
            Both { ours: Shape::HalfSpace(ours), theirs: peer::SharedShape::halfspace(vector(normal)), place }
        }
        1 => {
            let (mut ours, mut theirs) = (Vec::new(), Vec::new());
            for _ in 0..3 {
                let kind = (random.unit() * 6.0) as usize;
                let (part, at) = (shape(random, kind), random.pose(0.6));
                theirs.push((pose(at * part.place), part.theirs));
                ours.push(Part { shape: part.ours, pose: at, density: 1.0 });
            }
            let ours = Compound::new(ours).expect("three parts");
            Both {
                ours: Shape::Compound(Arc::new(ours)),
                theirs: peer::SharedShape::compound(theirs),
                place: Pose::IDENTITY,
            }
        }
        _ => {
            let side = 5u32;
            let corner = |k: u32, random: &mut Random| {
                let flat = Vec3::new(f64::from(k % side), f64::from(k / side), 0.0) * 0.5;
                flat - Vec3::new(1.0, 1.0, 0.0) + random.vector(0.2)
            };
            let corners: Vec<Vec3> = (0..side * side).map(|k| corner(k, random)).collect();
            let squares = (0..side * side).filter(|k| k % side + 1 < side && k / side + 1 < side);
            let triangles: Vec<[u32; 3]> =
                squares.flat_map(|k| [[k, k + 1, k + side], [k + 1, k + side + 1, k + side]]).collect();
            let points = corners.iter().map(|&p| vector(p)).collect();
            let theirs = peer::SharedShape::trimesh(points, triangles.clone()).expect("a sheet");
            let ours = TriangleMesh::new(corners, triangles).expect("a sheet");
            Both { ours: Shape::Mesh(Arc::new(ours)), theirs, place: Pose::IDENTITY }
        }
    }
}

struct Pair {
    a: Both,
    b: Both,
    at: (Pose, Pose),
    at_theirs: (theirs::Pose, theirs::Pose),
}

fn hulls() -> Vec<Pair> {
    let mut random = Random(32);
    let pair = |_| {
        let (a, b) = (hull(&mut random, Vec3::ONE), hull(&mut random, Vec3::ONE));
        let at = (random.pose(1.1), random.pose(1.1));
        Pair { at_theirs: (pose(at.0), pose(at.1)), a, b, at }
    };
    (0..PAIRS).map(pair).collect()
}

fn boolean() -> Result<Row, String> {
    let pairs = hulls();
    let mut scratch = Scratch::default();
    let (mut ours, mut theirs, mut yes) = (Times::default(), Times::default(), [0, 0]);
    for _ in 0..REPETITIONS {
        yes = [0, 0];
        theirs.push(seconds(|| {
            for p in &pairs {
                let found =
                    query::intersection_test(&p.at_theirs.0, &*p.a.theirs, &p.at_theirs.1, &*p.b.theirs);
                yes[0] += usize::from(found.is_ok_and(|found| found.intersecting));
            }
        }));
        ours.push(seconds(|| {
            for p in &pairs {
                let found = narrow::intersects(&p.a.ours, &p.at.0, &p.b.ours, &p.at.1, &mut scratch);
                yes[1] += usize::from(black_box(found).unwrap_or(false));
            }
        }));
    }
    Ok(Row {
        case: format!("hulls of {VERTICES} vertices: do they touch"),
        peer: "parry3d-f64".into(),
        unit: "pairs/s",
        amount: PAIRS as f64,
        target: Some(1.5),
        sound: yes[0].abs_diff(yes[1]) <= 2,
        remark: format!("{PAIRS} pairs, of which {} touch by our count and {} by theirs", yes[1], yes[0]),
        ours,
        theirs,
    })
}

fn contacts() -> Result<Row, String> {
    let pairs = hulls();
    let mut scratch = Scratch::default();
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    let mut answers = (vec![None; PAIRS], vec![None; PAIRS]);
    for _ in 0..REPETITIONS {
        let (first, second) = &mut answers;
        theirs.push(seconds(|| {
            for (p, answer) in pairs.iter().zip(first) {
                let found = query::contact(&p.at_theirs.0, &*p.a.theirs, &p.at_theirs.1, &*p.b.theirs, 0.0);
                *answer = found.ok().flatten();
            }
        }));
        ours.push(seconds(|| {
            for (p, answer) in pairs.iter().zip(second) {
                let found = narrow::contact(&p.a.ours, &p.at.0, &p.b.ours, &p.at.1, &mut scratch);
                *answer = found.ok().flatten();
            }
        }));
    }
    // Both minimise the overlap along a direction, so the smaller one is the better: each side's direction is
    // measured by the same supports.
    let (mut worse, mut better, mut claimed, mut count) = (0.0f64, 0.0f64, 0.0f64, 0);
    for (pair, (theirs, ours)) in pairs.iter().zip(answers.0.iter().zip(&answers.1)) {
        if let (Some(theirs), Some(ours)) = (theirs, ours) {
            count += 1;
            let n = theirs.normal1;
            let overlap =
                -along(&pair.a.ours, &pair.at.0, &pair.b.ours, &pair.at.1, Vec3::new(n.x, n.y, n.z));
            worse = worse.max(ours.depth - overlap);
            better = better.max(overlap - ours.depth);
            claimed = claimed.max((-theirs.dist - overlap).abs());
        }
    }
    Ok(Row {
        case: format!("hulls of {VERTICES} vertices: contacts"),
        peer: "parry3d-f64".into(),
        unit: "pairs/s",
        amount: PAIRS as f64,
        target: Some(1.5),
        sound: worse < 1e-10,
        remark: format!(
            "{count} contacts; the overlap along our normal is at most {worse:.1e} larger, along theirs {better:.1e}; \
             theirs is off its own normal's by up to {claimed:.1e}"
        ),
        ours,
        theirs,
    })
}

/// Not a race: yes and no over all pairs of kinds, the time of which is reported by the way.
fn agreement(case: &str, mut pair: impl FnMut(&mut Random, usize) -> (Both, Both)) -> Result<Row, String> {
    let mut random = Random(5);
    let mut scratch = Scratch::default();
    let (mut ours, mut theirs) = (0.0, 0.0);
    let (mut near, mut wrong, mut proved) = (0, 0, 0);
    for k in 0..CHECKED {
        let (a, b) = pair(&mut random, k);
        let (p, q) = (random.pose(0.8), random.pose(0.8));
        let (p_theirs, q_theirs) = (pose(p * a.place), pose(q * b.place));
        let (mut yes, mut theirs_say) = (None, None);
        ours += seconds(|| yes = Some(narrow::intersects(&a.ours, &p, &b.ours, &q, &mut scratch)));
        theirs += seconds(|| {
            theirs_say = query::intersection_test(&p_theirs, &*a.theirs, &q_theirs, &*b.theirs).ok()
        });
        let yes = yes.ok_or("not asked")?.map_err(|error| error.to_string())?;
        if theirs_say.is_some_and(|found| found.intersecting == yes) {
            continue;
        }
        let found =
            narrow::distance(&a.ours, &p, &b.ours, &q, &mut scratch).map_err(|error| error.to_string())?;
        let (gap, normal) = match found {
            Distance::Separated(apart) => (apart.distance, apart.normal),
            Distance::Overlapping(contact) => (-contact.depth, contact.normal),
        };
        if gap.abs() <= BAND {
            near += 1;
        } else if (gap <= 0.0) == yes && proof(&a.ours, &p, &b.ours, &q, gap, normal, &mut random) {
            proved += 1;
        } else {
            wrong += 1;
        }
    }
    let (mut one, mut other) = (Times::default(), Times::default());
    one.push(ours);
    other.push(theirs);
    Ok(Row {
        case: case.into(),
        peer: "parry3d-f64".into(),
        unit: "pairs/s",
        amount: CHECKED as f64,
        target: None,
        sound: wrong == 0,
        remark: format!(
            "{CHECKED} pairs; answers differ {near} times within {BAND:e} of touching, {proved} times where ours is proved, \
             {wrong} times where it is not"
        ),
        ours: one,
        theirs: other,
    })
}

/// The gap along a unit direction: negative if the shapes overlap along it.
fn along(a: &Shape, p: &Pose, b: &Shape, q: &Pose, n: Vec3) -> f64 {
    let farthest = |shape: &Shape, pose: &Pose, n: Vec3| {
        let body = shape.convex().expect("bounded convex shapes only");
        pose.point_to_world(body.support(pose.vector_to_body(n)))
    };
    n.dot(farthest(b, q, -n) - farthest(a, p, n))
}

/// "No" is proved if a plane lies between every two parts, "yes" if two parts overlap along every direction
/// of many.
fn proof(a: &Shape, p: &Pose, b: &Shape, q: &Pose, gap: f64, normal: Vec3, random: &mut Random) -> bool {
    let (a, b) = (parts(a, p), parts(b, q));
    let mut pairs = a.iter().flat_map(|one| b.iter().map(move |other| (one, other)));
    if gap > 0.0 {
        let mut scratch = Scratch::default();
        return pairs.all(|((a, p), (b, q))| match narrow::distance(a, p, b, q, &mut scratch) {
            Ok(Distance::Separated(apart)) => along(a, p, b, q, apart.normal) > 0.0,
            _ => false,
        });
    }
    pairs.any(|((a, p), (b, q))| {
        (along(a, p, b, q, normal) - gap).abs() < 1e-10
            && (0..10_000).all(|_| along(a, p, b, q, random.direction()) <= gap + 1e-10)
    })
}

/// The convex parts of a shape; a half-space as its part that matters here, a large box below its plane.
fn parts(shape: &Shape, at: &Pose) -> Vec<(Shape, Pose)> {
    let hull =
        |points: &[Vec3]| Shape::Hull(Arc::new(ConvexHull::new(points).expect("points that span a volume")));
    match shape {
        Shape::Compound(compound) => {
            compound.parts().iter().map(|part| (part.shape.clone(), *at * part.pose)).collect()
        }
        Shape::HalfSpace(half) => {
            let (n, reach) = (half.normal(), 100.0);
            let u = n.any_orthonormal_vector() * reach;
            let v = n.cross(u);
            let top = n * half.offset();
            let corners = [u + v, u - v, -u + v, -u - v].map(|corner| top + corner);
            let points: Vec<Vec3> = corners.iter().flat_map(|&c| [c, c - n * reach]).collect();
            vec![(hull(&points), *at)]
        }
        // A triangle has no volume: one with a back a millionth away, the band within which nobody is held to
        // account.
        Shape::Mesh(mesh) => (0..mesh.triangles().len() as u32)
            .map(|k| {
                let (corners, back) = (mesh.corners(k), mesh.normal(k) * (0.1 * BAND));
                let points: Vec<Vec3> = corners.iter().flat_map(|&c| [c + back, c - back]).collect();
                (hull(&points), *at)
            })
            .collect(),
        _ => vec![(shape.clone(), *at)],
    }
}

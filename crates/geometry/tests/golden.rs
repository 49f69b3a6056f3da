//! Results to the bit. The fingerprints were made once; every build, optimized or not, and every processor
//! must reproduce them. `make test` runs this file in debug and release, and once more on an emulated
//! processor without AVX and FMA.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

#[path = "support/random_shapes.rs"]
mod random_shapes;

use gedanken_geometry::narrow::{self, Distance, Manifold, Scratch, manifolds};
use gedanken_geometry::{Ray, Solid};
use gedanken_math::Vec3;
use random_shapes::Random;

/// Fowler, Noll and Vo's hash over the bits of numbers.
struct Fingerprint(u64);

impl Fingerprint {
    fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }
    fn add(&mut self, numbers: impl IntoIterator<Item = f64>) {
        for byte in numbers.into_iter().flat_map(|x| x.to_bits().to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
    fn vectors<const N: usize>(&mut self, vectors: [Vec3; N]) {
        vectors.iter().for_each(|v| self.add(v.to_array()));
    }
    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[test]
fn distances_contacts_and_manifolds_are_the_same_everywhere() {
    let (mut random, mut scratch, mut out) = (Random(41), Scratch::default(), Vec::<Manifold>::new());
    let mut hash = Fingerprint::new();
    for round in 0..720 {
        let (a, b) = (random.shape(round % 6), random.shape(round / 6 % 6));
        let (p, q) = (random.pose(1.2), random.pose(1.2));
        match narrow::distance(&a, &p, &b, &q, &mut scratch).unwrap() {
            Distance::Separated(s) => hash.vectors([s.normal, s.point_a, s.point_b]),
            Distance::Overlapping(c) => hash.vectors([c.normal, c.point_a, c.point_b]),
        }
        manifolds(&a, &p, &b, &q, 0.05, &mut scratch, &mut out).unwrap();
        out.iter().flat_map(Manifold::points).for_each(|point| hash.vectors([point.point_a, point.point_b]));
    }
    insta::assert_snapshot!(hash.text(), @"3a05f82fe90b574a");
}

#[test]
fn shapes_are_the_same_everywhere() {
    let mut random = Random(42);
    let mut hash = Fingerprint::new();
    for round in 0..120 {
        let a = random.shape(round % 6);
        let mass = a.mass_properties(2.0).unwrap();
        hash.add([mass.mass]);
        hash.add(mass.inertia.to_cols_array());
        let seen = a.project(Vec3::new(0.3, -2.0, 0.7));
        hash.vectors([mass.centre, seen.point, seen.normal]);
        if let Some(hit) = a.cast_ray(&Ray::new(Vec3::new(3.0, 0.1, 0.2), Vec3::new(-1.0, 0.0, 0.01))) {
            hash.add([hit.t]);
        }
    }
    insta::assert_snapshot!(hash.text(), @"d0344a4f3ffa38b3");
}

//! Direct summation against a naive double loop, closed forms and symmetries, and its promise of equal bits
//! at every register width and thread count.
//!
//! Tolerances count roundings: with u = 2^-53, a sum of n terms, each a product with k roundings, errs by no
//! more than (n + k) u Σ|term| (@higham2002).

use gedanken_dynamics::nbody::{Cloud, Width};
use proptest::prelude::*;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

const U: f64 = f64::EPSILON / 2.0;

/// Around whole blocks, around the size where work goes wide, and beyond.
const SIZES: [usize; 14] = [0, 1, 2, 7, 8, 9, 63, 64, 65, 504, 505, 512, 1000, 1001];

#[derive(Clone, Copy, Debug)]
struct Body {
    position: [f64; 3],
    mass: f64,
}

fn cloud(bodies: &[Body]) -> Cloud {
    let mut cloud = Cloud::new();
    bodies.iter().for_each(|body| cloud.push(body.position, body.mass));
    cloud
}

fn accelerations(bodies: &[Body], g: f64, softening: f64, width: Width) -> Vec<[f64; 3]> {
    let mut cloud = cloud(bodies);
    cloud.attract(g, softening, width);
    (0..bodies.len()).map(|i| cloud.acceleration(i)).collect()
}

fn bits(accelerations: &[[f64; 3]]) -> Vec<[u64; 3]> {
    accelerations.iter().map(|a| a.map(f64::to_bits)).collect()
}

/// Knuth's generator: bodies in a cube of side 2, masses from 0 to 1, every seventh massless.
fn random_bodies(n: usize) -> Vec<Body> {
    let mut seed = 0x1687_u64;
    let mut uniform = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 * U
    };
    let mut body = |i| Body {
        position: [(); 3].map(|()| 2.0 * uniform() - 1.0),
        mass: if i % 7 == 3 { 0.0 } else { uniform() },
    };
    (0..n).map(&mut body).collect()
}

/// Acceleration of body i by square root and division, last body first, with Neumaier's compensated sum, and
/// the sum of the terms' magnitudes.
fn naive(bodies: &[Body], i: usize, g: f64, softening: f64) -> ([f64; 3], [f64; 3]) {
    let (mut sum, mut lost, mut size) = ([0.0; 3], [0.0; 3], [0.0; 3]);
    for (j, other) in bodies.iter().enumerate().rev() {
        if j == i || other.mass == 0.0 {
            continue;
        }
        let d: [f64; 3] = std::array::from_fn(|k| other.position[k] - bodies[i].position[k]);
        let distance = (softening * softening + d[2] * d[2] + d[1] * d[1] + d[0] * d[0]).sqrt();
        for k in 0..3 {
            let term = g * other.mass / distance * (d[k] / distance) / distance;
            let next: f64 = sum[k] + term;
            lost[k] +=
                if f64::abs(sum[k]) >= term.abs() { (sum[k] - next) + term } else { (term - next) + sum[k] };
            sum[k] = next;
            size[k] += term.abs();
        }
    }
    (std::array::from_fn(|k| sum[k] + lost[k]), size)
}

/// Ours: 4 roundings in q, hence 6 u, 5 u in the power, 2 in the products, 2 in the scale and one of the
/// scale; the naive: 6 u for the three distances, 3 for the roots, 5 products and quotients, 2 for the sum.
fn tolerance(n: usize, size: f64) -> f64 {
    (n + 16 + 16) as f64 * U * size
}

fn check_against_naive(bodies: &[Body], g: f64, softening: f64, width: Width) {
    for (i, a) in accelerations(bodies, g, softening, width).into_iter().enumerate() {
        let (expected, size) = naive(bodies, i, g, softening);
        for k in 0..3 {
            let error = (a[k] - expected[k]).abs();
            assert!(
                error <= tolerance(bodies.len(), size[k]),
                "{width}: body {i} of {}, axis {k}: {} instead of {}",
                bodies.len(),
                a[k],
                expected[k]
            );
        }
    }
}

#[test]
fn attraction_is_that_of_the_double_loop() {
    for width in Width::available() {
        for n in SIZES {
            for softening in [0.0, 0.05] {
                check_against_naive(&random_bodies(n), 6.674e-11, softening, width);
            }
        }
    }
}

#[test]
fn two_bodies_attract_by_the_inverse_square() {
    // d, |d|, all integers.
    let cases =
        [([1.0, 0.0, 0.0], 1.0), ([0.0, -2.0, 0.0], 2.0), ([3.0, 4.0, 12.0], 13.0), ([2.0, 3.0, 6.0], 7.0)];
    for width in Width::available() {
        for (d, distance) in cases {
            for scale in [1.0, 1e-90, 1e90] {
                let near = Body { position: [0.0; 3], mass: 2.0 };
                let far = Body { position: d.map(|x: f64| x * scale), mass: 3.0 };
                let [a, b] = accelerations(&[near, far], 5.0, 0.0, width)[..] else { panic!("two bodies") };
                for k in 0..3 {
                    let exact = d[k] / distance / distance / distance / scale / scale;
                    assert!(
                        (a[k] - 15.0 * exact).abs() <= tolerance(1, (15.0 * exact).abs()),
                        "{width}: {a:?}"
                    );
                    assert!(
                        (b[k] + 10.0 * exact).abs() <= tolerance(1, (10.0 * exact).abs()),
                        "{width}: {b:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn momentum_does_not_change() {
    for n in SIZES {
        let bodies = random_bodies(n);
        let a = accelerations(&bodies, 1.0, 0.05, Width::best());
        let (mut force, mut bound) = ([0.0; 3], [0.0; 3]);
        for (i, body) in bodies.iter().enumerate() {
            let (_, size) = naive(&bodies, i, 1.0, 0.05);
            for k in 0..3 {
                force[k] += body.mass * a[i][k];
                bound[k] += tolerance(2 * n, body.mass * size[k]);
            }
        }
        assert!((0..3).all(|k| force[k].abs() <= bound[k]), "{n} bodies: {force:?}, bound {bound:?}");
    }
}

#[test]
fn energy_is_that_of_the_double_loop() {
    for n in SIZES {
        let bodies = random_bodies(n);
        let expected = (0..n).rev().fold(0.0, |sum, i| {
            sum - bodies[..i].iter().fold(0.0, |sum, other| {
                let d: [f64; 3] = std::array::from_fn(|k| other.position[k] - bodies[i].position[k]);
                sum + 3.0 * bodies[i].mass * other.mass
                    / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.05 * 0.05).sqrt()
            })
        });
        for width in Width::available() {
            let energy = cloud(&bodies).potential_energy(3.0, 0.05, width);
            // All terms have one sign. Either side adds at most 2 n in a row and rounds each term 10 times.
            let error = (energy - expected).abs();
            assert!(error <= (4 * n + 20) as f64 * U * expected.abs(), "{width}: {n}: {energy}, {expected}");
        }
    }
}

/// -dV/dx is the force: compares the two programs with each other.
#[test]
fn force_is_minus_the_slope_of_the_energy() {
    let bodies = random_bodies(40);
    let (g, softening, width) = (1.0, 0.3, Width::best());
    let energy = |i: usize, k: usize, h: f64| {
        let mut bodies = bodies.clone();
        bodies[i].position[k] += h;
        cloud(&bodies).potential_energy(g, softening, width)
    };
    let a = accelerations(&bodies, g, softening, width);
    let h = 1.0 / 1024.0;
    for (i, a) in a.into_iter().enumerate() {
        for (k, a) in a.into_iter().enumerate() {
            // The central difference errs by h²/6 V''' to leading order, and that is measured with step 2h.
            let slope = |h: f64| (energy(i, k, h) - energy(i, k, -h)) / (2.0 * h);
            let (fine, coarse) = (slope(h), slope(2.0 * h));
            let rounding = 200.0 * U * energy(i, k, 0.0).abs() / h;
            let error = (bodies[i].mass * a + fine).abs();
            assert!(error <= (fine - coarse).abs() + rounding, "body {i}, axis {k}: {error}");
        }
    }
}

#[test]
fn bits_do_not_depend_on_the_width() {
    for n in SIZES {
        let bodies = random_bodies(n);
        let outcome = |width| {
            let a = accelerations(&bodies, 6.674e-11, 0.01, width);
            (bits(&a), cloud(&bodies).potential_energy(1.0, 0.01, width).to_bits())
        };
        let expected = outcome(Width::best());
        for width in Width::available() {
            assert!(outcome(width) == expected, "{n} bodies: {width} and {} differ", Width::best());
        }
    }
}

#[test]
fn bits_do_not_depend_on_the_thread_count() {
    for n in SIZES.into_iter().chain([4000]) {
        let bodies = random_bodies(n);
        let outcome = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a few threads");
            pool.install(|| {
                let a = accelerations(&bodies, 1.0, 0.01, Width::best());
                (bits(&a), cloud(&bodies).potential_energy(1.0, 0.01, Width::best()).to_bits())
            })
        };
        let expected = outcome(1);
        for threads in [2, 4] {
            assert!(outcome(threads) == expected, "{n} bodies, {threads} threads");
        }
    }
}

/// The bits themselves, so that no machine, compiler or edit changes them unseen. A change here is a change
/// of every recording with gravity.
#[test]
fn bits_are_those_of_the_first_release() {
    // FNV-1a over all accelerations.
    let digest = |n| {
        bits(&accelerations(&random_bodies(n), 6.674e-11, 0.01, Width::best()))
            .as_flattened()
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
            })
    };
    assert_eq!(
        format!("{:016x} {:016x} {:016x}", digest(9), digest(100), digest(1001)),
        "5efc38fcc68592dd e812903eab56bdc3 0b145f428de46db7"
    );
}

#[test]
fn bodies_in_the_same_place_are_never_overlooked() {
    let at = |x: f64, mass: f64| Body { position: [x, 0.5, 0.25], mass };
    for width in Width::available() {
        // Within a block, across blocks, with the last one of a partial block.
        for (i, j) in [(0, 1), (2, 7), (3, 8), (0, 20), (19, 20)] {
            let mut bodies: Vec<Body> = (0..21).map(|k| at(f64::from(k), 1.0)).collect();
            bodies[j] = bodies[i];
            let a = accelerations(&bodies, 1.0, 0.0, width);
            for (k, a) in a.iter().enumerate() {
                let finite = a.iter().all(|x| x.is_finite());
                assert_eq!(finite, k != i && k != j, "{width}: {i} and {j} coincide, body {k}: {a:?}");
                let one_nan = a.iter().all(|x| !x.is_nan() || x.to_bits() == f64::NAN.to_bits());
                assert!(one_nan, "{width}: {a:?}");
            }
            assert!(!cloud(&bodies).potential_energy(1.0, 0.0, width).is_finite());
            // Softening makes it regular, and they do not move each other.
            check_against_naive(&bodies, 1.0, 0.125, width);
        }
    }
}

/// Unused lanes sit at the origin too, with mass zero; 0/0 must not come from there.
#[test]
fn a_body_at_the_origin_is_not_disturbed_by_padding() {
    for width in Width::available() {
        for n in 1..20 {
            let bodies: Vec<Body> =
                (0..n).map(|k| Body { position: [f64::from(k), 0.0, 0.0], mass: 1.0 }).collect();
            check_against_naive(&bodies, 1.0, 0.0, width);
            assert!(cloud(&bodies).potential_energy(1.0, 0.0, width).is_finite());
        }
    }
}

#[test]
fn tracers_feel_and_do_not_pull() {
    let masses: Vec<Body> = random_bodies(60).into_iter().filter(|body| body.mass > 0.0).collect();
    for width in Width::available() {
        let alone = bits(&accelerations(&masses, 1.0, 0.0, width));
        // Tracers between the masses; the first two in one place, the third on top of a mass.
        let tracer = |position| Body { position, mass: 0.0 };
        let mut bodies = masses.clone();
        bodies.insert(5, tracer([0.1; 3]));
        bodies.insert(9, tracer([0.1; 3]));
        bodies.push(tracer(masses[7].position));
        let a = accelerations(&bodies, 1.0, 0.0, width);
        assert_eq!(bits(&a[5..6]), bits(&a[9..10]), "{width}: two tracers in one place move alike");
        assert!(a.last().is_some_and(|a| !a.iter().any(|x| x.is_finite())), "{width}: on top of a mass");
        let (kept, _): (Vec<_>, Vec<_>) = a.iter().zip(&bodies).partition(|(_, body)| body.mass > 0.0);
        let kept: Vec<[f64; 3]> = kept.into_iter().map(|(a, _)| *a).collect();
        assert_eq!(bits(&kept), alone, "{width}: masses do not notice");
        check_against_naive(&bodies[..bodies.len() - 1], 1.0, 0.0, width);
    }
}

#[test]
fn a_cloud_without_masses_has_no_gravity() {
    let bodies = vec![Body { position: [0.0; 3], mass: 0.0 }; 9];
    for width in Width::available() {
        assert_eq!(accelerations(&bodies, 1.0, 0.0, width), vec![[0.0; 3]; 9]);
        assert_eq!(cloud(&bodies).potential_energy(1.0, 0.0, width), 0.0);
    }
}

#[test]
fn a_cleared_cloud_remembers_nothing() {
    let (many, few) = (random_bodies(1000), random_bodies(13));
    let mut reused = cloud(&many);
    reused.attract(1.0, 0.0, Width::best());
    reused.clear();
    assert!(reused.is_empty());
    few.iter().for_each(|body| reused.push(body.position, body.mass));
    reused.attract(1.0, 0.0, Width::best());
    let a: Vec<[f64; 3]> = (0..reused.len()).map(|i| reused.acceleration(i)).collect();
    assert_eq!(bits(&a), bits(&accelerations(&few, 1.0, 0.0, Width::best())));
}

#[test]
#[should_panic(expected = "attract() has seen 1 bodies")]
fn an_acceleration_not_computed_is_not_made_up() {
    let mut cloud = cloud(&random_bodies(1));
    cloud.attract(1.0, 0.0, Width::best());
    cloud.push([0.0; 3], 1.0);
    cloud.acceleration(1);
}

/// Counts the allocations of each thread.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

#[expect(unsafe_code, reason = "an allocator is; it hands everything on to that of the system")]
// SAFETY: the contract is that of `System`, which does all the work.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_second_step_allocates_nothing() {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    for n in [100, 1000] {
        let bodies = random_bodies(n);
        let mut cloud = Cloud::new();
        let mut step = || {
            cloud.clear();
            bodies.iter().for_each(|body| cloud.push(body.position, body.mass));
            cloud.attract(1.0, 0.01, Width::best());
            cloud.potential_energy(1.0, 0.01, Width::best());
        };
        let allocations = pool.install(|| {
            step();
            step(); // rayon's queue of jobs grows once
            let before = ALLOCATIONS.get();
            step();
            ALLOCATIONS.get() - before
        });
        assert_eq!(allocations, 0, "{n} bodies");
    }
}

fn any_body() -> impl Strategy<Value = Body> {
    let coordinate = prop_oneof![-1.0..1.0_f64, -1e6..1e6_f64, Just(0.0)];
    let mass = prop_oneof![Just(0.0), 0.0..1.0_f64, 1e-20..1e-10_f64, 1e20..1e30_f64, -1.0..0.0_f64];
    ([coordinate.clone(), coordinate.clone(), coordinate], mass)
        .prop_map(|(position, mass)| Body { position, mass })
}

proptest! {
    #[test]
    fn any_cloud_is_as_the_double_loop_at_every_width(
        bodies in prop::collection::vec(any_body(), 0..70),
        softening in 1e-3..1.0_f64,
    ) {
        for width in Width::available() {
            check_against_naive(&bodies, 1.0, softening, width);
            let expected = bits(&accelerations(&bodies, 1.0, softening, Width::best()));
            prop_assert_eq!(bits(&accelerations(&bodies, 1.0, softening, width)), expected);
        }
    }

    /// Lengths times 2^k make accelerations exactly 4^-k times as large: no magnitude is favoured.
    #[test]
    fn lengths_scale(bodies in prop::collection::vec(any_body(), 2..30), k in -100..100_i32) {
        let two = |k: i32| f64::from_bits(u64::try_from(1023 + k).expect("a normal number") << 52);
        let scaled: Vec<Body> = bodies
            .iter()
            .map(|body| Body { position: body.position.map(|x| x * two(k)), mass: body.mass })
            .collect();
        let a = accelerations(&scaled, 1.0, 0.01 * two(k), Width::best());
        let expected: Vec<[f64; 3]> = accelerations(&bodies, 1.0, 0.01, Width::best())
            .into_iter()
            .map(|a| a.map(|x| x * two(-k) * two(-k)))
            .collect();
        prop_assert_eq!(bits(&a), bits(&expected));
    }
}

//! Natives of chance: the numbers that anybody computes from the published generator, their distributions, and
//! their independence of seeds and keys nearby.
//!
//! Draws are functions of their seeds, so that these tests pass always or never. Had the numbers been drawn by
//! true chance, each comparison below would fail with probability 1e-6, all of them together with less than
//! 1e-4.

use crate::calls::{call, real, try_call, vector};
use gedanken_lang::value::{Shaped, Value};
use std::f64::consts::{PI, TAU};

const DRAWS: u32 = 100_000;

/// χ² of 99 degrees of freedom that chance exceeds with probability 1e-6: `scipy.stats.chi2.isf(1e-6, 99)`.
const MOST_CHI_SQUARE: f64 = 180.792_015_325_899_74;

/// Standard deviations that a mean exceeds with probability 1e-6.
const MOST_DEVIATIONS: f64 = 4.9;

fn number(value: &Value) -> f64 {
    match value {
        Shaped::Real(x) => *x,
        other => panic!("{other:?} is no real"),
    }
}

fn numbers<const N: usize>(value: &Value) -> [f64; N] {
    match value {
        Shaped::Vector(v) => v.as_slice().try_into().unwrap(),
        other => panic!("{other:?} is no vector"),
    }
}

fn draw(name: &str, seed: f64, k: f64) -> Value {
    call(name, &[real(seed), real(k)])
}

fn uniform(seed: f64, k: f64) -> f64 {
    number(&draw("uniform", seed, k))
}

/// Σ (found - expected)²/expected of numbers in [0, 1) over a hundred bins.
fn chi_square(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut bins, mut total) = ([0_u32; 100], 0_u32);
    for x in numbers {
        bins[(100.0 * x) as usize] += 1;
        total += 1;
    }
    let expected = f64::from(total) / 100.0;
    bins.iter().map(|&found| (f64::from(found) - expected) * (f64::from(found) - expected) / expected).sum()
}

/// A pair of numbers in [0, 1) as one: a hundred bins of it are ten by ten cells.
fn cell(x: f64, y: f64) -> f64 {
    (libm::floor(10.0 * x) + y) / 10.0
}

fn assert_uniform(what: &str, numbers: impl Iterator<Item = f64>) {
    let found = chi_square(numbers);
    assert!(found < MOST_CHI_SQUARE, "{what}: chi-square {found}");
}

/// Distances from the expected moments, in standard deviations of the mean of so many draws.
fn assert_moments(what: &str, draws: &[f64], expected: [f64; 4], variances: [f64; 4]) {
    for (power, (expected, variance)) in (1..).zip(expected.into_iter().zip(variances)) {
        let moment = draws.iter().map(|x| libm::pow(*x, f64::from(power))).sum::<f64>() / draws.len() as f64;
        let deviations = (moment - expected) / libm::sqrt(variance / draws.len() as f64);
        assert!(deviations.abs() < MOST_DEVIATIONS, "{what}: moment {power} is {moment}, not {expected}");
    }
}

fn each() -> impl Iterator<Item = f64> {
    (0..DRAWS).map(f64::from)
}

/// Computed by a few lines of Python from the published rounds, which share nothing with this code.
#[test]
fn numbers_are_those_of_an_independent_computation() {
    let key = |k: &[f64]| vector(k);
    for (seed, k, expected) in [
        (1.0, key(&[2.0]), 0.701_987_881_454_642_4),
        (1.0, key(&[2.0, 3.0]), 0.752_556_588_375_127_1),
        (-0.5, key(&[1e300]), 0.905_123_996_830_711_7),
        (7.0, key(&[-0.0]), 0.042_969_153_674_548_566),
        (-0.0, key(&[]), 0.894_684_716_335_092_4),
    ] {
        assert_eq!(number(&call("uniform", &[real(seed), k.clone()])), expected, "{seed} {k:?}");
    }
    let near = |found: &[f64], expected: &[f64]| {
        assert!(
            found.iter().zip(expected).all(|(x, y)| (x - y).abs() < 1e-14),
            "{found:?}, not {expected:?}"
        );
    };
    let arguments = [real(1.0), vector(&[2.0, 3.0])];
    near(&[number(&call("normal", &arguments))], &[0.032_865_526_722_528_79]);
    near(
        &numbers::<3>(&call("direction", &arguments)),
        &[0.105_088_502_159_346, -0.933_496_128_562_215, 0.342_843_090_455_768],
    );
    near(
        &numbers::<4>(&call("rotation", &arguments)),
        &[0.243_871_691_304_114, -0.195_606_897_566_431, -0.874_591_403_327_404, 0.370_613_568_330_557],
    );
}

#[test]
fn a_real_is_the_vector_of_one_and_zero_has_no_sign() {
    for name in ["uniform", "normal", "direction", "rotation"] {
        let of = |seed: f64, k: Value| call(name, &[real(seed), k]);
        assert_eq!(of(3.0, real(5.0)), of(3.0, vector(&[5.0])));
        assert_eq!(of(0.0, real(0.0)), of(-0.0, real(-0.0)));
        assert_eq!(of(0.0, vector(&[1.0, 0.0])), of(0.0, vector(&[1.0, -0.0])));
        let others =
            [of(3.0, vector(&[1.0, 2.0])), of(3.0, vector(&[2.0, 1.0])), of(3.0, vector(&[1.0, 2.0, 0.0]))];
        assert!(others[0] != others[1] && others[0] != others[2], "{others:?}");
    }
}

#[test]
fn uniform_numbers_are_uniform() {
    let draws: Vec<f64> = each().map(|k| uniform(1.0, k)).collect();
    assert_uniform("in k", draws.iter().copied());
    assert_uniform("in the seed", each().map(|seed| uniform(seed, 1.0)));
    // The last of the 53 bits, too.
    assert_uniform("low bits", draws.iter().map(|x| (x * f64::from(1 << 20)).fract()));
    let moments = [1.0, 2.0, 3.0, 4.0].map(|n| 1.0 / (n + 1.0));
    let variances = [1.0_f64, 2.0, 3.0, 4.0].map(|n| 1.0 / (2.0 * n + 1.0) - 1.0 / ((n + 1.0) * (n + 1.0)));
    assert_moments("uniform", &draws, moments, variances);
}

#[test]
fn normal_numbers_are_normal() {
    let draws: Vec<f64> = each().map(|k| number(&draw("normal", 1.0, k))).collect();
    let probability = |x: f64| 0.5 * libm::erfc(-x / libm::sqrt(2.0));
    assert_uniform("normal", draws.iter().map(|x| probability(*x)));
    // E x² = 1, E x⁴ = 3, E x⁶ = 15, E x⁸ = 105.
    assert_moments("normal", &draws, [0.0, 1.0, 0.0, 3.0], [1.0, 2.0, 15.0, 96.0]);
    assert!(draws.iter().all(|x| x.abs() < 8.6));
}

/// Height and longitude as numbers in [0, 1).
fn place([x, y, z]: [f64; 3]) -> (f64, f64) {
    let longitude = libm::atan2(y, x) / TAU + 0.5;
    ((0.5 * z + 0.5).clamp(0.0, 1.0 - f64::EPSILON), longitude.clamp(0.0, 1.0 - f64::EPSILON))
}

#[test]
fn directions_cover_the_sphere_evenly() {
    let draws: Vec<[f64; 3]> = each().map(|k| numbers(&draw("direction", 1.0, k))).collect();
    for [x, y, z] in &draws {
        assert!((libm::sqrt(x * x + y * y + z * z) - 1.0).abs() < 4.0 * f64::EPSILON);
    }
    // Seen along each axis: by Archimedes, equal heights are equal areas.
    for turn in 0..3 {
        let turned = draws.iter().map(|d| place([d[turn % 3], d[(turn + 1) % 3], d[(turn + 2) % 3]]));
        assert_uniform("direction", turned.map(|(height, longitude)| cell(height, longitude)));
    }
}

#[test]
fn rotations_cover_all_rotations_evenly() {
    let draws: Vec<[f64; 4]> = each().map(|k| numbers(&draw("rotation", 1.0, k))).collect();
    for q in &draws {
        let length = libm::sqrt(q.iter().map(|x| x * x).sum::<f64>());
        assert!((length - 1.0).abs() < 4.0 * f64::EPSILON && q[0] >= 0.0, "{q:?}");
    }
    // Of a uniform rotation the angle θ has the distribution (θ - sin θ)/π, and axes cover the sphere.
    let angle = |q: &[f64; 4]| 2.0 * libm::acos(q[0].min(1.0));
    let probability = |angle: f64| ((angle - libm::sin(angle)) / PI).clamp(0.0, 1.0 - f64::EPSILON);
    assert_uniform("angle", draws.iter().map(|q| probability(angle(q))));
    let axis = |[_, x, y, z]: [f64; 4]| {
        let length = libm::sqrt(x * x + y * y + z * z);
        place([x / length, y / length, z / length])
    };
    assert_uniform("axis", draws.iter().map(|q| axis(*q)).map(|(height, longitude)| cell(height, longitude)));
    assert_uniform("angle and axis", draws.iter().map(|q| cell(probability(angle(q)), axis(*q).0)));
    // And so do the images of any vector: the third column of the matrix.
    let image = |[w, x, y, z]: [f64; 4]| {
        place([2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)])
    };
    assert_uniform(
        "image",
        draws.iter().map(|q| image(*q)).map(|(height, longitude)| cell(height, longitude)),
    );
}

#[test]
fn neighbours_are_independent() {
    let one = |seed: f64, k: &[f64]| number(&call("uniform", &[real(seed), vector(k)]));
    let probability = |x: f64| 0.5 * libm::erfc(-x / libm::sqrt(2.0));
    type Pair<'p> = &'p dyn Fn(f64) -> (f64, f64);
    let pairs: [(&str, Pair<'_>); 7] = [
        ("seeds 1 apart", &|n| (uniform(n, 1.0), uniform(n + 1.0, 1.0))),
        ("seeds a rounding apart", &|n| (uniform(n, 1.0), uniform((n + 1.0).next_down(), 1.0))),
        ("keys 1 apart", &|n| (uniform(1.0, n), uniform(1.0, n + 1.0))),
        ("seed and key exchanged", &|n| (uniform(n, 0.5), uniform(0.5, n))),
        ("elements exchanged", &|n| (one(1.0, &[n, 0.5]), one(1.0, &[0.5, n]))),
        ("seeds of opposite sign", &|n| (uniform(n + 1.0, 1.0), uniform(-n - 1.0, 1.0))),
        ("two natives", &|n| (uniform(n, 1.0), probability(number(&draw("normal", n, 1.0))))),
    ];
    for (what, pair) in pairs {
        assert_uniform(what, each().map(pair).map(|(x, y)| cell(x, y)));
    }
}

#[test]
fn keys_and_seeds_of_the_wrong_type_are_told() {
    let refused = |seed: Value, k: Value| {
        let refused = try_call("normal", &[seed, k]).unwrap_err();
        format!("{}; {}", refused.message, refused.help.unwrap_or_default())
    };
    insta::assert_snapshot!(refused(vector(&[1.0]), real(2.0)), @"`normal` needs a real as `seed`, but here is a vector of 1; take one element, `v # 1`, or the length of the vector, `norm(v)`");
    insta::assert_snapshot!(refused(real(1.0), Shaped::Sequence(vec![real(2.0)])), @"`normal` needs a real or a vector as `k`, but here is a sequence; `{1, 2}` is a sequence, `[1, 2]` is a vector");
    insta::assert_snapshot!(refused(real(1.0), Shaped::Bool(true)), @"`normal` needs a real or a vector as `k`, but here is a boolean; a boolean is no number; `if c then 1 else 0` makes one of it");
}

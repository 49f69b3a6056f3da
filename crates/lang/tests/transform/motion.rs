//! Bounds of motion over a frame, as the search for contacts asks for them.

use crate::dice::Dice;
use crate::evaluate::{differentiable, fraction, free_fall, graph, inside, intervals, outputs, programs};
use crate::graphs::{self, by_the_book};
use gedanken_lang::arithmetic::{Arithmetic, Binary, Comparison, Unary};
use gedanken_lang::ir::{Builder, Graph, NodeId, Schedule};
use gedanken_lang::transform::{NotDifferentiable, Seed, enclose, rate, sweep};

const FRAME: f64 = 1.0 / 60.0;
const FALL: [Seed; 5] = [Seed::One, Seed::Zero, Seed::Zero, Seed::Zero, Seed::Zero];

struct Swept {
    value: (f64, f64),
    rate: (f64, f64),
    steady: bool,
}

/// The one output of a sweep over [from, to] with the other slots frozen.
fn swept(sweep: &Graph, from: f64, to: f64, frozen: &[f64]) -> Swept {
    let slots: Vec<f64> = [from, to].into_iter().chain(frozen.iter().flat_map(|&x| [x, x])).collect();
    let [lo, hi, rate_lo, rate_hi, steady] = outputs(sweep, &slots)[..] else { panic!("one output") };
    Swept { value: (lo, hi), rate: (rate_lo, rate_hi), steady: steady == 1.0 }
}

#[test]
fn a_falling_stone_is_enclosed_by_little_more_than_its_path() {
    let frozen = [0.0, 10.0, -2.0, -9.81];
    let enclosure = enclose(&free_fall());
    let sweep = sweep(&free_fall(), &FALL).unwrap();
    for frame in 0..120 {
        let (from, to) = (f64::from(frame) * FRAME, f64::from(frame + 1) * FRAME);
        let at = |t: f64| outputs(&free_fall(), &[t, frozen[0], frozen[1], frozen[2], frozen[3]])[0];
        let range = at(from) - at(to);
        let inputs: Vec<(f64, f64)> = [(from, to)].into_iter().chain(frozen.map(|x| (x, x))).collect();
        let (lo, hi) = intervals(&enclosure, &inputs)[0];
        assert!(hi - lo <= 1.01 * range, "[{lo}, {hi}] for {range}");
        let swept = swept(&sweep, from, to, &frozen);
        assert!(swept.value.1 - swept.value.0 <= 1.01 * range);
        let speeds = (-2.0 - 9.81 * to, -2.0 - 9.81 * from);
        assert!((swept.rate.0 - speeds.0).abs() < 1e-12 && (swept.rate.1 - speeds.1).abs() < 1e-12);
        assert!(swept.steady);
    }
}

#[test]
fn the_top_of_a_throw_is_enclosed_within_a_few_times_its_range() {
    // Thrown at 30 m/s, the top is after about 3 s; there v t and g t²/2 cancel almost.
    let (v, g) = (30.0, -9.81);
    let sweep = sweep(&free_fall(), &FALL).unwrap();
    for frame in 0..360_u32 {
        let (from, to) = (f64::from(frame) * FRAME, f64::from(frame + 1) * FRAME);
        let height = |t: f64| v * t + 0.5 * g * t * t;
        let top = (-v / g).clamp(from, to);
        let range = height(top) - height(from).min(height(to));
        let swept = swept(&sweep, from, to, &[0.0, 0.0, v, g]);
        let width = swept.value.1 - swept.value.0;
        assert!(width <= 5.0 * range, "{width} for {range} at {from}");
        let mut dice = Dice::new(u64::from(frame));
        for _ in 0..20 {
            let t = inside(&mut dice, (from, to));
            let value = outputs(&free_fall(), &[t, 0.0, 0.0, v, g])[0];
            assert!(swept.value.0 <= value && value <= swept.value.1);
        }
    }
}

#[test]
fn what_does_not_depend_on_time_is_the_number_that_the_program_computes() {
    // if a < b then √(a a + b b) / 3 else √(a a + b b)
    let frozen = graph(3, |w, x| {
        let squares = [1, 2].map(|it| w.binary(Binary::Mul, x[it], x[it]));
        let sum = w.binary(Binary::Add, squares[0], squares[1]);
        let (length, three) = (w.unary(Unary::Sqrt, sum), w.real(3.0));
        let third = w.binary(Binary::Div, length, three);
        let less = w.compare(Comparison::Lt, x[1], x[2]);
        vec![w.select(less, third, length)]
    });
    let sweep = sweep(&frozen, &[Seed::One, Seed::Zero, Seed::Zero]).unwrap();
    for (a, b) in [(0.1, 0.3), (0.3, 0.1), (-7.7, 1e-9), (0.0, 0.0)] {
        let length = f64::sqrt(a * a + b * b);
        let value = if a < b { length / 3.0 } else { length };
        let found = swept(&sweep, 0.0, 1.0, &[a, b]);
        assert_eq!((found.value, found.rate, found.steady), ((value, value), (0.0, 0.0), true));
    }
}

#[test]
fn a_jump_is_not_steady() {
    // if t < 1 then 0 else 5
    let jump = graph(1, |a, x| {
        let (zero, one, five) = (a.real(0.0), a.real(1.0), a.real(5.0));
        let before = a.compare(Comparison::Lt, x[0], one);
        vec![a.select(before, zero, five)]
    });
    let sweep = sweep(&jump, &[Seed::One]).unwrap();
    let across = swept(&sweep, 0.5, 1.5, &[]);
    assert_eq!((across.value, across.rate, across.steady), ((0.0, 5.0), (0.0, 0.0), false));
    let before = swept(&sweep, 0.25, 0.5, &[]);
    assert_eq!((before.value, before.steady), ((0.0, 0.0), true));
}

type Make = fn(&mut Builder, NodeId) -> NodeId;

#[test]
fn what_wraps_breaks_or_crosses_is_not_steady() {
    let cases: [(Make, f64, bool); 8] = [
        (|a, t| a.unary(Unary::Floor, t), 0.9, false),
        (|a, t| a.unary(Unary::Floor, t), 0.2, true),
        (|a, t| a.unary(Unary::Tan, t), 1.5, false),
        (|a, t| a.unary(Unary::Abs, t), -0.1, true),
        (
            |a, t| {
                let period = a.real(1.0);
                a.binary(Binary::Mod, t, period)
            },
            0.9,
            false,
        ),
        (
            |a, t| {
                let period = a.real(1.0);
                a.binary(Binary::Mod, t, period)
            },
            0.3,
            true,
        ),
        (
            |a, t| {
                let one = a.real(1.0);
                a.binary(Binary::Div, one, t)
            },
            -0.1,
            false,
        ),
        (
            |a, t| {
                let left = a.real(-1.0);
                a.binary(Binary::Atan2, t, left)
            },
            -0.1,
            false,
        ),
    ];
    for (number, (make, from, steady)) in cases.into_iter().enumerate() {
        let sweep = sweep(&graph(1, |a, x| vec![make(a, x[0])]), &[Seed::One]).unwrap();
        assert_eq!(swept(&sweep, from, from + 0.2, &[]).steady, steady, "case {number}");
    }
}

#[test]
fn swept_random_programs_stay_inside() {
    let (seen, steady) = stays_inside(&differentiable());
    assert!(seen > 10_000 && steady > 2_000, "only {seen} values were compared, {steady} of them steady");
}

/// Random numbers are the program's where seed and key are frozen; those that vary have no rates and no bounds.
#[test]
fn swept_random_programs_that_draw_stay_inside() {
    let (seen, steady) = stays_inside(Binary::ALL);
    assert!(seen > 5_000 && steady > 1_000, "only {seen} values were compared, {steady} of them steady");
}

/// Compares sweeps of random programs of these operations with sampled values: number of values, and of those
/// that are steady.
fn stays_inside(operations: &[Binary]) -> (usize, usize) {
    let mut seen = 0;
    let mut steady = 0;
    for seed in 0..programs(300) {
        let mut dice = Dice::new(seed);
        let graph = graphs::graph(&mut dice, operations);
        let seeds: Vec<Seed> =
            (0..graph.slots.len()).map(|k| if k == 0 { Seed::One } else { Seed::Zero }).collect();
        let sweep = match sweep(&graph, &seeds) {
            Err(NotDifferentiable::Chance) if graph.draws() => continue,
            sweep => sweep.unwrap(),
        };
        Schedule::new(&sweep).validate(&sweep).unwrap();
        let rated = rate(&graph, &seeds).unwrap();
        let count = graph.outputs.len();
        for _ in 0..6 {
            let frozen: Vec<f64> = (1..graph.slots.len()).map(|_| 4.0 * fraction(&mut dice) - 2.0).collect();
            let from = 4.0 * fraction(&mut dice) - 2.0;
            let to = from + dice.one_of(&[0.0, 1e-6, 1e-2, 0.3]);
            if graph.slots.is_empty() {
                continue;
            }
            let slots: Vec<f64> = [from, to].into_iter().chain(frozen.iter().flat_map(|&x| [x, x])).collect();
            let found = outputs(&sweep, &slots);
            for _ in 0..20 {
                let at: Vec<f64> =
                    std::iter::once(inside(&mut dice, (from, to))).chain(frozen.iter().copied()).collect();
                let Some(values) = by_the_book(&rated, &at) else { continue };
                for (k, value) in values.into_iter().enumerate() {
                    let (lo, hi) = (found[2 * k], found[2 * k + 1]);
                    assert!(
                        lo <= value && value <= hi,
                        "program {seed}: {value} at {at:?} is not in [{lo}, {hi}]\n{graph}"
                    );
                    seen += 1;
                    steady += usize::from(k < count && found[4 * count + k] == 1.0);
                }
            }
        }
    }
    (seen, steady)
}

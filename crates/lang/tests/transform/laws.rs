//! The laws of a spinning body, made of natives: orientation = quaternionToEulerXYZ(q(t)) with
//! q(t) = quaternionFromAxisAndAngle(w, |w| (t - s)) q₀.

use crate::dice::Dice;
use crate::evaluate::{inside, outputs};
use crate::graphs::by_the_book;
use gedanken_lang::arithmetic::{Arithmetic, Binary};
use gedanken_lang::ir::{Access, Builder, ColumnProgram, Executor, Feed, Graph, GraphOutput, Layout, NodeId};
use gedanken_lang::native::Native;
use gedanken_lang::program::{InputId, OutputKind};
use gedanken_lang::transform::{Seed, enclose, rate, sweep};
use gedanken_lang::types::Type;
use gedanken_lang::value::Shaped;

const FRAME: f64 = 1.0 / 60.0;
/// Time, start; spin w; quaternion at the start.
const SLOTS: usize = 9;
const SEEDS: [Seed; SLOTS] = {
    let mut seeds = [Seed::Zero; SLOTS];
    seeds[0] = Seed::One;
    seeds
};

fn call(a: &mut Builder, name: &str, arguments: &[Shaped<NodeId, NodeId>]) -> Shaped<NodeId, NodeId> {
    Native::by_name(name).unwrap().call(a, arguments).unwrap()
}

fn spin() -> Graph {
    let mut a = Builder::new();
    let x: Vec<NodeId> =
        (0..SLOTS as u32).map(|slot| a.slot(InputId(slot), 0, || format!("x{slot}"))).collect();
    let axis = Shaped::Vector(x[2..5].to_vec());
    let Shaped::Real(speed) = call(&mut a, "norm", std::slice::from_ref(&axis)) else { panic!("a length") };
    let elapsed = a.binary(Binary::Sub, x[0], x[1]);
    let angle = Shaped::Real(a.binary(Binary::Mul, speed, elapsed));
    let turn = call(&mut a, "quaternionFromAxisAndAngle", &[axis, angle]);
    let q = call(&mut a, "multiplyQuaternions", &[turn, Shaped::Vector(x[5..9].to_vec())]);
    let Shaped::Vector(angles) = call(&mut a, "quaternionToEulerXYZ", &[q]) else { panic!("three angles") };
    let graph = a.finish(vec![GraphOutput {
        name: "orientation".to_owned(),
        kind: OutputKind::Law,
        ty: Type::vector(3),
        nodes: angles,
    }]);
    assert_eq!(graph.slots.len(), SLOTS);
    graph
}

fn ends(time: (f64, f64), frozen: &[f64]) -> Vec<f64> {
    [time.0, time.1].into_iter().chain(frozen.iter().flat_map(|&x| [x, x])).collect()
}

#[test]
fn a_body_that_does_not_spin_stays_exactly_where_it_is() {
    let graph = spin();
    // Turned by 0.6 rad about an axis in the plane.
    let half = [libm::cos(0.3), 0.6 * libm::sin(0.3), 0.8 * libm::sin(0.3), 0.0];
    let frozen = [0.0, 0.0, 0.0, 0.0, half[0], half[1], half[2], half[3]];
    let at: Vec<f64> = [5.0].into_iter().chain(frozen).collect();
    let values = by_the_book(&rate(&graph, &SEEDS).unwrap(), &at).unwrap();
    assert_eq!(values[3..], [0.0; 3]);
    let found = outputs(&enclose(&graph), &ends((5.0, 5.0 + FRAME), &frozen));
    assert_eq!(found[..3], values[..3]);
    assert_eq!(found[3..], values[..3]);
    let swept = outputs(&sweep(&graph, &SEEDS).unwrap(), &ends((5.0, 5.0 + FRAME), &frozen));
    assert_eq!(swept[6..12], [0.0; 6], "its rates");
    assert_eq!(swept[12], 1.0, "steady");
    for k in 0..3 {
        assert!(swept[k] <= values[k] && values[k] <= swept[3 + k] && swept[3 + k] - swept[k] < 1e-14);
    }
}

#[test]
fn a_spinning_body_is_enclosed_by_a_few_times_its_turn() {
    let graph = spin();
    let (rated, sweep) = (rate(&graph, &SEEDS).unwrap(), sweep(&graph, &SEEDS).unwrap());
    let frozen = [0.0, 1.0, -0.5, 2.0, 1.0, 0.0, 0.0, 0.0];
    let speed = libm::sqrt(5.25);
    let mut dice = Dice::new(3);
    let mut bounded = 0;
    for frame in 0..120 {
        let time = (f64::from(frame) * FRAME, f64::from(frame + 1) * FRAME);
        let found = outputs(&sweep, &ends(time, &frozen));
        let steady = found[12] == 1.0;
        for k in 0..3 {
            let (lo, hi) = (found[k], found[3 + k]);
            assert!(lo.is_finite() && hi.is_finite());
            if steady && found[6 + k].is_finite() && found[9 + k].is_finite() {
                assert!(hi - lo < 8.0 * speed * FRAME, "[{lo}, {hi}] in frame {frame}");
                bounded += 1;
            }
        }
        for _ in 0..20 {
            let t = inside(&mut dice, time);
            let at: Vec<f64> = [t].into_iter().chain(frozen).collect();
            let values = by_the_book(&rated, &at).unwrap();
            for k in 0..3 {
                assert!(found[k] <= values[k] && values[k] <= found[3 + k], "frame {frame}");
                assert!(found[6 + k] <= values[3 + k] && values[3 + k] <= found[9 + k], "frame {frame}");
            }
        }
    }
    assert!(bounded > 300, "only {bounded} of 360 angles are bounded");
}

#[test]
fn columns_run_rates_and_enclosures_unchanged() {
    let graph = spin();
    for program in [rate(&graph, &SEEDS).unwrap(), enclose(&graph), sweep(&graph, &SEEDS).unwrap()] {
        let layout = Layout { slots: vec![Access::Each; program.slots.len()] };
        let columns = ColumnProgram::new(&program, &layout);
        let doubled = program.slots.len() == 2 * SLOTS;
        let rows: Vec<Vec<f64>> = (0..40)
            .map(|row| {
                let t = f64::from(row) * 0.1;
                let frozen = [0.0, 1.0, -0.5, 2.0, 1.0, 0.0, 0.0, 0.0];
                if doubled { ends((t, t + FRAME), &frozen) } else { [t].into_iter().chain(frozen).collect() }
            })
            .collect();
        let inputs: Vec<Vec<f64>> =
            (0..program.slots.len()).map(|slot| rows.iter().map(|row| row[slot]).collect()).collect();
        let feeds: Vec<Feed<'_>> = inputs.iter().map(|column| Feed::Column(column)).collect();
        let count = program.outputs.iter().map(|output| output.nodes.len()).sum();
        let mut results = vec![vec![f64::NAN; rows.len()]; count];
        let mut slices: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        assert_eq!(columns.run(&feeds, &[], 0..rows.len(), &mut slices), None);
        for (number, row) in rows.iter().enumerate() {
            for (k, value) in outputs(&program, row).into_iter().enumerate() {
                assert_eq!(results[k][number].to_bits(), value.to_bits(), "output {k} of row {number}");
            }
        }
    }
}

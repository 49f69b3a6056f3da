//! What a derived right-hand side costs: the accelerations of 100,000 double pendulums, derived from T and V
//! and compiled, against the same formulas written in Rust.

use super::Outcome;
use crate::clock::{Times, seconds};
use crate::laws::{Spread, distance, run as run_rows};
use crate::ours::{Access, Effort, Feed, Layout, Schedule, compile, symbolic_graph};
use crate::symbolic::{Stated, pendulum};
use crate::table::Row;

const PENDULUMS: usize = 100_000;
const REPETITIONS: usize = 15;
/// g, l1, l2, m1, m2
const PARAMETERS: [f64; 5] = [9.81, 1.0, 0.8, 1.5, 0.7];

pub fn run() -> Outcome {
    let Stated { mut pool, system } = pendulum(2);
    let equations = system.equations(&mut pool, Effort::Readable).map_err(|refusal| refusal.to_string())?;
    let course = equations.straight_line(&mut pool);
    let states: Vec<_> = system.coordinates.iter().flat_map(|it| [it.position, it.rate]).collect();
    let parameters = ["g", "l1", "l2", "m1", "m2"].map(|name| pool.symbol(name));
    let inputs: Vec<_> = states.iter().chain(&parameters).copied().collect();
    let graph = symbolic_graph(&pool, &course, &inputs).map_err(|reason| reason.to_string())?;
    let place = |slot: usize| graph.slots[slot].input.0 as usize;
    let access = |slot: usize| if place(slot) < states.len() { Access::Each } else { Access::Same };
    let layout = Layout { slots: (0..graph.slots.len()).map(access).collect() };
    let native = compile(&graph, &Schedule::new(&graph), &layout).map_err(|error| error.to_string())?;

    let columns = Spread::new(PENDULUMS).columns(4, 2.0);
    let feeds: Vec<Feed<'_>> = (0..graph.slots.len())
        .map(|slot| match place(slot) {
            column if column < 4 => Feed::Column(&columns[column]),
            parameter => Feed::Same(PARAMETERS[parameter - 4]),
        })
        .collect();
    let results = || vec![vec![0.0; PENDULUMS]; 2];
    let (mut ours, mut theirs) = (results(), results());
    let (mut native_times, mut hand_times) = (Times::default(), Times::default());
    let mut bad = None;
    for _ in 0..REPETITIONS {
        hand_times.push(seconds(|| by_hand(&columns, &mut theirs)));
        native_times.push(seconds(|| bad = bad.or(run_rows(&native, &feeds, &[], &mut ours))));
    }
    let apart = distance(&ours, &theirs);
    let each = |times: &Times| times.best() / PENDULUMS as f64 * 1e9;
    Ok(vec![Row {
        case: "derived double pendulum".into(),
        peer: "Rust by hand".into(),
        unit: "accelerations/s",
        amount: PENDULUMS as f64,
        target: Some(1.0 / 1.5),
        sound: bad.is_none() && apart < 1e-9,
        remark: format!(
            "{:.0} ns a pendulum, by hand {:.0} ns; {} operations; results at most {apart:.1e} apart",
            each(&native_times),
            each(&hand_times),
            graph.nodes.len()
        ),
        ours: native_times,
        theirs: hand_times,
    }])
}

/// As in a textbook: with d = θ₁ - θ₂ and the common denominator m₁ + m₂ sin² d.
fn by_hand(columns: &[Vec<f64>], results: &mut [Vec<f64>]) {
    let [g, l1, l2, m1, m2] = PARAMETERS;
    let [q1, v1, q2, v2] = [0, 1, 2, 3].map(|column| columns[column].as_slice());
    let (first, second) = results.split_at_mut(1);
    let (a1, a2) = (&mut first[0], &mut second[0]);
    for i in 0..q1.len() {
        let (sine, cosine) = libm::sincos(q1[i] - q2[i]);
        let (s1, s2) = (libm::sin(q1[i]), libm::sin(q2[i]));
        let (w1, w2) = (v1[i] * v1[i], v2[i] * v2[i]);
        let below = m1 + m2 * sine * sine;
        a1[i] = (m2 * g * s2 * cosine - m2 * sine * (l1 * w1 * cosine + l2 * w2) - (m1 + m2) * g * s1)
            / (l1 * below);
        a2[i] = ((m1 + m2) * (l1 * w1 * sine - g * s2 + g * s1 * cosine) + m2 * l2 * w2 * sine * cosine)
            / (l2 * below);
    }
}

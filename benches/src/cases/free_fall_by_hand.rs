//! What the language costs: free fall of 100,000 rigid bodies as laws, against the same formulas written in
//! Rust.
//!
//! Both sides read and write the same columns, call the same `libm`, and compute
//!
//! ```text
//! v = v₀ + a τ      r = r₀ + v₀ τ + ½ a τ²      q = q(ω/|ω|, |ω| τ) q₀, as Euler angles      τ = t - t₀
//! ```
//!
//! The laws also see to it that every result is finite; the Rust does not. The other rows hold the two
//! evaluators against native code: the one over columns, which runs laws where there is no compiler, and the
//! reference, which takes one body at a time and looks at every type and every result.

use super::Outcome;
use crate::clock::{Times, seconds};
use crate::laws::{Laws, Spread, distance, equal, run as run_rows};
use crate::ours::{Access, Participant, Signature, Type};
use crate::table::Row;
use std::collections::BTreeMap;

const BODIES: usize = 100_000;
const REPETITIONS: usize = 15;
/// The reference evaluator takes its time, and varies little.
const FEW_REPETITIONS: usize = 3;
const TEXT: &str = include_str!("../../laws/free_fall.lab");

pub fn run() -> Outcome {
    let vector = |name: &str| (name.to_owned(), Type::vector(3));
    let body = Participant {
        attributes: ["position", "orientation", "size", "v", "a_v"].map(vector).to_vec(),
        ..Participant::default()
    };
    let signature = Signature { world: vec![vector("a")], participants: vec![body], ..Signature::default() };
    let laws = Laws::new(TEXT, &signature)?;
    let layout = laws.layout(|name| if matches!(name, "t" | "a") { Access::Same } else { Access::Each });
    let (native, evaluator) = (laws.native(&layout)?, laws.columns(&layout));
    let inputs = inputs();
    let feeds = laws.feeds(&layout, &inputs)?;

    let results = || vec![vec![0.0; BODIES]; 9];
    let (mut fast, mut plain, mut hand) = (results(), results(), results());
    let mut times = [Times::default(), Times::default(), Times::default()];
    let mut bad = None;
    for _ in 0..REPETITIONS {
        times[0].push(seconds(|| by_hand(&inputs, &mut hand)));
        times[1].push(seconds(|| bad = bad.or(run_rows(&native, &feeds, &[], &mut fast))));
        times[2].push(seconds(|| bad = bad.or(run_rows(&evaluator, &feeds, &[], &mut plain))));
    }
    let (mut reference, mut slow) = (results(), Times::default());
    for _ in 0..FEW_REPETITIONS {
        let mut done = Ok(());
        slow.push(seconds(|| done = laws.evaluate(&inputs, &mut reference)));
        done?;
    }
    // The laws come in the order of the text, and so do the columns by hand.
    if laws.results()
        != ["v", "v", "v", "position", "position", "position", "orientation", "orientation", "orientation"]
    {
        return Err(format!("unexpected results {:?}", laws.results()));
    }
    let [theirs, native, evaluator] = times;
    let apart = distance(&fast, &hand);
    let each = |times: &Times| times.best() / BODIES as f64 * 1e9;
    let remark = format!(
        "{:.0} ns a body, by hand {:.0} ns; {} operations; results at most {apart:.1e} apart",
        each(&native),
        each(&theirs),
        laws.graph.nodes.len()
    );
    let against_native = format!(
        "{:.0} ns a body; bits are {}",
        each(&evaluator),
        if equal(&fast, &plain) { "equal" } else { "NOT equal" }
    );
    let reference_remark = format!(
        "{:.0} ns a body; bits are {}",
        each(&slow),
        if equal(&fast, &reference) { "equal" } else { "NOT equal" }
    );
    let row = |case: &str, peer: &str, ours, theirs, target, sound, remark| Row {
        case: case.into(),
        peer: peer.into(),
        unit: "bodies/s",
        amount: BODIES as f64,
        ours,
        theirs,
        target: Some(target),
        sound,
        remark,
    };
    let sound = bad.is_none() && apart < 1e-12;
    let same = bad.is_none() && equal(&fast, &plain);
    Ok(vec![
        row("laws of free fall", "Rust by hand", native.clone(), theirs, 1.0 / 1.3, sound, remark),
        row(
            "laws of free fall, by columns",
            "native code",
            evaluator,
            native.clone(),
            1.0 / 30.0,
            same,
            against_native,
        ),
        row(
            "laws of free fall, one by one",
            "native code",
            slow,
            native,
            1.0 / 30.0,
            equal(&fast, &reference),
            reference_remark,
        ),
    ])
}

fn inputs() -> BTreeMap<&'static str, Vec<Vec<f64>>> {
    let mut spread = Spread::new(BODIES);
    let mut inputs = BTreeMap::new();
    inputs.insert("t", vec![vec![2.5]]);
    inputs.insert("a", vec![vec![0.0], vec![0.0], vec![-9.8196]]);
    inputs.insert("t0", spread.columns(1, 2.0));
    inputs.insert("pos0", spread.columns(3, 10.0));
    inputs.insert("v0", spread.columns(3, 10.0));
    inputs.insert("a_v", spread.columns(3, 5.0));
    let mut q = spread.columns(4, 1.0);
    for row in 0..BODIES {
        let length = q.iter().map(|q| q[row] * q[row]).sum::<f64>().sqrt();
        q.iter_mut().for_each(|q| q[row] /= length);
    }
    inputs.insert("orientationQuaternion_i", q);
    inputs
}

type Quaternion = [f64; 4];

fn by_hand(inputs: &BTreeMap<&'static str, Vec<Vec<f64>>>, results: &mut [Vec<f64>]) {
    let columns = |name: &str| inputs[name].iter().map(Vec::as_slice).collect::<Vec<&[f64]>>();
    let (t, a) = (inputs["t"][0][0], [0, 1, 2].map(|k| inputs["a"][k][0]));
    let t0 = columns("t0")[0];
    let [r0, v0, w] =
        ["pos0", "v0", "a_v"].map(|name| <[&[f64]; 3]>::try_from(columns(name)).expect("a vector"));
    let q0 = <[&[f64]; 4]>::try_from(columns("orientationQuaternion_i")).expect("a quaternion");
    let mut results = results.iter_mut().map(Vec::as_mut_slice);
    let [v, r, mut angles] = [(); 3].map(|()| [(); 3].map(|()| results.next().expect("nine results")));
    for i in 0..t0.len() {
        let tau = t - t0[i];
        for k in 0..3 {
            v[k][i] = v0[k][i] + a[k] * tau;
            r[k][i] = r0[k][i] + v0[k][i] * tau + 0.5 * a[k] * (tau * tau);
        }
        let w = w.map(|w| w[i]);
        let speed = (w[0] * w[0] + w[1] * w[1] + w[2] * w[2]).sqrt();
        let axis = if speed == 0.0 { w } else { w.map(|w| w / speed) };
        let turn = multiply(about(axis, speed * tau), q0.map(|q| q[i]));
        for (angle, value) in angles.iter_mut().zip(euler(turn)) {
            angle[i] = value;
        }
    }
}

/// The quaternion of a turn about an axis, which need not be a unit vector.
fn about(axis: [f64; 3], angle: f64) -> Quaternion {
    let length = (axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]).sqrt();
    if length == 0.0 {
        return [1.0, 0.0, 0.0, 0.0];
    }
    let (sine, cosine) = libm::sincos(0.5 * angle);
    let [x, y, z] = axis.map(|x| sine * (x / length));
    [cosine, x, y, z]
}

fn multiply([pw, px, py, pz]: Quaternion, [qw, qx, qy, qz]: Quaternion) -> Quaternion {
    [
        pw * qw - px * qx - py * qy - pz * qz,
        pw * qx + px * qw + py * qz - pz * qy,
        pw * qy - px * qz + py * qw + pz * qx,
        pw * qz + px * qy - py * qx + pz * qw,
    ]
}

/// The angles of R = Rx(a) Ry(b) Rz(c), also where b is a right angle.
fn euler([w, x, y, z]: Quaternion) -> [f64; 3] {
    let s = 2.0 / (w * w + x * x + y * y + z * z);
    let (r11, r12, r13) = (1.0 - s * (y * y + z * z), s * (x * y - w * z), s * (x * z + w * y));
    let (r21, r22) = (s * (x * y + w * z), 1.0 - s * (z * z + x * x));
    let (r31, r32) = (s * (x * z - w * y), s * (y * z + w * x));
    let c = if r11 * r11 + r12 * r12 < 1e-30 { 0.0 } else { libm::atan2(-r12, r11) };
    let (sc, cc) = libm::sincos(c);
    [libm::atan2(sc * r31 + cc * r32, sc * r21 + cc * r22), libm::atan2(r13, cc * r11 - sc * r12), c]
}

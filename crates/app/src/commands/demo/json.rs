//! The data behind the pictures, as JSON. Names carry no units: all is SI.

use super::record::{Invariants, Recording};
use gedanken_dynamics::{INTEGRATORS, LawEntry};
use gedanken_math::Vec3;
use serde_json::{Value, json};

/// The document: one object, whatever was asked for.
pub(crate) fn document(runs: Vec<Value>) -> String {
    format!("{:#}\n", json!({ "runs": runs }))
}

/// One run.
pub(crate) fn recording(recording: &Recording) -> Value {
    let (times, errors): (Vec<f64>, Vec<f64>) = recording.errors.iter().copied().unzip();
    json!({
        "scene": recording.scene.name,
        "integrator": recording.integrator.name,
        "workflow": recording.workflow.line(),
        "laws": recording.laws,
        "period": recording.period,
        "periods": recording.plan.periods,
        "steps_per_period": recording.plan.steps,
        "steps": recording.steps,
        "energy_error": {
            "largest": recording.largest_error,
            "drift": recording.drift,
            "time": times,
            "relative": errors,
        },
        "distance_from_start": recording.distance_from_start,
        "start": invariants(&recording.start),
        "end": invariants(&recording.end),
        "ledger": {
            "laws": recording.ledger.iter().map(entry).collect::<Vec<_>>(),
            "kinetic_change": recording.kinetic_change,
            "unbooked": recording.unbooked,
            "numerical_error": recording.numerical_error,
        },
        // Text: JSON's numbers hold 53 bits in many readers.
        "hash": format!("{:016x}", recording.hash),
    })
}

fn invariants(at: &Invariants) -> Value {
    json!({
        "time": at.time,
        "energy": at.energy,
        "momentum": vector(at.momentum),
        "angular_momentum": at.angular_momentum.map(vector),
    })
}

fn entry(entry: &LawEntry) -> Value {
    json!({
        "law": &*entry.law,
        "work": entry.work.si(),
        "potential_change": entry.potential_change.map(|change| change.si()),
        "numerical_error": entry.numerical_error().si(),
    })
}

fn vector(v: Vec3) -> Value {
    json!(v.to_array())
}

/// The registry of integrators.
pub(crate) fn integrators() -> String {
    let all = INTEGRATORS.map(|i| {
        json!({
            "name": i.name,
            "summary": i.summary,
            "order": i.order,
            "symplectic": i.symplectic,
            "reversible": i.reversible,
            "evaluations": i.evaluations,
            "cite": i.cite,
        })
    });
    format!("{:#}\n", json!({ "integrators": all }))
}

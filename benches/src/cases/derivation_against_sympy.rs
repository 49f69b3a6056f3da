//! Lagrange's equations from energies: ours against SymPy's, both without simplification, from the same
//! Lagrangian in Cartesian positions to mass matrix and right-hand side; and how long it takes until they are
//! simplified and native code.
//!
//! SymPy's cache is emptied before every repetition, ours starts from the pool that holds nothing but the
//! energies. Both give the same accelerations.

use super::Outcome;
use crate::clock::{Times, seconds};
use crate::ours::{Access, Effort, Equations, Layout, Schedule, compile, symbolic_graph};
use crate::peers::sympy::SymPy;
use crate::symbolic::{Stated, cart_pole, pendulum, value};
use crate::table::Row;

const REPETITIONS: usize = 10;
/// What is asked for.
const TIMES: f64 = 50.0;
/// Repetitions of ours within one of theirs: a millisecond is hard to measure.
const AGAIN: usize = 20;

pub fn run() -> Outcome {
    let mut rows = vec![
        against_sympy("double pendulum", "pendulum 2", || pendulum(2))?,
        against_sympy("triple pendulum", "pendulum 3", || pendulum(3))?,
        against_sympy("cart-pole", "cart_pole", cart_pole)?,
    ];
    for (name, links, budget) in
        [("double pendulum", 2, 20e-3), ("triple pendulum", 3, 100e-3), ("chain of 8 links", 8, 5.0)]
    {
        rows.push(to_native_code(name, links, budget)?);
    }
    Ok(rows)
}

fn against_sympy(name: &str, system: &str, make: impl Fn() -> Stated) -> Result<Row, String> {
    let mut peer = SymPy::start(system)?;
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..REPETITIONS {
        theirs.push(peer.derive()?);
        let mut all: Vec<Stated> = (0..AGAIN).map(|_| make()).collect();
        let mut failed = None;
        let spent = seconds(|| {
            for Stated { pool, system } in &mut all {
                failed = failed.take().or(system.equations(pool, Effort::Plain).err());
            }
        });
        ours.push(spent / AGAIN as f64);
        if let Some(refusal) = failed {
            return Err(refusal.to_string());
        }
    }
    let apart = apart(&make(), &peer.accelerations()?)?;
    Ok(Row {
        case: format!("derivation, {name}"),
        peer: peer.name(),
        unit: "derivations/s",
        amount: 1.0,
        target: Some(TIMES),
        sound: apart < 1e-12,
        remark: format!(
            "{:.3} ms, theirs {:.1} ms; accelerations at most {apart:.1e} apart",
            ours.best() * 1e3,
            theirs.best() * 1e3
        ),
        ours,
        theirs,
    })
}

/// By how much our accelerations differ from these, relative to the largest.
fn apart(stated: &Stated, theirs: &[f64]) -> Result<f64, String> {
    let Stated { mut pool, system } = Stated { pool: stated.pool.clone(), system: stated.system.clone() };
    let equations = system.equations(&mut pool, Effort::Plain).map_err(|refusal| refusal.to_string())?;
    let course = equations.straight_line(&mut pool);
    let mut known = std::collections::HashMap::new();
    for &(symbol, expr) in &course.lets {
        let at = |symbol| known.get(&symbol).copied().unwrap_or_else(|| value(&pool, &system, symbol));
        let result = pool.evaluate(expr, &at);
        known.insert(pool.as_symbol(symbol).ok_or("a step without a name")?, result);
    }
    let at = |symbol| known.get(&symbol).copied().unwrap_or_else(|| value(&pool, &system, symbol));
    let ours: Vec<f64> = course.results.iter().map(|&it| pool.evaluate(it, &at)).collect();
    let largest = theirs.iter().fold(1.0_f64, |most, it| most.max(it.abs()));
    Ok(ours.iter().zip(theirs).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs() / largest)))
}

fn to_native_code(name: &str, links: usize, budget: f64) -> Result<Row, String> {
    let mut ours = Times::default();
    let mut operations = 0;
    for _ in 0..if budget < 1.0 { REPETITIONS } else { 3 } {
        let Stated { mut pool, system } = pendulum(links);
        let mut outcome = Ok(());
        ours.push(seconds(|| {
            outcome = (|| {
                let equations: Equations =
                    system.equations(&mut pool, Effort::Readable).map_err(|refusal| refusal.to_string())?;
                let course = equations.straight_line(&mut pool);
                let inputs: Vec<_> = system
                    .coordinates
                    .iter()
                    .flat_map(|it| [it.position, it.rate])
                    .chain(["g".to_owned()].iter().map(|name| pool.symbol(name)).collect::<Vec<_>>())
                    .chain(
                        (1..=links)
                            .flat_map(|i| ["m", "l"].map(|letter| format!("{letter}{i}")))
                            .map(|name| pool.symbol(&name))
                            .collect::<Vec<_>>(),
                    )
                    .collect();
                let graph = symbolic_graph(&pool, &course, &inputs).map_err(|reason| reason.to_string())?;
                operations = graph.nodes.len();
                let layout = Layout { slots: vec![Access::Each; graph.slots.len()] };
                compile(&graph, &Schedule::new(&graph), &layout)
                    .map(|_| ())
                    .map_err(|error| error.to_string())
            })();
        }));
        outcome?;
    }
    let mut theirs = Times::default();
    theirs.push(budget);
    Ok(Row {
        case: format!("energies to native code, {name}"),
        peer: format!("{:.0} ms", budget * 1e3),
        unit: "systems/s",
        amount: 1.0,
        target: Some(1.0),
        sound: true,
        remark: format!(
            "derived, simplified, compiled in {:.2} ms, median {:.2} ms; {operations} operations",
            ours.best() * 1e3,
            ours.median() * 1e3
        ),
        ours,
        theirs,
    })
}

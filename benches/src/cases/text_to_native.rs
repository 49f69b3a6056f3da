//! How long a change of the text takes to run: the largest context we have from text to native code, and a
//! library of 10,000 lines to its diagnostics. The peers are budgets: what nobody notices.

use super::{Outcome, collision_by_hand};
use crate::clock::{Times, seconds};
use crate::laws::Laws;
use crate::ours::{Definition, Dialect, Item, Library, Sources, check_library, parse};
use crate::table::Row;

const REPETITIONS: usize = 15;
const CONTEXT: &str = include_str!("../../laws/collision.lab");
const LINES: usize = 10_000;

pub fn run() -> Outcome {
    Ok(vec![context()?, library()?])
}

fn context() -> Result<Row, String> {
    let mut ours = Times::default();
    let mut nodes = 0;
    for _ in 0..REPETITIONS {
        let mut outcome = Ok(());
        ours.push(seconds(|| {
            outcome = Laws::new(CONTEXT, &collision_by_hand::signature()).and_then(|laws| {
                nodes = laws.graph.nodes.len();
                laws.native(&laws.layout(collision_by_hand::access)).map(|_| ())
            });
        }));
        outcome?;
    }
    let what = format!("{} lines, {nodes} operations", CONTEXT.lines().count());
    Ok(row("text to native code", CONTEXT, &what, 20e-3, ours))
}

fn library() -> Result<Row, String> {
    let text = functions();
    let mut ours = Times::default();
    for _ in 0..REPETITIONS {
        let mut mistakes = 0;
        ours.push(seconds(|| {
            let mut sources = Sources::new();
            let source = sources.add("library.vfl", text.as_str());
            let (file, found) = parse(&sources, source, Dialect::Library);
            let definitions: Vec<_> = file.items.into_iter().filter_map(definition).collect();
            let checked = check_library(&definitions, &Library::default());
            mistakes = found.len() + usize::from(checked.is_err());
        }));
        if mistakes > 0 {
            return Err("the library has mistakes".into());
        }
    }
    Ok(row("check of a library", &text, &format!("{} lines", text.lines().count()), 100e-3, ours))
}

/// A row against a budget.
fn row(case: &str, text: &str, what: &str, budget: f64, ours: Times) -> Row {
    let mut theirs = Times::default();
    theirs.push(budget);
    Row {
        case: case.into(),
        peer: format!("{:.0} ms", budget * 1e3),
        unit: "characters/s",
        amount: text.chars().count() as f64,
        target: Some(1.0),
        sound: true,
        remark: format!("{what}: {:.2} ms, median {:.2} ms", ours.best() * 1e3, ours.median() * 1e3),
        ours,
        theirs,
    }
}

fn definition(item: Item) -> Option<Definition> {
    match item {
        Item::Definition(definition) => Some(definition),
        _ => None,
    }
}

/// Functions as users write them, four lines each, that call those before them.
fn functions() -> String {
    let functions = (0..LINES / 4).map(|i| {
        let (before, further) = (i.saturating_sub(1), i.saturating_sub(7));
        let calls =
            if i < 7 { "norm(x)".into() } else { format!("law_{before}(k, y) . law_{further}(2 * k, x)") };
        format!(
            "// Law number {i}: a part along x and one around it.\n\
             scale_{i}(k, x) = if k > {i}.5 then k / (1 + norm(x)^2) else {i} * k\n\
             law_{i}(k, x) = scale_{i}(k, x) * x + 0.5 * (x * [1, {i}, -k])\n\
             energy_{i}(k, x, y) = {calls} + min(k, {i}) * max(norm(y), 1e-3)\n"
        )
    });
    functions.collect()
}

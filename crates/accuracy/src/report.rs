//! The tables of docs/accuracy.md and the texts of their cells.

use crate::cases::table::CASES;
use crate::cell::{Cell, Verdict};
use std::fmt::Write;

/// Formats a number with at most nine significant digits: `3.57142857`, `1.2e-9`.
#[must_use]
pub fn number(x: f64) -> String {
    short(x, 9)
}

fn short(x: f64, digits: usize) -> String {
    if !x.is_finite() {
        return "none".to_owned();
    }
    let rounded: f64 = format!("{x:.*e}", digits - 1).parse().unwrap_or(x);
    if rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs()) {
        format!("{rounded}")
    } else {
        format!("{rounded:e}")
    }
}

/// Returns the texts of a cell: case, quantity, method, measured, exact, error, tolerance, verdict.
#[must_use]
pub fn row(cell: &Cell) -> [String; 8] {
    let kind = if cell.absolute { " abs" } else { "" };
    let none = || "-".to_owned();
    let verdict = match cell.verdict {
        Verdict::Pass => "pass",
        Verdict::Fail => "FAIL",
        Verdict::Miss => "miss",
        Verdict::Reported => "reported",
    };
    [
        cell.case.to_string(),
        cell.quantity.clone(),
        cell.method.name().to_owned(),
        number(cell.measured),
        cell.exact.map_or_else(none, number),
        cell.exact.map_or_else(none, |_| short(cell.error, 2)),
        cell.tolerance.map_or_else(none, |tolerance| format!("{}{kind}", short(tolerance, 2))),
        verdict.to_owned(),
    ]
}

/// Returns the cells as Markdown tables, one per case, with the absent methods and the reason.
#[must_use]
pub fn markdown(cells: &[Cell]) -> String {
    let mut text = String::new();
    for case in CASES {
        let _ = writeln!(text, "\n### {}. {}\n\nExact: {}.\n", case.number, capital(case.name), case.answer);
        let mut own = cells.iter().filter(|cell| cell.case == case.number).peekable();
        if own.peek().is_some() {
            text.push_str("| method | quantity | measured | exact | error | tolerance | | how |\n");
            text.push_str("|---|---|---|---|---|---|---|---|\n");
        }
        for cell in own {
            let [_, quantity, method, measured, exact, error, tolerance, verdict] = row(cell);
            let verdict = if cell.failed() { "**FAIL**".to_owned() } else { verdict };
            let _ = writeln!(
                text,
                "| {method} | {quantity} | {measured} | {exact} | {error} | {tolerance} | {verdict} | {} |",
                cell.note
            );
        }
        if !case.absent.is_empty() {
            let _ = writeln!(text, "\nNot here: {}.", case.absent);
        }
    }
    text
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

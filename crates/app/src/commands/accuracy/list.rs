//! `gedanken accuracy --list`: the cases of the suite and the registry of integrators, as tables or as JSON.

use crate::console::format::wrap;
use crate::console::page::Page;
use crate::console::table::{Align, Table};
use crate::console::terminal::Screen;
use gedanken_accuracy::{CASES, INTEGRATORS};
use serde_json::{Value, json};

/// Columns of the integrators' names.
const NAME_COLUMNS: usize = 20;

/// Returns the cases with their exact answers, then one row and one sentence per integrator.
pub(crate) fn text(screen: Screen) -> String {
    let (left, right) = (Align::Left, Align::Right);
    let mut page = Page::new(screen);
    for case in CASES {
        page.line(&format!("{:>3}. {}", case.number, case.name));
        for line in wrap(case.answer, screen.width - 5) {
            page.line(&format!("     {}", screen.dim(&line)));
        }
    }
    page.line("");
    let mut table = Table::new([
        ("integrator", left),
        ("order", right),
        ("symplectic", left),
        ("reversible", left),
        ("forces", right),
        ("cite", left),
    ]);
    let yes_or_no = |is: bool| if is { "yes" } else { "no" }.to_owned();
    for integrator in INTEGRATORS {
        table.row([
            integrator.name.to_owned(),
            integrator.order.to_string(),
            yes_or_no(integrator.symplectic),
            yes_or_no(integrator.reversible),
            integrator.evaluations.to_string(),
            integrator.cite.to_owned(),
        ]);
    }
    page.add(&table.render(screen));
    page.line("");
    for integrator in INTEGRATORS {
        for (k, line) in wrap(integrator.summary, screen.width - NAME_COLUMNS - 2).iter().enumerate() {
            let name = if k == 0 { integrator.name } else { "" };
            page.line(&format!("  {name:<NAME_COLUMNS$}{}", screen.dim(line)));
        }
    }
    page.line("");
    page.caption(
        "Symplectic: energy errors stay bounded. Reversible: with velocities reversed, the motion retraces itself. \
         Forces: evaluations of all forces per step; an average for methods that iterate. Sources: docs/references.bib.",
    );
    page.text
}

/// Returns the same as JSON.
pub(crate) fn data() -> String {
    let cases: Vec<Value> = CASES
        .iter()
        .map(|case| json!({ "case": case.number, "name": case.name, "answer": case.answer }))
        .collect();
    let integrators = INTEGRATORS.map(|integrator| {
        json!({
            "name": integrator.name,
            "summary": integrator.summary,
            "order": integrator.order,
            "symplectic": integrator.symplectic,
            "reversible": integrator.reversible,
            "evaluations": integrator.evaluations,
            "cite": integrator.cite,
        })
    });
    format!("{:#}\n", json!({ "cases": cases, "integrators": integrators }))
}

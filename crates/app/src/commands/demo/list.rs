//! The registry of integrators as a table.

use crate::page::Page;
use crate::table::{Align, Table};
use crate::terminal::Screen;
use crate::words::wrap;
use gedanken_dynamics::INTEGRATORS;

/// Columns of the names.
const NAMES: usize = 20;

/// One row per integrator.
pub(crate) fn render(screen: Screen) -> String {
    let (left, right) = (Align::Left, Align::Right);
    let headings = [
        ("integrator", left),
        ("order", right),
        ("symplectic", left),
        ("reversible", left),
        ("forces/step", right),
        ("cite", left),
    ];
    let mut table = Table::new(headings);
    let word = |is: bool| if is { "yes" } else { "no" }.to_owned();
    for i in INTEGRATORS {
        let (symplectic, reversible) = (word(i.symplectic), word(i.reversible));
        let cells = [
            i.name.into(),
            i.order.to_string(),
            symplectic,
            reversible,
            i.evaluations.to_string(),
            i.cite.into(),
        ];
        table.row(cells);
    }
    let mut page = Page::new(screen);
    page.add(&table.render(screen));
    page.line("");
    for i in INTEGRATORS {
        for (k, line) in wrap(i.summary, screen.width - NAMES - 2).iter().enumerate() {
            let name = if k == 0 { i.name } else { "" };
            page.line(&format!("  {name:<NAMES$}{}", screen.dim(line)));
        }
    }
    page.line("");
    page.caption(
        "Symplectic: energy errors stay bounded. Reversible: velocities turned round, the motion retraces itself. \
         Forces/step: evaluations of all forces; about as many for methods that iterate. Sources: docs/references.bib.",
    );
    page.text
}

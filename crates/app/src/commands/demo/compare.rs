//! Several integrators on one scene: a table and a plot of their errors.

use super::record::{Recording, seconds_per_step};
use super::report;
use crate::failure::Failure;
use crate::page::Page;
use crate::table::{Align, Table};
use crate::terminal::Screen;
use crate::words::{count, duration, number};

/// All runs of one scene, side by side.
pub(crate) fn render(screen: Screen, recordings: &[Recording]) -> Result<String, Failure> {
    let Some(first) = recordings.first() else { return Ok(String::new()) };
    let mut page = Page::new(screen);
    page.title(&format!("{}: {} integrators", first.scene.title, recordings.len()));
    page.paragraph(first.scene.story);
    page.line("");
    report::laws(&mut page, first);
    let (plan, name) = (first.plan, first.scene.period_name);
    page.fact("run", &[format!("{} {name}, {} steps each", number(plan.periods), count(plan.steps.into()))]);

    page.heading("What it costs and what it gives");
    let right = Align::Right;
    let headings = [
        ("", Align::Left),
        ("max |ΔE/E|", right),
        ("drift", right),
        ("steps", right),
        ("forces/step", right),
        ("time/step", right),
    ];
    let mut table = Table::new(headings);
    for (hue, recording) in recordings.iter().enumerate() {
        let integrator = recording.integrator;
        let cells = [
            integrator.name.to_owned(),
            format!("{:.1e}", recording.largest_error),
            format!("{:+.1e}", recording.drift),
            count(recording.steps),
            integrator.evaluations.to_string(),
            duration(seconds_per_step(recording)?),
        ];
        table.row_in_hue(hue, cells);
    }
    page.add(&table.render(screen));
    page.caption(
        "Drift: the mean of ΔE/E over the last period, less that over the first. Time: without ledger and \
         diagnostics, on this computer.",
    );
    let runs: Vec<&Recording> = recordings.iter().collect();
    page.block("Error of energy, |ΔE/E|", &report::errors(screen, &runs));
    Ok(page.text)
}

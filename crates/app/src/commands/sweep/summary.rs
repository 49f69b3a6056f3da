//! Summary of a sweep on the terminal: counts of a few values, moments and quartiles of many.

use super::collect::Collected;
use super::point::Row;
use crate::console::format::{count, duration, number, plural, significant, wrap};
use crate::console::table::{Align, Table};
use crate::console::terminal::Screen;
use crate::runner::source::Text;
use gedanken_lab::sweep::Grid;
use gedanken_lab::sweep::statistics::{self, ChiSquare, Counts, Spread};
use gedanken_lang::value::Value;
use serde_json::json;
use std::time::Duration;

/// Digits of moments and quartiles.
const DIGITS: usize = 6;

/// Expected count below which the probability of a χ² is rough.
const FEW_EXPECTED: f64 = 5.0;

/// What came of all runs.
pub(super) struct Summary<'s> {
    file: &'s str,
    simulation: String,
    grid: &'s Grid,
    names: Vec<&'s str>,
    /// Values of each scalar that is collected, run by run.
    columns: Vec<Vec<f64>>,
    runs: u64,
    failed: u64,
    noticed: u64,
    /// The first run that failed: its parameters and the reason.
    first: Option<(Vec<f64>, String)>,
    wall: Duration,
    written: Vec<String>,
}

impl<'s> Summary<'s> {
    /// Nothing has run yet.
    pub(super) fn new(text: &'s Text, simulation: &str, grid: &'s Grid, collected: &'s Collected) -> Self {
        let names: Vec<&str> = collected.names().map(String::as_str).collect();
        Self {
            file: &text.name,
            simulation: simulation.to_owned(),
            grid,
            columns: vec![Vec::new(); names.len()],
            names,
            runs: 0,
            failed: 0,
            noticed: 0,
            first: None,
            wall: Duration::ZERO,
            written: Vec::new(),
        }
    }

    /// Adds a run.
    pub(super) fn add(&mut self, row: &Row) {
        self.runs += 1;
        self.noticed += u64::from(!row.notices.is_empty());
        if let Some(why) = &row.failure {
            self.failed += 1;
            self.first.get_or_insert_with(|| (row.parameters.clone(), why.clone()));
        }
        for (column, value) in self.columns.iter_mut().zip(&row.values) {
            column.push(*value);
        }
    }

    /// Notes how long it took, and which files are whole.
    pub(super) fn end(&mut self, wall: Duration, written: Vec<String>) {
        (self.wall, self.written) = (wall, written);
    }

    /// Number of runs so far.
    pub(super) fn runs(&self) -> u64 {
        self.runs
    }

    /// Number of those that failed.
    pub(super) fn failed(&self) -> u64 {
        self.failed
    }

    /// Says how many runs failed, and why the first did, if any.
    pub(super) fn failure(&self) -> Option<String> {
        let (parameters, why) = self.first.as_ref()?;
        let at: Vec<String> = self
            .grid
            .axes()
            .iter()
            .zip(parameters)
            .map(|(axis, value)| format!("{} = {}", axis.name(), Value::Real(*value)))
            .collect();
        let (failed, runs) = (count(self.failed), plural(self.runs, "run"));
        Some(format!("{failed} of {runs} failed, first that with {}: {why}", at.join(", ")))
    }

    /// For people.
    pub(super) fn render(&self, screen: Screen) -> String {
        let Self { file, simulation, grid, runs, failed, noticed, .. } = self;
        let mut text = format!("{}\n", screen.bold(&format!("{file}: {simulation}")));
        let fact = |text: &mut String, line: &str| {
            for (k, line) in wrap(line, screen.width - 4).iter().enumerate() {
                text.push_str(&format!("{}{line}\n", if k == 0 { "  " } else { "    " }));
            }
        };
        let axes: Vec<String> =
            grid.axes().iter().map(|it| format!("{} ({})", it.name(), plural(it.count(), "value"))).collect();
        let all = if *runs < grid.count() { format!(" of {}", count(grid.count())) } else { String::new() };
        let failures = if *failed > 0 { format!(", {} failed", count(*failed)) } else { String::new() };
        let noticed =
            if *noticed > 0 { format!(", {} with notices", count(*noticed)) } else { String::new() };
        fact(
            &mut text,
            &format!("{}{all} over {}{failures}{noticed}", plural(*runs, "run"), axes.join(", ")),
        );
        let wall = self.wall.as_secs_f64();
        fact(&mut text, &format!("computed in {}, {} runs/s", duration(wall), number(*runs as f64 / wall)));
        let mut spread = spread_table();
        let mut is_spread = false;
        for (name, column) in self.names.iter().zip(&self.columns) {
            match statistics::Summary::of(column) {
                statistics::Summary::Nothing => fact(&mut text, &format!("{name} has no value in any run")),
                statistics::Summary::Spread(it) => {
                    is_spread = true;
                    spread.row(spread_row(name, &it));
                }
                statistics::Summary::Counts(it) => text_of_counts(&mut text, screen, name, &it),
            }
        }
        if is_spread {
            text.push_str(&spread.render(screen));
        }
        if !self.written.is_empty() {
            text.push_str(&format!("  written: {}\n", self.written.join(", ")));
        }
        text
    }

    /// For programs.
    pub(super) fn as_json(&self) -> serde_json::Value {
        let over: Vec<_> =
            self.grid.axes().iter().map(|it| json!({ "name": it.name(), "values": it.count() })).collect();
        let quantities: Vec<_> =
            self.names.iter().zip(&self.columns).map(|(name, it)| quantity(name, it)).collect();
        json!({
            "file": self.file,
            "simulation": self.simulation,
            "over": over,
            "runs": self.runs,
            "failed": self.failed,
            "with_notices": self.noticed,
            "ending": if self.runs < self.grid.count() { "interrupted" } else { "complete" },
            "quantities": quantities,
            "wall_seconds": self.wall.as_secs_f64(),
            "written": self.written,
        })
    }
}

/// The histogram of a quantity, and how it compares with equal frequencies.
fn text_of_counts(text: &mut String, screen: Screen, name: &str, counts: &Counts) {
    let total: u64 = counts.counts.iter().map(|(_, count)| count).sum();
    let most = counts.counts.iter().map(|(_, count)| *count).max().unwrap_or(1);
    let mut table = Table::new([
        (name, Align::Right),
        ("runs", Align::Right),
        ("share", Align::Right),
        ("", Align::Left),
    ]);
    for &(value, found) in &counts.counts {
        let share = format!("{:.2} %", 100.0 * found as f64 / total as f64);
        let bar = "#".repeat((BAR * found).div_ceil(most) as usize);
        table.row([Value::Real(value).to_string(), count(found), share, bar]);
    }
    text.push_str(&table.render(screen));
    let Some(ChiSquare { chi_square, degrees_of_freedom, p, expected }) = counts.equal else { return };
    let (chi_square, p, freedom) =
        (significant(chi_square, DIGITS), significant(p, 3), plural(degrees_of_freedom, "degree"));
    // A value that no run gave is not known of: six faces of which one never comes up are five.
    let values = counts.counts.len();
    let rough = match expected < FEW_EXPECTED {
        true => "; with so few runs that is rough",
        false => "",
    };
    let line = format!(
        "against equal frequencies of these {values} values: chi-square {chi_square}, {freedom} of freedom, p = {p}{rough}"
    );
    for line in wrap(&line, screen.width - 4) {
        text.push_str(&format!("  {line}\n"));
    }
}

/// Longest bar of a histogram.
const BAR: u64 = 24;

fn spread_table() -> Table {
    Table::new([
        ("", Align::Left),
        ("runs", Align::Right),
        ("mean", Align::Right),
        ("deviation", Align::Right),
        ("min", Align::Right),
        ("25 %", Align::Right),
        ("median", Align::Right),
        ("75 %", Align::Right),
        ("max", Align::Right),
    ])
}

fn spread_row(name: &str, spread: &Spread) -> Vec<String> {
    let shown = |x: f64| significant(x, DIGITS);
    let moments = [shown(spread.mean), spread.deviation.map_or(String::new(), shown)];
    [name.to_owned(), count(spread.count)]
        .into_iter()
        .chain(moments)
        .chain(spread.quartiles.map(shown))
        .collect()
}

/// A quantity as JSON.
fn quantity(name: &str, column: &[f64]) -> serde_json::Value {
    match statistics::Summary::of(column) {
        statistics::Summary::Nothing => json!({ "name": name, "count": 0 }),
        statistics::Summary::Spread(Spread { count, mean, deviation, quartiles }) => {
            let [least, lower, median, upper, greatest] = quartiles;
            json!({
                "name": name, "count": count, "mean": mean, "deviation": deviation,
                "min": least, "lower_quartile": lower, "median": median, "upper_quartile": upper, "max": greatest,
            })
        }
        statistics::Summary::Counts(Counts { counts, equal }) => {
            let total: u64 = counts.iter().map(|(_, count)| count).sum();
            let counts: Vec<_> =
                counts.iter().map(|(value, count)| json!({ "value": value, "count": count })).collect();
            let equal = equal.map(|it| {
                json!({ "chi_square": it.chi_square, "degrees_of_freedom": it.degrees_of_freedom, "p": it.p })
            });
            json!({ "name": name, "count": total, "counts": counts, "equal_frequencies": equal })
        }
    }
}

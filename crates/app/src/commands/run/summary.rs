//! Summary of a run on the terminal.

use crate::console::format::{duration, number, plural, wrap};
use crate::console::table::{Align, Table};
use crate::console::terminal::Screen;
use crate::runner::drive::Tally;
use crate::runner::source::end;
use crate::runner::verdict::Judged;
use gedanken_experiment::Simulation;
use gedanken_lang::value::Value;
use serde_json::{Map, json};
use std::time::Duration;

/// A run in a few lines.
#[derive(Debug)]
pub(super) struct Summary<'r> {
    pub(super) file: &'r str,
    /// Simulation as it was run.
    pub(super) simulation: &'r Simulation,
    pub(super) wall: Duration,
    pub(super) tally: &'r Tally,
    pub(super) measures: Vec<Judged>,
    /// `complete`, `interrupted` or `failed`.
    pub(super) ending: &'static str,
    /// Files that are whole.
    pub(super) written: &'r [String],
    /// Files that hold what could be written.
    pub(super) cut: &'r [String],
}

impl Summary<'_> {
    /// For people.
    pub(super) fn render(&self, screen: Screen) -> String {
        let Self { file, simulation, tally, .. } = self;
        let mut text = format!("{}\n", screen.bold(&format!("{file}: {}", simulation.name)));
        let mut fact = |line: &str| {
            for (k, line) in wrap(line, screen.width - 4).iter().enumerate() {
                text.push_str(&format!("{}{line}\n", if k == 0 { "  " } else { "    " }));
            }
        };
        let start = Value::Real(simulation.initial_time);
        let reached = Value::Real(tally.time.unwrap_or(simulation.initial_time));
        let objects = plural(simulation.objects.len() as u64, "object");
        let cut = match self.ending {
            "complete" => String::new(),
            why => format!(" of {} ({why})", Value::Real(end(simulation))),
        };
        fact(&format!("{objects}, {}, t = {start} to {reached}{cut}", plural(tally.frames, "frame")));
        let kinds: Vec<String> = tally
            .kinds()
            .filter(|(_, count)| *count > 0)
            .map(|(kind, count)| plural(count, kind.name()))
            .collect();
        fact(&match tally.events() {
            0 => "no events".to_owned(),
            events => format!("{}: {}", plural(events, "event"), kinds.join(", ")),
        });
        fact(&format!("computed in {}{}", duration(self.wall.as_secs_f64()), self.rate()));
        for (notice, count) in &tally.notices {
            let time = Value::Real(notice.time);
            let when = if *count == 1 {
                format!("at t = {time}")
            } else {
                format!("{count} times, first at t = {time}")
            };
            fact(&format!("notice ({when}): {}", notice.message));
        }
        if !self.measures.is_empty() {
            text.push_str(&self.table().render(screen));
        }
        let mut files = |names: &[String], what: &str| {
            if !names.is_empty() {
                text.push_str(&format!("  {what}: {}\n", names.join(", ")));
            }
        };
        files(self.written, "written");
        files(self.cut, "cut short");
        text
    }

    /// Returns the rate of simulated to wall time, if it is worth showing.
    fn rate(&self) -> String {
        let simulated =
            self.tally.time.unwrap_or(self.simulation.initial_time) - self.simulation.initial_time;
        let rate = simulated / self.wall.as_secs_f64();
        if rate.is_finite() && rate > 0.0 {
            format!(", {} × real time", number(rate))
        } else {
            String::new()
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new([
            ("measure", Align::Left),
            ("at t", Align::Left),
            ("measured", Align::Right),
            ("expected", Align::Right),
            ("tolerance", Align::Right),
            ("", Align::Left),
        ]);
        for judged in &self.measures {
            let measured = match (&judged.scalars, judged.value()) {
                (None, _) => "not reached".to_owned(),
                (_, Some(value)) => value.to_string(),
                (_, None) => "no value".to_owned(),
            };
            let (expected, tolerance, word) = match &judged.verdict {
                Some(verdict) => (
                    verdict.expected.to_string(),
                    Value::Real(verdict.tolerance).to_string(),
                    if verdict.ok { "ok".to_owned() } else { format!("missed by {}", number(verdict.miss)) },
                ),
                None => Default::default(),
            };
            let time = Value::Real(judged.time).to_string();
            table.row([judged.name.clone(), time, measured, expected, tolerance, word]);
        }
        table
    }

    /// For programs.
    pub(super) fn as_json(&self) -> serde_json::Value {
        let Self { file, simulation, tally, .. } = self;
        let mut events = Map::new();
        events.insert("total".to_owned(), json!(tally.events()));
        events.extend(tally.kinds().map(|(kind, count)| (kind.name().to_owned(), json!(count))));
        let notices: Vec<_> = tally
            .notices
            .iter()
            .map(|(notice, count)| json!({ "time": notice.time, "message": notice.message, "count": count }))
            .collect();
        let measures: Vec<_> = self.measures.iter().map(measure).collect();
        json!({
            "file": file,
            "simulation": simulation.name,
            "ending": self.ending,
            "objects": simulation.objects.len(),
            "frames": tally.frames,
            "start": simulation.initial_time,
            "end": tally.time,
            "wall_seconds": self.wall.as_secs_f64(),
            "events": events,
            "notices": notices,
            "measures": measures,
            // Text: JSON's numbers hold 53 bits in many readers.
            "hash": tally.hash.map(|hash| format!("{hash:016x}")),
            "written": self.written,
            "cut": self.cut,
        })
    }
}

fn measure(judged: &Judged) -> serde_json::Value {
    // A real is a number, a vector an array.
    let data = |scalars: &[f64]| match scalars {
        [real] => json!(real),
        several => json!(several),
    };
    let verdict = judged.verdict.as_ref();
    json!({
        "name": judged.name,
        "time": judged.time,
        "measured": judged.scalars.as_deref().map(data),
        "expected": verdict.and_then(|it| it.expected.scalars()).map(|scalars| data(&scalars)),
        "tolerance": verdict.map(|it| it.tolerance),
        "ok": verdict.map(|it| it.ok),
    })
}

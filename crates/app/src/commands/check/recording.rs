//! Verification of recordings: checksums, order, completeness, of both tables.

use crate::console::format::plural;
use crate::console::terminal;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::recording_file::{events_of, read_tables, refusal};
use gedanken_lang::value::Value;
use gedanken_recording::Recording;
use gedanken_recording::arrow::{End, ReadError, Reading, Spot, Table, TableState};
use serde_json::json;
use std::path::{Path, PathBuf};

/// Result of the verification of one recording.
struct Verdict {
    status: Status,
    /// Lines for people.
    lines: Vec<String>,
    /// The same for programs.
    json: serde_json::Value,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    /// Everything is there and verified.
    Good,
    /// Everything that is there is verified; the end is missing, as while a run goes on.
    Cut,
    /// It can be read, and has no checksums.
    NotVerifiable,
    /// Part of it is wrong or lost.
    Damaged,
}

impl Status {
    const fn name(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Cut => "cut",
            Self::NotVerifiable => "not verifiable",
            Self::Damaged => "damaged",
        }
    }
}

/// Verifies recordings and prints what was found.
pub(super) fn check(files: &[&PathBuf], json: bool) -> Result<(), Failure> {
    let mut objects = Vec::new();
    let mut text = String::new();
    let mut is_damaged = false;
    // `check *.arrow` names the events of every recording beside its frames.
    let is_part_of_another = |file: &Path| files.iter().any(|other| events_of(other) == file);
    for &file in files.iter().filter(|file| !is_part_of_another(file)) {
        let verdict = verify(file)?;
        is_damaged |= verdict.status == Status::Damaged;
        text += &(verdict.lines.join("\n") + "\n");
        objects.push(verdict.json);
    }
    let screen = Screen::of_stdout(false);
    match json {
        true => screen.print(&format!("{:#}\n", serde_json::Value::from(objects)))?,
        false => screen.print(&text)?,
    }
    if is_damaged { Err(Failure::Reported) } else { Ok(()) }
}

fn verify(file: &Path) -> Result<Verdict, Failure> {
    match read_tables(file)? {
        Ok(reading) => Ok(verdict(file, &reading)),
        Err(error) => {
            terminal::print_error(&refusal(file, &error));
            Ok(damaged(file, &error))
        }
    }
}

fn verdict(file: &Path, reading: &Reading) -> Verdict {
    let Reading { recording, cut, frames, events } = reading;
    let is_cut_file = |state: &TableState| state.end == End::Cut { is_file: true };
    let lost_events = !events_of(file).exists();
    let status = if lost_events || is_cut_file(frames) || events.as_ref().is_some_and(is_cut_file) {
        Status::Damaged
    } else if !frames.is_verified() {
        Status::NotVerifiable
    } else if *cut {
        Status::Cut
    } else {
        Status::Good
    };
    let mut lines = vec![format!("{}: {}", file.display(), status.name())];
    lines.push(format!("  format {}, {}", frames.format, content(recording)));
    lines.push(format!("  frames: {}", state_of(frames)));
    lines.push(match events {
        _ if lost_events => format!("  events: {} is missing", events_of(file).display()),
        Some(state) => format!("  events: {}", state_of(state)),
        None => "  events: cut before the first one, or still being written".to_owned(),
    });
    let json = json!({
        "file": file.to_string_lossy(),
        "status": status.name(),
        "format": frames.format,
        "frames": recording.frames(),
        "events": recording.events.len(),
        "last_good_frame": recording.frames().checked_sub(1),
        "until": recording.times.last(),
        "checked_rows": { "frames": frames.checked_rows, "events": events.map(|it| it.checked_rows) },
        "complete": {
            "frames": completeness(frames.end),
            "events": events.map(|it| completeness(it.end)),
        },
        "problems": [],
    });
    Verdict { status, lines, json }
}

/// Number of frames and events, and the end.
fn content(recording: &Recording) -> String {
    let frames = plural(recording.frames() as u64, "frame");
    let events = plural(recording.events.len() as u64, "event");
    match (recording.times.first(), recording.times.last()) {
        (Some(&first), Some(&last)) => {
            let (first, last) = (Value::Real(first), Value::Real(last));
            format!("{frames} and {events}, from t = {first} to {last}")
        }
        _ => format!("{frames} and {events}"),
    }
}

fn state_of(state: &TableState) -> String {
    let rows = plural(state.checked_rows, "row");
    let checked = match state.is_verified() {
        true => format!("the checksums of {rows} fit"),
        false => "not verifiable: written before checksums".to_owned(),
    };
    let end = match state.end {
        End::Sealed => "and no row is missing",
        End::Open if !state.is_verified() => return checked,
        End::Open => "and it ends properly, without a seal: a stream, or saved by another program",
        End::Cut { is_file: false } => "and it was cut, or is being written",
        End::Cut { is_file: true } => "and the end of the file is missing",
    };
    format!("{checked}, {end}")
}

const fn completeness(end: End) -> &'static str {
    match end {
        End::Sealed => "sealed",
        End::Open => "open",
        End::Cut { .. } => "cut",
    }
}

fn damaged(file: &Path, error: &ReadError) -> Verdict {
    let (flaws, good, format) = match error {
        ReadError::Damaged(damage) => (damage.flaws.as_slice(), damage.good.as_ref(), damage.format),
        _ => (&[][..], None, None),
    };
    let mut problems: Vec<serde_json::Value> = flaws
        .iter()
        .map(|flaw| {
            let table = match flaw.table {
                Table::Frames => "frames",
                Table::Events => "events",
            };
            let at = match flaw.at {
                Spot::Description => None,
                Spot::Frame(number) | Spot::Event(number) => Some(number),
            };
            json!({ "table": table, "at": at, "message": flaw.what })
        })
        .collect();
    if problems.is_empty() {
        problems.push(json!({ "table": "frames", "at": null, "message": error.to_string() }));
    }
    let frames = good.map_or(0, Recording::frames);
    let json = json!({
        "file": file.to_string_lossy(),
        "status": Status::Damaged.name(),
        "format": format,
        "frames": frames,
        "events": good.map_or(0, |good| good.events.len()),
        "last_good_frame": frames.checked_sub(1),
        "until": good.and_then(|good| good.times.last()),
        "problems": problems,
    });
    Verdict { status: Status::Damaged, lines: vec![format!("{}: damaged", file.display())], json }
}

//! Recordings on disk: `X.arrow` with the frames and `X.events.arrow` with the events.

use super::disk::plain;
use crate::console::terminal;
use crate::failure::Failure;
use crate::runner::source::unreadable;
use gedanken_lang::value::Value;
use gedanken_recording::Recording;
use gedanken_recording::arrow::{Damage, Flaw, ReadError, Reading, Table, read_arrow};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// Endings of a recording, complete or temporary.
const ENDINGS: [&str; 2] = [".arrow", ".arrow.part"];

/// Returns `true` if a path has the ending of a recording.
pub(crate) fn is_recording(path: &Path) -> bool {
    let name = path.to_string_lossy();
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Returns the path of the events of a recording: `X.events.arrow` for `X.arrow`.
pub(crate) fn events_of(path: &Path) -> PathBuf {
    let name = path.to_string_lossy();
    let ending = ENDINGS.iter().find(|ending| name.ends_with(**ending)).unwrap_or(&ENDINGS[0]);
    let stem = name.strip_suffix(ending).unwrap_or(&name);
    format!("{stem}.events{ending}").into()
}

/// Part of a recording that a command asks for. Of a damaged recording only a part that is good is given, and
/// only if it was asked for by its end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// All frames.
    Whole,
    /// Frames until this time.
    Until(f64),
    /// Frames until this one.
    Frame(usize),
}

/// Opens both tables of a recording; no events if they cannot be read, with the reason.
fn open(path: &Path) -> Result<(impl Read, Result<impl Read, String>), Failure> {
    let open = |path: &Path| {
        if path.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        File::open(path).map(BufReader::new)
    };
    let frames = open(path).map_err(|error| unreadable(&path.to_string_lossy(), &plain(&error)))?;
    Ok((frames, open(&events_of(path)).map_err(|error| plain(&error))))
}

/// Reads both tables and everything that is known of them; the events are empty, with a note, if they cannot
/// be read.
pub(crate) fn read_tables(path: &Path) -> Result<Result<Reading, ReadError>, Failure> {
    let (frames, events) = open(path)?;
    Ok(match events {
        Ok(events) => read_arrow(frames, events),
        Err(why) => {
            let name = events_of(path);
            terminal::eprint(&format!(
                "note: {} cannot be read: {why}; the events are missing\n",
                name.display()
            ));
            read_arrow(frames, io::empty())
        }
    })
}

/// Reads a recording; notes are printed if its end is missing or it cannot be verified.
pub(crate) fn read(path: &Path, part: Part) -> Result<Recording, Failure> {
    let name = path.display();
    let mut recording = match read_tables(path)? {
        Ok(Reading { recording, cut, frames, .. }) => {
            if cut && events_of(path).exists() {
                let frames = recording.frames();
                terminal::eprint(&format!(
                    "note: {name} was cut, or is being written: it has {frames} frames\n"
                ));
            }
            if !frames.is_verified() {
                terminal::eprint(&format!("note: {name} is not verifiable: written before checksums\n"));
            }
            recording
        }
        Err(ReadError::Damaged(damage)) => {
            let good = damage.good.as_ref().filter(|good| is_within(good, part)).cloned();
            let good = good.ok_or_else(|| Failure::Experiment(told(path, &damage)))?;
            terminal::eprint(&format!("note: {name} is damaged; the part before the damage is used\n"));
            good
        }
        Err(error) => return Err(Failure::Experiment(refusal(path, &error))),
    };
    if let Part::Until(time) = part {
        let frames = recording.frames_until(time);
        if let Some(first) = recording.times.first().filter(|_| frames == 0) {
            let first = Value::Real(*first);
            return Err(Failure::Usage(format!("--until {time}: {name} begins at t = {first}")));
        }
        recording.truncate_at(time);
    }
    Ok(recording)
}

/// Returns `true` if the end of a part was asked for, and all of it is in the good part of a recording.
fn is_within(good: &Recording, part: Part) -> bool {
    match part {
        Part::Whole => false,
        Part::Until(time) => good.times.last().is_some_and(|last| time <= *last),
        Part::Frame(frame) => frame < good.frames(),
    }
}

/// Message for a file that is no recording that can be read.
pub(crate) fn refusal(path: &Path, error: &ReadError) -> String {
    let name = path.display();
    match error {
        ReadError::NotARecording(why) => {
            let help = match name.to_string().strip_suffix(".events.arrow") {
                Some(stem) => format!("\nhelp: these are the events of {stem}.arrow: name that one"),
                None => String::new(),
            };
            format!("{name} is no recording: {why}{help}")
        }
        ReadError::Newer(_) => format!("{name} was {error}\nhelp: open it with the version that wrote it"),
        ReadError::Damaged(damage) => told(path, damage),
        _ => format!("{name}: {error}"),
    }
}

/// Message for damage: where it is, what is good, and the ways out.
fn told(path: &Path, damage: &Damage) -> String {
    let (name, events) = (path.display(), events_of(path));
    let mut lines = Vec::new();
    for Flaw { table, at, what } in &damage.flaws {
        let file = match table {
            Table::Frames => path,
            Table::Events => &events,
        };
        lines.push(format!("{} is damaged at {at}: {what}", file.display()));
    }
    let is_in_events = damage.flaws.iter().all(|flaw| flaw.table == Table::Events);
    let good = damage.good.as_ref();
    match good.and_then(|good| good.times.last().map(|end| (good, Value::Real(*end)))) {
        Some((good, end)) => {
            let last = good.frames() - 1;
            let are_good = if damage.is_verified() { "are good" } else { "can be read, but not verified" };
            let frames = if last == 0 { "frame 0".to_owned() } else { format!("frames 0 to {last}") };
            lines.push(format!("  = {frames}, until t = {end}, {are_good}"));
            lines.push(format!("help: `gedanken export {name} good.arrow --until {end}` writes that part"));
            if let Some((keyframe, _)) = good.keyframes.last() {
                lines.push(format!(
                    "help: `gedanken run EXPERIMENT --resume {name} --frame {last}` resumes from frame {keyframe}"
                ));
            }
        }
        None if is_in_events => {}
        None => lines.push("  = no frame can be trusted: record the run again".to_owned()),
    }
    if is_in_events {
        let events = events.display();
        lines.push(format!("  = the frames themselves are good, without {events} they are read alone"));
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_beside_their_frames() {
        assert_eq!(events_of(Path::new("a/b.arrow")), Path::new("a/b.events.arrow"));
        assert_eq!(events_of(Path::new("b.arrow.part")), Path::new("b.events.arrow.part"));
        assert!(is_recording(Path::new("b.arrow.part")) && !is_recording(Path::new("b.csv.part")));
    }
}

//! Recordings on disk: `X.arrow` with the frames and `X.events.arrow` with the events.

use super::disk::plain;
use crate::console::terminal;
use crate::failure::Failure;
use crate::runner::source::unreadable;
use gedanken_recording::Recording;
use gedanken_recording::arrow::{ReadError, Reading, read_arrow};
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

/// Reads a recording; a note is printed if its end is missing.
pub(crate) fn read(path: &Path) -> Result<Recording, Failure> {
    let name = path.display();
    let open = |path: &Path| {
        if path.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        File::open(path).map(BufReader::new)
    };
    let frames = open(path).map_err(|error| unreadable(&name.to_string(), &plain(&error)))?;
    let events_path = events_of(path);
    let events: Box<dyn Read> = match open(&events_path) {
        Ok(events) => Box::new(events),
        Err(error) => {
            let why = plain(&error);
            terminal::eprint(&format!(
                "note: {} cannot be read: {why}; the events are missing\n",
                events_path.display()
            ));
            Box::new(io::empty())
        }
    };
    match read_arrow(frames, events) {
        Ok(Reading { recording, cut }) => {
            if cut && events_path.exists() {
                let frames = recording.frames();
                terminal::eprint(&format!(
                    "note: {name} was cut, or is being written: it has {frames} frames\n"
                ));
            }
            Ok(recording)
        }
        Err(ReadError::NotARecording(why)) => {
            let help = match name.to_string().strip_suffix(".events.arrow") {
                Some(stem) => format!("\nhelp: these are the events of {stem}.arrow: name that one"),
                None => String::new(),
            };
            Err(Failure::Experiment(format!("{name} is no recording: {why}{help}")))
        }
        Err(error) => Err(Failure::Experiment(format!("{name}: {error}"))),
    }
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

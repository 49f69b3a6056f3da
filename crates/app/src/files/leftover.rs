//! What killed runs left: parts with rows are kept under a name that says when they were written, all others
//! go.
//!
//! `x.arrow.part` of a run that was killed becomes `x.2026-11-18T02-35-10Z.arrow`, its events become
//! `x.2026-11-18T02-35-10Z.events.arrow`: a recording for every command. Times are those of the world's
//! clock.

use super::recording_file::events_of;
use super::utc::stamp;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// First bytes of every message of an Arrow stream. A finished file begins otherwise.
const STREAM: [u8; 4] = [0xff; 4];
/// Bytes before the head of a message: [`STREAM`] and the length of the head.
const BEFORE_HEAD: u64 = 8;
/// Bytes of the end of a stream.
const END: u64 = 8;
/// Maximum number of names that are tried.
const MAX_NAMES: u32 = 1000;

/// Returns `true` if a file that grew to become `target` has more in it than its head.
pub(super) fn has_rows(file: &File, target: &Path) -> io::Result<bool> {
    let length = file.metadata()?.len();
    match target.extension().and_then(|ending| ending.to_str()) {
        Some("arrow") => has_batches(file, length),
        Some("csv") => contains(file, |text| {
            text.iter().position(|byte| *byte == b'\n').is_some_and(|at| at + 1 < text.len())
        }),
        Some("json") => contains(file, |text| text.contains(&b'{')),
        _ => Ok(length > 0),
    }
}

/// Returns `true` if a recording has rows and was never finished.
pub(super) fn is_cut_recording(file: &File, target: &Path) -> io::Result<bool> {
    let is_arrow = target.extension().is_some_and(|ending| ending == "arrow");
    Ok(is_arrow && has_batches(file, file.metadata()?.len())?)
}

/// Returns `true` if something follows the schema of an Arrow stream.
fn has_batches(mut file: &File, length: u64) -> io::Result<bool> {
    if length < BEFORE_HEAD {
        return Ok(false);
    }
    let mut start = [0; BEFORE_HEAD as usize];
    file.seek(SeekFrom::Start(0))?;
    file.read_exact(&mut start)?;
    let [marker @ .., a, b, c, d] = start;
    let head = u64::from(u32::from_le_bytes([a, b, c, d]));
    Ok(marker == STREAM && length > BEFORE_HEAD + head + END)
}

/// Returns `true` if the beginning of a file satisfies a condition.
fn contains(mut file: &File, condition: impl FnOnce(&[u8]) -> bool) -> io::Result<bool> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.take(LONGEST_HEAD).read_to_end(&mut bytes)?;
    Ok(condition(&bytes) || bytes.len() as u64 == LONGEST_HEAD)
}

/// Maximum number of bytes in which the first row is looked for; a file that is longer has some.
const LONGEST_HEAD: u64 = 16 << 20;

/// Renames what is left of files that belong together: of a recording first the frames, then the events.
/// `targets` are the paths of the finished files, `parts` those of what is left, `time` is when it was
/// written. Returns the new name of the first.
///
/// # Errors
/// If one cannot be renamed.
pub(super) fn keep(targets: &[PathBuf], parts: &[Option<PathBuf>], time: SystemTime) -> io::Result<PathBuf> {
    let stamp = stamp(time);
    for number in 1..=MAX_NAMES {
        let stamp = if number == 1 { stamp.clone() } else { format!("{stamp}-{number}") };
        let first = dated(&targets[0], &stamp);
        let names = [first.clone(), events_of(&first)];
        if names.iter().any(|name| fs::symlink_metadata(name).is_ok()) {
            continue;
        }
        for (part, name) in parts.iter().zip(&names) {
            part.as_ref().map_or(Ok(()), |part| fs::rename(part, name))?;
        }
        return Ok(first);
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// `x.STAMP.arrow` for `x.arrow`.
fn dated(path: &Path, stamp: &str) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    match path.extension() {
        Some(ending) => path.with_file_name(format!("{stem}.{stamp}.{}", ending.to_string_lossy())),
        None => path.with_file_name(format!("{stem}.{stamp}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::test_folder::TestFolder;
    use crate::sample_recording::two_balls_recording;
    use gedanken_recording::arrow::{ArrowSink, finish_arrow};
    use gedanken_recording::{CsvSink, JsonEventsSink, Recording};
    use std::time::{Duration, UNIX_EPOCH};

    /// Bytes of all formats: without and with rows.
    fn samples() -> Vec<(&'static str, Vec<u8>, Vec<u8>)> {
        let full = two_balls_recording();
        let empty = Recording::new(full.schema.clone());
        let csv = |recording: &Recording| {
            let mut sink = CsvSink::new(Vec::new(), &recording.schema, false).unwrap();
            recording.replay(&mut sink).unwrap();
            sink.into_inner()
        };
        let json = |recording: &Recording| {
            let mut sink = JsonEventsSink::new(io::Cursor::new(Vec::new()), &recording.schema).unwrap();
            recording.replay(&mut sink).unwrap();
            sink.into_inner().into_inner()
        };
        let arrow = |recording: &Recording| {
            let mut sink = ArrowSink::new(Vec::new(), Vec::new(), &recording.schema).unwrap();
            recording.replay(&mut sink).unwrap();
            sink.into_inner().unwrap()
        };
        let (no_frames, no_events) = arrow(&empty);
        let (frames, events) = arrow(&full);
        vec![
            ("a.csv", csv(&empty), csv(&full)),
            ("a.json", json(&empty), json(&full)),
            ("a.arrow", no_frames, frames),
            ("a.events.arrow", no_events, events),
        ]
    }

    #[test]
    fn rows_are_told_from_heads() {
        let folder = TestFolder::new("rows");
        for (name, head, rows) in samples() {
            let path = folder.0.join(name);
            for (bytes, expected) in [(&b""[..], false), (&head, false), (&rows, true)] {
                fs::write(&path, bytes).unwrap();
                assert_eq!(has_rows(&File::open(&path).unwrap(), &path).unwrap(), expected, "{name}");
            }
        }
    }

    #[test]
    fn a_finished_recording_is_not_cut() {
        let folder = TestFolder::new("cut");
        let path = folder.0.join("a.arrow");
        let stream = samples().remove(2).2;
        fs::write(&path, &stream[..stream.len() - 8]).unwrap();
        assert!(is_cut_recording(&File::open(&path).unwrap(), &path).unwrap());
        let mut file = Vec::new();
        finish_arrow(&stream[..], &mut file).unwrap();
        fs::write(&path, file).unwrap();
        assert!(!is_cut_recording(&File::open(&path).unwrap(), &path).unwrap());
    }

    #[test]
    fn kept_files_have_a_date_and_never_replace_others() {
        let folder = TestFolder::new("kept");
        let path = |name: &str| folder.0.join(name);
        let time = UNIX_EPOCH + Duration::from_secs(1_794_969_310);
        for _ in 0..2 {
            let parts = ["x.arrow.part", "x.events.arrow.part"].map(path);
            parts.iter().for_each(|part| fs::write(part, "x").unwrap());
            keep(&["x.arrow", "x.events.arrow"].map(path), &parts.map(Some), time).unwrap();
        }
        let names = [
            "x.2026-11-18T02-35-10Z-2.arrow",
            "x.2026-11-18T02-35-10Z-2.events.arrow",
            "x.2026-11-18T02-35-10Z.arrow",
            "x.2026-11-18T02-35-10Z.events.arrow",
        ];
        assert_eq!(folder.names(), names);
    }
}

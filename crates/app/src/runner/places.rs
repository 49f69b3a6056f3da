//! Places of the files that a run writes: apart from each other, and from everything that it reads.

use super::format::Format;
use crate::failure::Failure;
use crate::files::claim::Claim;
use crate::files::is_same;
use crate::files::recording_file::events_of;
use std::io;
use std::path::{Path, PathBuf};

/// Way of writing outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writing {
    /// While they are computed: what there is of them can be read.
    DuringRun,
    /// All at once, from memory: whole or not at all.
    AtOnce,
}

/// Files that a run reads, and must not write.
#[derive(Debug, Default)]
pub(crate) struct Inputs {
    /// Experiment and all it imports.
    pub(crate) texts: Vec<PathBuf>,
    /// Recording that was read. All of it is in memory, so that a recording may replace it.
    pub(crate) recording: Option<PathBuf>,
}

impl Inputs {
    /// Refuses a recording or table in a place that was read.
    ///
    /// # Errors
    /// If the output leads to an input, by a link or under another name.
    pub(super) fn refuse_output(&self, path: &Path, format: Format) -> Result<(), Failure> {
        for place in places(path, format) {
            let is_replaced =
                format == Format::Arrow && self.recording.as_ref().is_some_and(|it| is_same(path, it));
            if !is_replaced {
                self.refuse(&place)?;
            }
        }
        Ok(())
    }

    /// Refuses to write to a place that was read.
    ///
    /// # Errors
    /// If it leads to an input, by a link or under another name.
    pub(crate) fn refuse(&self, place: &Path) -> Result<(), Failure> {
        let recording = self.recording.iter().flat_map(|path| [path.clone(), events_of(path)]);
        match self.texts.iter().cloned().chain(recording).find(|input| is_same(input, place)) {
            Some(input) => Err(Failure::Usage(format!(
                "{} is the same file as {}, which is read: choose another name for what is written",
                place.display(),
                input.display()
            ))),
            None => Ok(()),
        }
    }
}

/// Returns the files of an output.
pub(super) fn places(path: &Path, format: Format) -> Vec<PathBuf> {
    match format {
        Format::Arrow => vec![path.to_owned(), events_of(path)],
        _ => vec![path.to_owned()],
    }
}

/// Claims the files of an output.
pub(super) fn claim(path: &Path, format: Format, writing: Writing) -> io::Result<Vec<Claim>> {
    match (writing, format) {
        (Writing::AtOnce, _) => places(path, format).iter().map(|place| Claim::whole(place)).collect(),
        (Writing::DuringRun, Format::Arrow) => Claim::pair(path, &events_of(path)).map(Vec::from),
        (Writing::DuringRun, _) => Ok(vec![Claim::new(path, false)?]),
    }
}

/// Refuses outputs that would be one file.
pub(super) fn check_apart(files: &[(PathBuf, Format)]) -> Result<(), Failure> {
    let mut known: Vec<(PathBuf, &Path)> = Vec::new();
    for (path, format) in files {
        for place in places(path, *format) {
            let Some((_, other)) = known.iter().find(|(it, _)| *it == place || is_same(it, &place)) else {
                known.push((place, path));
                continue;
            };
            let (name, is_twice) = (path.display(), *other == path);
            let (other, place) = (other.display(), place.display());
            return Err(Failure::Usage(if is_twice {
                format!("{name} is named twice as an output")
            } else {
                format!(
                    "{name} and {other} cannot both be written: both write to {place}; choose other names"
                )
            }));
        }
    }
    Ok(())
}

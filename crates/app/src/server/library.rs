//! The library: the experiments that the page can open and save, from the gallery and one folder of the user.
//!
//! No path leads out of the folder: not by `..`, not by a root, not by a link, not by a name that only some
//! systems read as a path.

mod file_text;
mod imports;
mod safe_path;
mod save;
mod scan;

use crate::wire::{LibraryEntry, OnDisk, Origin};
use gedanken_experiment::gallery;
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::Item;
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_math::hash::fnv1a;
use imports::Imports;
use safe_path::{EXPERIMENT, Missing, can_run, printable, resolve_below};
use save::Outcome;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Maximum size of an experiment that is listed or written, in bytes.
const MAX_EXPERIMENT_BYTES: usize = crate::wire::MAX_TEXT_BYTES;

/// Experiments that can be opened, and the folder to save to.
#[derive(Debug)]
pub(crate) struct Library {
    /// Canonical path.
    folder: Option<PathBuf>,
    /// Held while a file is compared and written. One lock for the whole folder: two names may be one file
    /// where letters have no case, and saves are rare and short.
    writing: Mutex<()>,
}

/// An experiment that was read.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Opened {
    pub(crate) text: String,
    /// Version of the file; `None` for an experiment of the gallery.
    pub(crate) version: Option<String>,
}

/// Outcome of a save.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Saved {
    /// The text is on disk.
    Written {
        /// Name of the file, with its ending.
        origin: Origin,
        /// Version of the file.
        version: String,
    },
    /// The file is not the one that the text began from; nothing was written.
    Differs {
        /// Name of the file, with its ending.
        origin: Origin,
        /// The file as it is.
        disk: OnDisk,
    },
}

impl Library {
    /// Makes a library of the gallery and a folder, if there is one.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        // A folder that has gone since it was asked for is none.
        let folder = folder.and_then(|folder| folder.canonicalize().ok());
        if let Some(folder) = &folder {
            crate::files::sweep(folder, EXPERIMENT);
        }
        Self { folder, writing: Mutex::new(()) }
    }

    /// Returns the folder, if there is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns an identifier of the folder, the same at every start; empty without folder. Pages keep drafts
    /// under it.
    pub(crate) fn folder_id(&self) -> String {
        let id = |folder: &PathBuf| format!("{:016x}", fnv1a(folder.as_os_str().as_encoded_bytes()));
        self.folder.as_ref().map(id).unwrap_or_default()
    }

    /// Returns all experiments: those of the folder, then those of the gallery.
    pub(crate) fn entries(&self) -> Vec<LibraryEntry> {
        let found =
            self.folder.iter().flat_map(|folder| scan::experiments(folder, MAX_EXPERIMENT_BYTES as u64));
        let own = found.map(|found| {
            let title = found.name.strip_suffix(EXPERIMENT).unwrap_or(&found.name).to_owned();
            entry(Origin::Folder { name: found.name }, title, &found.text)
        });
        let known = gallery::experiments().filter_map(|file| {
            let title = file.title()?.to_owned();
            Some(entry(Origin::Gallery { name: title.clone() }, title, file.text))
        });
        own.chain(known).collect()
    }

    /// Returns the text of an experiment.
    ///
    /// # Errors
    /// If it cannot be read, in a sentence.
    pub(crate) fn read(&self, origin: &Origin) -> Result<String, String> {
        self.open(origin).map(|opened| opened.text)
    }

    /// Returns the text of an experiment, and the version that a save of it begins from.
    ///
    /// # Errors
    /// If it cannot be read, in a sentence.
    pub(crate) fn open(&self, origin: &Origin) -> Result<Opened, String> {
        let name = match origin {
            Origin::Gallery { name } => {
                let file = gallery::experiment(name);
                let none = || format!("there is no experiment `{}` in the gallery", printable(name));
                return Ok(Opened { text: file.ok_or_else(none)?.text.to_owned(), version: None });
            }
            Origin::Folder { name } => name,
            Origin::Page {} => return Err("this experiment exists only in the page".to_owned()),
        };
        let folder = self.folder.as_ref().ok_or("the lab was started without a folder")?;
        match self.look(name)? {
            OnDisk::Text { text, version } => Ok(Opened { text, version: Some(version) }),
            OnDisk::Unreadable { why, .. } => Err(format!("`{}` cannot be read: {why}", printable(name))),
            OnDisk::Absent {} => Err(format!("there is no `{}` in {}", printable(name), folder.display())),
        }
    }

    /// Returns the state of an experiment of the folder.
    ///
    /// # Errors
    /// If the name is not one of an experiment in the folder, in a sentence.
    pub(crate) fn look(&self, name: &str) -> Result<OnDisk, String> {
        let folder = self.folder.as_ref().ok_or("the lab was started without a folder")?;
        if !can_run(name) {
            return Err(format!(
                "`{}` is neither an experiment ({EXPERIMENT}) nor a model (.xml)",
                printable(name)
            ));
        }
        match resolve_below(folder, name) {
            Ok(real) => Ok(file_text::find(&real).state),
            Err(Missing::Absent) => Ok(OnDisk::Absent {}),
            Err(Missing::Refused(why)) => Err(why),
        }
    }

    /// Writes an experiment to the folder, if the file has the version `base` that the text began from; for
    /// `None`, if there is no file of this name. The name gets its ending if it has none.
    ///
    /// # Errors
    /// If it cannot be written, in a sentence.
    pub(crate) fn save(&self, name: &str, text: &str, base: Option<&str>) -> Result<Saved, String> {
        let folder = self.folder.as_ref().ok_or("the lab was started without a folder to write to")?;
        if text.len() > MAX_EXPERIMENT_BYTES {
            return Err(format!("the experiment is longer than {} MiB", MAX_EXPERIMENT_BYTES >> 20));
        }
        let name = save::full_name(name);
        // Whoever panicked while it held the lock has left files whole.
        let _writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let outcome = save::save(folder, &name, text, base)?;
        let origin = Origin::Folder { name };
        Ok(match outcome {
            Outcome::Written(version) => Saved::Written { origin, version },
            Outcome::Differs(disk) => Saved::Differs { origin, disk },
        })
    }

    /// Returns the files that an experiment of this origin may import: beside it, then in the gallery. Paths
    /// are relative to it.
    pub(crate) fn files(&self, origin: &Origin) -> impl gedanken_experiment::Files + use<> {
        Imports::new(self.folder.clone(), origin)
    }
}

/// Makes the entry of an experiment.
fn entry(origin: Origin, name: String, text: &str) -> LibraryEntry {
    let theory = theory(text);
    LibraryEntry { origin, name, summary: summary(&theory), theory, measures: measures(text) }
}

/// The comment that a text begins with, without the slashes.
fn theory(text: &str) -> String {
    let comment = text.trim_start().lines().map_while(|line| line.trim().strip_prefix("//"));
    let lines: Vec<&str> = comment.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end()).collect();
    lines.join("\n").trim().to_owned()
}

/// The first sentence of its first paragraph.
fn summary(theory: &str) -> String {
    let lines: Vec<&str> = theory.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let paragraph = lines.join(" ");
    match paragraph.find(". ") {
        Some(end) => paragraph[..=end].to_owned(),
        None => paragraph,
    }
}

/// The names of its measures, in the order of the text. A text with mistakes may have some too.
fn measures(text: &str) -> Vec<String> {
    let mut sources = Sources::new();
    let source = sources.add("", text);
    let (tree, _) = parse(&sources, source, Dialect::Experiment);
    let named = |item| match item {
        Item::Block(block) if block.keyword.text == "measure" => block.name.map(|name| name.text),
        _ => None,
    };
    tree.items.into_iter().filter_map(named).collect()
}

#[cfg(test)]
mod tests;

//! The library: the experiments that the page can open and save, from the gallery and one folder of the user.
//!
//! No path leads out of the folder: not by `..`, not by a root, not by a link, not by a name that only some
//! systems read as a path.

mod imports;
mod safe_path;
mod save;
mod scan;

use crate::files::disk;
use crate::wire::{LibraryEntry, Origin};
use gedanken_experiment::gallery;
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::Item;
use gedanken_lang::syntax::{Dialect, parse};
use imports::Imports;
use safe_path::{EXPERIMENT, Missing, printable, resolve_below};
use std::path::{Path, PathBuf};

/// Maximum size of an experiment that is listed or written, in bytes.
const MAX_EXPERIMENT_BYTES: usize = crate::wire::MAX_TEXT_BYTES;

/// Experiments that can be opened, and the folder to save to.
#[derive(Debug)]
pub(crate) struct Library {
    /// Canonical path.
    folder: Option<PathBuf>,
}

impl Library {
    /// Makes a library of the gallery and a folder, if there is one.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        // A folder that has gone since it was asked for is none.
        Self { folder: folder.and_then(|folder| folder.canonicalize().ok()) }
    }

    /// Returns the folder, if there is one.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
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
        match origin {
            Origin::Gallery { name } => match gallery::experiment(name) {
                Some(file) => Ok(file.text.to_owned()),
                None => Err(format!("there is no experiment `{}` in the gallery", printable(name))),
            },
            Origin::Folder { name } => {
                let folder = self.folder.as_ref().ok_or("the lab was started without a folder")?;
                if !name.ends_with(EXPERIMENT) {
                    return Err(format!(
                        "`{}` is not an experiment: those end in {EXPERIMENT}",
                        printable(name)
                    ));
                }
                let real = resolve_below(folder, name).map_err(|missing| match missing {
                    Missing::Absent => format!("there is no `{}` in {}", printable(name), folder.display()),
                    Missing::Refused(why) => why,
                })?;
                disk::read(&real).map_err(|why| format!("`{}` cannot be read: {why}", printable(name)))
            }
            Origin::Page {} => Err("this experiment exists only in the page".to_owned()),
        }
    }

    /// Writes an experiment to the folder. The name gets its ending if it has none.
    ///
    /// # Errors
    /// If it cannot be written, in a sentence.
    pub(crate) fn save(&self, name: &str, text: &str, replace: bool) -> Result<Origin, String> {
        let folder = self.folder.as_ref().ok_or("the lab was started without a folder to write to")?;
        if text.len() > MAX_EXPERIMENT_BYTES {
            return Err(format!("the experiment is longer than {} MiB", MAX_EXPERIMENT_BYTES >> 20));
        }
        save::save(folder, name, text, replace).map(|name| Origin::Folder { name })
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

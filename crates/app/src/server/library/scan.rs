//! The experiments of a folder, found by looking through it: not too deep, not too many, not the hidden ones.

use super::safe_path::{EXPERIMENT, check};
use crate::files::disk;
use std::fs;
use std::path::Path;

/// Maximum depth of folders.
const MAX_DEPTH: u32 = 3;
/// Maximum number of listed experiments.
const MAX_EXPERIMENTS: usize = 500;
/// Maximum number of directory entries: the folder may contain a whole disk.
const MAX_ENTRIES: usize = 20_000;
/// Maximum size of all texts that are read for the list, in bytes.
const MAX_TOTAL_BYTES: u64 = 32 << 20;

/// An experiment that was found.
#[derive(Debug)]
pub(super) struct Found {
    /// Below the folder: `week1/drop.lab`.
    pub(super) name: String,
    pub(super) text: String,
}

/// All experiments below a folder that are at most `largest` bytes long, sorted by name. What cannot be read
/// is left out.
pub(super) fn experiments(folder: &Path, largest: u64) -> Vec<Found> {
    let mut scan = Scan { found: Vec::new(), entries: 0, text: 0, largest };
    scan.scan_folder(folder, "", 0);
    scan.found.sort_by(|a, b| a.name.cmp(&b.name));
    scan.found
}

struct Scan {
    found: Vec<Found>,
    entries: usize,
    text: u64,
    largest: u64,
}

impl Scan {
    fn is_enough(&self) -> bool {
        self.found.len() >= MAX_EXPERIMENTS || self.entries >= MAX_ENTRIES || self.text >= MAX_TOTAL_BYTES
    }

    /// Files before folders, so that what is near is found before there is enough.
    fn scan_folder(&mut self, folder: &Path, prefix: &str, depth: u32) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        let mut folders = Vec::new();
        for entry in entries.flatten() {
            if self.is_enough() {
                return;
            }
            self.entries += 1;
            let (Ok(name), Ok(kind)) = (entry.file_name().into_string(), entry.file_type()) else { continue };
            let name = format!("{prefix}{name}");
            // A link is neither file nor folder here.
            if check(&name).is_err() {
                continue;
            }
            if kind.is_dir() && depth < MAX_DEPTH {
                folders.push((name, entry.path()));
            } else if kind.is_file() && name.ends_with(EXPERIMENT) {
                let size = entry.metadata().map_or(u64::MAX, |meta| meta.len());
                if size <= self.largest
                    && let Ok(text) = disk::read(&entry.path())
                {
                    self.text += size;
                    self.found.push(Found { name, text });
                }
            }
        }
        folders.sort();
        for (name, path) in folders {
            self.scan_folder(&path, &format!("{name}/"), depth + 1);
        }
    }
}

//! History of the inputs of earlier sessions, if the system has a folder for it.

use reedline::{FileBackedHistory, History};
use std::env;
use std::fs;
use std::path::PathBuf;

/// Inputs that are remembered.
const MAX_ENTRIES: usize = 10_000;

/// The history on disk; in memory only where there is no home or nothing can be written.
pub(super) fn history() -> Option<Box<dyn History>> {
    let folder = data_folder()?.join("gedanken");
    fs::create_dir_all(&folder).ok()?;
    let history = FileBackedHistory::with_file(MAX_ENTRIES, folder.join("repl_history.txt")).ok()?;
    Some(Box::new(history))
}

/// The user's folder for the data of programs, by the custom of the system.
fn data_folder() -> Option<PathBuf> {
    let folder = |variable: &str| env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    if cfg!(windows) {
        folder("APPDATA")
    } else if cfg!(target_os = "macos") {
        Some(folder("HOME")?.join("Library/Application Support"))
    } else {
        folder("XDG_DATA_HOME").or_else(|| Some(folder("HOME")?.join(".local/share")))
    }
}

//! Writing an experiment: whole or not at all, and never through a link.

use super::safe_path::{EXPERIMENT, check_new, printable};
use crate::files::disk::plain;
use crate::files::whole_file;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

/// Writes `text` to `name` below `folder`, which is a real path, and gives the name with its ending.
///
/// # Errors
/// If it is not written, in a sentence.
pub(super) fn save(folder: &Path, name: &str, text: &str, replace: bool) -> Result<String, String> {
    let mut name = name.trim().to_owned();
    if !name.ends_with(EXPERIMENT) {
        name.push_str(EXPERIMENT);
    }
    check_new(&name)?;
    let refused = |why: &str| format!("`{}` cannot be written: {why}", printable(&name));
    let failed = |error: &io::Error| refused(&plain(error));
    let asked = folder.join(&name);
    let (Some(parent), Some(last)) = (asked.parent(), asked.file_name()) else {
        return Err(refused("it has no name"));
    };
    let parent = fs::canonicalize(parent).map_err(|error| match error.kind() {
        ErrorKind::NotFound => refused("there is no such folder"),
        _ => failed(&error),
    })?;
    if !parent.starts_with(folder) {
        return Err(refused("its folder is a link that leads out of the folder of the lab"));
    }
    let target = parent.join(last);
    match fs::symlink_metadata(&target) {
        Ok(meta) if meta.is_symlink() => Err(refused("it is a link; choose another name")),
        Ok(meta) if !meta.is_file() => Err(refused("something else has this name; choose another one")),
        Ok(_) if !replace => Err(taken(&name)),
        Ok(meta) if meta.permissions().readonly() => {
            Err(refused("the file is read-only; choose another name"))
        }
        Ok(_) => whole_file::replace(&target, text.as_bytes()).map_err(|error| failed(&error)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // Of two who write a new file at once, one is refused.
            whole_file::create(&target, text.as_bytes()).map_err(|error| match error.kind() {
                ErrorKind::AlreadyExists => taken(&name),
                _ => failed(&error),
            })
        }
        Err(error) => Err(failed(&error)),
    }?;
    Ok(name)
}

fn taken(name: &str) -> String {
    format!("`{}` already exists; replace it, or choose another name", printable(name))
}

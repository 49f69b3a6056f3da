//! Writing an experiment: whole or not at all, never through a link, and never over a version that the
//! writer does not know.

use super::file_text::{find, version};
use super::safe_path::{EXPERIMENT, can_run, check, check_new, printable};
use crate::files::disk::plain;
use crate::files::sweep;
use crate::files::whole_file::beside;
use crate::wire::OnDisk;
use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Outcome of a save that was not refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The text is on disk; with its version there.
    Written(String),
    /// The file is not the one that the text began from; nothing was written.
    Differs(OnDisk),
}

/// Returns the name with its ending, as a file of it is called.
pub(super) fn full_name(name: &str) -> String {
    let mut name = name.trim().to_owned();
    if !can_run(&name) {
        name.push_str(EXPERIMENT);
    }
    name
}

/// Writes `text` to `name` below `folder`, which is a real path, if the file there still has the version
/// `base`; for `None`, if there is no file.
///
/// # Errors
/// If it is not written, in a sentence.
pub(super) fn save(folder: &Path, name: &str, text: &str, base: Option<&str>) -> Result<Outcome, String> {
    // What is there can be replaced; a new name must be plain on every system.
    if base.is_some() { check(name) } else { check_new(name) }?;
    let target = target(folder, name)?;
    let replaced = replaced(&target, name)?;
    if let Some(parent) = target.parent() {
        sweep(parent, EXPERIMENT);
    }
    write(&target, text, base, replaced).map_err(|error| refused(name, &plain(&error)))
}

/// Writes beside the file, looks at the file a last time, and only then gives the text its name.
fn write(target: &Path, text: &str, base: Option<&str>, replaced: Option<Metadata>) -> io::Result<Outcome> {
    let found = find(target);
    let bytes = found.form.bytes(text);
    let written = version(&bytes);
    if found.state.version() == Some(&written) {
        // Written already, perhaps by this page over a connection that was lost before the answer.
        return Ok(Outcome::Written(written));
    }
    if found.state.version() != base {
        return Ok(Outcome::Differs(found.state));
    }
    let part = beside(target, replaced, &bytes)?;
    let named = if base.is_some() {
        // Writing took a while, in which another program may have written too.
        let now = find(target);
        if now.state.version() != base {
            return Ok(Outcome::Differs(now.state));
        }
        part.replace()
    } else {
        part.create()
    };
    match named {
        Ok(()) => Ok(Outcome::Written(written)),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(Outcome::Differs(find(target).state)),
        Err(error) => Err(error),
    }
}

/// Returns the path of the file, whose folder is real and below `folder`.
fn target(folder: &Path, name: &str) -> Result<PathBuf, String> {
    let asked = folder.join(name);
    let (Some(parent), Some(last)) = (asked.parent(), asked.file_name()) else {
        return Err(refused(name, "it has no name"));
    };
    let parent = fs::canonicalize(parent).map_err(|error| match error.kind() {
        ErrorKind::NotFound => refused(name, "there is no such folder"),
        _ => refused(name, &plain(&error)),
    })?;
    if !parent.starts_with(folder) {
        return Err(refused(name, "its folder is a link that leads out of the folder of the lab"));
    }
    Ok(parent.join(last))
}

/// Returns the attributes of a file that may be replaced; `None` if there is none.
fn replaced(target: &Path, name: &str) -> Result<Option<Metadata>, String> {
    match fs::symlink_metadata(target) {
        Ok(meta) if meta.is_symlink() => Err(refused(name, "it is a link; choose another name")),
        Ok(meta) if !meta.is_file() => Err(refused(name, "something else has this name; choose another one")),
        Ok(meta) if meta.permissions().readonly() => {
            Err(refused(name, "the file is read-only; choose another name"))
        }
        Ok(meta) => Ok(Some(meta)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(refused(name, &plain(&error))),
    }
}

fn refused(name: &str, why: &str) -> String {
    format!("`{}` cannot be written: {why}", printable(name))
}

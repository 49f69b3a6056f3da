//! Writing an experiment: whole or not at all, and never through a link.

use super::safe_path::{EXPERIMENT, check_new, printable};
use crate::files::disk::plain;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

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
        Ok(meta) => replace_whole(&target, text, Some(meta.permissions())).map_err(|error| failed(&error)),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // The name is taken first: of two who write at once, one is refused.
            let made = File::create_new(&target).and_then(|_| {
                replace_whole(&target, text, None).inspect_err(|_| {
                    let _ = fs::remove_file(&target);
                })
            });
            made.map_err(|error| match error.kind() {
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

/// Writes beside the file, then gives that the name: who reads meanwhile finds the old text or the new one.
fn replace_whole(target: &Path, text: &str, permissions: Option<fs::Permissions>) -> io::Result<()> {
    let beside = beside(target);
    let written = File::create_new(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        file.sync_all()
    });
    let named = written.and_then(|()| fs::rename(&beside, target));
    if named.is_err() {
        let _ = fs::remove_file(&beside);
    }
    named
}

/// `.drop.lab.1234-0.part` beside `drop.lab`: hidden, and different each time.
fn beside(target: &Path) -> PathBuf {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    target.with_file_name(format!(".{name}.{}-{count}.part", std::process::id()))
}

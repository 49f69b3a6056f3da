//! Files that only the user can read: the secrets of labs. They are written whole, and a link is replaced, never
//! followed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file that only the user can read, whole or not at all.
///
/// # Errors
/// If it cannot be written; then what was there is still there.
pub(crate) fn replace(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let beside = path.with_file_name(format!(".{name}.{}.part", std::process::id()));
    let written = create(&beside).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    let named = written.and_then(|()| fs::rename(&beside, path));
    if named.is_err() {
        let _ = fs::remove_file(&beside);
    }
    named
}

/// Creates a file that only the user can read. What has this name is removed.
///
/// # Errors
/// If it cannot be created.
pub(crate) fn create(path: &Path) -> io::Result<File> {
    let _ = fs::remove_file(path);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

//! Files that are written whole or not at all: beside their name, synced, then renamed.

use super::disk::{self, is_no_room, plain};
use super::place::{self, Place};
use super::temporary::Temporary;
use crate::console::terminal;
use crate::failure::Failure;
use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Writes a file, replacing what was there. Links stay links; pipes and devices are written as they are.
///
/// # Errors
/// If it cannot be written; then what was there is still there.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    match Place::of(path)? {
        Place::Stream(path) => {
            let mut stream = open_stream(&path)?;
            stream.write_all(bytes)?;
            stream.flush()
        }
        Place::Free(path) => beside(&path, None, bytes)?.replace(),
        Place::File(path, meta) => {
            check_writable(&path)?;
            let temporary = beside(&path, Some(meta), bytes)?;
            // Only now: what a killed process left beside it was a name of this file, too.
            note_hard_links(&path);
            temporary.replace()
        }
    }
}

/// Writes a file that nobody but its owner can read, replacing what has this name. A link of this name is
/// replaced, never followed.
///
/// # Errors
/// If it cannot be written; then what was there is still there.
pub(crate) fn replace_private(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = Temporary::private_beside(path)?;
    temporary.write_all(bytes)?;
    temporary.replace()
}

/// Writes a file that is not there yet.
///
/// # Errors
/// If something has this name, or it cannot be written; then nothing has changed.
pub(crate) fn create(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::symlink_metadata(path).is_ok() {
        return Err(ErrorKind::AlreadyExists.into());
    }
    beside(path, None, bytes)?.create()
}

/// Writes files that are not there yet, all of them or none, and gives their names. A library that is there with the
/// same text is left as it is, and not named: several experiments import it.
pub(crate) fn create_all(files: &[(PathBuf, String)]) -> Result<Vec<String>, Failure> {
    let files: Vec<&(PathBuf, String)> =
        files.iter().filter(|(path, text)| !is_same_library(path, text)).collect();
    let name = |path: &Path| path.to_string_lossy().into_owned();
    let taken = |path: &Path| {
        let why = "already exists, and is left as it is: choose another name or folder";
        Failure::Usage(format!("{} {why}", name(path)))
    };
    if let Some((path, _)) = files.iter().find(|(path, _)| path.symlink_metadata().is_ok()) {
        return Err(taken(path));
    }
    for (k, (path, text)) in files.iter().enumerate() {
        let Err(error) = create(path, text.as_bytes()) else { continue };
        for (path, _) in &files[..k] {
            // What cannot be taken back has been written whole.
            let _ = fs::remove_file(path);
        }
        if error.kind() == ErrorKind::AlreadyExists {
            return Err(taken(path));
        }
        let message = format!("{} cannot be written: {}", name(path), plain(&error));
        return Err(if is_no_room(&error) { Failure::Experiment(message) } else { Failure::Usage(message) });
    }
    Ok(files.iter().map(|(path, _)| name(path)).collect())
}

/// Returns `true` if the file is a library that has this text already.
fn is_same_library(path: &Path, text: &str) -> bool {
    let is_library = path.extension().is_some_and(|extension| extension == "vfl");
    is_library && disk::read(path).is_ok_and(|there| there == text)
}

/// Opens a pipe, a device or a descriptor for what follows.
pub(super) fn open_stream(path: &Path) -> io::Result<fs::File> {
    // Behind a descriptor may be a file to which others have written.
    OpenOptions::new().append(true).open(path)
}

/// Waits until every pipe among these paths has a reader, as opening it does; the pipes stay open while the
/// result lives. To be called while a signal still ends the process at once: there is nothing to finish yet, and
/// a pipe that nobody reads would keep the user waiting. A path that cannot be opened is told by whoever opens it
/// to write.
#[must_use = "a pipe that is closed again waits for its reader anew"]
pub(crate) fn await_readers<'p>(paths: impl IntoIterator<Item = &'p Path>) -> Vec<fs::File> {
    let pipes = paths.into_iter().filter(|path| place::is_pipe(path));
    pipes.filter_map(|path| open_stream(path).ok()).collect()
}

/// Asks the system for the right to change a file, without changing it: to rename another over it, the right
/// to write to its folder would suffice.
///
/// # Errors
/// If it may not be written.
pub(super) fn check_writable(path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(path).map(|_| ()).map_err(|error| match error.kind() {
        ErrorKind::PermissionDenied => io::Error::new(error.kind(), "you are not allowed to change it"),
        _ => error,
    })
}

/// Writes a file that has no name of its own yet, beside `target` and with the attributes of `like`. The caller
/// [replaces](Temporary::replace) the target or [creates](Temporary::create) it.
///
/// # Errors
/// If it cannot be written; then nothing has changed.
pub(crate) fn beside(target: &Path, like: Option<Metadata>, bytes: &[u8]) -> io::Result<Temporary> {
    let mut temporary = Temporary::beside(target, like).map_err(|error| about_folder(&error))?;
    temporary.write_all(bytes)?;
    Ok(temporary)
}

/// The reason why a file cannot be made, which is a fault of its folder.
pub(super) fn about_folder(error: &io::Error) -> io::Error {
    let why = match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => "there is no such folder".to_owned(),
        ErrorKind::PermissionDenied => "you are not allowed to write into its folder".to_owned(),
        _ => plain(error),
    };
    io::Error::new(error.kind(), why)
}

#[cfg(unix)]
fn note_hard_links(path: &Path) {
    use std::os::unix::fs::MetadataExt;
    if fs::metadata(path).is_ok_and(|meta| meta.nlink() > 1) {
        let name = path.display();
        terminal::eprint(&format!(
            "note: the other names (hard links) of {name} keep what was there before\n"
        ));
    }
}

#[cfg(not(unix))]
fn note_hard_links(_path: &Path) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::test_folder::TestFolder;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = TestFolder::new("whole");
        let path = folder.0.join("a.lab");
        replace(&path, b"first").unwrap();
        replace(&path, b"second").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        // Left by somebody who was killed, in the only name that we would take.
        fs::write(folder.0.join(".a.lab.part"), "sec").unwrap();
        replace(&path, b"third").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"third");
        assert_eq!(folder.names(), ["a.lab"]);
        let long = folder.0.join("ä".repeat(120));
        replace(&long, b"x").unwrap();
        assert_eq!(fs::read(&long).unwrap(), b"x", "names may be as long as the system allows");
    }

    #[test]
    fn what_somebody_else_writes_at_the_moment_is_left_alone() {
        let folder = TestFolder::new("together");
        let path = folder.0.join("a.lab");
        let mut other = Temporary::beside(&path, None).unwrap();
        other.write_all(b"other").unwrap();
        replace(&path, b"ours").unwrap();
        assert_eq!(folder.names(), [".a.lab.part", "a.lab"]);
        other.replace().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"other");
        assert_eq!(folder.names(), ["a.lab"]);
    }

    #[test]
    fn a_new_file_never_replaces_another() {
        let folder = TestFolder::new("created");
        let path = folder.0.join("a.lab");
        create(&path, b"first").unwrap();
        assert_eq!(create(&path, b"second").unwrap_err().kind(), ErrorKind::AlreadyExists);
        let late = beside(&path, None, b"third").unwrap();
        assert_eq!(late.create().unwrap_err().kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(folder.names(), ["a.lab"]);
        let files = [(folder.0.join("b.lab"), "b".to_owned()), (folder.0.join("no/c.lab"), "c".to_owned())];
        assert!(matches!(create_all(&files), Err(Failure::Usage(why)) if why.contains("no such folder")));
        assert_eq!(folder.names(), ["a.lab"], "all or none");
    }

    #[cfg(unix)]
    #[test]
    fn mode_and_links_are_kept() {
        use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
        let folder = TestFolder::new("attributes");
        let (path, link, hard) = (folder.0.join("a"), folder.0.join("link"), folder.0.join("hard"));
        for mode in [0o640, 0o604, 0o755, 0o600] {
            fs::write(&path, "old").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            replace(&path, b"new").unwrap();
            assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, mode);
        }
        // Only root may give a file away, and keeps the owner of what it replaces.
        if std::os::unix::fs::chown(&path, Some(1), Some(2)).is_ok() {
            replace(&path, b"new").unwrap();
            let meta = fs::metadata(&path).unwrap();
            assert_eq!((meta.uid(), meta.gid(), meta.mode() & 0o777), (1, 2, 0o600));
        }
        symlink("a", &link).unwrap();
        replace(&link, b"through the link").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&path).unwrap(), b"through the link");
        fs::hard_link(&path, &hard).unwrap();
        replace(&path, b"apart").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"apart");
        assert_eq!(fs::read(&hard).unwrap(), b"through the link", "the other name keeps what it had");
        fs::remove_file(&path).unwrap();
        replace(&link, b"made").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"made", "a link to nothing leads to a new file");
        replace(Path::new("/dev/null"), b"gone").unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}

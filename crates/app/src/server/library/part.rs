//! A text written completely beside the file that it will be, before anything else changes.

use std::fs::{self, File, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Ending of the file beside.
const ENDING: &str = ".part";

/// Maximum number of programs that write one file at a time.
const MAX_PARTS: u32 = 100;

/// Age after which a file beside that nobody has open was left behind by a process that was killed.
const LEFT_AFTER: Duration = Duration::from_secs(60);

/// A hidden file with a complete text, removed when this value is dropped.
#[derive(Debug)]
pub(super) struct Part {
    path: PathBuf,
    /// Open as long as the file is there: its lock says that somebody is writing.
    file: File,
    /// `true` if it was renamed: somebody else may have its old name.
    is_renamed: bool,
}

impl Part {
    /// Writes `bytes` beside `target` and waits until they are on the disk.
    ///
    /// # Errors
    /// If they cannot be written; nothing is left then.
    pub(super) fn write(target: &Path, bytes: &[u8], permissions: Option<Permissions>) -> io::Result<Self> {
        let mut part = Self::beside(target)?;
        part.file.write_all(bytes)?;
        if let Some(permissions) = permissions {
            part.file.set_permissions(permissions)?;
        }
        part.file.sync_all()?;
        Ok(part)
    }

    /// Takes the first name that nobody has.
    fn beside(target: &Path) -> io::Result<Self> {
        for number in 0..MAX_PARTS {
            let path = hidden(target, number);
            match File::create_new(&path) {
                Ok(file) => {
                    // Where the file system has no locks, the age alone says whether somebody is writing.
                    let _ = file.try_lock();
                    return Ok(Self { path, file, is_renamed: false });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("too many programs write it at once"))
    }

    /// Gives the text the name of a file that exists: whoever reads meanwhile finds the old text or this one.
    ///
    /// # Errors
    /// If the file cannot be replaced; it is as it was then.
    pub(super) fn replace(mut self, target: &Path) -> io::Result<()> {
        fs::rename(&self.path, target)?;
        self.is_renamed = true;
        sync_folder(target);
        Ok(())
    }

    /// Gives the text a name that nobody has.
    ///
    /// # Errors
    /// With [`ErrorKind::AlreadyExists`] if somebody has the name by now.
    pub(super) fn create(mut self, target: &Path) -> io::Result<()> {
        match fs::hard_link(&self.path, target) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
            // Some file systems have no links: an empty file takes the name for an instant.
            Err(_) => {
                drop(File::create_new(target)?);
                fs::rename(&self.path, target).inspect_err(|_| {
                    let _ = fs::remove_file(target);
                })?;
                self.is_renamed = true;
            }
        }
        sync_folder(target);
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.is_renamed {
            // What cannot be removed now is swept later.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Waits until the names of a folder are on the disk, where the system can.
fn sync_folder(target: &Path) {
    if cfg!(unix)
        && let Some(folder) = target.parent()
        && let Ok(folder) = File::open(folder)
    {
        // The text is complete in any case; without this only its name may be lost with the power.
        let _ = folder.sync_all();
    }
}

/// Returns `.drop.lab.part` for `drop.lab`, then `.drop.lab.1.part` and so on.
fn hidden(target: &Path, number: u32) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let number = if number == 0 { String::new() } else { format!(".{number}") };
    target.with_file_name(format!(".{name}{number}{ENDING}"))
}

/// Returns `true` for names that [`hidden`] makes of names that end in `ending`.
fn is_part(name: &str, ending: &str) -> bool {
    let Some(name) = name.strip_prefix('.').and_then(|name| name.strip_suffix(ENDING)) else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let stem = match name.rsplit_once('.') {
        Some((stem, number)) if is_number(number) => stem,
        _ => name,
    };
    stem.strip_suffix(ending).is_some_and(|stem| !stem.is_empty())
}

/// Removes the files of [`Part`] that killed processes have left in a folder. Others are never touched.
pub(super) fn sweep(folder: &Path, ending: &str) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let is_named = entry.file_name().to_str().is_some_and(|name| is_part(name, ending));
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        if is_named && is_file && is_left(&entry.path()) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// Returns `true` if nobody has written for a while, and nobody holds the lock.
fn is_left(path: &Path) -> bool {
    let Ok(file) = File::open(path) else { return false };
    let age = file.metadata().and_then(|meta| meta.modified()).ok().and_then(|time| time.elapsed().ok());
    age.is_some_and(|age| age > LEFT_AFTER) && !matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::SystemTime;

    /// A fresh folder that goes when the test ends.
    struct Room(PathBuf);

    impl Room {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("gedanken-part-{name}-{}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn names(&self) -> Vec<String> {
            let entries = fs::read_dir(&self.0).unwrap();
            let mut names: Vec<String> =
                entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Room {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_part_that_is_not_used_leaves_nothing() {
        let room = Room::new("unused");
        let target = room.0.join("drop.lab");
        drop(Part::write(&target, b"one", None).unwrap());
        assert_eq!(room.names(), [""; 0]);
        Part::write(&target, b"one", None).unwrap().create(&target).unwrap();
        let taken = Part::write(&target, b"two", None).unwrap().create(&target).unwrap_err();
        assert_eq!(taken.kind(), ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&target).unwrap(), b"one");
        Part::write(&target, b"three", None).unwrap().replace(&target).unwrap();
        assert_eq!(fs::read(&target).unwrap(), b"three");
        assert_eq!(room.names(), ["drop.lab"]);
    }

    #[test]
    fn parts_of_killed_processes_are_swept_and_no_other_file_is() {
        let room = Room::new("sweep");
        let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let make = |name: &str| {
            let file = File::create_new(room.0.join(name)).unwrap();
            file.set_modified(old).unwrap();
            file
        };
        for name in [".drop.lab.part", ".drop.lab.1.part", ".a.b.lab.13.part"] {
            drop(make(name));
        }
        let others =
            [".drop.lab.x.part", ".drop.csv.part", ".lab.part", ".lab.1.part", "drop.lab.part", ".drop.lab"];
        for name in others {
            drop(make(name));
        }
        let writing = make(".busy.lab.part");
        writing.try_lock().unwrap();
        let fresh = Part::write(&room.0.join("fresh.lab"), b"text", None).unwrap();
        sweep(&room.0, ".lab");
        let mut expected = [&others[..], &[".busy.lab.part", ".fresh.lab.part"]].concat();
        expected.sort_unstable();
        assert_eq!(room.names(), expected);
        drop((writing, fresh));
    }
}

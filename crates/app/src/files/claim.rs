//! Claims on the places of growing files: each is locked before anything in it changes.
//!
//! A run claims all its files first and begins them afterwards
//! ([`NewFile::begin`](super::new_file::NewFile)), so that a run that is refused has touched nothing. Two
//! files are locked: the one that will be replaced, and the one that is written, which may be a part that a
//! killed run left. A process that waited for neither finds out by comparing the path with what it has
//! opened, and looks again.

use super::disk::plain;
use super::lock::{Lock, holder, try_lock};
use super::place::Place;
use super::temporary::Temporary;
use super::whole_file::{about_folder, open_stream};
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Maximum number of attempts to lock files that others rename meanwhile.
const MAX_ATTEMPTS: u32 = 100;

/// Function that locks a file at a path.
type Locking = fn(&File, &Path) -> Lock;

/// A place that no other run writes to.
#[derive(Debug)]
pub(crate) struct Claim {
    /// Path as the user wrote it, for messages.
    pub(super) name: String,
    /// Path of the file when it is finished.
    pub(super) target: PathBuf,
    pub(super) held: Held,
    /// `true` if there was no such file: it goes if nothing comes of the claim.
    is_new: bool,
}

/// Open files of a claim.
#[derive(Debug)]
pub(super) enum Held {
    /// A pipe or a device.
    Stream(File),
    /// The file under its own name, and the part that a killed run left.
    Own { file: File, left: Option<File> },
    /// The file at `path` beside its name, and the file to be replaced. With `has_left`, a killed run wrote
    /// it.
    Beside { file: File, path: PathBuf, old: Option<File>, has_left: bool },
    /// A file at `path` that no other run has, where the system has no locks.
    Unlocked { file: File, path: PathBuf },
    /// A hidden file at `path` that gets its name when it is whole and goes otherwise, and the file to be
    /// replaced.
    Whole { file: File, path: PathBuf, old: Option<File> },
    /// Taken over by a growing file.
    Nothing,
}

impl Claim {
    /// Claims a place. With `waits`, the file stays beside its name until it is finished, as it does if there
    /// is a file of the name.
    ///
    /// # Errors
    /// If another run writes there, there is no such folder, or one may not write there.
    pub(crate) fn new(path: &Path, waits: bool) -> io::Result<Self> {
        Self::with(path, waits, try_lock)
    }

    /// Claims the places of two files that belong together: if one is there already, both wait.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn pair(one: &Path, other: &Path) -> io::Result<[Self; 2]> {
        let waits = one.is_file() || other.is_file();
        Ok([Self::new(one, waits)?, Self::new(other, waits)?])
    }

    /// Claims a place for a file that is written at once, and gets its name when it is whole. Parts that runs
    /// left are not touched.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub(crate) fn whole(path: &Path) -> io::Result<Self> {
        Self::by(path, |_, target| whole(target))
    }

    pub(super) fn with(path: &Path, waits: bool, lock: Locking) -> io::Result<Self> {
        Self::by(path, |name, target| attempt(name, target, waits, lock))
    }

    /// Opens a stream, or claims a file by repeated attempts.
    fn by(
        path: &Path,
        attempt: impl Fn(&str, &Path) -> io::Result<Option<(Held, bool)>>,
    ) -> io::Result<Self> {
        let name = path.to_string_lossy().into_owned();
        let place = Place::of(path).map_err(|error| named(&name, &error))?;
        let target = place.path().to_owned();
        if let Place::Stream(path) = place {
            let stream = open_stream(&path).map_err(|error| named(&name, &error))?;
            return Ok(Self { name, target, held: Held::Stream(stream), is_new: false });
        }
        for _ in 0..MAX_ATTEMPTS {
            match attempt(&name, &target) {
                Ok(Some((held, is_new))) => return Ok(Self { name, target, held, is_new }),
                Ok(None) => {}
                Err(error) => return Err(named(&name, &error)),
            }
        }
        Err(named(&name, &io::Error::other("other runs replace it all the time")))
    }

    /// Takes the open files out; from here on the file stays.
    pub(super) fn take(&mut self) -> Held {
        std::mem::replace(&mut self.held, Held::Nothing)
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let path = match &self.held {
            Held::Own { .. } => &self.target,
            Held::Beside { path, .. } | Held::Unlocked { path, .. } | Held::Whole { path, .. } => path,
            Held::Stream(_) | Held::Nothing => return,
        };
        if self.is_new {
            // Still locked: nobody else has begun to write it.
            let _ = fs::remove_file(path);
        }
    }
}

/// Tries once; `None` if somebody renamed a file meanwhile.
fn attempt(name: &str, target: &Path, waits: bool, lock: Locking) -> io::Result<Option<(Held, bool)>> {
    let part = beside(target);
    let (old, mut left) = match lock_existing(target, lock)? {
        Existing::Locked(old, left) => (old, left),
        Existing::Moved => return Ok(None),
        Existing::Unsupported => return unlocked(name, target).map(Some),
    };
    let is_own = old.is_none() && !waits;
    if let Some(file) = left.take_if(|_| !is_own) {
        return Ok(Some((Held::Beside { file, path: part, old, has_left: true }, false)));
    }
    let path = if is_own { target } else { &part };
    let file = match new_options().create_new(true).open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(None),
        Err(error) => return Err(about_folder(&error)),
    };
    match lock(&file, path) {
        Lock::Ours if is_own => Ok(Some((Held::Own { file, left }, true))),
        Lock::Ours => Ok(Some((Held::Beside { file, path: part, old, has_left: false }, true))),
        // Whoever found it empty has it now.
        Lock::Busy => Err(busy(&file)),
        Lock::Moved => Ok(None),
        Lock::Unsupported => {
            fs::remove_file(path)?;
            unlocked(name, target).map(Some)
        }
    }
}

/// Tries once to claim the place of a file that is written at once.
fn whole(target: &Path) -> io::Result<Option<(Held, bool)>> {
    let old = match lock_existing(target, try_lock)? {
        Existing::Locked(old, _) => old,
        Existing::Moved => return Ok(None),
        Existing::Unsupported => None,
    };
    let like = old.as_ref().map(File::metadata).transpose()?;
    let (file, path) = Temporary::beside(target, like).map_err(|error| about_folder(&error))?.into_parts()?;
    Ok(Some((Held::Whole { file, path, old }, true)))
}

/// Files of a name and of its part, if they exist.
enum Existing {
    /// They are ours.
    Locked(Option<File>, Option<File>),
    /// Somebody renamed one meanwhile.
    Moved,
    /// The file system has no locks.
    Unsupported,
}

/// Locks the file that would be replaced, and the part that a run has left or is writing.
fn lock_existing(target: &Path, lock: Locking) -> io::Result<Existing> {
    let mut found = [None, None];
    for (path, found) in [target, &beside(target)].into_iter().zip(&mut found) {
        let Some(file) = open_existing(path)? else { continue };
        match lock(&file, path) {
            Lock::Ours => *found = Some(file),
            Lock::Busy => return Err(busy(&file)),
            Lock::Moved => return Ok(Existing::Moved),
            Lock::Unsupported => return Ok(Existing::Unsupported),
        }
    }
    let [old, left] = found;
    Ok(Existing::Locked(old, left))
}

/// Opens a file to be locked, and read and replaced later.
fn open_existing(path: &Path) -> io::Result<Option<File>> {
    match new_options().open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) if error.kind() == ErrorKind::PermissionDenied => {
            Err(io::Error::new(error.kind(), "you are not allowed to change it"))
        }
        Err(error) => Err(error),
    }
}

/// Options to read and write: what was written is read again at the end.
pub(super) fn new_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    options
}

/// Creates a file under a name that no other run has.
fn unlocked(name: &str, target: &Path) -> io::Result<(Held, bool)> {
    let stem = target.file_stem().unwrap_or_default().to_string_lossy();
    let ending = target.extension().unwrap_or_default().to_string_lossy();
    for number in 0..MAX_ATTEMPTS {
        let number = if number == 0 { String::new() } else { format!("-{number}") };
        let path = target.with_file_name(format!("{stem}.{}{number}.{ending}.part", std::process::id()));
        match new_options().create_new(true).open(&path) {
            Ok(file) => {
                crate::console::terminal::eprint(&format!(
                    "note: the file system of {name} has no locks, so that another run onto it would not be \
                     noticed; until the end it is written as {}\n",
                    path.display()
                ));
                return Ok((Held::Unlocked { file, path }, true));
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(about_folder(&error)),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// `a.csv.part` for `a.csv`.
pub(super) fn beside(path: &Path) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// The error for a file that another run writes.
fn busy(file: &File) -> io::Error {
    let who = holder(file).map_or("another run".to_owned(), |process| format!("process {process}"));
    let why = format!("{who} is writing it at this moment; wait for its end, or choose another name");
    io::Error::new(ErrorKind::ResourceBusy, why)
}

/// An error with the name of the file.
pub(super) fn named(name: &str, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{name} cannot be written: {}", plain(error)))
}

//! Hidden files beside those that they will replace: `.drop.lab.part` for `drop.lab`.
//!
//! Each is locked while it is written, so that one that a killed process left is told from one that is in
//! use, and is removed by the next who writes that file.

use super::lock::{Lock, try_lock};
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Maximum number of processes that write one file at a time.
const MAX_TEMPORARIES: u32 = 1000;
/// Maximum number of attempts to get one name that others take and give up.
const MAX_ATTEMPTS: u32 = 100;
/// Maximum length of the part of a name that is taken over, in characters: systems allow 255 bytes.
const MAX_NAME: usize = 60;

/// A file that has no name of its own yet. Dropped without one, it is removed.
#[derive(Debug)]
pub(crate) struct Temporary {
    file: File,
    path: PathBuf,
    target: PathBuf,
    /// Attributes to take over.
    like: Option<Metadata>,
    has_name: bool,
}

impl Temporary {
    /// Creates an empty file beside `target`, to get the attributes of `like`.
    ///
    /// # Errors
    /// If there is no such folder, or one may not write there.
    pub(super) fn beside(target: &Path, like: Option<Metadata>) -> io::Result<Self> {
        let is_private = like.is_some();
        Self::open(target, like, is_private)
    }

    /// Creates an empty file beside `target` that nobody but its owner can read, now and later.
    ///
    /// # Errors
    /// As [`beside`](Self::beside).
    pub(super) fn private_beside(target: &Path) -> io::Result<Self> {
        Self::open(target, None, true)
    }

    fn open(target: &Path, like: Option<Metadata>, is_private: bool) -> io::Result<Self> {
        for number in 0..MAX_TEMPORARIES {
            let path = hidden(target, number);
            if let Some(file) = take(&path, is_private)? {
                return Ok(Self { file, path, target: target.to_owned(), like, has_name: false });
            }
        }
        Err(io::Error::other("too many processes write it at once"))
    }

    /// Replaces the target, if there is one.
    ///
    /// # Errors
    /// If it cannot be synced or renamed; the target is as it was.
    pub(crate) fn replace(mut self) -> io::Result<()> {
        self.settle()?;
        fs::rename(&self.path, &self.target)?;
        self.has_name = true;
        sync_folder(&self.target)
    }

    /// Becomes the target, unless there is one.
    ///
    /// # Errors
    /// If there is one, or as [`replace`](Self::replace).
    pub(crate) fn create(mut self) -> io::Result<()> {
        self.settle()?;
        match fs::hard_link(&self.path, &self.target) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(error),
            // Some file systems have no hard links: there the name is taken by an empty file first.
            Err(_) => {
                File::create_new(&self.target)?;
                fs::rename(&self.path, &self.target).inspect_err(|_| {
                    let _ = fs::remove_file(&self.target);
                })?;
                self.has_name = true;
            }
        }
        sync_folder(&self.target)
    }

    /// Syncs the file and leaves the choice of its name to `rename`.
    ///
    /// # Errors
    /// If it cannot be synced or renamed.
    pub(super) fn keep_as<T>(mut self, rename: impl FnOnce(&Path) -> io::Result<T>) -> io::Result<T> {
        self.settle()?;
        let renamed = rename(&self.path)?;
        self.has_name = true;
        sync_folder(&self.target)?;
        Ok(renamed)
    }

    /// Gives the open file and its path away: whoever has them removes it or gives it a name.
    ///
    /// # Errors
    /// If the system has no more open files to give.
    pub(super) fn into_parts(mut self) -> io::Result<(File, PathBuf)> {
        let file = self.file.try_clone()?;
        self.has_name = true;
        Ok((file, self.path.clone()))
    }

    fn settle(&mut self) -> io::Result<()> {
        if let Some(like) = &self.like {
            copy_attributes(&self.file, like)?;
        }
        self.file.sync_all()
    }
}

impl Write for Temporary {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.has_name {
            // What cannot be removed is removed by the next who writes this file.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// `.drop.lab.part`, then `.drop.lab.1.part` and so on.
fn hidden(target: &Path, number: u32) -> PathBuf {
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(MAX_NAME).collect();
    let number = if number == 0 { String::new() } else { format!(".{number}") };
    target.with_file_name(OsString::from(format!(".{name}{number}.part")))
}

/// Creates and locks a file; `None` if another process writes it. A file that nobody writes is removed first.
fn take(path: &Path, is_private: bool) -> io::Result<Option<File>> {
    for _ in 0..MAX_ATTEMPTS {
        match options(is_private).open(path) {
            Ok(file) => match try_lock(&file, path) {
                Lock::Ours | Lock::Unsupported => return Ok(Some(file)),
                // Somebody took it for one that was left.
                Lock::Busy | Lock::Moved => {}
            },
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                let Ok(left) = File::open(path) else { return Ok(None) };
                match try_lock(&left, path) {
                    Lock::Ours => fs::remove_file(path)?,
                    Lock::Moved => {}
                    Lock::Busy | Lock::Unsupported => return Ok(None),
                }
            }
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}

/// A new file; one that will get attributes of another is readable by nobody else until then.
#[cfg(unix)]
fn options(is_private: bool) -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    if is_private {
        options.mode(0o600);
    }
    options
}

#[cfg(not(unix))]
fn options(_is_private: bool) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create_new(true);
    options
}

/// Gives a file the mode and, where the system allows it, the owner and the group of another.
///
/// # Errors
/// If the mode cannot be set.
#[cfg(unix)]
pub(super) fn copy_attributes(file: &File, like: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let mut mode = like.mode() & 0o777;
    if (own.uid(), own.gid()) != (like.uid(), like.gid())
        && fchown(file, Some(like.uid()), Some(like.gid())).is_err()
        && own.gid() != like.gid()
        && fchown(file, None, Some(like.gid())).is_err()
    {
        // The rights of the old group are not for the members of another one.
        mode = (mode & 0o707) | ((mode & 0o007) << 3);
    }
    file.set_permissions(fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
pub(super) fn copy_attributes(file: &File, like: &Metadata) -> io::Result<()> {
    file.set_permissions(like.permissions())
}

/// Makes a new name in a folder last through a power cut.
///
/// # Errors
/// If the disk fails.
#[cfg(unix)]
pub(super) fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // A folder that may be written to but not read cannot be synced, nor can those of some file systems.
    match File::open(folder).and_then(|folder| folder.sync_all()) {
        Err(error) if error.kind() == ErrorKind::NotFound => Err(error),
        Err(error) if error.raw_os_error() == Some(DISK_FAILURE) => Err(error),
        _ => Ok(()),
    }
}

/// `EIO`, which has no kind of its own.
#[cfg(unix)]
const DISK_FAILURE: i32 = 5;

#[cfg(not(unix))]
pub(super) fn sync_folder(_path: &Path) -> io::Result<()> {
    Ok(())
}

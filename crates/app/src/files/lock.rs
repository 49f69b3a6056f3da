//! Locks of the operating system on open files. The system releases them when a process ends, however it
//! ends.

use super::place::is_at;
use std::fs::{File, TryLockError};
use std::path::Path;

/// Result of trying to lock a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lock {
    /// It is ours until the file is closed.
    Ours,
    /// Somebody else has it.
    Busy,
    /// Meanwhile the path leads to another file, or to none: look again.
    Moved,
    /// The file system has no locks.
    Unsupported,
}

/// Tries to lock the file that was opened at a path.
pub(super) fn try_lock(file: &File, path: &Path) -> Lock {
    match file.try_lock() {
        Ok(()) if is_at(file, path) => Lock::Ours,
        Ok(()) => Lock::Moved,
        Err(TryLockError::WouldBlock) => Lock::Busy,
        Err(TryLockError::Error(_)) => Lock::Unsupported,
    }
}

/// Returns the number of the process that has locked a file, where the system tells it.
#[cfg(target_os = "linux")]
pub(super) fn holder(file: &File) -> Option<u32> {
    use std::os::unix::fs::MetadataExt;
    let meta = file.metadata().ok()?;
    let (device, inode) = (meta.dev(), meta.ino());
    // `7: FLOCK  ADVISORY  WRITE 4711 fe:00:131 0 EOF`: process, device in hexadecimal digits, inode.
    let major = ((device >> 8) & 0xfff) | ((device >> 32) & !0xfff);
    let minor = (device & 0xff) | ((device >> 12) & !0xff & 0xffff_ffff);
    let file = format!("{major:02x}:{minor:02x}:{inode}");
    let locks = std::fs::read_to_string("/proc/locks").ok()?;
    let mut held = locks.lines().map(|line| line.split_ascii_whitespace().collect::<Vec<_>>());
    let line = held.find(|words| words.get(1) == Some(&"FLOCK") && words.get(5) == Some(&file.as_str()))?;
    line.get(4)?.parse().ok().filter(|process| *process > 0)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn holder(_file: &File) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::test_folder::TestFolder;
    use std::fs;

    #[test]
    fn a_lock_holds_until_the_file_is_closed() {
        let folder = TestFolder::new("lock");
        let path = folder.0.join("a");
        let first = File::create(&path).unwrap();
        let second = File::open(&path).unwrap();
        assert_eq!(try_lock(&first, &path), Lock::Ours);
        assert_eq!(try_lock(&second, &path), Lock::Busy);
        if cfg!(target_os = "linux") {
            assert_eq!(holder(&second), Some(std::process::id()));
        }
        drop(first);
        assert_eq!(try_lock(&second, &path), Lock::Ours);
        fs::remove_file(&path).unwrap();
        assert_eq!(try_lock(&second, &path), Lock::Moved, "the name belongs to nobody now");
    }
}

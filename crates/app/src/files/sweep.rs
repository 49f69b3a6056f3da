//! Temporary files that killed processes left: removed by the next who saves into their folder.

use std::fs::{self, File};
use std::path::Path;
use std::time::Duration;

/// Ending of temporary files.
const ENDING: &str = ".part";

/// Age after which a temporary file that nobody has open was left behind by a process that was killed.
const LEFT_AFTER: Duration = Duration::from_secs(60);

/// Returns `true` for names of temporary files beside files whose name ends in `ending`.
fn is_part(name: &str, ending: &str) -> bool {
    let Some(name) = name.strip_prefix('.').and_then(|name| name.strip_suffix(ENDING)) else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let stem = match name.rsplit_once('.') {
        Some((stem, number)) if is_number(number) => stem,
        _ => name,
    };
    stem.strip_suffix(ending).is_some_and(|stem| !stem.is_empty())
}

/// Removes the temporary files that killed processes have left in a folder. Others are never touched.
pub(crate) fn sweep(folder: &Path, ending: &str) {
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
    use crate::files::test_folder::TestFolder;
    use crate::files::whole_file::beside;
    use std::time::SystemTime;

    #[test]
    fn parts_of_killed_processes_are_swept_and_no_other_file_is() {
        let folder = TestFolder::new("sweep");
        let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
        let make = |name: &str| {
            let file = File::create_new(folder.0.join(name)).unwrap();
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
        let fresh = beside(&folder.0.join("fresh.lab"), None, b"text").unwrap();
        sweep(&folder.0, ".lab");
        let mut expected = [&others[..], &[".busy.lab.part", ".fresh.lab.part"]].concat();
        expected.sort_unstable();
        assert_eq!(folder.names(), expected);
        drop((writing, fresh));
    }
}

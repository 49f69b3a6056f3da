//! Files that are read from the disk once, for all runs of a sweep: none of them sees a change that is made
//! meanwhile.

use crate::files::disk::Disk;
use gedanken_experiment::Files;
use gedanken_math::Cancel;
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// What was read, by path, with what could not be.
type Read<T> = Mutex<BTreeMap<String, Result<T, String>>>;

/// Files on disk, as they were when they were first asked for.
#[derive(Debug)]
pub(super) struct Remembered {
    texts: Read<String>,
    bytes: Read<Vec<u8>>,
    cancel: Cancel,
}

impl Remembered {
    /// Nothing is read yet. The token ends the reading of experiments.
    pub(super) fn new(cancel: Cancel) -> Self {
        Self { texts: Mutex::default(), bytes: Mutex::default(), cancel }
    }
}

fn remembered<T: Clone>(
    known: &Read<T>,
    path: &str,
    read: impl FnOnce() -> Result<T, String>,
) -> Result<T, String> {
    // Entries are whole, also if somebody panicked who had the lock.
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    known.entry(path.to_owned()).or_insert_with(read).clone()
}

impl Files for Remembered {
    fn text(&self, path: &str) -> Result<String, String> {
        remembered(&self.texts, path, || Files::text(&Disk, path))
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        remembered(&self.bytes, path, || Files::bytes(&Disk, path))
    }

    fn cancel(&self) -> Cancel {
        self.cancel.clone()
    }
}

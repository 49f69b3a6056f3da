//! Places to write to that can be looked at while they are written, and that can be full.

use std::cell::RefCell;
use std::io::{self, Seek, SeekFrom, Write};
use std::rc::Rc;

/// A file on a disk with room for so many bytes.
#[derive(Clone)]
pub(crate) struct Disk {
    file: Rc<RefCell<io::Cursor<Vec<u8>>>>,
    room: usize,
}

impl Disk {
    pub(crate) fn new() -> Self {
        Self::with_room(usize::MAX)
    }

    pub(crate) fn with_room(room: usize) -> Self {
        Self { file: Rc::default(), room }
    }

    /// Bytes that are there now.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.file.borrow().get_ref().clone()
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut file = self.file.borrow_mut();
        let left = self.room.saturating_sub(file.position() as usize);
        if left == 0 && !bytes.is_empty() {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        file.write(&bytes[..bytes.len().min(left)])
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Disk {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file.borrow_mut().seek(to)
    }
}

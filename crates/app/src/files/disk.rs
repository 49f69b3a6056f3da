//! Files as the language meets them: text of a bounded size, and a plain word when there is none.

use super::place::is_descriptor;
use super::whole_file;
use gedanken_lang::session::Files;
use gedanken_lang::source::Sources;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// The files of the computer, by path from the present folder.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<String, String> {
        read(Path::new(path))
    }

    fn write(&self, path: &str, text: &str) -> Result<(), String> {
        whole_file::replace(Path::new(path), text.as_bytes()).map_err(|error| plain(&error))
    }
}

/// The largest shape that is read, in bytes: some ten million triangles.
const LARGEST_SHAPE: u64 = 512 << 20;

impl gedanken_experiment::Files for Disk {
    fn text(&self, path: &str) -> Result<String, String> {
        text(open_regular(Path::new(path))?)
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        let file = open_regular(Path::new(path))?;
        let mut bytes = Vec::new();
        file.take(LARGEST_SHAPE + 1).read_to_end(&mut bytes).map_err(|error| plain(&error))?;
        if bytes.len() as u64 > LARGEST_SHAPE {
            return Err(format!("it is longer than {} MiB", LARGEST_SHAPE >> 20));
        }
        Ok(bytes)
    }
}

/// The text of a file that the user named, or why there is none. Standard input and other descriptors that
/// are open already are read too: `gedanken check <(make-a-library)`.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    if is_descriptor(path) && !path.is_dir() {
        return text(File::open(path).map_err(|error| plain(&error))?);
    }
    text(open_regular(path)?)
}

/// The text of a file of numbers, which may be much longer than a text that people write.
pub(crate) fn read_long(path: &Path) -> Result<String, String> {
    let file = if is_descriptor(path) && !path.is_dir() {
        File::open(path).map_err(|error| plain(&error))?
    } else {
        open_regular(path)?
    };
    let mut text = String::new();
    let taken = file.take(LARGEST_SHAPE + 1).read_to_string(&mut text).map_err(|error| plain(&error))?;
    if taken as u64 > LARGEST_SHAPE {
        return Err(format!("it is longer than {} MiB", LARGEST_SHAPE >> 20));
    }
    Ok(text)
}

/// Opens a regular file. A pipe is refused: to open it would wait until somebody writes.
fn open_regular(path: &Path) -> Result<File, String> {
    let check = |meta: &fs::Metadata| match meta {
        meta if meta.is_file() => Ok(()),
        meta if meta.is_dir() => Err("it is a folder".to_owned()),
        _ => Err("it is a pipe or a device, and only regular files are read".to_owned()),
    };
    let found = fs::metadata(path).map_err(|error| plain(&error))?;
    check(&found)?;
    let file = File::open(path).map_err(|error| plain(&error))?;
    let opened = file.metadata().map_err(|error| plain(&error))?;
    check(&opened).map(|()| file)
}

/// All text that a reader gives, or why there is none.
pub(crate) fn text(reader: impl Read) -> Result<String, String> {
    let mut bytes = Vec::new();
    // One byte more than allowed tells a text that is too long from one that just fits.
    let most = Sources::LONGEST as u64 + 1;
    reader.take(most).read_to_end(&mut bytes).map_err(|error| plain(&error))?;
    if bytes.len() > Sources::LONGEST {
        return Err(format!("it is longer than {} MiB", Sources::LONGEST >> 20));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count();
        format!("it is not text in UTF-8 (line {line})")
    })
}

/// Returns the reason of an error, in words.
pub(crate) fn plain(error: &io::Error) -> String {
    // Errors of our own have their words already.
    if error.get_ref().is_some() {
        return error.to_string();
    }
    let words = match error.kind() {
        ErrorKind::NotFound => "there is no such file",
        ErrorKind::PermissionDenied => "you are not allowed to",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "a part of its path is a file, not a folder",
        ErrorKind::InvalidFilename => "its name is too long, or has characters that the disk does not take",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "your share of the disk (quota) is used up",
        ErrorKind::ReadOnlyFilesystem => "the disk can only be read",
        ErrorKind::FileTooLarge => {
            "the file may not grow larger: the limit of this shell (ulimit -f) or of the disk is reached"
        }
        _ => return error.to_string(),
    };
    words.to_owned()
}

/// Returns `true` if there is no room for what should be written.
pub(crate) fn is_no_room(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}

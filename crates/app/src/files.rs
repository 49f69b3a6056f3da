//! Files as the language meets them: text of a bounded size, and a plain word when there is none.

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
        fs::write(path, text).map_err(|error| match error.kind() {
            ErrorKind::NotFound => "there is no such folder".to_owned(),
            _ => plain(&error),
        })
    }
}

/// The largest shape that is read, in bytes: some ten million triangles.
const LARGEST_SHAPE: u64 = 512 << 20;

impl gedanken_lab::Files for Disk {
    fn text(&self, path: &str) -> Result<String, String> {
        read(Path::new(path))
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        let path = Path::new(path);
        if path.is_dir() {
            return Err("it is a folder".to_owned());
        }
        let file = File::open(path).map_err(|error| plain(&error))?;
        let mut bytes = Vec::new();
        file.take(LARGEST_SHAPE + 1).read_to_end(&mut bytes).map_err(|error| plain(&error))?;
        if bytes.len() as u64 > LARGEST_SHAPE {
            return Err(format!("it is longer than {} MiB", LARGEST_SHAPE >> 20));
        }
        Ok(bytes)
    }
}

/// The text of a file, or why there is none.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    if path.is_dir() {
        return Err("it is a folder".to_owned());
    }
    text(File::open(path).map_err(|error| plain(&error))?)
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

fn plain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "you are not allowed to".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    }
}

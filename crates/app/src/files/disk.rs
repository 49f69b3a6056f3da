//! Files as the language meets them: text of a bounded size, and a plain word when there is none.

use crate::failure::Failure;
use gedanken_lang::session::Files;
use gedanken_lang::source::Sources;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

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

impl gedanken_experiment::Files for Disk {
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

/// Writes files that are not there yet, all of them or none, and gives their names.
pub(crate) fn write_new(files: &[(PathBuf, String)]) -> Result<Vec<String>, Failure> {
    let name = |path: &Path| path.to_string_lossy().into_owned();
    if let Some((path, _)) = files.iter().find(|(path, _)| path.symlink_metadata().is_ok()) {
        let why = "already exists, and is left as it is: choose another name or folder";
        return Err(Failure::Usage(format!("{} {why}", name(path))));
    }
    for (k, (path, text)) in files.iter().enumerate() {
        let created = File::create_new(path);
        let is_ours = created.is_ok();
        let written = created.and_then(|mut file| file.write_all(text.as_bytes()));
        if let Err(error) = written {
            for (path, _) in &files[..k + usize::from(is_ours)] {
                // What cannot be taken back has been written whole, or is too short to mean anything.
                let _ = fs::remove_file(path);
            }
            let why = match error.kind() {
                ErrorKind::NotFound => "there is no such folder".to_owned(),
                _ => plain(&error),
            };
            let message = format!("{} cannot be written: {why}", name(path));
            return Err(match error.kind() {
                ErrorKind::StorageFull => Failure::Experiment(message),
                _ => Failure::Usage(message),
            });
        }
    }
    Ok(files.iter().map(|(path, _)| name(path)).collect())
}

/// Returns the reason of an error, in words.
pub(crate) fn plain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "you are not allowed to".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::StorageFull => "the disk is full".to_owned(),
        _ => error.to_string(),
    }
}

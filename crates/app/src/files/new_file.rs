//! A file that grows under its own name, or beside the file that it will replace when it is whole.
//!
//! Nothing that was there is lost before there is something better: if a file of that name exists, the new
//! one is written to `NAME.part` and renamed at the end. If there is none, it has its name from the first
//! byte, so that what a crash leaves behind is found where it was asked for. Pipes and devices are written to
//! as they are.

use super::disk::plain;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file being written.
#[derive(Debug)]
pub(crate) struct NewFile {
    writer: BufWriter<File>,
    /// Path as the user wrote it, for messages.
    name: String,
    /// Current path.
    path: PathBuf,
    /// Final path; `None` if it is already there.
    replaces: Option<PathBuf>,
}

impl NewFile {
    /// An empty file that will be at `path`.
    ///
    /// # Errors
    /// If there is no such folder, or one may not write there.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let target = target(path);
        let is_replaced = target.is_file();
        Self::open(path, target, is_replaced)
    }

    /// Two files that belong together: if one is there already, both wait beside their names.
    ///
    /// # Errors
    /// As [`create`](Self::create).
    pub(crate) fn create_pair(one: &Path, other: &Path) -> io::Result<(Self, Self)> {
        let (a, b) = (target(one), target(other));
        let is_replaced = a.is_file() || b.is_file();
        let waits = |target: &Path| is_replaced && (target.is_file() || !target.exists());
        let (a_waits, b_waits) = (waits(&a), waits(&b));
        Ok((Self::open(one, a, a_waits)?, Self::open(other, b, b_waits)?))
    }

    fn open(asked: &Path, target: PathBuf, waits: bool) -> io::Result<Self> {
        let name = asked.to_string_lossy().into_owned();
        let (path, replaces) = if waits { (beside(&target), Some(target)) } else { (target, None) };
        let file = File::create(&path).map_err(|error| named(&name, &error))?;
        Ok(Self { writer: BufWriter::with_capacity(1 << 16, file), name, path, replaces })
    }

    /// Temporary path until it replaces the file of its name, if it has one.
    pub(crate) fn waiting(&self) -> Option<&Path> {
        self.replaces.is_some().then_some(&self.path)
    }

    /// Returns the final path.
    fn destination(&self) -> &Path {
        self.replaces.as_deref().unwrap_or(&self.path)
    }

    /// Everything is written, and becomes what `convert` makes of it, which gets the name. If that fails, as
    /// on a disk with no room for both, the file gets its name as it is.
    ///
    /// # Errors
    /// Why it could not be converted, or as [`finish`](Self::finish).
    pub(crate) fn finish_converted(
        mut self,
        convert: impl FnOnce(&Path, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.flush()?;
        if !self.path.is_file() {
            return self.finish();
        }
        let mut name = self.destination().as_os_str().to_owned();
        name.push(".finished");
        let finished = PathBuf::from(name);
        let converted = File::create(&finished).and_then(|file| {
            let mut writer = BufWriter::with_capacity(1 << 16, file);
            convert(&self.path, &mut writer)?;
            writer.flush()
        });
        match converted {
            Ok(()) => {
                fs::rename(&finished, self.destination()).map_err(|error| named(&self.name, &error))?;
                if self.replaces.is_some() {
                    fs::remove_file(&self.path)?;
                }
                Ok(())
            }
            Err(error) => {
                let _ = fs::remove_file(&finished);
                let error = named(&self.name, &error);
                self.finish()?;
                Err(error)
            }
        }
    }

    /// Finishes the file and gives it its name.
    ///
    /// # Errors
    /// If the last bytes cannot be written; what could be is where it was, and so is what it should have
    /// replaced.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        match &self.replaces {
            Some(path) => fs::rename(&self.path, path).map_err(|error| named(&self.name, &error)),
            None => Ok(()),
        }
    }
}

/// The file behind a path. A link stays a link: what it points to is replaced.
fn target(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// `a.csv.part` for `a.csv`.
fn beside(path: &Path) -> PathBuf {
    let mut name: OsString = path.as_os_str().to_owned();
    name.push(".part");
    name.into()
}

/// An error with the name of the file.
fn named(name: &str, error: &io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::NotFound => "there is no such folder".to_owned(),
        _ => plain(error),
    };
    io::Error::new(error.kind(), format!("{name} cannot be written: {why}"))
}

impl Write for NewFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer.write(bytes).map_err(|error| named(&self.name, &error))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush().map_err(|error| named(&self.name, &error))
    }
}

impl Seek for NewFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.writer.seek(to).map_err(|error| named(&self.name, &error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A fresh folder that goes when the test ends.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("gedanken-{name}-{}", std::process::id()));
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

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_is_there_stays_until_there_is_something_better() {
        let folder = Folder::new("replaced");
        let path = folder.0.join("a.csv");
        let mut first = NewFile::create(&path).unwrap();
        first.write_all(b"first").unwrap();
        first.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first", "under its name from the beginning");
        first.finish().unwrap();

        let mut second = NewFile::create(&path).unwrap();
        second.write_all(b"second").unwrap();
        second.flush().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(folder.names(), ["a.csv", "a.csv.part"]);
        second.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"second");
        assert_eq!(folder.names(), ["a.csv"]);
    }

    #[test]
    fn files_that_belong_together_wait_together() {
        let folder = Folder::new("pair");
        let (one, other) = (folder.0.join("a"), folder.0.join("b"));
        fs::write(&one, "old").unwrap();
        let (a, b) = NewFile::create_pair(&one, &other).unwrap();
        assert_eq!(folder.names(), ["a", "a.part", "b.part"]);
        a.finish().unwrap();
        b.finish().unwrap();
        assert_eq!(folder.names(), ["a", "b"]);
    }

    #[test]
    fn a_converted_file_takes_the_name_and_a_failed_conversion_leaves_the_original() {
        let folder = Folder::new("converted");
        let path = folder.0.join("a");
        for old in [false, true] {
            let mut file = NewFile::create(&path).unwrap();
            file.write_all(b"abc").unwrap();
            let doubled = |from: &Path, to: &mut dyn Write| to.write_all(&fs::read(from)?.repeat(2));
            file.finish_converted(doubled).unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"abcabc", "{old}");
            assert_eq!(folder.names(), ["a"]);
        }
        let mut file = NewFile::create(&path).unwrap();
        file.write_all(b"xyz").unwrap();
        let full = |_: &Path, _: &mut dyn Write| Err(io::Error::from(io::ErrorKind::StorageFull));
        let error = file.finish_converted(full).unwrap_err();
        assert!(error.to_string().ends_with("a cannot be written: the disk is full"), "{error}");
        assert_eq!(fs::read(&path).unwrap(), b"xyz");
        assert_eq!(folder.names(), ["a"]);
    }

    #[test]
    fn a_folder_that_is_not_there_is_named() {
        let error = NewFile::create(Path::new("no/such/a.csv")).unwrap_err();
        assert_eq!(error.to_string(), "no/such/a.csv cannot be written: there is no such folder");
    }
}

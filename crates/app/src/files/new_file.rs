//! A file that grows under its own name, or beside the file that it will replace when it is whole.
//!
//! Nothing that was there is lost before there is something better: if a file of that name exists, the new
//! one is written to `NAME.part` and renamed at the end. If there is none, it has its name from the first
//! byte, so that what a crash leaves behind is found where it was asked for. Pipes and devices are written to
//! as they are.

use super::claim::{Claim, Held, beside, named, new_options};
use super::leftover::{has_rows, is_cut_recording, keep};
use super::place::is_at;
use super::temporary::{Temporary, copy_attributes, sync_folder};
use crate::console::terminal;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const BUFFER_BYTES: usize = 1 << 16;

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
    /// File to be replaced, which is locked as long as it is open.
    old: Option<File>,
    /// `true` for a pipe or a device, which has no name to get and cannot be synced.
    is_stream: bool,
    /// `true` if it goes unless it gets its name.
    is_temporary: bool,
}

impl NewFile {
    /// Begins files that belong together: of a recording first the frames, then the events. What a killed run
    /// left of them is kept under another name and told. With `keeps_cut`, so is a recording under their own
    /// names that was never finished.
    ///
    /// # Errors
    /// If what was left cannot be renamed.
    pub(crate) fn begin(mut claims: Vec<Claim>, keeps_cut: bool) -> io::Result<Vec<Self>> {
        if let Some(first) = claims.first().map(|claim| claim.name.clone()) {
            let kept =
                keep_left(&mut claims).and_then(|()| if keeps_cut { keep_cut(&claims) } else { Ok(()) });
            kept.map_err(|error| named(&first, &error))?;
        }
        claims.into_iter().map(Self::take_over).collect()
    }

    fn take_over(mut claim: Claim) -> io::Result<Self> {
        let (target, held) = (claim.target.clone(), claim.take());
        let (is_stream, is_temporary) = (matches!(held, Held::Stream(_)), matches!(held, Held::Whole { .. }));
        let (file, path, replaces, old) = match held {
            Held::Stream(file) | Held::Own { file, .. } => (file, target, None, None),
            Held::Beside { file, path, old, .. } | Held::Whole { file, path, old } => {
                (file, path, Some(target), old)
            }
            Held::Unlocked { file, path } => (file, path, Some(target), None),
            Held::Nothing => return Err(io::Error::other("a file cannot be begun twice")),
        };
        let (name, writer) = (claim.name.clone(), BufWriter::with_capacity(BUFFER_BYTES, file));
        Ok(Self { writer, name, path, replaces, old, is_stream, is_temporary })
    }

    /// Temporary path until it replaces the file of its name, if it has one.
    pub(crate) fn waiting(&self) -> Option<&Path> {
        self.replaces.is_some().then_some(&self.path)
    }

    /// Path at which it is being written, unless that is a pipe or a device.
    pub(crate) fn path(&self) -> Option<&Path> {
        (!self.is_stream).then_some(&self.path)
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
        convert: impl FnOnce(&mut dyn Read, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        self.flush()?;
        if self.is_stream {
            return Ok(());
        }
        let converted = match self.is_taken() {
            true => return Err(named(&self.name, &self.keep_apart())),
            false => self.write_anew(convert),
        };
        converted.or_else(|error| {
            let error = named(&self.name, &error);
            if !self.is_temporary {
                self.finish()?;
            }
            Err(error)
        })
    }

    /// Finishes the file, syncs it and gives it its name.
    ///
    /// # Errors
    /// If the last bytes cannot be written; what could be is where it was, and so is what it should have
    /// replaced. Also if it was removed meanwhile and cannot be written again.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        if self.is_stream {
            return Ok(());
        }
        let finished = if is_at(self.writer.get_ref(), &self.path) {
            self.name_it()
        } else if self.is_taken() {
            Err(self.keep_apart())
        } else {
            self.write_anew(|from, to| io::copy(from, to).map(|_| ())).inspect(|()| {
                let name = &self.name;
                terminal::eprint(&format!("note: {name} was removed during the run, and is written again\n"));
            })
        };
        finished.map_err(|error| named(&self.name, &error))
    }

    /// Syncs the file and, if it waits, renames it.
    fn name_it(&self) -> io::Result<()> {
        let file = self.writer.get_ref();
        if let Some(old) = &self.old {
            copy_attributes(file, &old.metadata()?)?;
        }
        file.sync_all()?;
        if let Some(path) = &self.replaces {
            fs::rename(&self.path, path)?;
        }
        sync_folder(self.destination())
    }

    /// Writes what `convert` makes of the content to the final path. The content is read from the open file:
    /// its name may have gone.
    fn write_anew(
        &self,
        convert: impl FnOnce(&mut dyn Read, &mut dyn Write) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut file = self.writer.get_ref();
        let like = self.old.as_ref().unwrap_or(file).metadata()?;
        let gone = "its folder was removed or renamed during the run, and what was recorded went with it";
        let temporary =
            Temporary::beside(self.destination(), Some(like)).map_err(|error| match error.kind() {
                ErrorKind::NotFound => io::Error::new(error.kind(), gone),
                _ => error,
            })?;
        let mut writer = BufWriter::with_capacity(BUFFER_BYTES, temporary);
        file.seek(SeekFrom::Start(0))?;
        let converted = convert(&mut BufReader::with_capacity(BUFFER_BYTES, file), &mut writer);
        // Whatever follows goes to the end again.
        file.seek(SeekFrom::End(0))?;
        converted?;
        writer.into_inner().map_err(io::IntoInnerError::into_error)?.replace()?;
        if self.replaces.is_some() && is_at(file, &self.path) {
            fs::remove_file(&self.path)?;
        }
        Ok(())
    }

    /// Returns `true` if another file has got the name that this one had from the beginning.
    fn is_taken(&self) -> bool {
        self.replaces.is_none()
            && !is_at(self.writer.get_ref(), &self.path)
            && fs::symlink_metadata(&self.path).is_ok()
    }

    /// Writes the content to a name with its date, and says so in the error that it returns.
    fn keep_apart(&self) -> io::Error {
        let mut file = self.writer.get_ref();
        let kept = Temporary::beside(&self.path, None).and_then(|mut temporary| {
            file.seek(SeekFrom::Start(0))?;
            io::copy(&mut file, &mut temporary)?;
            let targets = std::slice::from_ref(&self.path);
            temporary.keep_as(|part| keep(targets, &[Some(part.to_owned())], modified(file)))
        });
        match kept {
            Ok(kept) => io::Error::other(format!(
                "another file has got its name during the run; what was recorded is in {}",
                kept.display()
            )),
            Err(error) => error,
        }
    }
}

/// Time of the last change of a file.
fn modified(file: &File) -> SystemTime {
    file.metadata().and_then(|meta| meta.modified()).unwrap_or(SystemTime::UNIX_EPOCH)
}

/// Renames or removes the parts that a killed run left. Afterwards every claim has an empty file.
fn keep_left(claims: &mut [Claim]) -> io::Result<()> {
    let mut parts = Vec::new();
    let (mut some_rows, mut time) = (false, SystemTime::UNIX_EPOCH);
    for claim in claims.iter() {
        let part = match &claim.held {
            Held::Own { left: Some(file), .. } => Some((file, beside(&claim.target))),
            Held::Beside { file, path, has_left: true, .. } => Some((file, path.clone())),
            _ => None,
        };
        if let Some((file, _)) = &part {
            some_rows |= has_rows(file, &claim.target)?;
            time = time.max(modified(file));
        }
        parts.push(part.map(|(_, path)| path));
    }
    if some_rows {
        tell(claims, &parts, &keep_all(claims, &parts, time)?);
    }
    for claim in claims {
        match &mut claim.held {
            Held::Own { left: left @ Some(_), .. } => {
                if !some_rows {
                    fs::remove_file(beside(&claim.target))?;
                }
                *left = None;
            }
            Held::Beside { file, path, has_left: true, .. } => {
                if some_rows {
                    *file = new_options().create_new(true).open(path)?;
                    // The file that it replaces is locked too: nobody else is here.
                    file.try_lock()?;
                }
                file.set_len(0)?;
                file.rewind()?;
            }
            _ => {}
        }
    }
    Ok(())
}

/// Renames a recording that was never finished and should have been replaced.
fn keep_cut(claims: &[Claim]) -> io::Result<()> {
    let old = |claim: &Claim| match &claim.held {
        Held::Beside { old: Some(file), .. } | Held::Whole { old: Some(file), .. } => file.try_clone().ok(),
        _ => None,
    };
    let Some(frames) = claims.first().and_then(old) else { return Ok(()) };
    if !is_cut_recording(&frames, &claims[0].target)? {
        return Ok(());
    }
    let paths: Vec<Option<PathBuf>> =
        claims.iter().map(|claim| old(claim).map(|_| claim.target.clone())).collect();
    let kept = keep_all(claims, &paths, modified(&frames))?;
    tell(claims, &paths, &kept);
    Ok(())
}

fn keep_all(claims: &[Claim], parts: &[Option<PathBuf>], time: SystemTime) -> io::Result<PathBuf> {
    let targets: Vec<PathBuf> = claims.iter().map(|claim| claim.target.clone()).collect();
    keep(&targets, parts, time)
}

/// Says what was kept, and how to use it.
fn tell(claims: &[Claim], parts: &[Option<PathBuf>], kept: &Path) {
    let Some(part) = parts.iter().flatten().next() else { return };
    let (part, kept) = (part.display(), kept.display());
    let resume = match claims.len() {
        1 => String::new(),
        _ => format!("; to go on from it, run with --resume {kept}"),
    };
    terminal::eprint(&format!("note: an earlier run was cut and left {part}: kept as {kept}{resume}\n"));
}

impl Drop for NewFile {
    fn drop(&mut self) {
        // After a rename the path leads elsewhere, or nowhere.
        if self.is_temporary && is_at(self.writer.get_ref(), &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
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
mod tests;

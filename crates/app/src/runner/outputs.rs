//! The files that a run writes while it goes on: tables, recordings, lists of events, and what was derived
//! before it.

use super::format::Format;
use super::places::{Inputs, Writing, check_apart, claim, places};
use crate::failure::Failure;
use crate::files::claim::Claim;
use crate::files::disk::is_no_room;
use crate::files::is_same;
use crate::files::new_file::NewFile;
use gedanken_recording::arrow::{ArrowSink, ReadError, finish_arrow};
use gedanken_recording::{CsvSink, DerivedSink, Event, Frame, JsonEventsSink, Notice, Schema, Sink};
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Files being written.
#[derive(Default)]
pub(crate) struct Outputs {
    outputs: Vec<Output>,
}

struct Output {
    /// Names of the written files, for messages.
    names: Vec<String>,
    /// Temporary path of each file until it is finished, if it has one.
    waiting: Vec<Option<PathBuf>>,
    writer: Writer,
    /// `true` after a failed write; nothing more is written.
    is_broken: bool,
}

enum Writer {
    Csv(CsvSink<NewFile>),
    Arrow(Box<ArrowSink<NewFile, NewFile>>),
    Json(JsonEventsSink<NewFile>),
    Text(DerivedSink<NewFile>),
}

/// Result of writing the files.
#[derive(Debug, Default)]
pub(crate) struct Written {
    /// Files that are complete.
    pub(crate) whole: Vec<String>,
    /// Files with the part that was written before a failure.
    pub(crate) cut: Vec<String>,
    /// First failure.
    pub(crate) failure: Option<io::Error>,
}

impl Outputs {
    /// Begins a file in each of these places. None is touched unless all of them can be.
    ///
    /// # Errors
    /// If one cannot be begun, or is one of `inputs`.
    pub(crate) fn open(
        files: &[(PathBuf, Format)],
        event_rows: bool,
        schema: &Schema,
        inputs: &Inputs,
        writing: Writing,
    ) -> Result<Self, Failure> {
        check_apart(files)?;
        for (path, format) in files {
            inputs.refuse_output(path, *format)?;
        }
        let equations = files.iter().find(|(_, format)| *format == Format::Text);
        if let Some((path, _)) = equations.filter(|_| schema.derived.is_empty()) {
            return Err(Failure::Usage(format!(
                "{}: there are no equations to write: only runs with `mechanics = lagrangian` derive some",
                path.display()
            )));
        }
        let failed = |error: io::Error| match is_no_room(&error) {
            true => Failure::Experiment(error.to_string()),
            false => Failure::Usage(error.to_string()),
        };
        let claimed: Vec<Vec<Claim>> = files
            .iter()
            .map(|(path, format)| claim(path, *format, writing))
            .collect::<Result<_, _>>()
            .map_err(failed)?;
        let mut begun = Vec::new();
        let opened = files.iter().zip(claimed).map(|((path, format), claims)| {
            let keeps_cut = !inputs.recording.as_ref().is_some_and(|recording| is_same(path, recording));
            let new = NewFile::begin(claims, keeps_cut)?;
            begun.extend(new.iter().filter_map(NewFile::path).map(Path::to_owned));
            Output::open(path, *format, new, event_rows, schema)
        });
        match opened.collect() {
            Ok(outputs) => Ok(Self { outputs }),
            Err(error) => {
                for path in begun {
                    // Not even their heads fit, or those of others: nothing would be lost with them.
                    let _ = fs::remove_file(path);
                }
                Err(failed(error))
            }
        }
    }

    /// Gives all files their names. To be called after [`finish`](Sink::finish).
    pub(crate) fn close(self) -> Written {
        let mut written = Written::default();
        for output in self.outputs {
            let (names, waiting) = (output.names.clone(), output.waiting.clone());
            let was_broken = output.is_broken;
            match output.close() {
                Ok(()) if !was_broken => written.whole.extend(names),
                Ok(()) => written.cut.extend(names),
                Err(error) => {
                    // What could not replace another file is still beside it; what was removed is nowhere.
                    let left = names.into_iter().zip(waiting).map(|(name, waiting)| match waiting {
                        Some(place) if place.exists() => place.to_string_lossy().into_owned(),
                        _ => name,
                    });
                    written.cut.extend(left.filter(|name| Path::new(name).exists()));
                    written.failure = written.failure.or(Some(error).filter(|_| !was_broken));
                }
            }
        }
        written
    }

    /// Hands on to all, and tells the first failure.
    fn each(&mut self, mut hand: impl FnMut(&mut dyn Sink) -> io::Result<()>) -> io::Result<()> {
        let mut first = Ok(());
        for output in self.outputs.iter_mut().filter(|output| !output.is_broken) {
            let done = hand(output.sink());
            output.is_broken = done.is_err();
            first = first.and(done);
        }
        first
    }
}

impl Output {
    /// Begins to write into new files: of a recording two, else one.
    fn open(
        path: &Path,
        format: Format,
        files: Vec<NewFile>,
        event_rows: bool,
        schema: &Schema,
    ) -> io::Result<Self> {
        let names = places(path, format).iter().map(|path| path.to_string_lossy().into_owned()).collect();
        let waiting = files.iter().map(|file| file.waiting().map(Path::to_owned)).collect();
        let mut files = files.into_iter();
        let mut file = || files.next().expect("a file was begun for each place of the format");
        let writer = match format {
            Format::Csv => Writer::Csv(CsvSink::new(file(), schema, event_rows)?),
            Format::Json => Writer::Json(JsonEventsSink::new(file(), schema)?),
            Format::Text => Writer::Text(DerivedSink::new(file(), schema)?),
            Format::Arrow => {
                let (frames, events) = (file(), file());
                Writer::Arrow(Box::new(ArrowSink::new(frames, events, schema)?))
            }
        };
        Ok(Self { names, waiting, writer, is_broken: false })
    }

    fn sink(&mut self) -> &mut dyn Sink {
        match &mut self.writer {
            Writer::Csv(sink) => sink,
            Writer::Arrow(sink) => sink.as_mut(),
            Writer::Json(sink) => sink,
            Writer::Text(sink) => sink,
        }
    }

    /// Gives the file its name; a stream becomes a file that other programs open as it is.
    fn close(self) -> io::Result<()> {
        match self.writer {
            Writer::Csv(sink) => sink.into_inner().finish(),
            Writer::Json(sink) => sink.into_inner().finish(),
            Writer::Text(sink) => sink.into_inner().finish(),
            Writer::Arrow(sink) => {
                let (frames, events) = sink.into_inner()?;
                let convert = |stream: &mut dyn Read, file: &mut dyn Write| {
                    finish_arrow(stream, file).map(|_| ()).map_err(|error| match error {
                        ReadError::Io(error) => error,
                        other => io::Error::other(other),
                    })
                };
                // Both are tried: one of them may fit.
                let frames = frames.finish_converted(convert);
                events.finish_converted(convert).and(frames)
            }
        }
    }
}

impl Sink for Outputs {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.each(|sink| sink.frame(frame))
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.each(|sink| sink.event(event))
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        self.each(|sink| sink.notice(notice))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.each(|sink| sink.flush())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.each(|sink| sink.finish())
    }
}

//! The files that a run writes while it goes on: tables, recordings, lists of events, and what was derived
//! before it.

use crate::failure::Failure;
use crate::files::new_file::NewFile;
use crate::files::recording_file::events_of;
use gedanken_recording::arrow::{ArrowSink, ReadError, finish_arrow};
use gedanken_recording::{CsvSink, DerivedSink, Event, Frame, JsonEventsSink, Notice, Schema, Sink};
use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Format of an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Frames as a table for other programs.
    Csv,
    /// Recording that can be opened again.
    Arrow,
    /// Events, for other programs.
    Json,
    /// Equations derived before the run, as text.
    Text,
}

impl Format {
    /// The format that a file's ending asks for, if it is one of these.
    ///
    /// # Errors
    /// Which endings there are.
    pub(crate) fn of(path: &Path, among: &[Self]) -> Result<Self, String> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        among.iter().copied().find(|format| format.ending() == extension).ok_or_else(|| {
            let endings: Vec<String> =
                among.iter().map(|it| format!(".{} ({})", it.ending(), it.purpose())).collect();
            format!("{}: its ending must say the format, which is {}", path.display(), endings.join(" or "))
        })
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Arrow => "arrow",
            Self::Json => "json",
            Self::Text => "txt",
        }
    }

    fn purpose(self) -> &'static str {
        match self {
            Self::Csv => "a table of frames",
            Self::Arrow => "everything, to be opened again",
            Self::Json => "the events",
            Self::Text => "the equations that were derived",
        }
    }
}

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
    /// Begins a file in each of these places.
    ///
    /// # Errors
    /// If one cannot be begun.
    pub(crate) fn open(
        files: &[(PathBuf, Format)],
        event_rows: bool,
        schema: &Schema,
    ) -> Result<Self, Failure> {
        for (k, (path, _)) in files.iter().enumerate() {
            if files[..k].iter().any(|(known, _)| known == path) {
                return Err(Failure::Usage(format!("{} is named twice as an output", path.display())));
            }
        }
        let equations = files.iter().find(|(_, format)| *format == Format::Text);
        if let Some((path, _)) = equations.filter(|_| schema.derived.is_empty()) {
            return Err(Failure::Usage(format!(
                "{}: there are no equations to write: only runs with `mechanics = lagrangian` derive some",
                path.display()
            )));
        }
        let open = |(path, format): &(PathBuf, Format)| {
            Output::open(path, *format, event_rows, schema).map_err(|error| match error.kind() {
                ErrorKind::StorageFull => Failure::Experiment(error.to_string()),
                _ => Failure::Usage(error.to_string()),
            })
        };
        Ok(Self { outputs: files.iter().map(open).collect::<Result<_, _>>()? })
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
                    // What could not replace another file is still beside it.
                    let left = names.into_iter().zip(waiting).map(|(name, waiting)| match waiting {
                        Some(place) if place.exists() => place.to_string_lossy().into_owned(),
                        _ => name,
                    });
                    written.cut.extend(left);
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
    fn open(path: &Path, format: Format, event_rows: bool, schema: &Schema) -> io::Result<Self> {
        let name = path.to_string_lossy().into_owned();
        let waiting = |file: &NewFile| file.waiting().map(Path::to_owned);
        let (names, waiting, writer) = match format {
            Format::Csv => {
                let file = NewFile::create(path)?;
                (vec![name], vec![waiting(&file)], Writer::Csv(CsvSink::new(file, schema, event_rows)?))
            }
            Format::Json => {
                let file = NewFile::create(path)?;
                (vec![name], vec![waiting(&file)], Writer::Json(JsonEventsSink::new(file, schema)?))
            }
            Format::Text => {
                let file = NewFile::create(path)?;
                (vec![name], vec![waiting(&file)], Writer::Text(DerivedSink::new(file, schema)?))
            }
            Format::Arrow => {
                let events_path = events_of(path);
                let (frames, events) = NewFile::create_pair(path, &events_path)?;
                let waiting = vec![waiting(&frames), waiting(&events)];
                let names = vec![name, events_path.to_string_lossy().into_owned()];
                (names, waiting, Writer::Arrow(Box::new(ArrowSink::new(frames, events, schema)?)))
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
                let convert = |stream: &Path, file: &mut dyn Write| {
                    let stream = BufReader::new(File::open(stream)?);
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

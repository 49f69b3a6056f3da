//! Runs a simulation to its end, or as far as it comes, and keeps count.

use crate::console::progress::Progress;
use crate::console::terminal;
use gedanken_lab::{Run, Stop};
use gedanken_lang::value::Value;
use gedanken_recording::{Event, EventKind, Frame, Notice, Owner, Recording, Schema, Sink};
use std::io;

/// Reason why a run ended.
#[derive(Debug)]
pub(crate) enum Ending {
    /// All frames are there.
    Complete,
    /// It was interrupted.
    Interrupted,
    /// It failed.
    Failed(Stop),
}

impl Ending {
    /// Returns its name in reports.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Interrupted => "interrupted",
            Self::Failed(_) => "failed",
        }
    }

    /// Returns the ending of a run whose files were finished with this failure. A full disk may show only
    /// then; it fails a run that went well until there.
    pub(crate) fn with_files(self, failure: Option<io::Error>) -> Self {
        match (self, failure) {
            (Self::Complete | Self::Interrupted, Some(error)) => Self::Failed(Stop::Sink(error)),
            (ending, _) => ending,
        }
    }
}

/// Runs the engine until it has no more frames, cannot go on, or its token is asked. Whatever happens,
/// everything computed is with the sink, which is finished.
pub(crate) fn drive(engine: &mut Run<'_>, counting: &mut Counting<'_>, progress: &mut Progress) -> Ending {
    let ending = loop {
        match engine.advance(counting) {
            Ok(true) => {}
            Ok(false) => break Ending::Complete,
            Err(Stop::Cancelled) => break Ending::Interrupted,
            Err(stop) => break Ending::Failed(stop),
        }
        let tally = &counting.tally;
        progress.at(tally.frames, tally.time.unwrap_or(0.0), tally.events());
    };
    match (counting.finish(), ending) {
        (Err(error), Ending::Complete | Ending::Interrupted) => Ending::Failed(Stop::Sink(error)),
        (_, ending) => ending,
    }
}

/// Summary of a run.
#[derive(Debug)]
pub(crate) struct Tally {
    /// Frames, frame 0 among them.
    pub(crate) frames: u64,
    /// The time of the last frame.
    pub(crate) time: Option<f64>,
    /// The hash of the last frame.
    pub(crate) hash: Option<u64>,
    /// Number of events of each kind, in the order of [`EventKind::ALL`].
    kinds: [u64; EventKind::ALL.len()],
    /// Notices of the run: each once, with the time of the first and their number.
    pub(crate) notices: Vec<(Notice, u64)>,
    /// The measures, and nothing else: a run may be longer than memory.
    pub(crate) measures: Recording,
    /// Column of the first measure in a row.
    start: usize,
}

impl Tally {
    fn new(schema: &Schema) -> Self {
        let measures = schema.owned(Owner::Measure);
        let start = measures.first().map_or(schema.width(), |first| first.start);
        let mut quantities = measures.to_vec();
        for quantity in &mut quantities {
            quantity.start -= start;
        }
        let only_measures = Schema {
            text: String::new(),
            imports: Vec::new(),
            objects: Vec::new(),
            contexts: Vec::new(),
            constants: Vec::new(),
            contacts: false,
            derived: Vec::new(),
            quantities,
            ..schema.clone()
        };
        Self {
            frames: 0,
            time: None,
            hash: None,
            kinds: [0; EventKind::ALL.len()],
            notices: Vec::new(),
            measures: Recording::new(only_measures),
            start,
        }
    }

    /// Returns the number of events.
    pub(crate) fn events(&self) -> u64 {
        self.kinds.iter().sum()
    }

    /// Returns the number of events of each kind.
    pub(crate) fn kinds(&self) -> impl Iterator<Item = (EventKind, u64)> {
        EventKind::ALL.into_iter().zip(self.kinds)
    }

    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.frames += 1;
        self.time = Some(frame.time);
        self.hash = Some(frame.hash);
        if self.measures.schema.width() == 0 {
            return Ok(());
        }
        self.measures.frame(Frame { row: &frame.row[self.start..], keyframe: None, ..frame })
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        let kind = EventKind::ALL.iter().position(|kind| *kind == event.kind);
        self.kinds[kind.expect("ALL has all of them")] += 1;
        let width = self.measures.schema.width();
        if width == 0 {
            return Ok(());
        }
        let last = |row: &[f64]| row[row.len().saturating_sub(width)..].to_vec();
        self.measures.event(&Event {
            context: None,
            objects: Vec::new(),
            given: Vec::new(),
            before: last(&event.before),
            after: last(&event.after),
            ..*event
        })
    }

    fn notice(&mut self, notice: &Notice) {
        match self.notices.iter_mut().find(|(known, _)| known.message == notice.message) {
            Some((_, count)) => *count += 1,
            None => self.notices.push((notice.clone(), 1)),
        }
    }
}

/// A sink that counts what it hands on.
pub(crate) struct Counting<'s> {
    pub(crate) tally: Tally,
    sink: &'s mut dyn Sink,
    /// `true` if what cannot wait is told on the terminal.
    tells: bool,
}

impl<'s> Counting<'s> {
    /// Starts an empty summary of a run with this schema.
    pub(crate) fn new(schema: &Schema, sink: &'s mut dyn Sink) -> Self {
        Self { tally: Tally::new(schema), sink, tells: false }
    }

    /// Tells on standard error at once what cannot wait for the end of the run, unless it is to be quiet.
    pub(crate) fn telling(self, quiet: bool) -> Self {
        Self { tells: !quiet, ..self }
    }
}

impl Sink for Counting<'_> {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        // Counted only if it is kept.
        self.sink.frame(frame)?;
        self.tally.frame(frame)
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.sink.event(event)?;
        self.tally.event(event)
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        self.tally.notice(notice);
        self.sink.notice(notice)
    }

    fn warn(&mut self, notice: &Notice) -> io::Result<()> {
        if self.tells {
            let (time, message) = (Value::Real(notice.time), &notice.message);
            // On a terminal the progress bar stands in this line, and is drawn again below.
            let erase = if terminal::stderr_is_terminal() { "\r\x1b[K" } else { "" };
            terminal::eprint(&format!("{erase}notice (at t = {time}): {message}\n"));
        }
        self.tally.notice(notice);
        self.sink.warn(notice)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.sink.flush()
    }

    fn finish(&mut self) -> io::Result<()> {
        self.sink.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_recording::two_balls_recording;
    use gedanken_math::Cancel;

    #[test]
    fn the_tally_counts_and_keeps_measures_only() {
        let mut original = two_balls_recording();
        let notice = |time| Notice { time, message: "b sinks in".to_owned() };
        original.notices = vec![notice(1.0), notice(2.0)];
        let mut copy = Recording::new(original.schema.clone());
        let mut counting = Counting::new(&original.schema, &mut copy);
        original.replay(&mut counting).unwrap();
        let tally = counting.tally;
        assert!(copy.is_same(&original), "everything is handed on");
        assert_eq!((tally.frames, tally.time, tally.hash, tally.events()), (4, Some(3.0), Some(3), 1));
        let kinds: Vec<u64> = tally.kinds().map(|(_, count)| count).collect();
        assert_eq!(kinds, [0, 1, 0, 0]);
        assert_eq!(tally.notices, [(notice(1.0), 2)]);
        let rows: Vec<&[f64]> = (0..4).map(|frame| tally.measures.row(frame)).collect();
        assert_eq!(rows, [[1.0], [1.0], [2.0], [2.0]]);
        let event = &tally.measures.events[0];
        assert_eq!((event.time, &event.before[..], &event.after[..]), (1.5, &[1.0][..], &[2.0][..]));
    }

    /// A disk that is full after two frames.
    struct Full(u32);

    impl Sink for Full {
        fn frame(&mut self, _frame: Frame<'_>) -> io::Result<()> {
            self.0 += 1;
            if self.0 > 2 { Err(io::ErrorKind::StorageFull.into()) } else { Ok(()) }
        }

        fn event(&mut self, _event: &Event) -> io::Result<()> {
            Ok(())
        }

        fn notice(&mut self, _notice: &Notice) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn what_is_not_kept_does_not_count() {
        let original = two_balls_recording();
        let mut full = Full(0);
        let mut counting = Counting::new(&original.schema, &mut full);
        assert!(original.replay(&mut counting).is_err());
        assert_eq!((counting.tally.frames, counting.tally.time), (2, Some(1.0)));
    }

    struct NoFiles;

    impl gedanken_experiment::Files for NoFiles {
        fn text(&self, _path: &str) -> Result<String, String> {
            Err("there is none".to_owned())
        }

        fn bytes(&self, _path: &str) -> Result<Vec<u8>, String> {
            Err("there is none".to_owned())
        }
    }

    #[test]
    fn ctrl_c_ends_a_run_between_two_steps_of_a_frame() {
        let text = "object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 0]  size = 1  n = 0 } }
rule count { writes = {n}  functions = { n = previous(n) + 1 } }
simulation { name = s  mechanics = workflow  workflow = count  duration = 5  frame rate = 1  time step = 0.001 }
";
        let mut sources = gedanken_lang::source::Sources::new();
        let experiment =
            gedanken_lab::read(&NoFiles, &mut sources, "count.lab", text.replace("  ", "\n"), &[]).unwrap();
        // Each of the thousand steps of a frame looks several times.
        let options =
            gedanken_lab::Options { cancel: Cancel::after(6000), ..gedanken_lab::Options::default() };
        let mut engine = Run::new(&experiment, &experiment.simulations[0], options).unwrap();
        let schema = engine.schema().clone();
        let mut recording = Recording::new(schema.clone());
        let mut progress = Progress::new(6, 0.0, 5.0, true);
        let ending = drive(&mut engine, &mut Counting::new(&schema, &mut recording), &mut progress);
        assert!(matches!(ending, Ending::Interrupted), "{ending:?}");
        assert_eq!(recording.frames(), 2, "within the second frame");
        assert!(!recording.keyframes.is_empty(), "what was recorded stays");
    }
}

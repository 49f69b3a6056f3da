//! Good texts that are torn and put together anew, and the first steps of what still runs: for tests that
//! nothing a user writes can break a run.

use crate::support::experiment;
use gedanken_experiment::Files;
use gedanken_experiment::Simulation;
use gedanken_lab::{Options, Run, Stop};
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use gedanken_math::Cancel;
use gedanken_recording::Recording;
use proptest::prelude::*;

/// One change of a text. Places are any numbers, and wrap around its end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Tear {
    /// A piece in the place of so many bytes.
    Part(usize, usize, &'static str),
    /// A piece in the place of a whole word: most of the text stays readable.
    Word(usize, &'static str),
    /// A line is lost.
    Lost(usize),
    /// A line stands at another place too.
    Twice(usize, usize),
    /// Two lines change their places.
    Swapped(usize, usize),
    /// A piece is a new line.
    Line(usize, &'static str),
}

type Pieces = &'static [&'static str];

/// Pieces anywhere.
pub(crate) fn parts(pieces: Pieces) -> impl Strategy<Value = Vec<Tear>> {
    let part = (any::<usize>(), 0..60_usize, prop::sample::select(pieces));
    prop::collection::vec(part.prop_map(|(place, length, piece)| Tear::Part(place, length, piece)), 1..5)
}

/// Pieces in the place of words.
pub(crate) fn words(pieces: Pieces) -> impl Strategy<Value = Vec<Tear>> {
    let word = (any::<usize>(), prop::sample::select(pieces));
    prop::collection::vec(word.prop_map(|(place, piece)| Tear::Word(place, piece)), 1..3)
}

/// Lines that are lost, repeated, exchanged or new: most of the text stays readable, and means something
/// else.
pub(crate) fn lines(pieces: Pieces) -> impl Strategy<Value = Vec<Tear>> {
    let line = (0..4_u8, any::<usize>(), any::<usize>(), prop::sample::select(pieces));
    let tear = |(kind, a, b, piece)| match kind {
        0 => Tear::Lost(a),
        1 => Tear::Twice(a, b),
        2 => Tear::Swapped(a, b),
        _ => Tear::Line(a, piece),
    };
    prop::collection::vec(line.prop_map(tear), 1..4)
}

/// A text after changes, one after the other.
pub(crate) fn torn(text: &str, tears: &[Tear]) -> String {
    tears.iter().fold(text.to_owned(), |text, tear| tear.of(text))
}

impl Tear {
    fn of(self, mut text: String) -> String {
        match self {
            Self::Part(place, length, piece) => {
                let boundary = |at: usize| (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap();
                let start = boundary(place % (text.len() + 1));
                let end = boundary((start + length).min(text.len()));
                text.replace_range(start..end, piece);
                text
            }
            Self::Word(place, piece) => {
                let mut words: Vec<&str> = text.split_inclusive([' ', '\n']).collect();
                let place = place % words.len().max(1);
                words.splice(place..words.len().min(place + 1), [piece, " "]);
                words.concat()
            }
            Self::Lost(a) => with_lines(&text, |lines, count| {
                lines.remove(a % count);
            }),
            Self::Twice(a, b) => with_lines(&text, |lines, count| lines.insert(b % count, lines[a % count])),
            Self::Swapped(a, b) => with_lines(&text, |lines, count| lines.swap(a % count, b % count)),
            Self::Line(a, piece) => with_lines(&text, |lines, count| lines.insert(a % count, piece)),
        }
    }
}

/// A text after a change of its lines, if it has some.
fn with_lines<'t>(text: &'t str, change: impl FnOnce(&mut Vec<&'t str>, usize)) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let count = lines.len();
    if count > 0 {
        change(&mut lines, count);
    }
    lines.join("\n")
}

/// A text without its lines of comment, so that what is torn is code.
pub(crate) fn code(text: &str) -> String {
    text.lines().filter(|line| !line.starts_with("//")).map(|line| format!("{line}\n")).collect()
}

/// Number of looks at the token in a step, about.
const LOOKS_PER_STEP: u64 = 20;

/// Reads a text, and runs the first few steps of those simulations that are wanted and can run: what was
/// recorded of each. Whatever cannot be is refused in words.
pub(crate) fn first_steps(
    files: &dyn Files,
    text: &str,
    steps: u32,
    wanted: impl Fn(&Simulation) -> bool,
) -> Vec<Recording> {
    let (sources, result) = experiment(files, text, &[]);
    let experiment = match result {
        Ok(experiment) => experiment,
        Err(found) => {
            assert!(found.iter().any(Diagnostic::is_error), "a failure says why\n{text}");
            return Vec::new();
        }
    };
    let mut recordings = Vec::new();
    for simulation in experiment.simulations.iter().filter(|it| wanted(it)) {
        let cancel = Cancel::after(u64::from(steps) * LOOKS_PER_STEP);
        let options = Options { most_collisions: 200, cancel, ..Options::default() };
        let mut run = match Run::new(&experiment, simulation, options) {
            Ok(run) => run,
            // It was cancelled while it was made ready.
            Err(found) if found.is_empty() => continue,
            Err(found) => {
                assert!(!render(&found, &sources, Style::Plain).is_empty(), "it is said why\n{text}");
                continue;
            }
        };
        let mut recording = Recording::new(run.schema().clone());
        loop {
            match run.advance(&mut recording) {
                Ok(true) => {}
                Ok(false) | Err(Stop::Cancelled) => break,
                Err(Stop::Experiment(said)) => {
                    render(&[*said], &sources, Style::Plain);
                    break;
                }
                Err(stop) => panic!("{stop}\n{text}"),
            }
        }
        recordings.push(recording);
    }
    recordings
}

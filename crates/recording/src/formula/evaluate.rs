//! A formula over samples: its rows are the samples in which everything it names has a value. They are
//! gathered, computed at once by a kernel, and put back.

use super::Formula;
use super::names::Meaning;
use crate::{Event, Place, Recording, Sample};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::ir::Access;
use gedanken_lang::kernel::{Column, Compile, Kernel, Reference};
use gedanken_lang::program::Program;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Fault, Limits};
use gedanken_math::Cancel;
use std::fmt;
use std::ops::Range;

/// Limits of one row: a plot has ten thousand rows, and must be there within a few seconds.
const LIMITS: Limits = Limits { depth: 100, steps: 50_000, cancel: Cancel::never() };

/// A formula over samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Series {
    /// Times of the samples.
    pub times: Vec<f64>,
    /// Of each sample, whether all that the formula names was recorded then: always in frames, and at events
    /// that all of them have a part in.
    pub recorded: Vec<bool>,
    /// For each scalar of the formula its values, one for each sample: NaN where it has none.
    pub columns: Vec<Vec<f64>>,
}

impl Series {
    /// Times and values of one number, at the samples at which it was recorded; NaN is a gap.
    ///
    /// # Panics
    /// If the formula has no such number.
    pub fn points(&self, number: usize) -> impl Iterator<Item = (f64, f64)> {
        let points = self.times.iter().zip(&self.columns[number]);
        points.zip(&self.recorded).filter(|(_, recorded)| **recorded).map(|((&t, &value), _)| (t, value))
    }
}

/// A moment at which a formula could not be computed.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    /// Time of the sample.
    pub time: f64,
    /// Reason, and its place in the formula's text: see [`Formula::sources`].
    pub diagnostic: Diagnostic,
}

impl fmt::Display for Failure {
    /// `no value at t = 0.5: division by zero`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no value at t = {}: {}", Value::Real(self.time), self.diagnostic.message)
    }
}

/// Part of a formula in an event: how many of the objects that it names take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// All, or it names none: the formula is known on both sides of the event.
    All,
    /// Some: it may jump, to a value that was not recorded.
    Some,
    /// None.
    None,
}

impl Formula {
    /// Scalars in one sample, row by row, booleans as 0 and 1; `None` if the formula has no value there, or
    /// if there is no such sample.
    pub fn value(&mut self, recording: &Recording, sample: Sample) -> Option<Vec<f64>> {
        if !sample.is_of(recording) {
            return None;
        }
        let series = self.over(recording, &[sample]);
        let value: Vec<f64> = series.columns.iter().map(|column| column[0]).collect();
        value.iter().all(|it| !it.is_nan()).then_some(value)
    }

    /// Evaluates every `stride`-th frame of a range, as far as there are frames.
    pub fn series(&mut self, recording: &Recording, frames: Range<usize>, stride: usize) -> Series {
        let frames = frames.start..frames.end.min(recording.frames());
        let samples: Vec<Sample> = frames.step_by(stride.max(1)).map(Sample::Frame).collect();
        self.over(recording, &samples)
    }

    /// Evaluates these samples, such as [all of them](Recording::samples).
    ///
    /// # Panics
    /// If the recording has no such sample.
    pub fn over(&mut self, recording: &Recording, samples: &[Sample]) -> Series {
        let times: Vec<f64> = samples.iter().map(|it| it.time(recording)).collect();
        let evaluator = &self.evaluator;
        let (recorded, rows) = evaluator.gather(recording, samples);
        let mut columns = vec![vec![f64::NAN; samples.len()]; evaluator.width()];
        let (results, faults) = evaluator.compute(&rows);
        for (column, results) in columns.iter_mut().zip(results) {
            for (&at, result) in rows.samples.iter().zip(results) {
                column[at] = if result.is_finite() { result } else { f64::NAN };
            }
        }
        for (row, fault) in faults {
            let time = times[rows.samples[row]];
            if self.failure.as_ref().is_none_or(|it| time < it.time) {
                self.failure = Some(Failure { time, diagnostic: fault.diagnostic() });
            }
        }
        Series { times, recorded, columns }
    }

    /// Part of the formula in an event. Constants are known at all events.
    pub(super) fn part(&self, recording: &Recording, event: &Event) -> Part {
        let varying = self.evaluator.inputs.iter().filter_map(Input::place).filter(|it| !is_constant(it));
        let mut taking = varying.map(|places| recording.schema.takes_part(event, places));
        match taking.next() {
            None => Part::All,
            Some(first) if taking.all(|it| it == first) => {
                if first {
                    Part::All
                } else {
                    Part::None
                }
            }
            Some(_) => Part::Some,
        }
    }
}

fn is_constant(places: &[Place]) -> bool {
    places.iter().all(|it| matches!(it, Place::Constant { .. }))
}

/// Origin of an input of the program.
#[derive(Debug)]
enum Input {
    /// The time of the sample.
    Time,
    /// Places of each of its scalars.
    Places(Vec<Vec<Place>>),
}

impl Input {
    fn width(&self) -> usize {
        match self {
            Self::Time => 1,
            Self::Places(scalars) => scalars.len(),
        }
    }

    /// Places of its first scalar; those of the others have the same owners.
    fn place(&self) -> Option<&[Place]> {
        match self {
            Self::Time => None,
            Self::Places(scalars) => scalars.first().map(Vec::as_slice),
        }
    }
}

/// Samples in which everything that a formula names has a value.
#[derive(Debug)]
struct Rows {
    /// Indices among the samples asked for.
    samples: Vec<usize>,
    /// Scalars of all inputs, one after the other.
    columns: Vec<Column>,
}

/// The program of a formula, ready to run.
#[derive(Debug)]
pub(super) struct Evaluator {
    kernel: Kernel,
    inputs: Vec<Input>,
}

impl Evaluator {
    /// Prepares a program with one output, whose inputs mean this.
    pub(super) fn new(program: Program, meanings: &[Meaning]) -> Self {
        let input = |meaning: &Meaning| match meaning {
            Meaning::Time => Input::Time,
            Meaning::Recorded(it) => Input::Places((0..it.width()).map(|k| it.scalar(k)).collect()),
        };
        let reference = Reference::new(program, LIMITS);
        let kernel = Kernel::new(&reference, vec![0], |_| Access::Each, &Compile::Never);
        Self { kernel, inputs: meanings.iter().map(input).collect() }
    }

    pub(super) fn width(&self) -> usize {
        self.kernel.width()
    }

    /// Returns for each sample whether everything was recorded, and the rows in which everything has a value.
    fn gather(&self, recording: &Recording, samples: &[Sample]) -> (Vec<bool>, Rows) {
        let width = self.inputs.iter().map(Input::width).sum();
        let (mut complete, mut columns) = (Vec::new(), vec![Vec::new(); width]);
        let mut row = Vec::with_capacity(width);
        let mut recorded = Vec::with_capacity(samples.len());
        for (at, &sample) in samples.iter().enumerate() {
            row.clear();
            recorded.push(self.look(recording, sample, &mut row).is_some());
            // NaN is no value.
            if row.len() == width && row.iter().all(|it| !it.is_nan()) {
                complete.push(at);
                columns.iter_mut().zip(&row).for_each(|(column, &scalar)| column.push(scalar));
            }
        }
        (recorded, Rows { samples: complete, columns: columns.into_iter().map(Column::Each).collect() })
    }

    /// Reads all scalars of a sample; `None` at an event in which one of the owners takes no part.
    fn look(&self, recording: &Recording, sample: Sample, row: &mut Vec<f64>) -> Option<()> {
        for input in &self.inputs {
            match input {
                Input::Time => row.push(sample.time(recording)),
                Input::Places(scalars) => {
                    for places in scalars {
                        row.push(sample.scalar(recording, places)?);
                    }
                }
            }
        }
        Some(())
    }

    /// Results of all rows, column by column, and the rows that have none, with the reason.
    fn compute(&self, rows: &Rows) -> (Vec<Vec<f64>>, Vec<(usize, Fault)>) {
        let count = rows.samples.len();
        let mut results = vec![vec![f64::NAN; count]; self.width()];
        let mut faults = Vec::new();
        let mut start = 0;
        // After a row that failed, few rows at first: the next one most likely fails as well.
        let mut batch = usize::MAX;
        while start < count {
            let end = count.min(start.saturating_add(batch));
            match self.kernel.run(&rows.columns, None, start..end, &mut results) {
                Ok(()) => {
                    start = end;
                    batch = batch.saturating_mul(2);
                }
                Err((row, fault)) => {
                    results.iter_mut().for_each(|column| column[row] = f64::NAN);
                    // What is too long for one row is too long for all.
                    let goes_on = ![Code::E521, Code::E522].contains(&fault.code);
                    faults.push((row, fault));
                    start = if goes_on { row + 1 } else { count };
                    batch = 1;
                }
            }
        }
        (results, faults)
    }
}

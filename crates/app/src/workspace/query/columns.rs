//! Formulas over time, as columns of numbers.

use super::downsample::downsample;
use crate::console::stopwatch::Stopwatch;
use crate::wire::{ChunkHead, SeriesHead, encode};
use crate::workspace::recordings::{RunRecording, count};
use gedanken_lang::value::Value;
use gedanken_recording::formula::{Formula, Refused};
use gedanken_recording::{Recording, Sample};
use std::time::Duration;

/// Maximum number of points of one series.
const MAX_POINTS: u32 = 1 << 14;
/// Maximum number of series of one reply.
const MAX_SERIES: usize = 64;
/// Maximum time for the formulas of one reply: the page waits, and so does the run whose recording is locked.
const MAX_TIME: Duration = Duration::from_secs(2);
/// Number of moments between two readings of the clock.
const MOMENTS_PER_CHECK: usize = 1024;

/// Request for columns.
#[derive(Debug)]
pub(crate) struct ColumnsRequest {
    pub(crate) formulas: Vec<String>,
    pub(crate) from: f64,
    pub(crate) to: f64,
    pub(crate) most: u32,
    pub(crate) events: bool,
}

/// Series of a reply.
#[derive(Debug, Default)]
struct Answer {
    heads: Vec<SeriesHead>,
    numbers: Vec<u8>,
}

impl Answer {
    fn add(&mut self, formula: usize, label: String, points: &[(f64, f64)], problem: Option<String>) {
        self.numbers.extend(points.iter().flat_map(|it| it.0.to_le_bytes()));
        self.numbers.extend(points.iter().flat_map(|it| it.1.to_le_bytes()));
        let (formula, points) = (count(formula), count(points.len()));
        self.heads.push(SeriesHead { formula, label, points, problem });
    }
}

/// Returns the formulas over time. Each series includes the sample before `from` and the one after `to`, so
/// that a line reaches the edge of a plot.
pub(crate) fn read(run_recording: &RunRecording, id: u32, request: &ColumnsRequest) -> Vec<u8> {
    let recording = run_recording.read();
    let moments = moments(&recording, request);
    let most = request.most.clamp(2, MAX_POINTS) as usize;
    let watch = Stopwatch::start();
    let mut answer = Answer::default();
    for (number, text) in request.formulas.iter().enumerate() {
        if answer.heads.len() >= MAX_SERIES {
            let why = format!("there are more than {MAX_SERIES} curves: plot the others elsewhere");
            answer.add(number, text.clone(), &[], Some(why));
            continue;
        }
        match Formula::read(&recording.schema, text) {
            Ok(formula) => {
                add(&mut answer, &recording, number, formula, &moments, (most, watch));
            }
            Err(refused) => answer.add(number, text.clone(), &[], Some(plain(&refused))),
        }
    }
    drop(recording);
    encode(
        &ChunkHead::Columns {
            id,
            run: run_recording.run,
            revision: run_recording.revision,
            series: answer.heads,
        },
        &answer.numbers,
    )
}

/// Adds the curves of one formula, with at most `most` points, as far as it can be computed in time.
fn add(
    answer: &mut Answer,
    recording: &Recording,
    number: usize,
    mut formula: Formula,
    moments: &[Sample],
    (most, watch): (usize, Stopwatch),
) {
    let names = formula.names();
    let mut curves: Vec<Vec<(f64, f64)>> = vec![Vec::new(); names.len()];
    let mut late = None;
    for some in moments.chunks(MOMENTS_PER_CHECK) {
        if watch.elapsed() > MAX_TIME {
            let from = Value::Real(some[0].time(recording));
            late = Some(format!("it takes too long to compute: it is left out from t = {from} on"));
            break;
        }
        let series = formula.over(recording, some);
        for (element, curve) in curves.iter_mut().enumerate() {
            curve.extend(series.points(element));
        }
    }
    let failure = late.or_else(|| formula.failure().map(ToString::to_string));
    let room = MAX_SERIES - answer.heads.len();
    for (label, points) in names.into_iter().zip(curves).take(room) {
        let points = downsample(points, most);
        let has_value = points.iter().any(|it| it.1.is_finite());
        let none = || (!has_value).then(|| format!("{label} has no value in this time"));
        let problem = failure.clone().or_else(none);
        answer.add(number, label, &points, problem);
    }
}

/// Returns the error of a formula in a sentence, with the remedy.
fn plain(refused: &Refused) -> String {
    let Some(first) = refused.diagnostics.first() else { return "this is no formula".to_owned() };
    match &first.help {
        Some(help) => format!("{}: {help}", first.message),
        None => first.message.clone(),
    }
}

/// Returns the moments from the last one before `from` to the first one after `to`.
fn moments(recording: &Recording, request: &ColumnsRequest) -> Vec<Sample> {
    let mut all = recording.samples();
    if !request.events {
        all.retain(|it| matches!(it, Sample::Frame(_)));
    }
    let start = all.partition_point(|it| it.time(recording) < request.from).saturating_sub(1);
    let end = all.partition_point(|it| it.time(recording) <= request.to).saturating_add(1).min(all.len());
    if start >= end { Vec::new() } else { all[start..end].to_vec() }
}

//! The work of checking grows as the text does: in every dimension, and in every stage.
//!
//! The processor time of each stage is measured for texts of growing size. A tenfold text may take twice ten
//! times as long. `make test-long` measures two decades, up to a hundred thousand lines, objects, attributes and
//! errors; `make test` measures a shorter way with a wide margin, in which a quadratic stage would still be seen.
//! Where the system does not tell the processor time, nothing is measured.

mod texts;

use crate::support::{Memory, experiment};
use gedanken_experiment::editor;
use gedanken_lang::diagnostic::{Diagnostic, Style, render, to_json};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::{Dialect, format, parse};
use proptest::test_runner::Config;
use std::fmt::Write as _;
use texts::{DIMENSIONS, Dimension};

/// Stages of the work on a text, in the order of [`seconds`].
const STAGES: [&str; 8] = ["parse", "read", "render", "json", "fmt", "formulas", "numbers", "complete"];

/// Processor time of each stage in seconds.
type Seconds = [f64; STAGES.len()];

/// Sizes that are measured, and the bounds of what is found.
struct Measurement {
    sizes: &'static [usize],
    /// Maximum growth of the time from one size to the next.
    most: f64,
    /// Time in seconds below which nothing can be told: ticks of the clock, memory that is fetched first.
    floor: f64,
    /// Number of times that each text is measured; the quickest counts.
    repetitions: usize,
}

/// The short form: a quadratic stage grows a hundredfold.
const SHORT: Measurement = Measurement { sizes: &[300, 3_000], most: 50.0, floor: 0.004, repetitions: 1 };
/// The long form: linear within a factor 2.
const LONG: Measurement =
    Measurement { sizes: &[1_000, 10_000, 100_000], most: 20.0, floor: 0.01, repetitions: 2 };

/// Processor time of this thread in seconds; 0 where the system does not tell it.
fn processor_time() -> f64 {
    // The kernel counts at its ticks, milliseconds apart, and whenever a thread gives way.
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds: Option<f64> = text.split_whitespace().next().and_then(|it| it.parse().ok());
    nanoseconds.unwrap_or_default() * 1e-9
}

/// Processor time of some work in seconds, and its result.
fn timed<T>(work: impl FnOnce() -> T) -> (f64, T) {
    let start = processor_time();
    let result = work();
    (processor_time() - start, result)
}

/// Place of the first word in the second half of a text; its middle if no word follows. Between words there is
/// little to do: places of another kind would be compared with each other.
fn word_in_the_middle(text: &str) -> usize {
    let half = text.len() / 2;
    let word = text.bytes().skip(half).position(|it| it.is_ascii_alphabetic());
    word.map_or(half, |it| half + it)
}

/// Processor times of all stages for a text.
fn seconds(text: &str) -> Seconds {
    let mut sources = Sources::new();
    let source = sources.add("growing.lab", text);
    let (parsing, _) = timed(|| parse(&sources, source, Dialect::Experiment));
    let (reading, (sources, read)) = timed(|| experiment(&Memory(&[]), text, &[]));
    let found: Vec<Diagnostic> = read.map_or_else(|found| found, |it| it.warnings);
    let (rendering, _) = timed(|| render(&found, &sources, Style::Plain));
    let (listing, _) = timed(|| to_json(&found, &sources));
    let (formatting, _) = timed(|| format(text, Dialect::Experiment));
    let (formulas, _) = timed(|| editor::formulas(text));
    let (numbers, _) = timed(|| editor::numbers(text));
    let word = word_in_the_middle(text);
    let (completing, _) = timed(|| (editor::complete(text, word), editor::hover(text, word)));
    [parsing, reading, rendering, listing, formatting, formulas, numbers, completing]
}

/// The quickest times of several measurements.
fn best(text: &str, repetitions: usize) -> Seconds {
    let all: Vec<Seconds> = (0..repetitions).map(|_| seconds(text)).collect();
    std::array::from_fn(|stage| all.iter().map(|it| it[stage]).fold(f64::INFINITY, f64::min))
}

/// Measures a dimension: lines of a table, and stages that grow too fast.
fn measure(dimension: &Dimension, measurement: &Measurement) -> (String, Vec<String>) {
    let Measurement { sizes, most, floor, repetitions } = *measurement;
    let (mut table, mut wrong) = (String::new(), Vec::new());
    let mut before: Option<Seconds> = None;
    for &size in sizes {
        let times = best(&(dimension.text)(size), repetitions);
        let _ = write!(table, "{:>34} {size:>6}", dimension.name);
        for (stage, time) in times.iter().enumerate() {
            let growth = before.map(|it| time.max(floor) / it[stage].max(floor));
            let shown = growth.map_or(String::new(), |it| format!("×{it:.0}"));
            let _ = write!(table, " {time:8.3} {shown:<4}");
            if let Some(growth) = growth.filter(|it| *it > most) {
                let (name, stage) = (dimension.name, STAGES[stage]);
                wrong.push(format!("{name}, {stage}: {growth:.0} times as long for size {size}"));
            }
        }
        table.push('\n');
        before = Some(times);
    }
    (table, wrong)
}

#[test]
fn ten_times_the_text_is_ten_times_the_work() {
    // `make test-long` asks for more cases of everything.
    let measurement = if Config::default().cases >= 4096 { LONG } else { SHORT };
    println!("{:>41} {}", "", STAGES.map(|it| format!("{it:>8}     ")).join(" "));
    let mut wrong = Vec::new();
    for dimension in DIMENSIONS {
        let (table, found) = measure(dimension, &measurement);
        print!("{table}");
        wrong.extend(found);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_hundred_thousand_lines_are_checked_in_a_minute() {
    // In quadratic time each of these takes many minutes.
    for name in ["junk in lines", "a chain of world attributes", "attributes of an object", "wrong types"] {
        let dimension = DIMENSIONS.iter().find(|it| it.name == name).unwrap();
        let times = seconds(&(dimension.text)(100_000));
        let whole: f64 = times.iter().sum();
        assert!(whole < 60.0, "{name}: {whole} s, {times:?}");
    }
}

#[test]
fn output_is_bounded_and_the_rest_is_counted() {
    let mut lengths = Vec::new();
    for size in [1_000, 10_000] {
        let (sources, read) = experiment(&Memory(&[]), &"@#$%^&*\n".repeat(size), &[]);
        let found = read.unwrap_err();
        let text = render(&found, &sources, Style::Plain);
        let rest = format!("and {} more errors; mend these first\n", found.len() - 100);
        assert!(text.ends_with(&rest), "{}", &text[text.len() - 100..]);
        let list = to_json(&found, &sources);
        assert_eq!(list.matches("\"severity\":\"error\"").count(), 1000);
        assert_eq!(list.matches("\"severity\":\"rest\"").count(), 1);
        assert!(list.contains(&format!("\"more_errors\":{}", found.len() - 1000)));
        lengths.push(text.len());
    }
    assert!(lengths[1] < lengths[0] + 100, "{lengths:?}");
}

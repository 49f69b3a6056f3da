//! The guide as its tests see it: what stands in its fences, and what comes out when that is run.

use crate::support::{Memory, experiment};
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lab::measures::verdict;
use gedanken_lab::{Options, Run, Stop};
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use gedanken_lang::source::Sources;
use gedanken_recording::{Owner, Recording};

/// Text between two fences, with the words after the first, and the line where it begins.
pub(crate) struct Fence {
    pub(crate) words: String,
    pub(crate) text: String,
    pub(crate) line: usize,
}

pub(crate) fn page() -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide.md");
    std::fs::read_to_string(path).expect("docs/guide.md is there")
}

pub(crate) fn fences() -> Vec<Fence> {
    let page = page();
    let mut lines = page.lines().enumerate();
    let mut found = Vec::new();
    while let Some((line, opening)) = lines.next() {
        if let Some(words) = opening.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().map(|(_, it)| it).take_while(|it| *it != "```").collect();
            found.push(Fence { words: words.to_owned(), text: body.join("\n") + "\n", line: line + 1 });
        }
    }
    assert!(found.len() > 30, "the guide has listings");
    found
}

impl Fence {
    /// Returns `true` if it is an experiment from the first line to the last.
    pub(crate) fn is_listing(&self) -> bool {
        self.words.starts_with("lab") && self.words != "lab part"
    }

    /// The file that it should be copied to.
    pub(crate) fn name(&self) -> &str {
        let first = self.text.lines().next().and_then(|it| it.strip_prefix("// "));
        first
            .filter(|it| it.ends_with(".lab") && !it.contains(' '))
            .unwrap_or_else(|| panic!("guide.md:{}: the first line of a listing is its name", self.line))
    }

    /// The listing, which must be one without mistakes, with other values.
    pub(crate) fn read(&self, settings: &[&str]) -> (Sources, Experiment) {
        let (sources, result) = experiment(&Memory(&[]), &self.text, settings);
        match result {
            Ok(found) => (sources, found),
            Err(found) => panic!("guide.md:{}\n{}", self.line, render(&found, &sources, Style::Plain)),
        }
    }

    /// The listing with other words in it.
    pub(crate) fn with(&self, from: &str, to: &str) -> Self {
        assert!(self.text.contains(from), "{} has no `{from}`", self.name());
        Self { words: self.words.clone(), text: self.text.replace(from, to), line: self.line }
    }

    /// All simulations, which must come to their end.
    pub(crate) fn run(&self, settings: &[&str]) -> (Experiment, Vec<Recording>) {
        let (sources, experiment) = self.read(settings);
        let whole = |simulation| {
            let (recording, stopped) = run(&experiment, simulation);
            if let Some(found) = stopped {
                panic!("guide.md:{}\n{}", self.line, render(&[found], &sources, Style::Plain));
            }
            recording
        };
        let recordings = experiment.simulations.iter().map(whole).collect();
        (experiment, recordings)
    }

    /// Messages about a listing with a mistake, be it found before or in its run.
    pub(crate) fn fault(&self) -> (Vec<Diagnostic>, Sources) {
        let (sources, result) = experiment(&Memory(&[]), &self.text, &[]);
        let found = match result {
            Ok(experiment) => run(&experiment, &experiment.simulations[0]).1.into_iter().collect(),
            Err(found) => found,
        };
        (found, sources)
    }
}

/// A simulation to its end, or to where it stops and why.
pub(crate) fn run(experiment: &Experiment, simulation: &Simulation) -> (Recording, Option<Diagnostic>) {
    let mut engine = Run::new(experiment, simulation, Options::default()).unwrap();
    let mut recording = Recording::new(engine.schema().clone());
    loop {
        match engine.advance(&mut recording) {
            Ok(true) => {}
            Ok(false) => return (recording, None),
            Err(Stop::Experiment(found)) => return (recording, Some(*found)),
            Err(other) => panic!("{other}"),
        }
    }
}

/// The listing of a name: the last one above a line, for a file grows from section to section.
pub(crate) fn listing<'f>(fences: &'f [Fence], name: &str, above: usize) -> &'f Fence {
    let found = fences.iter().rev().find(|it| it.line < above && it.is_listing() && it.name() == name);
    found.unwrap_or_else(|| panic!("guide.md:{above}: there is no listing {name} above"))
}

/// Measures that have not come out as expected; and how many have.
pub(crate) fn missed(experiment: &Experiment, recordings: &[Recording]) -> (Vec<String>, usize) {
    let (mut missed, mut met) = (Vec::new(), 0);
    for (simulation, recording) in experiment.simulations.iter().zip(recordings) {
        for measure in experiment.measures.iter().filter(|it| it.belongs_to(simulation)) {
            let quantity = recording.schema.quantity(Owner::Measure, &measure.name).unwrap();
            let frame = measure.at.map_or(recording.frames() - 1, |at| recording.at(at).unwrap());
            let Some(verdict) = verdict(measure, &recording.row(frame)[quantity.start..quantity.end()])
            else {
                continue;
            };
            if verdict.ok {
                met += 1;
            } else {
                missed.push(verdict.to_string());
            }
        }
    }
    (missed, met)
}

/// A scalar of a recording in a frame.
pub(crate) fn scalar(recording: &Recording, name: &str, frame: usize) -> f64 {
    recording.series(&recording.schema.find(name).unwrap())[frame]
}

/// The words of a command line, those in single quotes as one.
pub(crate) fn words(line: &str) -> Vec<String> {
    let pieces = line.split('\'').enumerate();
    let words = pieces.flat_map(|(k, piece)| match k % 2 {
        1 => vec![piece.to_owned()],
        _ => piece.split(' ').filter(|it| !it.is_empty()).map(str::to_owned).collect(),
    });
    words.collect()
}

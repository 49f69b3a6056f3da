//! Shared by all tests: files in memory, and models as text.

pub(crate) mod guide;
pub(crate) mod runs;
pub(crate) mod torn;

use gedanken_experiment::Files;
use gedanken_experiment::{Experiment, Override, Role};
use gedanken_lab::{Options, Run, Stop, read};
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use gedanken_lang::source::Sources;
use gedanken_recording::{Notice, Recording};
use std::fmt::Write;

/// A tetrahedron, for objects whose shape comes from a file.
pub(crate) const WEDGE: &str = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

/// Files in memory. `wedge.obj` is always there.
pub(crate) struct Memory<'m>(pub(crate) &'m [(&'m str, &'m str)]);

impl Files for Memory<'_> {
    fn text(&self, path: &str) -> Result<String, String> {
        let known = self.0.iter().find(|(name, _)| *name == path);
        let text = known.map(|(_, text)| *text).or((path == "wedge.obj").then_some(WEDGE));
        text.map(str::to_owned).ok_or_else(|| "there is no such file".to_owned())
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        self.text(path).map(String::into_bytes)
    }
}

/// The experiments of the gallery.
pub(crate) struct Gallery;

impl Files for Gallery {
    fn text(&self, path: &str) -> Result<String, String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/");
        std::fs::read_to_string(format!("{folder}{path}")).map_err(|error| error.to_string())
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        self.text(path).map(String::into_bytes)
    }
}

/// Reads an experiment with settings such as `ball.v=[0, 0, 1]`.
pub(crate) fn experiment(
    files: &dyn Files,
    text: &str,
    settings: &[&str],
) -> (Sources, Result<Experiment, Vec<Diagnostic>>) {
    let mut sources = Sources::new();
    let overrides: Vec<Override> = settings.iter().map(|text| Override::read(text).unwrap()).collect();
    let result = read(files, &mut sources, "test.lab", text.to_owned(), &overrides);
    (sources, result)
}

/// An experiment without mistakes.
pub(crate) fn model(text: &str) -> Experiment {
    let (sources, result) = experiment(&Memory(&[]), text, &[]);
    result.unwrap_or_else(|found| panic!("{text}\n{}", render(&found, &sources, Style::Plain)))
}

/// Errors and warnings.
pub(crate) fn said(result: Result<Experiment, Vec<Diagnostic>>) -> Vec<Diagnostic> {
    result.map_or_else(|found| found, |experiment| experiment.warnings)
}

/// The codes of all that is said about a text.
pub(crate) fn codes(text: &str) -> Vec<&'static str> {
    said(experiment(&Memory(&[]), text, &[]).1).iter().map(|it| it.code.as_str()).collect()
}

/// An experiment without its places: what two files must have in common to mean the same.
pub(crate) fn text_of(experiment: &Experiment) -> String {
    let mut text = String::new();
    for attribute in &experiment.world {
        writeln!(text, "world {} = {}", attribute.name, attribute.value).unwrap();
    }
    for object in &experiment.objects {
        let kind = if object.is_static { "static" } else { "dynamic" };
        writeln!(text, "object {}: {kind} {}", object.name, object.shape.name()).unwrap();
        for attribute in &object.attributes {
            writeln!(text, "  {} = {}", attribute.name, attribute.value).unwrap();
        }
        for part in &object.parts {
            writeln!(text, "  part {}", part.text).unwrap();
        }
    }
    for context in &experiment.contexts {
        let roles: Vec<String> = context.roles.iter().map(role).collect();
        writeln!(
            text,
            "context {}: {:?} for {}",
            context.name,
            context.kind,
            if roles.is_empty() { "all".to_owned() } else { roles.join(" and ") }
        )
        .unwrap();
    }
    for simulation in &experiment.simulations {
        let names = |indices: &[usize], name: &dyn Fn(usize) -> String| {
            indices.iter().map(|&index| name(index)).collect::<Vec<_>>().join(", ")
        };
        let objects = names(&simulation.objects, &|it| experiment.objects[it].name.clone());
        let contexts = names(simulation.contexts(), &|it| experiment.contexts[it].name.clone());
        let (from, duration, rate) = (simulation.initial_time, simulation.duration, simulation.frame_rate);
        writeln!(text, "simulation {}: from {from} for {duration} at {rate}", simulation.name).unwrap();
        writeln!(text, "  {objects}\n  {contexts}").unwrap();
    }
    for measure in &experiment.measures {
        let of: Vec<&str> = measure.of.iter().map(|&it| experiment.objects[it].name.as_str()).collect();
        writeln!(text, "measure {} of {}", measure.name, of.join(", ")).unwrap();
    }
    for checked in &experiment.checked_contexts {
        let name = &experiment.contexts[checked.context].name;
        let outputs: Vec<String> =
            checked.checked.program.outputs.iter().map(|it| format!("{}: {}", it.name, it.ty)).collect();
        writeln!(text, "laws of {name} for {}: {}", checked.participants.len(), outputs.join("; ")).unwrap();
    }
    text
}

fn role(role: &Role) -> String {
    match role {
        Role::Named { object, .. } => object.clone(),
        Role::Counted { count, is_static, shape, .. } => {
            let physical = is_static.map_or("", |it| if it { "static " } else { "dynamic " });
            format!("{count} {physical}{}", shape.map_or("object", |it| it.name()))
        }
    }
}

/// Notices of the first simulation of an experiment, and why it stopped before its end, if
/// it did. It is the same with native code and without.
pub(crate) fn ran(experiment: &Experiment) -> (Vec<Notice>, Vec<Diagnostic>) {
    let said = run(experiment, true);
    assert_eq!(said, run(experiment, false), "native code says something else");
    said
}

fn run(experiment: &Experiment, native: bool) -> (Vec<Notice>, Vec<Diagnostic>) {
    let options = Options { native, ..Options::default() };
    let mut engine = match Run::new(experiment, &experiment.simulations[0], options) {
        Ok(engine) => engine,
        Err(found) => return (Vec::new(), found),
    };
    let mut recording = Recording::new(engine.schema().clone());
    loop {
        match engine.advance(&mut recording) {
            Ok(true) => {}
            Ok(false) => return (recording.notices, Vec::new()),
            Err(Stop::Experiment(found)) => return (recording.notices, vec![*found]),
            Err(other) => panic!("{other}"),
        }
    }
}

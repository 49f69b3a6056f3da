//! Soft constraints in files: which keys are read, what they mean, and in which words they are refused.

mod editor;
mod messages;
mod values;

use crate::mjcf::Memory;
use gedanken_experiment::{Experiment, read};
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use gedanken_lang::source::Sources;

/// Reads a text as `test.lab`.
fn read_text(text: &str) -> (Sources, Result<Experiment, Vec<Diagnostic>>) {
    let mut sources = Sources::new();
    let reading = read(&Memory(&[]), &mut sources, "test.lab", text.to_owned(), &[]);
    (sources, reading.finish())
}

/// An experiment without errors.
fn experiment(text: &str) -> Experiment {
    let (sources, result) = read_text(text);
    result.unwrap_or_else(|found| panic!("{}", render(&found, &sources, Style::Plain)))
}

/// Messages about a text, or that there are none.
fn told(text: &str) -> String {
    let (sources, result) = read_text(text);
    let found = result.map_or_else(|found| found, |experiment| experiment.warnings);
    if found.is_empty() { "nothing is said\n".to_owned() } else { render(&found, &sources, Style::Plain) }
}

/// A ball of a material, where one is named.
fn ball(material: &str) -> String {
    format!(
        "object {{\n    name = ball\n    physical type = dynamic\n    geometrical type = sphere\n    {material}\n    \
         attributes = {{ position = [0, 0, 1]  size = 0.1  mass = 1 }}\n}}\n"
    )
}

/// A simulation of rigid bodies with these lines.
fn simulation(name: &str, lines: &str) -> String {
    format!("simulation {{\n    name = {name}\n    duration = 1\n    mechanics = rigid\n    {lines}\n}}\n")
}

/// A ball in a soft simulation with these lines.
fn soft(lines: &str) -> String {
    ball("") + &simulation("s", &format!("solver = soft\n    {lines}"))
}

/// A ball on a hinge with these lines, and these simulations.
fn hinge(lines: &str, simulations: &str) -> String {
    joint(&format!("kind = hinge\n    axis = [0, 1, 0]\n    anchor = [0, 0, 2]\n    {lines}"), simulations)
}

/// A ball on a joint with these lines, and these simulations.
fn joint(lines: &str, simulations: &str) -> String {
    format!("{}joint j {{\n    between = {{ball, world}}\n    {lines}\n}}\n{simulations}", ball(""))
}

/// A ball of a material with these lines, and these simulations.
fn material(lines: &str, simulations: &str) -> String {
    format!("material m {{\n    {lines}\n}}\n{}{simulations}", ball("material = m"))
}

//! Models in MJCF: what is read, what is refused and in which words, and that nothing breaks the reader.

mod explain;
mod hostile;
mod messages;
mod mujoco;
mod values;

use gedanken_experiment::Files;
use gedanken_experiment::mjcf::{MjcfModel, MjcfOptions, read};
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use gedanken_lang::source::Sources;

/// Files in memory, by path. One with the text `\u{0}` is not UTF-8.
pub(crate) struct Memory<'m>(pub(crate) &'m [(&'m str, &'m str)]);

impl Files for Memory<'_> {
    fn text(&self, path: &str) -> Result<String, String> {
        let (_, text) = self.0.iter().find(|file| file.0 == path).ok_or("there is no such file")?;
        if *text == "\u{0}" { Err("it is not UTF-8".to_owned()) } else { Ok((*text).to_owned()) }
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        self.text(path).map(String::into_bytes)
    }
}

/// Reads a text as `model.xml`, with its sources.
pub(crate) fn read_with(
    files: &[(&str, &str)],
    text: &str,
    options: MjcfOptions,
) -> (Sources, Result<MjcfModel, Vec<Diagnostic>>) {
    let mut sources = Sources::new();
    let result = read(&Memory(files), &mut sources, "model.xml", text.to_owned(), options);
    (sources, result)
}

/// A model without mistakes.
pub(crate) fn model(text: &str) -> MjcfModel {
    let (sources, result) = read_with(&[], text, MjcfOptions::default());
    result.unwrap_or_else(|found| panic!("{}", render(&found, &sources, Style::Plain)))
}

/// Everything that is said of a text.
pub(crate) fn said(result: Result<MjcfModel, Vec<Diagnostic>>) -> Vec<Diagnostic> {
    result.map_or_else(|found| found, |model| model.warnings)
}

/// Messages about a text, or that there are none.
pub(crate) fn told(files: &[(&str, &str)], text: &str, options: MjcfOptions) -> String {
    let (sources, result) = read_with(files, text, options);
    let found = said(result);
    if found.is_empty() { "nothing is said\n".to_owned() } else { render(&found, &sources, Style::Plain) }
}

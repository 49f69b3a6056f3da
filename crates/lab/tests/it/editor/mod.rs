//! Help for those who write experiments: formulas, numbers, what can stand at the cursor, and what words
//! mean.

mod any_text;
mod complete;
mod formulas;
mod hover;
mod numbers;

/// A text with the place of its `|`, which is taken out.
fn cursor(text: &str) -> (String, usize) {
    let offset = text.find('|').expect("the text has a cursor");
    (text.replacen('|', "", 1), offset)
}

/// The text of an experiment of the gallery.
fn gallery(name: &str) -> &'static str {
    gedanken_experiment::gallery::experiment(name).unwrap().text
}

//! Any text as the value of `--set` and of the page's sliders: taken or refused with reasons, never a panic.

use super::experiment::NoFiles;
use gedanken_experiment::Override;
use gedanken_lab::read;
use gedanken_lang::source::Sources;

const TEXT: &str = include_str!("../../crates/recording/tests/stored/contexts.lab");

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(setting) = Override::read(text) else { return };
    let read = read(&NoFiles, &mut Sources::new(), "text.lab", TEXT.to_owned(), &[setting]);
    if let Err(reasons) = read {
        assert!(reasons.iter().any(|reason| reason.is_error()), "{text}");
    }
}

//! Any text as a formula over a recording, as plots and tables ask for: read or refused with reasons; what is
//! read has a value or none at every frame, never a panic.

use gedanken_recording::Recording;
use gedanken_recording::arrow::read_arrow;
use gedanken_recording::formula::Formula;
use std::sync::LazyLock;

const FRAMES: &[u8] = include_bytes!("../../crates/recording/tests/stored/format2/contexts.arrow");
const EVENTS: &[u8] = include_bytes!("../../crates/recording/tests/stored/format2/contexts.events.arrow");

static RECORDING: LazyLock<Recording> =
    LazyLock::new(|| read_arrow(FRAMES, EVENTS).expect("a stored recording is good").recording);

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Formula::read(&RECORDING.schema, text) {
        Ok(mut formula) => {
            let width = formula.width();
            assert_eq!(formula.names().len(), width, "{text}");
            formula.series(&RECORDING, 0..RECORDING.frames(), 1);
            if let Some(values) = formula.at(&RECORDING, 0.3) {
                assert_eq!(values.len(), width, "{text}");
            }
        }
        Err(refused) => assert!(!refused.diagnostics.is_empty(), "{text}"),
    }
}

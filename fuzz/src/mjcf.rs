//! Any text as a model in MJCF: a description or reasons, never a panic, an overflow of the stack or an endless
//! loop. A lenient reading finds at most the mistakes of a strict one.

use super::experiment::NoFiles;
use gedanken_experiment::mjcf::{MjcfOptions, read};
use gedanken_lang::source::Sources;

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut errors = [0, 0];
    for (lenient, count) in [false, true].into_iter().zip(&mut errors) {
        let options = MjcfOptions { lenient, confined: true };
        match read(&NoFiles, &mut Sources::new(), "model.xml", text.to_owned(), options) {
            Ok(model) => {
                assert_eq!(model.description.geoms.len(), model.looks.len());
                assert!(model.warnings.iter().all(|it| !it.is_error()));
            }
            Err(reasons) => {
                *count = reasons.iter().filter(|reason| reason.is_error()).count();
                assert!(*count > 0);
            }
        }
    }
    assert!(errors[1] <= errors[0]);
}

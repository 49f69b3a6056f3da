//! Any text as states of a mechanism: refused with a reason, or answered. What is answered is JSON without
//! numbers that are none.

use super::experiment::NoFiles;
use gedanken_experiment::mjcf::MjcfOptions;
use gedanken_lab::multibody::inspection::{GivenStates, Inspector, read_model};
use gedanken_lang::source::Sources;
use gedanken_multibody::compile::Model;
use std::sync::LazyLock;

const TEXT: &str = include_str!("mechanism_states.xml");

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let options = MjcfOptions::default();
    let read = read_model(&NoFiles, &mut Sources::new(), "mechanism_states.xml", TEXT.to_owned(), options);
    read.expect("it has no mistakes").0
});

/// States and motions of an input that are answered.
const ANSWERED: usize = 2;

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut given = match GivenStates::read(text, &MODEL) {
        Ok(given) => given,
        Err(reason) => return assert!(!reason.is_empty(), "{text}"),
    };
    given.motions.retain(|motion| motion.state < ANSWERED);
    given.states.truncate(ANSWERED);
    given.motions.truncate(1);
    if let Ok(answer) = Inspector::new(MODEL.clone()).answer(&given) {
        let states = answer["states"].as_array().expect("a list");
        assert_eq!(states.len(), given.states.len(), "{text}");
    }
}

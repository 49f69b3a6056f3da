//! Any text as a request of the page: understood and answered, or refused; never a crash.
//!
//! The corpus is beside those of the fuzz targets; the binary is no library that a fuzzer could call.

#[allow(unreachable_pub, reason = "it is part of a library, too")]
#[path = "../../../../../fuzz/src/mutate.rs"]
mod mutate;

use super::support::{LIMITS, TestPage, drifting};
use crate::wire::Request;
use crate::workspace::Limits;
use mutate::{Dice, mutate};
use serde_json::json;
use std::fs;

/// Number of mutated requests: they take some seconds.
const MUTATIONS: usize = 3_000;

fn corpus() -> Vec<Vec<u8>> {
    let files = fs::read_dir("../../fuzz/corpus/request").unwrap();
    let mut inputs: Vec<Vec<u8>> = files.map(|file| fs::read(file.unwrap().path()).unwrap()).collect();
    // The order of a folder differs between disks.
    inputs.sort();
    inputs
}

#[test]
fn stored_requests_and_their_mutations_are_answered_or_refused() {
    // A run that a mutation makes long ends soon.
    let mut page = TestPage::new(Limits { seconds: 0.2, ..LIMITS });
    page.edit(1, &drifting("t", 1.0), &[]);
    page.whole(1, 1);
    let inputs = corpus();
    assert!(inputs.len() >= 20);
    let mut dice = Dice::new(1687);
    let mut understood = 0;
    for number in 0..inputs.len() + MUTATIONS {
        let bytes = match inputs.get(number) {
            Some(stored) => stored.clone(),
            None => {
                let (input, other) = (&inputs[dice.below(inputs.len())], dice.below(inputs.len()));
                mutate(&mut dice, input, &inputs[other])
            }
        };
        let Ok(request) = serde_json::from_slice::<Request>(&bytes) else { continue };
        understood += 1;
        page.workspace.handle(request);
    }
    assert!(understood > inputs.len() / 2, "{understood} of them were requests");
    let id = 4_000_000_001u32;
    page.answer(id, json!({"type": "evaluate", "id": id, "input": "1 + 1"}));
    for message in &page.heard {
        assert!(!message.json().to_string().contains("internal error"), "{message:?}");
    }
}

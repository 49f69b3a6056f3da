//! The messages of run time and of sessions, as a user reads them: one snapshot for the wrong example of
//! every explanation.

use crate::transcript::transcript;
use gedanken_lang::diagnostic::{CATALOGUE, Style, render};

#[test]
fn messages() {
    for entry in CATALOGUE.iter().filter(|entry| ["E5", "E6", "W6"].contains(&&entry.code.as_str()[..2])) {
        let blocks: Vec<&str> = entry.explanation.split("```").collect();
        let Some(wrong) = blocks.iter().find_map(|block| block.strip_prefix("session wrong\n")) else {
            continue;
        };
        let (session, mut found) = transcript(wrong);
        found.retain(|diagnostic| diagnostic.code == entry.code);
        insta::assert_snapshot!(entry.code.as_str(), render(&found, session.sources(), Style::Plain));
    }
}

//! Gedanken beside its peers, in one run on one machine, as one table.
//!
//! `cargo run --release` runs all cases, `cargo run --release -- gravity` those whose name contains a word,
//! `two_threads` those that contain both in this order.
//! The exit code is 1 if a target was missed, 2 if a case could not run.
//!
//! Fairness: the same bodies, time step, method and precision on both sides; ours and theirs take turns, so
//! that a busy machine slows both; the clock runs only while a side computes. A rate is that of the best
//! repetition, for other programs only ever take time away, and the ratio of the medians is printed below the
//! table. So are the errors of both: a fast wrong answer is none. The one exception, two threads against one,
//! is judged by medians and says so.
//!
//! A case is a file in `cases/` and a line in [`cases::ALL`]. A peer is a file in `peers/`.

mod cases;
mod clock;
mod lab;
mod laws;
mod mechanisms;
mod neighbours;
mod ours;
mod peers;
mod plummer;
mod processors;
mod random;
mod rigid;
mod symbolic;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    if words == [cases::chapter_five::ALONE] {
        return match cases::chapter_five::alone() {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                eprintln!("{error}");
                ExitCode::from(2)
            }
        };
    }
    let (mut rows, mut failed) = (Vec::new(), false);
    for (name, run) in cases::ALL {
        if !words.is_empty() && !words.iter().any(|word| name.contains(&word.replace('_', " "))) {
            continue;
        }
        eprintln!("{name} ...");
        match run() {
            Ok(more) => rows.extend(more),
            Err(error) => {
                eprintln!("{name}: {error}");
                failed = true;
            }
        }
    }
    print!("{}", table::Table(&rows));
    if failed {
        ExitCode::from(2)
    } else if rows.iter().any(table::Row::missed) {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    }
}

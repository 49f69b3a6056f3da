//! The scene that the documentation shows, ten objects for half a minute, from the start of a process to its
//! finished recording. The peer is a budget: an answer that is there before anyone waits for it.
//!
//! The process is this program itself, started again: it reads the text, compiles the laws, runs and keeps
//! the recording in memory. One that takes too long is ended, so that the other cases get their turn.

use super::Outcome;
use crate::clock::{Times, seconds};
use crate::lab;
use crate::table::Row;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

/// The word that makes this program run the scene, and nothing else.
pub const ALONE: &str = "--scene-of-chapter-5";
const REPETITIONS: usize = 5;
const BUDGET: f64 = 0.3;
/// What is waited for.
const PATIENCE: f64 = 20.0;
/// How often is looked: well below the budget.
const TICK: Duration = Duration::from_millis(1);

pub fn run() -> Outcome {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut ours = Times::default();
    for _ in 0..REPETITIONS {
        let mut outcome = Ok(());
        ours.push(seconds(|| {
            let child = Command::new(&program).arg(ALONE).stdout(Stdio::null()).spawn();
            outcome = child.map_err(|error| error.to_string()).and_then(finish);
        }));
        outcome?;
    }
    let mut theirs = Times::default();
    theirs.push(BUDGET);
    Ok(vec![Row {
        case: "chapter 5, text to recording".into(),
        peer: format!("{BUDGET} s"),
        unit: "scenes/s",
        amount: 1.0,
        target: Some(1.0),
        sound: true,
        remark: format!("{:.3} s, median {:.3} s", ours.best(), ours.median()),
        ours,
        theirs,
    }])
}

/// Waits for a process, but not for ever.
fn finish(mut child: Child) -> Result<(), String> {
    let looks = (PATIENCE / TICK.as_secs_f64()) as u32;
    for _ in 0..looks {
        match child.try_wait().map_err(|error| error.to_string())? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => return Err(format!("the scene ended with {status}")),
            None => sleep(TICK),
        }
    }
    // It may just have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
    Err(format!("the scene was not finished after {PATIENCE} s"))
}

/// Runs the scene: what the process does.
pub fn alone() -> Result<(), String> {
    let path = format!("{}/chapter5_scene.lab", lab::EXPERIMENTS);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    lab::run(&path, text).map(|_| ())
}

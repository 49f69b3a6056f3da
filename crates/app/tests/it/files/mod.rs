//! What happens to files: what is written when, what kills, full disks and other runs leave of it, and how
//! the binary says so.

mod full_disk;
mod kills;
mod outputs;
mod signals;
mod texts;

use crate::support::{BALL, Folder, outcome};

/// A folder with the bouncing ball in it.
fn ball(name: &str) -> Folder {
    Folder::with(name, &[("ball.lab", BALL)])
}

/// What a command prints that succeeds and has nothing to complain about.
fn fine(folder: &Folder, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = outcome(folder, arguments);
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}: {stdout}");
    stdout
}

/// The complaint of a command that fails with this code.
fn refused(folder: &Folder, code: i32, arguments: &[&str]) -> String {
    let (found, stdout, stderr) = outcome(folder, arguments);
    assert_eq!(found, code, "{arguments:?}: {stdout}{stderr}");
    stderr
}

/// Number of frames of a recording, as a table counts them.
fn frames(folder: &Folder, recording: &str) -> usize {
    let (code, _, stderr) = outcome(folder, &["export", recording, "frames.csv"]);
    assert_eq!(code, 0, "{recording}: {stderr}");
    let rows = folder.read("frames.csv").lines().count() - 1;
    std::fs::remove_file(folder.0.join("frames.csv")).unwrap();
    rows
}

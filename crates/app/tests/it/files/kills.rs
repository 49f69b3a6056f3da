//! Kills at any instant: whole files are old or new, recordings can be read, and what was computed a second
//! ago is on the disk.
#![cfg(unix)]

use super::texts::library;
use super::{ball, fine, frames};
use crate::support::{Folder, command, outcome, start, times, wait_until};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Kills a command again and again, at instants spread over one and a half times its usual length, and looks
/// at what it leaves.
fn kill_many(start: impl Fn() -> Child, reset: impl Fn(), mut check: impl FnMut(&str)) {
    reset();
    let clock = Instant::now();
    start().wait().unwrap();
    let usual = clock.elapsed();
    let kills = times(12, 200);
    for k in 0..kills {
        reset();
        let mut child = start();
        std::thread::sleep(usual.mul_f64(1.5 * f64::from(k) / f64::from(kills)));
        child.kill().unwrap();
        child.wait().unwrap();
        check(&format!("kill {k} of {kills}"));
    }
}

fn quietly(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = command(folder, arguments);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// What killed commands leave beside their files: hidden, and removed by the next one.
fn visible(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| !name.starts_with('.')).collect()
}

#[test]
fn fmt_leaves_the_old_text_or_the_new_one() {
    let (untidy, tidy) = library(2000);
    let folder = Folder::with("kill-fmt", &[]);
    kill_many(
        || quietly(&folder, &["fmt", "a.vfl"]),
        || folder.write("a.vfl", &untidy),
        |kill| {
            let text = folder.read("a.vfl");
            assert!(text == untidy || text == tidy, "{kill}: {} bytes", text.len());
            assert_eq!(visible(&folder), ["a.vfl"], "{kill}");
        },
    );
    folder.write("a.vfl", &untidy);
    fine(&folder, &["fmt", "a.vfl"]);
    assert_eq!(folder.names(), ["a.vfl"], "what killed commands left is gone");
}

/// The worst instant: as soon as anything about the file has changed.
#[test]
fn fmt_that_is_killed_while_it_writes_leaves_a_whole_text() {
    let (untidy, tidy) = library(20_000);
    let folder = Folder::with("kill-write", &[]);
    let path = folder.0.join("a.vfl");
    let state = || std::fs::metadata(&path).map(|meta| (meta.len(), meta.modified().ok())).ok();
    for kill in 0..times(3, 50) {
        folder.write("a.vfl", &untidy);
        let before = state();
        let mut child = quietly(&folder, &["fmt", "a.vfl"]);
        while state() == before && child.try_wait().unwrap().is_none() {}
        let _ = child.kill();
        child.wait().unwrap();
        let text = folder.read("a.vfl");
        assert!(text == untidy || text == tidy, "kill {kill}: {} of {} bytes", text.len(), tidy.len());
    }
}

#[test]
fn plots_and_exports_are_old_or_new() {
    let folder = ball("kill-plot");
    fine(&folder, &["run", "ball.lab", "--record", "a.arrow", "--quiet"]);
    let plot = ["plot", "a.arrow", "ball.position", "--out", "a.svg"];
    let export = ["export", "a.arrow", "b.csv", "b.json", "b.arrow"];
    fine(&folder, &plot);
    fine(&folder, &export);
    let (svg, csv, json) = (folder.read("a.svg"), folder.read("b.csv"), folder.read("b.json"));
    let arrow = std::fs::read(folder.0.join("b.arrow")).unwrap();
    kill_many(
        || quietly(&folder, &plot),
        || folder.write("a.svg", "old"),
        |kill| {
            let text = folder.read("a.svg");
            assert!(text == "old" || text == svg, "{kill}: {} bytes", text.len());
        },
    );
    kill_many(
        || quietly(&folder, &export),
        || ["b.csv", "b.json", "b.arrow", "b.events.arrow"].iter().for_each(|name| folder.write(name, "old")),
        |kill| {
            for (name, whole) in [("b.csv", csv.as_bytes()), ("b.json", json.as_bytes()), ("b.arrow", &arrow)]
            {
                let found = std::fs::read(folder.0.join(name)).unwrap();
                assert!(found == b"old" || found == whole, "{kill}: {name} has {} bytes", found.len());
            }
        },
    );
}

#[test]
fn new_exports_are_whole_or_absent() {
    let folder = ball("kill-export");
    fine(&folder, &["run", "ball.lab", "--record", "a.arrow", "--quiet"]);
    let export = ["export", "a.arrow", "b.csv", "b.arrow"];
    fine(&folder, &export);
    let new = ["b.csv", "b.arrow", "b.events.arrow"];
    let whole = new.map(|name| std::fs::read(folder.0.join(name)).unwrap());
    kill_many(
        || quietly(&folder, &export),
        || new.iter().for_each(|name| drop(std::fs::remove_file(folder.0.join(name)))),
        |kill| {
            for (name, whole) in new.iter().zip(&whole) {
                let found = std::fs::read(folder.0.join(name)).ok();
                assert!(found.is_none_or(|found| found == *whole), "{kill}: {name}");
            }
        },
    );
    fine(&folder, &export);
    let names = ["a.arrow", "a.events.arrow", "b.arrow", "b.csv", "b.events.arrow", "ball.lab"];
    assert_eq!(folder.names(), names, "what killed commands left is gone");
}

#[test]
fn new_files_are_whole_or_absent() {
    let folder = Folder::new("kill-new");
    let example = ["new", "ramp", "--from", "double_pendulum"];
    fine(&folder, &example);
    let text = folder.read("ramp.lab");
    kill_many(
        || quietly(&folder, &example),
        || folder.names().iter().for_each(|name| std::fs::remove_file(folder.0.join(name)).unwrap()),
        |kill| {
            let found = visible(&folder);
            let is_whole = found.is_empty() || folder.read("ramp.lab") == text;
            assert!(is_whole, "{kill}: {found:?}");
        },
    );
}

#[test]
fn a_session_exports_the_old_text_or_the_new_one() {
    let (_, tidy) = library(300);
    let input = format!("{tidy}export \"out.vfl\"\n");
    let folder = Folder::with("kill-session", &[("input", &input)]);
    let session = || {
        let mut command = command(&folder, &["repl"]);
        let input = std::fs::File::open(folder.0.join("input")).unwrap();
        command.stdin(input).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    session().wait().unwrap();
    let exported = folder.read("out.vfl");
    assert_eq!(exported.matches("(x)").count(), 300);
    kill_many(
        session,
        || folder.write("out.vfl", "old"),
        |kill| {
            let text = folder.read("out.vfl");
            assert!(text == "old" || text == exported, "{kill}: {} bytes", text.len());
        },
    );
}

/// A recording can be read unless it was killed before its head was written: then it is empty.
fn check_readable(folder: &Folder, name: &str, kill: &str) {
    if folder.size(name) > 0 {
        let (code, _, stderr) = outcome(folder, &["export", name, "x.csv"]);
        assert_eq!(code, 0, "{kill}: {name}: {stderr}");
    }
}

const RUN: [&str; 8] = ["run", "ball.lab", "--until", "20", "--record", "a.arrow", "--record", "a.csv"];

#[test]
fn new_recordings_can_be_read() {
    let folder = ball("kill-new-run");
    let clear = || {
        let names = folder.names().into_iter().filter(|name| name != "ball.lab");
        names.for_each(|name| std::fs::remove_file(folder.0.join(name)).unwrap());
    };
    kill_many(
        || quietly(&folder, &RUN),
        clear,
        |kill| {
            check_readable(&folder, "a.arrow", kill);
            let csv = std::fs::read_to_string(folder.0.join("a.csv")).unwrap_or_default();
            let whole = csv.rsplit_once('\n').map_or("", |(whole, _)| whole);
            let widths: Vec<usize> = whole.lines().map(|row| row.matches(',').count()).collect();
            assert!(
                widths.windows(2).all(|pair| pair[0] == pair[1]),
                "{kill}: rows are whole but for the last"
            );
        },
    );
}

#[test]
fn replaced_recordings_are_old_or_new_and_nothing_is_lost() {
    let folder = ball("kill-run");
    let mut known: Vec<String> = Vec::new();
    kill_many(
        || quietly(&folder, &RUN),
        || {},
        |kill| {
            let names = folder.names();
            assert!(known.iter().all(|name| names.contains(name)), "{kill}: what was kept stays");
            let is_dated = |name: &str| name.contains("Z.") || name.contains("Z-");
            for name in names.iter().filter(|name| !known.contains(name)) {
                if name.ends_with(".arrow.part") || (is_dated(name) && name.ends_with("arrow")) {
                    // Events are read with their frames.
                    check_readable(&folder, &name.replace(".events.", "."), kill);
                }
            }
            known = names.into_iter().filter(|name| is_dated(name)).collect();
            // The first run was whole, and nothing less has replaced it.
            assert_eq!(folder.read("a.csv").lines().count(), 1202, "{kill}");
            assert_eq!(frames(&folder, "a.arrow"), 1201, "{kill}");
        },
    );
}

/// Thirty frames go by at once, the next takes longer than any test waits: each of its thousand steps
/// evaluates a recursion of millions of calls.
const SLOW: &str = "object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = {
        position = [0, 0, 5]
        size = 0.5
        n = 0
    }
}
rule count {
    writes = {n}
    functions = {
        n = previous(n) + 1 + 0 * fibonacci(if previous(n) > 30000.5 then 30 else 1)
    }
}
simulation {
    name = s
    mechanics = workflow
    workflow = count
    duration = 100
    frame rate = 1
    time step = 0.001
}
";

#[test]
fn frames_before_a_slow_one_are_on_the_disk_within_a_second() {
    let library = "fibonacci(n) = if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2)\n";
    let text = format!("import \"slow.vfl\"\n{SLOW}");
    let folder = Folder::with("slow", &[("slow.vfl", library), ("slow.lab", &text)]);
    let mut child = start(&folder, &["run", "slow.lab", "--record", "a.arrow", "--record", "a.csv"]);
    let rows = || std::fs::read_to_string(folder.0.join("a.csv")).unwrap_or_default().lines().count();
    wait_until("31 frames on the disk while the next is computed", || rows() == 1 + 31);
    // The flushes of both files are one.
    std::thread::sleep(Duration::from_millis(100));
    assert!(child.try_wait().unwrap().is_none(), "it is in the slow frame");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(rows(), 1 + 31);
    assert_eq!(frames(&folder, "a.arrow"), 31);
    assert!(folder.read("a.csv").ends_with('\n'), "whole rows");
}

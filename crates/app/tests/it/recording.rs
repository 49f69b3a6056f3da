//! Damaged recordings from outside: every command refuses them, says what is good and how to get it.

use crate::support::{BALL, Folder, command, outcome, wait_until};
use serde_json::Value;
use std::fs;
use std::process::Stdio;

/// A folder with a recording of the bouncing ball: 61 frames, every bit as it was written.
fn recorded(name: &str) -> Folder {
    let folder = Folder::with(name, &[("ball.lab", BALL)]);
    fine(&folder, &["run", "ball.lab", "--until", "1", "--record", "a.arrow", "--quiet"]);
    folder
}

fn fine(folder: &Folder, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = outcome(folder, arguments);
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}: {stdout}");
    stdout
}

fn refused(folder: &Folder, code: i32, arguments: &[&str]) -> String {
    let (found, stdout, stderr) = outcome(folder, arguments);
    assert_eq!(found, code, "{arguments:?}: {stdout}{stderr}");
    stderr
}

fn flip(folder: &Folder, file: &str, what: &[u8]) {
    let path = folder.0.join(file);
    let mut bytes = fs::read(&path).unwrap();
    let at = bytes.windows(what.len()).position(|it| it == what).unwrap();
    bytes[at + what.len() - 1] ^= 1;
    fs::write(&path, bytes).unwrap();
}

#[test]
fn a_good_recording_is_verified() {
    let folder = recorded("recording_verified");
    let text = fine(&folder, &["check", "a.arrow"]);
    for words in ["a.arrow: good", "format 2, 61 frames", "from t = 0 to 1", "no row is missing"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert_eq!(fine(&folder, &["check", "a.arrow", "a.events.arrow"]), text, "as `check *.arrow` names them");
    let data: Value = serde_json::from_str(&fine(&folder, &["check", "a.arrow", "--json"])).unwrap();
    assert_eq!(data[0]["status"], "good");
    assert_eq!((&data[0]["frames"], &data[0]["last_good_frame"]), (&61.into(), &60.into()));
    assert_eq!(data[0]["complete"]["events"], "sealed");
    assert!(refused(&folder, 2, &["check", "a.arrow", "ball.lab", "--json"]).contains("check them apart"));
    assert!(refused(&folder, 2, &["check", "a.arrow", "--set", "a=1"]).contains(".lab"));
    assert!(refused(&folder, 1, &["check", "a.events.arrow"]).contains("these are the events of a.arrow"));
    fine(&folder, &["check", "ball.lab"]);
    let (code, both, _) = outcome(&folder, &["check", "a.arrow", "ball.lab"]);
    assert!(code == 0 && both.contains("a.arrow: good") && both.contains("ball.lab: "), "{both}");
}

#[test]
fn a_flipped_bit_is_told_by_every_command_with_the_way_out() {
    let folder = recorded("recording_flipped");
    let whole = fine(&folder, &["plot", "a.arrow", "ball.position#3", "--at", "0.4", "--json"]);
    // The time of frame 30.
    flip(&folder, "a.arrow", &0.5f64.to_le_bytes());
    for command in [
        &["check", "a.arrow"][..],
        &["export", "a.arrow", "b.csv"],
        &["plot", "a.arrow", "ball.v"],
        &["trace", "a.arrow"],
        &["run", "ball.lab", "--resume", "a.arrow"],
        &["export", "a.arrow", "b.csv", "--until", "0.6"],
        &["run", "ball.lab", "--resume", "a.arrow", "--frame", "40"],
    ] {
        let message = refused(&folder, 1, command);
        assert!(message.contains("a.arrow is damaged at frame 30: its checksum does not fit"), "{message}");
        assert!(message.contains("frames 0 to 29, until t = 0.48333333333333334, are good"), "{message}");
        assert!(message.contains("`gedanken export a.arrow good.arrow --until 0.48333333333333334`"));
        assert!(message.contains("--resume a.arrow --frame 29"), "{message}");
    }
    assert!(!folder.0.join("b.csv").exists(), "nothing is written of what cannot be trusted");
    let (code, stdout, _) = outcome(&folder, &["check", "a.arrow", "--json"]);
    let data: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &data[0]["status"], &data[0]["last_good_frame"]), (1, &"damaged".into(), &29.into()));
    assert_eq!((&data[0]["problems"][0]["at"], &data[0]["format"]), (&30.into(), &2.into()));

    // The ways out.
    let good = ["export", "a.arrow", "good.arrow", "--until", "0.48333333333333334"];
    assert!(refused(&folder, 0, &good).contains("note: a.arrow is damaged; the part before"));
    assert!(fine(&folder, &["check", "good.arrow"]).contains("format 2, 30 frames"));
    let same = fine(&folder, &["plot", "good.arrow", "ball.position#3", "--at", "0.4", "--json"]);
    assert_eq!(same, whole);
    let resume =
        ["run", "ball.lab", "--resume", "a.arrow", "--frame", "29", "--until", "1", "--record", "on.arrow"];
    assert!(refused(&folder, 0, &resume).contains("note: a.arrow is damaged"));
    fine(&folder, &["run", "ball.lab", "--until", "1", "--record", "again.arrow", "--quiet"]);
    let read = |name: &str| fs::read(folder.0.join(name)).unwrap();
    assert_eq!(read("on.arrow"), read("again.arrow"), "the run went on from the last good keyframe");
}

#[test]
fn damaged_or_missing_events_are_told() {
    let folder = recorded("recording_events");
    flip(&folder, "a.events.arrow", b"collision");
    let message = refused(&folder, 1, &["trace", "a.arrow"]);
    assert!(message.contains("a.events.arrow is damaged at event "), "{message}");
    assert!(message.contains("without a.events.arrow they are read alone"), "{message}");
    fs::remove_file(folder.0.join("a.events.arrow")).unwrap();
    assert!(refused(&folder, 0, &["plot", "a.arrow", "ball.v"]).contains("the events are missing"));
    let (code, stdout, _) = outcome(&folder, &["check", "a.arrow"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("events: a.events.arrow is missing"), "{stdout}");
}

#[test]
fn the_part_of_a_recording_until_a_time_is_shown() {
    let folder = recorded("recording_until");
    fine(&folder, &["export", "a.arrow", "b.arrow", "--until", "0.5"]);
    assert!(fine(&folder, &["check", "b.arrow"]).contains("31 frames and 1 event, from t = 0 to 0.5"));
    assert!(refused(&folder, 2, &["plot", "a.arrow", "ball.v", "--until", "-1"]).contains("begins at t = 0"));
    assert!(refused(&folder, 2, &["plot", "a.arrow", "ball.v", "--until", "NaN"]).contains("--until NaN"));
}

#[test]
fn what_a_killed_run_leaves_is_verified_as_far_as_it_goes() {
    let folder = Folder::with("recording_killed", &[("ball.lab", BALL)]);
    let long = ["run", "ball.lab", "--until", "1e6", "--record", "a.arrow"];
    let mut child = command(&folder, &long).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_until("200 kB of a.arrow", || folder.size("a.arrow") > 200_000);
    child.kill().unwrap();
    child.wait().unwrap();
    let stdout = fine(&folder, &["check", "a.arrow"]);
    assert!(stdout.contains("a.arrow: cut") && stdout.contains("was cut, or is being written"), "{stdout}");
    let data: Value = serde_json::from_str(&fine(&folder, &["check", "a.arrow", "--json"])).unwrap();
    assert_eq!((&data[0]["status"], &data[0]["complete"]["frames"]), (&"cut".into(), &"cut".into()));
}

#[test]
fn a_finished_file_that_is_cut_is_damaged() {
    let folder = recorded("recording_cut");
    let bytes = fs::read(folder.0.join("a.arrow")).unwrap();
    fs::write(folder.0.join("a.arrow"), &bytes[..bytes.len() - 100]).unwrap();
    let (code, stdout, _) = outcome(&folder, &["check", "a.arrow"]);
    assert_eq!(code, 1, "{stdout}");
    assert!(stdout.contains("the end of the file is missing"), "{stdout}");
}

#[test]
fn a_newer_format_is_refused_by_name() {
    let folder = recorded("recording_newer");
    // The last digit of the format: 2 becomes 3.
    flip(&folder, "a.arrow", b"gedanken recording 2");
    let message = refused(&folder, 1, &["plot", "a.arrow", "ball.v"]);
    let expected = "a.arrow was written by a newer Gedanken: format 3, this one reads up to 2";
    assert!(message.contains(expected), "{message}");
    assert!(refused(&folder, 1, &["check", "a.arrow"]).contains(expected));
}

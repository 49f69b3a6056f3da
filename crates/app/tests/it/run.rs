//! `run`, `trace`, `plot` and `export` from outside, on the bouncing ball: files, exit codes, numbers.

use crate::support::{BALL, Folder, command, finish, first_line, outcome, wait_until};
use serde_json::Value;
use std::fs;
use std::process::Stdio;

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

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    serde_json::from_str(&fine(folder, arguments)).expect("--json prints JSON")
}

/// The complaint of a command that fails with this code.
fn refused(folder: &Folder, code: i32, arguments: &[&str]) -> String {
    let (found, stdout, stderr) = outcome(folder, arguments);
    assert_eq!(found, code, "{arguments:?}: {stdout}{stderr}");
    stderr
}

/// The time of the first bounce: the ball of radius 0.5 falls from 5 to 0.5.
fn first_bounce() -> f64 {
    libm::sqrt(2.0 * 4.5 / 9.81)
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found}, not {expected}");
}

#[test]
fn a_summary_says_what_happened() {
    let folder = ball("summary");
    let text = fine(&folder, &["run", "ball.lab"]);
    for words in ["ball.lab: drop", "2 objects, 361 frames, t = 0 to 6", "collisions", "computed in"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert_eq!(fine(&folder, &["run", "ball.lab", "--quiet"]), "");
    let hash = fine(&folder, &["run", "ball.lab", "--hash"]);
    assert_eq!(hash.len(), 17);
    assert_eq!(hash, fine(&folder, &["run", "ball.lab", "--hash", "--threads", "2"]));
    assert_eq!(hash, fine(&folder, &["run", "ball.lab", "--hash", "--interpret"]));
    let data = json(&folder, &["run", "ball.lab", "--json"]);
    assert_eq!(
        (&data["frames"], &data["end"], &data["ending"]),
        (&361.into(), &6.0.into(), &"complete".into())
    );
    assert_eq!(data["hash"], hash.trim());
    let kinds = ["free fall", "collision", "contact"].map(|kind| data["events"][kind].as_u64().unwrap());
    assert_eq!(data["events"]["total"], kinds.iter().sum::<u64>());
}

#[test]
fn tables_recordings_and_events_are_written() {
    let folder = ball("files");
    let all = ["--record", "a.csv", "--record", "a.arrow", "--events", "e.json"];
    let text = fine(&folder, &[&["run", "ball.lab"], &all[..]].concat());
    assert!(text.contains("written: a.csv, a.arrow, a.events.arrow, e.json"), "{text}");
    let csv = folder.read("a.csv");
    let mut lines = csv.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(header[0], "t");
    let column = header.iter().position(|it| *it == "ball.position#3").unwrap();
    let rows: Vec<Vec<&str>> = lines.map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 361);
    for row in rows.iter().filter(|row| row[0].parse::<f64>().unwrap() < first_bounce()) {
        let t: f64 = row[0].parse().unwrap();
        near(row[column].parse().unwrap(), 5.0 - 0.5 * 9.81 * t * t);
    }
    let events: Value = serde_json::from_str(&folder.read("e.json")).unwrap();
    let first = events.as_array().unwrap().iter().find(|it| it["kind"] == "collision").unwrap();
    near(first["time"].as_f64().unwrap(), first_bounce());
    let speed = |side: &str| first[side]["objects"]["ball"]["v"][2].as_f64().unwrap();
    near(speed("after"), -0.8 * speed("before"));

    // What was recorded is what is run.
    let files: Vec<String> = folder.names();
    assert_eq!(files, ["a.arrow", "a.csv", "a.events.arrow", "ball.lab", "e.json"], "nothing is left over");
    fine(&folder, &["export", "a.arrow", "b.csv", "b.json", "b.arrow"]);
    assert_eq!(folder.read("b.csv"), csv);
    assert_eq!(folder.read("b.json"), folder.read("e.json"));
    fine(&folder, &["export", "b.arrow", "c.csv"]);
    assert_eq!(folder.read("c.csv"), csv);
    fine(&folder, &["export", "ball.lab", "d.csv"]);
    assert_eq!(folder.read("d.csv"), csv);
    assert_eq!(fs::read(folder.0.join("a.arrow")).unwrap()[..6], *b"ARROW1", "a file, not a stream");
}

#[test]
fn event_rows_come_between_frames() {
    let folder = ball("event-rows");
    fine(&folder, &["run", "ball.lab", "--record", "a.csv", "--event-rows", "--events", "e.json"]);
    let events: Value = serde_json::from_str(&folder.read("e.json")).unwrap();
    let csv = folder.read("a.csv");
    let times: Vec<f64> =
        csv.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect();
    assert_eq!(times.len(), 361 + events.as_array().unwrap().len());
    assert!(times.windows(2).all(|pair| pair[0] <= pair[1]));
}

#[test]
fn settings_and_time_change_the_run() {
    let folder = ball("set");
    let moon = ["run", "ball.lab", "--set", "a=[0, 0, -1.62]", "--until", "2", "--json"];
    let data = json(&folder, &moon);
    assert_eq!((&data["frames"], &data["events"]["collision"]), (&121.into(), &0.into()));
    assert!(
        refused(&folder, 2, &["run", "ball.lab", "--until", "-1"]).contains("must be after the start, t = 0")
    );
    assert!(refused(&folder, 2, &["run", "ball.lab", "--until", "NaN"]).contains("--until"));
    assert!(refused(&folder, 2, &["run", "ball.lab", "--until", "1e9"]).contains("frames"));
    assert!(refused(&folder, 2, &["trace", "ball.lab", "--until", "1.6e6"]).contains("GiB of memory"));
    assert!(refused(&folder, 2, &["run", "ball.lab", "--set", "a"]).contains("NAME=VALUE"));
    assert!(refused(&folder, 1, &["run", "ball.lab", "--set", "b=1"]).contains("no attribute `b`"));
    assert!(
        refused(&folder, 2, &["run", "ball.lab", "--simulation", "dropp"]).contains("did you mean drop?")
    );
}

#[test]
fn mistakes_are_told_before_anything_is_written() {
    let folder = ball("mistakes");
    folder.write("broken.lab", &BALL.replace("v = v0 + a", "v = v0 + b"));
    folder.write("lonely.lab", &format!("import \"gone.vfl\"\n{BALL}"));
    let message = refused(&folder, 1, &["run", "broken.lab", "--record", "a.csv"]);
    assert!(message.contains("error[E") && message.contains("broken.lab:"), "{message}");
    let message = refused(&folder, 1, &["run", "lonely.lab", "--record", "a.csv"]);
    assert!(message.contains("gone.vfl") && message.contains("no such file"), "{message}");
    assert_eq!(folder.names(), ["ball.lab", "broken.lab", "lonely.lab"]);

    let message = refused(&folder, 2, &["run", "ball.lab", "--record", "a.txt"]);
    assert!(message.contains(".csv") && message.contains(".arrow"), "{message}");
    assert!(refused(&folder, 2, &["run", "ball.lab", "--events", "a.csv"]).contains(".json"));
    let twice = ["run", "ball.lab", "--record", "a.csv", "--record", "a.csv"];
    assert!(refused(&folder, 2, &twice).contains("twice"));
    assert!(refused(&folder, 2, &["run", "ball.lab", "--record", "no/a.csv"]).contains("no such folder"));
    assert!(
        refused(&folder, 2, &["run", "gone.lab"]).contains("gone.lab cannot be read: there is no such file")
    );
    let message = refused(&folder, 2, &["run", "two_spheres"]);
    assert!(message.contains("gedanken examples two_spheres --copy"), "{message}");
    assert!(refused(&folder, 2, &["trace", "two_spheres.lab"]).contains("examples two_spheres --copy"));
    assert_eq!(folder.names(), ["ball.lab", "broken.lab", "lonely.lab"]);
}

#[test]
fn a_law_that_fails_keeps_what_was_computed() {
    // Nothing is wrong until the speed has a denominator of zero, at t = 0.5, a frame.
    let folder = Folder::with(
        "fails",
        &[(
            "fails.lab",
            &BALL.replace("v = v0 + a * (t - t0)", "v = v0 + a * ((t - t0) / (if t == 0.5 then 0 else 1))"),
        )],
    );
    let (code, stdout, stderr) =
        outcome(&folder, &["run", "fails.lab", "--record", "a.csv", "--record", "a.arrow", "--json"]);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("error[E501]") && stderr.contains("fails.lab:"), "{stderr}");
    assert!(stderr.contains("is kept"), "{stderr}");
    let data: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(data["ending"], "failed");
    assert_eq!(folder.read("a.csv").lines().count(), 1 + 30, "frames 0 to 29");
    assert_eq!(data["frames"], 30);
    fine(&folder, &["export", "a.arrow", "b.csv"]);
    assert_eq!(folder.read("b.csv"), folder.read("a.csv"));
    // Looking at it shows what there is, and still says that it failed.
    let (code, stdout, _) = outcome(&folder, &["plot", "fails.lab", "ball.position#3", "--at", "0.25"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("ball.position#3"), "{stdout}");
}

#[test]
fn files_are_replaced_only_by_whole_ones() {
    let folder = ball("replace");
    folder.write("a.csv", "precious");
    fine(&folder, &["run", "ball.lab", "--record", "a.csv", "--until", "1"]);
    assert_eq!(folder.read("a.csv").lines().count(), 1 + 61);
    fine(&folder, &["run", "ball.lab", "--record", "a.arrow", "--until", "1"]);
    fine(&folder, &["run", "ball.lab", "--record", "a.arrow", "--until", "2"]);
    fine(&folder, &["export", "a.arrow", "b.csv"]);
    assert_eq!(folder.read("b.csv").lines().count(), 1 + 121);
    assert!(!folder.names().iter().any(|name| name.contains("part") || name.contains("finished")));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told_and_other_files_are_kept() {
    let folder = ball("full");
    for link in ["full.csv", "full.json", "full.arrow"] {
        std::os::unix::fs::symlink("/dev/full", folder.0.join(link)).unwrap();
    }
    for broken in [["--record", "full.csv"], ["--events", "full.json"], ["--record", "full.arrow"]] {
        let (code, _, stderr) =
            outcome(&folder, &[&["run", "ball.lab", "--record", "ok.csv"], &broken[..]].concat());
        assert_eq!(code, 1, "{broken:?}: {stderr}");
        assert!(stderr.contains(broken[1]) && stderr.contains("the disk is full"), "{broken:?}: {stderr}");
    }
    // A table is buffered, so that the run is well under way when the disk is full.
    let (_, stdout, _) = outcome(&folder, &["run", "ball.lab", "--record", "ok.csv", "--record", "full.csv"]);
    assert!(stdout.contains("written: ok.csv") && stdout.contains("cut short: full.csv"), "{stdout}");
    assert!(folder.read("ok.csv").lines().count() > 1);
    let (code, _, stderr) = outcome(&folder, &["export", "ball.lab", "full.csv"]);
    assert_eq!((code, stderr.contains("the disk is full")), (1, true), "{stderr}");
    std::os::unix::fs::symlink("/dev/full", folder.0.join("full.svg")).unwrap();
    let (code, _, stderr) = outcome(&folder, &["plot", "ball.lab", "ball.v", "--out", "full.svg"]);
    assert_eq!((code, stderr.contains("the disk is full")), (1, true), "{stderr}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_and_keeps_what_was_recorded() {
    let folder = ball("interrupt");
    let long = ["run", "ball.lab", "--until", "1e6", "--record", "a.arrow", "--record", "a.csv"];
    let child = command(&folder, &long).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // Long enough to have begun; the run itself would take minutes.
    wait_until("100 kB of a.csv", || folder.size("a.csv") > 100_000);
    let killed = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let output = finish(child, "the end of the interrupted run");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stdout.contains("(interrupted)") && stdout.contains("a.events.arrow"), "{stdout}");
    assert!(stderr.contains("everything until t = ") && stderr.contains(" of 1000000 is kept"), "{stderr}");
    fine(&folder, &["export", "a.arrow", "b.csv"]);
    assert_eq!(folder.read("a.csv"), folder.read("b.csv"));
}

#[cfg(unix)]
#[test]
fn a_run_that_is_killed_leaves_a_readable_recording() {
    let folder = ball("killed");
    let long = ["run", "ball.lab", "--until", "1e6", "--record", "a.arrow"];
    let mut child = command(&folder, &long).stdout(Stdio::null()).spawn().unwrap();
    wait_until("200 kB of a.arrow", || folder.size("a.arrow") > 200_000);
    child.kill().unwrap();
    child.wait().unwrap();
    let (code, stdout, stderr) = outcome(&folder, &["plot", "a.arrow", "ball.position#3", "--at", "0.5"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stderr.contains("a.arrow was cut"), "{stderr}");
    assert!(stdout.contains("ball.position#3"), "{stdout}");
}

#[test]
fn a_run_goes_on_where_another_ended() {
    let folder = ball("resume");
    let whole = fine(&folder, &["run", "ball.lab", "--hash", "--record", "whole.csv"]);
    fine(&folder, &["run", "ball.lab", "--until", "2.5", "--record", "half.arrow"]);
    let on = ["run", "ball.lab", "--resume", "half.arrow", "--record", "on.csv", "--hash"];
    assert_eq!(fine(&folder, &on), whole);
    assert_eq!(folder.read("on.csv"), folder.read("whole.csv"));
    let earlier = [&on[..], &["--frame", "75"]].concat();
    assert_eq!(fine(&folder, &earlier), whole);
    assert_eq!(folder.read("on.csv"), folder.read("whole.csv"));
    assert!(refused(&folder, 2, &[&on[..], &["--frame", "900"]].concat()).contains("frames 0 to 150"));
    assert!(refused(&folder, 2, &["run", "ball.lab", "--frame", "9"]).contains("--resume"));
    assert!(refused(&folder, 2, &["run", "ball.lab", "--resume", "whole.csv"]).contains(".arrow"));
    assert!(refused(&folder, 2, &["run", "half.arrow"]).contains("--resume half.arrow"));
    folder.write("other.lab", &BALL.replace("ball", "apple"));
    assert!(refused(&folder, 2, &["run", "other.lab", "--resume", "half.arrow"]).contains("other things"));
}

#[test]
fn measures_have_verdicts() {
    // Between bounces, g z + v²/2 stays what it was: 9.81 · 5 + 1/2 until the first one.
    let measure = |expected: &str| {
        format!(
            "{BALL}\nmeasure energy {{\n    of = {{ball}}\n    value = 0.5 * (v . v) - a . position\n    at = 0.5\n    expected = {expected}\n    tolerance = 1e-9\n}}\n"
        )
    };
    let folder = Folder::with("measures", &[("right.lab", &measure("49.55")), ("wrong.lab", &measure("50"))]);
    let text = fine(&folder, &["run", "right.lab"]);
    assert!(text.contains("energy") && text.contains("ok"), "{text}");
    let data = json(&folder, &["run", "right.lab", "--json"]);
    assert_eq!(data["measures"][0]["ok"], true);
    near(data["measures"][0]["measured"].as_f64().unwrap(), 49.55);
    let (code, stdout, stderr) = outcome(&folder, &["run", "wrong.lab"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("missed by 0.45"), "{stdout}");
    assert!(stderr.contains("energy") && stderr.contains("expected 50"), "{stderr}");
    // A run that does not come that far says so, and is not to blame.
    let text = fine(&folder, &["run", "wrong.lab", "--until", "0.25"]);
    assert!(text.contains("not reached"), "{text}");
}

#[test]
fn events_are_listed_filtered_and_told() {
    let folder = ball("trace");
    fine(&folder, &["run", "ball.lab", "--record", "a.arrow", "--quiet"]);
    let list = fine(&folder, &["trace", "a.arrow"]);
    assert_eq!(list, fine(&folder, &["trace", "ball.lab"]), "from a recording and from the experiment");
    assert!(list.contains("collision") && list.contains("bounce") && list.contains("ball, floor"), "{list}");
    let all = json(&folder, &["trace", "a.arrow", "--json"]);
    let collisions = json(&folder, &["trace", "a.arrow", "--json", "--kind", "collision"]);
    let collisions = collisions.as_array().unwrap();
    assert!(!collisions.is_empty() && collisions.len() < all.as_array().unwrap().len());
    assert!(collisions.iter().all(|it| it["kind"] == "collision"));
    let late = json(&folder, &["trace", "a.arrow", "--json", "--from", "2", "--to", "3"]);
    assert!(late.as_array().unwrap().iter().all(|it| (2.0..=3.0).contains(&it["time"].as_f64().unwrap())));
    let both = json(&folder, &["trace", "a.arrow", "--json", "--objects", "floor,ball", "--limit", "2"]);
    assert_eq!(both.as_array().unwrap().len(), 2);
    assert!(fine(&folder, &["trace", "a.arrow", "--from", "0.1", "--to", "0.2"]).starts_with("0 of "));

    let index = collisions[0]["index"].to_string();
    let page = fine(&folder, &["trace", "a.arrow", "--event", &index]);
    for words in ["collision of ball, floor", "before", "after", "v#3", "*", "restitution"] {
        assert!(page.contains(words), "{words} in {page}");
    }
    let one = json(&folder, &["trace", "a.arrow", "--event", &index, "--json"]);
    assert_eq!(one[0], collisions[0]);
    assert!(refused(&folder, 2, &["trace", "a.arrow", "--event", "9999"]).contains("events 0 to"));
    assert!(refused(&folder, 2, &["trace", "a.arrow", "--objects", "bal"]).contains("did you mean ball?"));
    assert!(refused(&folder, 2, &["trace", "a.arrow", "--kind", "crash"]).contains("collision or contact"));
    assert!(
        refused(&folder, 2, &["trace", "a.arrow", "--threads", "3"])
            .contains("cannot be used with a recording (a.arrow)")
    );
    assert!(refused(&folder, 2, &["trace", "a.csv"]).contains("no such file"));
}

#[test]
fn plots_are_drawn_written_and_printed() {
    let folder = ball("plot");
    fine(&folder, &["run", "ball.lab", "--record", "a.arrow", "--quiet"]);
    let drawn = fine(&folder, &["plot", "a.arrow", "ball.position#3", "norm(ball.v)"]);
    assert!(drawn.contains("norm(ball.v)") && drawn.contains('┤'), "{drawn}");
    assert!(fine(&folder, &["plot", "a.arrow", "ball.v", "--ascii"]).is_ascii());
    assert!(fine(&folder, &["plot", "ball.lab"]).contains("ball.position#3"), "something worth a look");

    assert_eq!(fine(&folder, &["plot", "a.arrow", "ball.position", "--out", "a.svg"]), "a.svg written\n");
    let svg = folder.read("a.svg");
    assert!(
        svg.starts_with("<svg") && svg.contains("ball.position#2") && svg.contains("ball: drop"),
        "{svg}"
    );
    let titled = [
        "plot",
        "a.arrow",
        "ball.v#3",
        "--against",
        "ball.position#3",
        "--out",
        "a.svg",
        "--title",
        "Phases",
    ];
    fine(&folder, &titled);
    assert!(folder.read("a.svg").contains("<title>Phases</title>"));

    let data =
        json(&folder, &["plot", "a.arrow", "ball.v#3", "--x", "ball.position#3", "--to", "0.5", "--json"]);
    assert_eq!(data["against"], "ball.position#3");
    let points = |key: &str| -> Vec<f64> {
        data["series"][0][key].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect()
    };
    let (z, v) = (points("x"), points("y"));
    // Frames, and both sides of the event that lets the ball fall.
    assert_eq!(z.len(), 31 + 2);
    for (z, v) in z.iter().zip(v) {
        near(v * v, 2.0 * 9.81 * (5.0 - z));
    }

    let t = 0.512_345;
    let data = json(&folder, &["plot", "a.arrow", "ball.position#3", "--at", &t.to_string(), "--json"]);
    near(data["series"][0]["value"].as_f64().unwrap(), 5.0 - 0.5 * 9.81 * t * t);
    near(data["series"][0]["derivative"].as_f64().unwrap(), -9.81 * t);

    let message = refused(&folder, 2, &["plot", "a.arrow", "ball.positon"]);
    assert!(message.contains("did you mean `ball.position`?") && message.contains("ball.size"), "{message}");
    assert!(refused(&folder, 2, &["plot", "a.arrow", "ball.v#4"]).contains("vector of 3"));
    assert!(refused(&folder, 2, &["plot", "a.arrow", "ball.v", "--x", "ball.v"]).contains("one axis"));
    assert!(refused(&folder, 2, &["plot", "a.arrow", "ball.v", "--at", "7"]).contains("from t = 0 to 6"));
    assert!(refused(&folder, 2, &["plot", "a.arrow", "ball.v", "--out", "a.png"]).contains(".svg"));
}

#[test]
fn any_expression_is_a_curve() {
    let folder = ball("formula");
    fine(&folder, &["run", "ball.lab", "--record", "a.arrow", "--quiet"]);
    let energy = "0.5*norm(ball.v)^2 - a . ball.position";
    let data = json(&folder, &["plot", "a.arrow", energy, "--to", "0.9", "--json"]);
    assert_eq!(data["series"][0]["name"], energy);
    let values = data["series"][0]["y"].as_array().unwrap();
    assert!(values.len() > 50);
    for value in values {
        near(value.as_f64().unwrap(), 0.5 + 9.81 * 5.0);
    }
    let t = 0.512_345;
    let data = json(&folder, &["plot", "a.arrow", "2*ball.v", "--at", &t.to_string(), "--json"]);
    assert_eq!(data["series"][2]["name"], "(2*ball.v)#3");
    near(data["series"][2]["value"].as_f64().unwrap(), -2.0 * 9.81 * t);
    near(data["series"][2]["derivative"].as_f64().unwrap(), -2.0 * 9.81);

    let (code, stdout, stderr) =
        outcome(&folder, &["plot", "a.arrow", "1/ball.v#3", "--to", "0.5", "--json"]);
    assert_eq!((code, stderr.as_str()), (0, "1/ball.v#3 has no value at t = 0: division by zero\n"));
    assert!(stdout.contains("null") && stdout.contains("-0.2"), "{stdout}");
    let message = refused(&folder, 2, &["plot", "a.arrow", "ball.v + nrom(ball.v)"]);
    assert!(message.contains("formula:1:10") && message.contains("did you mean `norm`?"), "{message}");
    assert!(refused(&folder, 2, &["plot", "a.arrow", "t", "--x", "ball.v + 1"]).contains("E301"));
}

#[test]
fn what_is_no_recording_is_said_to_be_none() {
    let folder = ball("garbage");
    fine(&folder, &["run", "ball.lab", "--record", "a.arrow", "--quiet"]);
    folder.write("text.arrow", "this is no arrow");
    for file in ["text.arrow", "a.events.arrow"] {
        let (code, stdout, stderr) = outcome(&folder, &["trace", file]);
        assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
        assert!(stderr.contains(file), "{stderr}");
    }
    assert!(refused(&folder, 1, &["trace", "a.events.arrow"]).contains("name that one"));
    fs::remove_file(folder.0.join("a.events.arrow")).unwrap();
    let (code, _, stderr) = outcome(&folder, &["plot", "a.arrow", "ball.v"]);
    assert_eq!(code, 0, "frames alone can be plotted");
    assert!(stderr.contains("a.events.arrow"), "{stderr}");
}

#[test]
fn a_reader_may_leave_early() {
    let folder = ball("pipe");
    for arguments in [["trace", "ball.lab", "--json"], ["plot", "ball.lab", "--json"]] {
        let mut child =
            command(&folder, &arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(first_line(child.stdout.take().unwrap(), "the first line"));
        let output = finish(child, "the end after its reader left");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(0));
    }
}

//! `sweep` from outside: rows, their order, summaries, refusals, and what an interruption leaves.

use crate::support::{BALL, Folder, finish, outcome, signal, start, wait_until};
use serde_json::Value;
use std::fs;

/// The bouncing ball with two measures: one at the end, one at its own time.
fn ball(name: &str) -> Folder {
    let measures = "measure apex {\n    of = {ball}\n    value = position # 3 - size + (v # 3)^2 / (2 * norm(a))\n}\n\
                    measure fallen {\n    of = {ball}\n    value = 5 - position # 3\n    at = 0.5\n    expected = 1\n    tolerance = 1\n}\n";
    Folder::with(name, &[("ball.lab", &format!("{BALL}\n{measures}"))])
}

/// What a command prints that succeeds and has nothing to complain about, without its wall time.
fn fine(folder: &Folder, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = outcome(folder, arguments);
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}: {stdout}");
    without_time(&stdout)
}

fn without_time(summary: &str) -> String {
    let lines = summary.lines().filter(|line| !line.trim_start().starts_with("computed in "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Rows of a table, without its head.
fn rows(csv: &str) -> Vec<Vec<String>> {
    csv.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// The fence of `docs/sweeps.md` that begins with these words.
fn fence(words: &str) -> String {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/sweeps.md")).unwrap();
    let (_, rest) = page.split_once(&format!("```{words}\n")).unwrap_or_else(|| panic!("a fence of {words}"));
    rest.split_once("```").unwrap().0.to_owned()
}

#[test]
fn the_page_keeps_its_word() {
    let folder = Folder::with("sweep-page", &[("toss.lab", &fence("lab"))]);
    let command = fence("sh");
    let arguments: Vec<&str> = command.split_whitespace().skip(1).collect();
    assert_eq!(fine(&folder, &arguments), fence("text"));
    let table = folder.read("tosses.csv");
    assert!(table.starts_with(&fence("csv")), "docs/sweeps.md should show\n{}", &table[..400]);
    assert_eq!(table.lines().count(), 1001);
    // Any row is that of a run alone.
    let row = &rows(&table)[2];
    let hash = fine(&folder, &["run", "toss.lab", "--set", "seed=3", "--hash"]);
    assert_eq!((row[0].as_str(), hash.trim()), ("3", row[5].as_str()));
}

#[test]
fn rows_are_the_same_with_any_number_of_threads() {
    let folder = ball("sweep-threads");
    let sweep = |threads: &str, out: &str| {
        let over = ["--over", "ball.size=0.3,0.5", "--over", "restitution=0.4:0.9:0.05"];
        let collect = ["--collect", "apex,fallen,ball.v", "--threads", threads, "--record", out];
        fine(&folder, &[&["sweep", "ball.lab"], &over[..], &collect[..]].concat());
        folder.read(out)
    };
    let (one, json) = (sweep("1", "one.csv"), sweep("1", "one.json"));
    assert_eq!(one.lines().count(), 23);
    for threads in ["2", "3"] {
        assert!(
            sweep(threads, "more.csv") == one && sweep(threads, "more.json") == json,
            "{threads} threads"
        );
    }
    let list: Value = serde_json::from_str(&json).unwrap();
    let (list, rows) = (list.as_array().unwrap(), rows(&one));
    assert_eq!(list.len(), rows.len());
    for (object, row) in list.iter().zip(&rows) {
        assert_eq!(object["hash"], row[9].as_str());
        let real = |place: usize| row[place].parse::<f64>().unwrap();
        assert_eq!(object["parameters"]["ball.size"], real(0));
        assert_eq!(object["values"]["apex"], real(2));
        assert_eq!(object["values"]["ball.v"], serde_json::json!([real(4), real(5), real(6)]));
    }
    // The last parameter varies fastest, and each row has its own values.
    assert_eq!(
        one.lines().next(),
        Some("ball.size,restitution,apex,fallen,ball.v#1,ball.v#2,ball.v#3,t,events,hash,notices,failure")
    );
    let places: Vec<(f64, f64)> =
        rows.iter().map(|row| (row[0].parse().unwrap(), row[1].parse().unwrap())).collect();
    let restitutions = [0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9];
    let expected: Vec<(f64, f64)> =
        [0.3, 0.5].into_iter().flat_map(|size| restitutions.map(|restitution| (size, restitution))).collect();
    assert_eq!(places, expected);
}

#[test]
fn measures_are_taken_at_their_time_and_formulas_at_the_end() {
    let folder = ball("sweep-times");
    let over = ["sweep", "ball.lab", "--over", "restitution=0.5,0.9"];
    fine(
        &folder,
        &[&over[..], &["--collect", "fallen,max(ball.v # 1, 0), t", "--record", "a.csv", "--until", "1"]]
            .concat(),
    );
    for row in rows(&folder.read("a.csv")) {
        let real = |place: usize| row[place].parse::<f64>().unwrap();
        assert!((real(1) - 0.5 * 9.81 * 0.25).abs() < 1e-12, "{row:?}");
        assert_eq!((real(2), real(3), real(4)), (1.0, 1.0, 1.0));
    }
    // A time that is not reached has no value; without a name all measures are taken.
    fine(&folder, &[&over[..], &["--record", "b.csv", "--until", "0.25"]].concat());
    let table = folder.read("b.csv");
    assert!(table.starts_with("restitution,apex,fallen,t,"), "{table}");
    assert!(rows(&table).iter().all(|row| row[2].is_empty() && !row[1].is_empty()), "{table}");
}

#[test]
fn a_run_that_fails_has_a_row_that_says_why() {
    let folder = ball("sweep-fails");
    let arguments = [
        "sweep",
        "ball.lab",
        "--over",
        "ball.size=-1,0.5,0,1",
        "--collect",
        "apex",
        "--record",
        "a.csv",
        "--record",
        "a.json",
    ];
    let (code, stdout, stderr) = outcome(&folder, &arguments);
    assert_eq!(code, 1);
    insta::assert_snapshot!(without_time(&stdout) + &stderr);
    let table = folder.read("a.csv");
    let rows = rows(&table);
    let reached: Vec<bool> = rows.iter().map(|row| !row[1].is_empty()).collect();
    assert_eq!(reached, [false, true, false, true], "{table}");
    assert!(table.lines().nth(1).unwrap().contains("E710: "), "{table}");
    let list: Value = serde_json::from_str(&folder.read("a.json")).unwrap();
    assert!(list[0]["failure"].as_str().unwrap().starts_with("E710: ") && list[1]["failure"].is_null());
    // A law that fails while it runs keeps what was reached.
    let fails =
        BALL.replace("v = v0 + a * (t - t0)", "v = v0 + a * ((t - t0) / (if t == 0.5 then 1 - on else 1))");
    folder.write("fails.lab", &fails.replace("restitution = 0.8", "restitution = 0.8\n    on = 0"));
    let (code, _, stderr) = outcome(
        &folder,
        &["sweep", "fails.lab", "--over", "on=0:1", "--collect", "ball.v", "--record", "b.csv"],
    );
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("1 of 2 runs failed, first that with on = 1: E501"), "{stderr}");
    let last = folder.read("b.csv").lines().last().unwrap().to_owned();
    assert!(last.starts_with("1,,,,0.48"), "{last}");
}

#[test]
fn refusals_name_the_mistake_and_the_way_out() {
    let folder = ball("sweep-refusals");
    folder.write("bare.lab", BALL);
    let cases: [&[&str]; 15] = [
        &["ball.lab"],
        &["ball.lab", "--over", "restitution"],
        &["ball.lab", "--over", "restitution=1:0"],
        &["ball.lab", "--over", "restitution=0:1:0"],
        &["ball.lab", "--over", "restitution=0:1:1e-9"],
        &["ball.lab", "--over", "restitution=0:1:0.0001", "--over", "ball.size=1:10000"],
        &["ball.lab", "--over", "restitution=0,1", "--over", "restitution=1"],
        &["ball.lab", "--over", "restitution=0,1", "--set", "restitution=1"],
        &["ball.lab", "--over", "restitutoin=0,1"],
        &["ball.lab", "--over", "ball.v=0,1"],
        &["ball.lab", "--over", "restitution=0,1", "--collect", "apx"],
        &["ball.lab", "--over", "restitution=0,1", "--record", "a.arrow"],
        &["ball.lab", "--over", "restitution=0,1", "--record", "a.csv", "--record", "./a.csv"],
        &["bare.lab", "--over", "restitution=0,1"],
        &["drop.arrow", "--over", "restitution=0,1"],
    ];
    let said = cases.map(|arguments| {
        let (code, stdout, stderr) = outcome(&folder, &[&["sweep"], arguments].concat());
        assert!((code == 1 || code == 2) && stdout.is_empty(), "{arguments:?}: {code} {stdout}{stderr}");
        format!("── {}\nexit code {code}\n{stderr}", arguments.join(" "))
    });
    insta::assert_snapshot!(said.join("\n"));
    assert_eq!(folder.names(), ["ball.lab", "bare.lab"], "nothing was begun");
    let table = format!("{}/ball.lab.csv", folder.0.display());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("ball.lab", &table).unwrap();
        let (code, _, stderr) =
            outcome(&folder, &["sweep", "ball.lab", "--over", "restitution=0,1", "--record", "ball.lab.csv"]);
        assert!(code == 2 && stderr.contains("is the same file as ball.lab, which is read"), "{stderr}");
        assert!(folder.read("ball.lab").contains("A ball falls"));
    }
}

#[test]
fn json_holds_rows_and_summary() {
    let folder = ball("sweep-json");
    let (code, stdout, stderr) =
        outcome(&folder, &["sweep", "ball.lab", "--over", "restitution=0.2:0.9:0.1", "--json"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let data: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(data["rows"].as_array().unwrap().len(), 8);
    let summary = &data["summary"];
    assert_eq!(
        (&summary["runs"], &summary["failed"], &summary["ending"]),
        (&8.into(), &0.into(), &"complete".into())
    );
    let apexes: Vec<f64> =
        data["rows"].as_array().unwrap().iter().map(|row| row["values"]["apex"].as_f64().unwrap()).collect();
    let quantity = &summary["quantities"][0];
    assert_eq!((&quantity["name"], &quantity["count"]), (&"apex".into(), &8.into()));
    assert_eq!(quantity["max"].as_f64().unwrap(), apexes.iter().copied().fold(0.0, f64::max));
    let fallen = &summary["quantities"][1];
    assert_eq!((&fallen["counts"][0]["count"], &fallen["equal_frequencies"]), (&8.into(), &Value::Null));
}

/// Ctrl-C keeps the rows so far: whole rows, in their order, in files that other programs can read.
#[cfg(unix)]
#[test]
fn an_interrupted_sweep_keeps_its_rows() {
    let folder = ball("sweep-interrupted");
    for (name, code) in [("INT", 130), ("TERM", 143)] {
        let arguments = ["--over", "restitution=0:1:0.000001", "--record", "a.csv", "--record", "a.json"];
        let child = start(&folder, &[&["sweep", "ball.lab"], &arguments[..]].concat());
        let size = |folder: &Folder| folder.size("a.csv").max(folder.size("a.csv.part"));
        let before = folder.size("a.csv");
        wait_until("some rows", || size(&folder) > before.max(1000) && folder.names().len() > 2);
        signal(&child, name);
        let output = finish(child, "the end of the interrupted sweep");
        let (stdout, stderr) = (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        );
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert!(
            stderr.contains("the sweep ended early (interrupted); ")
                && stderr.contains(" of 1,000,001 runs are kept"),
            "{stderr}"
        );
        assert!(stdout.contains(" runs of 1,000,001 over restitution"), "{stdout}");
        let table = folder.read("a.csv");
        let rows = rows(&table);
        let first: Vec<f64> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
        assert!(first.len() > 5 && first.windows(2).all(|pair| pair[0] < pair[1]), "{table}");
        assert!(rows.iter().all(|row| row.len() == rows[0].len() || table.contains('"')), "{table}");
        let list: Value = serde_json::from_str(&folder.read("a.json")).unwrap();
        assert_eq!(list.as_array().unwrap().len(), rows.len());
        assert_eq!(folder.names(), ["a.csv", "a.json", "ball.lab"], "nothing is left over");
    }
}

/// A kill leaves whole rows, and a list that has been ended.
#[cfg(unix)]
#[test]
fn a_killed_sweep_leaves_whole_rows() {
    let folder = ball("sweep-killed");
    let child =
        start(&folder, &["sweep", "ball.lab", "--over", "restitution=0:1:0.000001", "--record", "a.json"]);
    wait_until("some rows", || folder.size("a.json") > 10_000);
    signal(&child, "KILL");
    finish(child, "the end of the killed sweep");
    let text = folder.read("a.json");
    let end = text.rfind("\n]\n").expect("the list was ended with every flush");
    let list: Value = serde_json::from_str(&text[..end + 3]).unwrap();
    assert!(list.as_array().unwrap().len() > 5);
}

//! Outputs of a run: one writer each, none over what is read, and what killed runs left is kept.

use super::texts::library;
use super::{ball, fine, frames, refused};
use crate::support::{Folder, finish, outcome, signal, start, wait_until};
use std::fs;

const LONG: [&str; 4] = ["run", "ball.lab", "--until", "1e6"];

/// A run that records to these places and does not end by itself.
fn endless(folder: &Folder, outputs: &[&str]) -> std::process::Child {
    let records = outputs.iter().flat_map(|output| ["--record", output]);
    start(folder, &LONG.into_iter().chain(records).collect::<Vec<_>>())
}

/// Names of files with a date in them.
fn dated(folder: &Folder) -> Vec<String> {
    folder.names().into_iter().filter(|name| name.contains("Z.")).collect()
}

#[cfg(unix)]
#[test]
fn one_file_has_one_run() {
    let folder = ball("two-runs");
    // Under its own name, then beside the file that it will replace.
    for growing in ["a.arrow", "a.arrow.part"] {
        let mut first = endless(&folder, &["a.arrow"]);
        wait_until("the first batch", || folder.size(growing) > 20_000);
        let before = folder.names();
        for second in [&["a.arrow"][..], &["new.csv", "a.arrow"], &["a.events.arrow"]] {
            let outputs = second.iter().flat_map(|output| ["--record", output]);
            let arguments: Vec<&str> = ["run", "ball.lab"].into_iter().chain(outputs).collect();
            let stderr = refused(&folder, 2, &arguments);
            assert!(stderr.contains("is writing it at this moment; wait"), "{stderr}");
            if cfg!(target_os = "linux") {
                assert!(stderr.contains(&format!("process {}", first.id())), "{stderr}");
            }
            assert_eq!(folder.names(), before, "{second:?} has touched nothing");
        }
        let stderr = refused(&folder, 2, &["export", "ball.lab", "a.arrow"]);
        assert!(stderr.contains("a.arrow cannot be written"), "{stderr}");
        signal(&first, "INT");
        assert_eq!(first.wait().unwrap().code(), Some(130));
        assert!(frames(&folder, "a.arrow") > 64);
    }
}

/// Whoever says that it has written a file has written it, and one of many has it at a time.
#[test]
fn many_at_once_write_whole_files() {
    let folder = ball("many-runs");
    let (untidy, tidy) = library(300);
    let commands: [(&[&str], &str); 4] = [
        (&["run", "ball.lab", "--until", "20", "--record", "a.arrow", "--quiet"], "a.arrow"),
        (&["run", "ball.lab", "--until", "20", "--record", "a.csv", "--quiet"], "a.csv"),
        (&["new", "ramp"], "ramp.lab"),
        (&["fmt", "a.vfl"], "a.vfl"),
    ];
    for (arguments, name) in commands {
        for round in 0..3 {
            folder.write("a.vfl", &untidy);
            let children: Vec<_> = (0..6).map(|_| start(&folder, arguments)).collect();
            let mut codes = Vec::new();
            for child in children {
                let output = finish(child, "the end of one of many");
                let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(!stderr.contains("panicked"), "{stderr}");
                codes.push((output.status.code(), stderr));
            }
            let done = codes.iter().filter(|(code, _)| *code == Some(0)).count();
            let is_repeated = name == "ramp.lab" && round > 0;
            assert!(codes.iter().all(|(code, _)| matches!(code, Some(0 | 2))), "{arguments:?}: {codes:?}");
            assert!(is_repeated || done >= 1, "{arguments:?}: {codes:?}");
            match name {
                "a.arrow" => assert_eq!(frames(&folder, name), 1201),
                "a.csv" => assert_eq!(folder.read(name).lines().count(), 1202),
                "ramp.lab" => assert!(done == usize::from(round == 0) && folder.size(name) > 0, "{codes:?}"),
                _ => assert!(done == 6 && folder.read(name) == tidy, "{codes:?}"),
            }
        }
    }
    let names = ["a.arrow", "a.csv", "a.events.arrow", "a.vfl", "ball.lab", "ramp.lab"];
    assert_eq!(folder.names(), names, "nothing is left");
}

#[cfg(unix)]
#[test]
fn what_a_killed_run_left_is_kept_and_can_be_resumed() {
    let folder = ball("left");
    // First under its own name, then, with something to replace, as a part.
    for growing in ["a.arrow", "a.arrow.part"] {
        let mut killed = endless(&folder, &["a.arrow"]);
        wait_until("some batches", || folder.size(growing) > 100_000);
        killed.kill().unwrap();
        killed.wait().unwrap();
        let left = frames(&folder, growing);
        let (code, _, stderr) = outcome(&folder, &["run", "ball.lab", "--record", "a.arrow", "--quiet"]);
        assert_eq!(code, 0, "{stderr}");
        let [kept, events] = &dated(&folder)[..] else { panic!("{:?}", folder.names()) };
        assert!(kept.starts_with("a.2") && kept.ends_with("Z.arrow"), "{kept}");
        assert_eq!(*events, kept.replace("Z.arrow", "Z.events.arrow"));
        assert!(stderr.contains(growing) && stderr.contains(&format!("--resume {kept}")), "{stderr}");
        assert_eq!(frames(&folder, kept), left);
        assert_eq!(frames(&folder, "a.arrow"), 361);
        let resumed = start(&folder, &[&LONG[..], &["--resume", kept, "--record", "on.arrow"]].concat());
        wait_until("what was left and more", || folder.size("on.arrow") > folder.size(kept) + 10_000);
        signal(&resumed, "INT");
        let output = finish(resumed, "the end of the resumed run");
        assert_eq!(output.status.code(), Some(130), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(frames(&folder, "on.arrow") > left);
        for name in folder.names().iter().filter(|name| name.contains("Z.") || name.starts_with("on.")) {
            fs::remove_file(folder.0.join(name)).unwrap();
        }
        assert_eq!(folder.names(), ["a.arrow", "a.events.arrow", "ball.lab"]);
    }
}

#[test]
fn parts_without_rows_are_removed_and_tables_are_kept() {
    let folder = ball("parts");
    fine(&folder, &["run", "ball.lab", "--record", "a.csv", "--events", "a.json", "--quiet"]);
    let (table, events) = (folder.read("a.csv"), folder.read("a.json"));
    let head = table.lines().next().unwrap();
    folder.write("a.csv.part", &format!("{head}\n"));
    folder.write("a.json.part", "[\n]\n");
    fine(&folder, &["run", "ball.lab", "--record", "a.csv", "--events", "a.json", "--quiet"]);
    assert_eq!(folder.names(), ["a.csv", "a.json", "ball.lab"]);
    folder.write("a.csv.part", &table);
    folder.write("a.json.part", &events);
    let (code, _, stderr) =
        outcome(&folder, &["run", "ball.lab", "--record", "a.csv", "--events", "a.json", "--quiet"]);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stderr.lines().filter(|line| line.contains("kept as")).count(), 2, "{stderr}");
    let kept = dated(&folder);
    assert_eq!(kept.len(), 2, "{kept:?}");
    assert_eq!((folder.read(&kept[0]), folder.read(&kept[1])), (table, events));
}

#[test]
fn outputs_that_would_be_one_file_are_refused() {
    let folder = ball("collide");
    let record = |outputs: &[&str]| {
        let outputs = outputs.iter().flat_map(|output| ["--record", output]);
        let arguments: Vec<&str> = ["run", "ball.lab"].into_iter().chain(outputs).collect();
        let stderr = refused(&folder, 2, &arguments);
        assert_eq!(folder.names(), ["ball.lab"], "{arguments:?}");
        stderr
    };
    for outputs in [["tw.arrow", "tw.events.arrow"], ["tw.events.arrow", "tw.arrow"]] {
        let stderr = record(&outputs);
        assert!(stderr.contains("tw.arrow") && stderr.contains("both write to tw.events.arrow"), "{stderr}");
    }
    assert!(record(&["a.csv", "a.csv"]).contains("twice"));
    assert!(record(&["a.csv", "./a.csv"]).contains("both write to"));
    assert!(refused(&folder, 2, &["export", "ball.lab", "a.csv", "./a.csv"]).contains("both write to"));
}

#[cfg(unix)]
#[test]
fn nothing_that_is_read_is_written_over() {
    use std::os::unix::fs::symlink;
    let folder = ball("inputs");
    let text = format!("import \"lib.vfl\"\n{}", folder.read("ball.lab"));
    folder.write("lib.vfl", "f(x) = x\n");
    folder.write("ball.lab", &text);
    fine(&folder, &["run", "ball.lab", "--record", "rec.arrow", "--quiet"]);
    let recorded = fs::read(folder.0.join("rec.arrow")).unwrap();
    for (k, name) in ["ball.lab", "lib.vfl", "rec.arrow", "rec.events.arrow"].into_iter().enumerate() {
        for ending in ["csv", "json", "svg", "arrow"] {
            symlink(name, folder.0.join(format!("soft{k}.{ending}"))).unwrap();
            fs::hard_link(folder.0.join(name), folder.0.join(format!("hard{k}.{ending}"))).unwrap();
        }
    }
    let before = folder.names();
    let refuse = |arguments: &[&str]| {
        let stderr = refused(&folder, 2, arguments);
        assert!(stderr.contains("is the same file as"), "{arguments:?}: {stderr}");
    };
    for link in ["soft0", "hard0", "soft1", "hard1"] {
        refuse(&["run", "ball.lab", "--record", &format!("{link}.csv")]);
        refuse(&["run", "ball.lab", "--record", &format!("{link}.arrow")]);
        refuse(&["run", "ball.lab", "--events", &format!("{link}.json")]);
        refuse(&["export", "ball.lab", &format!("{link}.csv")]);
        refuse(&["plot", "ball.lab", "--out", &format!("{link}.svg")]);
    }
    for link in ["soft2", "hard2", "soft3", "hard3"] {
        refuse(&["export", "rec.arrow", &format!("{link}.csv")]);
        refuse(&["plot", "rec.arrow", "--out", &format!("{link}.svg")]);
        refuse(&["run", "ball.lab", "--resume", "rec.arrow", "--record", &format!("{link}.csv")]);
    }
    assert_eq!(folder.names(), before);
    assert_eq!(folder.read("ball.lab"), text);
    assert_eq!(fs::read(folder.0.join("rec.arrow")).unwrap(), recorded);
    // A recording may be continued in its own place: all of it has been read.
    fine(&folder, &["run", "ball.lab", "--resume", "rec.arrow", "--record", "rec.arrow", "--quiet"]);
    assert_eq!(frames(&folder, "rec.arrow"), 361);
}

#[cfg(unix)]
#[test]
fn a_removed_target_is_written_again_or_missed() {
    let folder = ball("removed");
    fs::create_dir(folder.0.join("inner")).unwrap();
    let files = ["a.csv", "a.arrow"];
    let child = endless(&folder, &files);
    wait_until("some batches", || folder.size("a.arrow") > 100_000);
    ["a.csv", "a.arrow", "a.events.arrow"]
        .iter()
        .for_each(|name| fs::remove_file(folder.0.join(name)).unwrap());
    signal(&child, "INT");
    let output = finish(child, "the end of the run without files");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert_eq!(frames(&folder, "a.arrow"), folder.read("a.csv").lines().count() - 1);

    let child = endless(&folder, &["inner/a.csv", "inner/a.arrow"]);
    wait_until("some batches", || folder.size("inner/a.arrow") > 100_000);
    fs::remove_dir_all(folder.0.join("inner")).unwrap();
    signal(&child, "INT");
    let output = finish(child, "the end of the run without a folder");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("inner/a.csv") && stderr.contains("folder was removed"), "{stderr}");
    assert!(!stdout.contains("written:") && !stdout.contains("cut short:"), "{stdout}");
}

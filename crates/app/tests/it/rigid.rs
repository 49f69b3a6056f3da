//! `run`, `trace`, `plot`, `export` and `check` on rigid bodies: the same files, numbers and answers as for
//! contexts.

use crate::support::{Folder, outcome};
use serde_json::Value;

/// A ball of radius 0.5 falls by 2 and comes back with half of its speed.
const DROP: &str = "world attributes {
    g = 9.81
}
object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = {
        position = [0, 0, 2.5]
        size = 0.5
        mass = 2
        restitution = 0.5
    }
}
object {
    name = floor
    physical type = static
    geometrical type = half space
    attributes = {
        position = [0, 0, 0]
        restitution = 0.5
    }
}
measure fall {
    of = {ball}
    value = position # 3
    at = 0.5
    expected = 2.5 - 0.5 * g * 0.5^2
    tolerance = 1e-9
}
simulation {
    name = drop
    mechanics = rigid
    duration = 2
    gravity = [0, 0, -g]
}
";

fn folder(name: &str) -> Folder {
    Folder::with(name, &[("drop.lab", DROP)])
}

fn fine(folder: &Folder, arguments: &[&str]) -> String {
    let (code, stdout, stderr) = outcome(folder, arguments);
    assert_eq!((code, stderr.as_str()), (0, ""), "{arguments:?}: {stdout}");
    stdout
}

fn json(folder: &Folder, arguments: &[&str]) -> Value {
    serde_json::from_str(&fine(folder, arguments)).expect("--json prints JSON")
}

#[test]
fn a_run_is_the_same_with_any_threads_and_goes_on_where_it_ended() {
    let folder = folder("rigid-run");
    let text = fine(&folder, &["run", "drop.lab", "--record", "whole.csv"]);
    for words in ["drop.lab: drop", "2 objects, 121 frames, t = 0 to 2", "fall", "ok"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let hash = fine(&folder, &["run", "drop.lab", "--hash"]);
    for option in [&["--threads", "1"][..], &["--threads", "2"], &["--interpret"]] {
        assert_eq!(hash, fine(&folder, &[&["run", "drop.lab", "--hash"], option].concat()));
    }
    assert_ne!(hash, fine(&folder, &["run", "drop.lab", "--hash", "--set", "g=1.62"]));
    fine(&folder, &["run", "drop.lab", "--until", "0.9", "--record", "half.arrow"]);
    let on = ["run", "drop.lab", "--resume", "half.arrow", "--record", "on.csv", "--hash"];
    assert_eq!(fine(&folder, &on), hash);
    assert_eq!(folder.read("on.csv"), folder.read("whole.csv"));
}

#[test]
fn columns_and_events_are_written_and_read_again() {
    let folder = folder("rigid-files");
    fine(&folder, &["run", "drop.lab", "--record", "a.csv", "--record", "a.arrow", "--events", "e.json"]);
    let csv = folder.read("a.csv");
    let header: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    for column in ["t", "total_energy", "converged", "ball.position#3", "ball.kinetic_energy", "ball.at_rest"]
    {
        assert!(header.contains(&column), "{column} in {header:?}");
    }
    fine(&folder, &["export", "a.arrow", "b.csv", "b.json"]);
    assert_eq!(folder.read("b.csv"), csv);
    assert_eq!(folder.read("b.json"), folder.read("e.json"));
    let events: Value = serde_json::from_str(&folder.read("e.json")).unwrap();
    let first = events.as_array().unwrap().iter().find(|it| it["kind"] == "collision").unwrap();
    assert_eq!(first["context"], "impact");
    let speed = |side: &str| first[side]["objects"]["ball"]["velocity"][2].as_f64().unwrap();
    assert!((speed("before") + libm::sqrt(2.0 * 9.81 * 2.0)).abs() < 1e-5, "{first}");
    assert!((speed("after") + 0.5 * speed("before")).abs() < 1e-5, "{first}");
}

#[test]
fn what_happened_is_listed_told_and_drawn() {
    let folder = folder("rigid-trace");
    let list = fine(&folder, &["trace", "drop.lab"]);
    assert!(list.contains("collision") && list.contains("impact") && list.contains("ball, floor"), "{list}");
    let page = fine(&folder, &["trace", "drop.lab", "--event", "0"]);
    for words in ["collision of ball, floor", "before", "after", "velocity#3", "restitution", "*"] {
        assert!(page.contains(words), "{words} in {page}");
    }
    let told = json(&folder, &["trace", "drop.lab", "--json", "--kind", "collision"]);
    assert!(told.as_array().unwrap().len() > 1);
    let plot = fine(&folder, &["plot", "drop.lab", "ball.position#3", "total_energy", "--at", "0.5"]);
    assert!(plot.contains("ball.position#3") && plot.contains("total_energy"), "{plot}");
    let checked = fine(&folder, &["check", "drop.lab"]);
    assert!(checked.contains("drop"), "{checked}");
}

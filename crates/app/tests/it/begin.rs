//! `new` and `examples` from outside, and the help of all commands about experiments.

use crate::support::{Folder, outcome};
use serde_json::Value;

#[test]
fn help_has_examples() {
    let folder = Folder::new("help");
    for name in [
        "lab", "run", "sweep", "check", "trace", "plot", "export", "new", "examples", "derive", "inspect",
        "repl", "eval", "fmt", "explain", "accuracy",
    ] {
        let (code, help, _) = outcome(&folder, &[name, "--help"]);
        assert_eq!(code, 0);
        assert!(help.contains(&format!("Examples:\n  gedanken {name}")), "{help}");
        let longest = help.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(longest <= 120, "{name}: {longest}");
    }
    let snapshot = |name: &str| outcome(&folder, &[name, "--help"]).1;
    insta::assert_snapshot!("help_lab", snapshot("lab"));
    insta::assert_snapshot!("help_run", snapshot("run"));
    insta::assert_snapshot!("help_sweep", snapshot("sweep"));
    insta::assert_snapshot!("help_plot", snapshot("plot"));
    insta::assert_snapshot!("help_trace", snapshot("trace"));
    insta::assert_snapshot!("help_inspect", snapshot("inspect"));
}

#[test]
fn a_new_experiment_has_no_mistakes_and_is_never_written_over() {
    let folder = Folder::new("new");
    let (code, stdout, stderr) = outcome(&folder, &["new", "ramp"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout, "ramp.lab written\nnext: gedanken run ramp.lab\n      gedanken trace ramp.lab\n");
    let text = folder.read("ramp.lab");
    assert!(text.starts_with("// A ball") && text.contains("gedanken run ramp.lab"), "{text}");
    assert_eq!(outcome(&folder, &["check", "ramp.lab"]).0, 0);
    assert_eq!(outcome(&folder, &["fmt", "--check", "ramp.lab"]).0, 0, "it is laid out as we ask of others");

    folder.write("ramp.lab", "mine");
    for name in ["ramp", "ramp.lab"] {
        let (code, _, stderr) = outcome(&folder, &["new", name]);
        assert_eq!(code, 2);
        assert!(stderr.contains("ramp.lab already exists"), "{stderr}");
    }
    assert_eq!(folder.read("ramp.lab"), "mine");
    assert_eq!(outcome(&folder, &["new", "no/ramp"]).0, 2);
    assert_eq!(outcome(&folder, &["new", ""]).0, 2);
}

#[test]
fn a_new_experiment_may_begin_as_an_example() {
    let folder = Folder::new("from");
    assert_eq!(outcome(&folder, &["new", "mine", "--from", "chapter5"]).0, 0);
    assert_eq!(folder.names(), ["mine.lab", "solids.vfl"]);
    assert_eq!(outcome(&folder, &["check", "mine.lab"]).0, 0);
    // The library is there already.
    assert_eq!(outcome(&folder, &["new", "other", "--from", "chapter5"]).0, 0);
    assert_eq!(folder.names(), ["mine.lab", "other.lab", "solids.vfl"]);
    // Another library of this name is there: neither is written.
    folder.write("solids.vfl", "mine = 1\n");
    let (code, _, stderr) = outcome(&folder, &["new", "another", "--from", "chapter5"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("solids.vfl already exists"), "{stderr}");
    assert_eq!(folder.names(), ["mine.lab", "other.lab", "solids.vfl"]);
    let (code, _, stderr) = outcome(&folder, &["new", "third", "--from", "chapter6"]);
    assert_eq!((code, stderr.contains("did you mean chapter5?")), (2, true), "{stderr}");
}

#[test]
fn examples_are_listed_printed_and_copied() {
    let folder = Folder::new("examples");
    let (code, list, _) = outcome(&folder, &["examples"]);
    assert_eq!(code, 0);
    let line = list.lines().find(|line| line.starts_with("bouncing_ball ")).unwrap();
    assert!(line.ends_with("A ball falls, bounces and loses speed at every bounce."), "{line}");
    assert!(!list.contains("solids") && list.lines().all(|line| line.chars().count() <= 80), "{list}");
    let data: Value = serde_json::from_str(&outcome(&folder, &["examples", "--json"]).1).unwrap();
    let names: Vec<&str> =
        data["examples"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert!(names.contains(&"chapter5") && names.is_sorted(), "{names:?}");

    let text = include_str!("../../../../experiments/bouncing_ball.lab");
    assert_eq!(outcome(&folder, &["examples", "bouncing_ball"]).1, text);
    assert!(folder.names().is_empty(), "nothing is written unless asked for");
    let (code, stdout, _) = outcome(&folder, &["examples", "chapter5", "--copy"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("chapter5.lab and solids.vfl written\n"), "{stdout}");
    assert_eq!(outcome(&folder, &["check", "chapter5.lab"]).0, 0);
    assert_eq!(outcome(&folder, &["examples", "chapter5", "--copy"]).0, 2, "never over what is there");
    let (code, stdout, stderr) = outcome(&folder, &["examples", "off_centre", "--copy"]);
    assert_eq!((code, stdout.starts_with("off_centre.lab written\n")), (0, true), "{stdout}{stderr}");
    folder.write("solids.vfl", "mine = 1\n");
    let (code, _, stderr) = outcome(&folder, &["examples", "chapter5_scene", "--copy"]);
    assert_eq!((code, stderr.contains("solids.vfl already exists")), (2, true), "another library: {stderr}");
    let (code, _, stderr) = outcome(&folder, &["examples", "bouncing_bal"]);
    assert_eq!((code, stderr.contains("did you mean bouncing_ball?")), (2, true), "{stderr}");
    assert_eq!(outcome(&folder, &["examples", "--copy"]).0, 2);
}

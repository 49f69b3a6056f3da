//! The binary from outside: what it prints, what it refuses, how it ends.

use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

fn gedanken(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gedanken"));
    // The reader's window must not show in snapshots.
    command.env_remove("COLUMNS").env_remove("NO_COLOR").args(arguments);
    command.output().expect("the binary was built for this test")
}

fn stdout(arguments: &[&str]) -> String {
    let output = gedanken(arguments);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    assert_eq!(errors, "", "nothing on standard error but on a terminal");
    String::from_utf8(output.stdout).expect("we print UTF-8")
}

/// Standard error of a run that ends with `code` and prints nothing else.
fn refusal(code: i32, arguments: &[&str]) -> String {
    let output = gedanken(arguments);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {message}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    assert!(!message.contains("panicked"), "{message}");
    message
}

fn runs(arguments: &[&str]) -> Vec<Value> {
    let document: Value = serde_json::from_str(&stdout(arguments)).expect("--json prints JSON");
    document["runs"].as_array().expect("runs").clone()
}

#[test]
fn help() {
    insta::assert_snapshot!("help", stdout(&["--help"]));
    insta::assert_snapshot!("help_demo", stdout(&["demo", "--help"]));
}

#[test]
fn kepler() {
    insta::assert_snapshot!("kepler", stdout(&["demo", "kepler"]));
    insta::assert_snapshot!("kepler_ascii", stdout(&["demo", "kepler", "--ascii"]));
}

#[test]
fn the_tour_is_what_comes_without_a_scene() {
    let tour = stdout(&["demo"]);
    for title in
        ["A planet and its sun", "A chain of masses and springs", "Three bodies on a figure of eight"]
    {
        assert!(tour.contains(title), "{title}");
    }
}

#[test]
fn no_line_is_wider_than_the_screen_and_pipes_get_no_colours() {
    for scene in ["kepler", "chain", "figure-eight", "tumbling"] {
        for more in
            [&[][..], &["--ascii"], &["--compare"], &["--integrator", "yoshida8"], &["--periods", "0.3"]]
        {
            if scene == "tumbling" && more.contains(&"yoshida8") {
                continue;
            }
            let text = stdout(&[&["demo", scene], more].concat());
            let longest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
            assert!(longest.chars().count() <= 80, "{scene} {more:?}: {longest}");
            assert!(!text.contains('\x1b'), "{scene} {more:?}");
            assert!(!more.contains(&"--ascii") || text.is_ascii(), "{scene}");
        }
    }
}

#[test]
fn json_obeys_physics() {
    let all = runs(&["demo", "--json"]);
    let scenes: Vec<_> = all.iter().map(|run| run["scene"].as_str().unwrap()).collect();
    assert_eq!(scenes, ["kepler", "chain", "figure-eight"]);
    for run in &all {
        let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value} in {}", run["scene"]));
        let largest = number(&run["energy_error"]["largest"]);
        assert!(largest > 0.0 && largest < 0.02, "{}: {largest}", run["scene"]);

        // The series is thin, in order of time, and within the largest error.
        let (times, errors) = (&run["energy_error"]["time"], &run["energy_error"]["relative"]);
        let (times, errors) = (times.as_array().unwrap(), errors.as_array().unwrap());
        assert_eq!(times.len(), errors.len());
        assert!((100..=1001).contains(&times.len()), "{}", times.len());
        assert!(times.windows(2).all(|t| number(&t[0]) < number(&t[1])));
        assert!(errors.iter().all(|error| number(error).abs() <= largest));

        // The ledger closes: works and what is unbooked make the change of kinetic energy; errors make that
        // of E.
        let (start, end, ledger) = (&run["start"], &run["end"], &run["ledger"]);
        let change = number(&end["energy"]) - number(&start["energy"]);
        let scale = number(&start["energy"]).abs().max(1.0);
        assert!((number(&ledger["numerical_error"]) - change).abs() < 1e-11 * scale, "{}", run["scene"]);
        let works: f64 = ledger["laws"].as_array().unwrap().iter().map(|law| number(&law["work"])).sum();
        let kinetic = works + number(&ledger["unbooked"]);
        assert!((kinetic - number(&ledger["kinetic_change"])).abs() < 1e-12 * scale);
        assert!(number(&ledger["unbooked"]).abs() < 1e-11 * scale);

        // Central forces keep angular momentum; on a line there is none.
        match (&start["angular_momentum"], &end["angular_momentum"]) {
            (Value::Null, Value::Null) => assert_eq!(run["scene"], "chain"),
            (a, b) => {
                for k in 0..3 {
                    assert!((number(&a[k]) - number(&b[k])).abs() < 1e-12, "{}: {a} to {b}", run["scene"]);
                }
            }
        }
        assert!(number(&run["distance_from_start"]) < 0.3);
        assert_eq!(run["hash"].as_str().unwrap().len(), 16);
    }
}

#[test]
fn higher_orders_err_less() {
    let integrators = "symplectic-euler,leapfrog,forest-ruth,yoshida8";
    let all = runs(&["demo", "kepler", &format!("--compare={integrators}"), "--json"]);
    let largest: Vec<f64> = all.iter().map(|run| run["energy_error"]["largest"].as_f64().unwrap()).collect();
    assert!(largest.windows(2).all(|pair| pair[1] < 0.1 * pair[0]), "{largest:?}");
}

#[test]
fn the_hash_is_stable_and_does_not_know_about_threads() {
    for scene in ["kepler", "figure-eight"] {
        let hash = stdout(&["demo", scene, "--hash"]);
        assert_eq!((hash.len(), hash.ends_with('\n')), (17, true), "{hash}");
        assert!(hash.trim().chars().all(|c| c.is_ascii_hexdigit()), "{hash}");
        assert_eq!(hash, stdout(&["demo", scene, "--hash"]));
        let json = runs(&["demo", scene, "--json"]);
        assert_eq!(json[0]["hash"], hash.trim());
    }
    // A thousand bodies are enough for two threads to share the work.
    let short = ["demo", "cluster", "--periods", "0.05", "--hash", "--threads"];
    let [one, two] = ["1", "2"].map(|threads| stdout(&[&short[..], &[threads]].concat()));
    assert_eq!(one, two);
}

#[test]
fn several_hashes_have_names() {
    let hashes = stdout(&["demo", "kepler", "--compare=leapfrog,rk4", "--hash"]);
    let names: Vec<_> = hashes.lines().map(|line| &line[18..]).collect();
    assert_eq!(names, ["kepler leapfrog", "kepler rk4"]);
}

#[test]
fn a_comparison_names_every_integrator_in_table_and_plot() {
    let text = stdout(&["demo", "figure-eight", "--compare=leapfrog,rk4,dormand-prince"]);
    for name in ["leapfrog", "rk4", "dormand-prince"] {
        assert_eq!(text.matches(name).count(), 2, "{name} in {text}");
    }
}

#[test]
fn the_list_shows_the_whole_registry() {
    let table = stdout(&["demo", "--list"]);
    let json: Value = serde_json::from_str(&stdout(&["demo", "--list", "--json"])).unwrap();
    let integrators = json["integrators"].as_array().unwrap();
    assert_eq!(integrators.len(), gedanken_dynamics::INTEGRATORS.len());
    for integrator in integrators {
        let (name, cite) = (integrator["name"].as_str().unwrap(), integrator["cite"].as_str().unwrap());
        assert!(table.lines().any(|line| line.contains(name) && line.contains(cite)), "{name}");
    }
}

#[test]
fn wrong_names_are_answered_with_the_right_ones() {
    let message = refusal(2, &["demo", "kepller"]);
    assert!(
        message.contains("figure-eight") && message.contains("similar value exists: 'kepler'"),
        "{message}"
    );
    let message = refusal(2, &["demo", "--integrator", "leapfrg"]);
    assert!(message.contains("dormand-prince") && message.contains("'leapfrog'"), "{message}");
    let message = refusal(2, &["demo", "--compare=rk4,rk5"]);
    assert!(message.contains("'rk5'") && message.contains("'rk4'"), "{message}");
    assert!(refusal(2, &["dmo"]).contains("'demo'"));
}

#[test]
fn bad_numbers_are_refused() {
    for bad in ["0", "-1", "x", "1.5", "99999999999"] {
        assert!(refusal(2, &["demo", "--steps", bad]).contains("--steps"), "{bad}");
    }
    for bad in ["0", "-1", "NaN", "inf", "-0.0", "ten"] {
        assert!(refusal(2, &["demo", "--periods", bad]).contains("--periods"), "{bad}");
    }
    for bad in ["0", "-1", "99999999"] {
        assert!(refusal(2, &["demo", "--threads", bad]).contains("--threads"), "{bad}");
    }
    assert!(refusal(2, &["demo", "--periods", "1e300"]).contains("smaller --periods"));
    assert!(refusal(2, &["demo", "--json", "--hash"]).contains("cannot be used with"));
}

#[test]
fn an_integrator_that_does_not_fit_is_wrong_usage() {
    let message = refusal(2, &["demo", "tumbling", "--integrator", "rk4"]);
    assert!(message.contains("moves points only") && message.contains("leapfrog"), "{message}");
}

#[test]
fn a_run_that_fails_is_the_experiments_fault() {
    let message = refusal(1, &["demo", "figure-eight", "--integrator", "implicit-midpoint", "--steps", "3"]);
    assert!(message.starts_with("error: figure-eight with implicit-midpoint: "), "{message}");
    assert!(message.contains("help: shorter steps may do: --steps N, where N was 3"), "{message}");
    // Beyond the limit of stability, a leapfrog's chain explodes.
    let message =
        refusal(1, &["demo", "chain", "--integrator", "leapfrog", "--steps", "2", "--periods", "600"]);
    assert!(message.contains("NaN"), "{message}");
}

#[test]
fn a_reader_may_leave_early() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gedanken"))
        .args(["demo", "--json", "--periods", "3"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::with_capacity(1, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    // The pipe is closed here, long before the data is through.
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert_eq!(output.status.code(), Some(0));
}

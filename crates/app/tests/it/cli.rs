//! The binary from outside: what it prints, what it refuses, how it ends.

use crate::support::output;
use serde_json::Value;
use std::process::{Command, Output, Stdio};

fn gedanken(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gedanken"));
    // The reader's window must not show in snapshots.
    command.env_remove("COLUMNS").env_remove("NO_COLOR").args(arguments);
    output(command.stdin(Stdio::null()))
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

#[test]
fn help() {
    insta::assert_snapshot!("help", stdout(&["--help"]));
}

/// Experiments of the gallery with straight, closed, growing and vector-valued curves.
#[test]
fn no_line_is_wider_than_the_screen_and_pipes_get_no_colours() {
    let plots = ["kepler", "standing_wave", "figure_eight", "dzhanibekov", "star_cluster"].map(|name| {
        let file = format!("{}/../../experiments/{name}.lab", env!("CARGO_MANIFEST_DIR"));
        ["plot".to_owned(), file]
    });
    let commands =
        plots.iter().map(|[plot, file]| vec![plot.as_str(), file]).chain([vec!["accuracy", "--list"]]);
    for command in commands {
        let plot = command[0] == "plot";
        for more in [&[][..], &["--ascii"]] {
            if !plot && !more.is_empty() {
                continue;
            }
            let text = stdout(&[&command, more].concat());
            let longest = text.lines().max_by_key(|line| line.chars().count()).unwrap();
            assert!(longest.chars().count() <= 80, "{command:?} {more:?}: {longest}");
            assert!(!text.contains('\x1b'), "{command:?} {more:?}");
            assert!(!more.contains(&"--ascii") || text.is_ascii(), "{command:?}");
        }
    }
}

#[test]
fn the_list_shows_all_cases_and_the_whole_registry_of_integrators() {
    let table = stdout(&["accuracy", "--list"]);
    let json: Value = serde_json::from_str(&stdout(&["accuracy", "--list", "--json"])).unwrap();
    let integrators = json["integrators"].as_array().unwrap();
    assert_eq!(integrators.len(), gedanken_accuracy::INTEGRATORS.len());
    for integrator in integrators {
        let (name, cite) = (integrator["name"].as_str().unwrap(), integrator["cite"].as_str().unwrap());
        assert!(table.lines().any(|line| line.contains(name) && line.contains(cite)), "{name}");
    }
    let cases = json["cases"].as_array().unwrap();
    assert_eq!(cases.len(), gedanken_accuracy::CASES.len());
    for case in cases {
        let (number, name) = (case["case"].as_u64().unwrap(), case["name"].as_str().unwrap());
        assert!(table.lines().any(|line| line.trim() == format!("{number}. {name}")), "{number}. {name}");
    }
}

/// Case 22 is the comparison of integrators: all of them with equal steps on one orbit.
#[test]
fn the_comparison_of_integrators_has_a_row_for_each_and_higher_orders_err_less() {
    let json: Value = serde_json::from_str(&stdout(&["accuracy", "22", "--quick", "--json"])).unwrap();
    let error = |integrator: &str| {
        let cells = json["cells"].as_array().unwrap().iter();
        let mut own = cells.filter(|cell| cell["method"] == integrator);
        let cell = own.find(|cell| cell["quantity"] == "Runge-Lenz error after a period");
        cell.unwrap_or_else(|| panic!("{integrator} has no row"))["measured"].as_f64().unwrap()
    };
    let errors = ["leapfrog", "forest-ruth", "yoshida8"].map(error);
    assert!(errors.windows(2).all(|pair| pair[1] < 0.01 * pair[0]), "{errors:?}");
    // Over whole periods most of the first-order error of symplectic Euler cancels.
    assert!(errors[0] < 0.5 * error("symplectic-euler"), "{errors:?}");
}

#[test]
fn wrong_names_are_answered_with_the_right_ones() {
    let message = refusal(2, &["accuracy", "--solver", "leapfrg"]);
    assert!(message.contains("`leapfrg`") && message.contains("leapfrog"), "{message}");
    let message = refusal(2, &["accuracy", "99"]);
    assert!(message.contains("99") && message.contains("27"), "{message}");
    assert!(refusal(2, &["acuracy"]).contains("'accuracy'"));
}

#[test]
fn bad_numbers_are_refused() {
    for bad in ["0", "-1", "x", "99999999"] {
        assert!(refusal(2, &["run", "drop.lab", "--threads", bad]).contains("--threads"), "{bad}");
    }
    for bad in ["-1", "x", "1.5", "99999999999"] {
        assert!(refusal(2, &["accuracy", bad]).contains(bad), "{bad}");
    }
    assert!(refusal(2, &["accuracy", "--list", "--quick"]).contains("cannot be used with"));
}

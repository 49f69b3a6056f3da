//! The accuracy suite in its quick form: no cell is worse than the documentation says, and what is not cut
//! short is the same to the last digit shown.
//!
//! The documentation holds the full form. To store it anew:
//! `GEDANKEN_STORE=1 cargo test --profile checked -p gedanken-accuracy --test accuracy`, which takes some
//! minutes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![allow(clippy::disallowed_methods, reason = "the page that it stores is under version control")]

use gedanken_accuracy::{CASES, Cell, Choice, Method, Verdict};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/accuracy.md");
const BEGIN: &str = "<!-- the table -->\n";
const END: &str = "<!-- end of the table -->";

fn run(quick: bool) -> Vec<Cell> {
    gedanken_accuracy::run(&Choice { quick, ..Choice::default() }, &mut |_| ())
}

/// The rows of the stored table: case, method, quantity, and all texts.
fn stored(page: &str) -> Vec<(u32, Vec<String>)> {
    let table = page.split_once(BEGIN).unwrap().1.split_once(END).unwrap().0;
    let mut case = 0;
    let mut rows = Vec::new();
    for line in table.lines() {
        if let Some(heading) = line.strip_prefix("### ") {
            case = heading.split_once('.').unwrap().0.parse().unwrap();
        } else if line.starts_with("| ") && !line.starts_with("| method") {
            let cells = line.trim_matches('|').split(" | ").map(|text| text.trim().to_owned());
            rows.push((case, cells.collect()));
        }
    }
    rows
}

#[test]
fn no_cell_is_worse_than_the_documentation_says() {
    if std::env::var_os("GEDANKEN_STORE").is_some() {
        let page = std::fs::read_to_string(PAGE).unwrap();
        let (before, rest) = page.split_once(BEGIN).unwrap();
        let (_, after) = rest.split_once(END).unwrap();
        let cells = run(false);
        let table = gedanken_accuracy::markdown(&cells);
        std::fs::write(PAGE, format!("{before}{BEGIN}{table}\n{END}{after}")).unwrap();
    }
    let rows = stored(&std::fs::read_to_string(PAGE).unwrap());
    let mut wrong = String::new();
    for cell in run(true) {
        let [_, quantity, method, measured, exact, error, tolerance, verdict] = gedanken_accuracy::row(&cell);
        let known =
            rows.iter().find(|(case, row)| (*case, &row[0], &row[1]) == (cell.case, &method, &quantity));
        let name = format!("{}. {method}, {quantity}", cell.case);
        let Some((_, row)) = known else {
            wrong += &format!("{name} is not in the documentation\n");
            continue;
        };
        let passed = row[6] == "pass";
        if cell.failed() && passed {
            wrong += &format!(
                "{name}: {measured} instead of {exact}, error {error} > {tolerance}; {}\n",
                cell.note
            );
        } else if !cell.short && (row[2] != measured || row[6].trim_matches('*') != verdict) {
            wrong +=
                &format!("{name}: {measured} ({verdict}), in the documentation {} ({})\n", row[2], row[6]);
        }
    }
    assert!(
        wrong.is_empty(),
        "\n{wrong}\nstore the table anew if that is as it should be: see the top of this file"
    );
}

#[test]
fn the_cases_are_numbered_and_answered() {
    for (k, case) in CASES.iter().enumerate() {
        assert_eq!(case.number as usize, k + 1);
        assert!(!case.name.is_empty() && !case.answer.is_empty());
    }
}

#[test]
fn a_choice_runs_what_was_chosen_and_nothing_else() {
    let mut told = Vec::new();
    let choice = Choice { cases: vec![20, 9], method: Some("jacobi".to_owned()), quick: true };
    let cells =
        gedanken_accuracy::run(&choice, &mut |progress| told.push((progress.case.number, progress.method)));
    assert_eq!(told, [(9, Method::Solver("jacobi"))]);
    assert!(cells.iter().all(|cell| cell.case == 9 && cell.method == Method::Solver("jacobi")));
    assert_eq!(cells.len(), 2);
}

/// The suite can fail: a cell with the wrong answer is one that failed.
#[test]
fn verdicts_follow_from_errors() {
    for cell in gedanken_accuracy::run(&Choice { cases: vec![9, 11, 20], ..Choice::default() }, &mut |_| ()) {
        let (exact, tolerance) = (cell.exact.unwrap(), cell.tolerance.unwrap());
        let error = if cell.absolute { cell.measured - exact } else { cell.measured / exact - 1.0 };
        assert_eq!(cell.error.to_bits(), error.abs().to_bits());
        assert_eq!(cell.verdict == Verdict::Pass, cell.error <= tolerance, "{cell:?}");
    }
}

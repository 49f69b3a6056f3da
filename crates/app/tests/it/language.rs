//! The commands of the language from outside: `repl` through a pipe, `eval`, `check`, `fmt`, `explain`.

use crate::support::{Folder, finish};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Runs the binary in `folder`, with `input` on its standard input.
fn run(folder: &Folder, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_gedanken"))
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR")
        .current_dir(&folder.0)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary was built for this test");
    child.stdin.take().unwrap().write_all(input).unwrap();
    finish(child, &format!("the end of {arguments:?}"))
}

/// Exit code, standard output, standard error.
fn outcome(folder: &Folder, arguments: &[&str], input: &str) -> (i32, String, String) {
    let output = run(folder, arguments, input.as_bytes());
    let (stdout, stderr) =
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(!stdout.contains('\x1b') && !stderr.contains('\x1b'), "pipes get no colours");
    (output.status.code().unwrap(), stdout, stderr)
}

/// What `eval` prints.
fn value(expression: &str) -> String {
    let (code, stdout, stderr) = outcome(&Folder::new("value"), &["eval", expression], "");
    assert_eq!((code, stderr.as_str()), (0, ""), "{expression}");
    stdout.trim_end().to_owned()
}

const SESSION: &str = "\
my_func(x,y) = ()x+y
my_func(x,y) = x+y
$my_func(true,50)
$my_func(8,50)

weight = mass * 9.81
mass = 2
weight
mass = 0
acceleration(f, m) =
  if m > 1e6 then 0
  else f / m
acceleration(weight + 1, mass)
(1 +
  2)
quick_sort({3, 1, 2})
import \"sort.vfl\"
quick_sort({3, 1, 2})
:type [1, 2, 3]
help *
:list
";

const SORT: &str = "\
// Quick sort.
greater(seq, num) = if seq == {} then {}
    else if head(seq) >= num then
        {head(seq)} ++ greater(tail(seq), num)
        else greater(tail(seq), num)
less(seq, num) = if seq == {} then {}
    else if head(seq) < num then
        {head(seq)} ++ less(tail(seq), num)
        else less(tail(seq), num)
quick_sort(seq) = if seq == {} then {}
    else quick_sort(less(tail(seq), head(seq))) ++ {head(seq)} ++ quick_sort(greater(tail(seq), head(seq)))
";

#[test]
fn a_session_through_a_pipe() {
    let folder = Folder::with("session", &[("sort.vfl", SORT)]);
    let (code, stdout, stderr) = outcome(&folder, &["repl"], SESSION);
    assert_eq!(code, 1, "a line failed");
    insta::assert_snapshot!("session_output", stdout);
    insta::assert_snapshot!("session_errors", stderr);
}

#[test]
fn a_session_without_mistakes_says_nothing_else() {
    let folder = Folder::with("fine", &[("sort.vfl", SORT)]);
    let (code, stdout, stderr) =
        outcome(&folder, &["repl", "sort.vfl"], "f(x) = 2 * x\nf(4)\nquick_sort({2, 1})\n");
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "8\n{1, 2}\n", ""));
    assert_eq!(outcome(&folder, &["repl"], ""), (0, String::new(), String::new()));
    assert_eq!(outcome(&folder, &["repl"], "1\n:quit\n1/0\n").0, 0, "nothing is read after leaving");
    assert_eq!(outcome(&folder, &["repl"], "1 + 1").1, "2\n", "the last line needs no end");
    assert_eq!(outcome(&folder, &["repl"], "(1 +\n\n5\n").1, "5\n", "an empty line ends an input");
}

#[test]
fn a_session_writes_what_another_one_reads() {
    let folder = Folder::new("export");
    assert_eq!(outcome(&folder, &["repl"], "f(x) =\n  x^2\ng = f(3)\nexport \"out.vfl\"\n").0, 0);
    assert_eq!(folder.read("out.vfl"), "f(x) =\n  x^2\n\ng = f(3)\n");
    assert_eq!(outcome(&folder, &["eval", "--import", "out.vfl", "g"], "").1, "9\n");
}

#[test]
fn bytes_that_are_no_text_end_nothing() {
    let output = run(&Folder::new("bytes"), &["repl"], b"\xff\xfe\n1 + 1\n");
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(1), &b"2\n"[..]));
    assert!(String::from_utf8_lossy(&output.stderr).contains("this line is not valid UTF-8 and was skipped"));
}

#[test]
fn eval_prints_values() {
    assert_eq!(value("1 + 2 * 3"), "7");
    assert_eq!(value("-2^2"), "-4");
    assert_eq!(value("f(x) = x^2  $ f(3)"), "9");
    assert_eq!(value("[1, 0, 0] * [0, 2, 0]"), "[0, 0, 2]");
}

#[test]
fn eval_fails_with_a_place() {
    let folder = Folder::new("eval");
    let (code, stdout, stderr) = outcome(&folder, &["eval", "1 + 2 / 0"], "");
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.contains("E501") && stderr.contains("[1:7]"), "{stderr}");
    assert_eq!(outcome(&folder, &["eval", "x = 1"], "").0, 2);
    assert_eq!(outcome(&folder, &["eval"], "").0, 2);
    let (code, _, stderr) = outcome(&folder, &["eval", "--import", "gone.vfl", "1"], "");
    assert_eq!(code, 1);
    assert!(stderr.contains("`gone.vfl` cannot be imported: there is no such file"), "{stderr}");
}

#[test]
fn eval_prints_data() {
    let folder = Folder::new("json");
    let (code, stdout, _) = outcome(&folder, &["eval", "--json", "$ [[1, 2], [3, 4]] $ {true} $ 1/0"], "");
    let document: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(code, 1);
    assert_eq!(document["values"], serde_json::json!([[[1.0, 2.0], [3.0, 4.0]], [true]]));
    assert_eq!(document["diagnostics"][0]["code"], "E501");
}

#[test]
fn check_finds_mistakes_without_running() {
    let folder = Folder::with(
        "check",
        &[
            ("good.vfl", "import \"lib.vfl\"\ng = double(3)\n"),
            ("lib.vfl", "double(x) = 2 * x\n"),
            ("bad.vfl", "f(x) = nobody(x)\nh = (1 + \n"),
            ("uses_bad.vfl", "import \"bad.vfl\"\n"),
        ],
    );
    assert_eq!(outcome(&folder, &["check", "good.vfl", "lib.vfl"], ""), (0, String::new(), String::new()));
    let (code, stdout, stderr) = outcome(&folder, &["check", "bad.vfl", "uses_bad.vfl", "good.vfl"], "");
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.contains("nobody") && stderr.contains("bad.vfl:1:8"), "{stderr}");
    assert_eq!(stderr.matches("`nobody`").count(), 1, "each mistake once: {stderr}");
    let (code, stdout, _) = outcome(&folder, &["check", "--json", "bad.vfl"], "");
    let found: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(code, 1);
    assert!(found.as_array().unwrap().iter().any(|it| it["code"] == "E201" && it["line"] == 1), "{found}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = Folder::new("files");
    fs::write(folder.0.join("bytes.vfl"), b"a = 1\nb = \xff").unwrap();
    fs::create_dir(folder.0.join("folder.vfl")).unwrap();
    for command in ["check", "fmt"] {
        for (file, why) in [
            ("gone.vfl", "there is no such file"),
            ("bytes.vfl", "it is not text in UTF-8 (line 2)"),
            ("folder.vfl", "it is a folder"),
        ] {
            let (code, _, stderr) = outcome(&folder, &[command, file], "");
            assert_eq!((code, stderr), (2, format!("error: {file} cannot be read: {why}\n")));
        }
    }
}

#[test]
fn fmt_changes_layout_only() {
    let untidy = "f( x )=x  +1\ng=f( 2 )   // two\n";
    let folder = Folder::with("fmt", &[("a.vfl", untidy), ("bad.vfl", "f = (")]);
    let (code, stdout, _) = outcome(&folder, &["fmt", "--check", "a.vfl"], "");
    assert_eq!((code, stdout.as_str()), (1, "a.vfl\n"));
    assert_eq!(folder.read("a.vfl"), untidy);
    assert_eq!(outcome(&folder, &["fmt", "a.vfl"], ""), (0, String::new(), String::new()));
    let tidy = folder.read("a.vfl");
    assert!(tidy.contains("f(x) = x + 1") && tidy.contains("// two"), "{tidy}");
    assert_eq!(outcome(&folder, &["fmt", "--check", "a.vfl"], "").0, 0);
    assert_eq!(outcome(&folder, &["fmt", "-"], untidy).1, tidy);
    let (code, _, stderr) = outcome(&folder, &["fmt", "bad.vfl"], "");
    assert_eq!(code, 1);
    assert!(stderr.contains("bad.vfl:1:"), "{stderr}");
    assert_eq!(folder.read("bad.vfl"), "f = (");
}

#[test]
fn explain_knows_every_code() {
    let folder = Folder::new("explain");
    let list = outcome(&folder, &["explain"], "").1;
    let codes: Vec<&str> = list.lines().map(|line| &line[..4]).collect();
    assert_eq!(codes.len(), gedanken_lang::diagnostic::CATALOGUE.len());
    assert!(codes.windows(2).all(|pair| pair[0] < pair[1]), "{codes:?}");
    insta::assert_snapshot!("explain", outcome(&folder, &["explain", "e501"], "").1);
    for code in codes {
        let (exit, text, _) = outcome(&folder, &["explain", code], "");
        assert!(exit == 0 && text.starts_with(code) && !text.contains("```"), "{text}");
    }
    let (code, _, stderr) = outcome(&folder, &["explain", "E999"], "");
    assert!(code == 2 && stderr.contains("`gedanken explain` lists all codes"), "{stderr}");
}

#[test]
fn help_has_examples() {
    for command in ["repl", "eval", "check", "fmt", "explain"] {
        let (code, stdout, _) = outcome(&Folder::new("help"), &[command, "--help"], "");
        assert!(code == 0 && stdout.contains("Examples:"), "{command}: {stdout}");
        assert!(stdout.lines().all(|line| line.chars().count() <= 100), "{command}: {stdout}");
    }
}

const EXPERIMENT: &str = "\
import \"lib.vfl\"
world attributes { g = 9.81 }
object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = { position = [0, 0, 5]  size = 1  v = [0, 0, 0] }
}
context {
    name = falling
    type = free fall
    functions = { v' = down(g) }
}
simulation {
    name = drop
    duration = 2
}
simulation {
    name = long_drop
    initial time = 1
    duration = 20
}
";

#[test]
fn check_shows_some_of_many_mistakes_and_counts_all() {
    let folder = Folder::with("junk", &[("junk.lab", &"@$^&*!".repeat(16_384))]);
    let (code, stdout, stderr) = outcome(&folder, &["check", "junk.lab"], "");
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.len() < 100_000, "{} bytes", stderr.len());
    let total = stderr.lines().last().unwrap();
    let errors: usize = total.split(' ').next().unwrap().replace([',', ' ', '\u{202f}'], "").parse().unwrap();
    assert!(errors > 16_384, "{total}");
    assert!(stderr.contains(&format!("and {} more errors; mend these first", errors - 100)), "{total}");

    let (code, stdout, _) = outcome(&folder, &["check", "--json", "junk.lab"], "");
    let list: Vec<Value> = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, list.len()), (1, 1001));
    let last = list.last().unwrap();
    assert_eq!((last["severity"].as_str(), last["code"].is_null()), (Some("rest"), true));
    assert_eq!(last["more_errors"], errors - 1000);
}

#[test]
fn check_reads_experiments_to_the_last_law() {
    let wrong = EXPERIMENT.replace("down(g)", "g").replace("size = 1", "size = 0");
    let library = "down(x) = [0, 0, -x]\n";
    let folder =
        Folder::with("lab", &[("good.lab", EXPERIMENT), ("wrong.lab", &wrong), ("lib.vfl", library)]);
    let (code, stdout, stderr) = outcome(&folder, &["check", "good.lab"], "");
    assert_eq!((code, stderr.as_str()), (0, ""));
    let summary = "good.lab: 1 object (1 dynamic, 0 static), 1 context, 2 simulations; 1 of 1 law as native code\n  all contacts can be proven\n  simulation drop: 1 object, from t = 0 to 2\n";
    assert_eq!(stdout, summary);
    let (code, stdout, stderr) = outcome(&folder, &["check", "wrong.lab"], "");
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.contains("E710") && stderr.contains("E305") && stderr.contains("2 errors"), "{stderr}");
    let (code, stdout, _) = outcome(&folder, &["check", "--json", "wrong.lab"], "");
    let found: Value = serde_json::from_str(&stdout).unwrap();
    let codes: Vec<&str> = found.as_array().unwrap().iter().map(|it| it["code"].as_str().unwrap()).collect();
    assert_eq!((code, codes), (1, vec!["E710", "E305"]));
}

#[test]
fn check_takes_other_values_and_another_simulation() {
    let folder = Folder::with("set", &[("good.lab", EXPERIMENT), ("lib.vfl", "down(x) = [0, 0, -x]\n")]);
    let check = |arguments: &[&str]| outcome(&folder, &[&["check", "good.lab"], arguments].concat(), "");
    let (code, stdout, _) =
        check(&["--set", "g=1.62", "--set", "ball.size = 0.5", "--simulation", "long_drop"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("simulation long_drop: 1 object, from t = 1 to 21"), "{stdout}");
    let (code, _, stderr) = check(&["--set", "ball.size=[1, 2]"]);
    assert!(code == 1 && stderr.contains("E718") && stderr.contains("--set ball.size:1:11"), "{stderr}");
    let (code, _, stderr) = check(&["--simulation", "drip"]);
    assert_eq!((code, stderr.as_str()), (2, "error: good.lab has no simulation drip: did you mean drop?\n"));
    let (code, _, stderr) = check(&["--set", "g"]);
    assert!(code == 2 && stderr.contains("there is no `=`"), "{stderr}");
    let (code, _, stderr) = outcome(&folder, &["check", "lib.vfl", "--set", "g=1"], "");
    assert!(code == 2 && stderr.contains("none of the files ends in .lab"), "{stderr}");
}

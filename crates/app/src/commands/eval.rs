//! `gedanken eval`: one input of a session, from the command line.

use crate::console::diagnostics;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::disk::Disk;
use clap::Args;
use gedanken_lang::diagnostic::{Diagnostic, to_json};
use gedanken_lang::session::{Reply, Session};
use gedanken_lang::value::Value;
use gedanken_lang::vm::Limits;
use serde_json::json;

/// Evaluate an expression
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Expression to evaluate; definitions may precede it
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    expression: String,

    /// Import definitions from a file first; can be repeated
    #[arg(short, long, value_name = "FILE")]
    import: Vec<String>,

    /// Print values and diagnostics as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken eval '2 * sine(pi / 6)'
  gedanken eval 'f(x) = x^2  $ f(3)'
  gedanken eval --import quick_sort.vfl 'quick_sort({3, 1, 2})'";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut session = Session::new(Disk, Limits::default());
    let mut replies: Vec<Reply> = arguments.import.iter().flat_map(|file| session.preload(file)).collect();
    if !replies.iter().any(is_error) {
        replies.extend(session.submit(&arguments.expression));
    }
    let (mut values, mut diagnostics): (Vec<Value>, Vec<Diagnostic>) = (Vec::new(), Vec::new());
    let mut words = String::new();
    for reply in replies {
        match reply {
            Reply::Value(value) => values.push(value),
            Reply::Diagnostic(diagnostic) => diagnostics.push(diagnostic),
            Reply::Help(text) | Reply::Ir(text) => words.push_str(&text),
            Reply::Type(ty) => words.push_str(&format!("{ty}\n")),
            _ => {}
        }
    }
    let failed = diagnostics::failed(&diagnostics);
    if !failed && values.is_empty() && words.is_empty() {
        return Err(Failure::Usage(
            "there is no expression to evaluate: write one, such as '1 + 1'".to_owned(),
        ));
    }
    let screen = Screen::of_stdout(false);
    if arguments.json {
        let list: serde_json::Value = serde_json::from_str(&to_json(&diagnostics, session.sources()))
            .expect("what the language writes as JSON can be read as JSON");
        let values: Vec<_> = values.iter().map(value).collect();
        screen.print(&format!("{:#}\n", json!({ "values": values, "diagnostics": list })))?;
    } else {
        diagnostics::report(&diagnostics, session.sources());
        let values: String = values.iter().map(|value| format!("{value}\n")).collect();
        screen.print(&(words + &values))?;
    }
    if failed { Err(Failure::Reported) } else { Ok(()) }
}

fn is_error(reply: &Reply) -> bool {
    matches!(reply, Reply::Diagnostic(diagnostic) if diagnostic.is_error())
}

/// A value as data: numbers, booleans and arrays; matrices row by row.
fn value(value: &Value) -> serde_json::Value {
    match value {
        Value::Real(real) => json!(real),
        Value::Bool(truth) => json!(truth),
        Value::Vector(elements) => json!(elements),
        Value::Matrix(matrix) => (0..matrix.rows).map(|row| json!(matrix.row(row))).collect(),
        Value::Sequence(items) => items.iter().map(self::value).collect(),
    }
}

//! Help of a session: about itself, a native, an operator, a keyword, or something the user defined.

use super::command::COMMANDS;
use crate::diagnostic::{Code, Diagnostic};
use crate::native::{Entry, NATIVES};
use crate::source::{Sources, Span};
use crate::syntax::tree::Definition;
use std::fmt::Write as _;

/// Operators and keywords: how it is written, what it does, and an example with its value.
pub const OPERATORS: [(&str, &str, &str, &str); 20] = [
    ("+", "the sum of two reals, vectors or matrices of one shape; `+x` is `x`", "[1, 2] + [3, 4]", "[4, 6]"),
    (
        "-",
        "the difference of two reals, vectors or matrices of one shape; `-x` is the opposite",
        "5 - 7",
        "-2",
    ),
    (
        "*",
        "the product: of a real and anything numeric, of two matrices, of a matrix and a vector; of two vectors of 3, \
         the cross product",
        "[1, 0, 0] * [0, 2, 0]",
        "[0, 0, 2]",
    ),
    ("/", "a real, vector or matrix divided by a real", "[2, 4] / 2", "[1, 2]"),
    (".", "the inner product of two vectors of one length", "[1, 2, 3] . [4, 5, 6]", "32"),
    ("^", "a real to a real power, from right to left; `-x^2` is `-(x^2)`", "2 ^ 10", "1024"),
    ("#", "element k of a vector, row k of a matrix, item k of a sequence, from 1", "[7, 8, 9] # 2", "8"),
    ("++", "two sequences, one after the other", "{1, 2} ++ {3}", "{1, 2, 3}"),
    ("==", "whether two values of one type are exactly equal", "[1, 2] == [1, 2]", "true"),
    ("!=", "whether two values of one type differ", "1 != 2", "true"),
    ("<", "whether a real is less than another", "1 < 2", "true"),
    ("<=", "whether a real is at most another", "2 <= 2", "true"),
    (">", "whether a real is greater than another", "1 > 2", "false"),
    (">=", "whether a real is at least another", "2 >= 2", "true"),
    ("&", "and: the right side is looked at only if the left one is true", "true & 1 < 2", "true"),
    ("|", "or: the right side is looked at only if the left one is false", "false | 1 < 2", "true"),
    ("!", "not", "!true", "false"),
    ("if", "one of two values; the other one is not evaluated", "if 1 < 2 then 10 else 1 / 0", "10"),
    ("{}", "a sequence: values of one type, as many as you like", "head({3, 4})", "3"),
    (
        "[]",
        "a vector of reals; vectors of one length in brackets are the rows of a matrix",
        "[[1, 2], [3, 4]] # 2",
        "[3, 4]",
    ),
];

/// Further words under which an operator is found.
const ALSO: [(&str, &str); 8] = [
    ("then", "if"),
    ("else", "if"),
    ("{", "{}"),
    ("}", "{}"),
    ("[", "[]"),
    ("]", "[]"),
    ("sequence", "{}"),
    ("vector", "[]"),
];

/// Help about a topic; without one, about the session. An error still wants to know where the topic stands.
pub(super) fn about(
    topic: &str,
    definitions: &[Definition],
    sources: &Sources,
) -> Result<String, impl FnOnce(Span) -> Diagnostic + use<>> {
    let topic = topic.trim();
    if topic.is_empty() {
        return Ok(overview());
    }
    if let Some(definition) = definitions.iter().find(|definition| definition.name.text == topic) {
        return Ok(sources.slice(definition.span).to_owned() + "\n");
    }
    let name = topic.strip_prefix("VFLangNative.").unwrap_or(topic);
    if let Some(entry) = NATIVES.iter().find(|entry| entry.name == name) {
        return Ok(native(entry));
    }
    let sign = ALSO.iter().find(|(word, _)| *word == topic).map_or(topic, |(_, sign)| *sign);
    if let Some((sign, does, example, value)) = OPERATORS.iter().find(|(other, ..)| *other == sign) {
        return Ok(format!("{sign}\n{}    $ {example}\n    {value}\n", wrapped(does.split(' '))));
    }
    if let Some((name, argument, does)) = COMMANDS.iter().find(|(name, ..)| *name == topic) {
        return Ok(format!("{name} {argument}   {does}\n"));
    }
    let topic = topic.to_owned();
    Err(move |span| {
        let near = NATIVES.iter().map(|entry| entry.name).find(|name| {
            let (name, topic) = (name.to_lowercase(), topic.to_lowercase());
            name.starts_with(&topic) || topic.starts_with(&name) || shared_start(&name, &topic) >= 3
        });
        let help = match near {
            Some(name) => format!("did you mean `{name}`?"),
            None => "`help` alone shows all there is".to_owned(),
        };
        Diagnostic::new(Code::E604, span, format!("nothing is known about `{topic}`")).help(help)
    })
}

fn shared_start(a: &str, b: &str) -> usize {
    a.chars().zip(b.chars()).take_while(|(a, b)| a == b).count()
}

fn native(entry: &Entry) -> String {
    let mut text = String::from(entry.name);
    if !entry.params.is_empty() {
        let _ = write!(text, "({})", entry.params.join(", "));
    }
    let _ = writeln!(text, "   {}", entry.signature);
    text.push_str(&wrapped(entry.summary.split(' ')));
    if !entry.formula.is_empty() {
        let _ = writeln!(text, "    {}", entry.formula);
    }
    let (example, value) = entry.example;
    let _ = writeln!(text, "    $ {example}\n    {value}");
    text
}

/// The left side of a definition.
pub(super) fn left_side(definition: &Definition) -> String {
    let params: Vec<&str> = definition.params.iter().map(|param| param.text.as_str()).collect();
    let name = &definition.name.text;
    if params.is_empty() { name.clone() } else { format!("{name}({})", params.join(", ")) }
}

/// Columns of lines, beside the indentation.
const WIDTH: usize = 72;

fn overview() -> String {
    let mut text = String::from(
        "Write a definition or an expression:\n\
         \x20   area(r) = pi * r^2\n\
         \x20   $ area(2)\n\
         `$` may be left out. A definition can be written anew at any time.\n\
         An input goes on over lines while a bracket is open or an `else` is missing.\n\n",
    );
    let files = [
        ("import", "\"f.vfl\"", "read definitions from a file"),
        ("export", "\"f.vfl\"", "write all definitions to a file"),
    ];
    for (name, argument, does) in COMMANDS.iter().filter(|(name, ..)| *name != ":help").chain(&files) {
        let _ = writeln!(text, "    {:<18}{does}", format!("{name} {argument}"));
    }
    text.push_str("\nOperators:\n");
    text.push_str(&wrapped(OPERATORS.iter().map(|(sign, ..)| *sign)));
    text.push_str("Natives:\n");
    text.push_str(&wrapped(NATIVES.iter().map(|entry| entry.name)));
    text
}

fn wrapped<'a>(words: impl Iterator<Item = &'a str>) -> String {
    let (mut text, mut line) = (String::new(), String::new());
    for word in words {
        if !line.is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            let _ = writeln!(text, "    {line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    let _ = writeln!(text, "    {line}");
    text
}

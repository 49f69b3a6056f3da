//! Sessions: numbered inputs, redefinition, files, help, and errors at the place that defined the code.

use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::session::{Files, Reply, Session, is_complete};
use gedanken_lang::vm::Limits;
use proptest::prelude::*;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// Files in memory.
#[derive(Default)]
struct Memory(RefCell<BTreeMap<String, String>>);

impl Files for &Memory {
    fn read(&self, path: &str) -> Result<String, String> {
        self.0.borrow().get(path).cloned().ok_or_else(|| "there is no such file".to_owned())
    }

    fn write(&self, path: &str, text: &str) -> Result<(), String> {
        if path.contains('/') {
            return Err("there is no such folder".to_owned());
        }
        self.0.borrow_mut().insert(path.to_owned(), text.to_owned());
        Ok(())
    }
}

impl Memory {
    fn with(files: &[(&str, &str)]) -> Self {
        Self(RefCell::new(
            files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect(),
        ))
    }

    fn session(&self) -> Session<&Self> {
        Session::new(self, Limits::default())
    }
}

/// A reply in a line, for comparison.
fn line(reply: &Reply) -> String {
    match reply {
        Reply::Value(value) => value.to_string(),
        Reply::Defined(name) => format!("defined {name}"),
        Reply::Redefined(name) => format!("redefined {name}"),
        Reply::Imported { path, names } => format!("imported {} from {path}", names.join(" ")),
        Reply::Exported { path, definitions } => format!("exported {definitions} to {path}"),
        Reply::Help(text) | Reply::Ir(text) => text.clone(),
        Reply::Type(ty) => ty.to_string(),
        Reply::List(names) => names.join(" "),
        Reply::Diagnostic(diagnostic) => {
            format!("{} {} {}", diagnostic.code, diagnostic.notes.join(", "), diagnostic.message)
        }
        Reply::Quit => "quit".to_owned(),
    }
}

fn answers(session: &mut Session<&Memory>, input: &str) -> Vec<String> {
    session.submit(input).iter().map(line).collect()
}

fn diagnostics(replies: &[Reply]) -> Vec<&Diagnostic> {
    replies
        .iter()
        .filter_map(|reply| if let Reply::Diagnostic(it) = reply { Some(it) } else { None })
        .collect()
}

#[test]
fn the_session_of_the_thesis() {
    let memory = Memory::default();
    let mut session = memory.session();
    let replies = session.submit("my_func(x,y) = ()x+y");
    let note = &diagnostics(&replies)[0].notes;
    assert_eq!(note.last().unwrap(), "[1:17] in function `my_func`");
    assert_eq!(answers(&mut session, "my_func(x,y) = x+y"), ["defined my_func"]);
    let replies = session.submit("$my_func(true,50)");
    let diagnostic = diagnostics(&replies)[0];
    assert_eq!(diagnostic.code, "E510");
    assert_eq!(diagnostic.notes.last().unwrap(), "[2:17] in function `my_func`");
    assert!(diagnostic.message.contains("`+`"), "{}", diagnostic.message);
    assert_eq!(session.sources().slice(diagnostic.primary.span), "+");
    assert_eq!(answers(&mut session, "$my_func(8,50)"), ["58"]);
    assert_eq!(session.next_input(), 5);
}

#[test]
fn everybody_sees_a_redefinition() {
    let memory = Memory::default();
    let mut session = memory.session();
    assert_eq!(answers(&mut session, "v = 2 * u  u = 3"), ["defined v", "defined u"]);
    assert_eq!(answers(&mut session, "$ v"), ["6"]);
    assert_eq!(answers(&mut session, "$u = [1, 2]"), ["redefined u"]);
    assert_eq!(answers(&mut session, "v"), ["[2, 4]"]);
    assert_eq!(answers(&mut session, ":list"), ["v u"]);
}

#[test]
fn a_definition_may_use_what_comes_later() {
    let memory = Memory::default();
    let mut session = memory.session();
    let replies = answers(&mut session, "weight = mass * 9.81");
    assert_eq!(replies[0], "defined weight");
    assert!(
        replies[1].starts_with("W601") && replies[1].contains("`mass` is not defined yet"),
        "{replies:?}"
    );
    let failed = session.submit("weight");
    assert!(diagnostics(&failed)[0].is_error());
    assert_eq!(diagnostics(&failed)[0].notes.last().unwrap(), "[1:10] in function `weight`");
    session.submit("mass = 2");
    assert_eq!(answers(&mut session, "weight"), ["19.62"]);
}

#[test]
fn an_input_that_cannot_be_read_changes_nothing() {
    let memory = Memory::default();
    let mut session = memory.session();
    session.submit("a = 1");
    assert!(diagnostics(&session.submit("a = 2  b = )"))[0].is_error());
    assert_eq!(answers(&mut session, "a"), ["1"]);
    assert_eq!(answers(&mut session, ":list"), ["a"]);
}

#[test]
fn a_wrong_left_side_is_told_at_once() {
    let memory = Memory::with(&[("twice.vfl", "a = 1\nb = 2\na = 3\n")]);
    let mut session = memory.session();
    for input in ["f(x, x) = x", "v' = 1", "import \"twice.vfl\""] {
        let replies = session.submit(input);
        assert!(diagnostics(&replies)[0].is_error(), "{input}: {replies:?}");
    }
    assert_eq!(answers(&mut session, ":list"), [""]);
    let replies = session.submit("sine = 3");
    assert_eq!(replies[0], Reply::Defined("sine".to_owned()));
    assert_eq!(diagnostics(&replies)[0].code, "W201");
    assert_eq!(answers(&mut session, "sine + VFLangNative.sine(0)"), ["3"]);
}

#[test]
fn nothing_that_is_not_finite_is_printed() {
    let memory = Memory::default();
    let mut session = memory.session();
    for input in ["1/0", "0/0", "log(0)", "1e308 * 10", "[1, 1/0]", "{1, sqrt(-1)}", "tangent(1) / 0"] {
        let replies = session.submit(input);
        assert!(diagnostics(&replies)[0].code.as_str().starts_with("E5"), "{input}: {replies:?}");
    }
}

#[test]
fn files_come_in_and_go_out() {
    let memory = Memory::with(&[
        ("lib/sort.vfl", "import \"less.vfl\"\n// twice\ndouble(x) = 2 * x\nfour = double(2)"),
        ("lib/less.vfl", "import \"sort.vfl\"  least(a, b) = if a < b then a else b  four = 5"),
    ]);
    let mut session = memory.session();
    let replies = answers(&mut session, "import \"lib/sort.vfl\"");
    assert_eq!(replies, ["imported least double four from lib/sort.vfl"]);
    assert_eq!(answers(&mut session, "least(four, 7)"), ["4"]);
    session.submit("pair(x,\n  y) = [x,\n  y]");
    assert_eq!(answers(&mut session, "export \"out.vfl\""), ["exported 4 to out.vfl"]);

    let mut again = memory.session();
    assert_eq!(answers(&mut again, "import \"out.vfl\""), ["imported least double four pair from out.vfl"]);
    assert_eq!(answers(&mut again, "pair(four, least(1, 2))"), ["[4, 1]"]);
    assert_eq!(answers(&mut again, "import \"out.vfl\""), ["imported least double four pair from out.vfl"]);
}

#[test]
fn an_import_is_all_or_nothing() {
    let memory =
        Memory::with(&[("bad.vfl", "good = 1\nbad = (\n"), ("outer.vfl", "import \"gone.vfl\" x = 1")]);
    let mut session = memory.session();
    let replies = session.submit("import \"bad.vfl\"");
    let diagnostic = diagnostics(&replies)[0];
    assert_eq!(session.sources().name(diagnostic.primary.span.source), "bad.vfl");
    for file in ["outer.vfl", "gone.vfl", "ramp.lab"] {
        let replies = session.submit(&format!("import \"{file}\""));
        assert_eq!(diagnostics(&replies)[0].code, "E602", "{file}");
    }
    assert_eq!(answers(&mut session, ":list"), [""]);
}

#[test]
fn an_error_in_an_imported_function_shows_its_file() {
    let memory = Memory::with(&[("f.vfl", "// inverse\nf(x) =\n  1 / x")]);
    let mut session = memory.session();
    session.submit("import \"f.vfl\"");
    let replies = session.submit("f(0)");
    assert_eq!(diagnostics(&replies)[0].notes.last().unwrap(), "f.vfl:3:5 in function `f`");
}

#[test]
fn help_knows_natives_operators_and_definitions() {
    let memory = Memory::default();
    let mut session = memory.session();
    let overview = answers(&mut session, "help")[0].clone();
    for word in ["import", ":type", "skewSymmetricMatrix", "++"] {
        assert!(overview.contains(word), "{word}");
    }
    assert!(overview.lines().all(|line| line.chars().count() <= 90), "{overview}");
    assert!(answers(&mut session, "help norm")[0].starts_with("norm("));
    assert!(answers(&mut session, "help *")[0].contains("cross product"));
    session.submit("area(r) = pi * r^2");
    assert_eq!(answers(&mut session, "help area"), ["area(r) = pi * r^2\n"]);
    assert!(answers(&mut session, "help sinus")[0].contains("E604"));
    assert!(answers(&mut session, ":foo")[0].contains("E601"));
}

#[test]
fn the_examples_of_help_are_true() {
    let memory = Memory::default();
    let mut session = memory.session();
    for (sign, _, example, value) in gedanken_lang::session::OPERATORS {
        assert_eq!(answers(&mut session, example), [value], "{sign}");
    }
}

#[test]
fn types_are_told_without_running() {
    let memory = Memory::default();
    let mut session = memory.session();
    session.submit("v = [1, 2, 3]");
    for (input, expected) in [
        (":type 1 / 0", "a real"),
        (":type v", "a vector of 3"),
        (":type v . v > 1", "a boolean"),
        (":type skewSymmetricMatrix(v)", "a 3 by 3 matrix"),
    ] {
        assert_eq!(answers(&mut session, input), [expected], "{input}");
    }
    let replies = session.submit(":type 1 + nobody");
    assert_eq!(diagnostics(&replies)[0].notes.last().unwrap(), "[6:11]");
}

#[test]
fn the_intermediate_form_is_shown_where_there_is_one() {
    let memory = Memory::default();
    let mut session = memory.session();
    session.submit("v = [1, 2, 3]  long(n) = if n == 0 then {} else {n} ++ long(n - 1)");
    let replies = session.submit(":ir norm(v)");
    assert!(matches!(&replies[0], Reply::Ir(text) if !text.is_empty()), "{replies:?}");
    let replies = session.submit(":ir long(3)");
    assert_eq!(diagnostics(&replies)[0].code, "E605");
}

#[test]
fn inputs_go_on_where_they_must() {
    for whole in ["1 + 1", "help *", ":type 1 +", "f(x) = x", "if 1 < 2 then 3 else 4", ")", ""] {
        assert!(is_complete(whole), "{whole}");
    }
    for part in ["(1", "1 +", "if 1 < 2 then 3", "{1,", "f(x) ="] {
        assert!(!is_complete(part), "{part}");
    }
}

#[test]
fn leaving() {
    let memory = Memory::default();
    let mut session = memory.session();
    for input in [":quit", " :q "] {
        assert_eq!(session.submit(input), [Reply::Quit]);
    }
    assert_eq!(session.submit(""), []);
    assert_eq!(session.submit("  // nothing\n"), []);
}

/// Whatever is typed, a session goes on.
#[test]
fn nothing_typed_ends_a_session() {
    let memory = Memory::default();
    let mut session = memory.session();
    for input in [
        "$",
        "$ $",
        ")",
        "(",
        "[",
        "{",
        "}",
        "\"",
        "import",
        "import 3",
        "export",
        "'",
        "a'",
        "a' = 1",
        "1e999",
        "::",
        ":",
        ":type",
        ":ir",
        ":type )",
        "help help help",
        "\u{0}",
        "π = 3",
        "\u{1f600}",
        "if",
        "if 1",
        "1 2 3",
        "= = =",
        "previous(x)",
        "VFLangNative.",
        "VFLangNative.sine",
        "VFLangNative.nobody(1)",
        "f(x, x) = x",
        "f(",
        "sine(1, 2)",
        "sine",
        "sine = 3",
        "pi = 3",
        "object { }",
        "world attributes { g = 1 }",
        "t",
        "dt",
        "- - - -",
        "#",
        "1 # 1",
        "[[1],[2, 3]]",
        "{1, true}",
    ] {
        session.submit(input);
    }
    session.submit(&"(".repeat(100_000));
    session.submit(&"-".repeat(100_000));
    session.submit(&format!("1{}", "+1".repeat(100_000)));
    assert_eq!(answers(&mut session, "1 + 1"), ["2"]);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Words of the language in any order: every input gets an answer, and no value that is not finite is
    /// among them.
    #[test]
    fn any_words_get_an_answer(inputs in prop::collection::vec(prop::collection::vec(0..WORDS.len(), 0..12), 1..6)) {
        let memory = Memory::default();
        let mut session = Session::new(&memory, Limits { depth: 50, steps: 20_000, ..Limits::default() });
        for input in inputs {
            let text: Vec<&str> = input.iter().map(|&word| WORDS[word]).collect();
            for reply in session.submit(&text.join(" ")) {
                if let Reply::Value(value) = reply {
                    let text = value.to_string();
                    prop_assert!(!text.contains("NaN") && !text.contains("inf"), "{}", text);
                }
            }
        }
        prop_assert_eq!(session.submit("1 + 1"), vec![Reply::Value(gedanken_lang::value::Value::Real(2.0))]);
    }
}

const WORDS: [&str; 44] = [
    "x",
    "f",
    "g",
    "f(x) =",
    "g =",
    "f(",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "$",
    "=",
    "if",
    "then",
    "else",
    "1",
    "0",
    "2.5",
    "1e300",
    "true",
    "false",
    "+",
    "-",
    "*",
    "/",
    ".",
    "^",
    "#",
    "++",
    "==",
    "<",
    "&",
    "|",
    "!",
    "head(",
    "norm(",
    "tail(",
    "matrixTranspose(",
    "import \"a.vfl\"",
    "'",
    ":",
];

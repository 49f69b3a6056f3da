//! The formatter: one style, which it reproduces; nothing lost, nothing changed in meaning.

use crate::read::{read, shape};
use gedanken_lang::syntax::{Dialect, format};
use proptest::prelude::*;

/// The comments of a text, in order.
fn comments(text: &str, dialect: Dialect) -> Vec<String> {
    let (file, _, sources) = read(text, dialect);
    file.comments.iter().map(|comment| sources.slice(comment.span).to_owned()).collect()
}

/// Formats a text without mistakes, and checks what must hold of every result.
fn formatted(text: &str, dialect: Dialect) -> String {
    let once = format(text, dialect).unwrap_or_else(|diagnostics| panic!("{text}\n{diagnostics:?}"));
    let (before, after) = (read(text, dialect), read(&once, dialect));
    assert!(after.1.is_empty(), "{text}\n--\n{once}\n{:?}", after.1);
    assert_eq!(shape(&before.0), shape(&after.0), "{text}\n--\n{once}");
    assert_eq!(comments(text, dialect), comments(&once, dialect), "{text}\n--\n{once}");
    let twice = format(&once, dialect).unwrap();
    assert_eq!(once, twice, "{text}");
    assert!(once.lines().all(|line| line.trim_end() == line || line.contains("*/")), "{once}");
    once
}

#[test]
fn one_style() {
    let text = "// falling\n\n\n\na=1 b  =  2*( a+b )^2 -v#1.w\n  f( x,y )= if x==y then { } else {x , y}++z // why\n/* two\n   lines */ v'=-x ^ - 1\nc = !d&e|VFLangNative . norm( [ 1,2 ] )<+ +3\nimport   \"x.vfl\"";
    assert_eq!(
        formatted(text, Dialect::Library),
        "// falling\n\na = 1\nb = 2 * (a + b)^2 - v # 1 . w\nf(x, y) = if x == y then {} else {x, y} ++ z // why\n/* two\n   lines */\nv' = -x^-1\nc = !d & e | VFLangNative.norm([1, 2]) < + +3\nimport \"x.vfl\"\n"
    );
    assert_eq!(formatted("$x $  f(y)=1 export \"a\"", Dialect::Session), "$ x\n$ f(y) = 1\nexport \"a\"\n");
    assert_eq!(formatted("", Dialect::Library), "");
    assert_eq!(formatted("\n\n // x \n\n", Dialect::Library), "// x\n");
}

#[test]
fn long_definitions_are_broken_at_their_loosest_places() {
    let text = "inverted_inertia_tensor_world_coord = orientation_matrix * squareMatrixInverse(inertia_tensor) * squareMatrixInverse(orientation_matrix)
greater(seq, num) = if seq=={} then {} else if head(seq)>=num then {head(seq)} ++ greater(tail(seq), num) else greater(tail(seq), num)
inertia = [[0.083333333 * mass * (size # 2 ^ 2 + size # 3 ^ 2), 0, 0], [0, 0.083333333 * mass * (size # 1 ^ 2 + size # 3 ^ 2), 0], [0, 0, 1]]";
    insta::assert_snapshot!(formatted(text, Dialect::Library));
}

#[test]
fn experiments() {
    let text = "world attributes{t=0,a=[0,0,-9.81]}object{name=ball // the ball
    physical type=dynamic,


    attributes={position=[0,5,0] size=1}}
    // how it falls
    context{ type=free fall name = fall
    // nothing yet
    functions={ // here
    }
    aliases={use n as attribute v of object with index 0 use m as attribute v of object floor}
    applicability={mandatory 1 dynamic sphere and 2 half - spaces and floor}attributes={t0 ,v0}
    functions = { v'=a  position = /* where */ [0, // x
        1,
        // z last
        2] } aliases = {} } event e {}
    // the end";
    insta::assert_snapshot!(formatted(text, Dialect::Experiment));
}

#[test]
fn texts_with_mistakes_are_left_alone() {
    assert!(format("a = [1 2]", Dialect::Library).is_err());
    assert!(format("object { name }", Dialect::Experiment).is_err());
}

fn expression() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        "[a-z_][a-z0-9_]{0,14}".prop_filter("words", |name| ![
            "if", "then", "else", "true", "false", "import", "export", "and", "or", "not"
        ]
        .contains(&name.as_str())),
        "[0-9]{1,4}(\\.[0-9]{1,3})?(e-?[0-9]{1,2})?",
        Just("true".to_owned()),
        Just("VFLangNative . pi".to_owned()),
        Just("{}".to_owned()),
        Just("f()".to_owned()),
    ];
    leaf.prop_recursive(6, 60, 4, |inner| {
        let operators = prop::sample::select(vec!["|", "&", "++", "+", "-", "*", "/", ".", "^"]);
        let comparisons = prop::sample::select(vec!["==", "!=", "<", "<=", ">", ">="]);
        let gaps = prop::sample::select(vec![" ", "\n", "  \n ", " /* c */ ", " // c\n", "\n// own\n", "\n/* a\n b */\n", "\n/*x*/"]);
        prop_oneof![
            4 => (inner.clone(), gaps.clone(), operators, gaps.clone(), inner.clone()).prop_map(|(a, g, op, h, b)| format!("{a}{g}{op}{h}{b}")),
            1 => (inner.clone(), comparisons, inner.clone()).prop_map(|(a, op, b)| format!("({a}) {op} ({b})")),
            1 => (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a}) # ({b})")),
            1 => (prop::sample::select(vec!["-", "+", "!", "- -", "+ +"]), inner.clone()).prop_map(|(sign, a)| format!("{sign}({a})")),
            1 => (inner.clone(), gaps.clone()).prop_map(|(a, g)| format!("({g}{a}{g})")),
            1 => (prop::collection::vec(inner.clone(), 0..4), gaps.clone()).prop_map(|(list, g)| format!("[{}]", list.join(&format!(",{g}")))),
            1 => (prop::collection::vec(inner.clone(), 0..4), gaps.clone()).prop_map(|(list, g)| format!("some_function({})", list.join(&format!("{g},")))),
            1 => prop::collection::vec(inner.clone(), 0..3).prop_map(|list| format!("{{{}}}", list.join(", "))),
            1 => (inner.clone(), inner.clone(), gaps, inner).prop_map(|(a, b, g, c)| format!("(if {a} then {b}{g}else {c})")),
        ]
    })
}

fn definitions() -> impl Strategy<Value = String> {
    let head = prop::sample::select(vec!["a", "f(x, y)", "v'", "g()", "a_rather_long_name_of_a_law"]);
    let end = prop::sample::select(vec![
        " ",
        "\n",
        "\n\n",
        "\n\n\n",
        " // end\n",
        " /* end */ ",
        "\n// own\n\n",
        "\n/* own */ ",
    ]);
    prop::collection::vec((head, expression(), end), 1..5).prop_map(|list| {
        list.into_iter().map(|(head, value, end)| format!("{head} = {value}{end}")).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn libraries_keep_their_meaning(text in definitions()) {
        prop_assume!(read(&text, Dialect::Library).1.is_empty());
        formatted(&text, Dialect::Library);
    }

    #[test]
    fn blocks_keep_their_meaning(functions in definitions(), value in expression(), gap in prop::sample::select(vec![" ", "\n\n", " // c\n", "\n/* c */\n", ", "])) {
        let text = format!("context {{{gap}type = free fall{gap}functions = {{{gap}{functions}}}{gap}attributes = {{a, b}}{gap}duration = {value}\n}}");
        prop_assume!(read(&text, Dialect::Experiment).1.is_empty());
        formatted(&text, Dialect::Experiment);
    }
}

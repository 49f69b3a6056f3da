//! Meaning of texts: how operators group, where definitions end, what blocks hold.

use crate::read::{codes, read, shape};
use gedanken_lang::syntax::{Dialect, is_complete};

fn reads(text: &str, dialect: Dialect) -> String {
    let (file, diagnostics, _) = read(text, dialect);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    shape(&file)
}

#[track_caller]
fn groups(text: &str, expected: &str) {
    assert_eq!(reads(text, Dialect::Expression), format!("$ {expected}"), "{text}");
}

#[test]
fn operators_group_by_their_levels() {
    groups("a | b & c == d ++ e + f * -g ^ h # i", "(a | (b & (c == (d ++ (e + (f * (-(g ^ (h # i)))))))))");
    groups("i # h ^ g * f + e ++ d == c & b | a", "((((((((i # h) ^ g) * f) + e) ++ d) == c) & b) | a)");
    groups("a - b - c + d", "(((a - b) - c) + d)");
    groups("a / b * c . d", "(((a / b) * c) . d)");
    groups("a ++ b ++ c", "(a ++ (b ++ c))");
    groups("a ^ b ^ c", "(a ^ (b ^ c))");
    groups("m # 2 # 3", "((m # 2.0) # 3.0)");
    groups("a | b | c & d & e", "((a | b) | ((c & d) & e))");
}

#[test]
fn signs_take_in_powers_and_elements_but_not_products() {
    groups("-x^2", "(-(x ^ 2.0))");
    groups("-r # 1", "(-(r # 1.0))");
    groups("-a * b", "((-a) * b)");
    groups("!a & b", "((!a) & b)");
    groups("!a == b", "((!a) == b)");
    groups("mass ^ -1", "(mass ^ (-1.0))");
    groups("2^-x^2", "(2.0 ^ (-(x ^ 2.0)))");
    groups("Fg . -n", "(Fg . (-n))");
    groups("1/m * -j", "((1.0 / m) * (-j))");
    groups("a - -b", "(a - (-b))");
    groups("--x", "(-(-x))");
    groups("v#(i+1) . w", "((v # <(i + 1.0)>) . w)");
    groups("f(x)#1", "(f(x) # 1.0)");
    groups("v # f(1) ^ 2", "((v # f(1.0)) ^ 2.0)");
}

#[test]
fn a_point_is_decimal_between_digits_and_a_product_elsewhere() {
    groups("v.w", "(v . w)");
    groups("1.v", "(1.0 . v)");
    groups("1.5", "1.5");
    groups("[1,2].[3,4]", "([1.0 2.0] . [3.0 4.0])");
    groups("v#1.w", "((v # 1.0) . w)");
    groups("VFLangNative.norm(v) . w", "(native norm(v) . w)");
    groups("VFLangNative . pi", "native pi()");
    groups("6.67e-11 + 1E3 + 2e+1", "((6.67e-11 + 1000.0) + 20.0)");
}

#[test]
fn a_conditional_reaches_as_far_as_it_can() {
    groups("if a then b else c + 1", "(if a b (c + 1.0))");
    groups("1 + if a then b else c", "(1.0 + (if a b c))");
    groups("if a then b else if c then d else e", "(if a b (if c d e))");
    groups("if if a then b else c then d else e", "(if (if a b c) d e)");
    groups("2 * -if a then b else c | d", "(2.0 * (-(if a b (c | d))))");
    groups("if t<1 then Nr_norm * n else [0,0,0]", "(if (t < 1.0) (Nr_norm * n) [0.0 0.0 0.0])");
}

#[test]
fn brackets() {
    groups("{}", "{}");
    groups("{ {1}, [], f() }", "{{1.0} [] f()}");
    groups("f (x, [y])", "f(x [y])");
    groups("(((a)))", "<<<a>>>");
    groups("[v # 1, v # 2\n-v # 3]", "[(v # 1.0) ((v # 2.0) - (v # 3.0))]");
    groups("true | false", "(true | false)");
}

#[test]
fn definitions_end_where_no_expression_can_go_on() {
    let text = "a = b f(x) = x v' = g - k * v\nc() = a\n- b d=if seq=={} then {}\nelse seq import \"more.vfl\" e = (1)";
    assert_eq!(
        reads(text, Dialect::Library),
        "a() = b\nf(x) = x\nv'() = (g - (k * v))\nc() = (a - b)\nd() = (if (seq == {}) {} seq)\nimport more.vfl\ne() = <1.0>"
    );
    // Layout does not matter: a parenthesis on the next line is still a call.
    assert_eq!(reads("a = b\n(x)\nf(y) = 1", Dialect::Library), "a() = b(x)\nf(y) = 1.0");
    assert_eq!(
        reads("object(world) = 1 index = 2 use = object(3)", Dialect::Library),
        "object(world) = 1.0\nindex() = 2.0\nuse() = object(3.0)"
    );
    assert_eq!(reads("", Dialect::Library), "");
    assert_eq!(reads("\u{feff}// only a comment", Dialect::Library), "");
}

#[test]
fn sessions() {
    let text = "$ second_object_v";
    assert_eq!(reads(text, Dialect::Session), "$ second_object_v");
    assert_eq!(reads("$f = [6,0,6] $f # 1", Dialect::Session), "f() = [6.0 0.0 6.0]\n$ (f # 1.0)");
    assert_eq!(reads("1 + 1", Dialect::Session), "$ (1.0 + 1.0)");
    assert_eq!(reads("a == 1", Dialect::Session), "$ (a == 1.0)");
    assert_eq!(reads("my_func(true,50)", Dialect::Session), "$ my_func(true 50.0)");
    assert_eq!(reads("import \"a.vfl\" export \"b.vfl\"", Dialect::Session), "import a.vfl\nexport b.vfl");
}

#[test]
fn a_session_waits_for_the_rest() {
    let open = [
        "(",
        "f(x,",
        "f(x",
        "a = [1, 2",
        "{",
        "1 +",
        "a =",
        "$",
        "-",
        "if a",
        "if a then",
        "if a then b",
        "x #",
        "a ==",
        "1 + /* x",
        "[1,\n",
    ];
    for text in open {
        assert!(!is_complete(text), "{text}");
    }
    let whole = [
        "",
        "x",
        "f(x)",
        "a = 1",
        "if a then b else c",
        "1 2",
        ")",
        "f(x]",
        "[1 2",
        "a = = b",
        "&",
        "// (",
        "x // +",
        "\"open",
        "()",
    ];
    for text in whole {
        assert!(is_complete(text), "{text}");
    }
}

const EXPERIMENT: &str = r#"
import "tools.vfl"
world attributes { t = 0 a = [0, 0, -9.81] }
object {
    name = ball
    physical type = dynamic, geometrical_type = convex hull
    attributes = {
        position = [0, 5, 0]
        size = 1, v = -2 * a
    }
    picture = "ball.stl"
}
context {
    name = fall type = free fall
    attributes = {t0, v0}
    compute first time only attributes = {t0, v0}
    geometric_data_directions = {[0,0,1], [0,0,-1]}
    functions = {
        t0 = t
        v' = a
        position = pos0 + v0*(t-t0)
    }
    aliases = {
        use n1 as attribute collisionNormal of object with index 0
        use g as attribute a of object floor
    }
    applicability = { mandatory 1 dynamic object and 2 spheres and floor and 3 static half-spaces and 1 mesh }
}
simulation { name = first initial time = 0 duration = 3 * 10 objects_involved = {ball, floor} workflow = seq(a, par(b, c)) }
measure energy { of = {ball} value = 0.5 * m * v . v at = 3 expected = {1, 2} tolerance = 1e-3 note = some words }
rule drag { reads = {v} writes = {} functions = {} unknown = { a = 1 b(x) = x } points = {[1], [2]} }
"#;

#[test]
fn blocks() {
    insta::assert_snapshot!(reads(EXPERIMENT, Dialect::Experiment));
}

#[test]
fn words_of_blocks_are_names_elsewhere() {
    let text = "context { functions = { object = 1 use = object index(of) = of mandatory = and1 } }";
    assert_eq!(codes(text, Dialect::Experiment), [""; 0]);
}

#[test]
fn places_are_those_of_the_text() {
    let (file, _, sources) = read("a = 1\nlonger(x, y) = x + (y * 2)", Dialect::Library);
    let gedanken_lang::syntax::tree::Item::Definition(definition) = &file.items[1] else { panic!() };
    assert_eq!(sources.slice(definition.span), "longer(x, y) = x + (y * 2)");
    assert_eq!(sources.slice(definition.body.span), "x + (y * 2)");
    assert_eq!(sources.slice(definition.params[1].span), "y");
    assert_eq!(sources.position(definition.body.span).to_string(), "2:16");
}

#[test]
fn comments_are_kept_with_their_places() {
    let (file, _, sources) = read("// one\na = 1 /* two */ // three\n  /* four */ b = 2", Dialect::Library);
    let comments: Vec<_> =
        file.comments.iter().map(|comment| (sources.slice(comment.span), comment.trailing)).collect();
    assert_eq!(comments, [("// one", false), ("/* two */", true), ("// three", true), ("/* four */", false)]);
}

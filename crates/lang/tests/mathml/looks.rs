//! Appearance of laws: each in one line, as `xml::Node::line` writes it, held against what one would write by
//! hand.

use crate::xml::{Node, read};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::{Definition, Item};
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::typeset::mathml;

fn expression(text: &str) -> Node {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    let (file, diagnostics) = parse(&sources, source, Dialect::Expression);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    let Some(Item::Evaluate(expr)) = file.items.first() else { panic!("{text} is an expression") };
    let node = read(&mathml::expression(expr));
    node.check();
    node
}

fn parsed(text: &str) -> Definition {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    let (file, diagnostics) = parse(&sources, source, Dialect::Library);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    file.into_definitions().pop().unwrap()
}

fn definition(text: &str) -> Node {
    let node = read(&mathml::definition(&parsed(text)));
    node.check();
    node
}

fn looks(table: &[(&str, &str)]) {
    for (text, expected) in table {
        assert_eq!(expression(text).line(), *expected, "{text}");
    }
}

#[test]
fn sums_and_products() {
    looks(&[
        ("v0 + a * (t - t0)", "v_0+a*(t−t_0)"),
        ("(a + b) + c", "a+b+c"),
        ("a + (b + c)", "a+(b+c)"),
        ("a - (b - c)", "a−(b−c)"),
        ("(a * b) * c", "a*b*c"),
        ("a * (b * c)", "a*(b*c)"),
        ("a * b + c", "a*b+c"),
        ("2 * 3", "2⋅3"),
        ("mean_anomaly * x", "mean anomaly∗x"),
        ("a * total_mass^2", "a∗total mass^2"),
        ("x * 2^n", "x⋅2^n"),
        ("2 * x", "2*x"),
        ("[1, 0, 0] * [0, 2, 0]", "[1,0,0]×[0,2,0]"),
        ("u . n * n", "(u⋅n)*n"),
        ("(u . n) * n", "(u⋅n)*n"),
        ("a * b . c", "a*b⋅c"),
        ("Fg . -n", "Fg⋅(−n)"),
        ("a + -b * c", "a+(−b*c)"),
        ("a - -b", "a−(−b)"),
        ("-a + b", "−a+b"),
        ("-(a + b)", "−(a+b)"),
        ("{1} ++ {2}", "{1}++{2}"),
    ]);
}

#[test]
fn quotients_and_powers() {
    looks(&[
        ("a / b", "{a}/{b}"),
        ("a * b / c", "{a*b}/{c}"),
        ("1 / m * j", "{1}/{m}*j"),
        ("(a + b) / (c - d)", "{a+b}/{c−d}"),
        ("-gm / norm(r)^3 * r", "−{gm}/{‖r‖^3}*r"),
        ("-a * b / c", "−{a*b}/{c}"),
        ("a + -b / c", "a+(−{b}/{c})"),
        ("(-b / c)^2", "(−{b}/{c})^2"),
        ("a / (-b / c)", "{a}/{−{b}/{c}}"),
        ("x^(-a / b)", "x^{−a/b}"),
        ("(a / b)^2", "({a}/{b})^2"),
        ("-(a / b)", "−{a}/{b}"),
        ("a + b / c", "a+{b}/{c}"),
        ("a / (b / (c / d))", "{a}/{{b}/{c/d}}"),
        ("x^(1/2)", "x^{1/2}"),
        ("x^(a / b * c)", "x^{(a/b)*c}"),
        ("x^(a / (b * c))", "x^{a/(b*c)}"),
        ("x^2^n", "x^{2^n}"),
        ("(x^2)^n", "(x^2)^n"),
        ("-x^2", "−x^2"),
        ("(-x)^2", "(−x)^2"),
        ("m^-1", "m^{−1}"),
        ("(v # 3)^2", "v_3^2"),
        ("(t - t0)^2", "(t−t_0)^2"),
    ]);
}

#[test]
fn names() {
    looks(&[
        ("v_in", "v_{in}"),
        ("pos0", "pos_0"),
        ("v1_in", "v_{1,in}"),
        ("omega", "ω"),
        ("Delta_x", "Δ_x"),
        ("2 * pi", "2*π"),
        ("mean_anomaly", "mean anomaly"),
        ("previous(x)", "x_{prev}"),
        ("previous(v_in)", "v_{in,prev}"),
        ("previous(v0)", "v_{0,prev}"),
    ]);
    assert_eq!(expression("v0 + a_b * f(omega)").names(), ["v0", "a_b", "f", "omega"]);
    assert_eq!(expression("norm(v_in)^2 / sine(x)").names(), ["v_in", "sine", "x"]);
}

#[test]
fn elements_and_tables() {
    looks(&[
        ("v # 3", "v_3"),
        ("m # 1 # 2", "m_{1,2}"),
        ("pos0 # 3", "(pos_0)_3"),
        ("v # (i + 1)", "v_{i+1}"),
        ("f(x) # 2", "f(x)_2"),
        ("(a + b) # 1", "(a+b)_1"),
        ("[a, b, c]", "[a,b,c]"),
        ("[[1, 2], [3, 4]]", "[1|2;3|4]"),
        ("[[1, 2], [3]]", "[[1,2],[3]]"),
        ("{1, 2}", "{1,2}"),
        ("[a + b + c + d, a + b + c + d, a + b + c + d]", "[a+b+c+d;a+b+c+d;a+b+c+d]"),
    ]);
}

#[test]
fn functions() {
    looks(&[
        ("sine(x)^2", "sin^2(x)"),
        ("sine(x)^n", "sin(x)^n"),
        ("log(x)^2", "ln(x)^2"),
        ("VFLangNative.cosine(x)", "cos(x)"),
        ("sqrt(1 - e^2)", "√{1−e^2}"),
        ("norm(a) * abs(x)", "‖a‖*|x|"),
        ("log(m0 / m)", "ln({m_0}/{m})"),
        ("floor(x) + ceil(y)", "⌊x⌋+⌈y⌉"),
        ("normalize(n)", "n^"),
        ("normalize(a_v)", "a^_v"),
        ("normalize(a + b)", "normalize(a+b)"),
        ("matrixTranspose(m) * m", "m^T*m"),
        ("squareMatrixInverse(a + b)", "(a+b)^{−1}"),
        ("skewSymmetricMatrix(r)", "[r]_×"),
        ("identityMatrix(3)", "I_3"),
        ("max(a, b)", "max(a,b)"),
        ("norm(a, b)", "norm(a,b)"),
        ("f()", "f()"),
    ]);
}

#[test]
fn truths_and_cases() {
    looks(&[
        ("a <= b & c >= d | e != f", "a≤b∧c≥d∨e≠f"),
        ("a & (b | c)", "a∧(b∨c)"),
        ("!(a < b)", "¬(a<b)"),
        ("!a & b == c", "¬a∧b=c"),
        ("x < -1", "x<−1"),
        ("if x > 0 then 1 else 0", "{1|if x>0;0|otherwise"),
        ("if a then 1 else if b then 2 else (if c then 3 else 4)", "{1|if a;2|if b;3|if c;4|otherwise"),
        ("2 * (if a then 1 else 2)", "2*({1|if a;2|otherwise)"),
    ]);
}

#[test]
fn numbers() {
    looks(&[
        ("0.5", "0.5"),
        ("10000", "10000"),
        ("299792458", "299792458"),
        ("6.67e-11", "6.67×10^{−11}"),
        ("1e-9", "10^{−9}"),
        ("1e20", "10^{20}"),
        ("0.001", "0.001"),
        ("6.67e-11 * m", "6.67×10^{−11}*m"),
        ("m * 6.67e-11", "m⋅(6.67×10^{−11})"),
        ("1e20^2", "(10^{20})^2"),
    ]);
}

#[test]
fn definitions() {
    for (text, expected) in [
        ("v = v0 + a * (t - t0)", "v=v_0+a*(t−t_0)"),
        ("area(r) = pi * r^2", "area(r)=π*r^2"),
        ("f(x, y) = x", "f(x,y)=x"),
        ("v' = a", "v˙=a"),
        ("v_x' = a", "v˙_x=a"),
        ("omega' = 1", "ω˙=1"),
        ("mass' = -burn", "{d mass}/{dt}=−burn"),
        ("when = T < low & !heater", "when⇔T<low∧¬heater"),
        ("heater = false", "heater=false"),
    ] {
        assert_eq!(definition(text).line(), expected, "{text}");
    }
}

#[test]
fn markup() {
    let law = "v = v_in - (1 + restitution) * (v_in . n) / norm(n)^2 * n";
    insta::assert_snapshot!(definition(law).outline());
    insta::assert_snapshot!(mathml::definition(&parsed("position' = if t > 1e-9 then v else [0, 0, 0]")));
}

#[test]
fn what_is_missing_is_shown() {
    let mut sources = Sources::new();
    let source = sources.add("text", "v = ");
    let (file, _) = parse(&sources, source, Dialect::Library);
    let definition = file.into_definitions().pop().unwrap();
    let node = read(&mathml::definition(&definition));
    node.check();
    assert_eq!(node.line(), "v=!?!");
}

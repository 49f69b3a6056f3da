//! Messages of the parser: every code, word for word; and texts with a slip, which give one message each.

use crate::read::{codes, read};
use gedanken_lang::diagnostic::{CATALOGUE, Style, render};
use gedanken_lang::syntax::Dialect::{self, Experiment, Library, Session};
use std::fmt::Write;

fn said(text: &str, dialect: Dialect) -> String {
    let (_, diagnostics, sources) = read(text, dialect);
    render(&diagnostics, &sources, Style::Plain)
}

/// Texts with mistakes, by the code that they must give and nothing else.
const MISTAKES: &[(&str, Dialect, &str)] = &[
    ("E101", Library, "v = a − b × c · 2"),
    ("E101", Library, "E = m * v² ≤ Δθ"),
    ("E101", Library, "import “tools.vfl”"),
    ("E101", Library, "viteß = 3 § 4"),
    ("E102", Library, "a = .5 + 1e999"),
    ("E103", Library, "import \"tools.vfl\na = 1"),
    ("E104", Library, "a = 1 /* and so on"),
    ("E105", Library, "a = b && c || not d and e ** 2 % 3 => 1"),
    ("E106", Library, "f(x) = if x = 3 then [x = 1] else 2\ng == 3\nh = a = b"),
    ("E107", Library, "a = x +\nb =\nc = [1,,2,]\nd = * 3\ne = v # -1\nf = \"text\""),
    ("E108", Session, "my_func(x,y) = ()x+y"),
    ("E109", Library, "a = 2x\nb = 2 (x)\nc = x y\nd = (x y)\ne = [2x, f(x)(y)]"),
    ("E110", Library, "a = [1 2, x y]\nf(x y) = {x y}\ng = f(x\ny)"),
    ("E111", Library, "a = f(x, [1, 2\nb = (1\nc = {f(}"),
    (
        "E112",
        Library,
        "orientation =\n    quaternionToEulerXYZ(\n        multiplyQuaternions(a, b)\n        )\n    )\nb = 1]])",
    ),
    ("E113", Library, "a = [1, 2)\nb = f(x]\nc = (x}"),
    ("E114", Library, "a = if x then y\nb = if x y else z\nc = (if x then y)\nd = x then y\ne = if x else y"),
    ("E115", Library, "a = 0 < x < 1\nb = (x == y) == z & a == b != c"),
    ("E117", Library, "$ a = 3"),
    ("E117", Library, "3 = a\nb = 1"),
    ("E117", Library, "* b = 1"),
    ("E117", Experiment, "a = 3\nobject { }\n3"),
    ("E118", Library, "f(2) = 3\ng(x, y + 1) = 3\nh x = 3\nl(x)(y) = 1"),
    ("E118", Session, "f(x, 2) = x"),
    ("E119", Library, "v' = g\na = 2 * v'"),
    ("E120", Library, "a = 1;\nb = 2,\nc = 3"),
    ("E120", Experiment, "world attributes { t = 0; a = 1 }"),
    ("E121", Library, "g = 9.81 : m/s^2\nh = 1"),
    ("E122", Library, "import tools.vfl\nimport\nexport \"all.vfl\""),
    ("E123", Experiment, "objct { name = a }\nworld { t = 0 }\nthing { }\nobject a b { }\nsimulation = 3"),
    ("E124", Experiment, "object { name ball\nsize : 3\nattributes { } }"),
    ("E124", Experiment, "object { 3 = a\nsize = 3 }"),
    (
        "E125",
        Experiment,
        "context { aliases = {\nuse a for attribute b of object with index 0\nuse a as atribute b of object 3\nuse\nuse n as attribute b of object floor } }",
    ),
    (
        "E126",
        Experiment,
        "context { aliases = {\nuse a as attribute b of object with index O\nuse a as attribute b of object with index 0.5 } }",
    ),
    (
        "E127",
        Experiment,
        "context { applicability = { mandatory 1 dynamic box } }\ncontext { applicability = { mandatory 0 objects } }\ncontext { applicability = { 2 objects } }\ncontext { applicability = { mandatory 2 dynamic objects or floor } }",
    ),
    ("E128", Experiment, "simulation { objects_involved = {ball, 3} contexts_involved = 3 }"),
    ("E129", Library, "a = (1, 2) + 3\nb = [(1, 2), 3]"),
    ("E130", Library, "if = 3\ntrue = 1\nimport = 2\nVFLangNative = 1"),
    ("E130", Session, "else = 3"),
    ("E131", Library, "a = VFLangNative(3)\nb = [VFLangNative.3, 1]"),
    ("E121", Library, "a = 2 kg\nb = 5 cm\nc = 2 m * 3\nd = 9 kg*m/s^2\ne = 90 km/h"),
    ("E118", Library, "let x = 3\ndef f(x) = x\ndouble y = 2"),
    ("E101", Library, "a = 10⁻¹¹ + x⁴\nb = ∫t"),
    ("E102", Library, "a = 2. * x\nb = (3.)"),
    ("E105", Library, "a = 80%\nb = v x w\nc = 6.67x10^-11"),
    ("E107", Library, "a = <1, 2, 3>"),
    ("E110", Library, "a = [1; 2; 3]"),
    ("E117", Library, "f(x) = x\nreturn f(2)\nif x > 0 then a = 1 else a = 2\nb = 1"),
    ("E118", Library, "a : 3\nv.z = 2\nball.v = 3"),
    ("E123", Experiment, "simulate { name = s }\nball { name = b }\nconstants { g = 9.81 }"),
    ("E127", Experiment, "context { applicability = { mandatory 1 dynamic ball } }"),
    ("E140", Library, "a = 1 if x > 0 else 2"),
    ("E132", Library, "a = 0,8\nb = 1,5 + 2\nc = (2,5 + 1) * 3\nd = 1,250\ne = 1,250,000\nf = 1.250,5"),
    ("E132", Experiment, "world attributes { g = 9,81 }\nsimulation { duration = 1,5 }"),
    ("E132", Session, "1,5 + 2"),
    ("E133", Library, "a = 1 # the first one\n# second\nb = 2 -- the second one\n% third\nc = 3 #!"),
    ("E133", Experiment, "# The ball\nobject { name = ball # its name\n  -- its size\n}"),
    ("E134", Library, "a = sine(30°)\nb = 2 / 30º\nc = [45°, 0]\nd = x°"),
    ("E135", Library, "a = |t - t0|\nb = 2 * ||v||\nc = if |x| > 1 then |[1, 2]| else 0"),
    ("E136", Library, "v += a * dt\nx -= 2\ny *= a + b\nz += dt * (a - b)\nw -= a - b"),
    ("E136", Session, "x += 1"),
    ("E137", Library, "dv/dt = a\nd(x)/dt = v\nx'' = a\nd^2x/dt^2 = a\nd2y/dt2 = a\nd/dt z = 1"),
    ("E138", Library, "a = sine^2(t)\nb = cos^-1(x) + tan^2(x + 1)\nc = sqrt^3(x)"),
    ("E139", Library, "a = v[1]\nb = [v[0], m[1, 2], f(x)[i + 1]]"),
    (
        "E140",
        Library,
        "a = se x > 0 entao 1 senao 2\nb = se x > 0 então 1 senão 2\nc = wenn x > 0 dann 1 sonst 2",
    ),
    ("E140", Library, "a = x > 0 ? 1"),
    ("E140", Library, "a = si x > 0 entonces 1 si no 2"),
    ("E101", Library, "a = v₀ + ∞\nb = x ± 2\nc = µ * ∆t\nd = ⟨1⟩\ne = 1 \\\n    + 2"),
    ("E105", Library, "v <- 3\nw = 1\nu -> 2"),
    ("E105", Library, "a = if not x > 1 then 1 else 2\nb = not c & d"),
    ("E109", Library, "a = 1\nmass 2\nb = previous v\nc = sqrt x + 1\nd = [sine x, sine 2 * x]"),
    ("E117", Library, "a = 1\n$b = 2"),
    ("E127", Experiment, "context { applicability = { mandatory 1 dynamic object, 1 static object } }"),
    ("E132", Library, "a = 2 000\nb = 2_000 + 1\nc = [1'000'000, 1_000]"),
    ("E133", Experiment, "<!-- The ball -->\nobject { name = ball }"),
    ("E134", Library, "a = sine(30 deg)\nb = 45 degrees"),
];

#[test]
fn every_mistake_has_its_message() {
    let (mut all, mut wrong) = (String::new(), String::new());
    for &(code, dialect, text) in MISTAKES {
        let met = codes(text, dialect);
        if met.is_empty() || met.iter().any(|met| met != &code) {
            writeln!(wrong, "{code}: {met:?}\n{text}\n{}", said(text, dialect)).unwrap();
        }
        writeln!(all, "{}", said(text, dialect)).unwrap();
    }
    assert!(wrong.is_empty(), "{wrong}");
    insta::assert_snapshot!(all);
    let deep = format!("a = {}x\nb = 1", "(".repeat(300));
    assert_eq!(codes(&deep, Library), ["E116"]);
    for entry in CATALOGUE.iter().filter(|entry| entry.code.as_str().starts_with("E1")) {
        assert!(
            entry.code == "E116" || MISTAKES.iter().any(|row| row.0 == entry.code.as_str()),
            "{} has no example",
            entry.code
        );
    }
}

#[test]
fn one_slip_is_one_message() {
    let slips = [
        "a = f([1, 2)]\nb = 1",
        "a = (b)) + c\nd = 1",
        "a = ((b) + c\nd = 1",
        "f(x = x\nd = 1",
        "a = [1, 2, (3]\nd = 1",
        "a = f(x y z",
        "a = x + * y\nb = 1",
        "a = if x > 0 then\nb = 1",
        "a = ()x+y\nb = 1",
        "a = 3 ? 4\nb = 1",
        "a = ¿3\nb = 1",
    ];
    for slip in slips {
        let count = if slip.contains("x y z") { 3 } else { 1 };
        assert_eq!(codes(slip, Library).len(), count, "{}", said(slip, Library));
    }
}

#[test]
fn one_run_finds_all_mistakes() {
    let text = "a = [1 2]\nb = 3 +\nc = (1\nd = if x then 1\ne = f(,x)\ng = 2x\nh = 1)";
    assert_eq!(codes(text, Library), ["E110", "E107", "E111", "E114", "E107", "E109", "E112"]);
    let text = "context { functions = { a = 1 + \n b = (2\n c = 3) } attributes = {a b} type = }\nobject { name = 3 4 }";
    assert_eq!(codes(text, Experiment), ["E107", "E111", "E112", "E110", "E107", "E109"]);
}

/// What an edit leaves is what was meant: a value never changes in silence.
#[test]
fn edits_keep_the_value() {
    let edited = [
        ("a = 1,5 + 2", "a = 1.5 + 2"),
        ("a = 1,250,000", "a = 1250000"),
        ("a = 2 / 30°", "a = 2 / (30 * pi / 180)"),
        ("a = sine(30°)", "a = sine(30 * pi / 180)"),
        ("a = 2 * ||v||", "a = 2 * norm(v)"),
        ("v += a * dt", "v' = a"),
        ("v -= a * dt", "v' = -a"),
        ("v += j / m", "v = previous(v) + j / m"),
        ("dv/dt = a", "v' = a"),
        ("a = sine^2(t)", "a = sine(t)^2"),
        ("a = cos^-1(x)", "a = inverseCosine(x)"),
        ("a = 2 kg", "a = 2"),
        ("a = 5 cm", "a = 0.05"),
        ("a = 3 # the third one", "a = 3 // the third one"),
        ("a = 10⁻¹¹", "a = 10^-11"),
        ("a = 2. * x", "a = 2.0 * x"),
        ("a = 9.81 m/s^2", "a = 9.81"),
        ("a = 90 km/h", "a = 25"),
        ("a = se x > 0 entao 1 senao 2", "a = if x > 0 then 1 else 2"),
    ];
    for (text, expected) in edited {
        let (_, said, _) = read(text, Library);
        let [diagnostic] = &said[..] else { panic!("{text}: {said:?}") };
        let edit = diagnostic.edit.as_ref().unwrap_or_else(|| panic!("{text} has an edit"));
        let mut mended = text.to_owned();
        mended.replace_range(edit.span.range(), &edit.replacement);
        assert_eq!(mended, expected);
    }
    // Here nobody can know: a thousand or a decimal number, counted from 0 or from 1, more than a sum.
    for text in ["a = 1,250", "a = v[1]", "a = |x|", "v -= a - b", "v *= a + b", "x'' = a", "a = 2 m"] {
        let (_, said, _) = read(text, Library);
        assert_eq!((said.len(), said[0].edit.is_some()), (1, false), "{text}: {said:?}");
    }
}

/// Valid texts that look like other notations.
#[test]
fn valid_texts_are_left_alone() {
    let valid = [
        "a = v # i  b = 3",
        "a = v\n# i",
        "a = x --y",
        "a = --y",
        "a = [1,5]\nb = f(1,5)\nc = {1,5}",
        "a = b | c\nd = (b) | c | d",
        "se = 1\nsi = se * 2\nd = si / se",
        "dv = 3\ndt2 = dv / dv",
        "let = 1\nset = let + 1",
        "a = v # i then_b = 3",
        "x = d / dt * y",
        "f(x) = x\nm = [1, 2, 3]",
        "a = [v [1, 2]",
        "a = [[1, 2][3, 4]]",
    ];
    for text in valid {
        let foreign: Vec<&str> = codes(text, Library).into_iter().filter(|code| *code > "E131").collect();
        assert!(foreign.is_empty(), "{text}: {}", said(text, Library));
    }
}

#[test]
fn an_empty_parenthesis_is_blamed_where_the_thesis_does() {
    let (_, diagnostics, sources) = read("my_func(x,y) = ()x+y", Session);
    let [diagnostic] = &diagnostics[..] else { panic!("{diagnostics:?}") };
    assert_eq!(sources.position(diagnostic.primary.span).to_string(), "1:17");
    assert_eq!(diagnostic.notes, ["in the definition of `my_func`"]);
}

#[test]
fn every_edit_mends_its_mistake() {
    let mut wrong = String::new();
    for &(code, dialect, text) in MISTAKES {
        let (_, before, _) = read(text, dialect);
        for diagnostic in &before {
            let Some(edit) = &diagnostic.edit else { continue };
            let mut mended = text.to_owned();
            mended.replace_range(edit.span.range(), &edit.replacement);
            let after = codes(&mended, dialect);
            let others = before.iter().filter(|other| other.primary.span != diagnostic.primary.span).count();
            // Where one bracket is closed, the next open one may come to light.
            let others = if code == "E111" { before.len() } else { others };
            if after.len() > others {
                writeln!(wrong, "{code}: {text}\n → {mended}\n{}", said(&mended, dialect)).unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

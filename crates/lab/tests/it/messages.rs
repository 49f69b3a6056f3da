//! Messages, word for word: for the wrong example of every explanation, and for the other ways to go
//! wrong.

use crate::support;
use gedanken_lang::diagnostic::{CATALOGUE, Style, render};
use support::{Memory, experiment, said};

/// Messages about a text, or that there are none.
fn told(text: &str, settings: &[&str]) -> String {
    let (sources, result) = experiment(&Memory(FILES), text, settings);
    let found = said(result);
    if found.is_empty() { "nothing is said\n".to_owned() } else { render(&found, &sources, Style::Plain) }
}

const FILES: &[(&str, &str)] = &[
    ("flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n"),
    ("torn.stl", "solid torn\nfacet normal"),
    ("wrong.vfl", "twice(x) = 2 * y\nhalf(x) = x /\n"),
];

#[test]
fn every_code_has_its_message() {
    let mut all = String::new();
    for entry in CATALOGUE.iter().filter(|entry| entry.code.as_str()[1..].starts_with('7')) {
        let wrong = entry.explanation.split("```lab wrong\n").nth(1).unwrap().split("```").next().unwrap();
        let settings: Vec<&str> =
            wrong.lines().filter_map(|line| line.strip_prefix("// gedanken check --set ")).collect();
        all += &format!("── {}: {}\n{}\n", entry.code, entry.title, told(wrong, &settings));
    }
    insta::assert_snapshot!(all);
}

/// An object with these lines besides name and physical type.
fn object(lines: &str) -> String {
    format!(
        "object {{\n    name = thing\n    physical type = dynamic\n{lines}\n}}\nsimulation {{\n    name = s\n    duration = 1\n}}\n"
    )
}

/// An object of this shape with these attributes.
fn shaped(shape: &str, attributes: &str) -> String {
    object(&format!("    geometrical type = {shape}\n    attributes = {{\n        {attributes}\n    }}"))
}

/// A good ball and floor, and these blocks.
fn with_ball(blocks: &str) -> String {
    format!(
        "object {{\n    name = ball\n    physical type = dynamic\n    geometrical type = sphere\n    attributes = {{ position = [0, 0, 5]  size = 1  v = [0, 0, 0] }}\n}}\nobject {{\n    name = floor\n    physical type = static\n    geometrical type = half space\n    attributes = {{ position = [0, 0, 0] }}\n}}\n{blocks}\n"
    )
}

/// The same with a simulation of these lines.
fn simulated(lines: &str) -> String {
    with_ball(&format!("simulation {{\n    name = s\n{lines}\n}}"))
}

#[test]
fn objects() {
    let cases = [
        shaped("cuboid", "position = [0, 0, 0]  size = 1"),
        shaped("cuboid", "position = [0, 0, 0]  size = [1, -2, 3]"),
        shaped("capsule", "position = [0, 0, 0]"),
        shaped("cylinder", "position = [0, 0, 0]  radius = true  height = 1"),
        shaped("cone", "position = [0, 0, 0]  radius = 1  height = {1}"),
        shaped("half_space", "position = [0, 0, 0]  orientation = [0, 0, 0, 0]  color1 = [2, 0, 0]"),
        shaped("convex hull", "position = [0, 0, 0]"),
        shaped("convex hull", "position = [0, 0, 0]  points = [1, 2, 3]"),
        shaped("ball", "position = [0, 0, 0]  size = 1"),
        shaped("sphere", "pos = [0, 0, 0]  position = [0, 0, 0]  size = 1"),
        shaped("sphere", "position = [0, 0, 0]  size = siz  v = 1 / 0"),
        shaped("sphere", "position = [0, 0, 0]  size = 1  v(x) = x  t = 3  massSumDirVec1 = 1"),
        shaped("sphere", "position = [0, 0, 0]  size = 1\n    }\n    parts = {thing"),
        object("    geometrical type = sphere\n    position = [0, 0, 0]"),
        object("    geometrical type = 3\n    attributes = {a, b}"),
        object(
            "    geometrical type = mesh\n    attributes = { position = [0, 0, 0] }\n    file = \"wedge.obj\"",
        ),
        object(
            "    geometrical type = convex hull\n    attributes = { position = [0, 0, 0] }\n    file = \"flat.obj\"",
        ),
        object(
            "    geometrical type = convex hull\n    attributes = { position = [0, 0, 0] }\n    file = \"torn.stl\"",
        ),
        object(
            "    geometrical type = convex hull\n    attributes = { position = [0, 0, 0] }\n    file = \"a.blend\"",
        ),
        object("    geometrical type = compound\n    attributes = { position = [0, 0, 0] }"),
        object("    geometrical type = compound\n    attributes = { position = [0, 0, 0] }\n    parts = {}"),
        object(
            "    geometrical type = compound\n    attributes = { position = [0, 0, 0] }\n    parts = {think}",
        ),
        "object ball {\n    name = my ball\n}\n".to_owned(),
        String::new(),
    ];
    let all: Vec<String> = cases.iter().map(|text| format!("──\n{text}\n{}", told(text, &[]))).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn contexts_and_simulations() {
    let context = |lines: &str| {
        with_ball(&format!("context {{\n{lines}\n}}\nsimulation {{\n    name = s\n    duration = 1\n}}"))
    };
    let cases = [
        context("    type = free fall"),
        context("    name = c\n    type = free fal"),
        context("    name = \"my fall\"\n    type = free fall"),
        context("    name = 3\n    type = free fall"),
        context("    name = c\n    functions = { v = [0, 0, 1] }"),
        context(
            "    name = c\n    type = contact\n    geometric_data_directions = {[0, 0, 0], 3, [0, 0, up]}",
        ),
        context("    name = c\n    type = collision\n    applicability = { mandatory floor and floor }"),
        context("    name = c\n    type = free fall\n    applicability = { mandatory 2 spheres }"),
        context("    name = c\n    type = free fall\n    functions = { v = 3\n    w = vv }"),
        context(
            "    name = c\n    type = contact\n    funktions = { v = 3 }\n    applicability = { mandatory 1 cuboid }",
        ),
        simulated("    duration = 0\n    frame rate = 1e7\n    tolerance = -1\n    up = [0, 0, 0]"),
        simulated("    duration = [1]\n    initial time = true\n    up = 3"),
        simulated("    duration = 1e7\n    frame rate = 100"),
        simulated("    duration = 1\n    contexts_involved = {falling}\n    objects_involved = {ball, ball}"),
        simulated("    duration = 1\n    mechanics = kontexts\n    gravity = [0, 0, 1]"),
        with_ball(
            "world attributes { t = [1] }\nworld attributes { }\nsimulation { name = s  duration = 1 }",
        ),
        with_ball("world attributes { g = 9.81  g = 1  dt = 3 }\nsimulation { name = s  duration = h }"),
        with_ball("force { }\nsimulation { name = s  duration = 1 }\nmeasure { of = {bal} }"),
        with_ball("context {\n    name = c\n    type = free fall\n    functions = { v = 3 }\n}"),
        with_ball("import \"gone.vfl\"\nimport \"wrong.vfl\"\nsimulation { name = s  duration = 1 }"),
    ];
    let all: Vec<String> = cases.iter().map(|text| format!("──\n{text}\n{}", told(text, &[]))).collect();
    insta::assert_snapshot!(all.join("\n"));
}

/// The mistakes that must be told before anything moves.
#[test]
fn what_must_never_run() {
    let context = |name: &str, lines: &str| {
        format!("context {{\n    name = {name}\n    type = free fall\n    functions = {{ {lines} }}\n}}\n")
    };
    let simulation = "simulation {\n    name = s\n    duration = 1\n}";
    let cases = [
        simulated("    duration = -1"),
        simulated("    duration = 1\n    frame rate = 0"),
        shaped("sphere", "position = [0, 0, 0]  size = 0"),
        shaped("cuboid", "position = [0, 0, 0]  size = [1, 0, 1]"),
        with_ball(&format!("import \"missing.vfl\"\n{simulation}")),
        with_ball(&(context("one", "v = [0, 0, 1]") + &context("other", "v = [0, 0, 2]") + simulation)),
        with_ball(&(context("flat", "v = [0, 1]") + simulation)),
        with_ball(&(context("swelling", "size' = [1, 1, 1]") + simulation)),
    ];
    let all: Vec<String> = cases.iter().map(|text| format!("──\n{text}\n{}", told(text, &[]))).collect();
    insta::assert_snapshot!(all.join("\n"));
}

#[test]
fn measures() {
    let measure = |lines: &str| format!("measure energy {{\n    {}\n}}", lines.replace("; ", "\n    "));
    let cases = [
        "of = {ball}; value = vv . v",
        "of = {ball, floor}; value = v . v",
        "of = {ball}; value = v0",
        "of = {ball}; value = friction",
        "of = {ball}; value = norm(v - previous(v)) / dt",
        "value = v . v",
        "value = sinne(t) + dt",
        "of = {ball}; value = speed(v) + v(2)",
        "value = gg",
        "of = {}; value = 1",
        "of = {ball, ball}; value = 1",
        "of = {ball}; value = v * 2 + 1",
        "of = {ball}; value = v # 3 > 0",
        "of = {ball}; value = identityMatrix(3)",
        "of = {ball}; value = {1, 2}",
        "of = {ball, box}; value = size",
        "of = {ball, box}; value = 1 + size",
        "of = {ball}; value = v; expected = 3; tolerance = 1",
        "of = {ball}; value = v # 1; expected = mass; tolerance = 0",
        "of = {ball}; value = v # 1; expected = 1",
        "of = {ball}; value = v # 1; tolerance = [1]",
        "of = {ball}; value = v # 1; at = 12",
        "of = {ball}; value = v # 1; at = -1; simulation = s",
        "of = {ball}; value = v # 1; at = true; simulation = s2",
        "of = {box}; value = 1; simulation = empty",
        "of = {ball}; value = v # 1; when = 12",
    ];
    let blocks = "object {\n    name = box\n    physical type = dynamic\n    geometrical type = cuboid\n    attributes = { position = [0, 0, 9]  size = [1, 1, 1]  v = [0, 0, 0] }\n}\ncontext {\n    name = c\n    type = free fall\n    attributes = {v0}\n    compute_first_time_only_attributes = {v0}\n    functions = { v0 = v\n    v = v0 }\n}\nsimulation { name = s  duration = 10 }\nsimulation { name = empty  duration = 20  objects_involved = {ball, floor} }\n";
    let tell = |lines: &&str| {
        let text = with_ball(&(blocks.to_owned() + &measure(lines)));
        format!("── {lines}\n{}", told(&text, &[]))
    };
    insta::assert_snapshot!(cases.iter().map(tell).collect::<Vec<_>>().join("\n"));
}

#[test]
fn recordings() {
    let blocks = "context {\n    name = c\n    type = free fall\n    attributes = {v0}\n    compute_first_time_only_attributes = {v0}\n    functions = { v0 = v\n    v = twice(speed) * v0\n    speed = norm(v0)\n    twice(x) = 2 * x }\n}\n";
    let cases = [
        "record = {posision, v}",
        "record = {twice}",
        "record = {everything}",
        "record = al",
        "record = {v, w}\n    contexts_involved = {}",
        "record = {v # 1}",
        "record = 3",
        "record = {position v}",
    ];
    let tell = |lines: &&str| {
        let text =
            with_ball(&format!("{blocks}simulation {{\n    name = s\n    duration = 1\n    {lines}\n}}"));
        format!("── {lines}\n{}", told(&text, &[]))
    };
    insta::assert_snapshot!(cases.iter().map(tell).collect::<Vec<_>>().join("\n"));
}

/// A law that is wrong for one of two objects says for which.
#[test]
fn laws_say_for_whom_they_are_wrong() {
    let text = with_ball(
        "object {\n    name = box\n    physical type = dynamic\n    geometrical type = cuboid\n    attributes = { position = [0, 0, 5]  size = [1, 1, 1]  v = [0, 0, 0] }\n}\ncontext {\n    name = swelling\n    type = free fall\n    functions = { size = 1 + t }\n}\ncontext {\n    name = hit\n    type = collision\n    functions = { v = 2 * v0 }\n}\nsimulation {\n    name = s\n    duration = 1\n}",
    );
    insta::assert_snapshot!(told(&text, &[]));
}

#[test]
fn settings() {
    let text = with_ball("world attributes { g = 9.81 }\nsimulation { name = s  duration = 1 }");
    let cases: [&[&str]; 7] = [
        &["h=1"],
        &["ball.sice=1"],
        &["boll.size=1"],
        &["ball.size=[1, 2, 3]"],
        &["ball.size=-1"],
        &["g=1 +", "ball.v=[0, 0, gg]"],
        &["g={1}"],
    ];
    let all: Vec<String> =
        cases.iter().map(|it| format!("── {}\n{}", it.join(" "), told(&text, it))).collect();
    insta::assert_snapshot!(all.join("\n"));
}

//! Messages while an experiment runs, word for word: why a run stopped before its end, and what it wants
//! to be known.

use crate::support;
use gedanken_lang::diagnostic::{CATALOGUE, Style, render};
use std::fmt::Write;
use support::{Memory, experiment, ran, said};

/// Messages of a text that is read and whose first simulation is run.
fn told(text: &str) -> String {
    let (sources, result) = experiment(&Memory(&[]), text, &[]);
    let read = match result {
        Ok(read) => read,
        Err(found) => return format!("when it is read\n{}", render(&found, &sources, Style::Plain)),
    };
    let mut words = String::new();
    if !read.warnings.is_empty() {
        words += &render(&said(Ok(read.clone())), &sources, Style::Plain);
    }
    let (notices, found) = ran(&read);
    for notice in notices {
        writeln!(words, "at t = {}: {}", notice.time, notice.message).unwrap();
    }
    words += &if found.is_empty() {
        "it runs to its end\n".to_owned()
    } else {
        render(&found, &sources, Style::Plain)
    };
    words
}

/// A ball of radius 1, its centre at a height, with a speed.
fn ball(height: f64, speed: f64) -> String {
    format!(
        "object {{\n    name = ball\n    physical type = dynamic\n    geometrical type = sphere\n    attributes = {{ position = [0, 0, {height}]  size = 1  v = [0, 0, {speed}]  mass = 1 }}\n}}\n"
    )
}

const FLOOR: &str = "object {\n    name = floor\n    physical type = static\n    geometrical type = half space\n    attributes = { position = [0, 0, 0] }\n}\n";

/// A context with these functions, separated by `; `.
fn context(name: &str, kind: &str, functions: &str) -> String {
    let functions = functions.replace("; ", "\n        ");
    format!(
        "context {{\n    name = {name}\n    type = {kind}\n    functions = {{\n        {functions}\n    }}\n}}\n"
    )
}

/// A collision of a ball with something that does not move.
fn bounce(functions: &str) -> String {
    let whom = "    applicability = {\n        mandatory 1 dynamic sphere and 1 static object\n    }\n}\n";
    let context = context("bounce", "collision", functions);
    format!("{}{whom}", context.strip_suffix("}\n").unwrap())
}

fn simulation(lines: &str) -> String {
    format!("simulation {{\n    name = s\n    {lines}\n}}\n")
}

/// Every case with what is said of it, as one text.
fn all(cases: &[(&str, String)]) -> String {
    cases.iter().map(|(what, text)| format!("── {what}\n{}\n", told(text))).collect()
}

#[test]
fn every_code_has_its_message() {
    let mut all = String::new();
    for entry in CATALOGUE.iter().filter(|entry| entry.code.as_str()[1..].starts_with('8')) {
        let wrong = entry.explanation.split("```lab wrong\n").nth(1).unwrap().split("```").next().unwrap();
        writeln!(all, "── {}: {}\n{}", entry.code, entry.title, told(wrong)).unwrap();
    }
    insta::assert_snapshot!(all);
}

/// Laws that have no value say whose they are, in which context, and when.
#[test]
fn laws_without_a_value() {
    let falling = |functions: &str| {
        ball(5.0, 0.0) + FLOOR + &context("falling", "free fall", functions) + &simulation("duration = 2")
    };
    let bouncing = |functions: &str| {
        ball(2.0, -1.0)
            + FLOOR
            + &context("gliding", "free fall", "position' = v")
            + &bounce(functions)
            + &simulation("duration = 2")
    };
    let cases = [
        ("a law divides by zero", falling("position = [0, 0, 5 + 1 / (1 - t)]")),
        ("another attribute than the position does", falling("mass = 1 / (1 - t)")),
        ("a law becomes too large", falling("mass = 10^(400 * t)")),
        ("a rate divides by zero", falling("position' = [0, 0, 1 / (0.5 - t)]")),
        ("a rate divides by zero at once", falling("position' = [0, 0, 1 / t]")),
        ("a collision divides by zero", bouncing("v = previous(v) / (previous(v) # 1)")),
    ];
    insta::assert_snapshot!(all(&cases));
}

/// Sizes and orientations that laws make impossible.
#[test]
fn shapes_that_cannot_be() {
    let changing = |functions: &str| {
        ball(5.0, 0.0) + FLOOR + &context("shrinking", "free fall", functions) + &simulation("duration = 2")
    };
    let cases = [
        ("a size becomes zero", changing("size = 1 - t")),
        ("a size becomes negative", changing("size = 1 - 0.9 * t")),
        ("a size shrinks at a rate", changing("size' = -1")),
        (
            "nobody else is there",
            ball(5.0, 0.0) + &context("shrinking", "free fall", "size = 1 - t") + &simulation("duration = 2"),
        ),
        (
            "a collision makes it negative",
            ball(2.0, -1.0)
                + FLOOR
                + &context("gliding", "free fall", "position' = v")
                + &bounce("v = -previous(v); size = previous(size) - 2")
                + &simulation("duration = 2"),
        ),
    ];
    insta::assert_snapshot!(all(&cases));
}

#[test]
fn the_world_is_set_once() {
    let second = "object {\n    name = second\n    physical type = dynamic\n    geometrical type = sphere\n    attributes = { position = [9, 0, 2]  size = 1  v = [0, 0, -1]  mass = 1 }\n}\n";
    let world = "world attributes {\n    hits = 0\n}\n";
    let two = world.to_owned() + &ball(2.0, -1.0) + second + FLOOR;
    let only = |context: String, whom: &str| {
        let context = context.strip_suffix("}\n").unwrap().to_owned();
        context + &format!("    applicability = {{\n        mandatory {whom}\n    }}\n}}\n")
    };
    let gliding = context("gliding", "free fall", "position' = v");
    let end = simulation("duration = 2");
    let cases = [
        ("by one law for two", two.clone() + &context("counting", "free fall", "hits = t") + &end),
        (
            "by two laws",
            two.clone()
                + &only(context("one", "free fall", "hits = t"), "ball")
                + &only(context("other", "free fall", "hits = 2 * t"), "second")
                + &end,
        ),
        (
            "by two collisions at one instant",
            two.clone() + &gliding + &bounce("v = -previous(v); hits = t") + &end,
        ),
        (
            "by two collisions of which one builds on the other",
            two.clone() + &gliding + &bounce("v = -previous(v); hits = previous(hits) + 1") + &end,
        ),
        (
            "by a law that builds on itself",
            two + &only(context("one", "free fall", "hits = previous(hits) + dt"), "ball") + &end,
        ),
    ];
    insta::assert_snapshot!(all(&cases));
}

/// Circles of laws are found before anything moves; rates may read each other, and laws may read rates.
#[test]
fn circles_of_laws() {
    let object = |name: &str, x: f64| {
        format!(
            "object {{\n    name = {name}\n    physical type = dynamic\n    geometrical type = sphere\n    attributes = {{ position = [{x}, 0, 0]  size = 0.1  a = 1 }}\n}}\n"
        )
    };
    let three = object("one", 0.0) + &object("three", 4.0) + &object("two", 2.0);
    let reads = |name: &str, whom: &str, functions: &str| {
        let functions = functions.replace("; ", "\n        ");
        format!(
            "context {{\n    name = of_{name}\n    type = free fall\n    aliases = {{\n        use other as attribute a of object {whom}\n    }}\n    functions = {{\n        {functions}\n    }}\n    applicability = {{\n        mandatory {name}\n    }}\n}}\n"
        )
    };
    let end = simulation("duration = 1");
    let cases = [
        (
            "of three, by way of a helper",
            three.clone()
                + &reads("one", "two", "a = half; half = other / 2")
                + &reads("two", "three", "a = other + 1")
                + &reads("three", "one", "a = other - 1")
                + &end,
        ),
        (
            "through different attributes",
            three.clone()
                + &reads("one", "two", "a = t; position = [other, 0, 0]")
                + &reads("two", "one", "a = t; position = [2 + other, 0, 0]")
                + &end,
        ),
        (
            "of rates",
            three.clone() + &reads("one", "two", "a' = other") + &reads("two", "one", "a' = -other") + &end,
        ),
        (
            "of a law and a rate",
            three.clone() + &reads("one", "two", "a' = other") + &reads("two", "one", "a = -other") + &end,
        ),
        (
            "a chain without a circle",
            three.clone()
                + &reads("one", "two", "a = other + 1")
                + &reads("two", "three", "a = other + 1")
                + &end,
        ),
        (
            "of one that reads itself by name",
            three + &reads("one", "one", "position = [other, 0, 0]; a = t") + &end,
        ),
        (
            "of two in contact",
            object("one", 0.0)
                + &object("two", 0.2)
                + &(reads("one", "two", "a = other + 1") + &reads("two", "one", "a = other + 1"))
                    .replace("free fall", "contact")
                + &end,
        ),
    ];
    insta::assert_snapshot!(all(&cases));
}

/// Each of so many objects keeps its distance from the one before it.
fn chain(length: usize) -> String {
    let mut text = String::new();
    for number in 0..length {
        let law = if number == 0 { "[0, t, 0]" } else { "other + [1, 0, 0]" };
        let alias = match number {
            0 => String::new(),
            _ => format!(
                "    aliases = {{\n        use other as attribute position of object b{}\n    }}\n",
                number - 1
            ),
        };
        write!(text, "object {{\n    name = b{number}\n    physical type = dynamic\n    geometrical type = sphere\n    attributes = {{ position = [{number}, 0, 0]  size = 0.4 }}\n}}\ncontext {{\n    name = c{number}\n    type = free fall\n{alias}    functions = {{ position = {law} }}\n    applicability = {{ mandatory b{number} }}\n}}\n").unwrap();
    }
    text + &simulation("duration = 0.05")
}

/// A chain of laws takes as long as it has links, not as many as there are ways through their elements; one
/// without end is refused before it starts.
#[test]
fn chains_of_laws() {
    assert_eq!(told(&chain(40)), "it runs to its end\n");
    insta::assert_snapshot!(told(&chain(400)));
}

/// Notices, which do not stop a run.
#[test]
fn notices() {
    let end = simulation("duration = 1");
    let falling = context("falling", "free fall", "position' = v; v' = [0, 0, -10]");
    let held = |functions: &str| {
        ball(1.0, 0.0) + FLOOR + &falling + &context("resting", "contact", functions) + &end
    };
    let cases = [
        ("they sink, and there is no contact", ball(2.0, 0.0) + FLOOR + &falling + &end),
        (
            "a sign is wrong",
            ball(2.0, 0.0)
                + FLOOR
                + &falling
                + &context(
                    "bounce",
                    "collision",
                    "v = previous(v) + 1.5 * (previous(v) . collisionNormal) * collisionNormal",
                )
                + &end,
        ),
        (
            "a cross product",
            ball(2.0, 0.0)
                + FLOOR
                + &falling
                + &context(
                    "bounce",
                    "collision",
                    "v = previous(v) - 1.5 * (previous(v) * collisionNormal) * collisionNormal",
                )
                + &end,
        ),
        (
            "nothing is left of the speed",
            ball(2.0, 0.0) + FLOOR + &falling + &context("stop", "collision", "v = [0, 0, 0]") + &end,
        ),
        ("they overlap at the start", ball(0.5, 0.0) + FLOOR + &falling + &end),
        (
            "contacts are sampled",
            ball(2.0, 0.0)
                + FLOOR
                + &context(
                    "climbing",
                    "free fall",
                    "position = [0, 0, 2 + steps(t)]; steps(x) = if x < 0.1 then 0 else 0.1 + steps(x - 0.1)",
                )
                + &end,
        ),
        ("a contact holds", held("v = [0, 0, 0]")),
        ("a contact lets them overlap", held("position' = [0, 0, -0.1]")),
        ("a contact carries them apart", held("v = [0, 0, 0]; position' = [0, 0, 1e-6]")),
        ("a contact ends and begins again and again", held("v = [0, 0, 1e-3]; position' = [1, 0, 0]")),
        (
            "the rounding of coordinates decides what touches",
            ball(2.0, 0.0).replacen("[0, 0, ", "[1e9, 0, ", 1)
                + FLOOR
                + &falling
                + &context("resting", "contact", "v = [0, 0, 0]")
                + &end,
        ),
        (
            "a measure has no value",
            ball(5.0, 0.0) + &falling + &end + "measure m {\n    of = {ball}\n    value = 1 / (0.5 - t)\n}\n",
        ),
    ];
    insta::assert_snapshot!(all(&cases));
}

/// Joints that say the same twice, or what cannot be, are told once, when the run begins.
#[test]
fn joints_that_repeat_or_contradict() {
    let door = "object {\n    name = door\n    physical type = dynamic\n    geometrical type = cuboid\n    attributes = { position = [0.5, 0, 1]  size = [1, 0.1, 2]  mass = 20 }\n}\n";
    let joint = |name: &str, kind: &str, lines: &str| {
        format!("joint {name} {{\n    kind = {kind}\n    between = {{door, world}}\n    {lines}\n}}\n")
    };
    let hinge = |name: &str, height: f64| {
        joint(name, "hinge", &format!("anchor = [0, 0, {height}]\n    axis = [0, 0, 1]"))
    };
    let rod = |name: &str, length: &str| {
        joint(name, "distance", &format!("anchor1 = [0.5, 0, 0]\n    anchor2 = [2, 0, 1]\n    {length}"))
    };
    let end = simulation("mechanics = rigid\n    duration = 0.1\n    gravity = [0, 0, -9.81]");
    let with = |joints: &[String]| door.to_owned() + &joints.concat() + &end;
    let cases = [
        ("one hinge", with(&[hinge("lower", 0.3)])),
        ("two hinges on one axis", with(&[hinge("lower", 0.3), hinge("upper", 1.7)])),
        (
            "a hinge and a ball joint beside its axis",
            with(&[hinge("lower", 0.3), joint("latch", "point", "anchor = [1, 0, 1]")]),
        ),
        ("a rod twice", with(&[rod("one", ""), rod("two", "")])),
        ("rods of different lengths", with(&[rod("one", "length = 1"), rod("two", "length = 1.0005")])),
    ];
    insta::assert_snapshot!(all(&cases));
}

/// The method is chosen when the experiment is read.
#[test]
fn integrators() {
    let cases = [
        "leapfrog",
        "rk5",
        "dormand prince",
        "dormand_prince",
        "dormand-prince",
        "rk4",
        "implicit_midpoint",
        "3",
    ];
    let text = |name: &str| {
        ball(5.0, 0.0)
            + &context("falling", "free fall", "position' = v")
            + &simulation(&format!("duration = 1\n    integrator = {name}"))
    };
    let cases: Vec<(&str, String)> = cases.iter().map(|&name| (name, text(name))).collect();
    insta::assert_snapshot!(all(&cases));
}

/// Laws that variational steps cannot follow: kinks, slopes without bound, and bodies that fall into each
/// other. Each is refused with its place, or solved.
#[test]
fn laws_that_no_step_follows() {
    let ball = |name: &str, x: f64| {
        format!(
            "object {{\n    name = {name}\n    physical type = dynamic\n    geometrical type = sphere\n    collides = false\n    attributes = {{ position = [{x}, 0, 0]  size = 0.1  mass = 1 }}\n}}\n"
        )
    };
    let simulation = "simulation {\n    name = s\n    duration = 1\n    mechanics = rigid\n    solver = variational\n    frame rate = 50\n    time step = 0.02\n}\n";
    let of_one = |x: f64, law: &str| told(&(ball("a", x) + law + "\n" + simulation));
    let cases = [
        ("a kink is crossed", of_one(0.05, "potential kink { of = {a}  energy = 5 * abs(position # 1) }")),
        (
            "a body rests on a kink",
            of_one(0.0, "potential kink { of = {a}  energy = 5 * abs(position # 1) }"),
        ),
        ("a cone", of_one(0.05, "potential cone { of = {a}  energy = 5 * sqrt(position . position) }")),
        (
            "at the tip of a cone",
            of_one(0.0, "potential cone { of = {a}  energy = 5 * sqrt(position . position) }"),
        ),
        (
            "a bowl whose bottom is infinitely stiff",
            of_one(0.0, "potential bowl { of = {a}  energy = (position . position)^0.75 }"),
        ),
        (
            "a smooth kink",
            of_one(0.05, "potential kink { of = {a}  energy = 5 * sqrt((position # 1)^2 + 1e-3) }"),
        ),
        (
            "two bodies fall into each other",
            told(
                &(ball("a", 0.0)
                    + &ball("b", 1.0)
                    + "potential gravity { between = {a, b}  energy = -1 / norm(position1 - position2) }\n"
                    + simulation),
            ),
        ),
    ];
    let all = cases.map(|(what, said)| format!("── {what}\n{said}"));
    insta::assert_snapshot!(all.join("\n"));
}

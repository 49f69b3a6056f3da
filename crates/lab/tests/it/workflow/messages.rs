//! Messages about workflows with mistakes, word for word.

use super::run::{ball, simulation};
use crate::support::{Memory, experiment, said};
use gedanken_lang::diagnostic::{Style, render};

fn told(text: &str) -> String {
    let (sources, result) = experiment(&Memory(&[]), text, &[]);
    let found = said(result);
    if found.is_empty() { "nothing is said\n".to_owned() } else { render(&found, &sources, Style::Plain) }
}

fn all(cases: &[String]) -> String {
    cases.iter().map(|text| told(text)).collect::<Vec<_>>().join("\n────\n\n")
}

fn balls() -> String {
    "world attributes { g = [0, 0, -9.81]  total = 0 }\n".to_owned()
        + &ball("a", "v = [0, 0, 0]\n        hot = true")
        + &ball("b", "v = [0, 0, 0]\n        hot = true\n        spin = 0")
}

const RULES: &str = "rule kick {
    reads = {g}
    writes = {v}
    functions = {
        v = previous(v) + g * dt
    }
}
rule drift {
    reads = {v}
    writes = {position}
    functions = {
        position = previous(position) + v * dt
    }
}
rule push {
    of = {b}
    adds = {v}
    functions = {
        v = [1, 0, 0]
    }
}
rule follow {
    of = {a}
    writes = {position}
    aliases = {
        use leader as attribute position of object b
    }
    functions = {
        position = leader
    }
}
";

#[test]
fn rules_that_clash() {
    let flows = [
        "par(kick, drift)",
        "par(kick, kick)",
        "seq(kick, par(push, seq(drift, kick)))",
        "par(follow, drift)",
        "par(push, push)",
        "par(drift, push)",
    ];
    let warned = |flow: &str| {
        // Every rule is named somewhere, so that nothing is said but what is wrong.
        let other =
            simulation("seq(kick, drift, push, follow)", "duration = 1").replace("name = s", "name = other");
        balls() + RULES + &simulation(flow, "duration = 1") + &other
    };
    insta::assert_snapshot!(all(&flows.map(warned)));
}

#[test]
fn workflows() {
    let with = |flow: &str| balls() + RULES + &simulation(flow, "duration = 1");
    let cases = [
        with("seq(kick, drfit, push, follow)"),
        with("sec(kick, drift)"),
        with("seq(kick, 2 * drift)"),
        with("seq()"),
        with("{kick, drift}"),
        balls() + RULES + "simulation {\n    name = s\n    duration = 1\n    mechanics = workflow\n}\n",
        balls() + "simulation {\n    name = s\n    duration = 1\n    workflow = seq(kick)\n}\n",
        with("seq(kick, drift, push, follow)")
            .replace("duration = 1", "duration = 1\n    time step = 0.01\n    frame rate = 30"),
        with("seq(kick, drift, push, follow)")
            .replace("duration = 1", "duration = 1\n    contexts_involved = {}"),
        with("seq(kick, drift, push, follow)").replace("duration = 1", "duration = 1\n    time step = -1"),
        with("seq(kick, drift, push, follow)")
            .replace("duration = 1", "duration = 1\n    time step = 1e-300"),
    ];
    insta::assert_snapshot!(all(&cases));
}

/// A rule of these lines.
fn rule(lines: &str) -> String {
    balls() + &format!("rule test {{\n    {lines}\n}}\n") + &simulation("test", "duration = 1")
}

fn event(lines: &str) -> String {
    rule(lines).replace("rule test", "event test")
}

#[test]
fn domains() {
    let cases = [
        rule("writes = {position}\n    functions = { position = previous(position) + v * dt }"),
        rule(
            "reads = {position}\n    writes = {v}\n    functions = { v = previous(v) + g * dt - position + previous(spin) * v }",
        ),
        rule("reads = {v}\n    writes = {position}\n    functions = { position = v  v = previous(v) / 2 }"),
        rule("adds = {v}\n    functions = { v = -previous(v) }"),
        rule("reads = {v}\n    adds = {v}\n    functions = { v = [0, 0, 1] }"),
        rule("writes = {hot, v, v}\n    functions = { v = [0, 0, 1] }"),
        rule("adds = {hot}\n    functions = { hot = true }"),
        rule("writes = {t}\n    functions = { t = 3 }"),
        rule("reads = {v}\n    functions = { w = v }"),
        rule("reads = {velocity}\n    writes = {positon}\n    functions = { positon = velocity }"),
        rule(
            "of = {a, c, b, b}\n    reads = {spin}\n    writes = {v}\n    functions = { v = spin * previous(v) }",
        ),
        rule("reads = {v}\n    writes = {total}\n    functions = { total = v . v }"),
        rule("writes = {v}\n    functions = { v = 1 }"),
        rule("writes = {v}\n    functions = { v' = [0, 0, 1]  v = [0, 0, 0] }"),
        rule(
            "writes = {v}\n    aliases = { use o as attribute v of object with index 0  use p as attribute vv of object b  use q as attribute v of object bb  use g as attribute v of object b }\n    functions = { v = o + p + q }",
        ),
        rule(
            "writes = {v}\n    aliases = { use o as attribute v of object b }\n    functions = { v = [0, 0, 0]  o = [1, 0, 0] }",
        ),
        rule(
            "reads = {g}\n    writes = {v}\n    aliases = { use o as attribute v of object b }\n    functions = { v = [0, 0, 0] }",
        ),
        rule("writes = {v}\n    functions = { v = [0, 0, 0] }\n    advances = 2"),
        rule("writes = {v}\n    functions = { v = [0, 0, 0] }\n    emits = 2"),
        rule("reads = {depth}\n    writes = {total}\n    functions = { total = depth }")
            + "object {\n    name = floor\n    physical type = static\n    geometrical type = half space\n    attributes = { position = [0, 0, 0]  depth = 2 }\n}\n",
        rule("of = {}\n    writes = {v}\n    functions = { v = [0, 0, 0] }"),
        event("reads = {v}\n    functions = { when = v . v }"),
        event("writes = {v}\n    functions = { v = [0, 0, 0] }"),
        event("writes = {v}\n    functions = { when = !previous(when)  v = [0, 0, 0] }"),
        event("reads = {v}\n    adds = {v}\n    functions = { when = true }"),
        balls()
            + "rule {\n    writes = {v}\n    functions = { v = [0, 0, 0] }\n}\n"
            + &simulation("test", "duration = 1"),
        rule("writes = {v}\n    functions = { v = [0, 0, 0] }")
            + "event test {\n    functions = { when = true }\n}\n",
    ];
    insta::assert_snapshot!(all(&cases));
}

/// A rule that is wrong for some objects only says for whom.
#[test]
fn signatures() {
    let text = ball("round", "k = 2")
        + "object {\n    name = square\n    physical type = dynamic\n    geometrical type = cuboid\n    attributes = { position = [0, 0, 0]  size = [1, 2, 3]  k = 3 }\n}
rule grow {\n    reads = {k}\n    writes = {size}\n    functions = { size = previous(size) + k }\n}\n"
        + &simulation("grow", "duration = 1");
    insta::assert_snapshot!(told(&text));
}

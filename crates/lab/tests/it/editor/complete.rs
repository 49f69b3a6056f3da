//! Completion at the cursor, in whole and in broken texts.

use super::numbers::Folder;
use super::{cursor, gallery};
use gedanken_experiment::editor::{Completions, ItemKind, complete};
use gedanken_lab::read;
use gedanken_lang::source::Sources;

fn at(text: &str) -> Completions {
    let (text, offset) = cursor(text);
    let found = complete(&text, offset);
    assert!(found.start <= offset && offset <= found.end, "{found:?}");
    found
}

fn labels(text: &str) -> Vec<String> {
    at(text).items.into_iter().map(|it| it.label).collect()
}

/// The text after the first item is taken.
fn taken(text: &str) -> String {
    let found = at(text);
    let (mut text, _) = cursor(text);
    text.replace_range(found.start..found.end, &found.items[0].insert);
    text
}

/// The bouncing ball with `line` put behind the line that contains `after`.
fn ball(after: &str, line: &str) -> String {
    let text = gallery("bouncing_ball");
    let at = text.find(after).unwrap();
    let end = at + text[at..].find('\n').unwrap() + 1;
    format!("{}{line}\n{}", &text[..end], &text[end..])
}

#[test]
fn blocks() {
    assert_eq!(
        labels("|"),
        [
            "world attributes",
            "object",
            "context",
            "simulation",
            "measure",
            "rule",
            "event",
            "material",
            "force",
            "potential",
            "constraint",
            "joint",
            "lagrangian",
            "view",
            "import"
        ]
    );
    assert_eq!(labels("obj|"), ["object"]);
    assert_eq!(labels("world at|"), ["world attributes"]);
    assert_eq!(labels("object { name = a }\n\nmea|\n\ncontext {"), ["measure"]);
    assert!(taken("obj|").starts_with("object {\n    name = "));
}

/// The snippets of all blocks, taken one after the other, make an experiment.
#[test]
fn the_blocks_together_are_an_experiment() {
    let all = complete("", 0).items;
    let text = |wanted: &[&str]| -> String {
        all.iter().filter(|it| wanted.contains(&it.label.as_str())).map(|it| it.insert.as_str()).collect()
    };
    let contexts = text(&["world attributes", "object", "context", "simulation", "measure", "import"]);
    let rules = text(&["world attributes", "object", "rule", "event", "simulation"]).replace(
        "duration = 5",
        "duration = 5 time step = 0.1 mechanics = workflow workflow = seq(drift, landing)",
    );
    let bodies = text(&["object", "material", "force", "potential", "constraint", "simulation", "measure"])
        .replace("duration = 5", "duration = 5 mechanics = rigid")
        .replace("size = 0.5", "size = 0.5 mass = 1")
        .replace("v = ", "velocity = ");
    for text in [contexts, rules, bodies] {
        let found = read(&Folder, &mut Sources::new(), "test.lab", text.clone(), &[]);
        assert_eq!(found.map(|it| it.warnings.len()).map_err(|it| format!("{it:?}")), Ok(0), "{text}");
    }
}

#[test]
fn keys() {
    assert_eq!(
        labels("object {\n    name = ball\n    |\n}"),
        ["physical type", "geometrical type", "attributes", "parts", "file", "material", "collides"]
    );
    assert_eq!(taken("object {\n    phys|\n}"), "object {\n    physical type = \n}");
    assert_eq!(taken("object {\n    physical t|\n}"), "object {\n    physical type = \n}");
    assert_eq!(taken("object {\n    physical_t|\n}"), "object {\n    physical type = \n}");
    assert_eq!(
        taken("simulation {\n    name = a\n    obj|\n}"),
        "simulation {\n    name = a\n    objects_involved = {}\n}"
    );
    assert_eq!(labels("rule drift {\n    re|"), ["reads"]);
    assert_eq!(labels("simulation { name = first init| }"), [""; 0], "still the name");
    assert_eq!(labels("measure m {\n    value = 1\n    exp|\n}"), ["expected"]);
    let found = at("simulation {\n    dur|\n}");
    assert_eq!(
        (found.items[0].kind, found.items[0].detail.as_str()),
        (ItemKind::Key, "a real greater than 0")
    );
}

#[test]
fn values() {
    assert_eq!(labels("object {\n    physical type = |\n}"), ["dynamic", "static", "kinematic"]);
    assert_eq!(
        labels("object {\n    geometrical type = c|\n}"),
        ["cuboid", "capsule", "cylinder", "cone", "convex hull", "compound"]
    );
    assert_eq!(taken("context {\n    type = free f|\n}"), "context {\n    type = free fall\n}");
    assert_eq!(labels("context {\n    type = co|\n    name = x\n}"), ["collision", "contact"]);
    assert_eq!(labels("simulation {\n    mechanics = w|\n}"), ["workflow"]);
    assert_eq!(labels("simulation {\n    solver = g|\n}"), ["gauss_seidel"]);
    assert_eq!(labels("simulation {\n    solver = v|\n}"), ["variational"]);
    assert_eq!(labels("simulation {\n    order = |\n}"), ["1", "2"]);
    assert_eq!(labels("simulation {\n    kinetic = |\n}"), ["exact", "seed"]);
    assert_eq!(labels("simulation {\n    friction iteration = |\n}"), ["coupled", "lagged"]);
    assert_eq!(labels("simulation {\n    friction i|\n}"), ["friction iteration"]);
    assert_eq!(labels("simulation {\n    kin|\n}"), ["kinetic"]);
    assert_eq!(labels("joint j {\n    kind = h|\n}"), ["hinge"]);
    assert_eq!(labels("material steel { }\nobject {\n    material = |\n}"), ["steel"]);
    assert!(labels("potential p {\n    energy = rot|\n}").contains(&"rotation".to_owned()));
    assert_eq!(labels("simulation {\n    name = |\n}"), [""; 0]);
    assert!(labels("simulation {\n    integrator = |\n}").contains(&"rk4".to_owned()));
    let rules = "rule kick { }\nrule drift { }\nevent hit { }\nsimulation {\n    workflow = seq(kick, |)\n}";
    assert_eq!(labels(rules), ["kick", "drift", "hit", "seq", "par"]);
}

#[test]
fn lists() {
    let text = gallery("bouncing_ball");
    let with = |from: &str, to: &str| {
        assert!(text.contains(from));
        text.replacen(from, to, 1)
    };
    assert_eq!(labels(&with("objects_involved = {ball, floor}", "objects_involved = {ball, |}")), ["floor"]);
    assert_eq!(labels(&with("objects_involved = {ball, floor}", "objects_involved = {|")), ["ball", "floor"]);
    assert_eq!(labels(&with("contexts_involved = {flight, bounce}", "contexts_involved = {b|}")), ["bounce"]);
    assert_eq!(labels(&with("of = {ball}", "of = {|}")), ["ball", "floor"]);
    let first = with(
        "compute_first_time_only_attributes = {t0, pos0, v0}",
        "compute_first_time_only_attributes = {t0, |}",
    );
    assert_eq!(labels(&first), ["pos0", "v0"]);
    let object = at(&with("objects_involved = {ball, floor}", "objects_involved = {b|}"));
    assert_eq!(
        (object.items[0].kind, object.items[0].detail.as_str()),
        (ItemKind::Object, "object: dynamic sphere")
    );
    assert_eq!(
        labels(
            "rule r { reads = {|} }\nworld attributes { g = 1 }\nobject { name = b attributes = { v = 1 } }"
        ),
        ["v", "g"]
    );
}

#[test]
fn words_of_aliases_and_roles() {
    let alias = |words: &str| {
        labels(&format!(
            "object {{ name = sun attributes = {{ mass = 1 }} }}\ncontext {{\n    aliases = {{\n        {words}|\n    }}\n}}"
        ))
    };
    assert_eq!(alias(""), ["use"]);
    assert_eq!(alias("use n "), ["as"]);
    assert_eq!(alias("use n as attribute "), ["mass", "collisionNormal"]);
    assert_eq!(alias("use n as attribute mass of object "), ["with index", "sun"]);
    let role =
        |words: &str| labels(&format!("object {{ name = sun }}\ncontext {{ applicability = {{ {words}|"));
    assert_eq!(role("man"), ["mandatory"]);
    assert_eq!(role("mandatory 2 dyn"), ["dynamic"]);
    assert_eq!(role("mandatory 2 dynamic sp"), ["spheres"]);
    assert_eq!(role("mandatory 1 static o"), ["object"]);
    assert_eq!(role("mandatory 1 dynamic sphere "), ["and"]);
    assert_eq!(role("mandatory s"), ["sun"]);
}

#[test]
fn names_in_laws() {
    let text = ball("        v = v_in", "        w = |");
    let found = labels(&text);
    for name in
        ["v_in", "restitution", "v", "collisionNormal", "collisionPoint", "t", "dt", "previous", "norm", "if"]
    {
        assert!(found.iter().any(|it| it == name), "{name} in {found:?}");
    }
    let first: Vec<&str> = found.iter().map(String::as_str).take(2).collect();
    assert_eq!(first, ["v_in", "position"], "the nearest come first");
    assert_eq!(labels(&ball("        v = v_in", "        w = coll|")), ["collisionNormal", "collisionPoint"]);
    assert_eq!(labels(&ball("v0 = v", "        w = coll|")), [""; 0], "nothing collides in free fall");
    assert_eq!(labels(&ball("        v = v_in", "        w = 2 * rest|")), ["restitution"]);
    assert_eq!(labels(&ball("        v = v_in", "        f(radius, x) = radi|")), ["radius"]);
    assert_eq!(labels(&ball("        v = v_in", "        w = if t > 1 the|")), ["then"]);
    assert_eq!(labels(&ball("        v = v_in", "        w = (1 +\n            res|")), ["restitution"]);
    assert_eq!(labels(&ball("        v = v_in", "        w = 2e|")), [""; 0], "a number");
    let native = at(&ball("        v = v_in", "        w = norm|"));
    assert_eq!(native.items[0].kind, ItemKind::Native);
    assert_eq!(native.items[0].insert, "norm(");
    assert!(
        native.items[0].detail.contains("vector -> real")
            && native.items[0].detail.contains("length of a vector")
    );
}

#[test]
fn names_in_values() {
    assert_eq!(labels(&ball("duration = 6", "    frame rate = rest|")), ["restitution"]);
    assert_eq!(
        labels(&ball("duration = 6", "    frame rate = posi|")),
        [""; 0],
        "a simulation sees the world only"
    );
    assert_eq!(labels(&ball("tolerance = 1e-9", "    at = posi|")), ["position"]);
    assert_eq!(labels("world attributes {\n    g = 9.81\n    h = |g").first().unwrap(), "g");
    let inertia = "import \"solids.vfl\"\nobject {\n    attributes = {\n        mass = 1\n        i = cub|";
    assert_eq!(labels(inertia), ["cuboid_inertia"]);
    assert_eq!(taken(inertia).lines().last().unwrap().trim(), "i = cuboid_inertia(");
    assert_eq!(
        labels("object {\n    attributes = {\n        mass = 1\n        i = ma|\n    }\n}"),
        ["mass", "matrixTranspose", "matrixDimension", "max"]
    );
}

#[test]
fn heads_of_definitions() {
    let object = "object {\n    geometrical type = sphere\n    attributes = {\n        position = [0, 0, 0]\n        |\n    }\n}";
    assert_eq!(labels(object), ["orientation", "color1", "color2", "size"]);
    assert_eq!(labels(&object.replace('|', "si|")), ["size"]);
    let law = ball("v_in = v", "        |");
    assert!(labels(&law).contains(&"position".to_owned()));
    assert!(!labels(&law).contains(&"v_in".to_owned()), "it has its law above");
    assert_eq!(labels("event e {\n    functions = {\n        |"), ["when"]);
}

#[test]
fn files() {
    assert_eq!(labels("import \"so|\""), ["solids.vfl"]);
    assert_eq!(taken("import \"so|"), "import \"solids.vfl\"");
    assert_eq!(taken("import |").trim(), "import \"dice.vfl\"");
    assert_eq!(labels("object {\n    file = \"|\"\n}"), [""; 0]);
}

#[test]
fn nothing_in_comments() {
    assert_eq!(labels("// obj|"), [""; 0]);
    assert_eq!(labels("object { // na|\n}"), [""; 0]);
    assert_eq!(labels("/* obj|"), [""; 0]);
    assert_eq!(labels("/* c */obj|"), ["object"]);
}

#[test]
fn the_word_under_the_cursor_is_replaced() {
    let text = ball("        v = v_in", "        w = res|titution * 2");
    let found = at(&text);
    assert_eq!(&cursor(&text).0[found.start..found.end], "restitution");
    let text = ball("        v = v_in", "        w = |restitution");
    let found = at(&text);
    assert_eq!(found.start, found.end, "nothing has been typed yet");
}

#[test]
fn lagrangians() {
    let block = |line: &str| {
        format!(
            "lagrangian pendulum {{\n    coordinates = {{ theta = 1 }}\n    functions = {{ x = sine(theta) }}\n    {line}\n}}\n"
        )
    };
    let offered = labels(&block("T = 0.5 * th|"));
    assert_eq!(&offered[..2], ["theta", "theta_dot"]);
    assert!(labels(&block("T = 0.5 * x|")).contains(&"x_dot".to_owned()), "the rate of a function");
    assert_eq!(labels(&block("rates = { th|")), ["theta_dot"]);
    assert!(labels(&block("vel|")).contains(&"velocity constraints".to_owned()));
    let (text, offset) = cursor(&block("T = 0.5 * theta_|"));
    let rate = &complete(&text, offset).items[0];
    assert_eq!(
        (rate.label.as_str(), rate.detail.as_str()),
        ("theta_dot", "rate of the coordinate theta, at the start 0")
    );
    let momentum = "p_theta".to_owned();
    assert!(!labels(&block("T = p_|")).contains(&momentum) && labels(&block("H = p_|")).contains(&momentum));
    let measured = |line: &str| {
        labels(&format!("{}measure it {{ value = {line} }}", block("T = 1  constraints = { rod = x }")))
    };
    assert_eq!(measured("lam|"), ["lambda_rod"]);
    assert!(measured("p_|").contains(&momentum) && measured("tot|") == ["total_energy"]);
}

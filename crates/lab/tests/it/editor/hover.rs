//! Hover: the meanings of words where they stand.

use super::{cursor, gallery};
use gedanken_experiment::editor::hover;

fn at(text: &str) -> Option<(String, String)> {
    let (text, offset) = cursor(text);
    hover(&text, offset).map(|it| (text[it.start..it.end].to_owned(), it.text))
}

/// The bouncing ball with the cursor in the middle of `word`, which stands in `line`.
fn ball(line: &str, word: &str) -> Option<String> {
    let text = gallery("bouncing_ball");
    let at_line = text.find(line).unwrap();
    let offset = at_line + line.find(word).unwrap() + 1;
    let mut with = text.to_owned();
    with.insert(offset, '|');
    let (found, meaning) = at(&with)?;
    assert_eq!(found, word);
    assert!(!meaning.contains('`') && !meaning.is_empty());
    Some(meaning)
}

#[test]
fn natives() {
    let text = ball("(2 * norm(a))", "norm").unwrap();
    assert_eq!(text, "norm(v): vector -> real\nThe length of a vector.\n|v| = √(v · v)");
}

#[test]
fn attributes_and_laws() {
    let law = "v = v_in - (1 + restitution) *";
    assert_eq!(ball(law, "restitution").unwrap(), "restitution = 0.8   attribute of the world, line 11");
    assert_eq!(ball(law, "v_in").unwrap(), "v_in = v\nv_in is defined in context bounce, line 55");
    assert_eq!(
        ball("size + (v # 3)", "size").unwrap(),
        "size = 0.5   attribute of ball, line 20\nsize = [50, 50, 1]   attribute of floor, line 31"
    );
    assert!(ball("size = [50", "size").unwrap().starts_with("size = [50, 50, 1]   attribute of floor"));
    let normal = ball("* (v_in . collisionNormal)", "collisionNormal").unwrap();
    assert!(normal.contains("given by the engine"), "{normal}");
}

#[test]
fn keys_and_things() {
    assert_eq!(ball("    duration = 6", "duration").unwrap(), "duration\na real greater than 0");
    assert_eq!(
        ball("    physical type = dynamic", "type").unwrap(),
        "physical type\nstatic, dynamic or kinematic"
    );
    assert_eq!(ball("{ball, floor}", "floor").unwrap(), "object floor, line 25\nstatic cuboid");
    assert_eq!(ball("{flight, bounce}", "bounce").unwrap(), "context bounce, line 49\ncollision");
    assert!(ball("measure apex {", "measure").unwrap().starts_with("measure\n"));
}

#[test]
fn imported_functions_and_parameters() {
    let text = "import \"solids.vfl\"\nworld attributes { i = cuboid_ine|rtia(1, [1, 2, 3]) }";
    assert_eq!(at(text).unwrap().1, "cuboid_inertia(m, l)\nimported from solids.vfl");
    let text = "context { functions = { f(x, y) = x + |y } }";
    assert_eq!(at(text).unwrap().1, "y\nparameter of f");
}

#[test]
fn nothing_is_said_of_what_means_nothing() {
    assert_eq!(at("// nor|m"), None);
    assert_eq!(at("world attributes { a = 9.|81 }"), None);
    assert_eq!(at(" | "), None);
    assert_eq!(at("context { functions = { x = unkn|own } }"), None);
}

/// The meaning of the word at the bar in a system with everything that a block can have.
fn stated(line: &str) -> String {
    let text = format!(
        "world attributes {{ tilt = 0.3 }}
lagrangian top {{
    coordinates = {{ theta = tilt, phi = 2 * tilt }}
    rates = {{ phi_dot = 5 }}
    parameters = {{ m = 1.5 }}
    functions = {{ x = sine(theta) }}
    constraints = {{ rod = x^2 - m }}
    stops = {{ floor = theta }}
    {line}
}}
measure pull {{ value = lambda_rod }}
"
    );
    at(&text).unwrap().1
}

#[test]
fn names_of_lagrangians() {
    assert_eq!(stated("T = the|ta"), "theta\ncoordinate, at the start tilt = 0.3, line 3");
    assert_eq!(stated("T = ph|i"), "phi\ncoordinate, at the start 2 * tilt, line 3");
    assert_eq!(stated("T = phi_d|ot"), "phi_dot\nrate of the coordinate phi, at the start 5, line 4");
    assert_eq!(stated("T = theta_|dot"), "theta_dot\nrate of the coordinate theta, at the start 0, line 3");
    assert_eq!(stated("T = |m"), "m\nparameter, 1.5, line 5");
    assert_eq!(stated("T = |x"), "x = sine(theta)\nx is defined in lagrangian top, line 6");
    assert_eq!(stated("T = x_d|ot"), "x_dot\nrate of the function x = sine(theta), line 6");
    let momentum = stated("H = p_p|hi^2");
    assert_eq!(momentum, "p_phi\nmomentum of the coordinate phi: the slope of L along phi_dot, line 3");
    let rate = stated("H = p_phi^2  V = thet|a_dot");
    assert_eq!(rate, "theta_dot\nrate of the coordinate theta, which follows from the momenta, line 3");
    assert_eq!(stated("forces = { phi = 1, th|eta = -m }"), "theta\nforce along the coordinate theta: -m");
}

#[test]
fn what_holds_and_what_a_run_computes() {
    let whole = |marked: &str| {
        let text = stated_text().replacen(&marked.replace('|', ""), marked, 1);
        at(&text).unwrap().1
    };
    fn stated_text() -> String {
        "lagrangian bead {
    coordinates = { x = 1, y = 0 }
    T = 0.5 * (x_dot^2 + y_dot^2)
    constraints = { ring = x^2 + y^2 - 1 }
    stops = { floor = y + 0.5 }
}
measure pull { value = lambda_ring + lambda_floor * residual_ring + total_energy + p_x }
"
        .to_owned()
    }
    let ring =
        "ring\nconstraint: x^2 + y^2 - 1 = 0 at all times\nits multiplier is lambda_ring, for measures";
    assert_eq!(whole("{ ri|ng ="), ring);
    assert_eq!(whole("{ fl|oor ="), "floor\nstop: y + 0.5 is never negative");
    let multiplier =
        "lambda_ring\nmultiplier of the constraint ring: x^2 + y^2 - 1 = 0, of lagrangian bead, line 4";
    assert_eq!(whole("lambda_r|ing"), multiplier);
    assert!(whole("lambda_f|loor").contains("multiplier of the stop floor"));
    assert!(whole("residual_|ring").contains("by how much the constraint ring is missed"));
    assert!(whole("total_|energy").contains("T + V"));
    assert!(whole("+ p_|x").contains("momentum of the coordinate x"));
}

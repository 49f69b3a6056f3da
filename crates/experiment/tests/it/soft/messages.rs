//! Messages about soft constraints, word for word.

use super::{ball, hinge, joint, material, simulation, soft, told};
use gedanken_lang::diagnostic::CATALOGUE;

fn all_told(cases: &[String]) -> String {
    cases.iter().map(|text| told(text)).collect::<Vec<_>>().join("\n────\n\n")
}

#[test]
fn settings() {
    insta::assert_snapshot!(all_told(&[
        soft("algorithm = newtn"),
        soft("algorithm = pgs"),
        soft("algorithm = 2"),
        soft("line search = wolfe"),
        soft("stopping = never"),
        soft("cone = round"),
        soft("cone = pyramid\n    cone edges = 6"),
        soft("cone = pyramid\n    cone edges = [4, 8]"),
        soft("cone = elliptic\n    cone edges = 8"),
        soft("cone edges = 8"),
        soft("cone = pyramd\n    cone edges = 8"),
        soft("impedance ratio = 0"),
        soft("no slip iterations = -1"),
        soft("no slip iterations = 1.5"),
        soft("defaults = bullet"),
        soft("tolerance = 0"),
        soft("iterations = 0"),
        soft("integrator = leapfrog"),
        soft("integrator = implicit fst"),
    ]));
}

/// Settings of other solvers with this one, and its settings with others.
#[test]
fn settings_of_other_solvers() {
    let own = "algorithm = newton\n    line search = exact\n    stopping = certificate\n    cone = pyramid\n    cone edges = 4\n    impedance ratio = 1\n    no slip iterations = 0\n    defaults = mujoco";
    insta::assert_snapshot!(all_told(&[
        soft(
            "substeps = 2\n    slop = 0.001\n    correction = 0.5\n    combination = product\n    rest speed = 0.1\n    touching tolerance = 1e-6"
        ),
        soft("order = 2\n    kinetic = exact\n    friction iteration = coupled"),
        ball("") + &simulation("s", own),
        ball("") + &simulation("s", "solver = variational\n    cone = pyramid"),
        ball("") + &simulation("s", "cone edges = 4"),
        ball("") + &simulation("s", "integrator = implicit fast"),
        ball("") + &simulation("s", "solver = sotf\n    integrator = implicit fast\n    cone = pyramid"),
        ball("")
            + &simulation("s", "cone = pyramid\n    defaults = genesis")
                .replace("mechanics = rigid\n    ", ""),
    ]));
}

#[test]
fn joints() {
    let s = &simulation("s", "solver = soft");
    insta::assert_snapshot!(all_told(&[
        hinge("stiffness = -1\n    damping = -2\n    armature = -3\n    friction loss = -4", s),
        hinge("rest = 0.3", s),
        hinge("stiffness = 1\n    rest = [1, 2]", s),
        hinge("time constant = 0.02", s),
        hinge("damping ratio = 1", s),
        hinge("softness stiffness = 100", s),
        hinge("softness damping = 100", s),
        hinge("time constant = 0\n    damping ratio = -1", s),
        hinge("time constant = 0.02\n    damping ratio = 1\n    softness damping = 3", s),
        hinge("friction loss 3", s),
        hinge("impedance = 0.9", s),
        hinge("impedance = [0.9, 0.95]", s),
        hinge("impedance = [0, 1, 0, 2, 0.5]", s),
        joint("kind = point\n    anchor = [0, 0, 2]\n    stiffness = 1\n    rest = 1", s),
        joint("kind = weld\n    armature = 1\n    damping = 1", s),
        joint(
            "kind = spring\n    stiffness = 10\n    armature = 1\n    time constant = 0.1\n    damping ratio = 1",
            s
        ),
    ]));
}

#[test]
fn materials() {
    let s = &simulation("s", "solver = soft");
    insta::assert_snapshot!(all_told(&[
        material("torsional friction = -1\n    rolling friction = -2\n    margin = -3\n    gap = -4", s),
        material("rolling friction 3", s),
        material("margin = true", s),
        material("time constant = 0.02", s),
        material("softness stiffness = 100\n    softness damping = -1", s),
        material("time constant = 0.02\n    softness stiffness = 100", s),
        material("impedance = [0.9, 0.95, 0.001, 0.5, 0]", s),
        material("torsion friction = 1", s),
    ]));
}

/// A ball on a hinge `swing` and a slider `rail`, and a joint with these lines.
fn coupled(lines: &str, simulations: &str) -> String {
    let rail = "joint rail {\n    kind = slider\n    axis = [1, 0, 0]\n    between = {ball, world}\n}\n";
    let text = hinge("", "").replace("joint j {", "joint swing {");
    format!("{text}{rail}joint cam {{\n    {lines}\n}}\n{simulations}")
}

#[test]
fn couplings() {
    let (s, hard) = (&simulation("s", "solver = soft"), &simulation("s", ""));
    let good = "kind = polynomial\n    between = {rail, swing}\n    coefficients = [0, 2]";
    insta::assert_snapshot!(all_told(&[
        coupled(good, s),
        coupled(good, hard),
        coupled("kind = polynomial", s),
        coupled("kind = polynomial\n    between = {rail}\n    coefficients = [0, 2]", s),
        coupled("kind = polynomial\n    between = {rail, rail}\n    coefficients = [0, 2]", s),
        coupled("kind = polynomial\n    between = {rail, swong}\n    coefficients = [0, 2]", s),
        coupled("kind = polynomial\n    between = {rail, ball}\n    coefficients = [0, 2]", s),
        coupled(good, s).replace("kind = hinge\n    axis = [0, 1, 0]", "kind = ball"),
        coupled("kind = polynomial\n    between = {rail, swing}\n    coefficients = 2", s),
        coupled("kind = polynomial\n    between = {rail, swing}\n    coefficients = [0, 1, 2, 3, 4, 5]", s),
        coupled(&format!("{good}\n    axis = [1, 0, 0]\n    stiffness = 2"), s),
        coupled(&format!("{good}\n    time constant = 0"), s),
        hinge("coefficients = [1, 2]", s),
        joint("kind = polynom", s),
    ]));
}

#[test]
fn free_joints() {
    let (s, hard) = (&simulation("s", "solver = soft"), &simulation("s", ""));
    let two = ball("").replace("ball", "other").replace("[0, 0, 1]", "[0, 0, 5]");
    insta::assert_snapshot!(all_told(&[
        joint("kind = free\n    damping = 2", s),
        joint("kind = free", hard),
        joint("kind = free", &format!("{hard}{}", simulation("other", "solver = soft"))),
        joint("kind = free\n    anchor = [0, 0, 1]\n    axis = [1, 0, 0]\n    rest = 1", s),
        two + &joint("kind = free", s).replace("{ball, world}", "{ball, other}"),
        joint("kind = ball\n    anchor = [0, 0, 2]", hard),
    ]));
}

#[test]
fn friction_of_speed() {
    let (s, hard) = (simulation("s", "solver = soft"), simulation("hard", ""));
    insta::assert_snapshot!(all_told(&[
        material("friction(v) = 0.3 + 0.1 * exp(-v)", &s),
        material("friction(v) = 0.3 + 0.1 * exp(-v)", &hard),
        material("friction(v) = 0.3 + 0.1 * exp(-v)", &(hard.clone() + &s)),
    ]));
}

#[test]
fn names_of_laws() {
    let s = simulation("s", "solver = soft");
    let drag = "force damping {\n    of = {ball}\n    force = -velocity\n}\n";
    let spring = "kind = spring\n    stiffness = 10";
    insta::assert_snapshot!(all_told(&[
        ball("") + drag + &s,
        ball("") + drag + &simulation("s", ""),
        joint(spring, &s).replace("joint j", "joint springs"),
    ]));
}

/// What joints and materials say to a solver that does not know it.
#[test]
fn solvers_without_a_use() {
    let (hard, s) = (simulation("hard", ""), simulation("s", "solver = soft"));
    let jacobi = simulation("hard", "solver = jacobi");
    let both = hard.clone() + &s;
    let elastic = ball("").replace("mass = 1", "mass = 1  restitution = 0.5");
    insta::assert_snapshot!(all_told(&[
        hinge("armature = 1\n    friction loss = 2", &hard),
        hinge("damping = 1", &jacobi),
        hinge("damping = 1", &simulation("s", "solver = sotf")),
        hinge("friction loss = 2\n    damping = 1\n    stiffness = 3", &both),
        hinge("armature = 1\n    friction loss = 2", &both),
        joint("kind = spring\n    stiffness = 10\n    damping = 1", &both),
        material("margin = 0.01\n    time constant = 0.1\n    damping ratio = 1", &jacobi),
        material("margin = 0.01", &both),
        material("restitution = 0.5", &s),
        material("restitution(v) = 0.5", &both),
        material("restitution = 0", &s),
        material("restitution = 0.5", &hard),
        // Nothing takes part that is made of it.
        material("margin = 0.01\n    restitution = 0.5", &(hard + &s)).replace("material = m", ""),
        elastic + &s,
    ]));
}

/// The explanation of the warning keeps its word.
#[test]
fn explanation() {
    let entry = CATALOGUE.iter().find(|it| it.code.as_str() == "W754").expect("it is in the catalogue");
    let example = |verdict: &str| {
        let text = entry.explanation.split(&format!("```lab {verdict}\n")).nth(1).expect("it has an example");
        told(text.split("```").next().unwrap_or_default())
    };
    assert!(example("wrong").starts_with("warning[W754]"), "{}", example("wrong"));
    assert_eq!(example("right"), "nothing is said\n");
}

//! Messages about files of rigid bodies with mistakes, word for word.

use super::worlds::{body, simulation};
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

/// Two balls and what else there is.
fn with(lines: &str) -> String {
    body("ball", "sphere", "position = [0, 0, 1]  size = 0.1  mass = 1")
        + &body("box", "cuboid", "position = [0, 0, 3]  size = [1, 1, 1]  mass = 2  charge = 3")
        + "object {\n    name = wall\n    physical type = static\n    geometrical type = half space\n    collides = false\n    attributes = { position = [0, 0, -9] }\n}\n"
        + lines
        + "\n"
        + &simulation("gravity = [0, 0, -9.81]")
}

#[test]
fn bodies() {
    let one = |shape: &str, attributes: &str| body("thing", shape, attributes) + &simulation("");
    let ball = |attributes: &str| one("sphere", &format!("position = [0, 0, 0]  size = 1  {attributes}"));
    let part = |name: &str, attributes: &str| {
        body(name, "sphere", &format!("position = [0, 0, 0]  size = 1  {attributes}"))
    };
    let cases = [
        ball(""),
        ball("mass = 1  density = 2"),
        ball("mass = -1"),
        ball("density = 0"),
        ball("mass = [1, 2, 3]"),
        ball("mass = 1  velocity = 3"),
        ball("mass = 1  angular_velocity = [1, 2]"),
        ball("mass = 1  inertia_tensor = [1, 1, 1]"),
        ball("mass = 1  inertia_tensor = [[1, 0, 0], [0, 1, 0], [0, 0, 5]]"),
        ball("mass = 1  inertia_tensor = [[1, 2, 0], [0, 1, 0], [0, 0, 1]]"),
        ball("mass = 1  restitution = 1.5  friction = -1"),
        one("half space", "position = [0, 0, 0]  mass = 1"),
        part("a", "mass = 1")
            + &part("b", "")
            + "object { name = pair\n physical type = dynamic\n parts = {a, b}\n attributes = { position = [0, 0, 0] } }\n"
            + &simulation(""),
        ball("mass = 1").replace("collides = false", "collides = 3"),
        ball("mass = 1").replace("collides = false", "mass = 3"),
        ball("mass = 1").replace("dynamic", "kinetic"),
        ball("").replace("dynamic", "kinematic").replace("    mechanics = rigid\n", ""),
    ];
    insta::assert_snapshot!(all(&cases));
}

#[test]
fn materials() {
    let material = |lines: &str| {
        format!("material rubber {{\n    {lines}\n}}\n")
            + &body("ball", "sphere", "position = [0, 0, 0]  size = 1  mass = 1")
                .replace("collides = false", "material = rubber")
            + &simulation("")
    };
    let cases = [
        material("restitution = 2"),
        material("friction = -0.1"),
        material("restitution = [1, 2]"),
        material("restitution = 0.9 - 0.1 * v"),
        material("restitution(v, w) = 0.9"),
        material("restitution(v) = [v, v]"),
        material("restitution(v) = 0.9 - u"),
        material("resitution = 0.9"),
        material("restitution = 0.5").replace("material = rubber", "material = ruber"),
        material("restitution = 0.5").replace("mass = 1", "mass = 1  friction = 1"),
        material("restitution = 0.5").replace("material rubber {", "material {"),
        material("restitution = 0.5") + "material rubber { friction = 1 }\n",
    ];
    insta::assert_snapshot!(all(&cases));
}

#[test]
fn surfaces_of_compounds() {
    let runner = |name: &str, surface: &str| {
        body(name, "cuboid", &format!("position = [0, 0, 0]  size = [1, 0.1, 0.1]  mass = 1  {surface}"))
    };
    let sledge = |left: &str, right: &str, own: &str| {
        runner("left", left)
            + &runner("right", right)
            + &format!(
                "object {{ name = sledge\n physical type = dynamic\n parts = {{left, right}}\n attributes = {{ position = [0, 0, 1]  {own} }} }}\n"
            )
            + &simulation("gravity = [0, 0, -9.81]")
    };
    let cases = [
        sledge("friction = 0.02", "friction = 0.02", ""),
        sledge("friction = 0.02", "friction = 0.02", "friction = 0.02"),
        sledge("friction = 0.02", "", ""),
        sledge("friction = 0.02", "friction = 0.03  restitution = 0.5", ""),
        sledge("restitution = 0.5", "restitution = 0.5", "friction = 0.3"),
        sledge("", "", "").replacen("collides = false", "material = ice", 1)
            + "material ice {\n    friction = 0.02\n}\n",
    ];
    insta::assert_snapshot!(all(&cases));
}

#[test]
fn whom_laws_are_about() {
    let cases = [
        with("force f { of = {bal}  force = [0, 0, 1] }"),
        with("force f { of = {}  force = [0, 0, 1] }"),
        with("force f { of = {ball, ball}  force = [0, 0, 1] }"),
        with("force f { of = {wall}  force = [0, 0, 1] }"),
        with("force f { between = {ball}  force = [0, 0, 1] }"),
        with("force f { between = {ball, ball}  force = [0, 0, 1] }"),
        with("force f { between = {ball, world}  force = [0, 0, 1] }"),
        with("force f { between = {ball, box}  of = {ball}  force = [0, 0, 1] }"),
        with("force { force = [0, 0, 1] }"),
        with("force f { of = {ball} }"),
        with("potential f { of = {ball} }"),
        with("constraint f { value = 1 }"),
        with("force f { of = {ball}  energy = 3  force = [0, 0, 1] }"),
        with("force f { force = [0, 0, 1] }\njoint f { kind = weld\n between = {ball, world} }"),
        with("force gravity { force = [0, 0, 1] }"),
        with("force f { of = {ball}  force = [0, 0, 1] }")
            .replace("mechanics = rigid\n    gravity = [0, 0, -9.81]", ""),
        with("force f { of = {ball}  force = [0, 0, 1] }")
            .replace("gravity", "objects_involved = {box, wall}\n    gravity"),
    ];
    insta::assert_snapshot!(all(&cases));
}

#[test]
fn what_laws_give_and_look_at() {
    let cases = [
        with("force f { of = {ball}  force = 3 }"),
        with("force f { of = {ball}  force = [1, 2] }"),
        with("force f { of = {ball}  torque = true  force = {1, 2} }"),
        with("force f { of = {ball}  force = [0, 0, 1]  at = 2 }"),
        with("potential f { of = {ball}  energy = position }"),
        with("potential f { of = {ball}  energy = true }"),
        with("constraint f { of = {ball}  value = position # 3 > 1 }"),
        with("force f { of = {ball}  force = charge * [0, 0, 1] }"),
        with("force f { of = {ball, box}  force = charge * [0, 0, 1] }"),
        with("force f { force = charg * [0, 0, 1] }"),
        with("force f { force = dt * velocity }"),
        with("force f { force = previous(velocity) }"),
        with("force f { between = {ball, box}  force = position }"),
        with("force f { between = {ball, box}  force = positon1 - position2 }"),
        with(
            "force f { of = {ball}  aliases = { use q as attribute chrge of object box }  force = q * velocity }",
        ),
        with(
            "force f { of = {ball}  aliases = { use q as attribute charge of object bax }  force = q * velocity }",
        ),
        with(
            "force f { of = {ball}  aliases = { use q as attribute charge of object with index 1 }  force = q * velocity }",
        ),
        with("force f { of = {ball}  force = velocity + 1 }"),
        with("force f { of = {ball, box}  force = sqrt(size) * velocity }"),
    ];
    insta::assert_snapshot!(all(&cases));
}

#[test]
fn what_cannot_be_differentiated() {
    let cases = [
        with(
            "potential f { of = {ball}\n    functions = {\n        p(x, n) = if n < 1 then 1 else x * p(x, n - 1)\n    }\n    energy = p(position # 1, 3)\n}",
        ),
        with("potential f { of = {ball}  energy = sum({position # 1, position # 2}) }"),
        with("potential f { of = {ball}  energy = velocity . velocity }"),
        with("constraint f { of = {ball}  value = velocity # 1 }"),
        with(
            "potential f { of = {ball}  aliases = { use r as attribute position of object ball }  energy = r . r }",
        ),
        with(
            "constraint f { of = {ball}  aliases = { use r as attribute position of object box }  value = norm(r - position) - 2 }",
        ),
        with("constraint f { of = {ball}  value = position # 3 }"),
        with("constraint f { of = {ball}  value = position # 3 - 2\n inequality = true }"),
        with("constraint f { of = {ball}  value = log(position # 1)\n alpha = -1 }"),
        with("constraint f { of = {ball}  value = log(position # 1) }"),
    ];
    insta::assert_snapshot!(all(&cases));
}

#[test]
fn joints() {
    let joint = |lines: &str| with(&format!("joint j {{\n    {lines}\n}}"));
    let cases = [
        joint("kind = hing\n    between = {ball, world}\n    anchor = [0, 0, 0]"),
        joint("kind = revolute\n    between = {ball, world}"),
        joint("between = {ball, world}"),
        joint("kind = point\n    anchor = [0, 0, 0]"),
        joint("kind = point\n    between = {ball, boks}\n    anchor = [0, 0, 0]"),
        joint("kind = point\n    between = {ball, ball}\n    anchor = [0, 0, 0]"),
        joint("kind = point\n    between = {world, ball}\n    anchor = [0, 0, 0]"),
        joint("kind = point\n    between = {ball, box, wall}\n    anchor = [0, 0, 0]"),
        joint("kind = point\n    between = {ball, box}"),
        joint("kind = point\n    between = {ball, box}\n    anchor1 = [0, 0, 0]"),
        joint("kind = point\n    between = {ball, box}\n    anchor = [0, 0, 0]\n    anchor1 = [0, 0, 0]"),
        joint("kind = point\n    between = {ball, box}\n    anchor1 = [0, 0, 0]\n    anchor2 = [0, 0, 0]"),
        joint("kind = hinge\n    between = {ball, box}\n    anchor = [0, 0, 0]"),
        joint("kind = hinge\n    between = {ball, box}\n    anchor = [0, 0]\n    axis = 3"),
        joint("kind = hinge\n    between = {ball, box}\n    anchor = [0, 0, 0]\n    axis = [0, 0, 0]"),
        joint(
            "kind = hinge\n    between = {ball, box}\n    anchor = [0, 0, 0]\n    axis = [0, 1, 0]\n    limits = [1, -1]",
        ),
        joint(
            "kind = hinge\n    between = {ball, box}\n    anchor = [0, 0, 0]\n    axis = [0, 1, 0]\n    limits = 3",
        ),
        joint(
            "kind = hinge\n    between = {ball, box}\n    anchor = [0, 0, 0]\n    axis = [0, 1, 0]\n    limits = [-9, 9]",
        ),
        joint(
            "kind = hinge\n    between = {ball, box}\n    anchor = [0, 0, 0]\n    axis = [0, 1, 0]\n    limits = [1, 1]",
        ),
        joint(
            "kind = hinge\n    between = {ball, box}\n    anchor = [0, 0, 0]\n    axis = [0, 1, 0]\n    motor speed = 3",
        ),
        joint(
            "kind = hinge\n    between = {ball, box}\n    anchor = [0, 0, 0]\n    axis = [0, 1, 0]\n    motor torque = -3",
        ),
        joint("kind = point\n    between = {ball, box}\n    anchor = [0, 0, 0]\n    axis = [0, 1, 0]"),
        joint(
            "kind = universal\n    between = {ball, box}\n    anchor = [0, 0, 0]\n    axis = [0, 1, 0]\n    axis2 = [0, 1, 1]",
        ),
        joint("kind = rope\n    between = {ball, box}"),
        joint("kind = rope\n    between = {ball, box}\n    length = 1"),
        joint("kind = rope\n    between = {ball, box}\n    length = -1\n    anchor = [0, 0, 0]"),
        joint("kind = distance\n    between = {ball, box}\n    length = 3"),
        joint("kind = spring\n    between = {ball, box}\n    stiffness = -3\n    damping = [1, 2]"),
        joint("kind = weld\n    between = {wall, world}"),
        joint("kind = weld\n    between = {ball, world}")
            .replace("gravity", "objects_involved = {box, wall}\n    gravity"),
    ];
    insta::assert_snapshot!(all(&cases));
}

#[test]
fn settings() {
    let sim = |lines: &str| {
        body("ball", "sphere", "position = [0, 0, 0]  size = 1  mass = 1")
            .replace("collides = false", "collides = true")
            + "object {\n    name = wall\n    physical type = static\n    geometrical type = half space\n    attributes = { position = [0, 0, -9] }\n}\n"
            + &simulation(lines)
    };
    let context = "context {\n    name = falling\n    type = free fall\n    functions = {\n        position = [0, 0, t]\n    }\n}\n";
    let cases = [
        sim("gravity = 9.81"),
        sim("gravity = [0, 0, g]"),
        sim("solver = gaus-seidel"),
        sim("solver = magic"),
        sim("integrator = dormand-prince"),
        sim("integrator = leapfrg"),
        sim("integrator = yoshida8"),
        sim("substeps = 0\n    iterations = 2.5\n    slop = -1\n    correction = 2\n    rest speed = -1"),
        sim("combination = mean"),
        sim("time step = 0.003\n    frame rate = 60"),
        sim("workflow = seq(kick)"),
        sim("contexts_involved = {}"),
        sim("gravity = [0, 0, -1]\n    solver = jacobi").replace("mechanics = rigid\n    ", ""),
        sim("").replace("mechanics = rigid", "mechanics = rigit"),
        context.to_owned() + &sim(""),
    ];
    insta::assert_snapshot!(all(&cases));
}

/// Settings of the solver `variational`, and those that it has no use for.
#[test]
fn settings_of_variational_steps() {
    let sim =
        |lines: &str| body("ball", "sphere", "position = [0, 0, 0]  size = 1  mass = 1") + &simulation(lines);
    let of = |lines: &str| sim(&format!("solver = variational\n    {lines}"));
    let measured = "measure quality {\n    value = stationarity\n}\n";
    let cases = [
        of("order = 1\n    kinetic = exact\n    friction_iteration = lagged"),
        of("kinetic = seed\n    order = 1\n    friction iteration = lagged"),
        sim("solver = variatonal\n    order = 1"),
        of("order = 3"),
        of("order = [1, 2]"),
        of("order = first"),
        of("kinetic = sed"),
        of("kinetic = quadratic"),
        of("kinetic = 2"),
        of("friction iteration = copled"),
        of("friction_iteration = newton"),
        of("kinetik = seed"),
        of("friction iterations = lagged"),
        of("kinetic = seed\n    order = 2\n    friction iteration = coupled"),
        of(
            "integrator = leapfrog\n    substeps = 2\n    iterations = 3\n    slop = 0.001\n    correction = 0.5",
        ),
        sim("order = 2\n    kinetic = exact\n    friction iteration = coupled"),
        sim("solver = jacobi\n    kinetic = seed\n    order = 2"),
        sim("order = 1").replace("mechanics = rigid\n    ", ""),
        of("record = {stationarity, feasibility, complementarity, friction_residual}") + measured,
        sim("record = {stationarity}"),
        of("record = {statinarity}"),
        sim("") + measured,
        of("") + measured + &simulation("").replace("name = s", "name = other"),
    ];
    insta::assert_snapshot!(all(&cases));
}

/// Names that mean something elsewhere, or nearly; and those that are meant as they stand.
#[test]
fn attributes_that_rigid_bodies_do_not_know() {
    let ball = |attributes: &str| {
        body("ball", "sphere", &format!("position = [0, 0, 0]  size = 1  mass = 1  {attributes}"))
    };
    let alone = |attributes: &str| ball(attributes) + &simulation("");
    let wind = "force wind {\n    of = {ball}\n    force = v\n}\n";
    let contexts = "context {\n    name = falling\n    type = free fall\n    functions = {\n        position' = v\n    }\n}\n";
    let also = "simulation {\n    name = also\n    duration = 1\n}\n";
    let cases = [
        alone("v = [1, 0, 0]"),
        alone("velocty = [1, 0, 0]  Omega = [0, 0, 1]"),
        alone("e = 0.5  mu = 0.3"),
        alone("inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]"),
        // A number is no velocity, and who has one needs no other.
        alone("v = 3"),
        alone("velocity = [1, 0, 0]  v = [1, 0, 0]"),
        alone("charge = 2"),
        ball("v = [1, 0, 0]") + wind + &simulation(""),
        ball("v = [1, 0, 0]") + contexts + &simulation("") + also,
    ];
    insta::assert_snapshot!(all(&cases));
}

/// Formatting keeps the content of blocks, and formatting again changes nothing.
#[test]
fn formatting_keeps_every_block() {
    let text = "material rubber { restitution(v) = if v < 1 then 0.9 else 0.9-0.01*v, friction = 0.5 }\n\
                force f { of = all  force = -velocity  torque = [0,0,1] }\n\
                joint j { kind = hinge between = {ball, world} anchor = [0,0,1] axis = [0,1,0] motor speed = 1 motor torque = 2 }\n\
                simulation { name = s duration = 1 mechanics = rigid solver = gauss-seidel integrator = symplectic-euler combination = geometric mean }\n\
                simulation { name = v duration = 1 mechanics = rigid solver = variational order = 1 kinetic = exact friction_iteration = lagged }\n";
    let dialect = gedanken_lang::syntax::Dialect::Experiment;
    let once = gedanken_lang::syntax::format(text, dialect).unwrap();
    assert_eq!(gedanken_lang::syntax::format(&once, dialect).unwrap(), once);
    insta::assert_snapshot!(once);
}

/// A random number may stand in a potential, but it has no slope along the place of a body.
#[test]
fn potentials_by_chance() {
    let fine = with("potential well { of = {ball}\n energy = uniform(7, 1) * position # 3 }");
    let steep = with("potential noise { of = {ball}\n energy = uniform(7, position # 3) }");
    insta::assert_snapshot!(all(&[fine, steep]), @r"
    nothing is said

    ────

    error[E758]: `noise` cannot be differentiated: a random number (`uniform`, `normal`, `direction`, `rotation`) has no slope along its seed or its key
      --> test.lab:22:11
       |
    22 | potential noise { of = {ball}
       |           ^^^^^
       |
       = help: state the force itself in a `force` block
    ");
}

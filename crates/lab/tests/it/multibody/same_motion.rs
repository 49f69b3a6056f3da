//! One mechanism by four methods: soft, Gauss-Seidel, variational and by its energies.
//!
//! The energies are integrated to 1e-12 and say where everything is; the others come to it with the order of their
//! steps. Where joints close a loop, softness is one more error, and it falls as the square of the time constant.

use crate::support::runs::{run, value};

/// Slope of log y over log x, by least squares.
fn slope(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs: Vec<[f64; 2]> = points.iter().map(|(x, y)| [libm::log(*x), libm::log(*y)]).collect();
    let mean = |k: usize| logs.iter().map(|it| it[k]).sum::<f64>() / n;
    let (mx, my) = (mean(0), mean(1));
    let product = |k: usize| logs.iter().map(|it| (it[0] - mx) * (it[k] - [mx, my][k])).sum::<f64>();
    product(1) / product(0)
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f64>().sqrt()
}

/// Where an object is at the end.
fn end_of(text: &str, object: &str) -> Vec<f64> {
    let recording = run(text);
    value(&recording, recording.frames() - 1, object, "position")
}

/// A bar of mass 1 in the plane of x and z, with its name, length, middle and angle from -z towards x.
fn bar(name: &str, length: f64, middle: &str, angle: &str) -> String {
    format!(
        "object {{ name = {name}  physical type = dynamic  geometrical type = cuboid  collides = false
    attributes = {{ position = {middle}  size = [0.05, 0.05, {length}]  orientation = [0, -({angle}), 0]  mass = 1 }} }}
"
    )
}

fn hinge(name: &str, between: &str, anchor: &str, more: &str) -> String {
    format!(
        "joint {name} {{ kind = hinge  between = {{{between}}}  anchor = {anchor}  axis = [0, 1, 0]  {more} }}\n"
    )
}

fn rigid(lines: &str, step: f64) -> String {
    format!(
        "simulation {{ name = s  mechanics = rigid  duration = 0.5  frame_rate = 2  gravity = [0, 0, -9.81]
    time step = {step}  {lines} }}\n"
    )
}

const METHODS: [(&str, f64); 5] = [
    ("solver = gauss-seidel", 2.0),
    ("solver = variational  order = 1", 1.0),
    ("solver = variational  order = 2", 2.0),
    ("solver = soft  integrator = semi-implicit", 1.0),
    ("solver = soft  integrator = rk4", 4.0),
];

/// Moment of inertia of a bar about its middle, across it.
const MOMENT: &str = "(l^2 + 0.05^2) / 12";

/// Two bars that hang on a cart.
#[test]
fn a_tree_moves_alike_by_all_methods() {
    let world = "world attributes { l = 0.8 a0 = 1.1 b0 = 0.4 }\n";
    let energies = format!(
        "{world}{}lagrangian tree {{
    coordinates = {{ x = 0  a = a0  b = b0 }}
    functions = {{
        r1 = [x + 0.5 * l * sine(a), -0.5 * l * cosine(a)]
        r2 = [x + l * sine(a) + 0.5 * l * sine(b), -l * cosine(a) - 0.5 * l * cosine(b)]
    }}
    T = 0.5 * (2 * x_dot^2 + r1_dot . r1_dot + r2_dot . r2_dot + {MOMENT} * (a_dot^2 + b_dot^2))
    V = 9.81 * (r1 # 2 + r2 # 2)
    positions = {{ lower = [r2 # 1, 0, r2 # 2] }}
}}
simulation {{ name = s  mechanics = lagrangian  duration = 0.5  frame_rate = 2  tolerance = 1e-12 }}
",
        "object { name = lower  physical type = dynamic  geometrical type = cuboid
    attributes = { position = [0, 0, 0]  size = [0.05, 0.05, 0.8] } }
"
    );
    let exact = end_of(&energies, "lower");
    let bodies = world.to_owned()
        + "object { name = cart  physical type = dynamic  geometrical type = cuboid  collides = false
    attributes = { position = [0, 0, 0]  size = [0.2, 0.1, 0.1]  mass = 2 } }
" + &bar("upper", 0.8, "[0.5 * l * sine(a0), 0, -0.5 * l * cosine(a0)]", "a0")
        + &bar(
            "lower",
            0.8,
            "[l * sine(a0) + 0.5 * l * sine(b0), 0, -l * cosine(a0) - 0.5 * l * cosine(b0)]",
            "b0",
        )
        + "joint rail { kind = slider  between = {cart, world}  anchor = [0, 0, 0]  axis = [1, 0, 0] }\n"
        + &hinge("first", "upper, cart", "[0, 0, 0]", "")
        + &hinge("second", "lower, upper", "[l * sine(a0), 0, -l * cosine(a0)]", "");
    for (method, order) in METHODS {
        let errors: Vec<(f64, f64)> = [100.0, 200.0, 400.0]
            .map(|rate: f64| {
                let found = end_of(&(bodies.clone() + &rigid(method, 1.0 / rate)), "lower");
                (1.0 / rate, distance(&found, &exact))
            })
            .to_vec();
        let found = slope(&errors);
        assert!((found - order).abs() < 0.15, "{method}: order {found}, from {errors:?}");
    }
}

/// A four-bar linkage: crank, coupler, rocker.
#[test]
fn a_loop_comes_nearer_with_the_square_of_its_time_constant() {
    // The crank hangs to the right of its bearing, the rocker from a bearing 1 m beside.
    let world = "world attributes {
    l = 0.8 crank_length = 0.3 rocker_length = 0.7
    p = [crank_length, 0, 0]
    cosine_near = (rocker_length^2 + (1 - crank_length)^2 - l^2) / (2 * rocker_length * (1 - crank_length))
    n = [1 - rocker_length * cosine_near, 0, rocker_length * sqrt(1 - cosine_near^2)]
    a0 = pi / 2
    b0 = atan2(n # 1 - p # 1, p # 3 - n # 3)
    c0 = atan2(n # 1 - 1, -(n # 3))
}
";
    let moment = |length: &str| format!("({length}^2 + 0.05^2) / 12");
    let energies = format!(
        "{world}object {{ name = coupler  physical type = dynamic  geometrical type = cuboid
    attributes = {{ position = [0, 0, 0]  size = [0.05, 0.05, 0.8] }} }}
lagrangian loop {{
    coordinates = {{ a = a0  b = b0  c = c0 }}
    functions = {{
        joint1 = crank_length * [sine(a), -cosine(a)]
        r1 = 0.5 * joint1
        r2 = joint1 + 0.5 * l * [sine(b), -cosine(b)]
        r3 = [1, 0] + 0.5 * rocker_length * [sine(c), -cosine(c)]
    }}
    T = 0.5 * (r1_dot . r1_dot + r2_dot . r2_dot + r3_dot . r3_dot
        + {} * a_dot^2 + {} * b_dot^2 + {} * c_dot^2)
    V = 9.81 * (r1 # 2 + r2 # 2 + r3 # 2)
    constraints = {{
        across = crank_length * sine(a) + l * sine(b) - 1 - rocker_length * sine(c)
        up = crank_length * cosine(a) + l * cosine(b) - rocker_length * cosine(c)
    }}
    positions = {{ coupler = [r2 # 1, 0, r2 # 2] }}
}}
simulation {{ name = s  mechanics = lagrangian  duration = 0.5  frame_rate = 2  tolerance = 1e-12 }}
",
        moment("crank_length"),
        moment("l"),
        moment("rocker_length")
    );
    let exact = end_of(&energies, "coupler");
    let bodies = world.to_owned()
        + &bar("crank", 0.3, "0.5 * p", "a0")
        + &bar("coupler", 0.8, "0.5 * (p + n)", "b0")
        + &bar("rocker", 0.7, "0.5 * (n + [1, 0, 0])", "c0")
        + &hinge("drive", "crank, world", "[0, 0, 0]", "")
        + &hinge("crank_pin", "crank, coupler", "p", "")
        + &hinge("swing", "rocker, world", "[1, 0, 0]", "");
    let closed = |more: &str| bodies.clone() + &hinge("rocker_pin", "coupler, rocker", "n", more);
    // Gauss-Seidel and variational steps hold the loop as firmly as the tree.
    for method in ["solver = gauss-seidel", "solver = variational  order = 2"] {
        let errors: Vec<(f64, f64)> = [200.0, 400.0, 800.0]
            .map(|rate: f64| {
                let found = end_of(&(closed("") + &rigid(method, 1.0 / rate)), "coupler");
                (1.0 / rate, distance(&found, &exact))
            })
            .to_vec();
        let found = slope(&errors);
        assert!((found - 2.0).abs() < 0.15, "{method}: order {found}, from {errors:?}");
    }
    // Steps are short enough for their own error to be far below that of the softness.
    let errors: Vec<(f64, f64)> = [0.02, 0.01, 0.005, 0.0025]
        .map(|time_constant: f64| {
            let text = closed(&format!("time constant = {time_constant}  damping ratio = 1"));
            let text = text + &rigid("solver = soft  integrator = rk4", 1.0 / 4000.0);
            (time_constant, distance(&end_of(&text, "coupler"), &exact))
        })
        .to_vec();
    let found = slope(&errors);
    assert!((found - 2.0).abs() < 0.1, "slope {found} in the time constant, from {errors:?}");
}

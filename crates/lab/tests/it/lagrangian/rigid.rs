//! The same mechanism, stated by its energies and as rigid bodies with joints, moves the same way.

use super::run::{run, value};

/// Steps of rigid bodies, so short that their own error is small.
const RIGID: &str = "simulation { name = s  mechanics = rigid  gravity = [0, 0, -9.81]  duration = 1.5  time_step = 1 / 6000 }\n";
const STATED: &str = "simulation { name = s  mechanics = lagrangian  duration = 1.5 }\n";

fn object(name: &str, shape: &str, attributes: &str) -> String {
    format!(
        "object {{
    name = {name}
    physical type = dynamic
    geometrical type = {shape}
    attributes = {{ {attributes} }}
    collides = false
}}\n"
    )
}

/// A ball of mass 1 at the end of a rod without mass.
fn ball(name: &str, position: &str) -> String {
    object(name, "sphere", &format!("size = 0.1  mass = 1  position = {position}"))
}

/// Its moment of inertia.
const MOMENT: f64 = 0.4 * 0.1 * 0.1;

fn joint(name: &str, between: &str, anchor: &str) -> String {
    format!("joint {name} {{ kind = point  between = {{{between}}}  anchor = {anchor} }}\n")
}

/// The largest distance of a body between both simulations, over all frames.
fn apart(stated: &str, jointed: &str, bodies: &[&str]) -> f64 {
    let (a, b) = (run(stated), run(jointed));
    assert_eq!(a.frames(), b.frames());
    let mut most = 0.0f64;
    for frame in 0..a.frames() {
        for body in bodies {
            let (p, q) = (value(&a, frame, body, "position"), value(&b, frame, body, "position"));
            let distance: f64 = p.iter().zip(&q).map(|(p, q)| (p - q) * (p - q)).sum();
            most = most.max(distance.sqrt());
        }
    }
    most
}

#[test]
fn a_pendulum() {
    let objects = ball("bob", "[1, 0, 0]");
    let stated = format!(
        "{objects}lagrangian pendulum {{
    coordinates = {{ theta = pi / 2 }}
    T = 0.5 * (1 + {MOMENT}) * theta_dot^2
    V = -9.81 * cosine(theta)
    positions = {{ bob = [sine(theta), 0, -cosine(theta)] }}
}}\n{STATED}"
    );
    let jointed = objects + &joint("pivot", "bob, world", "[0, 0, 0]") + RIGID;
    let apart = apart(&stated, &jointed, &["bob"]);
    assert!(apart < 1e-4, "{apart:e}");
}

#[test]
fn a_double_pendulum() {
    let objects = ball("bob1", "[1, 0, 0]") + &ball("bob2", "[2, 0, 0]");
    let stated = format!(
        "{objects}lagrangian double {{
    coordinates = {{ a = pi / 2  b = pi / 2 }}
    functions = {{
        r1 = [sine(a), 0, -cosine(a)]
        r2 = r1 + [sine(b), 0, -cosine(b)]
    }}
    T = 0.5 * (r1_dot . r1_dot + r2_dot . r2_dot) + 0.5 * {MOMENT} * (a_dot^2 + b_dot^2)
    V = 9.81 * (r1 # 3 + r2 # 3)
    positions = {{ bob1 = r1  bob2 = r2 }}
}}\n{STATED}"
    );
    let joints = joint("pivot", "bob1, world", "[0, 0, 0]") + &joint("elbow", "bob2, bob1", "[1, 0, 0]");
    let jointed = objects + &joints + RIGID;
    let apart = apart(&stated, &jointed, &["bob1", "bob2"]);
    assert!(apart < 1e-3, "{apart:e}");
}

#[test]
fn a_four_bar_linkage() {
    // Ground pivots at x = 0 and x = 2; crank 1, coupler 2.2, rocker 1.5, with the angles of a closed loop.
    let (a, b, c) = (1.2f64, 0.219_359_256_639_208_58f64, 1.224_135_098_571_203f64);
    let joint_at = [
        [libm::cos(a), libm::sin(a)],
        [libm::cos(a) + 2.2 * libm::cos(b), libm::sin(a) + 2.2 * libm::sin(b)],
    ];
    let bar = |name: &str, length: f64, angle: f64, centre: [f64; 2]| {
        let [x, z] = centre;
        let attributes = format!(
            "size = [{length}, 0.1, 0.1]  mass = {length}  position = [{x}, 0, {z}]  orientation = [0, {}, 0]",
            -angle
        );
        object(name, "cuboid", &attributes)
    };
    let middle = |p: [f64; 2], q: [f64; 2]| [0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])];
    let objects = bar("crank", 1.0, a, middle([0.0, 0.0], joint_at[0]))
        + &bar("coupler", 2.2, b, middle(joint_at[0], joint_at[1]))
        + &bar("rocker", 1.5, c, middle([2.0, 0.0], joint_at[1]));
    let stated = format!(
        "{objects}lagrangian linkage {{
    coordinates = {{ a = {a}  b = {b}  c = {c} }}
    functions = {{
        along(angle) = [cosine(angle), 0, sine(angle)]
        moment(length) = length * (length^2 + 0.01) / 12
        crank_centre = 0.5 * along(a)
        coupler_centre = along(a) + 1.1 * along(b)
        rocker_centre = [2, 0, 0] + 0.75 * along(c)
        gap = along(a) + 2.2 * along(b) - [2, 0, 0] - 1.5 * along(c)
    }}
    T = 0.5 * (crank_centre_dot . crank_centre_dot) + 1.1 * (coupler_centre_dot . coupler_centre_dot)
        + 0.75 * (rocker_centre_dot . rocker_centre_dot)
        + 0.5 * (moment(1) * a_dot^2 + moment(2.2) * b_dot^2 + moment(1.5) * c_dot^2)
    V = 9.81 * (crank_centre # 3 + 2.2 * (coupler_centre # 3) + 1.5 * (rocker_centre # 3))
    constraints = {{ across = gap # 1  up = gap # 3 }}
    positions = {{ crank = crank_centre  coupler = coupler_centre  rocker = rocker_centre }}
    orientations = {{ crank = [0, -a, 0]  coupler = [0, -b, 0]  rocker = [0, -c, 0] }}
}}\n{STATED}"
    );
    let at = |p: [f64; 2]| format!("[{}, 0, {}]", p[0], p[1]);
    let joints = joint("j1", "crank, world", "[0, 0, 0]")
        + &joint("j2", "crank, coupler", &at(joint_at[0]))
        + &joint("j3", "coupler, rocker", &at(joint_at[1]))
        + &joint("j4", "rocker, world", "[2, 0, 0]");
    let jointed = objects + &joints + RIGID;
    let apart = apart(&stated, &jointed, &["crank", "coupler", "rocker"]);
    assert!(apart < 1e-3, "{apart:e}");
}

//! Worlds made of files: masses, places, and forces of laws against closed forms.

use crate::support::model;
use gedanken_dynamics::laws::{SlopeAnswer, SlopeBlock, Slopes};
use gedanken_dynamics::{
    AngularVelocity, Force, Mass, Mechanics, Moves as _, Orientation, Position, State, ThreeD, Torque,
    Velocity,
};
use gedanken_lab::Options;
use gedanken_lab::rigid::{Built, build};
use gedanken_math::rotation::{from_rotation_vector, to_world};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::joints::{Configuration, Row};
use gedanken_rigid::variational::{FrictionIteration, Kinetic, Order, VariationalSettings};
use gedanken_rigid::{Body, Settings, Simulation, Twist};

/// The world of the first simulation.
pub(crate) fn built(text: &str) -> Built {
    let experiment = model(text);
    build(&experiment, &experiment.simulations[0], &Options::default()).unwrap()
}

/// A dynamic body that touches nothing.
pub(crate) fn body(name: &str, shape: &str, attributes: &str) -> String {
    format!(
        "object {{\n    name = {name}\n    physical type = dynamic\n    geometrical type = {shape}\n    \
         collides = false\n    attributes = {{ {attributes} }}\n}}\n"
    )
}

pub(crate) fn simulation(lines: &str) -> String {
    format!("simulation {{\n    name = s\n    duration = 1\n    mechanics = rigid\n    {lines}\n}}\n")
}

fn of<'b>(built: &'b Built, name: &str) -> &'b Body {
    built.world.body(built.world.id(name).unwrap()).unwrap()
}

fn start(built: &Built) -> State {
    let mut state = built.world.model().state();
    for (id, body) in built.world.bodies() {
        let (pose, twist) = (body.principal_pose(), body.twist());
        state.set::<Position<ThreeD>>(id, Quantity::new(pose.translation)).unwrap();
        state.set::<Orientation>(id, pose.rotation).unwrap();
        state.set::<Velocity<ThreeD>>(id, Quantity::new(twist.linear)).unwrap();
        state.set::<AngularVelocity>(id, Quantity::new(twist.angular)).unwrap();
        state.set::<Mass>(id, Quantity::new(body.mass())).unwrap();
    }
    state
}

/// The force and torque of all laws on a body at the start.
fn push(built: &Built, name: &str) -> Twist {
    pushed(built, start(built), name)
}

fn pushed(built: &Built, mut state: State, name: &str) -> Twist {
    let mechanics = Mechanics::<ThreeD>::new(built.world.model(), built.world.laws().clone()).unwrap();
    let workflow = mechanics.forces().build(built.world.model()).unwrap();
    let mut scratch = workflow.scratch();
    workflow.step(&mut state, &mut scratch, Quantity::new(1.0)).unwrap();
    let row = built.world.id(name).unwrap().row();
    let force = workflow.transient::<Force<ThreeD>>(&scratch).unwrap()[row].si();
    Twist::new(force, workflow.transient::<Torque>(&scratch).unwrap()[row].si())
}

fn near(found: Vec3, expected: Vec3, tolerance: f64) {
    assert!(
        (found - expected).length() <= tolerance * (1.0 + expected.length()),
        "{found} is not {expected}"
    );
}

#[test]
fn masses_follow_from_shapes_and_densities() {
    let text = body("ball", "sphere", "position = [0, 0, 0]  size = 0.5  density = 3")
        + &body("brick", "cuboid", "position = [5, 0, 0]  size = [1, 2, 3]  mass = 12  velocity = [1, 2, 3]")
        + &simulation("gravity = [0, 0, -9.81]");
    let built = built(&text);
    let volume = 4.0 / 3.0 * std::f64::consts::PI * 0.125;
    assert!((of(&built, "ball").mass() - 3.0 * volume).abs() < 1e-12);
    // m (b² + c²)/12 about each axis.
    near(of(&built, "brick").moments(), Vec3::new(13.0, 10.0, 5.0), 1e-12);
    near(of(&built, "brick").twist().linear, Vec3::new(1.0, 2.0, 3.0), 0.0);
    near(push(&built, "brick").linear, Vec3::new(0.0, 0.0, -117.72), 1e-14);
}

#[test]
fn a_sledge_slides_as_its_runners_do() {
    let runner = |name: &str, y: f64| {
        body(
            name,
            "cuboid",
            &format!("position = [0, {y}, 0]  size = [1, 0.1, 0.1]  mass = 1  friction = 0.02"),
        )
    };
    let text = runner("left", 0.3)
        + &runner("right", -0.3)
        + "object { name = sledge\n physical type = dynamic\n parts = {left, right}\n attributes = { position = [0, 0, 0.05]  velocity = [2, 0, 0] } }\n\
           object { name = snow\n physical type = static\n geometrical type = half space\n attributes = { position = [0, 0, 0]  friction = 0.5 } }\n"
        + &simulation("gravity = [0, 0, -9.81]");
    let built = built(&text);
    let id = built.world.id("sledge").unwrap();
    let mut run = Simulation::new(built.world, Settings::default()).unwrap();
    for _ in 0..240 {
        run.step(1.0 / 240.0).unwrap();
    }
    // Coefficients of two surfaces combine by the geometric mean: sqrt(0.02 * 0.5) = 0.1.
    // Sweeps end at a residual of 1e-7, which shows across the way.
    near(run.twist(id).linear, Vec3::new(2.0 - 0.1 * 9.81, 0.0, 0.0), 1e-7);
}

#[test]
fn parts_add_up() {
    // A hammer: a heavy head of mass 3 at z = 1 and a light handle of mass 1 at z = 0; the centre is at 3/4.
    let part = |name: &str, z: f64, mass: f64| {
        body(name, "sphere", &format!("position = [0, 0, {z}]  size = 0.1  mass = {mass}"))
    };
    let text = part("head", 1.0, 3.0)
        + &part("handle", 0.0, 1.0)
        + "object { name = hammer\n physical type = dynamic\n parts = {head, handle}\n attributes = { position = [0, 0, 10]  angular_velocity = [2, 0, 0] } }\n"
        + &simulation("");
    let built = built(&text);
    let hammer = of(&built, "hammer");
    assert!((hammer.mass() - 4.0).abs() < 1e-12);
    near(hammer.principal_pose().translation, Vec3::new(0.0, 0.0, 10.75), 1e-12);
    // Σ 2/5 m r² + m d²: the spheres' own and their distances 1/4 and 3/4.
    let across = 0.4 * 4.0 * 0.01 + 3.0 * 0.0625 + 0.5625;
    let mut moments = hammer.moments().to_array();
    moments.sort_by(f64::total_cmp);
    near(Vec3::from_array(moments), Vec3::new(0.016, across, across), 1e-12);
    // The origin rests, the centre moves: ω × r.
    near(hammer.twist().linear, Vec3::new(0.0, -1.5, 0.0), 1e-12);
}

#[test]
fn a_force_acts_where_it_is_told() {
    let text =
        body("ball", "sphere", "position = [1, 2, 3]  size = 0.1  mass = 2  velocity = [3, 0, 0]  k = 5")
            + "world attributes { c = 0.5 }\n\
           force drag { of = all  force = -c * norm(velocity) * velocity }\n\
           force rope { of = {ball}  force = [0, 0, k]  at = position + [1, 0, 0] }\n\
           force twist { torque = [0, 0, mass] }\n"
            + &simulation("");
    let built = built(&text);
    let found = push(&built, "ball");
    near(found.linear, Vec3::new(-4.5, 0.0, 5.0), 1e-14);
    // (1, 0, 0) × (0, 0, 5) and the torque itself.
    near(found.angular, Vec3::new(0.0, -5.0, 2.0), 1e-14);
}

#[test]
fn two_bodies_push_each_other() {
    let text = body("a", "sphere", "position = [0, 0, 0]  size = 0.1  mass = 2")
        + &body("b", "sphere", "position = [0, 3, 4]  size = 0.1  mass = 7")
        + "force pull { between = {a, b}  force = 10 * normalize(position2 - position1) }\n\
           potential gravity { between = {a, b}  energy = -6 * mass1 * mass2 / norm(position1 - position2) }\n"
        + &simulation("");
    let built = built(&text);
    // The pull, and G m M/r² along the line.
    let expected = Vec3::new(0.0, 0.6, 0.8) * (10.0 + 6.0 * 14.0 / 25.0);
    near(push(&built, "a").linear, expected, 1e-14);
    near(push(&built, "b").linear, -expected, 1e-14);
    let energy = built.world.laws().energy(&start(&built)).unwrap().si();
    assert!((energy + 6.0 * 14.0 / 5.0).abs() < 1e-12);
}

#[test]
fn a_spring_pulls_by_the_slope_of_its_energy() {
    let text = body("bob", "sphere", "position = [1, -2, 2]  size = 0.1  mass = 1  k = 8  rest = 1")
        + "potential spring { of = {bob}  functions = { stretch = norm(position) - rest }  energy = 0.5 * k * stretch^2 }\n"
        + &simulation("");
    let built = built(&text);
    near(push(&built, "bob").linear, Vec3::new(1.0, -2.0, 2.0) * (-8.0 * 2.0 / 3.0), 1e-14);
    near(push(&built, "bob").angular, Vec3::ZERO, 0.0);
}

/// The energy of a dipole m in a field B is -m·B, its torque m × B, however its orientation is written.
#[test]
fn a_dipole_turns_into_the_field() {
    let moment = "[0.3, -0.7, 1.1]";
    let formulas = [
        format!("-((rotation * {moment}) . field)"),
        format!("-((subMatrix(eulerXYZToRotationMatrix(orientation), 3, 3) * {moment}) . field)"),
    ];
    let by_quaternion =
        format!("-((subMatrix(quaternionToRotationMatrix(orientation), 3, 3) * {moment}) . field)");
    let half = std::f64::consts::FRAC_PI_2;
    let angles = [
        [0.4, -0.9, 2.1],
        [0.4, half, 0.3],
        [-1.4, -half, 0.8],
        [0.2, half - 1e-9, -1.0],
        [3.0, 1.2, -2.5],
        [0.0, 0.0, 0.0],
    ];
    for [a, b, c] in angles {
        let euler = format!("[{a:?}, {b:?}, {c:?}]");
        let quaternion = format!("eulerXYZToQuaternion({euler})");
        let cases = [
            (&euler, &formulas[0]),
            (&euler, &formulas[1]),
            (&quaternion, &by_quaternion),
            (&quaternion, &formulas[0]),
        ];
        for (orientation, energy) in cases {
            let text = "world attributes { field = [0.5, 2, -1] }\n".to_owned()
                + &body(
                    "needle",
                    "cuboid",
                    &format!(
                        "position = [0, 0, 0]  orientation = {orientation}  size = [1, 0.1, 0.2]  mass = 1"
                    ),
                )
                + &format!("potential dipole {{ of = {{needle}}  energy = {energy} }}\n")
                + &simulation("");
            let built = built(&text);
            let pose = of(&built, "needle").principal_pose() * of(&built, "needle").frame();
            let turned = to_world(pose.rotation, Vec3::new(0.3, -0.7, 1.1));
            let expected = turned.cross(Vec3::new(0.5, 2.0, -1.0));
            near(push(&built, "needle").angular, expected, 2e-8);
            if energy == &formulas[0] {
                near(push(&built, "needle").angular, expected, 1e-13);
            }
        }
    }
}

/// A body whose centre is not its origin, hung by its origin: the torque about the centre is the arm times
/// the force.
#[test]
fn slopes_in_the_position_turn_a_body_about_its_centre() {
    let text = body("head", "sphere", "position = [0, 0, 1]  size = 0.1  mass = 3")
        + &body("handle", "sphere", "position = [0, 0, 0]  size = 0.1  mass = 1")
        + "object { name = hammer\n physical type = dynamic\n parts = {head, handle}\n attributes = { position = [4, 0, 0]  orientation = [0.3, 0.2, 0.1] } }\n\
           potential line { of = {hammer}  energy = 7 * position # 1 + 2 * centre # 2 }\n"
        + &simulation("");
    let built = built(&text);
    let found = push(&built, "hammer");
    let arm = Vec3::new(4.0, 0.0, 0.0) - of(&built, "hammer").principal_pose().translation;
    near(found.linear, Vec3::new(-7.0, -2.0, 0.0), 1e-14);
    near(found.angular, arm.cross(Vec3::new(-7.0, 0.0, 0.0)), 1e-13);
}

fn rows(built: &Built, number: usize, at: &Configuration) -> Vec<Row> {
    let mut rows = Vec::new();
    built.world.constraints()[number].rows(at, &mut rows);
    rows
}

#[test]
fn slopes_of_a_constraint_are_those_of_its_value() {
    let half = std::f64::consts::FRAC_PI_2;
    for angle in [0.5, half] {
        let text = body(
            "a",
            "cuboid",
            &format!(
                "position = [0.1, 0.2, 0.3]  orientation = [0.1, {angle:?}, -0.4]  size = [1, 2, 3]  mass = 1"
            ),
        ) + &body(
            "b",
            "cuboid",
            "position = [1, 2, 3]  orientation = [1, 0.2, 0.3, -0.4]  size = [1, 2, 3]  mass = 1",
        ) + "constraint odd { between = {a, b}\n inequality = true\n alpha = 3\n value = [9 + norm(position1 - position2) * cosine(orientation1 # 1), 9 + (rotation1 * [1, 2, 3]) . (subMatrix(quaternionToRotationMatrix(orientation2), 3, 3) * [3, 1, 2]) * sine(t + 1), 9 + centre1 . position2 ] }\n"
            + &simulation("");
        // At the lock a single angle means nothing by itself.
        let text = if angle == half {
            text.replace("cosine(orientation1 # 1)", "(1 + sine(orientation1 # 2))")
        } else {
            text
        };
        let built = built(&text);
        let constraint = &built.world.constraints()[0];
        assert_eq!(
            (constraint.dimension(), constraint.gains().alpha, constraint.gains().beta),
            (3, 3.0, 10.0)
        );
        let [a, b] = ["a", "b"].map(|name| of(&built, name).principal_pose());
        let at = Configuration { a, b, time: 0.25 };
        let exact = rows(&built, 0, &at);
        let moved = |pose: Pose, twist: Twist, h: f64| {
            Pose::new(
                from_rotation_vector(twist.angular * h) * pose.rotation,
                pose.translation + twist.linear * h,
            )
        };
        let h = 1e-5;
        let central = |configuration: &dyn Fn(f64) -> Configuration| -> Vec<f64> {
            let (later, sooner) = (rows(&built, 0, &configuration(h)), rows(&built, 0, &configuration(-h)));
            later
                .iter()
                .zip(&sooner)
                .map(|(later, sooner)| (later.value - sooner.value) / (2.0 * h))
                .collect()
        };
        let directions = (0..6).map(|k| {
            let axis = Vec3::AXES[k % 3];
            if k < 3 { Twist::new(axis, Vec3::ZERO) } else { Twist::new(Vec3::ZERO, axis) }
        });
        for twist in directions {
            let along_a = central(&|h| Configuration { a: moved(a, twist, h), ..at });
            let along_b = central(&|h| Configuration { b: moved(b, twist, h), ..at });
            for (row, (of_a, of_b)) in exact.iter().zip(along_a.into_iter().zip(along_b)) {
                assert!((row.a.dot(twist) - of_a).abs() < 2e-8, "{angle}: {row:?} along {twist:?}: {of_a}");
                assert!((row.b.dot(twist) - of_b).abs() < 2e-8, "{angle}: {row:?} along {twist:?}: {of_b}");
            }
        }
        let (va, vb) = (
            Twist::new(Vec3::new(0.3, -0.2, 0.5), Vec3::new(0.7, 0.1, -0.4)),
            Twist::new(Vec3::new(-0.1, 0.6, 0.2), Vec3::new(-0.3, 0.8, 0.5)),
        );
        let mut drift = Vec::new();
        constraint.drift(&at, va, vb, &mut drift);
        // C̈ along the motion: second differences of the value.
        let along = |h: f64| Configuration { a: moved(a, va, h), b: moved(b, vb, h), time: at.time + h };
        let h2 = 3e-4;
        let [sooner, now, later] = [-h2, 0.0, h2].map(|h| rows(&built, 0, &along(h)));
        for (k, drift) in drift.iter().enumerate() {
            let expected = (later[k].value - 2.0 * now[k].value + sooner[k].value) / (h2 * h2);
            assert!((drift - expected).abs() < 1e-5, "{angle}: row {k}: {drift} is not {expected}");
        }
        assert_eq!(drift.len(), 3);
        let in_time = central(&|h| Configuration { time: at.time + h, ..at });
        for (row, expected) in exact.iter().zip(in_time) {
            assert!((row.rate - expected).abs() < 1e-8);
        }
    }
}

#[test]
fn curves_are_functions_of_a_speed() {
    let text = "world attributes { top = 0.9 }\n\
                material rubber { restitution(v) = if v < 1 then top else top - 0.01 * v\n friction(v) = 0.2 + 0.1 * exp(-v) }\n\
                object { name = ball\n physical type = dynamic\n geometrical type = sphere\n material = rubber\n attributes = { position = [0, 0, 1]  size = 0.1  mass = 1 } }\n\
                object { name = ice\n physical type = static\n geometrical type = half space\n attributes = { position = [0, 0, 0]  friction = 0.01 } }\n"
        .to_owned()
        + &simulation("gravity = [0, 0, -9.81]");
    let built = built(&text);
    let row = |name: &str| built.world.id(name).unwrap().row();
    let rubber = built.world.material(row("ball"));
    for _ in 0..3 {
        assert_eq!(rubber.restitution.at(0.5), 0.9);
        assert_eq!(rubber.restitution.at(10.0), 0.9 - 0.01 * 10.0);
        assert_eq!(rubber.friction.at(0.0), 0.2 + 0.1);
    }
    assert!(built.failures.take().is_none());
    assert!(rubber.restitution.at(100.0).is_nan());
    assert!(built.failures.take().unwrap().message.starts_with("no surface has a restitution of -0."));
    let ice = built.world.material(row("ice"));
    assert_eq!((ice.friction.at(1.0), ice.restitution.at(1.0)), (0.01, 0.0));
}

#[test]
fn joints_become_constraints_and_laws() {
    let kinds = [
        ("point", "anchor = [0, 0, 1]", 1),
        (
            "hinge",
            "anchor = [0, 0, 1]\n axis = [0, 1, 0]\n limits = [-1, 1]\n motor speed = 2\n motor torque = 5",
            3,
        ),
        ("hinge", "anchor1 = [0, 0, 1]\n anchor2 = [0, 0, -1]\n axis = [0, 1, 0]", 1),
        ("slider", "axis = [0, 0, 2]\n limits = [0, 1]\n motor speed = 2\n motor force = 5", 3),
        ("universal", "anchor = [0, 0, 1]\n axis = [1, 0, 0]\n axis2 = [0, 3, 0]", 1),
        ("weld", "", 1),
        ("distance", "", 1),
        ("rope", "length = 3\n anchor1 = [0, 0, 0.1]", 1),
        ("spring", "stiffness = 10\n damping = 1\n rest length = 1", 0),
    ];
    for (kind, lines, constraints) in kinds {
        let text = body("a", "sphere", "position = [0, 0, 0]  size = 0.1  mass = 1")
            + &body("b", "sphere", "position = [0, 0, 2]  size = 0.1  mass = 1")
            + &format!("joint it {{ kind = {kind}\n between = {{a, b}}\n {lines} }}\n")
            + &simulation("");
        let built = built(&text);
        assert_eq!(built.world.constraints().len(), constraints, "{kind}");
        if kind == "spring" {
            assert_eq!(built.world.laws().terms().len(), 2);
            near(push(&built, "a").linear, Vec3::new(0.0, 0.0, 10.0), 1e-14);
        } else {
            assert_eq!(built.world.constraints()[0].kind(), kind);
        }
    }
}

#[test]
fn settings_reach_the_core() {
    let text = body("a", "sphere", "position = [0, 0, 0]  size = 0.1  mass = 1")
        + &simulation(
            "solver = jacobi\n    integrator = symplectic-euler\n    iterations = 7\n    substeps = 3\n    slop = 0.02\n    \
             correction = 0.4\n    combination = arithmetic mean\n    rest speed = 0.001\n    time step = 0.01",
        );
    let settings = built(&text).settings;
    assert_eq!((settings.solver.name(), settings.integrator.name), ("jacobi", "symplectic-euler"));
    assert_eq!((settings.iterations, settings.substeps), (7, 3));
    assert_eq!((settings.slop, settings.correction, settings.rest_speed), (0.02, 0.4, 0.001));
    assert_eq!(format!("{:?}", settings.combination), "ArithmeticMean");
    let experiment = model(&text);
    assert_eq!(experiment.simulations[0].time_step, Some(0.01));
    let usual = model(
        &(body("a", "sphere", "position = [0, 0, 0]  size = 1  mass = 1") + &simulation("frame rate = 100")),
    );
    let (steps, length) = usual.simulations[0].steps();
    assert_eq!(steps, 3);
    assert!((length * 300.0 - 1.0).abs() < 1e-15);
}

/// `kinetic = seed` implies the rest, which may be written all the same.
#[test]
fn settings_of_variational_steps_reach_the_core() {
    let of = |lines: &str| {
        let text = body("a", "sphere", "position = [0, 0, 0]  size = 0.1  mass = 1")
            + &simulation(&format!("solver = variational\n    {lines}"));
        let Settings { solver, variational, .. } = built(&text).settings;
        assert_eq!(solver.name(), "variational");
        variational
    };
    let exact = VariationalSettings { order: Order::Second, ..VariationalSettings::default() };
    assert_eq!(of(""), exact);
    assert_eq!(of("order = 2\n    kinetic = exact\n    friction iteration = coupled"), exact);
    let lagged = FrictionIteration::Lagged;
    assert_eq!(of("order = 1\n    friction_iteration = lagged"), {
        VariationalSettings { order: Order::First, kinetic: Kinetic::Exact, friction: lagged }
    });
    for lines in ["kinetic = seed", "kinetic = seed\n    order = 1\n    friction iteration = lagged"] {
        assert_eq!(of(lines), VariationalSettings::SEED, "{lines}");
    }
}

/// A law without a value stops the step, and the story names law, body, time and inputs.
#[test]
fn a_law_without_a_value_is_told_of() {
    for (block, law) in [
        ("force bad { of = {a}  force = [1 / (position # 1), 0, 0] }", "force of bad"),
        ("potential bad { of = {a}  energy = log(position # 1) }", "energy of bad"),
        ("potential bad { of = {a}  energy = sqrt(position # 1) }", "energy of bad"),
    ] {
        let text = body("a", "sphere", "position = [0, 0, 0]  size = 0.1  mass = 1")
            + block
            + "\n"
            + &simulation("");
        let built = built(&text);
        let mechanics = Mechanics::<ThreeD>::new(built.world.model(), built.world.laws().clone()).unwrap();
        let workflow = mechanics.forces().build(built.world.model()).unwrap();
        let mut state = start(&built);
        assert!(workflow.step(&mut state, &mut workflow.scratch(), Quantity::new(1.0)).is_err());
        let story = built.failures.take().unwrap();
        let notes = story.notes.join("; ");
        assert!(
            notes.contains("for `a`, at t = 0")
                && notes.contains(law)
                && notes.contains("position = [0, 0, 0]"),
            "{notes}"
        );
    }
}

/// Many bodies of several types are computed side by side, each by its own numbers.
#[test]
fn laws_tell_bodies_apart() {
    let mut text = "world attributes { B = [0, 0, 2] }\n".to_owned();
    for k in 0..40 {
        let charge = if k % 4 == 0 { String::new() } else { format!("charge = {k}") };
        text += &body(
            &format!("p{k}"),
            "sphere",
            &format!("position = [{k}, 0, 0]  size = 0.1  mass = 1  velocity = [0, {k}, 0]  {charge}"),
        );
    }
    text += "force lorentz { force = charge * (velocity * B) }\n";
    let built = built(&(text + &simulation("")));
    for k in 0..40 {
        let expected = if k % 4 == 0 { 0.0 } else { f64::from(k * k * 2) };
        near(push(&built, &format!("p{k}")).linear, Vec3::new(expected, 0.0, 0.0), 0.0);
    }
}

/// A mass on a spring swings as a cosine, and its energy is in the books.
#[test]
fn a_potential_moves_bodies_and_is_booked() {
    let text = body("bob", "sphere", "position = [1, 0, 0]  size = 0.1  mass = 1")
        + &body(
            "needle",
            "cuboid",
            "position = [5, 0, 0]  orientation = [0.3, 1.2, 0.1]  size = [1, 0.1, 0.2]  mass = 1  moment = 0.7",
        )
        + "potential spring { of = {bob}  energy = 2 * (position . position) }\n\
           potential field { of = {needle}  energy = -moment * (rotation * [1, 2, 3]) . [0.5, -1, 2] }\n"
        + &simulation("time step = 0.001");
    let built = built(&text);
    let bob = built.world.id("bob").unwrap();
    let mut run = Simulation::new(built.world, built.settings).unwrap();
    for _ in 0..1000 {
        run.step(0.001).unwrap();
    }
    // ω² = k/m = 4. The needle swings at 40/s, so leapfrog keeps its 6 J to (40 h)²/24 of them.
    assert!((run.pose(bob).translation.x - libm::cos(2.0)).abs() < 1e-6);
    let total = &run.ledger().total;
    let exchanged: Vec<f64> = total.laws.iter().filter_map(|law| law.potential_change).collect();
    assert_eq!(exchanged.len(), 2);
    assert!((exchanged[1] - 2.0 * (libm::cos(2.0) * libm::cos(2.0) - 1.0)).abs() < 1e-5);
    assert!(exchanged[0] < -0.1 && total.energy_change().abs() < 1e-3, "{}", total.energy_change());
    assert!(built.failures.take().is_none());
}

/// Force and torque on all bodies, by row.
fn all_pushes(built: &Built, state: &State) -> Vec<Twist> {
    let mechanics = Mechanics::<ThreeD>::new(built.world.model(), built.world.laws().clone()).unwrap();
    let workflow = mechanics.forces().build(built.world.model()).unwrap();
    let mut scratch = workflow.scratch();
    workflow.evaluate(&mut state.clone(), &mut scratch).unwrap();
    let force = workflow.transient::<Force<ThreeD>>(&scratch).unwrap();
    let torque = workflow.transient::<Torque>(&scratch).unwrap();
    force.iter().zip(torque).map(|(f, t)| Twist::new(f.si(), t.si())).collect()
}

/// Checks the slopes that the laws tell against central differences of their forces.
fn slopes_are_right(built: &Built) {
    let state = start(built);
    let mut slopes = Slopes::new();
    for term in built.world.laws().terms() {
        assert_eq!(term.slopes(&state, &mut slopes).unwrap(), SlopeAnswer::Exact, "{}", term.label);
    }
    let column = |block: &SlopeBlock, k: usize| {
        let by = |linear: gedanken_math::Mat3, angular: gedanken_math::Mat3| {
            if k < 3 { linear.col(k) } else { angular.col(k - 3) }
        };
        Twist::new(by(block.force_linear, block.force_angular), by(block.torque_linear, block.torque_angular))
    };
    for (id, _) in built.world.bodies() {
        for change in 0..12 {
            let row = id.row();
            let at = |size: f64| {
                let (axis, mut state) = (Vec3::AXES[change % 3] * size, state.clone());
                let shifted = |v: Vec3| Quantity::new(v + axis);
                match change / 3 {
                    0 => {
                        let r = state.all::<Position<ThreeD>>().unwrap()[row].si();
                        state.overwrite::<Position<ThreeD>>(row, shifted(r));
                    }
                    1 => {
                        let q = state.all::<Orientation>().unwrap()[row];
                        state.overwrite::<Orientation>(row, from_rotation_vector(axis) * q);
                    }
                    2 => {
                        let v = state.all::<Velocity<ThreeD>>().unwrap()[row].si();
                        state.overwrite::<Velocity<ThreeD>>(row, Quantity::new(v + axis));
                    }
                    _ => {
                        let omega = state.all::<AngularVelocity>().unwrap()[row].si();
                        state.overwrite::<AngularVelocity>(row, Quantity::new(omega + axis));
                    }
                }
                all_pushes(built, &state)
            };
            let h = 1e-4;
            let (high, low) = (at(h), at(-h));
            for (on, _) in built.world.bodies() {
                let pairs = slopes.pairs().iter().filter(|pair| pair.on == on && pair.of == id);
                let told = pairs.fold(Twist::ZERO, |sum, pair| {
                    sum + if change < 6 {
                        column(&pair.place, change)
                    } else {
                        column(&pair.motion, change - 6)
                    }
                });
                let expected = (high[on.row()] - low[on.row()]) * (0.5 / h);
                near(told.linear, expected.linear, 1e-6);
                near(told.angular, expected.angular, 1e-6);
            }
        }
    }
}

#[test]
fn slopes_of_forces_and_potentials_are_exact() {
    let turned = "orientation = [0.4, -0.3, 0.7]  angular_velocity = [0.5, -1, 2]";
    let quaternion = "orientation = [0.8, 0.36, -0.48, 0]  velocity = [0.2, 0.1, 0]";
    // The centre of `a` is not its origin.
    let bodies = body("head", "cuboid", "position = [0, 0.2, 1]  size = [0.1, 0.2, 0.3]  mass = 3")
        + &body("handle", "sphere", "position = [0, 0, 0]  size = 0.1  mass = 1")
        + &format!(
            "object {{ name = a\n physical type = dynamic\n parts = {{head, handle}}\n collides = false\n attributes = {{ position = [0.3, 0.5, -0.2]  velocity = [1, 2, -1]  {turned} }} }}\n"
        )
        + &body("b", "cuboid", &format!("position = [2, -1, 1]  size = [2, 1, 1]  mass = 3  {quaternion}"));
    for law in [
        "force drag { of = {a, b}  force = -norm(velocity) * velocity }",
        "force magnus { of = {a}  force = angular_velocity * velocity  torque = -0.3 * angular_velocity }",
        "force rope { of = {a}  force = [0, 0, 2] - position  at = position + rotation * [1, 0, 0.5] }",
        "force pull { between = {a, b}  force = (position2 - position1) * norm(velocity2 - velocity1) }",
        "force tied { of = {a}  aliases = { use p as attribute position of object b\n use v as attribute velocity of object b }  force = p - position + v  at = [0, 1, 0] }",
        "potential gravity { between = {a, b}  energy = -6 * mass1 * mass2 / norm(position1 - position2) }",
        "potential field { of = {a}  energy = -((rotation * [1, 2, 3]) . [0.5, -1, 2]) * (1 + position . position) }",
        "potential angles { of = {a}  energy = log(3 + orientation # 1) * (orientation # 3)^2 + orientation # 2 }",
        "potential four { of = {b}  energy = (orientation # 1)^2 * (orientation # 3) + position # 1 * orientation # 2 }",
        "potential hung { of = {a}  aliases = { use p as attribute position of object b }  energy = (position - p) . (centre - [0, 0, 1]) }",
    ] {
        slopes_are_right(&built(&(bodies.clone() + law + "\n" + &simulation("solver = variational"))));
    }
}

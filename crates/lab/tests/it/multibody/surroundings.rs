//! Experiments with `solver = soft`: bodies that are told how to move, and laws and conditions of the file.

use super::{last, soft_run};

/// Integrates y′ = f(t, y) from 0 with Runge and Kutta's method.
fn integrate<const N: usize>(start: [f64; N], end: f64, f: impl Fn(f64, [f64; N]) -> [f64; N]) -> [f64; N] {
    let steps = 20_000;
    let h = end / f64::from(steps);
    let mut y = start;
    for step in 0..steps {
        let t = f64::from(step) * h;
        let moved = |k: [f64; N], by: f64| core::array::from_fn(|i| y[i] + by * k[i]);
        let one = f(t, y);
        let two = f(t + 0.5 * h, moved(one, 0.5 * h));
        let three = f(t + 0.5 * h, moved(two, 0.5 * h));
        let four = f(t + h, moved(three, h));
        y = core::array::from_fn(|i| y[i] + h / 6.0 * (one[i] + 2.0 * (two[i] + three[i]) + four[i]));
    }
    y
}

#[test]
fn a_pendulum_on_a_turning_wheel_moves_as_its_equation_says() {
    let (radius, spin, length, size) = (0.4, 3.0, 1.0, 0.1);
    let text = format!(
        "object {{ name = wheel  physical type = kinematic  geometrical type = sphere  collides = false
    attributes = {{ position = [0, 0, 0]  size = 0.2  angular_velocity = [0, {spin}, 0] }} }}
object {{ name = bob  physical type = dynamic  geometrical type = sphere  collides = false
    attributes = {{ position = [{radius}, 0, -{length}]  size = {size}  mass = 2
        velocity = [0, 0, -{radius} * {spin}] }} }}
joint pivot {{ kind = hinge  between = {{bob, wheel}}  anchor = [{radius}, 0, 0]  axis = [0, 1, 0] }}
simulation {{ name = swing  mechanics = rigid  solver = soft  integrator = rk4
    duration = 2  gravity = [0, 0, -9.81]  time step = 1 / 500 }}
"
    );
    let recording = soft_run(&text);
    // The pivot is at R (cos wt, −sin wt); with φ from below about y, (k + l²) φ̈ = l (ẍ cos φ − (g + z̈) sin φ).
    let pivot = |t: f64| [radius * libm::cos(spin * t), -radius * libm::sin(spin * t)];
    let [angle, _] = integrate([0.0, 0.0], 2.0, |t, [angle, rate]| {
        let [x, z] = pivot(t).map(|place| -spin * spin * place);
        let torque = length * (x * libm::cos(angle) - (9.81 + z) * libm::sin(angle));
        [rate, torque / (0.4 * size * size + length * length)]
    });
    let [x, z] = pivot(2.0);
    let place = last(&recording, "bob.position");
    let off = (place[0] - (x - length * libm::sin(angle))).abs()
        + (place[2] - (z - length * libm::cos(angle))).abs();
    assert!(off < 1e-7, "{off:e}");
    let error = last(&recording, "numerical_error")[0];
    assert!(error.abs() < 1e-7 && last(&recording, "motor_work")[0].abs() > 1.0, "{error:e}");
}

#[test]
fn a_belt_takes_a_box_along_with_every_solver_alike() {
    let text = |solver: &str| {
        format!(
            "object {{ name = belt  physical type = kinematic  geometrical type = cuboid
    attributes = {{ position = [0, 0, -0.5]  size = [40, 2, 1]  friction = 0.3  velocity = [1.5, 0, 0] }} }}
object {{ name = box  physical type = dynamic  geometrical type = cuboid
    attributes = {{ position = [0, 0, 0.1]  size = [1, 1, 0.2]  friction = 0.3  mass = 3 }} }}
simulation {{ name = ride  mechanics = rigid  solver = {solver}
    duration = 1.5  gravity = [0, 0, -9.81]  time step = 1 / 1000 }}
"
        )
    };
    for solver in ["soft", "gauss-seidel"] {
        let recording = soft_run(&text(solver));
        let speed = last(&recording, "box.velocity")[0];
        assert!((speed - 1.5).abs() < 1e-5, "{solver}: {speed}");
        // It slides for v/(μ g), and falls behind by v²/(2 μ g) meanwhile.
        let expected = 1.5 * 1.5 - 0.5 * 1.5 * 1.5 / (0.3 * 9.81);
        let way = last(&recording, "box.position")[0];
        assert!((way / expected - 1.0).abs() < 5e-3, "{solver}: {way} instead of {expected}");
        let work = last(&recording, "friction_work")[0];
        assert!((work / (0.5 * 3.0 * 1.5 * 1.5) - 1.0).abs() < 5e-3, "{solver}: {work}");
    }
}

/// A ball at (1, 0, 0) with these laws, two seconds long.
fn ball(laws: &str, velocity: &str, integrator: &str, step: &str) -> String {
    format!(
        "object {{ name = ball  physical type = dynamic  geometrical type = sphere
    attributes = {{ position = [1, 0, 0]  size = 0.1  mass = 2  velocity = {velocity} }} }}
{laws}
simulation {{ name = s  mechanics = rigid  solver = soft  integrator = {integrator}
    duration = 2  time step = {step} }}
"
    )
}

#[test]
fn a_potential_and_a_drag_make_a_damped_oscillator() {
    let laws = "potential bowl { of = {ball}  energy = 0.5 * 50 * position . position }
force drag { of = {ball}  force = -1.2 * velocity }";
    // m ẍ = −k x − c ẋ from rest.
    let (decay, frequency) = (1.2 / 4.0, libm::sqrt(25.0 - 0.09));
    let turned = frequency * 2.0;
    let expected = libm::exp(-2.0 * decay) * (libm::cos(turned) + decay / frequency * libm::sin(turned));
    for (integrator, tolerance) in
        [("rk4", 1e-8), ("semi-implicit", 2e-2), ("euler", 2e-2), ("implicit", 2e-2), ("implicit fast", 2e-2)]
    {
        let recording = soft_run(&ball(laws, "[0, 0, 0]", integrator, "1 / 500"));
        let place = last(&recording, "ball.position")[0];
        assert!((place - expected).abs() < tolerance, "{integrator}: {place} instead of {expected}");
        let names = ["total_energy", "work_of_drag", "work_of_bowl", "potential_energy", "numerical_error"];
        let [energy, drag, bowl, potential, error] = names.map(|name| last(&recording, name)[0]);
        assert!((energy - 25.0 - drag - error).abs() < 1e-9, "{integrator}: {energy} {drag} {error}");
        assert!((bowl - (25.0 - potential)).abs() < 50.0 * tolerance, "{integrator}: {bowl} {potential}");
        assert!((potential - 25.0 * place * place).abs() < 1e-9, "{integrator}: {potential}");
    }
}

#[test]
fn implicit_integrators_are_implicit_in_drag() {
    // h c/m = 5: an explicit step would grow by 4 each time. Backward Euler divides by 1 + h c/m.
    let laws = "force drag { of = {ball}  force = -500 * velocity }";
    for integrator in ["implicit", "implicit fast"] {
        let recording = soft_run(&ball(laws, "[3, 0, 0]", integrator, "1 / 50"));
        let (way, speed) = (last(&recording, "ball.position")[0] - 1.0, last(&recording, "ball.velocity")[0]);
        // Σ h v / (1 + h c/m)ᵏ = m v / c.
        assert!((way / (2.0 * 3.0 / 500.0) - 1.0).abs() < 1e-9, "{integrator}: {way}");
        assert!(speed.abs() < 1e-9, "{integrator}: {speed}");
    }
}

#[test]
fn a_magnetic_force_turns_a_ball_in_a_circle() {
    let laws = "force magnetic { of = {ball}  force = velocity * [0, 0, 6] }";
    let recording = soft_run(&ball(laws, "[0, 3, 0]", "rk4", "1 / 500"));
    // ω = q B / m = 3 about −z, so the radius is 1 about (2, 0, 0).
    let place = last(&recording, "ball.position");
    let off = (place[0] - (2.0 - libm::cos(6.0))).abs() + (place[1] - libm::sin(6.0)).abs();
    assert!(off < 1e-8, "{off:e}");
    assert!(last(&recording, "work_of_magnetic")[0].abs() < 1e-9);
}

#[test]
fn a_torque_on_a_joint_is_as_good_as_gravity() {
    let text = |law: &str, gravity: &str| {
        format!(
            "object {{ name = rod  physical type = dynamic  geometrical type = cuboid  collides = false
    attributes = {{ position = [0.5, 0, 0]  size = [1, 0.1, 0.1]  mass = 2 }} }}
joint pivot {{ kind = hinge  between = {{rod, world}}  anchor = [0, 0, 0]  axis = [0, 1, 0]  damping = 0.1 }}
{law}
simulation {{ name = s  mechanics = rigid  solver = soft  integrator = rk4  duration = 2
    gravity = {gravity}  time step = 1 / 500 }}
"
        )
    };
    let fallen = last(&soft_run(&text("", "[0, 0, -9.81]")), "rod.position");
    for law in [
        "potential weight { of = {rod}  energy = 2 * 9.81 * centre # 3 }",
        "potential weight { of = {rod}  energy = 9.81 * (rotation * [1, 0, 0]) # 3 }",
        "force weight { of = {rod}  force = [0, 0, -19.62] }",
        "force weight { of = {rod}  force = [0, 0, -9.81]  at = rotation * [1, 0, 0] }",
        "force weight { of = {rod}  torque = [0, 9.81 * (rotation * [1, 0, 0]) # 1, 0] }",
    ] {
        let recording = soft_run(&text(law, "[0, 0, 0]"));
        let place = last(&recording, "rod.position");
        for k in 0..3 {
            assert!((place[k] - fallen[k]).abs() < 1e-11, "{law}: {place:?} instead of {fallen:?}");
        }
        assert!(last(&recording, "numerical_error")[0].abs() < 1e-8, "{law}");
    }
}

#[test]
fn a_spring_between_two_bodies_has_its_frequency() {
    let text = "object { name = a  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 0]  size = 0.1  mass = 1 } }
object { name = b  physical type = dynamic  geometrical type = sphere
    attributes = { position = [1.2, 0, 0]  size = 0.1  mass = 3 } }
joint coil { kind = spring  between = {a, b}  stiffness = 30  rest length = 1  damping = 0.6 }
simulation { name = s  mechanics = rigid  solver = soft  integrator = rk4  duration = 2  time step = 1 / 500 }
";
    let recording = soft_run(text);
    let (reduced, decay) = (0.75, 0.6 / 1.5);
    let frequency = libm::sqrt(30.0 / reduced - decay * decay);
    let stretch = 0.2
        * libm::exp(-2.0 * decay)
        * (libm::cos(2.0 * frequency) + decay / frequency * libm::sin(2.0 * frequency));
    let found = last(&recording, "b.position")[0] - last(&recording, "a.position")[0] - 1.0;
    assert!((found - stretch).abs() < 1e-8, "{found} instead of {stretch}");
    let lost = last(&recording, "work_of_coil_damping")[0];
    let energy = last(&recording, "total_energy")[0];
    assert!((energy - 0.5 * 30.0 * 0.04 - lost).abs() < 1e-8, "{energy} {lost}");
}

#[test]
fn a_bead_keeps_to_its_wire_and_a_stone_to_its_bowl() {
    let text = |more: &str, height: f64| {
        format!(
            "object {{ name = bead  physical type = dynamic  geometrical type = sphere
    attributes = {{ position = [1, 0, {height}]  size = 0.05  mass = 1 }} }}
constraint wire {{ of = {{bead}}  value = position # 3 - 0.5 * (position # 1)^2  {more} }}
simulation {{ name = s  mechanics = rigid  solver = soft  integrator = rk4
    duration = 2  gravity = [0, 0, -9.81]  time step = 1 / 1000 }}
"
        )
    };
    let recording = soft_run(&text("", 0.5));
    let (place, speed) = (last(&recording, "bead.position"), last(&recording, "bead.velocity"));
    let off = place[2] - 0.5 * place[0] * place[0];
    // With d = 0.9 and T = 0.02 at rest: (1 − d) T² g; a curve presses a few times as much.
    assert!(off.abs() < 4.0 * 0.1 * 4e-4 * 9.81, "{off:e}");
    let energy = 0.5 * (speed[0] * speed[0] + speed[2] * speed[2]) + 9.81 * place[2];
    let work = last(&recording, "joint_work")[0];
    assert!((energy - 9.81 * 0.5 - work).abs() < 1e-4 && work.abs() < 0.05, "{energy} {work}");
    let recording = soft_run(&text("inequality = true", 0.8));
    let place = last(&recording, "bead.position");
    let above = place[2] - 0.5 * place[0] * place[0];
    assert!(above > -0.01, "{above}");
    let width = recording.schema.width();
    assert!(width > 0 && last(&recording, "joint_work")[0] != 0.0);
}

#[test]
fn a_law_without_a_value_is_told_in_its_own_words() {
    let laws = "force wall { of = {ball}  force = [-1 / sqrt(position # 1 - 0.9), 0, 0] }";
    let experiment = crate::support::model(&ball(laws, "[-1, 0, 0]", "rk4", "1 / 500"));
    let (_, fault) = crate::support::guide::run(&experiment, &experiment.simulations[0]);
    let fault = fault.expect("the root has no value behind the wall");
    assert!(fault.notes.iter().any(|note| note.contains("`ball`")), "{fault:?}");
}

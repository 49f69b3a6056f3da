//! Every law against independent computations: force and torque as minus the derivative of the energy, closed
//! forms, Newton's third law, the algebra of laws, and slopes as derivatives of the forces.

use gedanken_dynamics::diagnostics::momentum;
use gedanken_dynamics::laws::{
    Anchor, AnchoredSprings, Custom, Dampers, GravityGradient, Law, Laws, LinearDrag, MagneticDipole,
    NewtonianGravity, Pivot, QuadraticDrag, SlopeAnswer, SlopeBlock, Slopes, Springs, TorsionDampers,
    TorsionSprings, UniformField, UniformGravity,
};
use gedanken_dynamics::*;
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::units::{KILOGRAM, METRE, Quantity, SECOND};
use gedanken_math::{Quat, Twist, Vec3};
use proptest::prelude::*;

/// A model of three rigid bodies with everything that laws act on.
fn model() -> Model {
    scenes::rigid_bodies(Components::atoms(["a", "b", "c"]).unwrap())
        .with::<Charge>()
        .with::<MagneticMoment>()
}

fn vector(range: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-range..range).prop_map(Vec3::from_array)
}

prop_compose! {
    /// Three bodies apart from each other and from the attracting centre at (9, 0, 0).
    fn state()(jitter in prop::array::uniform3(vector(0.4)), v in prop::array::uniform3(vector(2.0)),
               turn in prop::array::uniform3(vector(1.5)), spin in vector(1.0), mu in vector(2.0),
               m in prop::array::uniform3(0.5..3.0f64), q in prop::array::uniform3(-2.0..2.0f64),
               i in prop::array::uniform3(0.5..2.0f64)) -> State {
        let model = model();
        let mut state = model.state();
        let corners = [Vec3::ZERO, Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 1.0)];
        for (k, id) in model.components().iter().enumerate() {
            state.set::<Position>(id, (corners[k] + jitter[k]) * METRE).unwrap();
            state.set::<Velocity>(id, v[k] * (METRE / SECOND)).unwrap();
            state.set::<Mass>(id, m[k] * KILOGRAM).unwrap();
            state.set::<Charge>(id, Quantity::new(q[k])).unwrap();
            state.set::<Orientation>(id, from_rotation_vector(turn[k])).unwrap();
            state.set::<AngularVelocity>(id, Quantity::new(spin)).unwrap();
            state.set::<Inertia>(id, Quantity::new(Vec3::from_array(i))).unwrap();
            state.set::<MagneticMoment>(id, Quantity::new(mu)).unwrap();
        }
        state
    }
}

/// Force and torque on every component, as the workflow of these laws computes them.
fn action(laws: &Laws<ThreeD>, state: &State) -> (Vec<Vec3>, Vec<Vec3>) {
    let mechanics = Mechanics::new(state.model(), laws.clone()).unwrap();
    let workflow = mechanics.forces().build(state.model()).unwrap();
    let mut scratch = workflow.scratch();
    workflow.evaluate(&mut state.clone(), &mut scratch).unwrap();
    let forces = workflow.transient::<Force>(&scratch).unwrap().iter().map(|f| f.si()).collect();
    let torques = workflow.transient::<Torque>(&scratch).unwrap().iter().map(|t| t.si()).collect();
    (forces, torques)
}

/// The derivative at zero of an energy as a function of a small parameter, by Richardson's extrapolation of
/// central differences: error of fourth order in the step, far below the tolerance.
fn derivative(energy: impl Fn(f64) -> f64) -> f64 {
    let central = |h: f64| (energy(h) - energy(-h)) / (2.0 * h);
    let h = 2e-3;
    (4.0 * central(0.5 * h) - central(h)) / 3.0
}

fn moved(state: &State, id: ComponentId, shift: Vec3) -> State {
    let mut state = state.clone();
    state.adjust::<Position>(id, Quantity::default(), |r| r + shift * METRE).unwrap();
    state
}

fn turned(state: &State, id: ComponentId, phi: Vec3) -> State {
    let mut state = state.clone();
    state.adjust::<Orientation>(id, Quat::IDENTITY, |q| from_rotation_vector(phi) * q).unwrap();
    state
}

/// Every law that has a potential.
fn potentials(model: &Model) -> Vec<Laws<ThreeD>> {
    let (a, b, c) = (model.id("a").unwrap(), model.id("b").unwrap(), model.id("c").unwrap());
    let springs = Springs::new().link(a, b, Quantity::new(3.0), 1.0 * METRE).link(
        b,
        c,
        Quantity::new(0.7),
        3.0 * METRE,
    );
    let trap =
        Custom::new("trap", |b: &laws::Body<ThreeD>| Quantity::new(b.position.si() * -4.0 * b.mass.si()))
            .with_energy(|b| Quantity::new(2.0 * b.mass.si() * b.position.si().length_squared()));
    let (corner, edge) =
        (Anchor::on(a, Vec3::new(0.1, -0.2, 0.15)), Anchor::on(b, Vec3::new(-0.1, 0.0, 0.2)));
    let anchored = AnchoredSprings::new().link(corner, edge, Quantity::new(3.0), 1.0 * METRE).link(
        edge,
        Anchor::fixed(Vec3::new(5.0, -1.0, 0.0)),
        Quantity::new(0.7),
        3.0 * METRE,
    );
    vec![
        UniformGravity::new(Quantity::xyz(0.3, -1.0, -9.81)).into(),
        NewtonianGravity::new(Quantity::new(1.7)).into(),
        NewtonianGravity::new(Quantity::new(1.7)).with_softening(0.3 * METRE).into(),
        springs.into(),
        UniformField::new(Quantity::xyz(1.0, 2.0, -0.5)).into(),
        MagneticDipole::new(Quantity::xyz(0.2, -0.4, 1.1)).into(),
        GravityGradient::new(Quantity::new(25.0), Quantity::xyz(9.0, 0.0, 0.0)).into(),
        trap.into(),
        anchored.into(),
    ]
}

/// Every law that tells its slopes: all that have a potential, and those that take energy.
fn sloped(model: &Model) -> Vec<Laws<ThreeD>> {
    let (a, b, c) = (model.id("a").unwrap(), model.id("b").unwrap(), model.id("c").unwrap());
    let (corner, edge) =
        (Anchor::on(a, Vec3::new(0.1, -0.2, 0.15)), Anchor::on(b, Vec3::new(-0.1, 0.0, 0.2)));
    let dampers = Dampers::new().link(corner, edge, Quantity::new(1.3)).link(
        edge,
        Anchor::fixed(Vec3::new(5.0, -1.0, 0.0)),
        Quantity::new(0.4),
    );
    let pivot = |a: ComponentId, b: ComponentId| Pivot {
        a,
        frame_a: from_rotation_vector(Vec3::new(0.2, 0.1, -0.4)),
        b,
        frame_b: from_rotation_vector(Vec3::new(-0.3, 0.2, 0.1)),
    };
    let torsion = TorsionSprings::new().link(pivot(a, b), Quantity::new(2.0), Quantity::new(0.3)).link(
        pivot(c, ComponentId::WORLD),
        Quantity::new(0.7),
        Quantity::new(-0.2),
    );
    let friction = TorsionDampers::new()
        .link(pivot(a, b), Quantity::new(1.1))
        .link(pivot(c, ComponentId::WORLD), Quantity::new(0.6));
    let mut all = potentials(model);
    // A law in a closure has no slopes to tell.
    all.retain(|laws| laws.terms()[0].law.name() != "trap");
    all.extend([
        LinearDrag::new(Quantity::new(0.8)).into(),
        QuadraticDrag::new(Quantity::new(0.3)).into(),
        dampers.into(),
        torsion.into(),
        friction.into(),
    ]);
    all
}

/// The slopes of laws as dense columns: for every body and each of twelve changes, forces and torques of all.
fn told(laws: &Laws<ThreeD>, state: &State) -> Vec<Vec<Twist>> {
    let mut slopes = Slopes::new();
    for term in laws.terms() {
        assert_eq!(term.slopes(state, &mut slopes).unwrap(), SlopeAnswer::Exact, "{}", term.label);
    }
    let count = state.model().components().len();
    let mut columns = vec![vec![Twist::ZERO; count]; 12 * count];
    let column = |block: &SlopeBlock, k: usize| {
        let by = |linear: gedanken_math::Mat3, angular: gedanken_math::Mat3| {
            if k < 3 { linear.col(k) } else { angular.col(k - 3) }
        };
        Twist::new(by(block.force_linear, block.force_angular), by(block.torque_linear, block.torque_angular))
    };
    for pair in slopes.pairs() {
        for k in 0..6 {
            columns[12 * pair.of.row() + k][pair.on.row()] += column(&pair.place, k);
            columns[12 * pair.of.row() + 6 + k][pair.on.row()] += column(&pair.motion, k);
        }
    }
    columns
}

/// The state with one of twelve changes of a body: shift, rotation, velocity, angular velocity.
fn changed(state: &State, id: ComponentId, change: usize, size: f64) -> State {
    let axis = Vec3::AXES[change % 3] * size;
    match change / 3 {
        0 => moved(state, id, axis),
        1 => turned(state, id, axis),
        2 => {
            let mut state = state.clone();
            state.adjust::<Velocity>(id, Quantity::default(), |v| v + Quantity::new(axis)).unwrap();
            state
        }
        _ => {
            let mut state = state.clone();
            state.adjust::<AngularVelocity>(id, Quantity::default(), |w| w + Quantity::new(axis)).unwrap();
            state
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn slopes_are_the_derivatives_of_force_and_torque(state in state()) {
        // A quadratic drag bends at rest, where differences of this width do not tell its slope.
        let speed = |id: ComponentId| state.get::<Velocity>(id).unwrap().si().length();
        prop_assume!(state.model().components().iter().all(|id| speed(id) > 0.05));
        let all = sloped(state.model());
        // A sum with strengths scales and adds slopes.
        let sum = all[1].clone() + 2.5 * all[8].clone();
        for laws in all.into_iter().chain([sum]) {
            let name = laws.terms()[0].label.clone();
            let columns = told(&laws, &state);
            let largest = columns.iter().flatten().fold(0.0f64, |most, it| {
                most.max(it.linear.length()).max(it.angular.length())
            });
            for id in state.model().components().iter() {
                for change in 0..12 {
                    let act = |size: f64| {
                        let (forces, torques) = action(&laws, &changed(&state, id, change, size));
                        forces.into_iter().zip(torques).map(|(f, t)| Twist::new(f, t)).collect::<Vec<_>>()
                    };
                    let h = 1e-3;
                    let [far, near] = [h, 0.5 * h].map(|h| (act(h), act(-h), 0.5 / h));
                    for body in state.model().components().iter().map(ComponentId::row) {
                        let central = |(high, low, scale): &(Vec<Twist>, Vec<Twist>, f64)| (high[body] - low[body]) * *scale;
                        let expected = (central(&near) * 4.0 - central(&far)) * (1.0 / 3.0);
                        let off = columns[12 * id.row() + change][body] - expected;
                        prop_assert!(
                            off.linear.length().max(off.angular.length()) < 1e-7 * (1.0 + largest),
                            "{name}: on {body} of {id:?}, change {change}: {off:?} beside {expected:?}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_law_that_cannot_tell_its_slopes_lists_none() {
    let model = model();
    let state = model.state();
    let trap = Laws::of(Custom::new("trap", |b: &laws::Body<ThreeD>| Quantity::new(b.position.si() * -4.0)));
    let (a, b) = (model.id("a").unwrap(), model.id("b").unwrap());
    // Both ends of the spring are at the origin, where it has no direction.
    let spring = Laws::of(Springs::new().link(a, b, Quantity::new(1.0), 1.0 * METRE));
    let mut slopes = Slopes::new();
    for laws in [trap, spring] {
        assert_eq!(laws.terms()[0].slopes(&state, &mut slopes).unwrap(), SlopeAnswer::Unknown);
        assert!(slopes.pairs().is_empty());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn force_and_torque_are_minus_the_derivative_of_the_energy(state in state()) {
        for laws in potentials(state.model()) {
            let name = laws.terms()[0].label.clone();
            let (forces, torques) = action(&laws, &state);
            let scale = 1.0 + forces.iter().chain(&torques).map(|f| f.length()).fold(0.0, f64::max);
            for id in state.model().components().iter() {
                for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
                    let slope = derivative(|s| laws.energy(&moved(&state, id, axis * s)).unwrap().si());
                    let force = forces[id.row()].dot(axis);
                    prop_assert!((force + slope).abs() < 1e-8 * scale, "{name}: force {force}, -dV/dx {}", -slope);
                    let slope = derivative(|s| laws.energy(&turned(&state, id, axis * s)).unwrap().si());
                    let torque = torques[id.row()].dot(axis);
                    prop_assert!((torque + slope).abs() < 1e-8 * scale, "{name}: torque {torque}, -dV/dφ {}", -slope);
                }
            }
        }
    }

    /// Springs and gravitation come in pairs: no net force.
    #[test]
    fn inner_forces_add_up_to_zero(state in state()) {
        for laws in [&potentials(state.model())[1], &potentials(state.model())[3]] {
            let (forces, _) = action(laws, &state);
            let size: f64 = forces.iter().map(|f| f.length()).sum();
            prop_assert!(forces.iter().sum::<Vec3>().length() <= 8.0 * f64::EPSILON * size);
        }
    }

    /// Drag opposes the motion: F·v = -γ v² and -c |v|³.
    #[test]
    fn drag_takes_energy_at_its_rate(state in state(), k in 0.1..3.0f64) {
        let (linear, _) = action(&LinearDrag::new(Quantity::new(k)).into(), &state);
        let (quadratic, _) = action(&QuadraticDrag::new(Quantity::new(k)).into(), &state);
        for (id, v) in state.entries::<Velocity>().unwrap() {
            let v = v.si();
            prop_assert!((linear[id.row()].dot(v) + k * v.length_squared()).abs() < 1e-13 * (1.0 + k * v.length_squared()));
            let speed = v.length();
            let rate = k * speed * speed * speed;
            prop_assert!((quadratic[id.row()].dot(v) + rate).abs() < 1e-13 * (1.0 + rate));
            prop_assert!(quadratic[id.row()].cross(v).length() < 1e-13 * (1.0 + rate));
        }
    }

    /// a + 2.5·b acts and weighs as the sum says.
    #[test]
    fn laws_form_an_algebra(state in state()) {
        let all = potentials(state.model());
        let sum = all[0].clone() + 2.5 * all[3].clone();
        let (f, _) = action(&sum, &state);
        let (fa, _) = action(&all[0], &state);
        let (fb, _) = action(&all[3], &state);
        for k in 0..f.len() {
            prop_assert!((f[k] - (fa[k] + fb[k] * 2.5)).length() <= 4.0 * f64::EPSILON * (fa[k].length() + 2.5 * fb[k].length()));
        }
        let energy = all[0].energy(&state).unwrap() + all[3].energy(&state).unwrap() * 2.5;
        prop_assert!((sum.energy(&state).unwrap() - energy).si().abs() <= 1e-14 * (1.0 + energy.si().abs()));
    }
}

/// The force between two unit masses on a line and in space, at distance 2: G m m/d², softened only in space.
#[test]
fn softening_is_a_millimetre_in_space_and_none_on_a_line() {
    let d = 2.0_f64;
    let space = {
        let model = scenes::point_masses::<ThreeD>(Components::atoms(["a", "b"]).unwrap());
        let mut state = model.state();
        for (name, x) in [("a", 0.0), ("b", d)] {
            state.set::<Position>(model.id(name).unwrap(), Quantity::xyz(x, 0.0, 0.0)).unwrap();
            state.set::<Mass>(model.id(name).unwrap(), 1.0 * KILOGRAM).unwrap();
        }
        NewtonianGravity::<ThreeD>::new(Quantity::new(1.0)).energy(&state).unwrap().unwrap().si()
    };
    let line = {
        let model = scenes::point_masses::<OneD>(Components::atoms(["a", "b"]).unwrap());
        let mut state = model.state();
        for (name, x) in [("a", 0.0), ("b", d)] {
            state.set::<Position<OneD>>(model.id(name).unwrap(), x * METRE).unwrap();
            state.set::<Mass>(model.id(name).unwrap(), 1.0 * KILOGRAM).unwrap();
        }
        NewtonianGravity::<OneD>::new(Quantity::new(1.0)).energy(&state).unwrap().unwrap().si()
    };
    let close = |a: f64, b: f64| (a - b).abs() <= 4.0 * f64::EPSILON * b.abs();
    assert!(close(space, -1.0 / (d * d + 1e-6).sqrt()), "{space}");
    assert!(close(line, -1.0 / d), "{line}");
}

#[test]
fn laws_of_the_same_name_are_told_apart() {
    let model = model();
    let (a, b) = (model.id("a").unwrap(), model.id("b").unwrap());
    let spring = || Springs::new().link(a, b, Quantity::new(1.0), 1.0 * METRE);
    let both: Laws<ThreeD> = Laws::of(spring()) + spring();
    let labels: Vec<_> = both.terms().iter().map(|t| t.label.to_string()).collect();
    assert_eq!(labels, ["springs", "springs 2"]);
}

/// Terminal velocity: gravity and linear drag balance at v = m g/γ, approached as 1 - exp(-γt/m).
#[test]
fn a_ball_in_syrup_falls_as_the_exponential_says() {
    let model = scenes::point_masses::<OneD>(Components::atoms(["ball"]).unwrap());
    let ball = model.id("ball").unwrap();
    let mut state = model.state();
    state.set::<Mass>(ball, 2.0 * KILOGRAM).unwrap();
    state.set::<Velocity<OneD>>(ball, Quantity::new(0.0)).unwrap();
    let laws: Laws<OneD> =
        Laws::of(UniformGravity::new(Quantity::new(-9.81))) + LinearDrag::new(Quantity::new(4.0));
    let rk4 = Integrator::by_name("rk4").unwrap();
    let mut stepper = rk4.prepare(&Mechanics::new(&model, laws).unwrap()).unwrap();
    stepper.run(&mut state, 0.01 * SECOND, 1.0 * SECOND).unwrap();
    let exact = -9.81 * 2.0 / 4.0 * (1.0 - libm::exp(-4.0 / 2.0));
    assert!((state.get::<Velocity<OneD>>(ball).unwrap().si() - exact).abs() < 1e-8);
    assert!((momentum::<OneD>(&state).unwrap().si() - 2.0 * exact).abs() < 2e-8);
}

/// A custom law sees the time of its stage: a force cos(t) gives v = sin(t), to fourth order with RK4.
#[test]
fn time_dependent_forces_see_the_time_of_their_stage() {
    for (name, order) in [("leapfrog", 2.0), ("rk4", 4.0), ("yoshida6", 6.0), ("implicit-midpoint", 2.0)] {
        let error = |steps: u32| {
            let model = scenes::point_masses::<OneD>(Components::atoms(["body"]).unwrap());
            let body = model.id("body").unwrap();
            let mut state = model.state();
            state.set::<Mass>(body, 1.0 * KILOGRAM).unwrap();
            let law = Custom::new("tide", |b: &laws::Body<OneD>| Quantity::new(libm::cos(b.time.si())));
            let mechanics = Mechanics::<OneD>::new(&model, law).unwrap();
            let mut stepper = Integrator::by_name(name).unwrap().prepare(&mechanics).unwrap();
            stepper.run(&mut state, 1.0 / f64::from(steps) * SECOND, 1.0 * SECOND).unwrap();
            (state.get::<Velocity<OneD>>(body).unwrap().si() - libm::sin(1.0)).abs()
        };
        let ratio = libm::log2(error(4) / error(8));
        assert!((ratio - order).abs() < 0.2, "{name}: measured {ratio:.2}");
    }
}

#[test]
fn unfit_laws_and_integrators_are_refused_by_name() {
    let points = scenes::point_masses::<ThreeD>(Components::atoms(["a", "b"]).unwrap());
    let dipole = MagneticDipole::new(Quantity::xyz(0.0, 0.0, 1.0));
    insta::assert_snapshot!(
        Mechanics::new(&points, dipole).unwrap_err(),
        @"the law 'magnetic dipole' turns bodies, but the model's bodies have no 'orientation'"
    );
    let a = points.id("a").unwrap();
    let loop_spring = Springs::new().link(a, a, Quantity::new(1.0), 1.0 * METRE);
    insta::assert_snapshot!(
        Mechanics::<ThreeD>::new(&points, loop_spring).unwrap_err(),
        @"a spring needs two bodies, but both its ends are 'a'"
    );
    let soft = NewtonianGravity::new(Quantity::new(1.0)).with_softening(-1.0 * METRE);
    insta::assert_snapshot!(
        Mechanics::<ThreeD>::new(&points, soft).unwrap_err(),
        @"a softening of -1 m is not possible: it must be finite and not negative"
    );
    let bodies = Mechanics::<ThreeD>::new(&model(), Laws::none()).unwrap();
    insta::assert_snapshot!(
        Integrator::by_name("rk4").unwrap().prepare(&bodies).unwrap_err(),
        @"'rk4' moves points only; bodies that turn need one of symplectic-euler, leapfrog, leapfrog-kdk, velocity-verlet, adaptive-verlet, forest-ruth, yoshida6, yoshida8"
    );
    let plain = Mechanics::<ThreeD>::new(&points, Laws::none()).unwrap();
    insta::assert_snapshot!(
        Integrator::by_name("velocity-verlet").unwrap().prepare(&plain).unwrap_err(),
        @"'velocity-verlet' keeps 'acceleration' from step to step: equip the model with `Integrator::equip`"
    );
    insta::assert_snapshot!(
        Integrator::by_name("dormand-prince").unwrap().prepare_with_tolerance(&plain, -1.0).unwrap_err(),
        @"a tolerance of -1 is not possible: it must be positive"
    );
    insta::assert_snapshot!(
        Integrator::by_name("leap-frog").unwrap_err(),
        @"there is no integrator called 'leap-frog'; there are symplectic-euler, leapfrog, leapfrog-kdk, velocity-verlet, adaptive-verlet, forest-ruth, yoshida6, yoshida8, rk4, dormand-prince, implicit-midpoint"
    );
}

/// Two bodies in one place, without softening: the fault names law, body, time and place, and nothing moves.
#[test]
fn a_singular_force_stops_the_step_and_names_the_law() {
    let model = scenes::point_masses::<ThreeD>(Components::atoms(["a", "b"]).unwrap());
    let mut state = model.state();
    for id in model.components().iter() {
        state.set::<Mass>(id, 1.0 * KILOGRAM).unwrap();
        state.set::<Position>(id, Quantity::xyz(1.0, 2.0, 3.0)).unwrap();
    }
    let law = NewtonianGravity::new(Quantity::new(1.0)).with_softening(0.0 * METRE);
    let mechanics = Mechanics::<ThreeD>::new(&model, law).unwrap();
    let mut stepper = Integrator::by_name("leapfrog").unwrap().prepare(&mechanics).unwrap();
    let before = state.hash();
    let fault = stepper.step(&mut state, 0.5 * SECOND).unwrap_err();
    insta::assert_snapshot!(
        fault,
        @"rule 'newtonian gravity' made force of 'a' [NaN, NaN, NaN] at t = 0.25 s from position = [1, 2, 3], mass = 1"
    );
    assert_eq!(state.hash(), before);
}

//! Every law against independent computations: force and torque as minus the derivative of the energy, closed
//! forms, Newton's third law, and the algebra of laws.

use gedanken_dynamics::diagnostics::momentum;
use gedanken_dynamics::laws::{
    Anchor, AnchoredSprings, Custom, GravityGradient, Law, Laws, LinearDrag, MagneticDipole,
    NewtonianGravity, QuadraticDrag, Springs, UniformField, UniformGravity,
};
use gedanken_dynamics::*;
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::units::{KILOGRAM, METRE, Quantity, SECOND};
use gedanken_math::{Quat, Vec3};
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

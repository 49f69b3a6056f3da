//! Springs and dampers on rigid bodies: closed forms, power, Newton's third law, derivatives of the energy.

use gedanken_dynamics::laws::{
    Anchor, AnchoredSprings, Dampers, Laws, Pivot, TorsionDampers, TorsionSprings,
};
use gedanken_dynamics::*;
use gedanken_math::rotation::{about_axis, from_rotation_vector, to_world};
use gedanken_math::units::{METRE, Quantity};
use gedanken_math::{Mat3, Pose, Quat, Vec3};
use gedanken_rigid::joints::{Configuration, Ends, Hinge};
use gedanken_rigid::{Body, Settings, Simulation, Twist, World};
use proptest::prelude::*;

fn model() -> Model {
    scenes::rigid_bodies(Components::atoms(["a", "b"]).unwrap())
}

fn vector(range: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-range..range).prop_map(Vec3::from_array)
}

prop_compose! {
    /// Two moving bodies, their orientations less than a right angle apart.
    fn state()(r in vector(1.0), v in prop::array::uniform2(vector(2.0)), turn in prop::array::uniform2(vector(0.4)),
               spin in prop::array::uniform2(vector(2.0)), carried in vector(1.5)) -> State {
        let model = model();
        let mut state = model.state();
        for (k, id) in model.components().iter().enumerate() {
            let place = if k == 0 { r } else { Vec3::new(3.0, 0.0, 0.0) };
            state.set::<Position>(id, place * METRE).unwrap();
            state.set::<Velocity>(id, Quantity::new(v[k])).unwrap();
            state.set::<Orientation>(id, from_rotation_vector(carried) * from_rotation_vector(turn[k])).unwrap();
            state.set::<AngularVelocity>(id, Quantity::new(spin[k])).unwrap();
            state.set::<Mass>(id, Quantity::new(1.0)).unwrap();
            state.set::<Inertia>(id, Quantity::new(Vec3::new(1.0, 2.0, 2.5))).unwrap();
        }
        state
    }
}

fn action(laws: &Laws<ThreeD>, state: &State) -> (Vec<Vec3>, Vec<Vec3>) {
    let mechanics = Mechanics::new(state.model(), laws.clone()).unwrap();
    let workflow = mechanics.forces().build(state.model()).unwrap();
    let mut scratch = workflow.scratch();
    workflow.evaluate(&mut state.clone(), &mut scratch).unwrap();
    let forces = workflow.transient::<Force>(&scratch).unwrap().iter().map(|f| f.si()).collect();
    let torques = workflow.transient::<Torque>(&scratch).unwrap().iter().map(|t| t.si()).collect();
    (forces, torques)
}

/// The state with every body carried on by its motion for `t`.
fn carried_on(state: &State, t: f64) -> State {
    let mut later = state.clone();
    for id in state.model().components().iter() {
        let v = state.get::<Velocity>(id).unwrap().si();
        let omega = state.get::<AngularVelocity>(id).unwrap().si();
        later.adjust::<Position>(id, Quantity::default(), |r| r + v * t * METRE).unwrap();
        later.adjust::<Orientation>(id, Quat::IDENTITY, |q| from_rotation_vector(omega * t) * q).unwrap();
    }
    later
}

/// The power of forces and torques on the moving bodies.
fn power(state: &State, forces: &[Vec3], torques: &[Vec3]) -> f64 {
    let bodies = state.model().components().iter();
    let of = |id: ComponentId| {
        forces[id.row()].dot(state.get::<Velocity>(id).unwrap().si())
            + torques[id.row()].dot(state.get::<AngularVelocity>(id).unwrap().si())
    };
    bodies.map(of).sum()
}

fn anchors(model: &Model) -> (Anchor, Anchor) {
    let (a, b) = (model.id("a").unwrap(), model.id("b").unwrap());
    (Anchor::on(a, Vec3::new(0.3, -0.1, 0.2)), Anchor::on(b, Vec3::new(-0.2, 0.4, 0.1)))
}

fn distance(state: &State) -> f64 {
    let (a, b) = anchors(state.model());
    let point = |anchor: Anchor| {
        state.get::<Position>(anchor.body).unwrap().si()
            + to_world(state.get::<Orientation>(anchor.body).unwrap(), anchor.arm)
    };
    (point(a) - point(b)).length()
}

fn pivot(model: &Model) -> Pivot {
    let (a, b) = (model.id("a").unwrap(), model.id("b").unwrap());
    let frame = from_rotation_vector(Vec3::new(0.3, -0.8, 0.5));
    Pivot { a, frame_a: frame, b, frame_b: frame }
}

/// A central difference extrapolated: fourth order.
fn derivative(f: impl Fn(f64) -> f64) -> f64 {
    let central = |h: f64| (f(h) - f(-h)) / (2.0 * h);
    (4.0 * central(5e-4) - central(1e-3)) / 3.0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Power is minus the rate of the energy; no force and no torque is left over about any point.
    #[test]
    fn springs_give_and_take_their_energy(state in state(), rest in -1.0..1.0f64) {
        let (a, b) = anchors(state.model());
        let spring = AnchoredSprings::new().link(a, b, Quantity::new(5.0), 1.3 * METRE);
        let torsion = TorsionSprings::new().link(pivot(state.model()), Quantity::new(2.0), Quantity::new(rest));
        for laws in [Laws::of(spring), Laws::of(torsion)] {
            let (forces, torques) = action(&laws, &state);
            let rate = derivative(|t| laws.energy(&carried_on(&state, t)).unwrap().si());
            prop_assert!((power(&state, &forces, &torques) + rate).abs() < 1e-7);
            let r = |id: ComponentId| state.get::<Position>(id).unwrap().si();
            let ids = || state.model().components().iter();
            let moment: Vec3 = ids().map(|id| torques[id.row()] + r(id).cross(forces[id.row()])).sum();
            prop_assert!(moment.length() < 1e-12);
            prop_assert!(ids().map(|id| forces[id.row()]).sum::<Vec3>().length() < 1e-14);
        }
    }

    /// A damper takes c ḋ², a torsion damper c θ̇²; the rates by differences.
    #[test]
    fn dampers_take_energy_at_their_rate(state in state()) {
        let (a, b) = anchors(state.model());
        let (forces, torques) = action(&Dampers::new().link(a, b, Quantity::new(0.8)).into(), &state);
        let rate = derivative(|t| distance(&carried_on(&state, t)));
        prop_assert!((power(&state, &forces, &torques) + 0.8 * rate * rate).abs() < 1e-7);
        let pivot = pivot(state.model());
        let (forces, torques) = action(&TorsionDampers::new().link(pivot, Quantity::new(0.6)).into(), &state);
        prop_assert!(forces.iter().all(|f| *f == Vec3::ZERO));
        // The angle from the energy of a torsion spring of unit stiffness, at rest beyond any angle that
        // these states have.
        let gauge: Laws<ThreeD> = TorsionSprings::new().link(pivot, Quantity::new(1.0), Quantity::new(-1.6)).into();
        let rate = derivative(|t| (2.0 * gauge.energy(&carried_on(&state, t)).unwrap().si()).sqrt());
        prop_assert!((power(&state, &forces, &torques) + 0.6 * rate * rate).abs() < 1e-7);
    }
}

/// A body hung at an off-centre point from a fixed one by a spring of no rest length, with a damper along it:
/// on the line through both, m ẍ = -k x - c ẋ, so x = exp(-γt) (x₀ cos ω't + γ x₀/ω' sin ω't).
#[test]
fn a_damped_spring_swings_as_the_exponential_says() {
    let (m, k, c, x0) = (2.0, 50.0, 1.0, 0.4);
    let arm = Vec3::new(0.3, 0.0, 0.0);
    let body =
        Body::shapeless(m, Mat3::from_diagonal(Vec3::new(1.0, 2.0, 2.5)), Pose::at(Vec3::X * x0 - arm));
    let world = World::new([("bob", body)], []).unwrap();
    let bob = world.id("bob").unwrap();
    let ends = Ends::spanning(&world, "spring", bob, None, [Vec3::X * x0, Vec3::ZERO]).unwrap();
    let [a, b] = ends.anchors();
    let laws = Laws::of(AnchoredSprings::new().link(a, b, Quantity::new(k), 0.0 * METRE))
        + Dampers::new().link(a, b, Quantity::new(c));
    let mut run = Simulation::new(world.with_laws(laws), Settings::default()).unwrap();
    for _ in 0..10_000 {
        run.step(1e-4).unwrap();
    }
    let gamma = c / (2.0 * m);
    let fast = (k / m - gamma * gamma).sqrt();
    let exact = libm::exp(-gamma) * x0 * (libm::cos(fast) + gamma / fast * libm::sin(fast));
    let x = run.centre(bob).translation.x + arm.x;
    assert!((x - exact).abs() < 2e-5, "{x}, exactly {exact}");
}

/// A wheel on a torsion spring: I θ̈ = -k (θ - θ₀) - c θ̇ about a principal axis, with the angle of a hinge
/// that is not there.
#[test]
fn a_torsion_pendulum_keeps_its_period() {
    let (i, k, c, rest) = (2.0, 8.0, 0.1, 0.5);
    let inertia = Mat3::from_diagonal(Vec3::new(1.5, 1.0, i));
    let wheel = Body::shapeless(1.0, inertia, Pose::new(about_axis(2, 0.7), Vec3::Y));
    let world = World::new([("wheel", wheel)], []).unwrap();
    let id = world.id("wheel").unwrap();
    let hinge = Hinge::new(Ends::along(&world, "axle", id, None, Vec3::Y, Vec3::Z).unwrap()).unwrap();
    let pivot = hinge.angle().pivot().unwrap();
    let laws = Laws::of(TorsionSprings::new().link(pivot, Quantity::new(k), Quantity::new(rest)))
        + TorsionDampers::new().link(pivot, Quantity::new(c));
    let mut run = Simulation::new(world.with_laws(laws), Settings::default()).unwrap();
    for _ in 0..20_000 {
        run.step(1e-4).unwrap();
    }
    let (gamma, t) = (c / (2.0 * i), 2.0);
    let fast = (k / i - gamma * gamma).sqrt();
    let decay = libm::exp(-gamma * t);
    let exact = rest - rest * decay * (libm::cos(fast * t) + gamma / fast * libm::sin(fast * t));
    let exact_speed = rest * decay * (k / i) / fast * libm::sin(fast * t);
    let at = Configuration { a: run.centre(id), b: Pose::IDENTITY, time: run.time() };
    let (angle, speed) = (hinge.angle().value(&at), hinge.angle().speed(&at, run.twist(id), Twist::ZERO));
    assert!((angle - exact).abs() < 2e-5, "{angle}, exactly {exact}");
    assert!((speed - exact_speed).abs() < 2e-4, "{speed}, exactly {exact_speed}");
}

/// Anchors in one place: a spring without length rests, a damper resists the motion, a spring with a length
/// faults.
#[test]
fn anchors_that_meet() {
    let model = model();
    let mut state = model.state();
    let (a, b) = (model.id("a").unwrap(), model.id("b").unwrap());
    for id in [a, b] {
        state.set::<Mass>(id, Quantity::new(1.0)).unwrap();
        state.set::<Inertia>(id, Quantity::new(Vec3::ONE)).unwrap();
    }
    state.set::<Velocity>(a, Quantity::new(Vec3::new(1.0, 2.0, 0.0))).unwrap();
    let (at_a, at_b) = (Anchor::on(a, Vec3::ZERO), Anchor::on(b, Vec3::ZERO));
    let spring = |rest: f64| AnchoredSprings::new().link(at_a, at_b, Quantity::new(1.0), rest * METRE);
    let laws = Laws::of(spring(0.0)) + Dampers::new().link(at_a, at_b, Quantity::new(3.0));
    let (forces, _) = action(&laws, &state);
    assert_eq!(forces[a.row()], Vec3::new(-3.0, -6.0, 0.0));
    let mechanics = Mechanics::<ThreeD>::new(&model, spring(1.0)).unwrap();
    let mut stepper = Integrator::by_name("leapfrog").unwrap().prepare(&mechanics).unwrap();
    state.set::<Velocity>(a, Quantity::default()).unwrap();
    let fault = stepper.step(&mut state, Quantity::new(0.5)).unwrap_err();
    insta::assert_snapshot!(
        fault,
        @"rule 'anchored springs' made force of 'a' [NaN, NaN, NaN] at t = 0.25 s from position = [0, 0, 0], orientation = [1, 0, 0, 0]"
    );
}

#[test]
fn what_makes_no_spring_is_refused() {
    let model = model();
    let (a, b) = anchors(&model);
    let pivot = pivot(&model);
    let lame = Pivot { frame_b: Quat::from_xyzw(0.0, 0.0, 0.0, 2.0), ..pivot };
    let nowhere = Anchor::fixed(Vec3::new(f64::NAN, 0.0, 0.0));
    let spring = |a, b, k: f64, rest: f64| AnchoredSprings::new().link(a, b, Quantity::new(k), rest * METRE);
    let torsion =
        |pivot, k: f64, rest: f64| TorsionSprings::new().link(pivot, Quantity::new(k), Quantity::new(rest));
    let refused: [Laws<ThreeD>; 9] = [
        spring(a, a, 1.0, 1.0).into(),
        spring(a, b, -1.0, 1.0).into(),
        spring(a, b, 1.0, f64::NAN).into(),
        spring(a, nowhere, 1.0, 1.0).into(),
        Dampers::new().link(a, b, Quantity::new(-2.0)).into(),
        torsion(pivot, f64::INFINITY, 0.0).into(),
        torsion(pivot, 1.0, 4.0).into(),
        torsion(lame, 1.0, 0.0).into(),
        TorsionDampers::new().link(Pivot { b: pivot.a, ..pivot }, Quantity::new(1.0)).into(),
    ];
    let message = |laws: Laws<ThreeD>| Mechanics::new(&model, laws).map(drop).unwrap_err().to_string();
    insta::assert_snapshot!(refused.map(message).join("\n"));
    let named = AnchoredSprings::new().named("suspension");
    assert_eq!(Laws::of(named).terms()[0].label.as_ref(), "suspension");
}

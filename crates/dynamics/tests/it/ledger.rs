//! The ledger: the work of all laws adds up to the change of kinetic energy by algebra, what conservative
//! laws did beyond their potential is the integrator's error, and booking changes no bit of the motion.

use gedanken_dynamics::diagnostics::total_energy;
use gedanken_dynamics::integrate::{Control, INTEGRATORS};
use gedanken_dynamics::laws::{Laws, LinearDrag, MagneticDipole, NewtonianGravity, Springs, UniformGravity};
use gedanken_dynamics::*;
use gedanken_math::units::{KILOGRAM, METRE, Quantity, SECOND};
use gedanken_math::{Quat, Vec3};

/// Three bodies under gravity, a spring, mutual attraction and drag.
fn scene() -> scenes::Scene<ThreeD> {
    let model = scenes::point_masses::<ThreeD>(Components::atoms(["a", "b", "c"]).unwrap());
    let mut state = model.state();
    for (k, id) in model.components().iter().enumerate() {
        let k = k as f64;
        state.set::<Position>(id, Quantity::xyz(k, 0.3 * k * k, -k)).unwrap();
        state.set::<Velocity>(id, Quantity::xyz(0.2 - k, 1.0, 0.5 * k)).unwrap();
        state.set::<Mass>(id, (1.0 + k) * KILOGRAM).unwrap();
    }
    let (a, b) = (model.id("a").unwrap(), model.id("b").unwrap());
    let laws: Laws<ThreeD> = Laws::of(UniformGravity::new(Quantity::xyz(0.0, 0.0, -9.81)))
        + Springs::new().link(a, b, Quantity::new(20.0), 1.0 * METRE)
        + NewtonianGravity::new(Quantity::new(2.0)).with_softening(0.1 * METRE)
        + LinearDrag::new(Quantity::new(0.1));
    scenes::Scene { name: "mixed", state, laws, period: 1.0 }
}

/// Runs with a ledger and returns it with the final state.
fn booked<S: Space>(
    scene: &scenes::Scene<S>,
    integrator: &'static Integrator,
    h: f64,
    steps: u32,
) -> (Ledger<S>, State) {
    let (mechanics, mut state) = scene.mechanics(integrator).unwrap();
    let mechanics = mechanics.with_ledger().unwrap();
    let mut stepper = integrator.prepare_with_tolerance(&mechanics, f64::INFINITY).unwrap();
    let mut ledger = Ledger::open(&mechanics, &state).unwrap();
    for _ in 0..steps {
        stepper.step(&mut state, h * SECOND).unwrap();
        ledger.post(stepper.workflow(), stepper.scratch(), &state).unwrap();
    }
    (ledger, state)
}

/// Runge-Kutta methods take the work of a law at their stages: there what is nobody's work is their error.
#[test]
fn the_kinetic_part_closes_by_algebra_for_every_integrator_of_kicks() {
    for integrator in INTEGRATORS.into_iter().filter(|it| it.tableau.is_none()) {
        let (ledger, _) = booked(&scene(), integrator, 0.01, 200);
        let turnover: f64 = ledger.entries().iter().map(|e| e.work.si().abs()).sum();
        // Some ten roundings per body, law and kick, of terms no larger than the turnover of a few steps.
        let kicks = 200.0 * f64::from(integrator.evaluations);
        let bound = 20.0 * f64::EPSILON * kicks.sqrt() * (1.0 + turnover);
        let unbooked = ledger.unbooked().si().abs();
        assert!(unbooked < bound, "{}: {unbooked:.1e} J unbooked of {turnover:.1e} J", integrator.name);
        let drag = ledger.entries().iter().find(|e| &*e.law == "drag").unwrap();
        assert!(drag.work.si() < -1.0, "drag takes energy: {drag:?}");
        assert_eq!(drag.exchanged(), drag.work);
    }
}

/// ΔE = (what drag took) + (numerical error), and that error shrinks with the order of the method.
#[test]
fn what_no_law_exchanged_is_numerical_error() {
    for integrator in INTEGRATORS.into_iter().filter(|i| i.control == Control::Fixed) {
        let error = |steps: u32| {
            let scene = scene();
            let (ledger, state) = booked(&scene, integrator, 1.0 / f64::from(steps), steps);
            let before = total_energy(&scene.state, &scene.laws).unwrap();
            let after = total_energy(&state, &scene.laws).unwrap();
            let change = (after - before).si();
            assert!((change - ledger.energy_change().si()).abs() < 1e-11, "{}", integrator.name);
            let exchanged: f64 = ledger.entries().iter().map(|e| e.exchanged().si()).sum();
            let error = ledger.numerical_error().si();
            assert!((change - exchanged - error).abs() < 1e-11, "{}", integrator.name);
            error.abs()
        };
        // What laws without a potential took is a quadrature of the method's order, and so is what is left. High
        // orders reach rounding.
        let order = f64::from(integrator.order.min(4));
        let (coarse, fine) = (error(400), error(1600));
        assert!(
            fine < coarse / libm::pow(4.0, order - 0.3) || fine < 1e-10,
            "{}: {coarse:.2e} to {fine:.2e}",
            integrator.name
        );
    }
}

#[test]
fn booking_changes_no_bit_of_the_motion() {
    for integrator in INTEGRATORS {
        let scene = scene();
        let (mechanics, mut plain) = scene.mechanics(integrator).unwrap();
        let mut stepper = integrator.prepare_with_tolerance(&mechanics, f64::INFINITY).unwrap();
        for _ in 0..50 {
            stepper.step(&mut plain, 0.01 * SECOND).unwrap();
        }
        let (_, kept) = booked(&scene, integrator, 0.01, 50);
        assert_eq!(plain.hash(), kept.hash(), "{}", integrator.name);
    }
}

/// A compass needle in a field: the torque's work is booked, and the sum closes but for the error of the free
/// rotation, which is the integrator's.
#[test]
fn torques_do_work_too() {
    let model = scenes::rigid_bodies(Components::atoms(["needle"]).unwrap()).with::<MagneticMoment>();
    let needle = model.id("needle").unwrap();
    let mut state = model.state();
    state.set::<Mass>(needle, 1.0 * KILOGRAM).unwrap();
    state.set::<Velocity>(needle, Quantity::default()).unwrap();
    state.set::<Orientation>(needle, Quat::IDENTITY).unwrap();
    state.set::<AngularVelocity>(needle, Quantity::xyz(0.0, 0.0, 0.1)).unwrap();
    state.set::<Inertia>(needle, Quantity::new(Vec3::new(0.1, 0.5, 0.6))).unwrap();
    state.set::<MagneticMoment>(needle, Quantity::xyz(1.0, 0.0, 0.0)).unwrap();
    let laws = MagneticDipole::new(Quantity::xyz(0.0, 0.4, 0.0)).into();
    let scene = scenes::Scene { name: "compass", state, laws, period: 1.0 };
    let error = |steps: u32| {
        let (ledger, _) =
            booked(&scene, Integrator::by_name("leapfrog").unwrap(), 2.0 / f64::from(steps), steps);
        assert!(ledger.entries()[0].work.si() > 0.1, "the field turns the needle: {ledger:?}");
        (ledger.numerical_error().si().abs(), ledger.unbooked().si().abs())
    };
    let ((coarse, _), (fine, unbooked)) = (error(200), error(400));
    let order = libm::log2(coarse / fine);
    assert!((order - 2.0).abs() < 0.1, "measured {order:.2}");
    // Turning about a principal axis, the free rotation is exact: nothing but rounding is unbooked.
    assert!(unbooked < 400.0 * f64::EPSILON, "{unbooked:.1e}");
}

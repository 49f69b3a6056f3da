//! Steps and their errors: cases 20 and 25.

use super::{energies, joints, rolling};
use crate::exact::{kepler, pendulum_period, slope};
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{advance, centre_of_mass};
use gedanken_dynamics::integrate::{Control, INTEGRATORS};
use gedanken_dynamics::laws::Custom;
use gedanken_dynamics::{Integrator, OneD, Position, State, ThreeD, Velocity, scenes};
use gedanken_math::units::{Quantity, SECOND};
use gedanken_math::{Mat3, Pose, Vec3};
use gedanken_rigid::{Body, Simulation, World};
use std::f64::consts::PI;

/// Case 20: kick then drift keeps ½(v² + ω²x²) - ½hω²xv.
pub(crate) fn modified_energy(case: &mut CaseRun<'_>) {
    let (omega, h) = (1.3, 0.1);
    let target = || Target::of("largest change in a step").within(0.0, 1e-14);
    // Times of frames are multiples of the step; those of 1/8 s are exact, so that all steps are equally
    // long.
    let note = "10000 steps, ω h = 0.1625, h = 1/8: steps that times do not round";
    case.measure(Method::Lagrangian, [target().noting(note)], || {
        Ok([energies::modified_energy(omega, 0.125, 10_000.0)?])
    });
    let target = target().noting("10000 steps, ω h = 0.13");
    case.measure(Method::Integrator("symplectic-euler"), [target], || {
        let (mut stepper, mut state) =
            scenes::oscillator(omega).prepare(Integrator::by_name("symplectic-euler")?)?;
        let body = state.model().id("body")?;
        let modified = |s: &State| -> Result<f64, MeasureError> {
            let (x, v) = (s.get::<Position<OneD>>(body)?.si(), s.get::<Velocity<OneD>>(body)?.si());
            Ok(0.5 * (v * v + omega * omega * x * x) - 0.5 * h * omega * omega * x * v)
        };
        let (mut worst, mut before) = (0.0_f64, modified(&state)?);
        for _ in 0..10_000 {
            stepper.step(&mut state, h * SECOND)?;
            let after = modified(&state)?;
            worst = worst.max((after - before).abs());
            before = after;
        }
        Ok([worst])
    });
}

/// The error of a method on Kepler's problem, e = 0.2, after 5 units of time in so many steps.
fn kepler_error(integrator: &'static Integrator, steps: u32) -> Result<f64, MeasureError> {
    let (e, time) = (0.2, 5.0);
    let (mechanics, mut state) = scenes::kepler(e).mechanics(integrator)?;
    // An infinite tolerance accepts every step.
    let mut stepper = integrator.prepare_with_tolerance(&mechanics, f64::INFINITY)?;
    let h = time / f64::from(steps) * SECOND;
    match integrator.control {
        // Its steps are not equal; the error is taken where it ends up.
        Control::Reversible => {
            for _ in 0..steps {
                stepper.step(&mut state, h)?;
            }
        }
        Control::Fixed | Control::Embedded => stepper.run(&mut state, h, time * SECOND)?,
    }
    let planet = state.model().id("planet")?;
    let (r, v) = kepler(e, state.time().si());
    let (dr, dv) = (state.get::<Position>(planet)?.si() - r, state.get::<Velocity>(planet)?.si() - v);
    Ok((dr.length_squared() + dv.length_squared()).sqrt())
}

/// Steps fine enough for the leading term and coarse enough to stay above rounding.
fn steps(order: u32) -> [u32; 4] {
    match order {
        1 => [4000, 6000, 9000, 13_500],
        2 => [1000, 1500, 2250, 3400],
        4 => [500, 700, 1000, 1400],
        5 => [120, 160, 220, 300],
        6 => [120, 150, 190, 240],
        _ => [40, 46, 54, 64],
    }
}

/// The same of a rigid body that a law pulls to the origin.
fn rigid_kepler_error(method: Method, steps: u32) -> Result<f64, MeasureError> {
    let (e, time) = (0.2, 5.0);
    let (r, v) = kepler(e, 0.0);
    let planet = Body::shapeless(1.0, Mat3::IDENTITY, Pose::at(r)).with_velocity(v);
    let pull = Custom::<ThreeD>::new("pull", |body| {
        let r: Vec3 = body.position.si();
        Quantity::new(-r / (r.length_squared() * r.length()))
    });
    let world = World::new([("planet", planet)], [])?.with_laws(pull);
    let mut run = Simulation::new(world, method.settings()?)?;
    let id = run.world().id("planet")?;
    advance(&mut run, time / f64::from(steps), steps as usize)?;
    let (r, v) = kepler(e, time);
    let (dr, dv) = (centre_of_mass(&run, id) - r, run.twist(id).linear - v);
    Ok((dr.length_squared() + dv.length_squared()).sqrt())
}

/// The distance of a pendulum on a hinge from its lowest point after a quarter of its period.
fn pendulum_error(method: Method, steps: u32) -> Result<f64, MeasureError> {
    let (mut run, bob) = joints::hinged(method)?;
    advance(&mut run, 0.25 * pendulum_period(1.0, PI / 2.0) / f64::from(steps), steps as usize)?;
    Ok(centre_of_mass(&run, bob).x.abs())
}

/// Order of errors in smooth motion, over four steps.
fn fitted(order: u32, error: impl Fn(u32) -> Result<f64, MeasureError>) -> Result<f64, MeasureError> {
    let mut points = Vec::new();
    for n in steps(order) {
        points.push((1.0 / f64::from(n), error(n)?));
    }
    Ok(slope(&points))
}

/// Case 25.
pub(crate) fn orders(case: &mut CaseRun<'_>) {
    for integrator in INTEGRATORS {
        let documented = f64::from(integrator.order);
        let tolerance = if integrator.order > 8 { 1.0 } else { 0.1 };
        let target = Target::of("order").within(documented, tolerance).noting("Kepler, e = 0.2, four steps");
        case.measure(Method::Integrator(integrator.name), [target], || {
            Ok([fitted(integrator.order, |n| kepler_error(integrator, n))?])
        });
    }
    for (method, order) in Method::VARIATIONAL.into_iter().zip([1, 2]) {
        let targets = [
            Target::of("order").noting("Kepler, e = 0.2, four steps"),
            Target::of("order on a joint").noting("pendulum, 90 degrees, four steps"),
        ];
        let targets = targets.map(|target| target.within(f64::from(order), 0.1));
        case.measure(method, targets, || {
            let free = fitted(order, |n| rigid_kepler_error(method, n))?;
            Ok([free, fitted(order, |n| pendulum_error(method, n))?])
        });
    }
    rolling::orders(case);
}

//! Steps and their errors: cases 20 and 25.

use super::{energies, joints, rolling};
use crate::exact::{kepler, pendulum_period, slope};
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{advance, centre_of_mass};
use gedanken_dynamics::integrate::{Control, INTEGRATORS};
use gedanken_dynamics::laws::{Custom, Laws};
use gedanken_dynamics::{
    Components, Integrator, Mass, Mechanics, OneD, Position, State, ThreeD, Velocity, scenes,
};
use gedanken_math::linalg::Complex;
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

/// Damping c, field b and frequency ω of z̈ + (c + ib) ż + ω² z = 0, the motion z = x + iy of a charge on a spring in
/// a magnetic field with linear drag, from z = 1 at rest.
const SPIRAL: [f64; 3] = [0.4, 3.0, 2.0];

/// Place and velocity on the spiral: z = (s₂ e^(s₁t) - s₁ e^(s₂t))/(s₂ - s₁) with the roots s of s² + (c + ib)s + ω².
fn spiral(t: f64) -> [Complex; 2] {
    let [c, b, omega] = SPIRAL;
    let polar = |size: f64, angle: f64| {
        let (sin, cos) = libm::sincos(angle);
        Complex::new(size * cos, size * sin)
    };
    let half = Complex::new(-0.5 * c, -0.5 * b);
    let square = half * half - Complex::from(omega * omega);
    let root = polar(square.size().sqrt(), 0.5 * square.angle());
    let (s1, s2) = (half + root, half - root);
    let exp = |s: Complex| polar(libm::exp(s.re * t), s.im * t);
    let (e1, e2) = (exp(s1), exp(s2));
    [(s2 * e1 - s1 * e2) / (s2 - s1), s1 * s2 * (e1 - e2) / (s2 - s1)]
}

/// The error of a method on the spiral after two units of time, or so many steps.
fn spiral_error(integrator: &'static Integrator, steps: u32) -> Result<f64, MeasureError> {
    let [c, b, omega] = SPIRAL;
    let force = Custom::<ThreeD>::new("spring, field and drag", move |body| {
        let (r, v): (Vec3, Vec3) = (body.position.si(), body.velocity.si());
        Quantity::new(r * (-omega * omega) + v.cross(Vec3::Z) * b - v * c)
    });
    let model = scenes::point_masses::<ThreeD>(Components::atoms(["charge"])?);
    let model = integrator.equip::<ThreeD>(model);
    let (mut state, charge) = (model.state(), model.id("charge")?);
    state.set::<Position>(charge, Quantity::new(Vec3::X))?;
    state.set::<Velocity>(charge, Quantity::new(Vec3::ZERO))?;
    state.set::<Mass>(charge, Quantity::new(1.0))?;
    let mechanics = Mechanics::new(&model, Laws::of(force))?;
    let mut stepper = integrator.prepare_with_tolerance(&mechanics, f64::INFINITY)?;
    for _ in 0..steps {
        stepper.step(&mut state, Quantity::new(2.0 / f64::from(steps)))?;
    }
    let [z, rate] = spiral(state.time().si());
    let (r, v) = (state.get::<Position>(charge)?.si(), state.get::<Velocity>(charge)?.si());
    let (dr, dv) = (r - Vec3::new(z.re, z.im, 0.0), v - Vec3::new(rate.re, rate.im, 0.0));
    Ok((dr.length_squared() + dv.length_squared()).sqrt())
}

/// The orders that the registry states beside that for forces of position.
fn further_orders(case: &mut CaseRun<'_>, integrator: &'static Integrator) {
    let method = Method::Integrator(integrator.name);
    let claimed = |order: u32| f64::from(order);
    let velocities = claimed(integrator.order_with_velocities);
    let target = Target::of("order with velocities")
        .within(velocities, 0.1)
        .noting("spring, magnetic field and drag, four steps");
    case.measure(method, [target], || {
        Ok([fitted_over(spiral_steps(integrator.order), |n| spiral_error(integrator, n))?])
    });
    if let Some(order) = integrator.order_on_joints {
        let target = Target::of("order on a joint").within(claimed(order), 0.1);
        case.measure(method, [target.noting("pendulum, 90 degrees, four steps")], || {
            Ok([fitted(order, |n| pendulum_error(method, n))?])
        });
    }
    if let Some(order) = integrator.order_in_contact {
        rolling::order_in_contact(case, method, order);
    }
}

/// Steps for the spiral, which is smoother than Kepler's problem.
fn spiral_steps(order: u32) -> [u32; 4] {
    match order {
        5 => [120, 160, 220, 300],
        6 => [40, 50, 62, 78],
        8.. => [20, 24, 29, 35],
        order => steps(order),
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
    })
    .without_velocity();
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
    fitted_over(steps(order), error)
}

fn fitted_over(
    steps: [u32; 4],
    error: impl Fn(u32) -> Result<f64, MeasureError>,
) -> Result<f64, MeasureError> {
    let mut points = Vec::new();
    for n in steps {
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
        further_orders(case, integrator);
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

//! Orbits: cases 21, 22 and 23.

use super::energies;
use super::rotation::{growth, rounding};
use crate::experiment_run::ExperimentRun;
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::farthest;
use gedanken_dynamics::diagnostics::{angular_momentum, total_energy};
use gedanken_dynamics::integrate::{Control, INTEGRATORS};
use gedanken_dynamics::{ComponentId, Integrator, Position, State, Velocity, scenes};
use gedanken_math::Vec3;
use gedanken_math::units::SECOND;
use std::f64::consts::PI;

fn motion(state: &State, body: ComponentId) -> Result<(Vec3, Vec3), MeasureError> {
    Ok((state.get::<Position>(body)?.si(), state.get::<Velocity>(body)?.si()))
}

/// Angle from one farthest point to the next nearest, by an integrator with event location.
fn apsidal_angle(n: f64) -> Result<f64, MeasureError> {
    // The correction for an excess of speed is of second order in it.
    let (mut stepper, mut state) =
        scenes::power_law(n, 1e-4).prepare(Integrator::by_name("dormand-prince")?)?;
    let body = state.model().id("body")?;
    let radial = |s: &State| motion(s, body).map_or(f64::NAN, |(r, v)| r.dot(v));
    let (h, end) = (0.05 * SECOND, 100.0 * SECOND);
    let far = stepper.locate(&mut state, h, end, |s| -radial(s))?.ok_or("it has no farthest point")?;
    let near = stepper.locate(&mut state, h, end, radial)?.ok_or("it has no nearest point")?;
    let ((a, _), (b, _)) = (motion(&far.state, body)?, motion(&near.state, body)?);
    Ok(libm::atan2(a.cross(b).z, a.dot(b)).rem_euclid(2.0 * PI))
}

/// Case 21.
pub(crate) fn apsidal_angles(case: &mut CaseRun<'_>) {
    for (n, name) in [(-2.0, "newton"), (-1.0, "line"), (1.0, "spring")] {
        let target =
            || Target::of(format!("apsidal angle, rad, n = {n}")).near(PI / libm::sqrt(n + 3.0), 1e-5);
        case.measure(Method::Contexts, [target().noting("apsidal_angles.lab")], || {
            Ok([ExperimentRun::of_gallery("apsidal_angles", &[])?
                .measure(&format!("apsidal_angle_of_{name}"))?])
        });
        case.measure(Method::Lagrangian, [target().noting("polar coordinates, tolerance 1e-13")], || {
            Ok([energies::apsidal_angle(n)?])
        });
        let adaptive = Method::Integrator("dormand-prince");
        case.measure(adaptive, [target().noting("tolerance 1e-10")], || Ok([apsidal_angle(n)?]));
    }
}

/// Conserved quantities of the Kepler problem: energy, angular momentum, Runge-Lenz vector.
struct Kept {
    energy: f64,
    momentum: Vec3,
    lenz: Vec3,
}

/// Relative errors of E and L and error of the Runge-Lenz vector after a period of equal steps.
fn errors(integrator: &'static Integrator, steps: u32) -> Result<[f64; 3], MeasureError> {
    let scene = scenes::kepler(0.6);
    let (mechanics, mut state) = scene.mechanics(integrator)?;
    let mut stepper = integrator.prepare_with_tolerance(&mechanics, f64::INFINITY)?;
    let planet = state.model().id("planet")?;
    let kept = |s: &State| -> Result<Kept, MeasureError> {
        let (r, v) = motion(s, planet)?;
        let lenz = v.cross(r.cross(v)) - r / r.length();
        Ok(Kept { energy: total_energy(s, &scene.laws)?.si(), momentum: angular_momentum(s)?.si(), lenz })
    };
    let before = kept(&state)?;
    stepper.run(&mut state, 2.0 * PI / f64::from(steps) * SECOND, 2.0 * PI * SECOND)?;
    let after = kept(&state)?;
    Ok([
        (after.energy / before.energy - 1.0).abs(),
        (after.momentum - before.momentum).length() / before.momentum.length(),
        (after.lenz - before.lenz).length(),
    ])
}

/// Growth of the largest energy error from the first half of the periods to the second.
fn drift(integrator: &'static Integrator, periods: u32) -> Result<f64, MeasureError> {
    let scene = scenes::kepler(0.6);
    let (mut stepper, mut state) = scene.prepare(integrator)?;
    let before = total_energy(&state, &scene.laws)?.si();
    let (steps, mut worst) = (1000 * periods, [0.0_f64; 2]);
    for k in 0..steps {
        stepper.step(&mut state, 2.0 * PI / 1000.0 * SECOND)?;
        let half = &mut worst[usize::from(k >= steps / 2)];
        *half = half.max((total_energy(&state, &scene.laws)?.si() - before).abs());
    }
    Ok(growth(worst.map(|error| error / before.abs())))
}

/// Case 22. Stated for every method: halving the step divides the errors by 2ᵖ; methods made of central kicks
/// and drifts keep L to rounding; the energy error of symplectic methods does not grow.
pub(crate) fn kepler(case: &mut CaseRun<'_>) {
    let targets = |note: &str| {
        [
            Target::of("energy after / before").near(1.0, 1e-6),
            Target::of("Laplace vector along x").near(0.6, 1e-6),
            Target::of("Laplace vector along y").within(0.0, 1e-6),
        ]
        .map(|target| target.noting(note))
    };
    case.measure(Method::Contexts, targets("kepler.lab, 5 years"), || {
        let experiment = ExperimentRun::of_gallery("kepler", &[])?;
        let energy = experiment.measure("energy")? / (-2.0 * PI * PI);
        Ok([
            energy,
            experiment.measure("laplace_vector_along_x")?,
            experiment.measure("laplace_vector_along_y")?,
        ])
    });
    let note = "T and V, 5 periods, tolerance 1e-10";
    case.measure(Method::Lagrangian, targets(note), || energies::kepler(0.6));
    // Reversible methods choose their own steps, so that halving the step says nothing about them.
    let periods = case.choose(100, 10);
    for integrator in INTEGRATORS.into_iter().filter(|it| it.control != Control::Reversible) {
        let method = Method::Integrator(integrator.name);
        let note = "1000 steps a period";
        let targets = [
            Target::of("energy error after a period, part").noting(note),
            Target::of("Runge-Lenz error after a period").noting(note),
            // At least half an order less than promised, or at the floor of rounding.
            Target::of("order by which they fall, less p; at least -½")
                .within(0.0, 0.5)
                .noting("1000 and 2000 steps"),
        ];
        case.measure(method, targets, || {
            let (coarse, fine) = (errors(integrator, 1000)?, errors(integrator, 2000)?);
            let sum = |e: [f64; 3]| e[0] + e[2];
            let order = libm::log2(sum(coarse) / sum(fine)) - f64::from(integrator.order);
            let floor = sum(fine) < 1e-11;
            Ok([coarse[0], coarse[2], if floor { 0.0 } else { order.min(0.0) }])
        });
        if integrator.splits() {
            let target = Target::of("change of L after a period, part").within(0.0, 1e-12).noting(note);
            case.measure(method, [target], || Ok([errors(integrator, 1000)?[1]]));
        }
        if integrator.symplectic && integrator.control == Control::Fixed {
            let target = Target::of("growth of the largest energy error, part")
                .within(0.0, rounding(1000 * periods as usize))
                .long();
            let target = target.noting(format!(
                "{periods} periods of 1000 steps, second half against first; rounding allowed"
            ));
            case.measure(method, [target], || Ok([drift(integrator, periods)?]));
        }
    }
}

/// Case 23.
pub(crate) fn figure_eight(case: &mut CaseRun<'_>) {
    for name in ["yoshida6", "yoshida8", "dormand-prince"] {
        let target = Target::of("distance from the start after a period").within(0.0, 1e-6);
        case.measure(Method::Integrator(name), [target.noting("2000 steps")], || {
            let scene = scenes::figure_eight();
            let (mut stepper, mut state) = scene.prepare(Integrator::by_name(name)?)?;
            let start = state.clone();
            stepper.run(&mut state, scene.period / 2000.0 * SECOND, scene.period * SECOND)?;
            let mut gaps = Vec::new();
            for id in state.model().components().iter() {
                gaps.push((motion(&state, id)?.0 - motion(&start, id)?.0).length());
            }
            Ok([farthest(gaps, 0.0)])
        });
    }
    let target = Target::of("distance from the start after a period").within(0.0, 1e-6);
    case.measure(Method::Lagrangian, [target.noting("figure_eight.lab, yoshida8, 2000 steps")], || {
        Ok([energies::figure_eight()?])
    });
}

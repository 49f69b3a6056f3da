//! Bodies that lie on soft contacts: cases 12 and 24.

use super::scene::{CONES, Floor, INTEGRATORS, advance, place, softness};
use crate::exact::G;
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::farthest;
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::constraints::rows::RowKind;
use gedanken_multibody::model::{Cone, ContactDimension};
use gedanken_multibody::simulation::Simulation;

/// Case 24.
pub(crate) fn landing(case: &mut CaseRun<'_>) {
    let (d, time_constant) = (0.9, 0.02);
    let exact = G * (1.0 - d) * time_constant * time_constant;
    for (name, integrator) in INTEGRATORS {
        let target = Target::of(format!("penetration, m, {name}"))
            .near(exact, 1e-6)
            .noting("worst of 1 g, 1 kg and 1 t; h = 1/500");
        case.measure(Method::Soft, [target], || {
            let mut found = Vec::new();
            for mass in [1e-3, 1.0, 1e3] {
                let floor = Floor::new(Cone::Elliptic, 2e-3, 0.0, 1.0, softness(d, time_constant));
                let mut run = floor
                    .with_ball(0.1, mass)
                    .changed(|description| {
                        description.settings.integrator = integrator;
                        for geom in &mut description.geoms {
                            geom.surface.dimension = ContactDimension::Frictionless;
                        }
                    })
                    .run()?;
                advance(&mut run, 3.0)?;
                found.push(0.1 - place(&run, 0).z);
            }
            Ok([farthest(found, exact)])
        });
    }
}

/// Unit boxes of 1 kg on top of each other.
const STIFFNESS: (f64, f64) = (0.95, 0.02);
const STEP: f64 = 2e-3;
const FRICTION: f64 = 0.5;

fn stack(cone: Cone, count: usize) -> Result<Simulation, MeasureError> {
    let mut floor = Floor::new(cone, STEP, 0.0, FRICTION, softness(STIFFNESS.0, STIFFNESS.1));
    for level in 0..count {
        floor = floor.with_box(Vec3::ONE, 1.0, Pose::at(Vec3::Z * (0.5 + level as f64)));
    }
    floor.run()
}

/// Normal forces by level, from below.
fn forces(run: &Simulation, count: usize) -> Vec<f64> {
    let mut levels = vec![0.0; count];
    let dynamics = run.dynamics();
    for block in &dynamics.rows.blocks {
        let forces = &dynamics.solver.forces[block.first..block.first + block.count];
        let normal = if block.kind == RowKind::Elliptic { forces[0] } else { forces.iter().sum() };
        let below = dynamics.contacts[block.owner].geoms[0].index();
        levels[below.min(count - 1)] += normal;
    }
    levels
}

/// Four contacts share the weight N above: N/4 = D k d r, with the inverse masses of both bodies in D.
fn sink(cone: Cone, level: usize, count: usize) -> f64 {
    let (d, time_constant) = STIFFNESS;
    let bodies = if level == 0 { 1.0 } else { 2.0 };
    let carried = (count - level) as f64;
    let elliptic = carried / 4.0 * bodies * G * (1.0 - d) * time_constant * time_constant;
    match cone {
        Cone::Elliptic => elliptic,
        // Each of n edges has R = ½ n μ² (1 + μ²) R₀, and all push along the normal.
        Cone::Pyramid { .. } => elliptic * 0.5 * FRICTION * FRICTION * (1.0 + FRICTION * FRICTION),
    }
}

/// Case 12.
pub(crate) fn stacks(case: &mut CaseRun<'_>) {
    let seconds = case.choose(20.0, 5.0);
    for (name, cone) in [CONES[0], CONES[1]] {
        for count in [10, 20, 50] {
            let targets = [
                Target::of(format!("force / ((N - j) m g), worst level, N = {count}, {name}"))
                    .near(1.0, 1e-3),
                Target::of(format!("sink / closed form, worst level, N = {count}, {name}")).near(1.0, 1e-3),
                Target::of(format!("way aside, m, N = {count}, {name}")).within(0.0, 1e-3),
            ];
            let note = format!("after {seconds} s, d 0.95, 20 ms, h = 1/500");
            let targets = targets.map(|target| target.long().noting(note.clone()));
            case.measure(Method::Soft, targets, || {
                let mut run = stack(cone, count)?;
                advance(&mut run, seconds)?;
                run.evaluate()?;
                let ratios = forces(&run, count).into_iter().enumerate();
                let ratios = ratios.map(|(level, force)| force / (G * (count - level) as f64));
                let height = |level: usize| place(&run, level).z;
                let sinks = (0..count).map(|level| {
                    let sunk =
                        if level == 0 { 0.5 - height(0) } else { 1.0 + height(level - 1) - height(level) };
                    sunk / sink(cone, level, count)
                });
                let aside = (0..count)
                    .fold(0.0_f64, |worst, level| worst.max(place(&run, level).truncate().length()));
                Ok([farthest(ratios, 1.0), farthest(sinks, 1.0), aside])
            });
        }
    }
}

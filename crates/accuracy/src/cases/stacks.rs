//! Stacks: cases 12 and 13.

use super::soft;
use crate::exact::G;
use crate::measurement::{CaseRun, MeasureError, Target};
use crate::method::Method;
use crate::rigid_scene::{JACOBI, RigidScene, STEP, brick, centre_of_mass, farthest};
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::Simulation;

/// Unit boxes on top of each other, with these masses from below, exactly touching.
fn stack(method: Method, masses: &[f64]) -> Result<Simulation, MeasureError> {
    let mut scene = RigidScene::new(0.0, 0.5).on_ground(0.0)?;
    for (j, mass) in masses.iter().enumerate() {
        let body = brick(Vec3::ONE, Pose::at(at(j)))?.with_mass(*mass);
        scene = scene.with(format!("box {j}"), body);
    }
    scene.run(method)
}

fn at(level: usize) -> Vec3 {
    Vec3::Z * (0.5 + level as f64)
}

/// Motion of a stack in some seconds.
struct Stood {
    /// The worst ratio of the force under a box to the weight above.
    force: f64,
    /// The largest way of a box from its place, at any time.
    drift: f64,
}

fn stand(method: Method, masses: &[f64], seconds: usize) -> Result<Stood, MeasureError> {
    let mut run = stack(method, masses)?;
    let ids =
        (0..masses.len()).map(|j| run.world().id(&format!("box {j}"))).collect::<Result<Vec<_>, _>>()?;
    let ground = run.world().id("ground")?;
    let mut drift = 0.0_f64;
    for _ in 0..240 * seconds {
        run.step(STEP)?;
        for (j, id) in ids.iter().enumerate() {
            drift = drift.max((centre_of_mass(&run, *id) - at(j)).length());
        }
    }
    let below = |j: usize| if j == 0 { ground } else { ids[j - 1] };
    let force = |j: usize| {
        let pair = [below(j).row() as u32, ids[j].row() as u32];
        let between = run.contacts().touches.iter().filter(|it| pair.contains(&it.a) && pair.contains(&it.b));
        between.fold(0.0, |sum, touch| sum + touch.impulse().z.abs()) / STEP
    };
    let ratio = |j: usize| force(j) / (G * masses[j..].iter().sum::<f64>());
    Ok(Stood { force: farthest((0..masses.len()).map(ratio), 1.0), drift })
}

/// Case 12.
pub(crate) fn equal(case: &mut CaseRun<'_>) {
    let seconds = case.choose(60, 2);
    for method in Method::solvers() {
        for n in [10, 20, 50] {
            let note = format!("{seconds} s, h = 1/240");
            let targets = [
                Target::of(format!("force / ((N - j) m g), worst level, N = {n}")).near(1.0, 1e-3),
                Target::of(format!("drift, m, N = {n}")).within(0.0, 1e-3),
            ];
            let [force, drift] = targets.map(|target| target.long().noting(note.clone()));
            // Of ten boxes even a few passes find the forces in time; but the stack has sunk until then.
            let targets = [force.claimed(method != JACOBI || n == 10), drift.claimed(method != JACOBI)];
            case.measure(method, targets, || {
                let Stood { force, drift } = stand(method, &vec![1.0; n], seconds)?;
                Ok([force, drift])
            });
        }
    }
    soft::stacks(case);
}

/// Case 13.
pub(crate) fn heavy_on_light(case: &mut CaseRun<'_>) {
    let seconds = case.choose(10, 1);
    for method in Method::solvers() {
        let target = Target::of("largest k that stands").long();
        let target = target
            .noting(format!("force to 1e-3, drift under 1 mm in {seconds} s, h = 1/240; tried to k = 9"));
        case.measure(method, [target], || {
            let mut largest = -1.0;
            for k in 0..10 {
                let stood = stand(method, &[1.0, libm::pow(10.0, f64::from(k))], seconds)?;
                if (stood.force - 1.0).abs() > 1e-3 || stood.drift > 1e-3 {
                    break;
                }
                largest = f64::from(k);
            }
            Ok([largest])
        });
    }
}

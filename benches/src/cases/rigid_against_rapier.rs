//! Piles, heaps, stacks and chains against rapier3d-f64 at its defaults: the same scene and step, no sleep,
//! one thread; and how well either side did, from the final poses.

use super::Outcome;
use crate::clock::{Times, seconds};
use crate::ours::rigid::Settings;
use crate::peers::rapier::Rapier;
use crate::rigid::ours::Ours;
use crate::rigid::{End, Runner, Scene, links, quality, scenes};
use crate::table::Row;

/// What four times as many spheres may cost at most.
const GROWTH: f64 = 6.0;
const REPETITIONS: usize = 3;

/// Both sides' times and where the bodies ended.
struct Duel {
    ours: Times,
    theirs: Times,
    ends: [Vec<End>; 2],
}

fn timed(runner: &mut dyn Runner, steps: usize) -> Result<f64, String> {
    let mut outcome = Ok(());
    let spent = seconds(|| outcome = (0..steps).try_for_each(|_| runner.step()));
    outcome.map(|()| spent)
}

fn duel(scene: &Scene) -> Result<Duel, String> {
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    let mut ends = [Vec::new(), Vec::new()];
    for _ in 0..REPETITIONS {
        let mut here = Ours::new(scene)?;
        ours.push(timed(&mut here, scene.steps)?);
        let mut there = Rapier::new(scene);
        theirs.push(timed(&mut there, scene.steps)?);
        ends = [here.ends(), there.ends()];
    }
    Ok(Duel { ours, theirs, ends })
}

fn row(scene: &Scene, duel: &Duel, sound: bool, remark: String) -> Row {
    Row {
        case: scene.name.clone(),
        peer: "rapier3d-f64".into(),
        unit: "body steps/s",
        amount: (scene.solids.iter().filter(|solid| !solid.fixed).count() * scene.steps) as f64,
        ours: duel.ours.clone(),
        theirs: duel.theirs.clone(),
        target: Some(1.0),
        sound,
        remark,
    }
}

pub fn run() -> Outcome {
    let one_thread =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;
    one_thread.install(all)
}

fn all() -> Outcome {
    let mut rows = Vec::new();
    let slop = Settings::default().slop;
    let mut thousand: Option<Times> = None;
    for scene in [scenes::spheres(1_000), scenes::spheres(4_000), scenes::heap(1_000)] {
        let duel = duel(&scene)?;
        let [ours, theirs] = [0, 1].map(|side| quality::overlap(&scene, &duel.ends[side]));
        let remark = format!("largest overlap {:.2} mm, theirs {:.2} mm", 1e3 * ours, 1e3 * theirs);
        rows.push(row(&scene, &duel, ours <= theirs.max(10.0 * slop), remark));
        match thousand.take() {
            None if rows.len() == 1 => thousand = Some(duel.ours.clone()),
            Some(thousand) => {
                let mut fourfold = Times::default();
                fourfold.push(4.0 * thousand.best());
                let grown = format!(
                    "{:.2} times the time of 1,000; the limit is {GROWTH}",
                    duel.ours.best() / thousand.best()
                );
                rows.push(Row {
                    peer: "ours, a quarter".into(),
                    theirs: fourfold,
                    target: Some(4.0 / GROWTH),
                    ..row(&scene, &duel, true, grown)
                });
            }
            None => {}
        }
    }
    let scene = scenes::pyramid(20);
    let fight = duel(&scene)?;
    let [ours, theirs] = [0, 1].map(|side| quality::overlap(&scene, &fight.ends[side]));
    let remark = format!("largest overlap {:.3} mm (limit 1), theirs {:.3} mm", 1e3 * ours, 1e3 * theirs);
    rows.push(row(&scene, &fight, ours < 1e-3, remark));

    let scene = scenes::stack(20);
    let fight = duel(&scene)?;
    let [(sunk, drift), (sunk_there, drift_there)] =
        [0, 1].map(|side| quality::stack(&scene, &fight.ends[side]));
    let remark = format!(
        "after 5 s sunk {:.3} mm (limit 10), gone sideways {:.4} mm (limit 1); theirs {:.1} mm, {:.3} mm",
        1e3 * sunk,
        1e3 * drift,
        1e3 * sunk_there,
        1e3 * drift_there
    );
    rows.push(row(&scene, &fight, sunk.abs() < 1e-2 && drift < 1e-3, remark));
    rows.push(chain()?);
    Ok(rows)
}

fn chain() -> Result<Row, String> {
    let count = 100;
    let short = scenes::chain(count, 240);
    let (mut here, mut there) = (Ours::new(&short)?, Rapier::new(&short));
    timed(&mut here, short.steps)?;
    timed(&mut there, short.steps)?;
    let reference = links::tip(count, scenes::LINK, 1.0, 4_000);
    let coarser = links::tip(count, scenes::LINK, 1.0, 2_000);
    let off =
        [here.ends(), there.ends()].map(|ends| (quality::tip(&ends, scenes::LINK.x) - reference).length());
    let scene = scenes::chain(count, 1_200);
    let start = Ours::new(&scene)?.ends();
    let fight = duel(&scene)?;
    let scale = quality::energy(&scene, &start) - lowest(&scene);
    let lost = [0, 1]
        .map(|side| (quality::energy(&scene, &fight.ends[side]) - quality::energy(&scene, &start)) / scale);
    let apart = [0, 1].map(|side| quality::joint_error(&scene, &fight.ends[side]));
    let remark = format!(
        "tip after 1 s off by {:.2} cm (limit 5; reference settled to {:.0e} m), theirs {:.1} cm; joints apart {:.1e} m (limit \
         1e-6), theirs {:.1e} m; energy after 5 s {:+.3} % (limit 0.5), theirs {:+.2} %",
        1e2 * off[0],
        (reference - coarser).length(),
        1e2 * off[1],
        apart[0],
        apart[1],
        1e2 * lost[0],
        1e2 * lost[1]
    );
    let sound = off[0] < 0.05 && apart[0] < 1e-6 && lost[0].abs() < 5e-3;
    Ok(row(&scene, &fight, sound, remark))
}

/// The energy of the chain hanging straight down at rest: what it can lose.
fn lowest(scene: &Scene) -> f64 {
    let hanging: Vec<End> = scene
        .solids
        .iter()
        .map(|solid| End {
            at: crate::ours::Vec3::new(0.0, 0.0, -solid.at.x),
            turned: crate::ours::Quat::IDENTITY,
            velocity: crate::ours::Vec3::ZERO,
            spin: crate::ours::Vec3::ZERO,
        })
        .collect();
    quality::energy(scene, &hanging)
}

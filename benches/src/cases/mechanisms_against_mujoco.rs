//! Articulated bodies with soft constraints against MuJoCo, one thread: a figure that falls and lies (Newton), a
//! chain of ball joints (no constraints), a pile of balls (conjugate gradients).
//!
//! Both read the same model and begin in the same state, which MuJoCo has reached. Accelerations are compared by
//! their certificate, the bound of their error in the norm of M: ours stops at 1e-9, and MuJoCo gets the largest
//! tolerance with which its worst step is as good. Figure and pile are timed while they fall and after they came
//! to lie, for warm starts save most of the work of the latter.

use super::Outcome;
use crate::clock::{PartTimes, Times, seconds};
use crate::mechanisms::{CERTIFICATE, FIGURE, chain, pile, put, simulation};
use crate::ours::multibody::simulation::Simulation;
use crate::peers::mujoco::Mujoco;
use crate::table::Row;

/// Tolerances that MuJoCo is tried with.
const TOLERANCES: [f64; 9] = [1e-8, 1e-10, 1e-12, 1e-14, 1e-16, 1e-17, 1e-18, 1e-19, 1e-20];
/// How far coordinates of a chain may be apart after its steps.
const SAME: f64 = 1e-8;

/// Something to be timed.
struct Scene {
    name: String,
    model: String,
    /// Steps before the clock runs.
    before: usize,
    steps: usize,
    /// Steps that are timed together.
    chunk: usize,
    repetitions: usize,
    target: f64,
}

pub fn run() -> Outcome {
    let figure = |what: &str, before: usize| Scene {
        name: format!("figure of 27 velocities, {what}"),
        model: FIGURE.into(),
        before,
        steps: 300,
        chunk: 20,
        repetitions: 30,
        target: 1.5,
    };
    let balls = |what: &str, before: usize| Scene {
        name: format!("500 balls by conjugate gradients, {what}"),
        model: pile(500),
        before,
        steps: 20,
        chunk: 1,
        repetitions: 20,
        target: 1.5,
    };
    let mut rows = Vec::new();
    for scene in [figure("falling", 0), figure("lying", 2000), balls("falling", 40), balls("lying", 400)] {
        rows.push(against_certificate(&scene)?);
    }
    rows.extend(chains()?);
    Ok(rows)
}

/// Seconds of each chunk of the scene's steps.
fn timed(run: &mut Simulation, start: &[f64], steps: usize, chunk: usize) -> Result<Vec<f64>, String> {
    put(run, start)?;
    let mut failed = Ok(());
    let mut parts = Vec::with_capacity(steps / chunk);
    for _ in 0..steps / chunk {
        parts.push(seconds(|| {
            for _ in 0..chunk {
                if let Err(error) = run.step() {
                    failed = Err(error.to_string());
                }
            }
        }));
    }
    failed.map(|()| parts)
}

fn against_certificate(scene: &Scene) -> Result<Row, String> {
    let Scene { steps, chunk, .. } = *scene;
    let mut peer = Mujoco::start(&scene.model)?;
    let start = peer.go_to(scene.before)?;
    let mut run = simulation(&scene.model)?;
    put(&mut run, &start)?;
    let (mut worst, mut iterations, mut constraints) = (0.0, 0, 0);
    for _ in 0..steps {
        run.step().map_err(|error| error.to_string())?;
        worst = f64::max(worst, run.dynamics().solution.certificate);
        iterations += run.dynamics().solution.iterations;
        constraints += run.dynamics().rows.len();
    }
    let (mut tolerance, mut reached) = (TOLERANCES[0], f64::INFINITY);
    for tried in TOLERANCES {
        (tolerance, reached) = (tried, peer.certificate(tried, steps)?);
        if reached <= CERTIFICATE {
            break;
        }
    }
    let (mut ours, mut theirs) = (PartTimes::default(), PartTimes::default());
    for _ in 0..scene.repetitions {
        theirs.push(peer.steps(tolerance, steps, chunk)?);
        ours.push(timed(&mut run, &start, steps, chunk)?);
    }
    let (ours, theirs) = (ours.totals(), theirs.totals());
    let each = |times: &Times| times.best() / steps as f64 * 1e6;
    Ok(Row {
        case: scene.name.clone(),
        peer: peer.name(),
        unit: "steps/s",
        amount: steps as f64,
        target: Some(scene.target),
        sound: worst <= CERTIFICATE && peer.freedoms == run.model().freedoms(),
        remark: format!(
            "{:.1} µs a step, theirs {:.1}; worst certificate {worst:.0e}, theirs {reached:.0e} with tolerance \
             {tolerance:.0e}; {:.1} rows, {:.1} iterations",
            each(&ours),
            each(&theirs),
            constraints as f64 / steps as f64,
            iterations as f64 / steps as f64,
        ),
        ours,
        theirs,
    })
}

/// A chain against MuJoCo, and how time grows with its length.
fn chains() -> Result<Vec<Row>, String> {
    const STEPS: usize = 100;
    const LINKS: usize = 100;
    const LONGER: usize = 4;
    let model = chain(LINKS);
    let mut peer = Mujoco::start(&model)?;
    let start = peer.go_to(20)?;
    let (mut short, mut long) = (simulation(&model)?, simulation(&chain(LONGER * LINKS))?);
    let mut long_start = vec![long.state().time];
    for list in [&long.state().coordinates, &long.state().velocities, &long.state().warm_start] {
        long_start.extend(list);
    }
    let mut times: [PartTimes; 3] = Default::default();
    let [ours, theirs, longer] = &mut times;
    for _ in 0..10 {
        theirs.push(peer.steps(1e-12, STEPS, 10)?);
        ours.push(timed(&mut short, &start, STEPS, 10)?);
        longer.push(timed(&mut long, &long_start, STEPS, 10)?);
    }
    let end = peer.end(STEPS)?;
    let apart = end.iter().zip(&short.state().coordinates).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    let [ours, theirs, longer] = times.map(|parts| parts.totals());
    let each = |times: &Times| times.best() / STEPS as f64 * 1e6;
    let against = Row {
        case: format!("chain of {LINKS} ball joints"),
        peer: peer.name(),
        unit: "steps/s",
        amount: STEPS as f64,
        target: Some(20.0),
        sound: apart <= SAME,
        remark: format!(
            "{:.1} µs a step, theirs {:.1}; coordinates by {apart:.0e} after {STEPS} steps",
            each(&ours),
            each(&theirs)
        ),
        ours: ours.clone(),
        theirs,
    };
    let growth = Row {
        case: format!("chain of {} ball joints, links", LONGER * LINKS),
        peer: format!("ours, {LINKS} links"),
        unit: "links/s",
        amount: (STEPS * LONGER * LINKS) as f64,
        target: Some(1.0 / 1.2),
        sound: long.state().coordinates.iter().all(|x| x.is_finite()),
        remark: format!(
            "{:.3} µs a link, {:.3} in the shorter chain",
            each(&longer) / (LONGER * LINKS) as f64,
            each(&ours) / LINKS as f64
        ),
        theirs: ours.scaled(LONGER as f64),
        ours: longer,
    };
    Ok(vec![against, growth])
}

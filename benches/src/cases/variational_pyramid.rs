//! A pyramid of 55 boxes at 240 Hz, solved to rounding by `variational`, against ourselves by `gauss-seidel`,
//! which stops at a tolerance; one thread. A step of the first solves one system for all boxes at once; it may
//! take twenty times as long. Steps that did not converge are counted, and none may.

use super::Outcome;
use crate::clock::{Times, seconds};
use crate::ours::rigid::Settings;
use crate::ours::rigid::variational::{Order, VariationalSettings};
use crate::rigid::ours::Ours;
use crate::rigid::{Runner as _, Scene, quality, scenes};
use crate::table::Row;

/// Boxes at the bottom.
const ROWS: usize = 10;
const REPETITIONS: usize = 3;
/// Part of the rate of `gauss-seidel` that is asked for.
const PART: f64 = 0.05;

pub fn run() -> Outcome {
    let one_thread =
        rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;
    one_thread.install(|| [Order::Second, Order::First].into_iter().map(against_gauss_seidel).collect())
}

fn against_gauss_seidel(order: Order) -> Result<Row, String> {
    let scene = scenes::pyramid(ROWS);
    let of_solver = |name: &str| Settings::of_solver(name).map_err(|error| error.to_string());
    let plain = of_solver("gauss-seidel")?;
    let exact = Settings {
        variational: VariationalSettings { order, ..VariationalSettings::default() },
        ..of_solver("variational")?
    };
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    let mut ends = None;
    for _ in 0..REPETITIONS {
        let there = Fallen::new(&scene, plain.clone())?;
        theirs.push(there.seconds);
        let here = Fallen::new(&scene, exact.clone())?;
        ours.push(here.seconds);
        ends = Some((here, there));
    }
    let Some((here, there)) = ends else { return Err("no repetitions".into()) };
    let steps = scene.steps as f64;
    Ok(Row {
        case: format!("{} at 240 Hz, variational, order {}", scene.name, order.number()),
        peer: "ours, gauss-seidel".into(),
        unit: "steps/s",
        amount: steps,
        target: Some(PART),
        sound: here.not_converged == 0 && here.overlap < 1e-6,
        remark: format!(
            "{:.0} steps/s, theirs {:.0}, which is 1/{:.1}; {} of {steps} steps not converged; at most {} iterations, \
             {:.1} in the mean; largest overlap {:.1e} m, theirs {:.1e} m",
            steps / ours.best(),
            steps / theirs.best(),
            ours.best() / theirs.best(),
            here.not_converged,
            here.most_iterations,
            here.iterations / steps,
            here.overlap,
            there.overlap,
        ),
        ours,
        theirs,
    })
}

/// A scene after all its steps.
struct Fallen {
    /// Of the steps alone.
    seconds: f64,
    not_converged: usize,
    /// The sum over all steps.
    iterations: f64,
    most_iterations: u32,
    /// The deepest at the end, m.
    overlap: f64,
}

impl Fallen {
    fn new(scene: &Scene, settings: Settings) -> Result<Self, String> {
        let mut run = Ours::with(scene, settings)?;
        let mut told =
            Self { seconds: 0.0, not_converged: 0, iterations: 0.0, most_iterations: 0, overlap: 0.0 };
        let mut outcome = Ok(());
        told.seconds = seconds(|| {
            outcome = (0..scene.steps).try_for_each(|_| {
                run.step()?;
                let report = run.report();
                told.not_converged += usize::from(!report.converged);
                told.iterations += f64::from(report.iterations);
                told.most_iterations = told.most_iterations.max(report.iterations);
                Ok::<(), String>(())
            });
        });
        outcome?;
        told.overlap = quality::overlap(scene, &run.ends());
        Ok(told)
    }
}

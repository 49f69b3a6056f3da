//! Newton's method and conjugate gradients, with either line search and any start, end in one minimum.

use crate::support::dice::Dice;
use crate::support::scenes::{CONES, apart, norm, problem, rows, scene, solve};
use gedanken_multibody::model::{Algorithm, LineSearch, SolverSettings, Stopping};

/// Settings that iterate until the certificate is reached, or rounding ends it.
fn settings(algorithm: Algorithm, line_search: LineSearch) -> SolverSettings {
    SolverSettings {
        algorithm,
        line_search,
        iterations: 20_000,
        stopping: Stopping::Certificate(5e-10),
        ..SolverSettings::default()
    }
}

#[test]
fn all_ways_end_in_one_minimum() {
    let ways = [
        settings(Algorithm::Newton, LineSearch::Exact),
        settings(Algorithm::Newton, LineSearch::Armijo),
        settings(Algorithm::ConjugateGradient, LineSearch::Exact),
        settings(Algorithm::ConjugateGradient, LineSearch::Armijo),
    ];
    let mut contacts = 0;
    for cone in CONES {
        for seed in 0..40 {
            let (model, state) = scene(seed, cone);
            let dynamics = rows(&model, &state);
            contacts += dynamics.contacts.len();
            let mut problem = problem(&model, &dynamics);
            let found = ways.map(|way| {
                problem.settings = way;
                let (solver, solution) = solve(&problem, None);
                // Conjugate gradients live on exact steps; with Armijo's they crawl at the end.
                let crawls = way == ways[3];
                let good = solution.converged || (crawls && solution.certificate < 1e-6);
                assert!(good, "{cone:?}, seed {seed}, {way:?}: {solution:?}");
                (solver.acceleration, if crawls { 1e-6 } else { 1e-8 })
            });
            let size = norm(&problem, &found[0].0);
            for (way, (other, limit)) in ways.iter().zip(&found) {
                let error = apart(&problem, &found[0].0, other) / size;
                assert!(error < *limit, "{cone:?}, seed {seed}, {way:?}: {error:e}");
            }
        }
    }
    assert!(contacts > 600, "only {contacts} contacts");
}

#[test]
fn a_warm_start_changes_nothing_beyond_the_certificates() {
    for cone in CONES {
        for seed in 0..30 {
            let (model, state) = scene(seed, cone);
            let dynamics = rows(&model, &state);
            for algorithm in [Algorithm::Newton, Algorithm::ConjugateGradient] {
                let mut problem = problem(&model, &dynamics);
                problem.settings = settings(algorithm, LineSearch::Exact);
                let (cold, first) = solve(&problem, None);
                let mut dice = Dice::new(seed + 1000);
                let near: Vec<f64> =
                    cold.acceleration.iter().map(|value| value + dice.between(-1e-3, 1e-3)).collect();
                let far = dice.numbers(near.len(), 1e3);
                let broken = vec![f64::NAN; near.len()];
                for start in [near, far, broken, cold.acceleration.clone()] {
                    let (warm, second) = solve(&problem, Some(&start));
                    let size = norm(&problem, &cold.acceleration);
                    let bound =
                        first.certificate * size + second.certificate * norm(&problem, &warm.acceleration);
                    let error = apart(&problem, &cold.acceleration, &warm.acceleration);
                    assert!(
                        error <= bound + 1e-13 * size,
                        "{cone:?}, seed {seed}: {error:e} above {bound:e}"
                    );
                    assert!(second.converged, "{cone:?}, seed {seed}, {algorithm:?}: {second:?}");
                }
            }
        }
    }
}

//! A certificate bounds the error, also where iterations were cut short.

use crate::support::scenes::{CONES, apart, norm, problem, rows, scene, solve};
use gedanken_multibody::model::{Algorithm, Stopping};

#[test]
fn no_certificate_claims_what_a_stricter_solve_refutes() {
    let (mut loose, mut tightest) = (0, f64::INFINITY);
    for cone in CONES {
        for seed in 0..40 {
            let (model, state) = scene(seed, cone);
            let dynamics = rows(&model, &state);
            let mut problem = problem(&model, &dynamics);
            problem.settings.iterations = 1000;
            problem.settings.stopping = Stopping::Certificate(1e-14);
            let (strict, end) = solve(&problem, None);
            assert!(end.certificate < 1e-10, "{cone:?}, seed {seed}: {end:?}");
            for algorithm in [Algorithm::Newton, Algorithm::ConjugateGradient] {
                for iterations in [0, 1, 2, 3, 5, 8, 13, 40] {
                    problem.settings.algorithm = algorithm;
                    problem.settings.iterations = iterations;
                    let (solver, solution) = solve(&problem, None);
                    let size = norm(&problem, &solver.acceleration);
                    let error = apart(&problem, &solver.acceleration, &strict.acceleration);
                    let bound = solution.certificate * size;
                    let rounding = end.certificate * norm(&problem, &strict.acceleration) + 1e-13 * size;
                    assert!(
                        error <= bound * (1.0 + 1e-9) + rounding,
                        "{cone:?}, seed {seed}, {algorithm:?}, {iterations}: {error:e} above {bound:e}"
                    );
                    loose += usize::from(!solution.converged);
                    if error > 1e-6 * size {
                        tightest = tightest.min(bound / error);
                    }
                }
            }
        }
    }
    assert!(loose > 300, "only {loose} solves were cut short");
    assert!(tightest < 50.0, "bounds are at least {tightest} times the errors: they would tell nothing");
}

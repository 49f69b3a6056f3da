//! Steps allocate nothing after warm-up, and give the same bits in every run.

use crate::counting;
use crate::support::scenes::{CONES, scene};
use gedanken_multibody::model::{Algorithm, Integrator};
use gedanken_multibody::simulation::Simulation;

const INTEGRATORS: [Integrator; 5] = [
    Integrator::SemiImplicit,
    Integrator::Euler,
    Integrator::Implicit,
    Integrator::ImplicitFast,
    Integrator::RungeKutta,
];

fn run(seed: u64, integrator: Integrator, algorithm: Algorithm, exact: bool) -> Simulation {
    let (mut model, state) = scene(seed, CONES[seed as usize % 4]);
    model.description.settings.integrator = integrator;
    model.description.settings.solver.algorithm = algorithm;
    model.description.settings.exact_diagonal = exact;
    let mut run = Simulation::new(model);
    *run.state_mut() = state;
    run
}

#[test]
fn steps_allocate_nothing_after_warm_up() {
    for (number, integrator) in INTEGRATORS.into_iter().enumerate() {
        for algorithm in [Algorithm::Newton, Algorithm::ConjugateGradient] {
            for exact in [false, true] {
                let mut run = run(number as u64, integrator, algorithm, exact);
                let start = run.state().clone();
                for _ in 0..50 {
                    run.step().expect("a step");
                }
                // The same steps once more: every buffer has been as large before.
                run.state_mut().clone_from(&start);
                let before = counting::asked();
                for _ in 0..50 {
                    run.step().expect("a step");
                }
                let asked = counting::asked() - before;
                assert_eq!(asked, 0, "{integrator:?}, {algorithm:?}, exact diagonal: {exact}");
            }
        }
    }
}

#[test]
fn two_runs_give_the_same_bits() {
    for seed in 0..8 {
        let integrator = INTEGRATORS[seed as usize % 5];
        let [one, other] = [0; 2].map(|_| {
            let mut run = run(seed, integrator, Algorithm::Newton, false);
            for _ in 0..100 {
                run.step().expect("a step");
            }
            let state = run.state();
            state.coordinates.iter().chain(&state.velocities).map(|it| it.to_bits()).collect::<Vec<_>>()
        });
        assert_eq!(one, other, "seed {seed}");
    }
}

/// A state that was saved and taken up by another simulation goes on with the same bits.
#[test]
fn a_state_decides_how_it_goes_on() {
    for seed in 0..8 {
        let mut first = run(seed, INTEGRATORS[seed as usize % 5], Algorithm::Newton, false);
        for _ in 0..20 {
            first.step().expect("a step");
        }
        let mut second = run(seed, INTEGRATORS[seed as usize % 5], Algorithm::Newton, false);
        second.state_mut().clone_from(first.state());
        for _ in 0..20 {
            first.step().expect("a step");
            second.step().expect("a step");
        }
        assert_eq!(first.state(), second.state(), "seed {seed}");
    }
}

//! Bias forces from energies alone: in the chart x ↦ q ⊕ x, Lagrange's equations with ẍ = 0 read
//! c = d/dt ∂T/∂ẋ − ∂T/∂x + ∂V/∂x at x = 0, where chart and velocities agree up to second order.

use crate::support::build::{model, state, tree};
use crate::support::dice::Dice;
use crate::support::energy::{kinetic, moved, weight};
use crate::support::slopes::{distance, largest, slope};
use gedanken_multibody::compile::Model;
use gedanken_multibody::dynamics::Dynamics;
use gedanken_multibody::state::State;

/// ∂T/∂ẋ; T is quadratic in ẋ, so that a difference over any step is exact.
fn momenta(model: &Model, state: &State, place: &[f64], rate: &[f64]) -> Vec<f64> {
    (0..rate.len())
        .map(|freedom| {
            let at = |change: f64| {
                let mut rate = rate.to_vec();
                rate[freedom] += change;
                kinetic(model, state, place, &rate)
            };
            0.5 * (at(1.0) - at(-1.0))
        })
        .collect()
}

fn lagrange(model: &Model, state: &State) -> Vec<f64> {
    let speeds = &state.velocities;
    let count = speeds.len();
    let along = slope(5e-3, |t| {
        let place: Vec<f64> = speeds.iter().map(|v| t * v).collect();
        momenta(model, state, &place, speeds)
    });
    (0..count)
        .map(|freedom| {
            let gradient = slope(5e-3, |t| {
                let mut place = vec![0.0; count];
                place[freedom] = t;
                let lagrangian =
                    kinetic(model, state, &place, speeds) - weight(model, &moved(model, state, &place, 1.0));
                vec![lagrangian]
            });
            along[freedom] - gradient[0]
        })
        .collect()
}

#[test]
fn bias_forces_are_those_of_lagrange() {
    let mut worst: f64 = 0.0;
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let mut description = tree(&mut dice);
        description.settings.gravity = dice.vector(10.0);
        let model = model(description);
        let state = state(&model, &mut dice);
        let mut dynamics = Dynamics::new(&model);
        dynamics.place(&model, &state);
        dynamics.smooth(&model, &state).expect("a positive mass matrix");
        let expected = lagrange(&model, &state);
        let error = distance(&dynamics.bias, &expected) / largest(&expected);
        assert!(error < 1e-7, "seed {seed}: {error:e}");
        worst = worst.max(error);
    }
    assert!(worst > 0.0);
}

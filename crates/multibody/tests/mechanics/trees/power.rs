//! Energy changes at the rate at which forces of freedoms and dampers work.

use crate::support::build::{model, near_state, tree};
use crate::support::dice::Dice;
use crate::support::energy::{moved, total};
use crate::support::slopes::{dot, slope, square};
use gedanken_multibody::dynamics::Dynamics;
use gedanken_multibody::model::{Actuator, JointId};

#[test]
fn forces_work_at_the_rate_at_which_energy_grows() {
    for seed in 0..80 {
        let mut dice = Dice::new(seed);
        let mut description = tree(&mut dice);
        for joint in &mut description.joints {
            joint.stiffness = dice.between(0.0, 20.0);
            joint.damping = dice.between(0.0, 1.0);
        }
        let gear = |dice: &mut Dice| [0.0; 6].map(|_: f64| dice.between(-1.0, 1.0));
        description.actuators = (0..description.joints.len())
            .map(|number| Actuator { gear: gear(&mut dice), ..Actuator::motor("", JointId::new(number)) })
            .collect();
        let model = model(description);
        let mut state = near_state(&model, &mut dice);
        state.controls = dice.numbers(model.description.actuators.len(), 3.0);
        let mut dynamics = Dynamics::new(&model);
        dynamics.evaluate(&model, &state).expect("an acceleration");
        let rate = slope(4e-4, |t| {
            let mut later = moved(&model, &state, &state.velocities, t);
            for (velocity, acceleration) in later.velocities.iter_mut().zip(dynamics.acceleration()) {
                *velocity += t * acceleration;
            }
            vec![total(&model, &later)]
        })[0];
        let damped: f64 = (0..model.freedoms())
            .map(|freedom| {
                let joint = model.topology.joint_of[freedom].index();
                model.description.joints[joint].damping * square(state.velocities[freedom])
            })
            .sum();
        let power = dot(&dynamics.actuation, &state.velocities) - damped;
        let scale = power.abs().max(dot(&dynamics.bias, &state.velocities).abs()).max(1.0);
        assert!((rate - power).abs() < 1e-6 * scale, "seed {seed}: {rate} instead of {power}");
    }
}

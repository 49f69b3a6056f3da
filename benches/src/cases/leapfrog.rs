//! The step that the gravity cases time: the project's own leapfrog workflow with its law of gravitation, as
//! any user would run it. One force evaluation per step, G = 1.

use crate::ours::{
    Components, LEAPFROG_DKD, METRE, Mass, NewtonianGravity, Position, Quantity, SECOND, Scene, State,
    Stepper, ThreeD, Velocity, Width, point_masses,
};
use crate::plummer::Body;

/// Bodies of the problem; 1,000 is where direct summation is the method of choice.
pub const BODIES: usize = 1000;
/// Softening length ε, on either side.
pub const SOFTENING: f64 = 0.05;
/// Time step h, on either side: some hundredth of the time to cross ε.
pub const STEP: f64 = 1.0 / 1024.0;
/// Seed of the sphere.
pub const SEED: u64 = 1687;

/// Unordered pairs per force evaluation.
pub fn pairs(bodies: usize) -> f64 {
    (bodies * (bodies - 1)) as f64 / 2.0
}

/// The bodies as a scene under their own gravity, computed in registers of one width.
pub fn scene(bodies: &[Body], width: Width) -> Scene<ThreeD> {
    let model = point_masses::<ThreeD>(Components::numbered("star", bodies.len()).expect("distinct names"));
    let mut state = model.state();
    for (id, body) in model.components().iter().zip(bodies) {
        let sound = "a finite body with mass";
        state.set::<Position>(id, Quantity::new(body.position.into())).expect(sound);
        state.set::<Velocity>(id, Quantity::new(body.velocity.into())).expect(sound);
        state.set::<Mass>(id, Quantity::new(body.mass)).expect(sound);
    }
    let gravity =
        NewtonianGravity::new(Quantity::new(1.0)).with_softening(SOFTENING * METRE).with_width(width);
    Scene { name: "sphere", state, laws: gravity.into(), period: 1.0 }
}

/// A workflow at work.
pub struct Leapfrog {
    stepper: Stepper<ThreeD>,
    state: State,
}

impl Leapfrog {
    /// Starts from these bodies, in registers of this width.
    pub fn new(bodies: &[Body], width: Width) -> Self {
        let (stepper, state) = scene(bodies, width).prepare(&LEAPFROG_DKD).expect("a sound scene");
        Self { stepper, state }
    }

    /// Takes some steps.
    pub fn steps(&mut self, steps: usize) {
        for _ in 0..steps {
            self.stepper.step(&mut self.state, STEP * SECOND).expect("a softened force is finite");
        }
    }

    /// The bodies, as of now.
    pub fn bodies(&self) -> Vec<Body> {
        bodies(&self.state)
    }
}

/// The bodies of a state.
pub fn bodies(state: &State) -> Vec<Body> {
    let sound = "the model has point masses";
    let entries = state.entries::<Mass>().expect(sound);
    let body = |(id, mass): (_, Quantity<_, f64>)| Body {
        mass: mass.si(),
        position: state.get::<Position>(id).expect(sound).si().to_array(),
        velocity: state.get::<Velocity>(id).expect(sound).si().to_array(),
    };
    entries.map(body).collect()
}

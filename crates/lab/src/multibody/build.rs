//! The mechanism of a simulation, and which body each object is.

use super::from_experiment;
use super::surroundings::Outside;
use crate::run::options::Options;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_multibody::compile::Model;
use gedanken_multibody::model::BodyId;
use gedanken_multibody::state::State;

/// A mechanism that is ready to move.
pub(super) struct Built {
    pub(super) model: Model,
    /// By place of an object in the simulation, its body; `None` for what stands still.
    pub(super) bodies: Vec<Option<BodyId>>,
    /// By geom, the place of the object that shows it; `None` for a geom that nothing shows.
    pub(super) places: Vec<Option<usize>>,
    pub(super) state: State,
    pub(super) outside: Outside,
    /// What is told when a run begins: joints that close loops.
    pub(super) notices: Vec<String>,
}

/// Makes the mechanism of a simulation.
///
/// # Errors
/// A mechanism that cannot move.
pub(super) fn build(
    experiment: &Experiment,
    simulation: &Simulation,
    options: &Options,
) -> Result<Built, Vec<Diagnostic>> {
    if simulation.rigid().is_some() {
        return from_experiment::build(experiment, simulation, options);
    }
    let Some(imported) = simulation.imported() else {
        let message = format!("the simulation `{}` is not one of a mechanism", simulation.name);
        return Err(vec![Diagnostic::new(Code::E761, simulation.span, message)]);
    };
    let model = Model::new((*imported.description).clone())
        .map_err(|error| vec![Diagnostic::new(Code::E012, simulation.span, error.to_string())])?;
    let mut state = model.initial_state();
    state.time = simulation.initial_time;
    if let Some(key) = imported.keyframe.and_then(|key| model.description.keyframes.get(key)) {
        state.coordinates.clone_from(&key.coordinates);
        state.velocities.clone_from(&key.velocities);
        state.controls.clone_from(&key.controls);
        for (body, &pose) in state.prescribed.iter_mut().zip(&key.prescribed_poses) {
            body.pose = pose;
        }
    }
    Ok(Built {
        model,
        bodies: imported.bodies.clone(),
        places: imported.geoms.clone(),
        state,
        outside: Outside::default(),
        notices: Vec::new(),
    })
}

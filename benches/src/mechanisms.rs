//! Mechanisms in MJCF, which both sides read, and our side of them.

use crate::ours::mjcf::{self, MjcfOptions};
use crate::ours::multibody::compile::Model;
use crate::ours::multibody::model::Stopping;
use crate::ours::multibody::simulation::Simulation;
use crate::ours::{Files, Sources};
use crate::random::Random;
use std::fmt::Write;

/// A figure of 27 velocities over a floor.
pub const FIGURE: &str = include_str!("../models/figure.xml");
/// Certificate at which our solver stops, and which theirs has to reach.
pub const CERTIFICATE: f64 = 1e-9;

/// A hanging chain of ball joints that begins to fall from level, without contacts.
pub fn chain(links: usize) -> String {
    let mut text = String::from(
        "<mujoco>\n<option timestep=\"0.002\">\n<flag contact=\"disable\"/>\n</option>\n<worldbody>\n",
    );
    for link in 0..links {
        let x = if link == 0 { 0.0 } else { 0.1 };
        writeln!(
            text,
            "<body pos=\"{x} 0 0\">\n<joint type=\"ball\"/>\n<geom type=\"capsule\" size=\"0.02\" fromto=\"0 0 0 0.1 0 0\"/>"
        )
        .expect("a string takes everything");
    }
    text.push_str(&"</body>\n".repeat(links));
    text.push_str("</worldbody>\n</mujoco>\n");
    text
}

/// Balls in layers above a floor between four walls, to be solved by conjugate gradients.
pub fn pile(balls: usize) -> String {
    const SIDE: usize = 8;
    const PITCH: f64 = 0.105;
    let mut text = String::from(
        "<mujoco>\n<option timestep=\"0.005\" solver=\"CG\"/>\n<worldbody>\n<geom type=\"plane\" size=\"5 5 0.1\"/>\n",
    );
    for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let at = |side: i32| f64::from(-side) * 0.45;
        writeln!(
            text,
            "<geom type=\"plane\" size=\"5 5 0.1\" pos=\"{} {} 0\" zaxis=\"{x} {y} 0\"/>",
            at(x),
            at(y)
        )
        .expect("a string takes everything");
    }
    let mut random = Random::new(7);
    for ball in 0..balls {
        // A little off the grid, or the layers would stand.
        let mut place = |k: usize| (k as f64 - 3.5) * PITCH + 0.002 * random.signed();
        let (x, y) = (place(ball % SIDE), place(ball / SIDE % SIDE));
        let z = 0.06 + PITCH * (ball / (SIDE * SIDE)) as f64;
        writeln!(
            text,
            "<body pos=\"{x:?} {y:?} {z:?}\">\n<freejoint/>\n<geom type=\"sphere\" size=\"0.05\"/>\n</body>"
        )
        .expect("a string takes everything");
    }
    text.push_str("</worldbody>\n</mujoco>\n");
    text
}

/// No files: models here name none.
struct NoFiles;

impl Files for NoFiles {
    fn text(&self, path: &str) -> Result<String, String> {
        Err(format!("{path} is not part of the benches"))
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        Err(format!("{path} is not part of the benches"))
    }
}

/// Our simulation of a model.
pub fn simulation(model: &str) -> Result<Simulation, String> {
    let options = MjcfOptions { lenient: false, confined: true };
    let read = mjcf::read(&NoFiles, &mut Sources::new(), "model.xml", model.into(), options);
    let mut description = read.map_err(|mistakes| format!("{mistakes:?}"))?.description;
    description.settings.solver.stopping = Stopping::Certificate(CERTIFICATE);
    description.settings.solver.iterations = 10_000;
    Ok(Simulation::new(Model::new(description).map_err(|error| error.to_string())?))
}

/// Puts a simulation into a state that MuJoCo has told: time, q, v, warm start.
pub fn put(run: &mut Simulation, told: &[f64]) -> Result<(), String> {
    let (coordinates, freedoms) = (run.model().coordinates(), run.model().freedoms());
    if told.len() != 1 + coordinates + 2 * freedoms {
        return Err(format!("a state of {} numbers is of another model", told.len()));
    }
    let state = run.state_mut();
    state.time = told[0];
    state.coordinates.copy_from_slice(&told[1..][..coordinates]);
    state.velocities.copy_from_slice(&told[1 + coordinates..][..freedoms]);
    state.warm_start.copy_from_slice(&told[1 + coordinates + freedoms..]);
    Ok(())
}

//! One experiment of each mechanics, and runs of them.

use crate::support::model;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lab::{Options, Run, Stop};
use gedanken_math::Cancel;
use gedanken_recording::Recording;

/// Objects that bounce, in contexts.
const CONTEXTS: &str = "world attributes { a = [0, 0, -9.81] }
object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 1]  size = 0.1  v = [1, 0, 0]  push = 0 } }
object { name = floor  physical type = static  geometrical type = cuboid
    attributes = { position = [0, 0, -0.5]  size = [50, 50, 1] } }
context { name = flight  type = free fall
    attributes = {t0, pos0, v0}
    compute_first_time_only_attributes = {t0, pos0, v0}
    functions = {
        t0 = t
        pos0 = position
        v0 = v
        v = v0 + a * (t - t0)
        position = pos0 + v0 * (t - t0) + 0.5 * a * (t - t0)^2
        push = previous(push) + dt
    } }
context { name = bounce  type = collision
    attributes = {v_in}
    compute_first_time_only_attributes = {v_in}
    functions = {
        v_in = v
        v = 0.9 * reflectVector(v_in, collisionNormal)
    }
    applicability = { mandatory 1 dynamic sphere and 1 static object } }
measure height { of = {ball}  value = position # 3 }
simulation { name = s  duration = 2  frame rate = 10
    objects_involved = {ball, floor}  contexts_involved = {flight, bounce} }
";

/// The same by rules.
const WORKFLOW: &str = "object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 1]  size = 0.1  v = [1, 0, 0]  count = 0 } }
rule move { writes = {position, v}
    functions = {
        v = previous(v) + dt * [0, 0, -9.81]
        position = previous(position) + dt * v
    } }
event bounce { reads = {position}  writes = {v, count}
    functions = {
        when = position # 3 < 0.1 & previous(v) # 3 < 0
        v = [1, 0, 0.9 * norm(previous(v))]
        count = previous(count) + 1
    } }
measure height { of = {ball}  value = position # 3 }
simulation { name = s  mechanics = workflow  workflow = seq(move, bounce)  duration = 2  frame rate = 10  time step = 0.01 }
";

/// The same by Newton's laws.
const RIGID: &str = "object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 1]  size = 0.1  velocity = [1, 0, 0]  mass = 1  restitution = 0.9 } }
object { name = box  physical type = dynamic  geometrical type = cuboid
    attributes = { position = [3, 0, 0.6]  size = [1, 1, 0.5]  mass = 1  orientation = [0, 0.1, 0.2] } }
object { name = floor  physical type = static  geometrical type = half space
    attributes = { position = [0, 0, 0] } }
measure height { of = {ball}  value = position # 3 }
simulation { name = s  mechanics = rigid  gravity = [0, 0, -9.81]  duration = 2  frame rate = 10  time step = 0.01 }
";

/// The same by Lagrange's equations.
const LAGRANGIAN: &str = "lagrangian ball {
    coordinates = { x = 0  z = 1 }
    rates = { x_dot = 1 }
    T = 0.5 * (x_dot^2 + z_dot^2)
    V = 9.81 * z
    stops = { floor = z - 0.1 }
    restitution = 0.9
}
measure height { value = z }
simulation { name = s  mechanics = lagrangian  duration = 2  frame rate = 10  integrator = rk4  time step = 0.01 }
";

/// One experiment of each mechanics, by name. All have ten frames per unit of time, and all but the first ten
/// steps in a frame.
pub(crate) fn all() -> Vec<(&'static str, Experiment)> {
    [("contexts", CONTEXTS), ("a workflow", WORKFLOW), ("rigid bodies", RIGID), ("a Lagrangian", LAGRANGIAN)]
        .map(|(name, text)| (name, model(&one_per_line(text))))
        .into()
}

/// A text with one definition in each line; here two blanks stand between definitions.
pub(crate) fn one_per_line(text: &str) -> String {
    text.replace("  ", "\n")
}

/// The simulation of an experiment, for another duration.
pub(crate) fn lasting(experiment: &Experiment, duration: f64) -> Simulation {
    Simulation { duration, ..experiment.simulations[0].clone() }
}

/// A run that is ready.
pub(crate) fn ready<'e>(experiment: &'e Experiment, simulation: &'e Simulation) -> Run<'e> {
    let options = Options { native: false, ..Options::default() };
    Run::new(experiment, simulation, options).unwrap()
}

/// A whole run.
pub(crate) fn run(experiment: &Experiment, duration: f64) -> Recording {
    let simulation = lasting(experiment, duration);
    finished(ready(experiment, &simulation))
}

/// The rest of a run.
pub(crate) fn finished(mut run: Run<'_>) -> Recording {
    let mut recording = Recording::new(run.schema().clone());
    while run.advance(&mut recording).unwrap() {}
    recording
}

/// A run that ends when its token has been looked at so many times, and its token.
pub(crate) fn ready_until<'e>(
    experiment: &'e Experiment,
    simulation: &'e Simulation,
    looks: u64,
) -> (Run<'e>, Cancel) {
    let cancel = Cancel::after(u64::MAX);
    let options = Options { native: false, cancel: cancel.clone(), ..Options::default() };
    let run = Run::new(experiment, simulation, options).unwrap();
    // What was looked at while the run was made ready does not count.
    cancel.set_looks(looks);
    (run, cancel)
}

/// Runs on: what was recorded, and why it stopped before its end.
pub(crate) fn drive(run: &mut Run<'_>) -> (Recording, Option<Stop>) {
    let mut recording = Recording::new(run.schema().clone());
    loop {
        match run.advance(&mut recording) {
            Ok(true) => {}
            Ok(false) => return (recording, None),
            Err(stop) => return (recording, Some(stop)),
        }
    }
}

/// How often a whole run looks at its token.
pub(crate) fn looks(experiment: &Experiment, simulation: &Simulation) -> u64 {
    let (mut run, cancel) = ready_until(experiment, simulation, u64::MAX);
    assert!(drive(&mut run).1.is_none());
    u64::MAX - cancel.looks_left().unwrap()
}

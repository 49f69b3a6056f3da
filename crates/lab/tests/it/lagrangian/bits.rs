//! The same bits, whatever runs the equations and wherever a run was interrupted.

use super::motion::{PENDULUM, double_pendulum};
use super::run::{run_with, simulated};
use crate::support::model;
use gedanken_lab::{Options, Run};
use gedanken_recording::Recording;

fn texts() -> Vec<String> {
    let bouncing = "lagrangian ball {
    coordinates = { z = 2 }
    T = 0.5 * z_dot^2
    V = 9.81 * z
    stops = { floor = z }
    restitution = 0.5
}";
    let methods = ["", "    integrator = rk4\n", "    integrator = variational4\n"];
    let mut texts: Vec<String> = methods
        .iter()
        .map(|it| simulated(&double_pendulum("2", "1"), &format!("    duration = 2\n{it}")))
        .collect();
    texts.push(simulated(bouncing, "    duration = 4"));
    texts.push(simulated(bouncing, "    duration = 4\n    integrator = implicit_midpoint"));
    texts.push(simulated(PENDULUM, "    duration = 1\n    integrator = leapfrog"));
    let fast = "lagrangian ball {
    coordinates = { z = 2 }
    H = sqrt(1 + p_z^2) + 2 * z
    stops = { floor = z }
    restitution = 0.3
}";
    let methods = ["", "    integrator = variational4\n", "    integrator = leapfrog\n"];
    texts.extend(methods.map(|it| simulated(fast, &format!("    duration = 5\n{it}"))));
    texts
}

#[test]
fn native_code_changes_nothing() {
    for text in texts() {
        let experiment = model(&text);
        let [a, b] =
            [true, false].map(|native| run_with(&experiment, Options { native, ..Options::default() }).0);
        assert!(a.is_same(&b), "{text}");
    }
}

#[test]
fn a_run_that_is_resumed_goes_on_as_if_nothing_had_been() {
    for text in texts() {
        let experiment = model(&text);
        let (whole, ended) = run_with(&experiment, Options::default());
        ended.unwrap();
        for frame in [0, 17, whole.frames() - 2] {
            let keyframe = &whole.keyframes.iter().find(|(of, _)| *of == frame).unwrap().1;
            let mut run = Run::new(&experiment, &experiment.simulations[0], Options::default()).unwrap();
            let mut rest = Recording::new(run.schema().clone());
            run.resume(frame as u64, keyframe).unwrap();
            while run.advance(&mut rest).unwrap() {}
            assert_eq!(rest.frames(), whole.frames() - frame - 1);
            for later in 0..rest.frames() {
                assert_eq!(rest.row(later), whole.row(frame + 1 + later), "{text}");
                assert_eq!(rest.hashes[later], whole.hashes[frame + 1 + later]);
            }
        }
    }
}

#[test]
fn a_keyframe_of_another_system_is_refused() {
    let texts = texts();
    let (one, other) = (model(&texts[0]), model(&texts[3]));
    let (recording, _) = run_with(&one, Options::default());
    let mut run = Run::new(&other, &other.simulations[0], Options::default()).unwrap();
    let (frame, keyframe) = &recording.keyframes[3];
    assert!(run.resume(*frame as u64, keyframe).is_err());
    assert!(run.resume(0, &keyframe[..20]).is_err());
}

//! Native code that runs share: the bits of every run are those that it has alone, whichever ran before it.

use crate::support::{Memory, experiment};
use gedanken_lab::{Options, Run, SharedCode};
use gedanken_recording::Recording;

/// A text of each mechanics, with settings for one run after another.
const TEXTS: [(&str, [&str; 3]); 4] = [
    (
        include_str!("../../../../recording/tests/stored/contexts.lab"),
        ["restitution=0.5", "ball.v=[2, 0, 1]", "a=[0, 0, -1.62]"],
    ),
    (
        include_str!("../../../../recording/tests/stored/workflow.lab"),
        ["tank.rate=0.7", "full=0.2", "tank.level=0.1"],
    ),
    (
        concat!(
            include_str!("../../../../recording/tests/stored/rigid.lab"),
            "potential well {\n    of = {ball}\n    energy = 0.5 * g * (position # 1 - 1)^2\n}\n",
            "measure speed {\n    of = {ball}\n    value = norm(velocity)\n}\n"
        ),
        ["g=3", "ball.mass=2", "ball.position=[0, 1, 3]"],
    ),
    (include_str!("../../../../recording/tests/stored/lagrangian.lab"), ["x=0.7", "x=0.1", "spring.x=2"]),
];

fn recorded(text: &str, setting: &str, options: Options) -> Recording {
    let experiment = experiment(&Memory(&[]), text, &[setting]).1.unwrap();
    let mut run = Run::new(&experiment, &experiment.simulations[0], options).unwrap();
    let mut recording = Recording::new(run.schema().clone());
    while run.advance(&mut recording).unwrap() {}
    recording
}

#[test]
fn runs_that_share_their_code_have_the_bits_of_runs_alone() {
    let shared = SharedCode::default();
    for (text, settings) in TEXTS {
        // Twice, so that each finds the code of all others.
        for setting in settings.into_iter().chain(settings) {
            let alone = recorded(text, setting, Options { native: false, ..Options::default() });
            // Without threads of its own, too.
            let options = Options { shared: Some(shared.clone()), threads: 0, ..Options::default() };
            let together = recorded(text, setting, options);
            assert!(together.is_same(&alone), "{setting} in\n{text}");
        }
    }
}

#[test]
fn other_settings_are_other_runs() {
    for (text, settings) in TEXTS {
        let hashes = settings.map(|setting| recorded(text, setting, Options::default()).hashes);
        assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2], "{text}");
    }
}

//! Results to the bit. The fingerprints below were made once; every build, optimized or not, every number of
//! threads, every vector width and every processor must reproduce them. `make test` runs this file in debug
//! and release, and once more on an emulated processor without AVX and FMA.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

use gedanken_dynamics::integrate::rotation::ROTATIONS;
use gedanken_dynamics::integrate::{INTEGRATORS, Integrator};
use gedanken_dynamics::laws::NewtonianGravity;
use gedanken_dynamics::nbody::Width;
use gedanken_dynamics::{Space, State, scenes};
use gedanken_math::Vec3;
use gedanken_math::units::{METRE, Quantity, SECOND};
use std::fmt::Write;

fn run<S: Space>(scene: &scenes::Scene<S>, integrator: &'static Integrator, h: f64, steps: u32) -> State {
    let (mut stepper, mut state) = scene.prepare(integrator).unwrap();
    for _ in 0..steps {
        stepper.step(&mut state, h * SECOND).unwrap();
    }
    state.validate().unwrap();
    state
}

/// The same computation in pools of one and two threads.
fn on_one_and_two_threads(what: impl Fn() -> u64 + Sync) -> u64 {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&what)
    };
    let (one, two) = (on(1), on(2));
    assert_eq!(one, two, "two threads differ from one");
    one
}

#[test]
fn every_integrator_reproduces_its_golden_run() {
    let mut table = String::new();
    for integrator in INTEGRATORS {
        let kepler = run(&scenes::kepler(0.6), integrator, 0.01, 300).hash();
        let eight = run(&scenes::figure_eight(), integrator, 0.01, 100).hash();
        let pendulum = run(&scenes::pendulum(1.5), integrator, 0.02, 100).hash();
        let chain = run(&scenes::chain(20, 2, 0.1), integrator, 0.1, 50).hash();
        writeln!(table, "{:<18} {kepler:016x} {eight:016x} {pendulum:016x} {chain:016x}", integrator.name)
            .unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn every_rotation_reproduces_its_golden_run() {
    let scene = scenes::tumbling(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.01, 1.0, 0.02));
    let leapfrog = Integrator::by_name("leapfrog").unwrap();
    let mut table = String::new();
    for rotation in ROTATIONS {
        let (mechanics, mut state) = scene.mechanics(leapfrog).unwrap();
        let mut stepper = leapfrog.prepare(&mechanics.with_rotation(rotation).unwrap()).unwrap();
        for _ in 0..500 {
            stepper.step(&mut state, 0.01 * SECOND).unwrap();
        }
        writeln!(table, "{:<18} {:016x}", rotation.name, state.hash()).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_cluster_reproduces_its_golden_run_at_every_width_and_thread_count() {
    let leapfrog = Integrator::by_name("leapfrog").unwrap();
    let mut hashes = Vec::new();
    for width in Width::available() {
        let mut scene = scenes::cluster(700, 1, 0.01);
        let gravity =
            NewtonianGravity::new(Quantity::new(1.0)).with_softening(0.01 * METRE).with_width(width);
        scene.laws = gravity.into();
        hashes.push(on_one_and_two_threads(|| run(&scene, leapfrog, 0.01, 3).hash()));
    }
    assert!(hashes.iter().all(|h| *h == hashes[0]), "widths differ: {hashes:x?}");
    insta::assert_snapshot!(format!("{:016x}", hashes[0]));
}

//! Stops: where a motion is turned back, and where it comes to rest.

use super::run::{at_event, last, run, series, simulated};
use gedanken_recording::{EventKind, Moment};

fn ball(restitution: f64) -> String {
    format!(
        "lagrangian ball {{
    coordinates = {{ z = 2 }}
    T = 0.5 * z_dot^2
    V = 9.81 * z
    stops = {{ floor = z }}
    restitution = {restitution}
}}"
    )
}

#[test]
fn a_ball_bounces_to_its_heights_and_then_rests() {
    let (e, h0, g) = (0.8f64, 2.0f64, 9.81f64);
    for method in [
        "",
        "    integrator = implicit_midpoint\n    time_step = 0.01",
        "    integrator = leapfrog\n    time_step = 0.01",
    ] {
        let recording = run(&simulated(&ball(e), &format!("    duration = 7\n{method}")));
        let bounces: Vec<_> = recording.events.iter().filter(|it| it.kind == EventKind::Collision).collect();
        let fall = (2.0 * h0 / g).sqrt();
        let mut expected = fall;
        for (n, event) in bounces.iter().take(12).enumerate() {
            assert!((event.time - expected).abs() < 1e-9, "{n}: {} instead of {expected}", event.time);
            let speed = at_event(&recording, event, Moment::After, "z_dot");
            let rise = speed * speed / (2.0 * g);
            assert!((rise - h0 * libm::pow(e, 2.0 * (n as f64 + 1.0))).abs() < 1e-9, "{n}: {rise}");
            assert!(at_event(&recording, event, Moment::Before, "z_dot") < 0.0);
            expected += 2.0 * fall * libm::pow(e, n as f64 + 1.0);
        }
        let rests: Vec<_> = recording.events.iter().filter(|it| it.kind == EventKind::Contact).collect();
        assert_eq!(rests.len(), 1, "{method}: it rests once");
        let end = fall * (1.0 + e) / (1.0 - e);
        assert!((rests[0].time - end).abs() < 1e-5, "{} instead of {end}", rests[0].time);
        assert_eq!((last(&recording, "z"), last(&recording, "z_dot")), (0.0, 0.0));
        assert!((last(&recording, "lambda_floor") - g).abs() < 1e-9);
        assert!(series(&recording, "z").iter().all(|it| *it >= 0.0));
    }
}

#[test]
fn an_elastic_ball_keeps_its_energy() {
    let recording = run(&simulated(&ball(1.0), "    duration = 60"));
    let energy = series(&recording, "total_energy");
    assert!(energy.iter().all(|it| (it - energy[0]).abs() < 1e-7), "{:?}", energy.last());
    assert!(recording.events.len() > 40);
}

#[test]
fn what_rests_is_lifted_when_it_is_pulled() {
    // A block of weight 1 rests on the floor until a force that grows with time exceeds it, at t = 2.
    let block = "lagrangian crane {
    coordinates = { z = 0 }
    T = 0.5 * z_dot^2
    V = z
    forces = { z = t / 2 }
    stops = { floor = z }
    restitution = 0
}";
    let recording = run(&simulated(block, "    duration = 4"));
    let [event] = recording.events.as_slice() else { panic!("{:?}", recording.events) };
    assert_eq!(event.kind, EventKind::FreeFall);
    assert!((event.time - 2.0).abs() < 1e-9, "{}", event.time);
    // z'' = t/2 - 1 from t = 2 on.
    assert!((last(&recording, "z") - 8.0 / 12.0).abs() < 1e-8, "{}", last(&recording, "z"));
}

#[test]
fn a_pendulum_is_turned_back_by_a_wall() {
    // It swings from one side only: half the period of a whole swing, for a wall at the lowest point.
    let block = "lagrangian pendulum {
    coordinates = { theta = 0.001 }
    T = 0.5 * theta_dot^2
    V = -cosine(theta)
    stops = { wall = theta }
}";
    let recording = run(&simulated(block, "    duration = 10"));
    let times: Vec<f64> = recording.events.iter().map(|it| it.time).collect();
    for (n, time) in times.iter().enumerate() {
        let expected = std::f64::consts::PI * (0.5 + n as f64) * (1.0 + 1e-6 / 16.0);
        assert!((time - expected).abs() < 1e-8, "{time} instead of {expected}");
    }
    assert_eq!(times.len(), 3);
}

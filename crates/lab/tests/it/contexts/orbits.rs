//! Rates: a planet that is integrated follows the one that Kepler's equation places.

use super::support::{assert_all_near, assert_near, at, object, run, simulation};

/// Position of a planet at t, for mu = 4 pi² and the semi-major axis 1, from Kepler's equation E - e sin E =
/// 2 pi t.
fn kepler(t: f64, e: f64) -> [f64; 3] {
    let mean = 2.0 * std::f64::consts::PI * t;
    let mut anomaly = mean;
    for _ in 0..50 {
        anomaly -= (anomaly - e * libm::sin(anomaly) - mean) / (1.0 - e * libm::cos(anomaly));
    }
    [libm::cos(anomaly) - e, libm::sqrt(1.0 - e * e) * libm::sin(anomaly), 0.0]
}

#[test]
fn a_planet_by_rates_is_where_kepler_puts_it() {
    let e = 0.3;
    let planet = |name: &str| {
        let attributes =
            "position = [1 - e, 0, 0]\n        size = 0.01\n        v = [0, sqrt(mu * (1 + e) / (1 - e)), 0]";
        object(name, "dynamic", "sphere", attributes)
    };
    let text = [
        "import \"special.vfl\"\n",
        &format!("world attributes {{\n    mu = 4 * pi^2\n    e = {e:?}\n}}\n"),
        &object("sun", "static", "sphere", "position = [0, 0, 0]\n        size = 0.05"),
        &planet("newton"),
        &planet("kepler").replace("[1 - e, 0, 0]", "[1 - e, 0, 1]"),
        "context {
    name = attraction
    type = free fall
    functions = {
        v' = -mu / norm(position)^3 * position
        position' = v
    }
    applicability = {
        mandatory newton
    }
}
context {
    name = equation
    type = free fall
    functions = {
        mean = 2 * pi * t
        anomaly = eccentric_anomaly(mean, mean, e, 20)
        position = [cosine(anomaly) - e, sqrt(1 - e^2) * sine(anomaly), 1]
    }
    applicability = {
        mandatory kepler
    }
}
",
    ]
    .concat();
    let recording = run(&simulation(&text, 2.0, 50.0, ""));
    for frame in 0..recording.frames() {
        let place = kepler(recording.times[frame], e);
        assert_all_near(&at(&recording, frame, "newton.position"), &place, 1e-8);
        assert_all_near(&at(&recording, frame, "kepler.position"), &[place[0], place[1], 1.0], 1e-12);
        let v = at(&recording, frame, "newton.v");
        let r = at(&recording, frame, "newton.position");
        let mu = 4.0 * std::f64::consts::PI * std::f64::consts::PI;
        let energy =
            0.5 * v.iter().map(|it| it * it).sum::<f64>() - mu / libm::sqrt(r.iter().map(|it| it * it).sum());
        assert_near(energy / (-0.5 * mu), 1.0, 1e-8);
    }
}

/// A weight on a spring that swings against a wall: hits come on the integrated trajectory, at cos(w t) =
/// 0.5.
#[test]
fn a_contact_is_found_on_a_trajectory_of_rates() {
    let text = [
        &object(
            "weight",
            "dynamic",
            "sphere",
            "position = [-1, 0, 0]\n        size = 0.25\n        v = [0, 0, 0]",
        ),
        &super::support::block("wall", [1.25, 0.0, 0.0], [1.0, 4.0, 4.0]),
        "context {
    name = spring
    type = free fall
    functions = {
        v' = -4 * position
        position' = v
    }
}
",
        super::support::MIRROR,
    ]
    .concat();
    // x = -cos 2 t reaches 0.5 at 2 t = 2 pi / 3. Thrown back there it goes the same way back: the next hit
    // comes a whole 2 * 2 pi / 3 of the phase later.
    for frame_rate in [1.0, 60.0] {
        let recording = run(&simulation(&text, 6.0, frame_rate, ""));
        let times = super::support::collisions(&recording);
        let third = std::f64::consts::PI / 3.0;
        assert_eq!(times.len(), 3, "{times:?}");
        for (n, time) in times.iter().enumerate() {
            assert_near(*time, third * (2.0 * n as f64 + 1.0), 1e-8);
        }
    }
}

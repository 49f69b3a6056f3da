//! The dice of the gallery: which face is up, where they end, and what is recorded of variational steps.

use crate::support::runs::{run_with, value};
use crate::support::{Gallery, experiment};
use gedanken_experiment::Files;
use gedanken_lab::Options;
use gedanken_math::{Quat, Vec3};
use gedanken_recording::{Owner, Recording};

const RESIDUALS: [&str; 4] = ["stationarity", "feasibility", "complementarity", "friction_residual"];

fn thrown(name: &str, seed: u32) -> Recording {
    let text = Gallery.text(name).unwrap();
    let (_, read) = experiment(&Gallery, &text, &[&format!("seed={seed}")]);
    let (recording, ended) = run_with(&read.unwrap(), Options::default());
    ended.unwrap();
    recording
}

/// The number on the face whose normal points up most, by another way than the gallery's.
fn top(orientation: &[f64]) -> f64 {
    let &[w, x, y, z] = orientation else { panic!("a quaternion") };
    let q = Quat::from_xyzw(x, y, z, w);
    let faces =
        [(Vec3::X, 1.0), (Vec3::Y, 2.0), (Vec3::Z, 3.0), (-Vec3::Z, 4.0), (-Vec3::Y, 5.0), (-Vec3::X, 6.0)];
    let height = |normal: Vec3| (q * normal).z;
    faces.into_iter().max_by(|a, b| height(a.0).total_cmp(&height(b.0))).unwrap().1
}

#[test]
fn the_face_is_that_which_is_up() {
    let mut seen = [0; 6];
    for seed in 1..=20 {
        let recording = thrown("dice.lab", seed);
        let last = recording.frames() - 1;
        for frame in [0, 10, last / 2, last] {
            let expected = top(&value(&recording, frame, "die", "orientation"));
            assert_eq!(value(&recording, frame, "measure", "face"), [expected], "seed {seed}, frame {frame}");
        }
        seen[value(&recording, last, "measure", "face")[0] as usize - 1] += 1;
        let height = value(&recording, last, "die", "position")[2];
        assert!((height - 0.5).abs() < 1e-9, "seed {seed}: at the height {height}");
    }
    assert!(seen.iter().all(|count| *count > 0), "twenty throws: {seen:?}");
}

#[test]
fn dice_in_a_tray_show_their_faces() {
    let recording = thrown("many_dice.lab", 1);
    let last = recording.frames() - 1;
    let faces: Vec<f64> =
        (1..=5).map(|k| top(&value(&recording, last, &format!("die{k}"), "orientation"))).collect();
    for (k, face) in faces.iter().enumerate() {
        assert_eq!(value(&recording, last, "measure", &format!("face{}", k + 1)), [*face]);
    }
    assert_eq!(value(&recording, last, "measure", "total"), [faces.iter().sum::<f64>()]);
}

/// The lead is behind 1, so that 6 is up twice as often as on a fair die: of 200 throws, 33 for a fair one,
/// with a deviation of 5.
#[test]
fn a_loaded_die_shows_six() {
    let sixes = (1..=200)
        .filter(|&seed| {
            let recording = thrown("loaded_die.lab", seed);
            value(&recording, recording.frames() - 1, "measure", "face") == [6.0]
        })
        .count();
    assert!(sixes > 50, "{sixes} of 200");
}

/// Residuals of variational steps are recorded, and only of such steps. With lagged friction the last one tells how
/// far the normal forces of both passes differ; `converged` says no wherever one of the four is too large.
#[test]
fn residuals_are_recorded_of_variational_steps_only() {
    let recording = thrown("dice.lab", 1);
    let mut lagging = 0;
    for frame in 0..recording.frames() {
        let residuals = RESIDUALS.map(|name| value(&recording, frame, "", name)[0]);
        assert!(residuals[..3].iter().all(|it| (0.0..=1e-8).contains(it)), "{frame}: {residuals:?}");
        let converged = residuals.iter().all(|it| *it <= 1e-8);
        assert_eq!(value(&recording, frame, "", "converged"), [f64::from(converged)], "{frame}");
        lagging += u32::from(!converged);
    }
    assert!(lagging > 5, "{lagging}");
    let last = RESIDUALS.map(|name| value(&recording, recording.frames() - 1, "", name)[0]);
    assert!(last.iter().all(|it| *it <= 1e-8), "at rest both passes agree: {last:?}");
    let text = Gallery.text("dice.lab").unwrap();
    let plain = text.replace("    solver = variational\n    kinetic = seed\n", "");
    let record = plain.find("    record = ").unwrap();
    let end = record + plain[record..].find("}\n").unwrap() + 2;
    let plain = format!("{}{}", &plain[..record], &plain[end..]);
    let (_, read) = experiment(&Gallery, &plain, &["seed=1"]);
    let (recording, _) = run_with(&read.unwrap(), Options::default());
    for name in RESIDUALS {
        assert!(recording.schema.quantity(Owner::World, name).is_none(), "{name}");
    }
}

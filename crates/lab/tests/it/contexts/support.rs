//! Shared by the tests of contexts: experiments as text, runs of them, and recorded values.

use crate::support::Gallery;
use gedanken_experiment::Experiment;
use gedanken_lab::{Options, Run, Stop};
use gedanken_lang::diagnostic::{Diagnostic, Style, render};
use gedanken_recording::{Event, EventKind, Moment, Recording};
use std::fmt::Write;

/// A free fall without forces: the velocity stays.
pub(crate) const STRAIGHT_ON: &str = "context {
    name = straight_on
    type = free fall
    attributes = {t0, pos0}
    compute_first_time_only_attributes = {t0, pos0}
    functions = {
        t0 = t
        pos0 = position
        position = pos0 + v * (t - t0)
    }
}
";

/// A free fall with the acceleration `a`, an attribute of the world.
pub(crate) const FLIGHT: &str = "context {
    name = flight
    type = free fall
    attributes = {t0, pos0, v0}
    compute_first_time_only_attributes = {t0, pos0, v0}
    functions = {
        t0 = t
        pos0 = position
        v0 = v
        v = v0 + a * (t - t0)
        position = pos0 + v0 * (t - t0) + 0.5 * a * (t - t0)^2
    }
}
";

/// Two spheres that keep momentum and energy.
pub(crate) const ELASTIC: &str = "context {
    name = elastic
    type = collision
    attributes = {v_in}
    compute_first_time_only_attributes = {v_in}
    aliases = {
        use v1 as attribute v of object with index 0
        use v2 as attribute v of object with index 1
        use v1_in as attribute v_in of object with index 0
        use v2_in as attribute v_in of object with index 1
        use m1 as attribute mass of object with index 0
        use m2 as attribute mass of object with index 1
        use n as attribute collisionNormal of object with index 0
    }
    functions = {
        v1_in = v1
        v2_in = v2
        j = 2 * m1 * m2 / (m1 + m2) * ((v2_in - v1_in) . n)
        v1 = v1_in + j / m1 * n
        v2 = v2_in - j / m2 * n
    }
    applicability = {
        mandatory 2 dynamic spheres
    }
}
";

/// A sphere that a static object throws back without loss.
pub(crate) const MIRROR: &str = "context {
    name = mirror
    type = collision
    attributes = {v_in}
    compute_first_time_only_attributes = {v_in}
    functions = {
        v_in = v
        v = reflectVector(v_in, collisionNormal)
    }
    applicability = {
        mandatory 1 dynamic sphere and 1 static object
    }
}
";

/// An object.
pub(crate) fn object(name: &str, physical: &str, shape: &str, attributes: &str) -> String {
    format!(
        "object {{\n    name = {name}\n    physical type = {physical}\n    geometrical type = {shape}\n    attributes = {{\n        {attributes}\n    }}\n}}\n"
    )
}

/// A dynamic sphere with a velocity `v` and a mass.
pub(crate) fn ball(name: &str, position: [f64; 3], radius: f64, v: [f64; 3], mass: f64) -> String {
    let attributes = format!(
        "position = {position:?}\n        size = {radius:?}\n        v = {v:?}\n        mass = {mass:?}"
    );
    object(name, "dynamic", "sphere", &attributes)
}

/// A static cuboid.
pub(crate) fn block(name: &str, position: [f64; 3], size: [f64; 3]) -> String {
    object(name, "static", "cuboid", &format!("position = {position:?}\n        size = {size:?}"))
}

/// Six half spaces around a cube of this half width: `wall0` to `wall5`.
pub(crate) fn six_walls(half: f64) -> String {
    // A half space is all below its own xy plane: turned about x or y its outward normal, z, points into the
    // box.
    let turned = [
        ([-half, 0.0, 0.0], "[0, pi / 2, 0]"),
        ([half, 0.0, 0.0], "[0, -pi / 2, 0]"),
        ([0.0, -half, 0.0], "[-pi / 2, 0, 0]"),
        ([0.0, half, 0.0], "[pi / 2, 0, 0]"),
        ([0.0, 0.0, -half], "[0, 0, 0]"),
        ([0.0, 0.0, half], "[pi, 0, 0]"),
    ];
    let mut text = String::new();
    for (k, (place, angles)) in turned.iter().enumerate() {
        let attributes = format!("position = {place:?}\n        orientation = {angles}");
        text.push_str(&object(&format!("wall{k}"), "static", "half space", &attributes));
    }
    text
}

/// A simulation in which all objects and contexts of `text` take part, appended to it.
pub(crate) fn simulation(text: &str, duration: f64, frame_rate: f64, more: &str) -> String {
    let names = |kind: &str| {
        let blocks = blocks(text).into_iter().filter(|it| it.starts_with(kind));
        let name = |block: &str| {
            let line = block.lines().find_map(|it| it.trim().strip_prefix("name = ").map(str::to_owned));
            line.unwrap()
        };
        blocks.map(|it| name(&it)).collect::<Vec<_>>().join(", ")
    };
    let mut text = text.to_owned();
    let (objects, contexts) = (names("object"), names("context"));
    write!(
        text,
        "simulation {{\n    name = test\n    duration = {duration:?}\n    frame rate = {frame_rate:?}\n    objects_involved = {{{objects}}}\n    contexts_involved = {{{contexts}}}\n    {more}\n}}\n"
    )
    .unwrap();
    text
}

/// The blocks of a text, and what stands between them.
pub(crate) fn blocks(text: &str) -> Vec<String> {
    let (mut found, mut block, mut depth) = (Vec::new(), String::new(), 0);
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or("");
        depth += code.matches('{').count();
        depth -= code.matches('}').count();
        block.push_str(line);
        block.push('\n');
        if depth == 0 && !code.trim().is_empty() {
            found.push(std::mem::take(&mut block).trim_start().to_owned());
        }
    }
    found
}

/// An experiment without mistakes; imports are those of the gallery.
pub(crate) fn read(text: &str) -> Experiment {
    let (sources, result) = crate::support::experiment(&Gallery, text, &[]);
    result.unwrap_or_else(|found| panic!("{text}\n{}", render(&found, &sources, Style::Plain)))
}

/// An experiment of the gallery, as text.
pub(crate) fn gallery(name: &str) -> String {
    use gedanken_experiment::Files;
    Gallery.text(name).unwrap()
}

/// The recording, and why the run stopped before its time, if it did.
pub(crate) fn try_run(text: &str, options: Options) -> (Recording, Option<Diagnostic>) {
    let experiment = read(text);
    let simulation = experiment.simulation(None).unwrap();
    let mut engine = Run::new(&experiment, simulation, options).unwrap();
    let mut recording = Recording::new(engine.schema().clone());
    loop {
        match engine.advance(&mut recording) {
            Ok(true) => {}
            Ok(false) => return (recording, None),
            Err(Stop::Experiment(found)) => return (recording, Some(*found)),
            Err(other) => panic!("{other}"),
        }
    }
}

/// A run to its end.
pub(crate) fn run_with(text: &str, options: Options) -> Recording {
    let (recording, stop) = try_run(text, options);
    assert!(stop.is_none(), "{stop:?}\n{text}");
    recording
}

/// A run to its end.
pub(crate) fn run(text: &str) -> Recording {
    run_with(text, Options::default())
}

/// The scalars of something in a frame.
pub(crate) fn at(recording: &Recording, frame: usize, name: &str) -> Vec<f64> {
    let what = recording.schema.find(name).unwrap_or_else(|| panic!("there is no `{name}`"));
    (0..what.width()).map(|it| recording.schema.scalar(recording.row(frame), &what.scalar(it))).collect()
}

/// The scalars of something in the last frame.
pub(crate) fn last(recording: &Recording, name: &str) -> Vec<f64> {
    at(recording, recording.frames() - 1, name)
}

/// The scalars of something at one side of an event.
pub(crate) fn moment(recording: &Recording, event: &Event, moment: Moment, name: &str) -> Vec<f64> {
    let what = recording.schema.find(name).unwrap_or_else(|| panic!("there is no `{name}`"));
    (0..what.width()).map(|it| recording.schema.event_scalar(event, moment, &what.scalar(it))).collect()
}

/// All events of a kind.
pub(crate) fn events(recording: &Recording, kind: EventKind) -> Vec<&Event> {
    recording.events.iter().filter(|it| it.kind == kind).collect()
}

/// The times of all collisions.
pub(crate) fn collisions(recording: &Recording) -> Vec<f64> {
    events(recording, EventKind::Collision).iter().map(|it| it.time).collect()
}

/// Objects that take part in an event.
pub(crate) fn names<'r>(recording: &'r Recording, event: &Event) -> Vec<&'r str> {
    event.objects.iter().map(|&it| recording.schema.objects[it].as_str()).collect()
}

/// Returns `true` if two numbers differ by no more than `tolerance`.
#[track_caller]
pub(crate) fn assert_near(value: f64, expected: f64, tolerance: f64) {
    let error = (value - expected).abs();
    assert!(error <= tolerance, "{value} is not {expected}: off by {error:e} of {tolerance:e}");
}

/// Returns `true` if two vectors differ by no more than `tolerance` in each element.
#[track_caller]
pub(crate) fn assert_all_near(values: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(values.len(), expected.len(), "{values:?} is not {expected:?}");
    let error = values.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error <= tolerance, "{values:?} is not {expected:?}: off by {error:e} of {tolerance:e}");
}

/// Number of repetitions of a test: `short` in `make test`, `long` in `make test-long`, which asks property
/// tests for more cases than the usual 256.
#[allow(clippy::disallowed_methods, reason = "the number of cases is chosen outside, as for property tests")]
pub(crate) fn times(short: u32, long: u32) -> u32 {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse::<u32>().ok());
    if cases.is_some_and(|cases| cases > 256) { long } else { short }
}

/// Numbers that look random and are the same at every run: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Debug)]
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number between two others.
    pub(crate) fn between(&mut self, least: f64, greatest: f64) -> f64 {
        let share = (self.next() >> 11) as f64 / (1_u64 << 53) as f64;
        least + (greatest - least) * share
    }
}

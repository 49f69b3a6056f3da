//! A gas of elastic spheres in a box at fixed density, by laws as a user writes them: what a collision costs,
//! from the search to the recorded event, and how that grows with the number of spheres.
//!
//! The mean free path at the volume fraction φ is r / (3√2 φ), about 5 radii here, and a sphere flies 10
//! radii in a frame: each frame has about as many collisions as spheres. The peers are budgets: 20 µs for a
//! collision of 1,000 spheres, and twice the time of a collision for ten times as many spheres. A pair search
//! that looked at everybody would need ten times the time.

use super::Outcome;
use crate::clock::Times;
use crate::lab::{self, Run};
use crate::ours::{EventKind, Recording};
use crate::random::Random;
use crate::table::Row;
use std::fmt::Write;

const LAWS: &str = include_str!("../../laws/gas.lab");
const SEED: u64 = 1738;
const RADIUS: f64 = 0.01;
const FRAME_RATE: f64 = 60.0;
/// The part of the box that spheres fill.
const FILLED: f64 = 0.05;
/// Spheres times frames of a run: about as many collisions.
const SPHERE_FRAMES: usize = 20_000;
/// The first frame also begins the fall of every sphere.
const FEWEST_FRAMES: usize = 4;
const REPETITIONS: usize = 3;
/// What a collision may take among 1,000 spheres, in seconds.
const BUDGET: f64 = 1.0 / 50_000.0;
/// By how much it may grow for ten times as many spheres.
const GROWTH: f64 = 2.0;

pub fn run() -> Outcome {
    let gases = [100, 1_000, 10_000].map(Gas::measure);
    let [hundred, thousand, many] = gases;
    let (hundred, thousand, many) = (hundred?, thousand?, many?);
    let mut budget = Times::default();
    budget.push(BUDGET);
    let row = |gas: &Gas, peer: &str, theirs: Times| Row {
        case: format!("gas, {} spheres", gas.spheres),
        peer: peer.into(),
        unit: "collisions/s",
        amount: 1.0,
        ours: gas.times.clone(),
        theirs,
        target: Some(1.0),
        sound: gas.energy_error < 1e-10 && gas.collisions > 0 && gas.inside,
        remark: format!(
            "{} collisions, {:.1} µs each, median {:.1} µs; energy kept to {:.1e}, {}",
            gas.collisions,
            gas.times.best() * 1e6,
            gas.times.median() * 1e6,
            gas.energy_error,
            if gas.inside { "nobody has left the box" } else { "somebody has LEFT the box" },
        ),
    };
    let grown = |from: &Gas| from.times.scaled(GROWTH);
    Ok(vec![
        row(&thousand, "20 µs each", budget),
        row(&thousand, "twice that of 100", grown(&hundred)),
        row(&many, "twice that of 1,000", grown(&thousand)),
    ])
}

/// What was measured of one gas.
struct Gas {
    spheres: usize,
    /// Of one collision.
    times: Times,
    collisions: usize,
    /// The relative change of the energy.
    energy_error: f64,
    inside: bool,
}

impl Gas {
    fn measure(spheres: usize) -> Result<Self, String> {
        let mut gas =
            Self { spheres, times: Times::default(), collisions: 0, energy_error: f64::NAN, inside: false };
        for _ in 0..REPETITIONS {
            let Run { seconds, recording } = lab::run("gas.lab", text(spheres))?;
            let is_collision = |it: &&_| matches!(it, crate::ours::Event { kind: EventKind::Collision, .. });
            gas.collisions = recording.events.iter().filter(is_collision).count();
            gas.times.push(seconds / gas.collisions as f64);
            let energy = |frame: usize| all(&recording, frame, "v").map(|v| 0.5 * v * v).sum::<f64>();
            let last = recording.frames() - 1;
            gas.energy_error = (energy(last) / energy(0) - 1.0).abs();
            // A touch band of rounding above the walls.
            let reach = 0.5 * width(spheres) - RADIUS + 1e-9;
            gas.inside = all(&recording, last, "position").all(|x| x.abs() <= reach);
        }
        Ok(gas)
    }
}

/// All scalars of an attribute in a frame.
fn all(recording: &Recording, frame: usize, name: &str) -> impl Iterator<Item = f64> {
    let quantities = recording.schema.quantities.iter().filter(move |it| it.name == name);
    quantities.flat_map(move |it| recording.row(frame)[it.start..it.start + it.width()].iter().copied())
}

/// The width of the box.
fn width(spheres: usize) -> f64 {
    let volume = 4.0 / 3.0 * std::f64::consts::PI * RADIUS * RADIUS * RADIUS;
    libm::cbrt(spheres as f64 * volume / FILLED)
}

/// Spheres at random places of a grid, with random velocities of 10 radii per frame in the mean, between six
/// walls.
fn text(spheres: usize) -> String {
    let mut random = Random::new(SEED);
    let width = width(spheres);
    let side = (1usize..).find(|side| side.pow(3) >= spheres).expect("cubes grow");
    let cell = width / side as f64;
    let play = 0.49 * cell - RADIUS;
    // The mean length of a vector from a cube of half-edge 1 is 0.9606.
    let speed = 10.0 * RADIUS * FRAME_RATE / 0.9606;
    let mut text = LAWS.to_owned();
    for sphere in 0..spheres {
        let site = sphere * side.pow(3) / spheres;
        let place = [site % side, site / side % side, site / side.pow(2)]
            .map(|k| (k as f64 + 0.5) * cell - 0.5 * width + play * random.signed());
        let v = [(); 3].map(|()| speed * random.signed());
        write!(
            text,
            "object {{\nname = ball_{sphere:05}\nphysical type = dynamic\ngeometrical type = sphere\n\
             attributes = {{\nposition = {place:?}\nsize = {RADIUS:?}\nv = {v:?}\nmass = 1\n}}\n}}\n"
        )
        .expect("a string takes everything");
    }
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        for (sign, end) in [(-1.0, "low"), (1.0, "high")] {
            let (mut place, mut size) = ([0.0; 3], [3.0 * width; 3]);
            (place[axis], size[axis]) = (sign * width, width);
            write!(
                text,
                "object {{\nname = wall_{name}_{end}\nphysical type = static\ngeometrical type = cuboid\n\
                 attributes = {{\nposition = {place:?}\nsize = {size:?}\n}}\n}}\n"
            )
            .expect("a string takes everything");
        }
    }
    let duration = (SPHERE_FRAMES / spheres).max(FEWEST_FRAMES) as f64 / FRAME_RATE;
    text + &format!("simulation {{\nname = heat\nduration = {duration:?}\nframe rate = {FRAME_RATE:?}\n}}\n")
}

//! 10,000 cuboids that fall and tumble far from each other, 600 frames with all attributes recorded: how many
//! times faster than the clock on the wall the lab runs where nothing happens. The peer is a budget: an
//! eighth of the simulated time.

use super::Outcome;
use crate::clock::Times;
use crate::lab;
use crate::ours::Recording;
use crate::random::Random;
use crate::table::Row;
use std::fmt::Write;

const LAWS: &str = include_str!("../../laws/tumbling.lab");
const SEED: u64 = 1604;
const BODIES: usize = 10_000;
const SECONDS: f64 = 10.0;
const FRAME_RATE: f64 = 60.0;
const TIMES_REAL_TIME: f64 = 8.0;
const REPETITIONS: usize = 3;
const G: f64 = 9.81;

pub fn run() -> Outcome {
    let mut ours = Times::default();
    let (mut apart, mut scalars) = (0.0f64, 0);
    for _ in 0..REPETITIONS {
        let run = lab::run("tumbling.lab", text())?;
        ours.push(run.seconds);
        apart = apart.max(distance_from_closed_form(&run.recording));
        scalars = run.recording.schema.width();
    }
    let mut theirs = Times::default();
    theirs.push(SECONDS / TIMES_REAL_TIME);
    Ok(vec![Row {
        case: format!("free fall in the lab, {BODIES} bodies"),
        peer: format!("{TIMES_REAL_TIME} times real time"),
        unit: "body frames/s",
        amount: BODIES as f64 * SECONDS * FRAME_RATE,
        target: Some(1.0),
        sound: apart < 1e-9,
        remark: format!(
            "{:.1} times real time, median {:.1}; {scalars} reals a frame; heights at most {apart:.1e} m off",
            SECONDS / ours.best(),
            SECONDS / ours.median()
        ),
        ours,
        theirs,
    }])
}

/// By how much heights at the end differ from z₀ + v₀ t - g t²/2.
fn distance_from_closed_form(recording: &Recording) -> f64 {
    let [first, last] = [0, recording.frames() - 1].map(|frame| recording.row(frame));
    let starts = |name: &'static str| {
        recording.schema.quantities.iter().filter(move |it| it.name == name).map(|it| it.start)
    };
    let off = |(z, v): (usize, usize)| {
        (last[z + 2] - (first[z + 2] + first[v + 2] * SECONDS - 0.5 * G * SECONDS * SECONDS)).abs()
    };
    starts("position").zip(starts("v")).map(off).fold(0.0, f64::max)
}

/// Cuboids on a grid whose cells none can leave sideways, each with a velocity and a turn of its own.
fn text() -> String {
    let mut random = Random::new(SEED);
    let side = (1usize..).find(|side| side.pow(2) >= BODIES).expect("squares grow");
    let mut text = LAWS.to_owned();
    for body in 0..BODIES {
        // They drift by at most 10 m each, and are less than 4 m wide.
        let place = [(body % side) as f64 * 30.0, (body / side) as f64 * 30.0, 100.0 * random.signed()];
        let size = [(); 3].map(|()| 1.0 + 0.5 * random.signed());
        let v = [(); 3].map(|()| random.signed());
        let a_v = [(); 3].map(|()| 2.0 * random.signed());
        write!(
            text,
            "object {{\nname = body_{body:05}\nphysical type = dynamic\ngeometrical type = cuboid\n\
             attributes = {{\nposition = {place:?}\norientation = [1, 0, 0, 0]\nsize = {size:?}\n\
             v = {v:?}\na_v = {a_v:?}\n}}\n}}\n"
        )
        .expect("a string takes everything");
    }
    text + &format!(
        "simulation {{\nname = fall\nduration = {SECONDS:?}\nframe rate = {FRAME_RATE:?}\nrecord = {{attributes}}\n}}\n"
    )
}

//! An elastic gas in a box: its energy is kept, no two balls are ever in each other, and every collision
//! comes when the quadratic equation says.
//!
//! Between two events a ball flies straight on, so that all places at all times follow from the recorded
//! beginnings of its free falls, without the engine.

use super::support::{
    Dice, ELASTIC, MIRROR, STRAIGHT_ON, assert_all_near, assert_near, at, ball, collisions, events, last,
    run, simulation, six_walls,
};
use gedanken_recording::{EventKind, Moment, Recording};
use std::fmt::Write;

type Vector = [f64; 3];

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn minus(a: Vector, b: Vector) -> Vector {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[derive(Clone, Copy, Debug)]
struct Ball {
    place: Vector,
    radius: f64,
    v: Vector,
}

/// Half the width of the box.
const HALF: f64 = 5.0;

/// Balls on a grid of 5 × 5 × 4 places, somewhat shifted, none in touch.
fn balls(count: usize, speed: f64, seed: u64) -> Vec<Ball> {
    let mut dice = Dice(seed);
    let mut random = |least: f64, greatest: f64| dice.between(least, greatest);
    let one = |k: usize| {
        let grid = [k % 5, k / 5 % 5, k / 25].map(|it| it as f64);
        Ball {
            place: [2.0 * grid[0] - 4.0, 2.0 * grid[1] - 4.0, 2.4 * grid[2] - 3.6]
                .map(|it| it + random(-0.5, 0.5)),
            radius: random(0.2, 0.4),
            v: [0; 3].map(|_| random(-speed, speed)),
        }
    };
    (0..count).map(one).collect()
}

fn text_of(balls: &[Ball], duration: f64, frame_rate: f64) -> String {
    let mut text = six_walls(HALF);
    for (k, it) in balls.iter().enumerate() {
        let mass = 1000.0 * it.radius * it.radius * it.radius;
        text.push_str(&ball(&format!("b{k:03}"), it.place, it.radius, it.v, mass));
    }
    text.push_str(STRAIGHT_ON);
    text.push_str(ELASTIC);
    text.push_str(MIRROR);
    let names: Vec<String> = (0..balls.len()).map(|k| format!("b{k:03}")).collect();
    write!(
        text,
        "measure energy {{\n    of = {{{}}}\n    value = 0.5 * mass * (v . v)\n}}\n",
        names.join(", ")
    )
    .unwrap();
    simulation(&text, duration, frame_rate, "")
}

/// A gas of twenty balls.
pub(crate) fn small() -> String {
    text_of(&balls(20, 3.0, 3), 2.5, 10.0)
}

/// A straight flight.
#[derive(Clone, Copy, Debug)]
struct Leg {
    /// The number of the event that began it.
    event: usize,
    from: f64,
    place: Vector,
    v: Vector,
}

impl Leg {
    fn at(&self, t: f64) -> Vector {
        [0, 1, 2].map(|k| self.place[k] + self.v[k] * (t - self.from))
    }
}

/// The flights of each ball, by its number.
fn legs(recording: &Recording, balls: usize) -> Vec<Vec<Leg>> {
    let schema = &recording.schema;
    let mut legs = vec![Vec::new(); balls];
    let names: Vec<[String; 2]> =
        (0..balls).map(|k| ["position", "v"].map(|what| format!("b{k:03}.{what}"))).collect();
    let found: Vec<_> = names.iter().map(|it| it.each_ref().map(|it| schema.find(it).unwrap())).collect();
    for (number, event) in recording.events.iter().enumerate().filter(|it| it.1.kind == EventKind::FreeFall) {
        // Walls come after the balls by name.
        let ball = event.objects[0];
        let [place, v] = found[ball]
            .each_ref()
            .map(|what| [0, 1, 2].map(|k| schema.event_scalar(event, Moment::After, &what.scalar(k))));
        legs[ball].push(Leg { event: number, from: event.time, place, v });
    }
    legs
}

/// The leg at `t`.
fn leg_at(legs: &[Leg], t: f64) -> &Leg {
    &legs[legs.partition_point(|it| it.from <= t).max(1) - 1]
}

/// The first time at which |p + v s| = r, without cancellation: c / (-b + sqrt(b² - a c)).
fn first_touch(p: Vector, v: Vector, r: f64) -> f64 {
    let distance = libm::sqrt(dot(p, p));
    let (a, b, c) = (dot(v, v), dot(p, v), (distance - r) * (distance + r));
    c / (-b + libm::sqrt(b * b - a * c))
}

#[test]
fn a_gas_obeys_its_laws() {
    // About a hundred collisions per unit of time.
    let balls = balls(100, 4.0, 7);
    let recording = run(&text_of(&balls, 120.0, 10.0));
    let found = collisions(&recording).len();
    assert!(found >= 10_000, "only {found} collisions");
    energy_is_kept(&recording);
    let legs = legs(&recording, balls.len());
    nobody_overlaps(&balls, &legs, &recording);
    collisions_are_roots(&balls, &legs, &recording);
}

/// Frames in which every ball crosses the box several times: who meets whom does not depend on when states
/// are recorded.
#[test]
fn long_frames_miss_nothing() {
    let balls = balls(100, 4.0, 7);
    let recording = run(&text_of(&balls, 20.0, 0.2));
    energy_is_kept(&recording);
    let legs = legs(&recording, balls.len());
    nobody_overlaps(&balls, &legs, &recording);
    // Every collision multiplies a rounding by some twenty, so that only the first ones can be compared.
    let often = run(&text_of(&balls, 1.0, 50.0));
    let [long, short] = [&recording, &often].map(|it| events(it, EventKind::Collision));
    assert!(short.len() >= 60, "only {} collisions", short.len());
    for (one, other) in long.iter().zip(&short).take(60) {
        assert_eq!(one.objects, other.objects);
        assert_near(one.time, other.time, 1e-9);
    }
}

fn energy_is_kept(recording: &Recording) {
    let first = at(recording, 0, "energy")[0];
    assert!(first > 0.0);
    for frame in 0..recording.frames() {
        assert_near(at(recording, frame, "energy")[0] / first, 1.0, 1e-9);
    }
}

/// All pairs, and all walls, at twenty random times in every frame.
fn nobody_overlaps(balls: &[Ball], legs: &[Vec<Leg>], recording: &Recording) {
    let mut dice = Dice(20);
    for frame in recording.times.windows(2) {
        for _ in 0..20 {
            let t = dice.between(frame[0], frame[1]);
            let places: Vec<Vector> = legs.iter().map(|it| leg_at(it, t).at(t)).collect();
            for (k, (&place, ball)) in places.iter().zip(balls).enumerate() {
                let allowed = 1e-9 * ball.radius;
                let out = place.iter().map(|it| it.abs() + ball.radius - HALF).fold(f64::MIN, f64::max);
                assert!(out <= allowed, "ball {k} is {out:e} in a wall at t = {t}");
                for (j, &other) in places.iter().enumerate().skip(k + 1) {
                    let way = minus(place, other);
                    let touch = ball.radius + balls[j].radius;
                    let depth = touch - libm::sqrt(dot(way, way));
                    let allowed = 1e-9 * ball.radius.min(balls[j].radius);
                    assert!(depth <= allowed, "balls {k} and {j} overlap by {depth:e} at t = {t}");
                }
            }
        }
    }
}

fn collisions_are_roots(balls: &[Ball], legs: &[Vec<Leg>], recording: &Recording) {
    let mut roots = 0;
    for (number, event) in recording.events.iter().enumerate() {
        if event.kind != EventKind::Collision {
            continue;
        }
        // The last flight that began before; no root where another hit of the same instant came between.
        let leg = |ball: usize| {
            let leg = *legs[ball].iter().rev().find(|it| it.event < number).unwrap();
            let hits = recording.events[leg.event + 1..number].iter();
            let mut hits = hits.filter(|it| it.kind == EventKind::Collision && it.objects.contains(&ball));
            hits.next().is_none().then_some(leg)
        };
        let dynamic: Vec<usize> = event.objects.iter().copied().filter(|&it| it < balls.len()).collect();
        let flights: Option<Vec<Leg>> = dynamic.iter().map(|&it| leg(it)).collect();
        let Some(flights) = flights else { continue };
        let root = match (&flights[..], &dynamic[..]) {
            ([one, other], &[a, b]) => {
                let from = one.from.max(other.from);
                let (p, v) = (minus(one.at(from), other.at(from)), minus(one.v, other.v));
                from + first_touch(p, v, balls[a].radius + balls[b].radius)
            }
            ([one], &[a]) => {
                let reach =
                    |k: usize| (HALF - balls[a].radius - one.place[k] * one.v[k].signum()) / one.v[k].abs();
                one.from + [0, 1, 2].map(reach).into_iter().fold(f64::INFINITY, f64::min)
            }
            _ => panic!("a collision has two objects, one of which moves"),
        };
        assert_near(event.time, root, 1e-12 * event.time.max(1.0));
        roots += 1;
    }
    assert!(roots * 100 >= 99 * events(recording, EventKind::Collision).len());
}

/// Elastic collisions do not know the direction of time: with all velocities reversed everybody goes back to
/// the start. Every collision multiplies an error by about the free path over the radius, some twenty, so
/// that few are possible.
#[test]
fn a_gas_finds_its_way_back() {
    let there = balls(20, 3.0, 3);
    let duration = 2.5;
    let recording = run(&small());
    let hits = collisions(&recording).len();
    assert!(hits >= 20, "only {hits} collisions");
    let vector = |name: String| -> Vector { last(&recording, &name).try_into().unwrap() };
    let back: Vec<Ball> = there
        .iter()
        .enumerate()
        .map(|(k, it)| Ball {
            place: vector(format!("b{k:03}.position")),
            v: vector(format!("b{k:03}.v")).map(|it| -it),
            ..*it
        })
        .collect();
    let returned = run(&text_of(&back, duration, 10.0));
    assert_eq!(collisions(&returned).len(), hits);
    for (k, it) in there.iter().enumerate() {
        assert_all_near(&last(&returned, &format!("b{k:03}.position")), &it.place, 1e-6);
        assert_all_near(&last(&returned, &format!("b{k:03}.v")), &it.v.map(|it| -it), 1e-6);
    }
}

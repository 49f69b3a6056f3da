//! Divergence: a motion that runs away is told while it happens, by one rule for all mechanics.
//!
//! Nothing here reads a clock. Events and evaluations of laws are counted, and places are compared from frame
//! to frame, so that the same run says the same on every machine:
//!
//! - **more and more to do**: over [`MAX_PER_FRAME`] events and evaluations in a frame, and more than in the
//!   frame before, which had more than the one before it;
//! - **farther and farther away**: between two frames something moves [`MAX_EXTENTS`] times as far as the
//!   scene is wide. The distance between frames counts, not the speed: what is fast and stays where it is, as
//!   a charge that circles a million times, does not diverge.
//!
//! A run that is resumed knows nothing of the frames before it, and tells a frame or two later.
//!
//! These motions may be what an experiment is about, and go on. One that gains energy from nothing is not, and ends
//! ([`EnergyWatch`]).

use super::options::Stop;
use super::words::{Words, WordsReader};
use gedanken_experiment::{Experiment, Object, Simulation};
use gedanken_lang::value::Value;
use gedanken_math::Vec3;
use gedanken_recording::{Owner, Schema};
use std::ops::Range;

/// Number of events and evaluations of laws in a frame from which on a rise counts.
const MAX_PER_FRAME: u64 = 100_000;

/// Distance between two frames, in widths of the scene, that no motion has which an experiment is about.
const MAX_EXTENTS: f64 = 1e6;

/// Number of evaluations of laws that a step of an adaptive integrator takes at least.
pub(crate) const EVALUATIONS_PER_STEP: u64 = 6;

/// Key of the notice: it is told once.
pub(crate) const KEY: &str = "the motion diverges";

/// Ways out, for whoever reads the notice.
const ADVICE: &str = "look for what feeds it: a restitution above 1, a damping with the wrong sign, a force that grows with \
                      the motion, or a `time step` too long for a stiff spring";

/// What a run has done in its last frames.
#[derive(Debug)]
pub(super) struct Divergence {
    objects: Vec<String>,
    contexts: Vec<String>,
    places: Vec<Place>,
    /// Width of the scene at the start.
    extent: f64,
    /// Scalars of a row that are a place, by place. Apart from the names: a frame looks at all of them.
    spans: Vec<Range<usize>>,
    /// Scalars of all places in the last frame; not numbers if that is not known.
    last: Vec<f64>,
    /// Number of events and evaluations in the two last frames, the older first.
    counts: [Option<u64>; 2],
}

/// Where something is: a position of an object, or a coordinate.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// Its name.
    name: String,
    /// Number of the object.
    pub(super) object: Option<usize>,
}

impl Divergence {
    /// Knows the scene of a simulation at its start.
    pub(super) fn new(experiment: &Experiment, simulation: &Simulation, schema: &Schema) -> Self {
        let system = simulation.lagrangian_block().and_then(|block| experiment.lagrangians.get(block));
        let (mut places, mut spans) = (Vec::new(), Vec::new());
        for quantity in &schema.quantities {
            let width = quantity.ty.scalars().unwrap_or(0);
            let (name, object) = match quantity.owner {
                Owner::Object(object) if quantity.name == "position" && quantity.context.is_none() => {
                    (schema.objects[object].clone(), Some(object))
                }
                Owner::World => match system {
                    Some(it) if it.system.coordinates.iter().any(|it| it.name == quantity.name) => {
                        (quantity.name.clone(), None)
                    }
                    _ => continue,
                },
                _ => continue,
            };
            places.push(Place { name, object });
            spans.push(quantity.start..quantity.start + width);
        }
        let extent = match system {
            Some(it) => it.coordinates.iter().fold(1.0, |most: f64, q| most.max(q.abs())),
            None => extent(simulation.objects.iter().map(|&it| &experiment.objects[it])),
        };
        Self {
            objects: schema.objects.clone(),
            contexts: schema.contexts.clone(),
            places,
            extent,
            last: vec![f64::NAN; spans.iter().map(Range::len).sum()],
            spans,
            counts: [None; 2],
        }
    }

    /// Returns `true` if so many events and evaluations in the present frame are too many, and ever more.
    pub(super) fn is_rising(&self, count: u64) -> bool {
        count > MAX_PER_FRAME && matches!(self.counts, [Some(older), Some(old)] if older < old && old < count)
    }

    /// Takes a frame that is complete: its row, and the number of events and evaluations in it. Returns what
    /// has moved too far since the frame before, if something has.
    pub(super) fn frame(&mut self, row: &[f64], count: u64) -> Option<(Place, f64)> {
        let limit = MAX_EXTENTS * self.extent * (MAX_EXTENTS * self.extent);
        let (mut far, mut last) = (None, self.last.iter_mut());
        for (number, span) in self.spans.iter().enumerate() {
            let mut square = 0.0;
            for (now, last) in row[span.clone()].iter().zip(last.by_ref()) {
                square += (now - *last) * (now - *last);
                *last = *now;
            }
            // Not a number where a position has none, and in the first frame.
            if square > limit && far.is_none() {
                far = Some((number, square));
            }
        }
        self.counts = [self.counts[1], Some(count)];
        far.map(|(number, square)| (self.places[number].clone(), square.sqrt() / self.extent))
    }

    /// Says that ever more happens, at an event of these objects.
    pub(super) fn events_rise(&self, count: u64, context: Option<usize>, objects: &[usize]) -> String {
        let names: Vec<String> = objects
            .iter()
            .take(2)
            .filter_map(|&it| self.objects.get(it))
            .map(|it| format!("`{it}`"))
            .collect();
        let who = if names.is_empty() { String::new() } else { format!(" of {}", names.join(" and ")) };
        let law =
            context.and_then(|it| self.contexts.get(it)).map(|it| format!(" in `{it}`")).unwrap_or_default();
        let [older, old] = self.counts.map(|it| it.unwrap_or(0));
        format!(
            "the motion diverges: ever more events{who}{law}, {older} and {old} in the last two frames and {count} so far in \
             this one; {ADVICE}"
        )
    }

    /// Says that laws take ever more evaluations.
    pub(super) fn evaluations_rise(&self, before: [Option<u64>; 2], count: u64, laws: &[String]) -> String {
        let [older, old] = before.map(|it| it.unwrap_or(0));
        format!(
            "the motion diverges: its laws{} take ever more evaluations and events, {older}, {old} and {count} in the last \
             three frames; {ADVICE}",
            listed(laws)
        )
    }

    /// Number of events and evaluations in the two last frames, the older first.
    pub(super) fn counts(&self) -> [Option<u64>; 2] {
        self.counts
    }

    /// Says that something has moved too far.
    pub(super) fn runs_away(place: &Place, distance: f64, laws: &[String]) -> String {
        let by = if laws.is_empty() { String::new() } else { format!(", moved by{}", listed(laws)) };
        let times = Value::Real((distance / 1e6).round() * 1e6);
        format!(
            "the motion of `{}` diverges{by}: from one frame to the next it goes {times} times as far as the scene is \
             wide; {ADVICE}",
            place.name
        )
    }
}

/// Part of the scale of energy below which energy without an owner is the error of a method that works.
const ERROR_SHARE: f64 = 0.1;

/// Part of the potential energy that its rounding can be after many steps.
const ROUNDING: f64 = 1e-9;

/// A watch over energy that bodies gain without anybody's work.
///
/// The scale of a motion is E*, its largest kinetic energy and the range of its potential energy. While energy
/// without an owner is a small part of that, E* is earned. When it has come to exceed all that was earned, E* has
/// more than doubled from nothing: no experiment is about that, and nothing that is computed afterwards means
/// anything.
///
/// Of a force without a potential nobody knows what work it may do. Where E* grows fourfold, its laws are looked at; if
/// one of them is too fast for the step, twice in a row, it is the step that feeds the motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct EnergyWatch {
    kinetic: f64,
    potential: [f64; 2],
    /// E* as far as it is earned.
    earned: f64,
    /// The least energy without an owner so far.
    lowest: f64,
    /// Energies that are nothing: those of speeds that no one sees.
    floor: f64,
    /// E* when the laws were looked at last, and the one before that if a law was too fast for the step then.
    looked: f64,
    calm: f64,
}

/// Energy from nothing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gain {
    /// Energy gained without work, J.
    pub(crate) gained: f64,
    /// E* before, J.
    pub(crate) scale: f64,
}

impl EnergyWatch {
    /// Begins to watch. Energies below `floor` count as nothing.
    pub(crate) fn new(floor: f64) -> Self {
        let potential = [f64::INFINITY, f64::NEG_INFINITY];
        Self { kinetic: 0.0, potential, earned: 0.0, lowest: 0.0, floor, looked: 0.0, calm: -1.0 }
    }

    /// Takes the energies after a step, and the energy that nobody has given so far.
    pub(crate) fn step(&mut self, kinetic: f64, potential: f64, unearned: f64) -> Option<Gain> {
        self.kinetic = self.kinetic.max(kinetic);
        let [low, high] = &mut self.potential;
        (*low, *high) = (low.min(potential), high.max(potential));
        self.lowest = self.lowest.min(unearned);
        let scale = self.kinetic + (*high - *low);
        let floor = self.floor + ROUNDING * low.abs().max(high.abs());
        let gained = unearned - self.lowest;
        // A first step whose error is large has its own energies for a scale.
        if gained <= ERROR_SHARE * scale || self.earned == 0.0 {
            self.earned = scale;
            return None;
        }
        let scale = self.earned.max(floor);
        (gained > scale).then_some(Gain { gained, scale })
    }

    /// Returns `true` if E* has grown fourfold since the laws were looked at last.
    pub(crate) fn is_to_look(&self) -> bool {
        self.scale() > 4.0 * self.looked.max(self.floor)
    }

    /// Takes whether a law is too fast for the step, when it was to look.
    pub(crate) fn looked(&mut self, is_too_fast: bool) -> Option<Gain> {
        let (scale, before) = (self.scale(), self.calm);
        self.calm = if is_too_fast { self.looked } else { -1.0 };
        self.looked = scale;
        let is_fed = is_too_fast && before >= 0.0;
        is_fed.then(|| Gain { gained: scale - before, scale: before.max(self.floor) })
    }

    fn scale(&self) -> f64 {
        let [low, high] = self.potential;
        self.kinetic + (high - low)
    }

    /// Saves the watch.
    pub(crate) fn save(&self, to: &mut Words) {
        let Self { kinetic, potential: [low, high], earned, lowest, floor, looked, calm } = *self;
        [kinetic, low, high, earned, lowest, floor, looked, calm].into_iter().for_each(|real| to.real(real));
    }

    /// Restores a watch that has been saved.
    pub(crate) fn load(from: &mut WordsReader<'_>) -> Result<Self, Stop> {
        let mut real = || from.word().map(f64::from_bits);
        let (kinetic, potential) = (real()?, [real()?, real()?]);
        let (earned, lowest, floor) = (real()?, real()?, real()?);
        Ok(Self { kinetic, potential, earned, lowest, floor, looked: real()?, calm: real()? })
    }
}

/// Maximum number of laws that a message lists.
const LAWS_LISTED: usize = 4;

/// Names of laws in a sentence, each after a blank.
fn listed(laws: &[String]) -> String {
    let names: Vec<String> = laws.iter().take(LAWS_LISTED).map(|it| format!("`{it}`")).collect();
    if names.is_empty() { String::new() } else { format!(" {}", names.join(", ")) }
}

/// Width of a scene: the diagonal of the box around all objects that have a size; 1 if there is none.
fn extent<'o>(objects: impl Iterator<Item = &'o Object>) -> f64 {
    let (mut least, mut greatest) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for object in objects {
        let Some(position) = object.attribute("position").and_then(|it| it.vector()) else { continue };
        let size = object.attribute("size").and_then(|it| it.value.scalars()).unwrap_or_default();
        let size = size.iter().fold(0.0, |most: f64, it| most.max(it.abs()));
        let (centre, half) = (Vec3::from_array(position), Vec3::splat(size));
        (least, greatest) = (least.min(centre - half), greatest.max(centre + half));
    }
    let diagonal = (greatest - least).length();
    if diagonal > 0.0 && diagonal.is_finite() { diagonal } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of one object that moves along a line, after frames with these counts.
    fn after(counts: &[u64]) -> Divergence {
        let place = Place { name: "ball".to_owned(), object: Some(0) };
        let mut it = Divergence {
            objects: vec!["ball".to_owned(), "wall".to_owned()],
            contexts: vec!["bounce".to_owned()],
            places: vec![place],
            extent: 2.0,
            spans: std::iter::once(0..1).collect(),
            last: vec![f64::NAN],
            counts: [None; 2],
        };
        counts.iter().for_each(|&count| assert!(it.frame(&[0.0], count).is_none()));
        it
    }

    #[test]
    fn only_very_many_events_and_ever_more_of_them_are_told() {
        assert!(after(&[10, 60_000, 90_000]).is_rising(100_001));
        assert!(!after(&[10, 60_000, 90_000]).is_rising(100_000), "not yet so many");
        assert!(!after(&[60_000]).is_rising(200_000), "two frames are no trend");
        assert!(!after(&[90_000, 60_000]).is_rising(200_000), "fewer, then more");
        assert!(!after(&[200_000, 200_001]).is_rising(200_001), "as many as in the frame before");
        let said = after(&[60_000, 90_000]).events_rise(100_001, Some(0), &[0, 1]);
        assert!(said.contains("events of `ball` and `wall` in `bounce`, 60000 and 90000 in"), "{said}");
    }

    /// A leapfrog on a spring of unit mass and frequency: whether its watch stops it.
    fn spring_stops(h: f64) -> bool {
        let (mut watch, mut x, mut v) = (EnergyWatch::new(0.0), 1.0_f64, 0.0_f64);
        let start = 0.5 * (x * x + v * v);
        (0..1000).any(|_| {
            x += 0.5 * h * v;
            v -= h * x;
            x += 0.5 * h * v;
            let (kinetic, potential) = (0.5 * v * v, 0.5 * x * x);
            watch.step(kinetic, potential, kinetic + potential - start).is_some()
        })
    }

    #[test]
    fn a_spring_stops_where_its_step_is_unstable_and_not_where_it_is_only_coarse() {
        for h in [0.1, 0.5, 1.0, 1.5, 1.6] {
            assert!(!spring_stops(h), "{h}");
        }
        for h in [1.95, 2.0, 2.01, 2.28, 10.0] {
            assert!(spring_stops(h), "{h}");
        }
    }

    #[test]
    fn what_is_earned_may_grow_and_rounding_is_nothing() {
        let mut watch = EnergyWatch::new(1e-12);
        for k in 0..100 {
            let earned = libm::exp(f64::from(k));
            assert_eq!(watch.step(earned, -1e3, 0.01 * earned), None, "it grows by work");
        }
        let mut still = EnergyWatch::new(1e-12);
        for k in 0..100 {
            let noise = 1e-14 * f64::from(k);
            assert_eq!(still.step(noise, 1e3 + noise, noise), None, "rounding of a body at rest");
        }
        let mut words = Words::default();
        watch.save(&mut words);
        assert_eq!(EnergyWatch::load(&mut WordsReader::new(words.as_slice())).ok(), Some(watch));
    }

    #[test]
    fn the_way_between_two_frames_is_compared_with_the_scene() {
        let mut it = after(&[0]);
        assert!(it.frame(&[1.9e6], 0).is_none(), "nearly a million scenes of two metres");
        assert!(it.frame(&[f64::NAN], 0).is_none() && it.frame(&[9e9], 0).is_none(), "from nowhere");
        let (place, distance) = it.frame(&[-9e9], 0).expect("that is far");
        assert_eq!((place.name.as_str(), distance), ("ball", 9e9));
        assert!(
            Divergence::runs_away(&place, distance, &["push".to_owned()])
                .contains("`ball` diverges, moved by `push`")
        );
    }
}

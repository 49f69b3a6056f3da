//! Reads the states from which steps are taken: a list in JSON.
//!
//! ```json
//! [{"die": {"position": [0, 0, 0.5], "orientation": [1, 0, 0, 0], "velocity": [1, 0, 0], "angular_velocity": [0, 0, 2]},
//!   "lambda": [{"bodies": ["die", "floor"], "point": 0, "force": 2.5}]}]
//! ```
//!
//! The list may stand under `states`. The bodies of a state may stand under `bodies`, as they do where steps are
//! told, so that what was told of a step is a state again. Where only two bodies can touch, as a die and a table,
//! forces need not name them, and `[2.5, 0, 0, 2.5]` are those of points 0 to 3. Everything that is wrong is told
//! at once, each with its place.

use super::json::Json;
use gedanken_lang::check::similar;
use gedanken_math::{Quat, Vec3};
use std::fmt;

/// A state from which a step is taken. Bodies that it does not name are where the experiment puts them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GivenState {
    /// Bodies by name, in the order of the text.
    pub bodies: Vec<(String, GivenBody)>,
    /// Normal forces of the first pass, instead of those that it would find.
    pub lambda: Vec<GivenNormalForce>,
}

/// The motion of a body. What is absent is as the experiment has it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GivenBody {
    /// Position of its own frame, m.
    pub position: Option<Vec3>,
    /// Orientation of its own frame.
    pub orientation: Option<Quat>,
    /// Velocity of the origin of its own frame, m/s.
    pub velocity: Option<Vec3>,
    /// Angular velocity in the world, rad/s.
    pub angular_velocity: Option<Vec3>,
}

/// A normal force of the first pass.
#[derive(Clone, Debug, PartialEq)]
pub struct GivenNormalForce {
    /// Names of the two bodies; the only two that can touch, if absent.
    pub bodies: Option<[String; 2]>,
    /// Number of the point: of the corner, for corners on a half-space.
    pub point: u32,
    /// The force, N.
    pub force: f64,
}

/// Something in the states that has no meaning, and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misstated {
    /// Place in the text: `[3].die.orientation`. Empty for the text as a whole.
    pub place: String,
    /// What is wrong, and the way out.
    pub message: String,
}

impl fmt::Display for Misstated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place.is_empty() {
            true => f.write_str(&self.message),
            false => write!(f, "{}: {}", self.place, self.message),
        }
    }
}

/// Deviation of the square of a quaternion's length from 1 that rounding does not explain.
const ROUNDING: f64 = 1e-15;

/// Largest deviation of a quaternion's length from 1. Numbers that were printed with seven digits pass.
const UNIT_TOLERANCE: f64 = 1e-6;

/// Keys of what is told of a step; a state may repeat them.
const TOLD: [&str; 5] = ["converged", "cost", "iterations", "multipliers", "residuals"];

/// Keys of a body.
const OF_BODY: [&str; 4] = ["position", "orientation", "velocity", "angular_velocity"];

/// Keys of a given force.
const OF_FORCE: [&str; 3] = ["bodies", "point", "force"];

/// Reads a list of states; a single one needs no list.
///
/// # Errors
/// Everything that is wrong with them.
pub fn read_states(text: &str) -> Result<Vec<GivenState>, Vec<Misstated>> {
    let whole = |message| vec![Misstated { place: String::new(), message }];
    let json = Json::read(text).map_err(|error| whole(format!("this is not JSON: {error}")))?;
    let mut reader = Reader::default();
    let wrapped = match &json {
        Json::Map(map) => match &map[..] {
            [(key, list @ Json::List(_))] if key == "states" => Some(list),
            _ => None,
        },
        _ => None,
    };
    let (place, json) = match wrapped {
        Some(list) => (Place::default().key("states"), list),
        None => (Place::default(), &json),
    };
    let states: Vec<GivenState> = match json {
        Json::List(list) => list
            .iter()
            .enumerate()
            .map(|(number, state)| reader.state(&place.element(number), state))
            .collect(),
        state @ Json::Map(_) => vec![reader.state(&Place::default(), state)],
        other => {
            let kind = other.kind();
            return Err(whole(format!("states are a list `[{{…}}, {{…}}]`, and this is {kind}")));
        }
    };
    if reader.mistakes.is_empty() { Ok(states) } else { Err(reader.mistakes) }
}

/// A place in JSON.
#[derive(Clone, Debug, Default)]
struct Place(String);

impl Place {
    fn element(&self, number: usize) -> Self {
        Self(format!("{}[{number}]", self.0))
    }

    fn key(&self, key: &str) -> Self {
        match self.0.is_empty() {
            true => Self(key.to_owned()),
            false => Self(format!("{}.{key}", self.0)),
        }
    }
}

#[derive(Default)]
struct Reader {
    mistakes: Vec<Misstated>,
}

impl Reader {
    fn report(&mut self, place: &Place, message: impl Into<String>) {
        self.mistakes.push(Misstated { place: place.0.clone(), message: message.into() });
    }

    /// The entries of an object, each key once.
    fn entries<'j>(&mut self, place: &Place, what: &str, json: &'j Json) -> Vec<(&'j str, &'j Json)> {
        let Json::Map(map) = json else {
            self.report(place, format!("{what} is an object in braces, and this is {}", json.kind()));
            return Vec::new();
        };
        let mut entries: Vec<(&str, &Json)> = Vec::new();
        let mut seen = std::collections::HashSet::new();
        for (key, value) in map {
            match seen.insert(key.as_str()) {
                true => entries.push((key, value)),
                false => self.report(&place.key(key), "it is given twice; remove one of the two"),
            }
        }
        entries
    }

    fn state(&mut self, place: &Place, json: &Json) -> GivenState {
        let mut state = GivenState::default();
        let entries = self.entries(place, "a state", json);
        let wrapped = entries.iter().find(|(key, _)| *key == "bodies").map(|(_, value)| *value);
        for (key, value) in &entries {
            let at = place.key(key);
            match (*key, wrapped, value) {
                ("lambda", Some(_), _) | ("lambda", None, Json::List(_)) => {
                    state.lambda = self.forces(&at, value);
                }
                ("bodies", Some(bodies), _) => {
                    for (name, body) in self.entries(&at, "`bodies`", bodies) {
                        state.bodies.push((name.to_owned(), self.body(&at.key(name), body)));
                    }
                }
                (told, Some(_), _) if TOLD.contains(&told) => {}
                (other, Some(_), _) => {
                    let message = match similar(other, ["bodies", "lambda"]) {
                        Some(meant) => format!("a state has no `{other}`: did you mean `{meant}`?"),
                        None => format!("a state has no `{other}`: it has `bodies` and `lambda`"),
                    };
                    self.report(&at, message);
                }
                (name, None, body) => state.bodies.push((name.to_owned(), self.body(&at, body))),
            }
        }
        state
    }

    fn body(&mut self, place: &Place, json: &Json) -> GivenBody {
        let mut body = GivenBody::default();
        for (key, value) in self.entries(place, "the motion of a body", json) {
            let at = place.key(key);
            match key {
                "position" => body.position = self.vector(&at, value),
                "orientation" => body.orientation = self.orientation(&at, value),
                "velocity" => body.velocity = self.vector(&at, value),
                "angular_velocity" => body.angular_velocity = self.vector(&at, value),
                other => self.unknown(&at, "a body", other, &OF_BODY),
            }
        }
        body
    }

    fn unknown(&mut self, place: &Place, what: &str, key: &str, known: &[&str]) {
        let message = match similar(key, known.iter().copied()) {
            Some(meant) => format!("{what} has no `{key}`: did you mean `{meant}`?"),
            None => {
                let known: Vec<String> = known.iter().map(|it| format!("`{it}`")).collect();
                format!("{what} has no `{key}`: it has {}", known.join(", "))
            }
        };
        self.report(place, message);
    }

    fn numbers<const N: usize>(&mut self, place: &Place, example: &str, json: &Json) -> Option<[f64; N]> {
        let Json::List(list) = json else {
            self.report(
                place,
                format!("it is a list of {N} numbers, {example}, and this is {}", json.kind()),
            );
            return None;
        };
        if list.len() != N {
            self.report(place, format!("it has {N} numbers, {example}, and here are {}", list.len()));
            return None;
        }
        let mut numbers = [0.0; N];
        for (number, (slot, value)) in numbers.iter_mut().zip(list).enumerate() {
            let Json::Number(real) = value else {
                self.report(&place.element(number), format!("it is a number, and this is {}", value.kind()));
                return None;
            };
            *slot = *real;
        }
        Some(numbers)
    }

    fn vector(&mut self, place: &Place, json: &Json) -> Option<Vec3> {
        self.numbers(place, "[x, y, z]", json).map(Vec3::from_array)
    }

    /// A quaternion of length 1. What its digits leave to be wished is mended.
    fn orientation(&mut self, place: &Place, json: &Json) -> Option<Quat> {
        let [w, x, y, z] = self.numbers(place, "[w, x, y, z]", json)?;
        let quaternion = Quat::from_xyzw(x, y, z, w);
        let square = quaternion.length_squared();
        let length = square.sqrt();
        // Numbers of JSON are finite, but a length may overflow.
        if (length - 1.0).abs() > UNIT_TOLERANCE {
            let message =
                format!("it is a quaternion [w, x, y, z] of length 1, and this one has length {length}");
            self.report(place, message);
            return None;
        }
        Some(if (square - 1.0).abs() <= ROUNDING { quaternion } else { quaternion.normalize() })
    }

    fn forces(&mut self, place: &Place, json: &Json) -> Vec<GivenNormalForce> {
        let Json::List(list) = json else {
            let example = "[{\"bodies\": [\"die\", \"floor\"], \"point\": 0, \"force\": 2.5}]";
            self.report(place, format!("it is a list of forces, {example}, and this is {}", json.kind()));
            return Vec::new();
        };
        let force = |(number, json)| self.force(&place.element(number), number, json);
        list.iter().enumerate().filter_map(force).collect()
    }

    /// A force, or the bare number of one: it is that of the point with the number of its place.
    fn force(&mut self, place: &Place, number: usize, json: &Json) -> Option<GivenNormalForce> {
        if matches!(json, Json::Number(_)) {
            let force = self.normal_force(place, json)?;
            return Some(GivenNormalForce { bodies: None, point: number as u32, force });
        }
        let said = self.mistakes.len();
        let (mut bodies, mut point, mut force) = (None, None, None);
        for (key, value) in self.entries(place, "a force", json) {
            let at = place.key(key);
            match key {
                "bodies" => bodies = self.pair(&at, value),
                "point" => point = self.point(&at, value),
                "force" => force = self.normal_force(&at, value),
                other => self.unknown(&at, "a force", other, &OF_FORCE),
            }
        }
        if self.mistakes.len() > said {
            return None;
        }
        let missing = [(point.is_none(), "point"), (force.is_none(), "force")];
        for (_, key) in missing.into_iter().filter(|(is_missing, _)| *is_missing) {
            self.report(place, format!("a force needs `{key}`"));
        }
        Some(GivenNormalForce { bodies, point: point?, force: force? })
    }

    fn pair(&mut self, place: &Place, json: &Json) -> Option<[String; 2]> {
        match json {
            Json::List(list) => match list.as_slice() {
                [Json::Text(a), Json::Text(b)] => return Some([a.clone(), b.clone()]),
                _ => self.report(place, "these are the names of two bodies, [\"die\", \"floor\"]"),
            },
            other => {
                let kind = other.kind();
                self.report(
                    place,
                    format!("these are the names of two bodies, [\"die\", \"floor\"], and this is {kind}"),
                );
            }
        }
        None
    }

    fn point(&mut self, place: &Place, json: &Json) -> Option<u32> {
        match json {
            Json::Number(real) if (0.0..=f64::from(u32::MAX)).contains(real) && real.fract() == 0.0 => {
                Some(*real as u32)
            }
            _ => {
                self.report(place, "it is the number of a point, a whole number from 0 on");
                None
            }
        }
    }

    fn normal_force(&mut self, place: &Place, json: &Json) -> Option<f64> {
        match json {
            Json::Number(real) if *real >= 0.0 => Some(*real),
            Json::Number(real) => {
                self.report(place, format!("a normal force pushes: it is 0 or greater, and this is {real}"));
                None
            }
            other => {
                self.report(place, format!("it is a number, and this is {}", other.kind()));
                None
            }
        }
    }
}

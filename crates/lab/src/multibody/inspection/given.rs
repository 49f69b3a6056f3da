//! The file of states: coordinates, velocities, controls, points, contacts, and motions that are wanted.

use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::compile::Model;
use gedanken_multibody::contacts::Contact;
use gedanken_multibody::model::{BodyId, ContactDimension, GeomId, Impedance, Reference, Softness};
use gedanken_multibody::state::State;
use serde_json::Value;

/// What a file asks for.
#[derive(Debug, Clone, Default)]
pub struct GivenStates {
    /// Name under which the answer goes.
    pub id: String,
    /// States.
    pub states: Vec<GivenState>,
    /// Motions from some of the states.
    pub motions: Vec<GivenMotion>,
}

/// A state, and what is wanted there.
#[derive(Debug, Clone)]
pub struct GivenState {
    /// The state.
    pub state: State,
    /// Points of bodies whose Jacobians are wanted.
    pub points: Vec<(BodyId, Vec3)>,
    /// An acceleration whose forces are wanted.
    pub acceleration: Option<Vec<f64>>,
    /// Contacts that take the place of those we find, for the part `given`.
    pub contacts: Option<Vec<Contact>>,
}

/// A motion of one second from a state.
#[derive(Debug, Clone, PartialEq)]
pub struct GivenMotion {
    /// Its name.
    pub name: String,
    /// Number of the state it starts from.
    pub state: usize,
    /// Which constraints act.
    pub kind: MotionKind,
}

/// Which constraints act in a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MotionKind {
    /// None.
    Smooth,
    /// All but contacts.
    WithoutContacts,
    /// All.
    Full,
}

impl GivenStates {
    /// Reads a file of states of a model.
    ///
    /// # Errors
    /// What does not fit, with the place in the file.
    pub fn read(text: &str, model: &Model) -> Result<Self, String> {
        let text = text.trim_start_matches('\u{feff}');
        let root: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        let (states, contacts, motions) = match &root {
            Value::Array(states) => (states.as_slice(), None, &[][..]),
            Value::Object(_) => {
                let states = list(&root, "states", "")?.ok_or("`states` is missing: a list of states")?;
                (states, list(&root, "contacts", "")?, list(&root, "motions", "")?.unwrap_or_default())
            }
            _ => return Err("a list of states, or an object with `states`, is expected".to_owned()),
        };
        if let Some(contacts) = contacts.filter(|it| it.len() != states.len()) {
            return Err(format!("`contacts` has {} entries for {} states", contacts.len(), states.len()));
        }
        let mut found = Self {
            id: root.get("id").and_then(Value::as_str).unwrap_or_default().to_owned(),
            ..Self::default()
        };
        for (number, state) in states.iter().enumerate() {
            let place = format!("states[{number}]");
            let contacts = contacts.map(|contacts| &contacts[number]);
            found.states.push(given_state(state, contacts, model, &place)?);
        }
        for (number, motion) in motions.iter().enumerate() {
            found.motions.push(given_motion(motion, states.len(), &format!("motions[{number}]"))?);
        }
        Ok(found)
    }
}

fn given_state(
    value: &Value,
    contacts: Option<&Value>,
    model: &Model,
    place: &str,
) -> Result<GivenState, String> {
    let mut state = model.initial_state();
    let of = |key: &str, count: usize| -> Result<Option<Vec<f64>>, String> {
        let Some(numbers) = numbers(value, key, place)? else { return Ok(None) };
        if numbers.len() != count {
            return Err(format!("{place}.{key} has {} numbers; the model needs {count}", numbers.len()));
        }
        Ok(Some(numbers))
    };
    if let Some(coordinates) = of("qpos", model.coordinates())? {
        state.coordinates = coordinates;
    }
    if let Some(velocities) = of("qvel", model.freedoms())? {
        state.velocities = velocities;
    }
    if let Some(controls) = of("ctrl", model.description.actuators.len())? {
        state.controls = controls;
    }
    let prescribed = state.prescribed.len();
    let places = of("mocap_pos", 3 * prescribed)?;
    let turns = of("mocap_quat", 4 * prescribed)?;
    for (index, body) in state.prescribed.iter_mut().enumerate() {
        let pose = &mut body.pose;
        if let Some(places) = &places {
            pose.translation = Vec3::from_slice(&places[3 * index..]);
        }
        if let Some(turns) = &turns {
            let q = &turns[4 * index..4 * index + 4];
            *pose = Pose::new(Quat::from_xyzw(q[1], q[2], q[3], q[0]), pose.translation);
        }
    }
    if let Some(time) = value.get("time").and_then(Value::as_f64) {
        state.time = time;
    }
    let mut points = Vec::new();
    for (number, point) in list(value, "points", place)?.unwrap_or_default().iter().enumerate() {
        let place = format!("{place}.points[{number}]");
        let body = index(point, "body", model.description.bodies.len(), &place)?;
        points.push((BodyId::new(body), vector(&required(point, "offset", 3, &place)?)));
    }
    let contacts = match contacts {
        Some(contacts) => Some(given_contacts(contacts, model, place)?),
        None => None,
    };
    Ok(GivenState { state, points, acceleration: of("inverse_qacc", model.freedoms())?, contacts })
}

fn given_contacts(value: &Value, model: &Model, place: &str) -> Result<Vec<Contact>, String> {
    let place = format!("the contacts of {place}");
    let column = |key: &str, width: usize, count: usize| -> Result<Vec<f64>, String> {
        required(value, key, width * count, &place)
    };
    let distances = numbers(value, "dist", &place)?.unwrap_or_default();
    let count = distances.len();
    let geoms = column("geom", 2, count)?;
    let positions = column("pos", 3, count)?;
    let frames = column("frame", 9, count)?;
    let dimensions = column("dim", 1, count)?;
    let frictions = column("friction", 5, count)?;
    let references = column("solref", 2, count)?;
    let friction_references = column("solreffriction", 2, count)?;
    let impedances = column("solimp", 5, count)?;
    let margins = column("includemargin", 1, count)?;
    let addresses = column("efc_address", 1, count)?;
    let geom = |number: f64| -> Result<GeomId, String> {
        let fits = number >= 0.0 && number < model.description.geoms.len() as f64;
        if fits { Ok(GeomId::new(number as usize)) } else { Err(format!("{place}: no geom {number}")) }
    };
    let mut found = Vec::with_capacity(count);
    for k in 0..count {
        let dimension = ContactDimension::from_condim(dimensions[k] as usize)
            .ok_or_else(|| format!("{place}: dim {} is not 1, 3, 4 or 6", dimensions[k]))?;
        let own = [friction_references[2 * k], friction_references[2 * k + 1]];
        let frame = &frames[9 * k..9 * k + 9];
        found.push(Contact {
            geoms: [geom(geoms[2 * k])?, geom(geoms[2 * k + 1])?],
            position: vector(&positions[3 * k..]),
            frame: [vector(frame), vector(&frame[3..]), vector(&frame[6..])],
            distance: distances[k],
            dimension,
            friction: core::array::from_fn(|at| frictions[5 * k + at]),
            softness: Softness {
                reference: Reference::from_solref([references[2 * k], references[2 * k + 1]]),
                impedance: Impedance::from_solimp(core::array::from_fn(|at| impedances[5 * k + at])),
            },
            friction_reference: Reference::from_solreffriction(own),
            include_margin: margins[k],
            in_gap: addresses[k] < 0.0,
        });
    }
    Ok(found)
}

fn given_motion(value: &Value, states: usize, place: &str) -> Result<GivenMotion, String> {
    let name = value.get("name").and_then(Value::as_str).ok_or(format!("{place}.name is missing"))?;
    let kind = match value.get("kind").and_then(Value::as_str) {
        Some("smooth") => MotionKind::Smooth,
        Some("nocontact") => MotionKind::WithoutContacts,
        Some("full") => MotionKind::Full,
        _ => return Err(format!("{place}.kind is not `smooth`, `nocontact` or `full`")),
    };
    Ok(GivenMotion { name: name.to_owned(), state: index(value, "state", states, place)?, kind })
}

fn vector(numbers: &[f64]) -> Vec3 {
    Vec3::new(numbers[0], numbers[1], numbers[2])
}

fn list<'v>(value: &'v Value, key: &str, place: &str) -> Result<Option<&'v [Value]>, String> {
    match value.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Array(list)) => Ok(Some(list)),
        Some(_) => Err(format!("{place}.{key} is not a list")),
    }
}

fn index(value: &Value, key: &str, count: usize, place: &str) -> Result<usize, String> {
    let number = value.get(key).and_then(Value::as_u64).filter(|number| *number < count as u64);
    number.map(|number| number as usize).ok_or_else(|| format!("{place}.{key} is no number below {count}"))
}

/// Numbers of a list, which may be a list of lists.
fn numbers(value: &Value, key: &str, place: &str) -> Result<Option<Vec<f64>>, String> {
    fn flatten(value: &Value, into: &mut Vec<f64>) -> bool {
        match value {
            Value::Array(list) => list.iter().all(|value| flatten(value, into)),
            Value::Number(number) => {
                into.extend(number.as_f64());
                true
            }
            _ => false,
        }
    }
    let Some(found) = value.get(key) else { return Ok(None) };
    let mut flat = Vec::new();
    if flatten(found, &mut flat) {
        Ok(Some(flat))
    } else {
        Err(format!("{place}.{key} is no list of numbers"))
    }
}

fn required(value: &Value, key: &str, count: usize, place: &str) -> Result<Vec<f64>, String> {
    let found = numbers(value, key, place)?.ok_or_else(|| format!("{place}: `{key}` is missing"))?;
    if found.len() == count {
        return Ok(found);
    }
    Err(format!("{place}.{key} has {} numbers instead of {count}", found.len()))
}

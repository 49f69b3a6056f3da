//! The experiment of a model: its bodies as objects, so that runs, recordings and the page know them.
//!
//! A body becomes an object that is put together from its geoms; what belongs to the world becomes static
//! objects. The first simulation starts in the pose of the model, one more in each keyframe.

use super::{GeomLook, MjcfModel};
use crate::experiment::Experiment;
use crate::object::attribute::Attribute;
use crate::object::model::Object;
use crate::object::shape::ShapeKind;
use crate::simulation::model::{Imported, Mechanics, Record, Simulation};
use gedanken_geometry::import::TriangleSoup;
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::Name;
use gedanken_lang::value::Value;
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::model::{BodyId, Description, Geom, GeomShape};
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// Length of a simulation, in s.
const DURATION: f64 = 10.0;
/// Frames per second that are aimed at; a frame has a whole number of steps.
const FRAME_RATE: f64 = 60.0;
/// Highest group of geoms that is shown.
const LAST_SHOWN_GROUP: i32 = 2;
/// Rings of triangles around an ellipsoid.
const RINGS: u32 = 12;

/// Returns the experiment of a model.
#[must_use]
pub fn experiment(model: MjcfModel) -> Experiment {
    let MjcfModel { description, looks, warnings, span } = model;
    let mut world_poses: Vec<Pose> = Vec::with_capacity(description.bodies.len());
    for body in &description.bodies {
        // A parent stands before its children; the world has none.
        let parent = world_poses.get(body.parent.index()).copied().unwrap_or_default();
        world_poses.push(parent * body.pose);
    }
    let mut maker =
        Maker { description: &description, looks: &looks, span, world_poses, used: BTreeSet::new() };
    let mut shown: Vec<(Object, Option<BodyId>)> = Vec::new();
    let mut parts = Vec::new();
    let mut shown_by: Vec<Option<String>> = vec![None; description.geoms.len()];
    for geom in maker.geoms_of(BodyId::WORLD) {
        let object = maker.world_geom(geom);
        shown_by[geom] = Some(object.name.clone());
        shown.push((object, None));
    }
    for index in 1..description.bodies.len() {
        let body = BodyId::new(index);
        if let Some(object) = maker.body(body, &mut parts) {
            // Geoms that are not seen belong to their body too.
            shown_by[maker.all_geoms_of(body)].fill(Some(object.name.clone()));
            shown.push((object, Some(body)));
        }
    }
    shown.sort_by(|one, other| one.0.name.cmp(&other.0.name));
    let names: Vec<(String, Option<BodyId>)> =
        shown.iter().map(|(object, body)| (object.name.clone(), *body)).collect();
    let mut objects: Vec<Object> = shown.into_iter().map(|(object, _)| object).chain(parts).collect();
    objects.sort_by(|one, other| one.name.cmp(&other.name));
    let mut experiment = Experiment { objects, warnings, ..Experiment::default() };
    let places: Vec<usize> = names.iter().filter_map(|(name, _)| experiment.object(name)).collect();
    let bodies = names.iter().map(|(_, body)| *body).collect();
    let place = |name: String| names.binary_search_by(|(known, _)| known.cmp(&name)).ok();
    let geoms = shown_by.into_iter().map(|name| name.and_then(place)).collect();
    experiment.simulations = simulations(description, places, bodies, geoms, span);
    experiment
}

/// The simulation of the pose of the model, and one for each keyframe.
fn simulations(
    description: Description,
    objects: Vec<usize>,
    bodies: Vec<Option<BodyId>>,
    geoms: Vec<Option<usize>>,
    span: Span,
) -> Vec<Simulation> {
    let step = description.settings.time_step;
    let steps = (1.0 / (FRAME_RATE * step)).round().max(1.0);
    let gravity = description.settings.gravity;
    let up = if gravity.length() > 0.0 { (-gravity).normalize() } else { Vec3::Z };
    let mut used = BTreeSet::new();
    let first = if description.name.is_empty() { "model" } else { &description.name };
    let mut names = vec![unique(first, &mut used)];
    for (number, key) in description.keyframes.iter().enumerate() {
        let plain = if key.name.is_empty() { format!("key_{number}") } else { key.name.clone() };
        names.push(unique(&plain, &mut used));
    }
    let times: Vec<f64> = description.keyframes.iter().map(|key| key.time).collect();
    let description = Arc::new(description);
    let simulation = |(number, name): (usize, String)| {
        let keyframe = number.checked_sub(1);
        let description = Arc::clone(&description);
        Simulation {
            name,
            initial_time: keyframe.map_or(0.0, |key| times[key]),
            duration: DURATION,
            frame_rate: 1.0 / (steps * step),
            time_step: Some(step),
            objects: objects.clone(),
            mechanics: Mechanics::Mechanism(Imported {
                description,
                bodies: bodies.clone(),
                geoms: geoms.clone(),
                keyframe,
            }),
            record: Record::Default,
            up: up.to_array(),
            span,
        }
    };
    names.into_iter().enumerate().map(simulation).collect()
}

/// A name of the language for a name of a model; none is used twice.
fn unique(name: &str, used: &mut BTreeSet<String>) -> String {
    let legal: String = name.chars().map(|it| if it.is_ascii_alphanumeric() { it } else { '_' }).collect();
    let legal = match legal.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => legal,
        _ => format!("b_{legal}"),
    };
    let mut candidate = legal.clone();
    let mut number = 2;
    while !used.insert(candidate.clone()) {
        candidate = format!("{legal}_{number}");
        number += 1;
    }
    candidate
}

struct Maker<'m> {
    description: &'m Description,
    looks: &'m [GeomLook],
    span: Span,
    /// By body, its pose in the world as the model describes it.
    world_poses: Vec<Pose>,
    used: BTreeSet<String>,
}

impl Maker<'_> {
    /// All geoms of a body; geoms stand in the order of their bodies.
    fn all_geoms_of(&self, body: BodyId) -> Range<usize> {
        let geoms = &self.description.geoms;
        geoms.partition_point(|it| it.body < body)..geoms.partition_point(|it| it.body <= body)
    }

    /// Geoms of a body that are shown: of the first groups, or all if there are no such.
    fn geoms_of(&self, body: BodyId) -> Vec<usize> {
        let own = || self.all_geoms_of(body);
        let shown = |&geom: &usize| self.looks.get(geom).is_none_or(|look| look.group <= LAST_SHOWN_GROUP);
        let first: Vec<usize> = own().filter(shown).collect();
        if first.is_empty() { own().collect() } else { first }
    }

    /// A body with its geoms as parts; `None` if it has none.
    fn body(&mut self, body: BodyId, parts: &mut Vec<Object>) -> Option<Object> {
        let geoms = self.geoms_of(body);
        if geoms.is_empty() {
            return None;
        }
        let it = &self.description.bodies[body.index()];
        let plain = if it.name.is_empty() { format!("body_{}", body.index()) } else { it.name.clone() };
        let name = unique(&plain, &mut self.used);
        let mut object = self.object(name.clone(), ShapeKind::Compound, self.world_poses[body.index()]);
        for geom in geoms {
            let part_name = unique(&format!("{name}_geom_{geom}"), &mut self.used);
            object.parts.push(Name { text: part_name.clone(), span: self.span });
            parts.push(self.geom(part_name, geom, self.description.geoms[geom].pose));
        }
        for motion in ["velocity", "angular_velocity"] {
            self.set(&mut object, motion, Value::Vector(vec![0.0; 3]));
        }
        self.set(&mut object, "mass", Value::Real(it.mass));
        object.is_static = false;
        Some(object)
    }

    fn world_geom(&mut self, number: usize) -> Object {
        let Geom { name, pose, .. } = &self.description.geoms[number];
        let plain = if name.is_empty() { format!("geom_{number}") } else { name.clone() };
        let name = unique(&plain, &mut self.used);
        self.geom(name, number, *pose)
    }

    /// A geom as an object of its own.
    fn geom(&self, name: String, number: usize, pose: Pose) -> Object {
        let geom = &self.description.geoms[number];
        let look = self.looks.get(number);
        let mesh = look.and_then(|look| look.mesh.as_ref());
        let surface = match (&geom.shape, mesh) {
            (_, Some(mesh)) => Some(TriangleSoup::new(mesh.vertices.clone(), mesh.triangles.clone())),
            (GeomShape::Hull(hull), None) => {
                Some(TriangleSoup::new(hull.vertices().to_vec(), hull.triangles().to_vec()))
            }
            (GeomShape::Ellipsoid { semi_axes }, None) => Some(ellipsoid(*semi_axes)),
            _ => None,
        };
        let (shape, sizes) = match (&geom.shape, &surface) {
            (_, Some(_)) => (ShapeKind::Mesh, Vec::new()),
            (shape, None) => plain_shape(shape),
        };
        let mut object = self.object(name, shape, pose);
        object.surface = surface.map(Arc::new);
        for (name, value) in sizes {
            self.set(&mut object, name, value);
        }
        if let Some(look) = look {
            let [red, green, blue, _] = look.rgba;
            self.set(&mut object, "color1", Value::Vector(vec![red, green, blue]));
        }
        object
    }

    fn object(&self, name: String, shape: ShapeKind, pose: Pose) -> Object {
        let (at, turned) = (pose.translation, pose.rotation);
        let mut object = Object {
            name,
            is_static: true,
            is_kinematic: false,
            material: None,
            collides: true,
            shape,
            attributes: Vec::new(),
            parts: Vec::new(),
            surface: None,
            span: self.span,
            shape_span: self.span,
        };
        self.set(&mut object, "position", Value::Vector(at.to_array().to_vec()));
        self.set(&mut object, "orientation", Value::Vector(vec![turned.w, turned.x, turned.y, turned.z]));
        object
    }

    /// Adds an attribute where its name belongs.
    fn set(&self, object: &mut Object, name: &str, value: Value) {
        let place = object.attributes.partition_point(|it| it.name.as_str() < name);
        let attribute = Attribute { name: name.to_owned(), value, span: self.span };
        object.attributes.insert(place, attribute);
    }
}

/// A shape without triangles, with the attributes of its size.
fn plain_shape(shape: &GeomShape) -> (ShapeKind, Vec<(&'static str, Value)>) {
    let real = Value::Real;
    match shape {
        GeomShape::Plane | GeomShape::Hull(_) | GeomShape::Ellipsoid { .. } => {
            (ShapeKind::HalfSpace, Vec::new())
        }
        GeomShape::Sphere { radius } => (ShapeKind::Sphere, vec![("size", real(*radius))]),
        GeomShape::Capsule { radius, half_length } => {
            (ShapeKind::Capsule, vec![("radius", real(*radius)), ("length", real(2.0 * half_length))])
        }
        GeomShape::Cylinder { radius, half_length } => {
            (ShapeKind::Cylinder, vec![("radius", real(*radius)), ("height", real(2.0 * half_length))])
        }
        GeomShape::Box { half_sides } => {
            (ShapeKind::Cuboid, vec![("size", Value::Vector((*half_sides * 2.0).to_array().to_vec()))])
        }
    }
}

/// The surface of an ellipsoid in triangles.
fn ellipsoid(semi_axes: Vec3) -> TriangleSoup {
    let around = 2 * RINGS;
    let mut vertices = vec![Vec3::Z * semi_axes];
    for ring in 1..RINGS {
        let (sine, cosine) = libm::sincos(core::f64::consts::PI * f64::from(ring) / f64::from(RINGS));
        for step in 0..around {
            let (y, x) = libm::sincos(core::f64::consts::TAU * f64::from(step) / f64::from(around));
            vertices.push(Vec3::new(sine * x, sine * y, cosine) * semi_axes);
        }
    }
    let last = vertices.len() as u32;
    vertices.push(-Vec3::Z * semi_axes);
    let at = |ring: u32, step: u32| 1 + (ring - 1) * around + step % around;
    let mut triangles = Vec::new();
    for step in 0..around {
        triangles.push([0, at(1, step), at(1, step + 1)]);
        for ring in 1..RINGS - 1 {
            let [a, b] = [at(ring, step), at(ring, step + 1)];
            let [c, d] = [at(ring + 1, step), at(ring + 1, step + 1)];
            triangles.extend([[a, c, b], [b, c, d]]);
        }
        triangles.push([at(RINGS - 1, step), last, at(RINGS - 1, step + 1)]);
    }
    TriangleSoup::new(vertices, triangles)
}

//! Bodies: objects as `mechanics = rigid` sees them, with masses, velocities and coefficients that mean
//! something.
//!
//! Under other mechanics `mass` and `velocity` are names like any other. So whether a file has rigid bodies
//! at all, and which, is asked first; only of those it is expected that a mass is a mass. What they leave
//! unsaid is filled in, so that laws, measures and recordings find it: a velocity of zero, the mass that a
//! density makes.

use super::compound_surface::{Inherited, inherited};
use crate::object::attribute::Attribute;
use crate::object::compound::{self, Wholes};
use crate::object::model::Object;
use crate::object::shape::ShapeKind;
use crate::object::solid::find;
use crate::simulation::model::Simulation;
use gedanken_geometry::Solid;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::{Block, Name, Value as Written};
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use std::collections::BTreeSet;

/// Returns `true` if a `simulation` block moves rigid bodies.
fn is_rigid(block: &Block) -> bool {
    let mechanics = block.entries.iter().find(|entry| entry.key.text == "mechanics");
    mechanics.is_some_and(|entry| matches!(&entry.value, Written::Words(words) if words.text == "rigid"))
}

/// The objects that take part in a simulation of rigid bodies, by name: none, if there is no such simulation.
pub(crate) fn bodies<'o>(simulations: &[&Block], objects: &'o [Object]) -> BTreeSet<&'o str> {
    let mut found = BTreeSet::new();
    for block in simulations.iter().filter(|block| is_rigid(block)) {
        let listed = block.entries.iter().find(|entry| entry.key.text == "objects_involved");
        let names: Option<BTreeSet<&str>> = match listed.map(|entry| &entry.value) {
            Some(Written::Names(names)) => Some(names.iter().map(|name| name.text.as_str()).collect()),
            _ => None,
        };
        let takes_part =
            |object: &&Object| names.as_ref().is_none_or(|names| names.contains(object.name.as_str()));
        found.extend(objects.iter().filter(takes_part).map(|object| object.name.as_str()));
    }
    for object in objects {
        for part in &object.parts {
            found.remove(part.text.as_str());
        }
    }
    found
}

/// Checks what bodies say of themselves, and fills in what they leave unsaid.
pub(crate) fn complete(simulations: &[&Block], objects: &mut [Object], diagnostics: &mut Vec<Diagnostic>) {
    let bodies = bodies(simulations, objects);
    let wholes = Wholes::of(objects);
    let mut given: Vec<(usize, Vec<Attribute>, Option<Name>)> = Vec::new();
    for (index, object) in objects.iter().enumerate().filter(|(_, it)| bodies.contains(it.name.as_str())) {
        let before = diagnostics.len();
        check_attributes(object, diagnostics);
        let mut members = BTreeSet::new();
        compound::all_parts(objects, object, &mut members);
        for part in members.iter().filter(|name| **name != object.name) {
            if let Some(part) = find(objects, part) {
                check_attributes(part, diagnostics);
            }
        }
        if diagnostics.len() > before {
            continue;
        }
        let Inherited { material, attributes: mut more } = inherited(object, objects, diagnostics);
        if object.is_static {
            given.push((index, more, material));
            continue;
        }
        let mut give = |name: &str, value: Value| {
            if object.attribute(name).is_none() {
                more.push(Attribute { name: name.to_owned(), value, span: object.span });
            }
        };
        give("velocity", Value::Vector(vec![0.0; 3]));
        give("angular_velocity", Value::Vector(vec![0.0; 3]));
        if !object.is_kinematic {
            match mass(object, objects, &wholes) {
                Ok(mass) => give("mass", Value::Real(mass)),
                Err(diagnostic) => diagnostics.extend(diagnostic.map(|it| *it)),
            }
        }
        given.push((index, more, material));
    }
    for (index, more, material) in given {
        objects[index].material = objects[index].material.take().or(material);
        objects[index].attributes.extend(more);
        objects[index].attributes.sort_by(|a, b| a.name.cmp(&b.name));
    }
}

/// The mass of a dynamic body. Nothing is said of a shape that has been reported.
fn mass(object: &Object, objects: &[Object], wholes: &Wholes<'_>) -> Result<f64, Option<Box<Diagnostic>>> {
    if matches!(object.shape, ShapeKind::HalfSpace | ShapeKind::Mesh) {
        let shape = object.shape.name();
        let message = format!("`{}` is a {shape}, which has no mass and cannot be pushed", object.name);
        let diagnostic = Diagnostic::new(Code::E752, object.span, message).label("a dynamic body").help(
            "write `physical type = static`, or `kinematic` for a body that moves with a given velocity",
        );
        return Err(Some(Box::new(diagnostic)));
    }
    match (object.real("mass"), object.attribute("density")) {
        (Some(_), Some(density)) => {
            let message = format!("`{}` has a mass and a density, and they may contradict", object.name);
            let mass = object.attribute("mass").map_or(object.span, |it| it.span);
            let diagnostic = Diagnostic::new(Code::E751, density.span, message)
                .label("a density")
                .also(mass, "a mass")
                .help("keep one of the two: the other follows from the shape");
            return Err(Some(Box::new(diagnostic)));
        }
        (Some(mass), None) => return Ok(mass),
        (None, Some(_)) => {}
        (None, None) => weightless(object, objects, wholes)?,
    }
    let solid = object.weighty_solid(objects).map_err(|_| None)?;
    let density =
        if object.shape == ShapeKind::Compound { 1.0 } else { object.real("density").unwrap_or(1.0) };
    match solid.mass_properties(density) {
        Ok(properties) => Ok(properties.mass),
        Err(error) => {
            let message = format!("the mass of `{}` does not follow from its shape: {error}", object.name);
            Err(Some(Box::new(
                Diagnostic::new(Code::E751, object.span, message)
                    .help("give it a `mass` instead of a density"),
            )))
        }
    }
}

/// Reports a body that says nothing of its mass, unless it consists of parts that all do.
fn weightless(
    object: &Object,
    objects: &[Object],
    wholes: &Wholes<'_>,
) -> Result<(), Option<Box<Diagnostic>>> {
    let mut pieces = BTreeSet::new();
    compound::all_parts(objects, object, &mut pieces);
    let pieces = pieces.into_iter().filter_map(|name| find(objects, name));
    let light = |it: &&Object| {
        it.shape != ShapeKind::Compound && it.attribute("mass").is_none() && it.attribute("density").is_none()
    };
    // A part of a part with a mass has its share of it.
    let lacking: Vec<&Object> = pieces.filter(light).collect();
    let covered = |piece: &Object| {
        wholes.above(&piece.name).into_iter().filter_map(|name| find(objects, name)).any(|whole| {
            whole.name != object.name
                && (whole.attribute("mass").is_some() || whole.attribute("density").is_some())
        })
    };
    let Some(piece) = lacking.into_iter().find(|piece| !covered(piece)) else { return Ok(()) };
    let diagnostic = if piece.name == object.name {
        let message = format!("`{}` is dynamic and has no mass", object.name);
        Diagnostic::new(Code::E751, object.span, message)
            .label("how much does it weigh?")
            .help("add `mass = 1` to its attributes, or a `density`; or write `physical type = static`")
    } else {
        let message = format!("`{}` has no mass, because its part `{}` has none", object.name, piece.name);
        Diagnostic::new(Code::E751, object.span, message)
            .label("a dynamic body")
            .also(piece.span, "a part without mass and density")
            .help("give every part a `mass` or a `density`, or one of them to the whole")
    };
    Err(Some(Box::new(diagnostic)))
}

/// Type of an attribute of a rigid body.
pub(crate) struct AttributeKind {
    wanted: &'static str,
    example: &'static str,
    pub(crate) fits: fn(&Type) -> bool,
}

/// Type of the attribute that rigid bodies know by this name.
pub(crate) fn attribute_kind(name: &str) -> Option<AttributeKind> {
    let kind = |wanted, example, fits| Some(AttributeKind { wanted, example, fits });
    match name {
        "mass" | "density" | "restitution" | "friction" => kind("a real", "1", |ty| *ty == Type::Real),
        "velocity" | "angular_velocity" => kind("a vector of 3", "[0, 0, 1]", |ty| *ty == Type::vector(3)),
        "inertia_tensor" => {
            let example = "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]";
            kind("a matrix of 3 by 3", example, |ty| *ty == Type::matrix(3, 3))
        }
        _ => None,
    }
}

/// Reports attributes that cannot be what their names say.
fn check_attributes(object: &Object, diagnostics: &mut Vec<Diagnostic>) {
    for attribute in &object.attributes {
        let Some(AttributeKind { wanted, example, fits }) = attribute_kind(&attribute.name) else { continue };
        let name = &attribute.name;
        if !fits(&attribute.ty()) {
            let message = format!("`{name}` of a rigid body is {wanted}, but this is {}", attribute.ty());
            diagnostics.push(
                Diagnostic::new(Code::E709, attribute.span, message)
                    .label(format!("this is {}", attribute.ty()))
                    .help(format!(
                        "write for example `{name} = {example}`; a name of your own is free to be anything"
                    )),
            );
            continue;
        }
        if let Some((bounds, why)) = out_of_range(name, &attribute.value) {
            let message = format!("`{name}` of `{}` cannot be {}", object.name, attribute.value);
            diagnostics.push(Diagnostic::new(Code::E710, attribute.span, message).label(bounds).help(why));
        }
    }
    if let (Some(material), Some(own)) =
        (&object.material, object.attribute("restitution").or_else(|| object.attribute("friction")))
    {
        let message = format!("`{}` has a material and a {} of its own", object.name, own.name);
        diagnostics.push(
            Diagnostic::new(Code::E753, own.span, message)
                .label("which of the two?")
                .also(material.span, "made of this")
                .help("remove one of the two"),
        );
    }
}

/// Bounds of a number and the way out, where it is outside of them.
fn out_of_range(name: &str, value: &Value) -> Option<(&'static str, &'static str)> {
    let (wrong, bounds, why) = match (name, value) {
        ("mass" | "density", Value::Real(real)) => (
            *real <= 0.0,
            "must be greater than 0",
            "what nothing can move is `physical type = static`, and needs no mass",
        ),
        ("restitution", Value::Real(real)) => (
            !(0.0..=1.0).contains(real),
            "must be from 0 to 1",
            "0 does not rebound at all, 1 loses nothing; more would make energy",
        ),
        ("friction", Value::Real(real)) => (
            *real < 0.0,
            "must be 0 or greater",
            "0 is as smooth as ice, 1 rough: negative friction would push",
        ),
        ("inertia_tensor", Value::Matrix(matrix)) => {
            let at = |i: usize, j: usize| matrix.elements[3 * i + j];
            let largest = matrix.elements.iter().fold(0.0f64, |most, it| most.max(it.abs()));
            let skew =
                [(0, 1), (0, 2), (1, 2)].iter().any(|&(i, j)| (at(i, j) - at(j, i)).abs() > 1e-9 * largest);
            let trace = at(0, 0) + at(1, 1) + at(2, 2);
            let heavy = (0..3).any(|i| at(i, i) <= 0.0 || at(i, i) > (trace - at(i, i)) * (1.0 + 1e-9));
            (
                skew || heavy,
                "not the inertia of any body",
                "it is symmetric, its moments are positive, and none exceeds the sum of the other two; leave it out to get that of the shape",
            )
        }
        _ => return None,
    };
    wrong.then_some((bounds, why))
}

/// Reports kinematic objects in simulations of other mechanics, which do not move them.
pub(crate) fn check_kinematic(
    objects: &[Object],
    simulations: &[Simulation],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for simulation in simulations.iter().filter(|it| it.rigid().is_none()) {
        for object in simulation.objects.iter().map(|&index| &objects[index]).filter(|it| it.is_kinematic) {
            let message =
                format!("`{}` is kinematic, which means something to rigid bodies only", object.name);
            diagnostics.push(
                Diagnostic::new(Code::E761, object.span, message)
                    .label("moves as its `velocity` says")
                    .also(simulation.span, "takes part here, under other laws")
                    .help("write `mechanics = rigid` in the simulation, or make the object `dynamic` and give it laws"),
            );
        }
    }
}

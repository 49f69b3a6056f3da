//! From an `object` block to an object.

use super::attribute::Attribute;
use super::initial_values::{self, AttributeLine};
use super::mesh_file::{self, MeshFiles};
use super::model::Object;
use super::shape::ShapeKind;
use crate::environment::Environment;
use crate::read::fields::{BlockForm, Fields, no_such, truth};
use crate::read::overrides::Settings;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::{self, Block, Entry, Name};
use gedanken_lang::value::Value;

pub(crate) const FORM: BlockForm = BlockForm {
    what: "an object",
    keys: &[
        ("name", "a name"),
        ("physical_type", "`static`, `dynamic` or `kinematic`"),
        ("geometrical_type", "a shape, such as `sphere`"),
        ("attributes", "values in braces: `{ position = [0, 0, 5]  size = 1 }`"),
        ("parts", "names of objects in braces: `{left, right}`"),
        ("file", "the name of a file in quotes: `\"ramp.stl\"`"),
        ("material", "the name of a material"),
        ("collides", "`true` or `false`"),
    ],
};

/// An object as far as it could be read.
pub(crate) struct ReadObject {
    pub(crate) name: Name,
    /// Every attribute that was written, by its proper name.
    pub(crate) written: Vec<String>,
    pub(crate) object: Option<Object>,
}

/// Reads an object.
pub(crate) fn read(
    block: &Block,
    environment: &Environment<'_>,
    mesh_files: MeshFiles<'_>,
    settings: &mut Settings<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> ReadObject {
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = fields.name(diagnostics);
    let physical = physical_type(&fields, diagnostics);
    let is_static = physical.map(|it| it == PhysicalType::Static);
    let collides = truth(&fields, "collides", true, diagnostics);
    let material = fields.words("material", diagnostics).cloned();
    let shape = shape_kind(&fields, diagnostics);
    let proper = |name: &str| {
        let shape = shape.unwrap_or(ShapeKind::HalfSpace);
        shape.proper(name).to_owned()
    };
    let mut lines = Vec::new();
    for definition in fields.definitions("attributes", diagnostics) {
        let (name, span) =
            (&definition.name, definition.prime.or(definition.params.first().map(|it| it.span)));
        if let Some(span) = span {
            let message = format!("`{}` is given its initial value here, which is one value", name.text);
            diagnostics.push(
                Diagnostic::new(Code::E712, span, message)
                    .label("not in an initial value")
                    .help(format!("write `{} = …`; functions and rates belong into a context", name.text)),
            );
            continue;
        }
        lines.push(AttributeLine { name, body: &definition.body });
    }
    let owner = Some(name.text.as_str());
    let mut attributes =
        initial_values::evaluate(&lines, owner, proper, environment.evaluator.clone(), settings, diagnostics);
    let written: Vec<String> = lines.iter().map(|line| proper(&line.name.text)).collect();
    let mut whole = attributes.len() == lines.len();
    // A formula of a `lagrangian` block gives the position; until it runs, the object is at the origin.
    if environment.names.placed_objects.contains(&name.text) && !written.iter().any(|it| it == "position") {
        let value = Value::Vector(vec![0.0; 3]);
        attributes.push(Attribute { name: "position".to_owned(), value, span: name.span });
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
    }
    // What stands a level too high has been told, and is not missing as well.
    let outside = block.entries.iter().map(|entry| proper(&entry.key.text));
    let met: Vec<String> = written.iter().cloned().chain(outside).collect();
    if let Some(shape) = shape {
        whole &= check_fields(&name, shape, &attributes, &met, diagnostics);
        if shape == ShapeKind::ConvexHull && !written.iter().any(|it| it == "points") && !fields.has("file") {
            diagnostics.push(
                Diagnostic::new(Code::E707, name.span, format!("`{}` is a convex hull without points", name.text))
                    .help("add `points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]` to its attributes, or `file = \"…\"` to the object"),
            );
        }
    }
    if !written.iter().any(|it| it == "orientation") {
        let value = Value::Vector(vec![0.0; 3]);
        attributes.push(Attribute { name: "orientation".to_owned(), value, span: name.span });
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let parts = parts(&fields, shape, diagnostics);
    let surface = mesh_file::read(&fields, shape, is_static, mesh_files, diagnostics);
    // Geometry may refuse the shape later, and then blames the line that it comes from.
    let shape_key = ["parts", "file"].into_iter().find(|key| fields.has(key));
    let shape_span = shape_key.map_or(name.span, |key| fields.span_of(key));
    let object = match (is_static, shape, whole, surface) {
        (Some(is_static), Some(shape), true, Ok(surface)) if !name.text.is_empty() => Some(Object {
            name: name.text.clone(),
            is_static,
            is_kinematic: physical == Some(PhysicalType::Kinematic),
            material,
            collides,
            shape,
            attributes,
            parts,
            surface,
            span: name.span,
            shape_span,
        }),
        _ => None,
    };
    ReadObject { name, written, object }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PhysicalType {
    Static,
    Dynamic,
    Kinematic,
}

fn physical_type(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<PhysicalType> {
    fields.require("physical_type", "dynamic", diagnostics);
    let words = fields.words("physical_type", diagnostics)?;
    match words.text.as_str() {
        "static" => Some(PhysicalType::Static),
        "dynamic" => Some(PhysicalType::Dynamic),
        "kinematic" => Some(PhysicalType::Kinematic),
        _ => {
            let help = "`dynamic` objects obey laws, `static` ones never change, `kinematic` ones move with a given velocity";
            let choices = ["static", "dynamic", "kinematic"];
            diagnostics.push(no_such(words, "physical type", choices, help));
            None
        }
    }
}

fn shape_kind(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<ShapeKind> {
    if !fields.has("geometrical_type") && fields.has("parts") {
        return Some(ShapeKind::Compound);
    }
    fields.require("geometrical_type", "sphere", diagnostics);
    let words = fields.words("geometrical_type", diagnostics)?;
    let shape = ShapeKind::by_name(&words.text);
    if shape.is_none() {
        let names = ShapeKind::ALL.map(ShapeKind::name);
        let help = format!("the shapes are {}", names.join(", "));
        let boxes = matches!(words.text.as_str(), "box" | "cube" | "block");
        let balls = matches!(words.text.as_str(), "ball" | "circle" | "point");
        diagnostics.push(match (boxes, balls) {
            (true, _) => no_such(words, "shape", ["cuboid"], "a box is a `cuboid`"),
            (_, true) => no_such(words, "shape", ["sphere"], "a ball is a `sphere`"),
            _ => no_such(words, "shape", names, &help),
        });
    }
    shape
}

/// Checks the attributes that a shape needs; returns `true` if laws can be checked with them.
fn check_fields(
    name: &Name,
    shape: ShapeKind,
    attributes: &[Attribute],
    written: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut whole = true;
    for field in shape.fields() {
        match attributes.iter().find(|attribute| attribute.name == field.name) {
            Some(attribute) => {
                if let Some(diagnostic) = field.check(attribute) {
                    // Laws can be checked with a size that is not possible, but not with one of another type.
                    whole &= diagnostic.code != Code::E709;
                    diagnostics.push(diagnostic);
                }
            }
            // Written, but without a value: that has been said.
            None if written.iter().any(|it| it == field.name) => whole = false,
            None if field.required => {
                whole = false;
                let message = format!(
                    "`{}`, a {}, has no `{}`, {}",
                    name.text,
                    shape.name(),
                    field.name,
                    field.meaning
                );
                diagnostics.push(
                    Diagnostic::new(Code::E707, name.span, message)
                        .label(format!("`{}` is missing", field.name))
                        .help(format!("add `{} = {}` to its attributes", field.name, field.example())),
                );
            }
            None => {}
        }
    }
    whole
}

fn parts(fields: &Fields<'_>, shape: Option<ShapeKind>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Name> {
    let parts = fields.names("parts", diagnostics);
    match shape {
        Some(ShapeKind::Compound) if !fields.has("parts") => {
            fields.require("parts", "{left, right}", diagnostics);
        }
        Some(ShapeKind::Compound) | None => {}
        Some(_) if !fields.has("parts") => {}
        Some(shape) => {
            let message = format!("a {} has no parts", shape.name());
            diagnostics
                .push(Diagnostic::new(Code::E715, fields.span_of("parts"), message).help(
                    "an object is one shape, or it is a `compound` and its shape comes from its parts",
                ));
            return Vec::new();
        }
    }
    parts.to_vec()
}

/// The world's attributes as lines.
pub(crate) fn world_lines(block: &Block) -> Vec<AttributeLine<'_>> {
    fn line(entry: &Entry) -> Option<AttributeLine<'_>> {
        match &entry.value {
            tree::Value::Expression(body) => Some(AttributeLine { name: &entry.key, body }),
            _ => None,
        }
    }
    block.entries.iter().filter_map(line).collect()
}

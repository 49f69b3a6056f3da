//! An object of the experiment: its shape, its physical type, and its attributes when a simulation begins.

use super::attribute::Attribute;
use super::shape::ShapeKind;
use gedanken_geometry::import::TriangleSoup;
use gedanken_lang::check::Participant;
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::Name;
use std::sync::Arc;

/// An object of the experiment.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name; no two objects have the same.
    pub name: String,
    /// `true` if its attributes never change.
    pub is_static: bool,
    /// `true` if it moves as its velocity says, whatever pushes it: a body of `mechanics = rigid`.
    pub is_kinematic: bool,
    /// The material that it is made of, if it names one.
    pub material: Option<Name>,
    /// `true` if other bodies can touch it.
    pub collides: bool,
    /// Its shape; its size is given by attributes.
    pub shape: ShapeKind,
    /// Sorted by name. There is always a `position` and an `orientation`.
    pub attributes: Vec<Attribute>,
    /// The objects that a compound consists of, in the order of the file.
    pub parts: Vec<Name>,
    /// The triangles of a shape that comes from a file.
    pub surface: Option<Arc<TriangleSoup>>,
    /// Position of its name in the text.
    pub span: Span,
    /// Position of its parts or its file, else of its name: blamed for a shape that cannot be.
    pub(crate) shape_span: Span,
}

impl Object {
    /// The attribute with this proper name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        let place = self.attributes.binary_search_by(|attribute| attribute.name.as_str().cmp(name)).ok()?;
        Some(&self.attributes[place])
    }

    /// The object as laws see it: names and types.
    pub fn participant(&self) -> Participant {
        let synonyms = self.shape.fields().filter(|field| !field.synonym.is_empty());
        Participant {
            is_static: self.is_static,
            attributes: self.attributes.iter().map(|it| (it.name.clone(), it.ty())).collect(),
            synonyms: synonyms.map(|field| (field.synonym.to_owned(), field.name.to_owned())).collect(),
        }
    }
}

/// Names of some of all `objects` as a list in words; of more than four, the first and the last.
pub fn list_objects(all: &[Object], objects: &[usize]) -> String {
    let names: Vec<String> = objects.iter().map(|&it| format!("`{}`", all[it].name)).collect();
    match names.as_slice() {
        [first, .., last] if names.len() > 4 => format!("{first} to {last}"),
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        _ => names.join(", "),
    }
}

//! From text to elements: XML, included files, and attributes as numbers and words.

mod attributes;
mod document;
mod include;
mod path;
mod syntax;

pub(crate) use attributes::Attributes;
pub(crate) use document::{Document, Element, ElementId};
pub(crate) use include::{load, unreadable};
pub(crate) use path::ModelFiles;

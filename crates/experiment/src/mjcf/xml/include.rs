//! A model and all files that it includes, as one document.

use super::document::{Attribute, Document, ElementId};
use super::path::{ModelFiles, PathError};
use super::syntax::{parse, without_comments};
use crate::mjcf::report::Report;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::{SourceId, Sources, Span};
use roxmltree::Node;
use std::collections::BTreeSet;

/// Maximum depth of elements within elements: far beyond any mechanism, and MuJoCo refuses half of it.
const MAX_DEPTH: usize = 1000;
/// Maximum depth of files that include files.
const MAX_INCLUDES: usize = 32;
/// Maximum number of elements of a model with all its files.
const MAX_ELEMENTS: usize = 1_000_000;
/// Maximum number of bytes of a model with all its files.
const MAX_BYTES: usize = Sources::LONGEST;

/// Where included files come from, and what has been read of them.
struct Loader<'l> {
    files: &'l ModelFiles<'l>,
    sources: &'l mut Sources,
    report: &'l mut Report,
    document: Document,
    /// Paths of files read so far.
    included: BTreeSet<String>,
    bytes: usize,
}

/// A file that is being read.
#[derive(Clone, Copy)]
struct Place<'p> {
    source: SourceId,
    path: &'p str,
    /// Depth of elements around it.
    depth: usize,
    /// Number of files around it.
    includes: usize,
}

/// Marks that the document cannot be completed; the reason has been reported.
struct Abandoned;

/// Reads a model with all files that it includes. `None` if that failed; the reason has been reported.
pub(crate) fn load(
    files: &ModelFiles<'_>,
    sources: &mut Sources,
    report: &mut Report,
    path: &str,
    text: String,
) -> Option<Document> {
    let mut loader = Loader {
        files,
        sources,
        report,
        document: Document::default(),
        included: BTreeSet::from([super::path::join("", path)]),
        bytes: text.len(),
    };
    let source = loader.sources.add(path, text);
    if loader.bytes > MAX_BYTES {
        let start = Span::new(source, 0..0);
        loader.report.error(Code::E003, start, format!("the file is longer than {} MiB", MAX_BYTES >> 20));
        return None;
    }
    loader.file(Place { source, path, depth: 0, includes: 0 }, None).ok()?;
    Some(loader.document)
}

impl Loader<'_> {
    /// Adds the elements of a file below a parent, without its root; or as the root, if there is no parent.
    fn file(&mut self, place: Place<'_>, parent: Option<ElementId>) -> Result<(), Abandoned> {
        let text = without_comments(self.sources.text(place.source));
        let parsed = parse(&text, place.source).map_err(|diagnostic| {
            self.report.push(*diagnostic);
            Abandoned
        })?;
        let root = parsed.root_element();
        let mut waiting: Vec<(Node<'_, '_>, Option<ElementId>, usize)> = Vec::new();
        match parent {
            None => waiting.push((root, None, place.depth)),
            Some(_) => self.push_children(&mut waiting, root, parent, place.depth, place.source),
        }
        if waiting.is_empty() {
            let message = "an included file needs elements inside its first one";
            self.report.error(Code::E011, tag_span(root, place.source), message);
            return Err(Abandoned);
        }
        while let Some((node, parent, depth)) = waiting.pop() {
            let span = tag_span(node, place.source);
            if depth >= MAX_DEPTH || self.document.len() >= MAX_ELEMENTS {
                let message = if depth >= MAX_DEPTH {
                    format!("elements are nested more than {MAX_DEPTH} deep")
                } else {
                    format!("the model has more than {MAX_ELEMENTS} elements")
                };
                self.report.error(Code::E003, span, message);
                return Err(Abandoned);
            }
            if node.tag_name().name() == "include" && parent.is_some() {
                self.include(node, parent, Place { depth, ..place })?;
                continue;
            }
            let attributes = attributes(node, place.source);
            let id = self.document.add(parent, node.tag_name().name(), span, attributes);
            self.push_children(&mut waiting, node, Some(id), depth + 1, place.source);
        }
        Ok(())
    }

    /// Puts the children of a node on the stack, the first one on top.
    fn push_children<'a, 't>(
        &mut self,
        waiting: &mut Vec<(Node<'a, 't>, Option<ElementId>, usize)>,
        node: Node<'a, 't>,
        parent: Option<ElementId>,
        depth: usize,
        source: SourceId,
    ) {
        for child in node.children().rev() {
            if child.is_element() {
                waiting.push((child, parent, depth));
            } else if child.is_text() && child.text().is_some_and(|text| !text.trim().is_empty()) {
                self.report.push(
                    Diagnostic::new(
                        Code::W003,
                        text_span(child, source),
                        "text between elements says nothing",
                    )
                    .help("write it as a comment, `<!-- … -->`, or remove it"),
                );
            }
        }
    }

    /// Adds the elements of an included file below a parent.
    fn include(
        &mut self,
        node: Node<'_, '_>,
        parent: Option<ElementId>,
        place: Place<'_>,
    ) -> Result<(), Abandoned> {
        let span = tag_span(node, place.source);
        let Some(file) = node.attribute_node("file") else {
            self.report.push(
                Diagnostic::new(Code::E011, span, "`include` needs a `file`")
                    .help("for example `<include file=\"common.xml\"/>`"),
            );
            return Err(Abandoned);
        };
        let at = Span::new(place.source, file.range_value());
        if let Some(other) = node.attributes().find(|attribute| attribute.name() != "file") {
            let span = Span::new(place.source, other.range_qname());
            self.report.error(Code::E005, span, format!("`include` has no attribute `{}`", other.name()));
        }
        if place.includes >= MAX_INCLUDES {
            self.report.error(Code::E003, at, format!("files include files more than {MAX_INCLUDES} deep"));
            return Err(Abandoned);
        }
        let read = |files: &dyn crate::files::Files, path: &str| files.text(path);
        let (path, text) = self.files.find(file.value(), place.path, read).map_err(|error| {
            self.report.push(unreadable(file.value(), &error, at));
            Abandoned
        })?;
        if !self.included.insert(path.clone()) {
            self.report.push(
                Diagnostic::new(Code::E015, at, format!("`{path}` is included already"))
                    .help("a file is part of a model once: remove one of the two"),
            );
            return Err(Abandoned);
        }
        self.bytes += text.len();
        if self.bytes > MAX_BYTES {
            let message = format!("the model and its files are longer than {} MiB", MAX_BYTES >> 20);
            self.report.error(Code::E003, at, message);
            return Err(Abandoned);
        }
        let source = self.sources.add(path.as_str(), text);
        self.file(Place { source, path: &path, includes: place.includes + 1, ..place }, parent)
    }
}

/// The diagnostic for a file that a model names and that is not there.
pub(crate) fn unreadable(name: &str, error: &PathError, span: Span) -> Diagnostic {
    match error {
        PathError::Outside => {
            Diagnostic::new(Code::E014, span, format!("`{name}` lies outside the folder of the model"))
                .help("copy the file into the folder of the model")
        }
        PathError::Unreadable(reason) => {
            Diagnostic::new(Code::E013, span, format!("`{name}` cannot be read: {reason}"))
                .help("the path counts from the folder of the model")
        }
    }
}

/// Place of the name of an element.
fn tag_span(node: Node<'_, '_>, source: SourceId) -> Span {
    let start = node.range().start + 1;
    Span::new(source, start..start + node.tag_name().name().len())
}

/// Place of a text, without the space around it.
fn text_span(node: Node<'_, '_>, source: SourceId) -> Span {
    let range = node.range();
    let whole = &node.document().input_text()[range.clone()];
    let start = range.start + whole.len() - whole.trim_start().len();
    let first_line = whole.trim().lines().next().unwrap_or_default();
    Span::new(source, start..start + first_line.len())
}

/// The attributes of an element; those of XML itself, such as `xsi:schemaLocation`, are none of a model.
fn attributes(node: Node<'_, '_>, source: SourceId) -> Vec<Attribute> {
    node.attributes()
        .filter(|attribute| attribute.namespace().is_none())
        .map(|attribute| Attribute {
            name: attribute.name().to_owned(),
            value: attribute.value().to_owned(),
            name_span: Span::new(source, attribute.range_qname()),
            value_span: Span::new(source, attribute.range_value()),
        })
        .collect()
}

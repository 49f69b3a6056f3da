//! The elements of a model after all files are included, in one list: nothing here is a recursion, however
//! deep a file nests.

use gedanken_lang::source::Span;

/// Place of an element in its document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct ElementId(usize);

/// An attribute, with the places of its name and its value.
#[derive(Debug, Clone)]
pub(crate) struct Attribute {
    /// Its name.
    pub(crate) name: String,
    /// Its value, with references such as `&amp;` replaced.
    pub(crate) value: String,
    /// Place of the name.
    pub(crate) name_span: Span,
    /// Place of the value, without quotes.
    pub(crate) value_span: Span,
}

/// An element.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    /// Its name.
    pub(crate) name: String,
    /// Place of the name.
    pub(crate) span: Span,
    /// Its attributes, in the order of the file.
    pub(crate) attributes: Vec<Attribute>,
    children: Vec<ElementId>,
}

/// All elements of a model.
#[derive(Debug, Default)]
pub(crate) struct Document {
    elements: Vec<Element>,
}

impl Document {
    /// The root, if the document has been read.
    pub(crate) fn root(&self) -> Option<ElementId> {
        (!self.elements.is_empty()).then_some(ElementId(0))
    }

    /// An element.
    pub(crate) fn element(&self, id: ElementId) -> &Element {
        &self.elements[id.0]
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }

    /// The children of an element, in the order of the file.
    pub(crate) fn children(&self, id: ElementId) -> impl DoubleEndedIterator<Item = ElementId> + '_ {
        self.elements[id.0].children.iter().copied()
    }

    /// Adds an element below a parent; the first one is the root and has none.
    pub(crate) fn add(
        &mut self,
        parent: Option<ElementId>,
        name: &str,
        span: Span,
        attributes: Vec<Attribute>,
    ) -> ElementId {
        let id = ElementId(self.elements.len());
        self.elements.push(Element { name: name.to_owned(), span, attributes, children: Vec::new() });
        if let Some(parent) = parent {
            self.elements[parent.0].children.push(id);
        }
        id
    }
}

impl Element {
    /// An attribute by its name.
    pub(crate) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }
}

//! Elements and their text: the only place that writes angle brackets, so that everything is closed and
//! escaped.

use crate::typeset::layout::Place;

/// MathML being written.
pub(super) struct Markup {
    text: String,
    pub(super) place: Place,
}

impl Markup {
    /// Begins with a tag that [`Self::finish`] closes.
    pub(super) fn new(opening: &str) -> Self {
        Self { text: opening.to_owned(), place: Place::default() }
    }

    /// The whole text.
    pub(super) fn finish(mut self, closing: &str) -> String {
        self.text.push_str(closing);
        self.text
    }

    /// An element with others in it.
    pub(super) fn element(&mut self, tag: &str, content: impl FnOnce(&mut Self)) {
        self.element_with(tag, &[], content);
    }

    /// An element with attributes, and others in it.
    pub(super) fn element_with(
        &mut self,
        tag: &str,
        attributes: &[(&str, &str)],
        content: impl FnOnce(&mut Self),
    ) {
        self.open(tag, attributes);
        content(self);
        self.close(tag);
    }

    /// An element with text in it.
    pub(super) fn leaf(&mut self, tag: &str, attributes: &[(&str, &str)], text: &str) {
        self.open(tag, attributes);
        self.escape(text);
        self.close(tag);
    }

    fn open(&mut self, tag: &str, attributes: &[(&str, &str)]) {
        self.text.push('<');
        self.text.push_str(tag);
        for (name, value) in attributes {
            self.text.push(' ');
            self.text.push_str(name);
            self.text.push_str("=\"");
            self.escape(value);
            self.text.push('"');
        }
        self.text.push('>');
    }

    fn close(&mut self, tag: &str) {
        self.text.push_str("</");
        self.text.push_str(tag);
        self.text.push('>');
    }

    fn escape(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.text.push_str("&amp;"),
                '<' => self.text.push_str("&lt;"),
                '>' => self.text.push_str("&gt;"),
                '"' => self.text.push_str("&quot;"),
                '\'' => self.text.push_str("&#39;"),
                // XML has no way to write these.
                c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => self.text.push('\u{fffd}'),
                c => self.text.push(c),
            }
        }
    }
}

//! Elements and their text: the only place that writes angle brackets, so that everything is closed and escaped.

/// MathML being written.
pub(super) struct Markup {
    text: String,
    /// Inside a superscript or subscript, where fractions would be too small to read.
    pub(super) in_script: bool,
    /// How many fractions are around.
    pub(super) fractions: u32,
}

impl Markup {
    /// Begins with a tag that [`Self::finish`] closes.
    pub(super) fn new(opening: &str) -> Self {
        Self { text: opening.to_owned(), in_script: false, fractions: 0 }
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

    /// An operator.
    pub(super) fn sign(&mut self, sign: &str) {
        self.leaf("mo", &[], sign);
    }

    /// Something between two signs that grow with it.
    pub(super) fn fenced(&mut self, opening: &str, closing: &str, content: impl FnOnce(&mut Self)) {
        self.element("mrow", |markup| {
            markup.leaf("mo", &[("fence", "true"), ("form", "prefix")], opening);
            content(markup);
            markup.leaf("mo", &[("fence", "true"), ("form", "postfix")], closing);
        });
    }

    /// Several things with commas between them.
    pub(super) fn separated<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        for (index, item) in items.iter().enumerate() {
            if index > 0 {
                self.leaf("mo", &[("separator", "true")], ",");
            }
            write(self, item);
        }
    }

    /// What stands in a superscript or subscript, as one element.
    pub(super) fn script(&mut self, content: impl FnOnce(&mut Self)) {
        let outside = std::mem::replace(&mut self.in_script, true);
        self.element("mrow", content);
        self.in_script = outside;
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

//! A page of text for a terminal: headings, paragraphs, captions.

use super::format::wrap;
use super::terminal::Screen;

/// Text written so far.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) screen: Screen,
    pub(crate) text: String,
}

pub(crate) const INDENT: &str = "  ";

impl Page {
    pub(crate) fn new(screen: Screen) -> Self {
        Self { screen, text: String::new() }
    }

    /// One line, as it is.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// Text over the whole width.
    pub(crate) fn paragraph(&mut self, text: &str) {
        for line in wrap(&self.screen.spell(text), self.screen.width) {
            self.line(&line);
        }
    }

    /// Text that explains what is above it.
    pub(crate) fn caption(&mut self, text: &str) {
        for line in wrap(&self.screen.spell(text), self.screen.width - INDENT.len()) {
            self.line(&format!("{INDENT}{}", self.screen.dim(&line)));
        }
    }

    /// The heading of a part.
    pub(crate) fn heading(&mut self, heading: &str) {
        self.line("");
        self.line(&self.screen.bold(heading));
    }

    /// Text that has its own line feeds.
    pub(crate) fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

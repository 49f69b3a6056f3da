//! A page of text that grows downwards: headings, paragraphs, facts, blocks.

use crate::terminal::Screen;
use crate::words::{columns, wrap};

/// What is written so far.
#[derive(Debug)]
pub(crate) struct Page {
    pub(crate) screen: Screen,
    pub(crate) text: String,
}

pub(crate) const INDENT: &str = "  ";
/// Columns of the name of a fact.
const NAME: usize = 10;

impl Page {
    pub(crate) fn new(screen: Screen) -> Self {
        Self { screen, text: String::new() }
    }

    /// One line, as it is.
    pub(crate) fn line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }

    /// The title of the page, with a rule below it.
    pub(crate) fn title(&mut self, title: &str) {
        self.line(&self.screen.bold(title));
        self.line(&self.screen.dim(&"─".repeat(self.screen.width)));
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

    /// Columns that the text of a fact may take.
    pub(crate) fn fact_width(&self) -> usize {
        self.screen.width - INDENT.len() - NAME
    }

    /// A name and what there is to say about it, line by line.
    pub(crate) fn fact(&mut self, name: &str, lines: &[String]) {
        for (k, line) in lines.iter().enumerate() {
            let name = if k == 0 { name } else { "" };
            let room = " ".repeat(NAME.saturating_sub(columns(name)));
            self.line(&format!("{INDENT}{}{room}{line}", self.screen.dim(name)));
        }
    }

    /// Lines under a heading, indented.
    pub(crate) fn block(&mut self, heading: &str, lines: &[String]) {
        self.heading(heading);
        for line in lines {
            self.line(&format!("{INDENT}{line}"));
        }
    }

    /// Text that has its own line feeds.
    pub(crate) fn add(&mut self, text: &str) {
        self.text.push_str(text);
    }
}

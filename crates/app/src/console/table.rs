//! Tables: columns of text, aligned.

use super::format::columns;
use super::terminal::Screen;

/// Alignment of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Rows under headings.
#[derive(Debug)]
pub(crate) struct Table {
    headings: Vec<(String, Align)>,
    rows: Vec<Vec<String>>,
}

const INDENT: &str = "  ";
const GAP: &str = "   ";

impl Table {
    pub(crate) fn new<const N: usize>(headings: [(&str, Align); N]) -> Self {
        let headings = headings.into_iter().map(|(text, align)| (text.to_owned(), align)).collect();
        Self { headings, rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The table with a line feed after every row.
    pub(crate) fn render(&self, screen: Screen) -> String {
        let spelled = |row: &Vec<String>| row.iter().map(|cell| screen.spell(cell)).collect();
        let headings = self.headings.iter().map(|(text, align)| (screen.spell(text), *align)).collect();
        Self { headings, rows: self.rows.iter().map(spelled).collect() }.aligned(screen)
    }

    fn aligned(&self, screen: Screen) -> String {
        let width = |k: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(k));
            cells.chain([&self.headings[k].0]).map(|text| columns(text)).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.headings.len()).map(width).collect();
        let padded = |k: usize, text: &str| {
            let room = " ".repeat(widths[k] - columns(text));
            if self.headings[k].1 == Align::Left { format!("{text}{room}") } else { format!("{room}{text}") }
        };
        let headings = self.headings.iter().enumerate().map(|(k, (text, _))| padded(k, text));
        let headings = headings.collect::<Vec<_>>().join(GAP);
        let mut out = format!("{INDENT}{}\n", screen.dim(headings.trim_end()));
        for row in &self.rows {
            let cells: Vec<String> = row.iter().enumerate().map(|(k, text)| padded(k, text)).collect();
            out.push_str(INDENT);
            out.push_str(cells.join(GAP).trim_end());
            out.push('\n');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_by_characters_not_bytes() {
        let mut table = Table::new([("law", Align::Left), ("ΔE", Align::Right)]);
        table.row(["sun".to_owned(), "1".to_owned()]);
        table.row(["größe".to_owned(), "-1.5".to_owned()]);
        let screen = Screen { width: 80, colour: false, ascii: false };
        assert_eq!(table.render(screen), "  law       ΔE\n  sun        1\n  größe   -1.5\n");
    }
}

//! A canvas of dots: braille patterns of 2 × 4 dots per character, or one ASCII mark per character.

use crate::console::terminal::Screen;

/// Marks of the curves where only ASCII is known.
const MARKS: [char; 6] = ['*', '+', 'o', 'x', '#', '%'];

/// The bits of U+2800 by column and row of the dot.
const BRAILLE: [[u8; 4]; 2] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]];

/// Dots in colours. The origin is the upper left corner.
#[derive(Debug)]
pub(crate) struct Canvas {
    screen: Screen,
    columns: usize,
    rows: usize,
    /// Dots of each character, and the curve that set the last of them.
    cells: Vec<(u8, usize)>,
}

impl Canvas {
    /// An empty canvas of so many characters.
    pub(crate) fn new(screen: Screen, columns: usize, rows: usize) -> Self {
        Self { screen, columns, rows, cells: vec![(0, 0); columns * rows] }
    }

    /// Dots per character: across and down.
    pub(crate) fn dots_per_cell(screen: Screen) -> (usize, usize) {
        if screen.ascii { (1, 1) } else { (2, 4) }
    }

    /// Dots of the canvas: across and down.
    pub(crate) fn size(&self) -> (usize, usize) {
        let (across, down) = Self::dots_per_cell(self.screen);
        (self.columns * across, self.rows * down)
    }

    /// Sets a dot; outside the canvas nothing happens.
    pub(crate) fn set(&mut self, x: i64, y: i64, hue: usize) {
        let (width, height) = self.size();
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return };
        if x >= width || y >= height {
            return;
        }
        let (across, down) = Self::dots_per_cell(self.screen);
        let cell = &mut self.cells[y / down * self.columns + x / across];
        *cell = (cell.0 | BRAILLE[x % across][y % down], hue);
    }

    /// Sets the dots of a straight line, ends included (Bresenham).
    pub(crate) fn line(&mut self, from: (i64, i64), to: (i64, i64), hue: usize) {
        let (dx, dy) = ((to.0 - from.0).abs(), -(to.1 - from.1).abs());
        let (sx, sy) = ((to.0 - from.0).signum(), (to.1 - from.1).signum());
        let (mut x, mut y) = from;
        let mut error = dx + dy;
        loop {
            self.set(x, y, hue);
            if (x, y) == to {
                return;
            }
            let twice = 2 * error;
            if twice >= dy {
                error += dy;
                x += sx;
            }
            if twice <= dx {
                error += dx;
                y += sy;
            }
        }
    }

    /// One row of characters; blanks at its end are left out.
    pub(crate) fn row(&self, row: usize) -> String {
        let cells = &self.cells[row * self.columns..(row + 1) * self.columns];
        let inked = cells.iter().rposition(|cell| cell.0 != 0).map_or(0, |last| last + 1);
        let mut text = String::new();
        // Neighbours of one colour share one escape sequence.
        for run in cells[..inked].chunk_by(|a, b| a.0 == 0 && b.0 == 0 || a.0 != 0 && b.0 != 0 && a.1 == b.1)
        {
            let (dots, hue) = run[0];
            let glyphs: String = run.iter().map(|&(dots, hue)| self.glyph(dots, hue)).collect();
            text.push_str(&if dots == 0 { glyphs } else { self.screen.hue(hue, &glyphs) });
        }
        text
    }

    fn glyph(&self, dots: u8, hue: usize) -> char {
        match (dots, self.screen.ascii) {
            (0, _) => ' ',
            (_, true) => MARKS[hue % MARKS.len()],
            (dots, false) => char::from_u32(0x2800 + u32::from(dots)).expect("braille has 256 patterns"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRAILLE_SCREEN: Screen = Screen { width: 80, colour: false, ascii: false };

    #[test]
    fn every_dot_has_its_bit() {
        for (x, column) in BRAILLE.iter().enumerate() {
            for (y, bit) in column.iter().enumerate() {
                let mut canvas = Canvas::new(BRAILLE_SCREEN, 1, 1);
                canvas.set(x as i64, y as i64, 0);
                assert_eq!(canvas.row(0).chars().next(), char::from_u32(0x2800 + u32::from(*bit)));
            }
        }
    }

    #[test]
    fn lines_reach_both_ends_in_every_direction() {
        for to in [(5, 5), (0, 5), (5, 0), (9, 6), (3, 7), (5, 4)] {
            let mut canvas = Canvas::new(BRAILLE_SCREEN, 5, 2);
            canvas.line((5, 4), to, 0);
            let mut ends = Canvas::new(BRAILLE_SCREEN, 5, 2);
            ends.set(5, 4, 0);
            ends.set(to.0, to.1, 0);
            for (drawn, end) in canvas.cells.iter().zip(&ends.cells) {
                assert_eq!(drawn.0 & end.0, end.0, "{to:?}");
            }
        }
    }

    #[test]
    fn dots_outside_are_ignored() {
        let mut canvas = Canvas::new(BRAILLE_SCREEN, 2, 1);
        for (x, y) in [(-1, 0), (0, -1), (4, 0), (0, 4)] {
            canvas.set(x, y, 0);
        }
        assert_eq!(canvas.row(0), "");
    }

    #[test]
    fn ascii_tells_curves_apart_by_marks_and_terminals_by_colours() {
        let draw = |screen| {
            let mut canvas = Canvas::new(screen, 4, 1);
            canvas.set(0, 0, 0);
            canvas.set(canvas.size().0 as i64 - 1, 0, 1);
            canvas.row(0)
        };
        assert_eq!(draw(Screen { ascii: true, ..BRAILLE_SCREEN }), "*  +");
        assert_eq!(draw(Screen { colour: true, ..BRAILLE_SCREEN }), "\x1b[36m⠁\x1b[0m  \x1b[33m⠈\x1b[0m");
    }
}

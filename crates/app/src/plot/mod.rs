//! Plots in characters: curves of braille dots between labelled axes.
//!
//! ```text
//!  1 ┤ ⢀⡀    ⢀⡀    ⢀⡀
//!    │⢀⠎⠱⡀ ⢀⠎⠱⡀ ⢀⠎⠱⡀  ball.position#3
//! -1 ┤⠎  ⠱⠒⠊  ⠱⠒⠊  ⠱
//!    └┬────────┬──────
//!     0        5  t
//! ```
//!
//! NaN and infinities leave a gap.

pub(crate) mod axis;
pub(crate) mod canvas;
pub(crate) mod svg;

use super::console::format::columns;
use super::console::terminal::Screen;
use axis::Axis;
use canvas::Canvas;

/// Points with a name.
#[derive(Debug, Clone)]
pub(crate) struct Curve {
    pub(crate) label: String,
    pub(crate) points: Vec<(f64, f64)>,
    pub(crate) hue: usize,
}

/// Rows of characters per label of the vertical axis.
const ROWS_PER_TICK: usize = 3;

/// Curves between axes.
#[derive(Debug, Clone)]
pub(crate) struct Plot {
    pub(crate) screen: Screen,
    /// Columns at most, with labels and all.
    pub(crate) width: usize,
    /// Rows of the canvas.
    pub(crate) rows: usize,
    /// The unit of the horizontal axis.
    pub(crate) x_label: String,
    pub(crate) curves: Vec<Curve>,
}

impl Plot {
    /// The lines of the plot, none ending in blanks.
    pub(crate) fn render(&self) -> Vec<String> {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let (x, y) = (Axis::fit(points().map(|p| p.0)), Axis::fit(points().map(|p| p.1)));
        let (Some(x), Some(y)) = (x, y) else {
            return vec!["(nothing to draw: there is no value other than zero)".to_owned()];
        };
        let spelled = |(value, label): (f64, String)| (value, self.screen.spell(&label));
        let y_ticks: Vec<_> = y.ticks(self.rows.div_ceil(ROWS_PER_TICK)).into_iter().map(spelled).collect();
        let gutter = y_ticks.iter().map(|(_, label)| columns(label)).max().unwrap_or(0);
        let names = self.curves.iter().map(|curve| columns(&curve.label)).max().unwrap_or(0);
        let names = if names > 0 { names + 1 } else { 0 };
        let across = self.width.saturating_sub(gutter + 2 + names).max(8);

        let mut canvas = Canvas::new(self.screen, across, self.rows);
        for curve in &self.curves {
            self.draw(curve, &x, &y, &mut canvas);
        }
        let mut lines = self.upper_lines(&y, &y_ticks, gutter, across, &canvas);
        lines.extend(self.lower_lines(&x, gutter, across));
        lines
    }

    fn draw(&self, curve: &Curve, x: &Axis, y: &Axis, canvas: &mut Canvas) {
        let (width, height) = canvas.size();
        let dot = |point: &(f64, f64)| {
            let inside = |fraction: &f64| (0.0..=1.0).contains(fraction);
            let fx = x.fraction(point.0).filter(inside)?;
            let fy = y.fraction(point.1).filter(inside)?;
            let column = libm::round(fx * (width - 1) as f64) as i64;
            let row = libm::round((1.0 - fy) * (height - 1) as f64) as i64;
            Some((column, row))
        };
        let mut last = None;
        for here in curve.points.iter().map(dot) {
            if let Some(here) = here {
                canvas.line(last.unwrap_or(here), here, curve.hue);
            }
            last = here;
        }
    }

    /// The canvas with the vertical axis on its left and the names of the curves on its right, where they
    /// end.
    fn upper_lines(
        &self,
        y: &Axis,
        ticks: &[(f64, String)],
        gutter: usize,
        across: usize,
        canvas: &Canvas,
    ) -> Vec<String> {
        let mut marks = vec![None; self.rows];
        for (value, label) in ticks {
            if let Some(row) = y.fraction(*value).and_then(|f| self.row_of(f)) {
                marks[row] = Some(label);
            }
        }
        let names = self.names(y);
        let line = |row: usize| {
            let (label, sign) = marks[row].map_or(("", '│'), |label| (label.as_str(), '┤'));
            let ink = canvas.row(row);
            let mut line = self.screen.dim(&format!("{label:>gutter$} {sign}"));
            line.push_str(&ink);
            if let Some(curve) = names[row] {
                let inked = columns(&without_colours(&ink));
                line.push_str(&" ".repeat(across - inked + 1));
                line.push_str(&self.screen.hue(curve.hue, &curve.label));
            }
            line
        };
        (0..self.rows).map(line).collect()
    }

    /// The row of characters that holds the dots of a value.
    fn row_of(&self, fraction: f64) -> Option<usize> {
        let (_, down) = Canvas::dots_per_cell(self.screen);
        let dot = libm::round((1.0 - fraction) * (self.rows * down - 1) as f64);
        (0.0..(self.rows * down) as f64).contains(&dot).then_some(dot as usize / down)
    }

    /// Returns the curve that is named in each row: beside its last point, or in the nearest free row.
    fn names(&self, y: &Axis) -> Vec<Option<&Curve>> {
        let mut names = vec![None; self.rows];
        for curve in self.curves.iter().filter(|curve| !curve.label.is_empty()) {
            let end = curve.points.iter().rev().find_map(|p| y.fraction(p.1)).and_then(|f| self.row_of(f));
            let Some(end) = end else { continue };
            let free = (0..self.rows).filter(|row| names[*row].is_none()).min_by_key(|row| row.abs_diff(end));
            if let Some(row) = free {
                names[row] = Some(curve);
            }
        }
        names
    }

    /// The horizontal axis, its labels, and its unit: behind the last label if there is room, below it
    /// otherwise.
    fn lower_lines(&self, x: &Axis, gutter: usize, across: usize) -> Vec<String> {
        let mut rule = vec!['─'; across];
        let mut labels: Vec<char> = Vec::new();
        for (value, label) in x.ticks((across / 8).max(3)) {
            let Some(fraction) = x.fraction(value) else { continue };
            let column = libm::round(fraction * (across - 1) as f64).clamp(0.0, across as f64 - 1.0) as usize;
            let start = column.saturating_sub(label.len() / 2).min(across.saturating_sub(label.len()));
            if labels.is_empty() || start > labels.len() {
                rule[column] = '┬';
                labels.resize(start, ' ');
                labels.extend(label.chars());
            }
        }
        let left = " ".repeat(gutter + 2);
        let rule = format!("{}└{}", &left[1..], rule.into_iter().collect::<String>());
        let labels = format!("{left}{}", labels.into_iter().collect::<String>());
        let end = gutter + 2 + across;
        let lines = if columns(&labels) + 2 + columns(&self.x_label) <= self.width {
            vec![rule, format!("{labels}  {}", self.x_label)]
        } else {
            vec![rule, labels, format!("{:>end$}", self.x_label)]
        };
        lines.iter().map(|line| self.screen.dim(line.trim_end())).collect()
    }
}

/// Text without escape sequences, to count its columns.
pub(crate) fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut escaped = false;
    for c in text.chars() {
        match c {
            '\x1b' => escaped = true,
            'm' if escaped => escaped = false,
            c if !escaped => plain.push(c),
            _ => {}
        }
    }
    plain
}

#[cfg(test)]
mod tests;

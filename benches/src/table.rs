//! The table: one row per comparison, remarks below.

use crate::clock::Times;
use std::fmt;

/// One comparison.
pub struct Row {
    /// What was compared.
    pub case: String,
    /// Whom with.
    pub peer: String,
    /// What is counted, per second.
    pub unit: &'static str,
    /// How many of them a repetition does, on either side.
    pub amount: f64,
    /// Our times.
    pub ours: Times,
    /// The peer's times.
    pub theirs: Times,
    /// The ratio to reach, if any.
    pub target: Option<f64>,
    /// Whether our answer was good enough to compare times at all.
    pub sound: bool,
    /// Errors and the like, printed below the table.
    pub remark: String,
}

impl Row {
    /// Our rate over theirs, best repetitions.
    pub fn ratio(&self) -> f64 {
        self.theirs.best() / self.ours.best()
    }

    /// Whether there is a target and it was not reached.
    pub fn missed(&self) -> bool {
        !self.sound || self.target.is_some_and(|target| self.ratio() < target)
    }

    fn cells(&self) -> [String; 7] {
        let rate = |times: &Times| match self.amount / times.best() / 1e6 {
            few if few < 1.0 => format!("{few:.1e}"),
            many => format!("{many:.1}"),
        };
        [
            self.case.clone(),
            rate(&self.ours),
            rate(&self.theirs),
            self.peer.clone(),
            format!("{:.2}", self.ratio()),
            self.target.map_or("-".into(), |target| format!("{target:.2}")),
            match (self.sound, self.target, self.missed()) {
                (false, ..) => "WRONG".into(),
                (true, None, _) => "-".into(),
                (true, Some(_), missed) => if missed { "NO" } else { "yes" }.into(),
            },
        ]
    }
}

/// Prints with aligned columns.
pub struct Table<'a>(pub &'a [Row]);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(rows) = *self;
        if rows.is_empty() {
            return writeln!(f, "no such case");
        }
        let head = ["case", "ours", "peer", "which peer", "ratio", "target", "met"].map(String::from);
        let lines: Vec<[String; 7]> = std::iter::once(head).chain(rows.iter().map(Row::cells)).collect();
        let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 7] = std::array::from_fn(width);
        for (i, line) in lines.iter().enumerate() {
            for (column, (cell, width)) in line.iter().zip(widths).enumerate() {
                // Words to the left, numbers to the right.
                match column {
                    0 | 3 => write!(f, "{cell:<width$}  ")?,
                    _ => write!(f, "{cell:>width$}  ")?,
                }
            }
            writeln!(f)?;
            if i == 0 {
                writeln!(f, "{}", "-".repeat(widths.iter().sum::<usize>() + 2 * (widths.len() - 1)))?;
            }
        }
        writeln!(f)?;
        for row in rows {
            let medians = row.theirs.median() / row.ours.median();
            writeln!(
                f,
                "{}: millions of {}; ratio of medians {medians:.2}; {}",
                row.case, row.unit, row.remark
            )?;
        }
        Ok(())
    }
}

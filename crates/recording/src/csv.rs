//! Frames as CSV: a header, then a row per frame.
//!
//! `t` comes first, then every quantity, also those that never change: a reader of CSV expects `ball.mass`
//! beside `ball.position#1`. A cell without a value is empty. How columns are called, and which share a name,
//! is said in `columns`.

use crate::columns::Column;
use crate::event::Event;
use crate::schema::Schema;
use crate::shortest_real::Shortest;
use crate::sink::{Frame, Notice, Sink};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes frames as they come. Every row is handed to the writer at once, so that a run that is cut leaves
/// whole rows but for the last.
#[derive(Debug)]
pub struct CsvSink<W> {
    writer: W,
    schema: Schema,
    columns: Vec<Column>,
    /// `true` if each event adds a row with the state after it.
    event_rows: bool,
    /// All values as they are known: the last frame, with what events changed since.
    row: Vec<f64>,
    line: String,
}

impl<W: Write> CsvSink<W> {
    /// Writes the header. With `event_rows`, each event adds a row with the state after it: those who take
    /// part have their new values, all others those of the last row.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut writer: W, schema: &Schema, event_rows: bool) -> io::Result<Self> {
        let columns = schema.merged_columns();
        let mut line = String::from("t");
        for column in &columns {
            line.push(',');
            line.push_str(&quoted(&column.name));
        }
        line.push('\n');
        writer.write_all(line.as_bytes())?;
        let row = vec![f64::NAN; schema.width()];
        Ok(Self { writer, schema: schema.clone(), columns, event_rows, row, line })
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.writer
    }

    fn write_row(&mut self, time: f64) -> io::Result<()> {
        self.line.clear();
        write_cell(&mut self.line, time);
        for column in &self.columns {
            self.line.push(',');
            write_cell(&mut self.line, self.schema.scalar(&self.row, &column.places));
        }
        self.line.push('\n');
        self.writer.write_all(self.line.as_bytes())
    }
}

fn write_cell(line: &mut String, real: f64) {
    if !real.is_nan() {
        write!(line, "{}", Shortest(real)).expect("a String takes any text");
    }
}

/// Names of the language need no quotes; a name with a comma, a quote or the end of a line in it would.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

impl<W: Write> Sink for CsvSink<W> {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.schema.check_row(frame.row)?;
        self.row.copy_from_slice(frame.row);
        self.write_row(frame.time)
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.schema.check_event(event)?;
        if !self.event_rows {
            return Ok(());
        }
        self.schema.paste(&event.after, &event.objects, &mut self.row);
        self.write_row(event.time)
    }

    fn notice(&mut self, _notice: &Notice) -> io::Result<()> {
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

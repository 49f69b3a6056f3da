//! Events as JSON: an array of `{index, time, kind, context, objects, before, after}`.
//!
//! `before` and `after` hold `world`, `objects` (by name) and `measures`: maps of attribute to value. A
//! vector is an array, a matrix an array of rows. What never changes is there too. A value that there is not,
//! as a context attribute's before its context, is null. What the engine measured (`collisionPoint`) follows
//! under `given`, where it measured something.
//!
//! ```json
//! {"index":0,"time":0.5,"kind":"collision","context":"bounce","objects":["ball","floor"],
//!  "before":{"world":{"g":9.81},"objects":{"ball":{"velocity":[0,0,-2]},"floor":{}},"measures":{}},"after":…}
//! ```

use crate::columns::Place;
use crate::columns::merge;
use crate::event::Event;
use crate::event_row::Moment;
use crate::recording::Recording;
use crate::schema::{Owner, Schema};
use crate::shortest_real::Shortest;
use crate::sink::{Frame, Notice, Sink};
use gedanken_lang::types::{Dim, Type};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Seek, SeekFrom, Write};

/// End of the array.
const CLOSING: &str = "\n]\n";

/// Writes all events of a recording.
///
/// # Errors
/// If they cannot be written.
pub fn write_events_json(mut writer: impl Write, recording: &Recording) -> io::Result<()> {
    let mut lines = Lines::new(&recording.schema);
    let mut text = String::from("[");
    for (number, event) in recording.events.iter().enumerate() {
        text.push_str(if number == 0 { "\n" } else { ",\n" });
        lines.write(&mut text, event)?;
        writer.write_all(text.as_bytes())?;
        text.clear();
    }
    text.push_str(CLOSING);
    writer.write_all(text.as_bytes())
}

/// Writes events as they happen, so that the file is whole after each of them: the end of the array is
/// written with every event, and the next event is written over it. An event is one write, so a buffer around
/// the writer gains nothing.
///
/// If an event cannot be written, as when the disk is full, what arrived of it is blanked.
#[derive(Debug)]
pub struct JsonEventsSink<W> {
    writer: W,
    lines: Lines,
    /// Position of the end of the array.
    closing: u64,
    is_first: bool,
    text: String,
}

impl<W: Write + Seek> JsonEventsSink<W> {
    /// Writes an empty array.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut writer: W, schema: &Schema) -> io::Result<Self> {
        writer.write_all(format!("[{CLOSING}").as_bytes())?;
        let closing = writer.stream_position()? - CLOSING.len() as u64;
        Ok(Self { writer, lines: Lines::new(schema), closing, is_first: true, text: String::new() })
    }

    /// The writer.
    pub fn into_inner(self) -> W {
        self.writer
    }

    /// Ends the array where the last whole event ended, and covers what follows with blanks.
    fn mend(&mut self) -> io::Result<()> {
        let end = self.writer.seek(SeekFrom::End(0))?;
        self.writer.seek(SeekFrom::Start(self.closing))?;
        self.writer.write_all(CLOSING.as_bytes())?;
        let blanks = end.saturating_sub(self.closing + CLOSING.len() as u64);
        io::copy(&mut io::Read::take(io::repeat(b' '), blanks), &mut self.writer)?;
        self.writer.flush()
    }
}

impl<W: Write + Seek> Sink for JsonEventsSink<W> {
    fn frame(&mut self, _frame: Frame<'_>) -> io::Result<()> {
        Ok(())
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.text.clear();
        self.text.push_str(if self.is_first { "\n" } else { ",\n" });
        self.lines.write(&mut self.text, event)?;
        let length = self.text.len() as u64;
        self.text.push_str(CLOSING);
        self.writer.seek(SeekFrom::Start(self.closing))?;
        if let Err(error) = self.writer.write_all(self.text.as_bytes()) {
            // The failure to write is what is told; that mending failed too would say nothing more.
            let _ = self.mend();
            return Err(error);
        }
        self.closing += length;
        self.is_first = false;
        Ok(())
    }

    fn notice(&mut self, _notice: &Notice) -> io::Result<()> {
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// A quantity under the name it has in a map.
#[derive(Debug)]
struct Entry {
    key: String,
    ty: Type,
    places: Vec<Place>,
}

/// Writes events, one to a line.
#[derive(Debug)]
struct Lines {
    schema: Schema,
    entries: BTreeMap<Owner, Vec<Entry>>,
    /// A whole row, of which only those who take part in the event at hand are up to date.
    row: Vec<f64>,
}

impl Lines {
    fn new(schema: &Schema) -> Self {
        let mut entries: BTreeMap<Owner, Vec<Entry>> = BTreeMap::new();
        for (one, places) in merge(&schema.named()) {
            let entry = Entry { key: string(&one.attribute), ty: one.ty.clone(), places };
            entries.entry(one.owner).or_default().push(entry);
        }
        Self { entries, row: vec![f64::NAN; schema.width()], schema: schema.clone() }
    }

    fn write(&mut self, text: &mut String, event: &Event) -> io::Result<()> {
        self.schema.check_event(event)?;
        let names = event.objects.iter().map(|&it| string(&self.schema.objects[it]));
        let names = names.collect::<Vec<_>>().join(",");
        let context = event.context.map_or("null".to_owned(), |it| string(&self.schema.contexts[it]));
        push(text, format_args!("{{\"index\":{},\"time\":{},", event.index, real(event.time)));
        push(text, format_args!("\"kind\":{},\"context\":{context},", string(event.kind.name())));
        push(text, format_args!("\"objects\":[{names}]"));
        for (key, moment) in [("before", Moment::Before), ("after", Moment::After)] {
            self.schema.paste(event.row(moment), &event.objects, &mut self.row);
            push(text, format_args!(",\"{key}\":{{\"world\":"));
            self.write_map(text, Owner::World);
            text.push_str(",\"objects\":{");
            for (number, &object) in event.objects.iter().enumerate() {
                let comma = if number == 0 { "" } else { "," };
                push(text, format_args!("{comma}{}:", string(&self.schema.objects[object])));
                self.write_map(text, Owner::Object(object));
            }
            text.push_str("},\"measures\":");
            self.write_map(text, Owner::Measure);
            text.push('}');
        }
        if !event.given.is_empty() {
            let given = event.given.iter().map(|(name, reals)| format!("{}:{}", string(name), array(reals)));
            push(text, format_args!(",\"given\":{{{}}}", given.collect::<Vec<_>>().join(",")));
        }
        text.push('}');
        Ok(())
    }

    fn write_map(&self, text: &mut String, owner: Owner) {
        text.push('{');
        for (number, entry) in self.entries.get(&owner).into_iter().flatten().enumerate() {
            let comma = if number == 0 { "" } else { "," };
            let scalars = (0..entry.ty.scalars().unwrap_or(0)).map(|scalar| {
                let places: Vec<Place> = entry.places.iter().map(|first| first.after(scalar)).collect();
                self.schema.scalar(&self.row, &places)
            });
            let value = value(&entry.ty, &scalars.collect::<Vec<f64>>());
            push(text, format_args!("{comma}{}:{value}", entry.key));
        }
        text.push('}');
    }
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a String takes any text");
}

/// A value of a fixed type; null if a scalar of it has no value.
fn value(ty: &Type, scalars: &[f64]) -> String {
    if scalars.iter().any(|it| it.is_nan()) {
        return "null".to_owned();
    }
    match (ty, scalars) {
        (Type::Bool, &[truth]) => (truth != 0.0).to_string(),
        (Type::Real, &[one]) => real(one),
        (Type::Matrix(Dim::Is(rows), Dim::Is(columns)), scalars) => {
            let columns = *columns as usize;
            let rows = (0..*rows as usize).map(|row| array(&scalars[row * columns..][..columns]));
            format!("[{}]", rows.collect::<Vec<_>>().join(","))
        }
        _ => array(scalars),
    }
}

fn array(reals: &[f64]) -> String {
    format!("[{}]", reals.iter().map(|&it| real(it)).collect::<Vec<_>>().join(","))
}

/// JSON has no infinity and no NaN: null.
fn real(real: f64) -> String {
    if real.is_finite() { Shortest(real).to_string() } else { "null".to_owned() }
}

/// A string with its quotes and escapes.
pub(super) fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

//! The table of a sweep: a row for each run, as CSV or JSON, in files and on standard output.
//!
//! | column | holds |
//! |---|---|
//! | parameters | their values, in the order of the command line |
//! | what is collected | values; a vector has a column for each element |
//! | `t`, `events`, `hash` | time of the last frame, number of events until then, fingerprint of the state |
//! | `notices`, `failure` | remarks of the run, and why it failed, if it did |

use super::collect::{Collected, Item};
use super::point::Row;
use crate::failure::Failure;
use crate::files::claim::Claim;
use crate::files::disk::is_no_room;
use crate::files::is_same;
use crate::files::new_file::NewFile;
use crate::runner::places::Inputs;
use gedanken_lab::sweep::Grid;
use gedanken_lang::value::Value;
use serde_json::{Map, json};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Format of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Csv,
    Json,
}

/// End of a list in JSON.
const CLOSING: &str = "\n]\n";

/// Bytes of rows that wait for the next flush at most.
const MAX_PENDING: usize = 1 << 20;

/// Returns the formats that the endings of files ask for.
pub(super) fn formats(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Format)>, Failure> {
    let mut formats: Vec<(PathBuf, Format)> = Vec::new();
    for path in paths {
        let format = match path.extension().and_then(|extension| extension.to_str()) {
            Some("csv") => Format::Csv,
            Some("json") => Format::Json,
            _ => {
                let name = path.display();
                return Err(Failure::Usage(format!(
                    "{name}: its ending must say the format, which is .csv (a table) or .json (a list)"
                )));
            }
        };
        if formats.iter().any(|(other, _)| other == path || is_same(other, path)) {
            return Err(Failure::Usage(format!("{} is named twice as an output", path.display())));
        }
        formats.push((path.clone(), format));
    }
    Ok(formats)
}

/// All tables that are written.
pub(super) struct Tables<'s> {
    files: Vec<Table>,
    /// `true` if rows are printed as JSON.
    prints: bool,
    grid: &'s Grid,
    collected: &'s Collected,
    is_first: bool,
}

struct Table {
    format: Format,
    file: NewFile,
    name: String,
    /// Rows that are not written yet: a kill finds whole rows only, and a list that has its end.
    pending: String,
    /// `true` after a failed write; nothing more is written.
    is_broken: bool,
}

impl<'s> Tables<'s> {
    /// Begins all tables. None is touched unless all of them can be.
    pub(super) fn open(
        formats: &[(PathBuf, Format)],
        prints: bool,
        inputs: &Inputs,
        grid: &'s Grid,
        collected: &'s Collected,
    ) -> Result<Self, Failure> {
        formats.iter().try_for_each(|(path, _)| inputs.refuse(path))?;
        let failed = |error: io::Error| match is_no_room(&error) {
            true => Failure::Experiment(error.to_string()),
            false => Failure::Usage(error.to_string()),
        };
        let claims: Vec<Claim> = formats
            .iter()
            .map(|(path, _)| Claim::new(path, false))
            .collect::<Result<_, _>>()
            .map_err(failed)?;
        let mut tables = Self { files: Vec::new(), prints, grid, collected, is_first: true };
        for ((path, format), claim) in formats.iter().zip(claims) {
            let file = NewFile::begin(vec![claim], false).map_err(failed)?.pop();
            let file = file.expect("a file was begun for the claim");
            match Table::begin(path, *format, file, &tables.header()) {
                Ok(table) => tables.files.push(table),
                Err(error) => {
                    for path in tables.files.iter().filter_map(|table| table.file.path()) {
                        // Not even the heads of others fit: nothing would be lost with it.
                        let _ = std::fs::remove_file(path);
                    }
                    return Err(failed(error));
                }
            }
        }
        if prints {
            crate::console::terminal::Screen::of_stdout(false).print("{\"rows\": [")?;
        }
        Ok(tables)
    }

    /// The line of column names.
    fn header(&self) -> String {
        let parameters = self.grid.axes().iter().map(|axis| axis.name());
        let collected = self.collected.names().cloned();
        let names = parameters.chain(collected).map(|name| quoted(&name));
        let last = ["t", "events", "hash", "notices", "failure"].map(str::to_owned);
        names.chain(last).collect::<Vec<_>>().join(",")
    }

    /// Adds a row to all.
    ///
    /// # Errors
    /// The first failure to write.
    pub(super) fn row(&mut self, row: &Row) -> io::Result<()> {
        let is_first = std::mem::replace(&mut self.is_first, false);
        let needs_json = self.prints || self.files.iter().any(|it| it.format == Format::Json);
        let object = if needs_json { self.object(row).to_string() } else { String::new() };
        let separator = if is_first { "\n" } else { ",\n" };
        let mut first = Ok(());
        for table in self.files.iter_mut().filter(|table| !table.is_broken) {
            match table.format {
                Format::Csv => table.pending.push_str(&line(row)),
                Format::Json => table.pending.extend([separator, &object]),
            }
            if table.pending.len() > MAX_PENDING {
                let flushed = table.flush();
                table.is_broken = flushed.is_err();
                first = first.and(flushed);
            }
        }
        if self.prints {
            let mut stdout = io::stdout().lock();
            first =
                first.and(stdout.write_all(separator.as_bytes())).and(stdout.write_all(object.as_bytes()));
        }
        first
    }

    /// Hands everything to the disk.
    ///
    /// # Errors
    /// The first failure to write.
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let tables = self.files.iter_mut().filter(|table| !table.is_broken);
        let mut first = Ok(());
        for table in tables {
            let flushed = table.flush();
            table.is_broken = flushed.is_err();
            first = first.and(flushed);
        }
        first
    }

    /// Ends all tables and gives them their names: those that are whole, and the first failure.
    pub(super) fn close(self) -> (Vec<String>, Option<io::Error>) {
        let (mut written, mut failure) = (Vec::new(), None);
        for mut table in self.files.into_iter().filter(|table| !table.is_broken) {
            table.pending.push_str(table.closing());
            let ended = table.file.write_all(table.pending.as_bytes());
            match ended.and_then(|()| table.file.finish()) {
                Ok(()) => written.push(table.name),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        (written, failure)
    }

    /// A row as an object.
    fn object(&self, row: &Row) -> serde_json::Value {
        let parameters = self.grid.axes().iter().zip(&row.parameters);
        let parameters: Map<String, serde_json::Value> =
            parameters.map(|(axis, value)| (axis.name(), json!(value))).collect();
        let mut rest = row.values.as_slice();
        let mut value = |item: &Item| {
            let (own, others) = rest.split_at(item.names.len());
            rest = others;
            // Reals that are no numbers become null.
            (item.name.clone(), if let [real] = own { json!(real) } else { json!(own) })
        };
        let values: Map<String, serde_json::Value> = self.collected.items.iter().map(&mut value).collect();
        json!({
            "parameters": parameters,
            "values": values,
            "time": row.time,
            "events": row.events,
            // Text: JSON's numbers hold 53 bits in many readers.
            "hash": row.hash.map(|hash| format!("{hash:016x}")),
            "notices": row.notices,
            "failure": row.failure,
        })
    }
}

impl Table {
    fn begin(path: &Path, format: Format, mut file: NewFile, header: &str) -> io::Result<Self> {
        match format {
            Format::Csv => file.write_all(format!("{header}\n").as_bytes())?,
            Format::Json => file.write_all(b"[")?,
        }
        let name = path.to_string_lossy().into_owned();
        Ok(Self { format, file, name, pending: String::new(), is_broken: false })
    }

    /// What ends the table.
    fn closing(&self) -> &'static str {
        match self.format {
            Format::Csv => "",
            Format::Json => CLOSING,
        }
    }

    /// Hands everything to the disk. The list in a file is whole afterwards, and the next row is written over
    /// its end.
    fn flush(&mut self) -> io::Result<()> {
        if self.pending.is_empty() {
            return Ok(());
        }
        // A pipe cannot be written over.
        let closing = if self.file.path().is_some() { self.closing() } else { "" };
        self.pending.push_str(closing);
        self.file.write_all(self.pending.as_bytes())?;
        self.file.flush()?;
        self.pending.clear();
        if !closing.is_empty() {
            self.file.seek(SeekFrom::Current(-(closing.len() as i64)))?;
        }
        Ok(())
    }
}

/// A row of the table.
fn line(row: &Row) -> String {
    let real = |x: &f64| if x.is_nan() { String::new() } else { Value::Real(*x).to_string() };
    let mut cells: Vec<String> = row.parameters.iter().chain(&row.values).map(real).collect();
    cells.push(row.time.as_ref().map_or(String::new(), real));
    cells.push(row.events.to_string());
    cells.push(row.hash.map_or(String::new(), |hash| format!("{hash:016x}")));
    cells.push(quoted(&row.notices.join("; ")));
    cells.push(quoted(row.failure.as_deref().unwrap_or_default()));
    cells.join(",") + "\n"
}

/// A cell with quotes where it needs them.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// The rest of the document that is printed: the end of the rows, and the summary.
pub(super) fn end_of_document(summary: &serde_json::Value) -> String {
    format!("\n], \"summary\": {summary:#}\n}}")
}

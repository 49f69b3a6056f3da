//! `gedanken trace`: what happened, event by event, with everything before and after.

mod event;
mod filter;

use crate::console::format::plural;
use crate::console::table::{Align, Table};
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::runner::source::{Choice, Source};
use clap::Args;
use filter::Filter;
use gedanken_lang::value::Value;
use gedanken_recording::{Event, Recording, Sink, write_events_json};
use std::path::PathBuf;

/// List the events of an experiment or a recording, or tell everything about one of them
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// An experiment (.lab), which is run first, or a recording (.arrow)
    #[arg(value_name = "FILE")]
    file: PathBuf,

    #[command(flatten)]
    filter: filter::Wanted,

    /// Maximum number of events to show
    #[arg(long, value_name = "N")]
    limit: Option<usize>,

    /// Show all values before and after this event, by its number
    #[arg(long, value_name = "N", conflicts_with_all = ["kind", "from", "to", "objects", "limit"])]
    event: Option<usize>,

    #[command(flatten)]
    choice: Choice,

    /// Print JSON: an array of events, as `run --events` writes it
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken trace ramp.lab
  gedanken trace ramp.lab --kind collision --from 1 --to 2.5
  gedanken trace ramp.arrow --objects ball,floor --limit 10
  gedanken trace ramp.arrow --event 3
  gedanken trace ramp.arrow --json | jq '.[] | .time'";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let Source { recording, ended, .. } = arguments.choice.open(&arguments.file)?;
    let screen = Screen::of_stdout(false);
    let text = if let Some(index) = arguments.event {
        let event = recording.events.get(index).ok_or_else(|| no_event(&recording, index))?;
        if arguments.json {
            as_json(&recording, &[event])?
        } else {
            event::page(screen, &recording.schema, event)
        }
    } else {
        let filter = Filter::new(&arguments.filter, &recording.schema.objects)?;
        let found: Vec<&Event> = recording.events.iter().filter(|event| filter.lets_through(event)).collect();
        let shown = &found[..arguments.limit.unwrap_or(found.len()).min(found.len())];
        if arguments.json {
            as_json(&recording, shown)?
        } else {
            list(screen, &recording, shown, found.len())
        }
    };
    screen.print(&text)?;
    ended
}

fn no_event(recording: &Recording, index: usize) -> Failure {
    let there = match recording.events.len() {
        0 => "nothing happened".to_owned(),
        1 => "there is only event 0".to_owned(),
        count => format!("there are events 0 to {}", count - 1),
    };
    Failure::Usage(format!("there is no event {index}: {there}"))
}

/// The events as an array.
fn as_json(recording: &Recording, events: &[&Event]) -> Result<String, Failure> {
    let mut chosen = Recording::new(recording.schema.clone());
    for event in events {
        chosen.event(event)?;
    }
    let mut bytes = Vec::new();
    write_events_json(&mut bytes, &chosen)?;
    Ok(String::from_utf8(bytes).expect("JSON is UTF-8"))
}

/// A line for each event, and how many there are.
fn list(screen: Screen, recording: &Recording, shown: &[&Event], found: usize) -> String {
    let mut table = Table::new([
        ("event", Align::Right),
        ("time", Align::Left),
        ("kind", Align::Left),
        ("context", Align::Left),
        ("objects", Align::Left),
    ]);
    let schema = &recording.schema;
    for event in shown {
        let names: Vec<&str> = event.objects.iter().map(|&index| schema.objects[index].as_str()).collect();
        table.row([
            event.index.to_string(),
            Value::Real(event.time).to_string(),
            event.kind.name().to_owned(),
            event.context.map_or("none".to_owned(), |index| schema.contexts[index].clone()),
            names.join(", "),
        ]);
    }
    let all = recording.events.len();
    let count = match (shown.len(), found) {
        (0, 0) if all == 0 => "no events".to_owned(),
        (shown, found) if found == all && shown == all => plural(all as u64, "event"),
        (shown, found) if shown == found => format!("{found} of {}", plural(all as u64, "event")),
        (shown, found) => format!("{shown} of {found} that fit, of {}", plural(all as u64, "event")),
    };
    let rows = if shown.is_empty() { String::new() } else { table.render(screen) };
    format!("{rows}{}\n", screen.dim(&count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_recording::two_balls_recording;

    const SCREEN: Screen = Screen { width: 80, colour: false, ascii: false };

    #[test]
    fn the_list_says_who_and_when_and_how_many() {
        let recording = two_balls_recording();
        let all: Vec<&Event> = recording.events.iter().collect();
        let lines = [
            "  event   time   kind        context   objects",
            "      0   1.5    collision   hit       b",
            "1 event",
            "",
        ];
        assert_eq!(list(SCREEN, &recording, &all, 1), lines.join("\n"));
        assert_eq!(list(SCREEN, &recording, &[], 0), "0 of 1 event\n");
    }
}

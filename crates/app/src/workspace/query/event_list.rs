//! Events that pass a filter.

use super::tables::find_object;
use crate::wire::{Filter, Reply};
use crate::workspace::recordings::{RunRecording, count};
use gedanken_lang::check::similar;
use gedanken_recording::{Event, EventKind};

/// Maximum number of events in one reply.
const MAX_EVENTS: u32 = 10_000;

/// Returns the events that pass, without the first `skip`, at most `most` of them.
///
/// # Errors
/// If the filter names an unknown kind or object, in a sentence.
pub(crate) fn list(
    run_recording: &RunRecording,
    id: u32,
    filter: &Filter,
    skip: u32,
    most: u32,
) -> Result<Reply, String> {
    let recording = run_recording.read();
    let schema = &recording.schema;
    let kinds = filter.kinds.iter().map(|it| kind(it)).collect::<Result<Vec<EventKind>, String>>()?;
    let objects = filter.objects.iter().map(|it| find_object(&schema.objects, it));
    let objects = objects.collect::<Result<Vec<usize>, String>>()?;
    let passes = |event: &&Event| {
        (kinds.is_empty() || kinds.contains(&event.kind))
            && filter.from.is_none_or(|from| event.time >= from)
            && filter.to.is_none_or(|to| event.time <= to)
            && objects.iter().all(|object| event.objects.contains(object))
    };
    let mut total = 0;
    let mut events = Vec::new();
    for event in recording.events.iter().filter(passes) {
        if total >= skip as usize && events.len() < most.min(MAX_EVENTS) as usize {
            events.push(run_recording.event_info(schema, event));
        }
        total += 1;
    }
    Ok(Reply::List {
        id,
        run: run_recording.run,
        revision: run_recording.revision,
        total: count(total),
        events,
    })
}

fn kind(name: &str) -> Result<EventKind, String> {
    EventKind::ALL.into_iter().find(|kind| kind.name() == name).ok_or_else(|| {
        let names = EventKind::ALL.map(EventKind::name);
        let advice = match similar(name, names) {
            Some(meant) => format!("did you mean {meant}?"),
            None => format!("there is {}", names.join(", ")),
        };
        format!("no event is a `{name}`: {advice}")
    })
}

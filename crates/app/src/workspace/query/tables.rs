//! Values at one moment, and all values before and after an event.

use super::quantities::{RecordedQuantity, shown};
use crate::wire::{self, Reply, TableRow};
use crate::workspace::recordings::RunRecording;
use gedanken_lang::check::similar;
use gedanken_lang::types::Type;
use gedanken_recording::{Event, Moment, Owner, Recording};

/// Returns all values of one owner at one moment; those of the world and the measures, if no object is named.
///
/// # Errors
/// If there are none, in a sentence.
pub(crate) fn values(
    run_recording: &RunRecording,
    id: u32,
    moment: wire::Moment,
    object: Option<&str>,
) -> Result<Reply, String> {
    let recording = run_recording.read();
    let schema = &recording.schema;
    let object = object.map(|name| find_object(&schema.objects, name)).transpose()?;
    let is_wanted = |it: &&RecordedQuantity| match object {
        Some(object) => it.owner == Owner::Object(object),
        None => matches!(it.owner, Owner::World | Owner::Measure),
    };
    let known = run_recording.known.iter().filter(is_wanted);
    let (event, side) = match moment {
        wire::Moment::Time { time } => {
            let frame = recording.at(time).ok_or("nothing has been recorded yet")?;
            return Ok(at_frame(run_recording, id, &recording, frame, known));
        }
        wire::Moment::Before { event } => (find_event(&recording, event)?, Moment::Before),
        wire::Moment::After { event } => (find_event(&recording, event)?, Moment::After),
    };
    if object.is_some_and(|it| !event.objects.contains(&it)) {
        // Who takes no part was recorded with the frame before.
        let before = recording.frames_before[event.index as usize].saturating_sub(1);
        if before >= recording.frames() {
            return Err("nothing has been recorded yet".to_owned());
        }
        return Ok(at_frame(run_recording, id, &recording, before, known));
    }
    let rows = known.map(|it| it.row(None, it.at_event(schema, event, side))).collect();
    Ok(Reply::Values { id, run: run_recording.run, revision: run_recording.revision, time: event.time, rows })
}

fn at_frame<'k>(
    run_recording: &RunRecording,
    id: u32,
    recording: &Recording,
    frame: usize,
    known: impl Iterator<Item = &'k RecordedQuantity>,
) -> Reply {
    let row = recording.row(frame);
    let rows = known.map(|it| it.row(None, it.in_row(&recording.schema, row))).collect();
    let time = recording.times[frame];
    Reply::Values { id, run: run_recording.run, revision: run_recording.revision, time, rows }
}

/// Returns all values before and after an event.
///
/// # Errors
/// If there is no such event, in a sentence.
pub(crate) fn table(run_recording: &RunRecording, id: u32, index: u32) -> Result<Reply, String> {
    let recording = run_recording.read();
    let schema = &recording.schema;
    let event = find_event(&recording, index)?;
    let mut owners = vec![Owner::World];
    owners.extend(event.objects.iter().map(|&it| Owner::Object(it)));
    owners.push(Owner::Measure);
    let mut rows = Vec::new();
    for owner in owners {
        for known in run_recording.known.iter().filter(|it| it.owner == owner) {
            let of_context = known.named.context.is_some();
            let before = if of_context { None } else { known.at_event(schema, event, Moment::Before) };
            let after = known.at_event(schema, event, Moment::After);
            if before.is_some() || after.is_some() {
                rows.push(known.row(before, after));
            }
        }
    }
    let context = event.context.and_then(|it| schema.contexts.get(it));
    let given = event.given.iter().filter_map(|(name, scalars)| given(name, scalars, context)).collect();
    let event = run_recording.event_info(schema, event);
    Ok(Reply::Table { id, run: run_recording.run, revision: run_recording.revision, event, given, rows })
}

/// Returns the row of a quantity that the engine measured (`collisionPoint`, `ball.collisionNormal`) or that
/// the context keeps for the event (`ball.v_in`).
fn given(name: &str, scalars: &[f64], context: Option<&String>) -> Option<TableRow> {
    let (owner, own) = name.split_once('.').unwrap_or(("world", name));
    let is_measured = matches!(
        own,
        "collisionPoint" | "collisionNormal" | "tick" | "impulse" | "approach_speed" | "restitution"
    );
    let (ty, text) = match scalars.len() {
        1 => (Type::Real, "real".to_owned()),
        n => (Type::vector(u32::try_from(n).ok()?), format!("vector({n})")),
    };
    Some(TableRow {
        owner: owner.to_owned(),
        name: own.to_owned(),
        formula: name.to_owned(),
        ty: text,
        context: context.filter(|_| !is_measured).cloned(),
        before: None,
        after: shown(&ty, scalars.to_vec()),
        changed: false,
    })
}

fn find_event(recording: &Recording, index: u32) -> Result<&Event, String> {
    recording.events.get(index as usize).ok_or_else(|| match recording.events.len() {
        0 => format!("there is no event {index}: nothing has happened"),
        1 => format!("there is no event {index}: there is only event 0"),
        count => format!("there is no event {index}: there are events 0 to {}", count - 1),
    })
}

/// Returns the index of the object of this name among those that take part.
///
/// # Errors
/// If there is none: the similar name, or all names.
pub(crate) fn find_object(objects: &[String], name: &str) -> Result<usize, String> {
    objects.iter().position(|it| it == name).ok_or_else(|| {
        let advice = match similar(name, objects.iter().map(String::as_str)) {
            Some(meant) => format!("did you mean {meant}?"),
            None if objects.len() <= 12 => format!("there is {}", objects.join(", ")),
            None => format!("there is {} and {} more", objects[..12].join(", "), objects.len() - 12),
        };
        format!("no object is called `{name}`: {advice}")
    })
}

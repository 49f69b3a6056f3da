//! A disk that is full: the failure is told, and what was written before it can be read.

use crate::disk::Disk;
use crate::sample;
use gedanken_recording::arrow::{ArrowSink, read_arrow};
use gedanken_recording::{CsvSink, JsonEventsSink, Sink};
use std::io::ErrorKind;

/// Plays the sample to a sink, flushing after each frame, and gives the failure that ended it.
fn play(sink: &mut dyn Sink) -> Option<ErrorKind> {
    let mut failed = None;
    let played = sample::play(sink, |sink| {
        let flushed = sink.flush().err().map(|it| it.kind());
        failed = failed.or(flushed);
    });
    failed.or(played.err().map(|it| it.kind())).or_else(|| sink.finish().err().map(|it| it.kind()))
}

#[test]
fn rows_of_csv_before_it_are_whole() {
    let all = {
        let mut sink = CsvSink::new(Vec::new(), &sample::schema(), true).unwrap();
        assert_eq!(play(&mut sink), None);
        String::from_utf8(sink.into_inner()).unwrap()
    };
    let header = all.find('\n').unwrap() + 1;
    for room in header..all.len() {
        let disk = Disk::with_room(room);
        let mut sink = CsvSink::new(disk.clone(), &sample::schema(), true).unwrap();
        assert_eq!(play(&mut sink), Some(ErrorKind::StorageFull), "{room}");
        let text = String::from_utf8(disk.bytes()).unwrap();
        // Further rows may have been tried, and none was written.
        assert_eq!(text, all[..room], "{room}");
    }
    assert!(CsvSink::new(Disk::with_room(header - 1), &sample::schema(), true).is_err());
}

#[test]
fn events_in_json_before_it_are_a_whole_array() {
    let written = |room: usize| {
        let disk = Disk::with_room(room);
        let mut sink = JsonEventsSink::new(disk.clone(), &sample::schema()).unwrap();
        (play(&mut sink), disk.bytes())
    };
    let (none, all) = written(usize::MAX);
    assert_eq!(none, None);
    let all: Vec<serde_json::Value> = serde_json::from_slice(&all).unwrap();
    let mut counts = Vec::new();
    for room in 4.. {
        let (failure, bytes) = written(room);
        let events: Vec<serde_json::Value> = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(events[..], all[..events.len()], "{room}");
        counts.push(events.len());
        if failure.is_none() {
            break;
        }
        assert_eq!(failure, Some(ErrorKind::StorageFull), "{room}");
    }
    counts.dedup();
    assert_eq!(counts, [0, 1, 2]);
}

#[test]
fn batches_of_arrow_before_it_are_whole() {
    let run = |frames_room: usize, events_room: usize| {
        let (frames, events) = (Disk::with_room(frames_room), Disk::with_room(events_room));
        let mut sink = ArrowSink::new(frames.clone(), events.clone(), &sample::schema()).ok()?;
        let failure = play(&mut sink);
        Some((failure, frames.bytes(), events.bytes()))
    };
    let (_, all_frames, all_events) = run(usize::MAX, usize::MAX).unwrap();
    let whole = sample::recording();
    for (frames_room, events_room) in (0..all_frames.len())
        .step_by(7)
        .map(|room| (room, usize::MAX))
        .chain((0..all_events.len()).step_by(7).map(|room| (usize::MAX, room)))
    {
        let Some((failure, frames, events)) = run(frames_room, events_room) else { continue };
        assert_eq!(failure, Some(ErrorKind::StorageFull));
        let read = read_arrow(&*frames, &*events).unwrap();
        assert!(read.cut);
        let count = read.recording.frames();
        assert_eq!(read.recording.times[..], whole.times[..count]);
        assert_eq!(read.recording.hashes[..], whole.hashes[..count]);
    }
}

//! Any bytes as the two tables of a recording: read or refused, never a panic, and never much more memory
//! than bytes. What is read can be written, and reads back the same.
#![no_main]

use gedanken_recording::arrow::{ArrowSink, finish_arrow, read_arrow};
use libfuzzer_sys::fuzz_target;
use std::io;

fuzz_target!(|tables: (&[u8], &[u8])| {
    let (frames, events) = tables;
    let _ = finish_arrow(frames, io::sink());
    let _ = finish_arrow(events, io::sink());
    let Ok(reading) = read_arrow(frames, events) else { return };
    let recording = reading.recording;
    assert!(recording.frames() <= frames.len() / 8);
    let mut sink = ArrowSink::new(Vec::new(), Vec::new(), &recording.schema).expect("memory takes any bytes");
    if recording.replay(&mut sink).is_err() {
        return;
    }
    let (frames, events) = sink.into_inner().expect("memory takes any bytes");
    let again = read_arrow(&*frames, &*events).expect("what was written is a recording");
    assert!(!again.cut && again.recording.is_same(&recording));
});

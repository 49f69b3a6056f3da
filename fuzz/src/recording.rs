//! Any bytes as the two tables of a recording: read or refused, never a panic, and never much more memory
//! than bytes. What is read can be written, and reads back the same; what is called good in a damaged one is
//! good.
//!
//! An input is the length of the table of frames in four bytes, the frames, the events.

use gedanken_recording::Recording;
use gedanken_recording::arrow::{ArrowSink, ReadError, finish_arrow, read_arrow};
use std::io;

/// The target.
pub fn run(bytes: &[u8]) {
    let Some((length, tables)) = bytes.split_first_chunk::<4>() else { return };
    let length = u32::from_le_bytes(*length) as usize;
    let (frames, events) = tables.split_at(length.min(tables.len()));
    let _ = finish_arrow(frames, io::sink());
    let _ = finish_arrow(events, io::sink());
    let recording = match read_arrow(frames, events) {
        Ok(reading) => reading.recording,
        Err(ReadError::Damaged(damage)) => match damage.good {
            Some(good) => good,
            None => return,
        },
        Err(_) => return,
    };
    assert!(recording.frames() <= frames.len() / 8);
    check_again(&recording);
}

/// Writes a recording and reads it back.
fn check_again(recording: &Recording) {
    let mut sink = ArrowSink::new(Vec::new(), Vec::new(), &recording.schema).expect("memory takes any bytes");
    if recording.replay(&mut sink).is_err() {
        return;
    }
    let (frames, events) = sink.into_inner().expect("memory takes any bytes");
    let again = read_arrow(&*frames, &*events).expect("what was written is a recording");
    assert!(!again.cut && again.recording.is_same(recording));
}

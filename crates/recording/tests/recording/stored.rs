//! Recordings that earlier releases wrote are read by this one: the promise of `docs/recordings.md`.
//!
//! `tests/stored/formatN` holds recordings of format N, made by `gedanken run` of the experiments beside them.
//! They are never written again: a new format gets a folder of its own.

use gedanken_recording::Recording;
use gedanken_recording::arrow::{ArrowSink, End, FORMAT_VERSION, Reading, read_arrow};

/// A stored recording, and what is known of it.
struct Stored {
    format: u32,
    name: &'static str,
    text: &'static str,
    frames: &'static [u8],
    table_of_events: &'static [u8],
    /// Numbers of frames and events.
    counts: (usize, usize),
    /// Hash of the last frame, as `gedanken run --hash` printed it.
    hash: u64,
    /// A column, a frame and its value by a closed form, with the error of the method.
    value: (&'static str, usize, f64, f64),
}

macro_rules! stored {
    ($format:literal, $name:literal, $counts:expr, $hash:expr, $value:expr) => {
        Stored {
            format: $format,
            name: $name,
            text: include_str!(concat!("../stored/", $name, ".lab")),
            frames: include_bytes!(concat!("../stored/format", $format, "/", $name, ".arrow")),
            table_of_events: include_bytes!(concat!(
                "../stored/format",
                $format,
                "/",
                $name,
                ".events.arrow"
            )),
            counts: $counts,
            hash: $hash,
            value: $value,
        }
    };
}

fn all() -> [Stored; 5] {
    // Frame 4 is at t = 0.5.
    let fallen = 0.5 * 9.81 * 0.25;
    let ball = ("ball.position#3", 4, 5.0 - fallen, 1e-12);
    [
        stored!(1, "contexts", (11, 3), 0xbb99_e927_2f80_4414, ball),
        stored!(2, "contexts", (11, 3), 0xbb99_e927_2f80_4414, ball),
        stored!(2, "workflow", (13, 1), 0x362a_2d07_c619_f0a5, ("tank.level", 4, 0.25, 1e-12)),
        stored!(2, "rigid", (9, 1), 0x9517_5fb5_f1d9_a7f0, ("ball.position#3", 4, 2.0 - fallen, 1e-12)),
        stored!(
            2,
            "lagrangian",
            (13, 0),
            0x25c1_86de_1a13_05f4,
            ("cart.position#1", 4, 0.5 * libm::cos(0.5), 1e-9)
        ),
    ]
}

fn value(recording: &Recording, column: &str, frame: usize) -> f64 {
    let columns = recording.schema.columns();
    let column = columns.iter().find(|it| it.name == column).unwrap();
    recording.schema.scalar(recording.row(frame), &column.places)
}

#[test]
fn recordings_of_all_formats_are_read_and_verified() {
    for stored in all() {
        let what = format!("format {}, {}", stored.format, stored.name);
        let Reading { recording, cut, frames, events } =
            read_arrow(stored.frames, stored.table_of_events).unwrap();
        let events = events.unwrap();
        assert!(!cut, "{what}");
        assert_eq!((frames.format, events.format), (stored.format, stored.format), "{what}");
        assert_eq!(frames.is_verified(), stored.format > 1, "{what}");
        if frames.is_verified() {
            assert_eq!((frames.end, events.end), (End::Sealed, End::Sealed), "{what}");
            assert_eq!(frames.checked_rows, stored.counts.0 as u64, "{what}");
        }
        assert_eq!(recording.schema.text, stored.text, "{what}");
        assert_eq!((recording.frames(), recording.events.len()), stored.counts, "{what}");
        assert_eq!(recording.hashes.last(), Some(&stored.hash), "{what}");
        assert!(!recording.keyframes.is_empty(), "{what}");
        let (column, frame, expected, tolerance) = stored.value;
        let found = value(&recording, column, frame);
        assert!((found - expected).abs() <= tolerance, "{what}: {found}, not {expected}");
    }
}

#[test]
fn every_format_has_stored_recordings() {
    for format in 1..=FORMAT_VERSION {
        assert!(all().iter().any(|it| it.format == format), "format {format}");
    }
}

#[test]
fn old_recordings_that_are_written_again_are_new_ones() {
    let [old, new, ..] = all();
    let read = |it: &Stored| read_arrow(it.frames, it.table_of_events).unwrap().recording;
    let recording = read(&old);
    let mut sink = ArrowSink::new(Vec::new(), Vec::new(), &recording.schema).unwrap();
    recording.replay(&mut sink).unwrap();
    let (frames, events) = sink.into_inner().unwrap();
    let again = read_arrow(&*frames, &*events).unwrap();
    assert_eq!(again.frames.format, FORMAT_VERSION);
    assert!(again.recording.is_same(&recording) && recording.is_same(&read(&new)));
}

//! Arrow: what is read back is what was recorded, and other readers of Arrow see the same.

use crate::{any, sample};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::{FileReader, StreamReader};
use arrow_ipc::writer::FileWriter;
use gedanken_recording::arrow::{ArrowSink, ReadError, finish_arrow, read_arrow};
use gedanken_recording::{Recording, Sink};
use proptest::prelude::*;
use std::io::Cursor;

/// Both streams, finished.
fn streams(recording: &Recording) -> (Vec<u8>, Vec<u8>) {
    let mut sink = ArrowSink::new(Vec::new(), Vec::new(), &recording.schema).unwrap();
    recording.replay(&mut sink).unwrap();
    sink.into_inner().unwrap()
}

/// A stream as a file; it is not cut.
fn file(stream: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    assert!(!finish_arrow(stream, &mut file).unwrap());
    file
}

proptest! {
    #[test]
    fn what_is_read_is_what_was_recorded(recording in any::recording()) {
        let (frames, events) = streams(&recording);
        let read = read_arrow(&*frames, &*events).unwrap();
        prop_assert!(read.recording.is_same(&recording));
        prop_assert!(!read.cut);
        let (frames, events) = (file(&frames), file(&events));
        prop_assert!(frames.starts_with(b"ARROW1") && frames.ends_with(b"ARROW1"));
        let read = read_arrow(&*frames, &*events).unwrap();
        prop_assert!(read.recording.is_same(&recording));
        prop_assert!(!read.cut);
        prop_assert_eq!(file(&frames), frames, "a file is copied");
    }

    #[test]
    fn others_read_the_same(recording in any::recording()) {
        let (frames, events) = streams(&recording);
        let running: Vec<RecordBatch> =
            StreamReader::try_new(&*frames, None).unwrap().collect::<Result<_, _>>().unwrap();
        check_frames(&recording, &running)?;
        let finished = FileReader::try_new(Cursor::new(file(&frames)), None).unwrap();
        let metadata = finished.schema().metadata().clone();
        prop_assert_eq!(metadata.get("text"), Some(&recording.schema.text));
        check_frames(&recording, &finished.collect::<Result<Vec<_>, _>>().unwrap())?;
        let finished = FileReader::try_new(Cursor::new(file(&events)), None).unwrap();
        let rows: usize = finished.map(|batch| batch.unwrap().num_rows()).sum();
        let constants = |objects: &[usize]| {
            let takes_part = |owner| match owner {
                gedanken_recording::Owner::Object(object) => objects.contains(&object),
                _ => true,
            };
            recording.schema.constants.iter().filter(|it| takes_part(it.owner)).map(|it| it.scalars.len()).sum::<usize>()
        };
        let expected: usize = recording.events.iter().map(|it| (it.before.len() + constants(&it.objects)).max(1)).sum();
        prop_assert_eq!(rows, expected + recording.notices.len());
    }
}

fn check_frames(recording: &Recording, batches: &[RecordBatch]) -> Result<(), TestCaseError> {
    let mut frame = 0;
    for batch in batches {
        for row in 0..batch.num_rows() {
            let real = |name: &str| {
                let column = batch.column_by_name(name).unwrap().as_primitive::<Float64Type>();
                if column.is_null(row) { f64::NAN } else { column.value(row) }
            };
            let count =
                |name: &str| batch.column_by_name(name).unwrap().as_primitive::<UInt64Type>().value(row);
            prop_assert_eq!(real("t").to_bits(), recording.times[frame].to_bits());
            prop_assert_eq!(count("frame"), frame as u64);
            prop_assert_eq!(count("hash"), recording.hashes[frame]);
            for column in recording.schema.columns() {
                let recorded = recording.schema.scalar(recording.row(frame), &column.places);
                let read = real(&column.name);
                prop_assert!(read.to_bits() == recorded.to_bits() || (read.is_nan() && recorded.is_nan()));
            }
            frame += 1;
        }
    }
    prop_assert_eq!(frame, recording.frames());
    Ok(())
}

#[test]
fn what_is_written_while_it_runs_is_the_recording() {
    let mut arrow = ArrowSink::new(Vec::new(), Vec::new(), &sample::schema()).unwrap();
    sample::play(&mut arrow, |_| {}).unwrap();
    arrow.finish().unwrap();
    let (frames, events) = arrow.into_inner().unwrap();
    let read = read_arrow(&*frames, &*events).unwrap().recording;
    assert!(read.is_same(&sample::recording()));
    assert_eq!((read.frames(), read.events.len(), read.notices.len(), read.keyframes.len()), (8, 2, 1, 3));
}

#[test]
fn constants_are_columns_and_marked() {
    let (frames, _) = streams(&sample::recording());
    let reader = StreamReader::try_new(&*frames, None).unwrap();
    let schema = reader.schema();
    let marked: Vec<&str> = schema
        .fields()
        .iter()
        .filter(|it| it.metadata().get("constant").is_some())
        .map(|it| it.name().as_str())
        .collect();
    assert_eq!(marked, ["g", "ball.mass", "floor.normal#1", "floor.normal#2", "floor.normal#3"]);
}

#[test]
fn tables_that_others_saved_are_read() {
    let recording = sample::recording();
    let saved = |stream: &[u8]| {
        let reader = StreamReader::try_new(stream, None).unwrap();
        // Aligned to 64 bytes, as is its default.
        let mut writer = FileWriter::try_new(Vec::new(), &reader.schema()).unwrap();
        for batch in reader {
            writer.write(&batch.unwrap()).unwrap();
        }
        writer.into_inner().unwrap()
    };
    let (frames, events) = streams(&recording);
    let read = read_arrow(&*saved(&frames), &*saved(&events)).unwrap();
    assert!(read.recording.is_same(&recording) && !read.cut);
}

#[test]
fn other_bytes_are_refused_with_a_reason() {
    let (frames, events) = streams(&sample::recording());
    let refused = |frames: &[u8], events: &[u8]| read_arrow(frames, events).unwrap_err();
    assert!(matches!(refused(b"", &events), ReadError::CutInHeader));
    assert!(matches!(refused(b"t,x\n0,1\n", &events), ReadError::NotARecording(_)));
    assert!(matches!(refused(b"ARROW2\0\0", &events), ReadError::NotARecording(_)));
    assert!(matches!(refused(&events, &frames), ReadError::NotARecording(_)), "the wrong way round");
    assert!(matches!(refused(&frames, &frames), ReadError::NotARecording(_)));
}

#[test]
fn events_of_another_recording_are_refused() {
    let (frames, _) = streams(&sample::recording());
    let mut other = sample::recording();
    other.schema.objects[0] = "bell".to_owned();
    let (_, events) = streams(&other);
    assert!(matches!(read_arrow(&*frames, &*events), Err(ReadError::Damaged(_))));
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(
        mut bytes in prop::collection::vec(any::<u8>(), 0..200),
        as_message in any::<bool>(),
    ) {
        if as_message && bytes.len() >= 8 {
            bytes[..8].copy_from_slice(&[255, 255, 255, 255, 64, 0, 0, 0]);
        }
        let _ = read_arrow(&*bytes, &*bytes);
    }
}

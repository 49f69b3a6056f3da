//! Damage of any kind is told, and never read as other numbers.

use crate::disk::Disk;
use crate::{any, sample};
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::StreamWriter;
use gedanken_recording::arrow::{ArrowSink, End, ReadError, Spot, Table, finish_arrow, read_arrow};
use gedanken_recording::{Event, Frame, Notice, Owner, Quantity, Recording, Schema, Sink};
use proptest::prelude::*;

/// Both streams of a recording, with a batch every second frame.
fn streams(recording: &Recording) -> (Vec<u8>, Vec<u8>) {
    let (frames, events) = (Disk::new(), Disk::new());
    let mut sink = ArrowSink::new(frames.clone(), events.clone(), &recording.schema).unwrap();
    let mut count = 0;
    let mut flushing = Flushing { sink: &mut sink, count: &mut count };
    recording.replay(&mut flushing).unwrap();
    (frames.bytes(), events.bytes())
}

/// Flushes after every second frame.
struct Flushing<'s> {
    sink: &'s mut dyn Sink,
    count: &'s mut usize,
}

impl Sink for Flushing<'_> {
    fn frame(&mut self, frame: Frame<'_>) -> std::io::Result<()> {
        self.sink.frame(frame)?;
        *self.count += 1;
        if self.count.is_multiple_of(2) { self.sink.flush() } else { Ok(()) }
    }

    fn event(&mut self, event: &Event) -> std::io::Result<()> {
        self.sink.event(event)
    }

    fn notice(&mut self, notice: &Notice) -> std::io::Result<()> {
        self.sink.notice(notice)
    }

    fn finish(&mut self) -> std::io::Result<()> {
        self.sink.finish()
    }
}

fn file(stream: &[u8]) -> Vec<u8> {
    let mut file = Vec::new();
    assert!(!finish_arrow(stream, &mut file).unwrap());
    file
}

/// The two tables of the sample, as streams and as files.
fn both_forms(recording: &Recording) -> [(Vec<u8>, Vec<u8>); 2] {
    let (frames, events) = streams(recording);
    let files = (file(&frames), file(&events));
    [(frames, events), files]
}

/// What is read of damaged tables is refused, or equal to the original, or, with the remark that it was cut,
/// the beginning of it. What is called good is the beginning as well.
fn check_read(original: &Recording, frames: &[u8], events: &[u8], what: &str) {
    match read_arrow(frames, events) {
        Ok(read) if !read.cut => assert!(read.recording.is_same(original), "{what}"),
        Ok(read) => assert!(is_beginning(&read.recording, original), "{what}"),
        Err(ReadError::Damaged(damage)) => {
            assert!(!damage.flaws.is_empty(), "{what}");
            if let Some(good) = damage.good {
                assert!(is_beginning(&good, original), "{what}");
            }
        }
        Err(_) => {}
    }
}

fn is_beginning(part: &Recording, whole: &Recording) -> bool {
    let mut whole = whole.clone();
    whole.truncate(part.frames());
    let mut part = part.clone();
    // Events after the last frame, and notices, which have no frame, may be there or not.
    for it in [&mut part, &mut whole] {
        let kept = it.frames_before.partition_point(|&before| before < it.times.len());
        it.events.truncate(kept);
        it.frames_before.truncate(kept);
        it.notices.clear();
    }
    let missing = part.events.len();
    // A table of events that was cut lacks events at the end.
    whole.events.truncate(missing);
    whole.frames_before.truncate(missing);
    part.is_same(&whole)
}

/// Three frames of one quantity and an event, so that every bit can be tried.
fn small() -> Recording {
    let quantity = Quantity {
        owner: Owner::Object(0),
        name: "x".to_owned(),
        ty: gedanken_lang::types::Type::Real,
        context: None,
        start: 0,
    };
    let schema = Schema {
        text: "object b {}".to_owned(),
        imports: Vec::new(),
        parameters: Vec::new(),
        objects: vec!["b".to_owned()],
        contexts: Vec::new(),
        quantities: vec![quantity],
        constants: Vec::new(),
        contacts: false,
        derived: Vec::new(),
        ..sample::schema()
    };
    let event = Event { objects: vec![0], before: vec![3.353], after: vec![0.25], ..sample::lone_event() };
    let mut recording = Recording::new(schema);
    for (index, x) in [3.353, f64::NAN, -1.0].into_iter().enumerate() {
        if index == 2 {
            recording.event(&Event { index: 0, ..event.clone() }).unwrap();
        }
        let keyframe = (index != 1).then_some(&[1, 2, 3][..]);
        let frame =
            Frame { index: index as u64, time: index as f64, row: &[x], hash: 77, contacts: &[], keyframe };
        recording.frame(frame).unwrap();
    }
    recording
}

/// Flips every so many bits of both tables, of the streams and of the files.
fn flip_bits(original: &Recording, steps: [usize; 2]) {
    for (form, (frames, events)) in both_forms(original).into_iter().enumerate() {
        let step = steps[form];
        for bit in (0..frames.len() * 8).step_by(step) {
            let mut damaged = frames.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            check_read(original, &damaged, &events, &format!("form {form}, bit {bit} of the frames"));
        }
        for bit in (0..events.len() * 8).step_by(step) {
            let mut damaged = events.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            check_read(original, &frames, &damaged, &format!("form {form}, bit {bit} of the events"));
        }
    }
}

#[test]
fn no_flipped_bit_of_a_small_recording_is_read_as_other_numbers() {
    // A file is a stream with more around it.
    flip_bits(&small(), [7, 1]);
}

#[test]
fn no_flipped_bit_of_a_larger_recording_is_read_as_other_numbers() {
    // Odd, so that all bits of bytes have their turn.
    flip_bits(&sample::recording(), [101, 61]);
}

#[test]
fn a_value_or_keyframe_or_text_with_a_flipped_bit_is_refused() {
    let original = sample::recording();
    let [_, (frames, events)] = both_forms(&original);
    let find = |bytes: &[u8], what: &[u8]| bytes.windows(what.len()).position(|it| it == what).unwrap();
    let x = 1.0 - 0.75f64 * 0.75;
    for (table, wanted) in [
        (&frames, x.to_le_bytes().to_vec()),
        (&frames, original.hashes[3].to_le_bytes().to_vec()),
        (&frames, vec![7, 0, 255]),
        (&frames, b"object ball".to_vec()),
        (&frames, b"g=1.62".to_vec()),
        (&events, 0.9f64.to_le_bytes().to_vec()),
        (&events, b"collisionPoint".to_vec()),
        (&events, b"again".to_vec()),
    ] {
        let mut damaged = table.clone();
        damaged[find(table, &wanted)] ^= 4;
        let read = match std::ptr::eq(table, &frames) {
            true => read_arrow(&*damaged, &*events),
            false => read_arrow(&*frames, &*damaged),
        };
        assert!(matches!(read, Err(ReadError::Damaged(_))), "{wanted:?}");
    }
}

#[test]
fn the_first_damaged_frame_and_the_good_ones_are_named() {
    let original = sample::recording();
    let (frames, events) = streams(&original);
    for frame in 0..original.frames() {
        let hash = original.hashes[frame].to_le_bytes();
        let mut damaged = frames.clone();
        let at = damaged.windows(8).position(|it| it == hash).unwrap();
        damaged[at] ^= 1;
        let Err(ReadError::Damaged(damage)) = read_arrow(&*damaged, &*events) else { panic!("{frame}") };
        assert_eq!((damage.flaws[0].table, damage.flaws[0].at), (Table::Frames, Spot::Frame(frame)));
        let (text, is_verified) = (damage.to_string(), damage.is_verified());
        let good = damage.good.unwrap();
        assert_eq!(good.hashes, original.hashes[..frame]);
        assert!(is_verified && is_beginning(&good, &original));
        assert!(frame < 2 || text.ends_with(&format!("frames 0 to {} are good", frame - 1)), "{text}");
    }
}

#[test]
fn the_first_damaged_event_is_named_and_frames_are_good_as_far_as_their_events() {
    let original = sample::recording();
    let (frames, mut events) = streams(&original);
    // The second event, which came after five frames: its value after, 8.
    let at = events.windows(8).position(|it| it == 8.0f64.to_le_bytes()).unwrap();
    events[at] ^= 1;
    let Err(ReadError::Damaged(damage)) = read_arrow(&*frames, &*events) else { panic!() };
    assert_eq!((damage.flaws[0].table, damage.flaws[0].at), (Table::Events, Spot::Event(1)));
    let good = damage.good.unwrap();
    assert_eq!((good.frames(), good.events.len()), (5, 1));
}

/// A table with its batches in another order.
fn with_batches(stream: &[u8], order: impl Fn(usize) -> Vec<usize>) -> Vec<u8> {
    let reader = StreamReader::try_new(stream, None).unwrap();
    let schema = reader.schema();
    let batches: Vec<RecordBatch> = reader.collect::<Result<_, _>>().unwrap();
    let mut writer = StreamWriter::try_new(Vec::new(), &schema).unwrap();
    for number in order(batches.len()) {
        writer.write(&batches[number]).unwrap();
    }
    writer.into_inner().unwrap()
}

#[test]
fn batches_that_are_missing_repeated_or_exchanged_are_noticed() {
    let (frames, events) = streams(&sample::recording());
    let dropped = |n: usize| (1..n).collect::<Vec<_>>();
    let repeated = |n: usize| [vec![0], (0..n).collect()].concat();
    let exchanged = |n: usize| (0..n).rev().collect::<Vec<_>>();
    for order in [dropped as fn(usize) -> Vec<usize>, repeated, exchanged] {
        let refused = |frames: &[u8], events: &[u8]| {
            assert!(matches!(read_arrow(frames, events), Err(ReadError::Damaged(_))));
        };
        refused(&with_batches(&frames, order), &events);
        let damaged = with_batches(&events, order);
        if damaged != with_batches(&events, |n| (0..n).collect()) {
            refused(&frames, &damaged);
        }
    }
}

#[test]
fn a_batch_that_is_missing_at_the_end_of_a_file_is_noticed() {
    let (frames, events) = streams(&sample::recording());
    let (whole, whole_events) = (file(&frames), file(&events));
    let read = read_arrow(&*whole, &*whole_events).unwrap();
    assert_eq!((read.frames.end, read.events.unwrap().end), (End::Sealed, End::Sealed));
    assert_eq!((read.frames.checked_rows, read.frames.format), (8, 2));
    // The seal of the whole file behind the batches of a shorter one.
    let short = file(&with_batches(&frames, |n| (0..n - 1).collect()));
    let seal = |value: &str, bytes: &[u8]| bytes.windows(value.len()).rposition(|it| it == value.as_bytes());
    let mut damaged = short.clone();
    let rows = seal("6", &short).unwrap();
    damaged[rows] = b'8';
    let Err(ReadError::Damaged(damage)) = read_arrow(&*damaged, &*whole_events) else { panic!() };
    assert_eq!(damage.flaws[0].at, Spot::Frame(6));
}

#[test]
fn a_batch_cut_out_of_a_file_is_noticed() {
    let (frames, events) = streams(&sample::recording());
    let whole = file(&frames);
    let starts: Vec<usize> =
        (0..whole.len() - 4).filter(|&it| it % 8 == 0 && whole[it..it + 4] == [255; 4]).collect();
    for pair in starts.windows(2) {
        let damaged = [&whole[..pair[0]], &whole[pair[1]..]].concat();
        assert!(read_arrow(&*damaged, &*events).is_err(), "{pair:?}");
    }
}

#[test]
fn tables_cut_anywhere_are_the_beginning_with_a_remark() {
    let original = small();
    for (frames, events) in both_forms(&original) {
        for length in 0..frames.len() {
            match read_arrow(&frames[..length], &*events) {
                Ok(read) => assert!(read.cut && is_beginning(&read.recording, &original), "{length}"),
                Err(error) => assert!(matches!(error, ReadError::CutInHeader), "{length}: {error}"),
            }
        }
        for length in 0..events.len() {
            let read = read_arrow(&*frames, &events[..length]).unwrap();
            assert!(read.cut && is_beginning(&read.recording, &original), "{length}");
        }
    }
}

#[test]
fn the_part_until_a_time_has_nothing_after_it() {
    let mut part = sample::recording();
    part.truncate_at(1.2);
    assert_eq!((part.frames(), part.events.len(), part.keyframes.len()), (5, 1, 2));
    assert_eq!(part.notices.len(), 0);
    part.truncate_at(0.95);
    assert_eq!((part.frames(), part.events.len()), (4, 0), "the event at 0.9 came after the last frame");
    let mut whole = sample::recording();
    whole.truncate_at(10.0);
    assert!(whole.is_same(&sample::recording()));
}

#[test]
fn events_of_another_run_are_refused() {
    let original = sample::recording();
    let (frames, _) = streams(&original);
    let mut other = original.clone();
    other.schema.parameters = vec!["g=1.63".to_owned()];
    let (_, events) = streams(&other);
    let Err(ReadError::Damaged(damage)) = read_arrow(&*frames, &*events) else { panic!() };
    assert_eq!((damage.flaws[0].table, damage.flaws[0].at), (Table::Events, Spot::Description));
}

#[test]
fn frames_whose_times_do_not_increase_or_are_infinite_are_refused() {
    let original = sample::recording();
    let damaged = |change: &dyn Fn(&mut Recording)| {
        let mut recording = original.clone();
        change(&mut recording);
        let (frames, events) = streams(&recording);
        let Err(ReadError::Damaged(damage)) = read_arrow(&*frames, &*events) else { panic!() };
        damage.flaws[0].at
    };
    assert_eq!(damaged(&|it| it.times[3] = it.times[2]), Spot::Frame(3));
    assert_eq!(damaged(&|it| it.times[7] = f64::INFINITY), Spot::Frame(7));
    assert_eq!(damaged(&|it| it.events[1].time = 0.8), Spot::Event(1));
    assert_eq!(damaged(&|it| it.events[1].index = 2), Spot::Event(1));
    assert_eq!(damaged(&|it| it.events[0].after[0] = f64::NEG_INFINITY), Spot::Event(0));
}

#[test]
fn a_newer_format_is_refused_by_name() {
    let (frames, events) = streams(&sample::recording());
    let newer = |bytes: &[u8], old: &str, new: &str| {
        let mut bytes = bytes.to_vec();
        let at = bytes.windows(old.len()).position(|it| it == old.as_bytes()).unwrap();
        bytes[at..at + old.len()].copy_from_slice(new.as_bytes());
        bytes
    };
    let new_frames = newer(&frames, "gedanken recording 2", "gedanken recording 3");
    let new_events = newer(&events, "gedanken events 2", "gedanken events 3");
    for error in [read_arrow(&*new_frames, &*events), read_arrow(&*frames, &*new_events)] {
        let error = error.unwrap_err();
        assert!(matches!(error, ReadError::Newer(3)));
        assert_eq!(error.to_string(), "written by a newer Gedanken: format 3, this one reads up to 2");
    }
}

proptest! {
    #[test]
    fn any_change_of_any_recording_is_noticed_or_without_effect(
        recording in any::recording(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), any::<bool>()), 1..4),
        as_file in any::<bool>(),
    ) {
        let [streams, files] = both_forms(&recording);
        let (mut frames, mut events) = if as_file { files } else { streams };
        for (at, byte, in_events) in changes {
            let hit = if in_events { &mut events } else { &mut frames };
            let at = at.index(hit.len());
            hit[at] = byte;
        }
        check_read(&recording, &frames, &events, "changed bytes");
        let _ = finish_arrow(&*frames, std::io::sink());
        let _ = finish_arrow(&*events, std::io::sink());
    }
}

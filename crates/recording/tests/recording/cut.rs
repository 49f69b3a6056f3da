//! A stream that is cut anywhere gives its whole batches.

use crate::disk::Disk;
use crate::sample;
use gedanken_recording::Sink;
use gedanken_recording::arrow::{ArrowSink, ReadError, finish_arrow, read_arrow};

/// Both streams of the sample, written every second frame, with how long each was then and how many frames
/// there were.
struct Growth {
    frames: Vec<u8>,
    events: Vec<u8>,
    /// Lengths of both, and how many frames and events there were, after each batch. The first is the header.
    batches: Vec<(usize, usize, usize, usize)>,
}

fn growth() -> Growth {
    let (frames, events) = (Disk::new(), Disk::new());
    let mut sink = ArrowSink::new(frames.clone(), events.clone(), &sample::schema()).unwrap();
    let mut batches = vec![(frames.bytes().len(), events.bytes().len(), 0, 0)];
    let mut count = 0;
    sample::play(&mut sink, |sink| {
        count += 1;
        if count % 2 == 0 {
            sink.flush().unwrap();
            let happened = match count {
                ..=4 => 0,
                _ => 2,
            };
            batches.push((frames.bytes().len(), events.bytes().len(), count, happened));
        }
    })
    .unwrap();
    sink.finish().unwrap();
    Growth { frames: frames.bytes(), events: events.bytes(), batches }
}

#[test]
fn frames_cut_anywhere_are_there_to_the_last_whole_batch() {
    let Growth { frames, events, batches } = growth();
    let whole = sample::recording();
    for length in 0..=frames.len() {
        let read = read_arrow(&frames[..length], &*events);
        let Some(&(_, _, count, _)) = batches.iter().rfind(|it| it.0 <= length) else {
            assert!(matches!(read, Err(ReadError::CutInHeader)), "{length}");
            continue;
        };
        let read = read.unwrap();
        assert_eq!(read.cut, length < frames.len(), "{length}");
        let read = read.recording;
        assert_eq!(read.frames(), count, "{length}");
        assert_eq!(read.hashes[..], whole.hashes[..count]);
        // Events after frames that are missing are left out: the first came after 4 frames, the second after
        // 5.
        assert_eq!(read.events.len(), whole.frames_before.iter().filter(|it| **it <= count).count());
    }
}

#[test]
fn events_cut_anywhere_are_there_to_the_last_whole_batch() {
    let Growth { frames, events, batches } = growth();
    for length in 0..=events.len() {
        let read = read_arrow(&*frames, &events[..length]).unwrap();
        let happened = batches.iter().rfind(|it| it.1 <= length).map_or(0, |it| it.3);
        assert_eq!(read.recording.events.len(), happened, "{length}");
        assert_eq!(read.recording.frames(), 8);
        assert_eq!(read.cut, length < events.len(), "{length}");
    }
}

#[test]
fn a_cut_stream_can_be_finished() {
    let Growth { frames, events, batches } = growth();
    for length in batches[0].0..frames.len() {
        let mut file = Vec::new();
        assert!(finish_arrow(&frames[..length], &mut file).unwrap(), "{length}");
        let direct = read_arrow(&frames[..length], &*events).unwrap().recording;
        let finished = read_arrow(&*file, &*events).unwrap();
        assert!(finished.recording.is_same(&direct), "{length}");
        assert!(!finished.cut);
    }
}

#[test]
fn a_file_cut_anywhere_is_there_to_the_last_whole_batch() {
    let Growth { frames, events, batches } = growth();
    let mut file = Vec::new();
    assert!(!finish_arrow(&*frames, &mut file).unwrap());
    let mut most = 0;
    for length in 0..=file.len() {
        match read_arrow(&file[..length], &*events) {
            Ok(read) => {
                let count = read.recording.frames();
                assert!(count >= most && batches.iter().any(|it| it.2 == count), "{length}");
                most = count;
            }
            Err(error) => assert!(matches!(error, ReadError::CutInHeader) && most == 0, "{length}: {error}"),
        }
    }
    assert_eq!(most, 8);
}

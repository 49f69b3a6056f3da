//! Going on from an earlier recording.

use crate::console::terminal;
use crate::failure::Failure;
use crate::files::recording_file::{self, Part};
use gedanken_lab::{Run, Stop};
use gedanken_recording::{Recording, Schema, Sink};
use std::path::Path;

/// A recording, and the frame to go on from.
#[derive(Debug)]
pub(super) struct Earlier {
    recording: Recording,
    /// An index into its keyframes.
    keyframe: usize,
}

/// Reads a recording of what `schema` describes, to go on from frame `asked`, or the last one.
pub(super) fn read(path: &Path, asked: Option<usize>, schema: &Schema) -> Result<Earlier, Failure> {
    let name = path.display();
    if !recording_file::is_recording(path) {
        return Err(Failure::Usage(format!("--resume {name}: only a recording (.arrow) can be resumed")));
    }
    let recording = recording_file::read(path, asked.map_or(Part::Whole, Part::Frame))?;
    if recording.schema.objects != schema.objects || recording.schema.quantities != schema.quantities {
        let what = format!("{name} records other things than this experiment, or another simulation of it");
        return Err(Failure::Usage(format!("{what}: choose with --simulation, or run from the start")));
    }
    if recording.schema.text != schema.text || recording.schema.parameters != schema.parameters {
        terminal::eprint(&format!("note: the experiment has changed since {name} was recorded\n"));
    }
    let frames = recording.frames();
    if let Some(frame) = asked.filter(|frame| *frame >= frames) {
        let last = frames.saturating_sub(1);
        return Err(Failure::Usage(format!("--frame {frame}: {name} has frames 0 to {last}")));
    }
    let frame = asked.unwrap_or(frames.saturating_sub(1));
    let keyframe = recording.keyframes.partition_point(|(at, _)| *at <= frame).checked_sub(1);
    match keyframe {
        Some(keyframe) => Ok(Earlier { recording, keyframe }),
        None => Err(Failure::Experiment(format!(
            "{name} has no keyframe to resume from: run the experiment from the start"
        ))),
    }
}

impl Earlier {
    /// Hands everything until the keyframe to the sink, and the keyframe to the engine.
    pub(super) fn go_on(&self, engine: &mut Run<'_>, sink: &mut dyn Sink) -> Result<(), Stop> {
        let Self { recording, keyframe } = self;
        let (last, state) = &recording.keyframes[*keyframe];
        engine.resume(*last as u64, state)?;
        recording.replay_frames(*last + 1, sink)?;
        let until = recording.times[*last];
        for notice in recording.notices.iter().filter(|notice| notice.time <= until) {
            sink.notice(notice)?;
        }
        Ok(())
    }
}

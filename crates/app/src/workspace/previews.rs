//! Previews of experiments: the scene at the start and the paths of the objects, from a short and coarse run.
//!
//! They are made one after the other on a thread of their own, since a gallery requests many at once; each is
//! made only once.

use super::recordings::RunRecording;
use super::run_thread::{internal_error, options};
use super::scene::scene;
use super::text::{Text, WrittenText};
use super::time_limit::TimeLimit;
use crate::server::{Library, Outbox};
use crate::wire::{Origin, Reply};
use gedanken_lab::Run;
use gedanken_math::Cancel;
use gedanken_recording::{Event, Frame, Notice, Sink};
use std::collections::BTreeMap;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::thread;
use std::time::Duration;

/// Maximum number of queued previews.
const QUEUE_CAPACITY: usize = 256;
/// Maximum wall time of the run of a preview.
const MAX_TIME: Duration = Duration::from_millis(200);
/// Maximum number of frames of the run of a preview.
const MAX_FRAMES: f64 = 200.0;
/// Maximum number of points of all paths of a preview together, and of one path.
const MAX_POINTS: usize = 20_000;
const MAX_POINTS_PER_PATH: usize = 100;

/// Sender of requests to the thread.
#[derive(Debug)]
pub(super) struct Previews {
    requests: SyncSender<(u32, Origin)>,
    /// Token that ends the preview under way, when nobody wants it any more.
    cancel: Cancel,
}

impl Drop for Previews {
    fn drop(&mut self) {
        self.cancel.ask();
    }
}

impl Previews {
    /// # Errors
    /// If the system has no thread left, in a sentence.
    pub(super) fn start(library: Arc<Library>, outbox: Outbox) -> Result<Self, String> {
        let (requests, waiting) = mpsc::sync_channel(QUEUE_CAPACITY);
        let cancel = Cancel::new();
        let page = cancel.clone();
        let spawned = thread::Builder::new()
            .name("previews".to_owned())
            .stack_size(super::STACK_BYTES)
            .spawn(move || make_all(&library, &waiting, &outbox, &page));
        spawned.map_err(|error| format!("no previews can be made: {error}; close other programs"))?;
        Ok(Self { requests, cancel })
    }

    /// Queues a request; the reply goes to the outbox.
    ///
    /// # Errors
    /// If the queue is full or the thread has ended, in a sentence.
    pub(super) fn send(&self, id: u32, origin: Origin) -> Result<(), String> {
        self.requests.try_send((id, origin)).map_err(|error| match error {
            TrySendError::Full(_) => "too many previews are queued: try again in a moment".to_owned(),
            TrySendError::Disconnected(_) => {
                "the thread of the previews has ended: reload the page".to_owned()
            }
        })
    }
}

fn make_all(library: &Library, requests: &Receiver<(u32, Origin)>, outbox: &Outbox, page: &Cancel) {
    // The text that each was made of: who has changed it sees another one.
    let mut made: BTreeMap<String, (String, Result<Reply, String>)> = BTreeMap::new();
    while let Ok((id, origin)) = requests.recv() {
        let answer = library.read(&origin).and_then(|text| {
            let key = format!("{origin:?}");
            let known = made.remove(&key).filter(|(of, _)| *of == text).map(|(_, known)| known);
            let preview = known.unwrap_or_else(|| {
                let maker = AssertUnwindSafe(|| preview(library, &origin, text.clone(), page));
                catch_unwind(maker)
                    .unwrap_or_else(|payload| Err(internal_error(&*payload, "the preview").message))
            });
            made.insert(key, (text, preview.clone()));
            preview
        });
        let reply = match answer {
            Ok(Reply::Previewed { scene, paths, .. }) => Reply::Previewed { id, scene, paths },
            Ok(other) => other,
            Err(why) => Reply::Refused { id, why },
        };
        if outbox.send(reply).is_err() {
            break;
        }
    }
}

/// Makes the preview of a text, with request number 0.
fn preview(library: &Library, origin: &Origin, text: String, page: &Cancel) -> Result<Reply, String> {
    let written = WrittenText::new(0, origin.clone(), text, Vec::new(), page.clone());
    let (text, found) = Text::read(library, &written).ok_or_else(|| "the page is closed".to_owned())?;
    let wrong =
        || found.problems.first().map_or("something is wrong with it".to_owned(), |it| it.message.clone());
    let experiment = text.experiment.as_ref().ok_or_else(wrong)?;
    let mut simulation = experiment.simulation(None).cloned().ok_or_else(wrong)?;
    simulation.coarser(MAX_FRAMES / simulation.duration);
    let cancel = Cancel::new();
    let mut engine = Run::new(experiment, &simulation, options(&cancel))
        .map_err(|found| found.first().map_or("it cannot run".to_owned(), |it| it.message.clone()))?;
    let (mut scene, run_recording) = scene((0, 0), experiment, &simulation, &engine, u64::MAX);
    let _limit = TimeLimit::start(MAX_TIME, cancel)?;
    let mut sink = PreviewSink { run_recording: &run_recording, frames: 0 };
    // However far it comes, and even if a law fails on the way: that is the path.
    while engine.advance(&mut sink).unwrap_or(false) {}
    // Nobody plots a preview.
    scene.quantities.clear();
    Ok(Reply::Previewed { id: 0, scene, paths: paths(&run_recording) })
}

/// Returns the path of each body; empty if it does not move.
fn paths(run_recording: &RunRecording) -> Vec<Vec<f32>> {
    let recording = run_recording.read();
    let most = (MAX_POINTS / run_recording.movers.len().max(1)).clamp(2, MAX_POINTS_PER_PATH);
    let stride = recording.frames().div_ceil(most).max(1);
    let path = |body: usize| -> Vec<f32> {
        if !run_recording.pose_columns[body].moves() {
            return Vec::new();
        }
        let columns = &run_recording.pose_columns[body];
        let frames = (0..recording.frames()).step_by(stride).map(|it| columns.in_row(recording.row(it)));
        // A start that takes too long to compute is still known.
        let start = (recording.frames() == 0).then(|| columns.at_start());
        let poses = start.into_iter().chain(frames);
        poses.flat_map(|pose| [pose[0], pose[1], pose[2]]).map(super::scene::body_pose::narrow).collect()
    };
    (0..run_recording.pose_columns.len()).map(path).collect()
}

/// A sink that stops the run after some frames.
struct PreviewSink<'k> {
    run_recording: &'k RunRecording,
    frames: u32,
}

impl Sink for PreviewSink<'_> {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        if f64::from(self.frames) > MAX_FRAMES {
            return Err(io::Error::other("the preview is long enough"));
        }
        self.frames += 1;
        self.run_recording.write().frame(Frame { keyframe: None, ..frame })
    }

    fn event(&mut self, _event: &Event) -> io::Result<()> {
        Ok(())
    }

    fn notice(&mut self, _notice: &Notice) -> io::Result<()> {
        Ok(())
    }
}

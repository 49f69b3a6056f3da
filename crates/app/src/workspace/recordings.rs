//! Recordings of the last runs, readable while the run goes on and after its end.

use super::query::quantities::RecordedQuantity;
use super::scene::body_pose::{PoseColumns, write};
use crate::wire::{ChunkHead, EventInfo, encode};
use gedanken_recording::{Event, Moment, Recording, Schema};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Maximum size in bytes of the poses in one reply.
const MAX_ANSWER_BYTES: usize = 4 << 20;

/// Number of recordings that are kept.
pub(super) const MAX_RECORDINGS: usize = 2;

/// The recordings of the last runs, oldest first.
#[derive(Debug, Default)]
pub(super) struct Recordings(Mutex<VecDeque<Arc<RunRecording>>>);

impl Recordings {
    /// Returns all recordings, locked.
    pub(super) fn list(&self) -> MutexGuard<'_, VecDeque<Arc<RunRecording>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a recording; the oldest goes if there are too many.
    pub(super) fn keep(&self, recording: Arc<RunRecording>) {
        let mut list = self.list();
        list.push_back(recording);
        while list.len() > MAX_RECORDINGS {
            list.pop_front();
        }
    }
}

/// A run and what it has recorded so far.
#[derive(Debug)]
pub(super) struct RunRecording {
    pub(super) run: u32,
    pub(super) revision: u32,
    /// All quantities, in the order of tables.
    pub(super) known: Vec<RecordedQuantity>,
    /// Columns of the pose of each body of the scene.
    pub(super) pose_columns: Vec<PoseColumns>,
    /// Indices of the bodies whose pose changes, in the order of chunks.
    pub(super) movers: Vec<usize>,
    recording: RwLock<Recording>,
}

impl RunRecording {
    pub(super) fn new(
        (run, revision): (u32, u32),
        schema: Schema,
        known: Vec<RecordedQuantity>,
        pose_columns: Vec<PoseColumns>,
    ) -> Self {
        let movers = (0..pose_columns.len()).filter(|&it| pose_columns[it].moves()).collect();
        let recording = RwLock::new(Recording::new(schema));
        Self { run, revision, known, pose_columns, movers, recording }
    }

    /// Locks the recording for reading. Appended frames are complete, whatever happened to the run.
    pub(super) fn read(&self) -> RwLockReadGuard<'_, Recording> {
        self.recording.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locks the recording for appending.
    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Recording> {
        self.recording.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Size in bytes of the poses of one frame.
    pub(super) fn pose_bytes(&self) -> usize {
        self.movers.len() * super::scene::body_pose::POSE_SCALARS * size_of::<f32>()
    }

    /// Adds the poses of a frame to the numbers of a chunk.
    pub(super) fn write_poses(&self, row: &[f64], numbers: &mut Vec<u8>) {
        for &body in &self.movers {
            write(self.pose_columns[body].in_row(row), numbers);
        }
    }

    /// Encodes a chunk of poses.
    pub(super) fn poses(&self, id: u32, first: u32, stride: u32, frames: u32, numbers: &[u8]) -> Vec<u8> {
        let bodies = count(self.movers.len());
        let head =
            ChunkHead::Poses { id, run: self.run, revision: self.revision, first, stride, frames, bodies };
        encode(&head, numbers)
    }

    /// Returns the poses of every `stride`-th frame from `first` to `last`: as many as exist and fit into one
    /// reply.
    pub(super) fn answer_poses(&self, id: u32, first: u32, last: u32, stride: u32) -> Vec<u8> {
        let recording = self.read();
        let stride = stride.max(1);
        let most = (MAX_ANSWER_BYTES / self.pose_bytes().max(1)).max(1);
        let there = (first..=last).step_by(stride as usize);
        let mut numbers = Vec::new();
        let mut frames = 0;
        for frame in there.take(most).take_while(|&it| (it as usize) < recording.frames()) {
            self.write_poses(recording.row(frame as usize), &mut numbers);
            frames += 1;
        }
        drop(recording);
        self.poses(id, first, stride, frames, &numbers)
    }

    /// Returns an event as the page gets it.
    pub(super) fn event_info(&self, schema: &Schema, event: &Event) -> EventInfo {
        let pose = |&object: &usize| self.pose_columns[object].at_event(schema, event, Moment::After);
        let point = event.given("collisionPoint").and_then(|it| <[f64; 3]>::try_from(it).ok());
        EventInfo {
            index: count(event.index as usize),
            time: event.time,
            kind: event.kind.name().to_owned(),
            context: event.context.and_then(|it| schema.contexts.get(it)).cloned(),
            bodies: event.objects.iter().map(|&it| count(it)).collect(),
            poses: event.objects.iter().map(pose).collect(),
            point: point.filter(|it| it.iter().all(|it| it.is_finite())),
        }
    }
}

/// Converts a count to the type of the protocol.
pub(super) fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

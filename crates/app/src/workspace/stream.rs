//! Stream of a run to the page: a sink that records everything and sends poses, events and progress.
//!
//! The first poses are sent after a few frames, so that the page can start to play. Chunks then grow, since
//! few large messages cost less than many small ones, but none waits longer than the flush interval.

use super::Limits;
use super::recordings::{RunRecording, count};
use super::run_ticket::RunTicket;
use crate::console::format::number;
use crate::console::stopwatch::Stopwatch;
use crate::server::Outbox;
use crate::wire::{EventInfo, Reply};
use gedanken_recording::{Event, Frame, Notice, Sink};
use std::io;
use std::time::Duration;

/// Longest time that anything waits to be sent.
const FLUSH_INTERVAL: Duration = Duration::from_millis(50);
/// Number of frames in the first chunk of poses.
const FIRST_CHUNK_FRAMES: u32 = 8;
/// Size in bytes from which a chunk of poses does not grow.
const MAX_CHUNK_BYTES: usize = 256 << 10;
/// Size in bytes of a frame and of an event, beside their values.
const FRAME_BYTES: usize = 16;
const EVENT_BYTES: usize = 256;

/// Sink of a run: records and sends.
#[derive(Debug)]
pub(super) struct RunStream<'r> {
    run_recording: &'r RunRecording,
    outbox: &'r Outbox,
    ticket: &'r RunTicket,
    limits: Limits,
    /// Number of frames from one sent pose to the next.
    stride: u32,
    watch: Stopwatch,
    /// Sentence with the remedy, if the recording has become too large.
    too_large: Option<String>,
    bytes: u64,
    poses: PendingPoses,
    pending_events: Vec<EventInfo>,
    /// Number of events that were sent or wait to be sent.
    events_sent: u32,
    frames: u32,
    events: u32,
    time: Option<f64>,
    last_flush: Duration,
    last_progress: Duration,
}

/// Poses that wait to be sent.
#[derive(Debug)]
struct PendingPoses {
    first: u32,
    frames: u32,
    numbers: Vec<u8>,
    /// Number of frames of the next chunk.
    frames_per_chunk: u32,
}

impl<'r> RunStream<'r> {
    pub(super) fn new(
        run_recording: &'r RunRecording,
        outbox: &'r Outbox,
        ticket: &'r RunTicket,
        limits: Limits,
        stride: u32,
        watch: Stopwatch,
    ) -> Self {
        let poses =
            PendingPoses { first: 0, frames: 0, numbers: Vec::new(), frames_per_chunk: FIRST_CHUNK_FRAMES };
        let now = watch.elapsed();
        Self {
            run_recording,
            outbox,
            ticket,
            limits,
            stride,
            watch,
            too_large: None,
            bytes: 0,
            poses,
            pending_events: Vec::new(),
            events_sent: 0,
            frames: 0,
            events: 0,
            time: None,
            last_flush: now,
            last_progress: now,
        }
    }

    /// Sends all that waits. Returns why the run was stopped, if the recording has become too large.
    pub(super) fn finish(mut self) -> Option<String> {
        self.flush();
        self.progress(self.watch.elapsed());
        self.too_large
    }

    /// Time of the last frame, in words.
    pub(super) fn until(time: Option<f64>) -> String {
        time.map_or_else(String::new, |time| format!(" at t = {}", number(time)))
    }

    /// Fails if the recording has become too large.
    fn check(&mut self) -> io::Result<()> {
        if self.bytes <= self.limits.bytes {
            return Ok(());
        }
        self.too_large = Some(format!(
            "the run was stopped{}, since its recording takes more than {} MiB: shorten the `duration`, lower the \
             `frame rate`, or `record` less; `gedanken run` records to a file of any size",
            Self::until(self.time),
            number(self.limits.bytes as f64 / f64::from(1 << 20))
        ));
        Err(io::Error::other("the run is to end"))
    }

    /// Sends what waits, if a chunk is full or the flush interval has passed.
    fn flush_if_due(&mut self) {
        let now = self.watch.elapsed();
        let is_late = now - self.last_flush >= FLUSH_INTERVAL;
        if is_late || self.poses.frames >= self.poses.frames_per_chunk {
            self.flush();
        }
        if now - self.last_progress >= FLUSH_INTERVAL {
            self.progress(now);
        }
    }

    fn flush(&mut self) {
        self.last_flush = self.watch.elapsed();
        if self.ticket.is_abandoned() {
            return;
        }
        let mut sent = Ok(());
        if self.poses.frames > 0 {
            let PendingPoses { first, frames, numbers, frames_per_chunk } = &mut self.poses;
            sent = self.outbox.send_chunk(self.run_recording.poses(0, *first, self.stride, *frames, numbers));
            // Those that went early, since they had waited, say nothing about how fast frames come.
            if *frames >= *frames_per_chunk && numbers.len() < MAX_CHUNK_BYTES {
                *frames_per_chunk = frames_per_chunk.saturating_mul(2);
            }
            (*first, *frames) = (*first + *frames * self.stride, 0);
            numbers.clear();
        }
        if !self.pending_events.is_empty() {
            let (run, revision) = (self.ticket.run, self.ticket.revision);
            let events = std::mem::take(&mut self.pending_events);
            sent = sent.and(self.outbox.send(Reply::Happened { run, revision, events }));
        }
        if sent.is_err() {
            self.ticket.abandon();
        }
    }

    fn progress(&mut self, now: Duration) {
        self.last_progress = now;
        let Some(time) = self.time.filter(|_| !self.ticket.is_abandoned()) else { return };
        let (run, revision) = (self.ticket.run, self.ticket.revision);
        let (frames, events) = (self.frames, self.events);
        if self.outbox.send(Reply::Progress { run, revision, frames, time, events }).is_err() {
            self.ticket.abandon();
        }
    }
}

impl Sink for RunStream<'_> {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.check()?;
        // Nobody goes on from a frame of a page.
        self.run_recording.write().frame(Frame { keyframe: None, ..frame })?;
        self.bytes += (size_of_val(frame.row) + FRAME_BYTES) as u64;
        if !self.run_recording.movers.is_empty() && self.frames.is_multiple_of(self.stride) {
            self.run_recording.write_poses(frame.row, &mut self.poses.numbers);
            self.poses.frames += 1;
        }
        self.frames += 1;
        self.time = Some(frame.time);
        self.flush_if_due();
        Ok(())
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.check()?;
        let mut recording = self.run_recording.write();
        recording.event(event)?;
        if self.events_sent < self.limits.events {
            self.pending_events.push(self.run_recording.event_info(&recording.schema, event));
            self.events_sent += 1;
        }
        drop(recording);
        let values = size_of_val(&*event.before) + size_of_val(&*event.after);
        self.bytes += (values + EVENT_BYTES) as u64;
        self.events = count(event.index as usize + 1);
        self.flush_if_due();
        Ok(())
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        self.run_recording.write().notice(notice)
    }

    fn warn(&mut self, notice: &Notice) -> io::Result<()> {
        let (run, revision, message) = (self.ticket.run, self.ticket.revision, notice.message.clone());
        if !self.ticket.is_abandoned() && self.outbox.send(Reply::Warned { run, revision, message }).is_err()
        {
            self.ticket.abandon();
        }
        self.notice(notice)
    }
}

//! One run, several takers: a file in two formats, and memory.

use super::{Event, Frame, Notice, Sink};
use std::io;

/// Hands everything on to several sinks.
///
/// When one of them fails, the others are still handed what it failed at: the run ends then, and they have all of it.
#[derive(Default)]
pub struct Tee<'s> {
    sinks: Vec<&'s mut dyn Sink>,
}

impl<'s> Tee<'s> {
    /// Hands on to these.
    pub fn new(sinks: Vec<&'s mut dyn Sink>) -> Self {
        Self { sinks }
    }

    /// Hands on to all, in order, and tells the first failure.
    fn each(&mut self, mut hand: impl FnMut(&mut dyn Sink) -> io::Result<()>) -> io::Result<()> {
        let mut first = Ok(());
        for sink in &mut self.sinks {
            first = first.and(hand(&mut **sink));
        }
        first
    }
}

impl Sink for Tee<'_> {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.each(|sink| sink.frame(frame))
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.each(|sink| sink.event(event))
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        self.each(|sink| sink.notice(notice))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.each(|sink| sink.flush())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.each(|sink| sink.finish())
    }
}

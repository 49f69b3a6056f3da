//! The way back to the page: a queue of messages that threads fill and a socket empties.

use crate::wire::Reply;
use tokio::sync::mpsc;

/// Messages that may wait. Who runs ahead of a slow page waits too, so that memory stays bounded.
const CAPACITY: usize = 64;

/// A message on its way to the page.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// As JSON text.
    Reply(Box<Reply>),
    /// As it is.
    Chunk(Vec<u8>),
}

/// The end that is spoken into. Clones speak to the same page.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    sender: mpsc::Sender<Outgoing>,
}

/// The page has gone: nobody listens any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Disconnected;

impl Outbox {
    /// A line, and the end that the socket empties.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Outgoing>) {
        let (sender, receiver) = mpsc::channel(CAPACITY);
        (Self { sender }, receiver)
    }

    /// Tells the page something; waits while too much is waiting. Not to be called by asynchronous code.
    ///
    /// # Errors
    /// If nobody listens any more.
    pub(crate) fn send(&self, reply: Reply) -> Result<(), Disconnected> {
        self.sender.blocking_send(Outgoing::Reply(Box::new(reply))).map_err(|_| Disconnected)
    }

    /// Sends a chunk of numbers, made by [`encode`](crate::wire::encode). As [`tell`](Self::tell).
    ///
    /// # Errors
    /// If nobody listens any more.
    pub(crate) fn send_chunk(&self, message: Vec<u8>) -> Result<(), Disconnected> {
        self.sender.blocking_send(Outgoing::Chunk(message)).map_err(|_| Disconnected)
    }

    /// Whether nobody listens any more.
    pub(crate) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }
}

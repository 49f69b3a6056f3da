//! The outbox: a bounded queue of messages to the page, filled by threads and emptied by the socket.

use crate::wire::Reply;
use tokio::sync::mpsc;

/// Maximum number of queued messages. A sender that is faster than the page waits, so that memory stays
/// bounded.
const CAPACITY: usize = 64;

/// A message on its way to the page.
#[derive(Debug)]
pub(crate) enum Outgoing {
    /// Reply, sent as JSON text.
    Reply(Box<Reply>),
    /// Binary chunk, sent unchanged.
    Chunk(Vec<u8>),
}

/// Sender of messages to a page. Clones send to the same page.
#[derive(Clone, Debug)]
pub(crate) struct Outbox {
    sender: mpsc::Sender<Outgoing>,
}

/// The page is disconnected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Disconnected;

impl Outbox {
    /// Makes an outbox, and the receiver that the socket empties.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Outgoing>) {
        let (sender, receiver) = mpsc::channel(CAPACITY);
        (Self { sender }, receiver)
    }

    /// Sends a reply; blocks while the queue is full. Not to be called by asynchronous code.
    ///
    /// # Errors
    /// If the page is disconnected.
    pub(crate) fn send(&self, reply: Reply) -> Result<(), Disconnected> {
        self.sender.blocking_send(Outgoing::Reply(Box::new(reply))).map_err(|_| Disconnected)
    }

    /// Sends a chunk of numbers, made by [`encode`](crate::wire::encode). Blocks as [`send`](Self::send)
    /// does.
    ///
    /// # Errors
    /// If the page is disconnected.
    pub(crate) fn send_chunk(&self, message: Vec<u8>) -> Result<(), Disconnected> {
        self.sender.blocking_send(Outgoing::Chunk(message)).map_err(|_| Disconnected)
    }

    /// Returns `true` if the page is disconnected.
    pub(crate) fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }
}

//! One page: messages between its socket and its [`Desk`], which has a thread of its own.
//!
//! ```text
//! socket ──► asks, at most 64 ──► desk
//!    ▲                              │
//!    └──── line, at most 64 ◄───────┘
//! ```
//!
//! Who sends more than the desk can take waits, and so does a desk whose page does not listen: nothing grows.
//! Both queues are served by the same loop, so that neither can wait for the other for ever.

use super::ServerState;
use super::outbox::{Outbox, Outgoing};
use crate::wire::{Reply, Request};
use crate::workspace::{Limits, Workspace};
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{Instant, interval_at, timeout};

/// The longest message of a page, in bytes.
pub(super) const MAX_MESSAGE_BYTES: usize = 4 << 20;
/// Questions of a page that may wait.
const MAX_QUEUED_REQUESTS: usize = 64;
/// Messages that make no sense, after which nobody is listened to any more.
const MAX_MALFORMED: u32 = 1000;
/// From sign of life to sign of life.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// A page that gives none for so long has gone.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(65);
/// A page that takes nothing for so long has gone.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// Time for a page to hear that it is over.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// What a run of a page may take.
const LIMITS: Limits = Limits { seconds: 120.0, bytes: 512 << 20, pose_bytes: 16 << 20, events: 10_000 };

/// Laws are trees, and who walks over them recurses; run in a thread with as much room as the main one has.
const STACK_BYTES: usize = 8 << 20;

/// Serves a page until it goes, or the server ends.
pub(super) async fn serve_page(socket: WebSocket, state: Arc<ServerState>, place: OwnedSemaphorePermit) {
    let (outbox, outgoing) = Outbox::new();
    let (requests, queued) = mpsc::channel(MAX_QUEUED_REQUESTS);
    let mut ending = state.ending.clone();
    let mut connection = Connection { socket, malformed: 0 };
    if spawn_workspace(state, outbox, queued, place).is_err() {
        let _ = connection.send_fault("The system has no room for another page; close one.").await;
        return connection.close(close_code::AGAIN, "no room").await;
    }
    let ended = async {
        // If the sender has gone, so has the server.
        let _ = ending.wait_for(|is_ending| *is_ending).await;
    };
    tokio::select! {
        () = connection.pump(requests, outgoing) => {}
        () = ended => connection.close(close_code::AWAY, "the lab has ended").await,
    }
}

/// A thread with a desk, which first says what there is. It ends with the queue of questions, or when nobody
/// listens, and only then leaves its place to others: a page that comes and goes leaves no crowd of threads
/// behind.
fn spawn_workspace(
    state: Arc<ServerState>,
    outbox: Outbox,
    mut queued: mpsc::Receiver<Request>,
    place: OwnedSemaphorePermit,
) -> std::io::Result<()> {
    let work = move || {
        let _place = place;
        if outbox.send(state.welcome()).is_err() {
            return;
        }
        let mut workspace =
            Workspace::new(Arc::clone(&state.library), outbox.clone(), LIMITS, state.auth.token.clone());
        while let Some(request) = queued.blocking_recv() {
            if outbox.is_closed() {
                break;
            }
            workspace.handle(request);
        }
    };
    std::thread::Builder::new().name("desk".to_owned()).stack_size(STACK_BYTES).spawn(work).map(|_| ())
}

/// The page has gone, or is to go.
struct Closed;

struct Connection {
    socket: WebSocket,
    malformed: u32,
}

impl Connection {
    /// Passes messages in both directions until there is nobody at one of the ends.
    async fn pump(&mut self, requests: mpsc::Sender<Request>, mut outgoing: mpsc::Receiver<Outgoing>) {
        // A question for which there is no room yet: nothing is read until it has gone.
        let mut next: Option<Request> = None;
        let mut welcomed = false;
        let mut ping = interval_at(Instant::now() + PING_INTERVAL, PING_INTERVAL);
        let mut last_heard = Instant::now();
        loop {
            let passed = tokio::select! {
                message = outgoing.recv() => match message {
                    Some(message) => {
                        welcomed = true;
                        self.send_outgoing(message).await
                    }
                    None => self.workspace_ended().await,
                },
                room = requests.reserve(), if next.is_some() => match (room, next.take()) {
                    (Ok(room), Some(request)) => {
                        room.send(request);
                        // Time spent waiting for room is not the page's silence.
                        last_heard = Instant::now();
                        Ok(())
                    }
                    _ => self.workspace_ended().await,
                },
                message = self.socket.recv(), if welcomed && next.is_none() => {
                    last_heard = Instant::now();
                    match message {
                        Some(Ok(message)) => self.receive(message, &mut next).await,
                        Some(Err(_)) => self.unreadable().await,
                        None => Err(Closed),
                    }
                },
                _ = ping.tick() => {
                    let is_silent = next.is_none() && last_heard.elapsed() > SILENCE_TIMEOUT;
                    if is_silent { Err(Closed) } else { self.send(Message::Ping(Vec::new().into())).await }
                },
            };
            if passed.is_err() {
                return;
            }
        }
    }

    /// Understands a message of the page.
    async fn receive(&mut self, message: Message, next: &mut Option<Request>) -> Result<(), Closed> {
        let why = match message {
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(request) => {
                    *next = Some(request);
                    return Ok(());
                }
                Err(error) => {
                    let error: String = error.to_string().chars().take(200).collect();
                    format!("This message is not a valid request: {error}.")
                }
            },
            Message::Binary(_) => "Messages to the lab are text.".to_owned(),
            Message::Close(_) => return Err(Closed),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
        };
        self.malformed += 1;
        self.send_fault(&why).await?;
        if self.malformed >= MAX_MALFORMED {
            self.close(close_code::POLICY, "too many messages that cannot be understood").await;
            return Err(Closed);
        }
        Ok(())
    }

    async fn send_outgoing(&mut self, message: Outgoing) -> Result<(), Closed> {
        let message = match message {
            Outgoing::Reply(send_outgoing) => text(&send_outgoing),
            Outgoing::Chunk(bytes) => Message::Binary(bytes.into()),
        };
        self.send(message).await
    }

    async fn send_fault(&mut self, why: &str) -> Result<(), Closed> {
        self.send(text(&Reply::Fault { why: why.to_owned() })).await
    }

    /// The thread of the desk has ended though the page is there: a mistake of ours.
    async fn workspace_ended(&mut self) -> Result<(), Closed> {
        let _ = self.send_fault("Internal error: the lab cannot continue. Reload the page, and please report this bug in Gedanken.").await;
        self.close(close_code::ERROR, "internal error").await;
        Err(Closed)
    }

    /// What came is too long, or no WebSocket: nothing after it can be read.
    async fn unreadable(&mut self) -> Result<(), Closed> {
        let why = format!("A message was longer than {} MiB, or broken.", MAX_MESSAGE_BYTES >> 20);
        let _ = self.send_fault(&why).await;
        self.close(close_code::SIZE, "a message was too long, or broken").await;
        Err(Closed)
    }

    /// Says that it is over. What still comes is taken and dropped: a socket closed with something unread
    /// loses what was said last.
    async fn close(&mut self, code: u16, reason: &'static str) {
        let _ = self.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
        let _ = timeout(CLOSE_TIMEOUT, async { while let Some(Ok(_)) = self.socket.recv().await {} }).await;
    }

    async fn send(&mut self, message: Message) -> Result<(), Closed> {
        match timeout(SEND_TIMEOUT, self.socket.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Closed),
        }
    }
}

fn text(reply: &Reply) -> Message {
    Message::Text(serde_json::to_string(reply).expect("what is told has no maps, so it is JSON").into())
}

//! One page: messages between its socket and its [`Workspace`], which has a thread of its own.
//!
//! ```text
//! socket ──► requests, at most 64 ──► workspace
//!    ▲                                   │
//!    └────── outbox, at most 64 ◄────────┘
//! ```
//!
//! A page that sends faster than the workspace works must wait, and so must a workspace whose page does not
//! read: no queue grows. One loop serves both queues, so that neither can wait for the other for ever.

use super::outbox::{Outbox, Outgoing};
use super::state::ServerState;
use crate::wire::{MAX_REQUEST_BYTES, Reply, Request};
use crate::workspace::{Limits, Workspace};
use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use gedanken_math::Cancel;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::time::{Instant, interval_at, timeout};

/// Maximum number of queued requests of a page.
const MAX_QUEUED_REQUESTS: usize = 64;
/// Maximum number of malformed messages before the connection is closed.
const MAX_MALFORMED: u32 = 1000;
/// Interval between pings.
const PING_INTERVAL: Duration = Duration::from_secs(20);
/// Silence after which a page counts as disconnected.
const SILENCE_TIMEOUT: Duration = Duration::from_secs(65);
/// Time limit for sending one message.
const SEND_TIMEOUT: Duration = Duration::from_secs(30);
/// Time limit for closing.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// What a run of a page may take.
const LIMITS: Limits = Limits { seconds: 120.0, bytes: 512 << 20, pose_bytes: 16 << 20, events: 10_000 };

/// Stack size of the thread, that of the main thread: laws are trees, and walks over them recurse.
const STACK_BYTES: usize = 8 << 20;

/// Serves a page until it disconnects or the server ends. `may_save` is `true` if it has shown the secret.
pub(super) async fn serve_page(
    socket: WebSocket,
    state: Arc<ServerState>,
    place: OwnedSemaphorePermit,
    may_save: bool,
) {
    let (outbox, outgoing) = Outbox::new();
    let (requests, queued) = mpsc::channel(MAX_QUEUED_REQUESTS);
    let mut ending = state.ending.clone();
    let mut connection = Connection { socket, malformed: 0, last_edit: Cancel::new() };
    if spawn_workspace(state, outbox, queued, place, may_save).is_err() {
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

/// Starts the thread of a workspace, which first sends `welcome`. It ends with the queue of requests or when
/// the page disconnects, and only then releases its permit: pages that come and go leave no threads behind.
fn spawn_workspace(
    state: Arc<ServerState>,
    outbox: Outbox,
    mut queued: mpsc::Receiver<(Request, Cancel)>,
    place: OwnedSemaphorePermit,
    may_save: bool,
) -> std::io::Result<()> {
    let work = move || {
        let _place = place;
        if outbox.send(state.welcome()).is_err() {
            return;
        }
        let mut workspace = Workspace::new(Arc::clone(&state.library), outbox.clone(), LIMITS, may_save);
        while let Some((request, cancel)) = queued.blocking_recv() {
            if outbox.is_closed() {
                break;
            }
            workspace.handle(request, &cancel);
        }
    };
    std::thread::Builder::new().name("workspace".to_owned()).stack_size(STACK_BYTES).spawn(work).map(|_| ())
}

/// The connection is closed, or is to be closed.
struct Closed;

struct Connection {
    socket: WebSocket,
    malformed: u32,
    /// Token of the last text that was received.
    last_edit: Cancel,
}

/// A page that has gone wants no check of its text.
impl Drop for Connection {
    fn drop(&mut self) {
        self.last_edit.ask();
    }
}

impl Connection {
    /// Passes messages in both directions until one end closes.
    async fn pump(
        &mut self,
        requests: mpsc::Sender<(Request, Cancel)>,
        mut outgoing: mpsc::Receiver<Outgoing>,
    ) {
        // A question for which there is no room yet: nothing is read until it has gone.
        let mut next: Option<(Request, Cancel)> = None;
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

    /// Parses a message of the page. Another text makes the check of the one before it useless, whether that is
    /// queued or under way.
    async fn receive(
        &mut self,
        message: Message,
        next: &mut Option<(Request, Cancel)>,
    ) -> Result<(), Closed> {
        let why = match message {
            Message::Text(text) => match serde_json::from_str(&text) {
                Ok(request) => {
                    if matches!(request, Request::Edit { .. }) {
                        self.last_edit.ask();
                        self.last_edit = Cancel::new();
                    }
                    *next = Some((request, self.last_edit.clone()));
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

    /// Reports that the thread of the workspace has ended while the page is connected: an internal error.
    async fn workspace_ended(&mut self) -> Result<(), Closed> {
        let _ = self.send_fault("Internal error: the lab cannot continue. Reload the page, and please report this bug in Gedanken.").await;
        self.close(close_code::ERROR, "internal error").await;
        Err(Closed)
    }

    /// Reports a message that is too long or no WebSocket frame; nothing after it can be read.
    async fn unreadable(&mut self) -> Result<(), Closed> {
        let why = format!("A message was longer than {} MiB, or broken.", MAX_REQUEST_BYTES >> 20);
        let _ = self.send_fault(&why).await;
        self.close(close_code::SIZE, "a message was too long, or broken").await;
        Err(Closed)
    }

    /// Closes the connection. Messages that still arrive are dropped: a socket closed with unread data loses
    /// the last sent message.
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
    Message::Text(serde_json::to_string(reply).expect("a reply has no maps, so it is JSON").into())
}

//! `gedanken lab`: the server of the page.
//!
//! ```text
//! browser ──http──► auth ──► assets                 the page, built into the binary
//!    ▲               │
//!    └──websocket────┴─► connection ──► Workspace   one for each connection: its text, its runs, its session
//!                             ▲             │
//!                             └── Outbox ◄──┘ replies, and what runs send, from any thread
//! ```
//!
//! `listener` accepts sockets and limits their number, `auth` admits requests, `routes` answers HTTP, `library`
//! reads and writes experiments, `connection` passes messages between a WebSocket and its
//! [`workspace`](crate::workspace), which knows no socket.

mod assets;
mod auth;
mod connection;
mod library;
mod listener;
mod outbox;
mod routes;
mod token;
mod vocabulary;

pub(crate) use assets::Page;
pub(crate) use library::{Library, Opened, Saved};
pub(crate) use listener::{bind, serve};
#[cfg(test)]
pub(crate) use outbox::Outgoing;
pub(crate) use outbox::{Disconnected, Outbox};
pub(crate) use token::is_same;

use crate::wire::{Origin, Reply};
use auth::Auth;
use std::sync::Arc;
use tokio::sync::{Semaphore, watch};

/// Arguments of the server.
#[derive(Debug)]
pub(crate) struct Start {
    /// Experiments that can be opened and saved.
    pub(crate) library: Library,
    /// Experiment that is shown first.
    pub(crate) origin: Origin,
    /// Text of that experiment.
    pub(crate) text: String,
    /// Settings, as they were written.
    pub(crate) settings: Vec<String>,
    /// Files of the page.
    pub(crate) page: Page,
}

/// State that all connections share.
#[derive(Debug)]
struct ServerState {
    library: Arc<Library>,
    origin: Origin,
    text: String,
    settings: Vec<String>,
    page: Page,
    auth: Auth,
    /// Permits of open pages.
    room: Arc<Semaphore>,
    /// `true` when the server ends.
    ending: watch::Receiver<bool>,
}

impl ServerState {
    /// Returns the first message to a page. The experiment is read again: it may have been saved since.
    fn welcome(&self) -> Reply {
        // A file that has gone since is a new one when it is saved.
        let as_started = |_| Opened { text: self.text.clone(), version: None };
        let opened = self.library.open(&self.origin).unwrap_or_else(as_started);
        Reply::Welcome {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            folder: self.library.folder().map(|folder| folder.display().to_string()),
            folder_id: self.library.folder_id(),
            origin: self.origin.clone(),
            text: opened.text,
            file_version: opened.version,
            settings: self.settings.clone(),
            words: vocabulary::words(),
        }
    }
}

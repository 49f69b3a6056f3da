//! `gedanken lab`: the server of the page.
//!
//! ```text
//! browser ──http──► guard ──► assets            the page, built into the binary
//!    ▲                │
//!    └──websocket─────┴─► connection ──► Desk   one for each connection: its text, its runs, its session
//!                              ▲           │
//!                              └── Line ◄──┘ answers, and what runs have to tell, from any thread
//! ```
//!
//! `guard` lets in only who may come in, `shelf` is all that can be read and written, `connection` passes
//! messages between socket and [`desk`](super::workspace), which knows no socket. `door` listens and counts who is
//! inside, `answer` speaks HTTP.

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
pub(crate) use library::Library;
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
        Reply::Welcome {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            folder: self.library.folder().map(|folder| folder.display().to_string()),
            origin: self.origin.clone(),
            text: self.library.read(&self.origin).unwrap_or_else(|_| self.text.clone()),
            settings: self.settings.clone(),
            words: vocabulary::words(),
        }
    }
}

//! `gedanken lab`: the server of the page.
//!
//! ```text
//! browser ──http──► auth ──► assets, access         the page, built into the binary; a cookie for the secret
//!    ▲               │
//!    └──websocket────┴─► connection ──► Workspace   one for each connection: its text, its runs, its session
//!                             ▲             │
//!                             └── Outbox ◄──┘ replies, and what runs send, from any thread
//! ```
//!
//! `listener` accepts sockets and limits their number, `auth` admits requests, `routes` answers HTTP. `secret`
//! is what lets its holder save, `secret_folder` keeps it, `opener` shows it to a browser, `access` gives the
//! cookie for it. `library` reads and writes experiments, `connection` passes messages between a WebSocket and its
//! [`workspace`](crate::workspace), which knows no socket.

mod access;
mod assets;
mod auth;
mod connection;
mod library;
mod listener;
mod opener;
mod outbox;
mod routes;
mod secret;
mod secret_folder;
mod vocabulary;

pub(crate) use assets::Page;
pub(crate) use library::{Library, Opened, Saved};
pub(crate) use listener::{bind, serve};
pub(crate) use opener::Opener;
#[cfg(test)]
pub(crate) use outbox::Outgoing;
pub(crate) use outbox::{Disconnected, Outbox};
pub(crate) use secret::Secret;
pub(crate) use secret_folder::{SecretFolder, StoredSecret};

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
    /// Secret of the lab.
    pub(crate) secret: Secret,
    /// File through which the browser is opened.
    pub(crate) opener: Opener,
    /// `true` if guests may read and run without the secret.
    pub(crate) exposed: bool,
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
    opener: Opener,
    /// Permits of wrong secrets that wait for their answer.
    wrong: Semaphore,
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

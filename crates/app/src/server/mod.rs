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
mod response;
mod routes;
mod secret;
mod secret_folder;
mod state;
mod vocabulary;

pub(crate) use assets::Page;
pub(crate) use library::{Library, Saved};
pub(crate) use listener::{bind, serve};
pub(crate) use opener::Opener;
#[cfg(test)]
pub(crate) use outbox::Outgoing;
pub(crate) use outbox::{Disconnected, Outbox};
pub(crate) use secret::Secret;
pub(crate) use secret_folder::{SecretFolder, StoredSecret};
pub(crate) use state::Start;

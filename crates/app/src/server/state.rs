//! Arguments of the server, and the state that all its connections share.

use super::assets::Page;
use super::auth::Auth;
use super::library::{Library, Opened};
use super::opener::Opener;
use super::secret::Secret;
use super::vocabulary;
use crate::wire::{Origin, Reply};
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
pub(super) struct ServerState {
    pub(super) library: Arc<Library>,
    pub(super) origin: Origin,
    pub(super) text: String,
    pub(super) settings: Vec<String>,
    pub(super) page: Page,
    pub(super) auth: Auth,
    pub(super) opener: Opener,
    /// Permits of wrong secrets that wait for their answer.
    pub(super) wrong: Semaphore,
    /// Permits of open pages.
    pub(super) room: Arc<Semaphore>,
    /// `true` when the server ends.
    pub(super) ending: watch::Receiver<bool>,
}

impl ServerState {
    /// Returns the first message to a page. The experiment is read again: it may have been saved since.
    pub(super) fn welcome(&self) -> Reply {
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

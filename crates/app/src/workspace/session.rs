//! The session of the language, on a thread of its own, so that runs and requests go on while it evaluates.

use super::run_thread::internal_error;
use crate::console::format::plural;
use crate::server::{Library, Outbox};
use crate::wire::{Origin, Reply, SessionOutput};
use gedanken_lang::diagnostic::{Style, render};
use gedanken_lang::session::{self, Files, Session, is_complete};
use gedanken_lang::vm::Limits;
use gedanken_math::Cancel;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Maximum number of queued inputs.
const QUEUE_CAPACITY: usize = 64;
/// Maximum size of one input in bytes.
const MAX_INPUT_BYTES: usize = 100_000;
/// Maximum size of one output in bytes.
const MAX_OUTPUT_BYTES: usize = 1 << 20;
/// Maximum number of steps of an evaluation: some seconds.
const MAX_STEPS: u64 = 20_000_000;

/// Sender of inputs to the session.
#[derive(Debug)]
pub(super) struct LanguageSession {
    inputs: SyncSender<(u32, String)>,
    cancel: Cancel,
    origin: Arc<Mutex<Origin>>,
}

/// Files that a session may import: the same as the text of the page.
struct ImportFiles {
    library: Arc<Library>,
    origin: Arc<Mutex<Origin>>,
}

impl Files for ImportFiles {
    fn read(&self, path: &str) -> Result<String, String> {
        let origin = self.origin.lock().unwrap_or_else(PoisonError::into_inner).clone();
        // Beside the text of the page; paths are relative to the folder.
        let beside = match &origin {
            Origin::Folder { name } => name.rsplit_once('/').map_or("", |(beside, _)| beside),
            Origin::Gallery { .. } | Origin::Page {} => "",
        };
        let path = if beside.is_empty() { path.to_owned() } else { format!("{beside}/{path}") };
        gedanken_experiment::Files::text(&self.library.files(&origin), &path)
    }

    fn write(&self, _path: &str, _text: &str) -> Result<(), String> {
        Err("a page writes no files; `gedanken repl` does".to_owned())
    }
}

impl LanguageSession {
    /// Starts an empty session.
    ///
    /// # Errors
    /// If the system has no thread left, in a sentence.
    pub(super) fn start(library: Arc<Library>, outbox: Outbox, origin: Origin) -> Result<Self, String> {
        let origin = Arc::new(Mutex::new(origin));
        let files = ImportFiles { library, origin: Arc::clone(&origin) };
        let cancel = Cancel::new();
        let session = Session::new(files, Limits { steps: MAX_STEPS, ..Limits::until(&cancel) });
        let (inputs, waiting) = mpsc::sync_channel(QUEUE_CAPACITY);
        let spawned = thread::Builder::new()
            .name("session".to_owned())
            .spawn(move || listen(session, &waiting, &outbox));
        spawned.map_err(|error| format!("no session can begin: {error}; close other programs"))?;
        Ok(Self { inputs, cancel, origin })
    }

    /// Changes the origin beside which imports are searched.
    pub(super) fn move_to(&self, origin: &Origin) {
        *self.origin.lock().unwrap_or_else(PoisonError::into_inner) = origin.clone();
    }

    /// Queues an input; the output goes to the outbox.
    ///
    /// # Errors
    /// If the queue is full or the thread has ended, in a sentence.
    pub(super) fn send(&self, id: u32, input: String) -> Result<(), String> {
        if input.len() > MAX_INPUT_BYTES {
            return Err(format!(
                "this is longer than {MAX_INPUT_BYTES} bytes: write a library, and import it"
            ));
        }
        self.inputs.try_send((id, input)).map_err(|error| match error {
            TrySendError::Full(_) => "too many inputs are queued: try again in a moment".to_owned(),
            TrySendError::Disconnected(_) => "the session has ended: reload the page".to_owned(),
        })
    }
}

impl Drop for LanguageSession {
    fn drop(&mut self) {
        self.cancel.ask();
    }
}

fn listen(mut session: Session<ImportFiles>, inputs: &Receiver<(u32, String)>, outbox: &Outbox) {
    while let Ok((id, input)) = inputs.recv() {
        // What a panic leaves behind are definitions, each of them whole.
        let answered = catch_unwind(AssertUnwindSafe(|| answer(&mut session, &input)));
        let (input, replies) = answered.unwrap_or_else(|payload| {
            let bug = internal_error(&*payload, "the evaluation");
            let text = [bug.message].into_iter().chain(bug.notes).collect::<Vec<_>>().join("\n");
            (Some(session.next_input() - 1), vec![SessionOutput::Problem { text }])
        });
        let input = input.map(super::recordings::count);
        if outbox.send(Reply::Evaluated { id, input, replies }).is_err() {
            break;
        }
    }
}

/// Returns the number of an input and its outputs; no number if the input continues on the next line. An
/// empty line ends it in any case.
fn answer(session: &mut Session<ImportFiles>, input: &str) -> (Option<usize>, Vec<SessionOutput>) {
    let forced = input.ends_with("\n\n") || input.ends_with("\n\r\n");
    if input.trim().is_empty() || !(forced || is_complete(input)) {
        return (None, Vec::new());
    }
    let number = session.next_input();
    let replies = session.submit(input.trim_end());
    (Some(number), replies.iter().map(|it| reply(session, it)).collect())
}

fn reply(session: &Session<ImportFiles>, reply: &session::Reply) -> SessionOutput {
    use session::Reply as Said;
    let text = match reply {
        Said::Value(value) => return SessionOutput::Value { text: short(value.to_string()) },
        Said::Diagnostic(found) => {
            let drawn = render(std::slice::from_ref(found), session.sources(), Style::Plain);
            return SessionOutput::Problem { text: short(drawn) };
        }
        Said::Help(text) | Said::Ir(text) => text.trim_end().to_owned(),
        Said::Type(ty) => ty.to_string(),
        Said::List(names) if names.is_empty() => "nothing is defined yet".to_owned(),
        Said::List(names) => names.join("\n"),
        Said::Quit => "the session goes on for as long as the page is open".to_owned(),
        Said::Defined(name) => format!("{name} is defined"),
        Said::Redefined(name) => format!("{name} is defined anew"),
        Said::Imported { path, names } => format!("from {path}: {}", names.join(", ")),
        Said::Exported { path, definitions } => {
            format!("{} written to {path}", plural(*definitions as u64, "definition"))
        }
    };
    SessionOutput::Text { text: short(text) }
}

/// Truncates an output that is too long.
fn short(mut text: String) -> String {
    if text.len() > MAX_OUTPUT_BYTES {
        let end = (0..=MAX_OUTPUT_BYTES).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

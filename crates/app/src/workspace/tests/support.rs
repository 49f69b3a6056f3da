//! A workspace and its messages, as a page sees them.

use crate::server::{Library, Outbox, Outgoing};
use crate::wire::{Origin, Reply, Request};
use crate::workspace::{Limits, Workspace};
use gedanken_math::Cancel;
use serde_json::Value;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Generous limits.
pub(super) const LIMITS: Limits =
    Limits { seconds: 60.0, bytes: 1 << 30, pose_bytes: 8 << 20, events: 10_000 };

/// A workspace, and the messages that it sends.
pub(super) struct TestPage {
    pub(super) workspace: Workspace,
    messages: Receiver<Message>,
    /// Messages received, but not waited for yet.
    pub(super) heard: Vec<Message>,
}

/// A message as the page gets it.
#[derive(Clone, Debug)]
pub(super) enum Message {
    Reply(Value),
    Chunk { head: Value, numbers: Vec<u8> },
}

impl Message {
    fn of(outgoing: Outgoing) -> Self {
        match outgoing {
            Outgoing::Reply(reply) => Self::Reply(json(&reply)),
            Outgoing::Chunk(bytes) => {
                let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
                let head = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
                Self::Chunk { head, numbers: bytes[4 + length..].to_vec() }
            }
        }
    }

    /// Its JSON: a chunk's is its head.
    pub(super) fn json(&self) -> &Value {
        match self {
            Self::Reply(json) | Self::Chunk { head: json, .. } => json,
        }
    }

    pub(super) fn is(&self, kind: &str) -> bool {
        let json = self.json();
        json["type"] == kind || json["chunk"] == kind
    }
}

fn json(reply: &Reply) -> Value {
    serde_json::to_value(reply).unwrap()
}

impl TestPage {
    pub(super) fn new(limits: Limits) -> Self {
        let (outbox, mut outgoing) = Outbox::new();
        let (sender, messages) = channel();
        let listener = thread::Builder::new().spawn(move || {
            while let Some(message) = outgoing.blocking_recv() {
                if sender.send(Message::of(message)).is_err() {
                    break;
                }
            }
        });
        drop(listener.unwrap());
        let workspace = Workspace::new(Arc::new(Library::new(None)), outbox, limits, false);
        Self { workspace, messages, heard: Vec::new() }
    }

    /// Sends a request that nothing makes stale.
    pub(super) fn handle(&mut self, request: Request) {
        self.workspace.handle(request, &Cancel::never());
    }

    /// Sends a request, as the page writes it.
    pub(super) fn ask(&mut self, question: Value) {
        self.handle(serde_json::from_value::<Request>(question).unwrap());
    }

    pub(super) fn edit(&mut self, revision: u32, text: &str, settings: &[&str]) -> Value {
        let settings = settings.iter().map(|it| (*it).to_owned()).collect();
        self.handle(Request::Edit { revision, origin: Origin::Page {}, text: text.to_owned(), settings });
        self.wait("checked", |it| it.is("checked")).json().clone()
    }

    pub(super) fn run(&mut self, run: u32, revision: u32) {
        self.handle(Request::Run { run, revision, simulation: None, coarse: false, forces: false });
    }

    /// Runs a text to its end: what was told of it, the end last.
    pub(super) fn whole(&mut self, run: u32, revision: u32) -> Vec<Message> {
        self.run(run, revision);
        self.wait("ended", |it| it.is("ended") && it.json()["run"] == run);
        std::mem::take(&mut self.heard)
    }

    /// Sends a request and returns its reply.
    pub(super) fn answer(&mut self, id: u32, question: Value) -> Message {
        self.ask(question);
        self.wait(&format!("the answer to request {id}"), |it| it.json()["id"] == id)
    }

    /// Returns the first message that `is_it` accepts, received already or to come.
    ///
    /// # Panics
    /// If none comes within a minute; `what` says what was waited for.
    pub(super) fn wait(&mut self, what: &str, is_it: impl Fn(&Message) -> bool) -> Message {
        if let Some(found) = self.heard.iter().find(|it| is_it(it)) {
            return found.clone();
        }
        loop {
            let received = self.messages.recv_timeout(Duration::from_secs(60));
            let message = received.unwrap_or_else(|_| panic!("waited a minute in vain for {what}"));
            self.heard.push(message.clone());
            if is_it(&message) {
                return message;
            }
        }
    }

    /// Receives all messages of a while.
    pub(super) fn listen(&mut self, while_: Duration) -> &[Message] {
        while let Ok(message) = self.messages.recv_timeout(while_) {
            self.heard.push(message);
        }
        &self.heard
    }
}

/// The text of an experiment of the gallery.
pub(super) fn gallery(name: &str) -> &'static str {
    gedanken_experiment::gallery::experiment(name).unwrap().text
}

/// The reals of a chunk of columns.
pub(super) fn reals(numbers: &[u8]) -> Vec<f64> {
    numbers.chunks_exact(8).map(|it| f64::from_le_bytes(it.try_into().unwrap())).collect()
}

/// The reals of a chunk of poses.
pub(super) fn narrow_reals(numbers: &[u8]) -> Vec<f32> {
    numbers.chunks_exact(4).map(|it| f32::from_le_bytes(it.try_into().unwrap())).collect()
}

/// A ball at x = `law`, which may name the time, for so long.
pub(super) fn drifting(law: &str, duration: f64) -> String {
    format!(
        "object {{
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = {{
        position = [0, 0, 0]
        size = 0.5
    }}
}}

context {{
    name = drift
    type = free fall
    functions = {{
        position = [{law}, 0, 0]
    }}
}}

simulation {{
    name = on
    duration = {duration}
    objects_involved = {{ball}}
    contexts_involved = {{drift}}
}}
"
    )
}

/// So many balls that drift side by side, for so long; what is recorded does not name where they are.
pub(super) fn swarm(count: usize, duration: f64) -> String {
    let mut text = String::new();
    let mut names = Vec::new();
    for k in 0..count {
        let (x, y) = (2 * (k % 32), 2 * (k / 32));
        names.push(format!("b{k}"));
        text += &format!(
            "object {{
    name = b{k}
    physical type = dynamic
    geometrical type = sphere
    attributes = {{
        position = [{x}, {y}, 0]
        size = 0.5
        v = [0, 0, 1]
    }}
}}

"
        );
    }
    let names = names.join(", ");
    text += &format!(
        "context {{
    name = drift
    type = free fall
    attributes = {{t0, pos0}}
    compute_first_time_only_attributes = {{t0, pos0}}
    functions = {{
        t0 = t
        pos0 = position
        position = pos0 + v * (t - t0)
    }}
}}

simulation {{
    name = on
    duration = {duration}
    objects_involved = {{{names}}}
    contexts_involved = {{drift}}
    record = {{v}}
}}
"
    );
    text
}

/// The hash of the last frame of a plain run, as `gedanken run --hash` prints it.
pub(super) fn plain_hash(text: &str) -> String {
    use gedanken_lab::Options;
    use gedanken_lab::read;
    use gedanken_recording::Recording;
    struct Gallery;
    impl gedanken_experiment::Files for Gallery {
        fn text(&self, path: &str) -> Result<String, String> {
            let file = gedanken_experiment::gallery::FILES.iter().find(|file| file.name == path);
            file.map(|file| file.text.to_owned()).ok_or_else(|| "there is no such file".to_owned())
        }

        fn bytes(&self, _path: &str) -> Result<Vec<u8>, String> {
            Err("there is no such file".to_owned())
        }
    }
    let mut sources = gedanken_lang::source::Sources::new();
    let experiment = read(&Gallery, &mut sources, "plain.lab", text.to_owned(), &[]).unwrap();
    let mut run =
        gedanken_lab::Run::new(&experiment, &experiment.simulations[0], Options::default()).unwrap();
    let mut recording = Recording::new(run.schema().clone());
    while run.advance(&mut recording).unwrap() {}
    format!("{:016x}", recording.hashes.last().unwrap())
}

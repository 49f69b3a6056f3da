//! Shared by the tests of the binary: temporary folders, its output, and waits with a time limit.

pub(crate) mod lab;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// Longest wait of a test. Nothing here takes a tenth of it, unless it hangs.
pub(crate) const TIME_LIMIT: Duration = Duration::from_secs(120);

/// A bouncing ball of our own: the one of the gallery may change.
pub(crate) const BALL: &str = include_str!("ball.lab");

/// The binary in `folder`, without what the terminal of whoever runs the tests asks for.
pub(crate) fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gedanken"));
    command.env_remove("COLUMNS").env_remove("NO_COLOR").current_dir(&folder.0).args(arguments);
    command.env("XDG_RUNTIME_DIR", session_folder());
    command
}

/// The folder in which labs keep their secrets: not that of whoever runs the tests. One for all tests, as a
/// user has one.
pub(crate) fn session_folder() -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("session");
    fs::create_dir_all(&path).unwrap();
    path
}

/// Exit code, standard output, standard error.
pub(crate) fn outcome(folder: &Folder, arguments: &[&str]) -> (i32, String, String) {
    let output = output(command(folder, arguments).stdin(Stdio::null()));
    let text = |bytes| String::from_utf8(bytes).expect("we print UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(!stdout.contains('\x1b') && !stderr.contains('\x1b'), "pipes get no colours");
    (output.status.code().expect("it ended by itself"), stdout, stderr)
}

/// Runs a command to its end and returns its output.
pub(crate) fn output(command: &mut Command) -> Output {
    let what = format!("{:?}", command.get_args().collect::<Vec<_>>());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    finish(child.expect("the binary was built for this test"), &format!("the end of {what}"))
}

/// Waits for the end of a process and returns its output.
///
/// # Panics
/// If it has not ended after [`TIME_LIMIT`]; the process is killed then.
pub(crate) fn finish(child: Child, what: &str) -> Output {
    let id = child.id();
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(child.wait_with_output()));
    receiver.recv_timeout(TIME_LIMIT).map_or_else(
        |_| {
            let _ = Command::new("kill").args(["-KILL", &id.to_string()]).status();
            panic!("waited {TIME_LIMIT:?} in vain for {what}")
        },
        |output| output.unwrap(),
    )
}

/// Reads the first line from a pipe, and gives the pipe back.
///
/// # Panics
/// If no line has come after [`TIME_LIMIT`].
pub(crate) fn first_line<R: Read + Send + 'static>(pipe: R, what: &str) -> (String, R) {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        let mut reader = BufReader::with_capacity(1, pipe);
        let mut line = String::new();
        let read = reader.read_line(&mut line);
        sender.send(read.map(|_| (line, reader.into_inner())))
    });
    let line = receiver.recv_timeout(TIME_LIMIT);
    line.unwrap_or_else(|_| panic!("waited {TIME_LIMIT:?} in vain for {what}")).unwrap()
}

/// Waits until a condition holds.
///
/// # Panics
/// If it does not hold after [`TIME_LIMIT`].
pub(crate) fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < TIME_LIMIT, "waited {TIME_LIMIT:?} in vain for {what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Starts a command whose output is read at its end.
pub(crate) fn start(folder: &Folder, arguments: &[&str]) -> Child {
    let mut command = command(folder, arguments);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the binary was built for this test")
}

/// Sends a signal to a process: `INT`, `TERM`, `KILL`.
pub(crate) fn signal(child: &Child, signal: &str) {
    let sent = Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status();
    assert!(sent.unwrap().success(), "{signal}");
}

/// Number of repetitions of a test: `short` in `make test`, `long` in `make test-long`, which asks property
/// tests for more cases than the usual 256.
pub(crate) fn times(short: u32, long: u32) -> u32 {
    let cases = std::env::var("PROPTEST_CASES").ok().and_then(|cases| cases.parse::<u32>().ok());
    if cases.is_some_and(|cases| cases > 256) { long } else { short }
}

/// A temporary folder, removed when the test ends.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let unique = format!("{name}-{}-{:?}", std::process::id(), std::thread::current().id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(unique.replace(['(', ')'], ""));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn with(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Self::new(name);
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    pub(crate) fn write(&self, path: &str, text: &str) {
        fs::write(self.0.join(path), text).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap()
    }

    /// Size of a file in bytes; 0 if there is none.
    pub(crate) fn size(&self, path: &str) -> u64 {
        fs::metadata(self.0.join(path)).map_or(0, |file| file.len())
    }

    /// The names of all files, sorted.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

//! What tests of the binary share: folders of their own, and its answers.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A bouncing ball of our own: the one of the gallery may change.
pub(crate) const BALL: &str = include_str!("ball.lab");

/// The binary in `folder`, without what the terminal of whoever runs the tests asks for.
pub(crate) fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gedanken"));
    command.env_remove("COLUMNS").env_remove("NO_COLOR").current_dir(&folder.0).args(arguments);
    command
}

/// Exit code, standard output, standard error.
pub(crate) fn outcome(folder: &Folder, arguments: &[&str]) -> (i32, String, String) {
    let output = command(folder, arguments).output().expect("the binary was built for this test");
    let text = |bytes| String::from_utf8(bytes).expect("we print UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert!(!stderr.contains("panicked"), "{stderr}");
    assert!(!stdout.contains('\x1b') && !stderr.contains('\x1b'), "pipes get no colours");
    (output.status.code().expect("it ended by itself"), stdout, stderr)
}

/// A fresh folder that goes when the test ends.
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

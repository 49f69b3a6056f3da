//! The text files of the repository, as git sees them: tracked, or new and not ignored.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A text file, named by its path from the root, with forward slashes.
pub(crate) struct File {
    pub(crate) path: String,
    pub(crate) text: String,
}

impl File {
    pub(crate) fn has_extension(&self, extensions: &[&str]) -> bool {
        let own = Path::new(&self.path).extension();
        extensions.iter().any(|extension| own == Some(extension.as_ref()))
    }
}

/// The root, from the folder in which cargo starts these tests. The absolute path that the compiler knows
/// would be that of another checkout once a `target` folder is moved or shared.
pub(crate) fn root() -> &'static Path {
    Path::new("..")
}

/// Every file that is text; a tracked file that is gone from the disk is on its way out and not our concern.
pub(crate) fn files() -> Vec<File> {
    let output = Command::new("git")
        // Containers often mount a tree that belongs to another user.
        .args(["-c", "safe.directory=*", "ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root())
        .output()
        .expect("git lists the files to check; install it");
    assert!(
        output.status.success(),
        "git ls-files: {}In a tree unpacked from an archive, `git init` is enough.",
        String::from_utf8_lossy(&output.stderr)
    );
    let paths = String::from_utf8(output.stdout).expect("our paths are UTF-8");
    let read = |path: &str| {
        let text = fs::read_to_string(root().join(path)).ok()?;
        Some(File { path: path.to_owned(), text })
    };
    let files: Vec<File> = paths.split_terminator('\0').filter_map(read).collect();
    assert!(files.iter().any(|file| file.path == "Cargo.toml"), "git listed no Cargo.toml");
    files
}

/// `path:line: what`, the form that editors jump to; `at` is a byte offset into the file's text.
pub(crate) fn place(file: &File, at: usize, what: &str) -> String {
    format!("{}:{}: {what}", file.path, file.text[..at].matches('\n').count() + 1)
}

#[track_caller]
pub(crate) fn expect_none(offenders: &[String], way_out: &str) {
    let (list, count) = (offenders.join("\n"), offenders.len());
    assert!(offenders.is_empty(), "\n{list}\n\n{count} in all. Way out: {way_out}\n");
}

//! Texts and plots are written whole or not at all.

use super::{ball, fine, refused};
use crate::support::{BALL, Folder, command, output};
use std::fs;
use std::process::{Command, Stdio};

/// A library of so many functions, laid out and not.
pub(super) fn library(functions: usize) -> (String, String) {
    let lines = |separator: &str| {
        (0..functions).map(|k| format!("f{k}(x){separator}={separator}x^2+{k}\n")).collect::<String>()
    };
    let untidy = lines("   ");
    let folder = Folder::with("tidy", &[("a.vfl", &untidy)]);
    fine(&folder, &["fmt", "a.vfl"]);
    (untidy, folder.read("a.vfl"))
}

/// Runs the binary under a limit for the size of files, in blocks of at most 1 KiB.
#[cfg(unix)]
fn limited(folder: &Folder, blocks: u32, arguments: &[&str]) -> (Option<i32>, String) {
    let own = command(folder, arguments);
    let mut shell = Command::new("sh");
    shell.current_dir(&folder.0).stdin(Stdio::null());
    shell
        .args(["-c", &format!("ulimit -f {blocks}; exec \"$0\" \"$@\"")])
        .arg(own.get_program())
        .args(own.get_args());
    let output = output(&mut shell);
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[cfg(unix)]
#[test]
fn a_limit_for_the_size_of_files_is_an_error_and_leaves_the_old_text() {
    let folder = ball("limit");
    let (untidy, _) = library(500);
    folder.write("a.vfl", &untidy);
    folder.write("a.svg", "precious");
    fine(&folder, &["run", "ball.lab", "--record", "a.arrow", "--quiet"]);
    let before = folder.names();
    let cases: [&[&str]; 3] = [
        &["fmt", "a.vfl"],
        &["plot", "a.arrow", "ball.position", "--out", "a.svg"],
        &["examples", "bouncing_ball", "--copy"],
    ];
    for arguments in cases {
        let (code, stderr) = limited(&folder, 1, arguments);
        assert_eq!(code, Some(1), "{arguments:?}: {stderr}");
        assert!(stderr.contains("ulimit -f"), "{arguments:?}: {stderr}");
        assert_eq!(folder.names(), before, "{arguments:?}");
    }
    assert_eq!(folder.read("a.vfl"), untidy);
    assert_eq!(folder.read("a.svg"), "precious");
    // A recording is cut, and says so.
    let (code, stderr) = limited(&folder, 16, &["run", "ball.lab", "--record", "b.csv"]);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("b.csv") && stderr.contains("ulimit -f"), "{stderr}");
    assert!(folder.read("b.csv").lines().count() > 10);
}

#[cfg(unix)]
#[test]
fn a_text_keeps_its_mode_and_its_links() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let (untidy, tidy) = library(3);
    let folder = Folder::with("links", &[("a.vfl", &untidy)]);
    let path = |name: &str| folder.0.join(name);
    fs::set_permissions(path("a.vfl"), fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a.vfl", path("link.vfl")).unwrap();
    fine(&folder, &["fmt", "link.vfl"]);
    assert!(fs::symlink_metadata(path("link.vfl")).unwrap().is_symlink());
    assert_eq!(folder.read("a.vfl"), tidy);
    assert_eq!(fs::metadata(path("a.vfl")).unwrap().mode() & 0o777, 0o640);
    assert_eq!(folder.names(), ["a.vfl", "link.vfl"]);
}

#[test]
fn a_session_exports_whole_or_not_at_all() {
    let folder = Folder::with("session", &[("out.vfl", "old = 1\n")]);
    let export = |path: &str| {
        let mut child = command(&folder, &["repl"]);
        child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        let input = format!("f(x) = x^2\nexport \"{path}\"\n");
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes()).unwrap();
        crate::support::finish(child, "the end of the session")
    };
    assert_eq!(export("out.vfl").status.code(), Some(0));
    assert_eq!(folder.read("out.vfl"), "f(x) = x^2\n");
    let refused = export("no/out.vfl");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("there is no such folder"));
    assert_eq!(folder.names(), ["out.vfl"]);
}

/// Rights mean nothing to root, who gives them up for this test.
#[cfg(target_os = "linux")]
#[test]
fn a_folder_that_may_not_be_written_to_is_an_error_before_anything_changes() {
    use std::os::unix::fs::PermissionsExt;
    let (untidy, _) = library(3);
    let folder = Folder::with("rights", &[("a.vfl", &untidy)]);
    let own = command(&folder, &["fmt", "a.vfl"]);
    let is_root = output(Command::new("id").arg("-u")).stdout == b"0\n";
    let mut unprivileged = Command::new("setpriv");
    unprivileged.args(["--reuid=65534", "--regid=65534", "--clear-groups"]).arg(own.get_program());
    let mut own = if is_root { unprivileged } else { Command::new(own.get_program()) };
    own.current_dir(&folder.0).stdin(Stdio::null()).args(["fmt", "a.vfl"]);
    let set = |path: &str, mode| fs::set_permissions(folder.0.join(path), fs::Permissions::from_mode(mode));
    for (folder_mode, file_mode, why) in [(0o555, 0o666, "into its folder"), (0o777, 0o444, "to change it")] {
        set(".", folder_mode).unwrap();
        set("a.vfl", file_mode).unwrap();
        let output = output(&mut own);
        let stderr = String::from_utf8_lossy(&output.stderr);
        set(".", 0o755).unwrap();
        if is_root && (stderr.contains("setpriv") || stderr.contains("cannot be read")) {
            eprintln!("left out: the program cannot be run without the rights of root here: {stderr}");
            return;
        }
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("a.vfl cannot be written") && stderr.contains(why), "{stderr}");
        assert_eq!(folder.read("a.vfl"), untidy);
        assert_eq!(folder.names(), ["a.vfl"]);
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_to_read() {
    let folder = Folder::with("fifo", &[("ball.lab", &format!("import \"pipe.vfl\"\n{BALL}"))]);
    let made = Command::new("mkfifo").arg(folder.0.join("pipe.vfl")).status().unwrap();
    assert!(made.success());
    for (code, arguments) in [
        (1, &["check", "ball.lab"][..]),
        (1, &["run", "ball.lab", "--record", "a.csv"]),
        (2, &["check", "pipe.vfl"]),
        (2, &["fmt", "pipe.vfl"]),
        (1, &["eval", "--import", "pipe.vfl", "1"]),
    ] {
        let stderr = refused(&folder, code, arguments);
        assert!(stderr.contains("pipe or a device"), "{arguments:?}: {stderr}");
    }
    assert_eq!(folder.names(), ["ball.lab", "pipe.vfl"]);
    // What is open already is read.
    let mut check = command(&folder, &["check", "/dev/stdin"]);
    let mut child =
        check.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"f(x) = x\n").unwrap();
    let output = crate::support::finish(child, "the end of the check of standard input");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
}

//! A full disk leaves the old file or the new one, and recordings that can be read.

use super::texts::library;
use super::{fine, frames};
use crate::support::{BALL, Folder, outcome};
use std::process::Command;

/// A small disk in memory, gone when the test ends.
struct SmallDisk(Folder);

impl SmallDisk {
    /// Returns a disk of so many KiB, or `None` where only root may make one.
    #[allow(clippy::print_stdout, reason = "a test that is left out says so")]
    fn new(name: &str, kib: u32) -> Option<Self> {
        let folder = Folder::new(name);
        let size = format!("size={kib}k");
        let mounted =
            Command::new("mount").args(["-t", "tmpfs", "-o", &size, "none"]).arg(&folder.0).output();
        if mounted.is_ok_and(|output| output.status.success()) {
            return Some(Self(folder));
        }
        println!("left out: a small disk needs the rights of root, and a kernel that lets it mount");
        None
    }

    /// Fills the disk but for so many KiB.
    fn fill_but(&self, kib: usize) {
        let filler = [0; 4096];
        let path = self.0.0.join("filler");
        let mut file = std::fs::File::create(&path).unwrap();
        while std::io::Write::write_all(&mut file, &filler).is_ok() {}
        let length = file.metadata().unwrap().len();
        file.set_len(length - (kib as u64) * 1024).unwrap();
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn whole_files_are_old_or_new() {
    let Some(disk) = SmallDisk::new("full-texts", 1024) else { return };
    let folder = &disk.0;
    let (untidy, tidy) = library(3000);
    folder.write("a.vfl", &untidy);
    folder.write("ball.lab", BALL);
    folder.write("a.svg", "precious");
    fine(folder, &["run", "ball.lab", "--record", "a.arrow", "--quiet"]);
    disk.fill_but(0);
    let before = folder.names();
    let cases: [&[&str]; 3] = [
        &["fmt", "a.vfl"],
        &["plot", "a.arrow", "ball.position", "--out", "a.svg"],
        &["new", "ramp", "--from", "double_pendulum"],
    ];
    for arguments in cases {
        let (code, _, stderr) = outcome(folder, arguments);
        assert_eq!(code, 1, "{arguments:?}: {stderr}");
        assert!(stderr.contains("the disk is full"), "{arguments:?}: {stderr}");
        assert_eq!(folder.names(), before, "{arguments:?}");
    }
    assert_eq!(folder.read("a.vfl"), untidy);
    assert_eq!(folder.read("a.svg"), "precious");
    std::fs::remove_file(folder.0.join("filler")).unwrap();
    fine(folder, &["fmt", "a.vfl"]);
    assert_eq!(folder.read("a.vfl"), tidy);
}

#[cfg(target_os = "linux")]
#[test]
fn recordings_are_cut_where_the_disk_was_full() {
    let Some(disk) = SmallDisk::new("full-recordings", 1024) else { return };
    let folder = &disk.0;
    folder.write("ball.lab", BALL);
    fine(folder, &["run", "ball.lab", "--record", "old.arrow", "--quiet"]);
    for (name, left) in [("new.arrow", "new.arrow"), ("old.arrow", "old.arrow.part")] {
        disk.fill_but(200);
        let (code, stdout, stderr) =
            outcome(folder, &["run", "ball.lab", "--until", "1e4", "--record", name]);
        assert_eq!(code, 1, "{stderr}");
        assert!(stderr.contains("arrow cannot be written: the disk is full"), "{stderr}");
        assert!(stdout.contains(&format!("cut short: {left}")), "{stdout}");
        std::fs::remove_file(folder.0.join("filler")).unwrap();
        assert!(frames(folder, left) > 64, "what was recorded can be read");
    }
    assert_eq!(frames(folder, "old.arrow"), 361, "nothing is replaced by less");
}

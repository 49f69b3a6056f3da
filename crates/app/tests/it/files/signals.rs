//! Signals and exit codes: a run that was cut does not look like a whole one.

use super::ball;
use crate::support::{BALL, Folder, command, finish, outcome, signal, start, wait_until};
use std::process::{Child, Stdio};

/// Waits until a process has its own answer to a signal: one that comes earlier ends it by the system's.
#[cfg(target_os = "linux")]
fn wait_for_handlers(child: &Child) {
    wait_until("handlers of SIGINT and SIGTERM", || {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0);
        // Bit 0 is signal 1; these are signals 2 and 15.
        caught & (1 << 1) != 0 && caught & (1 << 14) != 0
    });
}

const CODES: [(&str, i32); 2] = [("INT", 130), ("TERM", 143)];

#[cfg(target_os = "linux")]
#[test]
fn commands_that_compute_end_with_the_number_of_the_signal() {
    let folder = ball("codes");
    let long: [&[&str]; 5] = [
        &["run", "ball.lab", "--until", "1e6"],
        &["trace", "ball.lab", "--until", "1e5", "--limit", "1"],
        &["plot", "ball.lab", "--until", "1e5", "--out", "a.svg"],
        &["export", "ball.lab", "--until", "1e5", "a.csv"],
        &["accuracy"],
    ];
    for (arguments, (name, code)) in long.into_iter().flat_map(|it| CODES.map(|code| (it, code))) {
        let child = start(&folder, arguments);
        wait_for_handlers(&child);
        signal(&child, name);
        let output = finish(child, &format!("the end of {arguments:?} after {name}"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
    }
}

/// A pipe that nobody reads: the first signal ends the wait, and no file is left beside it.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_waits_for_the_reader_of_a_pipe_hears_the_first_signal() {
    let folder = ball("unread_pipe");
    assert!(std::process::Command::new("mkfifo").arg(folder.0.join("pipe.csv")).status().unwrap().success());
    let names = folder.names();
    for (arguments, (name, code)) in [
        &["run", "ball.lab", "--record", "a.arrow", "--record", "pipe.csv"][..],
        &[
            "sweep",
            "ball.lab",
            "--over",
            "restitution=0.1:0.5:0.1",
            "--collect",
            "ball.position",
            "--record",
            "pipe.csv",
        ],
    ]
    .into_iter()
    .flat_map(|it| CODES.map(|code| (it, code)))
    {
        let mut child = start(&folder, arguments);
        wait_for_handlers(&child);
        // Long enough to come to the pipe: it waits there for ever.
        std::thread::sleep(std::time::Duration::from_millis(500));
        assert!(child.try_wait().unwrap().is_none(), "{arguments:?} waits");
        signal(&child, name);
        let output = finish(child, &format!("the end of {arguments:?} after {name}"));
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {stderr}");
        assert_eq!(folder.names(), names, "{arguments:?}");
    }
}

/// Commands that wait for their input; sessions end without a failure.
#[cfg(target_os = "linux")]
#[test]
fn commands_that_wait_end_alike_and_sessions_end_well() {
    let folder = ball("waiting");
    for (arguments, is_session) in
        [(&["fmt", "-"][..], false), (&["check", "/dev/stdin"], false), (&["repl"], true)]
    {
        for (name, code) in CODES {
            let mut command = command(&folder, arguments);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            let open = child.stdin.take();
            wait_for_handlers(&child);
            signal(&child, name);
            let output = finish(child, &format!("the end of {arguments:?} after {name}"));
            assert_eq!(output.status.code(), Some(if is_session { 0 } else { code }), "{arguments:?}");
            drop(open);
        }
    }
}

#[cfg(unix)]
#[test]
fn a_cut_run_has_no_fingerprint_and_an_interruption_beats_a_failed_measure() {
    let measure = "measure wrong {\n    of = {ball}\n    value = v . v\n    at = 0.5\n    expected = 0\n\
                   \u{20}   tolerance = 1e-9\n}\n";
    let folder = Folder::with("cut", &[("ball.lab", &format!("{BALL}\n{measure}"))]);
    assert_eq!(outcome(&folder, &["run", "ball.lab", "--until", "1"]).0, 1, "the measure fails");
    let child = start(&folder, &["run", "ball.lab", "--until", "1e6", "--hash", "--record", "a.csv"]);
    wait_until("some frames", || folder.size("a.csv") > 10_000);
    signal(&child, "INT");
    let output = finish(child, "the end of the interrupted run");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(130), &b""[..]), "{stderr}");
    let so_far = stderr.trim_end().rsplit(' ').next().unwrap();
    assert!(so_far.len() == 16 && u64::from_str_radix(so_far, 16).is_ok(), "{stderr}");
    assert!(stderr.contains("(interrupted)") && stderr.contains(" of 1000000 is kept"), "{stderr}");

    let fails =
        BALL.replace("v = v0 + a * (t - t0)", "v = v0 + a * ((t - t0) / (if t == 0.5 then 0 else 1))");
    folder.write("fails.lab", &fails);
    let (code, stdout, stderr) = outcome(&folder, &["run", "fails.lab", "--hash"]);
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.contains("(failed)") && stderr.contains("its fingerprint there is"), "{stderr}");
}

//! A run that diverges says so while it goes on, on the terminal and in the page.

use crate::support::lab::Lab;
use crate::support::{Folder, command, finish, first_line};
use serde_json::json;
use std::process::Stdio;

/// A spring that steps of a tenth make explode, until something brings it to rest; the run takes hours.
const SPRING: &str = "object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = {
        position = [1, 0, 0]
        size = 0.1
        v = [0, 0, 0]
    }
}
rule spring {
    writes = {position, v}
    functions = {
        v = decay * (previous(v) - dt * 10000 * previous(position))
        position = decay * (previous(position) + dt * previous(v))
        decay = if t < 3 then 1 else 1e-9
    }
}
simulation {
    name = s
    mechanics = workflow
    workflow = spring
    duration = 1e6
    frame rate = 1
    time step = 0.1
}
";

#[test]
fn the_terminal_says_that_a_motion_diverges_while_it_goes_on() {
    let folder = Folder::with("diverges", &[("spring.lab", SPRING)]);
    let run = ["run", "spring.lab"];
    let mut child = command(&folder, &run).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (line, stderr) = first_line(child.stderr.take().unwrap(), "a word about the divergence");
    child.stderr = Some(stderr);
    assert!(line.starts_with("notice (at t = ") && line.contains("`ball` diverges"), "{line}");
    assert!(child.try_wait().unwrap().is_none(), "the run goes on");
    child.kill().unwrap();
    finish(child, "the end of a run that was killed");
}

#[test]
fn the_page_is_told_that_a_motion_diverges_while_it_goes_on() {
    let folder = Folder::new("diverges_page");
    let lab = Lab::start(&folder, &["."]);
    let mut wire = lab.welcomed();
    let origin = json!({ "from": "page" });
    let edit = json!({ "type": "edit", "revision": 1, "origin": origin, "text": SPRING, "settings": [] });
    assert!(wire.say(&edit.to_string()));
    assert_eq!(wire.expect_reply("checked")["sound"], json!(true));
    let run = json!({ "type": "run", "run": 1, "revision": 1, "simulation": null, "coarse": false });
    assert!(wire.say(&run.to_string()));
    let warned = wire.expect_reply("warned");
    assert!(warned["message"].as_str().unwrap().contains("`ball` diverges"), "{warned}");
    assert!(wire.say(&json!({ "type": "cancel", "run": 1 }).to_string()));
    let ended = wire.expect_reply("ended");
    assert_eq!((&ended["ending"]["how"], &ended["notices"][0]), (&json!("cancelled"), &warned["message"]));
}

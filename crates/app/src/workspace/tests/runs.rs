//! Runs: begun, replaced, cancelled, failed, bounded; and the same as any other run.

use super::support::{LIMITS, Message, TestPage, drifting, gallery, plain_hash};
use crate::workspace::Limits;
use serde_json::json;
use std::time::Duration;

fn ended(told: &[Message]) -> &serde_json::Value {
    let last = told.last().unwrap();
    assert!(last.is("ended"), "{last:?}");
    last.json()
}

#[test]
fn the_hash_is_that_of_the_plain_run() {
    let mut page = TestPage::new(LIMITS);
    let names = ["bouncing_ball", "newtons_cradle", "kepler", "spinning_bounce", "workflow_orbit"];
    for (k, name) in names.into_iter().enumerate() {
        let k = k as u32;
        assert_eq!(page.edit(k, gallery(name), &[])["sound"], true, "{name}");
        let told = page.whole(k, k);
        assert_eq!(ended(&told)["hash"], plain_hash(gallery(name)), "{name}");
    }
}

#[test]
fn a_stale_revision_does_not_run() {
    let mut page = TestPage::new(LIMITS);
    page.edit(1, gallery("bouncing_ball"), &[]);
    page.edit(2, gallery("bouncing_ball"), &[]);
    page.run(1, 1);
    page.run(2, 3);
    let told = page.listen(Duration::from_millis(200));
    assert!(told.iter().all(|it| it.is("checked")), "{told:?}");
}

#[test]
fn cancelled_runs_say_so_and_stay_readable() {
    let mut page = TestPage::new(LIMITS);
    page.edit(1, &drifting("t", 1e5), &[]);
    page.run(3, 1);
    page.wait("progress", |it| it.is("progress"));
    page.ask(json!({"type": "cancel", "run": 2}));
    page.ask(json!({"type": "cancel", "run": 3}));
    let end = page.wait("ended", |it| it.is("ended")).json().clone();
    assert_eq!(end["ending"]["how"], "cancelled");
    let frames = end["frames"].as_u64().unwrap();
    assert!(frames > 1 && frames < 6_000_000);
    let look =
        json!({"type": "values", "id": 1, "run": 3, "moment": {"at": "time", "time": 0.5}, "object": "ball"});
    assert!(page.answer(1, look).is("values"));
}

#[test]
fn a_new_run_silences_the_one_before() {
    let mut page = TestPage::new(LIMITS);
    page.edit(1, &drifting("t", 1e5), &[]);
    page.run(1, 1);
    page.wait("started", |it| it.is("started"));
    page.edit(2, gallery("bouncing_ball"), &[]);
    page.run(2, 2);
    page.wait("ended", |it| it.is("ended") && it.json()["run"] == 2);
    let from = page.heard.iter().position(|it| it.is("started") && it.json()["run"] == 2).unwrap();
    let told = page.listen(Duration::from_millis(200));
    assert!(told[from..].iter().all(|it| it.json()["run"] == 2));
}

#[test]
fn a_law_that_fails_keeps_what_was_before() {
    let mut page = TestPage::new(LIMITS);
    let text = drifting("sqrt(1.5 - t)", 4.0);
    assert_eq!(page.edit(1, &text, &[])["sound"], true);
    let told = page.whole(1, 1);
    let end = ended(&told);
    assert_eq!(end["ending"]["how"], "failed");
    let place = &end["ending"]["problem"]["place"];
    let at = |key: &str| place[key].as_u64().unwrap() as usize;
    assert!("sqrt(1.5 - t)".contains(&text[at("start")..at("end")]) && at("end") > at("start"), "{end}");
    // Frames at k / 60, and none after 1.5.
    let frames = end["frames"].as_u64().unwrap();
    assert!((80..=91).contains(&frames), "{frames}");
    let question = json!({"type": "read", "id": 2, "run": 1, "formulas": ["ball.position#1"], "from": 0.0,
        "to": 9.0, "most": 1000, "events": false});
    let columns = page.answer(2, question);
    assert_eq!(columns.json()["series"][0]["points"].as_u64(), Some(frames));
}

#[test]
fn bounds_end_a_run_with_the_way_out() {
    for limits in [Limits { seconds: 0.05, ..LIMITS }, Limits { bytes: 100_000, ..LIMITS }] {
        let mut page = TestPage::new(limits);
        page.edit(1, &drifting("t", 1e5), &[]);
        let told = page.whole(1, 1);
        let end = ended(&told);
        assert_eq!(end["ending"]["how"], "bounded");
        let why = end["ending"]["why"].as_str().unwrap();
        assert!(why.contains("`duration`") && why.contains("gedanken run"), "{why}");
        assert!(end["frames"].as_u64().unwrap() > 0);
    }
}

/// The time of a run may be over in the middle of one evaluation, of which it may not be the only one.
#[test]
fn the_time_limit_acts_within_an_evaluation() {
    let slow = "object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 1]  size = 0.1 } }
context { name = slow  type = free fall
    functions = { f(n) = if n < 2 then n else f(n - 1) + f(n - 2)  position = [0, 0, 1 + 0 * f(28) * t] } }
simulation { name = s  duration = 1000 }
";
    let mut page = TestPage::new(Limits { seconds: 0.3, ..LIMITS });
    let checked = page.edit(1, &slow.replace("  ", "\n"), &[]);
    assert_eq!(checked["sound"], true, "{checked}");
    let told = page.whole(1, 1);
    let end = ended(&told);
    assert_eq!(end["ending"]["how"], "bounded", "{end}");
    assert!(end["ending"]["why"].as_str().unwrap().contains("after 0.3 seconds"), "{end}");
}

#[test]
fn only_the_last_two_recordings_are_kept() {
    let mut page = TestPage::new(LIMITS);
    page.edit(1, gallery("bouncing_ball"), &[]);
    for run in 1..=3 {
        page.whole(run, 1);
    }
    for (run, answer) in [(1, "refused"), (2, "list"), (3, "list"), (4, "refused")] {
        let question = json!({"type": "events", "id": 10 + run, "run": run, "skip": 0, "most": 5,
            "filter": {"kinds": [], "from": null, "to": null, "objects": []}});
        assert!(page.answer(10 + run, question).is(answer), "run {run}");
    }
}

#[test]
fn a_coarse_run_has_fewer_frames_and_the_same_events() {
    let mut page = TestPage::new(LIMITS);
    page.edit(1, gallery("bouncing_ball"), &[]);
    page.ask(json!({"type": "run", "run": 1, "revision": 1, "simulation": "drop", "coarse": true}));
    let end = page.wait("ended", |it| it.is("ended")).json().clone();
    assert_eq!((end["frames"].as_u64(), end["events"].as_u64()), (Some(121), Some(11)));
    let started = page.wait("started", |it| it.is("started")).json().clone();
    assert_eq!(
        (started["coarse"].as_bool(), started["scene"]["frame_rate"].as_f64()),
        (Some(true), Some(20.0))
    );
}

#[test]
fn a_simulation_that_is_not_there_leads_to_one_that_is() {
    let mut page = TestPage::new(LIMITS);
    page.edit(1, gallery("bouncing_ball"), &[]);
    page.ask(json!({"type": "run", "run": 1, "revision": 1, "simulation": "dorp", "coarse": false}));
    let end = page.wait("ended", |it| it.is("ended")).json().clone();
    assert_eq!(end["ending"]["problem"]["help"], "did you mean `drop`?");
}

#[test]
fn two_desks_do_not_know_each_other() {
    let (mut one, mut other) = (TestPage::new(LIMITS), TestPage::new(LIMITS));
    one.edit(1, gallery("bouncing_ball"), &[]);
    other.edit(1, gallery("bouncing_ball"), &["restitution=0.5"]);
    one.run(1, 1);
    other.run(1, 1);
    let [a, b] = [&mut one, &mut other].map(|it| it.wait("ended", |it| it.is("ended")).json().clone());
    assert_eq!(a["hash"], plain_hash(gallery("bouncing_ball")));
    assert_ne!(a["hash"], b["hash"]);
    assert!(b["events"].as_u64() > a["events"].as_u64(), "smaller bounces follow faster");
}

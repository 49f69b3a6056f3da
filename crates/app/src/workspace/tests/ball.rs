//! The bouncing ball, whose every bounce is known in closed form.

use super::support::{LIMITS, Message, TestPage, gallery, narrow_reals, reals};
use serde_json::json;

/// When the ball bounces: it falls 4.5 from rest, and each flight after bounce k lasts 2 e^k v / g.
fn bounces() -> Vec<f64> {
    let (g, e, height) = (9.81f64, 0.8f64, 4.5f64);
    let speed = (2.0 * g * height).sqrt();
    let mut times = vec![speed / g];
    let mut after = speed;
    while times.last().copied().unwrap_or_default() < 6.0 {
        after *= e;
        let last = times.last().copied().unwrap_or_default();
        times.push(last + 2.0 * after / g);
    }
    times.pop();
    times
}

fn told() -> (TestPage, Vec<Message>) {
    let mut page = TestPage::new(LIMITS);
    let checked = page.edit(1, gallery("bouncing_ball"), &[]);
    assert_eq!(checked["sound"], true);
    assert_eq!(checked["simulations"], json!(["drop"]));
    let told = page.whole(7, 1);
    (page, told)
}

#[test]
fn a_run_tells_scene_poses_events_and_end() {
    let (_, told) = told();
    let started = told.iter().find(|it| it.is("started")).unwrap().json();
    let scene = &started["scene"];
    assert_eq!((scene["simulation"].as_str(), scene["frames"].as_u64()), (Some("drop"), Some(360)));
    assert_eq!(scene["stride"], 1);
    let names: Vec<&str> =
        scene["bodies"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ball", "floor"]);
    assert_eq!(scene["bodies"][0]["moves"], 0);
    assert!(scene["bodies"][1]["moves"].is_null());
    assert_eq!(scene["bodies"][0]["shape"], json!({"kind": "sphere", "radius": 0.5}));
    assert_eq!(scene["bodies"][1]["shape"], json!({"kind": "cuboid", "size": [50.0, 50.0, 1.0]}));
    assert_eq!(scene["bodies"][0]["pose"], json!([0.0, 0.0, 5.0, 1.0, 0.0, 0.0, 0.0]));

    // Poses: every frame once, in order; x = t, and z at rest at first: z = 5 - g t² / 2.
    let mut next = 0;
    for chunk in told.iter().filter(|it| it.is("poses")) {
        let Message::Chunk { head, numbers } = chunk else { panic!("poses are a chunk") };
        assert_eq!(head["first"].as_u64(), Some(next));
        let frames = head["frames"].as_u64().unwrap();
        let poses = narrow_reals(numbers);
        assert_eq!(poses.len() as u64, frames * 7);
        for (k, pose) in poses.chunks_exact(7).enumerate() {
            let t = (next + k as u64) as f64 / 60.0;
            assert!((f64::from(pose[0]) - t).abs() < 1e-5, "frame {k} after {next}");
            if t < 0.9 {
                assert!((f64::from(pose[2]) - (5.0 - 9.81 / 2.0 * t * t)).abs() < 1e-5);
            }
            assert_eq!(pose[3..], [1.0, 0.0, 0.0, 0.0]);
        }
        next += frames;
    }
    assert_eq!(next, 361);

    let ended = told.last().unwrap().json();
    assert_eq!(ended["ending"]["how"], "complete");
    assert_eq!((ended["frames"].as_u64(), ended["time"].as_f64()), (Some(361), Some(6.0)));
    assert_eq!(ended["verdicts"][0]["name"], "apex");
    assert_eq!(ended["verdicts"][0]["ok"], true);
    assert!(ended["took"].as_f64().unwrap() > 0.0);
}

#[test]
fn bounces_come_when_they_must() {
    let (_, told) = told();
    let happened: Vec<serde_json::Value> = told
        .iter()
        .filter(|it| it.is("happened"))
        .flat_map(|it| it.json()["events"].as_array().unwrap().clone())
        .collect();
    let collisions: Vec<f64> = happened
        .iter()
        .filter(|it| it["kind"] == "collision")
        .map(|it| it["time"].as_f64().unwrap())
        .collect();
    let expected = bounces();
    assert_eq!(collisions.len(), expected.len());
    for (found, expected) in collisions.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
    for (k, event) in happened.iter().enumerate() {
        assert_eq!(event["index"], k);
    }
    let first = happened.iter().find(|it| it["kind"] == "collision").unwrap();
    let point: Vec<f64> = first["point"].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
    assert!((point[0] - expected[0]).abs() < 1e-9 && point[2].abs() < 1e-9, "{point:?}");
}

#[test]
fn the_first_bounce_turns_the_speed() {
    let (mut page, told) = told();
    let first = told
        .iter()
        .filter(|it| it.is("happened"))
        .flat_map(|it| it.json()["events"].as_array().unwrap())
        .find(|it| it["kind"] == "collision")
        .unwrap()["index"]
        .clone();
    let answer = page.answer(3, json!({"type": "event", "id": 3, "run": 7, "index": first}));
    let rows = answer.json()["rows"].as_array().unwrap();
    let v = rows.iter().find(|it| it["formula"] == "ball.v").unwrap();
    let z = |side: &str| v[side]["scalars"][2].as_f64().unwrap();
    let speed = (2.0f64 * 9.81 * 4.5).sqrt();
    assert!((z("before") + speed).abs() < 1e-9 && (z("after") - 0.8 * speed).abs() < 1e-9);
    assert_eq!(v["changed"], true);
    let size = rows.iter().find(|it| it["formula"] == "ball.size").unwrap();
    assert_eq!(size["changed"], false);
    assert_eq!(size["before"]["text"], "0.5");
    let t0 = rows.iter().find(|it| it["formula"] == "ball.t0").unwrap();
    assert!(t0["before"].is_null() && t0["context"] == "flight" && t0["changed"] == false, "{t0}");
    assert!(rows.iter().any(|it| it["owner"] == "measure" && it["name"] == "apex"));
    let given = answer.json()["given"].as_array().unwrap();
    let normal = given.iter().find(|it| it["owner"] == "ball").unwrap();
    assert_eq!(normal["name"], "collisionNormal");
    assert_eq!(normal["after"]["scalars"], json!([0.0, 0.0, 1.0]));
    let v_in = given.iter().find(|it| it["formula"] == "ball.v_in").unwrap();
    assert_eq!((v_in["context"].as_str(), v_in["after"]["scalars"][0].as_f64()), (Some("bounce"), Some(1.0)));

    // Just before and just after are also to be looked at.
    for (at, expected) in [("before", -speed), ("after", 0.8 * speed)] {
        let moment = json!({"at": at, "event": first});
        let question = json!({"type": "values", "id": 4, "run": 7, "moment": moment, "object": "ball"});
        let values = page.answer(4, question);
        let rows = values.json()["rows"].as_array().unwrap();
        let v = rows.iter().find(|it| it["name"] == "v" && it["context"].is_null()).unwrap();
        assert!((v["after"]["scalars"][2].as_f64().unwrap() - expected).abs() < 1e-9);
        page.heard.clear();
    }
}

#[test]
fn formulas_are_read_with_both_sides_of_events() {
    let (mut page, _) = told();
    let formulas = ["ball.v#3", "0.5 * norm(ball.v)^2 + 9.81 * ball.position#3", "ball.velocity"];
    let question = json!({"type": "read", "id": 9, "run": 7, "formulas": formulas, "from": 0.0, "to": 6.0,
        "most": 10000, "events": true});
    let Message::Chunk { head, numbers } = page.answer(9, question) else { panic!("columns are a chunk") };
    let series = head["series"].as_array().unwrap();
    let labels: Vec<&str> = series.iter().map(|it| it["label"].as_str().unwrap()).collect();
    assert_eq!(labels[..1], ["ball.v#3"]);
    assert_eq!(labels[2], "ball.velocity");
    let points = series[0]["points"].as_u64().unwrap() as usize;
    let reals = reals(&numbers);
    let (times, values) = (&reals[..points], &reals[points..2 * points]);
    let bounce = bounces()[0];
    let sides: Vec<f64> = times
        .iter()
        .zip(values)
        .filter(|(time, _)| (**time - bounce).abs() < 1e-9)
        .map(|(_, value)| *value)
        .collect();
    let speed = 9.81 * bounce;
    let low = sides.iter().copied().fold(f64::INFINITY, f64::min);
    let high = sides.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    assert!((low + speed).abs() < 1e-9 && (high - 0.8 * speed).abs() < 1e-9, "{sides:?}");
    // The energy is the same until the bounce, for one kilogram: 0.5 + g 5.
    let energy = &reals[2 * points..];
    let count = series[1]["points"].as_u64().unwrap() as usize;
    let before = energy[..count].iter().zip(&energy[count..]).filter(|(time, _)| **time < bounce - 1e-6);
    for (time, value) in before {
        assert!((value - (0.5 + 9.81 * 5.0)).abs() < 1e-9, "{time}");
    }
    assert_eq!(series[2]["points"], 0);
    assert!(series[2]["problem"].as_str().unwrap().contains("ball.v"), "{}", series[2]);
}

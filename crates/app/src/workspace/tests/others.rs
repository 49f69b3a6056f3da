//! Requests about the library, and invalid requests.

use super::support::{LIMITS, TestPage, gallery};
use serde_json::json;

#[test]
fn who_has_not_shown_the_secret_does_not_save() {
    let mut page = TestPage::new(LIMITS);
    let question = json!({"type": "save", "id": 1, "name": "x.lab", "text": "", "base": null});
    let answer = page.answer(1, question).json().clone();
    assert!(answer["why"].as_str().unwrap().contains("only the secret of the lab"), "{answer}");
}

#[test]
fn previews_show_start_and_paths() {
    let mut page = TestPage::new(LIMITS);
    let origin = json!({"from": "gallery", "name": "bouncing_ball"});
    let ask = |id: u32| json!({"type": "preview", "id": id, "origin": origin});
    let first = page.answer(1, ask(1)).json().clone();
    assert_eq!(first["scene"]["bodies"][0]["name"], "ball");
    let path: Vec<f64> =
        first["paths"][0].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
    assert!(path.len() >= 6 && path.len() <= 300);
    // It moves along x as time goes, and never below the floor.
    for (k, point) in path.chunks_exact(3).enumerate() {
        assert!((k == 0) == (point[0] == 0.0) && point[2] > 0.499);
    }
    assert_eq!(first["paths"][1], json!([]));
    let again = page.answer(2, ask(2)).json().clone();
    assert_eq!((&first["scene"], &first["paths"]), (&again["scene"], &again["paths"]));
    let none =
        page.answer(3, json!({"type": "preview", "id": 3, "origin": {"from": "gallery", "name": "no"}}));
    assert!(none.is("refused"));
}

#[test]
fn odd_numbers_are_answered() {
    let mut page = TestPage::new(LIMITS);
    page.edit(u32::MAX, gallery("bouncing_ball"), &[]);
    page.whole(u32::MAX, u32::MAX);
    let (run, revision, most) = (u32::MAX, u32::MAX, u32::MAX);
    let questions = [
        json!({"type": "poses", "id": 0, "run": run, "first": most, "last": most, "stride": most}),
        json!({"type": "poses", "id": 0, "run": run, "first": 0, "last": most, "stride": 0}),
        json!({"type": "read", "id": 0, "run": run, "formulas": ["", "1 / (t - t)", "ball.v", "t#1", "\u{0}"],
            "from": 1e308, "to": -1e308, "most": 0, "events": true}),
        json!({"type": "read", "id": 0, "run": run, "formulas": ["1 / (t - 1)"],
            "from": -1e308, "to": 1e308, "most": most, "events": false}),
        json!({"type": "values", "id": 0, "run": run, "moment": {"at": "time", "time": 1e308}, "object": null}),
        json!({"type": "values", "id": 0, "run": run, "moment": {"at": "after", "event": most}, "object": "ball"}),
        json!({"type": "event", "id": 0, "run": run, "index": most}),
        json!({"type": "events", "id": 0, "run": run, "skip": most, "most": most,
            "filter": {"kinds": [], "from": 1e308, "to": -1e308, "objects": []}}),
        json!({"type": "hover", "id": 0, "revision": revision, "at": most}),
        json!({"type": "complete", "id": 0, "revision": revision, "at": most}),
        json!({"type": "evaluate", "id": 0, "input": "\u{0}("}),
        json!({"type": "open", "id": 0, "origin": {"from": "page"}}),
    ];
    for question in questions {
        page.heard.clear();
        let answer = page.answer(0, question.clone()).json().to_string();
        assert!(!answer.contains("internal error"), "{question} {answer}");
    }
}

#[test]
fn a_formula_that_fails_somewhere_says_when() {
    let mut page = TestPage::new(LIMITS);
    page.edit(1, gallery("bouncing_ball"), &[]);
    page.whole(1, 1);
    let question = json!({"type": "read", "id": 1, "run": 1, "formulas": ["1 / (t - 1)"], "from": 0, "to": 6,
        "most": 1000, "events": false});
    let answer = page.answer(1, question).json().clone();
    assert_eq!(answer["series"][0]["points"], 361);
    assert!(answer["series"][0]["problem"].as_str().unwrap().contains("t = 1"), "{answer}");
}

#[test]
fn every_experiment_of_the_gallery_has_a_preview() {
    let mut page = TestPage::new(LIMITS);
    for (id, file) in (1..).zip(gedanken_experiment::gallery::experiments()) {
        let origin = json!({"from": "gallery", "name": file.title()});
        let answer = page.answer(id, json!({"type": "preview", "id": id, "origin": origin})).json().clone();
        let bodies =
            answer["scene"]["bodies"].as_array().unwrap_or_else(|| panic!("{}: {answer}", file.name));
        let paths = answer["paths"].as_array().unwrap();
        assert!(!bodies.is_empty() && bodies.len() == paths.len(), "{}", file.name);
        for (body, path) in bodies.iter().zip(paths) {
            assert_eq!(body["moves"].is_null(), *path == json!([]), "{}: {}", file.name, body["name"]);
        }
    }
}

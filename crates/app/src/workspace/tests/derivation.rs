//! Derived equations, as the page gets them.

use super::support::{LIMITS, TestPage, gallery};
use serde_json::{Value, json};

fn derive(page: &mut TestPage, id: u32, revision: u32) -> Value {
    page.answer(id, json!({"type": "derive", "id": id, "revision": revision})).json().clone()
}

fn section<'v>(system: &'v Value, title: &str) -> &'v Value {
    let sections = system["sections"].as_array().unwrap();
    sections.iter().find(|it| it["title"] == title).unwrap_or_else(|| panic!("no {title}: {system}"))
}

#[test]
fn equations_follow_and_what_is_watched_is_recorded() {
    let mut page = TestPage::new(LIMITS);
    page.edit(1, gallery("cart_pole"), &[]);
    let told = page.whole(1, 1);
    let answer = derive(&mut page, 1, 1);
    let systems = answer["systems"].as_array().unwrap();
    assert_eq!((systems.len(), &systems[0]["problem"]), (1, &Value::Null));
    let system = &systems[0];
    // As in any textbook, but for the order of the terms.
    let motion = section(system, "Equations of motion");
    assert_eq!(motion["lines"][1]["text"], "l θ\u{308} + x\u{308} cos(θ) − g sin(θ) = 0");
    assert_eq!(motion["step"], false);
    assert_eq!(section(system, "Momenta")["step"], true);
    for section in system["sections"].as_array().unwrap() {
        for line in section["lines"].as_array().unwrap() {
            let math = line["mathml"].as_str().unwrap();
            assert!(math.starts_with("<math ") && math.contains("data-name"), "{math}");
        }
    }
    // What is conserved has a reason, and every run of the block records it under the name that is told.
    let world =
        json!({"type": "values", "id": 2, "run": 1, "moment": {"at": "time", "time": 0}, "object": null});
    let values = page.answer(2, world).json().clone();
    let recorded: Vec<&str> =
        values["rows"].as_array().unwrap().iter().map(|it| it["name"].as_str().unwrap()).collect();
    let conserved = section(system, "Conserved")["lines"].as_array().unwrap();
    assert_eq!(conserved.len(), 2, "energy, and the momentum along the track");
    for line in conserved {
        assert!(!line["why"].as_str().unwrap().is_empty());
        assert!(recorded.contains(&line["watched"].as_str().unwrap()), "{line} {recorded:?}");
    }
    let started = told.iter().find(|it| it.is("started")).unwrap();
    assert_eq!(system["simulations"], json!([started.json()["scene"]["simulation"]]));
}

#[test]
fn who_states_no_energies_has_no_equations() {
    let mut page = TestPage::new(LIMITS);
    page.edit(1, gallery("bouncing_ball"), &[]);
    assert_eq!(derive(&mut page, 1, 1)["systems"], json!([]));
    let broken = gallery("cart_pole").replace("T =", "T = unknown *");
    page.heard.clear();
    assert_eq!(page.edit(2, &broken, &[])["sound"], false);
    assert_eq!(derive(&mut page, 2, 2)["systems"], json!([]));
    assert_eq!(derive(&mut page, 3, 1)["type"], "refused", "that text has gone");
}

/// Whoever asks is answered, however fast texts change; the last one is derived.
#[test]
fn every_question_is_answered() {
    let mut page = TestPage::new(LIMITS);
    for revision in 1..=20 {
        page.edit(revision, gallery("double_pendulum"), &[]);
        page.ask(json!({"type": "derive", "id": revision, "revision": revision}));
    }
    for id in 1..=20 {
        let answer = page.wait("the answer to request id", |it| it.json()["id"] == id);
        assert!(answer.is("derived") || answer.json()["why"].as_str().unwrap().contains("changed"));
    }
    let last = page.wait("the answer to request 20", |it| it.json()["id"] == 20);
    assert_eq!(last.json()["systems"].as_array().unwrap().len(), 1);
}

//! The text: what is wrong with it, where, and what it says.

use super::support::{LIMITS, TestPage, gallery};
use serde_json::{Value, json};
use std::time::Duration;

/// What stands at a place of a text that counts in UTF-16 code units.
fn slice(text: &str, place: &Value) -> String {
    let units: Vec<u16> = text.encode_utf16().collect();
    let at = |key: &str| place[key].as_u64().unwrap() as usize;
    String::from_utf16(&units[at("start")..at("end")]).unwrap()
}

#[test]
fn broken_text_has_problems_and_no_run() {
    let mut page = TestPage::new(LIMITS);
    // What stands before it counts differently in bytes, characters and code units.
    let text =
        format!("// größer 𝛼\n{}", gallery("bouncing_ball").replace("v = v0 + a", "v = v0 + acceleration"));
    let checked = page.edit(4, &text, &[]);
    assert_eq!((checked["sound"].as_bool(), checked["revision"].as_u64()), (Some(false), Some(4)));
    assert_eq!(checked["simulations"], json!([]));
    let problems = checked["problems"].as_array().unwrap();
    assert_eq!(problems.len(), 1, "{problems:?}");
    let problem = &problems[0];
    assert_eq!(problem["is_error"], true);
    assert!(problem["code"].as_str().unwrap().starts_with('E'));
    assert!(problem["explanation"].as_str().unwrap().len() > 40);
    assert_eq!(slice(&text, &problem["place"]), "acceleration");
    assert!(problem["place"]["source"].is_null());
    let line = 1 + text[..text.rfind("+ acceleration").unwrap()].matches('\n').count();
    assert_eq!(problem["place"]["line"], line);

    page.run(1, 4);
    let told = page.listen(Duration::from_millis(200));
    assert!(told.iter().all(|it| it.is("checked")), "{told:?}");
}

#[test]
fn settings_are_taken_and_their_problems_say_which() {
    let mut page = TestPage::new(LIMITS);
    let text = gallery("bouncing_ball");
    assert_eq!(page.edit(1, text, &["restitution=0.5", "ball.v=[0, 0, 0]"])["sound"], true);
    page.heard.clear();
    for (setting, source) in
        [("restitution=[1, 2]", "restitution"), ("ball.w=1", "ball.w"), ("restitution", "restitution")]
    {
        let checked = page.edit(2, text, &[setting]);
        assert_eq!(checked["sound"], false, "{setting}");
        assert_eq!(checked["problems"][0]["place"]["source"], source, "{checked}");
        assert!(checked["problems"][0]["edit"].is_null(), "the page cannot write there");
        page.heard.clear();
    }
}

#[test]
fn numbers_and_formulas_are_where_they_stand() {
    let mut page = TestPage::new(LIMITS);
    let text = format!("// 𝛼\n{}", gallery("bouncing_ball"));
    let checked = page.edit(1, &text, &[]);
    let numbers = checked["numbers"].as_array().unwrap();
    let restitution = numbers.iter().find(|it| it["label"] == "restitution").unwrap();
    assert_eq!((slice(&text, restitution).as_str(), restitution["value"].as_f64()), ("0.8", Some(0.8)));
    assert_eq!(slice(&text, &restitution["owned"]), "0.8");
    let formulas = checked["formulas"].as_array().unwrap();
    let v = formulas.iter().find(|it| it["block"] == "flight" && it["name"] == "v").unwrap();
    assert_eq!(slice(&text, v), "v = v0 + a * (t - t0)");
    assert!(v["mathml"].as_str().unwrap().starts_with("<math"));

    let at = text[..text.find("restitution) *").unwrap()].encode_utf16().count();
    let hovered = page.answer(5, json!({"type": "hover", "id": 5, "revision": 1, "at": at + 3}));
    assert_eq!(slice(&text, hovered.json()), "restitution");
    assert!(!hovered.json()["text"].as_str().unwrap().is_empty());
    let completions = page.answer(6, json!({"type": "complete", "id": 6, "revision": 1, "at": at + 4}));
    assert!(slice(&text, completions.json()).starts_with("rest"), "{completions:?}");
    let items = completions.json()["items"].as_array().unwrap();
    assert!(items.iter().any(|it| it["label"] == "restitution"), "{items:?}");
    let stale = page.answer(7, json!({"type": "hover", "id": 7, "revision": 0, "at": 0}));
    assert!(stale.is("refused"));
}

//! The session of the language.

use super::support::{LIMITS, TestPage, gallery};
use serde_json::{Value, json};

fn evaluate(page: &mut TestPage, id: u32, input: &str) -> Value {
    page.answer(id, json!({"type": "evaluate", "id": id, "input": input})).json().clone()
}

#[test]
fn definitions_stay_and_values_come_back() {
    let mut page = TestPage::new(LIMITS);
    let defined = evaluate(&mut page, 1, "square(x) = x^2");
    assert_eq!((defined["input"].as_u64(), defined["replies"][0]["kind"].as_str()), (Some(1), Some("text")));
    let value = evaluate(&mut page, 2, "square(1.5) + 1");
    assert_eq!(value["replies"], json!([{"kind": "value", "text": "3.25"}]));
    let open = evaluate(&mut page, 3, "square(");
    assert!(open["input"].is_null() && open["replies"] == json!([]));
    let wrong = evaluate(&mut page, 4, "squre(2)");
    assert_eq!(wrong["replies"][0]["kind"], "problem");
    assert!(wrong["replies"][0]["text"].as_str().unwrap().contains("did you mean `square`?"), "{wrong}");
    assert_eq!(evaluate(&mut page, 5, "1 / 0")["replies"][0]["kind"], "problem");
}

#[test]
fn endless_recursion_ends_while_runs_go_on() {
    let mut page = TestPage::new(LIMITS);
    evaluate(&mut page, 1, "deep(n) = deep(n + 1) + 1");
    evaluate(&mut page, 2, "f(n) = if n < 2 then n else f(n - 1) + f(n - 2)");
    page.ask(json!({"type": "evaluate", "id": 3, "input": "f(90)"}));
    page.edit(1, gallery("bouncing_ball"), &[]);
    page.run(1, 1);
    page.wait("ended", |it| it.is("ended"));
    assert!(!page.heard.iter().any(|it| it.json()["id"] == 3), "the run did not wait");
    let answer = page.wait("the answer to request 3", |it| it.json()["id"] == 3);
    assert_eq!(answer.json()["replies"][0]["kind"], "problem");
    assert_eq!(evaluate(&mut page, 4, "deep(1)")["replies"][0]["kind"], "problem");
    assert_eq!(evaluate(&mut page, 5, "1 + 1")["replies"][0]["text"], "2");
}

#[test]
fn a_page_writes_no_files() {
    let mut page = TestPage::new(LIMITS);
    evaluate(&mut page, 1, "one = 1");
    let refused = evaluate(&mut page, 2, "export \"one.vfl\"");
    assert_eq!(refused["replies"][0]["kind"], "problem");
    assert!(refused["replies"][0]["text"].as_str().unwrap().contains("a page writes no files"), "{refused}");
}

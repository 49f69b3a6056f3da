//! Events by filter, poses by range, values by moment.

use super::support::{LIMITS, Message, TestPage, gallery, narrow_reals};
use serde_json::{Value, json};

fn ran() -> TestPage {
    let mut page = TestPage::new(LIMITS);
    page.edit(1, gallery("bouncing_ball"), &[]);
    page.whole(1, 1);
    page
}

fn events(page: &mut TestPage, filter: Value, skip: u32, most: u32) -> Value {
    page.heard.clear();
    let filter = json!({
        "kinds": filter.get("kinds").cloned().unwrap_or_else(|| json!([])),
        "from": filter["from"], "to": filter["to"],
        "objects": filter.get("objects").cloned().unwrap_or_else(|| json!([])),
    });
    let question = json!({"type": "events", "id": 1, "run": 1, "filter": filter, "skip": skip, "most": most});
    page.answer(1, question).json().clone()
}

#[test]
fn filters_count_all_and_give_some() {
    let mut page = ran();
    assert_eq!(events(&mut page, json!({}), 0, 100)["total"], 11);
    let collisions = events(&mut page, json!({"kinds": ["collision"]}), 1, 2);
    assert_eq!(collisions["total"], 5);
    let indices: Vec<u64> =
        collisions["events"].as_array().unwrap().iter().map(|it| it["index"].as_u64().unwrap()).collect();
    assert_eq!(indices, [3, 5]);
    assert_eq!(events(&mut page, json!({"objects": ["floor"]}), 0, 9)["total"], 5);
    assert_eq!(events(&mut page, json!({"objects": ["floor", "ball"], "from": 1.0}), 0, 9)["total"], 4);
    assert_eq!(events(&mut page, json!({"from": 0.5, "to": 1.0}), 0, 9)["total"], 2);
    let refused = events(&mut page, json!({"objects": ["flor"]}), 0, 9);
    assert!(refused["why"].as_str().unwrap().contains("did you mean floor?"), "{refused}");
    let refused = events(&mut page, json!({"kinds": ["colision"]}), 0, 9);
    assert!(refused["why"].as_str().unwrap().contains("did you mean collision?"), "{refused}");
}

#[test]
fn poses_come_as_asked_for_and_only_those_that_are_there() {
    let mut page = ran();
    let question = json!({"type": "poses", "id": 2, "run": 1, "first": 350, "last": 400, "stride": 5});
    let Message::Chunk { head, numbers } = page.answer(2, question) else { panic!("poses are a chunk") };
    assert_eq!((head["first"].as_u64(), head["stride"].as_u64()), (Some(350), Some(5)));
    assert_eq!((head["frames"].as_u64(), head["bodies"].as_u64()), (Some(3), Some(1)));
    let poses = narrow_reals(&numbers);
    for (k, x) in [350.0, 355.0, 360.0].into_iter().enumerate() {
        assert!((f64::from(poses[7 * k]) - x / 60.0).abs() < 1e-6);
    }
    let nothing =
        page.answer(3, json!({"type": "poses", "id": 3, "run": 1, "first": 9, "last": 3, "stride": 0}));
    assert_eq!(nothing.json()["frames"], 0);
}

#[test]
fn values_of_a_moment_are_those_of_the_nearest_frame() {
    let mut page = ran();
    let look = |id: u32, object: Value| json!({"type": "values", "id": id, "run": 1, "moment": {"at": "time", "time": 0.504}, "object": object});
    let ball = page.answer(1, look(1, json!("ball"))).json().clone();
    let t = ball["time"].as_f64().unwrap();
    assert!((t - 0.5).abs() < 1e-12);
    let rows = ball["rows"].as_array().unwrap();
    let position = rows.iter().find(|it| it["name"] == "position").unwrap();
    assert_eq!(
        (position["ty"].as_str(), position["formula"].as_str()),
        (Some("vector(3)"), Some("ball.position"))
    );
    let z = position["after"]["scalars"][2].as_f64().unwrap();
    assert!((z - (5.0 - 9.81 / 2.0 * t * t)).abs() < 1e-12);
    assert!(position["before"].is_null() && position["changed"] == false);
    assert!(rows.iter().all(|it| it["owner"] == "ball"));
    let world = page.answer(2, look(2, json!(null))).json().clone();
    let owners: Vec<&str> =
        world["rows"].as_array().unwrap().iter().map(|it| it["owner"].as_str().unwrap()).collect();
    assert_eq!(owners, ["world", "world", "measure"]);
    assert!(page.answer(3, look(3, json!("bal"))).json()["why"].as_str().unwrap().contains("ball"));
}

//! Two pages, one file: whoever saves second is shown what the first wrote.

use crate::support::lab::{Lab, Wire};
use crate::support::{BALL, Folder};
use serde_json::{Value, json};

#[test]
fn the_second_of_two_pages_that_save_is_shown_what_the_first_wrote() {
    let folder = Folder::with("two-pages", &[("ball.lab", BALL)]);
    let lab = Lab::start(&folder, &["ball.lab"]);
    let (mut one, mut other) = (lab.wire(), lab.wire());
    let welcome = one.expect_reply("welcome");
    let base = other.expect_reply("welcome")["file_version"].clone();
    assert!(base.is_string() && welcome["file_version"] == base, "{welcome}");
    assert_eq!(welcome["folder_id"].as_str().unwrap().len(), 16);
    let save = |wire: &mut Wire, text: &str, base: &Value| {
        let request = json!({ "type": "save", "id": 3, "name": "ball.lab", "text": text, "base": base });
        wire.request(&request.to_string())
    };
    let saved = save(&mut one, "// first\n", &base);
    assert_eq!(saved["type"], "saved", "{saved}");
    let look = |wire: &mut Wire, known: &Value| {
        wire.request(&json!({ "type": "disk", "id": 4, "name": "ball.lab", "known": known }).to_string())
    };
    assert_eq!(look(&mut one, &saved["file_version"])["disk"], Value::Null);
    assert_eq!(look(&mut other, &base)["disk"]["text"], "// first\n");
    let conflict = save(&mut other, "// second\n", &base);
    assert_eq!((&conflict["type"], &conflict["id"]), (&json!("conflict"), &json!(3)), "{conflict}");
    assert_eq!(
        conflict["disk"],
        json!({ "is": "text", "text": "// first\n", "version": saved["file_version"] })
    );
    assert_eq!(folder.read("ball.lab"), "// first\n");
    std::fs::remove_file(folder.0.join("ball.lab")).unwrap();
    assert_eq!(look(&mut one, &saved["file_version"])["disk"], json!({ "is": "absent" }));
    let conflict = save(&mut one, "// third\n", &saved["file_version"]);
    assert_eq!(conflict["disk"], json!({ "is": "absent" }), "{conflict}");
    assert_eq!(save(&mut one, "// third\n", &Value::Null)["type"], "saved");
    assert_eq!(folder.names(), ["ball.lab"], "nothing is left beside it");
    let refused = look(&mut one, &Value::Null);
    assert_eq!(refused["disk"]["text"], "// third\n");
    let out = json!({ "type": "disk", "id": 5, "name": "../ball.lab", "known": null });
    assert_eq!(one.request(&out.to_string())["type"], "refused");
}

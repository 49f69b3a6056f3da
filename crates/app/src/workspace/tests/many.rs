//! Many bodies for long: poses stay within their bytes, and what is left out can be asked for.

use super::support::{LIMITS, Message, TestPage, swarm};
use crate::workspace::Limits;
use serde_json::json;

#[test]
fn poses_of_a_thousand_bodies_stay_within_their_bytes() {
    let limits = Limits { pose_bytes: 4 << 20, ..LIMITS };
    let mut page = TestPage::new(limits);
    let checked = page.edit(1, &swarm(1000, 60.0), &[]);
    assert_eq!(checked["sound"], true, "{}", checked["problems"]);
    let told = page.whole(1, 1);
    assert_eq!(told.last().unwrap().json()["frames"], 3601);
    let scene = &told.iter().find(|it| it.is("started")).unwrap().json()["scene"];
    let stride = scene["stride"].as_u64().unwrap();
    let (mut bytes, mut next) = (0, 0);
    for chunk in told.iter().filter(|it| it.is("poses")) {
        let Message::Chunk { head, numbers } = chunk else { panic!("poses are a chunk") };
        assert_eq!((head["first"].as_u64(), head["stride"].as_u64()), (Some(next), Some(stride)));
        assert_eq!(numbers.len() as u64, head["frames"].as_u64().unwrap() * 1000 * 28);
        next += head["frames"].as_u64().unwrap() * stride;
        bytes += numbers.len() as u64;
    }
    assert!(bytes <= limits.pose_bytes && 2 * bytes > limits.pose_bytes, "{bytes}");
    assert!((3601..3601 + stride).contains(&next), "all of the run, {next}");
    // One answer is bounded too: the page asks again for the rest.
    let all =
        page.answer(1, json!({"type": "poses", "id": 1, "run": 1, "first": 0, "last": 3600, "stride": 1}));
    let Message::Chunk { head, numbers } = all else { panic!("poses are a chunk") };
    assert!(numbers.len() <= 4 << 20 && head["frames"].as_u64().unwrap() > 100);
}

//! The search for contacts allocates nothing after warm-up.

#[path = "../../../geometry/tests/support/counting.rs"]
mod counting;

use super::data::list;
use super::scenes::scene;
use super::shapes::stored;
use gedanken_multibody::contacts::narrow::{Scratch, shape_contacts};
use gedanken_multibody::contacts::{CandidatePairs, FindScratch, find};
use serde_json::Value;

#[test]
fn finding_contacts_allocates_nothing_after_warm_up() {
    let data: Value = serde_json::from_str(include_str!("../oracle/scenes.json")).expect("stored data");
    let scenes: Vec<_> = list(&data["scenes"])
        .iter()
        .map(|stored| {
            let (description, poses) = scene(stored);
            (CandidatePairs::new(&description), poses)
        })
        .collect();
    let cases: Vec<_> = stored().into_iter().flat_map(|(_, cases)| cases).collect();
    let (mut scratch, mut narrow) = (FindScratch::default(), Scratch::default());
    let (mut contacts, mut points) = (Vec::new(), Vec::new());
    let mut work = || {
        for (pairs, poses) in &scenes {
            find(pairs, poses, &mut scratch, &mut contacts);
        }
        for case in &cases {
            points.clear();
            let ([a, b], [p, q]) = (&case.shapes, &case.poses);
            shape_contacts((a, p), (b, q), case.margin, &mut narrow, &mut points);
        }
    };
    work();
    let before = counting::asked();
    work();
    assert_eq!(counting::asked() - before, 0);
}

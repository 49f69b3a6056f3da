//! Scenes: shapes, colours, poses.

use super::support::{LIMITS, Message, TestPage, narrow_reals};
use serde_json::{Value, json};

const SHAPES: &str = "
object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 9]  size = 0.5  color1 = [1, 0, 0]  color2 = [0, 0, 1]  orientation = [0, 0, 0] } }
object { name = balloon  physical type = dynamic  geometrical type = sphere
    attributes = { position = [9, 0, 9]  size = 0.5  orientation = [2, 0, 0, 0] } }
object { name = can  physical type = static  geometrical type = cylinder
    attributes = { position = [3, 0, 0]  radius = 0.5  height = 2 } }
object { name = floor  physical type = static  geometrical type = half space
    attributes = { position = [0, 0, -5] } }
object { name = hat  physical type = static  geometrical type = cone
    attributes = { position = [6, 0, 0]  radius = 0.5  height = 2 } }
object { name = pill  physical type = static  geometrical type = capsule
    attributes = { position = [9, 0, 0]  radius = 0.5  length = 2 } }
object { name = wedge  physical type = static  geometrical type = convex hull
    attributes = { position = [0, 6, 0]  points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]] } }
object { name = left  physical type = static  geometrical type = sphere
    attributes = { position = [1, 0, 0]  size = 0.25  color1 = [0, 1, 0] } }
object { name = right  physical type = static  geometrical type = cuboid
    attributes = { position = [-1, 0, 0]  size = [1, 2, 3] } }
object { name = inner  physical type = static  parts = {left, right}
    attributes = { position = [0, 0, 2]  orientation = [0, 0, pi / 2] } }
object { name = outer  physical type = static  parts = {inner}
    attributes = { position = [20, 0, 0]  color1 = [0.5, 0.5, 0.5] } }
context { name = turning  type = free fall
    functions = { orientation = [0, 0, t] }
    applicability = { mandatory ball } }
context { name = growing  type = free fall
    functions = { size = 0.5 + t / 10  orientation = [cosine(t), 0, sine(t), 0] }
    applicability = { mandatory balloon } }
simulation { name = show  duration = 1  frame rate = 10
    objects_involved = {ball, balloon, can, floor, hat, pill, wedge, outer}
    contexts_involved = {turning, growing}
    record = {color1} }
";

fn shown() -> (Value, Vec<Message>) {
    let mut page = TestPage::new(LIMITS);
    let checked = page.edit(1, SHAPES, &[]);
    assert_eq!(checked["sound"], true, "{}", checked["problems"]);
    let told = page.whole(1, 1);
    let scene = told.iter().find(|it| it.is("started")).unwrap().json()["scene"].clone();
    assert_eq!(told.last().unwrap().json()["ending"]["how"], "complete");
    (scene, told)
}

fn body<'s>(scene: &'s Value, name: &str) -> &'s Value {
    scene["bodies"].as_array().unwrap().iter().find(|it| it["name"] == name).unwrap()
}

fn reals(array: &Value) -> Vec<f64> {
    array.as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect()
}

#[test]
fn every_shape_has_its_look() {
    let (scene, _) = shown();
    let look = |name: &str| body(&scene, name)["shape"].clone();
    assert_eq!(look("can"), json!({"kind": "cylinder", "radius": 0.5, "height": 2.0}));
    assert_eq!(look("hat"), json!({"kind": "cone", "radius": 0.5, "height": 2.0}));
    assert_eq!(look("pill"), json!({"kind": "capsule", "radius": 0.5, "length": 2.0}));
    assert_eq!(look("floor"), json!({"kind": "half_space"}));
    assert_eq!(body(&scene, "ball")["colors"], json!([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]));
    assert_eq!(body(&scene, "can")["colors"], json!([]));
    assert!(body(&scene, "can")["is_static"] == true && body(&scene, "ball")["is_static"] == false);
    assert!(body(&scene, "balloon")["resizes"] == true && body(&scene, "ball")["resizes"] == false);
    assert_eq!(reals(&body(&scene, "floor")["pose"]), [0.0, 0.0, -5.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn triangles_of_a_hull_look_outwards() {
    let (scene, _) = shown();
    let hull = &body(&scene, "wedge")["shape"];
    let corners: Vec<[f64; 3]> =
        reals(&hull["corners"]).chunks_exact(3).map(|it| [it[0], it[1], it[2]]).collect();
    let triangles: Vec<usize> = reals(&hull["triangles"]).iter().map(|&it| it as usize).collect();
    // The divergence theorem: the sum of a · (b × c) / 6 over triangles seen counter-clockwise from outside
    // is the volume.
    let volume: f64 = triangles
        .chunks_exact(3)
        .map(|it| {
            let [a, b, c] = [corners[it[0]], corners[it[1]], corners[it[2]]];
            let cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]];
            (a[0] * cross[0] + a[1] * cross[1] + a[2] * cross[2]) / 6.0
        })
        .sum();
    assert!((volume - 1.0 / 6.0).abs() < 1e-6, "{volume}");
}

#[test]
fn parts_of_parts_are_where_both_poses_put_them() {
    let (scene, _) = shown();
    let parts = body(&scene, "outer")["shape"]["parts"].as_array().unwrap().clone();
    assert_eq!(parts.len(), 2);
    let half = 0.5f64.sqrt();
    // A quarter turn about z takes x to y.
    for (part, place, look, color) in [
        (&parts[0], [0.0, 1.0, 2.0], json!({"kind": "sphere", "radius": 0.25}), json!([[0.0, 1.0, 0.0]])),
        (
            &parts[1],
            [0.0, -1.0, 2.0],
            json!({"kind": "cuboid", "size": [1.0, 2.0, 3.0]}),
            json!([[0.5, 0.5, 0.5]]),
        ),
    ] {
        let pose = reals(&part["pose"]);
        let expected = [place[0], place[1], place[2], half, 0.0, 0.0, half];
        assert!(pose.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{pose:?}");
        assert_eq!((&part["shape"], &part["colors"]), (&look, &color));
    }
}

#[test]
fn angles_and_quaternions_both_become_unit_quaternions() {
    let (scene, told) = shown();
    let moves = |name: &str| body(&scene, name)["moves"].as_u64().map(|it| it as usize);
    assert_eq!([moves("ball"), moves("balloon"), moves("can")], [Some(0), Some(1), None]);
    assert_eq!(reals(&body(&scene, "balloon")["pose"]), [9.0, 0.0, 9.0, 1.0, 0.0, 0.0, 0.0]);
    let mut frame = 0u32;
    for chunk in told.iter().filter(|it| it.is("poses")) {
        let Message::Chunk { numbers, .. } = chunk else { panic!("poses are a chunk") };
        for poses in narrow_reals(numbers).chunks_exact(14) {
            let t = f64::from(frame) / 10.0;
            // About z by the angle t; and the quaternion [cos t, 0, sin t, 0], which is about y by 2 t.
            let expected = [
                [0.0, 0.0, 9.0, libm::cos(t / 2.0), 0.0, 0.0, libm::sin(t / 2.0)],
                [9.0, 0.0, 9.0, libm::cos(t), 0.0, libm::sin(t), 0.0],
            ];
            for (pose, expected) in poses.chunks_exact(7).zip(expected) {
                assert!(
                    pose.iter().zip(expected).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-6),
                    "{frame} {pose:?}"
                );
            }
            frame += 1;
        }
    }
    assert_eq!(frame, 11);
}

//! The first experiment that was ever written in the language, put together from its printed blocks, reads to
//! a model.

use crate::support;
use support::{codes, model, text_of};

fn printed(names: &[&str]) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../lang/tests/thesis/");
    names.iter().map(|name| std::fs::read_to_string(format!("{folder}{name}.lab")).unwrap()).collect()
}

#[test]
fn the_bouncing_ball_of_section_4_2() {
    let text = printed(&[
        "4_2_world",
        "4_2_sphere_with_velocity",
        "4_2_cuboid",
        "4_2_free_fall",
        "4_2_collision",
        "4_2_simulation",
    ]);
    insta::assert_snapshot!(text_of(&model(&text)));
}

/// Two spheres, with the collision context that names both of them.
#[test]
fn the_two_spheres_of_section_4_2() {
    let sphere = printed(&["4_2_sphere_with_velocity"]);
    let other = sphere.replace("my_sphere", "my_other_sphere").replace("[10, 0, 0]", "[-10, 0, 0]");
    let rest = printed(&["4_2_world", "4_2_free_fall", "4_2_collision_two"]);
    let simulation = "simulation {\n    name = s\n    duration = 1\n}\n";
    insta::assert_snapshot!(text_of(&model(&[&sphere, &other, &rest, simulation].concat())));
    // The context for a ball and a wall cannot say which of two moving balls it means.
    let wrong = printed(&["4_2_world", "4_2_free_fall", "4_2_collision"]);
    let found = codes(&[&sphere, &other, &wrong, simulation].concat());
    assert!(!found.is_empty() && found.iter().all(|code| *code == "E209"), "{found:?}");
}

/// The objects of chapter 5 with its contexts for a static partner and for rest.
#[test]
fn the_cuboids_of_chapter_5() {
    let floor = printed(&["5_cuboids"]);
    let floor = floor.split_once("object {\n    name = my_cuboid2").unwrap().0;
    let text =
        printed(&["5_2_world", "5_2_1_cuboid", "5_1_free_fall_quaternion", "5_2_1_collision", "5_3_contact"]);
    let simulation = "simulation {\n    name = s\n    duration = 1\n}\n";
    insta::assert_snapshot!(text_of(&model(&[floor, &text, simulation].concat())));
}

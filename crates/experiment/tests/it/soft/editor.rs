//! Keys of soft constraints in editors: completion, hover, and a row in the reference for each.

use gedanken_experiment::editor::{complete, hover};

/// Labels at the bar of a text.
fn labels(text: &str) -> Vec<String> {
    let offset = text.find('|').expect("a bar");
    let found = complete(&text.replacen('|', "", 1), offset);
    found.items.into_iter().map(|item| item.label).collect()
}

#[test]
fn completion_of_values() {
    let values = |key: &str| labels(&format!("simulation {{\n    {key} = |\n}}"));
    assert_eq!(values("algorithm"), ["newton", "conjugate gradient"]);
    assert_eq!(values("line search"), ["exact", "armijo"]);
    assert_eq!(values("stopping"), ["certificate", "improvement"]);
    assert_eq!(values("cone"), ["pyramid", "elliptic"]);
    assert_eq!(values("cone edges"), ["4", "8", "16"]);
    assert_eq!(values("defaults"), ["mujoco", "genesis"]);
    assert_eq!(labels("simulation {\n    solver = so|\n}"), ["soft"]);
    assert_eq!(
        labels("simulation {\n    solver = soft\n    integrator = |\n}"),
        ["semi_implicit", "euler", "implicit", "implicit fast", "rk4"]
    );
}

#[test]
fn completion_of_keys() {
    assert_eq!(labels("simulation {\n    cone e|\n}"), ["cone edges"]);
    assert_eq!(labels("joint j {\n    arm|\n}"), ["armature"]);
    assert_eq!(labels("material m {\n    rol|\n}"), ["rolling friction"]);
}

#[test]
fn meaning_of_keys() {
    let text = "joint j {\n    friction loss = 2\n}\n";
    let found = hover(text, text.find("loss").expect("it is there")).expect("it is known");
    assert_eq!(
        found.text,
        "friction loss\na real that is not negative, the largest force or torque of dry friction in the joint"
    );
}

/// Every key that completion offers in a joint, a material or a simulation has a place in the reference.
#[test]
fn the_reference_knows_every_key() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    let page = std::fs::read_to_string(path).expect("the page is there");
    for block in ["joint j", "material m", "simulation"] {
        let keys = labels(&format!("{block} {{\n    |\n}}"));
        assert!(keys.len() > 10, "{keys:?}");
        for key in keys {
            let is_there = page.contains(&format!("`{key}`")) || page.contains(&format!("{key} = "));
            assert!(is_there, "{key} of a {block}");
        }
    }
}

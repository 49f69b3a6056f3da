//! The model of a text: the same in any order, with values set from outside, with imports, for several
//! simulations.

use crate::support;
use gedanken_experiment::Files;
use gedanken_experiment::{Experiment, Override, ShapeKind};
use gedanken_geometry::{Shape, Solid};
use gedanken_lab::report;
use gedanken_lang::value::Value;
use support::{Gallery, Memory, codes, experiment, model, said, text_of};

/// The blocks of a text: each begins at the left margin and ends with a line `}`.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = vec![String::new()];
    for line in text.lines() {
        *blocks.last_mut().unwrap() += &format!("{line}\n");
        if line == "}" || line.starts_with("import") {
            blocks.push(String::new());
        }
    }
    blocks
}

#[test]
fn the_order_of_blocks_never_matters() {
    for name in ["bouncing_ball.lab", "chapter5.lab", "two_spheres.lab"] {
        let text = Gallery.text(name).unwrap();
        let read = |text: &str| text_of(&experiment(&Gallery, text, &[]).1.unwrap());
        let expected = read(&text);
        let original = blocks(&text);
        let (simulations, others): (Vec<String>, Vec<String>) =
            original.into_iter().partition(|block| block.contains("simulation {"));
        // The first simulation is the one that runs, so these keep their order.
        for turn in 0..others.len() {
            let mut turned = others.clone();
            turned.rotate_left(turn);
            if turn % 2 == 1 {
                turned.reverse();
            }
            let cut = turn.min(turned.len());
            let permuted: Vec<String> =
                turned[..cut].iter().chain(&simulations).chain(&turned[cut..]).cloned().collect();
            assert_eq!(read(&permuted.concat()), expected, "{name}, turned by {turn}");
        }
    }
}

const SETTABLE: &str = "\
world attributes {
    g = 9.81
    weight = 2 * g
}
object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = {
        pos = [0, 0, 5]
        radius = 1
        mass = weight / g
        momentum = mass * [1, 2, 3]
        g = 1
        own = g
        theirs = weight
    }
}
simulation {
    name = s
    duration = 1
}
";

fn value(experiment: &Experiment, object: &str, attribute: &str) -> String {
    let object = &experiment.objects[experiment.object(object).unwrap()];
    object.attribute(attribute).unwrap().value.to_string()
}

#[test]
fn values_see_the_world_and_what_comes_before_them() {
    let found = model(SETTABLE);
    assert_eq!(value(&found, "ball", "momentum"), "[2, 4, 6]");
    assert_eq!(value(&found, "ball", "own"), "1", "the object's own attribute is nearer than the world's");
    assert_eq!(value(&found, "ball", "theirs"), "19.62", "the world's attributes know no object");
    assert_eq!(value(&found, "ball", "orientation"), "[0, 0, 0]");
    assert_eq!(codes(&SETTABLE.replace("mass = weight / g", "mass = momentum # 1")), ["E201"]);
}

#[test]
fn settings_replace_expressions_before_they_are_evaluated() {
    let set = |settings: &[&str]| experiment(&Memory(&[]), SETTABLE, settings).1.unwrap();
    let found = set(&["g=2", "ball.mass=3*weight", "ball.radius=0.5"]);
    assert_eq!(found.world[0].value, Value::Real(2.0));
    assert_eq!(value(&found, "ball", "mass"), "12", "what is set sees the world, set values included");
    assert_eq!(value(&found, "ball", "momentum"), "[12, 24, 36]");
    assert_eq!(value(&found, "ball", "size"), "0.5", "by the name in the file");
    assert_eq!(
        value(&set(&["ball.position=[1, 2, 3]"]), "ball", "position"),
        "[1, 2, 3]",
        "by the proper name"
    );
    assert_eq!(value(&set(&["ball.mass=1", "ball.mass=7"]), "ball", "mass"), "7", "the last one wins");
}

#[test]
fn settings_are_read_from_words() {
    let read = |text: &str| Override::read(text).map(|it| (it.object, it.attribute, it.text));
    assert_eq!(read("g=1"), Ok((None, "g".to_owned(), "1".to_owned())));
    let of_ball = (Some("ball".to_owned()), "v".to_owned(), "[0, 1.5] == x".to_owned());
    assert_eq!(read(" ball . v = [0, 1.5] == x"), Ok(of_ball));
    for wrong in ["", "g", "=1", "1g=2", ".v=1", "a.b.c=1", "ball.=2", "é=1"] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn imports_serve_values_and_laws() {
    let text = "import \"lib/a.vfl\"\n".to_owned()
        + &SETTABLE
            .replace("mass = weight / g", "mass = twice(2)")
            .replace("own = g", "own = theirs_of_library(0)");
    let files: &[(&str, &str)] = &[
        ("lib/a.vfl", "import \"b.vfl\"\ntwice(x) = times(2, x)\ng = 100\ntheirs_of_library(x) = g + x\n"),
        // In a circle: allowed, each file is read once.
        ("lib/b.vfl", "import \"a.vfl\"\ntimes(a, b) = a * b\n"),
    ];
    let (_, found) = experiment(&Memory(files), &text, &[]);
    let found = found.unwrap();
    assert_eq!(value(&found, "ball", "mass"), "4");
    assert_eq!(value(&found, "ball", "theirs"), "19.62", "the world's `g` is nearer than the library's");
    assert_eq!(value(&found, "ball", "own"), "100", "functions of a library mean their own names");
    let missing = said(experiment(&Memory(&files[..1]), &text, &[]).1);
    assert!(missing.iter().any(|it| it.code == "E602"), "{missing:?}");
    let broken: &[(&str, &str)] = &[("lib/a.vfl", "twice(x) = y\n")];
    let (sources, found) = experiment(&Memory(broken), &text, &[]);
    let found = said(found);
    let places: Vec<&str> = found.iter().map(|it| sources.name(it.primary.span.source)).collect();
    assert!(places.contains(&"lib/a.vfl"), "mistakes are told where they are: {places:?}");
}

#[test]
fn every_shape_becomes_a_solid() {
    let sizes = [
        (ShapeKind::Sphere, "size = 2", "[-2, -2, -2] to [2, 2, 2]"),
        (ShapeKind::Cuboid, "size = [2, 4, 6]", "[-1, -2, -3] to [1, 2, 3]"),
        (ShapeKind::Capsule, "radius = 1  length = 4", "[-1, -1, -3] to [1, 1, 3]"),
        (ShapeKind::Cylinder, "radius = 1  height = 4", "[-1, -1, -2] to [1, 1, 2]"),
        (ShapeKind::Cone, "radius = 1  height = 4", "[-1, -1, -1] to [1, 1, 3]"),
        (ShapeKind::HalfSpace, "", "[-inf, -inf, -inf] to [inf, inf, inf]"),
        (
            ShapeKind::ConvexHull,
            "points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]",
            "[0, 0, 0] to [1, 1, 1]",
        ),
        (ShapeKind::Mesh, "} file = \"wedge.obj\" attributes = {", "[0, 0, 0] to [1, 1, 1]"),
    ];
    for (kind, attributes, expected) in sizes {
        let physical = if kind == ShapeKind::Mesh { "static" } else { "dynamic" };
        let attributes = match attributes.strip_prefix("} ") {
            Some(file) => {
                format!("{} position = [0, 0, 0]", file.replace(" attributes = {", "\n    attributes = {"))
            }
            None => format!("attributes = {{ position = [0, 0, 0]  {attributes}"),
        };
        let text = format!(
            "object {{\n    name = a\n    physical type = {physical}\n    geometrical type = {}\n    {attributes} }}\n}}\nsimulation {{ name = s  duration = 1 }}\n",
            kind.name()
        );
        let found = model(&text);
        let object = &found.objects[0];
        assert_eq!(object.shape, kind);
        let bounds = object.solid(&found.objects).unwrap().bounds(&object.pose());
        let corner = |point: [f64; 3]| format!("[{}, {}, {}]", point[0], point[1], point[2]);
        let shown = format!("{} to {}", corner(bounds.min.to_array()), corner(bounds.max.to_array()));
        assert_eq!(shown.replace("-0", "0"), expected, "{}", kind.name());
    }
}

#[test]
fn compounds_hold_their_parts_in_their_own_coordinates() {
    let part = |name: &str, z: f64| {
        format!(
            "object {{ name = {name}\n physical type = dynamic\n geometrical type = sphere\n attributes = {{ position = [0, 0, {z}]  size = 0.5 }} }}\n"
        )
    };
    let text = part("top", 1.0)
        + &part("bottom", -1.0)
        + "object { name = dumbbell\n physical type = dynamic\n parts = {top, bottom}\n attributes = { position = [7, 0, 0]  orientation = [0, pi/2, 0] } }\nsimulation { name = s  duration = 1 }\n";
    let found = model(&text);
    assert_eq!(found.simulations[0].objects, [found.object("dumbbell").unwrap()], "parts are not free");
    let dumbbell = &found.objects[found.object("dumbbell").unwrap()];
    assert_eq!(dumbbell.shape, ShapeKind::Compound);
    let solid = dumbbell.solid(&found.objects).unwrap();
    assert!(matches!(&solid, Shape::Compound(compound) if compound.parts().len() == 2));
    // Turned by a quarter about y, the axis of the dumbbell lies along x.
    let bounds = solid.bounds(&dumbbell.pose());
    assert!((bounds.max.x - 8.5).abs() < 1e-12 && (bounds.max.z - 0.5).abs() < 1e-12, "{bounds:?}");
}

#[test]
fn quaternions_and_euler_angles_are_the_rotations_of_the_language() {
    let turned = |orientation: &str| {
        let text = format!(
            "object {{ name = a\n physical type = dynamic\n geometrical type = sphere\n attributes = {{ position = [0, 0, 0]  size = 1  orientation = {orientation}  matrix = eulerXYZToRotationMatrix([0.3, -0.7, 1.1]) }} }}\nsimulation {{ name = s  duration = 1 }}\n"
        );
        let found = model(&text);
        let object = found.objects[0].clone();
        let Value::Matrix(matrix) = &object.attribute("matrix").unwrap().value else { panic!("a matrix") };
        let expected: Vec<f64> = (0..3).map(|row| matrix.at(row, 0)).collect();
        (object.pose().vector_to_world(gedanken_math::Vec3::X), expected)
    };
    for orientation in ["[0.3, -0.7, 1.1]", "3 * eulerXYZToQuaternion([0.3, -0.7, 1.1])"] {
        let (found, expected) = turned(orientation);
        for (x, y) in found.to_array().into_iter().zip(expected) {
            assert!((x - y).abs() < 1e-14, "{orientation}");
        }
    }
}

#[test]
fn several_simulations_and_the_first_is_the_default() {
    let text = Gallery.text("two_spheres.lab").unwrap();
    let found = experiment(&Gallery, &text, &[]).1.unwrap();
    assert_eq!(found.simulation(None).unwrap().name, "collision");
    assert_eq!(found.simulation(Some("alone")).unwrap().objects, [found.object("left").unwrap()]);
    assert!(found.simulation(Some("nobody")).is_none());
}

#[test]
fn laws_are_found_again_for_those_who_meet() {
    let text = Gallery.text("chapter5.lab").unwrap();
    let found = experiment(&Gallery, &text, &[]).1.unwrap();
    let selector = found.selector(&found.simulations[0]);
    let index = |name| found.object(name).unwrap();
    let (brick, cube, floor) = (index("brick"), index("cube"), index("floor"));
    let flight = selector.free_fall(cube).unwrap().unwrap();
    assert!(found.laws(flight, &[cube], 0).is_some());
    for pair in [[brick, cube], [floor, brick], [cube, floor]] {
        let applied = selector.collision(pair[0], pair[1]).unwrap().unwrap();
        assert!(found.laws(applied.context, &applied.objects, 0).is_some());
        assert!(!found.objects[applied.objects[0]].is_static, "the first role is dynamic");
    }
    let rest = selector.contact(brick, &[brick, floor]).unwrap().unwrap();
    assert!(found.laws(rest, &[brick], 0).is_some());
    let told = report(&found);
    assert_eq!((told.dynamic, told.fixed, told.contexts, told.laws.len()), (2, 1, 4, 24));
    assert_eq!(told.native(), 24, "also those that look at all whom an object touches");
}

#[test]
fn the_book_lists_every_shape_with_its_attributes() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    let page = std::fs::read_to_string(path).unwrap();
    for shape in ShapeKind::ALL {
        let start = format!("| `{}` | ", shape.name());
        let row =
            page.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("a row {start}"));
        for field in shape.own_fields() {
            assert!(row.contains(&format!("`{}`", field.name)), "{row}");
            assert!(field.synonym.is_empty() || row.contains(&format!("`{}`", field.synonym)), "{row}");
        }
    }
}

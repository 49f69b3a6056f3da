//! Laws that read an object by its name mean that object, also where they hold for it as well as for its
//! like.

use crate::support;
use gedanken_lab::{Options, Run};
use gedanken_recording::Recording;
use support::model;

/// One context for three objects of one kind, all of which read one of them: x′ = x_leader gives x_leader =
/// eᵗ, and all others grow by as much.
#[test]
fn one_of_a_kind_is_read_by_all() {
    for leader in ["a", "b", "c"] {
        let object = |name: &str, place: f64, x: f64| {
            format!(
                "object {{\n    name = {name}\n    physical type = dynamic\n    geometrical type = sphere\n    attributes = {{ position = [{place}, 0, 0]  size = 0.1  x = {x} }}\n}}\n"
            )
        };
        let start = |name: &str| if name == leader { 1.0 } else { 3.0 };
        let text = object("a", 0.0, start("a"))
            + &object("b", 2.0, start("b"))
            + &object("c", 4.0, start("c"))
            + &format!(
                "context {{\n    name = growing\n    type = free fall\n    aliases = {{\n        use leading as attribute x of object {leader}\n    }}\n    functions = {{\n        x' = leading\n    }}\n}}\nsimulation {{\n    name = s\n    duration = 1\n}}\n"
            );
        let experiment = model(&text);
        let mut engine = Run::new(&experiment, &experiment.simulations[0], Options::default()).unwrap();
        let mut recording = Recording::new(engine.schema().clone());
        while engine.advance(&mut recording).unwrap() {}
        let columns = recording.schema.quantities.iter().filter(|it| it.name == "x");
        let last = recording.row(recording.frames() - 1);
        let found: Vec<f64> = columns.map(|it| last[it.start]).collect();
        for (name, found) in ["a", "b", "c"].iter().zip(&found) {
            let expected = start(name) - 1.0 + std::f64::consts::E;
            assert!((found - expected).abs() < 1e-8, "{leader}: {name} is {found}, not {expected}");
        }
        assert_eq!(found.len(), 3);
    }
}

//! The step that the book prints is the one that runs: made from the flow of a typical world, and compared
//! with the marked blocks in `docs/rigid.md` and in the documentation of the crate.

use crate::support::*;
use gedanken_math::Vec3;
use gedanken_rigid::joints::{Ends, Point};
use gedanken_rigid::{Settings, World};

/// Width of the printed lines.
const WIDTH: usize = 100;

/// One step of a ball on the ground with a second ball jointed to it, under gravity, with a ledger.
fn printed() -> String {
    let bodies = [
        ("a ground", ground()),
        ("b ball", ball(0.1, 1.0, at(0.0, 0.0, 0.1))),
        ("c ball", ball(0.1, 1.0, at(0.3, 0.0, 0.1))),
    ];
    let world = World::new(bodies, []).unwrap().with_laws(gravity());
    let (b, c) = (world.id("b ball").unwrap(), world.id("c ball").unwrap());
    let ends = Ends::at(&world, "joint", b, c, Vec3::new(0.15, 0.0, 0.1)).unwrap();
    let world = world.with_constraint(Point::new(ends).unwrap()).unwrap();
    wrapped(&simulation(world, Settings::default()).flow().to_string())
}

/// Breaks a flow before `>>`, so that lines are no longer than [`WIDTH`] where that is possible.
fn wrapped(flow: &str) -> String {
    let mut lines = vec![String::new()];
    for (k, part) in flow.split(" >> ").enumerate() {
        let part = if k == 0 { part.to_owned() } else { format!(" >> {part}") };
        let last = lines.last_mut().expect("there is a first line");
        if last.chars().count() + part.chars().count() > WIDTH {
            lines.push(format!("   {part}"));
        } else {
            last.push_str(&part);
        }
    }
    lines.join("\n") + "\n"
}

/// Compares the lines between the markers of the step in a file, without what every line begins with.
fn compare(path: &str, prefix: &str) {
    let text = std::fs::read_to_string(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (begin, end) = ("<!-- one step -->", "<!-- end of one step -->");
    let block: String = text
        .lines()
        .skip_while(|line| !line.contains(begin))
        .skip(1)
        .take_while(|line| !line.contains(end))
        .map(|line| format!("{}\n", line.strip_prefix(prefix).unwrap_or(line)))
        .collect();
    let expected = format!("```text\n{}```\n", printed());
    assert!(block == expected, "{path} is out of date; between the markers of the step put\n{expected}");
}

#[test]
fn the_book_prints_the_step_that_runs() {
    compare("../../docs/rigid.md", "");
}

#[test]
fn the_documentation_of_the_crate_prints_the_step_that_runs() {
    compare("src/lib.rs", "//! ");
}

//! Meanings of names: dots of names and dots of products, contexts, owners, elements.

use super::{formula, frames, same, sample};
use gedanken_lang::types::Type;
use gedanken_recording::formula::Formula;
use gedanken_recording::{Constant, Frame, Owner, Quantity, Recording, Schema, Sink};

#[test]
fn names_are_those_of_columns() {
    let recording = sample::recording();
    let z = recording.series(&recording.schema.find("ball.position#3").unwrap());
    for text in ["ball.position#3", "ball.position # 3", "ball . position#3", "(ball.position)#(1 + 2)"] {
        assert!(same(&frames(&recording, text), &z), "{text}");
    }
    assert_eq!(frames(&recording, "t"), recording.times);
    assert_eq!(frames(&recording, "g"), [9.81; 8]);
    assert_eq!(frames(&recording, "world.g"), [9.81; 8]);
    assert_eq!(frames(&recording, "energy"), frames(&recording, "measure.energy"));
    assert_eq!(frames(&recording, "ball.e"), [0.0, 0.25, 0.5, 0.75, -1.0, -1.25, -1.5, -1.75]);
    let free = frames(&recording, "ball.e @ free");
    assert_eq!(free[..4], [0.0, 0.25, 0.5, 0.75]);
    assert!(free[4..].iter().all(|it| it.is_nan()));
    assert_eq!(frames(&recording, "floor.stress#2#1"), [3.0; 8]);
    assert_eq!(frames(&recording, "floor(floor.stress#2#1 + 0.5)"), [3.0; 8], "the native and the object");
}

/// A formula, and what it is at time t.
type Case = (&'static str, fn(f64) -> f64);

#[test]
fn dots_of_names_bind_tighter_than_anything() {
    let recording = sample::recording();
    let cases: [Case; 6] = [
        ("2*ball.position#3", |t| 2.0 * (1.0 - t * t)),
        ("-ball.position # 3^2", |t| -((1.0 - t * t) * (1.0 - t * t))),
        ("ball.position.floor.normal", |t| 1.0 - t * t),
        ("ball.position . floor.normal * 2", |t| (1.0 - t * t) * 2.0),
        ("2 * ball.mass * wind . wind", |t| 0.2 * (0.25 + t * t)),
        ("norm(floor.normal - ball.position)", |t| t * t),
    ];
    for (text, expected) in cases {
        for (found, t) in frames(&recording, text).into_iter().zip(&recording.times) {
            assert!((found - expected(*t)).abs() < 1e-14, "{text}: {found} at {t}");
        }
    }
}

/// The world has `a` and `v`, and the object `a` has a `v` as well.
fn ambiguous() -> Recording {
    let quantity =
        |owner, name: &str, ty, start| Quantity { owner, name: name.to_owned(), ty, context: None, start };
    let constant =
        |owner, name: &str, scalars| Constant { owner, name: name.to_owned(), ty: Type::vector(2), scalars };
    let schema = Schema {
        objects: vec!["a".to_owned()],
        quantities: vec![quantity(Owner::Object(0), "v", Type::vector(2), 0)],
        constants: vec![
            constant(Owner::World, "a", vec![1.0, 10.0]),
            constant(Owner::World, "v", vec![3.0, 4.0]),
            constant(Owner::World, "w", vec![5.0, 6.0]),
        ],
        ..sample::schema()
    };
    let mut recording = Recording::new(schema);
    recording
        .frame(Frame { index: 0, time: 0.0, row: &[7.0, 8.0], hash: 0, contacts: &[], keyframe: None })
        .unwrap();
    recording
}

#[test]
fn where_both_readings_make_sense_white_space_tells_them_apart() {
    let recording = ambiguous();
    assert_eq!(frames(&recording, "a.v#1"), [7.0], "that of the object");
    assert_eq!(frames(&recording, "a . v"), [43.0], "1·3 + 10·4");
    assert_eq!(frames(&recording, "a.w"), [65.0], "the object has no w: 1·5 + 10·6");
    assert_eq!(frames(&recording, "(a).v"), [43.0], "what is in parentheses is no object");
    assert_eq!(frames(&recording, "a.v . a.v"), [113.0], "7² + 8²");
    assert_eq!(frames(&recording, "a . a.v"), [87.0], "1·7 + 10·8");
}

#[test]
fn types_and_components() {
    let recording = sample::recording();
    let told = |text: &str| {
        let formula = formula(&recording, text);
        (formula.ty().to_string(), formula.width(), formula.names())
    };
    let is = |text: &str, ty: &str, names: &[&str]| {
        assert_eq!(
            told(text),
            (ty.to_owned(), names.len(), names.iter().map(|it| (*it).to_owned()).collect())
        );
    };
    is(" t ", "a real", &["t"]);
    is("wind", "a vector of 2", &["wind#1", "wind#2"]);
    is(
        "floor . stress",
        "a 2 by 2 matrix",
        &["floor.stress#1#1", "floor.stress#1#2", "floor.stress#2#1", "floor.stress#2#2"],
    );
    is("floor.stress # 2", "a vector of 2", &["floor.stress#2#1", "floor.stress#2#2"]);
    is("2 *  wind", "a vector of 2", &["(2 * wind)#1", "(2 * wind)#2"]);
    is("[t, g]", "a vector of 2", &["[t, g]#1", "[t, g]#2"]);
    is("norm( wind )", "a real", &["norm(wind)"]);
    is("ball.touches & t > 1", "a boolean", &["ball.touches & t > 1"]);
    is(
        "if t > 1 then wind else -wind",
        "a vector of 2",
        &["(if t > 1 then wind else -wind)#1", "(if t > 1 then wind else -wind)#2"],
    );
    // Every name of a component is a formula of that component.
    for text in ["floor.stress", "2*wind", "[t, g]", "if t > 1 then wind else -wind"] {
        let mut whole = formula(&recording, text);
        let series = whole.series(&recording, 0..8, 1);
        for (name, column) in whole.names().iter().zip(&series.columns) {
            assert!(same(&frames(&recording, name), column), "{name}");
        }
    }
}

#[test]
fn what_a_formula_names_is_known() {
    let recording = sample::recording();
    let formula = formula(&recording, "ball.mass * norm(ball.position) + energy * ball.mass - t");
    let names: Vec<&str> = formula.quantities().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["ball.mass", "ball.position", "energy"]);
    assert!(Formula::read(&recording.schema, "2").unwrap().quantities().next().is_none());
}

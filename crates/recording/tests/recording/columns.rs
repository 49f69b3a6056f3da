//! Names of columns, and the quantities that names stand for.

use crate::sample;
use gedanken_lang::types::Type;
use gedanken_recording::{Constant, Owner, Place, Quantity, Schema};

fn names(columns: &[gedanken_recording::Column]) -> Vec<&str> {
    columns.iter().map(|it| it.name.as_str()).collect()
}

#[test]
fn every_scalar_has_its_name() {
    let schema = sample::schema();
    let expected = "g wind#1 wind#2 \
        ball.mass ball.position#1 ball.position#2 ball.position#3 ball.touches ball.e ball.e@rolling \
        floor.normal#1 floor.normal#2 floor.normal#3 \
        floor.stress#1#1 floor.stress#1#2 floor.stress#2#1 floor.stress#2#2 energy";
    assert_eq!(names(&schema.columns()), expected.split_whitespace().collect::<Vec<_>>());
    let merged = schema.merged_columns();
    let without = expected.replace(" ball.e@rolling", "");
    assert_eq!(names(&merged), without.split_whitespace().collect::<Vec<_>>());
    let shared = merged.iter().find(|it| it.name == "ball.e").unwrap();
    assert_eq!(shared.places, [Place::Row(6), Place::Row(7)]);
}

#[test]
fn every_name_of_a_column_stands_for_it() {
    let schema = sample::schema();
    for column in schema.columns() {
        let found = schema.find(&column.name).unwrap();
        assert_eq!(found.owner, column.owner, "{}", column.name);
        assert_eq!(found.places[0], column.places[0], "{}", column.name);
        assert_eq!(found.width(), 1);
    }
}

#[test]
fn names_stand_for_wholes_and_elements() {
    let schema = sample::schema();
    let find = |name: &str| schema.find(name).map(|it| (it.ty, it.places));
    assert_eq!(find("ball.position"), Some((Type::vector(3), vec![Place::Row(2)])));
    assert_eq!(find("ball.position#3"), Some((Type::Real, vec![Place::Row(4)])));
    assert_eq!(find("floor.stress#2"), Some((Type::vector(2), vec![Place::Row(10)])));
    assert_eq!(find("floor.stress#2#1"), Some((Type::Real, vec![Place::Row(10)])));
    assert_eq!(find("ball.e"), Some((Type::Real, vec![Place::Row(6), Place::Row(7)])));
    assert_eq!(find("ball.e@rolling"), Some((Type::Real, vec![Place::Row(7)])));
    assert_eq!(find("ball.e@free"), Some((Type::Real, vec![Place::Row(6)])));
    assert_eq!(find("g"), Some((Type::Real, vec![Place::Constant { constant: 0, element: 0 }])));
    assert_eq!(find("floor.normal#3"), Some((Type::Real, vec![Place::Constant { constant: 2, element: 2 }])));
    assert_eq!(find("energy"), Some((Type::Real, vec![Place::Row(12)])));
    for nothing in
        ["", "#", "ball", "ball.", "ball.position#0", "ball.position#4", "ball.position#1#1", "g#1"]
    {
        assert_eq!(find(nothing), None, "{nothing:?}");
    }
    for nothing in ["t", "ball.e@bounce", "floor.stress#3", "floor.stress#1#3", "ball.position#x", "no.thing"]
    {
        assert_eq!(find(nothing), None, "{nothing:?}");
    }
    let elements = schema.find("floor.stress").unwrap().elements();
    let labels: Vec<&str> = elements.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(labels, ["floor.stress#1#1", "floor.stress#1#2", "floor.stress#2#1", "floor.stress#2#2"]);
    assert!(elements.iter().all(|it| schema.find(&it.name).as_ref() == Some(it)));
}

#[test]
fn near_misses_are_recognized() {
    let schema = sample::schema();
    let near = |name: &str| schema.similar(name);
    assert_eq!(near("ball.positon").as_deref(), Some("ball.position"));
    assert_eq!(near("ball.positon#1").as_deref(), Some("ball.position"));
    assert_eq!(near("bal.position").as_deref(), Some("ball.position"));
    assert_eq!(near("enrgy").as_deref(), Some("energy"));
    assert_eq!(near("floor.temperature"), None);
}

#[test]
fn no_quantity_takes_the_name_of_another_column() {
    let quantity = |owner, name: &str, start| Quantity {
        owner,
        name: name.to_owned(),
        ty: Type::Real,
        context: None,
        start,
    };
    let schema = Schema {
        quantities: vec![
            quantity(Owner::World, "frame", 0),
            quantity(Owner::World, "heat", 1),
            quantity(Owner::Measure, "hash", 2),
            quantity(Owner::Measure, "heat", 3),
        ],
        constants: vec![Constant {
            owner: Owner::World,
            name: "t".to_owned(),
            ty: Type::Real,
            scalars: vec![1.0],
        }],
        ..sample::schema()
    };
    let columns = schema.columns();
    assert_eq!(names(&columns), ["world.frame", "heat", "world.t", "measure.hash", "measure.heat"]);
    for column in &columns {
        assert_eq!(schema.find(&column.name).unwrap().places, column.places, "{}", column.name);
    }
}

//! Arguments for natives, at random.

use super::calls::{call, matrix, real, vector};
use gedanken_lang::native::{NATIVES, Native};
use gedanken_lang::value::{Shaped, Value};
use proptest::prelude::*;

/// A native and arguments that it may or may not accept.
pub(crate) fn one_native() -> impl Strategy<Value = (&'static str, Vec<Value>)> {
    (0..NATIVES.len()).prop_flat_map(|index| (Just(NATIVES[index].name), arguments(NATIVES[index].name)))
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -3.0..3.0f64, 1 => -1e3..1e3f64, 1 => Just(0.0), 1 => Just(1.0), 1 => Just(-1.0), 1 => Just(0.5)]
}

/// Arguments that a native may or may not accept: mostly of the kind it wants.
fn arguments(name: &'static str) -> BoxedStrategy<Vec<Value>> {
    let count = Native::by_name(name).unwrap().entry().params.len();
    let numbers = |n: usize| prop::collection::vec(number(), n).prop_map(Shaped::Vector);
    let grid = |r: usize, c: usize| {
        prop::collection::vec(number(), r * c).prop_map(move |elements| matrix(r, c, &elements))
    };
    let rotation = prop::array::uniform3(-3.0..3.0f64)
        .prop_map(|angles| call("eulerXYZToRotationMatrix", &[vector(&angles)]));
    let items = prop::collection::vec(number().prop_map(real), 0..4).prop_map(Shaped::Sequence);
    let vectors = prop::collection::vec(numbers(2), 0..4).prop_map(Shaped::Sequence);
    let size = prop_oneof![(0..6u8).prop_map(|n| real(f64::from(n))), Just(real(2.5))];
    let square = prop_oneof![
        grid(1, 1),
        grid(2, 2),
        grid(3, 3),
        grid(4, 4),
        grid(5, 5),
        grid(2, 3),
        rotation,
        numbers(2).boxed()
    ];
    let any = prop_oneof![
        4 => number().prop_map(real), 4 => numbers(3), 3 => numbers(4), 1 => numbers(2), 1 => numbers(0),
        3 => square, 2 => items, 1 => vectors, 1 => any::<bool>().prop_map(Shaped::Bool)
    ];
    match name {
        "rotateVector" => {
            (numbers(3), numbers(3), number()).prop_map(|(v, w, x)| vec![v, w, real(x)]).boxed()
        }
        "quaternionFromAxisAndAngle" => (numbers(3), number()).prop_map(|(v, x)| vec![v, real(x)]).boxed(),
        "multiplyQuaternions" => (numbers(4), numbers(4)).prop_map(|(p, q)| vec![p, q]).boxed(),
        "subMatrix" => (grid(3, 4), size.clone(), size).prop_map(|(m, r, c)| vec![m, r, c]).boxed(),
        "uniform" | "normal" | "direction" | "rotation" => {
            (number(), any).prop_map(|(x, k)| vec![real(x), k]).boxed()
        }
        "identityMatrix" => size.prop_map(|n| vec![n]).boxed(),
        _ => prop::collection::vec(any, count).boxed(),
    }
}

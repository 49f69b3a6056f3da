//! Properties of all natives: they mean the same at once and on a tape, their types are as predicted, their
//! examples are true, their messages lead on. And the values of those that need no geometry.

use crate::arguments::one_native;
use crate::calls::{call, real, try_call, vector};
use crate::evaluate;
use crate::tape::{Tape, assert_same};
use gedanken_lang::arithmetic::{Arithmetic, Failure, Immediate, ScalarFault};
use gedanken_lang::native::{NATIVES, Native};
use gedanken_lang::operation::Known;
use gedanken_lang::types::{Dim, Type};
use gedanken_lang::value::Shaped;
use proptest::prelude::*;
use std::f64::consts::PI;

#[test]
fn all_names_of_the_language_are_there() {
    let names = "sine cosine tangent inverseSine inverseCosine inverseTangent norm normalize vectorDimension \
        skewSymmetricMatrix multiplyQuaternions quaternionToEulerXYZ quaternionToRotationMatrix \
        eulerXYZToRotationMatrix eulerXYZToQuaternion rotationMatrixToQuaternion rotationMatrixToEulerXYZ \
        quaternionFromAxisAndAngle rotateVector reflectVector squareMatrixInverse matrixTranspose subMatrix \
        matrixDimension identityMatrix arbitraryBasis head tail abs sqrt exp log min max floor ceil round sign mod \
        atan2 pi length isEmpty sum determinant trace uniform normal direction rotation";
    let names: Vec<&str> = names.split_whitespace().collect();
    let ours: Vec<&str> = NATIVES.iter().map(|entry| entry.name).collect();
    assert_eq!(names, ours);
    for (place, entry) in NATIVES.iter().enumerate() {
        assert_eq!(Native::by_name(entry.name).unwrap().entry().name, NATIVES[place].name);
        assert!(entry.summary.ends_with('.') && !entry.signature.is_empty(), "{}", entry.name);
    }
    assert!(Native::by_name("sin").is_none());
}

#[test]
fn natives_of_reals() {
    for x in [-0.9, -0.3, 0.0, 0.2, 0.7, 1.0] {
        for (name, expected) in [
            ("sine", libm::sin(x)),
            ("cosine", libm::cos(x)),
            ("tangent", libm::tan(x)),
            ("inverseSine", libm::asin(x)),
            ("inverseCosine", libm::acos(x)),
            ("inverseTangent", libm::atan(x)),
            ("exp", libm::exp(x)),
            ("abs", if x < 0.0 { -x } else { x }),
        ] {
            assert_eq!(call(name, &[real(x)]), real(expected), "{name}({x})");
        }
    }
    for (name, x, expected) in [
        ("sqrt", 2.25, 1.5),
        ("log", 1.0, 0.0),
        ("floor", -0.5, -1.0),
        ("ceil", -1.5, -1.0),
        ("round", 2.5, 3.0),
        ("round", 0.49999999999999994, 0.0),
        ("sign", 1e-300, 1.0),
        ("sign", -7.0, -1.0),
        ("sign", 0.0, 0.0),
    ] {
        assert_eq!(call(name, &[real(x)]), real(expected), "{name}({x})");
    }
    for (name, x, y, expected) in [
        ("min", 1.0, 2.0, 1.0),
        ("max", 1.0, 2.0, 2.0),
        ("mod", 7.5, 2.0, 1.5),
        ("mod", -7.5, 2.0, 0.5),
        ("mod", 7.5, -2.0, -0.5),
        ("mod", -7.5, -2.0, -1.5),
        ("atan2", 1.0, -1.0, 0.75 * PI),
        ("atan2", 0.0, 0.0, 0.0),
    ] {
        assert_eq!(call(name, &[real(x), real(y)]), real(expected), "{name}({x}, {y})");
    }
    // A remainder of nothing has the sign of the divisor too.
    let Shaped::Real(nothing) = call("mod", &[real(-6.0), real(3.0)]) else { panic!("no real") };
    assert_eq!(nothing.to_bits(), 0.0_f64.to_bits());
}

#[test]
fn results_that_are_no_numbers_are_faults() {
    for (name, x) in
        [("inverseSine", 1.0000000002), ("inverseCosine", -2.0), ("sqrt", -1.0), ("log", 0.0), ("exp", 1e3)]
    {
        assert!(
            matches!(try_call(name, &[real(x)]), Ok(Err(ScalarFault::Unary(_, y))) if y == x),
            "{name}({x})"
        );
    }
    assert!(matches!(try_call("mod", &[real(1.0), real(0.0)]), Ok(Err(ScalarFault::Binary(..)))));
}

#[test]
fn natives_of_sequences() {
    let sequence = |items: &[f64]| Shaped::Sequence(items.iter().copied().map(real).collect());
    let s = sequence(&[4.0, 5.0, 6.5]);
    assert_eq!(call("head", &[s.clone()]), real(4.0));
    assert_eq!(call("tail", &[s.clone()]), sequence(&[5.0, 6.5]));
    assert_eq!(call("tail", &[sequence(&[1.0])]), sequence(&[]));
    assert_eq!(call("length", &[s.clone()]), real(3.0));
    assert_eq!(call("isEmpty", &[s.clone()]), Shaped::Bool(false));
    assert_eq!(call("isEmpty", &[sequence(&[])]), Shaped::Bool(true));
    assert_eq!(call("sum", &[s]), real(15.5));
    assert_eq!(call("sum", &[sequence(&[])]), real(0.0));
    assert_eq!(call("sum", &[vector(&[1.0, 2.0])]), real(3.0));
    let vectors = Shaped::Sequence(vec![vector(&[1.0, 2.0]), vector(&[10.0, 20.0])]);
    assert_eq!(call("sum", &[vectors]), vector(&[11.0, 22.0]));
    for name in ["head", "tail"] {
        assert_eq!(try_call(name, &[sequence(&[])]), Ok(Err(ScalarFault::Failed(Failure::Empty))));
    }
}

#[test]
fn vectors_without_direction() {
    let zero = vector(&[0.0; 3]);
    assert_eq!(call("normalize", &[zero.clone()]), zero);
    assert_eq!(call("normalize", &[vector(&[])]), vector(&[]));
    assert_eq!(call("norm", &[vector(&[])]), real(0.0));
    let v = vector(&[1.0, -2.0, 3.0]);
    assert_eq!(call("quaternionFromAxisAndAngle", &[zero.clone(), real(1.0)]), vector(&[1.0, 0.0, 0.0, 0.0]));
    assert_eq!(call("rotateVector", &[v.clone(), zero.clone(), real(1.0)]), v);
    assert_eq!(call("reflectVector", &[v.clone(), zero.clone()]), v);
    assert_eq!(try_call("arbitraryBasis", &[zero]), Ok(Err(ScalarFault::Failed(Failure::NoDirection))));
    let nothing = vector(&[0.0; 4]);
    assert!(matches!(try_call("quaternionToRotationMatrix", &[nothing]), Ok(Err(ScalarFault::Binary(..)))));
}

#[test]
fn wrong_numbers_of_arguments_are_counted() {
    let refused = try_call("min", &[real(3.0)]).unwrap_err();
    insta::assert_snapshot!(refused.message, @"`min` needs 2 arguments, `x`, `y`, but one is given");
    insta::assert_snapshot!(refused.help.unwrap(), @"for example `min(2, -3)`");
    let refused = try_call("pi", &[real(3.0), real(1.0)]).unwrap_err();
    insta::assert_snapshot!(refused.message, @"`pi` needs no arguments, but 2 are given");
}

/// Less is known of a type: lengths, or all of it.
fn forget(ty: &Type, how: u8) -> Type {
    match (how % 3, ty) {
        (0, _) => ty.clone(),
        (1, Type::Vector(_)) => Type::Vector(Dim::Any),
        (1, Type::Matrix(rows, _)) => Type::Matrix(*rows, Dim::Any),
        (1, Type::Sequence(_)) => Type::Sequence(Box::new(Type::Unknown)),
        (1, _) => ty.clone(),
        _ => Type::Unknown,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8192))]

    #[test]
    fn what_is_predicted_is_what_comes((name, arguments) in one_native(), how in prop::array::uniform3(0..3u8)) {
        let native = Native::by_name(name).unwrap();
        let known: Vec<Known> = arguments.iter().map(|argument| Known {
            ty: argument.type_of(),
            value: if let Shaped::Real(x) = argument { Some(*x) } else { None },
        }).collect();
        let predicted = native.result(&known);
        match (try_call(name, &arguments), predicted) {
            (Err(refused), Err(predicted)) => prop_assert_eq!(refused, predicted),
            (Ok(Err(_)), Ok(_)) => {}
            (Ok(Ok(value)), Ok(predicted)) => {
                // Of nothing the sum is the real 0, whatever the elements would have been.
                if !(name == "sum" && matches!(&arguments[0], Shaped::Sequence(items) if items.is_empty())) {
                    prop_assert!(value.type_of().fits(&predicted), "{}: {:?} {:?}", name, value, predicted);
                }
                // Who knows less accepts no less, and promises nothing wrong.
                let less: Vec<Known> =
                    known.iter().zip(how).map(|(known, how)| forget(&known.ty, how).into()).collect();
                let vaguely = native.result(&less);
                prop_assert!(vaguely.is_ok(), "{}: {:?}", name, vaguely);
                prop_assert!(value.type_of().fits(&vaguely.unwrap()), "{}", name);
            }
            (came, predicted) => prop_assert!(false, "{}: {:?} but {:?}", name, came, predicted),
        }
    }

    #[test]
    fn at_once_and_on_a_tape_are_the_same((name, arguments) in one_native()) {
        let native = Native::by_name(name).unwrap();
        let (mut immediate, mut tape) = (Immediate::default(), Tape::default());
        let now = native.call(&mut immediate, &arguments);
        // Sizes must be constants: no other number decides about shapes.
        let constants = matches!(name, "subMatrix" | "identityMatrix");
        let inputs: Vec<_> = arguments.iter().map(|argument| match argument {
            Shaped::Real(x) if constants => Shaped::Real(tape.real(*x)),
            other => tape.input(other),
        }).collect();
        let later = native.call(&mut tape, &inputs);
        assert_same(name, (now, &mut immediate), (later, &tape));
    }
}

#[test]
fn sizes_that_only_the_run_can_tell() {
    let mut tape = Tape::default();
    let n = tape.input(&real(3.0));
    let refused = Native::by_name("identityMatrix").unwrap().call(&mut tape, &[n]).unwrap_err();
    insta::assert_snapshot!(refused.message, @"`identityMatrix` gives a matrix whose size only the run can tell");
    let known = Known { ty: Type::Real, value: None };
    let ty = Native::by_name("identityMatrix").unwrap().result(&[known]);
    assert_eq!(ty, Ok(Type::Matrix(Dim::Any, Dim::Any)));
}

#[test]
fn examples_are_true() {
    for entry in NATIVES {
        let (expression, expected) = entry.example;
        assert_eq!(evaluate::value("", expression), expected, "{expression}");
        assert_eq!(evaluate::value("", expected), expected, "{expected} reads back");
    }
}

#[test]
fn messages_name_the_native_the_parameter_and_the_way_out() {
    let say = |expression: &str| {
        let fault = evaluate::fault("", expression);
        format!("{}\n{}", fault.message, fault.circumstances.help.unwrap_or_default())
    };
    insta::assert_snapshot!(say("multiplyQuaternions([1, 0, 0, 0], [0.1, 0.2, 0.3])"), @r"
    `multiplyQuaternions` needs a vector of 4 as `q`, but here is a vector of 3
    a quaternion is a vector of 4, [w, x, y, z]; `eulerXYZToQuaternion(angles)` makes one from angles, `quaternionFromAxisAndAngle(axis, angle)` one from an axis
    ");
    insta::assert_snapshot!(say("sine([1, 2, 3])"), @r"
    `sine` needs a real as `angle`, but here is a vector of 3
    take one element, `v # 1`, or the length of the vector, `norm(v)`
    ");
    insta::assert_snapshot!(say("length([1, 2, 3])"), @r"
    `length` needs a sequence as `s`, but here is a vector of 3
    `length` counts the elements of a sequence; for a vector, `norm(v)` is how long it is and `vectorDimension(v)` how many elements it has
    ");
    insta::assert_snapshot!(say("squareMatrixInverse([[1, 2, 3], [4, 5, 6]])"), @r"
    `squareMatrixInverse` needs a matrix with as many rows as columns as `m`, but here is a 2 by 3 matrix
    `subMatrix(m, rows, columns)` takes a part; or is a row missing?
    ");
    insta::assert_snapshot!(say("reflectVector([1, 2, 3], [1, 0])"), @r"
    `reflectVector` needs two vectors of one length, but here are a vector of 3 and a vector of 2
    is a comma missing in one of them, or one too many?
    ");
    insta::assert_snapshot!(say("subMatrix(identityMatrix(4), 5, 3)"), @r"
    `subMatrix` needs a whole number from 1 to 4 as `rows`, but here is 5
    `matrixDimension(m)` tells how many there are
    ");
    insta::assert_snapshot!(say("arbitraryBasis([1, 2])"), @r"
    `arbitraryBasis` needs a vector of 3 as `n`, but here is a vector of 2
    is a comma missing?
    ");
    insta::assert_snapshot!(say("norm(3)"), @r"
    `norm` needs a vector as `v`, but here is a real
    the magnitude of a real is `abs(x)`
    ");
    insta::assert_snapshot!(say("identityMatrix(100000)"), @"`identityMatrix` needs a whole number from 1 to 1000 as `n`, but here is 100000");
}

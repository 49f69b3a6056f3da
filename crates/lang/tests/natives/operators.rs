//! The operators: their values against closed forms, their rules against their values, their words against
//! what a student needs to read.

use crate::tape::{Tape, assert_same, bits};
use gedanken_lang::arithmetic::{self, Arithmetic, Failure, Immediate, ScalarFault};
use gedanken_lang::operation::{self, Known, Mismatch};
use gedanken_lang::syntax::tree::{Binary, Unary};
use gedanken_lang::types::{Dim, Type};
use gedanken_lang::value::{Matrix, Shaped, Value};
use proptest::prelude::*;

const BINARY: [Binary; 16] = [
    Binary::Or,
    Binary::And,
    Binary::Equal,
    Binary::NotEqual,
    Binary::Less,
    Binary::LessEqual,
    Binary::Greater,
    Binary::GreaterEqual,
    Binary::Join,
    Binary::Add,
    Binary::Subtract,
    Binary::Multiply,
    Binary::Divide,
    Binary::Dot,
    Binary::Power,
    Binary::Element,
];

fn real(x: f64) -> Value {
    Shaped::Real(x)
}

fn truth(x: bool) -> Value {
    Shaped::Bool(x)
}

fn vector(v: &[f64]) -> Value {
    Shaped::Vector(v.to_vec())
}

fn matrix(rows: usize, columns: usize, elements: &[f64]) -> Value {
    Shaped::Matrix(Matrix { rows, columns, elements: elements.to_vec() })
}

fn sequence(items: &[Value]) -> Value {
    Shaped::Sequence(items.to_vec())
}

fn try_binary(left: &Value, operator: Binary, right: &Value) -> Result<Result<Value, ScalarFault>, Mismatch> {
    let mut immediate = Immediate::default();
    let value = operation::binary(&mut immediate, operator, left, right)?;
    Ok(immediate.fault().map_or(Ok(value), Err))
}

fn binary(left: &Value, operator: Binary, right: &Value) -> Value {
    try_binary(left, operator, right).unwrap().unwrap()
}

#[test]
fn vector_algebra() {
    let (v, w) = (vector(&[1.0, 2.0, 3.0]), vector(&[4.0, -5.0, 6.0]));
    let m = matrix(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let n = matrix(3, 2, &[1.0, 0.0, 0.0, 1.0, 2.0, 2.0]);
    for (left, operator, right, expected) in [
        (&v, Binary::Add, &w, vector(&[5.0, -3.0, 9.0])),
        (&v, Binary::Subtract, &w, vector(&[-3.0, 7.0, -3.0])),
        (&v, Binary::Multiply, &w, vector(&[27.0, 6.0, -13.0])),
        (&v, Binary::Dot, &w, real(12.0)),
        (&v, Binary::Multiply, &real(2.0), vector(&[2.0, 4.0, 6.0])),
        (&real(2.0), Binary::Multiply, &m, matrix(2, 3, &[2.0, 4.0, 6.0, 8.0, 10.0, 12.0])),
        (&v, Binary::Divide, &real(4.0), vector(&[0.25, 0.5, 0.75])),
        (&m, Binary::Multiply, &v, vector(&[14.0, 32.0])),
        (&m, Binary::Multiply, &n, matrix(2, 2, &[7.0, 8.0, 16.0, 17.0])),
        (&m, Binary::Subtract, &m, matrix(2, 3, &[0.0; 6])),
        (&m, Binary::Element, &real(2.0), vector(&[4.0, 5.0, 6.0])),
        (&w, Binary::Element, &real(1.0), real(4.0)),
        (&real(2.0), Binary::Power, &real(-2.0), real(0.25)),
        (&real(2.0), Binary::Power, &real(0.5), real(std::f64::consts::SQRT_2)),
        (&real(0.0), Binary::Power, &real(0.0), real(1.0)),
        (&real(10.0), Binary::Power, &real(-2.0), real(0.01)),
        (&v, Binary::Equal, &v, truth(true)),
        (&v, Binary::Equal, &w, truth(false)),
        (&m, Binary::NotEqual, &m, truth(false)),
        (&real(0.0), Binary::Equal, &real(-0.0), truth(true)),
        (&real(1.0), Binary::Greater, &real(2.0), truth(false)),
        (&real(2.0), Binary::GreaterEqual, &real(2.0), truth(true)),
        (&real(2.0), Binary::Less, &real(2.0), truth(false)),
        (&real(2.0), Binary::LessEqual, &real(2.0), truth(true)),
    ] {
        assert_eq!(binary(left, operator, right), expected, "{left} {} {right}", operator.sign());
    }
}

#[test]
fn booleans_and_sequences() {
    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
        assert_eq!(binary(&truth(x), Binary::And, &truth(y)), truth(x && y));
        assert_eq!(binary(&truth(x), Binary::Or, &truth(y)), truth(x || y));
        assert_eq!(binary(&truth(x), Binary::Equal, &truth(y)), truth(x == y));
        assert_eq!(binary(&truth(x), Binary::NotEqual, &truth(y)), truth(x != y));
        assert_eq!(operation::unary(&mut Immediate::default(), Unary::Not, &truth(x)), Ok(truth(!x)));
    }
    let (s, t, empty) = (sequence(&[real(1.0), real(2.0)]), sequence(&[real(3.0)]), sequence(&[]));
    assert_eq!(binary(&s, Binary::Join, &t), sequence(&[real(1.0), real(2.0), real(3.0)]));
    assert_eq!(binary(&empty, Binary::Join, &t), t);
    assert_eq!(binary(&s, Binary::Equal, &s), truth(true));
    assert_eq!(binary(&s, Binary::Equal, &t), truth(false), "different lengths are unequal");
    assert_eq!(binary(&s, Binary::Equal, &empty), truth(false));
    assert_eq!(binary(&empty, Binary::Equal, &empty), truth(true));
    assert_eq!(binary(&s, Binary::Element, &real(2.0)), real(2.0));
    let flags = sequence(&[truth(true), truth(false)]);
    assert!(try_binary(&s, Binary::Join, &flags).is_err());
    assert!(try_binary(&s, Binary::Equal, &flags).is_err());
    // Nothing says what an empty sequence is of, also inside another.
    let nested = [sequence(&[empty.clone()]), sequence(&[s.clone()]), sequence(&[flags.clone()])];
    assert!(try_binary(&nested[0], Binary::Join, &nested[1]).is_ok());
    assert!(try_binary(&nested[1], Binary::Join, &nested[2]).is_err());
    let both = binary(&nested[0], Binary::Join, &nested[1]);
    assert!(try_binary(&both, Binary::Join, &nested[2]).is_err(), "the second element tells");
}

#[test]
fn an_index_out_of_range_is_a_failure_of_the_run() {
    let v = vector(&[1.0, 2.0, 3.0]);
    for index in [0.0, 4.0, -1.0, 1.5, 1e300] {
        let failed = Err(ScalarFault::Failed(Failure::Index { index, length: 3 }));
        assert_eq!(try_binary(&v, Binary::Element, &real(index)), Ok(failed));
        // If it is known beforehand, it is refused beforehand.
        let known = Known { ty: Type::Real, value: Some(index) };
        assert!(operation::binary_type(Binary::Element, &v.type_of().into(), &known).is_err());
        let of_any_length = operation::binary_type(Binary::Element, &Type::Vector(Dim::Any).into(), &known);
        assert_eq!(of_any_length.is_ok(), index == 4.0);
    }
}

/// A sum that began with zero would lose the sign of a negative zero; one fixed order is what makes results
/// equal.
#[test]
fn sums_begin_with_their_first_term() {
    let dot = binary(&vector(&[-1.0]), Binary::Dot, &vector(&[0.0]));
    assert_eq!(bits(&dot), [(-0.0_f64).to_bits()]);
    let large = vector(&[1e16, 1.0, -1e16]);
    assert_eq!(binary(&large, Binary::Dot, &vector(&[1.0; 3])), real(0.0), "from left to right");
}

#[test]
fn powers_are_products_whoever_computes_them() {
    for exponent in -9..=9 {
        for x in [-3.7, -1.0, -0.1, 0.3, 1.0, 2.0, 11.0, 1e60, 1e-60] {
            let exponent = f64::from(exponent);
            let mut immediate = Immediate::default();
            let product =
                operation::binary(&mut immediate, Binary::Power, &real(x), &real(exponent)).unwrap();
            let node = arithmetic::Binary::Pow.apply(x, exponent);
            assert_eq!(immediate.fault().is_some(), !node.is_finite(), "{x} ^ {exponent}");
            if node.is_finite() {
                assert_eq!(bits(&product), [node.to_bits()], "{x} ^ {exponent}");
                let reference = libm::pow(x, exponent);
                assert!((node - reference).abs() <= 4.0 * f64::EPSILON * reference.abs(), "{x} ^ {exponent}");
            }
        }
    }
    assert!(matches!(try_binary(&real(-8.0), Binary::Power, &real(1.0 / 3.0)), Ok(Err(_))));
    assert!(matches!(try_binary(&real(0.0), Binary::Power, &real(-1.0)), Ok(Err(_))));
}

#[test]
fn vectors_and_matrices_from_their_elements() {
    let rows = [vector(&[1.0, 2.0]), vector(&[3.0, 4.0])];
    assert_eq!(operation::vector(&rows), Ok(matrix(2, 2, &[1.0, 2.0, 3.0, 4.0])));
    assert_eq!(operation::vector::<f64, bool>(&[]), Ok(vector(&[])));
    assert_eq!(operation::sequence::<f64, bool>(&[]), Ok(sequence(&[])));
    assert_eq!(operation::vector_type(&[Type::Unknown, Type::Real]), Ok(Type::vector(2)));
    assert_eq!(operation::vector_type(&[Type::Unknown, Type::vector(3)]), Ok(Type::matrix(2, 3)));
    assert_eq!(operation::vector_type(&[Type::Unknown]), Ok(Type::Unknown));
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -3.0..3.0f64, 2 => (-1..5i8).prop_map(f64::from), 1 => Just(1e200), 1 => Just(1e-200)]
}

/// A value of any shape, sequences of sequences included.
fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        3 => number().prop_map(real),
        1 => any::<bool>().prop_map(truth),
        4 => prop::collection::vec(number(), 0..5).prop_map(Shaped::Vector),
        3 => (1..4usize, 1..4usize).prop_flat_map(|(rows, columns)| {
            prop::collection::vec(number(), rows * columns).prop_map(move |elements| matrix(rows, columns, &elements))
        }),
    ];
    leaf.prop_recursive(2, 12, 3, |inner| {
        // Only those that are sequences: items of one type.
        prop::collection::vec(inner, 0..4)
            .prop_map(|items| operation::sequence(&items).unwrap_or_else(|_| sequence(&[])))
    })
}

/// Less is known of a type: lengths, or all of it.
fn forget(ty: &Type, how: u8) -> Type {
    match (how % 4, ty) {
        (1 | 2, Type::Vector(_)) => Type::Vector(Dim::Any),
        (1, Type::Matrix(rows, _)) => Type::Matrix(*rows, Dim::Any),
        (2, Type::Matrix(_, columns)) => Type::Matrix(Dim::Any, *columns),
        (1, Type::Sequence(_)) => Type::Sequence(Box::new(Type::Unknown)),
        (3, _) => Type::Unknown,
        _ => ty.clone(),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// A rule accepts exactly what has a value, says the same where it has none, and promises nothing wrong,
    /// also where less is known.
    #[test]
    fn rules_and_values_agree(
        operator in prop::sample::select(&BINARY[..]),
        left in value(), right in value(), how in prop::array::uniform2(0..4u8),
    ) {
        let (l, r) = (left.type_of(), right.type_of());
        let rule = operation::binary_type(operator, &l.clone().into(), &r.clone().into());
        match (try_binary(&left, operator, &right), rule) {
            (Err(value), Err(rule)) => prop_assert_eq!(value, rule),
            (Ok(value), Ok(rule)) => {
                let less = operation::binary_type(operator, &forget(&l, how[0]).into(), &forget(&r, how[1]).into());
                prop_assert!(less.is_ok(), "{left} {} {right}: {less:?}", operator.sign());
                if let Ok(value) = value {
                    prop_assert!(value.type_of().fits(&rule), "{value} is not {rule:?}");
                    prop_assert!(value.type_of().fits(&less.unwrap()), "{value}");
                }
            }
            (value, rule) => prop_assert!(false, "{left} {} {right}: {value:?} but {rule:?}", operator.sign()),
        }
    }

    #[test]
    fn signs_and_brackets_agree(operand in value(), items in prop::collection::vec(value(), 0..4)) {
        for operator in [Unary::Minus, Unary::Plus, Unary::Not] {
            let value = operation::unary(&mut Immediate::default(), operator, &operand);
            prop_assert_eq!(value.map(|value| value.type_of()), operation::unary_type(operator, &operand.type_of()));
        }
        let types: Vec<Type> = items.iter().map(Shaped::type_of).collect();
        prop_assert_eq!(operation::vector(&items).map(|value| value.type_of()), operation::vector_type(&types));
        prop_assert_eq!(operation::sequence(&items).map(|value| value.type_of()), operation::sequence_type(&types));
    }

    #[test]
    fn at_once_and_on_a_tape_are_the_same(
        operator in prop::sample::select(&BINARY[..]), left in value(), right in value(), constant in any::<bool>(),
    ) {
        let (mut immediate, mut tape) = (Immediate::default(), Tape::default());
        let now = operation::binary(&mut immediate, operator, &left, &right);
        let first = tape.input(&left);
        let second = match right {
            Shaped::Real(x) if constant => Shaped::Real(tape.real(x)),
            ref other => tape.input(other),
        };
        let later = operation::binary(&mut tape, operator, &first, &second);
        // Elements of different shapes, of which only the run tells one: refused beforehand, and only then.
        if operator == Binary::Element && now.is_ok() && later.is_err() {
            prop_assert!(matches!(left, Shaped::Sequence(_)) && !constant);
        } else {
            assert_same(operator.sign(), (now, &mut immediate), (later, &tape));
        }
    }
}

#[test]
fn messages_name_the_operator_and_both_types_and_lead_on() {
    let say = |left: Value, operator: Binary, right: Value| {
        let Mismatch { message, help } = try_binary(&left, operator, &right).unwrap_err();
        format!("{message}\n{}", help.unwrap_or_default())
    };
    let (v, w) = (vector(&[1.0; 3]), vector(&[1.0; 2]));
    insta::assert_snapshot!(say(v.clone(), Binary::Divide, v.clone()), @r"
    `/` needs a real on its right, but here are two vectors of 3
    to scale, divide by its length: `u / norm(v)`; element by element division does not exist in vector algebra
    ");
    insta::assert_snapshot!(say(v.clone(), Binary::Add, real(5.0)), @r"
    `+` needs two values of the same shape, but here are a vector of 3 and a real
    did you mean its length, `norm(v) + x`, one of its elements, `v # 1 + x`, or a vector on the right, `v + [0, 0, x]`?
    ");
    insta::assert_snapshot!(say(w.clone(), Binary::Multiply, w.clone()), @r"
    `*` needs two vectors of 3 (their cross product), but here are two vectors of 2
    the cross product needs two vectors of 3; a vector of 2 appears here: is a comma missing? The inner product is `v . w`
    ");
    insta::assert_snapshot!(say(v.clone(), Binary::Multiply, vector(&[1.0; 4])), @r"
    `*` needs two vectors of 3 (their cross product), but here are a vector of 3 and a vector of 4
    the cross product needs two vectors of 3; a vector of 4 appears here: is there one element too many? The inner product is `v . w`
    ");
    insta::assert_snapshot!(say(matrix(4, 4, &[0.0; 16]), Binary::Multiply, v.clone()), @r"
    `*` needs as many columns on its left as elements on its right, but here are a 4 by 4 matrix and a vector of 3
    rotation matrices are 4 by 4; `subMatrix(m, 3, 3) * v` rotates a vector of 3
    ");
    insta::assert_snapshot!(say(matrix(2, 3, &[0.0; 6]), Binary::Multiply, matrix(2, 2, &[0.0; 4])), @r"
    `*` needs as many columns on its left as rows on its right, but here are a 2 by 3 matrix and a 2 by 2 matrix
    `matrixTranspose(m) * n` would fit; is one of them turned the wrong way?
    ");
    insta::assert_snapshot!(say(v.clone(), Binary::Power, real(2.0)), @r"
    `^` needs two reals, but here are a vector of 3 and a real
    `v . v` is the square of a vector's length, `norm(v)` the length itself
    ");
    insta::assert_snapshot!(say(real(2.0), Binary::Dot, real(3.0)), @r"
    `.` needs two vectors of one length, but here are two reals
    `.` is the inner product of two vectors; to multiply two reals write `*`
    ");
    insta::assert_snapshot!(say(truth(true), Binary::Add, real(50.0)), @r"
    `+` needs two values of the same shape, but here are a boolean and a real
    a boolean is no number; `if c then 1 else 0` makes one of it
    ");
    insta::assert_snapshot!(say(sequence(&[real(1.0)]), Binary::Add, v.clone()), @r"
    `+` needs two values of the same shape, but here are a sequence and a vector of 3
    `{1, 2}` is a sequence, `[1, 2]` is a vector: for a vector write square brackets
    ");
    insta::assert_snapshot!(say(v.clone(), Binary::Equal, w.clone()), @r"
    `==` needs two values of one type and shape, but here are a vector of 3 and a vector of 2
    values of different shapes are never equal: is a comma missing, or one too many?
    ");
    insta::assert_snapshot!(say(sequence(&[real(1.0)]), Binary::Join, real(1.0)), @r"
    `++` needs two sequences of the same type, but here are a sequence and a real
    to append one value put it in braces: `s ++ {x}`
    ");
    insta::assert_snapshot!(say(real(1.0), Binary::Element, real(1.0)), @r"
    `#` needs a vector, a matrix or a sequence and then a whole number, but here are two reals
    only vectors, matrices and sequences have elements
    ");
    insta::assert_snapshot!(say(real(1.0), Binary::And, truth(true)), @r"
    `&` needs two booleans, but here are a real and a boolean
    compare first, as in `x > 0 & y > 0`
    ");
    let known = Known { ty: Type::Real, value: Some(0.0) };
    let refused = operation::binary_type(Binary::Element, &Type::vector(3).into(), &known).unwrap_err();
    insta::assert_snapshot!(refused.message, @"`#` asks for element 0 of a vector of 3: the numbers go from 1 to 3");
    insta::assert_snapshot!(refused.help.unwrap(), @"counting starts at 1, not at 0");
    let uneven = operation::vector(&[vector(&[1.0, 2.0]), vector(&[3.0])]).unwrap_err();
    insta::assert_snapshot!(uneven.message, @"`[ ]` needs elements of one type, but element 1 is a vector of 2 and element 2 is a vector of 1");
}

/// Every refusal says what to do.
#[test]
fn every_refusal_of_an_operator_has_a_way_out() {
    let kinds = [
        Type::Real,
        Type::Bool,
        Type::vector(2),
        Type::vector(3),
        Type::Vector(Dim::Any),
        Type::matrix(3, 3),
        Type::matrix(2, 3),
        Type::Sequence(Box::new(Type::Real)),
        Type::Sequence(Box::new(Type::Bool)),
        Type::Unknown,
    ];
    for operator in BINARY {
        for left in &kinds {
            for right in &kinds {
                let rule = operation::binary_type(operator, &left.clone().into(), &right.clone().into());
                if let Err(Mismatch { message, help }) = rule {
                    assert!(message.starts_with(&format!("`{}` needs", operator.sign())), "{message}");
                    assert!(help.is_some_and(|help| !help.is_empty()), "{message}");
                }
            }
        }
    }
}

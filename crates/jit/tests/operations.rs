//! Every operation, on reals at which functions misbehave: the bits of `apply`, alone and where operands are
//! constants.

mod support;

use gedanken_lang::arithmetic::{Binary, Comparison, Unary};
use gedanken_lang::ir::{Access, Node, NodeId};
use support::{SPECIAL, Sketch, bits, run};

/// All pairs of special reals.
fn pairs() -> (Vec<f64>, Vec<f64>) {
    SPECIAL.iter().flat_map(|x| SPECIAL.iter().map(move |y| (*x, *y))).unzip()
}

#[test]
fn functions_of_one_real_have_the_bits_of_apply() {
    let mut sketch = Sketch::new(1);
    for operation in Unary::ALL {
        let y = sketch.node(Node::Unary(*operation, NodeId(0)));
        sketch.output(y);
    }
    let (results, bad) = run(&sketch.compile(&[Access::Each]), Unary::ALL.len(), &[SPECIAL]);
    assert_eq!(bad, None, "nothing was checked");
    for (operation, column) in Unary::ALL.iter().zip(results) {
        for (x, y) in SPECIAL.iter().zip(column) {
            assert_eq!(bits(y), bits(operation.apply(*x)), "{operation:?} of {x:e} is {y:e}");
        }
    }
}

#[test]
fn functions_of_two_reals_have_the_bits_of_apply() {
    let (left, right) = pairs();
    let mut sketch = Sketch::new(2);
    for operation in Binary::ALL {
        let z = sketch.node(Node::Binary(*operation, NodeId(0), NodeId(1)));
        sketch.output(z);
    }
    let (results, _) = run(&sketch.compile(&[Access::Each; 2]), Binary::ALL.len(), &[&left, &right]);
    for (operation, column) in Binary::ALL.iter().zip(results) {
        for ((x, y), z) in left.iter().zip(&right).zip(column) {
            assert_eq!(bits(z), bits(operation.apply(*x, *y)), "{operation:?} of {x:e} and {y:e} is {z:e}");
        }
    }
}

#[test]
fn comparisons_agree_with_apply_and_are_written_as_0_and_1() {
    let (left, right) = pairs();
    let mut sketch = Sketch::new(2);
    for comparison in Comparison::ALL {
        let z = sketch.node(Node::Compare(*comparison, NodeId(0), NodeId(1)));
        let not = sketch.node(Node::Not(z));
        sketch.output(z);
        sketch.output(not);
    }
    let (results, _) = run(&sketch.compile(&[Access::Each; 2]), 2 * Comparison::ALL.len(), &[&left, &right]);
    for (comparison, columns) in Comparison::ALL.iter().zip(results.chunks(2)) {
        for (i, (x, y)) in left.iter().zip(&right).enumerate() {
            let truth = comparison.apply(*x, *y);
            assert_eq!(bits(columns[0][i]), bits(f64::from(truth)), "{comparison:?} of {x:e} and {y:e}");
            assert_eq!(bits(columns[1][i]), bits(f64::from(!truth)), "not {comparison:?} of {x:e} and {y:e}");
        }
    }
}

/// They come from one call, whose bits have to be those of two: at all sizes, since the sizes take different
/// ways.
#[test]
fn sine_and_cosine_of_one_angle_have_the_bits_of_each() {
    let sizes = (0..=2_046_u64).flat_map(|exponent| {
        (0..200_u64)
            .map(move |k| f64::from_bits(exponent << 52 | k.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 12))
    });
    let near_quarters = (0..2_000).flat_map(|k| {
        let quarter = f64::from(k) * std::f64::consts::FRAC_PI_4;
        [quarter.next_down(), quarter, quarter.next_up()]
    });
    let angles = sizes.chain(near_quarters).flat_map(|x| [x, -x]).chain(SPECIAL.iter().copied());
    let angles: Vec<f64> = angles.collect();
    let mut sketch = Sketch::new(1);
    for operation in [Unary::Cos, Unary::Sin] {
        let y = sketch.node(Node::Unary(operation, NodeId(0)));
        sketch.output(y);
    }
    let (results, _) = run(&sketch.compile(&[Access::Each]), 2, &[&angles]);
    for (i, x) in angles.into_iter().enumerate() {
        assert_eq!(bits(results[0][i]), bits(Unary::Cos.apply(x)), "cosine of {x:e}");
        assert_eq!(bits(results[1][i]), bits(Unary::Sin.apply(x)), "sine of {x:e}");
    }
}

/// The compiler computes ahead what it can; it must come to the same bits.
#[test]
fn constants_computed_ahead_have_the_bits_of_apply() {
    for x in SPECIAL {
        let mut sketch = Sketch::new(0);
        let mut expected = Vec::new();
        let constant = sketch.node(Node::real(*x));
        for operation in Unary::ALL {
            let y = sketch.node(Node::Unary(*operation, constant));
            sketch.output(y);
            expected.push((format!("{operation:?} of {x:e}"), operation.apply(*x)));
        }
        for y in SPECIAL {
            let other = sketch.node(Node::real(*y));
            for operation in Binary::ALL {
                let z = sketch.node(Node::Binary(*operation, constant, other));
                sketch.output(z);
                expected.push((format!("{operation:?} of {x:e} and {y:e}"), operation.apply(*x, *y)));
            }
            let (condition, less) =
                (Comparison::Lt.apply(*x, *y), Node::Compare(Comparison::Lt, constant, other));
            let less = sketch.node(less);
            let z = sketch.node(Node::Select(less, constant, other));
            sketch.output(z);
            expected.push((format!("the one of {x:e} and {y:e}"), if condition { *x } else { *y }));
        }
        let (results, _) = run(&sketch.compile(&[]), expected.len(), &[]);
        for ((what, expected), column) in expected.iter().zip(results) {
            assert_eq!(bits(column[0]), bits(*expected), "{what} is {:e}", column[0]);
        }
    }
}

/// Signs go in and out of products and quotients in the optimizer.
#[test]
fn signs_survive_the_optimizer() {
    let (left, right) = pairs();
    let mut sketch = Sketch::new(2);
    let (x, y) = (NodeId(0), NodeId(1));
    let minus_x = sketch.node(Node::Unary(Unary::Neg, x));
    let minus_y = sketch.node(Node::Unary(Unary::Neg, y));
    let zero = sketch.node(Node::real(0.0));
    let one = sketch.node(Node::real(1.0));
    for (operation, a, b) in [
        (Binary::Mul, minus_x, minus_y),
        (Binary::Add, x, minus_y),
        (Binary::Sub, minus_x, y),
        (Binary::Sub, x, x),
        (Binary::Add, x, zero),
        (Binary::Sub, zero, x),
        (Binary::Mul, x, zero),
        (Binary::Mul, x, one),
        (Binary::Div, x, one),
    ] {
        let z = sketch.node(Node::Binary(operation, a, b));
        sketch.output(z);
    }
    let (results, _) = run(&sketch.compile(&[Access::Each; 2]), 9, &[&left, &right]);
    for (i, (x, y)) in left.iter().copied().zip(right).enumerate() {
        let expected = [-x * -y, x + -y, -x - y, x - x, x + 0.0, 0.0 - x, x * 0.0, x * 1.0, x / 1.0];
        for (k, expected) in expected.into_iter().enumerate() {
            assert_eq!(bits(results[k][i]), bits(expected), "expression {k} of {x:e} and {y:e}");
        }
    }
}

#[test]
fn truth_values_combine() {
    let columns: [&[f64]; 2] = [&[0.0, 0.0, 1.0, 1.0], &[0.0, 1.0, 0.0, 1.0]];
    let mut sketch = Sketch::new(2);
    let half = sketch.node(Node::real(0.5));
    let a = sketch.node(Node::Compare(Comparison::Lt, half, NodeId(0)));
    let b = sketch.node(Node::Compare(Comparison::Lt, half, NodeId(1)));
    let yes = sketch.node(Node::Truth(true));
    for node in [Node::And(a, b), Node::Or(a, b), Node::Not(a), Node::And(a, yes)] {
        let z = sketch.node(node);
        sketch.output(z);
    }
    let (results, _) = run(&sketch.compile(&[Access::Each; 2]), 4, &columns);
    assert_eq!(
        results,
        [[0.0, 0.0, 0.0, 1.0], [0.0, 1.0, 1.0, 1.0], [1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]]
    );
}

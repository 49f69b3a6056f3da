//! Arms, what they hand over, and what they check.

mod support;

use gedanken_lang::arithmetic::{Binary, Comparison, Unary};
use gedanken_lang::ir::{Access, Node, NodeId};
use support::{Sketch, run};

const X: NodeId = NodeId(0);
const Y: NodeId = NodeId(1);

/// if x < 0 then (-x, true) else (√x, false): reals and truth values through one branch, one of them unused
/// elsewhere.
#[test]
fn arms_hand_over_reals_and_truth_values() {
    let mut sketch = Sketch::new(1);
    let zero = sketch.node(Node::real(0.0));
    let negative = sketch.node(Node::Compare(Comparison::Lt, X, zero));
    let picks = sketch.branch(
        negative,
        |s| vec![s.node(Node::Unary(Unary::Neg, X)), X, s.node(Node::Truth(true))],
        |s| vec![s.node(Node::Unary(Unary::Sqrt, X)), X, s.node(Node::Truth(false))],
    );
    let twice = sketch.node(Node::Binary(Binary::Add, picks[0], picks[0]));
    sketch.output(twice);
    sketch.output(picks[2]);
    let (results, bad) = run(&sketch.compile(&[Access::Each]), 2, &[&[-3.0, 4.0, 0.0, 9.0]]);
    assert_eq!(bad, None);
    assert_eq!(results, [[6.0, 4.0, 0.0, 6.0], [1.0, 0.0, 0.0, 0.0]]);
}

/// |x| by one branch, then whether it exceeds y by another inside each arm of a third.
#[test]
fn branches_nest_and_follow_each_other() {
    let mut sketch = Sketch::new(2);
    let zero = sketch.node(Node::real(0.0));
    let negative = sketch.node(Node::Compare(Comparison::Lt, X, zero));
    let size = sketch.branch(negative, |s| vec![s.node(Node::Unary(Unary::Neg, X))], |_| vec![X])[0];
    let below = sketch.node(Node::Compare(Comparison::Lt, Y, zero));
    let result = sketch.branch(
        below,
        |s| {
            let one = s.node(Node::real(1.0));
            s.branch(negative, |s| vec![s.node(Node::Binary(Binary::Add, size, one))], |_| vec![size])
        },
        |s| {
            let larger = s.node(Node::Compare(Comparison::Lt, Y, size));
            s.branch(
                larger,
                |s| vec![s.node(Node::Binary(Binary::Sub, size, Y))],
                |s| vec![s.node(Node::Binary(Binary::Mul, size, Y))],
            )
        },
    )[0];
    sketch.output(result);
    let (xs, ys) = ([-3.0, 3.0, -3.0, 3.0, -3.0], [-1.0, -1.0, 1.0, 2.0, 5.0]);
    let (results, _) = run(&sketch.compile(&[Access::Each; 2]), 1, &[&xs, &ys]);
    assert_eq!(results, [[4.0, 3.0, 2.0, 1.0, 15.0]]);
}

/// if x < 0 then 0 else 1/x, checked in the arm: the quotient is bad only where it is asked for.
#[test]
fn an_arm_not_taken_checks_nothing() {
    for checked in [true, false] {
        let mut sketch = Sketch::new(2);
        let zero = sketch.node(Node::real(0.0));
        let one = sketch.node(Node::real(1.0));
        let negative = sketch.node(Node::Compare(Comparison::Lt, X, zero));
        let picks = sketch.branch(
            negative,
            |_| vec![zero],
            |s| {
                let quotient = s.node(Node::Binary(Binary::Div, one, Y));
                if checked {
                    s.check(quotient);
                }
                vec![quotient]
            },
        );
        sketch.output(picks[0]);
        let program = sketch.compile(&[Access::Each; 2]);
        let (results, bad) = run(&program, 1, &[&[-1.0, 1.0, -1.0, 1.0], &[0.0, 2.0, 0.0, 0.0]]);
        assert_eq!(bad, checked.then_some(3));
        assert_eq!(results[0][..3], [0.0, 0.5, 0.0]);
    }
}

/// A check in an arm none of whose results is used.
#[test]
fn checks_keep_a_branch_alive() {
    let mut sketch = Sketch::new(2);
    let zero = sketch.node(Node::real(0.0));
    let positive = sketch.node(Node::Compare(Comparison::Lt, zero, X));
    sketch.branch(
        positive,
        |s| {
            let root = s.node(Node::Unary(Unary::Sqrt, Y));
            s.check(root);
            vec![root]
        },
        |_| vec![zero],
    );
    sketch.check(X);
    sketch.output(X);
    let program = sketch.compile(&[Access::Each; 2]);
    assert_eq!(run(&program, 1, &[&[0.0, 1.0, 1.0], &[-4.0, 4.0, -4.0]]).1, Some(2));
    assert_eq!(run(&program, 1, &[&[0.0, 1.0, f64::INFINITY], &[-4.0, 4.0, 4.0]]).1, Some(2));
    assert_eq!(run(&program, 1, &[&[0.0, 1.0, 1.0], &[-4.0, 4.0, 4.0]]).1, None);
}

/// What an earlier row did is forgotten.
#[test]
fn the_first_bad_row_is_named_wherever_it_is() {
    let mut sketch = Sketch::new(2);
    let quotient = sketch.node(Node::Binary(Binary::Div, X, Y));
    sketch.check(quotient);
    sketch.check(X);
    sketch.output(quotient);
    let program = sketch.compile(&[Access::Each; 2]);
    let good = vec![1.0; 100];
    assert_eq!(run(&program, 1, &[&good, &good]).1, None);
    for (row, other) in [(0, 50), (37, 99), (99, 99)] {
        for (x, y) in [(1.0, 0.0), (0.0, 0.0), (f64::MAX, 1e-300), (f64::NEG_INFINITY, 1.0), (f64::NAN, 1.0)]
        {
            let (mut xs, mut ys) = (good.clone(), good.clone());
            for at in [row, other] {
                (xs[at], ys[at]) = (x, y);
            }
            let (results, bad) = run(&program, 1, &[&xs, &ys]);
            assert_eq!(bad, Some(row), "{x:e} / {y:e}");
            assert_eq!(results[0][..row], good[..row]);
        }
    }
}

/// A NaN that was computed early and that nobody asked for.
#[test]
fn a_value_that_gave_up_is_bad_only_if_checked() {
    let mut sketch = Sketch::new(1);
    let gave_up = sketch.node(Node::Fail);
    let sum = sketch.node(Node::Binary(Binary::Add, gave_up, X));
    sketch.output(sum);
    assert_eq!(run(&sketch.compile(&[Access::Each]), 1, &[&[1.0]]).1, None);
    sketch.check(sum);
    assert_eq!(run(&sketch.compile(&[Access::Each]), 1, &[&[1.0]]).1, Some(0));
}

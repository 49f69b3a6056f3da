//! Jacobian matrices and gradients, against closed forms.

use crate::evaluate::{graph, outputs};
use gedanken_lang::arithmetic::{Arithmetic, Binary, Comparison, Unary};
use gedanken_lang::ir::Schedule;
use gedanken_lang::transform::jacobian;

#[test]
fn the_gradient_of_newtons_potential() {
    // U = -1/|r|, grad U = r/|r|³
    let potential = graph(3, |a, x| {
        let squares: Vec<_> = x.iter().map(|&x| a.binary(Binary::Mul, x, x)).collect();
        let sum = squares.into_iter().reduce(|sum, square| a.binary(Binary::Add, sum, square)).unwrap();
        let (distance, minus_one) = (a.unary(Unary::Sqrt, sum), a.real(-1.0));
        vec![a.binary(Binary::Div, minus_one, distance)]
    });
    let gradient = jacobian(&potential, &[0, 1, 2]).unwrap();
    let names: Vec<&str> = gradient.outputs.iter().map(|output| output.name.as_str()).collect();
    assert_eq!(names, ["y0", "d y0 / d x0", "d y0 / d x1", "d y0 / d x2"]);
    let r = [1.0, -2.0, 2.0];
    for (got, x) in outputs(&gradient, &r)[1..].iter().zip(r) {
        assert!((got - x / 27.0).abs() < 1e-15, "{got}");
    }
}

#[test]
fn rows_and_columns_are_in_order_and_branches_are_shared() {
    // y0 = x0 x1, y1 = if x0 < 1 then sin x1 else exp x0
    let laws = graph(2, |a, x| {
        let (x, one) = ([x[0], x[1]], a.real(1.0));
        let product = a.binary(Binary::Mul, x[0], x[1]);
        let low = a.compare(Comparison::Lt, x[0], one);
        let choice =
            a.branch(low, &mut |a| vec![a.unary(Unary::Sin, x[1])], &mut |a| vec![a.unary(Unary::Exp, x[0])]);
        vec![product, choice[0]]
    });
    let matrix = jacobian(&laws, &[1, 0]).unwrap();
    Schedule::new(&matrix).validate(&matrix).unwrap();
    assert_eq!(matrix.arms.len(), laws.arms.len());
    let sine = libm::sin(3.0);
    assert_eq!(outputs(&matrix, &[0.5, 3.0]), [1.5, sine, 0.5, libm::cos(3.0), 3.0, 0.0]);
    let growth = libm::exp(2.0);
    assert_eq!(outputs(&matrix, &[2.0, 3.0]), [6.0, growth, 2.0, 0.0, 3.0, growth]);
}

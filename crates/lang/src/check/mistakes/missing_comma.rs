//! The forgotten comma: a vector with too few elements because two lines became a difference.
//!
//! ```text
//! [ x,
//!   -r # 2
//!   -r # 3 ]
//! ```
//!
//! is a vector of 2: the last two lines are a difference. Nothing is wrong with it until a vector of 3 is
//! needed, somewhere else. So when operands do not go together, the vectors among them are followed back to
//! where they were written; if one has a difference whose sign stands apart from its left side but not from
//! its right side, and an element more would have done, that is the place to show.

use crate::diagnostic::Diagnostic;
use crate::operation::Known;
use crate::program::{Expr, ExprKind, Program};
use crate::syntax::tree::Binary;
use crate::types::{Dim, Type};

/// Maximum number of expressions that are looked at on the way back.
const MOST_STEPS: usize = 100;

/// Adds the place where a comma is probably missing, if there is one: `retry` says whether operands go
/// together.
pub(crate) fn explain(
    diagnostic: Diagnostic,
    program: &Program,
    operands: &[&Expr],
    types: &[Known],
    retry: &dyn Fn(&[Known]) -> bool,
) -> Diagnostic {
    for (index, operand) in operands.iter().enumerate() {
        let Type::Vector(Dim::Is(length)) = types[index].ty else { continue };
        for elements in written(program, operand) {
            if elements.len() != length as usize {
                continue;
            }
            let suspects: Vec<&Expr> =
                elements.iter().filter(|element| left_side(element).is_some()).collect();
            let Some(left) = suspects.first().and_then(|suspect| left_side(suspect)) else { continue };
            let Some(longer) = u32::try_from(suspects.len()).ok().and_then(|more| length.checked_add(more))
            else {
                continue;
            };
            let mut meant = types.to_vec();
            meant[index].ty = Type::vector(longer);
            if retry(&meant) {
                let place = left.span.after();
                return Diagnostic { help: None, ..diagnostic }
                    .also(place, "missing comma?")
                    .help(format!("without a comma the next line is subtracted or added: this is a vector of {length}, with a comma it has {longer} elements"))
                    .edit(place, ",");
            }
        }
    }
    diagnostic
}

/// The left side of `a  -b`, where the sign looks as if it belonged to `b` alone.
fn left_side(element: &Expr) -> Option<&Expr> {
    let ExprKind::Binary(Binary::Subtract | Binary::Add, sign, left, right) = &element.kind else {
        return None;
    };
    let before = sign.start.checked_sub(left.span.end)?;
    let after = right.span.start.checked_sub(sign.end)?;
    (before > after).then_some(left)
}

/// The vectors that the value of `expr` may have been written as, through names, signs, factors and arms.
fn written<'p>(program: &'p Program, expr: &'p Expr) -> Vec<&'p [Expr]> {
    let mut found = Vec::new();
    let mut waiting = vec![expr];
    for _ in 0..MOST_STEPS {
        let Some(expr) = waiting.pop() else { break };
        match &expr.kind {
            ExprKind::Vector(elements) => found.push(elements.as_slice()),
            ExprKind::Call(function, arguments) if arguments.is_empty() => {
                waiting.push(&program.function(*function).body);
            }
            ExprKind::Unary(_, operand) => waiting.push(operand),
            ExprKind::Binary(
                Binary::Multiply | Binary::Divide | Binary::Add | Binary::Subtract,
                _,
                left,
                right,
            ) => waiting.extend([&**right, &**left]),
            ExprKind::If(_, then, otherwise) => waiting.extend([&**otherwise, &**then]),
            _ => {}
        }
    }
    found
}

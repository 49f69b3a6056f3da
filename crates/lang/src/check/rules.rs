//! Typing rules: what is known of an expression from what is known of its parts, and what is said where a
//! rule is broken.

use super::infer::{Inference, InputType, Look, shallow};
use super::mistakes::missing_comma;
use crate::arithmetic;
use crate::diagnostic::{Code, Diagnostic};
use crate::native::Native;
use crate::operation::{self, Known, Mismatch};
use crate::program::{Expr, ExprKind, InputId};
use crate::source::Span;
use crate::syntax::tree::{Binary, Unary};
use crate::types::Type;

impl Inference<'_> {
    /// Infers what is known of an expression. Expressions are tall, so this only dispatches: the less it
    /// holds itself, the less stack there is on the way down.
    pub(super) fn expr(&mut self, expr: &Expr, look: &mut Look<'_>) -> Option<Known> {
        match &expr.kind {
            ExprKind::Real(real) => Some(Known { ty: Type::Real, value: Some(*real) }),
            ExprKind::Bool(_) => known(Type::Bool),
            ExprKind::Param(index) => look.arguments.get(*index as usize).cloned(),
            ExprKind::Input(input) => self.stored(*input, expr.span, look),
            ExprKind::Call(function, arguments) => {
                let arguments = self.several(arguments, look)?;
                self.called(*function, arguments, expr.span, look)
            }
            ExprKind::Native(native, arguments) => self.native(*native, arguments, expr.span, look),
            ExprKind::Unary(operator, operand) => self.unary(*operator, operand, expr.span, look),
            ExprKind::Binary(operator, sign, left, right) => self.binary(*operator, *sign, left, right, look),
            ExprKind::If(condition, then, otherwise) => self.choice(condition, then, otherwise, look),
            ExprKind::Vector(elements) | ExprKind::Sequence(elements) => self.elements(expr, elements, look),
        }
    }

    /// A stored value, so not a constant, whatever its law says.
    fn stored(&mut self, InputId(input): InputId, span: Span, look: &mut Look<'_>) -> Option<Known> {
        match self.inputs.get(input as usize)?.clone() {
            InputType::Is(ty) => known(ty),
            InputType::Of(law) => known(self.called(law, Vec::new(), span, look)?.ty),
        }
    }

    /// All of them, if something is known of each; each is looked at in any case.
    fn several(&mut self, exprs: &[Expr], look: &mut Look<'_>) -> Option<Vec<Known>> {
        let found: Vec<Option<Known>> = exprs.iter().map(|expr| self.expr(expr, look)).collect();
        found.into_iter().collect()
    }

    fn native(
        &mut self,
        native: Native,
        arguments: &[Expr],
        span: Span,
        look: &mut Look<'_>,
    ) -> Option<Known> {
        let found = self.several(arguments, look)?;
        match native.result(&found) {
            Ok(ty) => known(ty),
            Err(mismatch) => {
                let operands: Vec<&Expr> = arguments.iter().collect();
                let retry = |types: &[Known]| native.result(types).is_ok();
                let diagnostic = mistake(Code::E302, span, mismatch).label("called here");
                look.diagnostics.push(self.operands(diagnostic, &operands, &found, &retry));
                None
            }
        }
    }

    fn unary(&mut self, operator: Unary, operand: &Expr, span: Span, look: &mut Look<'_>) -> Option<Known> {
        let found = self.expr(operand, look)?;
        match operation::unary_type(operator, &found.ty) {
            Ok(ty) => {
                let value = match operator {
                    Unary::Minus => found.value.map(|x| arithmetic::Unary::Neg.apply(x)),
                    Unary::Plus => found.value,
                    Unary::Not => None,
                };
                Some(Known { ty, value })
            }
            Err(mismatch) => {
                let label = format!("this is {}", found.ty);
                look.diagnostics.push(mistake(Code::E301, span, mismatch).also(operand.span, label));
                None
            }
        }
    }

    fn binary(
        &mut self,
        operator: Binary,
        sign: Span,
        left: &Expr,
        right: &Expr,
        look: &mut Look<'_>,
    ) -> Option<Known> {
        let found_left = self.expr(left, look);
        let found_right = self.expr(right, look);
        self.operate(operator, sign, [left, right], [found_left?, found_right?], look)
    }

    /// An operator and what is known of its sides.
    fn operate(
        &mut self,
        operator: Binary,
        sign: Span,
        sides: [&Expr; 2],
        found: [Known; 2],
        look: &mut Look<'_>,
    ) -> Option<Known> {
        match operation::binary_type(operator, &found[0], &found[1]) {
            Ok(ty) => {
                let value = fold(operator, found[0].value, found[1].value).filter(|_| ty == Type::Real);
                Some(Known { ty, value })
            }
            Err(mismatch) => {
                let retry = |types: &[Known]| operation::binary_type(operator, &types[0], &types[1]).is_ok();
                let diagnostic = mistake(Code::E301, sign, mismatch);
                look.diagnostics.push(self.operands(diagnostic, &sides, &found, &retry));
                None
            }
        }
    }

    fn choice(
        &mut self,
        condition: &Expr,
        then: &Expr,
        otherwise: &Expr,
        look: &mut Look<'_>,
    ) -> Option<Known> {
        if let Some(met) = self.expr(condition, look)
            && !met.ty.fits(&Type::Bool)
        {
            look.diagnostics.push(no_condition(condition.span, &met.ty));
        }
        let found_then = self.expr(then, look);
        let found_otherwise = self.expr(otherwise, look);
        match (found_then, found_otherwise) {
            (Some(a), Some(b)) => self.arms([then, otherwise], [a, b], look),
            // One arm is wrong or not known yet: the other one tells the type.
            (Some(one), None) | (None, Some(one)) => known(one.ty),
            (None, None) => None,
        }
    }

    /// Both arms of an `if`.
    fn arms(&mut self, arms: [&Expr; 2], found: [Known; 2], look: &mut Look<'_>) -> Option<Known> {
        let [a, b] = &found;
        if let Some(ty) = a.ty.or(&b.ty) {
            return known(ty);
        }
        let message = format!("both arms of an `if` give the same type, but here are {} and {}", a.ty, b.ty);
        let diagnostic = Diagnostic::new(Code::E303, arms[1].span, message)
            .label(format!("`else` gives {}", b.ty))
            .also(arms[0].span, format!("`then` gives {}", a.ty))
            .help(
                "whichever arm is taken, the value is used in the same way: let both have the same type and length",
            );
        let fit = |types: &[Known]| types[0].ty.or(&types[1].ty).is_some();
        look.diagnostics.push(missing_comma::explain(diagnostic, self.program, &arms, &found, &fit));
        None
    }

    /// A vector or a sequence.
    fn elements(&mut self, whole: &Expr, elements: &[Expr], look: &mut Look<'_>) -> Option<Known> {
        let types: Vec<Type> = self.several(elements, look)?.into_iter().map(|known| known.ty).collect();
        let ty = match whole.kind {
            ExprKind::Vector(_) => operation::vector_type(&types),
            _ => operation::sequence_type(&types),
        };
        match ty {
            Ok(ty) => known(shallow(ty)),
            Err(mismatch) => {
                look.diagnostics.push(odd_element(
                    mistake(Code::E301, whole.span, mismatch),
                    elements,
                    &types,
                ));
                None
            }
        }
    }

    /// Says of operands that do not go together what each is.
    fn operands(
        &self,
        mut diagnostic: Diagnostic,
        operands: &[&Expr],
        types: &[Known],
        retry: &dyn Fn(&[Known]) -> bool,
    ) -> Diagnostic {
        for (operand, known) in operands.iter().zip(types) {
            diagnostic = diagnostic.also(operand.span, format!("this is {}", known.ty));
        }
        missing_comma::explain(diagnostic, self.program, operands, types, retry)
    }
}

fn no_condition(span: Span, met: &Type) -> Diagnostic {
    Diagnostic::new(Code::E304, span, format!("`if` needs a condition, but here is {met}"))
        .label(format!("this is {met}"))
        .help("a condition is true or false, such as a comparison: `x > 0`")
}

/// Shows the first element, and the first that differs from it.
fn odd_element(mut diagnostic: Diagnostic, elements: &[Expr], types: &[Type]) -> Diagnostic {
    if let Some(odd) = types.iter().position(|ty| types[0].or(ty).is_none()) {
        for index in [0, odd] {
            diagnostic = diagnostic.also(elements[index].span, format!("this is {}", types[index]));
        }
    }
    diagnostic
}

fn mistake(code: Code, span: Span, mismatch: Mismatch) -> Diagnostic {
    let diagnostic = Diagnostic::new(code, span, mismatch.message);
    match mismatch.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

#[allow(clippy::unnecessary_wraps, reason = "`None` is what a mistake gives; all rules return the same")]
fn known(ty: Type) -> Option<Known> {
    Some(Known { ty, value: None })
}

/// The value of an operator on two constants, where it is a finite real.
fn fold(operator: Binary, x: Option<f64>, y: Option<f64>) -> Option<f64> {
    let operation = match operator {
        Binary::Add => arithmetic::Binary::Add,
        Binary::Subtract => arithmetic::Binary::Sub,
        Binary::Multiply => arithmetic::Binary::Mul,
        Binary::Divide => arithmetic::Binary::Div,
        Binary::Power => arithmetic::Binary::Pow,
        _ => return None,
    };
    Some(operation.apply(x?, y?)).filter(|value| value.is_finite())
}

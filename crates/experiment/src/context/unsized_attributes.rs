//! Context attributes whose shape is not known before the run. They cannot be kept: a recording has a column
//! for each number.

use gedanken_lang::check::{Binding, Checked};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::program::{Expr, ExprKind, Output, Program};
use gedanken_lang::types::{Dim, Type};

/// Messages for the attributes of a context that have no fixed shape.
pub(crate) fn attributes(checked: &Checked) -> Vec<Diagnostic> {
    let is_shapeless = |output: &&Output| {
        let binding = &checked.scope.variables[output.scope_index].binding;
        matches!(binding, Binding::Context { .. }) && !output.ty.is_fixed()
    };
    let outputs = checked.program.outputs.iter();
    outputs.filter(is_shapeless).map(|output| shapeless(checked, output)).collect()
}

fn shapeless(checked: &Checked, output: &Output) -> Diagnostic {
    let Output { name, ty, .. } = output;
    let body = &checked.program.function(output.function).body;
    let (message, label) = match ty {
        Type::Matrix(Dim::Any, _) => (
            format!("`{name}` would have a row for each contact, but an attribute keeps one shape"),
            "as many rows as there are contacts".to_owned(),
        ),
        _ => (
            format!("what shape `{name}` has is known only when it runs, but an attribute keeps one shape"),
            format!("this is {ty}, and that is all that is known"),
        ),
    };
    let diagnostic = Diagnostic::new(Code::E734, body.span, message).label(label);
    let diagnostic = match checked.scope.variables[output.scope_index].declared {
        Some(declared) => diagnostic.also(declared, "declared here"),
        None => diagnostic,
    };
    match rows(&checked.program, body) {
        Some(given) => diagnostic.help(format!(
            "keep what you need of it, such as the first row: `{name} = {given} # 1`; helpers may have any shape"
        )),
        None => diagnostic.help(format!(
            "keep what you need of it, such as one element, or make `{name}` a helper: remove it from `attributes`"
        )),
    }
}

/// The first input of an expression that has a row for each contact. Recursion is bounded by the height of
/// expressions.
fn rows<'p>(program: &'p Program, expr: &Expr) -> Option<&'p str> {
    let first = |several: &[Expr]| several.iter().find_map(|one| rows(program, one));
    match &expr.kind {
        ExprKind::Input(id) => {
            let input = program.input(*id);
            matches!(input.ty, Type::Matrix(Dim::Any, _)).then_some(input.name.as_str())
        }
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Param(_) => None,
        ExprKind::Call(_, several)
        | ExprKind::Native(_, several)
        | ExprKind::Vector(several)
        | ExprKind::Sequence(several) => first(several),
        ExprKind::Unary(_, one) => rows(program, one),
        ExprKind::Binary(_, _, left, right) => rows(program, left).or_else(|| rows(program, right)),
        ExprKind::If(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().find_map(|one| rows(program, one))
        }
    }
}

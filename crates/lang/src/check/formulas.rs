//! Formulas outside contexts: measures, laws of rigid bodies, coefficients of materials, energies, and
//! expressions over recordings.
//!
//! Each formula becomes the law of an attribute of its own, so that the checker of contexts serves for all.
//! The names of these attributes have a blank. No name of the language has one, so they hide nothing.

use super::{Binding, Checked, Library, Scope, Variable, VariableKind, check};
use crate::diagnostic::Diagnostic;
use crate::source::Span;
use crate::syntax::tree::{Definition, Expr, Name};
use crate::types::Type;

/// A formula whose value is an output of the program.
#[derive(Clone, Debug)]
pub struct OutputFormula {
    /// Name of the output, with a blank in it, and the position to blame for it.
    pub name: Name,
    /// The formula itself.
    pub body: Expr,
    /// Position of the whole definition.
    pub span: Span,
}

/// Checks formulas that stand outside contexts, and compiles them to one program.
///
/// The outputs of the program are in the order of `outputs`. Formulas may call `functions`, those of the
/// `library`, and use `names`, which have the given binding and type. Inputs keep the order of `names`.
///
/// # Errors
/// All mistakes in the formulas and functions.
pub fn check_formulas<'n>(
    outputs: impl IntoIterator<Item = OutputFormula>,
    functions: &[Definition],
    names: impl IntoIterator<Item = (&'n str, Binding, Type)>,
    library: &Library,
) -> Result<Checked, Vec<Diagnostic>> {
    let variable = |name: &str, ty: Option<Type>, kind, binding| Variable {
        name: name.to_owned(),
        ty,
        kind,
        declared: None,
        binding,
    };
    let given = names.into_iter();
    let mut variables: Vec<Variable> =
        given.map(|(name, binding, ty)| variable(name, Some(ty), VariableKind::Given, binding)).collect();
    let mut definitions = functions.to_vec();
    for OutputFormula { name, body, span } in outputs {
        let binding = Binding::Context { index: 0, attribute: name.text.clone() };
        variables.push(variable(&name.text, None, VariableKind::Attribute, binding));
        definitions.push(Definition { name, prime: None, params: Vec::new(), body, span });
    }
    check(&definitions, library, &Scope { variables, ..Scope::default() })
}

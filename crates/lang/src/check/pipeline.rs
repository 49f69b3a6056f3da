//! The stages in their order, for the three kinds of text: the functions of a context, a library, an
//! expression.
//!
//! All stages run even when an earlier one has found mistakes: what a mistake touches is silent afterwards,
//! and everything else is still worth saying.

use super::infer::{Inference, InputType};
use super::laws::{Laws, Role};
use super::mistakes::similar::MOST_GUESSES;
use super::mistakes::{kept_values, missing_comma, other_notations};
use super::names::{Names, Several};
use super::resolve::{Origin, Resolver};
use super::{Binding, Checked, Library, Scope, VariableKind, cycles};
use crate::diagnostic::{Code, Diagnostic};
use crate::operation::Known;
use crate::program::{Expr, ExprKind, FunctionId, Input, InputId, Output, OutputKind, Phase, Program};
use crate::syntax::tree::{self, Definition};
use crate::types::Type;
use std::collections::BTreeSet;

/// Checks the functions of a context against what it may name.
///
/// # Errors
/// Everything that is wrong, in the order of the text. Nothing, if all that is wrong has been reported by the
/// parser.
pub fn check(
    definitions: &[Definition],
    library: &Library,
    scope: &Scope,
) -> Result<Checked, Vec<Diagnostic>> {
    let (checked, diagnostics) = run(definitions, library, scope, &mut BTreeSet::new(), true);
    finish(checked, diagnostics)
}

/// Checks functions that others will import: they see one another, `library` and the natives.
///
/// # Errors
/// As [`check`].
pub fn check_library(definitions: &[Definition], library: &Library) -> Result<Checked, Vec<Diagnostic>> {
    let (checked, diagnostics) = run(definitions, library, &Scope::default(), &mut BTreeSet::new(), false);
    finish(checked, diagnostics)
}

/// Gives an expression of a session its meaning, as a function without name and parameters, with all that it
/// calls. Types are the run's business: only unknown names and wrong numbers of arguments are mistakes here.
///
/// # Errors
/// Those mistakes; nothing, if the parser has reported all.
pub fn check_expression(
    expression: &tree::Expr,
    definitions: &[Definition],
) -> Result<(Program, FunctionId), Vec<Diagnostic>> {
    let scope = Scope::default();
    let names = Names::new(definitions, &[], &scope, Several::Last);
    // Left sides have been seen to when they were entered.
    let laws = Laws::none(definitions);
    let mut resolver = Resolver::new(definitions, &[], &scope, &names, &laws);
    let id = resolver.nameless(expression);
    resolver.run();
    let incomplete = resolver.incomplete;
    let mut diagnostics = resolver.diagnostics;
    diagnostics.retain(Diagnostic::is_error);
    if incomplete || !diagnostics.is_empty() {
        return Err(in_order(diagnostics));
    }
    Ok((Program { inputs: Vec::new(), functions: resolver.functions, outputs: Vec::new() }, id))
}

/// Finishes the check of a text: gives a program if nothing in it is missing.
pub(super) fn finish(
    checked: Option<Checked>,
    diagnostics: Vec<Diagnostic>,
) -> Result<Checked, Vec<Diagnostic>> {
    let mut diagnostics = in_order(diagnostics);
    if checked.is_none() || diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.retain(|it| !it.code.is_about_unused_names());
    }
    match checked {
        Some(checked) if !diagnostics.iter().any(Diagnostic::is_error) => {
            Ok(Checked { warnings: diagnostics, ..checked })
        }
        _ => Err(diagnostics),
    }
}

/// By place, each once: a helper of both phases is looked at twice.
fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by_key(|it| (it.primary.span, it.code));
    diagnostics.dedup_by(|a, b| a.code == b.code && a.primary.span == b.primary.span);
    diagnostics
}

/// All stages. `used` gets the variables that something reads or sets.
pub(super) fn run(
    definitions: &[Definition],
    library: &Library,
    scope: &Scope,
    used: &mut BTreeSet<usize>,
    is_context: bool,
) -> (Option<Checked>, Vec<Diagnostic>) {
    let mut diagnostics = Vec::new();
    let names = Names::new(definitions, &library.definitions, scope, Several::First);
    let laws = Laws::new(definitions, scope, &names, &mut diagnostics);
    let mut resolver = Resolver::new(definitions, &library.definitions, scope, &names, &laws);
    for index in 0..definitions.len() {
        let phase = resolver.phase_of(index);
        resolver.request(Origin::Own(index), phase);
    }
    resolver.run();
    let Resolver { origins, functions, inputs, used_variables, incomplete, diagnostics: found, .. } =
        resolver;
    diagnostics.extend(found);
    if is_context {
        kept_values::forgotten_laws(definitions, scope, &names, &laws, &used_variables, &mut diagnostics);
    }
    used.extend(used_variables);
    used.extend(definitions.iter().filter_map(|definition| names.variable(&definition.name.text)));
    hidden_natives(definitions, scope, &names, &laws, &mut diagnostics);

    let graph = cycles::Graph::of_calls(&functions);
    cycles::report(&functions, &graph, &graph.knots(), is_context, &mut diagnostics);

    let mut program = Program { inputs: Vec::new(), functions, outputs: outputs(definitions, scope, &laws) };
    if is_context {
        let reached = graph.reached(program.outputs.iter().map(|output| output.function.0 as usize));
        unused_helpers(definitions, scope, &laws, &origins, &reached, &mut diagnostics);
    }
    let sources = number_inputs(&mut program, &inputs, scope, &laws);
    let mut inference = Inference::new(&program, sources);
    let ids = (0..program.functions.len()).filter_map(|index| u32::try_from(index).ok().map(FunctionId));
    let (values, others): (Vec<_>, Vec<_>) = ids.partition(|&id| program.function(id).params.is_empty());
    values.into_iter().for_each(|id| inference.root(id));
    for id in others {
        if !inference.is_called(id) {
            inference.root(id);
        }
    }
    diagnostics.append(&mut inference.diagnostics);
    let types = inference.types();
    let mut scope = scope.clone();
    for index in 0..program.outputs.len() {
        let output = &program.outputs[index];
        let given = types.of(output.function).clone();
        diagnostics.extend(wrong_type(&program, output, &given, &scope));
        let variable = &mut scope.variables[output.scope_index];
        let ty = variable.ty.get_or_insert(given).clone();
        program.outputs[index].ty = ty;
    }
    for input in &mut program.inputs {
        input.ty = scope.variables[input.scope_index].ty.clone().unwrap_or(Type::Unknown);
    }
    // Other names of the same attribute are of the same type.
    for (index, &same) in laws.same.iter().enumerate() {
        scope.variables[index].ty = scope.variables[same].ty.clone();
    }
    let checked = (!incomplete).then(|| Checked { program, types, warnings: Vec::new(), scope });
    (checked, diagnostics)
}

/// Returns the outputs of the program. The definitions are the first functions, in their order.
fn outputs(definitions: &[Definition], scope: &Scope, laws: &Laws) -> Vec<Output> {
    let mut outputs = Vec::new();
    for (index, role) in laws.roles.iter().enumerate() {
        let (variable, kind) = match *role {
            Role::Law(variable) => (variable, OutputKind::Law),
            Role::FirstTime(variable) => (variable, OutputKind::FirstTime),
            Role::Rate(variable) => (variable, OutputKind::Rate),
            Role::Helper | Role::Wrong => continue,
        };
        outputs.push(Output {
            name: definitions[index].name.text.clone(),
            scope_index: variable,
            function: FunctionId(u32::try_from(index).expect("texts are bounded below 2^32 bytes")),
            kind,
            ty: scope.variables[variable].ty.clone().unwrap_or(Type::Unknown),
        });
    }
    outputs
}

/// Numbers the stored values in the order of the scope, and says where their types come from.
fn number_inputs(program: &mut Program, met: &[(usize, bool)], scope: &Scope, laws: &Laws) -> Vec<InputType> {
    let mut sorted: Vec<usize> = (0..met.len()).collect();
    sorted.sort_by_key(|&index| met[index]);
    let mut place = vec![InputId(0); met.len()];
    let mut sources = Vec::new();
    for (new, &old) in sorted.iter().enumerate() {
        place[old] = InputId(u32::try_from(new).expect("texts are bounded below 2^32 bytes"));
        let (scope_index, previous) = met[old];
        let variable = &scope.variables[scope_index];
        let setter = laws.law[scope_index].or(laws.rate[scope_index]);
        let setter = setter.and_then(|index| u32::try_from(index).ok()).map(FunctionId);
        sources.push(match (&variable.ty, setter) {
            (Some(ty), _) => InputType::Is(ty.clone()),
            (None, Some(law)) => InputType::Of(law),
            (None, None) => InputType::Is(Type::Unknown),
        });
        program.inputs.push(Input {
            name: if previous { format!("previous({})", variable.name) } else { variable.name.clone() },
            ty: Type::Unknown,
            scope_index,
            previous,
        });
    }
    for function in &mut program.functions {
        renumber(&mut function.body, &place);
    }
    sources
}

fn renumber(expr: &mut Expr, place: &[InputId]) {
    match &mut expr.kind {
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Param(_) => {}
        ExprKind::Input(input) => *input = place[input.0 as usize],
        ExprKind::Call(_, several)
        | ExprKind::Native(_, several)
        | ExprKind::Vector(several)
        | ExprKind::Sequence(several) => several.iter_mut().for_each(|one| renumber(one, place)),
        ExprKind::Unary(_, operand) => renumber(operand, place),
        ExprKind::Binary(_, _, left, right) => {
            renumber(left, place);
            renumber(right, place);
        }
        ExprKind::If(condition, then, otherwise) => {
            renumber(condition, place);
            renumber(then, place);
            renumber(otherwise, place);
        }
    }
}

/// Helpers and declared names that hide a native.
fn hidden_natives(
    definitions: &[Definition],
    scope: &Scope,
    names: &Names<'_>,
    laws: &Laws,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let helpers = definitions.iter().zip(&laws.roles).filter(|(_, role)| **role == Role::Helper);
    let declared = scope.variables.iter().filter_map(|variable| Some((&variable.name, variable.declared?)));
    let named = helpers.map(|(definition, _)| (&definition.name.text, definition.name.span));
    for (name, span) in named.chain(declared) {
        if names.native(name).is_some() {
            let message = format!("`{name}` hides the native of that name");
            let help = format!("the native is still there as `VFLangNative.{name}`");
            diagnostics.push(Diagnostic::new(Code::W201, span, message).help(help));
        }
    }
}

/// Helpers that no law needs.
fn unused_helpers(
    definitions: &[Definition],
    scope: &Scope,
    laws: &Laws,
    origins: &[(Origin, Phase)],
    reached: &[bool],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut needed = vec![false; definitions.len()];
    for (&(origin, _), &reached) in origins.iter().zip(reached) {
        if let (Origin::Own(index), true) = (origin, reached) {
            needed[index] = true;
        }
    }
    // Attributes that could have a law here and have none.
    let is_free = |index: usize| {
        let variable = &scope.variables[laws.same[index]];
        let is_set = laws.law[laws.same[index]].is_some() || laws.rate[laws.same[index]].is_some();
        !is_set
            && variable.kind == VariableKind::Attribute
            && matches!(variable.binding, Binding::Object { .. })
    };
    let variables = scope.variables.iter().enumerate();
    let free = variables.filter(|(index, _)| is_free(*index)).map(|(_, variable)| variable.name.as_str());
    for (index, definition) in definitions.iter().enumerate() {
        if !needed[index] && laws.roles[index] == Role::Helper {
            let name = &definition.name.text;
            let message = format!("no law needs `{name}`");
            // Guesses look at every attribute, so only the first mistakes are guessed at.
            let guessed = Some(free.clone()).filter(|_| diagnostics.len() < MOST_GUESSES);
            let help = match guessed.and_then(|free| other_notations::meant_attribute(name, free)) {
                Some(meant) => format!("did you mean the law or the rate of the attribute `{meant}`, which has none here? Otherwise remove it, or use it"),
                None => "remove it, or use it; if it is meant to set an attribute, an object needs an attribute of that name".to_owned(),
            };
            diagnostics.push(Diagnostic::new(Code::W203, definition.name.span, message).help(help));
        }
    }
}

/// A law or rate whose result cannot be a value of its attribute.
fn wrong_type(program: &Program, output: &Output, given: &Type, scope: &Scope) -> Option<Diagnostic> {
    let body = &program.function(output.function).body;
    let name = &output.name;
    if matches!(given, Type::Sequence(_)) {
        let message = format!("the attribute `{name}` cannot be a sequence");
        return Some(Diagnostic::new(Code::E306, body.span, message).label("this is a sequence").help(
            "attributes are reals, booleans, vectors and matrices: use a vector, or take one element",
        ));
    }
    let variable = &scope.variables[output.scope_index];
    let (what, born) = match (output.kind, &variable.ty) {
        (OutputKind::Rate, Some(Type::Bool)) => {
            let message = format!("`{name}` is a boolean, so it has no rate of change");
            return Some(
                Diagnostic::new(Code::E307, body.span, message)
                    .help(format!("give its value instead: `{name} = …`")),
            );
        }
        (_, None) => return None,
        (OutputKind::Rate, Some(born)) => ("rate", born),
        (_, Some(born)) => ("law", born),
    };
    if given.fits(born) {
        return None;
    }
    let message = format!("`{name}` is {born}, but its {what} gives {given}");
    let mut diagnostic = Diagnostic::new(Code::E305, body.span, message)
        .label(format!("this is {given}"))
        .help(format!("an attribute keeps the type it was born with: let the {what} give {born}"));
    if let Some(declared) = variable.declared {
        diagnostic = diagnostic.also(declared, format!("`{name}` is {born}"));
    }
    let met = [Known { ty: given.clone(), value: None }];
    let retry = |types: &[Known]| types[0].ty.fits(born);
    Some(missing_comma::explain(diagnostic, program, &[body], &met, &retry))
}

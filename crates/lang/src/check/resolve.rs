//! From definitions to functions whose every name has a meaning.
//!
//! A function is resolved once for every [`Phase`] it is needed in, because attribute names mean different
//! things there:
//!
//! | the name of | in `Laws` | in `Start` |
//! |---|---|---|
//! | an attribute with a law | the law's new value | the stored value |
//! | a first-time-only attribute | the kept value | the stored value |
//! | an attribute without a law, or with a rate | the stored value | the stored value |
//! | an attribute of the context | as above | its own law: nothing is stored yet when a context starts |
//!
//! So a first-time-only attribute of the context may build on another one, as long as they do not need each
//! other. Imported functions see no attributes, and are resolved once, when something reaches them.

use super::laws::{Laws, Role};
use super::mistakes::similar::MOST_GUESSES;
use super::mistakes::suspicious::suspicious;
use super::names::{Meaning, Names, Unknown};
use super::{Scope, VariableKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::program::{Expr, ExprKind, Function, FunctionId, InputId, Phase};
use crate::source::Span;
use crate::syntax::tree::{self, Definition};
use std::collections::{BTreeSet, HashMap};

/// Placeholder for a mistake that has been reported: no function has so many parameters. Such a program is
/// never given to anybody but the checker's own later stages, which pass over it in silence.
pub(super) const ERRONEOUS: ExprKind = ExprKind::Param(u32::MAX);

/// Origin of a function: an index into the text's definitions or the imported ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Origin {
    /// This text.
    Own(usize),
    /// An import.
    Imported(usize),
}

/// The work in progress.
pub(super) struct Resolver<'a> {
    pub(super) definitions: &'a [Definition],
    pub(super) imported: &'a [Definition],
    pub(super) scope: &'a Scope,
    pub(super) names: &'a Names<'a>,
    pub(super) laws: &'a Laws,
    /// Origin of every function; functions are resolved in this order.
    pub(super) origins: Vec<(Origin, Phase)>,
    ids: HashMap<(Origin, Phase), FunctionId>,
    pub(super) functions: Vec<Function>,
    /// Scope index and whether the previous value is meant, in the order they were met.
    pub(super) inputs: Vec<(usize, bool)>,
    input_ids: HashMap<(usize, bool), InputId>,
    unknown: Vec<Unknown>,
    unknown_ids: HashMap<(String, bool), usize>,
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Variables that something read, by their own index, so that aliases are told apart.
    pub(super) used_variables: BTreeSet<usize>,
    /// Names of attributes that are read and have no value, which has been reported.
    pub(super) valueless: BTreeSet<String>,
    /// `true` while the index of an element is resolved.
    pub(super) after_hash: bool,
    /// `true` if something could not be resolved, reported here or by the parser.
    pub(super) incomplete: bool,
}

/// The function whose right side is being resolved.
pub(super) struct Frame<'a> {
    pub(super) params: &'a [tree::Name],
    /// Index of every parameter by its name; of two with one name, the first.
    indices: HashMap<&'a str, usize>,
    pub(super) used: Vec<bool>,
    pub(super) phase: Phase,
    pub(super) in_library: bool,
}

impl<'a> Frame<'a> {
    fn new(params: &'a [tree::Name], phase: Phase, in_library: bool) -> Self {
        let mut indices = HashMap::new();
        for (index, param) in params.iter().enumerate() {
            indices.entry(param.text.as_str()).or_insert(index);
        }
        Self { params, indices, used: vec![false; params.len()], phase, in_library }
    }

    /// Index of the parameter of this name.
    pub(super) fn param(&self, name: &str) -> Option<usize> {
        self.indices.get(name).copied()
    }
}

impl<'a> Resolver<'a> {
    pub(super) fn new(
        definitions: &'a [Definition],
        imported: &'a [Definition],
        scope: &'a Scope,
        names: &'a Names<'a>,
        laws: &'a Laws,
    ) -> Self {
        Self {
            definitions,
            imported,
            scope,
            names,
            laws,
            origins: Vec::new(),
            ids: HashMap::new(),
            functions: Vec::new(),
            inputs: Vec::new(),
            input_ids: HashMap::new(),
            unknown: Vec::new(),
            unknown_ids: HashMap::new(),
            diagnostics: Vec::new(),
            used_variables: BTreeSet::new(),
            valueless: BTreeSet::new(),
            after_hash: false,
            incomplete: false,
        }
    }

    /// The id of a function, which will be resolved in its turn.
    pub(super) fn request(&mut self, origin: Origin, phase: Phase) -> FunctionId {
        let phase = if matches!(origin, Origin::Imported(_)) { Phase::Laws } else { phase };
        let next = FunctionId(u32::try_from(self.origins.len()).expect("texts are bounded below 2^32 bytes"));
        *self.ids.entry((origin, phase)).or_insert_with(|| {
            self.origins.push((origin, phase));
            next
        })
    }

    /// The id of a stored value.
    pub(super) fn input(&mut self, variable: usize, previous: bool) -> InputId {
        let next = InputId(u32::try_from(self.inputs.len()).expect("texts are bounded below 2^32 bytes"));
        *self.input_ids.entry((variable, previous)).or_insert_with(|| {
            self.inputs.push((variable, previous));
            next
        })
    }

    /// The phase in which a definition does its work.
    pub(super) fn phase_of(&self, definition: usize) -> Phase {
        match self.laws.roles[definition] {
            Role::FirstTime(_) => Phase::Start,
            _ => Phase::Laws,
        }
    }

    /// Resolves all that was requested, and all that this requests.
    pub(super) fn run(&mut self) {
        while self.functions.len() < self.origins.len() {
            let (origin, phase) = self.origins[self.functions.len()];
            let (definition, in_library) = match origin {
                Origin::Own(index) => (&self.definitions[index], false),
                Origin::Imported(index) => (&self.imported[index], true),
            };
            let function = self.function(definition, phase, in_library);
            self.functions.push(function);
        }
        let mut unknown = std::mem::take(&mut self.unknown);
        for (index, unknown) in unknown.iter_mut().enumerate() {
            // In the order of the text, and once: a helper of both phases is resolved twice.
            unknown.spans.sort_unstable();
            unknown.spans.dedup();
            self.diagnostics.push(self.names.explain(unknown, index));
        }
    }

    fn function(&mut self, definition: &'a Definition, phase: Phase, in_library: bool) -> Function {
        let mut frame = Frame::new(&definition.params, phase, in_library);
        self.check_params(definition, in_library);
        let body = self.expr(&definition.body, &mut frame);
        if !in_library {
            suspicious(&definition.body, &mut self.diagnostics);
        }
        for (param, used) in definition.params.iter().zip(&frame.used) {
            if !used && !in_library && !param.text.starts_with('_') {
                let message = format!("the parameter `{}` is never used", param.text);
                self.diagnostics.push(
                    Diagnostic::new(Code::W204, param.span, message)
                        .help(format!("remove it, or write `_{}` to say that it is not needed", param.text)),
                );
            }
        }
        let prime = if definition.prime.is_some() { "'" } else { "" };
        Function {
            name: format!("{}{prime}", definition.name.text),
            name_span: definition.name.span,
            params: definition.params.iter().map(|param| param.text.clone()).collect(),
            phase,
            body,
        }
    }

    /// Parameters of one name, and parameters that hide something.
    fn check_params(&mut self, definition: &Definition, in_library: bool) {
        let mut seen: HashMap<&str, Span> = HashMap::new();
        for param in &definition.params {
            let name = param.text.as_str();
            if let Some(&first) = seen.get(name) {
                let message = format!("two parameters of `{}` are called `{name}`", definition.name.text);
                self.diagnostics.push(
                    Diagnostic::new(Code::E207, param.span, message)
                        .label("again here")
                        .also(first, "first here")
                        .help("give every parameter a name of its own"),
                );
                continue;
            }
            seen.insert(name, param.span);
            let hidden = match self.names.meaning(name, in_library) {
                _ if in_library => continue,
                Some(Meaning::Variable(_)) => "an attribute",
                Some(Meaning::Function(_)) if self.names.variable(name).is_some() => "an attribute",
                Some(Meaning::Function(_)) => "a function",
                Some(Meaning::Library(_)) => "an imported function",
                Some(Meaning::Native(_)) => "a native",
                None => continue,
            };
            let message = format!("the parameter `{name}` hides {hidden} of that name");
            let help = format!(
                "inside `{}` the name means the parameter; choose another if you need both",
                definition.name.text
            );
            self.diagnostics.push(Diagnostic::new(Code::W202, param.span, message).help(help));
        }
    }

    /// Resolves an expression that belongs to no definition, as the first function.
    pub(super) fn nameless(&mut self, expr: &'a tree::Expr) -> FunctionId {
        // No definition has this index; nobody asks for the function by its origin.
        let id = self.request(Origin::Own(usize::MAX), Phase::Laws);
        let mut frame = Frame::new(&[], Phase::Laws, false);
        let body = self.expr(expr, &mut frame);
        self.functions.push(Function {
            name: String::new(),
            name_span: expr.span,
            params: Vec::new(),
            phase: Phase::Laws,
            body,
        });
        id
    }

    /// Notes that a name has no meaning.
    pub(super) fn unknown(&mut self, name: &str, span: Span, frame: &Frame<'_>) {
        self.incomplete = true;
        let next = self.unknown.len();
        let index = *self.unknown_ids.entry((name.to_owned(), frame.in_library)).or_insert(next);
        if index == next {
            // Only guesses look at them.
            let params = if next < MOST_GUESSES { frame.params } else { &[] };
            self.unknown.push(Unknown {
                name: name.to_owned(),
                spans: Vec::new(),
                in_library: frame.in_library,
                after_hash: self.after_hash,
                params: params.iter().map(|param| param.text.clone()).collect(),
            });
        }
        self.unknown[index].spans.push(span);
    }

    /// Reports a mistake; the expression is erroneous.
    pub(super) fn report(&mut self, diagnostic: Diagnostic) -> ExprKind {
        self.incomplete = true;
        self.diagnostics.push(diagnostic);
        ERRONEOUS
    }

    /// Returns the kind of the attribute `variable`: first-time-only or other.
    pub(super) fn kind(&self, variable: usize) -> VariableKind {
        self.scope.variables[variable].kind
    }
}

/// Every place in `body` where another function or a stored value is used, in the order of the text.
pub(super) fn uses(body: &Expr, found: &mut impl FnMut(&ExprKind, Span)) {
    match &body.kind {
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Param(_) => {}
        ExprKind::Input(_) => found(&body.kind, body.span),
        ExprKind::Call(_, arguments) => {
            found(&body.kind, body.span);
            arguments.iter().for_each(|argument| uses(argument, found));
        }
        ExprKind::Native(_, several) | ExprKind::Vector(several) | ExprKind::Sequence(several) => {
            several.iter().for_each(|one| uses(one, found));
        }
        ExprKind::Unary(_, operand) => uses(operand, found),
        ExprKind::Binary(_, _, left, right) => {
            uses(left, found);
            uses(right, found);
        }
        ExprKind::If(condition, then, otherwise) => {
            uses(condition, found);
            uses(then, found);
            uses(otherwise, found);
        }
    }
}

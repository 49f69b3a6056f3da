//! Meanings of the names in a formula, and messages for names that mean nothing.
//!
//! `ball.v` is one name wherever it stands for something. Where `ball` and `v` stand for something alone as
//! well, the text has both readings, and white space tells them apart: `ball.v` is the quantity, `ball . v`
//! the inner product.

use crate::schema::Schema;
use crate::selection::Selection;
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::native::{NATIVES, Native};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::Dotted;
use gedanken_lang::syntax::tree::{Expr, ExprKind, Name};
use gedanken_lang::types::Type;
use std::collections::{BTreeMap, BTreeSet};

/// The name of time.
pub(super) const TIME: &str = "t";

/// Meaning of a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The time of the moment.
    Time,
    /// A quantity, or the one of a context.
    Recorded(Selection),
}

impl Meaning {
    pub(super) fn ty(&self) -> Type {
        match self {
            Self::Time => Type::Real,
            Self::Recorded(selection) => selection.ty.clone(),
        }
    }
}

/// Meaning of a name in a recording.
fn meaning(schema: &Schema, name: &str) -> Option<Meaning> {
    match name == TIME {
        true => Some(Meaning::Time),
        false => schema.find(name).map(Meaning::Recorded),
    }
}

/// Returns `true` if a dot joins two names to one, also where they were meant to be one but are misspelled.
pub(super) fn is_name(schema: &Schema, dotted: &Dotted<'_>) -> bool {
    let Dotted { left, right, of, spaced, called } = *dotted;
    let stands_alone = |name: &str| meaning(schema, name).is_some();
    let whole = of.map_or_else(|| format!("{left}.{right}"), |of| format!("{left}.{right}@{of}"));
    if schema.find(&whole).is_some() {
        let is_product = spaced && of.is_none() && stands_alone(left) && stands_alone(right);
        return !is_product;
    }
    if called || stands_alone(left) {
        return false;
    }
    let is_owner = |name: &str| schema.object(name).is_some() || ["world", "measure"].contains(&name);
    let is_word = Native::by_name(left).is_some() || left == "VFLangNative";
    match is_owner(left) {
        true => !spaced || !is_owner(right),
        false => !spaced && !is_word && !stands_alone(right),
    }
}

/// The names of one formula.
pub(super) struct Names<'s> {
    schema: &'s Schema,
    /// Meanings of the names that have one.
    pub(super) meanings: BTreeMap<String, Meaning>,
    /// Messages for the others, each once.
    pub(super) diagnostics: Vec<Diagnostic>,
    told: BTreeSet<String>,
}

impl<'s> Names<'s> {
    pub(super) fn new(schema: &'s Schema) -> Self {
        Self { schema, meanings: BTreeMap::new(), diagnostics: Vec::new(), told: BTreeSet::new() }
    }

    /// Looks up every name of an expression, and writes it as columns are called: without white space.
    /// Recursion is bounded by the height of expressions.
    pub(super) fn resolve(&mut self, expr: &mut Expr) {
        let span = expr.span;
        match &mut expr.kind {
            ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Missing => {}
            ExprKind::Name(name) => {
                name.retain(|c| !c.is_ascii_whitespace());
                if !self.learn(name) && !self.is_native(name) {
                    self.tell(name, span, Self::unknown);
                }
            }
            ExprKind::Call { callee, native, arguments } => {
                self.call(callee, native, span);
                arguments.iter_mut().for_each(|one| self.resolve(one));
            }
            ExprKind::Vector(several) | ExprKind::Sequence(several) => {
                several.iter_mut().for_each(|one| self.resolve(one));
            }
            ExprKind::Unary { operand: one, .. } | ExprKind::Group(one) => self.resolve(one),
            ExprKind::Binary { left, right, .. } => {
                self.resolve(left);
                self.resolve(right);
            }
            ExprKind::If { condition, then, otherwise } => {
                self.resolve(condition);
                self.resolve(then);
                self.resolve(otherwise);
            }
        }
    }

    fn call(&mut self, callee: &mut Name, native: &mut bool, whole: Span) {
        callee.text.retain(|c| !c.is_ascii_whitespace());
        if *native {
            return;
        }
        // A quantity may be called like a native; with arguments, it is the native.
        *native = Native::by_name(&callee.text).is_some();
        if *native || self.learn(&callee.text) {
            return;
        }
        match callee.text.as_str() {
            "previous" => self.tell("previous", whole, |_, _, whole| no_previous(whole)),
            name => self.tell(name, callee.span, |_, name, span| no_function(name, span)),
        }
    }

    /// Returns `true` if a bare name can only mean a native: `floor` is also what floors are called.
    fn is_native(&self, name: &str) -> bool {
        let is_object = self.schema.object(name).is_some();
        Native::by_name(name).is_some_and(|it| it.entry().params.is_empty() || !is_object)
    }

    /// Returns `true` if a name means something.
    fn learn(&mut self, name: &str) -> bool {
        if self.meanings.contains_key(name) {
            return true;
        }
        let meaning = meaning(self.schema, name);
        let is_known = meaning.is_some();
        self.meanings.extend(meaning.map(|it| (name.to_owned(), it)));
        is_known
    }

    fn tell(&mut self, name: &str, span: Span, what: impl Fn(&Self, &str, Span) -> Diagnostic) {
        if self.told.insert(name.to_owned()) {
            let diagnostic = what(self, name, span);
            self.diagnostics.push(diagnostic);
        }
    }

    /// Message for a name of which nothing was recorded.
    fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let schema = self.schema;
        if let Some((whole, context)) = name.split_once('@')
            && schema.find(whole).is_some()
        {
            return self.no_context(whole, context, span);
        }
        if schema.object(name).is_some() {
            let own = self.all(Some(name));
            return Diagnostic::new(Code::E901, span, format!("`{name}` is an object, and not a quantity"))
                .label("what of it?")
                .help(format!("say what: {}", list(&own)));
        }
        if name == "dt" {
            return Diagnostic::new(Code::E901, span, "a formula sees one moment, and no `dt`")
                .help("the distance of frames is 1 over the frame rate of the simulation");
        }
        let all = self.all(None);
        let owner = name.split_once('.').map(|(owner, _)| owner).filter(|it| schema.object(it).is_some());
        let message = format!("nothing called `{name}` was recorded");
        let there_is = match owner {
            Some(owner) => format!("of `{owner}` there is {}", list(&self.all(Some(owner)))),
            None => format!("there is {}, and the time {TIME}", list(&all)),
        };
        let diagnostic = Diagnostic::new(Code::E901, span, message).note(there_is);
        // Who writes `position` means that of some object.
        let of_an_object = all.iter().find(|it| it.split_once('.').is_some_and(|(_, own)| own == name));
        let native = || similar(name, NATIVES.iter().map(|it| it.name)).map(str::to_owned);
        match of_an_object.cloned().or_else(|| schema.similar(name)).or_else(native) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant),
            None => match ["x", "y", "z"].iter().position(|axis| *axis == name) {
                Some(axis) => {
                    diagnostic.help(format!("the {name} component of a vector `v` is `v # {}`", axis + 1))
                }
                None => diagnostic,
            },
        }
    }

    /// `ball.v@context`, where `ball.v` is there.
    fn no_context(&self, whole: &str, context: &str, span: Span) -> Diagnostic {
        let message = format!("there is no `{whole}` of a context called `{context}`");
        let diagnostic = Diagnostic::new(Code::E901, span, message);
        let contexts = self.schema.contexts.iter().map(String::as_str);
        let having: Vec<&str> =
            contexts.filter(|it| self.schema.find(&format!("{whole}@{it}")).is_some()).collect();
        match (similar(context, having.iter().copied()), having.is_empty()) {
            (Some(meant), _) => {
                let meant = format!("{whole}@{meant}");
                diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant)
            }
            (None, true) => {
                diagnostic.help(format!("it is the same in all contexts: write `{whole}`")).edit(span, whole)
            }
            (None, false) => diagnostic.help(format!("contexts that have it: {}", having.join(", "))),
        }
    }

    /// The names of all quantities, or of those of one object, in the order of columns.
    fn all(&self, object: Option<&str>) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let owner = object.map(|it| format!("{it}."));
        let columns = self.schema.columns().into_iter();
        let whole = columns.map(|it| it.name[..it.name.len() - it.element.len()].to_owned());
        whole
            .filter(|name| owner.as_ref().is_none_or(|owner| name.starts_with(owner.as_str())))
            .filter(|name| seen.insert(name.clone()))
            .collect()
    }
}

fn no_previous(span: Span) -> Diagnostic {
    Diagnostic::new(Code::E901, span, "a formula sees one moment, and no previous values")
        .label("only laws have `previous`")
        .help("let a law keep the value in an attribute, and name that")
}

fn no_function(name: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(Code::E901, span, format!("there is no function `{name}`"));
    match similar(name, NATIVES.iter().map(|it| it.name)) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant),
        None => diagnostic.help("formulas call natives such as `norm`, and no functions of experiments"),
    }
}

/// Names in a row, cut where nobody would read on.
fn list(names: &[String]) -> String {
    const MAX_NAMES: usize = 24;
    let shown = names.iter().take(MAX_NAMES).map(String::as_str).collect::<Vec<_>>().join(", ");
    match names.len().saturating_sub(MAX_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

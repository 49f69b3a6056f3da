//! Formulas over recordings: any expression of the language in which names mean recorded quantities.
//!
//! ```text
//! 0.5 * ball.mass * norm(ball.v)^2 + ball.mass * g * ball.position#3
//! ```
//!
//! A [`Formula`] is checked when it is read, against the types of the schema, and has a type itself. It is
//! then evaluated for frames and for both sides of events, alone or all at once, by the executors that run
//! laws: the column evaluator where the program has an intermediate form, else the reference evaluator, with
//! the same bits.
//!
//! **No value.** Where one of its quantities has no value (an attribute of a context, outside it) the formula
//! has none. Where it cannot be computed (1/0) it has none either, and remembers the first [`Failure`] to be
//! told. At an event values are known of those who take part; a formula that names anybody else is not known
//! there.
//!
//! `names` says what names mean, `label` what a formula and its components are called, `evaluate` computes it
//! over samples, and `at` at any time.

mod at;
mod evaluate;
mod label;
mod names;

pub use at::At;
pub use evaluate::{Failure, Series};

use crate::schema::Schema;
use crate::selection::Selection;
use evaluate::Evaluator;
use gedanken_lang::check::{Binding, Library, OutputFormula, check_formulas};
use gedanken_lang::diagnostic::{Code, Diagnostic, Style, render};
use gedanken_lang::program::Program;
use gedanken_lang::source::{Sources, Span};
use gedanken_lang::syntax::parse_dotted;
use gedanken_lang::syntax::tree::{Expr, Name};
use gedanken_lang::types::{Dim, Type};
use label::Label;
use names::{Meaning, Names};
use std::collections::BTreeMap;
use std::fmt;

/// More numbers than this are no formula: nobody can tell so many curves apart.
const MAX_SCALARS: usize = 1024;

/// Name of the formula as a function. No name of the language has a blank, so this one hides nothing.
const FUNCTION: &str = "the formula";

/// An expression over the quantities of a recording.
#[derive(Debug)]
pub struct Formula {
    text: String,
    sources: Sources,
    label: Label,
    ty: Type,
    meanings: Vec<Meaning>,
    evaluator: Evaluator,
    failure: Option<Failure>,
}

/// Reasons why a text is no formula.
#[derive(Clone, Debug)]
pub struct Refused {
    /// Everything that is wrong with it, in the order of the text; at least one.
    pub diagnostics: Vec<Diagnostic>,
    /// The text, in which they have their places.
    pub sources: Sources,
}

impl fmt::Display for Refused {
    /// As on a terminal without colours: what is wrong, the place, the way out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(render(&self.diagnostics, &self.sources, Style::Plain).trim_end())
    }
}

impl std::error::Error for Refused {}

impl Formula {
    /// Reads a formula over recordings of this schema.
    ///
    /// # Errors
    /// Everything that is wrong with the text.
    pub fn read(schema: &Schema, text: &str) -> Result<Self, Refused> {
        let mut sources = Sources::new();
        let source = sources.add("formula", text);
        let (expression, found) = parse_dotted(&sources, source, &|dotted| names::is_name(schema, dotted));
        let refused = |diagnostics, sources| Err(Refused { diagnostics, sources });
        let Some(mut expression) = expression else { return refused(found, sources) };
        let mut names = Names::new(schema);
        names.resolve(&mut expression);
        let mut diagnostics = found;
        diagnostics.extend(names.diagnostics);
        if !diagnostics.is_empty() {
            diagnostics.sort_by_key(|it| it.primary.span);
            return refused(diagnostics, sources);
        }
        let label = Label::of(&sources, &expression);
        let (program, ty, meanings) = match program(expression, names.meanings) {
            Ok(made) => made,
            Err(diagnostics) => return refused(diagnostics, sources),
        };
        let evaluator = Evaluator::new(program, &meanings);
        Ok(Self { text: text.to_owned(), sources, label, ty, meanings, evaluator, failure: None })
    }

    /// Text as it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Text for a legend, without needless blanks.
    pub fn label(&self) -> &str {
        &self.label.text
    }

    /// Its type: a real, a boolean, a vector or a matrix of fixed size.
    pub fn ty(&self) -> &Type {
        &self.ty
    }

    /// Number of its scalars; a boolean is one, 0 or 1.
    pub fn width(&self) -> usize {
        self.evaluator.width()
    }

    /// Names of its scalars, row by row: `b.v#1`, `b.v#2`, or `(a.v - b.v)#1`. Each is a formula.
    pub fn names(&self) -> Vec<String> {
        let element = |suffix: String| format!("{}{suffix}", self.label.primary);
        match self.ty {
            Type::Vector(_) => (1..=self.width()).map(|k| element(format!("#{k}"))).collect(),
            Type::Matrix(_, Dim::Is(columns)) => {
                let place = |k: usize| (k / columns as usize + 1, k % columns as usize + 1);
                (0..self.width()).map(place).map(|(i, j)| element(format!("#{i}#{j}"))).collect()
            }
            _ => vec![self.label.text.clone()],
        }
    }

    /// The quantities that it names, each once.
    pub fn quantities(&self) -> impl Iterator<Item = &Selection> {
        self.meanings.iter().filter_map(|it| match it {
            Meaning::Time => None,
            Meaning::Recorded(selection) => Some(selection),
        })
    }

    /// The text as a source, in which the places of a [`Failure`] are.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The earliest moment, of all that it was evaluated for, at which it could not be computed.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }
}

/// The expression as a program with one output, its type, and what its inputs mean.
fn program(
    expression: Expr,
    meanings: BTreeMap<String, Meaning>,
) -> Result<(Program, Type, Vec<Meaning>), Vec<Diagnostic>> {
    let span = expression.span;
    let names = meanings.iter().map(|(name, meaning)| {
        let binding = Binding::World { name: name.clone() };
        (name.as_str(), binding, meaning.ty())
    });
    let name = Name { text: FUNCTION.to_owned(), span };
    let formula = OutputFormula { name, body: expression, span };
    let checked = check_formulas([formula], &[], names, &Library::default()).map_err(|found| {
        let told = found.into_iter().map(|it| match it.code {
            // That attributes are no sequences, but this is a formula.
            Code::E306 => no_curve(span, &Type::Sequence(Box::new(Type::Unknown))),
            _ => it,
        });
        told.collect::<Vec<_>>()
    })?;
    let program = checked.program;
    let ty = program.outputs[0].ty.clone();
    if !ty.scalars().is_some_and(|it| (1..=MAX_SCALARS).contains(&it)) {
        return Err(vec![no_curve(span, &ty)]);
    }
    let meaning = |name: &str| meanings.get(name).cloned().expect("inputs are the variables of the scope");
    let inputs = program.inputs.iter().map(|input| meaning(&input.name)).collect();
    Ok((program, ty, inputs))
}

/// Message for a value that is no fixed list of a few numbers.
fn no_curve(span: Span, ty: &Type) -> Diagnostic {
    let (message, help) = match (ty.scalars(), ty) {
        (Some(0), _) => (format!("there is nothing in {ty}"), "name something that has a value"),
        (Some(many), _) => (
            format!("{ty} has {many} numbers, and at most {MAX_SCALARS} are shown"),
            "take a row, `m # 1`, an element, `m # 1 # 2`, or the `trace`",
        ),
        (None, Type::Sequence(_)) => (
            "a sequence is no curve".to_owned(),
            "write a vector, `[a, b]`; or take one element, `s # 1`, or the `sum` of all",
        ),
        _ => (
            format!("how many numbers there are in {ty} is not known before it is computed"),
            "write it element by element, such as `[v # 1, v # 2]`",
        ),
    };
    Diagnostic::new(Code::E902, span, message).label(format!("this is {ty}")).help(help)
}

//! A session: definitions that grow input by input, and expressions evaluated against them.
//!
//! It knows no terminal and no disk: text goes in, [`Reply`]s come out, files are read through [`Files`].
//! Inputs are numbered from 1, those that fail too; the text of input k stays under the name `[k]` for as
//! long as anything points at it, so that an error in a function shows the input that defined it.
//!
//! Names find their meaning when an expression is evaluated, not when a function is defined. That is why a
//! definition may use what comes later, and why everybody sees a redefinition at once.

mod command;
pub(crate) mod definition_heads;
mod help;
mod highlight;
mod input_span;
mod unknown_names;

pub use command::COMMANDS;
pub use help::OPERATORS;
pub use highlight::{Class, highlight};

use crate::check;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir;
use crate::program::{FunctionId, Output, OutputKind, Program};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::tree::{Definition, Expr, FileName, Item};
use crate::syntax::{self, Dialect};
use crate::types::Type;
use crate::value::Value;
use crate::vm::{self, Limits, Machine};
use command::Command;
use std::sync::Arc;

/// The files that a session may read and write. Errors are phrases such as `there is no such file`.
pub trait Files {
    /// The text of a file.
    ///
    /// # Errors
    /// Why it cannot be read.
    fn read(&self, path: &str) -> Result<String, String>;

    /// Writes a file, replacing what was there.
    ///
    /// # Errors
    /// Why it cannot be written.
    fn write(&self, path: &str, text: &str) -> Result<(), String>;
}

/// An answer to an input.
#[derive(Clone, Debug, PartialEq)]
pub enum Reply {
    /// The value of an expression.
    Value(Value),
    /// A name has a meaning now.
    Defined(String),
    /// A name has another meaning now.
    Redefined(String),
    /// Definitions were read from a file.
    Imported {
        /// As written.
        path: String,
        /// Names that it defines, in order.
        names: Vec<String>,
    },
    /// All definitions were written to a file.
    Exported {
        /// As written.
        path: String,
        /// Number of definitions.
        definitions: usize,
    },
    /// Lines to read.
    Help(String),
    /// Type of an expression, as far as it is known before it runs.
    Type(Type),
    /// An expression as scalar operations.
    Ir(String),
    /// Everything that is defined, as written on the left of `=`.
    List(Vec<String>),
    /// A mistake, or a word of warning; its places are in [`Session::sources`].
    Diagnostic(Diagnostic),
    /// The user wants to leave.
    Quit,
}

/// Returns `true` if a text can be submitted as it is. Not if it goes on: a bracket is open, an operator
/// dangles, an `else` is missing. Commands end with their line.
pub fn is_complete(text: &str) -> bool {
    command::parse(text).is_some() || syntax::is_complete(text)
}

/// Definitions and inputs so far.
pub struct Session<F> {
    files: F,
    limits: Limits,
    sources: Sources,
    inputs: usize,
    /// In the order of their first definition; no two of one name.
    definitions: Vec<Definition>,
}

impl<F: Files> Session<F> {
    /// An empty session. The token in `limits` ends the evaluation under way, and all later ones as long as it
    /// is asked.
    pub fn new(files: F, limits: Limits) -> Self {
        Self { files, limits, sources: Sources::new(), inputs: 0, definitions: Vec::new() }
    }

    /// All texts read so far: where diagnostics point.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The number that the next input will have.
    pub fn next_input(&self) -> usize {
        self.inputs + 1
    }

    /// Names that are defined, in the order of first definition.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.definitions.iter().map(|definition| definition.name.text.as_str())
    }

    /// Reads a file as `import` does, but not as an input: it has no number.
    pub fn preload(&mut self, path: &str) -> Vec<Reply> {
        let text = format!("import \"{path}\"");
        let (start, end) = ("import ".len(), text.len());
        let source = self.sources.add("command line", text);
        let (span, path_span) = (Span::new(source, 0..end), Span::new(source, start..end));
        self.import(&FileName { path: path.to_owned(), span, path_span })
    }

    /// Takes one input and answers it. An input that cannot be read changes nothing.
    pub fn submit(&mut self, text: &str) -> Vec<Reply> {
        self.inputs += 1;
        let name = format!("[{}]", self.inputs);
        match command::parse(text) {
            Some(command) => self.obey(name, text, command),
            None => {
                let source = self.sources.add(name, text);
                self.read_items(source)
            }
        }
    }

    fn read_items(&mut self, source: SourceId) -> Vec<Reply> {
        let (file, diagnostics) = syntax::parse(&self.sources, source, Dialect::Session);
        let failed = diagnostics.iter().any(Diagnostic::is_error);
        let mut replies: Vec<Reply> = diagnostics
            .into_iter()
            .map(|diagnostic| {
                let function = input_span::function_at(&file, diagnostic.primary.span);
                Reply::Diagnostic(input_span::placed(&self.sources, diagnostic, function))
            })
            .collect();
        if failed {
            return replies;
        }
        let mut fresh = Vec::new();
        for item in file.items {
            match item {
                Item::Definition(definition) => {
                    fresh.push(definition.clone());
                    replies.extend(self.define(definition));
                }
                Item::Evaluate(expr) => replies.extend(self.evaluate(&expr)),
                Item::Import(file) => replies.extend(self.import(&file)),
                Item::Export(file) => replies.push(self.export(&file)),
                // Blocks are for experiments; the parser of sessions has refused them.
                Item::Block(_) => {}
            }
        }
        replies.extend(unknown_names::warnings(&fresh, &self.definitions).into_iter().map(Reply::Diagnostic));
        replies
    }

    /// Adds or replaces a definition, unless its left side is wrong.
    fn define(&mut self, definition: Definition) -> Vec<Reply> {
        let name = definition.name.text.clone();
        let others = self.definitions.iter().filter(|other| other.name.text != name).cloned().collect();
        let found = definition_heads::diagnostics(std::slice::from_ref(&definition), others);
        let mut replies = Vec::new();
        if !found.iter().any(Diagnostic::is_error) {
            let known = self.add(definition);
            replies.push(if known { Reply::Redefined(name.clone()) } else { Reply::Defined(name.clone()) });
        }
        let placed =
            |diagnostic| Reply::Diagnostic(input_span::placed(&self.sources, diagnostic, Some(&name)));
        replies.extend(found.into_iter().map(placed));
        replies
    }

    /// Adds a definition. Returns `true` if there was one of this name before.
    fn add(&mut self, definition: Definition) -> bool {
        match self.definitions.iter_mut().find(|old| old.name.text == definition.name.text) {
            Some(old) => {
                *old = definition;
                true
            }
            None => {
                self.definitions.push(definition);
                false
            }
        }
    }

    fn evaluate(&mut self, expr: &Expr) -> Vec<Reply> {
        let (program, function) = match self.resolve(expr) {
            Ok(resolved) => resolved,
            Err(replies) => return replies,
        };
        let mut machine = Machine::new(Arc::new(vm::compile(&program)), self.limits.clone());
        machine.start(Vec::new());
        match machine.get(function) {
            Ok(value) => vec![Reply::Value(value)],
            Err(fault) => {
                let function = Some(fault.function.as_str()).filter(|name| !name.is_empty());
                vec![Reply::Diagnostic(input_span::placed(&self.sources, fault.diagnostic(), function))]
            }
        }
    }

    /// Gives every name that the expression reaches its meaning.
    fn resolve(&self, expr: &Expr) -> Result<(Program, FunctionId), Vec<Reply>> {
        check::check_expression(expr, &self.definitions).map_err(|diagnostics| {
            let function = |span: Span| {
                let inside = |definition: &&Definition| input_span::contains(definition.span, span);
                self.definitions.iter().find(inside).map(|definition| definition.name.text.as_str())
            };
            diagnostics
                .into_iter()
                .map(|diagnostic| {
                    let function = function(diagnostic.primary.span);
                    Reply::Diagnostic(input_span::placed(&self.sources, diagnostic, function))
                })
                .collect()
        })
    }

    fn import(&mut self, file: &FileName) -> Vec<Reply> {
        match super::load::load(&self.files, &mut self.sources, file) {
            Ok((definitions, warnings)) => {
                let names = definitions.iter().map(|definition| definition.name.text.clone()).collect();
                for definition in &definitions {
                    self.add(definition.clone());
                }
                let mut replies = vec![Reply::Imported { path: file.path.clone(), names }];
                let unknown = unknown_names::warnings(&definitions, &self.definitions);
                replies.extend(warnings.into_iter().chain(unknown).map(Reply::Diagnostic));
                replies
            }
            Err(diagnostics) => diagnostics.into_iter().map(Reply::Diagnostic).collect(),
        }
    }

    /// Definitions go out as they were written: what they mean, and how they look, is the author's.
    fn export(&self, file: &FileName) -> Reply {
        let texts = self.definitions.iter().map(|definition| self.sources.slice(definition.span));
        let text: String = texts.map(|text| format!("{text}\n")).collect::<Vec<_>>().join("\n");
        match self.files.write(&file.path, &text) {
            Ok(()) => Reply::Exported { path: file.path.clone(), definitions: self.definitions.len() },
            Err(why) => {
                let message = format!("`{}` cannot be written: {why}", file.path);
                Reply::Diagnostic(Diagnostic::new(Code::E603, file.path_span, message))
            }
        }
    }

    fn obey(&mut self, name: String, text: &str, command: Command<'_>) -> Vec<Reply> {
        let argument = |argument: &str| {
            let start = argument.as_ptr() as usize - text.as_ptr() as usize;
            start..start + argument.len()
        };
        match command {
            Command::Help(topic) => {
                let range = argument(topic);
                let source = self.sources.add(name, text);
                vec![match help::about(topic, &self.definitions, &self.sources) {
                    Ok(text) => Reply::Help(text),
                    Err(diagnostic) => Reply::Diagnostic(diagnostic(Span::new(source, range))),
                }]
            }
            Command::List => {
                self.sources.add(name, text);
                vec![Reply::List(self.definitions.iter().map(help::left_side).collect())]
            }
            Command::Quit => {
                self.sources.add(name, text);
                vec![Reply::Quit]
            }
            Command::Unknown(word) => {
                let range = argument(word);
                let source = self.sources.add(name, text);
                vec![Reply::Diagnostic(command::unknown(word, Span::new(source, range)))]
            }
            Command::Type(expression) => self.query(name, text, argument(expression).start, Self::type_of),
            Command::Ir(expression) => self.query(name, text, argument(expression).start, Self::intermediate),
        }
    }

    /// Reads the rest of a command as an expression. The command itself is blanked out, so that columns stay
    /// true.
    fn query(
        &mut self,
        name: String,
        text: &str,
        start: usize,
        answer: fn(&Self, &Expr) -> Vec<Reply>,
    ) -> Vec<Reply> {
        let blank: String = text[..start].chars().map(|c| if c == '\n' { c } else { ' ' }).collect();
        let source = self.sources.add(name, blank + &text[start..]);
        let (file, diagnostics) = syntax::parse(&self.sources, source, Dialect::Expression);
        if diagnostics.iter().any(Diagnostic::is_error) {
            let placed = |diagnostic| Reply::Diagnostic(input_span::placed(&self.sources, diagnostic, None));
            return diagnostics.into_iter().map(placed).collect();
        }
        match file.items.first() {
            Some(Item::Evaluate(expr)) => answer(self, expr),
            _ => Vec::new(),
        }
    }

    fn type_of(&self, expr: &Expr) -> Vec<Reply> {
        match self.resolve(expr) {
            Ok((program, function)) => vec![Reply::Type(check::infer_type(&program, function))],
            Err(replies) => replies,
        }
    }

    fn intermediate(&self, expr: &Expr) -> Vec<Reply> {
        let (mut program, function) = match self.resolve(expr) {
            Ok(resolved) => resolved,
            Err(replies) => return replies,
        };
        let refusal = |why: String| {
            let diagnostic =
                Diagnostic::new(Code::E605, expr.span, format!("this has no intermediate form: {why}"));
            vec![Reply::Diagnostic(input_span::placed(&self.sources, diagnostic, None))]
        };
        let ty = check::infer_type(&program, function);
        if !ty.is_fixed() {
            return refusal(format!("it is {ty}, and its size is not known before it runs"));
        }
        let name = self.sources.slice(expr.span).to_owned();
        program.outputs = vec![Output { name, scope_index: 0, function, kind: OutputKind::Law, ty }];
        match ir::build(&program, &[0]) {
            Ok(graph) => vec![Reply::Ir(graph.to_string())],
            Err(why) => refusal(why.to_string()),
        }
    }
}

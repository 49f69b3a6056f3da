//! Workflows as they are written: `seq(kick, par(drift_a, drift_b), impact)`.

use crate::read::blocks::BlockNames;
use crate::read::fields::Fields;
use gedanken_lang::check::{guess, similar};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Expr, ExprKind, Value};

/// Rules put together.
#[derive(Clone, Debug, PartialEq)]
pub enum Flow {
    /// One rule or event.
    Rule {
        /// Index into the rules of the experiment.
        rule: usize,
        /// Position of its name in the workflow.
        span: Span,
    },
    /// One after the other: each sees what the one before has done.
    Seq(Vec<Flow>),
    /// Side by side: all see the same state.
    Par(Vec<Flow>),
}

impl Flow {
    /// Calls `visit` with every rule that it names and the place, in order.
    pub fn rules(&self, visit: &mut impl FnMut(usize, Span)) {
        match self {
            Self::Rule { rule, span } => visit(*rule, *span),
            Self::Seq(flows) | Self::Par(flows) => flows.iter().for_each(|flow| flow.rules(visit)),
        }
    }
}

/// Reads the workflow of a simulation. `None` if something is wrong that has been reported.
pub(crate) fn read(
    fields: &Fields<'_>,
    rules: &BlockNames,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Flow> {
    let (entry, value) = fields.value("workflow")?;
    let reader = FlowReader { rules };
    match value {
        Value::Words(words) if !words.text.contains(' ') => reader.rule(&words.text, words.span, diagnostics),
        Value::Expression(expression) => reader.flow(expression, diagnostics),
        _ => {
            diagnostics.push(not_a_flow(entry.span, "a workflow cannot be this"));
            None
        }
    }
}

struct FlowReader<'r> {
    rules: &'r BlockNames,
}

impl FlowReader<'_> {
    /// Recursion is bounded by the height of expressions.
    fn flow(&self, expression: &Expr, diagnostics: &mut Vec<Diagnostic>) -> Option<Flow> {
        match &expression.kind {
            ExprKind::Name(name) => self.rule(name, expression.span, diagnostics),
            ExprKind::Group(inner) => self.flow(inner, diagnostics),
            ExprKind::Call { callee, native: false, arguments } => {
                let join: fn(Vec<Flow>) -> Flow = match callee.text.as_str() {
                    "seq" => Flow::Seq,
                    "par" => Flow::Par,
                    _ => {
                        let message = format!("`{}` does not put rules together", callee.text);
                        let diagnostic = not_a_flow(callee.span, &message);
                        diagnostics.push(match similar(&callee.text, ["seq", "par"]) {
                            Some(meant) => {
                                diagnostic.help(format!("did you mean `{meant}`?")).edit(callee.span, meant)
                            }
                            None => diagnostic,
                        });
                        return None;
                    }
                };
                if arguments.is_empty() {
                    let message = format!("`{}` holds no rules", callee.text);
                    diagnostics.push(not_a_flow(expression.span, &message));
                    return None;
                }
                // All of them, so that every mistake is told.
                let flows: Vec<Option<Flow>> =
                    arguments.iter().map(|argument| self.flow(argument, diagnostics)).collect();
                flows.into_iter().collect::<Option<Vec<Flow>>>().map(join)
            }
            ExprKind::Missing => None,
            _ => {
                diagnostics
                    .push(not_a_flow(expression.span, "this is neither a rule nor rules put together"));
                None
            }
        }
    }

    fn rule(&self, name: &str, span: Span, diagnostics: &mut Vec<Diagnostic>) -> Option<Flow> {
        if let Some(known) = self.rules.get(name) {
            return known.map(|rule| Flow::Rule { rule, span });
        }
        let message = format!("there is no rule or event called `{name}`");
        let diagnostic = Diagnostic::new(Code::E741, span, message).label("not the name of a rule");
        diagnostics.push(match guess(diagnostics.len(), name, self.rules.keys().map(String::as_str)) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant),
            None => diagnostic.help(format!("add `rule {name} {{ … }}` to the file")),
        });
        None
    }
}

fn not_a_flow(span: Span, message: &str) -> Diagnostic {
    Diagnostic::new(Code::E740, span, message.to_owned())
        .help("a workflow consists of names of rules and events in `seq(…)` and `par(…)`: `seq(kick, par(drift, cool))`")
}

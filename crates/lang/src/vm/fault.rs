//! A failure at run time, with everything at hand that helps to understand it.

use crate::diagnostic::{Code, Diagnostic};
use crate::program::Phase;
use crate::source::Span;
use crate::value::Value;

/// Reason why an evaluation has no result.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The stable code, `E5…`.
    pub code: Code,
    /// The operator, native or call that failed.
    pub span: Span,
    /// The function or law it stands in; empty in an expression that stands alone.
    pub function: String,
    /// The failure in one sentence.
    pub message: String,
    /// Circumstances of the failure.
    pub circumstances: Box<Circumstances>,
}

/// Circumstances of a failure.
#[derive(Clone, Debug, PartialEq)]
pub struct Circumstances {
    /// Meaning of attribute names in the function.
    pub phase: Phase,
    /// A few words for the place itself; may be empty.
    pub label: String,
    /// Advice.
    pub help: Option<String>,
    /// Values that went in, in order.
    pub operands: Vec<Operand>,
    /// Calls under way, the innermost first; only the first few.
    pub calls: Vec<Call>,
    /// Number of calls under way in all.
    pub depth: usize,
}

/// A value that went into a failed operation.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    /// Place in the text; `None` for a constant, whose value is seen there.
    pub span: Option<Span>,
    /// The value.
    pub value: Value,
}

/// A call that was under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// Name of the called function.
    pub function: String,
    /// `true` if it has parameters.
    pub with_arguments: bool,
    /// Place of the call in the text.
    pub span: Span,
}

/// Places of calls that a message shows.
const CALLS_SHOWN: usize = 3;

impl Fault {
    /// A failure that no operation met but the caller: at `span`, in the law or function of this name.
    pub fn new(code: Code, span: Span, function: &str, message: String) -> Self {
        let circumstances = Circumstances {
            phase: Phase::Laws,
            label: String::new(),
            help: None,
            operands: Vec::new(),
            calls: Vec::new(),
            depth: 0,
        };
        let function = function.to_owned();
        Self { code, span, function, message, circumstances: Box::new(circumstances) }
    }

    /// The same with a few words for the place itself.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.circumstances.label = label.into();
        self
    }

    /// The same with a way out.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.circumstances.help = Some(help.into());
        self
    }

    /// The failure as a message to the user.
    pub fn diagnostic(&self) -> Diagnostic {
        let Circumstances { label, help, operands, calls, .. } = &*self.circumstances;
        let mut diagnostic = Diagnostic::new(self.code, self.span, self.message.clone()).label(label.clone());
        for operand in operands {
            if let Some(span) = operand.span
                && span != self.span
            {
                diagnostic = diagnostic.also(span, format!("this is {}", shortened(&operand.value)));
            }
        }
        let mut shown: Vec<Span> = Vec::new();
        for call in calls {
            // Recursion calls from the same place again and again.
            if shown.len() < CALLS_SHOWN && call.span != self.span && !shown.contains(&call.span) {
                shown.push(call.span);
                let verb = if call.with_arguments { "called" } else { "needed" };
                diagnostic = diagnostic.also(call.span, format!("`{}` is {verb} here", call.function));
            }
        }
        if let Some(help) = help {
            diagnostic = diagnostic.help(help.clone());
        }
        diagnostic
    }
}

/// Characters of a value that a message shows.
const LONGEST: usize = 60;
/// Scalars that are looked at to make them.
const MOST_WRITTEN: usize = 16;

/// A value as written in the language, its middle left out if it is long.
pub(super) fn shortened(value: &Value) -> String {
    let text = match value {
        Value::Vector(elements) if elements.len() > MOST_WRITTEN => {
            format!("[{}, …]", listed(elements.iter().map(|&element| Value::Real(element))))
        }
        Value::Sequence(items) if items.len() > MOST_WRITTEN => {
            format!("{{{}, …}}", listed(items.iter().cloned()))
        }
        Value::Matrix(matrix) if matrix.elements.len() > MOST_WRITTEN => {
            return format!("a {} by {} matrix", matrix.rows, matrix.columns);
        }
        short => short.to_string(),
    };
    if text.chars().count() <= LONGEST {
        return text;
    }
    let closing = text
        .chars()
        .next_back()
        .filter(|last| matches!(last, ']' | '}'))
        .map(String::from)
        .unwrap_or_default();
    let start: String = text.chars().take(LONGEST - 2).collect();
    format!("{start}…{closing}")
}

fn listed(values: impl Iterator<Item = Value>) -> String {
    values.take(MOST_WRITTEN).map(|value| shortened(&value)).collect::<Vec<_>>().join(", ")
}

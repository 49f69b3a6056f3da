//! What is said of a model while it is read: mistakes, and everything that is left out.

use gedanken_lang::check::guess;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;

/// Maximum number of diagnostics that are kept: a hostile file must not fill the memory with complaints.
const MAX_KEPT: usize = 1000;

/// Diagnostics of a reading.
#[derive(Debug)]
pub(crate) struct Report {
    is_lenient: bool,
    errors: Vec<Diagnostic>,
    warnings: Vec<Diagnostic>,
}

impl Report {
    /// Nothing said yet. A lenient reading leaves out what is not supported, with a warning for each item.
    pub(crate) fn new(is_lenient: bool) -> Self {
        Self { is_lenient, errors: Vec::new(), warnings: Vec::new() }
    }

    /// Adds a diagnostic.
    pub(crate) fn push(&mut self, diagnostic: Diagnostic) {
        let kept = if diagnostic.is_error() { &mut self.errors } else { &mut self.warnings };
        if kept.len() < MAX_KEPT {
            kept.push(diagnostic);
        }
    }

    /// Adds a diagnostic about a name, with the nearest of the names that there are. Many mistakes are no slips
    /// of the pen: for the first ones only, so that the work does not grow with mistakes times names.
    pub(crate) fn push_closest<'n>(
        &mut self,
        diagnostic: Diagnostic,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) {
        let meant = guess(self.errors.len(), name, names);
        self.push(match meant {
            Some(meant) => {
                let span = diagnostic.primary.span;
                diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant.to_owned())
            }
            None => diagnostic,
        });
    }

    /// Adds an error.
    pub(crate) fn error(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.push(Diagnostic::new(code, span, message));
    }

    /// Reports something that would change the motion and is not supported.
    pub(crate) fn unsupported(&mut self, span: Span, what: &str) {
        self.push(if self.is_lenient {
            Diagnostic::new(Code::W001, span, format!("{what} is left out"))
                .help("the motion may differ from the one that the file describes")
        } else {
            Diagnostic::new(Code::E016, span, format!("{what} is not supported"))
                .help("remove it, or read the model with `--lenient` to leave it out")
        });
    }

    /// The warnings, or the errors and after them the warnings.
    pub(crate) fn finish(self) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
        if self.errors.is_empty() {
            return Ok(self.warnings);
        }
        let mut all = self.errors;
        all.extend(self.warnings);
        Err(all)
    }
}

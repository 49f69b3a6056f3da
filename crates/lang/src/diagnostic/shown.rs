//! The diagnostics that are shown of many.

use super::Diagnostic;

/// Some of many diagnostics, and the number of those left out.
#[derive(Debug)]
pub struct Shown<'d> {
    /// The diagnostics to show, in their order.
    pub list: Vec<&'d Diagnostic>,
    /// Number of errors left out.
    pub more_errors: usize,
    /// Number of warnings left out.
    pub more_warnings: usize,
}

impl<'d> Shown<'d> {
    /// At most `most` of the diagnostics: the first errors, and if there is room the first warnings.
    pub fn of(diagnostics: &'d [Diagnostic], most: usize) -> Self {
        let errors = diagnostics.iter().filter(|it| it.is_error()).count();
        let warnings = diagnostics.len() - errors;
        let mut room_for_errors = errors.min(most);
        let mut room_for_warnings = warnings.min(most - room_for_errors);
        let (more_errors, more_warnings) = (errors - room_for_errors, warnings - room_for_warnings);
        let mut list = Vec::with_capacity(room_for_errors + room_for_warnings);
        for diagnostic in diagnostics {
            let room = if diagnostic.is_error() { &mut room_for_errors } else { &mut room_for_warnings };
            if *room > 0 {
                *room -= 1;
                list.push(diagnostic);
            }
        }
        Self { list, more_errors, more_warnings }
    }

    /// The number of diagnostics left out, in words; `None` if all are shown.
    pub fn rest(&self) -> Option<String> {
        let count = |count: usize, what: &str| {
            let plural = if count == 1 { "" } else { "s" };
            (count > 0).then(|| format!("{count} more {what}{plural}"))
        };
        match (count(self.more_errors, "error"), count(self.more_warnings, "warning")) {
            (Some(errors), Some(warnings)) => Some(format!("and {errors} and {warnings}; mend these first")),
            (Some(rest), None) | (None, Some(rest)) => Some(format!("and {rest}; mend these first")),
            (None, None) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Code;
    use crate::source::{Sources, Span};

    /// Diagnostics with these codes, each at a place of its own.
    fn said(codes: &[Code]) -> Vec<Diagnostic> {
        let source = Sources::new().add("text", "");
        let one = |(at, code): (usize, &Code)| Diagnostic::new(*code, Span::new(source, at..at), "");
        codes.iter().enumerate().map(one).collect()
    }

    #[test]
    fn errors_come_before_warnings_and_order_is_kept() {
        let all = said(&[Code::W203, Code::E201, Code::W204, Code::E201, Code::E201]);
        let places = |most: usize| {
            let shown = Shown::of(&all, most);
            let at: Vec<u32> = shown.list.iter().map(|it| it.primary.span.start).collect();
            (at, shown.rest())
        };
        assert_eq!(places(9), (vec![0, 1, 2, 3, 4], None));
        let rest = |text: &str| Some(text.to_owned());
        assert_eq!(places(4), (vec![0, 1, 3, 4], rest("and 1 more warning; mend these first")));
        assert_eq!(places(2), (vec![1, 3], rest("and 1 more error and 2 more warnings; mend these first")));
    }
}

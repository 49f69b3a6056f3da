//! Names that the word before the cursor may become.

use gedanken_lang::native::NATIVES;
use gedanken_lang::session::COMMANDS;
use reedline::{Completer, CompletionResult, Span, Suggestion};
use std::sync::{Arc, Mutex, PoisonError};

/// Words of the language that are worth completing.
const KEYWORDS: [&str; 7] = ["if", "then", "else", "true", "false", "import", "export"];

/// The names that the session has defined so far; the editor and the session share them.
#[derive(Clone, Debug, Default)]
pub(super) struct Names(Arc<Mutex<Vec<String>>>);

impl Names {
    pub(super) fn set(&self, names: Vec<String>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = names;
    }

    fn get(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Completes names, natives, keywords and commands.
#[derive(Debug)]
pub(super) struct NameCompleter(pub(super) Names);

impl Completer for NameCompleter {
    fn complete(&mut self, line: &str, position: usize) -> CompletionResult {
        let before = line.get(..position).unwrap_or(line);
        let start = before
            .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == ':'))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let word = &before[start..];
        CompletionResult::fresh(
            candidates(word, self.0.get())
                .map(|(value, description)| Suggestion {
                    value,
                    description,
                    span: Span::new(start, before.len()),
                    ..Suggestion::default()
                })
                .collect::<Vec<_>>(),
        )
    }
}

/// Returns the names that begin with `word`, and their kinds; the user's own first.
fn candidates(word: &str, own: Vec<String>) -> impl Iterator<Item = (String, Option<String>)> {
    let own = own.into_iter().map(|name| (name, None));
    let natives = NATIVES.iter().map(|entry| (entry.name.to_owned(), Some(entry.signature.to_owned())));
    let keywords = KEYWORDS.into_iter().map(|word| (word.to_owned(), None));
    let commands = COMMANDS.iter().map(|(name, _, does)| ((*name).to_owned(), Some((*does).to_owned())));
    let all = own.chain(natives).chain(keywords).chain(commands);
    all.filter(move |(name, _)| !word.is_empty() && name.starts_with(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completed(line: &str) -> Vec<String> {
        let names = Names::default();
        names.set(vec!["my_norm".to_owned(), "mass".to_owned()]);
        let result = NameCompleter(names).complete(line, line.len());
        result.suggestions().iter().map(|it| format!("{}{}", &line[..it.span.start], it.value)).collect()
    }

    #[test]
    fn words_become_names() {
        assert_eq!(
            completed("2 * ma"),
            ["2 * mass", "2 * matrixTranspose", "2 * matrixDimension", "2 * max"]
        );
        assert_eq!(completed("my"), ["my_norm"]);
        assert_eq!(completed(":q"), [":quit"]);
        assert_eq!(completed("é(isE"), ["é(isEmpty"]);
        assert_eq!(completed("1 + "), Vec::<String>::new());
    }
}

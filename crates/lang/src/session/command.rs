//! Commands to the session itself: what begins with a colon, and `help`.

use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// The commands, each with its argument and what it does.
pub const COMMANDS: [(&str, &str, &str); 6] = [
    ("help", "[NAME]", "what there is, or about a native, an operator or a definition"),
    (":list", "", "everything that is defined"),
    (":type", "EXPR", "what an expression is: real, vector, matrix, boolean, sequence"),
    (":ir", "EXPR", "an expression as the scalar operations that fast code is made from"),
    (":quit", "", "leave; so does Ctrl-D"),
    (":help", "[NAME]", "the same as help"),
];

/// A command, with its argument where it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command<'a> {
    /// The topic may be empty.
    Help(&'a str),
    List,
    Type(&'a str),
    Ir(&'a str),
    Quit,
    /// The word that was meant to be a command.
    Unknown(&'a str),
}

/// The command in a text, if it is one. Arguments are slices of the text.
pub(super) fn parse(text: &str) -> Option<Command<'_>> {
    let line = text.trim();
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let (word, argument) = (&line[..end], line[end..].trim_start());
    if word == "help" {
        // `help = 3` and `help * 2` are definitions and expressions like any other; `help *` asks about `*`.
        let asks = !argument.starts_with('=') || argument.starts_with("==");
        let about_sign = !argument.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let alone = !argument.contains(char::is_whitespace);
        return (asks && (alone || !about_sign)).then_some(Command::Help(argument));
    }
    if !word.starts_with(':') {
        return None;
    }
    Some(match word {
        ":help" | ":h" | ":?" => Command::Help(argument),
        ":list" | ":l" => Command::List,
        ":type" | ":t" => Command::Type(argument),
        ":ir" => Command::Ir(argument),
        ":quit" | ":q" | ":exit" => Command::Quit,
        _ => Command::Unknown(word),
    })
}

/// Explains a word that is no command.
pub(super) fn unknown(word: &str, span: Span) -> Diagnostic {
    let names: Vec<&str> = COMMANDS.iter().map(|(name, ..)| *name).collect();
    let message = format!("`{word}` is no command");
    let near = names.iter().find(|name| word.starts_with(**name) || name.starts_with(word));
    let help = match near {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("the commands are {}", names.join(", ")),
    };
    Diagnostic::new(Code::E601, span, message).help(help)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_a_command() {
        assert_eq!(parse(" help "), Some(Command::Help("")));
        assert_eq!(parse("help norm"), Some(Command::Help("norm")));
        assert_eq!(parse("help *"), Some(Command::Help("*")));
        assert_eq!(parse("help =="), Some(Command::Help("==")));
        assert_eq!(parse(":type [1, 2] . [3, 4]"), Some(Command::Type("[1, 2] . [3, 4]")));
        assert_eq!(parse(":q"), Some(Command::Quit));
        assert_eq!(parse(":tpe 1"), Some(Command::Unknown(":tpe")));
    }

    #[test]
    fn what_is_not() {
        for text in ["", "help = 3", "help(x) = x", "help * 2", "$ help", "helper", "x"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}

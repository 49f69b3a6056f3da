//! Names of files below the folder: the same file on every system, and never one outside.

use crate::files::disk::plain;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// The ending of experiments.
pub(super) const EXPERIMENT: &str = ".lab";

/// The ending of models of MuJoCo.
const MODEL: &str = ".xml";

/// Returns `true` if a file of this name can be opened: an experiment, or a model.
pub(super) fn can_run(name: &str) -> bool {
    name.ends_with(EXPERIMENT) || name.ends_with(MODEL)
}

/// The longest name, in bytes: what every file system takes, with room for an ending.
const MAX_NAME_BYTES: usize = 200;

/// Names that Windows takes for devices, whatever their ending.
const RESERVED_NAMES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// Reason why the page cannot get a file.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Missing {
    /// There is no such file.
    Absent,
    /// The file must not or cannot be read; in a sentence.
    Refused(String),
}

/// Looks at a path such as `week1/drop.lab`: parts between slashes, none of them a way out or hidden.
///
/// # Errors
/// If the name is not allowed, in a sentence.
pub(super) fn check(name: &str) -> Result<(), String> {
    if name.is_empty() {
        return Err("the file needs a name".to_owned());
    }
    if name.len() > MAX_NAME_BYTES {
        return Err(format!("the name `{}` is longer than {MAX_NAME_BYTES} bytes", printable(name)));
    }
    let foreign = |letter: char| letter.is_control() || "\\:*?\"<>|".contains(letter);
    if let Some(letter) = name.chars().find(|&letter| foreign(letter)) {
        let letter = letter.escape_debug();
        return Err(format!(
            "the name `{}` has a `{letter}` in it, which a name must not have",
            printable(name)
        ));
    }
    for part in name.split('/') {
        if part.is_empty() || part == "." || part == ".." {
            return Err(format!("`{}` does not lead to a file in the folder of the lab", printable(name)));
        }
        if part.starts_with('.') {
            return Err(format!("`{}` is hidden: names here do not begin with a dot", printable(name)));
        }
        if part.ends_with(['.', ' ']) || part.starts_with(' ') || is_device(part) {
            return Err(format!("`{}` is not a name that every system can read", printable(name)));
        }
    }
    Ok(())
}

/// Checks the name of a new file like [`check`]; only characters that are plain on every system are allowed.
///
/// # Errors
/// If the name is not allowed, in a sentence.
pub(super) fn check_new(name: &str) -> Result<(), String> {
    check(name)?;
    let plain = |letter: char| letter.is_alphanumeric() || " _-.,+=()/".contains(letter);
    match name.chars().find(|&letter| !plain(letter)) {
        None => Ok(()),
        Some(letter) => {
            let advice = "use letters, digits, spaces and _ - . , + = ( )";
            Err(format!("the name `{}` has a `{letter}` in it: {advice}", printable(name)))
        }
    }
}

fn is_device(part: &str) -> bool {
    let stem = part.split('.').next().unwrap_or(part).trim_end().to_ascii_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    let is_port = port.is_some_and(|number| number.len() == 1 && number.as_bytes()[0].is_ascii_digit());
    is_port || RESERVED_NAMES.contains(&stem.as_str())
}

/// A name as a message can show it: short, and without letters that do something to a terminal.
pub(super) fn printable(name: &str) -> String {
    let mut short: String = name.chars().take(60).flat_map(char::escape_debug).collect();
    if name.chars().nth(60).is_some() {
        short.push('…');
    }
    short
}

/// The real path of a file below `folder`, which is a real path itself: links are followed, but not out of
/// it.
///
/// # Errors
/// If there is no such file, or it is not below the folder.
pub(super) fn resolve_below(folder: &Path, name: &str) -> Result<PathBuf, Missing> {
    check(name).map_err(Missing::Refused)?;
    let refused = |why: &str| Missing::Refused(format!("`{}` cannot be read: {why}", printable(name)));
    let real = fs::canonicalize(folder.join(name)).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => Missing::Absent,
        _ => refused(&plain(&error)),
    })?;
    if !real.starts_with(folder) {
        return Err(refused("it is a link that leads out of the folder of the lab"));
    }
    // What is no plain file, such as a pipe, could be waited for for ever.
    match fs::metadata(&real) {
        Ok(meta) if meta.is_file() => Ok(real),
        Ok(meta) if meta.is_dir() => Err(refused("it is a folder")),
        Ok(_) => Err(refused("it is not a plain file")),
        Err(error) => Err(refused(&plain(&error))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_below_the_folder_pass() {
        for good in ["drop.lab", "week1/drop.lab", "äther.lab", "a (2).lab", "console.lab", "com10.lab"] {
            assert_eq!(check(good), Ok(()), "{good}");
            assert_eq!(check_new(good), Ok(()), "{good}");
        }
        let long = "a".repeat(201);
        for bad in [
            "",
            "/etc/passwd.lab",
            "..",
            "../a.lab",
            "a/../b.lab",
            "a//b.lab",
            "./a.lab",
            "a/",
            "C:\\a.lab",
            "C:a.lab",
            "\\\\server\\a.lab",
            "a\\b.lab",
            "a\0.lab",
            "a\n.lab",
            ".hidden.lab",
            "a/.git/b.lab",
            "a.lab.",
            "a.lab ",
            "NUL",
            "nul.lab",
            "com1.lab",
            "a:stream.lab",
            "a?.lab",
            &long,
        ] {
            assert!(check(bad).is_err(), "{bad:?}");
            assert!(check_new(bad).is_err(), "{bad:?}");
        }
        assert_eq!(check("5% off.lab"), Ok(()), "what is there can be read");
        assert!(check_new("5% off.lab").unwrap_err().contains('%'), "but is not made anew");
    }

    #[test]
    fn messages_show_names_that_do_nothing_to_a_terminal() {
        let message = check("a\u{1b}[2J/../b").unwrap_err();
        assert!(!message.contains('\u{1b}'), "{message}");
        assert!(check(&"ä".repeat(5000)).unwrap_err().len() < 300);
    }
}

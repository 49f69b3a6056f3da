//! Formats of the files that runs write, by their endings.

use std::path::Path;

/// Format of an output file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Frames as a table for other programs.
    Csv,
    /// Recording that can be opened again.
    Arrow,
    /// Events, for other programs.
    Json,
    /// Equations derived before the run, as text.
    Text,
}

impl Format {
    /// The format that a file's ending asks for, if it is one of these.
    ///
    /// # Errors
    /// Which endings there are.
    pub(crate) fn of(path: &Path, among: &[Self]) -> Result<Self, String> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        among.iter().copied().find(|format| format.ending() == extension).ok_or_else(|| {
            let endings: Vec<String> =
                among.iter().map(|it| format!(".{} ({})", it.ending(), it.purpose())).collect();
            format!("{}: its ending must say the format, which is {}", path.display(), endings.join(" or "))
        })
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Arrow => "arrow",
            Self::Json => "json",
            Self::Text => "txt",
        }
    }

    fn purpose(self) -> &'static str {
        match self {
            Self::Csv => "a table of frames",
            Self::Arrow => "everything, to be opened again",
            Self::Json => "the events",
            Self::Text => "the equations that were derived",
        }
    }
}

//! The part of the suite that is run.

/// Selection of cases and methods, and the form in which they run.
#[derive(Debug, Clone, Default)]
pub struct Choice {
    /// Numbers of the cases; all, if empty.
    pub cases: Vec<u32>,
    /// Name of the only method; all methods, if `None`.
    pub method: Option<String>,
    /// `true` for the quick form, which cuts long cases short.
    pub quick: bool,
}

//! The token: what only the page that this server has served can know.

use std::fmt::Write as _;

/// 128 random bits in 32 hexadecimal digits, new at every start.
///
/// # Errors
/// If the system has no random numbers to give.
pub(super) fn token() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
    Ok(bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    }))
}

/// Whether two tokens are the same, in a time that does not tell how many letters are.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let differences = a.bytes().zip(b.bytes()).fold(0, |differences, (a, b)| differences | (a ^ b));
    a.len() == b.len() && differences == 0
}

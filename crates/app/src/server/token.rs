//! The token: a secret that only the page served by this server knows.

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

/// Returns `true` if two tokens are equal, in a time that does not depend on the number of equal letters.
pub(crate) fn is_same(a: &str, b: &str) -> bool {
    let differences = a.bytes().zip(b.bytes()).fold(0, |differences, (a, b)| differences | (a ^ b));
    a.len() == b.len() && differences == 0
}

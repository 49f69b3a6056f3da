//! The secret of a lab: 256 random bits. Its holder may save.

use std::fmt::{self, Write as _};
use std::hint::black_box;

/// Number of random bytes of a secret.
const BYTES: usize = 32;

/// Secret of a lab, in hexadecimal digits.
#[derive(Clone)]
pub(crate) struct Secret {
    digits: String,
}

impl Secret {
    /// Makes a new secret from random numbers of the operating system.
    ///
    /// # Errors
    /// If the system has no random numbers to give.
    pub(crate) fn random() -> Result<Self, String> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)
            .map_err(|error| format!("the system gives no random numbers: {error}"))?;
        let digits = bytes.iter().fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        Ok(Self { digits })
    }

    /// Reads the digits of a secret, with or without the end of the line; `None` if they are none.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let digits = text.trim_end();
        let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
        (digits.len() == 2 * BYTES && digits.bytes().all(is_digit))
            .then(|| Self { digits: digits.to_owned() })
    }

    /// Returns the digits.
    pub(super) fn digits(&self) -> &str {
        &self.digits
    }

    /// Returns `true` if the digits are those of this secret, in a time that does not depend on how many of
    /// them are.
    pub(super) fn is(&self, shown: &str) -> bool {
        let pairs = self.digits.bytes().zip(shown.bytes());
        let differences = pairs.fold(0, |differences, (a, b)| black_box(differences | (a ^ b)));
        self.digits.len() == shown.len() && differences == 0
    }
}

/// Hides the digits: what is printed for developers may end in a file that others read.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_256_bits_and_is_never_the_same() {
        let (a, b) = (Secret::random().unwrap(), Secret::random().unwrap());
        assert_eq!(a.digits().len(), 64);
        assert!(a.digits() != b.digits() && !a.is(b.digits()));
        assert!(Secret::parse(&format!("{}\n", a.digits())).unwrap().is(a.digits()));
        assert_eq!(format!("{a:?}"), "Secret(…)");
    }

    #[test]
    fn only_the_same_digits_are_the_secret() {
        let secret = Secret::parse(&"0123456789abcdef".repeat(4)).unwrap();
        assert!(secret.is(&"0123456789abcdef".repeat(4)));
        for wrong in ["", "0", &"0123456789abcdef".repeat(5), &"0123456789abcdee".repeat(4)] {
            assert!(!secret.is(wrong), "{wrong}");
        }
        for wrong in ["", "0123", &"0123456789ABCDEF".repeat(4), &"0123456789abcdeg".repeat(4)] {
            assert!(Secret::parse(wrong).is_none(), "{wrong}");
        }
    }
}

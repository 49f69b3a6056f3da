//! Numbers, counts, durations and lines of text for readers.

/// A number in about four digits: `0.04931`, `-1.234`, `2.1e-7`.
pub(crate) fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if !x.is_finite() {
        x.to_string()
    } else if (1e-3..1e5).contains(&size) {
        let decimals = (3.0 - libm::floor(libm::log10(size))).max(0.0) as usize;
        let text = format!("{x:.decimals$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    } else {
        format!("{x:.1e}")
    }
}

/// A number with at most so many digits that count, without idle zeros: `0.333333333`, `-9.81`, `1.5e-7`.
pub(crate) fn significant(x: f64, digits: usize) -> String {
    let rounded: f64 = format!("{x:.*e}", digits.max(1) - 1).parse().unwrap_or(x);
    gedanken_lang::value::Value::Real(rounded).to_string()
}

/// A count with its thousands apart: `1,000,000`.
pub(crate) fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (k, digit) in digits.chars().enumerate() {
        if k > 0 && (digits.len() - k).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `1 step`, `2 steps`.
pub(crate) fn plural(n: u64, one: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{} {one}s", count(n)) }
}

/// A length of time in seconds, with a fitting unit.
pub(crate) fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < 1e-6 => (s * 1e9, "ns"),
        s if s < 1e-3 => (s * 1e6, "µs"),
        s if s < 1.0 => (s * 1e3, "ms"),
        s => (s, "s"),
    };
    let decimals = usize::from(value < 100.0) + usize::from(value < 10.0);
    format!("{value:.decimals$} {unit}")
}

const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];

/// Breaks text into lines of at most `width` columns, at spaces.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is always a last line");
        if line.is_empty() {
            line.push_str(word);
        } else if columns(line) + 1 + columns(word) <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Number of columns of a text. Wide and combining characters are never printed.
pub(crate) fn columns(text: &str) -> usize {
    text.chars().count()
}

/// Text for terminals that know ASCII only. What we print has a spelling here; anything else becomes a
/// question mark.
pub(crate) fn to_ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut raised = false;
    for c in text.chars() {
        let superscript = SUPERSCRIPTS.iter().position(|&s| s == c);
        if (superscript.is_some() || c == '⁻') && !raised {
            plain.push('^');
        }
        raised = superscript.is_some() || c == '⁻';
        match (c, superscript) {
            (_, Some(digit)) => plain.push_str(&digit.to_string()),
            ('⁻' | '─' | '–' | '┬', _) => plain.push('-'),
            ('│', _) => plain.push('|'),
            ('┤' | '└', _) => plain.push('+'),
            ('·', _) => plain.push('*'),
            ('×', _) => plain.push('x'),
            ('Δ', _) => plain.push('d'),
            ('ω', _) => plain.push('w'),
            ('Σ', _) => plain.push_str("sum "),
            ('π', _) => plain.push_str("pi"),
            ('ε', _) => plain.push_str("eps"),
            ('µ', _) => plain.push('u'),
            ('½', _) => plain.push_str("1/2"),
            ('…', _) => plain.push_str("..."),
            (c, _) if c.is_ascii() => plain.push(c),
            _ => plain.push('?'),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_four_digits_and_lose_idle_zeros() {
        let shown = [0.0, 1.0, -0.5, 0.049_312_3, 1234.56, 99_999.4, 1e5, 2.14e-7, f64::NAN].map(number);
        assert_eq!(shown, ["0", "1", "-0.5", "0.04931", "1235", "99999", "1.0e5", "2.1e-7", "NaN"]);
    }

    #[test]
    fn significant_digits_are_kept_and_noise_is_not() {
        let shown = [1.0 / 3.0, -9.810000000000002, 0.999_999_999_999_9, 123_456_789_012.0, 0.0];
        let expected = ["0.333333333", "-9.81", "1", "123456789000", "0"];
        assert_eq!(shown.map(|x| significant(x, 9)), expected);
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([plural(1, "step"), plural(2000, "step")], ["1 step", "2,000 steps"]);
    }

    #[test]
    fn durations_find_their_unit() {
        let shown = [3.21e-8, 4.567e-6, 0.123, 2.0].map(duration);
        assert_eq!(shown, ["32.1 ns", "4.57 µs", "123 ms", "2.00 s"]);
    }

    #[test]
    fn ascii_spells_everything_out() {
        assert_eq!(to_ascii("10⁻¹² ½ω·x² │ΔE│"), "10^-12 1/2w*x^2 |dE|");
        assert_eq!(to_ascii("雪"), "?");
    }

    #[test]
    fn lines_break_at_spaces_and_long_words_stay_whole() {
        assert_eq!(wrap("a bb ccc  dddddddd e", 4), ["a bb", "ccc", "dddddddd", "e"]);
        assert_eq!(wrap("", 4), [""]);
    }
}

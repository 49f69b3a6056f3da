//! Suggestions for unknown names: the nearest name in scope.
//!
//! Names that differ only by case, or by characters that look alike in print (`l`, `1` and `I`; `O` and `0`),
//! come first; then those within a few edits, a swap of neighbours being one edit (the optimal string
//! alignment distance).
//!
//! A search looks at every candidate. So names of a text, which may be many, are searched for the first mistakes
//! only: see [`guess`].

use strsim::osa_distance;

/// Maximum number of mistakes that names of the text are searched for: a text with more is no slip of the pen.
pub(crate) const MOST_GUESSES: usize = 20;

/// As [`similar`], for candidates that the text gives; `None` once `said` diagnostics have been made. So the
/// work grows with the text, and not with its mistakes times its names.
pub fn guess<'a>(said: usize, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if said < MOST_GUESSES { similar(name, candidates) } else { None }
}

/// The candidate nearest to `name`, if one is near; the first of several that are equally near.
pub fn similar<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(usize, &str)> = None;
    let mut limit = most_edits(name);
    for candidate in candidates {
        if candidate == name {
            continue;
        }
        let edits = if looks_like(name, candidate) { Some(0) } else { within(name, candidate, limit) };
        let Some(edits) = edits else { continue };
        if best.is_none_or(|(fewest, _)| edits < fewest) {
            best = Some((edits, candidate));
            limit = edits;
        }
        if edits == 0 {
            break;
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// A third of the name may be wrong, at most three characters; of one character nothing is left then.
fn most_edits(name: &str) -> usize {
    match name.len() {
        0 | 1 => 0,
        2..=5 => 1,
        6..=8 => 2,
        _ => 3,
    }
}

/// Returns `true` if two names look the same: without case, and with one character for those that are easily
/// confused.
pub(crate) fn looks_like(a: &str, b: &str) -> bool {
    let plain = |byte: u8| match byte.to_ascii_lowercase() {
        b'l' | b'i' => b'1',
        b'o' => b'0',
        other => other,
    };
    a.len() == b.len() && a.bytes().map(plain).eq(b.bytes().map(plain))
}

/// Number of edits that make `a` of `b`, if it is at most `limit`.
fn within(a: &str, b: &str, limit: usize) -> Option<usize> {
    if limit == 0 || a.len().abs_diff(b.len()) > limit || is_wild(a, b) {
        return None;
    }
    Some(osa_distance(a, b)).filter(|&edits| edits <= limit)
}

/// Returns `true` for a guess that leaves one letter of two: `dt` for `at`, `v` for `v0`. A letter typed twice is no such
/// guess, nor is one that was forgotten.
fn is_wild(a: &str, b: &str) -> bool {
    a.len() == 2 && (b.len() == 2 || b.len() == 1 && !a.bytes().all(|byte| b.as_bytes() == [byte]))
}

#[cfg(test)]
mod tests {
    use super::{MOST_GUESSES, guess, similar, within};

    #[test]
    fn only_the_first_mistakes_are_guessed_at() {
        assert_eq!(guess(MOST_GUESSES - 1, "mas", ["mass"]), Some("mass"));
        assert_eq!(guess(MOST_GUESSES, "mas", ["mass"]), None);
    }

    #[test]
    fn distance_is_the_number_of_edits() {
        assert_eq!(within("velocity", "velocity", 3), Some(0));
        assert_eq!(within("velocity", "velocty", 3), Some(1));
        assert_eq!(within("velocity", "evlocity", 3), Some(1), "neighbours swapped");
        assert_eq!(within("velocity", "velocities", 3), Some(3));
        assert_eq!(within("velocity", "position", 3), None);
    }

    #[test]
    fn look_alikes_win_over_edits() {
        let names = ["obj2_rot_induced_i_x_v", "obj2_rot_induced_i_l_v"];
        assert_eq!(similar("obj2_rot_induced_i_1_v", names), Some("obj2_rot_induced_i_l_v"));
        assert_eq!(similar("collisionpoint", ["collisionPoints", "collisionPoint"]), Some("collisionPoint"));
        assert_eq!(similar("posO", ["pos1", "pos0"]), Some("pos0"));
    }

    #[test]
    fn short_names_are_not_guessed_wildly() {
        assert_eq!(similar("x", ["y", "z"]), None);
        assert_eq!([similar("at", ["dt"]), similar("v0", ["v"])], [None, None]);
        assert_eq!([similar("vv", ["v"]), similar("al", ["all"])], [Some("v"), Some("all")]);
        assert_eq!(similar("V", ["v"]), Some("v"));
        assert_eq!(similar("mas", ["max", "mass"]), Some("max"), "one edit each: the first");
    }
}

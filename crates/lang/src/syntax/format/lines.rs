//! Breaking what is too long for a line.
//!
//! A line is cut at its loosest places, and the pieces fill lines from left to right. A piece that is too
//! long for a line by itself is cut again at its own loosest places. Lines after the first are indented by
//! how many brackets are open.

use super::INDENT;

/// The longest line, in characters.
const WIDTH: usize = 100;

/// The score of an `else`: when an `if` does not fit on a line, each begins one.
pub(super) const ELSE: u32 = 0;

/// A token or a comment.
pub(super) struct Atom<'a> {
    text: &'a str,
    space: bool,
    /// Looseness of the place before it, if the line may be broken there; less is looser.
    score: Option<u32>,
    /// `true` if it must begin a line.
    pub(super) hard: bool,
    depth: u32,
    comment: Comment,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Comment {
    No,
    Inline,
    EndsLine,
}

impl<'a> Atom<'a> {
    pub(super) fn token(text: &'a str, space: bool, score: Option<u32>, depth: u32) -> Self {
        Self { text, space, score, hard: false, depth, comment: Comment::No }
    }

    /// A comment, on a line of its own or behind what stands before.
    pub(super) fn comment(text: &'a str, own_line: bool, depth: u32) -> Self {
        let ends = own_line || text.starts_with("//");
        let comment = if ends { Comment::EndsLine } else { Comment::Inline };
        Self { text, space: true, score: None, hard: own_line, depth, comment }
    }

    /// Returns `true` if nothing can follow on its line.
    pub(super) fn ends_line(&self) -> bool {
        self.comment == Comment::EndsLine
    }

    fn width(&self) -> usize {
        // A remark at the end of a line does not make it too long.
        if self.ends_line() { 0 } else { usize::from(self.space) + self.text.chars().count() }
    }
}

/// Writes atoms after what stands in `out`, which ends in a fresh line indented by `indent`.
pub(super) fn write(out: &mut String, atoms: &[Atom<'_>], indent: usize) {
    let mut page = Page { out, indent, column: indent, fresh: true };
    page.fill(atoms, 0);
}

struct Page<'a> {
    out: &'a mut String,
    indent: usize,
    column: usize,
    /// `true` if nothing stands on this line yet.
    fresh: bool,
}

impl Page<'_> {
    /// Writes atoms whose places looser than `least` have been dealt with.
    fn fill(&mut self, atoms: &[Atom<'_>], least: u32) {
        if fits(atoms, self.column) {
            atoms.iter().for_each(|atom| self.put(atom));
            return;
        }
        let inner = atoms.iter().skip(1).filter_map(|atom| atom.score).filter(|&score| score >= least);
        let Some(loosest) = inner.min() else {
            atoms.iter().for_each(|atom| self.put(atom));
            return;
        };
        let mut start = 0;
        while start < atoms.len() {
            let end =
                (start + 1..atoms.len()).find(|&at| atoms[at].score == Some(loosest)).unwrap_or(atoms.len());
            let piece = &atoms[start..end];
            let break_here = start > 0 && !piece[0].hard && !self.fresh;
            let on_fresh_line = self.continued(&piece[0]);
            if break_here && (loosest % 16 == ELSE || !fits(piece, self.column) && fits(piece, on_fresh_line))
            {
                self.newline(&piece[0]);
            }
            self.fill(piece, loosest + 1);
            start = end;
        }
    }

    fn continued(&self, atom: &Atom<'_>) -> usize {
        self.indent + INDENT * atom.depth.clamp(1, 7) as usize
    }

    fn newline(&mut self, atom: &Atom<'_>) {
        let indent = self.continued(atom);
        self.out.push('\n');
        self.out.push_str(&" ".repeat(indent));
        (self.column, self.fresh) = (indent, true);
    }

    fn put(&mut self, atom: &Atom<'_>) {
        if atom.hard && !self.fresh {
            self.newline(atom);
        }
        if atom.space && !self.fresh {
            self.out.push(' ');
            self.column += 1;
        }
        self.out.push_str(atom.text);
        let last_line = atom.text.rsplit('\n').next().unwrap_or_default();
        let begun = if last_line.len() == atom.text.len() { self.column } else { 0 };
        self.column = begun + last_line.chars().count();
        self.fresh = false;
    }
}

/// Returns `true` if atoms fit between `column` and the end of the line.
fn fits(atoms: &[Atom<'_>], column: usize) -> bool {
    let mut width = column;
    for (i, atom) in atoms.iter().enumerate() {
        if i > 0 && atom.hard || atom.comment == Comment::Inline && atom.text.contains('\n') {
            return false;
        }
        width += atom.width();
        if width > WIDTH {
            return false;
        }
    }
    true
}

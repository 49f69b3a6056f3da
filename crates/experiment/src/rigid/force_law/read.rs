//! Laws of rigid bodies, as they are written: `force`, `potential` and `constraint` blocks.
//!
//! A block speaks of one body, `of = {a, b}` (of each in turn; of all dynamic ones, if the line is absent or
//! says `all`), or of two, `between = {a, b}`. Names then mean attributes of the body; of two bodies,
//! `position1` is the position of the first and `position2` that of the second.

pub(crate) mod check;
pub(crate) mod names;
pub(crate) mod types;

use crate::object::truth;
use crate::read::evaluate::Evaluator;
use crate::read::fields::{BlockForm, Fields};
use crate::read::numbers::Numbers;
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{self, Alias, Block, Definition, Expr, Name};
use std::collections::BTreeSet;

/// What a block states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A force, a torque or both.
    Force,
    /// An energy, whose slope is a force and a torque.
    Potential,
    /// What must be zero, or not negative.
    Constraint,
}

/// Whom it is about.
#[derive(Clone, Debug)]
pub enum Whom {
    /// All dynamic bodies that have what it looks at.
    All,
    /// These, one at a time.
    Each(Vec<Name>),
    /// These two together.
    Between(Box<[Name; 2]>),
}

/// `force NAME { … }`, `potential NAME { … }` or `constraint NAME { … }`.
#[derive(Clone, Debug)]
pub struct Bodily {
    /// Its name; no two laws or joints have the same.
    pub name: String,
    /// What it states.
    pub kind: Kind,
    /// Whom it is about.
    pub whom: Whom,
    /// Attributes of other objects that it looks at.
    pub aliases: Vec<Alias>,
    /// Functions that its formulas call.
    pub functions: Vec<Definition>,
    /// What it gives: `force`, `torque` and `at`; `energy`; `value`.
    pub formulas: Vec<(&'static str, Expr)>,
    /// Whether a constraint is C ≥ 0, else C = 0.
    pub inequality: bool,
    /// How strongly a constraint is stabilised, 1/s² and 1/s, by those who solve for accelerations.
    pub gains: [f64; 2],
    /// Where its name is written.
    pub span: Span,
}

/// How strongly constraints are stabilised unless they say otherwise.
const GAIN: f64 = 10.0;

const OF: (&str, &str) = ("of", "names of objects in braces, `{ball, box}`, or `all`");
const BETWEEN: (&str, &str) = ("between", "the names of two objects in braces: `{sun, planet}`");
const ALIASES: (&str, &str) =
    ("aliases", "aliases in braces: `{ use centre as attribute position of object sun }`");
const FUNCTIONS: (&str, &str) = ("functions", "definitions in braces: `{ r = norm(position) }`");

pub(crate) const FORCE: BlockForm = BlockForm {
    what: "a force",
    keys: &[
        OF,
        BETWEEN,
        ALIASES,
        FUNCTIONS,
        ("force", "a vector of 3, in newtons"),
        ("torque", "a vector of 3 about the centre of mass, in newton metres"),
        ("at", "the point of the world where the force acts"),
    ],
};

pub(crate) const POTENTIAL: BlockForm = BlockForm {
    what: "a potential",
    keys: &[OF, BETWEEN, ALIASES, FUNCTIONS, ("energy", "a real, in joules")],
};

pub(crate) const CONSTRAINT: BlockForm = BlockForm {
    what: "a constraint",
    keys: &[
        OF,
        BETWEEN,
        ALIASES,
        FUNCTIONS,
        ("value", "a real or a vector that is 0 where it holds"),
        ("inequality", "`true` if the value may be positive, else `false`"),
        ("alpha", "a real that is not negative, in 1/s^2"),
        ("beta", "a real that is not negative, in 1/s"),
    ],
};

impl Kind {
    fn form(self) -> &'static BlockForm {
        match self {
            Self::Force => &FORCE,
            Self::Potential => &POTENTIAL,
            Self::Constraint => &CONSTRAINT,
        }
    }

    /// With its article: `a force`.
    pub(crate) fn what(self) -> &'static str {
        self.form().what
    }

    /// What its formulas are called.
    fn formulas(self) -> &'static [&'static str] {
        match self {
            Self::Force => &["force", "torque", "at"],
            Self::Potential => &["energy"],
            Self::Constraint => &["value"],
        }
    }
}

/// Reads a block. `None` if something is wrong that has been reported.
pub(crate) fn read(
    block: &Block,
    objects: &BTreeSet<&str>,
    evaluator: &Evaluator<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Bodily>) {
    let kind = match block.keyword.text.as_str() {
        "potential" => Kind::Potential,
        "constraint" => Kind::Constraint,
        _ => Kind::Force,
    };
    let before = diagnostics.len();
    let fields = Fields::read(block, kind.form(), diagnostics);
    let name = fields.heading(["wind", "spring", "rail"][kind as usize], diagnostics);
    match kind {
        Kind::Force if !fields.has("torque") => fields.require("force", "[0, 0, 1]", diagnostics),
        Kind::Force if fields.has("at") => fields.require("force", "[0, 0, 1]", diagnostics),
        Kind::Force => {}
        Kind::Potential => fields.require("energy", "mass * 9.81 * position # 3", diagnostics),
        Kind::Constraint => fields.require("value", "position # 3", diagnostics),
    }
    let whom = whom(&fields, kind, &name, objects, diagnostics);
    let mut formulas = Vec::new();
    for key in kind.formulas() {
        formulas.extend(fields.expression(key, diagnostics).map(|formula| (*key, formula.clone())));
    }
    let numbers = Numbers { fields: &fields, evaluator };
    let gains = ["alpha", "beta"].map(|key| numbers.not_negative(key, diagnostics).unwrap_or(GAIN));
    let law = Bodily {
        name: name.text.clone(),
        kind,
        aliases: fields.aliases("aliases", diagnostics).to_vec(),
        functions: fields.definitions("functions", diagnostics).to_vec(),
        formulas,
        inequality: truth(&fields, "inequality", false, diagnostics),
        gains,
        span: name.span,
        whom: whom.clone().unwrap_or(Whom::All),
    };
    // What the parser could not read would be missed here.
    let whole = block.entries.iter().all(|entry| !matches!(entry.value, tree::Value::Missing));
    let sound = whole && whom.is_some() && !diagnostics[before..].iter().any(Diagnostic::is_error);
    (name, Some(law).filter(|_| sound))
}

fn whom(
    fields: &Fields<'_>,
    kind: Kind,
    law: &Name,
    objects: &BTreeSet<&str>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Whom> {
    if fields.has("between") {
        if fields.has("of") {
            let message = format!("`{}` is about two bodies together, or about each alone", law.text);
            diagnostics.push(
                Diagnostic::new(Code::E755, fields.place("of"), message)
                    .label("each alone")
                    .also(fields.place("between"), "two together")
                    .help("keep one of the two lines"),
            );
        }
        let pair = pair(fields, law, objects, false, diagnostics)?;
        return Some(Whom::Between(Box::new(pair)));
    }
    if !fields.has("of") && kind == Kind::Constraint {
        fields.require("of", "{ball}", diagnostics);
        return None;
    }
    let names = fields.names("of", diagnostics);
    match names {
        [all] if all.text == "all" && !objects.contains("all") => return Some(Whom::All),
        [] if !fields.has("of") => return Some(Whom::All),
        [] => {
            let message = format!("`{}` acts on nobody: `of` is empty", law.text);
            diagnostics.push(
                Diagnostic::new(Code::E755, fields.place("of"), message)
                    .help("name bodies, or write `of = all`"),
            );
            return None;
        }
        _ => {}
    }
    let known: Vec<bool> = names.iter().map(|name| is_object(name, law, objects, diagnostics)).collect();
    for (number, name) in names.iter().enumerate() {
        if let Some(first) = names[..number].iter().find(|it| it.text == name.text) {
            diagnostics.push(
                Diagnostic::new(Code::E755, name.span, format!("`{}` stands twice in `of`", name.text))
                    .label("again here")
                    .also(first.span, "first here")
                    .help("remove one of the two"),
            );
        }
    }
    known.into_iter().all(|it| it).then(|| Whom::Each(names.to_vec()))
}

/// The two names of `between`, which must be two objects of the file; the second may be the world, if
/// `or_world`.
pub(crate) fn pair(
    fields: &Fields<'_>,
    law: &Name,
    objects: &BTreeSet<&str>,
    or_world: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<[Name; 2]> {
    let names = fields.names("between", diagnostics);
    let world = |name: &Name| name.text == "world" && !objects.contains("world");
    let [a, b] = names else {
        let said = diagnostics.iter().any(|it| it.primary.span == fields.place("between"));
        if !said {
            let message = format!("`{}` is between two bodies, but names {}", law.text, names.len());
            let example = if or_world {
                "`between = {lamp, chain}` or `between = {lamp, world}`"
            } else {
                "`between = {sun, planet}`"
            };
            diagnostics.push(
                Diagnostic::new(Code::E755, fields.place("between"), message)
                    .help(format!("write such as {example}")),
            );
        }
        return None;
    };
    if a.text == b.text {
        let message = format!("both ends of `{}` are `{}`", law.text, a.text);
        diagnostics.push(
            Diagnostic::new(Code::E755, b.span, message)
                .label("the same body again")
                .also(a.span, "first here")
                .help("name two bodies: between a body and itself nothing can act"),
        );
        return None;
    }
    if world(a) || (world(b) && !or_world) {
        let help = match or_world {
            true => format!("write the body first: `between = {{{}, world}}`", b.text),
            false => {
                let body = if world(a) { b } else { a };
                format!("what acts on one body alone is `of = {{{}}}`", body.text)
            }
        };
        let place = if world(a) { a } else { b };
        let message = format!("the world is no body that `{}` could act on", law.text);
        diagnostics.push(Diagnostic::new(Code::E755, place.span, message).label("not a body").help(help));
        return None;
    }
    let known = [a, b].map(|name| world(name) || is_object(name, law, objects, diagnostics));
    known.iter().all(|it| *it).then(|| [a.clone(), b.clone()])
}

fn is_object(name: &Name, law: &Name, objects: &BTreeSet<&str>, diagnostics: &mut Vec<Diagnostic>) -> bool {
    if objects.contains(name.text.as_str()) {
        return true;
    }
    let message = format!("`{}` names `{}`, which is no object of this file", law.text, name.text);
    let diagnostic = Diagnostic::new(Code::E755, name.span, message).label("not an object");
    diagnostics.push(match similar(&name.text, objects.iter().copied()) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
        None => diagnostic.help(format!("add `object {{ name = {} … }}` to the file", name.text)),
    });
    false
}

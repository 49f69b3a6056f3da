//! From a `force`, `potential` or `constraint` block to a law.

use super::model::{ForceLaw, ForceLawKind, Targets};
use crate::environment::Environment;
use crate::read::blocks::BlockNames;
use crate::read::fields::{BlockForm, Fields, truth};
use crate::read::numbers::Numbers;
use gedanken_lang::check::guess;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::{self, Block, Name};
use std::collections::BTreeMap;

/// Stabilisation of constraints unless they say otherwise, 1/s² and 1/s.
const DEFAULT_STABILISATION: f64 = 10.0;

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

impl ForceLawKind {
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

    /// Keys of its formulas.
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
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<ForceLaw>) {
    let &Environment { names, evaluator, .. } = environment;
    let objects = &names.objects;
    let kind = match block.keyword.text.as_str() {
        "potential" => ForceLawKind::Potential,
        "constraint" => ForceLawKind::Constraint,
        _ => ForceLawKind::Force,
    };
    let before = diagnostics.len();
    let fields = Fields::read(block, kind.form(), diagnostics);
    let name = fields.heading(["wind", "spring", "rail"][kind as usize], diagnostics);
    match kind {
        ForceLawKind::Force if !fields.has("torque") => fields.require("force", "[0, 0, 1]", diagnostics),
        ForceLawKind::Force if fields.has("at") => fields.require("force", "[0, 0, 1]", diagnostics),
        ForceLawKind::Force => {}
        ForceLawKind::Potential => fields.require("energy", "mass * 9.81 * position # 3", diagnostics),
        ForceLawKind::Constraint => fields.require("value", "position # 3", diagnostics),
    }
    let targets = targets(&fields, kind, &name, objects, diagnostics);
    let mut formulas = Vec::new();
    for key in kind.formulas() {
        formulas.extend(fields.expression(key, diagnostics).map(|formula| (*key, formula.clone())));
    }
    let numbers = Numbers { fields: &fields, evaluator };
    let gains =
        ["alpha", "beta"].map(|key| numbers.not_negative(key, diagnostics).unwrap_or(DEFAULT_STABILISATION));
    let law = ForceLaw {
        name: name.text.clone(),
        kind,
        aliases: fields.aliases("aliases", diagnostics).to_vec(),
        functions: fields.definitions("functions", diagnostics).to_vec(),
        formulas,
        inequality: truth(&fields, "inequality", false, diagnostics),
        gains,
        span: name.span,
        targets: targets.clone().unwrap_or(Targets::All),
    };
    // What the parser could not read would be missed here.
    let whole = block.entries.iter().all(|entry| !matches!(entry.value, tree::Value::Missing));
    let sound = whole && targets.is_some() && !diagnostics[before..].iter().any(Diagnostic::is_error);
    (name, Some(law).filter(|_| sound))
}

fn targets(
    fields: &Fields<'_>,
    kind: ForceLawKind,
    law: &Name,
    objects: &BlockNames,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Targets> {
    if fields.has("between") {
        if fields.has("of") {
            let message = format!("`{}` is about two bodies together, or about each alone", law.text);
            diagnostics.push(
                Diagnostic::new(Code::E755, fields.span_of("of"), message)
                    .label("each alone")
                    .also(fields.span_of("between"), "two together")
                    .help("keep one of the two lines"),
            );
        }
        let pair = pair(fields, law, objects, false, diagnostics)?;
        return Some(Targets::Between(Box::new(pair)));
    }
    // Forces and potentials act on all dynamic bodies by default; a constraint must name its bodies.
    if !fields.has("of") && kind == ForceLawKind::Constraint {
        fields.require("of", "{ball}", diagnostics);
        return None;
    }
    let names = fields.names("of", diagnostics);
    match names {
        [all] if all.text == "all" && !objects.contains_key("all") => return Some(Targets::All),
        [] if !fields.has("of") => return Some(Targets::All),
        [] => {
            let message = format!("`{}` acts on no body: `of` is empty", law.text);
            diagnostics.push(
                Diagnostic::new(Code::E755, fields.span_of("of"), message)
                    .help("name bodies, or write `of = all`"),
            );
            return None;
        }
        _ => {}
    }
    // All names are looked at, so that every unknown one is reported.
    let known: Vec<bool> = names.iter().map(|name| is_object(name, law, objects, diagnostics)).collect();
    let mut seen: BTreeMap<&str, &Name> = BTreeMap::new();
    for name in names {
        let first = *seen.entry(&name.text).or_insert(name);
        if !std::ptr::eq(first, name) {
            diagnostics.push(
                Diagnostic::new(Code::E755, name.span, format!("`{}` stands twice in `of`", name.text))
                    .label("again here")
                    .also(first.span, "first here")
                    .help("remove one of the two"),
            );
        }
    }
    known.into_iter().all(|it| it).then(|| Targets::Each(names.to_vec()))
}

/// The two names of `between`, which must be two objects of the file; the second may be the world, if
/// `or_world`.
pub(crate) fn pair(
    fields: &Fields<'_>,
    law: &Name,
    objects: &BlockNames,
    or_world: bool,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<[Name; 2]> {
    let names = fields.names("between", diagnostics);
    let world = |name: &Name| name.text == "world" && !objects.contains_key("world");
    let [a, b] = names else {
        // A list that could not be read has been reported at the same place.
        let said = diagnostics.iter().any(|it| it.primary.span == fields.span_of("between"));
        if !said {
            let message = format!("`{}` is between two bodies, but names {}", law.text, names.len());
            let example = if or_world {
                "`between = {lamp, chain}` or `between = {lamp, world}`"
            } else {
                "`between = {sun, planet}`"
            };
            diagnostics.push(
                Diagnostic::new(Code::E755, fields.span_of("between"), message)
                    .help(format!("write for example {example}")),
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
    // An object may be called `world`; only otherwise the word means the world itself.
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

fn is_object(name: &Name, law: &Name, objects: &BlockNames, diagnostics: &mut Vec<Diagnostic>) -> bool {
    if objects.contains_key(&name.text) {
        return true;
    }
    let message = format!("`{}` names `{}`, which is no object of this file", law.text, name.text);
    let diagnostic = Diagnostic::new(Code::E755, name.span, message).label("not an object");
    diagnostics.push(match guess(diagnostics.len(), &name.text, objects.keys().map(String::as_str)) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
        None => diagnostic.help(format!("add `object {{ name = {} … }}` to the file", name.text)),
    });
    false
}

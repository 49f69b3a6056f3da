//! Entries of a block by key, each once.

use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Alias, Block, Definition, Entry, Expr, ExprKind, Name, Value};
use std::collections::BTreeMap;

/// A kind of block and what can stand in it.
pub(crate) struct BlockForm {
    /// Kind with an article: `an object`.
    pub(crate) what: &'static str,
    /// Keys, and the values they take in words.
    pub(crate) keys: &'static [(&'static str, &'static str)],
}

/// Entries of a block by key.
pub(crate) struct Fields<'b> {
    form: &'static BlockForm,
    pub(crate) block: &'b Block,
    entries: BTreeMap<&'b str, &'b Entry>,
    /// Keys that were meant by others, as their messages say.
    meant: Vec<&'static str>,
}

impl<'b> Fields<'b> {
    /// Reads the block, reporting keys that it does not have, and those given twice.
    pub(crate) fn read(
        block: &'b Block,
        form: &'static BlockForm,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut entries: BTreeMap<&str, &Entry> = BTreeMap::new();
        let mut meant = Vec::new();
        for entry in &block.entries {
            let key = entry.key.text.as_str();
            if let Some(first) = entries.get(key) {
                diagnostics.push(
                    Diagnostic::new(Code::E423, entry.key.span, format!("`{key}` is given twice"))
                        .label("again here")
                        .also(first.key.span, "first here")
                        .help("remove one of the two"),
                );
            } else if form.keys.iter().any(|(known, _)| *known == key) {
                entries.insert(key, entry);
            } else {
                meant.extend(other_word(form, key));
                diagnostics.push(unknown_key(entry, form));
            }
        }
        Self { form, block, entries, meant }
    }

    /// The value of a key, unless it is absent or was a mistake that has been reported.
    pub(crate) fn value(&self, key: &str) -> Option<(&'b Entry, &'b Value)> {
        self.entries.get(key).map(|entry| (*entry, &entry.value)).filter(|(_, value)| !is_missing(value))
    }

    /// Returns `true` if the key is there, with or without a value that can be understood.
    pub(crate) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Position of an entry; of the block's keyword, if there is none.
    pub(crate) fn span_of(&self, key: &str) -> Span {
        self.entries.get(key).map_or(self.block.keyword.span, |entry| entry.span)
    }

    /// Reports a key that must be there.
    pub(crate) fn require(&self, key: &str, example: &str, diagnostics: &mut Vec<Diagnostic>) {
        if !self.has(key) && !self.meant.contains(&key) {
            let (what, key) = (self.form.what, spaced(key));
            diagnostics.push(
                Diagnostic::new(Code::E705, self.block.keyword.span, format!("{what} needs `{key}`"))
                    .label("it is not in this block")
                    .help(format!("add a line such as `{key} = {example}`")),
            );
        }
    }

    /// The name of the block. An empty one, if there is none, so that reading can go on.
    pub(crate) fn name(&self, diagnostics: &mut Vec<Diagnostic>) -> Name {
        let none = Name { text: String::new(), span: self.block.keyword.span };
        let keyword = &self.block.keyword;
        if let Some(before) = &self.block.name {
            let message = format!("the name of {} stands inside its braces", self.form.what);
            diagnostics.push(
                Diagnostic::new(Code::E702, before.span, message)
                    .help(format!("write `{} {{ name = {} … }}`", keyword.text, before.text)),
            );
            return before.clone();
        }
        if !self.has("name") {
            let message = format!("{} needs a name", self.form.what);
            diagnostics.push(
                Diagnostic::new(Code::E702, keyword.span, message)
                    .label("the name is missing")
                    .help("add a line such as `name = first`"),
            );
            return none;
        }
        let Some(name) = self.words("name", diagnostics) else { return none };
        if name.text.contains(' ') {
            let joined = name.text.replace(' ', "_");
            diagnostics.push(
                Diagnostic::new(
                    Code::E702,
                    name.span,
                    format!("a name is one word, `{}` are several", name.text),
                )
                .help("join the words with `_`")
                .edit(name.span, joined),
            );
        }
        name.clone()
    }

    /// The name before the brace: `material steel { … }`. An empty one, if there is none, so that reading can
    /// go on.
    pub(crate) fn heading(&self, example: &str, diagnostics: &mut Vec<Diagnostic>) -> Name {
        let keyword = &self.block.keyword;
        self.block.name.clone().unwrap_or_else(|| {
            diagnostics.push(
                Diagnostic::new(Code::E702, keyword.span, format!("{} needs a name", self.form.what))
                    .label("the name is missing")
                    .help(format!("write it before the brace: `{} {example} {{ … }}`", keyword.text)),
            );
            Name { text: String::new(), span: keyword.span }
        })
    }

    /// Words such as `free fall`.
    pub(crate) fn words(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<&'b Name> {
        match self.value(key)? {
            (_, Value::Words(words)) => Some(words),
            (entry, _) => self.wrong(entry, diagnostics),
        }
    }

    /// The text between quotes.
    pub(crate) fn text(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<&'b Name> {
        match self.value(key)? {
            (_, Value::Text(text)) => Some(text),
            (entry, _) => self.wrong(entry, diagnostics),
        }
    }

    /// An expression.
    pub(crate) fn expression(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<&'b Expr> {
        match self.value(key)? {
            (_, Value::Expression(expression)) => {
                Some(expression).filter(|expression| !matches!(expression.kind, ExprKind::Missing))
            }
            (entry, _) => self.wrong(entry, diagnostics),
        }
    }

    /// Names in braces; none, if the key is absent.
    pub(crate) fn names(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> &'b [Name] {
        match self.value(key) {
            None => &[],
            Some((_, Value::Names(names))) => names,
            Some((_, value)) if is_empty(value) => &[],
            Some((entry, _)) => self.wrong(entry, diagnostics).unwrap_or_default(),
        }
    }

    /// Names in braces, or one word without them; `None`, if the key is absent.
    pub(crate) fn list(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<Name>> {
        let name = |expression: &Expr| match &expression.kind {
            ExprKind::Name(text) => Some(Name { text: text.clone(), span: expression.span }),
            _ => None,
        };
        match self.value(key)? {
            (_, Value::Names(names)) => Some(names.clone()),
            (_, Value::Words(word)) if !word.text.contains(' ') => Some(vec![word.clone()]),
            // Where a comma is missing, the parser has told.
            (entry, Value::Expressions(list)) => list
                .iter()
                .map(name)
                .collect::<Option<Vec<Name>>>()
                .or_else(|| self.wrong(entry, diagnostics)),
            (_, value) if is_empty(value) => Some(Vec::new()),
            (entry, _) => self.wrong(entry, diagnostics),
        }
    }

    /// Definitions in braces; none, if the key is absent.
    pub(crate) fn definitions(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> &'b [Definition] {
        match self.value(key) {
            None => &[],
            Some((_, Value::Definitions(definitions))) => definitions,
            Some((_, value)) if is_empty(value) => &[],
            Some((entry, _)) => self.wrong(entry, diagnostics).unwrap_or_default(),
        }
    }

    /// Aliases in braces; none, if the key is absent.
    pub(crate) fn aliases(&self, key: &str, diagnostics: &mut Vec<Diagnostic>) -> &'b [Alias] {
        match self.value(key) {
            None => &[],
            Some((_, Value::Aliases(aliases))) => aliases,
            Some((_, value)) if is_empty(value) => &[],
            Some((entry, _)) => self.wrong(entry, diagnostics).unwrap_or_default(),
        }
    }

    fn wrong<T>(&self, entry: &Entry, diagnostics: &mut Vec<Diagnostic>) -> Option<T> {
        let key = spaced(&entry.key.text);
        let wanted = self.form.keys.iter().find(|(known, _)| *known == entry.key.text).map(|row| row.1);
        let diagnostic = match &entry.value {
            Value::Text(text) => {
                Diagnostic::new(Code::E424, text.span, format!("`{key}` is written without quotes"))
                    .help("quotes are for names of files; write the words alone")
                    .edit(text.span, text.text.clone())
            }
            _ => Diagnostic::new(Code::E424, entry.span, format!("`{key}` cannot be set to this"))
                .help(format!("`{key}` is set to {}", wanted.unwrap_or("something else"))),
        };
        diagnostics.push(diagnostic);
        None
    }
}

fn is_missing(value: &Value) -> bool {
    matches!(value, Value::Missing)
}

/// `{}` may be any list.
fn is_empty(value: &Value) -> bool {
    match value {
        Value::Names(list) => list.is_empty(),
        Value::Expressions(list) => list.is_empty(),
        Value::Definitions(list) => list.is_empty(),
        Value::Aliases(list) => list.is_empty(),
        _ => false,
    }
}

/// A key as people write it.
pub(crate) fn spaced(key: &str) -> String {
    if matches!(key, "objects_involved" | "contexts_involved") {
        key.to_owned()
    } else {
        key.replace('_', " ")
    }
}

/// Attributes that are easily written a level too high.
const INNER_KEYS: [&str; 18] = [
    "position",
    "pos",
    "orientation",
    "size",
    "radius",
    "height",
    "length",
    "points",
    "color1",
    "color2",
    "mass",
    "density",
    "velocity",
    "angular_velocity",
    "inertia_tensor",
    "restitution",
    "friction",
    "charge",
];

/// Words of other laboratories for keys: the block, the word, and the key.
const OTHER_WORDS: &[(&str, &str, &str)] = &[
    ("an object", "shape", "geometrical_type"),
    ("an object", "geometry", "geometrical_type"),
    ("an object", "form", "geometrical_type"),
    ("an object", "geometric_type", "geometrical_type"),
    ("an object", "type", "physical_type"),
    ("an object", "kind", "physical_type"),
    ("an object", "body_type", "physical_type"),
    ("an object", "properties", "attributes"),
    ("an object", "initial", "attributes"),
    ("a simulation", "time", "duration"),
    ("a simulation", "end", "duration"),
    ("a simulation", "end_time", "duration"),
    ("a simulation", "stop_time", "duration"),
    ("a simulation", "t_end", "duration"),
    ("a simulation", "tmax", "duration"),
    ("a simulation", "until", "duration"),
    ("a simulation", "fps", "frame_rate"),
    ("a simulation", "rate", "frame_rate"),
    ("a simulation", "framerate", "frame_rate"),
    ("a simulation", "frames_per_second", "frame_rate"),
    ("a simulation", "start", "initial_time"),
    ("a simulation", "start_time", "initial_time"),
    ("a simulation", "t0", "initial_time"),
    ("a simulation", "objects", "objects_involved"),
    ("a simulation", "bodies", "objects_involved"),
    ("a simulation", "contexts", "contexts_involved"),
    ("a simulation", "laws", "contexts_involved"),
    ("a simulation", "engine", "mechanics"),
    ("a simulation", "plot", "record"),
    ("a simulation", "output", "record"),
];

/// The key that a word stands for elsewhere.
fn other_word(form: &BlockForm, word: &str) -> Option<&'static str> {
    let row = OTHER_WORDS.iter().find(|row| row.0 == form.what && row.1 == word)?;
    form.keys.iter().any(|(known, _)| *known == row.2).then_some(row.2)
}

fn unknown_key(entry: &Entry, form: &BlockForm) -> Diagnostic {
    let key = &entry.key;
    let message = format!("{} has no `{}`", form.what, spaced(&key.text));
    let diagnostic = Diagnostic::new(Code::E704, key.span, message).label("not a key of this block");
    let known = form.keys.iter().map(|(known, _)| *known);
    if form.what == "an object" && INNER_KEYS.contains(&key.text.as_str()) {
        return diagnostic.help(format!("it is an attribute: write `attributes = {{ {} = … }}`", key.text));
    }
    if let Some(meant) = other_word(form, &key.text) {
        let help = format!("it is called `{}` here", spaced(meant));
        return diagnostic.help(help).edit(key.span, spaced(meant));
    }
    if form.what == "a simulation" && matches!(key.text.as_str(), "dt" | "step" | "timestep") {
        return diagnostic.help(
            "laws in contexts have no steps: `frame rate` says how often values are recorded; rigid bodies and workflows have a `time step`",
        );
    }
    match similar(&key.text, known.clone()) {
        Some(meant) => {
            diagnostic.help(format!("did you mean `{}`?", spaced(meant))).edit(key.span, spaced(meant))
        }
        None => {
            let known: Vec<String> = known.map(|key| format!("`{}`", spaced(key))).collect();
            let keys = format!("its keys are {}", known.join(", "));
            match (form.what, &entry.value) {
                ("an object", Value::Expression(_)) => {
                    let line = format!("if it is an attribute, write `attributes = {{ {} = … }}`", key.text);
                    diagnostic.note(keys).help(line)
                }
                _ => diagnostic.help(keys),
            }
        }
    }
}

/// `key = true` or `key = false`; `usual` if it is absent or wrong, which has been reported.
pub(crate) fn truth(fields: &Fields<'_>, key: &str, usual: bool, diagnostics: &mut Vec<Diagnostic>) -> bool {
    match fields.expression(key, diagnostics) {
        None => usual,
        Some(Expr { kind: ExprKind::Bool(truth), .. }) => *truth,
        Some(other) => {
            let message = format!("`{}` is `true` or `false`", key.replace('_', " "));
            diagnostics
                .push(Diagnostic::new(Code::E424, other.span, message).label("this is something else"));
            usual
        }
    }
}

/// Message for a word that is none of the choices.
pub(crate) fn no_such<'n>(
    words: &Name,
    what: &str,
    choices: impl IntoIterator<Item = &'n str>,
    help: &str,
) -> Diagnostic {
    let message = format!("there is no {what} `{}`", words.text);
    let diagnostic = Diagnostic::new(Code::E706, words.span, message).label("not one of the choices");
    match similar(&words.text, choices) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(words.span, meant),
        None => diagnostic.help(help),
    }
}

/// One of a few words; `None` if the key is absent or wrong, which has been reported. Words may be joined by
/// spaces, hyphens or underscores.
pub(crate) fn choice<T: Copy>(
    fields: &Fields<'_>,
    key: &str,
    what: &str,
    choices: &[(&'static str, T)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<T> {
    let words = fields.words(key, diagnostics)?;
    let plain = |text: &str| text.replace(['-', '_'], " ");
    let found = choices.iter().find(|(name, _)| plain(name) == plain(&words.text)).map(|(_, it)| *it);
    if found.is_none() {
        let lines: Vec<String> =
            choices.iter().map(|(name, _)| format!("`{} = {name}`", spaced(key))).collect();
        let names = choices.iter().map(|(name, _)| *name);
        diagnostics.push(no_such(words, what, names, &format!("write {}", lines.join(" or "))));
    }
    found
}

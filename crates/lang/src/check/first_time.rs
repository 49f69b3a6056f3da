//! First-time-only attributes: they must exist, and have laws.

use super::context::View;
use super::mistakes::similar::{MOST_GUESSES, guess};
use super::{Binding, Scope};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::Name;
use std::collections::{BTreeSet, HashMap, HashSet};

impl View<'_> {
    /// First-time-only attributes must exist, and have laws.
    /// Gives all names of those without.
    pub(super) fn check_first_time(
        &self,
        scope: &Scope,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> BTreeSet<String> {
        let mut names: HashMap<&str, Vec<&str>> = HashMap::new();
        for variable in &scope.variables {
            if let Binding::Object { attribute, .. } | Binding::Context { attribute, .. } = &variable.binding
            {
                names.entry(attribute).or_default().push(&variable.name);
            }
        }
        let names_of =
            |attribute: &str| names.get(self.participants.proper(attribute)).map_or(&[][..], Vec::as_slice);
        let functions = Suffixes::of(self.entries.functions.iter().map(|it| it.name.text.as_str()));
        let mut without: Vec<&Name> = Vec::new();
        for name in self.entries.first_time {
            let is_declared = self.declared.contains_key(name.text.as_str());
            if !is_declared && self.participants.first(&name.text).is_none() {
                diagnostics.push(self.unknown_first_time(name, scope, diagnostics.len()));
            } else if !functions.sets(&name.text, names_of(&name.text)) {
                without.push(name);
            }
        }
        diagnostics.extend(no_law(&without));
        without.iter().flat_map(|name| names_of(&name.text)).map(|&name| name.to_owned()).collect()
    }

    fn unknown_first_time(&self, name: &Name, scope: &Scope, said: usize) -> Diagnostic {
        let message = format!("`{}` is no attribute, so it cannot be computed first time only", name.text);
        let diagnostic = Diagnostic::new(Code::E435, name.span, message).label("not an attribute");
        let alias = scope.variables.iter().find(|it| it.name == name.text).filter(|_| said < MOST_GUESSES);
        if let Some(Binding::Object { attribute, .. } | Binding::Context { attribute, .. }) =
            alias.map(|it| &it.binding)
        {
            return diagnostic
                .help(format!("this is an alias: name the attribute, `{attribute}`"))
                .edit(name.span, attribute.clone());
        }
        let own = self.entries.attributes.iter().map(|it| it.text.as_str());
        let objects =
            self.signature.participants.iter().flat_map(|it| &it.attributes).map(|(it, _)| it.as_str());
        match guess(said, &name.text, own.chain(objects)) {
            Some(meant) => {
                diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant.to_owned())
            }
            None => diagnostic.help(format!("declare it: `attributes = {{{}}}`", name.text)),
        }
    }
}

/// Names of functions, and what stands behind each `_` in them.
struct Suffixes<'n> {
    whole: HashSet<&'n str>,
    behind: HashSet<&'n str>,
}

impl<'n> Suffixes<'n> {
    fn of(names: impl Iterator<Item = &'n str> + Clone) -> Self {
        let behind = |name: &'n str| name.match_indices('_').map(move |(at, _)| &name[at + 1..]);
        Self { whole: names.clone().collect(), behind: names.flat_map(behind).collect() }
    }

    /// Returns `true` if a function sets an attribute that goes by these names. A rate for it is a mistake of
    /// its own, and so is a law through an alias that is not declared.
    fn sets(&self, attribute: &str, names: &[&str]) -> bool {
        self.whole.contains(attribute)
            || self.behind.contains(attribute)
            || names.iter().any(|name| self.whole.contains(name))
    }
}

/// Maximum number of names in one message.
const MOST_NAMES: usize = 20;

/// Message for first-time-only attributes without a law, if there are any.
fn no_law(without: &[&Name]) -> Option<Diagnostic> {
    let (first, others) = without.split_first()?;
    let mut names: Vec<String> =
        without.iter().take(MOST_NAMES).map(|name| format!("`{}`", name.text)).collect();
    if without.len() > MOST_NAMES {
        names.push(format!("{} more", without.len() - MOST_NAMES));
    }
    let verb = if others.is_empty() { "has" } else { "have" };
    let message =
        format!("{} {verb} no law, so there is nothing to compute first time only", names.join(", "));
    let mut diagnostic = Diagnostic::new(Code::E408, first.span, message)
        .label("no law")
        .help(format!("add its law to `functions`: `{} = …`", first.text));
    for other in others.iter().take(MOST_NAMES) {
        diagnostic = diagnostic.also(other.span, "no law");
    }
    Some(diagnostic)
}

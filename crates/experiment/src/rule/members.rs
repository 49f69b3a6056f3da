//! The objects that a rule is evaluated for: those that `of` names, or all dynamic ones that have what it
//! declares.

use super::check::RuleCheck;
use crate::object::model::Object;
use gedanken_lang::check::guess;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::Name;
use std::collections::{BTreeMap, BTreeSet};

impl<'e> RuleCheck<'e> {
    /// The objects that the rule is evaluated for: an empty list for a rule of the world, nothing if there
    /// should be some.
    pub(crate) fn who(&self, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<usize>> {
        let unknown = self.nobody_has(diagnostics);
        let declared: Vec<&Name> =
            self.rule.declared().filter(|name| !unknown.contains(name.text.as_str())).collect();
        match &self.rule.of {
            Some(names) => Some(self.listed(names, &declared, diagnostics)).filter(|who| !who.is_empty()),
            None => {
                let moved = || self.objects().filter(|(_, object)| !object.is_static);
                let own = |object: &'e Object| declared.iter().any(|name| self.has_own(&name.text, object));
                let of_world = declared.iter().all(|name| self.meaning(&name.text, None).is_some());
                if of_world && !moved().any(|(_, object)| own(object)) {
                    return Some(Vec::new());
                }
                let all = |object: &'e Object| {
                    declared.iter().all(|name| self.meaning(&name.text, Some(object)).is_some())
                };
                let found: Vec<usize> =
                    moved().filter(|(_, it)| own(it) && all(it)).map(|(index, _)| index).collect();
                if found.is_empty() {
                    let names: Vec<String> = declared.iter().map(|it| format!("`{}`", it.text)).collect();
                    let message =
                        format!("`{}` applies to no object of `{}`", self.rule.name, self.simulation.name);
                    diagnostics.push(
                        Diagnostic::new(Code::E745, self.rule.span, message)
                            .label(format!("no dynamic object has all of {}", names.join(", ")))
                            .help("give the objects these attributes, or declare fewer"),
                    );
                    return None;
                }
                Some(found)
            }
        }
    }

    /// Declared names that neither the world nor any object has. They are reported.
    fn nobody_has(&self, diagnostics: &mut Vec<Diagnostic>) -> BTreeSet<&'e str> {
        let mut unknown = BTreeSet::new();
        for name in self.rule.declared() {
            let known = self.meaning(&name.text, None).is_some()
                || self.objects().any(|(_, object)| self.has_own(&name.text, object));
            if known || !unknown.insert(name.text.as_str()) {
                continue;
            }
            let own = self.objects().flat_map(|(_, it)| &it.attributes).map(|it| it.name.as_str());
            let all = own.chain(self.experiment.world.iter().map(|it| it.name.as_str()));
            let message = format!(
                "neither the world nor an object of `{}` has an attribute `{}`",
                self.simulation.name, name.text
            );
            let diagnostic = Diagnostic::new(Code::E745, name.span, message).label("not an attribute");
            diagnostics.push(match guess(diagnostics.len(), &name.text, all) {
                Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
                None => {
                    diagnostic.help(format!("give the objects an attribute `{}`, or the world", name.text))
                }
            });
        }
        unknown
    }

    /// The objects of a list, with what is wrong with it.
    fn listed(&self, names: &[Name], declared: &[&Name], diagnostics: &mut Vec<Diagnostic>) -> Vec<usize> {
        let mut found = BTreeMap::new();
        for name in names {
            let Some(index) = self.experiment.object_of(self.simulation, &name.text) else {
                let message = format!("`{}` does not take part in `{}`", name.text, self.simulation.name);
                let diagnostic = Diagnostic::new(Code::E745, name.span, message).label("not an object of it");
                let all = self.objects().map(|(_, object)| object.name.as_str());
                diagnostics.push(match guess(diagnostics.len(), &name.text, all) {
                    Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
                    None => diagnostic.help("name objects that the simulation involves"),
                });
                continue;
            };
            let object = &self.experiment.objects[index];
            if found.insert(index, name.span).is_some() {
                let message = format!("`{}` stands twice in `of`", name.text);
                diagnostics
                    .push(Diagnostic::new(Code::E744, name.span, message).help("remove one of the two"));
            }
            // A rule without `of` skips objects that lack an attribute; an object that is named must have
            // all.
            for wanted in declared {
                if self.meaning(&wanted.text, Some(object)).is_none() {
                    let message = format!("`{}` has no attribute `{}`", name.text, wanted.text);
                    diagnostics.push(
                        Diagnostic::new(Code::E745, name.span, message)
                            .label("the rule is to be evaluated for it")
                            .also(wanted.span, "declared here")
                            .help(format!("give `{}` this attribute, or remove it from `of`", name.text)),
                    );
                }
            }
            let mut changed = self.rule.writes.iter().chain(&self.rule.adds);
            if let Some(changed) = changed.find(|it| object.is_static && self.has_own(&it.text, object)) {
                let message = format!("`{}` is static, so its `{}` never changes", name.text, changed.text);
                diagnostics.push(
                    Diagnostic::new(Code::E750, name.span, message)
                        .label("a static object")
                        .also(changed.span, "to be changed")
                        .help(format!("make `{}` dynamic, or remove it from `of`", name.text)),
                );
                // The mistake is told once; the rule is still checked for the other objects.
                found.remove(&index);
            }
        }
        if names.is_empty() {
            let message = format!("`{}` is evaluated for no object: `of` is empty", self.rule.name);
            diagnostics.push(
                Diagnostic::new(Code::E745, self.rule.span, message)
                    .help("name objects, or leave `of` out for all that have the attributes"),
            );
        }
        let whole = |index: &usize| {
            let object = &self.experiment.objects[*index];
            declared.iter().all(|name| self.meaning(&name.text, Some(object)).is_some())
        };
        found.into_keys().filter(whole).collect()
    }
}

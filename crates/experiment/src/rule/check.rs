//! Checks rules: the objects that each is evaluated for, and whether its functions keep to what it declares.
//!
//! A rule is checked once for every signature: objects for which its declared names mean attributes of the
//! same types are one [`RuleProgram`]. A name means the object's own attribute, or else the
//! world's. A rule whose names all belong to the world is evaluated once, for the world.

use super::model::{Cell, CheckedRule, ENGINE_NAMES, Rule, RuleProgram, Verb, WHEN};
use super::scope::RuleScope;
use crate::experiment::Experiment;
use crate::object::model::Object;
use crate::simulation::model::Simulation;
use gedanken_lang::check::{Checked, check};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::Name;
use gedanken_lang::types::Type;
use gedanken_math::Cancel;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Checks every rule for every simulation whose workflow names it, until reading is cancelled. A rule without
/// a program has been reported.
pub(crate) fn check_rules(
    experiment: &Experiment,
    cancel: &Cancel,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<CheckedRule> {
    let mut checked = Vec::new();
    let mut named = BTreeSet::new();
    for (number, simulation) in experiment.simulations.iter().enumerate() {
        let mut used = BTreeSet::new();
        if let Some(flow) = simulation.workflow() {
            flow.rules(&mut |rule, _| {
                used.insert(rule);
            });
        }
        for &index in used.iter().take_while(|_| !cancel.is_asked()) {
            let view = RuleCheck { experiment, simulation, rule: &experiment.rules[index] };
            if let Some(groups) = view.check(diagnostics) {
                checked.push(CheckedRule { simulation: number, rule: index, groups });
            }
        }
        named.extend(used);
    }
    for (_, rule) in experiment.rules.iter().enumerate().filter(|(index, _)| !named.contains(index)) {
        let message = format!("no workflow names `{}`", rule.name);
        let help = "name it in the `workflow` of a simulation, or remove it";
        diagnostics.push(Diagnostic::new(Code::W741, rule.span, message).help(help));
    }
    checked
}

/// Meaning of a declared name for an object.
type Meant<'e> = Option<(bool, &'e str, Type)>;

/// A rule in a simulation.
pub(crate) struct RuleCheck<'e> {
    pub(crate) experiment: &'e Experiment,
    pub(crate) simulation: &'e Simulation,
    pub(crate) rule: &'e Rule,
}

impl<'e> RuleCheck<'e> {
    fn check(&self, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<RuleProgram>> {
        let mut found = Vec::new();
        let who = self.who(&mut found);
        let mut groups = Vec::new();
        let mut told = BTreeSet::new();
        let classes = who.as_ref().map(|who| self.classes(who)).unwrap_or_default();
        for (cells, members) in &classes {
            let participant = members.first().map(|&index| self.experiment.objects[index].participant());
            self.check_cells(cells, members, classes.iter().map(|it| it.1.len()).sum(), &mut found);
            let names = RuleScope::of(self, participant.as_ref(), cells);
            let mut said = names.undeclared(self.rule);
            match self.program(&names, &mut said) {
                Some(checked) => {
                    groups.push(RuleProgram { objects: members.clone(), cells: cells.clone(), checked })
                }
                // A rule that could not be read to its end says nothing, but has no program either.
                None => groups.clear(),
            }
            let whom = members.first().filter(|_| classes.len() > 1).map(|&index| {
                format!(
                    "when `{}` is evaluated for `{}`",
                    self.rule.name, self.experiment.objects[index].name
                )
            });
            let noted = said.into_iter().map(|it| match &whom {
                Some(whom) if it.is_error() => it.note(whom.clone()),
                _ => it,
            });
            found.extend(noted.filter(|it| told.insert((it.code, it.primary.span))));
        }
        let wrong = found.iter().any(Diagnostic::is_error);
        diagnostics.extend(found.into_iter().filter(|it| !wrong || it.is_error()));
        (!wrong && !groups.is_empty() && groups.len() == classes.len()).then_some(groups)
    }

    fn program(&self, names: &RuleScope<'_>, said: &mut Vec<Diagnostic>) -> Option<Checked> {
        match check(&self.rule.functions, &self.experiment.library, &names.scope) {
            Ok(checked) => {
                said.extend(checked.warnings.iter().cloned());
                Some(checked)
            }
            Err(found) => {
                // A law that was not declared is told of as that.
                let known: BTreeSet<_> = said.iter().map(|it| it.primary.span).collect();
                let fresh = found.into_iter().filter(|it| !known.contains(&it.primary.span));
                said.extend(fresh.map(in_words_of_rules));
                None
            }
        }
    }

    pub(crate) fn objects(&self) -> impl Iterator<Item = (usize, &'e Object)> {
        self.simulation.objects.iter().map(|&index| (index, &self.experiment.objects[index]))
    }

    /// Meaning of a declared name for an object, or for the world alone: whether it is the world's, its
    /// proper name, its type.
    pub(crate) fn meaning(&self, name: &str, object: Option<&'e Object>) -> Meant<'e> {
        let own = object.and_then(|object| {
            let attribute = object.attribute(name).or_else(|| object.attribute(object.shape.proper(name)))?;
            Some((false, attribute.name.as_str(), attribute.ty()))
        });
        own.or_else(|| {
            let attribute = self.experiment.world_attribute(name)?;
            Some((true, attribute.name.as_str(), attribute.ty()))
        })
    }

    pub(crate) fn has_own(&self, name: &str, object: &'e Object) -> bool {
        matches!(self.meaning(name, Some(object)), Some((false, ..)))
    }

    /// Objects by what the declared names mean for them; the world alone, if there are none.
    fn classes(&self, who: &[usize]) -> Vec<(Vec<Cell>, Vec<usize>)> {
        if who.is_empty() {
            return self.cells(None).map(|cells| (cells, Vec::new())).into_iter().collect();
        }
        let mut classes: Vec<(Vec<Cell>, Vec<usize>)> = Vec::new();
        let mut places: HashMap<Vec<Cell>, usize> = HashMap::new();
        for &index in who {
            let Some(cells) = self.cells(Some(&self.experiment.objects[index])) else { continue };
            let place = *places.entry(cells.clone()).or_insert(classes.len());
            match classes.get_mut(place) {
                Some((_, members)) => members.push(index),
                None => classes.push((cells, vec![index])),
            }
        }
        classes
    }

    fn cells(&self, object: Option<&'e Object>) -> Option<Vec<Cell>> {
        let lists = [
            (Verb::Reads, &self.rule.reads),
            (Verb::Writes, &self.rule.writes),
            (Verb::Adds, &self.rule.adds),
        ];
        let names = lists.iter().flat_map(|(verb, names)| names.iter().map(move |name| (*verb, name)));
        let mut cells: Vec<Cell> = Vec::new();
        let mut places: HashMap<(bool, &str), usize> = HashMap::new();
        for (verb, name) in names.filter(|(_, name)| !ENGINE_NAMES.contains(&name.text.as_str())) {
            let (of_world, attribute, ty) = self.meaning(&name.text, object)?;
            let cell = Cell { verb, of_world, attribute: attribute.to_owned(), ty };
            // `pos` and `position` are one attribute, and writing includes reading.
            match places.get(&(of_world, attribute)) {
                Some(&known) => cells[known].verb = cells[known].verb.max(verb),
                None => {
                    places.insert((of_world, attribute), cells.len());
                    cells.push(cell);
                }
            }
        }
        Some(cells)
    }

    fn check_cells(&self, cells: &[Cell], members: &[usize], all: usize, diagnostics: &mut Vec<Diagnostic>) {
        let places = |list: &'e [Name]| -> BTreeMap<&str, &Name> {
            list.iter().rev().map(|name| (name.text.as_str(), name)).collect()
        };
        let (writes, adds) = (places(&self.rule.writes), places(&self.rule.adds));
        for cell in cells {
            let name = |list: &BTreeMap<&str, &'e Name>| list.get(cell.attribute.as_str()).copied();
            if cell.verb == Verb::Adds && cell.ty == Type::Bool {
                let place = name(&adds).map_or(self.rule.span, |it| it.span);
                let message = format!("`{}` is a boolean, to which nothing can be added", cell.attribute);
                let help = format!("write it instead: `writes = {{{}}}`", cell.attribute);
                diagnostics
                    .push(Diagnostic::new(Code::E744, place, message).label("declared here").help(help));
            }
            if cell.verb == Verb::Writes && cell.of_world && !members.is_empty() && all > 1 {
                let place = name(&writes).map_or(self.rule.span, |it| it.span);
                let message = format!(
                    "`{}` is one attribute of the world, but {all} objects would set it",
                    cell.attribute
                );
                diagnostics.push(
                    Diagnostic::new(Code::E746, place, message)
                        .label("the world's")
                        .help("let each object add its part (`adds`), name one object in `of`, or give every object an attribute of its own"),
                );
            }
        }
    }
}

/// Messages of the checker speak of contexts and of attributes; rules have words of their own.
fn in_words_of_rules(mut diagnostic: Diagnostic) -> Diagnostic {
    let is_condition = diagnostic.message.starts_with(&format!("`{WHEN}` "));
    diagnostic.help = match diagnostic.code {
        Code::E407 => Some(
            "the name of what a rule sets means its new value: for the value that it finds, write `previous(…)`"
                .to_owned(),
        ),
        Code::E305 if is_condition => Some("a condition is true or false, as in `v . v > 0`".to_owned()),
        _ => diagnostic.help,
    };
    for note in &mut diagnostic.notes {
        *note = note.replace("this context", "this rule");
    }
    diagnostic
}

/// Returns `true` if a name means the condition of an event.
pub(crate) fn is_condition(rule: &Rule, name: &str) -> bool {
    rule.is_event && name == WHEN
}

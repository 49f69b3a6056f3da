//! From a `rule` or `event` block to a rule.

use super::model::{ENGINE_NAMES, Rule, WHEN};
use crate::environment::Environment;
use crate::read::evaluate::Evaluator;
use crate::read::fields::{BlockForm, Fields};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::{self, Block, Name};
use gedanken_lang::value::Value;
use std::collections::{HashMap, HashSet};

const OF: (&str, &str) = ("of", "names of objects in braces: `{planet, moon}`");

const READS: (&str, &str) = ("reads", "names of attributes in braces: `{v, mass}`");

const WRITES: (&str, &str) = ("writes", "names of attributes in braces: `{position}`");

const ALIASES: (&str, &str) =
    ("aliases", "aliases in braces: `{ use centre as attribute position of object sun }`");

const FUNCTIONS: (&str, &str) =
    ("functions", "definitions in braces: `{ position = previous(position) + v * dt }`");

pub(crate) const RULE: BlockForm = BlockForm {
    what: "a rule",
    keys: &[
        OF,
        READS,
        WRITES,
        ("adds", "names of attributes in braces: `{force}`"),
        ALIASES,
        FUNCTIONS,
        ("advances", "a real from 0 to 1"),
    ],
};

pub(crate) const EVENT: BlockForm =
    BlockForm { what: "an event", keys: &[OF, READS, WRITES, ALIASES, FUNCTIONS] };

/// Reads a rule or an event. `None` if something is wrong that has been reported.
pub(crate) fn read(
    block: &Block,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Rule>) {
    let is_event = block.keyword.text == "event";
    let form = if is_event { &EVENT } else { &RULE };
    let before = diagnostics.len();
    let fields = Fields::read(block, form, diagnostics);
    let name = block.name.clone().unwrap_or_else(|| {
        let keyword = &block.keyword.text;
        diagnostics.push(
            Diagnostic::new(Code::E702, block.keyword.span, format!("{} needs a name", form.what))
                .label("the name is missing")
                .help(format!("write it before the brace: `{keyword} drift {{ … }}`")),
        );
        Name { text: String::new(), span: block.keyword.span }
    });
    let mut list = |key: &str| fields.names(key, diagnostics).to_vec();
    let (of, reads, writes, adds) = (list("of"), list("reads"), list("writes"), list("adds"));
    let rule = Rule {
        name: name.text.clone(),
        is_event,
        of: fields.has("of").then_some(of),
        reads,
        writes,
        adds,
        aliases: fields.aliases("aliases", diagnostics).to_vec(),
        functions: fields.definitions("functions", diagnostics).to_vec(),
        advances: advances(&fields, environment.evaluator, diagnostics),
        span: name.span,
    };
    // What the parser could not read would be missed here.
    let whole = block.entries.iter().all(|entry| !matches!(entry.value, tree::Value::Missing));
    if whole {
        contradictions(&rule, diagnostics);
    }
    let sound = whole && !diagnostics[before..].iter().any(Diagnostic::is_error);
    (name, Some(rule).filter(|_| sound))
}

fn advances(fields: &Fields<'_>, evaluator: &Evaluator, diagnostics: &mut Vec<Diagnostic>) -> f64 {
    let Some(expression) = fields.expression("advances", diagnostics) else { return 0.0 };
    match evaluator.value(expression) {
        Ok(Value::Real(part)) if (0.0..=1.0).contains(&part) => return part,
        Ok(Value::Real(part)) => diagnostics.push(
            Diagnostic::new(
                Code::E710,
                expression.span,
                format!("`advances` cannot be {}", Value::Real(part)),
            )
            .label("must be from 0 to 1")
            .help("it is the part of the step by which the clock moves on: `1` after a whole drift"),
        ),
        Ok(other) => {
            let is = other.type_of();
            let message = format!("`advances` is a real, but this is {is}");
            diagnostics
                .push(Diagnostic::new(Code::E709, expression.span, message).label(format!("this is {is}")));
        }
        Err(found) => diagnostics.extend(found),
    }
    0.0
}

/// Reports lists and functions that do not go together.
fn contradictions(rule: &Rule, diagnostics: &mut Vec<Diagnostic>) {
    let values = rule.functions.iter().filter(|it| it.prime.is_none() && it.params.is_empty());
    let defined: HashSet<&str> = values.map(|it| it.name.text.as_str()).collect();
    let defines = |name: &str| defined.contains(name);
    // Rates belong to contexts, which integrate them; a rule is one assignment per step.
    for function in &rule.functions {
        if let Some(prime) = function.prime {
            let name = &function.name.text;
            let message = format!("{} has no rates: `{name}'` cannot stand here", rule.what());
            diagnostics.push(
                Diagnostic::new(Code::E748, function.name.span.to(prime), message)
                    .label("a rate of change")
                    .help(format!("give the value after the step: `{name} = previous({name}) + dt * …`")),
            );
        }
    }
    let lists = [("reads", &rule.reads), ("writes", &rule.writes), ("adds", &rule.adds)];
    let mut seen: HashMap<&str, Vec<(&str, &Name)>> = HashMap::new();
    for (list, name) in lists.iter().flat_map(|(list, names)| names.iter().map(move |name| (*list, name))) {
        // Whoever writes may look first: to stand in `reads` as well is no contradiction.
        let both = |other: &str| other == "reads" && list == "writes";
        let before = seen.entry(name.text.as_str()).or_default();
        let first = before.iter().find(|(other, _)| !both(other)).copied();
        // The first of each list decides; a name may stand in one list as often as in the whole text.
        if before.last().is_none_or(|(other, _)| *other != list) {
            before.push((list, name));
        }
        let text = &name.text;
        let (message, help) = match first {
            Some((other, _)) if other == list => {
                (format!("`{text}` stands twice in `{list}`"), "remove one of the two".to_owned())
            }
            Some((other, _)) => (
                format!("`{text}` stands in `{other}` and in `{list}`"),
                format!(
                    "a rule that adds to an attribute does not read it, so that others can add at the same time: to read `{text}` and set it, put it into `writes` alone"
                ),
            ),
            None if list != "reads" && ENGINE_NAMES.contains(&text.as_str()) => (
                format!("`{text}` is given by the engine, and no rule changes it"),
                format!("remove `{text}` here"),
            ),
            None if list == "writes" && !defines(text) => (
                format!("`{text}` is to be written, but no function gives its new value"),
                format!("add `{text} = …` to `functions`, or remove it here"),
            ),
            None if list == "adds" && !defines(text) => (
                format!("something is to be added to `{text}`, but no function says how much"),
                format!("add `{text} = …` to `functions`, or remove it here"),
            ),
            None => continue,
        };
        let mut diagnostic =
            Diagnostic::new(Code::E744, name.span, message).label("declared here").help(help);
        if let Some((_, first)) = first {
            diagnostic = diagnostic.also(first.span, "and here");
        }
        diagnostics.push(diagnostic);
    }
    if rule.is_event && !defines(WHEN) {
        let message = format!("nothing says when `{}` happens", rule.name);
        diagnostics.push(
            Diagnostic::new(Code::E747, rule.span, message)
                .label("it has no function `when`")
                .help("add a condition to its functions: `when = position # 3 < 0`"),
        );
    }
    // An event without writes still tells that it happened; a rule without any would do nothing.
    if !rule.is_event && rule.writes.is_empty() && rule.adds.is_empty() {
        let message = format!("the rule `{}` changes nothing", rule.name);
        diagnostics.push(
            Diagnostic::new(Code::E744, rule.span, message)
                .label("neither `writes` nor `adds`")
                .help("declare what it changes: `writes = {position}`"),
        );
    }
}

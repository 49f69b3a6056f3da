//! Laws, rates and helpers: the attribute that each definition sets, if it sets one.
//!
//! A law is a function without parameters named like an attribute; a rate carries a prime. Attributes go by
//! what they stand for, not by name: an alias and the plain name of one attribute share one law. Definitions
//! that cannot be what they look like are reported here and marked [`Role::Wrong`]; later stages look at
//! their right sides all the same.

use super::mistakes::similar::guess;
use super::names::Names;
use super::{Binding, Scope, Variable, VariableKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::Definition;
use std::collections::HashMap;

/// Purpose of a definition. Variables are given as the first of their binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// A function that others call.
    Helper,
    /// The law of a variable.
    Law(usize),
    /// The law of a first-time-only variable.
    FirstTime(usize),
    /// The rate of a variable.
    Rate(usize),
    /// Something that has been reported.
    Wrong,
}

/// Laws and rates by the variable that they set.
pub(super) struct Laws {
    /// For every variable, the first one that stands for the same thing.
    pub(super) same: Vec<usize>,
    /// For every variable that is the first of its binding, the definition of its law.
    pub(super) law: Vec<Option<usize>>,
    /// Likewise of its rate.
    pub(super) rate: Vec<Option<usize>>,
    /// For every definition, what it is for.
    pub(super) roles: Vec<Role>,
}

impl Laws {
    /// Reads the left sides of `definitions`.
    pub(super) fn new(
        definitions: &[Definition],
        scope: &Scope,
        names: &Names<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut first = HashMap::new();
        let variables = &scope.variables;
        let same: Vec<usize> = variables
            .iter()
            .enumerate()
            .map(|(index, variable)| *first.entry(&variable.binding).or_insert(index))
            .collect();
        let none = vec![None; variables.len()];
        let mut laws = Self { same, law: none.clone(), rate: none, roles: Vec::new() };
        let mut seen: HashMap<(&str, bool), usize> = HashMap::new();
        for (index, definition) in definitions.iter().enumerate() {
            let key = (definition.name.text.as_str(), definition.prime.is_some());
            let twice = seen.get(&key).copied();
            seen.entry(key).or_insert(index);
            let role = match twice {
                Some(earlier) => Err(Box::new(defined_twice(definition, &definitions[earlier]))),
                None => laws.role(index, definitions, scope, names, diagnostics.len()),
            };
            laws.roles.push(role.unwrap_or_else(|diagnostic| {
                diagnostics.push(*diagnostic);
                Role::Wrong
            }));
        }
        for index in 0..variables.len() {
            if let (Some(law), Some(rate)) = (laws.law[index], laws.rate[index]) {
                diagnostics.push(law_and_rate(&definitions[law], &definitions[rate]));
            }
        }
        laws
    }

    /// For a text without attributes, whose definitions have been seen to: all are helpers.
    pub(super) fn none(definitions: &[Definition]) -> Self {
        Self {
            same: Vec::new(),
            law: Vec::new(),
            rate: Vec::new(),
            roles: vec![Role::Helper; definitions.len()],
        }
    }

    /// Finds the purpose of one definition; sets `law` or `rate`. `said` is the number of mistakes before.
    fn role(
        &mut self,
        index: usize,
        definitions: &[Definition],
        scope: &Scope,
        names: &Names<'_>,
        said: usize,
    ) -> Result<Role, Box<Diagnostic>> {
        let definition = &definitions[index];
        let name = definition.name.text.as_str();
        let Some(variable) = names.variable(name) else {
            if let (true, Some(diagnostic)) =
                (scope.hints.ambiguous, names.needs_alias(name, definition.name.span))
            {
                return Err(Box::new(diagnostic));
            }
            return match definition.prime {
                Some(_) => Err(Box::new(rate_of_nothing(definition, scope, said))),
                None => match names.forgotten_alias(name, definition.name.span) {
                    Some(diagnostic) => Err(Box::new(diagnostic)),
                    None => Ok(Role::Helper),
                },
            };
        };
        let variable = self.same[variable];
        let meant = &scope.variables[variable];
        if !definition.params.is_empty() {
            return Err(Box::new(law_with_parameters(definition)));
        }
        if meant.kind == VariableKind::Given {
            return Err(Box::new(given(definition, meant)));
        }
        if let Some(diagnostic) = of_another_member(definition, meant, scope) {
            return Err(Box::new(diagnostic));
        }
        let is_rate = definition.prime.is_some();
        if is_rate && let Some(diagnostic) = wrong_rate(definition, meant, scope) {
            return Err(Box::new(diagnostic));
        }
        let slot = if is_rate { &mut self.rate[variable] } else { &mut self.law[variable] };
        if let Some(earlier) = *slot {
            return Err(Box::new(set_twice(definition, &definitions[earlier])));
        }
        *slot = Some(index);
        Ok(match (is_rate, meant.kind) {
            (true, _) => Role::Rate(variable),
            (false, VariableKind::FirstTime) => Role::FirstTime(variable),
            (false, _) => Role::Law(variable),
        })
    }
}

fn defined_twice(definition: &Definition, earlier: &Definition) -> Diagnostic {
    let name = &definition.name.text;
    let prime = if definition.prime.is_some() { "'" } else { "" };
    Diagnostic::new(Code::E206, definition.name.span, format!("`{name}{prime}` is defined twice"))
        .label("defined here again")
        .also(earlier.name.span, "first defined here")
        .help("a name has one meaning: rename one of the two or remove it")
}

fn set_twice(definition: &Definition, earlier: &Definition) -> Diagnostic {
    let (name, other) = (&definition.name.text, &earlier.name.text);
    let message = format!("`{name}` and `{other}` are two names of one attribute, and both are set");
    Diagnostic::new(Code::E411, definition.name.span, message)
        .label("set here again")
        .also(earlier.name.span, "the same attribute is set here")
        .help("an attribute has one law: remove one of the two, or let the aliases name different objects")
}

fn law_and_rate(law: &Definition, rate: &Definition) -> Diagnostic {
    let name = &law.name.text;
    Diagnostic::new(Code::E402, rate.name.span, format!("`{name}` has both a law and a rate"))
        .label("its rate of change")
        .also(law.name.span, "its value")
        .help(format!(
            "either `{name} = …` says what it is at every moment, or `{name}' = …` says how fast it changes; keep one"
        ))
}

fn rate_of_nothing(definition: &Definition, scope: &Scope, said: usize) -> Diagnostic {
    let name = &definition.name.text;
    let attributes = scope.variables.iter().map(|variable| variable.name.as_str());
    let diagnostic =
        Diagnostic::new(Code::E406, definition.name.span, format!("`{name}'` is the rate of nothing"))
            .label(format!("there is no attribute `{name}` here"));
    match guess(said, name, attributes) {
        Some(meant) => {
            diagnostic.help(format!("did you mean `{meant}'`?")).edit(definition.name.span, meant.to_owned())
        }
        None => diagnostic.help(
            "a prime gives the rate of change of an attribute: give the object this attribute, or remove the prime",
        ),
    }
}

fn law_with_parameters(definition: &Definition) -> Diagnostic {
    let name = &definition.name.text;
    let params = definition.params.first().map_or(definition.name.span, |param| param.span);
    Diagnostic::new(Code::E405, definition.name.span, format!("`{name}` is an attribute, and its law has parameters"))
        .label("named like an attribute")
        .also(params, "nobody can give this parameter a value")
        .help(format!(
            "laws have no parameters, they read attributes by name: write `{name} = …`, or give the function a name of its own"
        ))
}

/// Refuses a law of a contact for another member than the evaluated one. The context is evaluated for each member in
/// turn, so such a law would be computed several times, and with the names of other objects.
fn of_another_member(definition: &Definition, meant: &Variable, scope: &Scope) -> Option<Diagnostic> {
    let (Binding::Object { index, attribute } | Binding::Context { index, attribute }) = &meant.binding
    else {
        return None;
    };
    if scope.hints.evaluated.is_none_or(|evaluated| evaluated == *index) {
        return None;
    }
    let name = &definition.name.text;
    let mut diagnostic =
        Diagnostic::new(Code::E401, definition.name.span, format!("`{name}` cannot have a law in a contact"))
            .label("set here")
            .note(format!("`{name}` is `{attribute}` of the object with index {index}; a contact is evaluated for each of its objects, and sets the attributes of that one"))
            .help(format!("write the law as `{attribute} = …`: it holds for every object of the contact; for one of them only, write a context with its name in `applicability`"));
    if let Some(declared) = meant.declared {
        diagnostic = diagnostic.also(declared, "declared here");
    }
    Some(diagnostic)
}

fn given(definition: &Definition, meant: &Variable) -> Diagnostic {
    let name = &definition.name.text;
    let why = match &meant.binding {
        Binding::World { .. } => format!("`{name}` is the time, which the engine gives"),
        Binding::Object { .. } | Binding::Context { .. } => {
            format!("`{name}` belongs to a static object, whose attributes never change")
        }
        Binding::Named { object, .. } => {
            format!("`{name}` belongs to the object `{object}`, which this context may read but not set")
        }
        Binding::Engine { .. } => format!("`{name}` is computed by the engine"),
    };
    let mut diagnostic =
        Diagnostic::new(Code::E401, definition.name.span, format!("`{name}` cannot have a law"))
            .label("set here")
            .note(why)
            .help(format!("read `{name}` where you need it; for a value of your own choose another name"));
    if let Some(declared) = meant.declared {
        diagnostic = diagnostic.also(declared, "declared here");
    }
    diagnostic
}

/// Returns the mistake in a rate for this attribute in this kind of context, if there is one.
fn wrong_rate(definition: &Definition, meant: &Variable, scope: &Scope) -> Option<Diagnostic> {
    let name = &definition.name.text;
    let place = definition.prime.map_or(definition.name.span, |prime| definition.name.span.to(prime));
    let (code, message, help) = if meant.kind == VariableKind::FirstTime {
        (
            Code::E404,
            format!("`{name}` is computed first time only, so it has no rate"),
            format!(
                "a first-time-only attribute keeps its value: write `{name} = …`, or take it out of \
                 `compute_first_time_only_attributes`"
            ),
        )
    } else if !scope.continuous {
        (
            Code::E403,
            "a collision has no duration, so nothing has a rate in it".to_owned(),
            format!("give the value after the collision: `{name} = …`"),
        )
    } else if let Binding::Context { attribute, .. } = &meant.binding {
        (
            Code::E410,
            format!("`{name}` has a rate but no value to start from"),
            format!(
                "an attribute of the context is born without a value: make `{attribute}` an attribute of the object, \
                 with an initial value"
            ),
        )
    } else {
        return None;
    };
    Some(Diagnostic::new(code, place, message).label("a rate of change").help(help))
}

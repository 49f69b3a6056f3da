//! The names that the functions of a rule see, and whether each of them was declared.
//!
//! All attributes are in scope, declared or not: so a name that was forgotten in `reads` is told of as that,
//! and not as something that nobody knows.

use super::check::{RuleCheck, is_condition};
use super::model::{Cell, Rule, Verb, WHEN};
use gedanken_lang::check::{Binding, Hints, Participant, Scope, Variable, VariableKind, guess};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Alias, AliasOf, Expr, ExprKind, Name};
use gedanken_lang::types::Type;
use std::collections::{BTreeSet, HashMap};

/// Names that the functions of a rule can use, for one group of objects.
pub(crate) struct RuleScope<'n> {
    pub(crate) scope: Scope,
    /// Index of every variable by its name.
    places: HashMap<String, usize>,
    cells: &'n [Cell],
    /// Index of every cell by its owner, the world or the object, and its name.
    cell_places: HashMap<(bool, &'n str), usize>,
    /// Mistakes in the aliases.
    said: Vec<Diagnostic>,
}

/// Variables, no two of one name.
#[derive(Default)]
struct Variables {
    list: Vec<Variable>,
    places: HashMap<String, usize>,
}

impl Variables {
    /// Adds a variable, unless there is one of its name.
    fn add(&mut self, variable: Variable) {
        let next = self.list.len();
        if *self.places.entry(variable.name.clone()).or_insert(next) == next {
            self.list.push(variable);
        }
    }

    fn get(&self, name: &str) -> Option<&Variable> {
        self.places.get(name).map(|&place| &self.list[place])
    }
}

impl<'n> RuleScope<'n> {
    /// The scope of a rule for objects with the attributes of `participant`; for the world alone, if there
    /// is none.
    pub(crate) fn of(
        rule_check: &RuleCheck<'_>,
        participant: Option<&Participant>,
        cells: &'n [Cell],
    ) -> Self {
        let rule = rule_check.rule;
        let mut variables = Variables::default();
        let mut add = |variable: Variable| variables.add(variable);
        let mut places: HashMap<&str, Span> = HashMap::new();
        for name in rule.declared() {
            places.entry(&name.text).or_insert(name.span);
        }
        let declared = |name: &str| places.get(name).copied();
        let given = |name: &str, binding: Binding| Variable {
            name: name.to_owned(),
            ty: Some(Type::Real),
            kind: VariableKind::Given,
            declared: None,
            binding,
        };
        // The condition comes first, so that no attribute called `when` takes its place.
        if rule.is_event {
            let binding = Binding::Engine { index: None, name: WHEN.to_owned() };
            let (ty, kind) = (Some(Type::Bool), VariableKind::Attribute);
            add(Variable { name: WHEN.to_owned(), ty, kind, declared: None, binding });
        }
        if let Some(participant) = participant {
            let own = participant.attributes.iter().map(|(name, ty)| (name, (name.as_str(), ty)));
            let synonyms = participant.synonyms.iter().map(|(name, _)| name);
            let others = synonyms.filter_map(|name| Some((name, participant.attribute(name)?)));
            for (name, (proper, ty)) in own.chain(others) {
                let binding = Binding::Object { index: 0, attribute: proper.to_owned() };
                let kind = if participant.is_static { VariableKind::Given } else { VariableKind::Attribute };
                let (name, ty) = (name.clone(), Some(ty.clone()));
                add(Variable { declared: declared(&name), name, ty, kind, binding });
            }
        }
        // `add` keeps the first of a name: the object hides the engine, and both hide the world.
        add(given("dt", Binding::Engine { index: None, name: "dt".to_owned() }));
        add(given("t", Binding::World { name: "t".to_owned() }));
        for attribute in &rule_check.experiment.world {
            let (name, ty) = (attribute.name.clone(), Some(attribute.ty()));
            let binding = Binding::World { name: name.clone() };
            add(Variable { declared: declared(&name), name, ty, kind: VariableKind::Attribute, binding });
        }
        let mut said = Vec::new();
        let mut aliases: HashMap<&str, &Alias> = HashMap::new();
        for alias in &rule.aliases {
            let name = &alias.name.text;
            let first = *aliases.entry(name).or_insert(alias);
            if !std::ptr::eq(first, alias) {
                said.push(
                    Diagnostic::new(
                        Code::E430,
                        alias.name.span,
                        format!("the alias `{name}` is declared twice"),
                    )
                    .label("again here")
                    .also(first.name.span, "first here")
                    .help("remove one of the two, or rename it"),
                );
                continue;
            }
            if variables.get(name).is_some() {
                let message = format!("the alias `{name}` hides another attribute of that name");
                said.push(
                    Diagnostic::new(Code::E433, alias.name.span, message)
                        .label(format!("without an alias, `{name}` means something else here"))
                        .help("choose a name that is not taken, such as one that says which object is meant"),
                );
                continue;
            }
            // An alias with a mistake stays in scope, so that its uses are not reported as well.
            variables.add(match meant(rule_check, alias, said.len()) {
                Ok(variable) => variable,
                Err(diagnostic) => {
                    said.push(*diagnostic);
                    anything(alias)
                }
            });
        }
        let Variables { list: variables, places } = variables;
        let scope = Scope { variables, continuous: true, hints: Hints::default() };
        let cell = |(index, it): (usize, &'n Cell)| ((it.of_world, it.attribute.as_str()), index);
        let cell_places = cells.iter().enumerate().rev().map(cell).collect();
        Self { scope, places, cells, cell_places, said }
    }

    /// Everything that is used but was not declared, or declared but is not used.
    pub(crate) fn undeclared(&self, rule: &Rule) -> Vec<Diagnostic> {
        let mut said = self.said.clone();
        let mut used: BTreeSet<&Binding> = BTreeSet::new();
        let functions: BTreeSet<&str> = rule.functions.iter().map(|it| it.name.text.as_str()).collect();
        for function in &rule.functions {
            let name = &function.name;
            if let Some(variable) = self.attribute(&name.text).filter(|_| !is_condition(rule, &name.text)) {
                used.insert(&variable.binding);
                if variable.kind == VariableKind::Attribute
                    && function.params.is_empty()
                    && !matches!(self.verb(&variable.binding), Some(Verb::Writes | Verb::Adds))
                {
                    said.push(undeclared_law(rule, name));
                }
            }
            // Names of functions are no attributes here; their own bodies are looked at in their turn.
            all_names(&function.body, &mut |name, span, previous| {
                let is_param = function.params.iter().any(|param| param.text == name);
                if previous && is_condition(rule, name) {
                    let message = format!("`{name}` is asked anew each time, its previous value is not kept");
                    let help = "keep it in an attribute that the event writes";
                    said.push(Diagnostic::new(Code::E208, span, message).help(help));
                }
                if is_param || (functions.contains(name) && !previous) {
                    return;
                }
                let Some(variable) = self.variable(name) else { return };
                used.insert(&variable.binding);
                if self.attribute(name).is_none() {
                    return;
                }
                match self.verb(&variable.binding) {
                    Some(Verb::Reads | Verb::Writes) => {}
                    Some(Verb::Adds) => said.push(looked_at_sum(rule, name, span)),
                    None => said.push(undeclared_read(rule, name, span)),
                }
            });
        }
        // A needless `reads` is only a warning: it costs parallelism, and changes no result.
        for name in &rule.reads {
            let meant = self.attribute(&name.text);
            if meant.is_some_and(|it| !used.contains(&it.binding)) {
                let message = format!("`{}` is declared in `reads`, but nothing looks at it", name.text);
                let help = "remove it: others could change it at the same time";
                said.push(Diagnostic::new(Code::W740, name.span, message).help(help));
            }
        }
        for alias in &rule.aliases {
            let meant = self.variable(&alias.name.text);
            if meant.is_some_and(|it| it.declared == Some(alias.name.span) && !used.contains(&it.binding)) {
                let message = format!("the alias `{}` is never used", alias.name.text);
                said.push(Diagnostic::new(Code::W401, alias.name.span, message).help("remove it, or use it"));
            }
        }
        said
    }

    /// The variable of this name.
    fn variable(&self, name: &str) -> Option<&Variable> {
        self.places.get(name).map(|&place| &self.scope.variables[place])
    }

    /// The variable of this name, if it is an attribute of the object or the world that must be declared.
    fn attribute(&self, name: &str) -> Option<&Variable> {
        let variable = self.variable(name)?;
        let must = match &variable.binding {
            Binding::World { name } => name != "t",
            Binding::Object { .. } => true,
            _ => false,
        };
        Some(variable).filter(|_| must)
    }

    /// Declared access to an attribute.
    fn verb(&self, binding: &Binding) -> Option<Verb> {
        let (of_world, attribute) = match binding {
            Binding::World { name } => (true, name),
            Binding::Object { attribute, .. } => (false, attribute),
            _ => return None,
        };
        self.cell_places.get(&(of_world, attribute.as_str())).map(|&place| self.cells[place].verb)
    }
}

/// Meaning of an alias. `said` is the number of mistakes before.
fn meant(rule_check: &RuleCheck<'_>, alias: &Alias, said: usize) -> Result<Variable, Box<Diagnostic>> {
    let attribute = &alias.attribute;
    let name = match &alias.of {
        AliasOf::Object(name) => name,
        AliasOf::Index(_, span) => {
            let diagnostic = Diagnostic::new(Code::E432, *span, "a rule has no objects with an index")
                .label("objects have no index here")
                .help(format!(
                    "name the object: `use {} as attribute {} of object sun`",
                    alias.name.text, attribute.text
                ));
            return Err(Box::new(diagnostic));
        }
    };
    let involved =
        || rule_check.simulation.objects.iter().map(|&index| &rule_check.experiment.objects[index]);
    let index = rule_check.experiment.object_of(rule_check.simulation, &name.text);
    let Some(object) = index.map(|index| &rule_check.experiment.objects[index]) else {
        let message =
            format!("no object called `{}` takes part in `{}`", name.text, rule_check.simulation.name);
        let diagnostic = Diagnostic::new(Code::E434, name.span, message).label("not an object of it");
        return Err(Box::new(match guess(said, &name.text, involved().map(|object| object.name.as_str())) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
            None => diagnostic.help("name an object that the simulation involves"),
        }));
    };
    let proper = object.shape.proper(&attribute.text);
    let found = object.attribute(&attribute.text).or_else(|| object.attribute(proper));
    let Some(found) = found else {
        let message = format!("the object `{}` has no attribute `{}`", name.text, attribute.text);
        let diagnostic = Diagnostic::new(Code::E431, attribute.span, message).label("not an attribute of it");
        let names = object.attributes.iter().map(|it| it.name.as_str());
        return Err(Box::new(match guess(said, &attribute.text, names) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(attribute.span, meant),
            None => diagnostic.help(format!("add `{}` to the attributes of the object", attribute.text)),
        }));
    };
    Ok(Variable {
        name: alias.name.text.clone(),
        ty: Some(found.ty()),
        kind: VariableKind::Given,
        declared: Some(alias.name.span),
        binding: Binding::Named { object: name.text.clone(), attribute: found.name.clone() },
    })
}

/// Meaning of an alias with a mistake: no use of it is a further mistake.
fn anything(alias: &Alias) -> Variable {
    Variable {
        name: alias.name.text.clone(),
        ty: Some(Type::Unknown),
        kind: VariableKind::Attribute,
        declared: None,
        binding: Binding::Engine { index: None, name: alias.name.text.clone() },
    }
}

fn undeclared_read(rule: &Rule, name: &str, span: Span) -> Diagnostic {
    let message = format!("`{}` looks at `{name}`, which it does not declare", rule.name);
    let diagnostic = Diagnostic::new(Code::E743, span, message)
        .label("not in `reads`")
        .help(format!("add `{name}` to `reads`"));
    match rule.reads.last() {
        Some(last) => diagnostic.edit(last.span.after(), format!(", {name}")),
        None => diagnostic,
    }
}

fn undeclared_law(rule: &Rule, name: &Name) -> Diagnostic {
    let message = format!("`{}` sets `{}`, which it does not declare", rule.name, name.text);
    let diagnostic = Diagnostic::new(Code::E743, name.span, message)
        .label("named like an attribute, but not in `writes`")
        .help(format!("add `{}` to `writes`, or give the function a name of its own", name.text));
    match rule.writes.last() {
        Some(last) => diagnostic.edit(last.span.after(), format!(", {}", name.text)),
        None => diagnostic,
    }
}

fn looked_at_sum(rule: &Rule, name: &str, span: Span) -> Diagnostic {
    let message = format!("`{}` adds to `{name}`, so it cannot look at it", rule.name);
    Diagnostic::new(Code::E743, span, message)
        .label("others may be adding to it")
        .help(format!("put `{name}` into `writes` instead of `adds`, or do without its value"))
}

/// Calls `visit` with every name that an expression uses, its place, and whether it is asked for its previous
/// value. Recursion is bounded by the height of expressions.
pub(crate) fn all_names<'x>(expr: &'x Expr, visit: &mut impl FnMut(&'x str, Span, bool)) {
    match &expr.kind {
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Missing => {}
        ExprKind::Name(name) => visit(name, expr.span, false),
        ExprKind::Call { callee, native, arguments } => match arguments.as_slice() {
            [Expr { kind: ExprKind::Name(name), span }] if callee.text == "previous" && !native => {
                visit(name, *span, true);
            }
            _ => {
                if !native {
                    visit(&callee.text, callee.span, false);
                }
                arguments.iter().for_each(|one| all_names(one, visit));
            }
        },
        ExprKind::Vector(several) | ExprKind::Sequence(several) => {
            several.iter().for_each(|one| all_names(one, visit));
        }
        ExprKind::Unary { operand: one, .. } | ExprKind::Group(one) => all_names(one, visit),
        ExprKind::Binary { left, right, .. } => {
            all_names(left, visit);
            all_names(right, visit);
        }
        ExprKind::If { condition, then, otherwise } => {
            for one in [condition, then, otherwise] {
                all_names(one, visit);
            }
        }
    }
}

//! From a `context` block to a context, all but its laws.

use super::model::{Context, Role};
use crate::environment::Environment;
use crate::object::shape::ShapeKind;
use crate::read::blocks::BlockNames;
use crate::read::evaluate::Evaluator;
use gedanken_lang::check::{ContextKind, context_kind, guess};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{self, Block, Name, Value};
use gedanken_lang::value;
use std::collections::BTreeMap;

/// The name of a context. An empty one, if there is none.
fn name(block: &Block, diagnostics: &mut Vec<Diagnostic>) -> Name {
    let entry = block.entries.iter().find(|entry| entry.key.text == "name");
    match entry.map(|entry| &entry.value) {
        Some(Value::Words(words)) if !words.text.contains(' ') => return words.clone(),
        Some(Value::Words(words)) => diagnostics.push(
            Diagnostic::new(
                Code::E702,
                words.span,
                format!("a name is one word, `{}` are several", words.text),
            )
            .help("join the words with `_`")
            .edit(words.span, words.text.replace(' ', "_")),
        ),
        Some(Value::Text(text)) => diagnostics.push(
            Diagnostic::new(Code::E702, text.span, "a name is a word without quotes")
                .help("remove the quotes")
                .edit(text.span, text.text.replace(' ', "_")),
        ),
        // The parser has told.
        Some(Value::Missing) => {}
        Some(_) => diagnostics.push(
            Diagnostic::new(Code::E702, block.keyword.span, "the name of this context is not a word")
                .help("write a line such as `name = falling`"),
        ),
        None => diagnostics.push(
            Diagnostic::new(Code::E702, block.keyword.span, "a context needs a name")
                .label("the name is missing")
                .help("add a line such as `name = falling`"),
        ),
    }
    Name { text: String::new(), span: block.keyword.span }
}

/// Reads all of a context but its laws.
pub(crate) fn read(
    block: &Block,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Context>) {
    let &Environment { names, evaluator, .. } = environment;
    let name = name(block, diagnostics);
    let kind = context_kind(block);
    let mut roles = Vec::new();
    let mut directions = Vec::new();
    for entry in &block.entries {
        match &entry.value {
            Value::Applicability(written) if entry.key.text == "applicability" => {
                roles = written.iter().map(|role| self::role(role, &names.objects, diagnostics)).collect();
                if let Some(kind) = kind {
                    check_counts(kind, &roles, entry.span, diagnostics);
                }
            }
            Value::Expressions(written) if entry.key.text == "geometric_data_directions" => {
                directions = written.iter().filter_map(|it| direction(it, evaluator, diagnostics)).collect();
            }
            _ => {}
        }
    }
    let context = kind.filter(|_| !name.text.is_empty()).map(|kind| Context {
        name: name.text.clone(),
        kind,
        roles,
        directions,
        block: block.clone(),
        span: name.span,
    });
    (name, context)
}

fn role(role: &tree::Role, objects: &BlockNames, diagnostics: &mut Vec<Diagnostic>) -> Role {
    match role {
        tree::Role::Object(name) => {
            if !objects.contains_key(&name.text) {
                let message = format!("there is no object called `{}` to play this role", name.text);
                let diagnostic = Diagnostic::new(Code::E719, name.span, message).label("not an object");
                diagnostics.push(
                    match guess(diagnostics.len(), &name.text, objects.keys().map(String::as_str)) {
                        Some(meant) => {
                            diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant)
                        }
                        None => diagnostic.help("name an object of this file, or count: `1 dynamic sphere`"),
                    },
                );
            }
            Role::Named { object: name.text.clone(), span: name.span }
        }
        tree::Role::Count { count, physical, shape, span } => Role::Counted {
            count: *count,
            is_static: physical.as_ref().map(|word| word.text == "static"),
            // The parser lets known shapes through only.
            shape: shape.as_ref().and_then(|shape| ShapeKind::by_name(&shape.text)),
            span: *span,
        },
    }
}

fn check_counts(kind: ContextKind, roles: &[Role], span: Span, diagnostics: &mut Vec<Diagnostic>) {
    let total: u64 = roles.iter().map(|role| u64::from(role.count())).sum();
    let wrong = match kind {
        ContextKind::FreeFall if total != 1 => {
            Some(("a free fall is of one object", "mandatory 1 dynamic object"))
        }
        ContextKind::Collision if total != 2 => {
            Some(("a collision is between two objects", "mandatory 1 dynamic object and 1 static object"))
        }
        _ => None,
    };
    // No roles at all are written `{}`, or are a mistake that the parser has told.
    if let (Some((what, example)), false) = (wrong, roles.is_empty()) {
        diagnostics.push(
            Diagnostic::new(Code::E720, span, format!("{what}, but these roles are for {total}"))
                .label(format!("{total} in all"))
                .help(format!("write `applicability = {{ {example} }}`")),
        );
    }
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for role in roles {
        let Role::Named { object, span } = role else { continue };
        if let Some(first) = seen.get(object.as_str()) {
            diagnostics.push(
                Diagnostic::new(Code::E720, *span, format!("`{object}` cannot play two roles"))
                    .label("again here")
                    .also(*first, "first here")
                    .help("name another object, or count: `1 dynamic object`"),
            );
        }
        seen.entry(object).or_insert(*span);
    }
}

fn direction(
    expression: &tree::Expr,
    evaluator: &Evaluator,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<[f64; 3]> {
    if matches!(expression.kind, tree::ExprKind::Missing) {
        return None;
    }
    let help = "a direction is a vector of 3, such as `[0, 0, 1]`";
    match evaluator.value(expression) {
        Ok(value::Value::Vector(elements)) if elements.len() == 3 => {
            if elements.iter().all(|element| *element == 0.0) {
                let message = "this vector has length 0, and so no direction";
                diagnostics.push(Diagnostic::new(Code::E710, expression.span, message).help(help));
                return None;
            }
            elements.try_into().ok()
        }
        Ok(other) => {
            let message = format!("a direction is a vector of 3, but this is {}", other.type_of());
            diagnostics.push(Diagnostic::new(Code::E709, expression.span, message).help(help));
            None
        }
        Err(found) => {
            diagnostics.extend(found);
            None
        }
    }
}

//! Any text as a library and as the functions of a context: checked or refused with reasons, never a panic or
//! an endless search. A program that passes has a type for every law.

use gedanken_lang::check::{
    Binding, Library, Scope, Variable, VariableKind, check, check_expression, check_library, infer_type,
};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::Item;
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::types::Type;

fn scope() -> Scope {
    let object = |name: &str, ty: Option<Type>, kind| Variable {
        name: name.to_owned(),
        binding: match ty {
            Some(_) => Binding::Object { index: 0, attribute: name.to_owned() },
            None => Binding::Context { index: 0, attribute: name.to_owned() },
        },
        ty,
        kind,
        declared: None,
    };
    Scope {
        variables: vec![
            object("v", Some(Type::vector(3)), VariableKind::Attribute),
            object("m", Some(Type::Real), VariableKind::Attribute),
            object("v0", None, VariableKind::FirstTime),
            object("k", None, VariableKind::Attribute),
            object("t", Some(Type::Real), VariableKind::Given),
        ],
        continuous: true,
        ..Scope::default()
    }
}

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let mut sources = Sources::new();
    let id = sources.add("text", text);
    let (file, said) = parse(&sources, id, Dialect::Session);
    let mut definitions = Vec::new();
    let mut expressions = Vec::new();
    for item in file.items {
        match item {
            Item::Definition(definition) => definitions.push(definition),
            Item::Evaluate(expression) => expressions.push(expression),
            _ => {}
        }
    }
    if let Err(reasons) = check_library(&definitions, &Library::default()) {
        assert!(!said.is_empty() || reasons.iter().any(|it| it.is_error()));
    }
    match check(&definitions, &Library::default(), &scope()) {
        Ok(checked) => assert_eq!(checked.scope.variables.len(), scope().variables.len()),
        Err(reasons) => assert!(!said.is_empty() || reasons.iter().any(|it| it.is_error())),
    }
    for expression in &expressions {
        if let Ok((program, function)) = check_expression(expression, &definitions) {
            let _ = infer_type(&program, function);
        }
    }
}

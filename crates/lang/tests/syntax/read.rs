//! Trees as short texts, for tests that compare them.

use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::{
    AliasOf, Block, Curve, Definition, Expr, ExprKind, File, Item, Name, Role, Value,
};
use gedanken_lang::syntax::{Dialect, parse};

/// Reads a text as the source `text`.
pub(crate) fn read(text: &str, dialect: Dialect) -> (File, Vec<Diagnostic>, Sources) {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    let (file, diagnostics) = parse(&sources, source, dialect);
    (file, diagnostics, sources)
}

/// The codes of what is wrong with a text.
pub(crate) fn codes(text: &str, dialect: Dialect) -> Vec<&'static str> {
    read(text, dialect).1.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

/// A tree without its places, one item per line.
pub(crate) fn shape(file: &File) -> String {
    file.items.iter().map(item).collect::<Vec<_>>().join("\n")
}

fn item(item: &Item) -> String {
    match item {
        Item::Definition(it) => definition(it),
        Item::Import(file) => format!("import {}", file.path),
        Item::Export(file) => format!("export {}", file.path),
        Item::Evaluate(value) => format!("$ {}", expr(value)),
        Item::Block(it) => block(it),
    }
}

fn definition(it: &Definition) -> String {
    let prime = if it.prime.is_some() { "'" } else { "" };
    format!("{}{prime}({}) = {}", it.name.text, names(&it.params), expr(&it.body))
}

fn names(names: &[Name]) -> String {
    names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn block(block: &Block) -> String {
    let name = block.name.as_ref().map_or("", |name| &name.text);
    let entries: Vec<String> =
        block.entries.iter().map(|entry| format!("  {}: {}", entry.key.text, value(&entry.value))).collect();
    format!("<{}> {name}\n{}", block.keyword.text, entries.join("\n"))
}

fn value(value: &Value) -> String {
    match value {
        Value::Words(name) => format!("words {}", name.text),
        Value::Text(name) => format!("text {}", name.text),
        Value::Expression(it) => expr(it),
        Value::Names(list) => format!("names {}", names(list)),
        Value::Expressions(list) => format!("expressions {}", exprs(list)),
        Value::Curves(list) => {
            let curve = |it: &Curve| it.expressions().map(expr).collect::<Vec<_>>().join(" against ");
            format!("curves {}", list.iter().map(curve).collect::<Vec<_>>().join(", "))
        }
        Value::Definitions(list) => list.iter().map(|it| format!("\n    {}", definition(it))).collect(),
        Value::Function(it) => definition(it),
        Value::Aliases(list) => list
            .iter()
            .map(|alias| {
                let of = match &alias.of {
                    AliasOf::Index(index, _) => index.to_string(),
                    AliasOf::Object(name) => name.text.clone(),
                };
                format!("\n    {} is {} of {of}", alias.name.text, alias.attribute.text)
            })
            .collect(),
        Value::Applicability(roles) => roles.iter().map(role).collect::<Vec<_>>().join(" + "),
        Value::Missing => "?".to_owned(),
    }
}

fn role(role: &Role) -> String {
    match role {
        Role::Count { count, physical, shape, .. } => {
            let word = |name: &Option<Name>| name.as_ref().map_or("any".to_owned(), |name| name.text.clone());
            format!("{count} {} {}", word(physical), word(shape))
        }
        Role::Object(name) => name.text.clone(),
    }
}

fn exprs(list: &[Expr]) -> String {
    list.iter().map(expr).collect::<Vec<_>>().join(" ")
}

/// An expression with a pair of parentheses for every operator.
pub(crate) fn expr(it: &Expr) -> String {
    match &it.kind {
        ExprKind::Real(value) => format!("{value:?}"),
        ExprKind::Bool(value) => value.to_string(),
        ExprKind::Name(name) => name.clone(),
        ExprKind::Call { callee, native, arguments } => {
            format!("{}{}({})", if *native { "native " } else { "" }, callee.text, exprs(arguments))
        }
        ExprKind::Unary { operator, operand, .. } => format!("({}{})", operator.sign(), expr(operand)),
        ExprKind::Binary { operator, left, right, .. } => {
            format!("({} {} {})", expr(left), operator.sign(), expr(right))
        }
        ExprKind::If { condition, then, otherwise } => {
            format!("(if {} {} {})", expr(condition), expr(then), expr(otherwise))
        }
        ExprKind::Vector(list) => format!("[{}]", exprs(list)),
        ExprKind::Sequence(list) => format!("{{{}}}", exprs(list)),
        ExprKind::Group(inner) => format!("<{}>", expr(inner)),
        ExprKind::Missing => "?".to_owned(),
    }
}

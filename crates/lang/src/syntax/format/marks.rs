//! Marks that the formatter takes from the tree: beginnings of lines, and the role of each `-`.

use crate::syntax::token::{Kind, Token};
use crate::syntax::tree::{
    Alias, Binary, Block, Curve, Definition, Entry, Expr, ExprKind, File, Item, Role, Value,
};

/// Places in a text, by their first byte.
#[derive(Default)]
pub(super) struct Marks {
    /// Beginnings of lines, with the depth of each; sorted.
    lines: Vec<(u32, usize)>,
    /// Signs with one operand; sorted.
    unary: Vec<u32>,
    /// Powers with an element on one side: `v # 1 ^ 2` must not look like an element that a power picks;
    /// sorted.
    loose: Vec<u32>,
    /// The first byte and the end of what `half-space` may stand in; sorted.
    roles: Vec<(u32, u32)>,
    /// Tokens that stand behind `mandatory`.
    after_word: Vec<u32>,
    comments: Vec<u32>,
}

impl Marks {
    pub(super) fn new(file: &File, tokens: &[Token]) -> Self {
        let mut marks = Self {
            comments: file.comments.iter().map(|comment| comment.span.start).collect(),
            ..Self::default()
        };
        for item in &file.items {
            marks.item(item);
        }
        let before = |start: u32| {
            let at = tokens.partition_point(|token| token.start < start);
            at.checked_sub(1).map(|before| tokens[before])
        };
        // The `$` of an input belongs to its line.
        for line in &mut marks.lines {
            if let Some(dollar) = before(line.0).filter(|token| token.kind == Kind::Dollar) {
                line.0 = dollar.start;
            }
        }
        marks
            .lines
            .extend(marks.after_word.iter().filter_map(|&start| before(start)).map(|word| (word.start, 2)));
        marks.lines.sort_unstable();
        marks.unary.sort_unstable();
        marks.loose.sort_unstable();
        marks
    }

    /// Returns the depth of the line that begins here, if one does.
    pub(super) fn line(&self, start: u32) -> Option<usize> {
        self.lines.binary_search_by_key(&start, |line| line.0).ok().map(|at| self.lines[at].1)
    }

    pub(super) fn is_unary(&self, start: u32) -> bool {
        self.unary.binary_search(&start).is_ok()
    }

    /// Returns `true` if this `^` has spaces around it.
    pub(super) fn is_loose(&self, start: u32) -> bool {
        self.loose.binary_search(&start).is_ok()
    }

    /// Returns `true` if this is the `-` of `half-space`.
    pub(super) fn is_hyphen(&self, start: u32) -> bool {
        let after = self.roles.partition_point(|role| role.0 <= start);
        after > 0 && self.roles[after - 1].1 > start && self.roles[after - 1].0 < start
    }

    fn item(&mut self, item: &Item) {
        match item {
            Item::Definition(definition) => self.definition(definition, 0),
            Item::Import(file) | Item::Export(file) => self.lines.push((file.span.start, 0)),
            Item::Evaluate(value) => {
                self.lines.push((value.span.start, 0));
                self.expr(value);
            }
            Item::Block(block) => self.block(block),
        }
    }

    fn definition(&mut self, definition: &Definition, indent: usize) {
        self.lines.push((definition.span.start, indent));
        self.expr(&definition.body);
    }

    fn block(&mut self, block: &Block) {
        self.lines.push((block.span.start, 0));
        for entry in &block.entries {
            self.entry(entry);
        }
        let start = block.name.as_ref().map_or(block.keyword.span.end, |name| name.span.end);
        self.closing(start, block.span.end, block.entries.is_empty(), 0);
    }

    /// The `}` that ends at `end` stands on a line of its own, unless there is nothing at all between the
    /// braces.
    fn closing(&mut self, start: u32, end: u32, empty: bool, indent: usize) {
        let first = self.comments.partition_point(|&comment| comment < start);
        let comment = self.comments.get(first).is_some_and(|&comment| comment < end);
        if !empty || comment {
            self.lines.push((end - 1, indent));
        }
    }

    fn entry(&mut self, entry: &Entry) {
        self.lines.push((entry.span.start, 1));
        let empty = match &entry.value {
            Value::Expression(value) => return self.expr(value),
            Value::Expressions(values) => return values.iter().for_each(|value| self.expr(value)),
            Value::Curves(curves) => {
                return curves.iter().flat_map(Curve::expressions).for_each(|it| self.expr(it));
            }
            Value::Function(definition) => return self.expr(&definition.body),
            // `gauss-seidel` is one word.
            Value::Words(words) => return self.roles.push((words.span.start, words.span.end)),
            Value::Text(_) | Value::Names(_) | Value::Missing => return,
            Value::Definitions(definitions) => {
                definitions.iter().for_each(|definition| self.definition(definition, 2));
                definitions.is_empty()
            }
            Value::Aliases(aliases) => {
                aliases.iter().for_each(|alias: &Alias| self.lines.push((alias.span.start, 2)));
                aliases.is_empty()
            }
            Value::Applicability(roles) => {
                self.applicability(roles);
                roles.is_empty()
            }
        };
        self.closing(entry.key.span.end, entry.span.end, empty, 1);
    }

    fn applicability(&mut self, roles: &[Role]) {
        for role in roles {
            self.roles.push(match role {
                Role::Count { span, .. } => (span.start, span.end),
                Role::Object(name) => (name.span.start, name.span.start),
            });
        }
        // The line begins with the word before the first of them.
        self.after_word.extend(self.roles.get(self.roles.len() - roles.len()).map(|role| role.0));
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Unary { operator_span, operand, .. } => {
                self.unary.push(operator_span.start);
                self.expr(operand);
            }
            ExprKind::Binary { operator, operator_span, left, right } => {
                if *operator == Binary::Power && (picks(left) || picks(right)) {
                    self.loose.push(operator_span.start);
                }
                self.expr(left);
                self.expr(right);
            }
            ExprKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.expr(then);
                self.expr(otherwise);
            }
            ExprKind::Group(inner) => self.expr(inner),
            ExprKind::Vector(list) | ExprKind::Sequence(list) | ExprKind::Call { arguments: list, .. } => {
                list.iter().for_each(|element| self.expr(element));
            }
            ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Missing => {}
        }
    }
}

/// Returns `true` if it is `v # i`, perhaps behind a sign.
fn picks(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Binary { operator, .. } => *operator == Binary::Element,
        ExprKind::Unary { operand, .. } => picks(operand),
        _ => false,
    }
}

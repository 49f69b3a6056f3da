//! The intermediate form in words, for people and for tests: what is computed, in order, with arms indented,
//! then the outputs.

use super::{Block, Graph, Node, NodeId, Schedule, Step};
use crate::program::OutputKind;
use crate::types::{Dim, Type};
use std::fmt;

impl fmt::Display for Graph {
    /// One step per line: `%3 = mul %1 %2`, `check %3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut picks = vec![Vec::new(); self.nodes.len()];
        for (index, &node) in (0_u32..).zip(&self.nodes) {
            if let Node::Pick(from, result) = node {
                picks[from.0 as usize].push((NodeId(index), result));
            }
        }
        let writer = Writer { graph: self, picks };
        writer.block(f, &Schedule::new(self).root, 0)?;
        for output in &self.outputs {
            let sign = if output.kind == OutputKind::Rate { "'" } else { "" };
            let start = if output.kind == OutputKind::FirstTime { "start " } else { "" };
            write!(f, "{start}{}{sign} = ", output.name)?;
            match output.ty {
                Type::Real | Type::Bool => writer.list(f, &output.nodes)?,
                Type::Matrix(_, Dim::Is(columns)) if columns > 0 => {
                    f.write_str("[")?;
                    for (index, row) in output.nodes.chunks(columns as usize).enumerate() {
                        f.write_str(if index > 0 { ", [" } else { "[" })?;
                        writer.list(f, row)?;
                        f.write_str("]")?;
                    }
                    f.write_str("]")?;
                }
                _ => {
                    f.write_str("[")?;
                    writer.list(f, &output.nodes)?;
                    f.write_str("]")?;
                }
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

struct Writer<'a> {
    graph: &'a Graph,
    /// For each `If`, the nodes that take its results.
    picks: Vec<Vec<(NodeId, u32)>>,
}

impl Writer<'_> {
    fn block(&self, f: &mut fmt::Formatter<'_>, block: &Block, depth: usize) -> fmt::Result {
        for step in &block.steps {
            match step {
                Step::Compute(id) => {
                    indent(f, depth)?;
                    self.compute(f, *id)?;
                }
                Step::Check(id) => {
                    indent(f, depth)?;
                    writeln!(f, "check {id}")?;
                }
                Step::Branch { node, condition, then, otherwise } => {
                    indent(f, depth)?;
                    writeln!(f, "{node} = if {condition}")?;
                    for (word, (arm, block)) in [("then", then), ("else", otherwise)] {
                        indent(f, depth)?;
                        writeln!(f, "{word}")?;
                        self.block(f, block, depth + 1)?;
                        indent(f, depth + 1)?;
                        f.write_str("give ")?;
                        self.list(f, &self.graph.arm(*arm).results)?;
                        f.write_str("\n")?;
                    }
                    for (pick, result) in &self.picks[node.0 as usize] {
                        indent(f, depth)?;
                        writeln!(f, "{pick} = result {} of {node}", result + 1)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn compute(&self, f: &mut fmt::Formatter<'_>, id: NodeId) -> fmt::Result {
        write!(f, "{id} = ")?;
        match self.graph.node(id) {
            Node::Real(bits) => writeln!(f, "{:?}", f64::from_bits(bits)),
            Node::Truth(constant) => writeln!(f, "{constant}"),
            Node::Slot(slot) => match self.graph.slot_names.get(slot as usize) {
                Some(name) => writeln!(f, "{name}"),
                None => writeln!(f, "slot {slot}"),
            },
            Node::Unary(operation, x) => writeln!(f, "{} {x}", lower(operation)),
            Node::Binary(operation, x, y) => writeln!(f, "{} {x} {y}", lower(operation)),
            Node::Compare(comparison, x, y) => writeln!(f, "{} {x} {y}", lower(comparison)),
            Node::Not(x) => writeln!(f, "not {x}"),
            Node::And(x, y) => writeln!(f, "and {x} {y}"),
            Node::Or(x, y) => writeln!(f, "or {x} {y}"),
            Node::Select(condition, x, y) => writeln!(f, "select {condition} {x} {y}"),
            Node::Fail => writeln!(f, "fail"),
            Node::If(..) | Node::Pick(..) => writeln!(f, "result"),
        }
    }

    fn list(&self, f: &mut fmt::Formatter<'_>, ids: &[NodeId]) -> fmt::Result {
        for (index, id) in ids.iter().enumerate() {
            if index > 0 {
                f.write_str(", ")?;
            }
            write!(f, "{id}")?;
        }
        Ok(())
    }
}

fn indent(f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
    (0..depth).try_for_each(|_| f.write_str("  "))
}

/// The name of an operation, as a word of the text form.
fn lower(operation: impl fmt::Debug) -> String {
    format!("{operation:?}").to_lowercase()
}

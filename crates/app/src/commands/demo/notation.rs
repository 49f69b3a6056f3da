//! A step in the notation of its operators, tidy enough for a screen: `drift·0.5 >> kick >> drift·0.5`.
//!
//! What changes nothing is left out, factors are rounded, long flows are broken into lines.

use crate::words::columns;
use gedanken_dynamics::Flow;

/// A flow as text that can be broken into lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Notation {
    parts: Vec<String>,
    rounded: bool,
}

/// Flows longer than this are cut.
const MOST_LINES: usize = 6;

/// The notation of a flow.
pub(crate) fn of(flow: &Flow) -> Notation {
    let mut rounded = false;
    let mut flow = flow.simplified();
    if let Some(flow) = &mut flow {
        round_factors(flow, &mut rounded);
    }
    let parts = match flow {
        Some(Flow::Seq(parts)) => parts.iter().map(in_seq).collect(),
        Some(other) => vec![other.to_string()],
        None => Vec::new(),
    };
    Notation { parts, rounded }
}

/// A part as it stands among others in a sequence.
fn in_seq(part: &Flow) -> String {
    match part {
        Flow::Rule(_) | Flow::Scaled(..) | Flow::Prime(_) => part.to_string(),
        _ => format!("({part})"),
    }
}

/// The same flow with its factors rounded for reading.
fn round_factors(flow: &mut Flow, rounded: &mut bool) {
    match flow {
        Flow::Rule(_) => {}
        Flow::Seq(flows) | Flow::Par(flows) => flows.iter_mut().for_each(|flow| round_factors(flow, rounded)),
        Flow::Scaled(factor, flow) => {
            let short = libm::round(*factor * 1e4) / 1e4;
            *rounded |= (short - *factor).abs() > 1e-12;
            *factor = short;
            round_factors(flow, rounded);
        }
        Flow::Repeat(_, flow) | Flow::Until { flow, .. } | Flow::Prime(flow) => round_factors(flow, rounded),
    }
}

impl Notation {
    /// On one line.
    pub(crate) fn line(&self) -> String {
        self.parts.join(" >> ")
    }

    /// Broken before `>>` into lines of `width` columns; a very long flow loses its middle.
    pub(crate) fn lines(&self, width: usize) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for (k, part) in self.parts.iter().enumerate() {
            let part = if k == 0 { part.clone() } else { format!(">> {part}") };
            match lines.last_mut() {
                Some(line) if columns(line) + 1 + columns(&part) <= width => {
                    line.push(' ');
                    line.push_str(&part);
                }
                _ => lines.push(part),
            }
        }
        if lines.len() > MOST_LINES {
            let left_out = lines.len() - MOST_LINES + 1;
            lines.splice(MOST_LINES - 2..lines.len() - 1, [format!("… ({left_out} more lines) …")]);
        }
        lines
    }

    /// What the signs mean, as far as they occur.
    pub(crate) fn legend(&self) -> String {
        let line = self.line();
        let signs = [
            (line.contains(">>"), ">> then"),
            (line.contains(" | "), "| at the same time"),
            (line.contains('·'), "·0.5 for half of the step"),
            (line.contains(")?"), "(…)? only if the state is new"),
            (self.rounded, "factors rounded"),
        ];
        signs.iter().filter(|(occurs, _)| *occurs).map(|(_, meaning)| *meaning).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gedanken_dynamics::{Rule, par, seq};

    fn rule(name: &'static str) -> Flow {
        Rule::new(name, (), |_, ()| ()).into()
    }

    #[test]
    fn what_changes_nothing_is_left_out() {
        let forces = seq![rule("clear"), par![rule("sun")], seq![]];
        let flow =
            seq![seq![rule("drift").scaled(0.5), seq![forces, rule("kick")], rule("drift").scaled(0.5)]];
        assert_eq!(of(&flow).line(), "drift·0.5 >> clear >> sun >> kick >> drift·0.5");
    }

    #[test]
    fn what_matters_stays() {
        let flow =
            seq![par![rule("a"), seq![rule("b"), rule("c")]], seq![rule("d"), rule("e")].scaled(2.0 / 3.0)];
        let notation = of(&flow);
        assert_eq!(notation.line(), "(a | (b >> c)) >> (d >> e)·0.6667");
        let legend = ">> then, | at the same time, ·0.5 for half of the step, factors rounded";
        assert_eq!(notation.legend(), legend);
        assert_eq!(of(&seq![]).line(), "");
    }

    #[test]
    fn long_flows_break_before_the_operator_and_lose_their_middle() {
        let flow = Flow::seq((0..40).map(|_| rule("drift")));
        let lines = of(&flow).lines(20);
        assert_eq!(lines.len(), MOST_LINES);
        assert_eq!(lines[1], ">> drift >> drift");
        assert_eq!(lines[4], "… (15 more lines) …");
    }
}

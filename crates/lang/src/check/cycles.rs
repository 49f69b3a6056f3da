//! Functions that need themselves.
//!
//! A function with parameters may call itself: the recursion can end. A function without parameters has one
//! value in an evaluation, so one that needs itself, in whatever way, has none. Stored and kept values are no
//! calls, and so the first-time-only attributes break a cycle by themselves.
//!
//! Cycles between the laws of different objects are found where objects take part: in the lab crate, by
//! `contexts/laws/cycles.rs`.

use crate::diagnostic::{Code, Diagnostic};
use crate::program::{ExprKind, Function};
use crate::source::Span;
use std::collections::{BTreeSet, HashMap, VecDeque};

/// Graph of uses: for every function those it uses, and the place of each use.
pub(super) struct Graph {
    pub(super) edges: Vec<Vec<(usize, Span)>>,
}

impl Graph {
    /// The calls among `functions`.
    pub(super) fn of_calls(functions: &[Function]) -> Self {
        let edges = functions
            .iter()
            .map(|function| {
                let mut calls = Vec::new();
                super::resolve::uses(&function.body, &mut |kind, span| {
                    if let ExprKind::Call(callee, _) = kind {
                        calls.push((callee.0 as usize, span));
                    }
                });
                calls
            })
            .collect();
        Self { edges }
    }

    /// The knots: sets of functions each of which needs all others and itself, in the order of their first
    /// members.
    pub(super) fn knots(&self) -> Vec<Vec<usize>> {
        let mut search = Search::new(self);
        for node in 0..self.edges.len() {
            search.visit(node);
        }
        let mut knots = search.knots;
        knots.sort();
        knots
    }

    /// Everything that `roots` need, themselves included.
    pub(super) fn reached(&self, roots: impl IntoIterator<Item = usize>) -> Vec<bool> {
        let mut reached = vec![false; self.edges.len()];
        let mut waiting: Vec<usize> = roots.into_iter().collect();
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                waiting.extend(self.edges[node].iter().map(|&(next, _)| next));
            }
        }
        reached
    }

    /// A shortest way from `start` back to it that stays in `knot`: for every step who needs whom, and where.
    fn way_round(&self, start: usize, knot: &[usize]) -> Vec<(usize, Span, usize)> {
        let mut came_from: HashMap<usize, (usize, Span)> = HashMap::new();
        let mut waiting = VecDeque::from([start]);
        while let Some(node) = waiting.pop_front() {
            for &(next, span) in &self.edges[node] {
                if knot.binary_search(&next).is_err() || came_from.contains_key(&next) {
                    continue;
                }
                came_from.insert(next, (node, span));
                waiting.push_back(next);
            }
            if came_from.contains_key(&start) {
                break;
            }
        }
        let mut way = Vec::new();
        let mut node = start;
        while let Some(&(from, span)) = came_from.get(&node) {
            way.push((from, span, node));
            node = from;
            if node == start {
                break;
            }
        }
        way.reverse();
        way
    }
}

/// Tarjan's search for strongly connected components (1972), with its own stack: chains of calls may be long.
struct Search<'g> {
    graph: &'g Graph,
    /// Number of each node in the order of first visits, from 1.
    met: Vec<usize>,
    /// The earliest node on the stack that can be reached from it.
    low: Vec<usize>,
    open: Vec<bool>,
    stack: Vec<usize>,
    clock: usize,
    knots: Vec<Vec<usize>>,
}

impl<'g> Search<'g> {
    fn new(graph: &'g Graph) -> Self {
        let count = graph.edges.len();
        Self {
            graph,
            met: vec![0; count],
            low: vec![0; count],
            open: vec![false; count],
            stack: Vec::new(),
            clock: 0,
            knots: Vec::new(),
        }
    }

    fn meet(&mut self, node: usize) {
        self.clock += 1;
        self.met[node] = self.clock;
        self.low[node] = self.clock;
        self.open[node] = true;
        self.stack.push(node);
    }

    fn visit(&mut self, root: usize) {
        if self.met[root] != 0 {
            return;
        }
        self.meet(root);
        // A node and how many of its edges have been followed.
        let mut path = vec![(root, 0)];
        while let Some((node, followed)) = path.last_mut() {
            let node = *node;
            if let Some(&(next, _)) = self.graph.edges[node].get(*followed) {
                *followed += 1;
                if self.met[next] == 0 {
                    self.meet(next);
                    path.push((next, 0));
                } else if self.open[next] {
                    self.low[node] = self.low[node].min(self.met[next]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                self.low[parent] = self.low[parent].min(self.low[node]);
            }
            if self.low[node] == self.met[node] {
                self.close(node);
            }
        }
    }

    /// Takes the component of `node` off the stack; it is a knot if something in it needs itself.
    fn close(&mut self, node: usize) {
        let mut members = Vec::new();
        while let Some(member) = self.stack.pop() {
            self.open[member] = false;
            members.push(member);
            if member == node {
                break;
            }
        }
        members.sort_unstable();
        if members.len() > 1 || self.graph.edges[node].iter().any(|&(next, _)| next == node) {
            self.knots.push(members);
        }
    }
}

/// Reports every knot that has a function without parameters in it, as the chain of names.
pub(super) fn report(
    functions: &[Function],
    graph: &Graph,
    knots: &[Vec<usize>],
    has_attributes: bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    // The same text may be there once for each phase.
    let mut reported: BTreeSet<Vec<Span>> = BTreeSet::new();
    for knot in knots {
        let Some(&start) = knot.iter().find(|&&node| functions[node].params.is_empty()) else { continue };
        let way = graph.way_round(start, knot);
        let mut places: Vec<Span> = way.iter().map(|&(from, _, _)| functions[from].name_span).collect();
        places.sort_unstable();
        if reported.insert(places) {
            diagnostics.push(needs_itself(functions, &way).help(if has_attributes {
                "to keep a value from the start of the context, list its attribute in \
                 `compute_first_time_only_attributes`; for the value an attribute had a moment ago, write `previous(…)`"
            } else {
                "a function without parameters has one value; only a function with parameters can call itself and end"
            }));
        }
    }
}

fn needs_itself(functions: &[Function], way: &[(usize, Span, usize)]) -> Diagnostic {
    let name = |node: usize| functions[node].name.as_str();
    let start = way[0].0;
    let mut chain = String::from(name(start));
    // A chain of thousands is cut in the middle, where nobody would read it.
    let shown = |step: usize| way.len() <= 12 || step < 6 || step + 4 >= way.len();
    for (step, &(_, _, to)) in way.iter().enumerate() {
        if shown(step) {
            chain.push_str(" -> ");
            chain.push_str(name(to));
        } else if step == 6 {
            chain.push_str(" -> …");
        }
    }
    let place = functions[start].name_span;
    let mut diagnostic =
        Diagnostic::new(Code::E407, place, format!("`{}` needs itself: {chain}", name(start)))
            .label("its value would be needed to compute it");
    for (step, &(from, span, to)) in way.iter().enumerate() {
        if shown(step) {
            diagnostic = diagnostic.also(span, format!("`{}` needs `{}`", name(from), name(to)));
        }
    }
    diagnostic
}

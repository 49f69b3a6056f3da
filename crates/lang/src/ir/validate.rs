//! The guard of schedules: what every executor relies on, found anew from the schedule alone.
//!
//! It shares no code with the making of schedules but the table of what hides what. Tests validate every
//! schedule they use.

use super::finite::{always_finite, doubtful, each_shown};
use super::{Block, Graph, Node, NodeId, Schedule, Step};

impl Schedule {
    /// Looks for mistakes:
    /// - every node is computed at most once, after its operands, and only what the arm can see is used;
    /// - both arms of every `If` have as many results, of the same kinds, and those can be seen at their
    ///   ends;
    /// - only reals are checked;
    /// - every output can be seen at the end;
    /// - if all checks that run on the way through some arms pass, everything that is demanded on that way is
    ///   finite, and so are the outputs.
    ///
    /// # Errors
    /// The first mistake, in words.
    pub fn validate(&self, graph: &Graph) -> Result<(), String> {
        let count = graph.nodes.len();
        let mut picks = vec![Vec::new(); count];
        for (index, &node) in graph.nodes.iter().enumerate() {
            let id = NodeId(u32::try_from(index).map_err(|_| "too many nodes".to_owned())?);
            let mut backwards = true;
            node.operands(|operand| backwards &= operand < id);
            if let Node::If(_, then, otherwise) = node {
                for arm in [then, otherwise] {
                    let arm = graph.arm(arm);
                    backwards &= arm.results.iter().chain(&arm.demands).all(|inside| *inside < id);
                }
            }
            if !backwards {
                return Err(format!("{id} stands before something that it needs"));
            }
            if let Node::Pick(from, _) = node {
                picks[from.0 as usize].push(id);
            }
        }
        let mut guard = Guard {
            graph,
            picks,
            truths: graph.truths(),
            doubtful: doubtful(graph),
            seen: vec![0; count],
            finite: vec![false; count],
        };
        let outputs: Vec<NodeId> = graph.outputs.iter().flat_map(|output| output.nodes.clone()).collect();
        guard.block(&self.root, 1, &graph.demands, &outputs, &[])?;
        if graph.finite {
            guard.block_outputs(&outputs)?;
        }
        Ok(())
    }
}

struct Guard<'a> {
    graph: &'a Graph,
    /// For each `If`, the nodes that take its results.
    picks: Vec<Vec<NodeId>>,
    truths: Vec<bool>,
    doubtful: Vec<bool>,
    /// For each node 0 before it is computed, [`GONE`] when its arm is over, else the depth of its block.
    seen: Vec<u32>,
    /// Nodes that are finite on the way through the arms that are open.
    finite: Vec<bool>,
}

const GONE: u32 = u32::MAX;

impl Guard<'_> {
    /// Validates one block at `depth`, with the nodes that it demands and gives; `known` is finite because
    /// the outside says so.
    fn block(
        &mut self,
        block: &Block,
        depth: u32,
        demands: &[NodeId],
        results: &[NodeId],
        known: &[NodeId],
    ) -> Result<(), String> {
        let mut trail = Vec::new();
        for &id in known {
            self.conclude(id, &mut trail);
        }
        // All checks of the block count from its beginning: a row that fails one gives nothing, wherever in the
        // block it stands.
        for step in &block.steps {
            if let Step::Check(id) = step {
                self.conclude(*id, &mut trail);
            }
        }
        let mut computed = Vec::new();
        for step in &block.steps {
            match step {
                Step::Compute(id) => {
                    let node = self.graph.node(*id);
                    if matches!(node, Node::If(..) | Node::Pick(..)) {
                        return Err(format!("{id} is not computed by a step of its own"));
                    }
                    let mut hidden = None;
                    node.operands(|operand| hidden = hidden.or((!self.visible(operand)).then_some(operand)));
                    if let Some(operand) = hidden {
                        return Err(format!("{id} uses {operand}, which is not there"));
                    }
                    self.enter(*id, depth, &mut computed)?;
                }
                Step::Check(id) => {
                    if !self.visible(*id) {
                        return Err(format!("{id} is checked, but not there"));
                    }
                    if self.truths[id.0 as usize] {
                        return Err(format!("{id} is checked, but no real"));
                    }
                }
                Step::Branch { node, condition, then, otherwise } => {
                    if self.graph.node(*node) != Node::If(*condition, then.0, otherwise.0) {
                        return Err(format!("{node} is not the branch it is said to be"));
                    }
                    if !self.visible(*condition) {
                        return Err(format!("{node} uses {condition}, which is not there"));
                    }
                    let kinds = [then.0, otherwise.0].map(|arm| {
                        let results = &self.graph.arm(arm).results;
                        results.iter().map(|result| self.truths[result.0 as usize]).collect::<Vec<_>>()
                    });
                    if kinds[0] != kinds[1] {
                        return Err(format!("the arms of {node} give different things"));
                    }
                    for (arm, inside) in [then, otherwise] {
                        let arm = self.graph.arm(*arm);
                        // A pick that is finite outside makes the result finite in the arm that is taken.
                        let known =
                            self.picks[node.0 as usize].iter().filter(|pick| self.finite[pick.0 as usize]);
                        let known: Vec<NodeId> = known
                            .filter_map(|&pick| match self.graph.node(pick) {
                                Node::Pick(_, index) => arm.results.get(index as usize).copied(),
                                _ => None,
                            })
                            .collect();
                        self.block(inside, depth + 1, &arm.demands, &arm.results, &known)?;
                    }
                    self.enter(*node, depth, &mut computed)?;
                }
            }
        }
        if let Some(missing) = results.iter().find(|id| !self.visible(**id)) {
            return Err(format!("{missing} is a result, but not there"));
        }
        for id in demands {
            if self.graph.finite && self.doubtful[id.0 as usize] && !self.finite[id.0 as usize] {
                return Err(format!("{id} must be finite, but no check would tell"));
            }
        }
        // What an arm has computed and found finite holds only where it was taken. The root's stays for the
        // outputs.
        if depth > 1 {
            for id in computed {
                self.seen[id.0 as usize] = GONE;
            }
            for id in trail {
                self.finite[id.0 as usize] = false;
            }
        }
        Ok(())
    }

    /// Checks that all outputs follow to be finite. It is called when the root is done and its facts still
    /// stand.
    fn block_outputs(&self, outputs: &[NodeId]) -> Result<(), String> {
        let mut finite = self.finite.clone();
        for &id in &self.graph.demands {
            finite[id.0 as usize] = true;
        }
        for (index, &node) in self.graph.nodes.iter().enumerate() {
            let mut all = always_finite(self.graph, node);
            node.operands(|operand| all &= finite[operand.0 as usize]);
            finite[index] |= all || self.truths[index] || !self.doubtful[index];
        }
        match outputs.iter().find(|id| !finite[id.0 as usize]) {
            Some(id) => Err(format!("{id} is an output, but no check would tell that it is not finite")),
            None => Ok(()),
        }
    }

    fn visible(&self, id: NodeId) -> bool {
        let at = match self.graph.node(id) {
            Node::Pick(from, _) => from,
            _ => id,
        };
        !matches!(self.seen[at.0 as usize], 0 | GONE)
    }

    fn enter(&mut self, id: NodeId, depth: u32, computed: &mut Vec<NodeId>) -> Result<(), String> {
        if self.seen[id.0 as usize] != 0 {
            return Err(format!("{id} is computed twice"));
        }
        self.seen[id.0 as usize] = depth;
        computed.push(id);
        Ok(())
    }

    /// If `id` is finite, so are the operands that it cannot hide, and theirs.
    fn conclude(&mut self, id: NodeId, trail: &mut Vec<NodeId>) {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if std::mem::replace(&mut self.finite[id.0 as usize], true) {
                continue;
            }
            trail.push(id);
            each_shown(self.graph.node(id), |operand| open.push(operand));
        }
    }
}

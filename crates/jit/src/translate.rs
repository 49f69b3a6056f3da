//! From a schedule to one function of Cranelift's intermediate form, with the loop over rows inside.
//!
//! ```text
//! entry:  what is the same for all rows
//! body(row):  loads, operations, branches with their results as block parameters, stores
//!             row is bad: return row
//!             row + 1 < end: body(row + 1), otherwise: return end
//! ```
//!
//! **Checks** gather in a sticky sum s = Σ (x - x), which is 0 as long as every x is finite and NaN from then
//! on, so that a row is judged by one comparison. In arms s is a block parameter like any result: an arm not
//! taken checks nothing.

use super::live_nodes;
use super::live_nodes::Needs;
use crate::JitError;
use crate::code::Contract;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    AbiParam, Block as CodeBlock, BlockArg, FuncRef, InstBuilder as _, MemFlagsData, StackSlot, Type,
    UserFuncName, Value, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{FuncId, Linkage, Module as _};
use gedanken_lang::ir::{Access, ArmId, Block, Graph, Layout, Node, NodeId, Schedule, Step};
use std::collections::HashMap;

/// All memory that is touched exists and is aligned; `NativeProgram::run` has seen to it.
pub(crate) const SOUND: MemFlagsData = MemFlagsData::trusted();

/// Defines the function in the module.
pub(crate) fn translate(
    graph: &Graph,
    schedule: &Schedule,
    layout: &Layout,
    contract: &Contract,
    module: &mut JITModule,
) -> Result<FuncId, JitError> {
    let refused = |error: cranelift_module::ModuleError| JitError::Refused(error.to_string());
    let pointer = module.target_config().pointer_type();
    let mut signature = module.make_signature();
    signature.params.extend([AbiParam::new(pointer); 3]);
    signature.returns.push(AbiParam::new(pointer));
    let function = module.declare_function("laws", Linkage::Local, &signature).map_err(refused)?;
    let mut context = module.make_context();
    context.func.signature = signature;
    context.func.name = UserFuncName::user(0, function.as_u32());
    let mut memory = FunctionBuilderContext::new();
    let builder = FunctionBuilder::new(&mut context.func, &mut memory);
    let target = module.target_config();
    let mut translator =
        Translator::new(graph, layout, contract, Needs::new(graph, schedule), pointer, module, builder);
    translator.laws(schedule)?;
    translator.builder.seal_all_blocks();
    translator.builder.finalize(target);
    module.define_function(function, &mut context).map_err(refused)?;
    Ok(function)
}

/// The function in the making.
pub(crate) struct Translator<'a> {
    pub(crate) graph: &'a Graph,
    layout: &'a Layout,
    contract: &'a Contract,
    pub(crate) needs: Needs,
    pub(crate) pointer: Type,
    pub(crate) module: &'a mut JITModule,
    pub(crate) builder: FunctionBuilder<'a>,
    pub(crate) routines: HashMap<&'static str, FuncRef>,
    /// Slot in which a routine leaves its second result.
    pub(crate) side: Option<StackSlot>,
    /// Parameters of the function and of its loop.
    addresses: Value,
    row: Value,
    /// The place that each list names for this row.
    picked: HashMap<u8, Value>,
    /// Values that have been computed and can be used here.
    pub(crate) values: Vec<Option<Value>>,
    /// Nodes that were computed, in order; an arm takes back those it has added.
    trail: Vec<NodeId>,
    /// The sum of what was checked in this row; `None` is 0.
    sticky: Option<Value>,
}

impl<'a> Translator<'a> {
    fn new(
        graph: &'a Graph,
        layout: &'a Layout,
        contract: &'a Contract,
        needs: Needs,
        pointer: Type,
        module: &'a mut JITModule,
        mut builder: FunctionBuilder<'a>,
    ) -> Self {
        let entry = builder.create_block();
        builder.append_block_params_for_function_params(entry);
        builder.switch_to_block(entry);
        let [addresses, row] = [0, 1].map(|i| builder.block_params(entry)[i]);
        Self {
            graph,
            layout,
            contract,
            needs,
            pointer,
            module,
            builder,
            routines: HashMap::new(),
            side: None,
            addresses,
            row,
            picked: HashMap::new(),
            values: vec![None; graph.nodes.len()],
            trail: Vec::new(),
            sticky: None,
        }
    }

    fn laws(&mut self, schedule: &Schedule) -> Result<(), JitError> {
        let entry = self.builder.current_block().expect("the constructor has opened it");
        let [start, end] = [1, 2].map(|i| self.builder.block_params(entry)[i]);
        self.invariants(&schedule.root)?;
        let body = self.builder.create_block();
        self.row = self.builder.append_block_param(body, self.pointer);
        self.builder.ins().jump(body, &[start.into()]);

        self.builder.switch_to_block(body);
        self.read_lists();
        self.block(&schedule.root)?;
        self.store_outputs()?;

        if let Some(sticky) = self.sticky {
            let (next, bad) = (self.builder.create_block(), self.builder.create_block());
            let fine = self.builder.ins().fcmp(FloatCC::Ordered, sticky, sticky);
            self.builder.ins().brif(fine, next, &[], bad, &[]);
            self.builder.set_cold_block(bad);
            self.builder.switch_to_block(bad);
            self.builder.ins().return_(&[self.row]);
            self.builder.switch_to_block(next);
        }
        let done = self.builder.create_block();
        let next_row = self.builder.ins().iadd_imm_u(self.row, 1);
        let more = self.builder.ins().icmp(IntCC::UnsignedLessThan, next_row, end);
        self.builder.ins().brif(more, body, &[next_row.into()], done, &[]);
        self.builder.switch_to_block(done);
        self.builder.ins().return_(&[end]);
        Ok(())
    }

    /// Computes ahead of the loop the nodes that are the same for all rows and needed in all of them. They
    /// are checked in every row, like all others.
    fn invariants(&mut self, root: &Block) -> Result<(), JitError> {
        let same = live_nodes::invariant(self.graph, self.layout);
        let graph = self.graph;
        for (index, node) in graph.nodes.iter().enumerate() {
            let id = node_id(index);
            if let Node::Slot(slot) = *node
                && same[index]
                && self.needs.needs(id)
            {
                let value = self.load_slot(slot);
                self.define(id, value);
            }
        }
        for step in &root.steps {
            if let Step::Compute(id) = step
                && same[id.0 as usize]
                && self.needs.needs(*id)
            {
                self.compute(*id)?;
            }
        }
        Ok(())
    }

    fn read_lists(&mut self) {
        let mut lists: Vec<u8> = Vec::new();
        for (index, node) in self.graph.nodes.iter().enumerate() {
            if let Node::Slot(slot) = node
                && let Access::Picked(list) = self.layout.slots[*slot as usize]
                && self.needs.needs(node_id(index))
                && !lists.contains(&list)
            {
                lists.push(list);
            }
        }
        for list in lists {
            let place = self.place(self.contract.list(list), self.row, 2);
            let narrow = self.builder.ins().load(types::I32, SOUND, place, 0);
            let wide = if self.pointer == types::I32 {
                narrow
            } else {
                self.builder.ins().uextend(self.pointer, narrow)
            };
            self.picked.insert(list, wide);
        }
    }

    fn store_outputs(&mut self) -> Result<(), JitError> {
        let graph = self.graph;
        for (k, id) in graph.outputs.iter().flat_map(|output| &output.nodes).enumerate() {
            let value = self.value(*id)?;
            let real = if self.builder.func.dfg.value_type(value) == types::F64 {
                value
            } else {
                let (one, zero) = (self.builder.ins().f64const(1.0), self.builder.ins().f64const(0.0));
                self.builder.ins().select(value, one, zero)
            };
            let place = self.place(self.contract.output(k), self.row, 3);
            self.builder.ins().store(SOUND, real, place, 0);
        }
        Ok(())
    }

    /// The address of element `index`, of 2^`shift` bytes, of the column whose address stands at `position`.
    /// It is read anew in each row: there are more columns than registers, and a spilled register is a load,
    /// too.
    fn place(&mut self, position: usize, index: Value, shift: i64) -> Value {
        let column = self.address(position);
        let offset = self.builder.ins().ishl_imm_u(index, shift);
        self.builder.ins().iadd(column, offset)
    }

    fn address(&mut self, position: usize) -> Value {
        let offset = position * self.pointer.bytes() as usize;
        let offset = i32::try_from(offset).expect("a graph small enough to be compiled has few columns");
        self.builder.ins().load(self.pointer, SOUND, self.addresses, offset)
    }

    fn load_slot(&mut self, slot: u32) -> Value {
        let position = self.contract.feed(slot as usize);
        let place = match self.layout.slots[slot as usize] {
            Access::Same => self.address(position),
            Access::Each => self.place(position, self.row, 3),
            Access::Picked(list) => self.place(position, self.picked[&list], 3),
        };
        self.builder.ins().load(types::F64, SOUND, place, 0)
    }

    pub(crate) fn define(&mut self, id: NodeId, value: Value) {
        self.values[id.0 as usize] = Some(value);
        self.trail.push(id);
    }

    /// Value of a node. Constants and slots come to be where they are first used.
    pub(crate) fn value(&mut self, id: NodeId) -> Result<Value, JitError> {
        if let Some(value) = self.values[id.0 as usize] {
            return Ok(value);
        }
        let value = match self.graph.node(id) {
            Node::Real(bits) => self.builder.ins().f64const(f64::from_bits(bits)),
            Node::Truth(truth) => self.builder.ins().iconst(types::I8, i64::from(truth)),
            Node::Fail => self.builder.ins().f64const(f64::NAN),
            Node::Slot(slot) => self.load_slot(slot),
            _ => return Err(JitError::Unscheduled(id)),
        };
        self.define(id, value);
        Ok(value)
    }

    fn block(&mut self, block: &Block) -> Result<(), JitError> {
        for step in &block.steps {
            match step {
                Step::Compute(id) if self.needs.needs(*id) => self.compute(*id)?,
                Step::Branch { node, condition, then, otherwise } if self.needs.needs(*node) => {
                    self.branch(*node, *condition, then, otherwise)?;
                }
                Step::Compute(_) | Step::Branch { .. } => {}
                Step::Check(id) => self.check(*id)?,
            }
        }
        Ok(())
    }

    fn check(&mut self, id: NodeId) -> Result<(), JitError> {
        let x = self.value(id)?;
        let zero = self.builder.ins().fsub(x, x);
        self.sticky = Some(self.sticky.map_or(zero, |sticky| self.builder.ins().fadd(sticky, zero)));
        Ok(())
    }

    fn branch(
        &mut self,
        node: NodeId,
        condition: NodeId,
        then: &(ArmId, Block),
        otherwise: &(ArmId, Block),
    ) -> Result<(), JitError> {
        let condition = self.value(condition)?;
        let picks: Vec<(NodeId, u32)> = self.needs.picks(node).collect();
        let [first, second, after] = [(); 3].map(|()| self.builder.create_block());
        self.builder.ins().brif(condition, first, &[], second, &[]);

        let before = self.sticky;
        let kinds = self.arm(first, then, &picks, self.needs.checks(node), after)?;
        self.sticky = before;
        self.arm(second, otherwise, &picks, self.needs.checks(node), after)?;
        self.sticky = before;

        self.builder.switch_to_block(after);
        let values: Vec<Value> =
            kinds.iter().map(|kind| self.builder.append_block_param(after, *kind)).collect();
        for ((pick, _), value) in picks.iter().zip(&values) {
            self.define(*pick, *value);
        }
        if self.needs.checks(node) {
            self.sticky = values.last().copied();
        }
        Ok(())
    }

    /// An arm from `start` to the jump to `after`, to which it hands what is picked and, if `checks`, the
    /// sticky sum. Gives the types of what it hands over.
    fn arm(
        &mut self,
        start: CodeBlock,
        arm: &(ArmId, Block),
        picks: &[(NodeId, u32)],
        checks: bool,
        after: CodeBlock,
    ) -> Result<Vec<Type>, JitError> {
        self.builder.switch_to_block(start);
        let known = self.trail.len();
        self.block(&arm.1)?;
        let graph = self.graph;
        let results = picks.iter().map(|(_, index)| self.value(graph.arm(arm.0).results[*index as usize]));
        let mut results: Vec<Value> = results.collect::<Result<_, _>>()?;
        if checks {
            results.push(self.sticky.unwrap_or_else(|| self.builder.ins().f64const(0.0)));
        }
        for id in self.trail.drain(known..) {
            self.values[id.0 as usize] = None;
        }
        let arguments: Vec<BlockArg> = results.iter().map(|value| BlockArg::Value(*value)).collect();
        self.builder.ins().jump(after, &arguments);
        Ok(results.iter().map(|value| self.builder.func.dfg.value_type(*value)).collect())
    }
}

fn node_id(index: usize) -> NodeId {
    NodeId(u32::try_from(index).expect("a graph small enough to be compiled has few nodes"))
}

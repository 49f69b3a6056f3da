//! One scalar operation after the other: an instruction where IEEE 754 pins down its bits, a call of the
//! language's own definition everywhere else.

use crate::JitError;
use crate::routines::{self, Routine};
use crate::translate::{SOUND, Translator};
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{
    AbiParam, InstBuilder as _, MemFlagsData, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_module::{Linkage, Module as _};
use gedanken_lang::arithmetic::{Binary, Comparison, Unary};
use gedanken_lang::ir::{Node, NodeId};

impl Translator<'_> {
    /// Computes a node whose operands have been computed.
    pub(crate) fn compute(&mut self, id: NodeId) -> Result<(), JitError> {
        if self.values[id.0 as usize].is_some() {
            return Ok(());
        }
        let value = match self.graph.node(id) {
            Node::Real(_) | Node::Truth(_) | Node::Slot(_) | Node::Fail => {
                self.value(id)?;
                return Ok(());
            }
            Node::Unary(operation, x) => {
                let x = self.value(x)?;
                match self.needs.twin(id) {
                    Some(twin) => {
                        let (sine, cosine) = self.sine_and_cosine(x)?;
                        let (value, other) =
                            if operation == Unary::Sin { (sine, cosine) } else { (cosine, sine) };
                        self.define(twin, other);
                        value
                    }
                    None => self.unary(operation, x)?,
                }
            }
            Node::Binary(operation, x, y) => {
                let (x, y) = (self.value(x)?, self.value(y)?);
                self.binary(operation, x, y)?
            }
            Node::Compare(comparison, x, y) => {
                let (x, y) = (self.value(x)?, self.value(y)?);
                self.builder.ins().fcmp(condition_code(comparison), x, y)
            }
            Node::Not(x) => {
                let x = self.value(x)?;
                self.builder.ins().bxor_imm_u(x, 1)
            }
            Node::And(x, y) => {
                let (x, y) = (self.value(x)?, self.value(y)?);
                self.builder.ins().band(x, y)
            }
            Node::Or(x, y) => {
                let (x, y) = (self.value(x)?, self.value(y)?);
                self.builder.ins().bor(x, y)
            }
            Node::Select(condition, x, y) => {
                let (condition, x, y) = (self.value(condition)?, self.value(x)?, self.value(y)?);
                self.builder.ins().select(condition, x, y)
            }
            Node::If(..) | Node::Pick(..) => return Err(JitError::Unscheduled(id)),
        };
        self.define(id, value);
        Ok(())
    }

    fn unary(&mut self, operation: Unary, x: Value) -> Result<Value, JitError> {
        Ok(match operation {
            Unary::Neg => self.builder.ins().fneg(x),
            Unary::Abs => self.builder.ins().fabs(x),
            Unary::Sqrt => self.builder.ins().sqrt(x),
            Unary::Floor => self.builder.ins().floor(x),
            Unary::Ceil => self.builder.ins().ceil(x),
            Unary::NextUp => self.next(x, f64::INFINITY),
            Unary::NextDown => self.next(x, f64::NEG_INFINITY),
            other => self.call(routines::of_unary(other), &[x])?,
        })
    }

    /// The real next to x on the way to `end`, which is infinite; x itself if it is there already, or NaN.
    /// Bounds of laws are rounded outwards so at every operation: a call would save and restore all registers
    /// each time.
    ///
    /// The bits of reals of one sign are in the order of their sizes, so that the next real is one more or
    /// one less.
    fn next(&mut self, x: Value, end: f64) -> Value {
        let (up, smallest) = (end > 0.0, f64::from_bits(1).copysign(end));
        let bits = self.builder.ins().bitcast(types::I64, MemFlagsData::new(), x);
        // 0 of a positive real, -1 of a negative one: away from zero is 1 more of either.
        let sign = self.builder.ins().sshr_imm_u(bits, 63);
        let away = self.builder.ins().bor_imm_u(sign, 1);
        let moved =
            if up { self.builder.ins().iadd(bits, away) } else { self.builder.ins().isub(bits, away) };
        let moved = self.builder.ins().bitcast(types::F64, MemFlagsData::new(), moved);
        let zero = self.builder.ins().f64const(0.0);
        let smallest = self.builder.ins().f64const(smallest);
        let is_zero = self.builder.ins().fcmp(FloatCC::Equal, x, zero);
        let moved = self.builder.ins().select(is_zero, smallest, moved);
        let end = self.builder.ins().f64const(end);
        let before = if up { FloatCC::LessThan } else { FloatCC::GreaterThan };
        let before = self.builder.ins().fcmp(before, x, end);
        self.builder.ins().select(before, moved, x)
    }

    fn binary(&mut self, operation: Binary, x: Value, y: Value) -> Result<Value, JitError> {
        Ok(match operation {
            Binary::Add => self.builder.ins().fadd(x, y),
            Binary::Sub => self.builder.ins().fsub(x, y),
            Binary::Mul => self.builder.ins().fmul(x, y),
            Binary::Div => self.builder.ins().fdiv(x, y),
            // As `apply` has them: the instructions that Cranelift calls fmin and fmax treat NaN and -0 in
            // another way.
            Binary::Min => {
                let less = self.builder.ins().fcmp(FloatCC::LessThan, y, x);
                self.builder.ins().select(less, y, x)
            }
            Binary::Max => {
                let greater = self.builder.ins().fcmp(FloatCC::GreaterThan, y, x);
                self.builder.ins().select(greater, y, x)
            }
            other => self.call(routines::of_binary(other), &[x, y])?,
        })
    }

    /// Both at once; the second result comes by way of the stack.
    fn sine_and_cosine(&mut self, x: Value) -> Result<(Value, Value), JitError> {
        let slot = *self.side.get_or_insert_with(|| {
            self.builder.create_sized_stack_slot(StackSlotData::new(StackSlotKind::ExplicitSlot, 8, 3))
        });
        let place = self.builder.ins().stack_addr(self.pointer, slot, 0);
        let sine = self.call(Some(&routines::SINE_AND_COSINE), &[x, place])?;
        Ok((sine, self.builder.ins().load(types::F64, SOUND, place, 0)))
    }

    fn call(&mut self, routine: Option<&'static Routine>, arguments: &[Value]) -> Result<Value, JitError> {
        let routine = routine.expect("what is no instruction is a routine");
        let function = match self.routines.get(routine.name) {
            Some(function) => *function,
            None => {
                let mut signature = self.module.make_signature();
                let kind = |value: &Value| AbiParam::new(self.builder.func.dfg.value_type(*value));
                signature.params.extend(arguments.iter().map(kind));
                signature.returns.push(AbiParam::new(types::F64));
                let function = self
                    .module
                    .declare_function(routine.name, Linkage::Import, &signature)
                    .map_err(|error| JitError::Refused(error.to_string()))?;
                let function = self.module.declare_func_in_func(function, self.builder.func);
                self.routines.insert(routine.name, function);
                function
            }
        };
        let call = self.builder.ins().call(function, arguments);
        Ok(self.builder.inst_results(call)[0])
    }
}

fn condition_code(comparison: Comparison) -> FloatCC {
    match comparison {
        Comparison::Eq => FloatCC::Equal,
        Comparison::Ne => FloatCC::NotEqual,
        Comparison::Lt => FloatCC::LessThan,
        Comparison::Le => FloatCC::LessThanOrEqual,
    }
}

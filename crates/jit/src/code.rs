//! Machine code in memory, and the one call into it: all that is unsafe about this crate.
//!
//! The compiled function reads and writes through bare pointers. It is handed an array of addresses,
//!
//! ```text
//! feeds, one per slot (of a column, or of the one real) │ lists, one per number in the layout │ outputs, one per scalar
//! ```
//!
//! and a range of rows, and it touches, by construction in `translate`: the real of every `Same` slot; of
//! every `Each` slot and every output, the places of the range; of every list, the places of the range, and
//! of a slot picked by it the places it names. [`NativeProgram::run`] makes sure, before the call, that all
//! of these exist. Nothing else is touched.

use crate::JitError;
use cranelift_jit::JITModule;
use cranelift_module::FuncId;
use gedanken_lang::ir::{Access, Executor, Feed, Graph, Layout};
use std::fmt;
use std::ops::Range;
use std::sync::Mutex;

/// Addresses, first row, row after the last; gives the first bad row, or the row after the last.
type Entry = unsafe extern "C" fn(*const *const u8, usize, usize) -> usize;

/// Number of addresses that need no memory of their own.
const ADDRESSES_ON_STACK: usize = 96;
/// The same for a row alone, which needs not even much of the stack: single rows are run so often that to
/// clear it would be felt.
const ADDRESSES_OF_A_ROW: usize = 24;

/// Arguments that a call has to bring.
#[derive(Clone, Debug)]
pub(crate) struct Contract {
    slots: Vec<Access>,
    lists: usize,
    outputs: usize,
}

impl Contract {
    /// Contract of a graph whose slots are read in these ways.
    pub(crate) fn new(graph: &Graph, layout: &Layout) -> Self {
        let numbers = layout.slots.iter().filter_map(|access| match access {
            Access::Picked(list) => Some(usize::from(*list) + 1),
            Access::Same | Access::Each => None,
        });
        Self {
            slots: layout.slots.clone(),
            lists: numbers.max().unwrap_or(0),
            outputs: graph.outputs.iter().map(|output| output.nodes.len()).sum(),
        }
    }

    /// Position of the address of the slot's feed.
    pub(crate) fn feed(&self, slot: usize) -> usize {
        slot
    }

    /// Position of the address of the list.
    pub(crate) fn list(&self, list: u8) -> usize {
        self.slots.len() + usize::from(list)
    }

    /// Position of the address of the output's column.
    pub(crate) fn output(&self, output: usize) -> usize {
        self.slots.len() + self.lists + output
    }

    /// Number of addresses.
    fn len(&self) -> usize {
        self.slots.len() + self.lists + self.outputs
    }

    /// Writes the addresses, after a look at everything that stands behind them.
    fn write(
        &self,
        feeds: &[Feed<'_>],
        lists: &[&[u32]],
        rows: &Range<usize>,
        outputs: &mut [&mut [f64]],
        addresses: &mut [*const u8],
    ) {
        assert_eq!(feeds.len(), self.slots.len(), "one feed for each slot");
        assert!(lists.len() >= self.lists, "{} lists for a layout that uses {}", lists.len(), self.lists);
        assert_eq!(outputs.len(), self.outputs, "one column for each output scalar");
        let lists = &lists[..self.lists];
        // Columns that a list picks from need this many places.
        let reach: Vec<usize> = lists
            .iter()
            .map(|list| list[rows.clone()].iter().max().map_or(0, |largest| *largest as usize + 1))
            .collect();
        let (of_slots, rest) = addresses.split_at_mut(self.slots.len());
        let (of_lists, of_outputs) = rest.split_at_mut(self.lists);
        for (slot, ((access, feed), address)) in self.slots.iter().zip(feeds).zip(of_slots).enumerate() {
            *address = match (access, feed) {
                (Access::Same, Feed::Same(real)) => std::ptr::from_ref(real).cast(),
                (Access::Each, Feed::Column(column)) => {
                    assert!(column.len() >= rows.end, "slot {slot}: {} rows, not {}", column.len(), rows.end);
                    column.as_ptr().cast()
                }
                (Access::Picked(list), Feed::Column(column)) => {
                    let reach = reach[usize::from(*list)];
                    assert!(column.len() >= reach, "slot {slot}: {} rows, not {reach}", column.len());
                    column.as_ptr().cast()
                }
                (Access::Same, Feed::Column(_)) => {
                    panic!("slot {slot}: a column where all rows read the same")
                }
                (Access::Each | Access::Picked(_), Feed::Same(_)) => {
                    panic!("slot {slot}: one real for a column")
                }
            };
        }
        for (list, address) in lists.iter().zip(of_lists) {
            *address = list.as_ptr().cast();
        }
        for (output, (column, address)) in outputs.iter_mut().zip(of_outputs).enumerate() {
            assert!(column.len() >= rows.end, "output {output}: {} rows, not {}", column.len(), rows.end);
            *address = column.as_mut_ptr().cast_const().cast();
        }
    }

    /// The addresses of one row alone, whose slots hold `inputs`: as many as there are of both.
    fn row(&self, inputs: &[f64], outputs: &mut [f64], addresses: &mut [*const u8]) {
        assert_eq!(inputs.len(), self.slots.len(), "one input for each slot");
        assert_eq!(outputs.len(), self.outputs, "one place for each output scalar");
        assert_eq!(self.lists, 0, "a row alone has no lists to pick by");
        let (slots, places) = addresses.split_at_mut(inputs.len());
        for (address, input) in slots.iter_mut().zip(inputs) {
            *address = std::ptr::from_ref(input).cast();
        }
        for (address, output) in places.iter_mut().zip(outputs) {
            *address = std::ptr::from_mut(output).cast_const().cast();
        }
    }
}

/// Room for so many addresses, on the stack if they are few: laws of single objects are run all the time.
fn room<'r>(
    few: &'r mut [*const u8; ADDRESSES_ON_STACK],
    many: &'r mut Vec<*const u8>,
    count: usize,
) -> &'r mut [*const u8] {
    if count <= ADDRESSES_ON_STACK {
        return &mut few[..count];
    }
    many.resize(count, std::ptr::null());
    many
}

/// A program in machine code, ready to run on any thread. Its memory is freed when it is dropped.
pub struct NativeProgram {
    entry: Entry,
    /// Owns the memory of `entry`; looked at again only to free it. The lock makes the module, which may be
    /// sent but not shared between threads, shareable by never being taken.
    module: Mutex<Option<JITModule>>,
    contract: Contract,
}

impl NativeProgram {
    /// Makes the function of a module runnable. It must be one that `translate` has defined for this
    /// contract.
    pub(crate) fn new(mut module: JITModule, function: FuncId, contract: Contract) -> Result<Self, JitError> {
        module.finalize_definitions().map_err(|error| JitError::Refused(error.to_string()))?;
        let address = module.get_finalized_function(function);
        // SAFETY: `address` is that of finished code, executable now that the definitions are final;
        // `translate` has declared it with the signature of `Entry` in the calling convention of this
        // platform. It stays valid as long as `module` is not freed, which happens only when `Self` is
        // dropped.
        #[expect(unsafe_code, reason = "machine code has no type of its own")]
        let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
        Ok(Self { entry, module: Mutex::new(Some(module)), contract })
    }
}

impl Executor for NativeProgram {
    fn run(
        &self,
        feeds: &[Feed<'_>],
        lists: &[&[u32]],
        rows: Range<usize>,
        outputs: &mut [&mut [f64]],
    ) -> Option<usize> {
        if rows.is_empty() {
            return None;
        }
        let (mut few, mut many) = ([std::ptr::null(); ADDRESSES_ON_STACK], Vec::new());
        let addresses = room(&mut few, &mut many, self.contract.len());
        self.contract.write(feeds, lists, &rows, outputs, addresses);
        // SAFETY: the memory of `entry` lives as long as `self`. The function reads `addresses` and, for the
        // rows of the range, which is not empty, the places listed at the head of this file;
        // `Contract::write` has found all of them inside live slices, and the lists cannot change while they
        // are borrowed. It writes to outputs only, which are borrowed mutably, hence apart from each other
        // and from everything that is read. It calls nothing but `routines`, which take and give reals, one
        // of them by way of the function's own stack, and do not unwind. It keeps no address.
        #[expect(unsafe_code, reason = "machine code cannot prove what it touches")]
        let stopped = unsafe { (self.entry)(addresses.as_ptr(), rows.start, rows.end) };
        (stopped < rows.end).then_some(stopped)
    }

    fn run_row(&self, inputs: &[f64], outputs: &mut [f64]) -> bool {
        let count = inputs.len() + outputs.len();
        if count <= ADDRESSES_OF_A_ROW {
            return self.row_alone(inputs, outputs, &mut [std::ptr::null(); ADDRESSES_OF_A_ROW][..count]);
        }
        let (mut few, mut many) = ([std::ptr::null(); ADDRESSES_ON_STACK], Vec::new());
        self.row_alone(inputs, outputs, room(&mut few, &mut many, count))
    }
}

impl NativeProgram {
    /// Runs one row alone, with room for its addresses.
    fn row_alone(&self, inputs: &[f64], outputs: &mut [f64], addresses: &mut [*const u8]) -> bool {
        self.contract.row(inputs, outputs, addresses);
        // SAFETY: as in `run`, for the one row 0, of which every slot reads the first place of its address:
        // `Contract::row` has put there one of `inputs` for each slot and one of `outputs` for each output
        // scalar, and there are no lists.
        #[expect(unsafe_code, reason = "machine code cannot prove what it touches")]
        let stopped = unsafe { (self.entry)(addresses.as_ptr(), 0, 1) };
        stopped == 1
    }
}

impl Drop for NativeProgram {
    fn drop(&mut self) {
        let module = self.module.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(module) = module.take() {
            // SAFETY: dropping needs the only reference, so that no call is under way, and `entry`, the one
            // address into this memory, is private and goes with `self`.
            #[expect(unsafe_code, reason = "the module cannot know who still has an address")]
            unsafe {
                module.free_memory();
            }
        }
    }
}

impl fmt::Debug for NativeProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NativeProgram").field("contract", &self.contract).finish_non_exhaustive()
    }
}

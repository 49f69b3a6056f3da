//! The compiler for the machine we run on, and its settings.
//!
//! Instructions may depend on the processor (three-operand forms where there is AVX), bits may not: Cranelift
//! fuses no product with a sum unless asked by name, and we never ask.

use crate::JitError;
use crate::routines;
use cranelift_codegen::ir::LibCall;
use cranelift_codegen::settings::{self, Configurable as _};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::default_libcall_names;

/// Settings of the compiler.
const SETTINGS: &[(&str, &str)] = &[
    // Graphs come without repetitions and without what nobody needs, so that the optimizer finds next to
    // nothing: for the collision of two bodies it takes a third of the time and gains 3 % (benches:
    // `text to native code`).
    ("opt_level", "none"),
    // Twice as fast as the other, `single_pass` costs a quarter of the speed of the code.
    ("regalloc_algorithm", "backtracking"),
    // Code is placed once, next to nothing.
    ("is_pic", "false"),
    ("use_colocated_libcalls", "false"),
    // A large law may spill more than a page of values: touch every page of the stack, in place.
    ("enable_probestack", "true"),
    ("probestack_strategy", "inline"),
    // Nobody unwinds through a row: routines that are called back cannot panic.
    ("unwind_info", "false"),
    // Its findings would be mistakes of ours; tests run with assertions, hence with it.
    ("enable_verifier", if cfg!(debug_assertions) { "true" } else { "false" }),
];

/// An empty module that knows the routines.
pub(crate) fn module() -> Result<JITModule, JitError> {
    let mut flags = settings::builder();
    for (name, value) in SETTINGS {
        flags.set(name, value).map_err(|error| JitError::Machine(error.to_string()))?;
    }
    let isa = cranelift_native::builder()
        .map_err(|error| JitError::Machine(error.to_owned()))?
        .finish(settings::Flags::new(flags))
        .map_err(|error| JitError::Machine(error.to_string()))?;
    let mut builder = JITBuilder::with_isa(isa, Box::new(name_of));
    for routine in routines::ALL {
        builder.symbol(routine.name, routine.address());
    }
    Ok(JITModule::new(builder))
}

/// Processors without SSE 4.1 cannot round to integers; Cranelift then calls for help, which must be ours and
/// not that of the platform.
fn name_of(call: LibCall) -> String {
    match call {
        LibCall::FloorF64 => routines::FLOOR.to_owned(),
        LibCall::CeilF64 => routines::CEIL.to_owned(),
        other => default_libcall_names()(other),
    }
}

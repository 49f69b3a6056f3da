//! Kernels of the lab: those of the language, with native code where it pays.

use gedanken_jit::NativeProgram;
use gedanken_lang::kernel;
use std::sync::Arc;

/// Outputs of a user's program, ready to run.
pub(crate) type Kernel = kernel::Kernel<NativeProgram>;

/// A graph without a program of its own, such as a derivative, ready to run.
pub(crate) type GraphKernel = kernel::GraphKernel<NativeProgram>;

/// Permission to make native code.
pub(crate) type Compile = kernel::Compile<NativeProgram>;

/// Native code that runs of one experiment share, whatever their initial values: it is made once. Clones share
/// the same.
#[derive(Clone, Debug, Default)]
pub struct SharedCode(pub(crate) Arc<kernel::SharedCode<NativeProgram>>);

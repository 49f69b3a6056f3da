//! Kernels of the lab: those of the language, with native code where it pays.

use gedanken_jit::NativeProgram;
use gedanken_lang::kernel;

/// Outputs of a user's program, ready to run.
pub(crate) type Kernel = kernel::Kernel<NativeProgram>;

/// A graph without a program of its own, such as a derivative, ready to run.
pub(crate) type GraphKernel = kernel::GraphKernel<NativeProgram>;

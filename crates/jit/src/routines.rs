//! Scalar functions that native code calls: those of the language, by their one definition.

use gedanken_lang::arithmetic::{Binary, Unary};

/// A function that native code can call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Routine {
    /// Name for the linker.
    pub(crate) name: &'static str,
    /// Address.
    pub(crate) function: Function,
}

/// Address of a routine, by the number of reals it takes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Function {
    /// A function of one real.
    Unary(extern "C" fn(f64) -> f64),
    /// A function of two reals.
    Binary(extern "C" fn(f64, f64) -> f64),
    /// A function of one real, with a second result.
    Twin(extern "C" fn(f64, &mut f64) -> f64),
}

impl Routine {
    /// Address of its code.
    pub(crate) fn address(&self) -> *const u8 {
        match self.function {
            Function::Unary(function) => function as *const u8,
            Function::Binary(function) => function as *const u8,
            Function::Twin(function) => function as *const u8,
        }
    }
}

/// Sine, and cosine on the side: their arguments are brought near zero in the same way, which is most of the
/// work. The bits are those of `sin` and `cos` of the same `libm`; a test holds them together.
pub(crate) const SINE_AND_COSINE: Routine =
    Routine { name: "gedanken_sine_and_cosine", function: Function::Twin(sine_and_cosine) };

extern "C" fn sine_and_cosine(x: f64, cosine: &mut f64) -> f64 {
    let sine;
    (sine, *cosine) = libm::sincos(x);
    sine
}

/// A wrapper for each operation, with the calling convention of C; none of them can panic.
macro_rules! routines {
    (unary: $($unary:ident $one:literal),*; binary: $($binary:ident $two:literal),*) => {
        /// All routines.
        pub(crate) const ALL: &[Routine] = &[
            SINE_AND_COSINE,
            $(Routine { name: $one, function: Function::Unary({
                extern "C" fn wrapper(x: f64) -> f64 {
                    Unary::$unary.apply(x)
                }
                wrapper
            }) },)*
            $(Routine { name: $two, function: Function::Binary({
                extern "C" fn wrapper(x: f64, y: f64) -> f64 {
                    Binary::$binary.apply(x, y)
                }
                wrapper
            }) },)*
        ];

        /// The routine for an operation that is no instruction.
        pub(crate) fn of_unary(operation: Unary) -> Option<&'static Routine> {
            let name = match operation {
                $(Unary::$unary => $one,)*
                Unary::Neg | Unary::Abs | Unary::Sqrt | Unary::NextUp | Unary::NextDown => return None,
            };
            find(name)
        }

        /// The routine for an operation that is no instruction.
        pub(crate) fn of_binary(operation: Binary) -> Option<&'static Routine> {
            let name = match operation {
                $(Binary::$binary => $two,)*
                Binary::Add | Binary::Sub | Binary::Mul | Binary::Div | Binary::Min | Binary::Max => return None,
            };
            find(name)
        }
    };
}

/// Name of the routine that rounds down.
pub(crate) const FLOOR: &str = "gedanken_floor";
/// Name of the routine that rounds up.
pub(crate) const CEIL: &str = "gedanken_ceil";

routines! {
    unary:
        Sin "gedanken_sin", Cos "gedanken_cos", Tan "gedanken_tan",
        Asin "gedanken_asin", Acos "gedanken_acos", Atan "gedanken_atan",
        Exp "gedanken_exp", Log "gedanken_log",
        Floor "gedanken_floor", Ceil "gedanken_ceil", Round "gedanken_round";
    binary:
        Pow "gedanken_pow", Atan2 "gedanken_atan2", Mod "gedanken_mod",
        Mix "gedanken_mix", Uniform "gedanken_uniform"
}

fn find(name: &str) -> Option<&'static Routine> {
    ALL.iter().find(|routine| routine.name == name)
}

//! The words for what went wrong: from a scalar that is not finite, or operands that do not fit, to a
//! sentence that a student understands and a way out.

use super::compile::Operation;
use super::cost::{MOST_ALIVE, MOST_ELEMENTS, MOST_NESTED};
use super::fault::shortened;
use crate::arithmetic::{Binary as Scalar2, Failure, ScalarFault, Unary as Scalar1};
use crate::diagnostic::Code;
use crate::operation::Mismatch;
use crate::syntax::tree::Binary;
use crate::value::Value;

/// Reason why the machine stopped.
#[derive(Debug)]
pub(super) enum Trouble {
    /// An operator or native does not accept its operands.
    Mismatch(Mismatch),
    /// A scalar operation has no finite result.
    Scalar(ScalarFault),
    /// A condition, or the left side of `&` or `|`, is not a truth value.
    NotBoolean,
    /// More calls under way than allowed.
    TooDeep(usize),
    /// More steps than allowed.
    TooLong(u64),
    /// A value of more scalars than allowed; so many, as far as is known.
    TooLarge(usize),
    /// Sequences nested too deep.
    TooNested,
    /// All values together hold more than allowed.
    OutOfMemory,
    /// A function without parameters needs itself: the chain of names.
    Cycle(Vec<String>),
    /// The evaluation was cancelled.
    Cancelled,
}

/// Message for it.
#[derive(Debug)]
pub(super) struct Words {
    pub(super) code: Code,
    pub(super) message: String,
    pub(super) label: String,
    pub(super) help: Option<String>,
    /// `true` if the message shows the values that went in.
    pub(super) with_operands: bool,
}

impl Words {
    fn new(code: Code, message: impl Into<String>, label: impl Into<String>) -> Self {
        Self { code, message: message.into(), label: label.into(), help: None, with_operands: true }
    }

    fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    fn without_operands(mut self) -> Self {
        self.with_operands = false;
        self
    }
}

/// The words for a trouble that `operation` met on `operands` in the function `function`.
pub(super) fn words(trouble: &Trouble, operation: Operation, operands: &[Value], function: &str) -> Words {
    match trouble {
        Trouble::Mismatch(mismatch) => {
            let label = if operands.len() == 2 { "these do not fit together" } else { "not accepted here" };
            Words { help: mismatch.help.clone(), ..Words::new(Code::E510, mismatch.message.clone(), label) }
        }
        Trouble::Scalar(fault) => scalar(fault, operation, operands),
        Trouble::NotBoolean => not_boolean(operation, operands),
        Trouble::TooDeep(depth) => {
            let who = if function.is_empty() {
                "the calls".to_owned()
            } else {
                format!("the calls of `{function}`")
            };
            let message = format!("{who} are more than {depth} deep");
            Words::new(Code::E520, message, "one call too many")
                .help("a recursion needs an `if` that ends it, and every call must come nearer to that end")
                .without_operands()
        }
        Trouble::TooLong(steps) => Words::new(
            Code::E521,
            format!("this takes more than {} steps", rounded_down(*steps)),
            "the evaluation was here when it was stopped",
        )
        .help("is there a recursion that does not end, or that calls itself more than once in every call?")
        .without_operands(),
        Trouble::TooLarge(elements) => Words::new(
            Code::E522,
            format!(
                "the result of {} would hold {elements} numbers; a value holds at most {} million",
                sign(operation),
                MOST_ELEMENTS / 1_000_000
            ),
            "too large a value",
        )
        .help("is this the number that was meant, or does something grow in every call?"),
        Trouble::TooNested => Words::new(
            Code::E522,
            format!("sequences lie in sequences more than {MOST_NESTED} deep"),
            "one more sequence around it",
        )
        .help("to make a sequence longer, write `s ++ {x}`; `{s, x}` puts the whole of `s` in a new one")
        .without_operands(),
        Trouble::OutOfMemory => Words::new(
            Code::E522,
            format!("all values together hold more than {} million numbers", MOST_ALIVE / 1_000_000),
            "the evaluation was here when it was stopped",
        )
        .help("does a recursion keep a long sequence in every call?")
        .without_operands(),
        Trouble::Cycle(chain) => {
            let again = chain.last().map(String::as_str).unwrap_or_default();
            let message = match chain.as_slice() {
                [_, _] => format!("to find `{again}`, `{again}` itself is needed"),
                names => format!("to find `{again}`, `{again}` itself is needed: {}", names.join(" needs ")),
            };
            Words::new(Code::E523, message, format!("`{again}` is being computed already"))
                .help("a name without parameters has one value; a recursion needs a parameter that changes")
        }
        Trouble::Cancelled => {
            Words::new(Code::E524, "the evaluation was interrupted", "it was here").without_operands()
        }
    }
}

/// A number in a sentence: `50 million`, `50 thousand`. Rounded down, so that "more than" stays true.
fn rounded_down(number: u64) -> String {
    match number {
        1_000_000.. => format!("{} million", number / 1_000_000),
        1_000.. => format!("{} thousand", number / 1_000),
        _ => number.to_string(),
    }
}

/// Name of an operation in a sentence.
fn sign(operation: Operation) -> String {
    match operation {
        Operation::Unary(operator) => format!("`{}`", operator.sign()),
        Operation::Binary(operator) | Operation::Decide(operator, _) => format!("`{}`", operator.sign()),
        Operation::Native(native, _) => format!("`{}`", native.entry().name),
        Operation::Vector(_) => "the brackets".to_owned(),
        Operation::Sequence(_) => "the braces".to_owned(),
        _ => "this".to_owned(),
    }
}

fn not_boolean(operation: Operation, operands: &[Value]) -> Words {
    let met =
        operands.last().map_or_else(|| "something else".to_owned(), |value| value.type_of().to_string());
    let message = match operation {
        Operation::Decide(operator, _) => {
            format!("`{}` needs true or false on both sides, but its left side is {met}", operator.sign())
        }
        _ => format!("the condition of an `if` must be true or false, but here it is {met}"),
    };
    Words::new(Code::E510, message, "neither true nor false")
        .help("compare it with something: `x != 0`, `x > 1`")
}

/// Any number as it would be written.
fn number(real: f64) -> String {
    shortened(&Value::Real(real))
}

/// A scalar operation on finite numbers has no finite result.
fn scalar(fault: &ScalarFault, operation: Operation, operands: &[Value]) -> Words {
    match *fault {
        ScalarFault::Failed(ref failure) => failed(failure, operation, operands),
        ScalarFault::Unary(what, x) if x.is_finite() => unary(what, x, operation),
        ScalarFault::Binary(what, x, y) if x.is_finite() && y.is_finite() => {
            binary(what, x, y, operation, operands)
        }
        // A value was given from outside that is not finite itself.
        ScalarFault::Unary(..) | ScalarFault::Binary(..) => Words::new(
            Code::E505,
            format!("{} met a value that is not a finite number", sign(operation)),
            "not finite",
        ),
    }
}

fn unary(what: Scalar1, x: f64, operation: Operation) -> Words {
    let sign = sign(operation);
    match what {
        Scalar1::Sqrt => Words::new(Code::E502, format!("{sign} would take the square root of {}, and negative numbers have none", number(x)), "no real value")
            .help("if only rounding made it negative, write `sqrt(max(0, x))`; otherwise look at how it became negative"),
        Scalar1::Log => {
            Words::new(Code::E504, format!("{sign} would take the logarithm of {}, and only positive numbers have one", number(x)), "no real value")
                .help("logarithms exist for positive numbers only: look at how this became zero or negative")
        }
        Scalar1::Asin | Scalar1::Acos => Words::new(
            Code::E506,
            format!("{sign} accepts numbers from -1 to 1, but here is {}", number(x)),
            "outside -1 to 1",
        )
        .help("no sine or cosine is that large; if only rounding made it so, write `max(-1, min(1, x))`"),
        _ => overflow(&sign),
    }
}

fn binary(what: Scalar2, x: f64, y: f64, operation: Operation, operands: &[Value]) -> Words {
    let sign = sign(operation);
    if operation == Operation::Binary(Binary::Power) {
        let [Value::Real(base), Value::Real(exponent)] = operands else { return overflow(&sign) };
        return power(*base, *exponent, &sign);
    }
    match what {
        Scalar2::Div if y == 0.0 => {
            let message = match operation {
                Operation::Binary(Binary::Divide) if x == 0.0 && matches!(operands, [Value::Real(_), _]) => {
                    "division by zero: 0 / 0 could be any number".to_owned()
                }
                Operation::Binary(Binary::Divide) => "division by zero".to_owned(),
                _ => format!("{sign} had to divide by zero"),
            };
            Words::new(Code::E501, message, "divides by zero")
                .help("if zero can really occur here, say what to take then: `if d == 0 then … else n / d`")
        }
        Scalar2::Mod if y == 0.0 => {
            Words::new(Code::E501, format!("{sign} divides by zero"), "divides by zero")
                .help("the second argument must not be zero")
        }
        Scalar2::Pow => power(x, y, &sign),
        _ => overflow(&sign),
    }
}

fn power(base: f64, exponent: f64, sign: &str) -> Words {
    if base < 0.0 && exponent != libm::trunc(exponent) {
        let message = format!(
            "the base is negative: {} to the power {} is not a real number",
            number(base),
            number(exponent)
        );
        return Words::new(Code::E503, message, "no real value").help(
            "a power that is not a whole number needs a base of zero or more; did you forget to square? \
             The length of (a, b) is `(a^2 + b^2)^0.5`",
        );
    }
    if base == 0.0 && exponent < 0.0 {
        return Words::new(
            Code::E501,
            format!("0 to the power {} divides by zero", number(exponent)),
            "divides by zero",
        )
        .help("a negative power is one over the positive one: look at how the base became zero");
    }
    overflow(sign)
}

fn overflow(sign: &str) -> Words {
    Words::new(
        Code::E505,
        format!("the result of {sign} is too large for a number: beyond 1.8e308"),
        "too large",
    )
    .help("does something grow without bound, or is a unit or an exponent wrong?")
}

fn failed(failure: &Failure, operation: Operation, operands: &[Value]) -> Words {
    let sign = sign(operation);
    match *failure {
        Failure::Index { length: 0, .. } => Words::new(
            Code::E507,
            format!("{sign} looks for an element where there are none"),
            "nothing to choose from",
        ),
        Failure::Index { index, length } if index != libm::trunc(index) => Words::new(
            Code::E507,
            format!("{sign} needs a whole number from 1 to {length}, but here is {}", number(index)),
            "not a whole number",
        )
        .help("`round`, `floor` and `ceil` make whole numbers"),
        Failure::Index { index, length } => Words::new(
            Code::E507,
            format!("{sign} asks for element {}, but there are elements 1 to {length} only", number(index)),
            "no such element",
        )
        .help(match operands.first() {
            _ if index == 0.0 => "the first element is number 1",
            Some(Value::Matrix(_)) => "`matrixDimension` tells how many rows and columns there are",
            Some(Value::Vector(_)) => "`vectorDimension` tells how many elements there are",
            _ => "`length` tells how many elements there are",
        }),
        Failure::Singular => {
            Words::new(Code::E508, format!("{sign} met a matrix that has no inverse"), "no inverse")
                .help("its rows are not independent: is one of them zero, or nearly a multiple of another?")
        }
        Failure::NoDirection => Words::new(
            Code::E511,
            format!("{sign} needs a direction, but all elements of this vector are zero"),
            "the zero vector",
        )
        .help("if it can really be zero here, say what to take then: `if norm(v) == 0 then … else …`"),
        Failure::Empty => {
            Words::new(Code::E509, format!("{sign} of an empty sequence"), "there is nothing in it")
                .help("look first: `if isEmpty(s) then … else …`")
        }
    }
}

//! The codes: what each diagnostic is called, and what `explain` says of it.
//!
//! Codes are stable; a code that is no longer given stays retired. 1xx syntax, 2xx names, 3xx types, 4xx laws and contexts,
//! 5xx at run time; `E` is an error, `W` a warning. The explanations are Markdown files, one per code, each with a wrong and
//! a right example that the tests run.

/// One code.
#[derive(Debug)]
pub struct Entry {
    /// Such as `E201`.
    pub code: &'static str,
    /// What it is, in a few words.
    pub title: &'static str,
    /// The Markdown that `explain` prints.
    pub explanation: &'static str,
}

macro_rules! code {
    ($code:literal, $title:literal) => {
        Entry { code: $code, title: $title, explanation: include_str!(concat!("explain/", $code, ".md")) }
    };
}

/// All codes, in order.
pub const CATALOGUE: &[Entry] = &[
    code!("E101", "a character that is not of the language"),
    code!("E102", "a number that cannot be read"),
    code!("E103", "quotes that do not end"),
    code!("E104", "a comment that does not end"),
    code!("E105", "an operator of another language"),
    code!("E106", "`=` and `==` mixed up"),
    code!("E107", "a value is missing"),
    code!("E108", "empty parentheses"),
    code!("E109", "an operator is missing"),
    code!("E110", "a comma is missing"),
    code!("E111", "a bracket that is never closed"),
    code!("E112", "one closing bracket too many"),
    code!("E113", "the wrong closing bracket"),
    code!("E114", "an `if` that lacks `then` or `else`"),
    code!("E115", "comparisons that chain"),
    code!("E116", "nested too deeply"),
    code!("E117", "something that does not belong here"),
    code!("E118", "the left side of a definition"),
    code!("E119", "a rate that is read"),
    code!("E120", "a sign between definitions that is not needed"),
    code!("E121", "units are not there yet"),
    code!("E122", "`import` and `export`"),
    code!("E123", "a block that is not known"),
    code!("E124", "a line of a block that cannot be read"),
    code!("E125", "an alias that cannot be read"),
    code!("E126", "the index of an alias"),
    code!("E127", "to which objects a context applies"),
    code!("E128", "a value of the wrong form"),
    code!("E129", "a comma inside parentheses"),
    code!("E130", "a reserved word as a name"),
    code!("E131", "`VFLangNative` alone"),
    code!("E201", "a name that is not known"),
    code!("E202", "a wrong number of arguments"),
    code!("E203", "a function without its arguments"),
    code!("E204", "a value called like a function"),
    code!("E205", "a native that does not exist"),
    code!("E206", "a name defined twice"),
    code!("E207", "two parameters of one name"),
    code!("E208", "`previous` of something that is not kept"),
    code!("E209", "an attribute of which object?"),
    code!("E210", "a direction that does not exist"),
    code!("E211", "an alias that was not declared"),
    code!("E301", "an operator that does not accept its operands"),
    code!("E302", "a native that does not accept its arguments"),
    code!("E303", "two arms of different types"),
    code!("E304", "a condition that is neither true nor false"),
    code!("E305", "a law of the wrong type"),
    code!("E306", "a sequence as an attribute"),
    code!("E307", "the rate of a boolean"),
    code!("E401", "a law for something that is given"),
    code!("E402", "a law and a rate"),
    code!("E403", "a rate in a collision"),
    code!("E404", "the rate of a first-time-only attribute"),
    code!("E405", "a law with parameters"),
    code!("E406", "the rate of something that is no attribute"),
    code!("E407", "something that needs itself"),
    code!("E408", "a first-time-only attribute without a law"),
    code!("E409", "an attribute of the context without a value"),
    code!("E410", "a rate without a value to start from"),
    code!("E411", "an attribute that is set twice"),
    code!("E420", "a key that contexts do not have"),
    code!("E421", "a context without a type"),
    code!("E422", "an unknown type of context"),
    code!("E423", "a key given twice"),
    code!("E424", "a value of the wrong kind"),
    code!("E430", "an alias declared twice"),
    code!("E431", "an alias of an attribute that does not exist"),
    code!("E432", "an object index that does not exist"),
    code!("E433", "an alias that hides an attribute"),
    code!("E434", "an object that does not exist"),
    code!("E435", "a first-time-only attribute that does not exist"),
    code!("E436", "an attribute of the context whose name is taken"),
    code!("E501", "division by zero"),
    code!("E502", "square root of a negative number"),
    code!("E503", "negative base of a fractional power"),
    code!("E504", "logarithm of a number that is not positive"),
    code!("E505", "a result too large for a number"),
    code!("E506", "inverse sine or cosine beyond 1"),
    code!("E507", "no such element"),
    code!("E508", "a matrix without an inverse"),
    code!("E509", "nothing in the sequence"),
    code!("E510", "values that do not fit an operator or native"),
    code!("E511", "a vector without a direction"),
    code!("E520", "recursion without end"),
    code!("E521", "too many steps"),
    code!("E522", "too large a value"),
    code!("E523", "a value that needs itself"),
    code!("E524", "interrupted"),
    code!("E601", "unknown command"),
    code!("E602", "a file that cannot be imported"),
    code!("E603", "a file that cannot be written"),
    code!("E604", "no help on this"),
    code!("E605", "no intermediate form"),
    code!("W201", "a native is hidden"),
    code!("W202", "a parameter hides something"),
    code!("W203", "a helper that no law needs"),
    code!("W204", "a parameter that is not used"),
    code!("W401", "an alias that is not used"),
    code!("W402", "an attribute of the context that is never set"),
    code!("W403", "directions outside a contact"),
    code!("W404", "an alias of another object than its like"),
    code!("W601", "a name that is not defined yet"),
];

/// The entry of a code, upper or lower case.
pub fn entry(code: &str) -> Option<&'static Entry> {
    CATALOGUE.iter().find(|entry| entry.code.eq_ignore_ascii_case(code))
}

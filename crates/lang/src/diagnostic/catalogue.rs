//! The codes: what each diagnostic is called, and what `explain` says of it.
//!
//! Codes are stable; a code that is no longer given stays retired. 0xx models in MJCF, 1xx syntax, 2xx names, 3xx types, 4xx laws
//! and contexts, 5xx at run time, 6xx sessions, 7xx experiments, 8xx their runs, 9xx formulas over
//! recordings; `E` is an error, `W` a warning. The explanations are Markdown files, one per code, each with a
//! wrong and a right example that the tests run.

use std::fmt;

/// Title and explanation of one code.
#[derive(Debug)]
pub struct Entry {
    /// The code itself.
    pub code: Code,
    /// Title in a few words.
    pub title: &'static str,
    /// The Markdown that `explain` prints.
    pub explanation: &'static str,
}

/// Subject of a code, by its first digit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// 0xx: models in MJCF.
    Models,
    /// 1xx: the text cannot be parsed.
    Syntax,
    /// 2xx: a name has no meaning here.
    Names,
    /// 3xx: types do not fit.
    Types,
    /// 4xx: laws and contexts contradict themselves.
    Laws,
    /// 5xx: an evaluation failed.
    Evaluation,
    /// 6xx: sessions and imports.
    Sessions,
    /// 7xx: the blocks of an experiment.
    Experiments,
    /// 8xx: a run cannot go on.
    Runs,
    /// 9xx: formulas over recordings.
    Formulas,
}

macro_rules! codes {
    ($($code:ident $title:literal)*) => {
        /// Stable code of a diagnostic; `E` is an error, `W` a warning.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        impl Code {
            /// The code as users see it, such as `E201`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$code => stringify!($code),)*
                }
            }
        }

        /// All codes, in the order of [`Code`].
        pub const CATALOGUE: &[Entry] = &[
            $(Entry {
                code: Code::$code,
                title: $title,
                explanation: include_str!(concat!("explain/", stringify!($code), ".md")),
            },)*
        ];
    };
}

codes! {
    E001 "a model that is not XML"
    E002 "an entity in a model"
    E003 "a model that is too large"
    E004 "an element that is not known"
    E005 "an attribute that is not known"
    E006 "a value that cannot be read"
    E007 "a wrong number of values"
    E008 "a value of a model out of range"
    E009 "a name that nothing in the model has"
    E010 "two parts of one name"
    E011 "something that a model lacks"
    E012 "parts that contradict each other"
    E013 "a file of a model that cannot be read"
    E014 "a file outside the folder of the model"
    E015 "a file that is included twice"
    E016 "something that is not supported"
    E017 "a body without mass that moves"
    E101 "a character that is not of the language"
    E102 "a number that cannot be read"
    E103 "quotes that do not end"
    E104 "a comment that does not end"
    E105 "an operator of another language"
    E106 "`=` and `==` mixed up"
    E107 "a value is missing"
    E108 "empty parentheses"
    E109 "an operator is missing"
    E110 "a comma is missing"
    E111 "a bracket that is never closed"
    E112 "one closing bracket too many"
    E113 "the wrong closing bracket"
    E114 "an `if` that lacks `then` or `else`"
    E115 "comparisons that chain"
    E116 "nested too deeply"
    E117 "something that does not belong here"
    E118 "the left side of a definition"
    E119 "a rate that is read"
    E120 "a sign between definitions that is not needed"
    E121 "units are not there yet"
    E122 "`import` and `export`"
    E123 "a block that is not known"
    E124 "a line of a block that cannot be read"
    E125 "an alias that cannot be read"
    E126 "the index of an alias"
    E127 "to which objects a context applies"
    E128 "a value of the wrong form"
    E129 "a comma inside parentheses"
    E130 "a reserved word as a name"
    E131 "`VFLangNative` alone"
    E132 "a decimal comma"
    E133 "a comment of another language"
    E134 "an angle in degrees"
    E135 "bars around a value"
    E136 "a value that is changed step by step"
    E137 "a derivative in another notation"
    E138 "a power of a function"
    E139 "an element in brackets"
    E140 "a condition of another language"
    E201 "a name that is not known"
    E202 "a wrong number of arguments"
    E203 "a function without its arguments"
    E204 "a value called like a function"
    E205 "a native that does not exist"
    E206 "a name defined twice"
    E207 "two parameters of one name"
    E208 "`previous` of something that is not kept"
    E209 "an attribute of which object?"
    E210 "a direction that does not exist"
    E211 "an alias that was not declared"
    E212 "a component by its letter"
    E213 "an attribute behind a dot"
    E214 "a name that another type of context has"
    E215 "a name of another notation"
    E301 "an operator that does not accept its operands"
    E302 "a native that does not accept its arguments"
    E303 "two arms of different types"
    E304 "a condition that is neither true nor false"
    E305 "a law of the wrong type"
    E306 "a sequence as an attribute"
    E307 "the rate of a boolean"
    E401 "a law for something that is given"
    E402 "a law and a rate"
    E403 "a rate in a collision"
    E404 "the rate of a first-time-only attribute"
    E405 "a law with parameters"
    E406 "the rate of something that is no attribute"
    E407 "something that needs itself"
    E408 "a first-time-only attribute without a law"
    E409 "an attribute of the context without a value"
    E410 "a rate without a value to start from"
    E411 "an attribute that is set twice"
    E420 "a key that contexts do not have"
    E421 "a context without a type"
    E422 "an unknown type of context"
    E423 "a key given twice"
    E424 "a value of the wrong kind"
    E430 "an alias declared twice"
    E431 "an alias of an attribute that does not exist"
    E432 "an object index that does not exist"
    E433 "an alias that hides an attribute"
    E434 "an object that does not exist"
    E435 "a first-time-only attribute that does not exist"
    E436 "an attribute of the context whose name is taken"
    E501 "division by zero"
    E502 "square root of a negative number"
    E503 "negative base of a fractional power"
    E504 "logarithm of a number that is not positive"
    E505 "a result too large for a number"
    E506 "inverse sine or cosine beyond 1"
    E507 "no such element"
    E508 "a matrix without an inverse"
    E509 "nothing in the sequence"
    E510 "values that do not fit an operator or native"
    E511 "a vector without a direction"
    E520 "recursion without end"
    E521 "too many steps"
    E522 "too large a value"
    E523 "a value that needs itself"
    E524 "interrupted"
    E601 "unknown command"
    E602 "a file that cannot be imported"
    E603 "a file that cannot be written"
    E604 "no help on this"
    E605 "no intermediate form"
    E701 "an experiment without a simulation"
    E702 "a block without a name"
    E703 "two things of one name"
    E704 "a key that the block does not have"
    E705 "a key that is missing"
    E706 "a word that is not one of the choices"
    E707 "an attribute that the shape needs"
    E708 "an attribute given twice"
    E709 "an attribute of the wrong type"
    E710 "a value out of range"
    E711 "a name that the engine gives"
    E712 "an initial value that is no value"
    E713 "a shape that cannot be"
    E714 "a shape file that cannot be read"
    E715 "parts that cannot be glued"
    E716 "two initial times"
    E717 "`--set` of something that is not there"
    E718 "`--set` to another type"
    E719 "a role of an object that does not exist"
    E720 "roles that do not fit the type of the context"
    E721 "a simulation of something that does not exist"
    E722 "something that takes part twice"
    E723 "a setting of the simulation out of range"
    E724 "two contexts, none more specific"
    E725 "a Lagrangian that is not there"
    E730 "a measure of what an object does not have"
    E731 "a measure that cannot be summed"
    E732 "what a measure is tested against"
    E733 "something to record that does not exist"
    E734 "an attribute of the context without a fixed shape"
    E735 "a method that cannot integrate rates"
    E740 "a workflow that cannot be"
    E741 "a workflow of a rule that does not exist"
    E742 "rules that clash in a `par`"
    E743 "an attribute that a rule does not declare"
    E744 "a declaration that contradicts itself"
    E745 "a rule that finds nobody"
    E746 "several objects set one attribute of the world"
    E747 "an event without a condition"
    E748 "a rate in a rule"
    E749 "a time step that does not fit the frames"
    E750 "a rule that would change a static object"
    E751 "a body with no mass, or with two"
    E752 "a body that cannot move"
    E753 "a material that does not exist"
    E754 "a coefficient that no surface has"
    E755 "bodies that a law or joint cannot have"
    E756 "a force, energy or constraint of the wrong type"
    E757 "a law that looks at what a body does not have"
    E758 "something that cannot be differentiated"
    E759 "a joint that does not fit its kind"
    E760 "a joint that does not hold at the start"
    E761 "something that belongs to rigid bodies"
    E762 "a world of rigid bodies that cannot be"
    E763 "energies that do not go together"
    E764 "a name that a Lagrangian gives"
    E765 "equations of motion that do not follow"
    E766 "a constraint that does not hold at the start"
    E767 "a formula for something that does not exist"
    E768 "a formula of the wrong type"
    E769 "a method that does not fit the equations"
    E770 "a setting that the solver has no use for"
    E771 "settings that contradict each other"
    E790 "a view that cannot be shown"
    E801 "two shapes without a distance"
    E802 "objects whose laws need each other"
    E803 "an attribute of the world that two set at once"
    E804 "collisions without end"
    E805 "rates that cannot be integrated"
    E806 "an orientation that is no rotation"
    E807 "laws that do not fit a contact"
    E808 "a step of rigid bodies that cannot be made"
    E809 "a motion that cannot be followed"
    E810 "a motion that gains energy from nothing"
    E901 "something that was not recorded"
    E902 "a formula that is no curve"
    W001 "something that was left out"
    W002 "another solver than the one asked for"
    W003 "text between elements"
    W201 "a native is hidden"
    W202 "a parameter hides something"
    W203 "a helper that no law needs"
    W204 "a parameter that is not used"
    W301 "an angle that may be in degrees"
    W302 "a power of ten that may be meant"
    W401 "an alias that is not used"
    W402 "an attribute of the context that is never set"
    W403 "directions outside a contact"
    W404 "an alias of another object than its like"
    W405 "a start value that no law needs"
    W406 "a law that depends on the frame rate"
    W601 "a name that is not defined yet"
    W701 "an object that takes part in nothing"
    W702 "a context that never applies"
    W730 "a measure that is never taken"
    W740 "a declared attribute that is not read"
    W741 "a rule that no workflow names"
    W750 "a block that rigid bodies pass over"
    W751 "a law or joint that acts in no simulation"
    W752 "a Lagrangian that no simulation follows"
    W753 "an attribute that rigid bodies do not know"
    W754 "a property that a solver does not model"
}

impl Code {
    /// Returns the code that is written like this, in upper or lower case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        CATALOGUE.iter().map(|entry| entry.code).find(|code| code.as_str().eq_ignore_ascii_case(text))
    }

    /// Title and explanation.
    #[must_use]
    pub fn entry(self) -> &'static Entry {
        &CATALOGUE[self as usize]
    }

    /// Returns `true` for a warning, `false` for an error.
    #[must_use]
    pub fn is_warning(self) -> bool {
        self.as_str().starts_with('W')
    }

    /// Subject of the code.
    #[must_use]
    pub fn family(self) -> Family {
        match self.as_str().as_bytes()[1] {
            b'0' => Family::Models,
            b'1' => Family::Syntax,
            b'2' => Family::Names,
            b'3' => Family::Types,
            b'4' => Family::Laws,
            b'5' => Family::Evaluation,
            b'6' => Family::Sessions,
            b'7' => Family::Experiments,
            b'8' => Family::Runs,
            _ => Family::Formulas,
        }
    }

    /// Returns `true` for warnings about names that nothing uses, which mended mistakes may still come to use.
    #[must_use]
    pub fn is_about_unused_names(self) -> bool {
        matches!(self, Self::W203 | Self::W204 | Self::W401 | Self::W402)
    }

    /// Returns `true` for mistakes in the keys of a context block, E420 to E424: they stand whatever its laws say.
    #[must_use]
    pub fn is_about_context_keys(self) -> bool {
        matches!(self, Self::E420 | Self::E421 | Self::E422 | Self::E423 | Self::E424)
    }
}

/// Comparison with the text that users see, for tests and tools; the engine compares codes.
impl PartialEq<&str> for Code {
    fn eq(&self, text: &&str) -> bool {
        self.as_str() == *text
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_back_and_find_their_entry() {
        for (index, entry) in CATALOGUE.iter().enumerate() {
            assert_eq!(entry.code as usize, index);
            assert_eq!(entry.code.entry().title, entry.title);
            assert_eq!(Code::parse(&entry.code.as_str().to_lowercase()), Some(entry.code));
        }
        assert_eq!(Code::parse("E999"), None);
        assert_eq!((Code::E201.family(), Code::W753.family()), (Family::Names, Family::Experiments));
        assert!(Code::W753.is_warning() && !Code::E201.is_warning());
    }
}

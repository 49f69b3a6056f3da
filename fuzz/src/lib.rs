//! Every reader of text or bytes from outside, as a function of any bytes that must not panic.
//!
//! The fuzzer calls them (`make fuzz`), and so does a test of `make test`, on the stored corpus and on
//! mutations of it.

pub mod experiment;
pub mod formula;
pub mod keyframe;
pub mod lang_check;
pub mod lang_syntax;
pub mod mechanism_states;
pub mod mjcf;
pub mod mutate;
pub mod obj;
pub mod over;
pub mod recording;
pub mod session;
pub mod setting;
pub mod states;
pub mod stl;
pub mod symbolic;

/// A reader, and the function that gives bytes to it.
pub type Target = (&'static str, fn(&[u8]));

/// All readers; the corpus of each is the folder of its name.
pub const TARGETS: [Target; 15] = [
    ("stl", stl::run),
    ("obj", obj::run),
    ("lang_syntax", lang_syntax::run),
    ("lang_check", lang_check::run),
    ("symbolic", symbolic::run),
    ("experiment", experiment::run),
    ("recording", recording::run),
    ("session", session::run),
    ("formula", formula::run),
    ("setting", setting::run),
    ("over", over::run),
    ("keyframe", keyframe::run),
    ("states", states::run),
    ("mechanism_states", mechanism_states::run),
    ("mjcf", mjcf::run),
];

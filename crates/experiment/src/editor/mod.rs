//! Editor support: completion, hover, formulas and numbers of a text that is being written.
//!
//! [`formulas()`] are the laws as mathematics, [`numbers()`] everything that a slider could move,
//! [`complete()`] what can stand at the cursor, [`hover()`] what the word there means. All are functions of
//! the text alone, and all take a text that is being written: nothing in it need be right, and what cannot be
//! understood is passed over. Places are bytes of the text.

mod built_in_names;
mod complete;
mod cursor;
mod declarations;
mod expressions;
mod formulas;
mod hover;
mod keywords;
mod lagrangian_names;
mod numbers;
mod snippets;
mod tokens;

pub use complete::{Completions, Item, ItemKind, complete};
pub use formulas::{Formula, formulas, library_formulas};
pub use hover::{Hover, hover};
pub use numbers::{Number, Owner, numbers};

//! Every law of a text as mathematics, in the order of the text.

use super::declarations::{name_of, parsed};
use gedanken_lang::syntax::Dialect;
use gedanken_lang::syntax::tree::{Block, Definition, Item, Name, Value};
use gedanken_lang::typeset::mathml;

/// A law, a function that laws use, an energy, or the value of a measure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// The name of the block it stands in, `flight`; of a library, its path. Empty if the block has none yet.
    pub block: String,
    /// Keyword of the block: `context`, `rule`, `event`, `lagrangian`, `measure`; `import` for a library.
    pub block_kind: String,
    /// Name that is defined; `value` in a measure.
    pub name: String,
    /// Its first byte in the text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// A `<math>` element. A measure is called by its name there, a position and an orientation by what they are
    /// and whose.
    pub mathml: String,
}

/// The formulas of an experiment.
pub fn formulas(text: &str) -> Vec<Formula> {
    let mut found = Vec::new();
    for item in &parsed(text, Dialect::Experiment).items {
        let Item::Block(block) = item else { continue };
        for entry in &block.entries {
            match (&entry.value, entry.key.text.as_str(), block.keyword.text.as_str()) {
                (Value::Definitions(definitions), "functions", _) => {
                    found.extend(definitions.iter().map(|it| formula(block, it, it)));
                }
                (
                    Value::Definitions(definitions),
                    "forces" | "constraints" | "velocity_constraints" | "stops",
                    "lagrangian",
                ) => {
                    found.extend(definitions.iter().map(|it| formula(block, it, it)));
                }
                (Value::Definitions(definitions), "positions", "lagrangian") => {
                    found.extend(definitions.iter().map(|it| formula(block, it, &of_object("position", it))));
                }
                (Value::Definitions(definitions), "orientations", "lagrangian") => {
                    found.extend(
                        definitions.iter().map(|it| formula(block, it, &of_object("orientation", it))),
                    );
                }
                (Value::Expression(body), "T" | "V" | "L" | "H" | "dissipation", "lagrangian") => {
                    let energy = Definition {
                        name: entry.key.clone(),
                        prime: None,
                        params: Vec::new(),
                        body: body.clone(),
                        span: entry.key.span.to(body.span),
                    };
                    found.push(formula(block, &energy, &energy));
                }
                (Value::Expression(body), "value", "measure") => {
                    let name = block.name.clone().unwrap_or_else(|| entry.key.clone());
                    let span = entry.key.span.to(body.span);
                    let of = |name: Name| Definition {
                        name,
                        prime: None,
                        params: Vec::new(),
                        body: body.clone(),
                        span,
                    };
                    found.push(formula(block, &of(entry.key.clone()), &of(name)));
                }
                _ => {}
            }
        }
    }
    found
}

/// The formulas of a library of functions that stands at `path`, such as an experiment imports.
pub fn library_formulas(path: &str, text: &str) -> Vec<Formula> {
    let definitions = parsed(text, Dialect::Library).into_definitions();
    definitions.iter().map(|it| of_block(path, "import", it, it)).collect()
}

/// The definition of a quantity of an object, with the object as its index: an object has both a position and an
/// orientation, and its name alone would be defined twice.
fn of_object(quantity: &str, written: &Definition) -> Definition {
    let mut shown = written.clone();
    shown.name.text = format!("{quantity}_{}", written.name.text);
    shown
}

fn formula(block: &Block, written: &Definition, shown: &Definition) -> Formula {
    of_block(&name_of(block), &block.keyword.text, written, shown)
}

fn of_block(block: &str, kind: &str, written: &Definition, shown: &Definition) -> Formula {
    Formula {
        block: block.to_owned(),
        block_kind: kind.to_owned(),
        name: written.name.text.clone(),
        start: written.span.start as usize,
        end: written.span.end as usize,
        mathml: mathml::definition(shown),
    }
}

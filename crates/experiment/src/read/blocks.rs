//! Blocks of a file by kind, and the blocks that were read by name.

use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Block, Name};
use std::collections::{BTreeMap, BTreeSet};

/// Names of the blocks of one kind, each with its index in the experiment unless the block has a mistake.
pub(crate) type BlockNames = BTreeMap<String, Option<usize>>;

/// Blocks of a file by kind.
#[derive(Default)]
pub(crate) struct Blocks<'b> {
    pub(crate) world: Option<&'b Block>,
    pub(crate) objects: Vec<&'b Block>,
    pub(crate) contexts: Vec<&'b Block>,
    pub(crate) simulations: Vec<&'b Block>,
    pub(crate) measures: Vec<&'b Block>,
    pub(crate) rules: Vec<&'b Block>,
    pub(crate) materials: Vec<&'b Block>,
    pub(crate) force_laws: Vec<&'b Block>,
    pub(crate) joints: Vec<&'b Block>,
    pub(crate) lagrangians: Vec<&'b Block>,
    pub(crate) views: Vec<&'b Block>,
}

impl<'b> Blocks<'b> {
    pub(crate) fn sort(blocks: &'b [Block], diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut sorted = Self::default();
        for block in blocks {
            match (block.keyword.text.as_str(), sorted.world) {
                ("world attributes", None) => sorted.world = Some(block),
                ("world attributes", Some(first)) => diagnostics.push(
                    Diagnostic::new(
                        Code::E703,
                        block.keyword.span,
                        "there is one world, and its attributes are given twice",
                    )
                    .label("again here")
                    .also(first.keyword.span, "first here")
                    .help("put everything into one of the two blocks"),
                ),
                ("object", _) => sorted.objects.push(block),
                ("context", _) => sorted.contexts.push(block),
                ("simulation", _) => sorted.simulations.push(block),
                ("measure", _) => sorted.measures.push(block),
                ("rule" | "event", _) => sorted.rules.push(block),
                // The parser has reported unknown blocks.
                ("material", _) => sorted.materials.push(block),
                ("force" | "potential" | "constraint", _) => sorted.force_laws.push(block),
                ("joint", _) => sorted.joints.push(block),
                ("lagrangian", _) => sorted.lagrangians.push(block),
                ("view", _) => sorted.views.push(block),
                _ => {}
            }
        }
        sorted
    }

    /// The names of measures, with or without a mistake.
    pub(crate) fn measure_names(&self) -> BTreeSet<String> {
        self.measures.iter().filter_map(|it| it.name.as_ref()).map(|name| name.text.clone()).collect()
    }
}

/// Names of the blocks of one kind, and those without a mistake, sorted by name. Reports names that two
/// blocks have.
pub(crate) fn named<T>(
    what: &str,
    read: Vec<(Name, Option<T>)>,
    name: impl Fn(&T) -> &String,
    diagnostics: &mut Vec<Diagnostic>,
) -> (BlockNames, Vec<T>) {
    let (names, items): (Vec<Name>, Vec<Option<T>>) = read.into_iter().unzip();
    unique(what, names.iter(), diagnostics);
    let items = in_order(items.into_iter().flatten(), &name);
    (indexed(names.iter().map(|it| &it.text), &items, name), items)
}

/// Reports names that two blocks have. Blocks without a name have been reported.
pub(crate) fn unique<'n>(
    what: &str,
    names: impl Iterator<Item = &'n Name>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for name in names.filter(|name| !name.text.is_empty()) {
        let first = *seen.entry(&name.text).or_insert(name.span);
        if first != name.span {
            let message = format!("there are two {what}s called `{}`", name.text);
            diagnostics.push(
                Diagnostic::new(Code::E703, name.span, message)
                    .label("again here")
                    .also(first, "first here")
                    .help("rename one of the two"),
            );
        }
    }
}

/// Items sorted by name, each name once: a second block of a name has been reported.
pub(crate) fn in_order<T>(items: impl Iterator<Item = T>, name: impl Fn(&T) -> &String) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_by(|a, b| name(a).cmp(name(b)));
    items.dedup_by(|a, b| name(a) == name(b));
    items
}

/// Index of each block that was written, by name; `None` if something is wrong with the block.
pub(crate) fn indexed<'n, T>(
    written: impl IntoIterator<Item = &'n String>,
    items: &[T],
    name: impl Fn(&T) -> &String,
) -> BlockNames {
    let place = |written: &String| items.binary_search_by(|item| name(item).cmp(written)).ok();
    written.into_iter().filter(|it| !it.is_empty()).map(|it| (it.clone(), place(it))).collect()
}

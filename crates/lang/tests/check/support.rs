//! Support of the tests of the checker: from text to what was said about it, in one line for each thing said.

use gedanken_lang::check::{
    Checked, ContextKind, Library, NamedObject, Participant, Signature, check_context, check_expression,
    check_library, context_kind, infer_type,
};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::{Sources, Span};
use gedanken_lang::syntax::tree::{Block, Definition, Expr, Item, Value};
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::types::Type;
use std::fmt::Write;

/// The definitions of a text that parses. What it imports is not there.
pub(crate) fn definitions(text: &str) -> (Sources, Vec<Definition>) {
    let mut sources = Sources::new();
    let id = sources.add("text", text);
    let (file, diagnostics) = parse(&sources, id, Dialect::Library);
    assert_eq!(diagnostics, [], "{text}");
    let definitions = file
        .items
        .into_iter()
        .filter_map(|item| match item {
            Item::Definition(definition) => Some(definition),
            Item::Import(_) => None,
            other => panic!("{other:?} is not a definition"),
        })
        .collect();
    (sources, definitions)
}

/// Checks a library without imports.
pub(crate) fn library(text: &str) -> (Sources, Result<Checked, Vec<Diagnostic>>) {
    let (sources, definitions) = definitions(text);
    let checked = check_library(&definitions, &Library::default());
    (sources, checked)
}

/// Returns what is said about a library.
pub(crate) fn said_of_library(text: &str) -> String {
    let (sources, checked) = library(text);
    said(&sources, &diagnostics(checked))
}

/// Errors and warnings.
pub(crate) fn diagnostics(checked: Result<Checked, Vec<Diagnostic>>) -> Vec<Diagnostic> {
    match checked {
        Ok(checked) => checked.warnings,
        Err(diagnostics) => diagnostics,
    }
}

/// An experiment with what its contexts are checked against.
pub(crate) struct Lab {
    pub(crate) sources: Sources,
    pub(crate) signature: Signature,
    pub(crate) contexts: Vec<Block>,
    pub(crate) library: Library,
}

impl Lab {
    pub(crate) fn new(text: &str) -> Self {
        let mut sources = Sources::new();
        let id = sources.add("text", text);
        let (file, diagnostics) = parse(&sources, id, Dialect::Experiment);
        assert_eq!(diagnostics, [], "{text}");
        let mut lab = Self {
            sources,
            signature: Signature::default(),
            contexts: Vec::new(),
            library: Library::default(),
        };
        for item in file.items {
            match item {
                Item::Block(block) if block.keyword.text == "object" => lab.object(&block),
                Item::Block(block) if block.keyword.text == "context" => lab.contexts.push(block),
                Item::Block(block) if block.keyword.text == "world attributes" => {
                    for entry in &block.entries {
                        let Value::Expression(value) = &entry.value else { panic!("{entry:?}") };
                        lab.signature.world.push((entry.key.text.clone(), type_of(value)));
                    }
                }
                Item::Definition(definition) => lab.library.definitions.push(definition),
                _ => {}
            }
        }
        lab
    }

    /// An experiment whose contexts may call the functions of `library`.
    pub(crate) fn with_library(text: &str, library: &str) -> Self {
        let mut lab = Self::new(text);
        let id = lab.sources.add("library", library);
        let (file, diagnostics) = parse(&lab.sources, id, Dialect::Library);
        assert_eq!(diagnostics, []);
        lab.library.definitions.extend(file.into_definitions());
        lab
    }

    fn object(&mut self, block: &Block) {
        let mut object = Participant::default();
        let mut name = String::new();
        for entry in &block.entries {
            match (entry.key.text.as_str(), &entry.value) {
                ("name", Value::Words(words)) => name = words.text.clone(),
                ("physical_type", Value::Words(words)) => object.is_static = words.text == "static",
                ("attributes", Value::Definitions(attributes)) => {
                    object.attributes =
                        attributes.iter().map(|it| (it.name.text.clone(), type_of(&it.body))).collect();
                }
                _ => {}
            }
        }
        object.synonyms = vec![("pos".to_owned(), "position".to_owned())];
        if object.attributes.contains(&("size".to_owned(), Type::Real)) {
            object.synonyms.push(("radius".to_owned(), "size".to_owned()));
        }
        std::sync::Arc::make_mut(&mut self.signature.named)
            .push(NamedObject { name, object: object.clone() });
        self.signature.participants.push(object);
    }

    /// Checks a context for as many of the objects as its kind takes.
    pub(crate) fn check(&self, context: usize) -> Result<Checked, Vec<Diagnostic>> {
        let block = &self.contexts[context];
        let mut signature = self.signature.clone();
        match context_kind(block) {
            Some(ContextKind::FreeFall) => signature.participants.truncate(1),
            Some(ContextKind::Collision) => signature.participants.truncate(2),
            _ => {}
        }
        check_context(block, &signature, &self.library)
    }

    /// Returns what is said about the first context.
    pub(crate) fn said(&self) -> String {
        said(&self.sources, &diagnostics(self.check(0)))
    }
}

fn type_of(value: &Expr) -> Type {
    let (program, id) = check_expression(value, &[]).unwrap();
    infer_type(&program, id)
}

/// Returns what is said about the first context of an experiment.
pub(crate) fn said_of_lab(text: &str) -> String {
    Lab::new(text).said()
}

/// Two objects and a context whose entries are `body`; `first` and `second` are `static` or `dynamic`.
pub(crate) fn pair(kind: &str, first: &str, second: &str, body: &str) -> String {
    let object = |name: &str, physical: &str| {
        format!(
            "object {{ name = {name} physical type = {physical} geometrical type = sphere
               attributes = {{ position = [0,0,0] orientation = [0,0,0] size = 1 v = [1,0,0] mass = 2 }} }}\n"
        )
    };
    let (first, second) = (object("first", first), object("second", second));
    format!(
        "world attributes {{ t = 0 a = [0,0,-9.81] }}\n{first}{second}context {{ name = c type = {kind}\n{body}\n}}"
    )
}

/// Returns what is said about a free fall with these entries.
pub(crate) fn said_of_fall(body: &str) -> String {
    said_of_lab(&pair("free fall", "dynamic", "dynamic", body))
}

/// Returns what is said about a collision of two dynamic objects with these entries.
pub(crate) fn said_of_collision(body: &str) -> String {
    said_of_lab(&pair("collision", "dynamic", "dynamic", body))
}

/// Each diagnostic as `CODE line:column `text` message`, and its parts below.
pub(crate) fn said(sources: &Sources, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    let place = |span: Span| {
        let slice = sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
        let slice = if slice.chars().count() > 50 {
            format!("{}…", slice.chars().take(50).collect::<String>())
        } else {
            slice
        };
        format!("{} `{slice}`", sources.position(span))
    };
    for it in diagnostics {
        writeln!(text, "{} {}: {}", it.code, place(it.primary.span), it.message).unwrap();
        if !it.primary.text.is_empty() {
            writeln!(text, "  here: {}", it.primary.text).unwrap();
        }
        for label in &it.secondary {
            writeln!(text, "  also {}: {}", place(label.span), label.text).unwrap();
        }
        for note in &it.notes {
            writeln!(text, "  note: {note}").unwrap();
        }
        if let Some(help) = &it.help {
            writeln!(text, "  help: {help}").unwrap();
        }
        if let Some(edit) = &it.edit {
            writeln!(text, "  edit {} -> `{}`", place(edit.span), edit.replacement.trim()).unwrap();
        }
    }
    text
}

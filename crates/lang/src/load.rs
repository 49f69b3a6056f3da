//! Reading definitions from files, all or nothing.
//!
//! A file may import others; what it imports comes before its own definitions, so that its own win. Each file
//! is read once per `import`, however many others name it, and files may name each other in a circle. Paths
//! inside a file count from the folder of that file.

use super::session::{Files, definition_heads};
use crate::check::{Library, check_library};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Sources};
use crate::syntax::tree::{Block, Definition, FileName, Item};
use crate::syntax::{self, Dialect};
use std::collections::{HashMap, HashSet};
use std::path::{Component, Path, PathBuf};

/// Files that import files that import files: beyond this there must be a mistake.
const MOST_NESTED: usize = 64;

/// The definitions of a file and of all it imports, and warnings; or every error in them.
pub(crate) fn load(
    files: &impl Files,
    sources: &mut Sources,
    file: &FileName,
) -> Result<(Vec<Definition>, Vec<Diagnostic>), Vec<Diagnostic>> {
    let read = |path: &str| files.read(path);
    let mut loader = Loader::new(&read, sources);
    loader.load(file, Path::new(""), 0);
    let (definitions, _, mut diagnostics) = loader.finish();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(definition_heads::diagnostics(&definitions, Vec::new()));
    }
    if diagnostics.iter().any(Diagnostic::is_error) {
        Err(diagnostics)
    } else {
        Ok((definitions, diagnostics))
    }
}

/// Everything that is wrong, or probably not meant, in a file with the text `text` and in all it imports. The
/// functions of contexts are not looked at: what their names mean depends on the objects of the experiment.
pub fn check_text(
    files: &impl Files,
    sources: &mut Sources,
    path: &str,
    text: String,
    dialect: Dialect,
) -> Vec<Diagnostic> {
    load_text(&|path| files.read(path), sources, path, text, dialect).diagnostics
}

/// Definitions and blocks of a text and of all it imports.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The text itself.
    pub source: SourceId,
    /// The blocks of the text, in its order.
    pub blocks: Vec<Block>,
    /// The functions of the text and of all it imports.
    pub library: Library,
    /// Mistakes and warnings, as far as they can be told without looking into blocks.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a text that stands at `path`, and with `read` all it imports.
pub fn load_text(
    read: &dyn Fn(&str) -> Result<String, String>,
    sources: &mut Sources,
    path: &str,
    text: String,
    dialect: Dialect,
) -> Loaded {
    let path = plain(Path::new(path));
    let mut loader = Loader::new(read, sources);
    loader.seen.insert(path.clone());
    let source = loader.read(&path, text, dialect, 0);
    let (definitions, blocks, mut diagnostics) = loader.finish();
    match check_library(&definitions, &Library::default()) {
        Ok(checked) => diagnostics.extend(checked.warnings),
        Err(found) => diagnostics.extend(found),
    }
    Loaded { source, blocks, library: Library { definitions }, diagnostics }
}

struct Loader<'a> {
    files: &'a dyn Fn(&str) -> Result<String, String>,
    sources: &'a mut Sources,
    /// Paths of files read or being read.
    seen: HashSet<PathBuf>,
    /// In the order they are read; `None` where another file has replaced one.
    definitions: Vec<Option<Definition>>,
    /// Indices of the definitions of each name that have not been replaced.
    by_name: HashMap<String, Vec<usize>>,
    /// Of the outermost text: libraries have none.
    blocks: Vec<Block>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Loader<'a> {
    fn new(files: &'a dyn Fn(&str) -> Result<String, String>, sources: &'a mut Sources) -> Self {
        let (seen, definitions, by_name, blocks, diagnostics) = Default::default();
        Self { files, sources, seen, definitions, by_name, blocks, diagnostics }
    }

    fn finish(self) -> (Vec<Definition>, Vec<Block>, Vec<Diagnostic>) {
        (self.definitions.into_iter().flatten().collect(), self.blocks, self.diagnostics)
    }

    fn load(&mut self, file: &FileName, folder: &Path, depth: usize) {
        let path = plain(&folder.join(&file.path));
        if !self.seen.insert(path.clone()) {
            return;
        }
        let name = path.to_string_lossy().into_owned();
        let refuse = |why: String| {
            Diagnostic::new(Code::E602, file.path_span, format!("`{name}` cannot be imported: {why}"))
        };
        if path.extension().is_some_and(|extension| extension == "lab") {
            let help = "put the functions into a `.vfl` file that both the experiment and the session import";
            self.diagnostics
                .push(refuse("it is an experiment, not a library of functions".to_owned()).help(help));
            return;
        }
        if depth == MOST_NESTED {
            self.diagnostics.push(refuse(format!("files import files more than {MOST_NESTED} deep")));
            return;
        }
        let text = match (self.files)(&name) {
            Ok(text) => text,
            Err(why) => {
                let help = "the path starts at the folder of the file that imports it; in a session, at the folder where it was started";
                return self.diagnostics.push(refuse(why).help(help));
            }
        };
        self.read(&path, text, Dialect::Library, depth);
    }

    fn read(&mut self, path: &Path, text: String, dialect: Dialect, depth: usize) -> SourceId {
        let source = self.sources.add(path.to_string_lossy(), text);
        let (tree, diagnostics) = syntax::parse(self.sources, source, dialect);
        self.diagnostics.extend(diagnostics);
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let mut own = Vec::new();
        for item in tree.items {
            match item {
                Item::Definition(definition) => own.push(definition),
                Item::Import(inner) => self.load(&inner, &folder, depth + 1),
                Item::Block(block) => self.blocks.push(block),
                // The parsers of libraries and experiments have refused them.
                Item::Export(_) | Item::Evaluate(_) => {}
            }
        }
        // A file's own definition wins over one it imports. Two of one name in the same file stay: that is a
        // mistake.
        for replaced in own.iter().filter_map(|new| self.by_name.remove(&new.name.text)).flatten() {
            self.definitions[replaced] = None;
        }
        for definition in own {
            self.by_name.entry(definition.name.text.clone()).or_default().push(self.definitions.len());
            self.definitions.push(Some(definition));
        }
        source
    }
}

/// A path without `.` and, where it can be told from the text, without `..`: so that one file has one name.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_name() {
        for (path, expected) in [
            ("./a.vfl", "a.vfl"),
            ("x/../a.vfl", "a.vfl"),
            ("../a.vfl", "../a.vfl"),
            ("/x/./y/../a.vfl", "/x/a.vfl"),
        ] {
            assert_eq!(plain(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}

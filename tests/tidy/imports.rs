//! Imports: files of a crate may need each other in small circles only, and folders stay small enough to scan.
//!
//! A file needs another if a `use` of it, or a path in its code, begins with `crate`, `super`, `self` or a child module
//! and leads there. Re-exports count. Tests do not: files named `tests`, and what stands behind `#[cfg(test)]`.
//! `tools/import-cycles` prints the table, and for one crate the circles themselves.

use crate::repository::{File, expect_none, files};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of files that need each other in a circle.
const LARGEST_CYCLE: usize = 15;
/// Maximum number of files and folders in a folder of sources.
const MOST_SIBLINGS: usize = 20;

/// Path of a module inside its crate; empty for the root.
type Module = Vec<String>;

/// Modules of one crate, each with its file and its source without comments, texts and tests.
struct Sources {
    modules: BTreeMap<Module, (String, String)>,
}

#[test]
fn files_need_each_other_in_small_circles_only() {
    let shown = std::env::var_os("IMPORT_CYCLES_OF");
    let mut offenders = Vec::new();
    for (name, sources) in crates() {
        let needs = sources.needs();
        let cycles = cycles(&needs);
        let largest = cycles.first().map_or(1, Vec::len);
        println!("{name:12} {:4} files, largest circle {largest:3}", sources.modules.len());
        if largest > LARGEST_CYCLE {
            offenders.push(format!("crates/{name}: {largest} files in a circle, at most {LARGEST_CYCLE}"));
        }
        if shown.as_ref().is_some_and(|it| *it == *name) {
            print!("{}", shown_cycles(&sources, &needs, &cycles));
        }
    }
    expect_none(
        &offenders,
        "define what children import in a file of its own, import from where a thing is defined, and let `mod.rs` \
         and `lib.rs` only document and re-export; `tools/import-cycles CRATE` prints the circles.",
    );
}

#[test]
fn no_folder_of_sources_has_too_many_siblings() {
    let mut siblings: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in files().iter().filter(|file| file.path.contains("/src/")) {
        let parts: Vec<&str> = file.path.split('/').collect();
        for depth in 1..parts.len() {
            siblings.entry(parts[..depth].join("/")).or_default().insert(parts[depth].to_owned());
        }
    }
    // One explanation per code: a list to look up in, not a folder to read.
    let scanned = |folder: &str| !folder.ends_with("diagnostic/explain");
    let crowded = siblings.iter().filter(|(folder, all)| scanned(folder) && all.len() > MOST_SIBLINGS);
    let offenders: Vec<String> =
        crowded.map(|(folder, all)| format!("{folder}: {} siblings", all.len())).collect();
    expect_none(&offenders, "group files by subject into folders.");
}

/// The circles of a crate as text: for each file, the files of the same circle that it needs.
fn shown_cycles(
    sources: &Sources,
    needs: &BTreeMap<Module, BTreeSet<Module>>,
    cycles: &[Vec<Module>],
) -> String {
    let mut text = String::new();
    for cycle in cycles.iter().filter(|cycle| cycle.len() > 1) {
        text += &format!("-- {} files\n", cycle.len());
        for module in cycle {
            let inside = needs[module].iter().filter(|it| cycle.contains(it));
            let inside: Vec<&str> = inside.map(|it| sources.modules[it].0.as_str()).collect();
            text += &format!("   {} -> {}\n", sources.modules[module].0, inside.join(", "));
        }
    }
    text
}

/// Sources of every crate below `crates`.
fn crates() -> BTreeMap<String, Sources> {
    let mut crates: BTreeMap<String, Sources> = BTreeMap::new();
    for File { path, text } in files() {
        let Some((name, inside)) = path
            .strip_prefix("crates/")
            .and_then(|rest| rest.split_once("/src/"))
            .filter(|it| it.1.ends_with(".rs"))
        else {
            continue;
        };
        let mut module: Module = inside.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        if module.iter().any(|part| part == "tests") {
            continue;
        }
        if matches!(module.last().map(String::as_str), Some("mod")) || module == ["lib"] || module == ["main"]
        {
            module.pop();
        }
        let sources = crates.entry(name.to_owned()).or_insert_with(|| Sources { modules: BTreeMap::new() });
        sources.modules.insert(module, (inside.to_owned(), code_of(&text)));
    }
    crates
}

impl Sources {
    /// The modules that each module needs.
    fn needs(&self) -> BTreeMap<Module, BTreeSet<Module>> {
        let of = |module: &Module, code: &str| {
            let paths = paths_of(code, |head| self.modules.contains_key(&child(module, head)));
            let found = paths.iter().filter_map(|path| self.deepest(module, path));
            found.filter(|it| it != module).collect()
        };
        self.modules.iter().map(|(module, (_, code))| (module.clone(), of(module, code))).collect()
    }

    /// The deepest module on a path as it is written in `module`.
    fn deepest(&self, module: &Module, path: &[String]) -> Option<Module> {
        let mut absolute: Module = match path.first()?.as_str() {
            "crate" => Vec::new(),
            _ => module.clone(),
        };
        for part in path.iter().filter(|part| *part != "crate" && *part != "self") {
            if part == "super" {
                absolute.pop()?;
            } else {
                absolute.push(part.clone());
            }
        }
        while !self.modules.contains_key(&absolute) {
            absolute.pop()?;
        }
        Some(absolute)
    }
}

fn child(module: &Module, name: &str) -> Module {
    module.iter().cloned().chain([name.to_owned()]).collect()
}

/// Code without comments, texts and `#[cfg(test)]` modules.
fn code_of(text: &str) -> String {
    let mut code = String::new();
    for line in text.lines() {
        // Quotes in a character literal would look like the start of a text.
        let line = line.replace("'\"'", "' '").replace("\\\"", "");
        for (number, part) in line.split('"').enumerate() {
            if number % 2 == 0 {
                let end = part.find("//");
                code += &part[..end.unwrap_or(part.len())];
                if end.is_some() {
                    break;
                }
            }
        }
        code.push('\n');
    }
    while let Some(at) = code.find("#[cfg(test)]\nmod ") {
        let end = code[at..].find("\n}").map_or(code.len(), |it| at + it + 2);
        let whole = code[at..]
            .split_once('\n')
            .is_some_and(|(_, rest)| rest.lines().next().is_some_and(|it| it.ends_with('{')));
        let end = if whole { end } else { at + "#[cfg(test)]\nmod ".len() };
        code.replace_range(at..end, "");
    }
    code
}

/// All paths of our own that stand in code: of `use` trees, each leaf of them, and of qualified names.
fn paths_of(code: &str, is_child: impl Fn(&str) -> bool) -> Vec<Vec<String>> {
    let ours = |head: &str| ["crate", "super", "self"].contains(&head) || is_child(head);
    let mut paths = Vec::new();
    let mut rest = String::new();
    let mut remaining = code;
    while let Some(at) = find_use(remaining) {
        let (before, statement) = remaining.split_at(at);
        rest += before;
        let end = statement.find(';').unwrap_or(statement.len());
        leaves(statement[4..end].trim(), &[], &mut paths);
        remaining = &statement[end..];
    }
    rest += remaining;
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for word in rest.split(|c: char| !is_part(c)).filter(|word| word.contains("::")) {
        let path: Vec<String> = word.split("::").take_while(|it| !it.is_empty()).map(str::to_owned).collect();
        paths.push(path);
    }
    paths.retain(|path| path.len() > 1 && path.first().is_some_and(|head| ours(head)));
    paths
}

/// Byte offset of the next `use` statement.
fn find_use(code: &str) -> Option<usize> {
    let begins = |at: &usize| {
        let line = &code[code[..*at].rfind('\n').map_or(0, |it| it + 1)..*at];
        line.trim().is_empty() || line.trim_start().starts_with("pub")
    };
    code.match_indices("use ").map(|(at, _)| at).find(begins)
}

/// Every path of a `use` tree.
fn leaves(tree: &str, before: &[String], paths: &mut Vec<Vec<String>>) {
    let (head, group) = match tree.split_once('{') {
        Some((head, group)) => {
            let group = group.trim_end();
            (head, Some(group.strip_suffix('}').unwrap_or(group)))
        }
        None => (tree, None),
    };
    let named = head.split(" as ").next().unwrap_or(head);
    let parts = named.split("::").map(str::trim).filter(|part| !part.is_empty());
    let path: Vec<String> = before.iter().cloned().chain(parts.map(str::to_owned)).collect();
    let Some(group) = group else {
        paths.push(path);
        return;
    };
    let (mut depth, mut start) = (0, 0);
    for (at, c) in group.char_indices().chain([(group.len(), ',')]) {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                let part = group[start..at.min(group.len())].trim();
                if !part.is_empty() {
                    leaves(part, &path, paths);
                }
                start = at + 1;
            }
            _ => (),
        }
    }
}

/// Modules that need each other in a circle, largest circles first: Tarjan's strongly connected components.
fn cycles(needs: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<Vec<Module>> {
    /// State of the walk.
    struct Walk<'n> {
        needs: &'n BTreeMap<Module, BTreeSet<Module>>,
        index: BTreeMap<&'n Module, usize>,
        low: BTreeMap<&'n Module, usize>,
        stack: Vec<&'n Module>,
        found: Vec<Vec<Module>>,
    }
    fn visit<'n>(walk: &mut Walk<'n>, module: &'n Module) {
        let number = walk.index.len();
        walk.index.insert(module, number);
        walk.low.insert(module, number);
        walk.stack.push(module);
        let needs = walk.needs;
        for next in &needs[module] {
            let reached = if let Some(&index) = walk.index.get(next) {
                if !walk.stack.contains(&next) {
                    continue;
                }
                index
            } else {
                visit(walk, next);
                walk.low[next]
            };
            let low = walk.low[module].min(reached);
            walk.low.insert(module, low);
        }
        if walk.low[module] == number {
            let at = walk.stack.iter().position(|it| *it == module).expect("it was pushed above");
            let component = walk.stack.split_off(at).into_iter().cloned().collect();
            walk.found.push(component);
        }
    }
    let mut walk =
        Walk { needs, index: BTreeMap::new(), low: BTreeMap::new(), stack: Vec::new(), found: Vec::new() };
    for module in needs.keys() {
        if !walk.index.contains_key(module) {
            visit(&mut walk, module);
        }
    }
    walk.found.sort_by_key(|cycle| std::cmp::Reverse(cycle.len()));
    walk.found
}

#[test]
fn paths_are_found_in_use_trees_and_in_code() {
    let code = code_of(
        "use crate::a::{B, c::{D, self}};\npub use child::E; // use crate::no\nlet x = super::f::g(\"crate::n\");\n\
         #[cfg(test)]\nmod tests {\n    use super::h;\n}\n",
    );
    let mut found: Vec<String> =
        paths_of(&code, |head| head == "child").iter().map(|it| it.join("::")).collect();
    found.sort();
    assert_eq!(found, ["child::E", "crate::a::B", "crate::a::c::D", "crate::a::c::self", "super::f::g"]);
}

#[test]
fn circles_are_found() {
    let module = |name: &str| vec![name.to_owned()];
    let needs = |list: &[(&str, &[&str])]| {
        list.iter().map(|(name, all)| (module(name), all.iter().map(|it| module(it)).collect())).collect()
    };
    let found = cycles(&needs(&[("a", &["b"]), ("b", &["c"]), ("c", &["a", "d"]), ("d", &[])]));
    assert_eq!(found.iter().map(Vec::len).collect::<Vec<_>>(), [3, 1]);
}

//! The programs printed in the thesis that the language comes from (@silva2018), in a hand transcription:
//! each file says where it was printed, how it departs from the stored copy, and what is expected of it.
//!
//! `parses`: no mistake of syntax; the text is a fragment, or a context whose functions come in later
//! listings. `checks`: the context also checks, with the attributes that the thesis gives its objects.
//! `E112 at 23:13`: exactly this, there: the slip that was printed. One listing has several, each with its
//! own message.

use gedanken_lang::check::{ContextKind, Library, Participant, Signature, check_context, context_kind};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::source::{SourceId, Sources};
use gedanken_lang::syntax::tree::{File, Item};
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::types::Type;
use std::path::PathBuf;

/// An object of chapter 5.
fn object(is_static: bool) -> Participant {
    let vector = Type::vector(3);
    let attributes = [
        ("position", vector.clone()),
        ("orientation", vector.clone()),
        ("size", vector.clone()),
        ("v", vector.clone()),
        ("a_v", vector),
        ("mass", Type::Real),
        ("inertia_tensor", Type::matrix(3, 3)),
    ];
    Participant {
        is_static,
        attributes: attributes.map(|(name, ty)| (name.to_owned(), ty)).to_vec(),
        synonyms: vec![("pos".to_owned(), "position".to_owned())],
    }
}

fn signature(participants: Vec<Participant>) -> Signature {
    let world = [
        ("t", Type::Real),
        ("a", Type::vector(3)),
        ("restitution_coefficient", Type::Real),
        ("friction_coefficient", Type::Real),
    ];
    Signature {
        world: world.map(|(name, ty)| (name.to_owned(), ty)).to_vec(),
        participants,
        ..Signature::default()
    }
}

/// The errors in all contexts of a file, each once.
fn errors_of_contexts(file: &File, sources: &Sources, source: SourceId) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for item in &file.items {
        let Item::Block(block) = item else { continue };
        let Some(kind) = context_kind(block) else { continue };
        let two_dynamic = sources.text(source).contains("of object with index 1");
        let participants = match kind {
            ContextKind::FreeFall => vec![object(false)],
            ContextKind::Collision => vec![object(false), object(!two_dynamic)],
            ContextKind::Contact => vec![object(false), object(true)],
        };
        if let Err(found) = check_context(block, &signature(participants), &Library::default()) {
            // The wrong index of an alias can only be guessed at, so that it is a warning.
            errors.extend(found.into_iter().filter(|found| found.is_error() || found.code == "W404"));
        }
    }
    errors
}

fn programs() -> Vec<PathBuf> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/thesis");
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[test]
fn every_printed_program_parses_or_meets_one_message_at_its_slip() {
    let mut wrong = Vec::new();
    for path in programs() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        let expected = text.lines().find_map(|line| line.strip_prefix("// expect: ")).unwrap().to_owned();
        let dialect = match path.extension().and_then(|extension| extension.to_str()) {
            Some("vfl") => Dialect::Library,
            Some("lab") => Dialect::Experiment,
            _ => Dialect::Session,
        };
        let mut sources = Sources::new();
        let source = sources.add(name.clone(), text);
        let (file, mut errors) = parse(&sources, source, dialect);
        errors.retain(Diagnostic::is_error);
        if expected != "parses" {
            errors.extend(errors_of_contexts(&file, &sources, source));
        }
        let place =
            |error: &Diagnostic| format!("{} at {}", error.code, sources.position(error.primary.span));
        let found: Vec<String> = errors.iter().map(place).collect();
        let as_expected = match expected.as_str() {
            "parses" | "checks" => found.is_empty(),
            slips => found == slips.split(", ").collect::<Vec<_>>(),
        };
        if !as_expected {
            let style = gedanken_lang::diagnostic::Style::Plain;
            let said = gedanken_lang::diagnostic::render(&errors, &sources, style);
            wrong.push(format!("{name}: expected {expected}, found {found:?}\n{said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

//! The stages of reading, in the order in which blocks need one another.

pub(crate) mod blocks;
pub(crate) mod evaluate;
pub(crate) mod fields;
pub(crate) mod keys;
pub(crate) mod numbers;
pub(crate) mod overrides;

use super::Experiment;
use super::checks::Checks;
use super::context::{self, Context};
use super::lagrangian::{self, Lagrangian};
use super::measure::{self, Measure, Scene};
use super::object::attribute;
use super::object::attribute::Attribute;
use super::object::compound;
use super::object::shape::ShapeKind;
use super::object::{self, Object, Surroundings};
use super::rigid::Bodies;
use super::rigid::body;
use super::rule::{self, Rule};
use super::simulation::{self, Cast, Simulation};
use crate::Files;
use crate::rigid::given::law_names;
use blocks::{Blocks, in_order, indexed, known, named, unique};
use evaluate::{Base, Evaluator};
use gedanken_lang::check::{Library, check_context, context_kind};
use gedanken_lang::diagnostic::{Code, Diagnostic, Family};
use gedanken_lang::load::load_text;
use gedanken_lang::source::{SourceId, Sources, Span};
use gedanken_lang::syntax::Dialect;
use gedanken_lang::syntax::tree::{Block, Name};
use gedanken_lang::value::Value;
use overrides::{Override, Settings};
use std::collections::BTreeSet;

/// An experiment as far as it could be read, and all that is wrong with it.
///
/// Mechanics may have more to say before [`Reading::finish`]: that rules clash, or that bodies make no world.
#[derive(Debug)]
pub struct Reading {
    /// All blocks without mistakes. Only an experiment of which nothing is wrong is whole.
    pub experiment: Experiment,
    /// Everything that is wrong or probably not meant, in any order.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether all objects and world attributes could be read, so that laws and rules were checked.
    pub is_whole: bool,
}

impl Reading {
    /// The experiment with its warnings.
    ///
    /// # Errors
    /// Everything that is wrong, in the order of the text, with warnings among it.
    pub fn finish(self) -> Result<Experiment, Vec<Diagnostic>> {
        let warnings = only_warnings(in_text_order(self.diagnostics))?;
        debug_assert!(self.is_whole, "what is left out has been told");
        Ok(Experiment { warnings, ..self.experiment })
    }
}

/// Reads the experiment in `text`, which stands at `path`, with some of its values set from outside. Blocks
/// are read in the order in which they need one another, so that their order in the file does not matter.
pub fn read(
    files: &dyn Files,
    sources: &mut Sources,
    path: &str,
    text: String,
    overrides: &[Override],
) -> Reading {
    let loaded = load_text(&|path| files.text(path), sources, path, text, Dialect::Experiment);
    let mut diagnostics = loaded.diagnostics;
    let mut settings = Settings::read(overrides, sources, &mut diagnostics);
    let blocks = Blocks::sort(&loaded.blocks, &mut diagnostics);
    let library = loaded.library;

    let world = World::read(blocks.world, &library, &mut settings, &mut diagnostics);
    let base = Base { library: &library, world: &world.attributes, failed: &world.failed };
    let evaluator = Evaluator::new(base);

    let placed = lagrangian::placed(&blocks.lagrangians);
    let around = Surroundings { files, path, base, placed: &placed };
    let Objects { objects, written, whole } =
        Objects::read(&blocks, &around, &mut settings, &mut diagnostics);
    let object_names: Vec<String> = written.iter().map(|(name, _)| name.clone()).collect();
    let names = known(&object_names);

    let (context_names, contexts) = read_contexts(&blocks, &names, &library, &evaluator, &mut diagnostics);
    let read = blocks.rules.iter().map(|block| rule::read(block, &evaluator, &mut diagnostics)).collect();
    let (rule_names, rules) = named("rule", read, |it: &Rule| &it.name, &mut diagnostics);
    let bodies =
        Bodies::read(&blocks, &objects, &names, &world.attributes, &library, &evaluator, &mut diagnostics);
    let around = lagrangian::Around {
        world: &world.attributes,
        library: &library,
        base,
        objects: &objects,
        object_names: &names,
    };
    let (lagrangian_names, lagrangians) =
        read_lagrangians(&blocks.lagrangians, &around, &mut settings, &mut diagnostics);
    settings.unused(&world.names, &written, &lagrangian::settable(&blocks.lagrangians), &mut diagnostics);

    let law_names = law_names(&bodies.bodily, &bodies.joints);
    let law_names: Vec<&str> = law_names.iter().map(String::as_str).collect();
    let cast = Cast {
        world: &world.attributes,
        objects: &objects,
        object_names: &indexed(&object_names, &objects, |object| &object.name),
        contexts: &contexts,
        context_names: &indexed(&context_names, &contexts, |context| &context.name),
        measures: &blocks.measured(),
        laws: &law_names,
        whole_world: world.failed.is_empty(),
        rule_names: &indexed(&rule_names, &rules, |rule| &rule.name),
        lagrangians: &lagrangians,
        lagrangian_names: &indexed(&lagrangian_names, &lagrangians, |it| &it.name),
    };
    let simulations = read_simulations(&blocks.simulations, &cast, &evaluator, &mut diagnostics);
    if simulations.is_empty() {
        diagnostics.push(no_simulation(loaded.source, &loaded.blocks, &object_names, &context_names));
    }

    let scene = Scene {
        world: &world.attributes,
        objects: &objects,
        object_names: &names,
        contexts: &contexts,
        laws: &law_names,
        lagrangians: &lagrangians,
        simulations: &simulations,
        library: &library,
        evaluator: &evaluator,
        is_whole: whole && world.failed.is_empty() && is_readable(&diagnostics),
    };
    let read = blocks.measures.iter().map(|block| measure::read(block, &scene, &mut diagnostics)).collect();
    let (_, measures) = named("measure", read, |it: &Measure| &it.name, &mut diagnostics);
    lagrangian::check(&scene, &mut diagnostics);
    let Checks { checked, checked_rules, acting } =
        Checks::of(&scene, &cast, &rules, &bodies, loaded.source, &mut diagnostics);

    let is_whole = scene.is_whole;
    let experiment = Experiment {
        world: world.attributes,
        objects,
        contexts,
        rules,
        simulations,
        measures,
        materials: bodies.materials,
        bodily: bodies.bodily,
        joints: bodies.joints,
        lagrangians,
        library,
        checked,
        checked_rules,
        acting,
        warnings: Vec::new(),
    };
    Reading { experiment, diagnostics, is_whole }
}

/// The contexts, by name, and all names that were written.
fn read_contexts(
    blocks: &Blocks<'_>,
    objects: &BTreeSet<&str>,
    library: &Library,
    evaluator: &Evaluator<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<String>, Vec<Context>) {
    let read = |block: &&Block| context::read(block, objects, evaluator, diagnostics);
    let read = blocks.contexts.iter().map(read).collect();
    let found = named("context", read, |it: &Context| &it.name, diagnostics);
    check_kinds(&blocks.contexts, library, diagnostics);
    found
}

/// The systems that are stated by their energies, by name, and all names that were written.
fn read_lagrangians(
    blocks: &[&Block],
    around: &lagrangian::Around<'_>,
    settings: &mut Settings<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<String>, Vec<Lagrangian>) {
    let read = |block: &&Block| lagrangian::read(block, around, settings, diagnostics);
    let read = blocks.iter().map(read).collect();
    named("lagrangian", read, |it: &Lagrangian| &it.name, diagnostics)
}

/// The simulations, in the order of the file.
fn read_simulations(
    blocks: &[&Block],
    cast: &Cast<'_>,
    evaluator: &Evaluator<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Simulation> {
    let read = |block: &&Block| simulation::read(block, cast, evaluator, diagnostics);
    let (names, simulations): (Vec<Name>, Vec<Simulation>) = blocks.iter().map(read).unzip();
    unique("simulation", names.iter(), diagnostics);
    simulations
}

/// Whether laws and measures can be looked at: what a text that cannot be read lacks would be missed in each.
fn is_readable(diagnostics: &[Diagnostic]) -> bool {
    !diagnostics.iter().any(|it| matches!(it.code.family(), Family::Syntax | Family::Names))
}

/// The diagnostics, if none of them is an error.
fn only_warnings(mut diagnostics: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    if !diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(diagnostics);
    }
    // What takes part in nothing may do so once the mistakes are mended.
    diagnostics.retain(|it| {
        ![Code::W701, Code::W702, Code::W730, Code::W741, Code::W750, Code::W751, Code::W752, Code::W753]
            .contains(&it.code)
    });
    Err(diagnostics)
}

/// The objects of the experiment.
struct Objects {
    /// Those without a mistake, by name.
    objects: Vec<Object>,
    /// Their names as written, in the order of the file, empty where there is none; and the names of their
    /// attributes.
    written: Vec<(String, Vec<String>)>,
    /// Whether all that have a name are without a mistake.
    whole: bool,
}

impl Objects {
    fn read(
        blocks: &Blocks<'_>,
        around: &Surroundings<'_>,
        settings: &mut Settings<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let read = |block: &&Block| object::read(block, around, settings, diagnostics);
        let reads: Vec<object::Read> = blocks.objects.iter().map(read).collect();
        unique("object", reads.iter().map(|read| &read.name), diagnostics);
        let written: Vec<(String, Vec<String>)> =
            reads.iter().map(|read| (read.name.text.clone(), read.written.clone())).collect();
        let names: Vec<String> = written.iter().map(|(name, _)| name.clone()).collect();
        let mut objects = in_order(reads.into_iter().filter_map(|read| read.object), |object| &object.name);
        let whole = objects.len() == known(&names).len();
        compound::check(&objects, &known(&names), diagnostics);
        check_solids(&objects, whole, diagnostics);
        body::complete(&blocks.simulations, &mut objects, diagnostics);
        Self { objects, written, whole }
    }
}

/// The attributes of the world.
struct World {
    attributes: Vec<Attribute>,
    /// As written, with or without a value.
    names: Vec<String>,
    /// Those without a value, which has been reported.
    failed: Vec<String>,
}

impl World {
    fn read(
        block: Option<&Block>,
        library: &Library,
        settings: &mut Settings<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let lines = block.map(object::world_lines).unwrap_or_default();
        let alone = Base { library, world: &[], failed: &[] };
        let attributes = attribute::evaluate(&lines, None, str::to_owned, alone, settings, diagnostics);
        let time = attributes.iter().find(|attribute| attribute.name == "t");
        if let Some(time) = time.filter(|time| !matches!(time.value, Value::Real(_))) {
            let message = format!("`t` is the time, a real, but this is {}", time.ty());
            diagnostics.push(Diagnostic::new(Code::E709, time.span, message).help("write `t = 0`"));
        }
        let entries = block.map(|block| block.entries.as_slice()).unwrap_or_default();
        let names: Vec<String> = entries.iter().map(|entry| entry.key.text.clone()).collect();
        let is_known = |name: &String| attributes.iter().any(|it| it.name == *name);
        let failed = names.iter().filter(|name| !is_known(name)).cloned().collect();
        Self { attributes, names, failed }
    }
}

/// Reports shapes that geometry refuses, unless something is wrong with a size or a part already.
fn check_solids(objects: &[Object], whole: bool, diagnostics: &mut Vec<Diagnostic>) {
    if diagnostics.iter().any(|it| [Code::E710, Code::E713, Code::E714, Code::E715].contains(&it.code)) {
        return;
    }
    // Of what is missing, a shape could only repeat what has been said.
    let is_told = |object: &Object| match object.shape {
        ShapeKind::Compound => !whole || object.parts.is_empty(),
        ShapeKind::ConvexHull => object.surface.is_none() && object.attribute("points").is_none(),
        _ => false,
    };
    for object in objects.iter().filter(|object| !is_told(object)) {
        diagnostics.extend(object.solid(objects).err().map(|it| *it));
    }
}

/// Contexts without a type that is known: their laws mean nothing, but their keys can be looked at.
fn check_kinds(blocks: &[&Block], library: &Library, diagnostics: &mut Vec<Diagnostic>) {
    for block in blocks.iter().filter(|block| context_kind(block).is_none()) {
        let said = check_context(block, &Default::default(), library).err().unwrap_or_default();
        diagnostics.extend(said.into_iter().filter(|it| it.code.is_about_context_keys()));
    }
}

/// What a text without a simulation lacks, with one that would fit.
fn no_simulation(source: SourceId, blocks: &[Block], objects: &[String], contexts: &[String]) -> Diagnostic {
    let span = match blocks.last() {
        Some(block) => block.keyword.span,
        // Nothing at all was written: there is no place in the text to point at but its beginning.
        None => Span::new(source, 0..0),
    };
    fn given(names: &[String]) -> Vec<&str> {
        names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect()
    }
    let mut help = "add one:\nsimulation {\n    name = first\n    duration = 10\n".to_owned();
    for (key, names) in [("objects_involved", given(objects)), ("contexts_involved", given(contexts))] {
        if !names.is_empty() {
            help += &format!("    {key} = {{{}}}\n", names.join(", "));
        }
    }
    Diagnostic::new(Code::E701, span, "nothing runs: there is no `simulation` in this file").help(help + "}")
}

/// By place, each thing said once.
fn in_text_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics
        .sort_by(|a, b| (a.primary.span, a.code, &a.message).cmp(&(b.primary.span, b.code, &b.message)));
    diagnostics.dedup_by(|a, b| (a.code, a.primary.span, &a.message) == (b.code, b.primary.span, &b.message));
    diagnostics
}

//! The stages of reading, in the order in which blocks need one another.

use super::Experiment;
use super::attribute::{self, Attribute};
use super::body;
use super::context::{self, Context};
use super::domain::{self, CheckedRule};
use super::evaluate::{Base, Evaluator};
use super::lagrangian::{self, Lagrangian};
use super::laws::{self, CheckedContext};
use super::measure::{self, Measure, Scene};
use super::newton::{self, Bodies};
use super::object::{self, Object, Surroundings};
use super::overrides::{Override, Settings};
use super::parts;
use super::rule::{self, Rule};
use super::shape::ShapeKind;
use super::simulation::{self, Cast, Simulation};
use crate::Files;
use crate::rigid::given::law_names;
use crate::workflow;
use gedanken_lang::check::{Library, check_context, context_kind};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::session::load_text;
use gedanken_lang::source::{SourceId, Sources, Span};
use gedanken_lang::syntax::Dialect;
use gedanken_lang::syntax::tree::{Block, Name};
use gedanken_lang::value::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Reads the experiment in `text`, which stands at `path`, with some of its values set from outside.
///
/// # Errors
/// Everything that is wrong with it and with what it imports, in the order of the text, with warnings among it.
pub fn read(
    files: &dyn Files,
    sources: &mut Sources,
    path: &str,
    text: String,
    overrides: &[Override],
) -> Result<Experiment, Vec<Diagnostic>> {
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
    let Objects { objects, names: object_names, whole } =
        Objects::read(&blocks, &around, &world.names, &mut settings, &mut diagnostics);
    let names = known(&object_names);

    let read = |block: &&Block| context::read(block, &names, &evaluator, &mut diagnostics);
    let read = blocks.contexts.iter().map(read).collect();
    let (context_names, contexts) = named("context", read, |it: &Context| &it.name, &mut diagnostics);
    check_kinds(&blocks.contexts, &library, &mut diagnostics);

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
    let read = |block: &&Block| lagrangian::read(block, &around, &mut diagnostics);
    let read = blocks.lagrangians.iter().map(read).collect();
    let (lagrangian_names, lagrangians) =
        named("lagrangian", read, |it: &Lagrangian| &it.name, &mut diagnostics);

    let measured: Vec<&str> =
        blocks.measures.iter().filter_map(|it| it.name.as_ref()).map(|name| name.text.as_str()).collect();
    let law_names = law_names(&bodies.bodily, &bodies.joints);
    let law_names: Vec<&str> = law_names.iter().map(String::as_str).collect();
    let cast = Cast {
        world: &world.attributes,
        objects: &objects,
        object_names: &indexed(&object_names, &objects, |object| &object.name),
        contexts: &contexts,
        context_names: &indexed(&context_names, &contexts, |context| &context.name),
        measures: &measured,
        laws: &law_names,
        whole_world: world.failed.is_empty(),
        rule_names: &indexed(&rule_names, &rules, |rule| &rule.name),
        lagrangians: &lagrangians,
        lagrangian_names: &indexed(&lagrangian_names, &lagrangians, |it| &it.name),
    };
    let read = |block: &&Block| simulation::read(block, &cast, &evaluator, &mut diagnostics);
    let (simulation_names, simulations): (Vec<Name>, Vec<Simulation>) =
        blocks.simulations.iter().map(read).unzip();
    unique("simulation", simulation_names.iter(), &mut diagnostics);
    if simulations.is_empty() {
        diagnostics.push(no_simulation(loaded.source, &loaded.blocks, &object_names, &context_names));
    }

    // Laws and measures are looked at only with all objects at hand: what one of them lacks would be missed in each.
    let readable = !diagnostics.iter().any(|it| it.code.starts_with("E1") || it.code.starts_with("E2"));
    let is_whole = whole && world.failed.is_empty() && readable;
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
        is_whole,
    };
    let read = blocks.measures.iter().map(|block| measure::read(block, &scene, &mut diagnostics)).collect();
    let (_, measures) = named("measure", read, |it: &Measure| &it.name, &mut diagnostics);

    lagrangian::check(&scene, &mut diagnostics);
    let (checked, checked_rules, acting) = if is_whole {
        (
            check_laws(&scene, &cast, loaded.source, &mut diagnostics),
            check_rules(&scene, &rules, &mut diagnostics),
            newton::check(&scene, &bodies, &mut diagnostics),
        )
    } else {
        diagnostics.extend(contexts.iter().flat_map(|context| laws::wrong_keys(context, &library)));
        (Vec::new(), Vec::new(), Vec::new())
    };

    let warnings = only_warnings(in_text_order(diagnostics))?;
    debug_assert!(whole && world.failed.is_empty(), "what is left out has been told");
    debug_assert!(rules.len() == blocks.rules.len());
    debug_assert!(contexts.len() == blocks.contexts.len() && measures.len() == blocks.measures.len());
    let world = world.attributes;
    Ok(Experiment {
        world,
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
        warnings,
    })
}

/// Blocks of one kind that were read: all their names, whether or not they can be, and those that can, by name.
pub(super) fn named<T>(
    what: &str,
    read: Vec<(Name, Option<T>)>,
    name: impl Fn(&T) -> &String,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Vec<String>, Vec<T>) {
    let (names, items): (Vec<Name>, Vec<Option<T>>) = read.into_iter().unzip();
    unique(what, names.iter(), diagnostics);
    (names.into_iter().map(|name| name.text).collect(), in_order(items.into_iter().flatten(), name))
}

/// Checks the rules, and that those of a `par` leave each other alone.
fn check_rules(scene: &Scene<'_>, rules: &[Rule], diagnostics: &mut Vec<Diagnostic>) -> Vec<CheckedRule> {
    let &Scene { world, objects, simulations, library, .. } = scene;
    let parts = &domain::Parts { world, objects, rules, simulations, library };
    let checked = domain::check_rules(parts, diagnostics);
    for (number, simulation) in parts.simulations.iter().enumerate() {
        let (world, objects, rules) = (parts.world, parts.objects, parts.rules);
        let checked: Vec<&CheckedRule> = checked.iter().filter(|it| it.simulation == number).collect();
        diagnostics.extend(workflow::Scene { world, objects, rules, simulation, checked }.clashes());
    }
    checked
}

/// The diagnostics, if none of them is an error.
fn only_warnings(mut diagnostics: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    if !diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(diagnostics);
    }
    // What takes part in nothing may do so once the mistakes are mended.
    diagnostics.retain(|it| !["W701", "W702", "W730", "W741", "W750", "W751", "W752"].contains(&it.code));
    Err(diagnostics)
}

/// The objects of the experiment.
struct Objects {
    /// Those without a mistake, by name.
    objects: Vec<Object>,
    /// As written, in the order of the file; empty where there is none.
    names: Vec<String>,
    /// Whether all that have a name are without a mistake.
    whole: bool,
}

impl Objects {
    fn read(
        blocks: &Blocks<'_>,
        around: &Surroundings<'_>,
        world_names: &[String],
        settings: &mut Settings<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let read = |block: &&Block| object::read(block, around, settings, diagnostics);
        let reads: Vec<object::Read> = blocks.objects.iter().map(read).collect();
        unique("object", reads.iter().map(|read| &read.name), diagnostics);
        let written: Vec<(String, Vec<String>)> =
            reads.iter().map(|read| (read.name.text.clone(), read.written.clone())).collect();
        settings.unused(world_names, &written, diagnostics);
        let names: Vec<String> = written.into_iter().map(|(name, _)| name).collect();
        let mut objects = in_order(reads.into_iter().filter_map(|read| read.object), |object| &object.name);
        let whole = objects.len() == known(&names).len();
        parts::check(&objects, &known(&names), diagnostics);
        check_solids(&objects, whole, diagnostics);
        body::complete(&blocks.simulations, &mut objects, diagnostics);
        Self { objects, names, whole }
    }
}

/// The names that there are.
pub(super) fn known(names: &[String]) -> BTreeSet<&str> {
    names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect()
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
            diagnostics.push(Diagnostic::new("E709", time.span, message).help("write `t = 0`"));
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
    if diagnostics.iter().any(|it| ["E710", "E713", "E714", "E715"].contains(&it.code)) {
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
        diagnostics.extend(said.into_iter().filter(|it| it.code.starts_with("E42")));
    }
}

/// Checks the laws for everybody who takes part; in a file without simulations, as if all did.
fn check_laws(
    scene: &Scene<'_>,
    cast: &Cast<'_>,
    source: SourceId,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<CheckedContext> {
    let &Scene { objects, contexts, simulations, library, .. } = scene;
    let world = scene.world.iter().map(|it| (it.name.clone(), it.ty())).collect();
    let parts = laws::Parts { world, objects, contexts, simulations, library };
    if parts.simulations.is_empty() {
        let all = [simulation::of_all(cast, Span::new(source, 0..0))];
        return laws::check(&laws::Parts { simulations: &all, ..parts }, diagnostics);
    }
    idle_objects(parts.objects, parts.simulations, diagnostics);
    laws::check(&parts, diagnostics)
}

/// The blocks of a file by what they are.
#[derive(Default)]
pub(super) struct Blocks<'b> {
    world: Option<&'b Block>,
    objects: Vec<&'b Block>,
    contexts: Vec<&'b Block>,
    simulations: Vec<&'b Block>,
    measures: Vec<&'b Block>,
    rules: Vec<&'b Block>,
    pub(super) materials: Vec<&'b Block>,
    pub(super) bodily: Vec<&'b Block>,
    pub(super) joints: Vec<&'b Block>,
    lagrangians: Vec<&'b Block>,
}

impl<'b> Blocks<'b> {
    fn sort(blocks: &'b [Block], diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut sorted = Self::default();
        for block in blocks {
            match (block.keyword.text.as_str(), sorted.world) {
                ("world attributes", None) => sorted.world = Some(block),
                ("world attributes", Some(first)) => diagnostics.push(
                    Diagnostic::new(
                        "E703",
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
                // The parser has told of blocks that nobody knows.
                ("material", _) => sorted.materials.push(block),
                ("force" | "potential" | "constraint", _) => sorted.bodily.push(block),
                ("joint", _) => sorted.joints.push(block),
                ("lagrangian", _) => sorted.lagrangians.push(block),
                _ => {}
            }
        }
        sorted
    }
}

/// Reports names that two blocks have. Those without a name have been told.
pub(super) fn unique<'n>(
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
                Diagnostic::new("E703", name.span, message)
                    .label("again here")
                    .also(first, "first here")
                    .help("rename one of the two"),
            );
        }
    }
}

/// By name, each once: a second one of a name has been reported.
pub(super) fn in_order<T>(items: impl Iterator<Item = T>, name: impl Fn(&T) -> &String) -> Vec<T> {
    let mut items: Vec<T> = items.collect();
    items.sort_by(|a, b| name(a).cmp(name(b)));
    items.dedup_by(|a, b| name(a) == name(b));
    items
}

/// For every name that was written, the place of what it names, unless something is wrong with that.
fn indexed<T>(
    written: &[String],
    items: &[T],
    name: impl Fn(&T) -> &String,
) -> BTreeMap<String, Option<usize>> {
    let place = |written: &String| items.binary_search_by(|item| name(item).cmp(written)).ok();
    written.iter().filter(|it| !it.is_empty()).map(|it| (it.clone(), place(it))).collect()
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
    Diagnostic::new("E701", span, "nothing runs: there is no `simulation` in this file").help(help + "}")
}

/// Objects that take part in no simulation.
fn idle_objects(objects: &[Object], simulations: &[Simulation], diagnostics: &mut Vec<Diagnostic>) {
    let mut active = BTreeSet::new();
    for simulation in simulations {
        for &index in &simulation.objects {
            parts::all_parts(objects, &objects[index], &mut active);
        }
    }
    for object in objects.iter().filter(|object| !active.contains(object.name.as_str())) {
        let message = format!("`{}` takes part in no simulation", object.name);
        let help = "add it to `objects_involved`, or remove it";
        diagnostics.push(Diagnostic::new("W701", object.span, message).help(help));
    }
}

/// By place, each thing said once.
fn in_text_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics
        .sort_by(|a, b| (a.primary.span, a.code, &a.message).cmp(&(b.primary.span, b.code, &b.message)));
    diagnostics.dedup_by(|a, b| (a.code, a.primary.span, &a.message) == (b.code, b.primary.span, &b.message));
    diagnostics
}

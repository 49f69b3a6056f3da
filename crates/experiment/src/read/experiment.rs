//! The stages of reading, in the order in which blocks need one another.

use super::blocks::{BlockNames, Blocks, in_order, indexed, named, unique};
use super::evaluate::Evaluator;
use super::overrides::{Override, Settings};
use super::suspicions;
use crate::check::Checks;
use crate::context::model::Context;
use crate::environment::{Environment, Names};
use crate::experiment::Experiment;
use crate::files::Files;
use crate::lagrangian::fields::{placed, settable};
use crate::lagrangian::model::Lagrangian;
use crate::measure::model::Measure;
use crate::object::attribute::Attribute;
use crate::object::mesh_file::MeshFiles;
use crate::object::model::Object;
use crate::object::read::{ReadObject, world_lines};
use crate::object::shape::ShapeKind;
use crate::object::{compound, initial_values};
use crate::rigid::body;
use crate::rigid::quantities::law_names;
use crate::rigid::read::RigidBlocks;
use crate::rule::model::Rule;
use crate::simulation::model::{Record, Simulation};
use crate::{context, lagrangian, measure, object, rule, simulation, view};
use gedanken_lang::check::{Library, check_context, context_kind};
use gedanken_lang::diagnostic::{Code, Diagnostic, Family};
use gedanken_lang::load::load_text;
use gedanken_lang::source::{SourceId, Sources, Span};
use gedanken_lang::syntax::Dialect;
use gedanken_lang::syntax::tree::{self, Block, Name};
use gedanken_lang::value::Value;
use gedanken_math::Cancel;

/// An experiment as far as it could be read, and all mistakes in it.
///
/// Mechanics may add diagnostics before [`Reading::finish`]: that rules clash, or that bodies make no world.
#[derive(Debug)]
pub struct Reading {
    /// All blocks without mistakes. It is complete only if there are no errors.
    pub experiment: Experiment,
    /// Errors and warnings, in any order.
    pub diagnostics: Vec<Diagnostic>,
    /// `true` if all objects and world attributes could be read, so that laws and rules were checked.
    pub is_whole: bool,
}

impl Reading {
    /// The experiment with its warnings.
    ///
    /// # Errors
    /// All errors, in the order of the text, with warnings among them.
    pub fn finish(self) -> Result<Experiment, Vec<Diagnostic>> {
        let warnings = only_warnings(in_text_order(self.diagnostics))?;
        debug_assert!(self.is_whole, "what is left out has been told");
        Ok(Experiment { warnings, ..self.experiment })
    }
}

/// Reads the experiment in `text`, which stands at `path`, with some of its values set from outside.
///
/// Blocks are read in the order in which they need one another, so that their order in the file does not
/// matter.
///
/// If the [token](Files::cancel) of the files is asked meanwhile, reading ends soon, and what was read means
/// nothing.
pub fn read(
    files: &dyn Files,
    sources: &mut Sources,
    path: &str,
    text: String,
    overrides: &[Override],
) -> Reading {
    let cancel = &files.cancel();
    let loaded = load_text(&|path| files.text(path), sources, path, text, Dialect::Experiment);
    let mut diagnostics = loaded.diagnostics;
    let mut settings = Settings::read(overrides, sources, &mut diagnostics);
    let blocks = Blocks::sort(&loaded.blocks, &mut diagnostics);
    let mut experiment = Experiment { library: loaded.library, ..Experiment::default() };
    let mut names = Names {
        measures: blocks.measure_names(),
        placed_objects: placed(&blocks.lagrangians),
        ..Names::default()
    };

    // The world comes first: the values of all other blocks may use it.
    let world = World::read(blocks.world, &experiment.library, &mut settings, cancel, &mut diagnostics);
    let evaluator = Evaluator::new(&experiment.library, &world.attributes, &world.failed, cancel);
    names.is_world_whole = world.failed.is_empty();
    experiment.world = world.attributes;

    let environment = Environment { experiment: &experiment, names: &names, evaluator: &evaluator, cancel };
    let mesh_files = MeshFiles { files, experiment_path: path };
    let Objects { objects, object_names, written, is_whole } =
        Objects::read(&blocks, &environment, mesh_files, &mut settings, &mut diagnostics);
    (experiment.objects, names.objects) = (objects, object_names);

    let environment = Environment { experiment: &experiment, names: &names, evaluator: &evaluator, cancel };
    let read = |block: &&Block| context::read::read(block, &environment, &mut diagnostics);
    let read: Vec<(Name, Option<Context>)> = until(cancel, &blocks.contexts).map(read).collect();
    let contexts_in_text: Vec<String> = read.iter().map(|(name, _)| name.text.clone()).collect();
    let (context_names, contexts) = named("context", read, |it: &Context| &it.name, &mut diagnostics);
    check_kinds(&blocks.contexts, &experiment.library, &mut diagnostics);
    let read = |block: &&Block| rule::read::read(block, &environment, &mut diagnostics);
    let read = until(cancel, &blocks.rules).map(read).collect();
    let (rule_names, rules) = named("rule", read, |it: &Rule| &it.name, &mut diagnostics);
    let RigidBlocks { materials, force_laws, joints, couplings } =
        RigidBlocks::read(&blocks, &environment, &mut diagnostics);
    let read = |block: &&Block| lagrangian::read::read(block, &environment, &mut settings, &mut diagnostics);
    let read = until(cancel, &blocks.lagrangians).map(read).collect();
    let (lagrangian_names, lagrangians) =
        named("lagrangian", read, |it: &Lagrangian| &it.name, &mut diagnostics);
    // Every block that can take a setting has been read.
    settings.unused(&world.names, &written, &settable(&blocks.lagrangians), &mut diagnostics);
    names.working_laws = law_names(&force_laws, &joints);
    (names.contexts, names.rules, names.lagrangians) = (context_names, rule_names, lagrangian_names);
    experiment =
        Experiment { contexts, rules, materials, force_laws, joints, couplings, lagrangians, ..experiment };

    let environment = Environment { experiment: &experiment, names: &names, evaluator: &evaluator, cancel };
    experiment.simulations = read_simulations(&blocks.simulations, &environment, &mut diagnostics);
    if experiment.simulations.is_empty() {
        let objects: Vec<String> = written.into_iter().map(|(name, _)| name).collect();
        diagnostics.push(no_simulation(loaded.source, &loaded.blocks, &objects, &contexts_in_text));
    }
    // Formulas are checked against the world and the objects; a gap there would be reported in each of them.
    names.is_whole = is_whole && names.is_world_whole && is_readable(&diagnostics);

    let environment = Environment { experiment: &experiment, names: &names, evaluator: &evaluator, cancel };
    let read = |block: &&Block| measure::read::read(block, &environment, &mut diagnostics);
    let read = until(cancel, &blocks.measures).map(read).collect();
    let (_, measures) = named("measure", read, |it: &Measure| &it.name, &mut diagnostics);
    let views = view::read::read_all(&blocks.views, &environment, sources, &mut diagnostics);
    lagrangian::check::check(&experiment, &mut diagnostics);
    let Checks { contexts, rules, force_laws } = Checks::of(&environment, loaded.source, &mut diagnostics);
    suspicions::explain(&loaded.blocks, &mut diagnostics);
    diagnostics.retain(|it| it.code != Code::W203 || !is_recorded(&experiment.simulations, it, sources));
    // Derivations that are made later are not ended by the token of this reading.
    experiment.lagrangians.iter_mut().for_each(Lagrangian::forget_token);
    let experiment = Experiment {
        measures,
        views,
        checked_contexts: contexts,
        checked_rules: rules,
        checked_force_laws: force_laws,
        ..experiment
    };
    Reading { experiment, diagnostics, is_whole: names.is_whole }
}

/// Returns `true` if the helper that a warning is about is recorded, so that something needs it.
fn is_recorded(simulations: &[Simulation], warning: &Diagnostic, sources: &Sources) -> bool {
    let span = warning.primary.span;
    let name = &sources.text(span.source)[span.range()];
    simulations
        .iter()
        .any(|it| matches!(&it.record, Record::Names(names) if names.iter().any(|it| it == name)))
}

/// The items, as long as reading is not cancelled.
fn until<'i, T>(cancel: &'i Cancel, items: &'i [T]) -> impl Iterator<Item = &'i T> {
    items.iter().take_while(|_| !cancel.is_asked())
}

/// The simulations, in the order of the file.
fn read_simulations(
    blocks: &[&Block],
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Simulation> {
    let read = |block: &&Block| simulation::read::read(block, environment, diagnostics);
    let (names, simulations): (Vec<Name>, Vec<Simulation>) =
        until(environment.cancel, blocks).map(read).unzip();
    unique("simulation", names.iter(), diagnostics);
    simulations
}

/// Returns `true` if laws and measures can be checked: a gap in the text would be reported in each of them.
fn is_readable(diagnostics: &[Diagnostic]) -> bool {
    // Warnings about names leave everything there.
    let cuts = |it: &Diagnostic| it.is_error() && matches!(it.code.family(), Family::Syntax | Family::Names);
    !diagnostics.iter().any(cuts)
}

/// The diagnostics, if none of them is an error.
fn only_warnings(mut diagnostics: Vec<Diagnostic>) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    if !diagnostics.iter().any(Diagnostic::is_error) {
        return Ok(diagnostics);
    }
    // What takes part in nothing may do so once the mistakes are mended.
    diagnostics.retain(|it| {
        ![
            Code::W701,
            Code::W702,
            Code::W730,
            Code::W741,
            Code::W750,
            Code::W751,
            Code::W752,
            Code::W753,
            Code::W754,
        ]
        .contains(&it.code)
    });
    Err(diagnostics)
}

/// The objects of the experiment.
struct Objects {
    /// Objects without a mistake, sorted by name.
    objects: Vec<Object>,
    /// Names of all objects.
    object_names: BlockNames,
    /// Names in the order of the file, empty where there is none, each with the names of its attributes.
    written: Vec<(String, Vec<String>)>,
    /// `true` if no object with a name has a mistake.
    is_whole: bool,
}

impl Objects {
    fn read(
        blocks: &Blocks<'_>,
        environment: &Environment<'_>,
        mesh_files: MeshFiles<'_>,
        settings: &mut Settings<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let read = |block: &&Block| object::read::read(block, environment, mesh_files, settings, diagnostics);
        let reads: Vec<ReadObject> = until(environment.cancel, &blocks.objects).map(read).collect();
        unique("object", reads.iter().map(|read| &read.name), diagnostics);
        let written: Vec<(String, Vec<String>)> =
            reads.iter().map(|read| (read.name.text.clone(), read.written.clone())).collect();
        let mut objects = in_order(reads.into_iter().filter_map(|read| read.object), |object| &object.name);
        let object_names = indexed(written.iter().map(|it| &it.0), &objects, |object| &object.name);
        let is_whole = objects.len() == object_names.len();
        compound::check(&objects, &object_names, diagnostics);
        check_solids(&objects, is_whole, environment.cancel, diagnostics);
        body::complete(&blocks.simulations, &mut objects, diagnostics);
        Self { objects, object_names, written, is_whole }
    }
}

/// The attributes of the world.
struct World {
    attributes: Vec<Attribute>,
    /// Names of all that are written, with or without a value.
    names: Vec<String>,
    /// Names of those without a value, which has been reported.
    failed: Vec<String>,
}

impl World {
    fn read(
        block: Option<&Block>,
        library: &Library,
        settings: &mut Settings<'_>,
        cancel: &Cancel,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let lines = block.map(world_lines).unwrap_or_default();
        let evaluator = Evaluator::new(library, &[], &[], cancel);
        let attributes =
            initial_values::evaluate(&lines, None, str::to_owned, evaluator, settings, diagnostics);
        let time = attributes.iter().find(|attribute| attribute.name == "t");
        if let Some(time) = time.filter(|time| !matches!(time.value, Value::Real(_))) {
            let message = format!("`t` is the time, a real, but this is {}", time.ty());
            diagnostics.push(Diagnostic::new(Code::E709, time.span, message).help("write `t = 0`"));
        }
        let entries = block.map(|block| block.entries.as_slice()).unwrap_or_default();
        for entry in entries.iter().filter(|entry| matches!(entry.value, tree::Value::Text(_))) {
            let message = format!("`{}` cannot be set to a text", entry.key.text);
            let help = "an attribute of the world is a number, a boolean, a vector or a matrix";
            diagnostics.push(Diagnostic::new(Code::E424, entry.span, message).help(help));
        }
        let names: Vec<String> = entries.iter().map(|entry| entry.key.text.clone()).collect();
        // Attributes are sorted by name.
        let is_known = |name: &String| attributes.binary_search_by(|it| it.name.cmp(name)).is_ok();
        let failed = names.iter().filter(|name| !is_known(name)).cloned().collect();
        Self { attributes, names, failed }
    }
}

/// Reports shapes that geometry refuses, unless something is wrong with a size or a part already.
fn check_solids(objects: &[Object], whole: bool, cancel: &Cancel, diagnostics: &mut Vec<Diagnostic>) {
    if diagnostics.iter().any(|it| [Code::E710, Code::E713, Code::E714, Code::E715].contains(&it.code)) {
        return;
    }
    // Of what is missing, a shape could only repeat what has been said.
    let is_told = |object: &Object| match object.shape {
        ShapeKind::Compound => !whole || object.parts.is_empty(),
        ShapeKind::ConvexHull => object.surface.is_none() && object.attribute("points").is_none(),
        _ => false,
    };
    for object in until(cancel, objects).filter(|object| !is_told(object)) {
        diagnostics.extend(object.solid(objects).err().map(|it| *it));
    }
}

/// Checks the keys of contexts without a known type, whose laws mean nothing.
fn check_kinds(blocks: &[&Block], library: &Library, diagnostics: &mut Vec<Diagnostic>) {
    for block in blocks.iter().filter(|block| context_kind(block).is_none()) {
        let said = check_context(block, &Default::default(), library).err().unwrap_or_default();
        diagnostics.extend(said.into_iter().filter(|it| it.code.is_about_context_keys()));
    }
}

/// Message for a text without a simulation, with one that would fit.
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

/// Diagnostics sorted by position, each once.
fn in_text_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics
        .sort_by(|a, b| (a.primary.span, a.code, &a.message).cmp(&(b.primary.span, b.code, &b.message)));
    diagnostics.dedup_by(|a, b| (a.code, a.primary.span, &a.message) == (b.code, b.primary.span, &b.message));
    diagnostics
}

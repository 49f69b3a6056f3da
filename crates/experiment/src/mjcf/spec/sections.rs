//! A whole model as it is written: all its sections, in the order in which they need each other, whatever
//! their order in the file.

use super::actuator::{ACTUATORS, ActuatorSpec};
use super::compiler::Compiler;
use super::contact::{ExcludeSpec, PairSpec};
use super::defaults::Defaults;
use super::equality::{EqualitySpec, named};
use super::mesh::MeshSpec;
use super::option::OptionSpec;
use super::tree::{BodySpec, Tree};
use crate::mjcf::report::Report;
use crate::mjcf::xml::{Attributes, Document, Element, ElementId};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use std::collections::BTreeMap;

/// Sections that are read.
const READ: [&str; 11] = [
    "compiler",
    "option",
    "size",
    "default",
    "asset",
    "worldbody",
    "contact",
    "equality",
    "tendon",
    "actuator",
    "keyframe",
];
/// Sections that do not change the motion.
const WITHOUT_EFFECT: [&str; 5] = ["statistic", "visual", "extension", "sensor", "custom"];
/// Maximum number of keyframes that `nkey` may ask for.
const MAX_KEYFRAMES: i32 = 10_000;

/// A keyframe as it is written.
#[derive(Debug, Default)]
pub(crate) struct KeySpec {
    /// Its name.
    pub(crate) name: String,
    /// Time.
    pub(crate) time: f64,
    /// Lists of numbers by the name of their attribute, with their places.
    pub(crate) lists: BTreeMap<&'static str, (Vec<f64>, Span)>,
}

/// A whole model as it is written.
#[derive(Debug, Default)]
pub(crate) struct ModelSpec {
    /// Its name.
    pub(crate) name: String,
    /// How the file is to be read.
    pub(crate) compiler: Compiler,
    /// Settings.
    pub(crate) option: OptionSpec,
    /// Bodies, the world first.
    pub(crate) bodies: Vec<BodySpec>,
    /// Meshes.
    pub(crate) meshes: Vec<MeshSpec>,
    /// Colours of materials, by name.
    pub(crate) materials: BTreeMap<String, [f64; 4]>,
    /// Pairs of geoms.
    pub(crate) pairs: Vec<PairSpec>,
    /// Pairs of bodies that do not meet.
    pub(crate) excludes: Vec<ExcludeSpec>,
    /// Equalities.
    pub(crate) equalities: Vec<EqualitySpec>,
    /// Actuators; nothing in the places of those that are left out.
    pub(crate) actuators: Vec<Option<ActuatorSpec>>,
    /// Keyframes.
    pub(crate) keyframes: Vec<KeySpec>,
    /// Least number of keyframes.
    pub(crate) least_keyframes: usize,
}

/// Reads all sections of a document.
pub(crate) fn read(document: &Document, root: ElementId, report: &mut Report) -> ModelSpec {
    let mut spec = ModelSpec::default();
    let element = document.element(root);
    if element.name != "mujoco" {
        report.push(
            Diagnostic::new(
                Code::E004,
                element.span,
                format!("a model is a `mujoco`, not a `{}`", element.name),
            )
            .help("only MJCF is read"),
        );
        return spec;
    }
    let mut attributes = Attributes::of(element);
    spec.name = attributes.text("model").unwrap_or("MuJoCo Model").to_owned();
    attributes.finish(report);
    check_sections(document, root, report);
    let sections =
        |name: &'static str| document.children(root).filter(move |id| document.element(*id).name == name);
    for id in sections("compiler") {
        let mut attributes = Attributes::of(document.element(id));
        spec.compiler.apply(&mut attributes, report);
        attributes.finish(report);
        only(document, id, &["lengthrange"], report);
    }
    sections("option").for_each(|id| spec.read_option(document, id, report));
    sections("size").for_each(|id| spec.read_size(document.element(id), report));
    let mut defaults = Defaults::new();
    sections("default").for_each(|id| defaults.read(document, id, report));
    sections("asset").for_each(|id| spec.read_assets(document, id, &defaults, report));
    let mut tree = Tree { document, defaults: &defaults, compiler: &spec.compiler, bodies: Vec::new() };
    sections("worldbody").for_each(|id| tree.read(id, report));
    let mut bodies = tree.bodies;
    if bodies.is_empty() {
        bodies.push(BodySpec::new("world", element.span, 0));
    }
    spec.bodies = bodies;
    sections("contact").for_each(|id| spec.read_contacts(document, id, &defaults, report));
    sections("equality").for_each(|id| spec.read_equalities(document, id, &defaults, report));
    sections("tendon").for_each(|id| read_tendons(document, id, &defaults, report));
    sections("actuator").for_each(|id| spec.read_actuators(document, id, &defaults, report));
    sections("keyframe").for_each(|id| spec.read_keyframes(document, id, report));
    spec
}

/// Reports sections that are not read.
fn check_sections(document: &Document, root: ElementId, report: &mut Report) {
    for id in document.children(root) {
        let element = document.element(id);
        let name = element.name.as_str();
        if name == "deformable" {
            for child in document.children(id) {
                let child = document.element(child);
                // A skin is only seen.
                if child.name != "skin" {
                    report.unsupported(child.span, "a deformable body");
                }
            }
        } else if !READ.contains(&name) && !WITHOUT_EFFECT.contains(&name) {
            let diagnostic = Diagnostic::new(Code::E004, element.span, format!("a model has no `{name}`"));
            let known = READ.into_iter().chain(WITHOUT_EFFECT).chain(["deformable"]);
            report.push_closest(diagnostic, name, known);
        }
    }
}

/// Reports elements inside another one that are not among the known ones.
fn only(document: &Document, id: ElementId, known: &[&str], report: &mut Report) {
    for child in document.children(id) {
        unless_known(document.element(id), document.element(child), known, report);
    }
}

/// Reports an element that is not among the known ones of the one around it.
fn unless_known(outer: &Element, inner: &Element, known: &[&str], report: &mut Report) {
    if !known.contains(&inner.name.as_str()) {
        let message = format!("`{}` has no `{}` inside", outer.name, inner.name);
        let diagnostic = Diagnostic::new(Code::E004, inner.span, message);
        report.push_closest(diagnostic, &inner.name, known.iter().copied());
    }
}

impl ModelSpec {
    fn read_option(&mut self, document: &Document, id: ElementId, report: &mut Report) {
        let mut attributes = Attributes::of(document.element(id));
        self.option.apply(&mut attributes, report);
        attributes.finish(report);
        only(document, id, &["flag"], report);
        for child in document.children(id).filter(|child| document.element(*child).name == "flag") {
            let mut attributes = Attributes::of(document.element(child));
            self.option.apply_flags(&mut attributes, report);
            attributes.finish(report);
        }
    }

    fn read_size(&mut self, element: &Element, report: &mut Report) {
        let mut attributes = Attributes::of(element);
        if let Some(count) = attributes.integer("nkey", report) {
            if count > MAX_KEYFRAMES {
                let message = format!("a model has at most {MAX_KEYFRAMES} keyframes");
                report.error(Code::E003, attributes.span("nkey"), message);
            }
            self.least_keyframes = usize::try_from(count.clamp(0, MAX_KEYFRAMES)).unwrap_or(0);
        }
        // Room that MuJoCo sets aside.
        attributes.without_effect(&[
            "memory",
            "njmax",
            "nconmax",
            "nstack",
            "nuserdata",
            "nuser_body",
            "nuser_jnt",
            "nuser_geom",
            "nuser_site",
            "nuser_cam",
            "nuser_tendon",
            "nuser_actuator",
            "nuser_sensor",
        ]);
        attributes.finish(report);
    }

    fn read_assets(&mut self, document: &Document, id: ElementId, defaults: &Defaults, report: &mut Report) {
        for child in document.children(id) {
            let element = document.element(child);
            let mut attributes = Attributes::of(element);
            match element.name.as_str() {
                "mesh" => {
                    let class = defaults.named("class", &mut attributes, Defaults::MAIN, report);
                    let mut mesh = defaults.class(class).mesh.clone();
                    mesh.apply(&mut attributes, report);
                    attributes.finish(report);
                    for inner in document.children(child) {
                        report.unsupported(document.element(inner).span, "a mesh that a plugin makes");
                    }
                    self.meshes.push(mesh);
                }
                "material" => {
                    let class = defaults.named("class", &mut attributes, Defaults::MAIN, report);
                    let mut rgba = defaults.class(class).material_rgba;
                    attributes.some_numbers("rgba", &mut rgba, report);
                    if let Some(name) = attributes.text("name") {
                        self.materials.insert(name.to_owned(), rgba);
                    }
                }
                // A height field does nothing before a geom has its shape, and that is refused.
                "texture" | "skin" | "hfield" => {}
                "model" => report.unsupported(element.span, "another model that is attached"),
                _ => unless_known(
                    document.element(id),
                    element,
                    &["mesh", "material", "texture", "skin", "hfield", "model"],
                    report,
                ),
            }
        }
    }

    fn read_contacts(
        &mut self,
        document: &Document,
        id: ElementId,
        defaults: &Defaults,
        report: &mut Report,
    ) {
        for child in document.children(id) {
            let element = document.element(child);
            let mut attributes = Attributes::of(element);
            match element.name.as_str() {
                "pair" => {
                    let class = defaults.named("class", &mut attributes, Defaults::MAIN, report);
                    let mut pair = defaults.class(class).pair.clone();
                    pair.name = attributes.text("name").unwrap_or_default().to_owned();
                    pair.apply(&mut attributes, report);
                    pair.geoms = [named("geom1", &mut attributes), named("geom2", &mut attributes)];
                    for (name, geom) in ["geom1", "geom2"].iter().zip(&pair.geoms) {
                        if geom.is_none() {
                            attributes.missing(name, "foot", report);
                        }
                    }
                    pair.unsupported.report(report);
                    self.pairs.push(pair);
                }
                "exclude" => {
                    attributes.without_effect(&["name"]);
                    match (named("body1", &mut attributes), named("body2", &mut attributes)) {
                        (Some(first), Some(second)) => {
                            self.excludes.push(ExcludeSpec { bodies: [first, second] });
                        }
                        (None, _) => attributes.missing("body1", "arm", report),
                        (_, None) => attributes.missing("body2", "arm", report),
                    }
                }
                _ => {
                    unless_known(document.element(id), element, &["pair", "exclude"], report);
                    continue;
                }
            }
            attributes.finish(report);
        }
    }

    fn read_equalities(
        &mut self,
        document: &Document,
        id: ElementId,
        defaults: &Defaults,
        report: &mut Report,
    ) {
        for child in document.children(id) {
            let element = document.element(child);
            match element.name.as_str() {
                "connect" | "weld" | "joint" => {
                    let mut attributes = Attributes::of(element);
                    let class = defaults.named("class", &mut attributes, Defaults::MAIN, report);
                    let base = defaults.class(class).equality.clone();
                    self.equalities.extend(EqualitySpec::read(base, &mut attributes, report));
                    attributes.finish(report);
                }
                "tendon" => report.unsupported(element.span, "an equality of tendons"),
                "flex" | "flexstrain" | "flexvert" => {
                    report.unsupported(element.span, "an equality of deformable bodies");
                }
                "distance" => report.unsupported(element.span, "an equality of distance"),
                _ => unless_known(
                    document.element(id),
                    element,
                    &["connect", "weld", "joint", "tendon", "flex", "flexstrain"],
                    report,
                ),
            }
        }
    }

    fn read_actuators(
        &mut self,
        document: &Document,
        id: ElementId,
        defaults: &Defaults,
        report: &mut Report,
    ) {
        for child in document.children(id) {
            let element = document.element(child);
            let name = element.name.as_str();
            if !ACTUATORS.contains(&name) {
                unless_known(document.element(id), element, &ACTUATORS, report);
                continue;
            }
            let mut attributes = Attributes::of(element);
            let class = defaults.named("class", &mut attributes, Defaults::MAIN, report);
            let mut actuator = defaults.class(class).actuator.clone();
            actuator.name = attributes.text("name").unwrap_or_default().to_owned();
            actuator.span = Some(element.span);
            if !actuator.apply(&mut attributes, report) {
                report.unsupported(element.span, &format!("an actuator of the kind `{name}`"));
                self.actuators.push(None);
                continue;
            }
            attributes.finish(report);
            actuator.unsupported.report(report);
            self.actuators.push(actuator.unsupported.is_empty().then_some(actuator));
        }
    }

    fn read_keyframes(&mut self, document: &Document, id: ElementId, report: &mut Report) {
        only(document, id, &["key"], report);
        for child in document.children(id).filter(|child| document.element(*child).name == "key") {
            let mut attributes = Attributes::of(document.element(child));
            let mut key = KeySpec {
                name: attributes.text("name").unwrap_or_default().to_owned(),
                time: attributes.number("time", report).unwrap_or(0.0),
                lists: BTreeMap::new(),
            };
            for name in ["qpos", "qvel", "act", "ctrl", "mpos", "mquat", "plastic"] {
                if let Some(list) = attributes.list(name, report) {
                    key.lists.insert(name, (list, attributes.span(name)));
                }
            }
            attributes.finish(report);
            self.keyframes.push(key);
        }
    }
}

/// Reports the tendons that act. One that only measures is without effect.
fn read_tendons(document: &Document, id: ElementId, defaults: &Defaults, report: &mut Report) {
    for child in document.children(id) {
        let element = document.element(child);
        if element.name != "spatial" && element.name != "fixed" {
            unless_known(document.element(id), element, &["spatial", "fixed"], report);
            continue;
        }
        let mut attributes = Attributes::of(element);
        let class = defaults.named("class", &mut attributes, Defaults::MAIN, report);
        let mut tendon = defaults.class(class).tendon.clone();
        tendon.apply(&mut attributes, report);
        attributes.without_effect(&["name"]);
        attributes.finish(report);
        if tendon.acts() {
            report.unsupported(element.span, "a tendon");
        }
    }
}

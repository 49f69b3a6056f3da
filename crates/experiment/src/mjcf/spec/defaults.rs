//! Default classes: values that elements have unless they say others. A class starts from the values of the
//! one around it.

use super::actuator::{ACTUATORS, ActuatorSpec};
use super::contact::PairSpec;
use super::equality::EqualityBase;
use super::geom::GeomSpec;
use super::joint::JointSpec;
use super::mesh::MeshSpec;
use super::site::SiteSpec;
use super::tendon::TendonSpec;
use crate::mjcf::report::Report;
use crate::mjcf::xml::{Attributes, Document, ElementId};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use std::collections::BTreeMap;

/// Elements of a class that have no effect on the motion.
const WITHOUT_EFFECT: [&str; 3] = ["texture", "camera", "light"];

/// A default class.
#[derive(Debug, Clone)]
pub(crate) struct Class {
    /// Joints.
    pub(crate) joint: JointSpec,
    /// Geoms.
    pub(crate) geom: GeomSpec,
    /// Sites.
    pub(crate) site: SiteSpec,
    /// Pairs of geoms.
    pub(crate) pair: PairSpec,
    /// Equalities.
    pub(crate) equality: EqualityBase,
    /// Actuators.
    pub(crate) actuator: ActuatorSpec,
    /// Meshes.
    pub(crate) mesh: MeshSpec,
    /// Tendons.
    pub(crate) tendon: TendonSpec,
    /// Colour of materials.
    pub(crate) material_rgba: [f64; 4],
}

impl Default for Class {
    fn default() -> Self {
        Self {
            joint: JointSpec::default(),
            geom: GeomSpec::default(),
            site: SiteSpec::default(),
            pair: PairSpec::default(),
            equality: EqualityBase::default(),
            actuator: ActuatorSpec::default(),
            mesh: MeshSpec::default(),
            tendon: TendonSpec::default(),
            material_rgba: [1.0; 4],
        }
    }
}

/// Place of a class in the list of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClassId(usize);

/// All default classes; the first is `main`.
#[derive(Debug)]
pub(crate) struct Defaults {
    classes: Vec<Class>,
    names: BTreeMap<String, ClassId>,
}

impl Defaults {
    /// The class that everything has that names none.
    pub(crate) const MAIN: ClassId = ClassId(0);

    /// The class `main`, with MuJoCo's values.
    pub(crate) fn new() -> Self {
        Self { classes: vec![Class::default()], names: BTreeMap::from([("main".to_owned(), Self::MAIN)]) }
    }

    /// A class.
    pub(crate) fn class(&self, id: ClassId) -> &Class {
        &self.classes[id.0]
    }

    /// The class that an attribute names, or `otherwise` if it is missing or names none, which is reported.
    pub(crate) fn named(
        &self,
        attribute: &'static str,
        attributes: &mut Attributes<'_>,
        otherwise: ClassId,
        report: &mut Report,
    ) -> ClassId {
        let Some(name) = attributes.text(attribute) else { return otherwise };
        if let Some(id) = self.names.get(name) {
            return *id;
        }
        let message = format!("there is no default class `{name}`");
        let diagnostic = Diagnostic::new(Code::E009, attributes.span(attribute), message);
        report.push_closest(diagnostic, name, self.names.keys().map(String::as_str));
        otherwise
    }

    /// Reads a section `default` at the top of a model.
    pub(crate) fn read(&mut self, document: &Document, section: ElementId, report: &mut Report) {
        // Classes that are still to be read, each with the one around it.
        let mut waiting: Vec<(ElementId, Option<ClassId>)> = vec![(section, None)];
        while let Some((id, around)) = waiting.pop() {
            let Some(class) = self.open(document, id, around, report) else { continue };
            // All values of a class count before the classes inside it, wherever they stand.
            let mut inner = Vec::new();
            for child in document.children(id) {
                if document.element(child).name == "default" {
                    inner.push((child, Some(class)));
                } else {
                    self.classes[class.0].apply(document, child, report);
                }
            }
            waiting.extend(inner.into_iter().rev());
        }
    }

    /// The class that an element is about: `main` at the top, else a new one.
    fn open(
        &mut self,
        document: &Document,
        id: ElementId,
        around: Option<ClassId>,
        report: &mut Report,
    ) -> Option<ClassId> {
        let mut attributes = Attributes::of(document.element(id));
        let name = attributes.text("class").unwrap_or_default();
        let span = attributes.span("class");
        let class = match around {
            None if name.is_empty() || name == "main" => Some(Self::MAIN),
            None => {
                report.push(
                    Diagnostic::new(Code::E012, span, "the outermost default class is called `main`")
                        .help("put the class into a `<default>` without a name"),
                );
                None
            }
            Some(_) if name.is_empty() => {
                attributes.missing("class", "wheel", report);
                None
            }
            Some(_) if self.names.contains_key(name) => {
                report.error(Code::E010, span, format!("there are two default classes `{name}`"));
                None
            }
            Some(around) => {
                let id = ClassId(self.classes.len());
                self.classes.push(self.classes[around.0].clone());
                self.names.insert(name.to_owned(), id);
                Some(id)
            }
        };
        attributes.finish(report);
        class
    }
}

impl Class {
    /// Takes over what an element inside a class says.
    fn apply(&mut self, document: &Document, id: ElementId, report: &mut Report) {
        let element = document.element(id);
        let mut attributes = Attributes::of(element);
        match element.name.as_str() {
            "joint" => self.joint.apply(&mut attributes, report),
            "geom" => self.geom.apply(&mut attributes, report),
            "site" => self.site.apply(&mut attributes, report),
            "pair" => self.pair.apply(&mut attributes, report),
            "equality" => self.equality.apply(&mut attributes, report),
            "mesh" => self.mesh.apply_default(&mut attributes, report),
            "tendon" => self.tendon.apply(&mut attributes, report),
            "material" => {
                attributes.some_numbers("rgba", &mut self.material_rgba, report);
                return;
            }
            name if WITHOUT_EFFECT.contains(&name) => return,
            name if ACTUATORS.contains(&name) => {
                if !self.actuator.apply(&mut attributes, report) {
                    // An actuator of a kind that is read may still use the class: it sets its own gain.
                    let what = format!("an actuator with the default values of a `{name}`");
                    self.actuator.unsupported.set("dyntype", true, element.span, &what);
                    self.actuator.unsupported.set("gaintype", true, element.span, &what);
                    return;
                }
            }
            name => {
                let message = format!("a default class has no `{name}`");
                let known =
                    ["joint", "geom", "site", "pair", "equality", "mesh", "tendon", "material", "default"];
                let known = known.into_iter().chain(WITHOUT_EFFECT).chain(ACTUATORS);
                report.push_closest(Diagnostic::new(Code::E004, element.span, message), name, known);
                return;
            }
        }
        attributes.finish(report);
    }
}

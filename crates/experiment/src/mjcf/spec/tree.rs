//! Bodies, their frames, joints, geoms and sites as they are written, depth first, without recursion.

use super::compiler::Compiler;
use super::defaults::{ClassId, Defaults};
use super::geom::GeomSpec;
use super::inertial::InertialSpec;
use super::joint::JointSpec;
use super::orientation::Orientation;
use super::site::SiteSpec;
use crate::mjcf::report::Report;
use crate::mjcf::xml::{Attributes, Document, ElementId};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::model::JointKind;

/// Elements of a body that do not change the motion.
const WITHOUT_EFFECT: [&str; 2] = ["camera", "light"];
/// Elements of a body that would.
const UNSUPPORTED: [(&str, &str); 5] = [
    ("plugin", "a plugin"),
    ("composite", "a composite of bodies"),
    ("flexcomp", "a deformable body"),
    ("attach", "another model that is attached"),
    ("replicate", "a repeated part (`replicate`)"),
];
/// Elements of a body that are read.
const READ: [&str; 7] = ["body", "frame", "inertial", "joint", "freejoint", "geom", "site"];

/// A body as it is written.
#[derive(Debug)]
pub(crate) struct BodySpec {
    /// Its name.
    pub(crate) name: String,
    /// Place of its element.
    pub(crate) span: Span,
    /// The body that carries it.
    pub(crate) parent: usize,
    /// Pose in its frame.
    pub(crate) pose: Pose,
    /// Frame that its pose counts from, in its parent.
    pub(crate) frame: Pose,
    /// Whether its pose is given from outside.
    pub(crate) is_mocap: bool,
    /// Share of its weight that is held up from outside.
    pub(crate) gravity_compensation: f64,
    /// Inertia, if written.
    pub(crate) inertial: Option<InertialSpec>,
    /// Joints, each with the frame it counts from.
    pub(crate) joints: Vec<(JointSpec, Pose)>,
    /// Geoms, each with the frame it counts from.
    pub(crate) geoms: Vec<(GeomSpec, Pose)>,
    /// Sites, each with the frame it counts from.
    pub(crate) sites: Vec<(SiteSpec, Pose)>,
    /// Whether bodies hang on it.
    pub(crate) has_children: bool,
}

/// An element that is still to be read, and what is around it.
#[derive(Clone, Copy)]
struct Waiting {
    element: ElementId,
    body: usize,
    frame: Pose,
    class: ClassId,
    is_in_frame: bool,
}

/// Bodies of a model.
pub(crate) struct Tree<'t> {
    /// The elements.
    pub(crate) document: &'t Document,
    /// Default classes.
    pub(crate) defaults: &'t Defaults,
    /// How the file is to be read.
    pub(crate) compiler: &'t Compiler,
    /// Bodies read so far; the first is the world.
    pub(crate) bodies: Vec<BodySpec>,
}

impl Tree<'_> {
    /// Reads a section `worldbody`.
    pub(crate) fn read(&mut self, section: ElementId, report: &mut Report) {
        let element = self.document.element(section);
        if self.bodies.is_empty() {
            self.bodies.push(BodySpec::new("world", element.span, 0));
        }
        Attributes::of(element).finish(report);
        let mut waiting = Vec::new();
        let world = Waiting {
            element: section,
            body: 0,
            frame: Pose::IDENTITY,
            class: Defaults::MAIN,
            is_in_frame: false,
        };
        self.push_children(&mut waiting, world);
        while let Some(next) = waiting.pop() {
            match self.document.element(next.element).name.as_str() {
                "body" => {
                    let inside = self.body(next, report);
                    self.push_children(&mut waiting, inside);
                }
                "frame" => {
                    let inside = self.frame(next, report);
                    self.push_children(&mut waiting, inside);
                }
                _ => self.part(next, report),
            }
        }
    }

    fn push_children(&self, waiting: &mut Vec<Waiting>, around: Waiting) {
        // The first child goes on top of the stack.
        for element in self.document.children(around.element).rev() {
            waiting.push(Waiting { element, ..around });
        }
    }

    /// Adds a body; returns what its children are in.
    fn body(&mut self, at: Waiting, report: &mut Report) -> Waiting {
        let mut attributes = Attributes::of(self.document.element(at.element));
        let mut body =
            BodySpec::new(attributes.text("name").unwrap_or_default(), attributes.element_span(), at.body);
        let class = self.defaults.named("childclass", &mut attributes, at.class, report);
        body.pose = self.pose(&mut attributes, report);
        body.frame = at.frame;
        body.is_mocap = attributes.boolean("mocap", report).unwrap_or(false);
        body.gravity_compensation = attributes.number("gravcomp", report).unwrap_or(0.0);
        // Sleeping is refused by its flag; the others are MuJoCo's ways to compute faster.
        attributes.without_effect(&["sleep", "simple", "fuse", "user"]);
        attributes.finish(report);
        let index = self.bodies.len();
        self.bodies[at.body].has_children = true;
        self.bodies.push(body);
        Waiting { element: at.element, body: index, frame: Pose::IDENTITY, class, is_in_frame: false }
    }

    /// Reads a frame; returns what its children are in.
    fn frame(&mut self, at: Waiting, report: &mut Report) -> Waiting {
        let mut attributes = Attributes::of(self.document.element(at.element));
        let class = self.defaults.named("childclass", &mut attributes, at.class, report);
        let pose = self.pose(&mut attributes, report);
        let mut scale = [1.0; 3];
        if attributes.some_numbers("scale", &mut scale, report) && scale.iter().any(|it| *it != 1.0) {
            report.unsupported(attributes.span("scale"), "a frame that changes sizes (`scale`)");
        }
        if attributes.number("massscale", report).is_some_and(|factor| factor != 0.0 && factor != 1.0) {
            report.unsupported(attributes.span("massscale"), "a frame that changes masses (`massscale`)");
        }
        attributes.without_effect(&["name", "scaling"]);
        attributes.finish(report);
        Waiting { frame: compose(at.frame, pose), class, is_in_frame: true, ..at }
    }

    /// Reads a part of a body that has no bodies inside.
    fn part(&mut self, at: Waiting, report: &mut Report) {
        let element = self.document.element(at.element);
        let mut attributes = Attributes::of(element);
        let name = element.name.as_str();
        if at.body == 0 && ["inertial", "joint", "freejoint"].contains(&name) {
            report.error(Code::E012, element.span, format!("the world has no `{name}`: it does not move"));
            return;
        }
        match name {
            "inertial" => self.inertial(at, &mut attributes, report),
            "joint" => {
                let class = self.defaults.named("class", &mut attributes, at.class, report);
                let mut joint = self.defaults.class(class).joint.clone();
                joint.name = attributes.text("name").unwrap_or_default().to_owned();
                joint.span = Some(element.span);
                joint.apply(&mut attributes, report);
                joint.unsupported.report(report);
                self.bodies[at.body].joints.push((joint, at.frame));
            }
            "freejoint" => {
                let align = attributes.choice("align", &["false", "true", "auto"], report);
                let joint = JointSpec {
                    name: attributes.text("name").unwrap_or_default().to_owned(),
                    span: Some(element.span),
                    kind: JointKind::Free,
                    align: align.and_then(|choice| [Some(false), Some(true), None][choice]),
                    ..JointSpec::default()
                };
                attributes.without_effect(&["group"]);
                self.bodies[at.body].joints.push((joint, at.frame));
            }
            "geom" => self.geom(at, &mut attributes, report),
            "site" => {
                let class = self.defaults.named("class", &mut attributes, at.class, report);
                let mut site = self.defaults.class(class).site.clone();
                site.name = attributes.text("name").unwrap_or_default().to_owned();
                site.span = Some(element.span);
                site.apply(&mut attributes, report);
                self.bodies[at.body].sites.push((site, at.frame));
            }
            name if WITHOUT_EFFECT.contains(&name) => return,
            name => {
                self.other(name, element.span, report);
                return;
            }
        }
        self.check_children(at.element, report);
        attributes.finish(report);
    }

    fn inertial(&mut self, at: Waiting, attributes: &mut Attributes<'_>, report: &mut Report) {
        let span = attributes.element_span();
        let inertial = InertialSpec::read(attributes, report);
        let body = &mut self.bodies[at.body];
        if at.is_in_frame {
            report.error(Code::E012, span, "`inertial` belongs to a body, not to a frame");
        } else if body.inertial.replace(inertial).is_some() {
            report.error(Code::E010, span, "a body has one `inertial`");
        }
    }

    fn geom(&mut self, at: Waiting, attributes: &mut Attributes<'_>, report: &mut Report) {
        let class = self.defaults.named("class", attributes, at.class, report);
        let mut geom = self.defaults.class(class).geom.clone();
        geom.name = attributes.text("name").unwrap_or_default().to_owned();
        geom.span = Some(attributes.element_span());
        geom.apply(attributes, report);
        geom.unsupported.report(report);
        self.bodies[at.body].geoms.push((geom, at.frame));
    }

    /// Reports an element that is not read.
    fn other(&self, name: &str, span: Span, report: &mut Report) {
        if let Some((_, what)) = UNSUPPORTED.iter().find(|(unsupported, _)| *unsupported == name) {
            report.unsupported(span, what);
            return;
        }
        let known = READ.into_iter().chain(WITHOUT_EFFECT).chain(UNSUPPORTED.map(|(name, _)| name));
        let diagnostic = Diagnostic::new(Code::E004, span, format!("a body has no `{name}`"));
        report.push_closest(diagnostic, name, known);
    }

    /// Reports elements inside an element that has none.
    fn check_children(&self, id: ElementId, report: &mut Report) {
        for child in self.document.children(id) {
            let (outer, inner) = (self.document.element(id), self.document.element(child));
            if inner.name == "plugin" {
                report.unsupported(inner.span, "a plugin");
            } else {
                let message = format!("`{}` has no `{}` inside", outer.name, inner.name);
                report.error(Code::E004, inner.span, message);
            }
        }
    }

    /// The pose that an element gives.
    fn pose(&self, attributes: &mut Attributes<'_>, report: &mut Report) -> Pose {
        let mut orientation = Orientation::default();
        orientation.apply(attributes, report);
        let pos = attributes.numbers("pos", report).unwrap_or_default();
        Pose::new(orientation.resolve(self.compiler, report), Vec3::from_array(pos))
    }
}

impl BodySpec {
    /// A body with nothing on it.
    pub(crate) fn new(name: &str, span: Span, parent: usize) -> Self {
        Self {
            name: name.to_owned(),
            span,
            parent,
            pose: Pose::IDENTITY,
            frame: Pose::IDENTITY,
            is_mocap: false,
            gravity_compensation: 0.0,
            inertial: None,
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            has_children: false,
        }
    }
}

/// A pose that is given in another one, in the frame of that.
pub(crate) fn compose(outer: Pose, inner: Pose) -> Pose {
    Pose::new(
        (outer.rotation * inner.rotation).normalize(),
        outer.translation + outer.vector_to_world(inner.translation),
    )
}

//! Geoms as they are written.

use super::joint::SoftnessSpec;
use super::orientation::Orientation;
use super::unsupported::Unsupported;
use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::source::Span;

/// Types of geom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum GeomType {
    /// A half space.
    Plane,
    /// A height field.
    HeightField,
    /// A ball.
    Sphere,
    /// A ball swept along z.
    Capsule,
    /// An ellipsoid.
    Ellipsoid,
    /// A cylinder along z.
    Cylinder,
    /// A box.
    Box,
    /// The hull of a mesh.
    Mesh,
    /// A signed distance field.
    DistanceField,
}

/// A geom as it is written.
#[derive(Debug, Clone)]
pub(crate) struct GeomSpec {
    /// Its name.
    pub(crate) name: String,
    /// Place of its element.
    pub(crate) span: Option<Span>,
    /// Type.
    pub(crate) kind: GeomType,
    /// Sizes, and their place.
    pub(crate) size: ([f64; 3], Option<Span>),
    /// Position.
    pub(crate) pos: [f64; 3],
    /// Orientation.
    pub(crate) orientation: Orientation,
    /// Two points that it lies between, instead of position and orientation, and their place.
    pub(crate) from_to: Option<([f64; 6], Span)>,
    /// Bits of what it is.
    pub(crate) contype: i32,
    /// Bits of what it meets.
    pub(crate) conaffinity: i32,
    /// Dimension of contacts.
    pub(crate) condim: (i32, Option<Span>),
    /// Group.
    pub(crate) group: i32,
    /// Priority.
    pub(crate) priority: i32,
    /// Friction.
    pub(crate) friction: [f64; 3],
    /// Mass, if given.
    pub(crate) mass: Option<f64>,
    /// Density.
    pub(crate) density: f64,
    /// Whether the mass is on the surface.
    pub(crate) is_shell: bool,
    /// Weight where two surfaces mix.
    pub(crate) solmix: f64,
    /// Softness.
    pub(crate) softness: SoftnessSpec,
    /// Margin.
    pub(crate) margin: f64,
    /// Gap.
    pub(crate) gap: f64,
    /// Mesh, and the place of its name.
    pub(crate) mesh: Option<(String, Span)>,
    /// Scale of a shape that is fitted to a mesh.
    pub(crate) fit_scale: f64,
    /// Material.
    pub(crate) material: Option<(String, Span)>,
    /// Colour.
    pub(crate) rgba: [f64; 4],
    /// What cannot be had.
    pub(crate) unsupported: Unsupported,
}

impl GeomSpec {
    /// Colour of a geom that says none.
    pub(crate) const DEFAULT_RGBA: [f64; 4] = [0.5, 0.5, 0.5, 1.0];
}

impl Default for GeomSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            span: None,
            kind: GeomType::Sphere,
            size: ([0.0; 3], None),
            pos: [0.0; 3],
            orientation: Orientation::default(),
            from_to: None,
            contype: 1,
            conaffinity: 1,
            condim: (3, None),
            group: 0,
            priority: 0,
            friction: [1.0, 0.005, 0.0001],
            mass: None,
            density: 1000.0,
            is_shell: false,
            solmix: 1.0,
            softness: SoftnessSpec::default(),
            margin: 0.0,
            gap: 0.0,
            mesh: None,
            fit_scale: 1.0,
            material: None,
            rgba: Self::DEFAULT_RGBA,
            unsupported: Unsupported::default(),
        }
    }
}

impl GeomSpec {
    /// Takes over what an element says, of a geom or of a default class.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        self.apply_shape(attributes, report);
        self.apply_surface(attributes, report);
        self.mass = attributes.number("mass", report).or(self.mass);
        self.density = attributes.number("density", report).unwrap_or(self.density);
        self.is_shell = attributes.boolean("shellinertia", report).unwrap_or(self.is_shell);
        self.group = attributes.integer("group", report).unwrap_or(self.group);
        if let Some(material) = super::equality::named("material", attributes) {
            self.material = Some(material);
        }
        attributes.some_numbers("rgba", &mut self.rgba, report);
        // Fluids are refused as a whole, by `option`; without one these say nothing.
        attributes.without_effect(&["castshadow", "fluidshape", "fluidcoef", "user"]);
    }

    fn apply_shape(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        const TYPES: [(&str, GeomType); 9] = [
            ("plane", GeomType::Plane),
            ("hfield", GeomType::HeightField),
            ("sphere", GeomType::Sphere),
            ("capsule", GeomType::Capsule),
            ("ellipsoid", GeomType::Ellipsoid),
            ("cylinder", GeomType::Cylinder),
            ("box", GeomType::Box),
            ("mesh", GeomType::Mesh),
            ("sdf", GeomType::DistanceField),
        ];
        if let Some(kind) = attributes.choice("type", &TYPES.map(|(name, _)| name), report) {
            self.kind = TYPES[kind].1;
        }
        if attributes.some_numbers("size", &mut self.size.0, report) {
            self.size.1 = Some(attributes.span("size"));
        }
        self.pos = attributes.numbers("pos", report).unwrap_or(self.pos);
        self.orientation.apply(attributes, report);
        if let Some(points) = attributes.numbers("fromto", report) {
            self.from_to = Some((points, attributes.span("fromto")));
        }
        if let Some(mesh) = super::equality::named("mesh", attributes) {
            self.mesh = Some(mesh);
        }
        self.fit_scale = attributes.number("fitscale", report).unwrap_or(self.fit_scale);
        attributes.without_effect(&["hfield"]);
    }

    fn apply_surface(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        self.contype = attributes.integer("contype", report).unwrap_or(self.contype);
        self.conaffinity = attributes.integer("conaffinity", report).unwrap_or(self.conaffinity);
        if let Some(condim) = attributes.integer("condim", report) {
            self.condim = (condim, Some(attributes.span("condim")));
        }
        self.priority = attributes.integer("priority", report).unwrap_or(self.priority);
        attributes.some_numbers("friction", &mut self.friction, report);
        self.solmix = attributes.number("solmix", report).unwrap_or(self.solmix);
        self.softness.apply(["solref", "solimp"], attributes, report);
        self.margin = attributes.number("margin", report).unwrap_or(self.margin);
        self.gap = attributes.number("gap", report).unwrap_or(self.gap);
        let mut velocity = [0.0; 6];
        if attributes.some_numbers("surfacevel", &mut velocity, report) {
            let moves = velocity.iter().any(|component| *component != 0.0);
            let span = attributes.span("surfacevel");
            self.unsupported.set("surfacevel", moves, span, "a surface that moves (`surfacevel`)");
        }
        if let Some(force) = attributes.number("adhesion", report) {
            let span = attributes.span("adhesion");
            self.unsupported.set("adhesion", force != 0.0, span, "adhesion of contacts");
        }
    }
}

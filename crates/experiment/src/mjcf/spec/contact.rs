//! Pairs of geoms with parameters of their own, and pairs of bodies that do not meet, as they are written.

use super::joint::SoftnessSpec;
use super::unsupported::Unsupported;
use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::source::Span;

/// A pair of geoms as it is written.
#[derive(Debug, Clone)]
pub(crate) struct PairSpec {
    /// Its name.
    pub(crate) name: String,
    /// Names of the geoms, with their places.
    pub(crate) geoms: [Option<(String, Span)>; 2],
    /// Dimension of the contact.
    pub(crate) condim: (i32, Option<Span>),
    /// Friction.
    pub(crate) friction: [f64; 5],
    /// Softness.
    pub(crate) softness: SoftnessSpec,
    /// Reference of friction; zeros for that of the normal force.
    pub(crate) friction_reference: [f64; 2],
    /// Margin.
    pub(crate) margin: f64,
    /// Gap.
    pub(crate) gap: f64,
    /// What cannot be had.
    pub(crate) unsupported: Unsupported,
}

impl Default for PairSpec {
    fn default() -> Self {
        Self {
            name: String::new(),
            geoms: [None, None],
            condim: (3, None),
            friction: [1.0, 1.0, 0.005, 0.0001, 0.0001],
            softness: SoftnessSpec::default(),
            friction_reference: [0.0; 2],
            margin: 0.0,
            gap: 0.0,
            unsupported: Unsupported::default(),
        }
    }
}

impl PairSpec {
    /// Takes over what an element says, of a pair or of a default class.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        if let Some(condim) = attributes.integer("condim", report) {
            self.condim = (condim, Some(attributes.span("condim")));
        }
        attributes.some_numbers("friction", &mut self.friction, report);
        self.softness.apply(["solref", "solimp"], attributes, report);
        attributes.some_numbers("solreffriction", &mut self.friction_reference, report);
        self.margin = attributes.number("margin", report).unwrap_or(self.margin);
        self.gap = attributes.number("gap", report).unwrap_or(self.gap);
        if let Some(force) = attributes.number("adhesion", report) {
            let span = attributes.span("adhesion");
            self.unsupported.set("adhesion", force != 0.0, span, "adhesion of contacts");
        }
    }
}

/// A pair of bodies that do not meet, as it is written.
#[derive(Debug, Clone)]
pub(crate) struct ExcludeSpec {
    /// Names of the bodies, with their places.
    pub(crate) bodies: [(String, Span); 2],
}

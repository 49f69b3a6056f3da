//! The element `inertial`: mass, centre of mass and moments of inertia of a body.

use super::orientation::Orientation;
use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::diagnostic::Code;
use gedanken_lang::source::Span;

/// The inertia of a body as it is written.
#[derive(Debug, Clone)]
pub(crate) struct InertialSpec {
    /// Place of the element.
    pub(crate) span: Span,
    /// Centre of mass.
    pub(crate) pos: [f64; 3],
    /// Orientation of the axes of `diagonal`.
    pub(crate) orientation: Orientation,
    /// Mass.
    pub(crate) mass: f64,
    /// Moments about the axes.
    pub(crate) diagonal: [f64; 3],
    /// xx, yy, zz, xy, xz, yz of the inertia matrix, instead of axes and moments.
    pub(crate) full: Option<[f64; 6]>,
}

impl InertialSpec {
    /// Reads an element.
    pub(crate) fn read(attributes: &mut Attributes<'_>, report: &mut Report) -> Self {
        for (name, example) in [("pos", "0 0 0"), ("mass", "1")] {
            if !attributes.has(name) {
                attributes.missing(name, example, report);
            }
        }
        let mut orientation = Orientation::default();
        orientation.apply(attributes, report);
        let full = attributes.numbers("fullinertia", report);
        let diagonal = attributes.numbers("diaginertia", report);
        if full.is_some() && (diagonal.is_some() || orientation.is_given()) {
            let message = "`fullinertia` says the axes and the moments: neither can be given besides it";
            report.error(Code::E012, attributes.span("fullinertia"), message);
        }
        Self {
            span: attributes.element_span(),
            pos: attributes.numbers("pos", report).unwrap_or_default(),
            orientation,
            mass: attributes.number("mass", report).unwrap_or_default(),
            diagonal: diagonal.unwrap_or_default(),
            full,
        }
    }
}

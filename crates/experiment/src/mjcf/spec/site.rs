//! Sites as they are written: frames on bodies that equalities may name.

use super::orientation::Orientation;
use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::source::Span;

/// A site as it is written.
#[derive(Debug, Clone, Default)]
pub(crate) struct SiteSpec {
    /// Its name.
    pub(crate) name: String,
    /// Place of its element.
    pub(crate) span: Option<Span>,
    /// Position.
    pub(crate) pos: [f64; 3],
    /// Orientation.
    pub(crate) orientation: Orientation,
    /// Two points that it lies between, instead of position and orientation.
    pub(crate) from_to: Option<[f64; 6]>,
}

impl SiteSpec {
    /// Takes over what an element says, of a site or of a default class.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        self.pos = attributes.numbers("pos", report).unwrap_or(self.pos);
        self.orientation.apply(attributes, report);
        self.from_to = attributes.numbers("fromto", report).or(self.from_to);
        attributes.without_effect(&["type", "group", "material", "mesh", "size", "rgba", "user"]);
    }
}

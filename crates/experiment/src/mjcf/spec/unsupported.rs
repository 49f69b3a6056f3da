//! What an element asks for and cannot get. A default class may ask for it and an element may take it back,
//! so that it is reported only where it is in effect.

use crate::mjcf::report::Report;
use gedanken_lang::source::Span;
use std::collections::BTreeMap;

/// Unsupported features in effect, by attribute.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unsupported {
    features: BTreeMap<&'static str, (Span, String)>,
}

impl Unsupported {
    /// Notes that an attribute asks for a feature, or no longer does.
    pub(crate) fn set(&mut self, attribute: &'static str, is_asked: bool, span: Span, feature: &str) {
        if is_asked {
            self.features.insert(attribute, (span, feature.to_owned()));
        } else {
            self.features.remove(attribute);
        }
    }

    /// Notes that an attribute no longer asks for anything.
    pub(crate) fn clear(&mut self, attribute: &'static str) {
        self.features.remove(attribute);
    }

    /// Returns `true` if everything that is asked for can be had.
    pub(crate) fn is_empty(&self) -> bool {
        self.features.is_empty()
    }

    /// Reports all features in effect.
    pub(crate) fn report(&self, report: &mut Report) {
        for (span, feature) in self.features.values() {
            report.unsupported(*span, feature);
        }
    }
}

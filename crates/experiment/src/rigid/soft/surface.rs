//! Reads the numbers of a material that only soft constraints have a use for.

use super::numbers::SoftNumbers;
use super::{SoftSurface, softness};
use crate::read::numbers::Numbers;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::Name;

/// Keys of a material beside those of its softness.
const KEYS: [&str; 4] = ["torsional_friction", "rolling_friction", "margin", "gap"];

/// Reads what soft constraints know of a material, and which of its keys are written.
pub(crate) fn read(
    numbers: &Numbers<'_>,
    name: &Name,
    diagnostics: &mut Vec<Diagnostic>,
) -> (SoftSurface, Vec<(&'static str, Span)>) {
    let reader = SoftNumbers { numbers, name, code: Code::E754 };
    let [torsional_friction, rolling_friction, margin, gap] =
        KEYS.map(|key| reader.not_negative(key, diagnostics).unwrap_or(0.0));
    let softness = softness::read(&reader, diagnostics);
    let written = reader.written(&[KEYS.as_slice(), &softness::KEYS].concat());
    (SoftSurface { torsional_friction, rolling_friction, margin, gap, softness }, written)
}

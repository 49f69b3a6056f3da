//! Equalities as they are written.

use super::joint::SoftnessSpec;
use crate::mjcf::report::Report;
use crate::mjcf::xml::Attributes;
use gedanken_lang::source::Span;

/// A name and its place.
pub(crate) type Named = (String, Span);

/// What all kinds of equality have in common.
#[derive(Debug, Clone)]
pub(crate) struct EqualityBase {
    /// Its name.
    pub(crate) name: String,
    /// Whether it acts.
    pub(crate) is_active: bool,
    /// Softness.
    pub(crate) softness: SoftnessSpec,
}

impl Default for EqualityBase {
    fn default() -> Self {
        Self { name: String::new(), is_active: true, softness: SoftnessSpec::default() }
    }
}

impl EqualityBase {
    /// Takes over what an element says, of an equality or of a default class.
    pub(crate) fn apply(&mut self, attributes: &mut Attributes<'_>, report: &mut Report) {
        self.is_active = attributes.boolean("active", report).unwrap_or(self.is_active);
        self.softness.apply(["solref", "solimp"], attributes, report);
    }
}

/// The two things that a connect or weld holds together.
#[derive(Debug, Clone)]
pub(crate) enum Ends {
    /// Two bodies; the world if the second is missing.
    Bodies(Named, Option<Named>),
    /// Two sites.
    Sites(Named, Named),
}

/// Kinds of equality as they are written.
#[derive(Debug, Clone)]
pub(crate) enum EqualityKindSpec {
    /// Two points coincide.
    Connect {
        /// What is connected.
        ends: Ends,
        /// Point of the first body.
        anchor: [f64; 3],
    },
    /// Two frames coincide.
    Weld {
        /// What is welded.
        ends: Ends,
        /// Point of the second body.
        anchor: [f64; 3],
        /// Pose of the second body in the first; a quaternion of zeros for the pose of the file.
        relative_pose: [f64; 7],
        /// Length by which rotation is scaled.
        torque_scale: f64,
    },
    /// A coordinate is a polynomial of another.
    Joint {
        /// The joint that follows.
        driven: Named,
        /// The joint that leads.
        driver: Option<Named>,
        /// Coefficients.
        coefficients: [f64; 5],
    },
}

/// An equality as it is written.
#[derive(Debug, Clone)]
pub(crate) struct EqualitySpec {
    /// Place of its element.
    pub(crate) span: Span,
    /// What all kinds have in common.
    pub(crate) base: EqualityBase,
    /// The kind.
    pub(crate) kind: EqualityKindSpec,
}

impl EqualitySpec {
    /// Reads a `connect`, `weld` or `joint`; `None` if something is missing, which is reported.
    pub(crate) fn read(
        mut base: EqualityBase,
        attributes: &mut Attributes<'_>,
        report: &mut Report,
    ) -> Option<Self> {
        base.name = attributes.text("name").unwrap_or_default().to_owned();
        base.apply(attributes, report);
        let span = attributes.element_span();
        let kind = match attributes.element_name() {
            "connect" => {
                let anchor = attributes.numbers("anchor", report);
                let ends = ends(attributes, report)?;
                if anchor.is_none() && matches!(ends, Ends::Bodies(..)) && !attributes.has("anchor") {
                    attributes.missing("anchor", "0 0 0", report);
                }
                EqualityKindSpec::Connect { ends, anchor: anchor.unwrap_or_default() }
            }
            "weld" => EqualityKindSpec::Weld {
                anchor: attributes.numbers("anchor", report).unwrap_or_default(),
                relative_pose: attributes.numbers("relpose", report).unwrap_or_default(),
                torque_scale: attributes.number("torquescale", report).unwrap_or(1.0),
                ends: ends(attributes, report)?,
            },
            _ => {
                let driven = named("joint1", attributes);
                let driver = named("joint2", attributes);
                let mut coefficients = [0.0, 1.0, 0.0, 0.0, 0.0];
                attributes.some_numbers("polycoef", &mut coefficients, report);
                let Some(driven) = driven else {
                    attributes.missing("joint1", "elbow", report);
                    return None;
                };
                EqualityKindSpec::Joint { driven, driver, coefficients }
            }
        };
        Some(Self { span, base, kind })
    }
}

/// A name that an attribute gives, and its place.
pub(crate) fn named(name: &'static str, attributes: &mut Attributes<'_>) -> Option<Named> {
    let text = attributes.text(name)?;
    Some((text.to_owned(), attributes.span(name)))
}

/// The ends of a connect or weld: bodies or sites.
fn ends(attributes: &mut Attributes<'_>, report: &mut Report) -> Option<Ends> {
    let [first_body, second_body] = [named("body1", attributes), named("body2", attributes)];
    let sites = [named("site1", attributes), named("site2", attributes)];
    match (first_body, second_body, sites) {
        (Some(first), second, [None, None]) => Some(Ends::Bodies(first, second)),
        (None, None, [Some(first), Some(second)]) => Some(Ends::Sites(first, second)),
        (None, None, [None, None]) => {
            attributes.missing("body1", "hand", report);
            None
        }
        _ => {
            report.push(
                gedanken_lang::diagnostic::Diagnostic::new(
                    gedanken_lang::diagnostic::Code::E012,
                    attributes.element_span(),
                    format!("`{}` holds two bodies or two sites together", attributes.element_name()),
                )
                .help("give `body1` and perhaps `body2`, or `site1` and `site2`"),
            );
            None
        }
    }
}

//! The formulas of a block, each with the type that it must have.

use super::fields::{Energies, LagrangianLists};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::Expr;
use gedanken_lang::types::Type;

/// Types that a formula may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedType {
    Real,
    Position,
    Orientation,
    Anything,
}

/// A formula that is expected_formulas for.
pub(super) struct ExpectedFormula<'b> {
    /// In words: `` `T` ``.
    pub(super) what: String,
    pub(super) body: &'b Expr,
    pub(super) expected: ExpectedType,
}

impl ExpectedType {
    pub(super) fn fits(self, ty: &Type) -> bool {
        match self {
            Self::Real => *ty == Type::Real,
            Self::Position => *ty == Type::vector(3),
            Self::Orientation => *ty == Type::vector(3) || *ty == Type::vector(4),
            Self::Anything => ty.is_fixed(),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Real => "a real",
            Self::Position => "a vector of 3",
            Self::Orientation => "a vector of 3, or of 4 for a quaternion",
            Self::Anything => "a real, vector or matrix whose size is known",
        }
    }
}

impl ExpectedFormula<'_> {
    pub(super) fn wrong_type(&self, ty: &Type) -> Diagnostic {
        let message = format!("{} is {}, but this is {ty}", self.what, self.expected.words());
        let diagnostic = Diagnostic::new(Code::E768, self.body.span, message).label(format!("this is {ty}"));
        match (self.expected, ty) {
            (ExpectedType::Real, Type::Vector(_)) => {
                diagnostic.help("take an element, `v # 1`, or the product `v . v`")
            }
            (ExpectedType::Position, _) => diagnostic.help("write for example `[x, 0, z]`"),
            (ExpectedType::Orientation, _) => diagnostic.help("write Euler angles such as `[0, theta, 0]`"),
            _ => diagnostic,
        }
    }
}

/// All formulas of a block but its functions, in the order in which they are taken up.
pub(super) fn expected_formulas<'b>(
    written: &LagrangianLists<'b>,
    energies: Energies<'b>,
) -> Vec<ExpectedFormula<'b>> {
    let real = |what: &str, body: &'b Expr| ExpectedFormula {
        what: format!("`{what}`"),
        body,
        expected: ExpectedType::Real,
    };
    let mut expected_formulas = match energies {
        Energies::Lagrangian(body) => vec![real("L", body)],
        Energies::Hamiltonian(body) => vec![real("H", body)],
        Energies::Both(kinetic, None) => vec![real("T", kinetic)],
        Energies::Both(kinetic, Some(potential)) => vec![real("T", kinetic), real("V", potential)],
    };
    expected_formulas.extend(written.dissipation.map(|body| real("dissipation", body)));
    let lists = [
        (&written.forces, "force along", ExpectedType::Real),
        (&written.constraints, "constraint", ExpectedType::Real),
        (&written.velocity_constraints, "velocity constraint", ExpectedType::Real),
        (&written.stops, "stop", ExpectedType::Real),
        (&written.positions, "position of", ExpectedType::Position),
        (&written.orientations, "orientation of", ExpectedType::Orientation),
    ];
    for (lines, word, expected) in lists {
        expected_formulas.extend(lines.iter().map(|line| ExpectedFormula {
            what: format!("the {word} `{}`", line.name.text),
            body: &line.body,
            expected,
        }));
    }
    expected_formulas
}

/// Positions of everything that a refusal may name, those first that are blamed first.
pub(super) fn places(written: &LagrangianLists<'_>) -> Vec<(String, Span)> {
    let lists = [&written.constraints, &written.velocity_constraints, &written.forces];
    let named = lists.into_iter().flatten().map(|it| (it.name.text.clone(), it.span));
    let energies = ["T", "V", "L", "H", "dissipation"].into_iter().filter(|key| written.fields.has(key));
    let energies = energies.map(|key| (key.to_owned(), written.fields.span_of(key)));
    let coordinates = written.coordinates.iter().map(|it| (it.name.text.clone(), it.span));
    energies.chain(named).chain(coordinates).collect()
}

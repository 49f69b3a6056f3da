//! A line of a derivation, in any notation.

use gedanken_lang::symbolic::{Notation, show, show_value};
use gedanken_lang::value::Shaped;
use gedanken_symbolic::lagrange::Conserved;
use gedanken_symbolic::{Expr, Pool, Truth};

/// One equality.
#[derive(Clone, Debug)]
pub struct Line {
    /// Left side.
    pub left: Left,
    /// Right side.
    pub right: Expr,
    /// Reason, in words.
    pub why: Option<String>,
}

/// Left side of an equality.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Left {
    /// A quantity by name: `L`.
    Name(String),
    /// A symbol.
    Symbol(Expr),
    /// Rate of a symbol: of momenta, for whose rates the system has no symbol.
    Rate(Expr),
    /// ∂L/∂by. `also` is a symbol for the same, or `by` itself if there is none.
    Partial {
        /// Name of the differentiated quantity.
        of: String,
        /// Symbol it is differentiated by.
        by: Expr,
        /// Symbol for the derivative.
        also: Expr,
    },
    /// d/dt ∂L/∂by
    PartialRate {
        /// Name of the differentiated quantity.
        of: String,
        /// Symbol it is differentiated by.
        by: Expr,
        /// Symbol of ∂L/∂by.
        also: Expr,
    },
    /// Zero: the equation of this coordinate, or the constraint of this name.
    Zero(String),
    /// Square of a symbol.
    Square(Expr),
    /// No equality: the lines above hold if this does, and the right side is not read.
    If(Truth),
}

impl Line {
    /// name = right
    pub(super) fn named(name: &str, right: Expr) -> Self {
        Self { left: Left::Name(name.to_owned()), right, why: None }
    }

    /// symbol = right
    pub(super) fn of(symbol: Expr, right: Expr) -> Self {
        Self { left: Left::Symbol(symbol), right, why: None }
    }

    /// 0 = right
    pub(super) fn zero(name: &str, right: Expr) -> Self {
        Self { left: Left::Zero(name.to_owned()), right, why: None }
    }

    /// Returns the equality in a notation; in VFLang a definition, with a comment for a line that is zero.
    pub fn show(&self, pool: &mut Pool, notation: Notation) -> String {
        let right = show(pool, self.right, notation);
        match (&self.left, notation) {
            (Left::If(truth), _) => condition(pool, *truth, notation),
            (Left::Zero(name), Notation::Vfl) => format!("equation_{name} = {right}  // is zero"),
            (Left::Zero(_), Notation::MathMl) => joined(&right, "<mn>0</mn>"),
            (Left::Zero(_), _) => format!("{right} = 0"),
            (_, Notation::MathMl) => joined(&self.left.show(pool, notation), &right),
            _ => format!("{} = {right}", self.left.show(pool, notation)),
        }
    }
}

impl Left {
    /// Returns the left side alone. In VFLang it is a name that can be defined.
    pub fn show(&self, pool: &mut Pool, notation: Notation) -> String {
        let named = match self {
            Self::Name(name) | Self::Zero(name) => pool.symbol(name),
            Self::Rate(expr) => {
                let name = format!("{}_dot", pool.text(*expr));
                pool.symbol(&name)
            }
            Self::Square(of) if notation != Notation::Vfl => pool.powi(*of, 2),
            Self::Symbol(by) | Self::Partial { by, .. } | Self::PartialRate { by, .. } | Self::Square(by) => {
                *by
            }
            Self::If(truth) => return condition(pool, *truth, notation),
        };
        let symbol = |expr: Expr| show(pool, expr, notation);
        let text = |expr: Expr| pool.text(expr);
        match self {
            Self::Square(_) if notation == Notation::Vfl => format!("{}_squared", text(named)),
            Self::Name(_)
            | Self::Zero(_)
            | Self::Rate(_)
            | Self::Symbol(_)
            | Self::Square(_)
            | Self::If(_) => symbol(named),
            Self::Partial { of, by, also } => match notation {
                Notation::Vfl if also != by => text(*also),
                Notation::Vfl => format!("d{of}_d{}", text(*by)),
                Notation::Latex => format!("\\frac{{\\partial {of}}}{{\\partial {}}}", symbol(*by)),
                Notation::Unicode => format!("∂{of}/∂{}", symbol(*by)),
                Notation::MathMl => slope(of, &symbol(*by)),
            },
            Self::PartialRate { of, by, also } => match notation {
                Notation::Vfl => format!("{}_dot", text(*also)),
                Notation::Latex => {
                    format!("\\frac{{d}}{{dt}} \\frac{{\\partial {of}}}{{\\partial {}}}", symbol(*by))
                }
                Notation::Unicode => format!("d/dt ∂{of}/∂{}", symbol(*by)),
                Notation::MathMl => format!(
                    "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi></mrow></mfrac>{}",
                    slope(of, &symbol(*by))
                ),
            },
        }
    }
}

pub(super) fn conserved(it: &Conserved) -> Line {
    let why = format!("{}: {}", it.name, it.why);
    Line { left: Left::Name(it.symbol.clone()), right: it.value, why: Some(why) }
}

/// Returns `if …`; in VFLang a comment.
fn condition(pool: &Pool, truth: Truth, notation: Notation) -> String {
    let shown = show_value(pool, &Shaped::Bool(truth), notation);
    match notation {
        Notation::Vfl => format!("// if {shown}"),
        Notation::Latex => format!("\\text{{if }} {shown}"),
        Notation::Unicode => format!("if {shown}"),
        Notation::MathMl => {
            format!(
                "{OPENING} display=\"block\"><mtext>if\u{a0}</mtext><mrow>{}</mrow></math>",
                inside(&shown)
            )
        }
    }
}

const OPENING: &str = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\"";

/// Content of a `<math>` element; anything else is returned as it is.
fn inside(math: &str) -> &str {
    match math.strip_prefix(OPENING).and_then(|it| it.split_once('>')) {
        Some((_, rest)) => rest.strip_suffix("</math>").unwrap_or(rest),
        None => math,
    }
}

/// Joins two sides in one `<math>` element that stands alone.
fn joined(left: &str, right: &str) -> String {
    format!(
        "{OPENING} display=\"block\"><mrow>{}</mrow><mo>=</mo><mrow>{}</mrow></math>",
        inside(left),
        inside(right)
    )
}

fn slope(of: &str, by: &str) -> String {
    format!("<mfrac><mrow><mo>∂</mo><mi>{of}</mi></mrow><mrow><mo>∂</mo>{}</mrow></mfrac>", inside(by))
}

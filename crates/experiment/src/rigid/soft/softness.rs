//! Softness of a joint or a material: two numbers that say how a violated constraint returns, five that say
//! how firmly.

use super::GivenSoftness;
use super::numbers::SoftNumbers;
use crate::read::fields::spaced;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::ExprKind;
use gedanken_lang::value::Value;
use gedanken_multibody::model::{Impedance, Reference};

/// Keys of softness.
pub(crate) const KEYS: [&str; 5] =
    ["time_constant", "damping_ratio", "softness_stiffness", "softness_damping", "impedance"];

/// Value of `time constant` in words.
pub(crate) const TIME_CONSTANT: &str =
    "a real greater than 0, in seconds: how fast a violated soft constraint returns";
/// Value of `damping ratio` in words.
pub(crate) const DAMPING_RATIO: &str =
    "a real greater than 0: 1 is critical, and a soft contact with less bounces";
/// Value of `softness stiffness` in words.
pub(crate) const STIFFNESS: &str =
    "a real greater than 0, in 1/s²: stiffness per unit of mass, instead of `time constant`";
/// Value of `softness damping` in words.
pub(crate) const DAMPING: &str =
    "a real that is not negative, in 1/s: damping per unit of mass, instead of `damping ratio`";
/// Value of `impedance` in words.
pub(crate) const IMPEDANCE: &str =
    "five reals, `[d0, d1, width, midpoint, power]`: how firm a soft constraint is against its violation";

/// The two ways to give a reference: its keys, each with an example.
const PAIRS: [[(&str, &str); 2]; 2] = [
    [("time_constant", "0.02"), ("damping_ratio", "1")],
    [("softness_stiffness", "2500"), ("softness_damping", "100")],
];

/// A number of an impedance.
struct Part {
    name: &'static str,
    /// Bounds in words.
    bounds: &'static str,
    fits: fn(f64) -> bool,
}

/// The numbers of an impedance in their order.
const PARTS: [Part; 5] = [
    Part { name: "d0", bounds: "must be between 0 and 1, both excluded", fits: |it| it > 0.0 && it < 1.0 },
    Part { name: "d1", bounds: "must be between 0 and 1, both excluded", fits: |it| it > 0.0 && it < 1.0 },
    Part { name: "width", bounds: "must be greater than 0", fits: |it| it > 0.0 },
    Part { name: "midpoint", bounds: "must be from 0 to 1", fits: |it| (0.0..=1.0).contains(&it) },
    Part { name: "power", bounds: "must be 1 or greater", fits: |it| it >= 1.0 },
];

/// Reads the softness of a joint or material.
pub(crate) fn read(reader: &SoftNumbers<'_>, diagnostics: &mut Vec<Diagnostic>) -> GivenSoftness {
    GivenSoftness { reference: reference(reader, diagnostics), impedance: impedance(reader, diagnostics) }
}

fn reference(reader: &SoftNumbers<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Reference> {
    let time_constant = reader.positive("time_constant", diagnostics);
    let damping_ratio = reader.positive("damping_ratio", diagnostics);
    let stiffness = reader.positive("softness_stiffness", diagnostics);
    let damping = reader.not_negative("softness_damping", diagnostics);
    let first_of = |pair: [(&'static str, _); 2]| pair.into_iter().find(|it: &(_, &str)| reader.has(it.0));
    if let (Some((one, _)), Some((other, _))) = (first_of(PAIRS[0]), first_of(PAIRS[1])) {
        mixed(reader, one, other, diagnostics);
        return None;
    }
    for [one, other] in PAIRS.into_iter().flat_map(|[a, b]| [[a, b], [b, a]]) {
        if reader.has(one.0) && !reader.has(other.0) {
            let (written, missing) = (spaced(one.0), spaced(other.0));
            let message = format!("the softness of `{}` has a {written} and no {missing}", reader.name.text);
            let label = format!("`{missing}` is missing");
            diagnostics.push(
                reader
                    .bad(one.0, message, &label)
                    .help(format!("add a line such as `{missing} = {}`", other.1)),
            );
        }
    }
    let oscillator = time_constant.zip(damping_ratio);
    let oscillator = oscillator
        .map(|(time_constant, damping_ratio)| Reference::Oscillator { time_constant, damping_ratio });
    let direct = stiffness.zip(damping);
    oscillator.or(direct.map(|(stiffness, damping)| Reference::Direct { stiffness, damping }))
}

/// Reports a softness that is given in two ways.
fn mixed(reader: &SoftNumbers<'_>, one: &str, other: &str, diagnostics: &mut Vec<Diagnostic>) {
    let fields = reader.numbers.fields;
    let message = format!("the softness of `{}` is given in two ways", reader.name.text);
    diagnostics.push(
        Diagnostic::new(Code::E771, fields.span_of(other), message)
            .label("as a spring and a damper")
            .also(fields.span_of(one), "as an oscillator")
            .help("keep one of the two: `time constant` and `damping ratio`, or `softness stiffness` and `softness damping`"),
    );
}

fn impedance(reader: &SoftNumbers<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Impedance> {
    let (value, span) = reader.numbers.value("impedance", diagnostics)?;
    let form =
        "write `impedance = [d0, d1, width, midpoint, power]`; MuJoCo's is `[0.9, 0.95, 0.001, 0.5, 2]`";
    let five: Option<[f64; 5]> = match &value {
        Value::Vector(elements) => elements.as_slice().try_into().ok(),
        _ => None,
    };
    let Some(five) = five else {
        let message = format!("`impedance` is a vector of 5, but this is {}", value.type_of());
        diagnostics.push(Diagnostic::new(reader.code, span, message).label("not five reals").help(form));
        return None;
    };
    // Each number of a literal has a position of its own.
    let elements = match reader.numbers.fields.expression("impedance", diagnostics).map(|it| &it.kind) {
        Some(ExprKind::Vector(elements)) => elements.as_slice(),
        _ => &[],
    };
    let before = diagnostics.len();
    for (place, (Part { name, bounds, fits }, number)) in PARTS.into_iter().zip(five).enumerate() {
        if !fits(number) {
            let span = elements.get(place).map_or(span, |it| it.span);
            let (owner, number) = (&reader.name.text, Value::Real(number));
            let message = format!("`{name}` of the impedance of `{owner}` cannot be {number}");
            diagnostics.push(Diagnostic::new(reader.code, span, message).label(bounds).help(form));
        }
    }
    (diagnostics.len() == before).then(|| Impedance::from_solimp(five))
}

//! Names that books and other languages give to what is here: `cos`, `ln`, `dot`, `e`, `True`.
//!
//! An unknown name is looked up here before anything is guessed by its letters: `cos` is one letter away from
//! `pos`, and means something else. A name with the same arguments is mended by an edit; where the arguments
//! stand differently, the message shows how.

use super::similar::looks_like;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// Names that stand for one of ours, with the same arguments.
const SAME: &[(&str, &str)] = &[
    ("sin", "sine"),
    ("sen", "sine"),
    ("seno", "sine"),
    ("sinus", "sine"),
    ("cos", "cosine"),
    ("coseno", "cosine"),
    ("cosseno", "cosine"),
    ("cosinus", "cosine"),
    ("tan", "tangent"),
    ("tg", "tangent"),
    ("tangente", "tangent"),
    ("arcsin", "inverseSine"),
    ("arcsine", "inverseSine"),
    ("asin", "inverseSine"),
    ("arccos", "inverseCosine"),
    ("acos", "inverseCosine"),
    ("arctan", "inverseTangent"),
    ("atan", "inverseTangent"),
    ("arctan2", "atan2"),
    ("ln", "log"),
    ("raiz", "sqrt"),
    ("root", "sqrt"),
    ("squareRoot", "sqrt"),
    ("wurzel", "sqrt"),
    ("racine", "sqrt"),
    ("radice", "sqrt"),
    ("fabs", "abs"),
    ("absolute", "abs"),
    ("sgn", "sign"),
    ("signum", "sign"),
    ("ceiling", "ceil"),
    ("maximum", "max"),
    ("minimum", "min"),
    ("magnitude", "norm"),
    ("mag", "norm"),
    ("unit", "normalize"),
    ("unitVector", "normalize"),
    ("unit_vector", "normalize"),
    ("hat", "normalize"),
    ("versor", "normalize"),
    ("normalise", "normalize"),
    ("normalized", "normalize"),
    ("transpose", "matrixTranspose"),
    ("inv", "squareMatrixInverse"),
    ("inverse", "squareMatrixInverse"),
    ("det", "determinant"),
    ("identity", "identityMatrix"),
    ("eye", "identityMatrix"),
    ("skew", "skewSymmetricMatrix"),
    ("PI", "pi"),
    ("Pi", "pi"),
    ("True", "true"),
    ("TRUE", "true"),
    ("False", "false"),
    ("FALSE", "false"),
    ("time", "t"),
    ("delta_t", "dt"),
    ("deltaT", "dt"),
    ("timestep", "dt"),
    ("time_step", "dt"),
    ("contactNormal", "collisionNormal"),
    ("surfaceNormal", "collisionNormal"),
    ("impactNormal", "collisionNormal"),
    ("contactPoint", "collisionPoint"),
    ("impactPoint", "collisionPoint"),
];

/// How a law gives a derivative.
const RATE: &str = "a law gives a rate with a prime on its left side, `x' = v`, and the engine integrates it; of values there are no derivatives";

/// Words for the moment before, alone or as a part of a name: `prev(v)`, `v_old`.
const BEFORE: &[&str] = &["prev", "old", "before", "prior", "last", "vorher", "alt", "anterior", "avant"];

/// Modules of other languages whose functions are natives here.
const MODULES: &[&str] = &["np", "numpy", "math", "Math", "cmath", "torch", "jnp", "std", "Mathf"];

/// Names without an equal here, and the way out.
const WRITTEN: &[(&str, &str)] = &[
    ("dot", "the inner product of two vectors is written with a point: `a . b`"),
    ("inner", "the inner product of two vectors is written with a point: `a . b`"),
    ("cross", "the cross product of two vectors is written with `*`: `a * b`"),
    (
        "len",
        "write `norm(v)` for the length of an arrow, `vectorDimension(v)` for the number of its elements, `length(s)` for that of a sequence",
    ),
    ("size_of", "write `vectorDimension(v)` for the number of elements of a vector"),
    ("log10", "write `log(x) / log(10)`; `log` is the natural logarithm"),
    ("log2", "write `log(x) / log(2)`; `log` is the natural logarithm"),
    ("lg", "write `log(x) / log(10)`; `log` is the natural logarithm"),
    ("pow", "a power is written with `^`: `x^2`"),
    ("power", "a power is written with `^`: `x^2`"),
    ("sqr", "a square is written with `^`: `x^2`"),
    ("square", "a square is written with `^`: `x^2`"),
    ("cbrt", "write `x^(1 / 3)`"),
    ("e", "write `exp(x)` for e^x, and `exp(1)` for the number"),
    ("sinh", "write `(exp(x) - exp(-x)) / 2`"),
    ("cosh", "write `(exp(x) + exp(-x)) / 2`"),
    ("tanh", "write `1 - 2 / (exp(2 * x) + 1)`"),
    ("cot", "write `1 / tangent(x)`"),
    ("hypot", "write `norm([a, b])`"),
    ("distance", "write `norm(a - b)`"),
    ("clamp", "write `max(low, min(x, high))`"),
    ("radians", "an angle in degrees becomes one in radians by `x * pi / 180`"),
    ("deg2rad", "an angle in degrees becomes one in radians by `x * pi / 180`"),
    ("deg", "an angle in degrees becomes one in radians by `x * pi / 180`"),
    ("degrees", "an angle in radians becomes one in degrees by `x * 180 / pi`"),
    ("random", "write `uniform(seed, k)` with whole numbers of your choice: chance is a function of them"),
    ("rand", "write `uniform(seed, k)` with whole numbers of your choice: chance is a function of them"),
    ("vector", "a vector is written in brackets: `[x, y, z]`"),
    ("Vector", "a vector is written in brackets: `[x, y, z]`"),
    ("vec", "a vector is written in brackets: `[x, y, z]`"),
    ("vec3", "a vector is written in brackets: `[x, y, z]`"),
    ("Vector3", "a vector is written in brackets: `[x, y, z]`"),
    ("array", "a vector is written in brackets: `[x, y, z]`"),
    ("betrag", "write `abs(x)` for a number, `norm(v)` for the length of a vector"),
    (
        "modulo",
        "write `abs(x)` for a number, `norm(v)` for the length of a vector, `mod(a, b)` for a remainder",
    ),
    ("diff", RATE),
    ("derivative", RATE),
    ("ddt", RATE),
    ("deriv", RATE),
    ("integral", RATE),
    ("integrate", RATE),
    ("self", "write the name of an attribute alone: it means that of the object that the law is for"),
    ("this", "write the name of an attribute alone: it means that of the object that the law is for"),
    ("null", "every name has a value; there is none for nothing"),
    ("None", "every name has a value; there is none for nothing"),
    ("inf", "no value is infinite; take a number that is large enough"),
    ("infinity", "no value is infinite; take a number that is large enough"),
    (
        "print",
        "nothing is printed while a law is computed; name what you want to see in `record` of the simulation",
    ),
    ("return", "a definition is its value: write `f(x) = x + 1`"),
    ("sum_of", "write `sum(s)` for the sum of a sequence"),
];

const COMPONENTS: [&str; 3] = ["x", "y", "z"];

/// Names of quantities that others choose for the same thing.
const QUANTITIES: &[&[&str]] = &[
    &["v", "vel", "velocity", "speed", "velocidade", "geschwindigkeit"],
    &["mass", "m", "masse", "massa"],
    &["a", "g", "acceleration", "gravity", "acc"],
    &["position", "pos", "p", "r", "location"],
    &["omega", "w", "a_v", "angular_velocity", "spin"],
    &["restitution", "cor", "elasticity"],
    &["friction", "mu", "mue"],
];

/// Number of the component that a letter means, from 1.
pub(crate) fn component(letter: &str) -> Option<usize> {
    COMPONENTS.iter().position(|axis| *axis == letter).map(|axis| axis + 1)
}

/// Explains a name of another notation; `known` says whether a name has a meaning here.
pub(crate) fn explain(name: &str, place: Span, known: &dyn Fn(&str) -> bool) -> Option<Diagnostic> {
    let diagnostic = Diagnostic::new(Code::E215, place, format!("`{name}` is not the name of anything here"));
    if let Some((_, ours)) = SAME.iter().find(|row| row.0 == name) {
        let exists = known(ours) || matches!(*ours, "true" | "false");
        return exists.then(|| {
            diagnostic
                .label(format!("called `{ours}` here"))
                .help(format!("write `{ours}`"))
                .edit(place, *ours)
        });
    }
    let same = QUANTITIES.iter().find(|names| names.contains(&name));
    // Which of several was meant is a guess, so the text is left alone.
    if let Some(ours) = same.and_then(|names| names.iter().find(|other| **other != name && known(other))) {
        return Some(
            Diagnostic::new(Code::E201, place, format!("`{name}` is not known here"))
                .label("no attribute has this name")
                .help(format!("did you mean `{ours}`? Names are those that you gave to the attributes")),
        );
    }
    if let Some(diagnostic) = value_before(name, place, known) {
        return Some(diagnostic);
    }
    let (_, help) = WRITTEN.iter().find(|row| row.0 == name)?;
    Some(diagnostic.label("a name of another notation").help(*help))
}

/// Explains a name for the value that an attribute had before: `prev`, `v_old`, `oldV`.
fn value_before(name: &str, place: Span, known: &dyn Fn(&str) -> bool) -> Option<Diagnostic> {
    let diagnostic = Diagnostic::new(Code::E215, place, format!("`{name}` is not the name of anything here"));
    if BEFORE.contains(&name) {
        let help =
            "the value that an attribute `x` had a moment ago, or just before a collision, is `previous(x)`";
        return Some(diagnostic.label("the value before?").help(help));
    }
    let stem = BEFORE.iter().find_map(|word| {
        let behind = || name.strip_suffix(word).map(|stem| stem.trim_end_matches('_'));
        name.strip_prefix(&format!("{word}_")).or_else(behind)
    });
    let stem = stem.filter(|stem| !stem.is_empty() && known(stem))?;
    let help = format!(
        "the value that `{stem}` had a moment ago, or just before a collision, is `previous({stem})`"
    );
    Some(diagnostic.label("the value before?").help(help).edit(place, format!("previous({stem})")))
}

/// Returns `true` for a module of another language.
pub(crate) fn is_module(name: &str) -> bool {
    MODULES.contains(&name)
}

/// Our name of a function or a number that another language has in a module.
pub(crate) fn without_module(name: &str) -> &str {
    SAME.iter().find(|row| row.0 == name).map_or(name, |row| row.1)
}

/// The attribute that a function named like this was probably meant to set: `V` and `velocity` for `v`, `vz` and
/// `v_dot` for it too.
pub(crate) fn meant_attribute<'n>(
    name: &str,
    attributes: impl Iterator<Item = &'n str> + Clone,
) -> Option<&'n str> {
    let stem = name.strip_suffix("_dot").or_else(|| name.strip_suffix("dot")).unwrap_or(name);
    let component = stem.strip_suffix(['x', 'y', 'z']).map(|vector| vector.trim_end_matches('_'));
    let same = QUANTITIES.iter().find(|names| names.contains(&stem));
    let is_meant = |other: &&str| {
        *other == stem && stem != name
            || looks_like(stem, other)
            || component == Some(*other)
            || same.is_some_and(|names| names.contains(other))
            || *other == "position" && ["x", "place"].contains(&stem)
    };
    attributes.clone().find(|other| *other != name && is_meant(other))
}

/// Returns `true` if one of the user's own names differs by case or by look-alike letters only.
pub(crate) fn is_own<'n>(name: &str, own: impl IntoIterator<Item = &'n str>) -> bool {
    own.into_iter().any(|other| looks_like(name, other))
}

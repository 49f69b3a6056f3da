//! Couplings: joint blocks of the kind `polynomial`, which tie the angle or shift of one joint to that of another.
//!
//! q₁ = c₀ + c₁ q₂ + c₂ q₂² + c₃ q₂³ + c₄ q₂⁴, where q₁ and q₂ are those of the first and the second joint in
//! `between`, as they have moved since the start. Gears have c₁ alone, cams the others.

use super::model::{Joint, JointKind};
use super::read::FORM;
use crate::environment::Environment;
use crate::object::model::Object;
use crate::read::fields::{Fields, spaced};
use crate::read::numbers::Numbers;
use crate::rigid::soft::numbers::SoftNumbers;
use crate::rigid::soft::{GivenSoftness, softness};
use crate::simulation::model::Simulation;
use gedanken_lang::check::guess;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Block, Name, Value as Written};
use gedanken_lang::value::Value;

/// Name of the kind in files.
pub(crate) const KIND: &str = "polynomial";

/// Largest number of coefficients.
const MAX_COEFFICIENTS: usize = 5;

/// `joint NAME { kind = polynomial … }`.
#[derive(Clone, Debug)]
pub struct Coupling {
    /// Its name; no two laws or joints have the same.
    pub name: String,
    /// The joint whose angle or shift follows.
    pub driven: Name,
    /// The joint that leads.
    pub driver: Name,
    /// c₀ to c₄.
    pub coefficients: [f64; MAX_COEFFICIENTS],
    /// How softly it holds.
    pub softness: GivenSoftness,
    /// Position of its name in the text.
    pub span: Span,
}

impl Coupling {
    /// Returns `true` if it acts in a simulation: both its joints do.
    pub fn belongs_to(&self, simulation: &Simulation, joints: &[Joint], objects: &[Object]) -> bool {
        [&self.driven, &self.driver].into_iter().all(|name| {
            let joint = joints.iter().find(|it| it.name == name.text);
            joint.is_some_and(|it| it.belongs_to(simulation, objects))
        })
    }
}

/// Returns `true` if a joint block is one of this kind.
pub(crate) fn is_coupling(block: &Block) -> bool {
    let kind = block.entries.iter().find(|entry| entry.key.text == "kind");
    matches!(kind.map(|entry| &entry.value), Some(Written::Words(words)) if words.text == KIND)
}

/// Reads a coupling of joints that have been read. `None` if something is wrong that has been reported.
pub(crate) fn read(
    block: &Block,
    joints: &[(Name, Option<Joint>)],
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Coupling>) {
    let before = diagnostics.len();
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = fields.heading("cam", diagnostics);
    fields.require("between", "{follower, crank}", diagnostics);
    fields.require("coefficients", "[0, 2]", diagnostics);
    refuse_other_keys(&fields, diagnostics);
    let ends = if fields.has("between") { pair(&fields, &name, joints, diagnostics) } else { None };
    let numbers = Numbers { fields: &fields, evaluator: environment.evaluator };
    let coefficients = coefficients(&numbers, &name, diagnostics);
    let reader = SoftNumbers { numbers: &numbers, name: &name, code: Code::E759 };
    let softness = softness::read(&reader, diagnostics);
    let sound = !diagnostics[before..].iter().any(Diagnostic::is_error);
    let coupling = ends.zip(coefficients).filter(|_| sound).map(|([driven, driver], coefficients)| {
        Coupling { name: name.text.clone(), driven, driver, coefficients, softness, span: name.span }
    });
    (name, coupling)
}

/// Reports keys that belong to other kinds of joint.
fn refuse_other_keys(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let own = |key: &str| matches!(key, "kind" | "between" | "coefficients") || softness::KEYS.contains(&key);
    let keys = fields.block.entries.iter().map(|entry| entry.key.text.as_str());
    for key in keys.filter(|key| fields.has(key) && !own(key)) {
        let message = format!("a {KIND} has no `{}`", spaced(key));
        diagnostics.push(
            Diagnostic::new(Code::E759, fields.span_of(key), message)
                .label("has no effect here")
                .help("remove the line: it couples the angles or shifts of two other joints"),
        );
    }
}

/// The two joints of `between`.
fn pair(
    fields: &Fields<'_>,
    coupling: &Name,
    joints: &[(Name, Option<Joint>)],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<[Name; 2]> {
    let names = fields.names("between", diagnostics);
    let [driven, driver] = names else {
        // A list that could not be read has been reported at the same place.
        let said = diagnostics.iter().any(|it| it.primary.span == fields.span_of("between"));
        if !said {
            let message = format!("`{}` is between two joints, but names {}", coupling.text, names.len());
            diagnostics.push(
                Diagnostic::new(Code::E755, fields.span_of("between"), message)
                    .help("write for example `between = {follower, crank}`: the first follows the second"),
            );
        }
        return None;
    };
    if driven.text == driver.text {
        let message = format!("both ends of `{}` are `{}`", coupling.text, driver.text);
        diagnostics.push(
            Diagnostic::new(Code::E755, driver.span, message)
                .label("the same joint again")
                .help("name two joints: the first follows the second"),
        );
        return None;
    }
    let known = [driven, driver].map(|name| is_scalar_joint(name, coupling, joints, diagnostics));
    known.iter().all(|it| *it).then(|| [driven.clone(), driver.clone()])
}

/// Returns `true` if a name is that of a joint with one angle or shift, and reports others.
fn is_scalar_joint(
    name: &Name,
    coupling: &Name,
    joints: &[(Name, Option<Joint>)],
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let Some((_, joint)) = joints.iter().find(|(known, _)| known.text == name.text) else {
        let message = format!("`{}` names `{}`, which is no joint of this file", coupling.text, name.text);
        let diagnostic = Diagnostic::new(Code::E755, name.span, message).label("not a joint");
        let known = joints.iter().map(|(known, _)| known.text.as_str());
        diagnostics.push(match guess(diagnostics.len(), &name.text, known) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
            None => diagnostic.help(format!("add `joint {} {{ … }}` to the file", name.text)),
        });
        return false;
    };
    // What is wrong with a joint has been reported there.
    let Some(joint) = joint else { return false };
    if matches!(joint.kind, JointKind::Hinge | JointKind::Slider) {
        return true;
    }
    let message = format!(
        "`{}` couples angles and shifts, and `{}` is a {}",
        coupling.text,
        name.text,
        joint.kind.name()
    );
    diagnostics.push(
        Diagnostic::new(Code::E759, name.span, message)
            .label("has no single angle or shift")
            .help("couple hinges and sliders"),
    );
    false
}

fn coefficients(
    numbers: &Numbers<'_>,
    name: &Name,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<[f64; MAX_COEFFICIENTS]> {
    let (value, span) = numbers.value("coefficients", diagnostics)?;
    let mut all = [0.0; MAX_COEFFICIENTS];
    match &value {
        Value::Vector(given) if (1..=MAX_COEFFICIENTS).contains(&given.len()) => {
            all[..given.len()].copy_from_slice(given);
            Some(all)
        }
        other => {
            let message = format!(
                "the coefficients of `{}` are up to five reals, but this is {}",
                name.text,
                other.type_of()
            );
            let help = "write `coefficients = [c0, c1, c2, c3, c4]`, of the powers 0 to 4; those at the end may be left out";
            diagnostics
                .push(Diagnostic::new(Code::E759, span, message).label("not one to five reals").help(help));
            None
        }
    }
}

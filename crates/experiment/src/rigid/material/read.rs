//! From a `material` block to a material.

use super::model::{Coefficient, DEFAULT_FRICTION, DEFAULT_RESTITUTION, Material, SPEED};
use crate::environment::Environment;
use crate::object::model::Object;
use crate::read::blocks::BlockNames;
use crate::read::evaluate::Evaluator;
use crate::read::fields::{BlockForm, Fields};
use crate::read::numbers::Numbers;
use crate::rigid::soft;
use crate::rigid::soft::softness;
use gedanken_lang::check::{Binding, OutputFormula, check_formulas, guess};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::{Block, Definition, Name, Value as Written};
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;

pub(crate) const FORM: BlockForm = BlockForm {
    what: "a material",
    keys: &[
        ("restitution", "a real from 0 to 1, or a function of the speed: `restitution(v) = 0.9 - 0.01 * v`"),
        (
            "friction",
            "a real that is not negative, or a function of the speed: `friction(v) = 0.3 + 0.1 * exp(-v)`",
        ),
        (
            "torsional_friction",
            "a real that is not negative, in metres: friction against spinning about the normal",
        ),
        ("rolling_friction", "a real that is not negative, in metres: friction against rolling"),
        (
            "margin",
            "a real that is not negative, in metres: the distance at which a soft contact begins to act",
        ),
        (
            "gap",
            "a real that is not negative, in metres: beyond the margin, where a soft contact is found without force",
        ),
        ("time_constant", softness::TIME_CONSTANT),
        ("damping_ratio", softness::DAMPING_RATIO),
        ("softness_stiffness", softness::STIFFNESS),
        ("softness_damping", softness::DAMPING),
        ("impedance", softness::IMPEDANCE),
    ],
};

/// Reads a material. `None` if something is wrong that has been reported.
pub(crate) fn read(
    block: &Block,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Material>) {
    let before = diagnostics.len();
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = fields.heading("steel", diagnostics);
    let mut read = |key: &str, most: f64, usual: f64| match fields.value(key) {
        Some((_, Written::Function(function))) => curve(&name, function, environment, diagnostics),
        _ => number(&fields, key, most, usual, environment.evaluator, diagnostics),
    };
    let (restitution, friction) =
        (read("restitution", 1.0, DEFAULT_RESTITUTION), read("friction", f64::MAX, DEFAULT_FRICTION));
    let numbers = Numbers { fields: &fields, evaluator: environment.evaluator };
    let (soft, soft_keys) = soft::surface::read(&numbers, &name, diagnostics);
    let place = |key: &str| if fields.has(key) { fields.span_of(key) } else { name.span };
    let (restitution_span, friction_span) = (place("restitution"), place("friction"));
    let sound = !diagnostics[before..].iter().any(Diagnostic::is_error);
    let material = restitution.zip(friction).filter(|_| sound).map(|(restitution, friction)| Material {
        name: name.text.clone(),
        restitution,
        friction,
        soft,
        soft_keys,
        restitution_span,
        friction_span,
        span: name.span,
    });
    (name, material)
}

/// Reports materials that objects name and the file does not have.
pub(crate) fn check_named(objects: &[Object], known: &BlockNames, diagnostics: &mut Vec<Diagnostic>) {
    for name in objects.iter().filter_map(|object| object.material.as_ref()) {
        if known.contains_key(&name.text) {
            continue;
        }
        let message = format!("there is no material called `{}`", name.text);
        let diagnostic = Diagnostic::new(Code::E753, name.span, message).label("not a material of this file");
        diagnostics.push(match guess(diagnostics.len(), &name.text, known.keys().map(String::as_str)) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
            None => diagnostic.help(format!(
                "add `material {} {{ restitution = 0.5  friction = 0.3 }}` to the file",
                name.text.replace(' ', "_")
            )),
        });
    }
}

fn number(
    fields: &Fields<'_>,
    key: &str,
    most: f64,
    usual: f64,
    evaluator: &Evaluator,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Coefficient> {
    if !fields.has(key) {
        return Some(Coefficient::Number(usual));
    }
    let before = diagnostics.len();
    let real = Numbers { fields, evaluator }.real(key, diagnostics);
    for unknown in diagnostics[before..].iter_mut().filter(|it| it.code == Code::E201) {
        unknown.help = Some(format!("if it shall depend on the speed, write `{key}(v) = …`"));
    }
    let real = real?;
    if real >= 0.0 && real <= most {
        return Some(Coefficient::Number(real));
    }
    let bounds = if most == 1.0 { "must be from 0 to 1" } else { "must be 0 or greater" };
    let message = format!("no surface has a {key} of {}", Value::Real(real));
    diagnostics.push(Diagnostic::new(Code::E754, fields.span_of(key), message).label(bounds).help(
        match most {
            1.0 => "0 does not rebound at all, 1 loses nothing; more would make energy",
            _ => "0 is as smooth as ice, 1 rough: negative friction would push",
        },
    ));
    None
}

fn curve(
    material: &Name,
    function: &Definition,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Coefficient> {
    let key = &function.name.text;
    let [speed] = function.params.as_slice() else {
        let message =
            format!("`{key}` is a function of one speed, but has {} parameters", function.params.len());
        diagnostics.push(
            Diagnostic::new(Code::E754, function.name.span, message)
                .label("of which speed?")
                .help(format!("write `{key}(v) = …`, where v is in m/s")),
        );
        return None;
    };
    let experiment = environment.experiment;
    let argument = Binding::Engine { index: None, name: SPEED.to_owned() };
    // A parameter hides attributes of its name; `t` is no attribute that a surface could know.
    let of_world = experiment.world.iter().filter(|it| it.name != speed.text && it.name != "t");
    let of_world = of_world.map(|it| (it.name.as_str(), Binding::World { name: it.name.clone() }, it.ty()));
    let names = std::iter::once((speed.text.as_str(), argument, Type::Real)).chain(of_world);
    // The curve becomes a program with one output, like the formula of a law.
    let formula = OutputFormula {
        name: Name { text: format!("{key} of {}", material.text), span: function.name.span },
        body: function.body.clone(),
        span: function.span,
    };
    match check_formulas([formula], &[], names, &experiment.library) {
        Ok(checked) if checked.program.outputs[0].ty == Type::Real => {
            diagnostics.extend(checked.warnings.iter().cloned());
            Some(Coefficient::Curve(Box::new(checked)))
        }
        Ok(checked) => {
            let is = &checked.program.outputs[0].ty;
            let message = format!("a {key} is a real, but this function gives {is}");
            diagnostics.push(
                Diagnostic::new(Code::E754, function.body.span, message)
                    .label(format!("this is {is}"))
                    .help("give one number for each speed"),
            );
            None
        }
        Err(mut found) => {
            for unknown in found.iter_mut().filter(|it| it.code == Code::E201 && it.edit.is_none()) {
                unknown.help = Some(format!(
                    "a {key} is made of the speed `{}`, attributes of the world, imported functions and natives",
                    speed.text
                ));
            }
            diagnostics.extend(found);
            None
        }
    }
}

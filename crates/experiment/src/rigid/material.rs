//! Materials: how surfaces bounce and rub, as numbers or as functions of a speed.
//!
//! `restitution(v) = …` is a function of the speed of approach, `friction(v) = …` of the speed of sliding, in
//! m/s.

use crate::object::Object;
use crate::object::attribute::Attribute;
use crate::read::evaluate::Evaluator;
use crate::read::fields::{BlockForm, Fields};
use crate::read::numbers::Numbers;
use gedanken_lang::check::{Binding, Checked, Library, Scope, Variable, VariableKind, check, similar};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Block, Definition, Name, Value as Written};
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use std::collections::BTreeSet;

/// `material NAME { … }`.
#[derive(Clone, Debug)]
pub struct Material {
    /// Its name; no two materials have the same.
    pub name: String,
    /// Newton's coefficient: from 0 to 1.
    pub restitution: Coefficient,
    /// Coulomb's coefficient: 0 or greater.
    pub friction: Coefficient,
    /// Where its name is written.
    pub span: Span,
}

/// A number, or a function of a speed.
#[derive(Clone, Debug)]
pub enum Coefficient {
    /// The same at all speeds.
    Number(f64),
    /// A program with one output. Its inputs are the speed, `SPEED` of the engine, and attributes of the
    /// world.
    Curve(Box<Checked>),
}

/// What a coefficient is a function of.
pub const SPEED: &str = "speed";

/// What surfaces do unless they say otherwise: they do not rebound, and rub a little.
pub const RESTITUTION: f64 = 0.0;
/// See [`RESTITUTION`].
pub const FRICTION: f64 = 0.5;

pub(crate) const FORM: BlockForm = BlockForm {
    what: "a material",
    keys: &[
        ("restitution", "a real from 0 to 1, or a function of the speed: `restitution(v) = 0.9 - 0.01 * v`"),
        (
            "friction",
            "a real that is not negative, or a function of the speed: `friction(v) = 0.3 + 0.1 * exp(-v)`",
        ),
    ],
};

/// What the coefficients of a material may name.
pub(crate) struct Surroundings<'s> {
    pub(crate) world: &'s [Attribute],
    pub(crate) library: &'s Library,
    pub(crate) evaluator: &'s Evaluator<'s>,
}

/// Reads a material. `None` if something is wrong that has been reported.
pub(crate) fn read(
    block: &Block,
    around: &Surroundings<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Material>) {
    let before = diagnostics.len();
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = fields.heading("steel", diagnostics);
    let mut read = |key: &str, most: f64, usual: f64| match fields.value(key) {
        Some((_, Written::Function(function))) => curve(&name, function, around, diagnostics),
        _ => number(&fields, key, most, usual, around.evaluator, diagnostics),
    };
    let (restitution, friction) =
        (read("restitution", 1.0, RESTITUTION), read("friction", f64::MAX, FRICTION));
    let sound = !diagnostics[before..].iter().any(Diagnostic::is_error);
    let material = restitution.zip(friction).filter(|_| sound).map(|(restitution, friction)| Material {
        name: name.text.clone(),
        restitution,
        friction,
        span: name.span,
    });
    (name, material)
}

/// Reports materials that objects name and nobody has.
pub(crate) fn check_named(objects: &[Object], known: &BTreeSet<&str>, diagnostics: &mut Vec<Diagnostic>) {
    for name in objects.iter().filter_map(|object| object.material.as_ref()) {
        if known.contains(name.text.as_str()) {
            continue;
        }
        let message = format!("there is no material called `{}`", name.text);
        let diagnostic = Diagnostic::new(Code::E753, name.span, message).label("not a material of this file");
        diagnostics.push(match similar(&name.text, known.iter().copied()) {
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
    evaluator: &Evaluator<'_>,
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
    diagnostics.push(Diagnostic::new(Code::E754, fields.place(key), message).label(bounds).help(
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
    around: &Surroundings<'_>,
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
    let variable = |name: &str, ty: Option<Type>, kind, binding| Variable {
        name: name.to_owned(),
        ty,
        kind,
        declared: None,
        binding,
    };
    // No name of the language has a blank, so this one hides nothing.
    let output = format!("{key} of {}", material.text);
    let given = Binding::Engine { index: None, name: SPEED.to_owned() };
    let mut variables = vec![variable(&speed.text, Some(Type::Real), VariableKind::Given, given)];
    for attribute in around.world.iter().filter(|it| it.name != speed.text && it.name != "t") {
        let binding = Binding::World { name: attribute.name.clone() };
        variables.push(variable(&attribute.name, Some(attribute.ty()), VariableKind::Given, binding));
    }
    let binding = Binding::Context { index: 0, attribute: output.clone() };
    variables.push(variable(&output, None, VariableKind::Attribute, binding));
    let definition = Definition {
        name: Name { text: output, span: function.name.span },
        prime: None,
        params: Vec::new(),
        body: function.body.clone(),
        span: function.span,
    };
    match check(&[definition], around.library, &Scope { variables, ..Scope::default() }) {
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

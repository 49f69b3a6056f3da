//! Checks the types of the formulas of a law, and that potentials and constraints can be differentiated.

use super::check::ForceLawCheck;
use super::model::{CENTRE, ForceLawKind, ForceLawProgram, ROTATION};
use gedanken_lang::check::Binding;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::ir;
use gedanken_lang::syntax::tree::Expr;
use gedanken_lang::types::{Dim, Type};

impl ForceLawCheck<'_> {
    /// Returns `true` if the formulas have the right types, and can be differentiated if they must.
    pub(crate) fn check_program(&self, group: &ForceLawProgram, diagnostics: &mut Vec<Diagnostic>) -> bool {
        let program = &group.checked.program;
        let before = diagnostics.len();
        for ((key, formula), output) in self.law.formulas.iter().zip(&program.outputs) {
            let fits = match (*key, &output.ty) {
                ("energy", ty) => *ty == Type::Real,
                ("value", ty) => matches!(ty, Type::Real | Type::Vector(Dim::Is(1..=6))),
                (_, ty) => *ty == Type::vector(3),
            };
            if !fits {
                diagnostics.push(self.wrong_type(key, formula, &output.ty));
            }
        }
        // Forces are used as they are; potentials and constraints are differentiated, which asks for more.
        if diagnostics.len() > before || self.law.kind == ForceLawKind::Force {
            return diagnostics.len() == before;
        }
        let what = self.law.kind.what();
        for input in &program.inputs {
            let (attribute, index) = match &group.checked.scope.variables[input.scope_index].binding {
                Binding::Object { attribute, .. } => (attribute.as_str(), None),
                Binding::Named { object, attribute } => (attribute.as_str(), Some(object)),
                _ => continue,
            };
            let place = self.names().0.get(input.name.as_str()).copied().unwrap_or(self.law.span);
            if matches!(attribute, "velocity" | "angular_velocity") {
                let message = format!("{what} depends on where bodies are, not on how they move");
                diagnostics.push(
                    Diagnostic::new(Code::E758, place, message)
                        .label(format!("`{}` is a velocity", input.name))
                        .help("state what depends on velocities as a `force` block"),
                );
            }
            // A constraint acts on its own bodies only: a third body that moves would get no reaction force.
            let third = |object: &&String| {
                let other = self.experiment.objects.iter().find(|it| it.name == **object);
                let changes = matches!(attribute, "position" | "orientation" | ROTATION | CENTRE);
                let inside = group.members.iter().flatten().any(|&it| self.object(it).name == **object);
                changes && !inside && other.is_some_and(|it| !it.is_static)
            };
            if let Some(object) = index.filter(|it| self.law.kind == ForceLawKind::Constraint && third(it)) {
                let message =
                    format!("a constraint binds its own bodies, and `{object}` is another that moves");
                diagnostics.push(
                    Diagnostic::new(Code::E758, place, message)
                        .label(format!("`{}` changes, and nothing would act on `{object}`", input.name))
                        .help(format!(
                            "write the constraint `between` the two bodies: `{attribute}1`, `{attribute}2`"
                        )),
                );
                continue;
            }
            // An alias is an input of its own, and the slope along it would be left out.
            let moved = |object: &&String| {
                let at = |member: &Vec<usize>| member.iter().any(|&it| self.object(it).name == **object);
                group.members.iter().any(at)
            };
            if let Some(object) = index.filter(moved) {
                let message =
                    format!("`{}` is of `{object}`, which `{}` itself acts on", input.name, self.law.name);
                diagnostics.push(
                    Diagnostic::new(Code::E758, place, message)
                        .label("the slope along it would be missed")
                        .help(format!("write `{attribute}` without an alias; for two bodies, `between` them and `{attribute}1`, `{attribute}2`")),
                );
            }
        }
        let outputs: Vec<usize> = (0..program.outputs.len()).collect();
        if let Err(unfixed) = ir::build(program, &outputs) {
            let (key, formula) = &self.law.formulas[0];
            let message =
                format!("the {key} of `{}` cannot be differentiated: {}", self.law.name, unfixed.reason);
            diagnostics.push(
                Diagnostic::new(Code::E758, formula.span, message).label("its slope is the force").help(
                    "do without recursion and sequences here, or state the force itself in a `force` block",
                ),
            );
        }
        diagnostics.len() == before
    }

    pub(crate) fn wrong_type(&self, key: &str, formula: &Expr, is: &Type) -> Diagnostic {
        let (wanted, help) = match (key, is) {
            ("energy", Type::Vector(_)) => (
                "a real",
                "an energy has no direction: its slope is the force; to give the force itself, write a `force` block",
            ),
            ("energy", _) => {
                ("a real", "give the energy in joules, such as `0.5 * k * (position . position)`")
            }
            ("value", _) => (
                "a real, or a vector of at most 6",
                "give what is 0 where the constraint holds, such as `norm(position) - 2`",
            ),
            ("at", _) => {
                ("a vector of 3", "give the point of the world where the force acts, such as `position`")
            }
            (_, Type::Real) => (
                "a vector of 3",
                "a force has a direction: multiply by one, such as `[0, 0, 1]` or `normalize(velocity)`",
            ),
            _ => ("a vector of 3", "give three components: `[0, 0, -9.81 * mass]`"),
        };
        let what = if key == "at" { "point `at`" } else { key };
        let message = format!("the {what} of `{}` is {wanted}, but this is {is}", self.law.name);
        Diagnostic::new(Code::E756, formula.span, message).label(format!("this is {is}")).help(help)
    }
}

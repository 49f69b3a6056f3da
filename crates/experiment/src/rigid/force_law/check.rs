//! Checks laws of rigid bodies: for each simulation, the bodies that a law acts on, and its formulas as
//! programs for them.
//!
//! A law is checked once for every signature: bodies for which its names mean attributes of the same types
//! share a program, and are computed side by side. A name means the body's own attribute, or else the
//! world's. Of a body laws see, beside its attributes, its `rotation` (3 by 3, from its own frame to the
//! world) and `centre` (its centre of mass).

use super::model::{CheckedForceLaw, ForceLaw, ForceLawProgram, Targets};
use crate::experiment::Experiment;
use crate::object::model::{Object, list_objects};
use crate::simulation::model::Simulation;
use gedanken_lang::check::{Binding, Checked, OutputFormula, check_formulas};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::Name;
use gedanken_lang::types::Type;
use gedanken_math::Cancel;
use std::collections::BTreeMap;

/// Checks every law for every simulation of rigid bodies in which those take part that it names, until reading
/// is cancelled. A law without a program has been reported.
pub(crate) fn check_all(
    experiment: &Experiment,
    cancel: &Cancel,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<CheckedForceLaw> {
    let mut found = Vec::new();
    let rigid = || experiment.simulations.iter().enumerate().filter(|(_, it)| it.rigid().is_some());
    for (number, law) in experiment.force_laws.iter().enumerate().take_while(|_| !cancel.is_asked()) {
        let mut acts = false;
        for (index, simulation) in rigid() {
            let view = ForceLawCheck { experiment, simulation, law };
            let Some(members) = view.members() else { continue };
            acts = true;
            if let Some(groups) = view.check(members, diagnostics) {
                found.push(CheckedForceLaw { simulation: index, law: number, groups });
            }
        }
        if !acts {
            diagnostics.push(idle(&law.name, law.span, rigid().next().is_some()));
        }
    }
    found
}

/// Warning for a law or joint that no simulation has the bodies for.
pub(crate) fn idle(name: &str, span: Span, any_rigid: bool) -> Diagnostic {
    let (message, help) = match any_rigid {
        true => (
            format!("`{name}` has no effect: no simulation includes all of its bodies"),
            "add them to `objects_involved`; parts of a compound take part only as the compound",
        ),
        false => (
            format!("`{name}` has no effect: no simulation moves rigid bodies"),
            "add `mechanics = rigid` to the simulation, or remove the block",
        ),
    };
    Diagnostic::new(Code::W751, span, message).help(help)
}

/// Meaning of a name for some bodies.
pub(crate) type Meaning = (Binding, Type);

/// Meanings of all names of a law for some bodies; names of functions have none here.
type Signature = Vec<Option<Meaning>>;

/// A law in a simulation.
pub(crate) struct ForceLawCheck<'e> {
    pub(crate) experiment: &'e Experiment,
    pub(crate) simulation: &'e Simulation,
    pub(crate) law: &'e ForceLaw,
}

impl<'e> ForceLawCheck<'e> {
    pub(crate) fn object(&self, index: usize) -> &'e Object {
        &self.experiment.objects[index]
    }

    pub(crate) fn is_dynamic(&self, index: usize) -> bool {
        let object = self.object(index);
        !object.is_static && !object.is_kinematic
    }

    /// The bodies that the law is about, as the file says it; `None` if one of them takes no part.
    fn members(&self) -> Option<Vec<Vec<usize>>> {
        let part = |name: &Name| self.experiment.object_of(self.simulation, &name.text);
        match &self.law.targets {
            Targets::All => {
                let all = self.simulation.objects.iter().copied().filter(|&index| self.is_dynamic(index));
                Some(all.map(|index| vec![index]).collect())
            }
            Targets::Each(names) => {
                let mut found: Vec<usize> = names.iter().map(part).collect::<Option<_>>()?;
                found.sort_unstable();
                Some(found.into_iter().map(|index| vec![index]).collect())
            }
            Targets::Between(names) => {
                let found: Option<Vec<usize>> = names.iter().map(part).collect();
                Some(vec![found?])
            }
        }
    }

    fn check(
        &self,
        members: Vec<Vec<usize>>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<ForceLawProgram>> {
        let before = diagnostics.len();
        self.immovable(&members, diagnostics);
        let aliases = self.aliases(diagnostics);
        let (names, previous) = self.names();
        for span in previous {
            let message =
                format!("{} of a rigid body sees one moment, and no previous values", self.law.kind.what());
            diagnostics.push(
                Diagnostic::new(Code::E757, span, message)
                    .label("only laws in contexts and rules have `previous`")
                    .help("compute it from positions, velocities and `t`"),
            );
        }
        let members = self.having(members, &names, &aliases, diagnostics);
        if diagnostics[before..].iter().any(Diagnostic::is_error) {
            return None;
        }
        let mut kinds: Vec<(Signature, Vec<Vec<usize>>)> = Vec::new();
        for member in members {
            let meanings: Signature =
                names.keys().map(|name| self.meaning(&member, name, &aliases)).collect();
            match kinds.iter_mut().find(|(known, _)| *known == meanings) {
                Some((_, members)) => members.push(member),
                None => kinds.push((meanings, vec![member])),
            }
        }
        let mut groups = Vec::new();
        let several = kinds.len() > 1;
        for (meanings, members) in kinds {
            let firsts: Vec<usize> = members.iter().map(|member| member[0]).collect();
            let whom = several.then(|| list_objects(&self.experiment.objects, &firsts));
            let scope = names.keys().copied().zip(&meanings);
            let checked = self.program(scope, whom, diagnostics)?;
            groups.push(ForceLawProgram { members, checked });
        }
        let fine = groups.iter().all(|group| self.check_program(group, diagnostics));
        (fine && !groups.is_empty()).then_some(groups)
    }

    /// Reports bodies that no law moves.
    fn immovable(&self, members: &[Vec<usize>], diagnostics: &mut Vec<Diagnostic>) {
        let names: &[Name] = match &self.law.targets {
            Targets::All => &[],
            Targets::Each(names) => names,
            Targets::Between(names) => names.as_slice(),
        };
        let spans: BTreeMap<&str, Span> =
            names.iter().rev().map(|name| (name.text.as_str(), name.span)).collect();
        let place =
            |index: usize| spans.get(self.object(index).name.as_str()).copied().unwrap_or(self.law.span);
        for member in members.iter().filter(|member| !member.iter().any(|&index| self.is_dynamic(index))) {
            let name = &self.object(member[0]).name;
            let message = match member.len() {
                1 => format!("`{name}` is not dynamic, so `{}` cannot move it", self.law.name),
                _ => format!("neither body of `{}` is dynamic, so there is nothing to move", self.law.name),
            };
            diagnostics.push(
                Diagnostic::new(Code::E755, place(member[0]), message)
                    .label("not dynamic")
                    .help(format!("make `{name}` dynamic, or leave it out")),
            );
        }
    }

    /// The formulas as a program, where names mean this.
    fn program<'n>(
        &self,
        names: impl Iterator<Item = (&'n str, &'n Option<Meaning>)>,
        whom: Option<String>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Checked> {
        let outputs = self.law.formulas.iter().map(|(key, formula)| OutputFormula {
            name: Name { text: format!("{key} of {}", self.law.name), span: self.law.span },
            body: formula.clone(),
            span: formula.span,
        });
        let names = names.filter_map(|(name, meaning)| {
            let (binding, ty) = meaning.clone()?;
            Some((name, binding, ty))
        });
        match check_formulas(outputs, &self.law.functions, names, &self.experiment.library) {
            Ok(checked) => {
                diagnostics.extend(checked.warnings.iter().cloned());
                Some(checked)
            }
            Err(found) => {
                diagnostics.extend(found.into_iter().map(|it| self.in_words_of_bodies(it, whom.as_deref())));
                None
            }
        }
    }

    /// The checker speaks of attributes and contexts.
    fn in_words_of_bodies(&self, diagnostic: Diagnostic, whom: Option<&str>) -> Diagnostic {
        let formula = self.law.formulas.iter().find(|(_, it)| it.span == diagnostic.primary.span);
        match (diagnostic.code, formula, whom) {
            (Code::E306, Some((key, formula)), _) => {
                self.wrong_type(key, formula, &Type::Sequence(Box::new(Type::Unknown)))
            }
            (_, _, Some(whom)) if diagnostic.is_error() => diagnostic.note(format!("for {whom}")),
            _ => diagnostic,
        }
    }
}

//! Checks the value of a measure: one program for each combination of types that the names in it have.

use super::model::MeasureProgram;
use crate::environment::Environment;
use crate::experiment::Experiment;
use crate::lagrangian::model::Lagrangian;
use crate::lagrangian::quantities;
use crate::object::model::list_objects;
use crate::rigid::quantities::{ObjectQuantity, StepKind, WorldQuantity};
use crate::simulation::record::declared;
use gedanken_lang::check::{Binding, Checked, OutputFormula, check_formulas, guess};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::native::{NATIVES, Native};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Expr, ExprKind, Name};
use gedanken_lang::types::{Dim, Type};
use std::collections::BTreeMap;

/// A measure that is being checked.
pub(crate) struct MeasureCheck<'p> {
    pub(crate) name: &'p Name,
    /// Objects that it is summed over, by name, and where they are listed.
    pub(crate) of: &'p [(usize, Span)],
    pub(crate) environment: &'p Environment<'p>,
    /// `true` if it is taken of rigid bodies only, so that it can name quantities of their mechanics.
    pub(crate) is_rigid: bool,
    /// How its simulations solve steps: it can name what all of them know.
    pub(crate) steps: Vec<StepKind>,
    /// The system that it is taken of, if all its simulations follow the same one: it can name what follows
    /// from that.
    pub(crate) lagrangian: Option<&'p Lagrangian>,
}

/// Meaning of a name for an object: an attribute of the object or of the world, and its
/// type.
type Meaning = (Binding, Type);

impl<'p> MeasureCheck<'p> {
    fn experiment(&self) -> &'p Experiment {
        self.environment.experiment
    }

    /// The type of the measure and its programs. What is wrong with it has been reported. `of_objects` tells
    /// a measure of objects from one of the world.
    pub(crate) fn check(
        &self,
        value: &Expr,
        of_objects: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<(Type, Vec<MeasureProgram>)> {
        let mut names = BTreeMap::new();
        let mut previous = Vec::new();
        let mut called = BTreeMap::new();
        name_places(value, &mut names, &mut called, &mut previous);
        let said = diagnostics.len();
        // An imported function may be called so.
        for span in previous.into_iter().filter(|_| !self.is_function("previous")) {
            diagnostics.push(
                Diagnostic::new(Code::E730, span, "a measure sees one moment, and no previous values")
                    .label("only laws have `previous`")
                    .help("let a law keep the value in an attribute, and measure that"),
            );
        }
        self.not_functions(&called, of_objects, diagnostics);
        match of_objects {
            true => self.lacking(&names, diagnostics),
            false => self.unknown(&names, diagnostics),
        }
        if diagnostics.len() > said {
            return None;
        }
        // An attribute that is called is a mistake with words of its own.
        names.extend(called);
        let mut kinds: Vec<(Vec<Option<Meaning>>, Vec<usize>)> = Vec::new();
        let owners: Vec<Option<usize>> =
            if of_objects { self.of.iter().map(|(index, _)| Some(*index)).collect() } else { vec![None] };
        for owner in owners {
            let meanings: Vec<Option<Meaning>> = names.keys().map(|name| self.meaning(owner, name)).collect();
            match kinds.iter_mut().find(|(known, _)| *known == meanings) {
                Some((_, objects)) => objects.extend(owner),
                None => kinds.push((meanings, owner.into_iter().collect())),
            }
        }
        let mut programs = Vec::new();
        for (meanings, objects) in &kinds {
            let whom = (kinds.len() > 1).then(|| list_objects(&self.experiment().objects, objects));
            let checked = self.program(value, names.keys().zip(meanings), whom, diagnostics)?;
            programs.push(MeasureProgram { objects: objects.clone(), checked });
        }
        let ty = self.common_type(value, &programs, diagnostics)?;
        Some((ty, programs))
    }

    /// Meaning of a name for an object, or in the world. Functions and natives have no meaning here.
    fn meaning(&self, owner: Option<usize>, name: &str) -> Option<Meaning> {
        if let Some(object) = owner.map(|index| &self.experiment().objects[index]) {
            let proper = object.shape.proper(name);
            if let Some(attribute) = object.attribute(name).or_else(|| object.attribute(proper)) {
                let binding = Binding::Object { index: 0, attribute: attribute.name.clone() };
                return Some((binding, attribute.ty()));
            }
            if let Some(what) = ObjectQuantity::by_name(name).filter(|_| self.is_rigid && !object.is_static) {
                return Some((Binding::Object { index: 0, attribute: name.to_owned() }, what.ty()));
            }
            let is_placed =
                |it: &Lagrangian| name == "velocity" && it.positions.iter().any(|it| it.name == object.name);
            if self.lagrangian.is_some_and(is_placed) {
                let binding = Binding::Object { index: 0, attribute: name.to_owned() };
                return Some((binding, Type::vector(3)));
            }
        }
        let of_world = Binding::World { name: name.to_owned() };
        let attribute = self.experiment().world_attribute(name);
        let time = (name == "t").then_some(Type::Real);
        let given = || self.given().into_iter().find(|(known, _)| known == name).map(|(_, ty)| ty);
        time.or_else(|| attribute.map(|it| it.ty())).or_else(given).map(|ty| (of_world, ty))
    }

    /// Quantities that the mechanics computes of the whole, with their types.
    fn given(&self) -> Vec<(String, Type)> {
        match self.lagrangian {
            Some(lagrangian) => {
                let given = quantities::all(lagrangian).into_iter().map(|it| (it.name, it.ty));
                given.chain(lagrangian.parameters.iter().map(|it| (it.name.clone(), Type::Real))).collect()
            }
            None if self.is_rigid => {
                let laws = self.environment.names.working_laws.iter().map(String::as_str);
                let first = self.steps.first().copied().unwrap_or_default();
                let all = WorldQuantity::all(laws, first).into_iter();
                let known = all.filter(|(_, what)| self.steps.iter().all(|&steps| what.is_known(steps)));
                known.map(|(name, what)| (name, what.ty())).collect()
            }
            None => Vec::new(),
        }
    }

    fn is_function(&self, name: &str) -> bool {
        Native::by_name(name).is_some()
            || self.experiment().library.definitions.iter().any(|it| it.name.text == name)
    }

    /// Reports calls of what is nothing at all.
    fn not_functions(
        &self,
        called: &BTreeMap<&str, Span>,
        of_objects: bool,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let owner = self.of.first().map(|(index, _)| *index).filter(|_| of_objects);
        for (&name, &span) in called.iter().filter(|(name, _)| !self.is_function(name)) {
            if self.meaning(owner, name).is_some() {
                continue;
            }
            let message = format!("there is no function `{name}`");
            let diagnostic =
                Diagnostic::new(Code::E730, span, message).label("neither imported nor a native");
            diagnostics.push(match guess(diagnostics.len(), name, self.functions()) {
                Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant),
                None => {
                    diagnostic.help("measures call natives and imported functions, not those of contexts")
                }
            });
        }
    }

    fn functions(&self) -> impl Iterator<Item = &str> {
        let imported = self.experiment().library.definitions.iter().map(|it| it.name.text.as_str());
        imported.chain(NATIVES.iter().map(|it| it.name))
    }

    /// Reports names that objects lack.
    fn lacking(&self, names: &BTreeMap<&str, Span>, diagnostics: &mut Vec<Diagnostic>) {
        for (&name, &span) in names.iter().filter(|(name, _)| !self.is_function(name)) {
            let lack = |&&(index, _): &&(usize, Span)| self.meaning(Some(index), name).is_none();
            let lacking: Vec<(usize, Span)> = self.of.iter().filter(lack).copied().collect();
            let Some(&(first, listed_at)) = lacking.first() else { continue };
            let objects: Vec<usize> = lacking.iter().map(|(index, _)| *index).collect();
            let verb = if objects.len() == 1 { "has" } else { "have" };
            let message = format!(
                "{} {verb} no attribute `{name}`",
                list_objects(&self.experiment().objects, &objects)
            );
            let object = &self.experiment().objects[first];
            let diagnostic = Diagnostic::new(Code::E730, span, message)
                .label("measured here")
                .also(listed_at, format!("`{}` lacks it", object.name));
            let said = diagnostics.len();
            let given = self.given();
            let mut known: Vec<&str> = object.attributes.iter().map(|it| it.name.as_str()).collect();
            let computed: Vec<&str> = ObjectQuantity::computed().map(ObjectQuantity::name).collect();
            known.extend(computed.iter().copied().filter(|_| self.is_rigid));
            known.extend(self.experiment().world.iter().map(|it| it.name.as_str()));
            known.extend(given.iter().map(|(name, _)| name.as_str()));
            let way_out = match lacking.len() == self.of.len() {
                true => format!("add `{name} = …` to the attributes of `{}`", object.name),
                false => format!("add `{name} = …` to its attributes, or remove `{}` from `of`", object.name),
            };
            diagnostics.push(self.advise(diagnostic, (name, span), &known, said, way_out));
        }
    }

    /// Reports names that the world lacks.
    fn unknown(&self, names: &BTreeMap<&str, Span>, diagnostics: &mut Vec<Diagnostic>) {
        for (&name, &span) in names.iter().filter(|(name, _)| !self.is_function(name)) {
            if self.meaning(None, name).is_some() {
                continue;
            }
            let message = format!("the world has no attribute `{name}`");
            let diagnostic = Diagnostic::new(Code::E730, span, message).label("measured here");
            let having = |index: &usize| self.meaning(Some(*index), name).is_some();
            let owner = (0..self.experiment().objects.len())
                .find(having)
                .map(|it| &self.experiment().objects[it].name);
            diagnostics.push(match owner {
                Some(owner) => diagnostic.help(format!("say whose it is: add a line `of = {{{owner}}}`")),
                None => {
                    let given = self.given();
                    let mut known: Vec<&str> =
                        self.experiment().world.iter().map(|it| it.name.as_str()).collect();
                    known.extend(given.iter().map(|(name, _)| name.as_str()));
                    let way_out = format!("add `{name} = …` to the `world attributes`");
                    self.advise(diagnostic, (name, span), &known, diagnostics.len(), way_out)
                }
            });
        }
    }

    /// The way out for a name without a meaning; `otherwise`, if none is better. `said` is the number of
    /// mistakes before.
    fn advise(
        &self,
        mut diagnostic: Diagnostic,
        (name, span): (&str, Span),
        attributes: &[&str],
        said: usize,
        otherwise: String,
    ) -> Diagnostic {
        if name == "dt" {
            diagnostic.message = "a measure sees one moment, and no `dt`".to_owned();
            diagnostic.secondary.clear();
            return diagnostic
                .label("only laws have `dt`")
                .help("let a law keep the value in an attribute, and measure that");
        }
        let context =
            self.experiment().contexts.iter().find(|it| declared(it).any(|declared| declared == name));
        if let Some(context) = context {
            return diagnostic.help(format!(
                "`{name}` is there only while the context `{}` holds: give the objects such an attribute, and measure that",
                context.name
            ));
        }
        if let Some(solver) = WorldQuantity::only_solver(name) {
            return diagnostic.help(format!("`{name}` is a residual of `solver = {solver}`; simulations with another solver do not have it"));
        }
        match guess(said, name, attributes.iter().copied().chain(self.functions())) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant),
            None => diagnostic.help(otherwise),
        }
    }

    /// The expression as a program, where names mean this.
    fn program<'n>(
        &self,
        value: &Expr,
        names: impl Iterator<Item = (&'n &'n str, &'n Option<Meaning>)>,
        whom: Option<String>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Checked> {
        let formula = OutputFormula {
            name: Name { text: format!("measure {}", self.name.text), span: self.name.span },
            body: value.clone(),
            span: value.span,
        };
        let names = names.filter_map(|(name, meaning)| {
            let (binding, ty) = meaning.clone()?;
            Some((*name, binding, ty))
        });
        match check_formulas([formula], &[], names, &self.experiment().library) {
            Ok(checked) => {
                diagnostics.extend(checked.warnings.iter().cloned());
                Some(checked)
            }
            Err(found) => {
                let told = found.into_iter().map(|it| match (&whom, it.code) {
                    // That attributes are no sequences, but this is a measure.
                    (_, Code::E306) => self.no_sum(value, &Type::Sequence(Box::new(Type::Unknown))),
                    (Some(whom), _) if it.is_error() => it.note(format!("for {whom}")),
                    _ => it,
                });
                diagnostics.extend(told);
                None
            }
        }
    }

    /// The type of a measure, which is the same for all objects.
    fn common_type(
        &self,
        value: &Expr,
        programs: &[MeasureProgram],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Type> {
        let ty = |it: &MeasureProgram| it.checked.program.outputs[0].ty.clone();
        let first = programs.first()?;
        for program in programs {
            if !matches!(ty(program), Type::Real | Type::Vector(Dim::Is(1..))) {
                diagnostics.push(self.no_sum(value, &ty(program)));
                return None;
            }
            if ty(program) != ty(first) {
                let whose = |it: &MeasureProgram| list_objects(&self.experiment().objects, &it.objects);
                let message = format!(
                    "`{}` is {} for {}, but {} for {}",
                    self.name.text,
                    ty(first),
                    whose(first),
                    ty(program),
                    whose(program)
                );
                diagnostics.push(
                    Diagnostic::new(Code::E731, value.span, message)
                        .label("cannot be summed over all of them")
                        .help("measure them apart, or the same of each"),
                );
                return None;
            }
        }
        Some(ty(first))
    }

    fn no_sum(&self, value: &Expr, ty: &Type) -> Diagnostic {
        let message = format!("`{}` is {ty}, and only reals and vectors can be summed", self.name.text);
        let help = match ty {
            Type::Bool => "count with `if … then 1 else 0`",
            Type::Matrix(..) => "take a row, `m # 1`, an element, `m # 1 # 2`, or the `trace`",
            Type::Sequence(_) => "take one element, or the `sum` of all",
            _ => {
                "its length must be known before the run: write it element by element, such as `[v # 1, v # 2]`"
            }
        };
        Diagnostic::new(Code::E731, value.span, message).label(format!("this is {ty}")).help(help)
    }
}

/// Every name in an expression with the first place it stands at, those that are called apart, and the places
/// of `previous(…)`. Recursion is bounded by the height of expressions.
fn name_places<'e>(
    expr: &'e Expr,
    names: &mut BTreeMap<&'e str, Span>,
    called: &mut BTreeMap<&'e str, Span>,
    previous: &mut Vec<Span>,
) {
    let mut visit = |one: &'e Expr| name_places(one, names, called, previous);
    match &expr.kind {
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Missing => {}
        ExprKind::Name(name) => {
            names.entry(name).or_insert(expr.span);
        }
        ExprKind::Call { callee, native, arguments } => {
            arguments.iter().for_each(visit);
            if !native && callee.text == "previous" {
                previous.push(expr.span);
            } else if !native {
                called.entry(&callee.text).or_insert(callee.span);
            }
        }
        ExprKind::Vector(several) | ExprKind::Sequence(several) => several.iter().for_each(visit),
        ExprKind::Unary { operand: one, .. } | ExprKind::Group(one) => visit(one),
        ExprKind::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        ExprKind::If { condition, then, otherwise } => {
            visit(condition);
            visit(then);
            visit(otherwise);
        }
    }
}

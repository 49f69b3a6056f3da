//! Names in the formulas of a law, their meanings for the bodies it acts on, and messages for those
//! that mean nothing.

use super::check::{ForceLawCheck, Meaning};
use super::model::{CENTRE, ROTATION, Targets};
use crate::object::model::Object;
use crate::rule::scope::all_names;
use gedanken_lang::check::{Binding, guess};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::native::Native;
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Alias, AliasOf, Expr, Name};
use gedanken_lang::types::Type;
use std::collections::{BTreeMap, BTreeSet};

impl<'e> ForceLawCheck<'e> {
    /// Every name that the formulas use, with the first place it stands at; and the places of `previous(…)`.
    pub(crate) fn names(&self) -> (BTreeMap<&'e str, Span>, Vec<Span>) {
        let law = self.law;
        let own: BTreeSet<&str> = law.functions.iter().map(|it| it.name.text.as_str()).collect();
        let (mut names, mut spans) = (BTreeMap::new(), Vec::new());
        let mut look = |body: &'e Expr, params: &[Name]| {
            all_names(body, &mut |name, span, previous| {
                if previous
                    && !self.experiment.library.definitions.iter().any(|it| it.name.text == "previous")
                {
                    spans.push(span);
                }
                if !params.iter().any(|param| param.text == name) && !own.contains(name) {
                    names.entry(name).or_insert(span);
                }
            });
        };
        law.formulas.iter().for_each(|(_, formula)| look(formula, &[]));
        law.functions.iter().for_each(|function| look(&function.body, &function.params));
        (names, spans)
    }

    /// The attribute of a body that a law calls `name`.
    fn attribute(&self, index: usize, name: &str) -> Option<(String, Type)> {
        let object = self.object(index);
        let own = object.attribute(name).or_else(|| object.attribute(object.shape.proper(name)));
        own.map(|it| (it.name.clone(), it.ty()))
    }

    /// Type of a quantity that the engine knows of a body.
    fn given(name: &str) -> Option<Type> {
        match name {
            ROTATION => Some(Type::matrix(3, 3)),
            CENTRE => Some(Type::vector(3)),
            _ => None,
        }
    }

    /// Meaning of a name as an attribute of a body, or else as a quantity that the engine knows of it.
    fn own_meaning(&self, index: usize, number: usize, name: &str) -> Option<Meaning> {
        self.own_attribute(index, number, name).or_else(|| Self::given_meaning(number, name))
    }

    fn own_attribute(&self, index: usize, number: usize, name: &str) -> Option<Meaning> {
        let (attribute, ty) = self.attribute(index, name)?;
        Some((Binding::Object { index: number, attribute }, ty))
    }

    fn given_meaning(number: usize, name: &str) -> Option<Meaning> {
        let ty = Self::given(name)?;
        Some((Binding::Engine { index: Some(number), name: name.to_owned() }, ty))
    }

    /// Meaning of a name for these bodies. Functions and natives have no meaning here.
    pub(crate) fn meaning(
        &self,
        member: &[usize],
        name: &str,
        aliases: &BTreeMap<&str, Meaning>,
    ) -> Option<Meaning> {
        if let Some(meant) = aliases.get(name) {
            return Some(meant.clone());
        }
        // Of two bodies, the last letter of a name says whose it is.
        let parted = match member {
            [index] => Some((*index, 0, name)),
            [first, second] => {
                let of = |letter: &str, index: usize, number: usize| {
                    Some((index, number, name.strip_suffix(letter)?))
                };
                of("1", *first, 0).or_else(|| of("2", *second, 1))
            }
            _ => None,
        };
        let own = parted.and_then(|(index, number, name)| self.own_attribute(index, number, name));
        // What the user has in the world comes before what the engine knows.
        own.or_else(|| {
            let attribute = self.experiment.world_attribute(name);
            let ty = if name == "t" { Some(Type::Real) } else { attribute.map(|it| it.ty()) };
            ty.map(|ty| (Binding::World { name: name.to_owned() }, ty))
        })
        .or_else(|| parted.and_then(|(_, number, name)| Self::given_meaning(number, name)))
    }

    fn is_function(&self, name: &str) -> bool {
        Native::by_name(name).is_some()
            || self.experiment.library.definitions.iter().any(|it| it.name.text == name)
    }

    /// Bodies that have all names. Bodies that the law names must have them; of all others it is
    /// enough if some do.
    pub(crate) fn having(
        &self,
        members: Vec<Vec<usize>>,
        names: &BTreeMap<&str, Span>,
        aliases: &BTreeMap<&str, Meaning>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Vec<Vec<usize>> {
        // An alias of nothing has been told of.
        let is_alias = |name: &str| self.law.aliases.iter().any(|it| it.name.text == name);
        let lacks = |member: &Vec<usize>, name: &str| {
            !self.is_function(name) && !is_alias(name) && self.meaning(member, name, aliases).is_none()
        };
        let all = matches!(self.law.targets, Targets::All);
        for (&name, &span) in names {
            let lacking: Vec<&Vec<usize>> = members.iter().filter(|member| lacks(member, name)).collect();
            if lacking.is_empty() && !members.is_empty() || (all && lacking.len() < members.len()) {
                continue;
            }
            if lacking.is_empty() && self.is_function(name) {
                continue;
            }
            diagnostics.push(self.unknown((name, span), &lacking, aliases, diagnostics.len()));
        }
        let kept: Vec<Vec<usize>> = match all {
            true => {
                let whole = |member: &Vec<usize>| !names.keys().any(|name| lacks(member, name));
                members.iter().filter(|member| whole(member)).cloned().collect()
            }
            false => members.clone(),
        };
        if kept.is_empty()
            && !diagnostics
                .iter()
                .any(|it| it.is_error() && names.values().any(|span| *span == it.primary.span))
        {
            let message = match members.is_empty() {
                true => format!("`{}` finds no dynamic body in `{}`", self.law.name, self.simulation.name),
                false => {
                    format!("no body in `{}` has all that `{}` looks at", self.simulation.name, self.law.name)
                }
            };
            diagnostics.push(
                Diagnostic::new(Code::E757, self.law.span, message)
                    .label("it would act on no body")
                    .help("give the bodies these attributes, or name the bodies in `of`"),
            );
        }
        kept
    }

    /// A name that means nothing to these bodies. `said` is the number of mistakes before.
    fn unknown(
        &self,
        (name, span): (&str, Span),
        members: &[&Vec<usize>],
        aliases: &BTreeMap<&str, Meaning>,
        said: usize,
    ) -> Diagnostic {
        let member: &[usize] = members.first().map_or(&[], |it| it.as_slice());
        let paired = member.len() == 2;
        let message = match (name, member) {
            ("dt", _) => format!("{} of rigid bodies sees one moment, and no `dt`", self.law.kind.what()),
            (_, [one]) if !matches!(self.law.targets, Targets::All) => {
                format!("`{}` has no attribute `{name}`", self.object(*one).name)
            }
            (_, [_, _]) => format!("`{name}` means nothing to `{}`", self.law.name),
            _ => format!("no body in `{}` has an attribute `{name}`", self.simulation.name),
        };
        let diagnostic =
            Diagnostic::new(Code::E757, span, message).label(format!("looked at by `{}`", self.law.name));
        if paired && member.iter().any(|&index| self.own_meaning(index, 0, name).is_some()) {
            let [a, b] = [member[0], member[1]].map(|index| &self.object(index).name);
            return diagnostic
                .help(format!("say whose: `{name}1` is that of `{a}`, `{name}2` that of `{b}`"));
        }
        let mut known: BTreeSet<String> = aliases.keys().map(|it| (*it).to_owned()).collect();
        for (number, &index) in members.iter().flat_map(|member| member.iter().enumerate()) {
            let own = self.object(index).attributes.iter().map(|it| it.name.as_str());
            let suffix = if paired { ["1", "2"][number] } else { "" };
            known.extend(own.chain([ROTATION, CENTRE]).map(|it| format!("{it}{suffix}")));
        }
        known.extend(self.experiment.world.iter().map(|it| it.name.clone()));
        known.extend(self.experiment.library.definitions.iter().map(|it| it.name.text.clone()));
        match guess(said, name, known.iter().map(String::as_str)) {
            _ if name == "dt" => diagnostic.help("forces do not depend on how long a step is; the time is `t`"),
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(span, meant),
            None => diagnostic.help(format!(
                "add `{name} = …` to the attributes of the bodies or of the world, or import a function of that name"
            )),
        }
    }

    /// Meanings of the aliases. An alias with a mistake is reported, and has none.
    pub(crate) fn aliases(&self, diagnostics: &mut Vec<Diagnostic>) -> BTreeMap<&'e str, Meaning> {
        let mut found: BTreeMap<&str, Meaning> = BTreeMap::new();
        for alias in &self.law.aliases {
            if found.contains_key(alias.name.text.as_str()) {
                let message = format!("the alias `{}` is declared twice", alias.name.text);
                diagnostics.push(
                    Diagnostic::new(Code::E430, alias.name.span, message)
                        .label("again here")
                        .help("remove one of the two, or rename it"),
                );
                continue;
            }
            match self.meant(alias, diagnostics.len()) {
                Ok(meaning) => {
                    found.insert(&alias.name.text, meaning);
                }
                Err(diagnostic) => diagnostics.push(*diagnostic),
            }
        }
        found
    }

    /// Meaning of an alias. `said` is the number of mistakes before.
    fn meant(&self, alias: &Alias, said: usize) -> Result<Meaning, Box<Diagnostic>> {
        let (attribute, of) = (&alias.attribute, &alias.of);
        let lacking = |object: &Object| {
            let message = format!("the object `{}` has no attribute `{}`", object.name, attribute.text);
            let diagnostic =
                Diagnostic::new(Code::E431, attribute.span, message).label("not an attribute of it");
            let names = object.attributes.iter().map(|it| it.name.as_str());
            Box::new(match guess(said, &attribute.text, names) {
                Some(meant) => {
                    diagnostic.help(format!("did you mean `{meant}`?")).edit(attribute.span, meant)
                }
                None => diagnostic.help(format!("add `{}` to the attributes of the object", attribute.text)),
            })
        };
        match (of, &self.law.targets) {
            (AliasOf::Index(number @ (0 | 1), _), Targets::Between(names)) => {
                let number = *number as usize;
                let object = self.experiment.object(&names[number].text);
                let meaning = object.and_then(|index| self.own_meaning(index, number, &attribute.text));
                meaning.ok_or_else(|| lacking(self.object(object.unwrap_or_default())))
            }
            (AliasOf::Index(_, span), _) => Err(Box::new(
                Diagnostic::new(Code::E432, *span, "there is no body with this index")
                    .label("no body has this index")
                    .help("index 0 and 1 are the two bodies of `between`; others are named: `of object sun`"),
            )),
            (AliasOf::Object(name), _) => {
                let involved = || self.simulation.objects.iter().map(|&index| self.object(index));
                let index = self.experiment.object_of(self.simulation, &name.text);
                let Some(object) = index.map(|index| self.object(index)) else {
                    let message =
                        format!("no object called `{}` takes part in `{}`", name.text, self.simulation.name);
                    let diagnostic =
                        Diagnostic::new(Code::E434, name.span, message).label("not an object of it");
                    return Err(Box::new(
                        match guess(said, &name.text, involved().map(|it| it.name.as_str())) {
                            Some(meant) => {
                                diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant)
                            }
                            None => diagnostic.help("name an object that the simulation involves"),
                        },
                    ));
                };
                let own = object
                    .attribute(&attribute.text)
                    .or_else(|| object.attribute(object.shape.proper(&attribute.text)));
                let found = own.map(|it| (it.name.clone(), it.ty()));
                let found = found.or_else(|| Some((attribute.text.clone(), Self::given(&attribute.text)?)));
                let (attribute, ty) = found.ok_or_else(|| lacking(object))?;
                Ok((Binding::Named { object: name.text.clone(), attribute }, ty))
            }
        }
    }
}

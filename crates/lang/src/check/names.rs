//! The table of names, and what is said about a name that is not in it.

use super::mistakes::other_notations;
use super::mistakes::similar::{MOST_GUESSES, guess, similar};
use super::{Binding, Scope};
use crate::diagnostic::{Code, Diagnostic};
use crate::native::{NATIVES, Native};
use crate::source::Span;
use crate::syntax::tree::Definition;
use std::cell::OnceCell;
use std::collections::HashMap;

/// Meaning of a name outside its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// A definition of this text.
    Function(usize),
    /// A variable of the scope.
    Variable(usize),
    /// An imported definition.
    Library(usize),
    /// A native.
    Native(Native),
}

/// Every name in scope.
pub(super) struct Names<'a> {
    functions: HashMap<&'a str, usize>,
    variables: HashMap<&'a str, usize>,
    library: HashMap<&'a str, usize>,
    natives: HashMap<&'static str, Native>,
    definitions: &'a [Definition],
    imported: &'a [Definition],
    scope: &'a Scope,
    /// Owners of the attributes that aliases could name.
    owners: OnceCell<HashMap<&'a str, Owner>>,
    /// Objects that declared aliases name, by the parts of their names before a `_`.
    prefixes: OnceCell<HashMap<&'a str, usize>>,
}

/// The participants that have an attribute.
#[derive(Clone, Copy)]
struct Owner {
    first: usize,
    /// `true` if another one has it too.
    several: bool,
}

/// Length of the longest name that is read as a product of two others.
const MOST_FACTORS: usize = 4;

/// Maximum number of `_` at which a name is taken apart.
const MOST_PARTS: usize = 64;

/// Choice between several functions of one name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Several {
    /// The first: the others are mistakes.
    First,
    /// The last: it replaced the others.
    Last,
}

impl<'a> Names<'a> {
    /// All names of a text, what it imports and its scope.
    pub(super) fn new(
        definitions: &'a [Definition],
        imported: &'a [Definition],
        scope: &'a Scope,
        several: Several,
    ) -> Self {
        let mut functions = HashMap::new();
        for (index, definition) in definitions.iter().enumerate().filter(|(_, it)| it.prime.is_none()) {
            let meant = functions.entry(definition.name.text.as_str()).or_insert(index);
            if several == Several::Last {
                *meant = index;
            }
        }
        let named = |(index, definition): (usize, &'a Definition)| (definition.name.text.as_str(), index);
        Self {
            functions,
            variables: scope
                .variables
                .iter()
                .enumerate()
                .map(|(i, variable)| (variable.name.as_str(), i))
                .collect(),
            library: imported.iter().enumerate().map(named).collect(),
            natives: NATIVES
                .iter()
                .filter_map(|entry| Native::by_name(entry.name).map(|native| (entry.name, native)))
                .collect(),
            definitions,
            imported,
            scope,
            owners: OnceCell::new(),
            prefixes: OnceCell::new(),
        }
    }

    /// The participants that have an attribute which an alias could name.
    fn owner(&self, attribute: &str) -> Option<Owner> {
        let owners = self.owners.get_or_init(|| {
            let mut owners: HashMap<&str, Owner> = HashMap::new();
            for (index, names) in self.scope.hints.objects.iter().enumerate() {
                for name in names {
                    let owner = owners.entry(name).or_insert(Owner { first: index, several: false });
                    owner.several |= owner.first != index;
                }
            }
            owners
        });
        owners.get(attribute).copied()
    }

    /// Returns the meaning of `name` for a function of this text, or for an imported one, which sees no
    /// attribute.
    pub(super) fn meaning(&self, name: &str, in_library: bool) -> Option<Meaning> {
        let own = || {
            let function = self.functions.get(name).copied().map(Meaning::Function);
            function.or_else(|| self.variables.get(name).copied().map(Meaning::Variable))
        };
        (if in_library { None } else { own() })
            .or_else(|| self.library.get(name).copied().map(Meaning::Library))
            .or_else(|| self.natives.get(name).copied().map(Meaning::Native))
    }

    /// The variable of this name.
    pub(super) fn variable(&self, name: &str) -> Option<usize> {
        self.variables.get(name).copied()
    }

    /// Returns `true` if a function of this text or an imported one has this name.
    pub(super) fn is_function(&self, name: &str, in_library: bool) -> bool {
        !in_library && self.functions.contains_key(name) || self.library.contains_key(name)
    }

    /// The native of this name.
    pub(super) fn native(&self, name: &str) -> Option<Native> {
        self.natives.get(name).copied()
    }

    /// A native whose name is like `name`.
    pub(super) fn similar_native(&self, name: &str) -> Option<&'static str> {
        similar(name, NATIVES.iter().map(|entry| entry.name))
    }

    /// Explains a name without a meaning, first met at `unknown.spans[0]`.
    pub(super) fn explain(&self, unknown: &Unknown, said: usize) -> Diagnostic {
        let name = unknown.name.as_str();
        let place = unknown.spans[0];
        let mut diagnostic = match self.special(unknown, place) {
            Some(diagnostic) => diagnostic,
            None => self.plain(unknown, place, said),
        };
        for &span in unknown.spans.iter().skip(1).take(3) {
            diagnostic = diagnostic.also(span, "also here");
        }
        if unknown.spans.len() > 4 {
            diagnostic = diagnostic.note(format!("`{name}` is used in {} places", unknown.spans.len()));
        }
        diagnostic
    }

    /// Names that belong to another object or direction, and engine names in the wrong kind of context.
    fn special(&self, unknown: &Unknown, place: Span) -> Option<Diagnostic> {
        let name = unknown.name.as_str();
        if unknown.in_library {
            return self.variable(name).is_some().then(|| {
                Diagnostic::new(Code::E201, place, format!("`{name}` has no meaning in an imported function"))
                    .label("an attribute of the context")
                    .help(format!(
                        "imported functions see no attributes: give the function a parameter, and pass `{name}`"
                    ))
            });
        }
        if let Some(diagnostic) = self.needs_alias(name, place) {
            return Some(diagnostic);
        }
        self.direction(name, place).or_else(|| self.of_collisions(name, place))
    }

    /// `collisionNormal` where nothing collides.
    fn of_collisions(&self, name: &str, place: Span) -> Option<Diagnostic> {
        if !["collisionNormal", "collisionPoint"].contains(&name) {
            return None;
        }
        let help = match self.scope.hints.directions {
            None => "in free fall an object touches nothing; what happens when it meets another one stands in a context of `type = collision`".to_owned(),
            Some(_) => format!("in a contact each direction of `geometric_data_directions` has its own: `{name}sDirVec1` has a row for each object that is touched there"),
        };
        let message = format!("`{name}` exists in contexts of `type = collision` only");
        Some(Diagnostic::new(Code::E214, place, message).label("nothing collides here").help(help))
    }

    /// Explains a name that is an attribute of participants, and reached through an alias only.
    pub(super) fn needs_alias(&self, name: &str, place: Span) -> Option<Diagnostic> {
        let Owner { first: index, several } = self.owner(name)?;
        let message = if several {
            format!("`{name}` of which object? Several objects of this context have it")
        } else {
            format!("`{name}` belongs to the object with index {index}, and is reached through an alias")
        };
        let alias = format!(
            "give it a name in `aliases`: `use obj{}_{name} as attribute {name} of object with index {index}`",
            index + 1
        );
        let help = if several && self.scope.hints.is_for_all {
            format!(
                "this context applies to any two objects; if it is for a moving and a fixed one, say so: `applicability = {{ mandatory 1 dynamic object and 1 static object }}`; if it is for two that move, {alias}"
            )
        } else {
            alias
        };
        Some(Diagnostic::new(Code::E209, place, message).label("needs an alias").help(help))
    }

    /// `massSumDirVec3` where there are two directions.
    fn direction(&self, name: &str, place: Span) -> Option<Diagnostic> {
        let (stem, number) = name.rsplit_once("DirVec")?;
        let number: u64 = number.parse().ok()?;
        let known = ["hasPathToStaticObject", "collisionNormals", "collisionPoints"];
        if !known.contains(&stem) && !stem.ends_with("Sum") {
            return None;
        }
        let diagnostic = match self.scope.hints.directions {
            None => Diagnostic::new(Code::E210, place, format!("`{name}` exists in contact contexts only"))
                .help("what touches whom in which direction is known only while objects stay in contact"),
            Some(0) => Diagnostic::new(Code::E210, place, format!("`{name}` needs a direction, and this context has none"))
                .help("name the directions: `geometric_data_directions = {[0,0,1], [0,0,-1]}`"),
            Some(count) if number == 0 || number > u64::from(count) => {
                Diagnostic::new(Code::E210, place, format!("there is no direction {number}: this context has {count}"))
                    .help(format!("directions are counted from 1 in the order of `geometric_data_directions`, here up to {count}"))
            }
            // The number is right, so the attribute that is summed is not.
            Some(_) => return None,
        };
        Some(diagnostic.label("a direction that does not exist here"))
    }

    /// An unknown name like any other: an undeclared alias or a slip of the pen.
    fn plain(&self, unknown: &Unknown, place: Span, said: usize) -> Diagnostic {
        let name = unknown.name.as_str();
        let diagnostic = Diagnostic::new(Code::E201, place, format!("`{name}` is not known here"));
        if let Some(alias) = self.alias_like(name).filter(|_| !unknown.in_library) {
            return self.suggest(diagnostic, name, &alias);
        }
        let is_known = |other: &str| self.meaning(other, unknown.in_library).is_some();
        let is_guessed = said < MOST_GUESSES;
        if is_guessed
            && !other_notations::is_own(name, self.candidates(unknown))
            && let Some(diagnostic) = other_notations::explain(name, place, &is_known)
        {
            return diagnostic;
        }
        if let Some(diagnostic) = self.component(unknown, place) {
            return diagnostic;
        }
        let has_attributes = !unknown.in_library && !self.scope.variables.is_empty();
        let diagnostic = diagnostic.label(match has_attributes {
            true => "neither a function, an attribute nor a native",
            false => "neither a function nor a native",
        });
        if let Some((left, right)) = self.factors(unknown) {
            return diagnostic
                .help(format!("did you mean the product `{left} * {right}`? Names are not torn apart"));
        }
        let meant = guess(said, name, self.candidates(unknown));
        match meant {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(place, meant.to_owned()),
            None if unknown.after_hash => diagnostic.help(format!(
                "`#` takes an element of a vector; if this is a comment, write `// {name}`, otherwise define it: `{name} = …`"
            )),
            None if has_attributes => {
                diagnostic.help(format!("define it, `{name} = …`, or add it to the attributes of the object"))
            }
            None if unknown.in_library => diagnostic
                .help("imported functions see their parameters, other imported functions and natives"),
            None => diagnostic.help(format!("define it: `{name} = …`")),
        }
    }

    /// `at`, where `a` and `t` are known: a product as on paper.
    fn factors<'u>(&self, unknown: &'u Unknown) -> Option<(&'u str, &'u str)> {
        let name = unknown.name.as_str();
        if name.len() > MOST_FACTORS || !name.is_ascii() {
            return None;
        }
        let is_known = |part: &str| {
            unknown.params.iter().any(|param| param == part)
                || self.meaning(part, unknown.in_library).is_some_and(|it| !matches!(it, Meaning::Native(_)))
        };
        (1..name.len())
            .map(|at| name.split_at(at))
            .find(|(left, right)| left != right && is_known(left) && is_known(right))
    }

    /// `z`, `vz`, `v_z` and `position_z`: the component of a vector by its letter.
    fn component(&self, unknown: &Unknown, place: Span) -> Option<Diagnostic> {
        let name = unknown.name.as_str();
        let at = name.char_indices().next_back()?.0;
        let (stem, letter) = name.split_at(at);
        let number = other_notations::component(letter)?;
        let stem = stem.trim_end_matches('_');
        let is_known = |vector: &&str| {
            self.meaning(vector, unknown.in_library).is_some_and(|it| !matches!(it, Meaning::Native(_)))
        };
        let vector = match stem {
            "" => ["position"].iter().find(|it| is_known(it)).copied().unwrap_or("v"),
            _ => Some(stem).filter(is_known)?,
        };
        Some(
            Diagnostic::new(Code::E212, place, format!("`{name}` is not known here"))
                .label(format!("the {letter} component of a vector?"))
                .help(format!("write `{vector} # {number}`: elements of a vector are counted, x is the first; or define it: `{name} = …`")),
        )
    }

    /// Explains a function that would be a law if its alias were declared: `obj2_v`, where `obj2_mass` is
    /// one.
    pub(super) fn forgotten_alias(&self, name: &str, place: Span) -> Option<Diagnostic> {
        let alias = self.alias_like(name).filter(|alias| alias.has_sisters)?;
        let message =
            format!("`{name}` looks like an alias of `{}`, but it is not declared", alias.attribute);
        Some(self.suggest(Diagnostic::new(Code::E211, place, message), name, &alias))
    }

    fn suggest(&self, diagnostic: Diagnostic, name: &str, alias: &AliasLike) -> Diagnostic {
        let line =
            format!("use {name} as attribute {} of object with index {}", alias.attribute, alias.index);
        let diagnostic =
            diagnostic.label("undeclared alias?").help(format!("declare it in `aliases`: `{line}`"));
        match self.scope.hints.alias_place {
            Some(end) => diagnostic.edit(end, format!("\n        {line}")),
            None => diagnostic,
        }
    }

    /// `obj1_v`, where objects have an attribute `v`; the longest attribute that fits.
    fn alias_like(&self, name: &str) -> Option<AliasLike> {
        let objects = &self.scope.hints.objects;
        if objects.len() < 2 {
            return None;
        }
        for at in underscores(name) {
            let (prefix, attribute) = (&name[..at], &name[at + 1..]);
            let Some(Owner { first, .. }) = self.owner(attribute) else { continue };
            let sister = self.sister(prefix);
            let digit =
                prefix.bytes().last().filter(u8::is_ascii_digit).map(|digit| usize::from(digit - b'0'));
            let counted =
                digit.and_then(|number| number.checked_sub(1)).filter(|&index| index < objects.len());
            let worded = prefix.contains("second").then_some(1);
            let index = sister.or(counted).or(worded).unwrap_or(first);
            return Some(AliasLike { index, attribute: attribute.to_owned(), has_sisters: sister.is_some() });
        }
        None
    }

    /// The object that a declared alias with this prefix names: with `obj2_mass` declared, `obj2` is its
    /// object.
    fn sister(&self, prefix: &str) -> Option<usize> {
        let prefixes = self.prefixes.get_or_init(|| {
            let mut prefixes = HashMap::new();
            for variable in self.scope.variables.iter().filter(|variable| variable.declared.is_some()) {
                let index = match variable.binding {
                    Binding::Object { index, .. } => Some(index),
                    Binding::Engine { index, .. } => index,
                    _ => None,
                };
                let Some(index) = index else { continue };
                for at in underscores(&variable.name) {
                    prefixes.entry(&variable.name[..at]).or_insert(index);
                }
            }
            prefixes
        });
        prefixes.get(prefix).copied()
    }

    /// Every name that could have been written, nearest scope first.
    fn candidates<'s>(&'s self, unknown: &'s Unknown) -> impl Iterator<Item = &'s str> {
        let own = if unknown.in_library { &[] } else { self.definitions };
        let variables = if unknown.in_library { &[][..] } else { &self.scope.variables[..] };
        let params = unknown.params.iter().map(String::as_str);
        let defined = own.iter().filter(|it| it.prime.is_none()).chain(self.imported);
        params
            .chain(variables.iter().map(|variable| variable.name.as_str()))
            .chain(defined.map(|it| it.name.text.as_str()))
            .chain(NATIVES.iter().map(|entry| entry.name))
    }
}

/// The bytes of a name that are `_`, but for the first byte.
fn underscores(name: &str) -> impl Iterator<Item = usize> {
    let is_underscore = |&(at, byte): &(usize, u8)| byte == b'_' && at > 0;
    name.bytes().enumerate().filter(is_underscore).map(|(at, _)| at).take(MOST_PARTS)
}

/// Reading of a name as an alias that was not declared.
struct AliasLike {
    index: usize,
    attribute: String,
    /// `true` if other aliases with the same prefix are declared.
    has_sisters: bool,
}

/// A name without a meaning, and everywhere it stands.
pub(super) struct Unknown {
    /// As written.
    pub(super) name: String,
    /// In the order they were met.
    pub(super) spans: Vec<Span>,
    /// `true` if it stands in an imported function.
    pub(super) in_library: bool,
    /// `true` if it stands behind `#` where it was met first.
    pub(super) after_hash: bool,
    /// The parameters of the function it was met in first.
    pub(super) params: Vec<String>,
}

//! Components: the labels of physical things, as an ordered tree.
//!
//! A [`Component`] is what a user writes down: an atom (one body) or a composite (an ordered list of parts).
//! [`Components`] is the same tree, checked and numbered in the order of a walk that visits parents before
//! their parts. A whole subtree is therefore one range of numbers, and a [`ComponentId`] is a `u32` that says
//! in which row of every column the component's values stand. Row 0 is the world itself, the root that holds
//! all others.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use strsim::levenshtein;

/// A physical thing as it is written down, before it is numbered.
///
/// ```
/// use gedanken_dynamics::Component;
/// let pair = Component::composite("pair", [Component::atom("a"), Component::atom("b")]);
/// assert_eq!(pair.to_string(), "pair(a, b)");
/// assert_eq!(pair.arity(), 2);
/// assert_eq!(pair.subcomponents().map(Component::name).collect::<Vec<_>>(), ["pair", "a", "b"]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Component {
    /// One body.
    Atom(String),
    /// A named, ordered list of parts.
    Composite(String, Vec<Component>),
}

impl Component {
    /// One body called `name`.
    pub fn atom(name: impl Into<String>) -> Self {
        Self::Atom(name.into())
    }

    /// A thing called `name` made of `parts`, in this order.
    pub fn composite(name: impl Into<String>, parts: impl IntoIterator<Item = Component>) -> Self {
        Self::Composite(name.into(), parts.into_iter().collect())
    }

    /// The component's name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Atom(name) | Self::Composite(name, _) => name,
        }
    }

    /// The immediate parts; none for an atom.
    #[must_use]
    pub fn children(&self) -> &[Component] {
        match self {
            Self::Atom(_) => &[],
            Self::Composite(_, parts) => parts,
        }
    }

    /// The number of immediate parts.
    #[must_use]
    pub fn arity(&self) -> usize {
        self.children().len()
    }

    /// The whole tree below and including this component, parents before parts.
    pub fn subcomponents(&self) -> impl Iterator<Item = &Component> {
        let mut stack = vec![self];
        std::iter::from_fn(move || {
            let next = stack.pop()?;
            stack.extend(next.children().iter().rev());
            Some(next)
        })
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        if let Self::Composite(_, parts) = self {
            f.write_str("(")?;
            for (k, part) in parts.iter().enumerate() {
                if k > 0 {
                    f.write_str(", ")?;
                }
                part.fmt(f)?;
            }
            f.write_str(")")?;
        }
        Ok(())
    }
}

/// The number of a component in its [`Components`]: ordered like the tree, four bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ComponentId(u32);

impl ComponentId {
    /// The world: the root of every tree.
    pub const WORLD: ComponentId = ComponentId(0);

    /// The row of this component in every column.
    #[must_use]
    pub const fn row(self) -> usize {
        self.0 as usize
    }

    /// The component of this row.
    #[must_use]
    pub fn from_row(row: usize) -> Self {
        Self(u32::try_from(row).expect("`Components::new` admits no more than 2³² components"))
    }
}

/// Why a list of components cannot be numbered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ComponentError {
    /// Two components share a name.
    #[error("two components are called '{0}': every component needs a name of its own")]
    Duplicate(String),
    /// A component has no name.
    #[error("a component without a name{}: give it one", inside(.0))]
    Nameless(Option<String>),
    /// The name of the root was taken.
    #[error("'world' is the name of the whole: call the component something else")]
    ReservedName,
    /// A composite has no parts.
    #[error("the composite '{0}' has no parts: make it an atom, or give it some")]
    NoParts(String),
    /// More components than a `u32` can number.
    #[error("more than 4294967295 components")]
    TooMany,
    /// No component has this name.
    #[error("there is no component called '{name}'{}", did_you_mean(.close))]
    Unknown {
        /// The name asked for.
        name: String,
        /// The nearest existing name.
        close: Option<String>,
    },
}

fn inside(parent: &Option<String>) -> String {
    parent.as_ref().map_or_else(String::new, |p| format!(" inside '{p}'"))
}

fn did_you_mean(close: &Option<String>) -> String {
    close.as_ref().map_or_else(String::new, |c| format!(": did you mean '{c}'?"))
}

#[derive(Debug, Clone)]
struct Entry {
    name: String,
    parent: ComponentId,
    /// One past the last row of the subtree.
    end: u32,
    arity: u32,
}

/// The component tree of a model, numbered and immutable.
#[derive(Debug, Clone)]
pub struct Components {
    entries: Vec<Entry>,
    by_name: BTreeMap<String, ComponentId>,
}

impl Components {
    /// Numbers the components, which become the parts of the world, or says what is wrong with them.
    pub fn new(parts: impl IntoIterator<Item = Component>) -> Result<Self, ComponentError> {
        let mut tree = Self {
            entries: vec![Entry { name: "world".into(), parent: ComponentId::WORLD, end: 1, arity: 0 }],
            by_name: BTreeMap::from([("world".into(), ComponentId::WORLD)]),
        };
        for part in parts {
            tree.entries[0].arity += 1;
            tree.add(&part, ComponentId::WORLD)?;
        }
        tree.entries[0].end = u32::try_from(tree.entries.len()).map_err(|_| ComponentError::TooMany)?;
        Ok(tree)
    }

    /// The components called `names`, all atoms.
    pub fn atoms<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Result<Self, ComponentError> {
        Self::new(names.into_iter().map(Component::atom))
    }

    /// `count` atoms called `stem` followed by 0, 1, 2 and so on.
    pub fn numbered(stem: &str, count: usize) -> Result<Self, ComponentError> {
        Self::atoms((0..count).map(|k| format!("{stem}{k}")))
    }

    // Depth is the user's nesting, a handful; recursion is the clearest walk.
    fn add(&mut self, component: &Component, parent: ComponentId) -> Result<(), ComponentError> {
        let name = component.name();
        if name.is_empty() {
            let parent = (parent != ComponentId::WORLD).then(|| self.name(parent).to_owned());
            return Err(ComponentError::Nameless(parent));
        }
        if name == "world" {
            return Err(ComponentError::ReservedName);
        }
        if matches!(component, Component::Composite(_, parts) if parts.is_empty()) {
            return Err(ComponentError::NoParts(name.to_owned()));
        }
        let id = ComponentId(u32::try_from(self.entries.len()).map_err(|_| ComponentError::TooMany)?);
        if self.by_name.insert(name.to_owned(), id).is_some() {
            return Err(ComponentError::Duplicate(name.to_owned()));
        }
        let arity = u32::try_from(component.arity()).map_err(|_| ComponentError::TooMany)?;
        self.entries.push(Entry { name: name.to_owned(), parent, end: 0, arity });
        for part in component.children() {
            self.add(part, id)?;
        }
        self.entries[id.row()].end =
            u32::try_from(self.entries.len()).map_err(|_| ComponentError::TooMany)?;
        Ok(())
    }

    /// The number of components, the world included: the number of rows of every column.
    #[expect(clippy::len_without_is_empty, reason = "the world is always there")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// The component called `name`.
    pub fn id(&self, name: &str) -> Result<ComponentId, ComponentError> {
        self.by_name.get(name).copied().ok_or_else(|| ComponentError::Unknown {
            name: name.to_owned(),
            close: self.closest(name).map(str::to_owned),
        })
    }

    /// The name of a component of this tree; `?` for a number that is not in it.
    #[must_use]
    pub fn name(&self, id: ComponentId) -> &str {
        self.entries.get(id.row()).map_or("?", |e| &e.name)
    }

    /// The component that `id` is a part of; none for the world, and for a number that is not in this tree.
    #[must_use]
    pub fn parent(&self, id: ComponentId) -> Option<ComponentId> {
        self.entries.get(id.row()).map(|e| e.parent).filter(|_| id != ComponentId::WORLD)
    }

    /// The immediate parts, in order.
    pub fn children(&self, id: ComponentId) -> impl Iterator<Item = ComponentId> {
        let Range { start, end } = self.subtree(id);
        let mut next = start + 1;
        std::iter::from_fn(move || {
            let child = (next < end).then(|| ComponentId::from_row(next))?;
            next = self.subtree(child).end;
            Some(child)
        })
    }

    /// The number of immediate parts.
    #[must_use]
    pub fn arity(&self, id: ComponentId) -> usize {
        self.entries.get(id.row()).map_or(0, |e| e.arity as usize)
    }

    /// Returns `true` if the component has no parts.
    #[must_use]
    pub fn is_atom(&self, id: ComponentId) -> bool {
        self.arity(id) == 0 && id != ComponentId::WORLD && id.row() < self.len()
    }

    /// The component and everything below it, in order: a range of rows, empty for a number that is not in
    /// this tree.
    #[must_use]
    pub fn subtree(&self, id: ComponentId) -> Range<usize> {
        self.entries.get(id.row()).map_or(0..0, |e| id.row()..e.end as usize)
    }

    /// The component and everything below it, in order.
    pub fn subcomponents(&self, id: ComponentId) -> impl Iterator<Item = ComponentId> + use<> {
        self.subtree(id).map(ComponentId::from_row)
    }

    /// All components but the world, in order.
    pub fn iter(&self) -> impl Iterator<Item = ComponentId> + use<> {
        (1..self.len()).map(ComponentId::from_row)
    }

    /// The nearest name by edit distance, if it is near enough to be a slip of the pen.
    fn closest(&self, name: &str) -> Option<&str> {
        let limit = 1 + name.chars().count() / 3;
        self.entries[1..]
            .iter()
            .map(|e| (levenshtein(name, &e.name), e.name.as_str()))
            .filter(|(d, _)| *d <= limit)
            .min()
            .map(|(_, close)| close)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solar() -> Components {
        let planet = |n: &str, moons: &[&str]| {
            Component::composite(
                format!("{n} system"),
                std::iter::once(Component::atom(n)).chain(moons.iter().copied().map(Component::atom)),
            )
        };
        Components::new([
            Component::atom("sun"),
            planet("earth", &["moon"]),
            planet("mars", &["phobos", "deimos"]),
        ])
        .unwrap()
    }

    #[test]
    fn the_tree_is_numbered_parents_first() {
        let c = solar();
        let names: Vec<_> = c.iter().map(|id| c.name(id)).collect();
        assert_eq!(
            names,
            ["sun", "earth system", "earth", "moon", "mars system", "mars", "phobos", "deimos"]
        );
        let mars = c.id("mars system").unwrap();
        assert_eq!(c.arity(mars), 3);
        assert_eq!(c.children(mars).map(|k| c.name(k)).collect::<Vec<_>>(), ["mars", "phobos", "deimos"]);
        assert_eq!(c.subtree(mars), 5..9);
        assert_eq!(c.children(ComponentId::WORLD).count(), 3);
        assert_eq!(c.parent(c.id("moon").unwrap()), c.id("earth system").ok());
        assert_eq!(c.parent(ComponentId::WORLD), None);
        assert!(c.is_atom(c.id("moon").unwrap()) && !c.is_atom(mars) && !c.is_atom(ComponentId::WORLD));
    }

    #[test]
    fn a_foreign_number_has_no_family() {
        let (c, foreign) = (solar(), ComponentId::from_row(99));
        assert_eq!((c.name(foreign), c.arity(foreign), c.is_atom(foreign)), ("?", 0, false));
        assert_eq!((c.parent(foreign), c.children(foreign).count(), c.subtree(foreign)), (None, 0, 0..0));
    }

    #[test]
    fn bad_trees_are_refused_by_name() {
        let twice = Components::atoms(["a", "b", "a"]).unwrap_err();
        assert_eq!(
            twice.to_string(),
            "two components are called 'a': every component needs a name of its own"
        );
        let nested = Components::new([Component::composite("c", [Component::atom("")])]).unwrap_err();
        assert_eq!(nested.to_string(), "a component without a name inside 'c': give it one");
        let hollow = Components::new([Component::composite("c", [])]).unwrap_err();
        assert_eq!(hollow, ComponentError::NoParts("c".into()));
        assert_eq!(Components::atoms(["world"]).unwrap_err(), ComponentError::ReservedName);
    }

    #[test]
    fn an_unknown_name_gets_a_suggestion() {
        let c = solar();
        assert_eq!(
            c.id("phobus").unwrap_err().to_string(),
            "there is no component called 'phobus': did you mean 'phobos'?"
        );
        assert_eq!(c.id("jupiter").unwrap_err().to_string(), "there is no component called 'jupiter'");
    }
}

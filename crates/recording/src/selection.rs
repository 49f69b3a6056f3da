//! The quantity that a name stands for: `ball.position`, `ball.position#1`, `g`, `energy`.

use crate::columns::Place;
use crate::columns::{Named, RESERVED};
use crate::schema::{Owner, Schema};
use gedanken_lang::check::similar;
use gedanken_lang::types::{Dim, Type};

/// A quantity, varying or not, or an element of one, selected by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    /// Name that was asked for.
    pub name: String,
    /// Its owner.
    pub owner: Owner,
    /// Its type: that of the element, if an element was asked for.
    pub ty: Type,
    /// Places of its first scalar. Several if contexts share the name: at any time at most one of them has
    /// a value.
    pub places: Vec<Place>,
}

impl Selection {
    /// Number of its scalars.
    pub fn width(&self) -> usize {
        self.ty.scalars().unwrap_or(0)
    }

    /// Places of scalar number `scalar`.
    pub fn scalar(&self, scalar: usize) -> Vec<Place> {
        self.places.iter().map(|first| first.after(scalar)).collect()
    }

    /// Its elements one by one, named as columns are; itself if it has but one.
    pub fn elements(&self) -> Vec<Self> {
        let one = |suffix: String, scalar| Self {
            name: format!("{}{suffix}", self.name),
            owner: self.owner,
            ty: Type::Real,
            places: self.scalar(scalar),
        };
        match self.ty {
            Type::Vector(Dim::Is(n)) => (0..n as usize).map(|k| one(format!("#{}", k + 1), k)).collect(),
            Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => {
                let (rows, columns) = (rows as usize, columns as usize);
                let place = |k: usize| one(format!("#{}#{}", k / columns + 1, k % columns + 1), k);
                (0..rows * columns).map(place).collect()
            }
            _ => vec![self.clone()],
        }
    }
}

/// A name in its parts: `owner.attribute@context#1#2`.
struct Parts<'n> {
    owner: Option<&'n str>,
    attribute: &'n str,
    context: Option<&'n str>,
    /// Counted from one, as written.
    element: Vec<u32>,
}

impl<'n> Parts<'n> {
    fn of(name: &'n str) -> Option<Self> {
        let mut pieces = name.trim().split('#');
        let whole = pieces.next()?;
        let element = pieces.map(|digits| digits.parse().ok()).collect::<Option<Vec<u32>>>()?;
        let (owner, rest) = whole.split_once('.').map_or((None, whole), |(owner, rest)| (Some(owner), rest));
        let (attribute, context) =
            rest.split_once('@').map_or((rest, None), |(it, context)| (it, Some(context)));
        Some(Self { owner, attribute, context, element })
    }
}

impl Schema {
    /// The quantity of a name: `ball.position`, `ball.position#1`, `m#1#2`, an attribute of the world or a
    /// measure by its bare name; `ball.v@rolling` for the attribute of one context, where several have it.
    /// Every name of a column is one.
    pub fn find(&self, name: &str) -> Option<Selection> {
        let parts = Parts::of(name)?;
        let owner = match parts.owner {
            Some(owner) => match self.object(owner) {
                Some(object) => Owner::Object(object),
                None if owner == "world" => Owner::World,
                None if owner == "measure" => Owner::Measure,
                None => return None,
            },
            None if RESERVED.contains(&parts.attribute) => return None,
            None if self.names(Owner::World).any(|(it, _, _, _)| it == parts.attribute) => Owner::World,
            None => Owner::Measure,
        };
        let (ty, places) = self.places(owner, parts.attribute, parts.context)?;
        let (ty, offset) = element(ty, &parts.element)?;
        let places = places.into_iter().map(|first| first.after(offset)).collect();
        Some(Selection { name: name.trim().to_owned(), owner, ty, places })
    }

    /// The type and the first scalars of what is called so. All of one type; where types differ, those of the
    /// first.
    fn places(&self, owner: Owner, attribute: &str, context: Option<&str>) -> Option<(&Type, Vec<Place>)> {
        let asked = |of: Option<usize>| match context {
            Some(context) => of.and_then(|it| self.contexts.get(it)).is_some_and(|it| it == context),
            None => true,
        };
        let mut found: Option<(&Type, Vec<Place>)> = None;
        for (name, of, ty, first) in self.names(owner) {
            if name == attribute && asked(of) {
                match &mut found {
                    Some((known, places)) if *known == ty => places.push(first),
                    Some(_) => {}
                    None => found = Some((ty, vec![first])),
                }
            }
        }
        found
    }

    /// Everything of one owner: name, context, type and first scalar.
    fn names(&self, owner: Owner) -> impl Iterator<Item = (&str, Option<usize>, &Type, Place)> {
        let constants = self.constants.iter().enumerate().filter(move |(_, it)| it.owner == owner);
        let constants = constants
            .map(|(constant, it)| (it.name.as_str(), None, &it.ty, Place::Constant { constant, element: 0 }));
        let varying = self.owned(owner).iter();
        constants.chain(varying.map(|it| (it.name.as_str(), it.context, &it.ty, Place::Row(it.start))))
    }

    /// The name nearest to one that stands for nothing: `ball.position` for `ball.positon`.
    pub fn similar(&self, name: &str) -> Option<String> {
        let whole = name.trim().split('#').next().unwrap_or(name);
        let named = self.named();
        let labels: Vec<String> =
            named.iter().map(|it: &Named<'_>| self.label(it.owner, &it.attribute)).collect();
        let near = similar(whole, labels.iter().map(String::as_str));
        // The length of the object's name decides how many edits count as near, so its attribute is also
        // looked at alone.
        near.map(str::to_owned).or_else(|| self.similar_parts(whole))
    }

    fn similar_parts(&self, whole: &str) -> Option<String> {
        let (object, attribute) = whole.split_once('.')?;
        let known = self.objects.iter().map(String::as_str);
        let object =
            self.object(object).map_or_else(|| similar(object, known), |it| Some(&self.objects[it]))?;
        let owner = Owner::Object(self.object(object)?);
        let names: Vec<&str> = self.names(owner).map(|(name, ..)| name).collect();
        let attribute = if names.contains(&attribute) { Some(attribute) } else { similar(attribute, names) }?;
        Some(format!("{object}.{attribute}"))
    }
}

/// The type of an element and how many scalars come before it; of the whole, if no element is asked for.
fn element(ty: &Type, element: &[u32]) -> Option<(Type, usize)> {
    let within = |k: u32, n: u32| (1..=n).contains(&k).then(|| k as usize - 1);
    match (ty, element) {
        (ty, []) => Some((ty.clone(), 0)),
        (Type::Vector(Dim::Is(n)), &[k]) => Some((Type::Real, within(k, *n)?)),
        (Type::Matrix(Dim::Is(rows), Dim::Is(columns)), &[i, j]) => {
            Some((Type::Real, within(i, *rows)? * *columns as usize + within(j, *columns)?))
        }
        (Type::Matrix(Dim::Is(rows), Dim::Is(columns)), &[i]) => {
            Some((Type::vector(*columns), within(i, *rows)? * *columns as usize))
        }
        _ => None,
    }
}

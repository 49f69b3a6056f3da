//! The choice of contexts, compared with trying everything.

use crate::support;
use gedanken_experiment::{Context, Object, Role, Selector, ShapeKind};
use gedanken_lang::check::{ContextKind, Participant};
use gedanken_lang::source::{Sources, Span};
use gedanken_lang::syntax::tree::{Block, Item};
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::types::Type;
use proptest::prelude::*;
use std::collections::BTreeSet;
use support::{Memory, codes, model};

const NAMES: [&str; 6] = ["ann", "bob", "cat", "dan", "eve", "fay"];
const SHAPES: [(ShapeKind, &str); 2] =
    [(ShapeKind::Sphere, "size = 1"), (ShapeKind::Cuboid, "size = [1, 1, 1]")];

/// A kind of object: static or not, and which shape.
type Kind = (bool, usize);

/// A role: an object by name, or a count with a physical type and a shape.
#[derive(Clone, Debug)]
enum Wish {
    Name(usize),
    Count(u32, Option<bool>, Option<usize>),
}

fn wish() -> impl Strategy<Value = Wish> {
    prop_oneof![
        (0..NAMES.len()).prop_map(Wish::Name),
        (1..3_u32, prop::option::of(any::<bool>()), prop::option::of(0..SHAPES.len()))
            .prop_map(|(count, physical, shape)| Wish::Count(count, physical, shape)),
    ]
}

fn wishes() -> impl Strategy<Value = Vec<Vec<Wish>>> {
    prop::collection::vec(prop::collection::vec(wish(), 0..3), 1..5)
}

fn kinds() -> impl Strategy<Value = Vec<Kind>> {
    prop::collection::vec((any::<bool>(), 0..SHAPES.len()), NAMES.len())
}

fn objects(kinds: &[Kind]) -> Vec<Object> {
    model(&objects_of(kinds)).objects
}

/// Text of objects of these kinds, and of a simulation.
fn objects_of(kinds: &[Kind]) -> String {
    let mut text = "simulation {\n    name = s\n    duration = 1\n}\n".to_owned();
    for (name, &(is_static, shape)) in NAMES.iter().zip(kinds) {
        let (kind, size) = SHAPES[shape];
        let physical = if is_static { "static" } else { "dynamic" };
        text += &format!(
            "object {{\n    name = {name}\n    physical type = {physical}\n    geometrical type = {}\n    attributes = {{ position = [0, 0, 0]  {size} }}\n}}\n",
            kind.name()
        );
    }
    text
}

fn contexts(kind: ContextKind, wishes: &[Vec<Wish>]) -> Vec<Context> {
    let (block, span) = nothing();
    let role = |wish: &Wish| match *wish {
        Wish::Name(name) => Role::Named { object: NAMES[name].to_owned(), span },
        Wish::Count(count, is_static, shape) => {
            Role::Counted { count, is_static, shape: shape.map(|it| SHAPES[it].0), span }
        }
    };
    let context = |(number, wishes): (usize, &Vec<Wish>)| Context {
        name: format!("c{number}"),
        kind,
        roles: wishes.iter().map(role).collect(),
        directions: Vec::new(),
        block: block.clone(),
        span,
    };
    wishes.iter().enumerate().map(context).collect()
}

/// A block and a place that nobody looks at.
fn nothing() -> (Block, Span) {
    let mut sources = Sources::new();
    let source = sources.add("text", "context { }");
    let (file, _) = parse(&sources, source, Dialect::Experiment);
    let Some(Item::Block(block)) = file.items.into_iter().next() else { panic!("a block") };
    (block, Span::new(source, 0..0))
}

/// Every role once for each object that it asks for.
fn places(wishes: &[Wish]) -> Vec<Wish> {
    let repeated = |wish: &Wish| match wish {
        Wish::Name(_) => vec![wish.clone()],
        Wish::Count(count, physical, shape) => vec![Wish::Count(1, *physical, *shape); *count as usize],
    };
    wishes.iter().flat_map(repeated).collect()
}

fn fits(wish: &Wish, object: usize, kinds: &[Kind]) -> bool {
    match *wish {
        Wish::Name(name) => name == object,
        Wish::Count(_, physical, shape) => {
            physical.is_none_or(|it| it == kinds[object].0) && shape.is_none_or(|it| it == kinds[object].1)
        }
    }
}

/// All ways to put different members into all places, in the order of members.
fn fillings(places: &[Wish], members: &[usize], kinds: &[Kind]) -> Vec<Vec<usize>> {
    let Some((first, rest)) = places.split_first() else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for &member in members.iter().filter(|&&member| fits(first, member, kinds)) {
        let others: Vec<usize> = members.iter().copied().filter(|&it| it != member).collect();
        for mut filling in fillings(rest, &others, kinds) {
            filling.insert(0, member);
            all.push(filling);
        }
    }
    all
}

/// Names, shapes and physical types that are fixed, in this order.
fn rank(wishes: &[Wish]) -> [usize; 3] {
    let places = places(wishes);
    let count = |fixed: fn(&Wish) -> bool| places.iter().filter(|it| fixed(it)).count();
    [
        count(|it| matches!(it, Wish::Name(_))),
        count(|it| matches!(it, Wish::Count(_, _, Some(_)))),
        count(|it| matches!(it, Wish::Count(_, Some(_), _))),
    ]
}

/// Contexts of the highest rank among those that apply.
fn highest(wishes: &[Vec<Wish>], applies: impl Fn(&[Wish]) -> bool) -> Vec<usize> {
    let able: Vec<usize> = (0..wishes.len()).filter(|&it| applies(&wishes[it])).collect();
    let most = able.iter().map(|&it| rank(&wishes[it])).max();
    able.into_iter().filter(|&it| Some(rank(&wishes[it])) == most).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn free_fall_is_the_most_specific(kinds in kinds(), wishes in wishes()) {
        let (objects, contexts) = (objects(&kinds), contexts(ContextKind::FreeFall, &wishes));
        let involved: Vec<usize> = (0..contexts.len()).collect();
        let selector = Selector { objects: &objects, contexts: &contexts, involved: &involved };
        for object in 0..objects.len() {
            let applies = |it: &[Wish]| {
                let places = places(it);
                it.is_empty() || places.len() == 1 && fits(&places[0], object, &kinds)
            };
            let expected = if kinds[object].0 { Vec::new() } else { highest(&wishes, applies) };
            match selector.free_fall(object) {
                Ok(found) => prop_assert_eq!(found.into_iter().collect::<Vec<_>>(), expected),
                Err(tie) => prop_assert_eq!(&tie.contexts[..], &expected[..2]),
            }
        }
    }

    #[test]
    fn collisions_are_the_most_specific_and_in_the_order_of_roles(kinds in kinds(), wishes in wishes()) {
        let (objects, contexts) = (objects(&kinds), contexts(ContextKind::Collision, &wishes));
        let involved: Vec<usize> = (0..contexts.len()).collect();
        let selector = Selector { objects: &objects, contexts: &contexts, involved: &involved };
        for a in 0..objects.len() {
            for b in 0..objects.len() {
                // Objects are numbered by name, so that the first filling is the first by name.
                let pair = [a.min(b), a.max(b)];
                let orders = |it: &[Wish]| {
                    let places = places(it);
                    match places.len() {
                        0 => vec![pair.to_vec()],
                        2 => fillings(&places, &pair, &kinds),
                        _ => Vec::new(),
                    }
                };
                let never = a == b || (kinds[a].0 && kinds[b].0);
                let expected = if never { Vec::new() } else { highest(&wishes, |it| !orders(it).is_empty()) };
                match selector.collision(a, b) {
                    Ok(None) => prop_assert!(expected.is_empty()),
                    Ok(Some(found)) => {
                        prop_assert_eq!(&expected, &vec![found.context]);
                        prop_assert_eq!(&found.objects, &orders(&wishes[found.context])[0]);
                    }
                    Err(tie) => prop_assert_eq!(&tie.contexts[..], &expected[..2]),
                }
            }
        }
    }

    #[test]
    fn contacts_are_the_most_specific(kinds in kinds(), wishes in wishes(), absent in any::<u8>()) {
        let (objects, contexts) = (objects(&kinds), contexts(ContextKind::Contact, &wishes));
        let involved: Vec<usize> = (0..contexts.len()).collect();
        let selector = Selector { objects: &objects, contexts: &contexts, involved: &involved };
        let members: Vec<usize> = (0..objects.len()).filter(|it| absent >> it & 1 == 0).collect();
        for &object in &members {
            let applies = |it: &[Wish]| {
                it.is_empty() || fillings(&places(it), &members, &kinds).iter().any(|it| it.contains(&object))
            };
            let expected = if kinds[object].0 { Vec::new() } else { highest(&wishes, applies) };
            match selector.contact(object, &members) {
                Ok(found) => prop_assert_eq!(found.into_iter().collect::<Vec<_>>(), expected),
                Err(tie) => prop_assert_eq!(&tie.contexts[..], &expected[..2]),
            }
        }
    }
}

/// Roles of a collision in the words of an experiment.
fn in_words(wishes: &[Wish]) -> String {
    let word = |wish: &Wish| match *wish {
        Wish::Name(name) => NAMES[name].to_owned(),
        Wish::Count(count, physical, shape) => {
            let physical = physical.map_or("", |it| if it { "static " } else { "dynamic " });
            let shape = shape.map_or("object", |it| SHAPES[it].0.name());
            format!("{count} {physical}{shape}{}", if count > 1 { "s" } else { "" })
        }
    };
    let words: Vec<String> = wishes.iter().map(word).collect();
    if words.is_empty() { String::new() } else { format!("mandatory {}", words.join(" and ")) }
}

/// Roles that two objects can fill.
fn pair_of_wishes() -> impl Strategy<Value = Vec<Wish>> {
    let single =
        || wish().prop_map(|it| if let Wish::Count(_, a, b) = it { Wish::Count(1, a, b) } else { it });
    let differ = |it: &Vec<Wish>| !matches!(it[..], [Wish::Name(a), Wish::Name(b)] if a == b);
    prop_oneof![
        1 => Just(Vec::new()),
        1 => wish().prop_filter("a pair", |it| matches!(it, Wish::Count(2, ..))).prop_map(|it| vec![it]),
        6 => prop::collection::vec(single(), 2).prop_filter("different", differ),
    ]
}

/// Objects of these kinds, and collisions with these roles.
fn with_collisions(kinds: &[Kind], wishes: &[Vec<Wish>]) -> String {
    let mut text = objects_of(kinds);
    for (number, wishes) in wishes.iter().enumerate() {
        let roles = in_words(wishes);
        let roles = if roles.is_empty() { roles } else { format!("    applicability = {{ {roles} }}\n") };
        text += &format!("context {{\n    name = c{number}\n    type = collision\n{roles}}}\n");
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

    /// Not every pair is tried when an experiment is read, but all that can be told apart.
    #[test]
    fn collisions_are_checked_for_all_objects_that_can_meet(
        kinds in kinds(),
        wishes in prop::collection::vec(pair_of_wishes(), 1..7),
    ) {
        let text = with_collisions(&kinds, &wishes);
        let (objects, contexts) = (objects(&kinds), contexts(ContextKind::Collision, &wishes));
        let involved: Vec<usize> = (0..contexts.len()).collect();
        let selector = Selector { objects: &objects, contexts: &contexts, involved: &involved };
        let (mut expected, mut ties) = (BTreeSet::new(), 0);
        for (a, b) in (0..objects.len()).flat_map(|a| (0..a).map(move |b| (a, b))) {
            match selector.collision(a, b) {
                Ok(Some(found)) => {
                    let kinds = found.objects.iter().map(|&it| kinds[it]).collect::<Vec<Kind>>();
                    expected.insert((found.context, kinds));
                }
                Ok(None) => {}
                Err(_) => ties += 1,
            }
        }
        match support::experiment(&Memory(&[]), &text, &[]).1 {
            Err(found) => {
                prop_assert!(found.iter().all(|it| it.code.as_str() == "E724"), "{text}\n{found:?}");
                prop_assert!(ties > 0, "{text}");
            }
            Ok(experiment) => {
                prop_assert!(ties == 0, "{text}");
                // A sphere's size is a number, a cuboid's a vector.
                let shape = |it: &Participant| {
                    let sized = it.attributes.iter().any(|it| it.0 == "size" && it.1 == Type::Real);
                    usize::from(!sized)
                };
                let kinds = |all: &[Participant]| all.iter().map(|it| (it.is_static, shape(it))).collect();
                let checked = experiment.checked_contexts.iter();
                let found: BTreeSet<(usize, Vec<Kind>)> =
                    checked.map(|it| (it.context, kinds(&it.participants))).collect();
                prop_assert_eq!(found, expected, "{}", text);
            }
        }
    }
}

/// A ball, a box and a floor, and contexts without laws that have these types and roles.
fn with_contexts(contexts: &[(&str, &str)]) -> String {
    let mut text = "simulation {\n    name = s\n    duration = 1\n}\n".to_owned();
    for (name, physical, shape) in
        [("ball", "dynamic", "sphere"), ("box", "dynamic", "cuboid"), ("floor", "static", "half space")]
    {
        let size = SHAPES.iter().find(|(kind, _)| kind.name() == shape).map_or("", |(_, size)| *size);
        text += &format!(
            "object {{\n    name = {name}\n    physical type = {physical}\n    geometrical type = {shape}\n    attributes = {{ position = [0, 0, 0]  {size} }}\n}}\n"
        );
    }
    for (number, (kind, roles)) in contexts.iter().enumerate() {
        let roles = if roles.is_empty() {
            String::new()
        } else {
            format!("    applicability = {{ mandatory {roles} }}\n")
        };
        text += &format!("context {{\n    name = c{number}\n    type = {kind}\n{roles}}}\n");
    }
    text
}

#[test]
fn ties_are_found_before_anything_runs() {
    type Case<'c> = (&'c [(&'c str, &'c str)], &'c [&'c str]);
    let cases: [Case<'_>; 8] = [
        (&[("free fall", ""), ("free fall", "1 dynamic object")], &["W702"]),
        (&[("free fall", "1 sphere"), ("free fall", "ball")], &["W702"]),
        (&[("free fall", "1 sphere"), ("free fall", "1 cuboid")], &[]),
        (&[("free fall", "1 object"), ("free fall", "")], &["E724"]),
        (&[("collision", "1 sphere and 1 object"), ("collision", "1 object and 1 cuboid")], &["E724"]),
        (
            &[
                ("collision", "ball and 1 object"),
                ("collision", "box and 1 object"),
                ("collision", "ball and box"),
            ],
            &[],
        ),
        // A ball between a box and the floor could be in either.
        (
            &[("contact", "1 sphere and 1 static object"), ("contact", "1 sphere and 1 dynamic object")],
            &["E724"],
        ),
        (&[("contact", "1 sphere and floor"), ("contact", "1 cuboid and floor")], &[]),
    ];
    for (contexts, expected) in cases {
        assert_eq!(codes(&with_contexts(contexts)), expected, "{contexts:?}");
    }
}

//! Surfaces of compounds: one for the whole body.
//!
//! A contact knows two bodies, and each has one restitution and one friction. A whole that says nothing of its surface
//! takes that of its parts, if all of them say the same. What a part says and the body does not do is told.

use crate::object::attribute::Attribute;
use crate::object::compound;
use crate::object::model::Object;
use crate::object::shape::ShapeKind;
use crate::object::solid::find;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::Name;
use std::collections::BTreeSet;

/// Numbers of a surface that an object may state instead of a material.
const COEFFICIENTS: [&str; 2] = ["friction", "restitution"];

/// What a whole takes from its parts.
#[derive(Default)]
pub(super) struct Inherited {
    pub(super) material: Option<Name>,
    pub(super) attributes: Vec<Attribute>,
}

/// Returns the surface that all parts of a compound share and that it does not state itself, and warns of what parts
/// state in vain.
pub(super) fn inherited(whole: &Object, objects: &[Object], diagnostics: &mut Vec<Diagnostic>) -> Inherited {
    if whole.shape != ShapeKind::Compound {
        return Inherited::default();
    }
    let mut names = BTreeSet::new();
    compound::all_parts(objects, whole, &mut names);
    let pieces: Vec<&Object> = names.into_iter().filter_map(|name| find(objects, name)).collect();
    let leaves: Vec<&Object> = pieces.iter().copied().filter(|it| it.shape != ShapeKind::Compound).collect();
    let stated = stated(whole);
    if stated.is_none()
        && let Some(first) = leaves.first().map(|leaf| Surface::of(leaf))
        && leaves.iter().all(|leaf| Surface::of(leaf) == first)
        && pieces.iter().all(|it| it.shape != ShapeKind::Compound || self::stated(it).is_none())
    {
        let leaf = leaves[0];
        let shared = COEFFICIENTS.iter().filter_map(|name| leaf.attribute(name));
        return Inherited { material: leaf.material.clone(), attributes: shared.cloned().collect() };
    }
    // One notice for the body, at the first part whose surface is not that of the body.
    let effective = Surface::of(whole);
    let parts = pieces.iter().filter(|it| it.name != whole.name);
    let unlike = parts.filter(|it| Surface::of(it) != effective);
    if let Some((part, (what, span))) = unlike.filter_map(|it| Some((it, self::stated(it)?))).next() {
        let (body, part) = (&whole.name, &part.name);
        let message = format!("{what} of `{part}` has no effect: `{body}` has one surface for all its parts");
        let help = match stated {
            Some((own, _)) => {
                format!("`{body}` states {own}, which counts for every part: remove that of `{part}`")
            }
            None => format!(
                "state friction and restitution, or a material, of `{body}`; or make `{part}` a body of its own, held by a `weld`"
            ),
        };
        diagnostics.push(
            Diagnostic::new(Code::W754, span, message)
                .label("not the surface of the whole")
                .also(whole.span, "a contact asks this body")
                .help(help),
        );
    }
    Inherited::default()
}

/// Surface of an object, as far as it is stated.
#[derive(PartialEq)]
struct Surface<'o> {
    material: Option<&'o str>,
    coefficients: [Option<f64>; 2],
}

impl<'o> Surface<'o> {
    fn of(object: &'o Object) -> Self {
        Self {
            material: object.material.as_ref().map(|it| it.text.as_str()),
            coefficients: COEFFICIENTS.map(|name| object.real(name)),
        }
    }
}

/// The first thing that an object states of its surface, in words, and its position.
fn stated(object: &Object) -> Option<(String, Span)> {
    if let Some(material) = &object.material {
        return Some((format!("the material `{}`", material.text), material.span));
    }
    let own = COEFFICIENTS.iter().filter_map(|name| object.attribute(name));
    own.map(|it| (format!("the {}", it.name), it.span)).min_by_key(|(_, span)| *span)
}

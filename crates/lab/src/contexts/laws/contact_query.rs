//! Names by which the laws of a contact ask about the objects around them, parsed once when laws are
//! compiled.
//!
//! `touch::contact_queries` answers them.

use crate::contexts::ids::{ActorId, ClassId, ColumnId, ParticipantId, Table};
use crate::contexts::layout::Layout;
use gedanken_lang::types::Type;

/// A query of contact laws about the surroundings of an object.
#[derive(Clone, Debug)]
pub(crate) struct ContactQuery {
    /// Number of the member it is about, where laws number the members of the group.
    pub(crate) index: Option<ParticipantId>,
    /// Number of the direction, from 1.
    pub(crate) direction: usize,
    pub(crate) kind: QueryKind,
}

#[derive(Clone, Debug)]
pub(crate) enum QueryKind {
    /// Does a path of contacts lead to a static object?
    PathToStatic,
    /// Normals of the direct contacts.
    Normals,
    /// Points of the direct contacts.
    Points,
    /// Sum of an attribute over all objects in the direction; for each class, the first column and the type
    /// of the attribute.
    Sum { attribute: String, fields: Table<ClassId, Option<(ColumnId, Type)>> },
}

impl ContactQuery {
    /// Parses a name that the engine gives in contacts.
    pub(crate) fn new(layout: &Layout, index: Option<ParticipantId>, name: &str) -> Self {
        let (stem, number) = name.rsplit_once("DirVec").unwrap_or((name, ""));
        let kind = match stem {
            "hasPathToStaticObject" => QueryKind::PathToStatic,
            "collisionNormals" => QueryKind::Normals,
            "collisionPoints" => QueryKind::Points,
            _ => {
                let attribute = stem.strip_suffix("Sum").unwrap_or(stem);
                let field =
                    |member: ActorId| layout.find(member, attribute).map(|it| (it.start, it.ty.clone()));
                let fields = layout.classes.iter().map(|class| field(class.members[0])).collect();
                QueryKind::Sum { attribute: attribute.to_owned(), fields }
            }
        };
        Self { index, direction: number.parse().unwrap_or(1), kind }
    }

    /// Returns `true` if it asks for normals or points.
    pub(crate) fn is_row(&self) -> bool {
        matches!(self.kind, QueryKind::Normals | QueryKind::Points)
    }
}

//! Names by which the laws of a contact ask about the objects around them, parsed once when laws are compiled.
//!
//! `touch::contact_queries` answers them.

use crate::contexts::ids::{ActorId, ClassId, ColumnId, Table};
use crate::contexts::layout::Layout;
use gedanken_lang::types::Type;

/// Something that laws ask about those around an object.
#[derive(Clone, Debug)]
pub(crate) struct ContactQuery {
    /// About whom, where laws number the members of the group.
    pub(crate) index: Option<usize>,
    /// In which direction, numbered from 1.
    pub(crate) direction: usize,
    pub(crate) kind: QueryKind,
}

#[derive(Clone, Debug)]
pub(crate) enum QueryKind {
    /// Whether a static object lies that way.
    PathToStatic,
    /// The normals of those directly there.
    Normals,
    /// Where these touch.
    Points,
    /// The sum of an attribute over all that are seen: of each class, where the attribute is and what it is.
    Sum { attribute: String, fields: Table<ClassId, Option<(ColumnId, Type)>> },
}

impl ContactQuery {
    /// QueryKind a name that the engine gives in contacts asks for.
    pub(crate) fn new(layout: &Layout, index: Option<usize>, name: &str) -> Self {
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
}

//! Answers to the queries of contact laws about the surroundings of an object. One graph per direction serves
//! all members of a group.

use super::Touch;
use super::contact_graph::ContactGraph;
use super::live::{LiveRows, RowKind};
use crate::contexts::ids::{ActorId, ClassId, Column, ColumnId, ContextId, Id, ParticipantId, Table};
use crate::contexts::laws::Laws;
use crate::contexts::laws::contact_query::{ContactQuery, QueryKind};
use crate::contexts::world::{Given, World};
use gedanken_lang::types::Type;
use gedanken_lang::value::{Matrix, Value};
use gedanken_math::Vec3;

/// Contacts of a group as graphs, one per direction.
pub(crate) struct ContactGraphs<'t> {
    touches: &'t [Touch],
    /// Graphs by context and number of the direction, in the order of their first use.
    graphs: Vec<((ContextId, usize), ContactGraph)>,
    /// Sums over all members, by graph, attribute and width.
    sums: Vec<(usize, String, usize, Vec<f64>)>,
    /// Members whose pose is given by laws that read normals or points.
    guided: Vec<ActorId>,
}

impl<'t> ContactGraphs<'t> {
    pub(crate) fn new(touches: &'t [Touch], guided: Vec<ActorId>) -> Self {
        Self { touches, graphs: Vec::new(), sums: Vec::new(), guided }
    }
}

impl ContactGraphs<'_> {
    /// Returns the number of objects that a member touches in each direction of a context.
    pub(crate) fn touching(&mut self, world: &World<'_>, member: ActorId, context: ContextId) -> Vec<u32> {
        let directions = world.experiment.contexts[context.index()].directions.len();
        let count = |direction| {
            let graph = self.graph(world, context, direction);
            self.graphs[graph].1.count(member) as u32
        };
        (1..=directions).map(count).collect()
    }

    /// Returns the place of the graph of a direction, numbered from 1. Makes it on first use.
    fn graph(&mut self, world: &World<'_>, context: ContextId, number: usize) -> usize {
        let key = (context, number);
        if let Some(place) = self.graphs.iter().position(|it| it.0 == key) {
            return place;
        }
        let direction =
            world.experiment.contexts[context.index()].directions.get(number.wrapping_sub(1)).copied();
        let direction = Vec3::from_array(direction.unwrap_or_default());
        self.graphs.push((key, ContactGraph::new(self.touches, &world.layout.is_static, direction)));
        self.graphs.len() - 1
    }

    /// Returns the answers to all queries of the laws of a member.
    pub(crate) fn given(
        &mut self,
        world: &World<'_>,
        member: ActorId,
        laws: &Laws,
        members: &[ActorId],
    ) -> Vec<Given> {
        let indexed = world.experiment.contexts[laws.context.index()].uses_indices();
        let whose = |index: Option<ParticipantId>| match index {
            Some(index) if indexed => members.get(index.index()).copied().unwrap_or(member),
            _ => member,
        };
        let answer = |it: &ContactQuery| {
            let object = whose(it.index);
            let given = Given::from(self.answer(world, object, laws.context, it, members));
            Given { live: self.live(world, object, laws.context, it), ..given }
        };
        laws.queries.iter().map(answer).collect()
    }

    /// Returns the rows that answer a query at any instant; `None` where a law that gives the pose of an
    /// object that takes part in them needs such rows itself.
    fn live(
        &mut self,
        world: &World<'_>,
        object: ActorId,
        context: ContextId,
        query: &ContactQuery,
    ) -> Option<LiveRows> {
        let kind = match query.kind {
            QueryKind::Normals => RowKind::Normal,
            QueryKind::Points => RowKind::Point,
            QueryKind::PathToStatic | QueryKind::Sum { .. } => return None,
        };
        let place = self.graph(world, context, query.direction);
        let graph = &self.graphs[place].1;
        let touched: Vec<ActorId> = graph.direct(object).iter().map(|it| it.object).collect();
        let is_guided = |actor: ActorId| self.guided.contains(&actor);
        (!is_guided(object) && !touched.iter().any(|&it| is_guided(it))).then(|| LiveRows {
            object,
            touched,
            direction: graph.direction(),
            kind,
        })
    }

    fn answer(
        &mut self,
        world: &World<'_>,
        object: ActorId,
        context: ContextId,
        query: &ContactQuery,
        members: &[ActorId],
    ) -> Value {
        let place = self.graph(world, context, query.direction);
        let graph = &self.graphs[place].1;
        let rows = |rows: Vec<Vec3>| {
            let elements = rows.iter().flat_map(|it| it.to_array()).collect();
            Value::Matrix(Matrix { rows: rows.len(), columns: 3, elements })
        };
        match &query.kind {
            QueryKind::PathToStatic => Value::Bool(graph.path_to_static(object)),
            QueryKind::Normals => rows(graph.direct(object).iter().map(|it| it.normal).collect()),
            QueryKind::Points => rows(graph.direct(object).iter().map(|it| it.point).collect()),
            QueryKind::Sum { attribute, fields } => {
                // As the checker has it: of an attribute that the object lacks, the type that the first one has.
                let field = |it: ActorId| fields[world.layout.rows[it].class].as_ref();
                let known = field(object).or_else(|| members.iter().find_map(|&it| field(it)));
                let ty = known.map_or(Type::Real, |(_, ty)| ty.clone());
                let sum = self.sum(world, object, place, attribute, fields, ty.scalars().unwrap_or(1));
                Value::from_scalars(&ty, sum).unwrap_or(Value::Real(0.0))
            }
        }
    }

    /// Returns the sum of an attribute over all objects that one reaches. All members that move ask for theirs,
    /// so their sums are computed at once.
    fn sum(
        &mut self,
        world: &World<'_>,
        object: ActorId,
        place: usize,
        attribute: &str,
        fields: &Table<ClassId, Option<(ColumnId, Type)>>,
        width: usize,
    ) -> Vec<f64> {
        let graph = &self.graphs[place].1;
        let members = graph.members();
        let Ok(row) = members.binary_search(&object) else { return vec![0.0; width] };
        let known = |(graph, name, wide, _): &&(usize, String, usize, Vec<f64>)| {
            *graph == place && *wide == width && name == attribute
        };
        let own = row * width..(row + 1) * width;
        let is_static = world.layout.is_static[object];
        if let Some((.., sums)) = self.sums.iter().find(known).filter(|_| !is_static) {
            return sums[own].to_vec();
        }
        // Of each member, where its numbers begin; of one without the attribute, or with another number of
        // them, none.
        let mut numbers = Vec::with_capacity(members.len() * width);
        let mut starts = Vec::with_capacity(members.len());
        for &member in members {
            let field = fields[world.layout.rows[member].class].as_ref();
            let field = field.filter(|(_, ty)| ty.scalars().unwrap_or(0) == width);
            starts.push(field.map(|_| numbers.len()));
            if let Some((start, _)) = field {
                numbers.extend(start.span(width).map(|it| world.stored(member, it)));
            }
        }
        let value = |it: ActorId| {
            let start = starts[members.binary_search(&it).ok()?]?;
            Some(&numbers[start..start + width])
        };
        if is_static {
            return graph.sum(object, width, value);
        }
        let sums = graph.sums(width, value);
        let sum = sums[own].to_vec();
        self.sums.push((place, attribute.to_owned(), width, sums));
        sum
    }
}

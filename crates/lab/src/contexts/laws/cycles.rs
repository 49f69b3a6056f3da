//! Cycles of laws between objects, found before anything moves.
//!
//! A law may read attributes of other objects at the same instant. If those have laws too, all laws of that
//! object are computed first. So the question is one about objects: does the graph with an edge from each
//! object to those whose laws it reads have a cycle? Attributes that are integrated, and those without a law,
//! end a path: their values are known at any instant.
//!
//! Cycles between the functions of one context are refused earlier, by `check/cycles.rs` of the lang crate. A
//! cycle that only contacts close shows when it is evaluated: see `World::cycle_diagnostic` in
//! [`world`](crate::contexts::world).

use super::Laws;
use super::inputs::Target;
use crate::contexts::ids::{ActorId, ClassId, Id, Table};
use crate::contexts::world::{CYCLE_HELP, MAX_LAW_DEPTH, World};
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lang::check::{Binding, Checked};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::program::{Expr, ExprKind, FunctionId, InputId, OutputKind, Program};
use gedanken_lang::source::Span;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

/// A law of one object that needs a law of another.
#[derive(Clone, Debug)]
struct Need {
    /// Actor whose law is needed.
    of: ActorId,
    /// Attribute that it gives, as the user writes it.
    what: String,
    /// Span of the reading expression.
    span: Span,
}

/// Returns `true` if the laws of free fall may need each other: without this a world need not be built to look for a
/// cycle. Synonyms count as names of their own, and an alias counts even if no law uses it.
pub(crate) fn may_exist(experiment: &Experiment, simulation: &Simulation) -> bool {
    let mut contexts = simulation.contexts().iter().map(|&it| &experiment.contexts[it]);
    if !contexts.any(|it| it.reads().next().is_some()) {
        return false;
    }
    let selector = experiment.selector(simulation);
    let laws_of = |object: usize| {
        let context = selector.free_fall(object).ok().flatten()?;
        experiment.laws(context, &[object], 0).map(|it| &it.checked)
    };
    // Edges between laws, not objects: those of a thousand objects are checked once.
    let mut ahead: BTreeMap<*const Checked, BTreeSet<*const Checked>> = BTreeMap::new();
    for checked in simulation.objects.iter().filter_map(|&it| laws_of(it)) {
        let Entry::Vacant(entry) = ahead.entry(checked) else { continue };
        let named = checked.scope.variables.iter().filter_map(|it| match &it.binding {
            Binding::Named { object, attribute } => Some((experiment.object(object)?, attribute)),
            _ => None,
        });
        let read = named.filter_map(|(other, attribute)| {
            laws_of(other).filter(|it| governs(it, attribute)).map(std::ptr::from_ref)
        });
        entry.insert(read.collect());
    }
    // Objects that read nothing are removed, then those that read only them; what is left reads in a circle, or through
    // more objects than one evaluation bears.
    for _ in 1..MAX_LAW_DEPTH {
        let before = ahead.len();
        let open: BTreeSet<*const Checked> = ahead.keys().copied().collect();
        ahead.retain(|_, others| others.iter().any(|it| open.contains(it)));
        if ahead.len() == before {
            return before > 0;
        }
    }
    true
}

/// Returns `true` if the evaluated object has a law for an attribute.
fn governs(checked: &Checked, attribute: &str) -> bool {
    let mut laws = checked.program.outputs.iter().filter(|it| it.kind == OutputKind::Law);
    laws.any(|it| {
        let binding = &checked.scope.variables[it.scope_index].binding;
        matches!(binding, Binding::Object { attribute: set, .. } if set == attribute)
    })
}

/// Returns the diagnostic of a cycle of free falls that need each other, the first by name; `None` if there
/// is none.
pub(crate) fn find_cycle(world: &World<'_>) -> Option<Diagnostic> {
    let needs: Table<ClassId, Vec<Need>> =
        world.layout.classes.iter().map(|class| needs(world, class.members[0])).collect();
    let of = |actor: ActorId| &needs[world.layout.rows[actor].class];
    for class in &world.layout.classes {
        let actor = class.members[0];
        if let Some(need) = of(actor).iter().find(|need| need.of == actor) {
            return Some(own(&world.layout.names[actor], need));
        }
    }
    // Only objects that are read can be in a cycle. Kahn's algorithm: objects that need none are removed,
    // then those that needed only them.
    let read: BTreeSet<ActorId> = needs.iter().flatten().map(|need| need.of).collect();
    let mut open: BTreeMap<ActorId, usize> = BTreeMap::new();
    let mut readers: BTreeMap<ActorId, Vec<ActorId>> = BTreeMap::new();
    for &actor in &read {
        let needed: BTreeSet<ActorId> =
            of(actor).iter().map(|need| need.of).filter(|it| *it != actor).collect();
        open.insert(actor, needed.len());
        for other in needed {
            readers.entry(other).or_default().push(actor);
        }
    }
    let mut done: Vec<ActorId> =
        open.iter().filter(|(_, count)| **count == 0).map(|(actor, _)| *actor).collect();
    let mut heights: BTreeMap<ActorId, u32> = BTreeMap::new();
    while let Some(actor) = done.pop() {
        open.remove(&actor);
        let below = of(actor).iter().max_by_key(|need| heights.get(&need.of).copied());
        let height = 1 + below.map_or(0, |need| heights.get(&need.of).copied().unwrap_or(0));
        if let Some(need) = below.filter(|_| height >= MAX_LAW_DEPTH) {
            return Some(too_long(&world.layout.names[actor], need));
        }
        heights.insert(actor, height);
        for reader in readers.get(&actor).into_iter().flatten() {
            if let Some(count) = open.get_mut(reader) {
                *count -= 1;
                if *count == 0 {
                    done.push(*reader);
                }
            }
        }
    }
    // Every object left needs another one left, so any path returns to itself.
    let mut way: Vec<(ActorId, &Need)> = Vec::new();
    let mut actor = *open.keys().next()?;
    loop {
        if let Some(start) = way.iter().position(|&(from, _)| from == actor) {
            way.drain(..start);
            return Some(told(world, &way));
        }
        let need = of(actor).iter().find(|need| need.of != actor && open.contains_key(&need.of))?;
        way.push((actor, need));
        actor = need.of;
    }
}

/// Diagnostic of an object whose laws read a law of its own through its name, which means the object as
/// others read it.
fn own(name: &str, need: &Need) -> Diagnostic {
    let message = format!("the laws of `{name}` need themselves: {0} -> {0}", need.what);
    let attribute = need.what.rsplit_once('.').map_or(need.what.as_str(), |(_, attribute)| attribute);
    Diagnostic::new(Code::E802, need.span, message)
        .label(format!("for `{name}` this is its own `{attribute}`"))
        .help(format!(
            "write `{attribute}` for its own, or `applicability` with those who are to read it from `{name}`"
        ))
}

/// Diagnostic of a chain of objects that is too long for one evaluation.
fn too_long(name: &str, need: &Need) -> Diagnostic {
    let others = MAX_LAW_DEPTH - 1;
    let message = format!(
        "the laws of `{name}` need those of {others} other objects, one after the other: that is too deep"
    );
    Diagnostic::new(Code::E802, need.span, message)
        .label(format!("`{name}` needs `{}`", need.what))
        .help(CYCLE_HELP)
}

fn told(world: &World<'_>, way: &[(ActorId, &Need)]) -> Diagnostic {
    let name = |actor: ActorId| world.layout.names[actor].as_str();
    let (last, first) = (way[way.len() - 1].1, way[0]);
    let mut chain = last.what.clone();
    // A chain of thousands is unreadable: it is cut in the middle.
    let shown = |step: usize| way.len() <= 12 || step < 6 || step + 4 >= way.len();
    for (step, (_, need)) in way.iter().enumerate() {
        if shown(step) {
            chain.push_str(" -> ");
            chain.push_str(&need.what);
        } else if step == 6 {
            chain.push_str(" -> …");
        }
    }
    let mut diagnostic = Diagnostic::new(
        Code::E802,
        first.1.span,
        format!("the laws of `{}` need themselves: {chain}", name(first.0)),
    )
    .label(format!("`{}` needs `{}`", name(first.0), first.1.what));
    for (step, (from, need)) in way.iter().enumerate().skip(1) {
        if shown(step) {
            diagnostic = diagnostic.also(need.span, format!("`{}` needs `{}`", name(*from), need.what));
        }
    }
    diagnostic
        .note("the laws of an object are computed all at once, whichever of them is needed")
        .help(CYCLE_HELP)
}

/// Returns the laws of other objects that the free fall of an actor needs at the same instant.
fn needs(world: &World<'_>, actor: ActorId) -> Vec<Need> {
    let Some(laws) = world.actors[actor].free_fall.map(|it| &world.laws[it]) else { return Vec::new() };
    let Some(checked) =
        world.experiment.laws(laws.context.index(), &[world.layout.objects[actor].index()], 0)
    else {
        return Vec::new();
    };
    let program = &checked.checked.program;
    let mut found: Vec<Need> = Vec::new();
    for (kind, input, span) in read(program) {
        let input = program.input(input);
        let (of, what) = match &checked.checked.scope.variables[input.scope_index].binding {
            Binding::Named { object, attribute } => {
                let Some(other) = world.layout.actor(object) else { continue };
                let free = world.actors[other].free_fall.map(|it| &world.laws[it]);
                let column = world.layout.column(other, attribute);
                // An object that reads itself by name has only one value of a law: `previous`.
                let matters = if other == actor { !input.previous } else { kind == OutputKind::Law };
                if !matters || !free.is_some_and(|it| it.governs(column)) {
                    continue;
                }
                (other, format!("{object}.{attribute}"))
            }
            Binding::World { name } if name != "t" && kind == OutputKind::Law => {
                let column = world.layout.world_field(name).start;
                let sets = |laws: &Laws| {
                    let mut targets = laws.laws.iter().flat_map(|it| &it.targets);
                    targets.any(|(target, _)| *target == Target::World(column))
                };
                let owner = world.layout.classes.iter().map(|class| class.members[0]);
                let mut owner =
                    owner.filter(|&it| world.actors[it].free_fall.is_some_and(|it| sets(&world.laws[it])));
                let Some(other) = owner.next().filter(|it| *it != actor) else { continue };
                (other, name.clone())
            }
            _ => continue,
        };
        if !found.iter().any(|need| need.of == of && need.what == what) {
            found.push(Need { of, what, span });
        }
    }
    found
}

/// Returns the inputs that the laws and rates of a program read, and where: laws first, each in the order of
/// the text.
fn read(program: &Program) -> Vec<(OutputKind, InputId, Span)> {
    let mut found = Vec::new();
    for kind in [OutputKind::Law, OutputKind::Rate] {
        let outputs = program.outputs.iter().filter(|output| output.kind == kind);
        let mut read = reached(program, outputs.map(|output| output.function).collect());
        read.sort_by_key(|(_, span)| *span);
        found.extend(read.into_iter().map(|(input, span)| (kind, input, span)));
    }
    found
}

/// Returns the inputs that these functions, and all that they call, read.
fn reached(program: &Program, mut open: Vec<FunctionId>) -> Vec<(InputId, Span)> {
    let mut found = Vec::new();
    let mut seen: BTreeSet<FunctionId> = open.iter().copied().collect();
    while let Some(function) = open.pop() {
        let mut expressions: Vec<&Expr> = vec![&program.function(function).body];
        while let Some(expression) = expressions.pop() {
            match &expression.kind {
                ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Param(_) => {}
                ExprKind::Input(input) => found.push((*input, expression.span)),
                ExprKind::Call(called, parts) => {
                    if seen.insert(*called) {
                        open.push(*called);
                    }
                    expressions.extend(parts);
                }
                ExprKind::Native(_, parts) | ExprKind::Vector(parts) | ExprKind::Sequence(parts) => {
                    expressions.extend(parts);
                }
                ExprKind::Unary(_, operand) => expressions.push(operand),
                ExprKind::Binary(_, _, left, right) => expressions.extend([&**left, &**right]),
                ExprKind::If(condition, yes, no) => expressions.extend([&**condition, &**yes, &**no]),
            }
        }
    }
    found
}

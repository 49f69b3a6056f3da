//! Contacts: objects that stay together, the context that holds for each, and the measurements of their
//! surroundings that its laws read.

use super::Engine;
use super::ids::{ActorId, ClassId, ContextId, Id, LawId, ParticipantId};
use super::instant::EventResolution;
use super::laws::Laws;
use super::search::pairs::Bond;
use super::small_set::SmallSet;
use super::touch::contact_queries::ContactGraphs;
use super::touch::{Touch, touches};
use super::trajectory::Trajectory;
use super::world::World;
use crate::run::events::{Events, Happened};
use crate::run::options::Stop;
use gedanken_experiment::{CheckedContext, Context, Object};
use gedanken_lang::check::ContextKind;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_recording::EventKind;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Participants that a contact context was compiled for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ContactKey {
    context: ContextId,
    /// Class of the evaluated object.
    class: ClassId,
    /// Members and place of the evaluated one, where laws number the members.
    members: Option<(Vec<ActorId>, usize)>,
    /// Number of objects that the object touches in each direction, where laws read all of them. Then every
    /// value has a fixed shape, and laws become native code with bounds. Empty if laws read none, or do not
    /// fit this number.
    touching: Vec<u32>,
}

/// Contact contexts that have been compiled.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    laws: BTreeMap<ContactKey, LawId>,
    /// Actors whose contact laws read each actor.
    readers: BTreeMap<ActorId, BTreeSet<ActorId>>,
    /// Group and stored scalars of an actor at its last measurement.
    seen: BTreeMap<ActorId, (Vec<ActorId>, Vec<f64>)>,
}

impl Contacts {
    /// Returns `true` if anything has changed for the members of a group since their last measurement.
    fn has_moved(&mut self, world: &World<'_>, members: &[ActorId]) -> bool {
        let mut moved = false;
        for &member in members.iter().filter(|&&it| !world.layout.is_static[it]) {
            let row = world.layout.rows[member];
            let stored: Vec<f64> = world.stored[row.class].iter().map(|it| it[row.index]).collect();
            let now = (members.to_vec(), stored);
            if self.seen.get(&member) != Some(&now) {
                self.seen.insert(member, now);
                moved = true;
            }
        }
        moved
    }
}

/// Cure of a contact law that does not stay on the surface.
const CURE: &str = "let it stay on the surface: take the part along the normal out of the velocity at the start, `v0 = v - (v . n) * n`";

/// Cure of a contact law that does not follow a curved or a moving surface.
const FOLLOW: &str = "let the laws follow the surface: on a curved one with rates that read its normal, on a moving one with its velocity";

/// Two objects that overlap by the laws of their contact.
#[derive(Clone, Debug)]
pub(super) struct Overlap {
    /// The objects, the first by name first.
    pub(super) pair: [ActorId; 2],
    /// Depth of the overlap.
    depth: f64,
    /// Context of the laws, if it is known.
    context: Option<ContextId>,
}

/// Depth of an overlap that is reported, in touch bands.
const REPORTED_OVERLAP_BANDS: f64 = 16.0;

impl Engine<'_> {
    /// Begins the contacts of all actors whose motion has changed.
    pub(super) fn begin_contacts(&mut self, t: f64, resolution: &mut EventResolution) -> Result<(), Stop> {
        // Every round bonds two objects that were free, so the number of rounds is bounded.
        loop {
            let mut done: SmallSet<ActorId> = SmallSet::default();
            for actor in resolution.changed.clone() {
                self.world.cancel.check()?;
                if done.contains(&actor) {
                    continue;
                }
                let members = self.search.bonds.group(actor);
                let moving = members.iter().copied().filter(|&it| !self.world.layout.is_static[it]);
                let moving: Vec<ActorId> = moving.collect();
                done.extend(moving.iter().copied());
                let mut held = Vec::new();
                let mut free = Vec::new();
                for &member in &moving {
                    match self.contact_context(member, &members) {
                        Some(context) => held.push((member, context)),
                        None => free.push(member),
                    }
                }
                self.free_unheld_bonds(&members, &free);
                self.begin_contact(&held, &members, t)?;
            }
            if !self.settle_leaving(t, resolution)? {
                return Ok(());
            }
        }
    }

    /// Records the contexts that have begun: contacts, and free falls of actors in none.
    pub(super) fn record_begun(
        &mut self,
        t: f64,
        resolution: &EventResolution,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let mut done: SmallSet<ActorId> = SmallSet::default();
        for &actor in &resolution.changed {
            let laws = self.world.laws_of(actor).filter(|it| it.kind == ContextKind::Contact);
            let Some(context) = laws.map(|it| it.context) else {
                self.record_free_fall(actor, t, sink)?;
                continue;
            };
            if done.contains(&actor) {
                continue;
            }
            let mut objects = self.search.bonds.group(actor);
            let same = |it: ActorId| self.world.laws_of(it).is_some_and(|laws| laws.context == context);
            objects.retain(|&it| self.world.layout.is_static[it] || same(it));
            let held: Vec<ActorId> =
                objects.iter().copied().filter(|&it| !self.world.layout.is_static[it]).collect();
            done.extend(held.iter().copied());
            let laws: Vec<Option<LawId>> = held.iter().map(|&it| self.world.actors[it].laws.take()).collect();
            let indices: Vec<usize> = objects.iter().map(|it| it.index()).collect();
            let before = sink.row(&self.moment_of_event(t), &indices)?;
            for (&member, laws) in held.iter().zip(laws) {
                self.world.actors[member].laws = laws;
            }
            self.world.commit_all(&held, t)?;
            let after = sink.row(&self.moment_of_event(t), &indices)?;
            sink.event(Happened {
                time: t,
                kind: EventKind::Contact,
                context: Some(context.index()),
                objects: indices,
                given: Vec::new(),
                before,
                after,
            })?;
        }
        Ok(())
    }

    /// Returns the contact context of a member of a group.
    fn contact_context(&self, member: ActorId, members: &[ActorId]) -> Option<ContextId> {
        if members.len() < 2 {
            return None;
        }
        let objects: Vec<usize> = members.iter().map(|&it| self.world.layout.objects[it].index()).collect();
        let selector = self.world.experiment.selector(self.simulation);
        // A tie has been reported when the experiment was read.
        let context = selector.contact(self.world.layout.objects[member].index(), &objects).ok().flatten()?;
        // A context without functions counts as none.
        let checked = self.world.experiment.checked_contexts.iter().find(|it| it.context == context)?;
        (!checked.checked.program.outputs.is_empty()).then_some(ContextId::new(context))
    }

    /// Frees the bonds between objects of which none is in a contact context.
    fn free_unheld_bonds(&mut self, members: &[ActorId], free: &[ActorId]) {
        for (a, b) in self.search.bonds.edges(members) {
            let unheld = |it: ActorId| self.world.layout.is_static[it] || free.contains(&it);
            if unheld(a) && unheld(b) {
                self.search.bonds.tie(a, b, Bond::Inside, 0.0);
            }
        }
    }

    /// Returns the contacts between the members of a group at `t`: at their stored poses, or by the laws that
    /// hold for them now.
    fn touches(&mut self, members: &[ActorId], t: f64, stored: bool) -> Result<Vec<Touch>, Stop> {
        use super::trajectory::bounds::Mover;
        let mut found = Vec::new();
        for (a, b) in self.search.bonds.edges(members) {
            let world = &self.world;
            world.cancel.check()?;
            let place = |actor: ActorId| {
                let mut trajectory = Trajectory { world, actor };
                if stored { Ok(trajectory.stored()) } else { trajectory.place(t) }
            };
            let (one, other) = (place(a)?, place(b)?);
            match touches(a, &one, b, &other, &mut self.scratch) {
                Ok(touches) => found.extend(touches),
                Err(error) => return Err(self.no_distance(a, b, t, &error).into()),
            }
        }
        Ok(found)
    }

    /// Begins contact contexts on members of a group.
    fn begin_contact(
        &mut self,
        held: &[(ActorId, ContextId)],
        members: &[ActorId],
        t: f64,
    ) -> Result<(), Stop> {
        if held.is_empty() {
            return Ok(());
        }
        let touches = self.touches(members, t, false)?;
        let mut counts = ContactGraphs::new(&touches, Vec::new());
        let mut laws = Vec::with_capacity(held.len());
        for &(member, context) in held {
            self.world.cancel.check()?;
            laws.push(self.laws_for(member, context, &counts.touching(&self.world, member, context))?);
        }
        // Which normals are live depends on the laws of all members.
        let is_guided = |it: &(&(ActorId, ContextId), &LawId)| self.world.laws[*it.1].guided;
        let guided = held.iter().zip(&laws).filter(is_guided).map(|it| it.0.0).collect();
        let mut graphs = ContactGraphs::new(&touches, guided);
        for (&(member, _), &laws) in held.iter().zip(&laws) {
            self.world.actors[member].given =
                graphs.given(&self.world, member, &Arc::clone(&self.world.laws[laws]), members);
            self.world.start(member, Some(laws), t)?;
            self.contacts.seen.remove(&member);
        }
        let held: Vec<ActorId> = held.iter().map(|(member, _)| *member).collect();
        self.world.integrate_anew(&held, t, self.frame_end)?;
        Ok(())
    }

    /// Returns the laws of a context of free fall or contact for an actor, compiled if need be. Those of a
    /// contact are for its group. `touching` is the number of objects it touches in each direction; empty if
    /// that is not known.
    pub(super) fn laws_for(
        &mut self,
        actor: ActorId,
        context: ContextId,
        touching: &[u32],
    ) -> Result<LawId, Stop> {
        let (experiment, layout) = (self.world.experiment, &self.world.layout);
        if let Some(free) =
            self.world.actors[actor].free_fall.filter(|&it| self.world.laws[it].context == context)
        {
            return Ok(free);
        }
        // Laws without indices do not depend on the other members, so one compilation serves all groups.
        let indexed = experiment.contexts[context.index()].uses_indices();
        let members = if indexed { self.search.bonds.group(actor) } else { vec![actor] };
        let evaluated = members.iter().position(|&it| it == actor).unwrap_or(0);
        let key = ContactKey {
            context,
            class: layout.rows[actor].class,
            members: indexed.then(|| (members.clone(), evaluated)),
            touching: touching.to_vec(),
        };
        if let Some(&known) = self.contacts.laws.get(&key) {
            return Ok(known);
        }
        let objects: Vec<usize> = members.iter().map(|&it| layout.objects[it].index()).collect();
        let general = experiment.laws(context.index(), &objects, evaluated).cloned();
        // With the number of contacts fixed, every type is fixed and the laws become native code with bounds.
        // Laws that do not type-check for this number run in their general form.
        let special = general.as_ref().filter(|it| !touching.is_empty() && is_open(it));
        let special =
            special.and_then(|_| experiment.check_laws(context.index(), &objects, evaluated, touching).ok());
        let checked = match special.or(general) {
            Some(checked) => checked,
            None => experiment.check_laws(context.index(), &objects, evaluated, &[]).map_err(|found| {
                let object = &experiment.objects[objects[evaluated]];
                let t = self.world.actors[actor].updated;
                Box::new(unfit(&experiment.contexts[context.index()], object, objects.len(), t, found))
            })?,
        };
        let checked = &checked;
        let made = Laws::new(
            experiment,
            layout,
            &self.varying,
            checked,
            &members,
            Some(ParticipantId::new(evaluated)),
            &self.options,
        );
        for source in made.reads() {
            if let super::laws::inputs::Source::Other { actor: read, .. } = source {
                self.contacts.readers.entry(read).or_default().insert(actor);
            }
        }
        let id = self.world.add_laws(Arc::new(made));
        self.contacts.laws.insert(key, id);
        Ok(id)
    }

    /// Measures the surroundings of all objects in contact again, at the end of a frame. Overlaps are told,
    /// unless there is no `sink`: a run that goes on from a keyframe measures a frame that has been told.
    pub(super) fn measure_contacts(&mut self, t: f64, mut sink: Option<&mut Events<'_>>) -> Result<(), Stop> {
        let mut done: BTreeSet<ActorId> = BTreeSet::new();
        for actor in self.world.layout.actors() {
            self.world.cancel.check()?;
            if self.world.layout.is_static[actor]
                || done.contains(&actor)
                || !self.search.bonds.is_held(actor)
            {
                continue;
            }
            let members = self.search.bonds.group(actor);
            done.extend(members.iter().filter(|&&it| !self.world.layout.is_static[it]));
            if !self.contacts.has_moved(&self.world, &members) {
                continue;
            }
            // A run that resumes from a keyframe has no measurements yet: they are made here.
            let touches = self.touches(&members, t, true)?;
            let guided = members.iter().copied();
            let guided =
                guided.filter(|&it| self.world.laws_of(it).is_some_and(|laws| laws.guided)).collect();
            let mut graphs = ContactGraphs::new(&touches, guided);
            for &member in &members {
                let Some(laws) = self.world.laws_of(member).filter(|it| !it.given.is_empty()) else {
                    continue;
                };
                let context = laws.context;
                let touching = graphs.touching(&self.world, member, context);
                let now = self.laws_for(member, context, &touching)?;
                self.world.change_laws(member, now);
                let laws = Arc::clone(&self.world.laws[now]);
                self.world.actors[member].given = graphs.given(&self.world, member, &laws, &members);
            }
            let Some(sink) = &mut sink else { continue };
            for touch in &touches {
                // The band of the two, not that of their bond: a contact that is held in a wider one is told too.
                let band = self.search.bands.of(&self.world, touch.a, touch.b).at(touch.farthest);
                if touch.gap < -REPORTED_OVERLAP_BANDS * band {
                    let laws = [touch.a, touch.b].into_iter().find_map(|it| self.world.laws_of(it));
                    let overlap = Overlap {
                        pair: [touch.a, touch.b],
                        depth: -touch.gap,
                        context: laws.map(|it| it.context),
                    };
                    self.notice_overlap(&overlap, t, sink)?;
                }
                // An integrated motion keeps to its surface no better than its tolerance.
                let is_integrated = [touch.a, touch.b].iter().any(|&it| self.world.rates_of(it).is_some());
                let error =
                    if is_integrated { self.world.integrated.tolerance() * touch.farthest } else { 0.0 };
                if touch.gap > REPORTED_OVERLAP_BANDS * band.max(error) {
                    self.notice_drift(touch, t, sink)?;
                }
            }
        }
        Ok(())
    }

    /// Gives a notice, once for each pair, that contact laws have made two objects overlap.
    pub(super) fn notice_overlap(
        &self,
        overlap: &Overlap,
        t: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let [one, other] = overlap.pair.map(|it| &self.world.layout.names[it]);
        let depth = Value::Real(overlap.depth);
        let context = overlap.context.map_or("", |it| &self.world.experiment.contexts[it.index()].name);
        let message = format!(
            "the laws of `{context}` let `{one}` and `{other}` overlap by {depth}: a contact should keep their surfaces together, or apart"
        );
        sink.notice(format!("deep {one} {other}"), t, message)
    }

    /// Returns the overlaps among the members of a group whose contact ends at `t`. What overlaps when a contact
    /// ends overlaps in the free fall that follows, and no frame may lie in between.
    pub(super) fn overlaps_at_end(&mut self, members: &[ActorId], t: f64) -> Result<Vec<Overlap>, Stop> {
        let mut overlaps = Vec::new();
        for (a, b) in self.search.bonds.edges(members) {
            let touch = self.touch(a, b, t)?;
            let band = self.search.bands.of(&self.world, a, b).at(touch.farthest);
            if touch.gap < -REPORTED_OVERLAP_BANDS * band {
                let context = [a, b].into_iter().find_map(|it| self.contact_context(it, members));
                overlaps.push(Overlap { pair: [a, b], depth: -touch.gap, context });
            }
        }
        Ok(overlaps)
    }

    /// Gives a notice, once for each context, that contact laws carry two objects apart slowly, though free
    /// fall would bring them back.
    fn notice_drift(&mut self, touch: &Touch, t: f64, sink: &mut Events<'_>) -> Result<(), Stop> {
        let pair = [touch.a, touch.b];
        let Some(context) = self.context_of(pair) else { return Ok(()) };
        let [one, other] = pair.map(|it| &self.world.layout.names[it]);
        let speed = -self.approach(touch.a, touch.b, touch, t)?.speed;
        let [speed, gap] = [speed, touch.gap].map(Value::Real);
        let message = format!(
            "the laws of `{context}` carry `{one}` and `{other}` apart at v . n = {speed}, by {gap} so far, though free fall would bring them back: they are held in contact; {CURE}"
        );
        sink.notice(format!("drift {context}"), t, message)
    }

    /// Gives a notice, once for each context, that a contact ends and begins again and again: because its laws
    /// let the two go at a speed or, if that is 0, because free fall parts them.
    pub(super) fn notice_returns(
        &self,
        pair: [ActorId; 2],
        speed: f64,
        t: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let Some(context) = self.context_of(pair) else { return Ok(()) };
        let [one, other] = pair.map(|it| &self.world.layout.names[it]);
        let why = if speed > 0.0 {
            let speed = Value::Real(format!("{speed:.2e}").parse().unwrap_or(speed));
            format!(
                "because the laws of `{context}` let them go at v . n = {speed}: they are held in contact; {CURE}"
            )
        } else {
            format!(
                "though the laws of `{context}` leave no speed along the normal: where they are let go, free fall parts them and soon brings them back; they are held in contact; {FOLLOW}"
            )
        };
        let message = format!("`{one}` and `{other}` alternate between contact and free fall, {why}");
        sink.notice(format!("returns {context}"), t, message)
    }

    /// Name of the contact context of the first of two objects that is in one.
    fn context_of(&self, pair: [ActorId; 2]) -> Option<&str> {
        let laws = pair.into_iter().find_map(|it| self.world.laws_of(it))?;
        Some(&self.world.experiment.contexts[laws.context.index()].name)
    }

    /// Returns the actors whose laws read an actor.
    pub(super) fn readers_of(&self, actor: ActorId) -> impl Iterator<Item = ActorId> {
        let contacts = self.contacts.readers.get(&actor).into_iter().flatten().copied();
        self.free_fall_readers[actor].iter().copied().chain(contacts)
    }
}

/// Returns `true` if laws read a value whose shape is not fixed.
fn is_open(checked: &CheckedContext) -> bool {
    checked.checked.program.inputs.iter().any(|input| !input.ty.is_fixed())
}

/// Returns the diagnostic of contact laws that do not fit the group that has formed, in the words of the
/// checker.
fn unfit(context: &Context, object: &Object, members: usize, t: f64, found: Vec<Diagnostic>) -> Diagnostic {
    let (name, count) = (&object.name, members);
    let why = found.into_iter().next();
    let span = why.as_ref().map_or(context.span, |it| it.primary.span);
    let because = why.as_ref().map_or_else(|| "they do not fit".to_owned(), |it| it.message.clone());
    let message = format!("the laws of `{}` cannot be used for `{name}`: {because}", context.name);
    Diagnostic::new(Code::E807, span, message)
        .note(format!("`{name}` is in contact in a group of {count}, at t = {}", Value::Real(t)))
        .help("name who must be in the group in `applicability`, or write the laws without indices")
}

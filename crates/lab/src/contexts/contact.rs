//! Contacts: objects that stay together, the context that holds for each, and what its laws may know of the
//! others.

use super::few::Few;
use super::instant::Affair;
use super::laws::Laws;
use super::touch::bonds::Bond;
use super::touch::contact_queries::Views;
use super::touch::{Touch, touches};
use super::trajectory::Flight;
use super::world::World;
use super::{Engine, Stop};
use gedanken_experiment::{CheckedContext, Context, Object};
use gedanken_lang::check::ContextKind;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_recording::{Event, EventKind, Sink};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// For whom a contact context was made ready.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    context: usize,
    /// The class of the object that is evaluated.
    class: usize,
    /// Where laws number the members, who they are, and which one it is.
    members: Option<(Vec<usize>, usize)>,
    /// Where laws look at all whom the object touches, how many there are in each direction: then everything
    /// has a fixed shape, and laws become native code with bounds. Empty if laws do not care, or do not fit
    /// so many.
    touching: Vec<u32>,
}

/// The contact contexts that have been made ready.
#[derive(Debug, Default)]
pub(crate) struct Contacts {
    laws: BTreeMap<Key, usize>,
    /// Who reads whom, in contact contexts.
    readers: BTreeMap<usize, BTreeSet<usize>>,
    /// All that was stored of an actor, and with whom it was together, when it was last looked at.
    seen: BTreeMap<usize, (Vec<usize>, Vec<f64>)>,
}

impl Contacts {
    /// Whether anything is different for the members of a group since they were last looked at.
    fn has_moved(&mut self, world: &World<'_>, members: &[usize]) -> bool {
        let mut moved = false;
        for &member in members.iter().filter(|&&it| !world.cast.is_static[it]) {
            let place = world.cast.places[member];
            let stored: Vec<f64> = world.stored[place.class].iter().map(|it| it[place.row]).collect();
            let now = (members.to_vec(), stored);
            if self.seen.get(&member) != Some(&now) {
                self.seen.insert(member, now);
                moved = true;
            }
        }
        moved
    }
}

/// Overlaps deeper than so many touch bands are told.
const DEEP: f64 = 16.0;

impl Engine<'_> {
    /// Begins the contacts of all whose motion has changed.
    pub(super) fn hold(&mut self, t: f64, affair: &mut Affair) -> Result<(), Stop> {
        // Every round ties two objects together that were not, so that there are only so many.
        loop {
            let mut done: Few<usize> = Few::default();
            for actor in affair.changed.clone() {
                if done.contains(&actor) {
                    continue;
                }
                let members = self.search.bonds.group(actor);
                let moving = members.iter().copied().filter(|&it| !self.world.cast.is_static[it]);
                let moving: Vec<usize> = moving.collect();
                done.extend(moving.iter().copied());
                let mut held = Vec::new();
                let mut free = Vec::new();
                for &member in &moving {
                    match self.contact_context(member, &members) {
                        Some(context) => held.push((member, context)),
                        None => free.push(member),
                    }
                }
                self.loosen(&members, &free);
                self.begin_contact(&held, &members, t)?;
            }
            if !self.probe_again(t, affair)? {
                return Ok(());
            }
        }
    }

    /// Records what has begun: contacts, and free falls of those who are in none.
    pub(super) fn record(&mut self, t: f64, affair: &Affair, sink: &mut dyn Sink) -> Result<(), Stop> {
        let mut done: Few<usize> = Few::default();
        for &actor in &affair.changed {
            let laws = self.world.laws_of(actor).filter(|it| it.kind == ContextKind::Contact);
            let Some(context) = laws.map(|it| it.context) else {
                self.fallen(actor, t, sink)?;
                continue;
            };
            if done.contains(&actor) {
                continue;
            }
            let mut objects = self.search.bonds.group(actor);
            let same = |it: usize| self.world.laws_of(it).is_some_and(|laws| laws.context == context);
            objects.retain(|&it| self.world.cast.is_static[it] || same(it));
            let held: Vec<usize> =
                objects.iter().copied().filter(|&it| !self.world.cast.is_static[it]).collect();
            done.extend(held.iter().copied());
            let laws: Vec<Option<usize>> = held.iter().map(|&it| self.world.actors[it].laws.take()).collect();
            let measures = self.measures_at_event(t, sink)?;
            let before = self.rows.part(&self.world, &objects, &measures);
            for (&member, laws) in held.iter().zip(laws) {
                self.world.actors[member].laws = laws;
            }
            self.world.commit_all(&held, t)?;
            let measures = self.measures_at_event(t, sink)?;
            let after = self.rows.part(&self.world, &objects, &measures);
            let event = Event {
                index: self.events,
                time: t,
                kind: EventKind::Contact,
                context: Some(context),
                objects,
                given: Vec::new(),
                before,
                after,
            };
            self.event(event, sink)?;
        }
        Ok(())
    }

    /// The contact context of a member of a group.
    fn contact_context(&self, member: usize, members: &[usize]) -> Option<usize> {
        if members.len() < 2 {
            return None;
        }
        let objects: Vec<usize> = members.iter().map(|&it| self.world.cast.objects[it]).collect();
        let selector = self.world.experiment.selector(self.simulation);
        // A tie has been reported when the experiment was read.
        let context = selector.contact(self.world.cast.objects[member], &objects).ok().flatten()?;
        // A context without functions is like none.
        let checked = self.world.experiment.checked_contexts.iter().find(|it| it.context == context)?;
        (!checked.checked.program.outputs.is_empty()).then_some(context)
    }

    /// Bonds between objects none of which is in a contact context hold nobody.
    fn loosen(&mut self, members: &[usize], free: &[usize]) {
        for (a, b) in self.search.bonds.edges(members) {
            let unheld = |it: usize| self.world.cast.is_static[it] || free.contains(&it);
            if unheld(a) && unheld(b) {
                self.search.bonds.set(a, b, Some(Bond::Free));
            }
        }
    }

    /// How the members of a group touch at `t`: where they are stored as of it, or by the laws that hold for
    /// them now.
    fn touches(&mut self, members: &[usize], t: f64, stored: bool) -> Result<Vec<Touch>, Stop> {
        use super::trajectory::motion::Mover;
        let mut found = Vec::new();
        for (a, b) in self.search.bonds.edges(members) {
            let world = &self.world;
            let place = |actor: usize| {
                let mut flight = Flight { world, actor };
                if stored { Ok(flight.stored()) } else { flight.place(t) }
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
    fn begin_contact(&mut self, held: &[(usize, usize)], members: &[usize], t: f64) -> Result<(), Stop> {
        if held.is_empty() {
            return Ok(());
        }
        let touches = self.touches(members, t, false)?;
        let mut views = Views::new(&touches);
        for &(member, context) in held {
            let laws = self.laws_for(member, context, &views.touching(&self.world, member, context))?;
            self.world.actors[member].given =
                views.given(&self.world, member, &Arc::clone(&self.world.laws[laws]), members);
            self.world.start(member, Some(laws), t)?;
            self.contacts.seen.remove(&member);
        }
        let held: Vec<usize> = held.iter().map(|(member, _)| *member).collect();
        self.flow(&held, t, self.frame_end)?;
        Ok(())
    }

    /// The laws of a context of free fall or contact for an actor, which for a contact are those of its
    /// group. `touching` says how many objects it touches in each direction; empty if that is not known.
    pub(super) fn laws_for(&mut self, actor: usize, context: usize, touching: &[u32]) -> Result<usize, Stop> {
        let (experiment, cast) = (self.world.experiment, &self.world.cast);
        if let Some(free) = self.world.actors[actor].free.filter(|&it| self.world.laws[it].context == context)
        {
            return Ok(free);
        }
        let indexed = experiment.contexts[context].uses_indices();
        let members = if indexed { self.search.bonds.group(actor) } else { vec![actor] };
        let evaluated = members.iter().position(|&it| it == actor).unwrap_or(0);
        let key = Key {
            context,
            class: cast.places[actor].class,
            members: indexed.then(|| (members.clone(), evaluated)),
            touching: touching.to_vec(),
        };
        if let Some(&known) = self.contacts.laws.get(&key) {
            return Ok(known);
        }
        let objects: Vec<usize> = members.iter().map(|&it| cast.objects[it]).collect();
        let general = experiment.laws(context, &objects, evaluated).cloned();
        let special = general.as_ref().filter(|it| !touching.is_empty() && is_open(it));
        let special =
            special.and_then(|_| experiment.check_laws(context, &objects, evaluated, touching).ok());
        let checked = match special.or(general) {
            Some(checked) => checked,
            None => experiment.check_laws(context, &objects, evaluated, &[]).map_err(|found| {
                let object = &experiment.objects[objects[evaluated]];
                let t = self.world.actors[actor].updated;
                Box::new(unfit(&experiment.contexts[context], object, objects.len(), t, found))
            })?,
        };
        let checked = &checked;
        let made = Laws::new(
            experiment,
            cast,
            &self.varying,
            checked,
            &members,
            Some(evaluated),
            self.options.native,
        );
        for source in made.reads() {
            if let super::laws::inputs::Source::Other { object, .. } = source {
                self.contacts.readers.entry(object).or_default().insert(actor);
            }
        }
        let id = self.world.add_laws(Arc::new(made));
        self.contacts.laws.insert(key, id);
        Ok(id)
    }

    /// At the end of a frame: what laws know of the others is measured again.
    pub(super) fn look_again(&mut self, t: f64, sink: &mut dyn Sink) -> Result<(), Stop> {
        let mut done: BTreeSet<usize> = BTreeSet::new();
        for actor in 0..self.world.cast.len() {
            if self.world.cast.is_static[actor] || done.contains(&actor) || !self.search.bonds.is_held(actor)
            {
                continue;
            }
            let members = self.search.bonds.group(actor);
            done.extend(members.iter().filter(|&&it| !self.world.cast.is_static[it]));
            if !self.contacts.has_moved(&self.world, &members) {
                continue;
            }
            // When a run goes on from a keyframe, its laws have yet to be told what is measured here.
            let touches = self.touches(&members, t, true)?;
            let mut views = Views::new(&touches);
            for &member in &members {
                let Some(laws) = self.world.laws_of(member).filter(|it| !it.given.is_empty()) else {
                    continue;
                };
                let context = laws.context;
                let touching = views.touching(&self.world, member, context);
                let now = self.laws_for(member, context, &touching)?;
                self.world.change_laws(member, now);
                let laws = Arc::clone(&self.world.laws[now]);
                self.world.actors[member].given = views.given(&self.world, member, &laws, &members);
            }
            for touch in &touches {
                if touch.gap < -DEEP * self.search.scales.touch {
                    let [one, other] = [touch.a, touch.b].map(|it| self.world.cast.names[it].clone());
                    let depth = Value::Real(-touch.gap);
                    let laws = [touch.a, touch.b].into_iter().find_map(|it| self.world.laws_of(it));
                    let context = laws.map_or("", |it| &self.world.experiment.contexts[it.context].name);
                    let message = format!(
                        "the laws of `{context}` let `{one}` and `{other}` overlap by {depth}: a contact should keep their surfaces together, or apart"
                    );
                    self.notice(format!("deep {one} {other}"), t, message, sink)?;
                }
            }
        }
        Ok(())
    }

    /// Those whose laws read an actor.
    pub(super) fn readers_of(&self, actor: usize) -> impl Iterator<Item = usize> {
        let contacts = self.contacts.readers.get(&actor).into_iter().flatten().copied();
        self.watchers[actor].iter().copied().chain(contacts)
    }
}

/// Whether laws look at something whose shape is not fixed.
fn is_open(checked: &CheckedContext) -> bool {
    checked.checked.program.inputs.iter().any(|input| !input.ty.is_fixed())
}

/// The laws of a contact that do not fit the group that has formed, in the words of the checker.
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

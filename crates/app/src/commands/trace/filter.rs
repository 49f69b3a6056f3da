//! Filter of events.

use crate::failure::Failure;
use clap::Args;
use gedanken_lang::check::similar;
use gedanken_recording::{Event, EventKind};

/// Options that select events.
#[derive(Debug, Default, Args)]
pub(super) struct Wanted {
    /// Only events of this kind: free-fall, collision or contact; may be given several times
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_parser = kind)]
    kind: Vec<EventKind>,

    /// Only events from this time on
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    from: Option<f64>,

    /// Only events until this time
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    to: Option<f64>,

    /// Only events in which all of these objects take part
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    objects: Vec<String>,
}

/// A kind of event by its name, however it is joined: `free fall`, `free-fall`, `free_fall`.
fn kind(text: &str) -> Result<EventKind, String> {
    let name = text.trim().replace(['-', '_'], " ");
    let found = EventKind::ALL.into_iter().find(|kind| kind.name() == name);
    found.ok_or_else(|| "it must be free-fall, collision or contact".to_owned())
}

/// Conditions on an event.
#[derive(Debug)]
pub(super) struct Filter<'a> {
    wanted: &'a Wanted,
    /// Indices of the objects.
    objects: Vec<usize>,
}

impl<'a> Filter<'a> {
    /// `objects` are the names of all that take part in the simulation, sorted.
    pub(super) fn new(wanted: &'a Wanted, objects: &[String]) -> Result<Self, Failure> {
        let index = |name: &String| {
            objects.binary_search(name).map_err(|_| {
                let help = match similar(name, objects.iter().map(String::as_str)) {
                    Some(meant) => format!("did you mean {meant}?"),
                    None => format!("there is {}", objects.join(", ")),
                };
                Failure::Usage(format!("no object is called `{name}`\nhelp: {help}"))
            })
        };
        Ok(Self { wanted, objects: wanted.objects.iter().map(index).collect::<Result<_, _>>()? })
    }

    pub(super) fn lets_through(&self, event: &Event) -> bool {
        let Wanted { kind, from, to, objects: _ } = self.wanted;
        (kind.is_empty() || kind.contains(&event.kind))
            && from.is_none_or(|from| event.time >= from)
            && to.is_none_or(|to| event.time <= to)
            && self.objects.iter().all(|index| event.objects.contains(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(kind: EventKind, time: f64, objects: &[usize]) -> Event {
        Event {
            index: 0,
            time,
            kind,
            context: None,
            objects: objects.to_vec(),
            given: Vec::new(),
            before: Vec::new(),
            after: Vec::new(),
        }
    }

    #[test]
    fn every_condition_must_hold() {
        let names = ["a", "b", "c"].map(str::to_owned);
        let events = [
            event(EventKind::Collision, 1.0, &[1, 0]),
            event(EventKind::FreeFall, 1.0, &[0]),
            event(EventKind::Contact, 2.0, &[0, 1, 2]),
            event(EventKind::Collision, 3.0, &[1, 2]),
        ];
        let found = |wanted: Wanted| -> Vec<usize> {
            let filter = Filter::new(&wanted, &names).unwrap();
            (0..events.len()).filter(|&k| filter.lets_through(&events[k])).collect()
        };
        let none = Wanted::default;
        assert_eq!(found(none()), [0, 1, 2, 3]);
        assert_eq!(found(Wanted { kind: vec![EventKind::Collision], ..none() }), [0, 3]);
        assert_eq!(found(Wanted { from: Some(2.0), ..none() }), [2, 3]);
        assert_eq!(found(Wanted { to: Some(2.0), ..none() }), [0, 1, 2]);
        assert_eq!(found(Wanted { objects: vec!["b".into(), "a".into()], ..none() }), [0, 2]);
        let all =
            Wanted { kind: vec![EventKind::Collision], objects: vec!["c".into()], from: Some(0.0), to: None };
        assert_eq!(found(all), [3]);
        let unknown = Wanted { objects: vec!["d".into()], ..none() };
        assert!(matches!(Filter::new(&unknown, &names), Err(Failure::Usage(why)) if why.contains("`d`")));
    }

    #[test]
    fn kinds_may_be_joined_in_any_way() {
        for text in ["free fall", "free-fall", "free_fall"] {
            assert_eq!(kind(text), Ok(EventKind::FreeFall));
        }
        assert!(kind("fall").is_err());
    }
}

//! Names and kinds of the events of rigid bodies.

use gedanken_recording::EventKind;

/// Names that stand where other mechanics have contexts, sorted, and the kinds of their events.
pub(super) const EVENTS: [(&str, EventKind); 3] =
    [("impact", EventKind::Collision), ("leave", EventKind::FreeFall), ("touch", EventKind::Contact)];

/// Kind of the events of this name; `None` for a name that none has.
pub fn kind(name: &str) -> Option<EventKind> {
    EVENTS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
}

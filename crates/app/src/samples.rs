//! Samples: the moments at which values were recorded, which are frames and both sides of events. Those of events are of
//! who takes part only.

use gedanken_lab::recording::{Moment, Place, Recording};

/// A moment at which values were recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sample {
    /// A frame, by its number.
    Frame(usize),
    /// Just before an event, by its number.
    Before(usize),
    /// Just after it.
    After(usize),
}

/// All samples of a recording, in order of time.
pub(crate) fn samples(recording: &Recording) -> Vec<Sample> {
    let mut all = Vec::with_capacity(recording.frames() + 2 * recording.events.len());
    let mut events = recording.frames_before.iter().enumerate().peekable();
    for frame in 0..=recording.frames() {
        while let Some((event, _)) = events.next_if(|(_, before)| **before <= frame) {
            all.extend([Sample::Before(event), Sample::After(event)]);
        }
        if frame < recording.frames() {
            all.push(Sample::Frame(frame));
        }
    }
    all
}

impl Sample {
    /// When it was.
    pub(crate) fn time(self, recording: &Recording) -> f64 {
        match self {
            Self::Frame(frame) => recording.times[frame],
            Self::Before(event) | Self::After(event) => recording.events[event].time,
        }
    }

    /// The scalar that stands at one of these places, whichever has a value then: NaN if none has, `None` if their owner had
    /// no part in the event.
    pub(crate) fn scalar(self, recording: &Recording, places: &[Place]) -> Option<f64> {
        let schema = &recording.schema;
        let (event, side) = match self {
            Self::Frame(frame) => return Some(schema.scalar(recording.row(frame), places)),
            Self::Before(event) => (&recording.events[event], Moment::Before),
            Self::After(event) => (&recording.events[event], Moment::After),
        };
        let takes_part = |place: &Place| match *place {
            Place::Row(place) => schema.event_place(&event.objects, place).is_some(),
            Place::Constant { .. } => true,
        };
        places.iter().any(takes_part).then(|| schema.event_scalar(event, side, places))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use gedanken_lab::recording::{Constant, Event, EventKind, Frame, Owner, Quantity, Schema, Sink};
    use gedanken_lang::types::Type;

    /// Two balls, of which `b` is hit at t = 1.5; `a.x` = t², `b.v` = [2 t, 0] before and [0, t] after, the measure `n`
    /// counts.
    pub(crate) fn two_balls() -> Recording {
        let quantity = |owner, name: &str, ty: Type, start| Quantity {
            owner,
            name: name.to_owned(),
            ty,
            context: None,
            start,
        };
        let schema = Schema {
            engine: "test".to_owned(),
            text: String::new(),
            path: "two.lab".to_owned(),
            imports: Vec::new(),
            simulation: "meet".to_owned(),
            parameters: Vec::new(),
            initial_time: 0.0,
            duration: 3.0,
            frame_rate: 1.0,
            objects: vec!["a".to_owned(), "b".to_owned()],
            contexts: vec!["hit".to_owned()],
            quantities: vec![
                quantity(Owner::World, "g", Type::Real, 0),
                quantity(Owner::Object(0), "x", Type::Real, 1),
                quantity(Owner::Object(1), "touched", Type::Bool, 2),
                quantity(Owner::Object(1), "v", Type::vector(2), 3),
                quantity(Owner::Measure, "n", Type::Real, 5),
            ],
            constants: vec![Constant {
                owner: Owner::Object(0),
                name: "mass".to_owned(),
                ty: Type::Real,
                scalars: vec![7.0],
            }],
        };
        let mut recording = Recording::new(schema);
        for k in 0..4u32 {
            let t = f64::from(k);
            if k == 2 {
                let event = Event {
                    index: 0,
                    time: 1.5,
                    kind: EventKind::Collision,
                    context: Some(0),
                    objects: vec![1],
                    given: Vec::new(),
                    before: vec![9.5, f64::NAN, 3.0, 0.0, 1.0],
                    after: vec![9.5, 1.0, 0.0, 1.5, 2.0],
                };
                recording.event(&event).unwrap();
            }
            let row = match k {
                0 | 1 => [9.5, t * t, f64::NAN, 2.0 * t, 0.0, 1.0],
                _ => [9.5, t * t, 1.0, 0.0, t, 2.0],
            };
            let frame = Frame { index: u64::from(k), time: t, row: &row, hash: u64::from(k), keyframe: None };
            recording.frame(frame).unwrap();
        }
        recording
    }

    #[test]
    fn samples_are_in_order_of_time_and_events_come_before_their_frame() {
        use Sample::{After, Before, Frame};
        let recording = two_balls();
        let expected = [Frame(0), Frame(1), Before(0), After(0), Frame(2), Frame(3)];
        assert_eq!(samples(&recording), expected);
        let times: Vec<f64> = expected.iter().map(|it| it.time(&recording)).collect();
        assert_eq!(times, [0.0, 1.0, 1.5, 1.5, 2.0, 3.0]);
    }

    #[test]
    fn events_leave_out_who_takes_no_part() {
        let recording = two_balls();
        let found = |place: usize, sample: Sample| sample.scalar(&recording, &[Place::Row(place)]);
        assert_eq!(found(0, Sample::Before(0)), Some(9.5));
        assert_eq!(found(1, Sample::Before(0)), None, "a is far away");
        assert!(found(2, Sample::Before(0)).unwrap().is_nan());
        assert_eq!([3, 4, 5].map(|k| found(k, Sample::Before(0))), [Some(3.0), Some(0.0), Some(1.0)]);
        assert_eq!([2, 3, 4, 5].map(|k| found(k, Sample::After(0)).unwrap()), [1.0, 0.0, 1.5, 2.0]);
        assert_eq!(found(1, Sample::Frame(3)), Some(9.0));
        let mass = Place::Constant { constant: 0, element: 0 };
        assert_eq!(Sample::After(0).scalar(&recording, &[mass]), Some(7.0));
    }
}

//! Poses of bodies, from rows of a recording.

use gedanken_experiment::rotation;
use gedanken_math::Pose;
use gedanken_recording::{Event, Moment, Owner, Quantity, Schema};
use std::ops::Range;

/// Number of scalars of a pose: position, then quaternion.
pub(crate) const POSE_SCALARS: usize = 7;

/// Columns of the pose of a body in a row; constant parts have no column.
#[derive(Clone, Debug)]
pub(crate) struct PoseColumns {
    position: Option<Range<usize>>,
    orientation: Option<Range<usize>>,
    initial: Pose,
}

impl PoseColumns {
    /// Finds the columns of an object whose initial pose is `initial`.
    pub(crate) fn new(schema: &Schema, object: usize, initial: Pose) -> Self {
        let own = schema.owned(Owner::Object(object));
        let place = |name: &str, widths: &[usize]| {
            let is_it =
                |it: &&Quantity| it.context.is_none() && it.name == name && widths.contains(&it.width());
            own.iter().find(is_it).map(|it| it.start..it.end())
        };
        Self { position: place("position", &[3]), orientation: place("orientation", &[3, 4]), initial }
    }

    /// Returns `true` if the pose changes.
    pub(crate) fn moves(&self) -> bool {
        self.position.is_some() || self.orientation.is_some()
    }

    /// Returns the pose in a frame.
    pub(crate) fn in_row(&self, row: &[f64]) -> [f64; POSE_SCALARS] {
        self.pose(|place| row.get(place).copied())
    }

    /// Returns the pose at one side of an event in which the body takes part.
    pub(crate) fn at_event(&self, schema: &Schema, event: &Event, side: Moment) -> [f64; POSE_SCALARS] {
        let values = event.row(side);
        self.pose(|place| values.get(schema.event_place(&event.objects, place)?).copied())
    }

    /// Returns the initial pose.
    pub(crate) fn at_start(&self) -> [f64; POSE_SCALARS] {
        scalars(&self.initial)
    }

    fn pose(&self, scalar: impl Fn(usize) -> Option<f64>) -> [f64; POSE_SCALARS] {
        let finite = |place: usize| scalar(place).filter(|it| it.is_finite());
        let mut pose = self.initial;
        if let Some(places) = &self.position
            && let (Some(x), Some(y), Some(z)) =
                (finite(places.start), finite(places.start + 1), finite(places.start + 2))
        {
            pose.translation = [x, y, z].into();
        }
        if let Some(places) = &self.orientation {
            let mut elements = [0.0; 4];
            let width = places.len();
            let known = places.clone().zip(&mut elements).try_for_each(|(place, element)| {
                *element = finite(place)?;
                Some(())
            });
            if let Some(turned) = known.and_then(|()| rotation(&elements[..width])) {
                pose.rotation = turned;
            }
        }
        scalars(&pose)
    }
}

/// Returns position, then quaternion w, x, y, z.
pub(crate) fn scalars(pose: &Pose) -> [f64; POSE_SCALARS] {
    let (at, turned) = (pose.translation, pose.rotation);
    [at.x, at.y, at.z, turned.w, turned.x, turned.y, turned.z]
}

/// Appends a pose to the numbers of a chunk.
pub(crate) fn write(pose: [f64; POSE_SCALARS], numbers: &mut Vec<u8>) {
    for scalar in pose {
        numbers.extend_from_slice(&narrow(scalar).to_le_bytes());
    }
}

/// Converts a coordinate to `f32` for drawing; values beyond its range are clamped.
pub(crate) fn narrow(scalar: f64) -> f32 {
    let largest = f64::from(f32::MAX);
    scalar.clamp(-largest, largest) as f32
}

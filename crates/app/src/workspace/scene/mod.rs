//! The scene of a run: bodies, contexts, quantities, and the stride of poses.

pub(crate) mod body_pose;
pub(crate) mod drawing;
pub(crate) mod shape;
pub(crate) mod view;

use super::query::quantities::known;
use super::recordings::{RunRecording, count};
use crate::runner::source::end;
use crate::wire::{Body, ContextInfo, Scene};
use body_pose::{POSE_SCALARS, PoseColumns};
use drawing::drawings;
use gedanken_experiment::{Experiment, Mechanics, Object, Simulation};
use gedanken_lab::{Run, rigid};
use gedanken_lang::check::ContextKind;
use gedanken_recording::{EventKind, Owner, Schema};
use shape::{body_shape, colors};
use view::view_of;

/// Returns the scene of a run, and the recording that it will fill. `pose_bytes` limits the poses that are
/// sent unrequested.
pub(super) fn scene(
    numbers: (u32, u32),
    experiment: &Experiment,
    simulation: &Simulation,
    engine: &Run<'_>,
    pose_bytes: u64,
) -> (Scene, RunRecording) {
    let schema = engine.schema();
    let objects: Vec<&Object> = schema
        .objects
        .iter()
        .filter_map(|name| experiment.object(name))
        .map(|index| &experiment.objects[index])
        .collect();
    let pose_columns: Vec<PoseColumns> =
        objects.iter().enumerate().map(|(place, it)| PoseColumns::new(schema, place, it.pose())).collect();
    let run_recording = RunRecording::new(numbers, schema.clone(), known(schema), pose_columns);
    let mut moving = 0..;
    let body = |(place, object): (usize, &&Object)| Body {
        name: object.name.clone(),
        is_static: object.is_static,
        moves: run_recording.pose_columns[place].moves().then(|| moving.next()).flatten(),
        shape: body_shape(experiment, object),
        resizes: resizes(schema, place, object),
        colors: colors(object),
        pose: run_recording.pose_columns[place].at_start(),
    };
    let frames = engine.frames();
    let scene = Scene {
        simulation: simulation.name.clone(),
        initial_time: simulation.initial_time,
        end: end(simulation),
        frame_rate: simulation.frame_rate,
        frames: count(frames as usize),
        up: simulation.up,
        bodies: objects.iter().enumerate().map(body).collect(),
        contexts: contexts(experiment, simulation, schema),
        quantities: run_recording.known.iter().map(|it| it.named.clone()).collect(),
        has_ground: falls(experiment, simulation),
        in_metres: matches!(simulation.mechanics, Mechanics::Rigid(_) | Mechanics::Mechanism(_)),
        drawings: drawings(experiment, simulation, &schema.objects),
        view: view_of(experiment, simulation),
        stride: stride(frames, run_recording.movers.len(), pose_bytes),
    };
    (scene, run_recording)
}

/// Returns `true` if things fall: bodies of a mechanics that knows gravity, by its settings, others if the world
/// has an attribute that is called so.
fn falls(experiment: &Experiment, simulation: &Simulation) -> bool {
    match &simulation.mechanics {
        Mechanics::Rigid(settings) => settings.gravity.is_some_and(|it| it != [0.0; 3]),
        Mechanics::Mechanism(imported) => imported.has_gravity(),
        _ => ["g", "gravity"].into_iter().any(|name| experiment.world_attribute(name).is_some()),
    }
}

/// Returns the smallest stride for which all poses of a run stay within `pose_bytes`.
fn stride(frames: u64, movers: usize, pose_bytes: u64) -> u32 {
    let each = (movers * POSE_SCALARS * size_of::<f32>()).max(1) as u64;
    let affordable = (pose_bytes / each).max(1);
    // Frames 0, s, 2 s, … up to `frames`: 1 + floor(frames / s) of them.
    let stride = if affordable > frames { 1 } else { frames / affordable + 1 };
    u32::try_from(stride).unwrap_or(u32::MAX)
}

fn resizes(schema: &Schema, place: usize, object: &Object) -> bool {
    let sizes = object.shape.own_fields();
    let own = schema.owned(Owner::Object(place)).iter().filter(|it| it.context.is_none());
    own.into_iter().any(|it| sizes.iter().any(|size| size.name == it.name))
}

fn contexts(experiment: &Experiment, simulation: &Simulation, schema: &Schema) -> Vec<ContextInfo> {
    let kind = |name: &str| {
        let context = experiment.contexts.iter().find(|it| it.name == name);
        match (&simulation.mechanics, context.map(|it| it.kind)) {
            (Mechanics::Contexts(_), Some(ContextKind::FreeFall)) => EventKind::FreeFall,
            (Mechanics::Contexts(_), Some(ContextKind::Collision)) => EventKind::Collision,
            (Mechanics::Contexts(_), Some(ContextKind::Contact)) => EventKind::Contact,
            (Mechanics::Rigid(_) | Mechanics::Mechanism(_), _) => {
                rigid::kind(name).unwrap_or(EventKind::Contact)
            }
            (Mechanics::Lagrangian(_), _) => EventKind::Collision,
            _ => EventKind::Phenomenon,
        }
    };
    let info = |name: &String| ContextInfo { name: name.clone(), kind: kind(name).name().to_owned() };
    schema.contexts.iter().map(info).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stride_is_the_smallest_that_fits() {
        for (frames, movers, bytes) in
            [(360, 1, 1 << 20), (3600, 1000, 8 << 20), (7, 3, 84), (7, 3, 83), (5, 9, 0)]
        {
            let found = u64::from(stride(frames, movers, bytes));
            let needed = |stride: u64| (1 + frames / stride) * movers as u64 * 28;
            let one_frame = movers as u64 * 28;
            assert!(needed(found) <= bytes.max(one_frame), "{frames} {movers} {bytes}: {found}");
            assert!(found == 1 || needed(found - 1) > bytes, "{frames} {movers} {bytes}: {found}");
        }
    }
}

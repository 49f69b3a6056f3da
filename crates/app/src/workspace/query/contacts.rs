//! Contacts of rigid bodies in a frame.

use crate::wire::{ContactPoint, Reply};
use crate::workspace::recordings::RunRecording;
use gedanken_recording::CONTACT_SCALARS;

/// Returns the contacts of the frame nearest to a time.
///
/// # Errors
/// If there is no frame yet.
pub(crate) fn contacts(run_recording: &RunRecording, id: u32, time: f64) -> Result<Reply, String> {
    let recording = run_recording.read();
    let frame = recording.at(time).ok_or("nothing has been recorded yet")?;
    let contact = |reals: &[f64]| {
        let vector = |first: usize| [0, 1, 2].map(|k| reals[first + k]);
        ContactPoint {
            bodies: [reals[0], reals[1]].map(|place| (place >= 0.0).then_some(place as u32)),
            point: vector(2),
            normal: vector(5),
            force: vector(8),
        }
    };
    Ok(Reply::Contacts {
        id,
        run: run_recording.run,
        revision: run_recording.revision,
        time: recording.times[frame],
        recorded: recording.schema.contacts,
        contacts: recording.contacts(frame).chunks_exact(CONTACT_SCALARS).map(contact).collect(),
    })
}

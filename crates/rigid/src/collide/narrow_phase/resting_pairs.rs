//! Stacks that are put down: pairs that lie still on each other although nothing has pressed on them yet.
//!
//! Two bodies that fall side by side touch without a reason to stay together, and are two free bodies. In a
//! stack that has just been put down it looks the same to every pair above the lowest one: both bodies are
//! pulled alike, and no step before has told that something holds them. So what holds is followed from
//! contact to contact: the ground holds the lowest body, this one the next. Without that, the upper bodies
//! would fall for a step and land on the lower ones.

use super::Found;
use crate::collide::broad_phase::CollisionBody;
use crate::collide::contact_table::Touch;
use crate::impact::eligibility::BALANCED_RATIO;

/// Keeps the loose contacts of bodies that are held by others, and takes their pairs from what is left to
/// impacts.
pub(super) fn keep_supported(found: &mut Found<'_>, bodies: &[CollisionBody], held: &mut [bool]) {
    for touch in found.touches.iter().filter(|touch| touch.touching) {
        let [a, b] = [touch.a, touch.b].map(|row| row as usize);
        let [f, g] = [a, b].map(|row| bodies[row].pull.dot(touch.normal));
        if f - g > BALANCED_RATIO * (f.abs() + g.abs()) {
            hold(bodies, held, [a, b]);
        }
    }
    let mut kept = 0;
    loop {
        // Those that are kept are in front, each group in order.
        let before = kept;
        for k in before..found.loose.len() {
            let rows = [found.loose[k].a as usize, found.loose[k].b as usize];
            if rows.iter().any(|&row| held[row]) {
                hold(bodies, held, rows);
                found.loose.swap(kept, k);
                kept += 1;
            }
        }
        if kept == before {
            break;
        }
    }
    let kept = &mut found.loose[..kept];
    kept.sort_unstable_by_key(|touch| touch.key());
    for touch in kept {
        let rows = (touch.a, touch.b);
        if let Ok(place) = found.left.binary_search(&rows) {
            found.left.remove(place);
        }
        if let Err(place) = found.touches.binary_search_by_key(&touch.key(), Touch::key) {
            found.touches.insert(place, *touch);
        }
        if touch.touching
            && let Err(place) = found.touching.binary_search(&[rows.0, rows.1])
        {
            found.touching.insert(place, [rows.0, rows.1]);
        }
    }
}

/// Marks both as held; an immovable body needs no support.
fn hold(bodies: &[CollisionBody], held: &mut [bool], rows: [usize; 2]) {
    for row in rows {
        held[row] |= bodies[row].movable;
    }
}

//! Contacts four at a time: sweeps over many contacts, and for large islands everything around them.
//!
//! A visit of a contact point is a long chain of small sums, each waiting for the one before. Four visits
//! side by side take hardly longer than one. So the list of contacts is cut into eight streams of equal
//! length, and a sweep walks through all of them at once: four side by side, and the other four by turns with
//! them, which do not wait for the first. Contacts that would share a movable body wait for each other, so no
//! visit misses what another one does. It is a sweep of Gauss and Seidel like any other, in an order that
//! depends on the contacts alone.
//!
//! There are two ways in, with the same bits. A large stack has rows, for Newton's method and `persistent`:
//! [`WideContacts::pack`] copies them, and twists and impulses are loaded and stored around its sweeps. A large
//! island has none: [`WideContacts::set_up`] computes what rows would hold, and the end of its sub-steps
//! (`finish_substep` in this folder) is the one of rows, four contacts at a time, held to it by a test.

mod contacts;
mod finish_substep;
mod set_up;
mod sweep;
#[cfg(test)]
mod tests;

pub(super) use contacts::WideContacts;
pub(super) use set_up::WideInput;

//! Memory of the solver, kept from solve to solve to avoid allocation.

use super::conjugate::Conjugate;
use super::direct_contacts::DirectContacts;
use super::joint_pushes::JointPushes;
use super::persistent::PersistentImpulses;
use super::substep_motion::SubstepMotion;
use super::tree::ContactTree;
use super::wide::WideContacts;
use crate::contacts::contact_rows::Rows;

/// Memory of the solver: nothing in it is read by a later solve.
#[derive(Debug, Default)]
pub struct Memory {
    pub(super) rows: Rows,
    /// By body.
    pub(super) motions: Vec<SubstepMotion>,
    pub(super) conjugate: Conjugate,
    pub(super) tree: ContactTree,
    pub(super) direct: DirectContacts,
    pub(super) wide: WideContacts,
    pub(super) joint_pushes: JointPushes,
    pub(super) persistent: PersistentImpulses,
}

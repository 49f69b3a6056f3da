//! Reads the blocks that only rigid bodies have: materials, force laws and joints.

use super::force_law::model::ForceLaw;
use super::joint::coupling::{self, Coupling};
use super::joint::model::Joint;
use super::material::model::Material;
use super::{force_law, joint, material};
use crate::environment::Environment;
use crate::read::blocks::{Blocks, in_order, named, unique};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::syntax::tree::Name;

/// Materials of rigid bodies, and the laws that act on them.
pub(crate) struct RigidBlocks {
    pub(crate) materials: Vec<Material>,
    pub(crate) force_laws: Vec<ForceLaw>,
    pub(crate) joints: Vec<Joint>,
    pub(crate) couplings: Vec<Coupling>,
}

impl RigidBlocks {
    /// Reads the blocks of a file.
    pub(crate) fn read(
        blocks: &Blocks<'_>,
        environment: &Environment<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let read = |block: &&_| material::read::read(block, environment, diagnostics);
        let read = blocks.materials.iter().map(read).collect();
        let (material_names, materials) = named("material", read, |it: &Material| &it.name, diagnostics);
        material::read::check_named(&environment.experiment.objects, &material_names, diagnostics);
        let read = |block: &&_| force_law::read::read(block, environment, diagnostics);
        let read: Vec<(Name, Option<ForceLaw>)> = blocks.force_laws.iter().map(read).collect();
        let mut names: Vec<Name> = read.iter().map(|(name, _)| name.clone()).collect();
        let force_laws = in_order(read.into_iter().filter_map(|(_, it)| it), |it| &it.name);
        let read = |block: &&_| joint::read::read(block, environment, diagnostics);
        let plain = blocks.joints.iter().filter(|block| !coupling::is_coupling(block));
        let read: Vec<(Name, Option<Joint>)> = plain.map(read).collect();
        names.extend(read.iter().map(|(name, _)| name.clone()));
        let coupled = blocks.joints.iter().filter(|block| coupling::is_coupling(block));
        let coupled = coupled.map(|block| coupling::read(block, &read, environment, diagnostics));
        let coupled: Vec<(Name, Option<Coupling>)> = coupled.collect();
        names.extend(coupled.iter().map(|(name, _)| name.clone()));
        let couplings = in_order(coupled.into_iter().filter_map(|(_, it)| it), |it| &it.name);
        let joints = in_order(read.into_iter().filter_map(|(_, it)| it), |it| &it.name);
        // Ledgers and recordings tell laws and joints apart by name alone.
        names.sort_by_key(|name| name.span);
        unique("forces or joint", names.iter(), diagnostics);
        Self { materials, force_laws, joints, couplings }
    }
}

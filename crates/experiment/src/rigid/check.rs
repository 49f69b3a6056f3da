//! What a file says of rigid bodies: their materials, what acts on them, and whether there is a world of
//! them.

pub(crate) mod body;
pub(crate) mod force_law;
pub mod given;
pub(crate) mod joint;
pub(crate) mod material;
pub(crate) mod settings;
pub(crate) mod typos;

use super::measure::Scene;
use super::object::Object;
use super::object::attribute::Attribute;
use super::read::blocks::{Blocks, in_order, known, named, unique};
use super::read::evaluate::Evaluator;
use super::simulation::{Mechanics, Simulation};
use force_law::Bodily;
use force_law::check;
use force_law::check::Acting;
use gedanken_lang::check::Library;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::Name;
use joint::Joint;
use material::Material;
use std::collections::BTreeSet;

/// What rigid bodies are made of, and what acts on them.
pub(super) struct Bodies {
    pub(super) materials: Vec<Material>,
    pub(super) bodily: Vec<Bodily>,
    pub(super) joints: Vec<Joint>,
}

impl Bodies {
    /// Reads their blocks. `names` are all objects that were written, `objects` those without a mistake.
    pub(super) fn read(
        blocks: &Blocks<'_>,
        objects: &[Object],
        names: &BTreeSet<&str>,
        world: &[Attribute],
        library: &Library,
        evaluator: &Evaluator<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let around = material::Surroundings { world, library, evaluator };
        let read = blocks.materials.iter().map(|block| material::read(block, &around, diagnostics)).collect();
        let (material_names, materials) = named("material", read, |it: &Material| &it.name, diagnostics);
        material::check_named(objects, &known(&material_names), diagnostics);
        let read: Vec<(Name, Option<Bodily>)> =
            blocks.bodily.iter().map(|block| force_law::read(block, names, evaluator, diagnostics)).collect();
        let mut acting: Vec<Name> = read.iter().map(|(name, _)| name.clone()).collect();
        let bodily = in_order(read.into_iter().filter_map(|(_, it)| it), |it| &it.name);
        let read: Vec<(Name, Option<Joint>)> =
            blocks.joints.iter().map(|block| joint::read(block, names, evaluator, diagnostics)).collect();
        acting.extend(read.iter().map(|(name, _)| name.clone()));
        let joints = in_order(read.into_iter().filter_map(|(_, it)| it), |it| &it.name);
        // Ledgers and recordings tell them apart by name, whatever they are.
        acting.sort_by_key(|name| name.span);
        unique("forces or joint", acting.iter(), diagnostics);
        Self { materials, bodily, joints }
    }
}

/// Checks the laws of rigid bodies.
pub(super) fn check(scene: &Scene<'_>, bodies: &Bodies, diagnostics: &mut Vec<Diagnostic>) -> Vec<Acting> {
    let &Scene { world, objects, simulations, library, .. } = scene;
    let Bodies { bodily, joints, .. } = bodies;
    let parts = check::Parts { world, objects, laws: bodily, simulations, library };
    let acting = check::check_all(&parts, diagnostics);
    let rigid: Vec<&Simulation> = simulations.iter().filter(|it| it.mechanics == Mechanics::Rigid).collect();
    let gravity = bodily.iter().find(|it| it.name == "gravity");
    if let Some(law) =
        gravity.filter(|_| rigid.iter().any(|it| it.rigid.iter().any(|it| it.gravity.is_some())))
    {
        let message = "the simulation has a `gravity` of its own, and ledgers tell laws apart by name";
        diagnostics.push(
            Diagnostic::new(Code::E703, law.span, message)
                .label("the same name")
                .help("rename the block, or remove `gravity` from the simulation"),
        );
    }
    for joint in joints.iter().filter(|joint| !rigid.iter().any(|it| joint.belongs_to(it, objects))) {
        diagnostics.push(check::idle(&joint.name, joint.span, !rigid.is_empty()));
    }
    body::check_kinematic(objects, simulations, diagnostics);
    typos::check(objects, simulations, &acting, diagnostics);
    if rigid.len() == simulations.len() && !rigid.is_empty() {
        // That no simulation names them is said better here.
        diagnostics.retain(|it| it.code != Code::W702);
        for context in scene.contexts {
            let message = format!("the context `{}` is passed over: the bodies are rigid", context.name);
            let help = "remove it, or the line `mechanics = rigid`; forces on rigid bodies stand in `force` and `potential` blocks";
            diagnostics.push(Diagnostic::new(Code::W750, context.span, message).help(help));
        }
    }
    acting
}

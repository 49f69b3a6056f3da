//! The whole model, body by body, and then everything that names bodies, joints, geoms and sites.

use super::actuator::actuators;
use super::body::{Inertia, inertia};
use super::contact::{excludes, pairs};
use super::equality::equalities;
use super::geom::{MassiveGeom, Meshes, geom};
use super::joint::joint;
use super::keyframe::keyframes;
use super::names::Names;
use super::same_frame;
use crate::mjcf::GeomLook;
use crate::mjcf::mesh::{load, process};
use crate::mjcf::report::Report;
use crate::mjcf::spec::geom::GeomType;
use crate::mjcf::spec::orientation::{LEAST_LENGTH, to_z_axis, unit};
use crate::mjcf::spec::sections::ModelSpec;
use crate::mjcf::spec::site::SiteSpec;
use crate::mjcf::spec::tree::{BodySpec, compose};
use crate::mjcf::xml::ModelFiles;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Sources;
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::model::{Body, BodyId, Description, JointKind, Mount};
use std::collections::BTreeSet;

/// Maximum number of triangles and vertices of all meshes together.
const MAX_TRIANGLES: usize = 50_000_000;

/// A model while it is made.
pub(crate) struct Compiled {
    /// The description so far.
    pub(crate) description: Description,
    /// How the geoms look.
    pub(crate) looks: Vec<GeomLook>,
    /// Poses of the bodies as the model is written.
    pub(crate) world_poses: Vec<Pose>,
    /// Sites.
    pub(crate) sites: Vec<Mount>,
    /// Ranges of the joints, whether they limit or not.
    pub(crate) joint_ranges: Vec<[f64; 2]>,
    /// Which of the actuators of the file are part of the description.
    pub(crate) is_actuator_kept: Vec<bool>,
    /// Names of bodies.
    pub(crate) body_names: Names,
    /// Names of joints.
    pub(crate) joint_names: Names,
    /// Names of geoms.
    pub(crate) geom_names: Names,
    /// Names of sites.
    pub(crate) site_names: Names,
}

/// Makes the description of a model.
pub(crate) fn compile(
    model: &ModelSpec,
    files: &ModelFiles<'_>,
    sources: &Sources,
    report: &mut Report,
) -> (Description, Vec<GeomLook>) {
    let mut meshes = read_meshes(model, files, sources, report);
    let mut compiled = Compiled {
        description: Description::new(model.name.clone()),
        looks: Vec::new(),
        world_poses: Vec::new(),
        sites: Vec::new(),
        joint_ranges: Vec::new(),
        is_actuator_kept: Vec::new(),
        body_names: Names::default(),
        joint_names: Names::default(),
        geom_names: Names::default(),
        site_names: Names::default(),
    };
    compiled.description.bodies.clear();
    compiled.description.settings = model.option.settings.clone();
    let in_pairs: BTreeSet<&str> = model
        .pairs
        .iter()
        .flat_map(|pair| pair.geoms.iter().flatten())
        .map(|(name, _)| name.as_str())
        .collect();
    for index in 0..model.bodies.len() {
        compiled.add_body(index, model, &mut meshes, &in_pairs, report);
    }
    compiled.scale_masses(model);
    check_moving_masses(model, &compiled.description, report);
    pairs(model, &mut compiled, report);
    excludes(model, &mut compiled, report);
    equalities(model, &mut compiled, report);
    actuators(model, &mut compiled, report);
    keyframes(model, &mut compiled, report);
    same_frame::unite(&mut compiled.description);
    (compiled.description, compiled.looks)
}

/// Reads the meshes that geoms use.
fn read_meshes(model: &ModelSpec, files: &ModelFiles<'_>, sources: &Sources, report: &mut Report) -> Meshes {
    let mut names = Names::default();
    for (place, mesh) in model.meshes.iter().enumerate() {
        if let Some(span) = mesh.span {
            names.add("mesh", &mesh.name, span, place, report);
        }
    }
    let mut meshes = Meshes::default();
    let mut tried = BTreeSet::new();
    let mut triangles = 0;
    let geoms = model.bodies.iter().flat_map(|body| &body.geoms);
    for (geom, _) in geoms {
        let Some(name) = &geom.mesh else { continue };
        if !tried.insert(name.0.clone()) {
            continue;
        }
        let Some(place) = names.find("mesh", name, report) else { continue };
        let spec = &model.meshes[place];
        spec.unsupported.report(report);
        let Some(surface) = load(spec, &model.compiler, files, sources, report) else { continue };
        triangles += surface.triangles.len() + surface.vertices.len();
        if triangles > MAX_TRIANGLES {
            let message = format!("the meshes have more than {MAX_TRIANGLES} triangles");
            report.error(Code::E003, name.1, message);
            break;
        }
        match process(spec, surface) {
            Ok(mesh) => {
                meshes.meshes.insert(name.0.clone(), mesh);
            }
            Err(reason) => {
                let span = spec.file.as_ref().map(|(_, span)| *span).or(spec.span).unwrap_or(name.1);
                report.push(
                    Diagnostic::new(
                        Code::E013,
                        span,
                        format!("the mesh `{}` has no inertia: {reason}", name.0),
                    )
                    .help("`inertia=\"shell\"` gives mass to a surface that encloses nothing"),
                );
            }
        }
    }
    meshes
}

impl Compiled {
    fn add_body(
        &mut self,
        index: usize,
        model: &ModelSpec,
        meshes: &mut Meshes,
        in_pairs: &BTreeSet<&str>,
        report: &mut Report,
    ) {
        let spec = &model.bodies[index];
        self.body_names.add("body", &spec.name, spec.span, index, report);
        let mut geoms: Vec<MassiveGeom> = Vec::new();
        for (written, frame) in &spec.geoms {
            let is_paired = in_pairs.contains(written.name.as_str());
            let made = geom(written, *frame, index, is_paired, model, meshes, spec.span, report);
            if let Some(made) = made {
                let place = self.description.geoms.len() + geoms.len();
                self.geom_names.add("geom", &written.name, written.span.unwrap_or(spec.span), place, report);
                geoms.push(made);
            }
        }
        let mut sites: Vec<Pose> =
            spec.sites.iter().map(|(site, frame)| site_pose(site, *frame, model, report)).collect();
        let mut body = Body::new(spec.name.clone(), BodyId::new(spec.parent));
        if index > 0 {
            let mass = inertia(spec, &geoms, &model.compiler, report);
            (body.mass, body.inertia_pose, body.inertia) = (mass.mass, mass.pose, mass.moments);
            body.pose = compose(spec.frame, spec.pose);
            body.gravity_compensation = spec.gravity_compensation;
            body.is_prescribed = spec.is_mocap;
            if is_aligned(spec, model) {
                align(&mut body, mass, &mut geoms, &mut sites);
            }
        }
        let parent = self.world_poses.get(spec.parent).copied().unwrap_or(Pose::IDENTITY);
        self.world_poses.push(compose(parent, body.pose));
        check_joints(spec, index, report);
        check_planes(index, model, report);
        self.description.bodies.push(body);
        for made in geoms {
            self.description.geoms.push(made.geom);
            self.looks.push(made.look);
        }
        self.add_joints(index, model, report);
        for ((site, _), frame) in spec.sites.iter().zip(sites) {
            let span = site.span.unwrap_or(spec.span);
            self.site_names.add("site", &site.name, span, self.sites.len(), report);
            self.sites.push(Mount { body: BodyId::new(index), frame });
        }
    }

    fn add_joints(&mut self, index: usize, model: &ModelSpec, report: &mut Report) {
        let spec = &model.bodies[index];
        for (written, frame) in &spec.joints {
            let span = written.span.unwrap_or(spec.span);
            self.joint_names.add("joint", &written.name, span, self.description.joints.len(), report);
            let made = joint(written, *frame, index, &model.compiler, spec.span, report);
            self.joint_ranges.push(made.limits.unwrap_or(written.range));
            self.description.joints.push(made);
        }
    }

    /// Scales all masses so that they sum up to the mass that the file asks for.
    fn scale_masses(&mut self, model: &ModelSpec) {
        let Some(total) = model.compiler.total_mass else { return };
        let now: f64 = self.description.bodies.iter().map(|body| body.mass).sum();
        if now > LEAST_LENGTH {
            let factor = total / now;
            for body in &mut self.description.bodies {
                body.mass *= factor;
                body.inertia *= factor;
            }
        }
    }
}

/// The pose of a site in its body.
fn site_pose(site: &SiteSpec, frame: Pose, model: &ModelSpec, report: &mut Report) -> Pose {
    let between = site.from_to.and_then(|[a, b, c, d, e, f]| {
        let (from, to) = (Vec3::new(a, b, c), Vec3::new(d, e, f));
        Some(Pose::new(to_z_axis(unit(from - to)?), (from + to) / 2.0))
    });
    let pose = between.unwrap_or_else(|| {
        Pose::new(site.orientation.resolve(&model.compiler, report), Vec3::from_array(site.pos))
    });
    compose(frame, pose)
}

/// Returns `true` for a free body without children whose frame is to be that of its inertia.
fn is_aligned(spec: &BodySpec, model: &ModelSpec) -> bool {
    match &spec.joints[..] {
        [(only, _)] if only.kind == JointKind::Free && !spec.has_children => {
            only.align.unwrap_or(model.compiler.align_free)
        }
        _ => false,
    }
}

/// Moves the frame of a body to its centre of mass and principal axes.
fn align(body: &mut Body, mass: Inertia, geoms: &mut [MassiveGeom], sites: &mut [Pose]) {
    body.pose = compose(body.pose, mass.pose);
    body.inertia_pose = Pose::IDENTITY;
    let back = mass.pose.inverse();
    for it in geoms {
        it.geom.pose = compose(back, it.geom.pose);
    }
    for site in sites {
        *site = compose(back, *site);
    }
}

/// Reports joints that a body cannot have together.
fn check_joints(spec: &BodySpec, index: usize, report: &mut Report) {
    let mut has_ball = false;
    for (joint, _) in &spec.joints {
        let span = joint.span.unwrap_or(spec.span);
        match joint.kind {
            JointKind::Free if spec.parent != 0 => {
                report.error(Code::E012, span, "a free joint belongs to a body of the world");
            }
            JointKind::Free if spec.joints.len() > 1 => {
                report.error(Code::E012, span, "a body with a free joint has no other joints");
            }
            JointKind::Ball | JointKind::Hinge if has_ball => {
                report.error(Code::E012, span, "no rotation can follow a ball joint in the same body");
            }
            JointKind::Ball => has_ball = true,
            _ => {}
        }
    }
    if spec.joints.iter().map(|(joint, _)| joint.kind.freedoms()).sum::<usize>() > 6 {
        report.error(Code::E012, spec.span, "a body has at most six degrees of freedom");
    }
    if spec.is_mocap && (index == 0 || spec.parent != 0 || !spec.joints.is_empty()) {
        report.error(Code::E012, spec.span, "a `mocap` body hangs on the world and has no joints");
    }
}

/// Reports planes on bodies that move.
fn check_planes(index: usize, model: &ModelSpec, report: &mut Report) {
    let spec = &model.bodies[index];
    for (plane, _) in spec.geoms.iter().filter(|(geom, _)| geom.kind == GeomType::Plane) {
        let mut above = index;
        while above != 0 && model.bodies[above].joints.is_empty() && !model.bodies[above].is_mocap {
            above = model.bodies[above].parent;
        }
        if above != 0 {
            report.error(Code::E012, plane.span.unwrap_or(spec.span), "a plane cannot move with a body");
        }
    }
}

/// Reports bodies that joints move but that have no mass, nor anything welded to them.
fn check_moving_masses(model: &ModelSpec, description: &Description, report: &mut Report) {
    const LEAST: f64 = 1e-15;
    let mut is_heavy: Vec<bool> = description
        .bodies
        .iter()
        .map(|body| body.mass >= LEAST && body.inertia.min_element() >= LEAST)
        .collect();
    for index in (1..model.bodies.len()).rev() {
        let spec = &model.bodies[index];
        if spec.joints.is_empty() {
            is_heavy[spec.parent] |= is_heavy[index];
        } else if !is_heavy[index] {
            report.push(
                Diagnostic::new(Code::E017, spec.span, "a body that moves has mass and moments of inertia")
                    .help("give it a geom, or an `inertial` with a mass"),
            );
        }
    }
}

//! Which of many spheres may touch, frame after frame, against parry's tree: 1e3 to 1e5 spheres of one size
//! at one density, of which 5 % go far away in every frame.
//!
//! Both sides get the same new boxes and give all overlapping pairs of every frame; ours in order, theirs in
//! any. On parry's side leaves are reinserted and their ancestors refitted, its own advice for a small part
//! that moves (leaves moved in place and left to its incremental optimiser take a hundred times as long, for
//! they go far). Its pairs come from a walk through what changed and a list that is mended; a walk through
//! the whole tree takes half as long again.

use crate::cases::Outcome;
use crate::clock::{Times, seconds};
use crate::ours::{Aabb, BroadPhase, Manager, Vec3};
use crate::table::Row;
use parry3d_f64::bounding_volume::Aabb as ParryBox;
use parry3d_f64::math::Vector;
use parry3d_f64::partitioning::{Bvh, BvhBuildStrategy, BvhWorkspace};

/// Spheres per cube of their diameter: each box overlaps eight times as many others, two.
const DENSITY: f64 = 0.25;
/// One in so many moves in a frame.
const MOVING: usize = 20;
const SIZES: [usize; 3] = [1_000, 10_000, 100_000];
/// What ten times as many spheres may cost at most.
const GROWTH: f64 = 13.0;
/// Parry only notices changes of boxes that have a margin.
const PARRY_MARGIN: f64 = 1e-9;

/// New boxes by id.
type Moves = [(u32, Aabb)];

pub fn run() -> Outcome {
    let mut rows = Vec::new();
    let mut tenth: Option<Times> = None;
    for count in SIZES {
        let mut scene = Scene::new(count);
        let start = scene.boxes();
        let mut tree = ours(BroadPhase::Tree, &start)?;
        let mut grid = ours(BroadPhase::UniformGrid { cell: 1.5 }, &start)?;
        let mut sweep = ours(BroadPhase::SweepAndPrune, &start)?;
        let mut mend = Mend::new(&start);
        let mut times: [Times; 4] = Default::default();
        let mut pairs: [Vec<(u32, u32)>; 4] = Default::default();
        let (mut sound, mut found) = (true, 0);
        // As many frames as move every sphere once: what a side puts off is in the time.
        let frames = MOVING;
        for _ in 0..repetitions(count) {
            // Each side runs all frames in a row: in turns of one frame, each would find its memory swept
            // from the caches.
            let moves: Vec<_> = (0..frames).map(|_| scene.next()).collect();
            let run = |step: &mut dyn FnMut(&Moves)| seconds(|| moves.iter().for_each(|moves| step(moves)));
            let [in_tree, mended, in_grid, swept] = &mut pairs;
            let spent = [
                run(&mut |moves| frame(&mut tree, moves, in_tree)),
                run(&mut |moves| mend.frame(moves, mended)),
                run(&mut |moves| frame(&mut grid, moves, in_grid)),
                run(&mut |moves| frame(&mut sweep, moves, swept)),
            ];
            times.iter_mut().zip(spent).for_each(|(times, spent)| times.push(spent));
            for theirs in &mut pairs[1..2] {
                theirs.iter_mut().for_each(|pair| *pair = (pair.0.min(pair.1), pair.0.max(pair.1)));
                theirs.sort_unstable();
            }
            sound &= pairs.iter().all(|answer| *answer == pairs[0]);
            found = pairs[0].len();
        }
        let [ours, mend, grid, sweep] = times;
        let row = |name: &str, peer: &str, ours: &Times, theirs: &Times, target, remark: &str| Row {
            case: format!("broad phase, {name}, {count} spheres, 5 % leaping"),
            peer: peer.into(),
            unit: "spheres/s",
            amount: (count * frames) as f64,
            ours: ours.clone(),
            theirs: theirs.clone(),
            target,
            sound,
            remark: remark.into(),
        };
        let remark = format!("{found} pairs, {}", if sound { "equal" } else { "NOT equal" });
        rows.push(row("tree", "parry", &ours, &mend, Some(1.0), &remark));
        if let Some(tenth) = tenth.replace(ours.clone()) {
            // A tenth of the spheres, ten times over.
            let mut times = Times::default();
            times.push(10.0 * tenth.best());
            let grown =
                format!("{:.1} times the time of a tenth; the limit is {GROWTH}", ours.best() / tenth.best());
            rows.push(row("tree", "ours, a tenth", &ours, &times, Some(10.0 / GROWTH), &grown));
        }
        rows.push(row("tree", "ours, grid", &ours, &grid, None, "among ourselves"));
        rows.push(row("tree", "ours, sweep", &ours, &sweep, None, "among ourselves"));
    }
    Ok(rows)
}

fn repetitions(count: usize) -> usize {
    (200_000 / count).clamp(6, 100)
}

/// Unit spheres (by diameter) at random places of a cube.
struct Scene {
    side: f64,
    count: usize,
    seed: u64,
}

impl Scene {
    fn new(count: usize) -> Self {
        Self { side: libm::cbrt(count as f64 / DENSITY), count, seed: 1970 }
    }

    fn random(&mut self) -> f64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 11) as f64 / (1u64 << 53) as f64
    }

    fn place(&mut self) -> Aabb {
        let at = Vec3::new(self.random(), self.random(), self.random()) * self.side;
        Aabb::around(at, Vec3::splat(0.5))
    }

    fn boxes(&mut self) -> Vec<Aabb> {
        (0..self.count).map(|_| self.place()).collect()
    }

    /// New places for every twentieth sphere, counted from a random one.
    fn next(&mut self) -> Vec<(u32, Aabb)> {
        let first = (self.random() * MOVING as f64) as u32;
        (first..self.count as u32).step_by(MOVING).map(|id| (id, self.place())).collect()
    }
}

fn ours(kind: BroadPhase, boxes: &[Aabb]) -> Result<Manager, String> {
    let mut manager = Manager::new(kind).map_err(|error| error.to_string())?;
    for (id, aabb) in (0..).zip(boxes) {
        manager.insert(id, *aabb).map_err(|error| error.to_string())?;
    }
    manager.pairs(&mut Vec::new());
    Ok(manager)
}

fn frame(manager: &mut Manager, moves: &Moves, out: &mut Vec<(u32, u32)>) {
    for &(id, aabb) in moves {
        manager.update(id, aabb).expect("a finite box of a sphere that is there");
    }
    manager.pairs(out);
}

fn theirs(aabb: &Aabb) -> ParryBox {
    let vector = |v: Vec3| Vector::new(v.x, v.y, v.z);
    ParryBox::new(vector(aabb.min), vector(aabb.max))
}

fn build(boxes: &[Aabb]) -> Bvh {
    Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes.iter().map(theirs).collect::<Vec<_>>())
}

/// Reinsert, refit the ancestors, walk what changed, mend the list.
struct Mend {
    tree: Bvh,
    workspace: BvhWorkspace,
    before: Vec<u32>,
    now: Vec<u32>,
    changed: Vec<bool>,
    kept: Vec<(u32, u32)>,
}

impl Mend {
    fn new(boxes: &[Aabb]) -> Self {
        let (tree, mut workspace) = (build(boxes), BvhWorkspace::default());
        let mut kept = Vec::new();
        tree.traverse_bvtt_single_tree::<false>(&mut workspace, &mut |a, b| kept.push((a, b)));
        let before = (0..boxes.len() as u32).collect();
        Self { tree, workspace, before, now: Vec::new(), changed: vec![false; boxes.len()], kept }
    }

    fn frame(&mut self, moves: &Moves, out: &mut Vec<(u32, u32)>) {
        let Self { tree, workspace, before, now, changed, kept } = self;
        now.clear();
        for (id, aabb) in moves {
            tree.reinsert_or_update_with_change_detection(theirs(aabb), *id, PARRY_MARGIN);
            now.push(*id);
            changed[*id as usize] = true;
        }
        tree.refit_partial(before, now);
        kept.retain(|&(a, b)| !changed[a as usize] && !changed[b as usize]);
        tree.traverse_bvtt_single_tree::<true>(workspace, &mut |a, b| kept.push((a, b)));
        now.iter().for_each(|&id| changed[id as usize] = false);
        core::mem::swap(before, now);
        out.clear();
        out.extend_from_slice(kept);
    }
}

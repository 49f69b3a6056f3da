//! The scenes of the comparison.

use super::{Form, Link, Scene, Solid};
use crate::ours::Vec3;
use crate::random::Random;

const STEP: f64 = 1.0 / 240.0;

fn fixed(at: Vec3, half: Vec3) -> Solid {
    Solid { form: Form::Block(half), at, fixed: true, touches: true }
}

fn ground() -> Solid {
    fixed(Vec3::new(0.0, 0.0, -1.0), Vec3::new(50.0, 50.0, 1.0))
}

/// An open box of this inner half width about the origin, its floor at z = 0.
fn container(width: f64, height: f64) -> Vec<Solid> {
    let t = 1.0;
    let wall = |x: f64, y: f64| {
        let half = Vec3::new(
            if x == 0.0 { width + 2.0 * t } else { t },
            if y == 0.0 { width + 2.0 * t } else { t },
            0.5 * height,
        );
        fixed(Vec3::new(x * (width + t), y * (width + t), 0.5 * height), half)
    };
    vec![ground(), wall(1.0, 0.0), wall(-1.0, 0.0), wall(0.0, 1.0), wall(0.0, -1.0)]
}

/// `count` bodies above the floor of a container, on a loose grid with random offsets.
fn poured(name: String, count: usize, form: Form, steps: usize) -> Scene {
    let mut random = Random::new(7);
    let side = (libm::cbrt(count as f64 / 2.0)).ceil() as usize;
    let pitch = 1.1;
    let width = 0.5 * side as f64 * pitch + 0.2;
    let layers = count.div_ceil(side * side);
    let mut solids = container(width, 1.5 * layers as f64 + 4.0);
    for k in 0..count {
        let (i, j, l) = (k % side, k / side % side, k / (side * side));
        let mut jitter = || 0.05 * random.signed();
        let at = Vec3::new(
            (i as f64 - 0.5 * (side - 1) as f64) * pitch + jitter(),
            (j as f64 - 0.5 * (side - 1) as f64) * pitch + jitter(),
            0.7 + l as f64 * 1.15,
        );
        solids.push(Solid { form, at, fixed: false, touches: true });
    }
    Scene { name, solids, links: Vec::new(), step: STEP, steps }
}

/// `count` balls of diameter 1 m poured into a box.
pub fn spheres(count: usize) -> Scene {
    poured(format!("{count} spheres piled in a box"), count, Form::Ball(0.5), 480)
}

/// `count` cubes of 0.8 m poured into a box.
pub fn heap(count: usize) -> Scene {
    poured(format!("{count} boxes heap"), count, Form::Block(Vec3::splat(0.4)), 480)
}

/// A wall of cubes, `rows` at the bottom, one at the top.
pub fn pyramid(rows: usize) -> Scene {
    let mut solids = vec![ground()];
    for level in 0..rows {
        for k in 0..rows - level {
            let x = (k as f64 - 0.5 * (rows - level - 1) as f64) * 1.1;
            let at = Vec3::new(x, 0.0, 0.5 + level as f64);
            solids.push(Solid { form: Form::Block(Vec3::splat(0.5)), at, fixed: false, touches: true });
        }
    }
    let name = format!("{}-box pyramid", rows * (rows + 1) / 2);
    Scene { name, solids, links: Vec::new(), step: STEP, steps: 1200 }
}

/// `count` cubes, one on the other.
pub fn stack(count: usize) -> Scene {
    let mut solids = vec![ground()];
    solids.extend((0..count).map(|k| {
        let at = Vec3::new(0.0, 0.0, 0.5 + k as f64);
        Solid { form: Form::Block(Vec3::splat(0.5)), at, fixed: false, touches: true }
    }));
    Scene { name: format!("{count}-box stack"), solids, links: Vec::new(), step: STEP, steps: 1200 }
}

/// The half edges of a link of the chain.
pub const LINK: Vec3 = Vec3::new(0.5, 0.1, 0.1);

/// `count` bars in a row, joined end to end by ball joints, the first to the world at the origin; let go
/// horizontally.
pub fn chain(count: usize, steps: usize) -> Scene {
    let reach = Vec3::new(LINK.x, 0.0, 0.0);
    let solids = (0..count).map(|k| Solid {
        form: Form::Block(LINK),
        at: reach + Vec3::new(2.0 * LINK.x * k as f64, 0.0, 0.0),
        fixed: false,
        touches: false,
    });
    let links = (0..count).map(|k| match k {
        0 => Link { bodies: [None, Some(0)], anchors: [Vec3::ZERO, -reach] },
        _ => Link { bodies: [Some(k - 1), Some(k)], anchors: [reach, -reach] },
    });
    let name = format!("{count}-link chain of ball joints");
    Scene { name, solids: solids.collect(), links: links.collect(), step: STEP, steps }
}

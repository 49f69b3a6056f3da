//! Convex hulls of 10,000 and 100,000 points in a ball, against Qhull; and how the time grows from one to the
//! other.
//!
//! Ours is the whole shape: merged faces, edges, neighbours, area, volume and centroid. SciPy gives
//! triangles, neighbours, area and volume.

use crate::cases::Outcome;
use crate::clock::{Times, seconds};
use crate::peers::qhull::Qhull;
use crate::table::Row;
use gedanken_geometry::ConvexHull;
use gedanken_math::Vec3;

const REPETITIONS: usize = 15;
/// By how much the time may grow for ten times the points.
const GROWTH: f64 = 15.0;
const SEED: u64 = 1996;

pub fn run() -> Outcome {
    let mut rows = vec![against_qhull(10_000)?, against_qhull(100_000)?];
    let scaled = rows[0].ours.scaled(GROWTH);
    rows.push(Row {
        case: "hull, 100,000 points in a ball".into(),
        peer: format!("{GROWTH} times ours of 10,000"),
        unit: "points/s",
        amount: 100_000.0,
        ours: rows[1].ours.clone(),
        theirs: scaled,
        target: Some(1.0),
        sound: true,
        remark: format!("time grows {:.1} times", rows[1].ours.best() / rows[0].ours.best()),
    });
    Ok(rows)
}

fn against_qhull(n: usize) -> Result<Row, String> {
    let points = ball(n);
    let vectors: Vec<Vec3> = points.iter().map(|&p| Vec3::from_array(p)).collect();
    let mut peer = Qhull::start(&points)?;
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    let mut answers = None;
    for _ in 0..REPETITIONS {
        let their = peer.hull()?;
        theirs.push(their.seconds);
        let mut hull = None;
        ours.push(seconds(|| hull = Some(ConvexHull::new(&vectors))));
        answers = hull.map(|hull| (hull, their));
    }
    let Some((hull, their)) = answers else { return Err("no repetitions".into()) };
    let hull = hull.map_err(|error| error.to_string())?;
    let volume = (hull.volume() / their.volume - 1.0).abs();
    let area = (hull.area() / their.area - 1.0).abs();
    Ok(Row {
        case: format!("hull, {n} points in a ball"),
        peer: peer.name(),
        unit: "points/s",
        amount: n as f64,
        ours,
        theirs,
        target: Some(1.0),
        // Sums of some thousand facets.
        sound: hull.vertices().len() == their.vertices && volume < 1e-12 && area < 1e-12,
        remark: format!(
            "{} vertices, theirs {}; volumes differ by {volume:.1e}, areas by {area:.1e}",
            hull.vertices().len(),
            their.vertices
        ),
    })
}

/// Uniform points in the unit ball, by rejection from a cube; SplitMix64 (@steele2014).
fn ball(n: usize) -> Vec<[f64; 3]> {
    let mut state = SEED;
    let mut coordinate = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    let mut points = Vec::with_capacity(n);
    while points.len() < n {
        let p = [coordinate(), coordinate(), coordinate()];
        if p.iter().map(|x| x * x).sum::<f64>() <= 1.0 {
            points.push(p);
        }
    }
    points
}

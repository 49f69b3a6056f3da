//! Contacts of an island in lanes of four, and their exchange with rows.

use crate::contacts::contact_rows::{Point, Rows, SweepBody};
use crate::contacts::gauss_seidel::simd::{F64x4, LANES, Vec3x4};
use gedanken_math::Twist;

/// Four contacts, one per lane.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Manifoldx4 {
    /// Places of A and B by lane; those of no body in a lane that is empty.
    pub(super) places: [[u32; LANES]; 2],
    /// Number of points by lane; zero in a lane that is empty.
    pub(super) counts: [u32; LANES],
    /// All bodies are round.
    pub(super) round: bool,
    /// Largest number of points.
    pub(super) count: u32,
    /// Place of the first points.
    pub(super) first: u32,
    /// Normals and both tangents.
    pub(super) frame: [Vec3x4; 3],
    /// Coefficients of friction.
    pub(super) friction: F64x4,
    /// 1/m of A and B.
    pub(super) inv_mass: [F64x4; 2],
    /// I⁻¹ of A and B, the columns of symmetric matrices.
    pub(super) inv_inertia: [[Vec3x4; 3]; 2],
}

/// One point of each of four contacts, as `contact_rows::Point`. A point that is missing has no mass, and
/// moves nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pointx4 {
    pub(super) arms: [Vec3x4; 2],
    /// 1/K_nn.
    pub(super) normal_mass: F64x4,
    /// K_nn.
    pub(super) response: F64x4,
    /// K_1n and K_2n.
    pub(super) coupling: [F64x4; 2],
    /// Inverse of K's tangential block: 11, 12, 22.
    pub(super) block: [F64x4; 3],
    /// Larger eigenvalue of K's tangential block.
    pub(super) slip: F64x4,
    pub(super) impulse: Vec3x4,
    pub(super) allowed: F64x4,
    /// 1/slip; read only where points slide.
    pub(super) step: F64x4,
}

impl Pointx4 {
    /// Sets the point of one lane, but for its impulse and its allowed approach.
    #[inline]
    fn set(&mut self, lane: usize, point: &Point) {
        self.arms[0].set(lane, point.arm_a.to_array());
        self.arms[1].set(lane, point.arm_b.to_array());
        self.normal_mass.0[lane] = point.normal_mass;
        self.response.0[lane] = point.response;
        self.coupling.iter_mut().zip(point.coupling).for_each(|(four, x)| four.0[lane] = x);
        self.block.iter_mut().zip(point.block).for_each(|(four, x)| four.0[lane] = x);
        self.slip.0[lane] = point.slip;
        self.step.0[lane] = point.step;
    }
}

/// State of four points that only the end of a sub-step reads. Apart from [`Pointx4`], so that sweeps pass
/// over less memory.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PointStatex4 {
    /// Relative velocity when the sub-step began.
    pub(super) before: Vec3x4,
    pub(super) gap: F64x4,
}

/// Twist of one body, each part with a fourth number so that it is read as a whole.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PaddedTwist {
    pub(super) linear: F64x4,
    pub(super) angular: F64x4,
}

impl PaddedTwist {
    pub(super) fn new(Twist { linear, angular }: Twist) -> Self {
        let ([a, b, c], [d, e, f]) = (linear.to_array(), angular.to_array());
        Self { linear: F64x4([a, b, c, 0.0]), angular: F64x4([d, e, f, 0.0]) }
    }

    pub(super) fn twist(&self) -> Twist {
        let ([a, b, c, _], [d, e, f, _]) = (self.linear.0, self.angular.0);
        Twist::new([a, b, c].into(), [d, e, f].into())
    }
}

/// Twists of four bodies, one per lane.
#[derive(Clone, Copy)]
pub(super) struct Twistx4 {
    pub(super) linear: Vec3x4,
    pub(super) angular: Vec3x4,
}

/// Contacts of an island in lanes of four; memory.
#[derive(Debug, Default)]
pub(crate) struct WideContacts {
    /// Contacts, in pairs of packs that are visited by turns.
    pub(super) packs: Vec<Manifoldx4>,
    /// Numbers of the contacts by pack and lane, [`NONE`] in lanes that are empty.
    pub(super) contacts: Vec<[u32; LANES]>,
    pub(super) points: Vec<Pointx4>,
    /// By point; none in an island with rows, which keep them.
    pub(super) states: Vec<PointStatex4>,
    /// Twists by body, and one at rest for lanes that are empty.
    pub(super) twists: Vec<PaddedTwist>,
    /// The same for the pushes of contacts, or for the displacements of bodies.
    pub(super) other_twists: Vec<PaddedTwist>,
}

/// Streams of contacts that are visited together: two packs.
const STREAMS: usize = 2 * LANES;

/// No contact, or no movable body.
pub(super) const NONE: u32 = u32::MAX;

impl WideContacts {
    /// Decides which contacts are put side by side. `movable` returns the places of their bodies, [`NONE`]
    /// for a body that impulses do not move.
    pub(super) fn line_up(&mut self, total: usize, movable: impl Fn(usize) -> [u32; 2]) {
        self.contacts.clear();
        let mut next: [usize; STREAMS] = std::array::from_fn(|stream| stream * total / STREAMS);
        let ends: [usize; STREAMS] = std::array::from_fn(|stream| (stream + 1) * total / STREAMS);
        while next != ends {
            let mut chosen = [[NONE; LANES]; 2];
            let mut taken = [[NONE; 2]; STREAMS];
            for stream in 0..STREAMS {
                if next[stream] == ends[stream] {
                    continue;
                }
                let own = movable(next[stream]);
                let meets =
                    |place: u32| place != NONE && taken[..stream].iter().any(|pair| pair.contains(&place));
                // A stream whose contact shares a body waits: its lane stays empty this time.
                if !own.into_iter().any(meets) {
                    (chosen[stream / LANES][stream % LANES], taken[stream]) = (next[stream] as u32, own);
                    next[stream] += 1;
                }
            }
            self.contacts.extend(chosen);
        }
    }

    /// Packs an island whose contacts have rows, all but what [`load`](Self::load) brings.
    ///
    /// [`set_up`](Self::set_up) computes the same numbers from the contact table, which an island with rows has
    /// behind it: copied, they save 3 % of the instructions of a stack of 20 boxes, and 2 % of a heap.
    pub(crate) fn pack(&mut self, rows: &Rows) {
        self.line_up(rows.manifolds.len(), |number| {
            let manifold = &rows.manifolds[number];
            [manifold.a, manifold.b].map(|place| movable(&rows.bodies, place))
        });
        self.packs.clear();
        self.points.clear();
        self.states.clear();
        for number in 0..self.contacts.len() {
            self.pack_four(rows, self.contacts[number]);
        }
    }

    fn pack_four(&mut self, rows: &Rows, chosen: [u32; LANES]) {
        let nobody = rows.bodies.len() as u32;
        let mut pack = Manifoldx4 {
            places: [[nobody; LANES]; 2],
            first: self.points.len() as u32,
            round: true,
            ..Manifoldx4::default()
        };
        for (lane, &number) in chosen.iter().enumerate().filter(|(_, number)| **number != NONE) {
            pack.counts[lane] = rows.manifolds[number as usize].count;
        }
        pack.count = pack.counts.into_iter().fold(0, u32::max);
        self.points.resize(self.points.len() + pack.count as usize, Pointx4::default());
        for (lane, &number) in chosen.iter().enumerate().filter(|(_, number)| **number != NONE) {
            let manifold = &rows.manifolds[number as usize];
            let axes = [manifold.frame.x_axis, manifold.frame.y_axis, manifold.frame.z_axis];
            pack.frame.iter_mut().zip(axes).for_each(|(four, axis)| four.set(lane, axis.to_array()));
            pack.friction.0[lane] = manifold.friction;
            for (side, place) in [manifold.a, manifold.b].into_iter().enumerate() {
                let body = &rows.bodies[place as usize];
                pack.places[side][lane] = place;
                pack.inv_mass[side].0[lane] = body.inv_mass;
                pack.round &= body.round;
                let columns = [body.inv_inertia.x_axis, body.inv_inertia.y_axis, body.inv_inertia.z_axis];
                let fours = pack.inv_inertia[side].iter_mut();
                fours.zip(columns).for_each(|(four, column)| four.set(lane, column.to_array()));
            }
            let own = &rows.points[manifold.first as usize..][..manifold.count as usize];
            for (point, points) in own.iter().zip(&mut self.points[pack.first as usize..]) {
                points.set(lane, point);
            }
        }
        self.packs.push(pack);
    }

    /// Loads twists, impulses and allowed approaches from rows.
    pub(crate) fn load(&mut self, rows: &Rows) {
        self.load_twists(&rows.bodies);
        for (pack, chosen) in self.packs.iter().zip(&self.contacts) {
            for (lane, &number) in chosen.iter().enumerate() {
                for k in 0..pack.counts[lane] {
                    let manifold = &rows.manifolds[number as usize];
                    let point = &rows.points[(manifold.first + k) as usize];
                    let points = &mut self.points[(pack.first + k) as usize];
                    points.impulse.set(lane, point.impulse.to_array());
                    points.allowed.0[lane] = point.allowed;
                }
            }
        }
    }

    /// Stores twists and impulses to rows.
    pub(crate) fn store(&self, rows: &mut Rows) {
        self.store_twists(&mut rows.bodies);
        for (pack, chosen) in self.packs.iter().zip(&self.contacts) {
            for (lane, &number) in chosen.iter().enumerate() {
                for k in 0..pack.counts[lane] {
                    let manifold = &rows.manifolds[number as usize];
                    let impulse = self.points[(pack.first + k) as usize].impulse.lane(lane);
                    rows.points[(manifold.first + k) as usize].impulse = impulse;
                }
            }
        }
    }

    /// Loads the twists of the bodies.
    pub(crate) fn load_twists(&mut self, bodies: &[SweepBody]) {
        self.twists.clear();
        self.twists.extend(bodies.iter().map(|body| PaddedTwist::new(body.twist())));
        self.twists.push(PaddedTwist::default());
    }

    /// Stores the twists of the bodies.
    pub(crate) fn store_twists(&self, bodies: &mut [SweepBody]) {
        for (body, twist) in bodies.iter_mut().zip(&self.twists) {
            body.set_twist(twist.twist());
        }
    }
}

/// Returns the place of a body; [`NONE`] if impulses do not move it.
pub(super) fn movable(bodies: &[SweepBody], place: u32) -> u32 {
    if bodies[place as usize].inv_mass > 0.0 { place } else { NONE }
}

#[inline(always)]
fn transposed(a: F64x4, b: F64x4, c: F64x4, d: F64x4) -> [F64x4; LANES] {
    let (a, b, c, d) = (a.0, b.0, c.0, d.0);
    [
        F64x4([a[0], b[0], c[0], d[0]]),
        F64x4([a[1], b[1], c[1], d[1]]),
        F64x4([a[2], b[2], c[2], d[2]]),
        F64x4([a[3], b[3], c[3], d[3]]),
    ]
}

/// Reads the twists of four bodies.
#[inline(always)]
pub(super) fn gather(twists: &[PaddedTwist], &[a, b, c, d]: &[u32; LANES]) -> Twistx4 {
    let (a, b) = (&twists[a as usize], &twists[b as usize]);
    let (c, d) = (&twists[c as usize], &twists[d as usize]);
    let [x, y, z, _] = transposed(a.linear, b.linear, c.linear, d.linear);
    let [p, q, r, _] = transposed(a.angular, b.angular, c.angular, d.angular);
    Twistx4 { linear: Vec3x4 { x, y, z }, angular: Vec3x4 { x: p, y: q, z: r } }
}

/// Writes the twists of four bodies.
#[inline(always)]
pub(super) fn scatter(
    twists: &mut [PaddedTwist],
    places: &[u32; LANES],
    Twistx4 { linear, angular }: &Twistx4,
) {
    let linear = transposed(linear.x, linear.y, linear.z, F64x4::ZERO);
    let angular = transposed(angular.x, angular.y, angular.z, F64x4::ZERO);
    for lane in 0..LANES {
        twists[places[lane] as usize] = PaddedTwist { linear: linear[lane], angular: angular[lane] };
    }
}

/// Returns I⁻¹ times angular momenta; if `ROUND`, I⁻¹ is a number.
#[inline(always)]
pub(super) fn turned<const ROUND: bool>(inv_inertia: &[Vec3x4; 3], momentum: Vec3x4) -> Vec3x4 {
    let [x, y, z] = inv_inertia;
    if ROUND { momentum.times(x.x) } else { x.times(momentum.x) + y.times(momentum.y) + z.times(momentum.z) }
}

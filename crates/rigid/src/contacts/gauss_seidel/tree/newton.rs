//! Newton's method for islands whose contacts form a tree: stacks, chains of bricks, one body on the ground.
//!
//! Sweeps carry a load from contact to contact, so a tower of N boxes takes N² of them, and its bending N⁴.
//! Here contacts are taken for springs that stop motion almost at once, and all bodies are solved together
//! (the method of multipliers). With v the velocities that the present impulses λ make, W the stiffness times
//! the sub-step, and π the projection onto the cones,
//!
//! F(x) = M x - Jᵀ (π(y) - λ) = 0, y = λ - W (J (v + x) + b).
//!
//! π(y) are the new impulses: λ_n = 0 where a point opens, and friction on the edge of the cone, against the
//! motion, where it slides. Newton's steps are (M + Jᵀ W J) d = -F, J having the rows that press and, if they
//! stick, those of friction; a point that slides is stiff across its way by the part of y that is left in the
//! cone. Steps are cut in half while they do not make the energy ½ xᵀ M x + λ·J x + |π(y)|²/2W smaller. What
//! is left of the motion is about a part of m/W of what there was, whatever the height of the tower, and four
//! points under a box are not too many.
//!
//! Where Newton's method starts decides whether it arrives. At x = 0 the stiffness makes any slow motion look
//! like a point that opens or slides. So the first step takes it that all points that have pressed, or come
//! nearer, press and stick: a box that falls on a tower at rest brings both to rest, as it does without
//! restitution, in one step.
//!
//! The matrix has a block of 6×6 per body and per pair that touches. Eliminated from the leaves of the tree
//! it fills in nothing: the work is linear in the number of bodies. It is factorised again only when points
//! open, close, slide or stick anew.

mod block;
mod order;

use super::tuning::{
    MAX_NEWTON_STEPS, MERIT_ROUNDING, MIN_STEP_FRACTION, NEWTON_FORCE_RATIO, NEWTON_MERIT_RATIO,
    NEWTON_STIFFNESS,
};
use crate::contacts::contact_rows::{Manifold, Point, Rows, SweepBody};
use block::{Block, Six, ZERO, add_all, add_row, factor, six, solve_column, solve_rows, twist_of};
use gedanken_math::Twist;
use gedanken_math::Vec3;
use order::Elimination;

/// What a point takes part with in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContactMode {
    /// It is open.
    Open,
    /// It presses and slides.
    Sliding,
    /// It presses and sticks.
    Sticking,
}

/// One movable body in the tree.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// Its block; after elimination Cholesky's factor of it.
    own: Block,
    /// Between it (rows) and its parent (columns).
    link: Block,
    /// own⁻¹ times that.
    solved: Block,
    /// -F.
    right: Six,
    step: Six,
}

const EMPTY: Node = Node { own: ZERO, link: ZERO, solved: ZERO, right: [0.0; 6], step: [0.0; 6] };

/// The tree of an island, and memory for solving it.
#[derive(Debug, Default)]
pub(super) struct ContactTree {
    elimination: Elimination,
    nodes: Vec<Node>,
    inertias: Vec<[[f64; 3]; 3]>,
    /// The parts of all points in the present factors; none before the first.
    factored: Vec<ContactMode>,
    /// The parts at the present x, and at the one that is tried.
    parts: Vec<ContactMode>,
    /// By point that slides: across its way in the tangent plane, and how stiff it is there, in parts of W.
    across: Vec<[f64; 3]>,
    /// x, and what is tried.
    moved: Vec<Twist>,
    tried: Vec<Twist>,
    /// Whether nodes and inertias are those of the present rows.
    is_ready: bool,
}

/// What was found at some x.
#[derive(Debug, Clone, Copy)]
struct NewtonState {
    /// The function that Newton's steps make small.
    merit: f64,
    /// Whether some point presses and slides.
    slides: bool,
    /// Whether the parts are those of the present factors.
    same: bool,
}

/// What the points of a contact do to its bodies: Jᵀ of a change of impulses.
#[derive(Debug, Default)]
struct PairImpulse {
    on_a: Twist,
    on_b: Twist,
}

impl PairImpulse {
    #[inline]
    fn add(&mut self, impulse: Vec3, point: &Point) {
        self.on_a -= Twist::of_impulse(impulse, point.arm_a);
        self.on_b += Twist::of_impulse(impulse, point.arm_b);
    }

    /// Adds them to -F.
    fn give(&self, nodes: &mut [Node], manifold: &Manifold) {
        for (place, push) in [(manifold.a, self.on_a), (manifold.b, self.on_b)] {
            let right = &mut nodes[place as usize].right;
            right.iter_mut().zip(six(push.linear, push.angular)).for_each(|(right, x)| *right += x);
        }
    }
}

impl ContactTree {
    /// Number of movable bodies of the planned tree.
    pub(super) fn bodies(&self) -> usize {
        self.elimination.len()
    }

    /// Plans the elimination of an island; `ends` are the places of the bodies of all contacts. Returns `false`
    /// if the contacts do not form a tree.
    pub(super) fn plan(
        &mut self,
        bodies: usize,
        is_movable: impl Fn(u32) -> bool + Copy,
        ends: &[[u32; 2]],
    ) -> bool {
        self.is_ready = false;
        self.elimination.plan(bodies, is_movable, ends)
    }

    /// Makes room for the blocks; most trees are never solved, so planning leaves that out.
    fn make_ready(&mut self, rows: &Rows) {
        let Self { nodes, inertias, factored, .. } = self;
        factored.clear();
        nodes.clear();
        nodes.resize(rows.bodies.len(), EMPTY);
        inertias.clear();
        inertias.extend(rows.bodies.iter().map(|body| {
            if body.inv_mass > 0.0 { body.inv_inertia.inverse().to_cols_array_2d() } else { [[0.0; 3]; 3] }
        }));
        self.is_ready = true;
    }

    /// Solves the contacts of a sub-step, whose bodies move as its forces and the present impulses make them;
    /// `scale` is Σ m v² of what the laws do in it. False if that takes too long, or rounding forbids it;
    /// nothing has changed then.
    pub(super) fn solve(&mut self, rows: &mut Rows, scale: f64) -> bool {
        if !self.is_ready {
            self.make_ready(rows);
        }
        self.tried.clear();
        self.tried.resize(rows.bodies.len(), Twist::ZERO);
        let (start, mut found) = self.assume(rows);
        for _ in 0..MAX_NEWTON_STEPS {
            std::mem::swap(&mut self.tried, &mut self.moved);
            if !found.same || found.slides {
                self.factored.clone_from(&self.parts);
                self.assemble(rows);
                if !self.eliminate() {
                    self.factored.clear();
                    return false;
                }
            }
            self.substitute();
            let mut part = 1.0;
            let next = loop {
                self.tried.clear();
                let steps = self.moved.iter().zip(&self.nodes);
                self.tried.extend(steps.map(|(moved, node)| *moved + twist_of(&node.step) * part));
                let next = self.look(rows);
                // A step after which nothing opens, closes, slides or sticks anew was exact.
                let noise = MERIT_ROUNDING * next.merit.abs();
                if (next.same && !next.slides)
                    || next.merit <= found.merit + noise
                    || part < MIN_STEP_FRACTION
                {
                    break next;
                }
                part *= 0.5;
            };
            if next.same
                && part == 1.0
                && next.merit
                    <= start
                        + f64::max(NEWTON_MERIT_RATIO * NEWTON_MERIT_RATIO * scale, MERIT_ROUNDING * start)
                && (!next.slides || self.is_balanced(rows, NEWTON_FORCE_RATIO * NEWTON_FORCE_RATIO * scale))
            {
                self.take(rows);
                return true;
            }
            found = next;
        }
        false
    }

    /// Takes it that all points stick that have pressed or come nearer, at x = 0. Tells the merit of that
    /// place, and what was assumed, whose merit is that of nothing yet: any first step is better.
    fn assume(&mut self, rows: &Rows) -> (f64, NewtonState) {
        let Self { nodes, parts, factored, .. } = self;
        let mut found =
            NewtonState { merit: f64::INFINITY, slides: false, same: factored.len() == rows.points.len() };
        let mut start = 0.0;
        nodes.iter_mut().for_each(|node| node.right = [0.0; 6]);
        parts.clear();
        for manifold in &rows.manifolds {
            let mut pushes = PairImpulse::default();
            for point in of(manifold, &rows.points) {
                let asked = asked(&rows.bodies, manifold, point, Vec3::ZERO);
                let (new, _) = project_to_cone(asked, manifold.friction);
                start += 0.5 * new.length_squared() / (NEWTON_STIFFNESS * point.normal_mass);
                let presses = point.impulse.x > 0.0 || asked.x > 0.0;
                let (new, part) =
                    if presses { (asked, ContactMode::Sticking) } else { (Vec3::ZERO, ContactMode::Open) };
                found.same = found.same && factored[parts.len()] == part;
                parts.push(part);
                pushes.add(manifold.frame * (new - point.impulse), point);
            }
            pushes.give(nodes, manifold);
        }
        (start, found)
    }

    /// Looks at the x that is tried: parts, merit, and -F = Jᵀ (π(y) - λ) - M x.
    fn look(&mut self, rows: &Rows) -> NewtonState {
        let Self { nodes, inertias, parts, across, tried, factored, .. } = self;
        let mut found = NewtonState { merit: 0.0, slides: false, same: factored.len() == rows.points.len() };
        for (((node, x), inertia), body) in nodes.iter_mut().zip(&*tried).zip(&*inertias).zip(&rows.bodies) {
            if body.inv_mass > 0.0 {
                let turned = inertia.map(|row| Vec3::from_array(row).dot(x.angular));
                let momentum = Twist::new(x.linear * (1.0 / body.inv_mass), Vec3::from_array(turned));
                found.merit += 0.5 * momentum.dot(*x);
                node.right = six(-momentum.linear, -momentum.angular);
            }
        }
        parts.clear();
        across.clear();
        for manifold in &rows.manifolds {
            let mut pushes = PairImpulse::default();
            for point in of(manifold, &rows.points) {
                let shift = at(tried, manifold, point);
                let asked = asked(&rows.bodies, manifold, point, shift);
                let (new, part) = project_to_cone(asked, manifold.friction);
                let weight = NEWTON_STIFFNESS * point.normal_mass;
                found.merit += point.impulse.dot(shift) + 0.5 * new.length_squared() / weight;
                if part == ContactMode::Sliding {
                    found.slides = true;
                    across.push(edge(asked, new));
                }
                found.same = found.same && factored[parts.len()] == part;
                parts.push(part);
                pushes.add(manifold.frame * (new - point.impulse), point);
            }
            pushes.give(nodes, manifold);
        }
        found
    }

    /// Whether F is small: its square in the metric of the inverse masses.
    fn is_balanced(&self, rows: &Rows, enough: f64) -> bool {
        let square = |(node, body): (&Node, &SweepBody)| {
            let push = twist_of(&node.right);
            push.dot(Twist::new(push.linear * body.inv_mass, body.inv_inertia * push.angular))
        };
        self.nodes.iter().zip(&rows.bodies).map(square).sum::<f64>() <= enough
    }

    /// Gives every point its impulse, and every body what that does to it.
    fn take(&mut self, rows: &mut Rows) {
        let Rows { bodies, manifolds, points } = rows;
        // All points answer to the motion before, not to what others do meanwhile: bodies take their pushes
        // last.
        let Self { tried, moved: pushes, .. } = self;
        pushes.fill(Twist::ZERO);
        for manifold in manifolds.iter() {
            let [a, b] = [manifold.a, manifold.b].map(|place| place as usize);
            for point in &mut points[manifold.first as usize..][..manifold.count as usize] {
                let shift = at(tried, manifold, point);
                let (new, _) = project_to_cone(asked(bodies, manifold, point, shift), manifold.friction);
                let impulse = manifold.frame * (new - point.impulse);
                point.impulse = new;
                pushes[a] -= Twist::of_impulse(impulse, point.arm_a);
                pushes[b] += Twist::of_impulse(impulse, point.arm_b);
            }
        }
        for (body, push) in bodies.iter_mut().zip(pushes) {
            body.linear += push.linear * body.inv_mass;
            body.angular += body.inv_inertia * push.angular;
        }
    }

    /// M + Jᵀ W J.
    fn assemble(&mut self, rows: &Rows) {
        for (place, (node, body)) in self.nodes.iter_mut().zip(&rows.bodies).enumerate() {
            (node.own, node.link) = (ZERO, ZERO);
            if body.inv_mass > 0.0 {
                for i in 0..3 {
                    node.own[i][i] = 1.0 / body.inv_mass;
                    node.own[i + 3][3..].copy_from_slice(&self.inertias[place][i]);
                }
            }
        }
        let (mut parts, mut across) = (self.factored.iter(), self.across.iter());
        for manifold in &rows.manifolds {
            let [a, b] = [manifold.a, manifold.b].map(|place| place as usize);
            let [moves_a, moves_b] = [a, b].map(|place| rows.bodies[place].inv_mass > 0.0);
            let (child, flipped) = if self.elimination.parent(a) == Some(b) { (a, false) } else { (b, true) };
            for (point, part) in of(manifold, &rows.points).iter().zip(&mut parts) {
                let weight = NEWTON_STIFFNESS * point.normal_mass;
                let (arm_a, arm_b) = (point.arm_a, point.arm_b);
                let (first, second) = if flipped { (arm_b, arm_a) } else { (arm_a, arm_b) };
                match part {
                    ContactMode::Open => {}
                    ContactMode::Sticking => {
                        add_all(&mut self.nodes[a].own, arm_a, arm_a, if moves_a { weight } else { 0.0 });
                        add_all(&mut self.nodes[b].own, arm_b, arm_b, if moves_b { weight } else { 0.0 });
                        let both = if moves_a && moves_b { -weight } else { 0.0 };
                        add_all(&mut self.nodes[child].link, first, second, both);
                    }
                    ContactMode::Sliding => {
                        let &[y, z, part] = across.next().expect("every point that slides has an entry");
                        let axes = [
                            (manifold.frame.x_axis, weight),
                            (manifold.frame * Vec3::new(0.0, y, z), weight * part),
                        ];
                        for (axis, weight) in axes {
                            let row = |arm: Vec3| six(axis, arm.cross(axis));
                            let (one, two) = (row(arm_a), row(arm_b));
                            add_row(&mut self.nodes[a].own, &one, &one, if moves_a { weight } else { 0.0 });
                            add_row(&mut self.nodes[b].own, &two, &two, if moves_b { weight } else { 0.0 });
                            let both = if moves_a && moves_b { -weight } else { 0.0 };
                            add_row(&mut self.nodes[child].link, &row(first), &row(second), both);
                        }
                    }
                }
            }
        }
    }

    /// Eliminates from the leaves to the root.
    fn eliminate(&mut self) -> bool {
        let Self { elimination, nodes, .. } = self;
        for (place, parent) in elimination.leaves_first() {
            let mut node = nodes[place];
            if !factor(&mut node.own) {
                return false;
            }
            if let Some(parent) = parent {
                let parent = &mut nodes[parent];
                node.solved = node.link;
                solve_rows(&node.own, &mut node.solved);
                for (link, solved) in node.link.iter().zip(&node.solved) {
                    for (row, entry) in parent.own.iter_mut().zip(link) {
                        row.iter_mut().zip(solved).for_each(|(own, x)| *own -= entry * x);
                    }
                }
            }
            nodes[place] = node;
        }
        true
    }

    /// From the leaves to the root, and back: Newton's step.
    fn substitute(&mut self) {
        let Self { elimination, nodes, .. } = self;
        nodes.iter_mut().for_each(|node| node.step = if node.own == ZERO { [0.0; 6] } else { node.right });
        for (place, parent) in elimination.leaves_first() {
            let node = &mut nodes[place];
            solve_column(&node.own, &mut node.step);
            if let Some(parent) = parent {
                let Node { link, step, .. } = *node;
                let above = &mut nodes[parent].step;
                for (x, row) in step.iter().zip(&link) {
                    above.iter_mut().zip(row).for_each(|(above, entry)| *above -= entry * x);
                }
            }
        }
        for (place, parent) in elimination.leaves_first().rev() {
            if let Some(parent) = parent {
                let above = nodes[parent].step;
                let node = &mut nodes[place];
                for (step, row) in node.step.iter_mut().zip(&node.solved) {
                    *step -= row.iter().zip(&above).map(|(entry, x)| entry * x).sum::<f64>();
                }
            }
        }
    }
}

/// The points of a contact.
fn of<'a>(manifold: &Manifold, points: &'a [Point]) -> &'a [Point] {
    &points[manifold.first as usize..][..manifold.count as usize]
}

/// What x does to the relative velocity of a point.
#[inline]
fn at(x: &[Twist], manifold: &Manifold, point: &Point) -> Vec3 {
    let [a, b] = [manifold.a, manifold.b].map(|place| x[place as usize]);
    manifold.frame.transpose() * (b.at(point.arm_b) - a.at(point.arm_a))
}

/// y = λ - W (J (v + x) + b), `shift` being J x.
#[inline]
fn asked(bodies: &[SweepBody], manifold: &Manifold, point: &Point, shift: Vec3) -> Vec3 {
    let [a, b] = [manifold.a, manifold.b].map(|place| &bodies[place as usize]);
    let mut speed = manifold.frame.transpose() * (b.twist().at(point.arm_b) - a.twist().at(point.arm_a));
    speed.x += point.allowed;
    point.impulse - (speed + shift) * (NEWTON_STIFFNESS * point.normal_mass)
}

/// π: the impulse with its normal part made positive and its friction brought into the disc.
fn project_to_cone(asked: Vec3, friction: f64) -> (Vec3, ContactMode) {
    if asked.x < 0.0 {
        return (Vec3::ZERO, ContactMode::Open);
    }
    let (most, square) = (friction * asked.x, asked.y * asked.y + asked.z * asked.z);
    if square <= most * most {
        return (asked, ContactMode::Sticking);
    }
    let scale = most / square.sqrt();
    (Vec3::new(asked.x, asked.y * scale, asked.z * scale), ContactMode::Sliding)
}

/// The derivative of π where it brings friction to the edge of the disc: a unit vector across the way, and
/// the part that is left.
fn edge(asked: Vec3, new: Vec3) -> [f64; 3] {
    let length = (asked.y * asked.y + asked.z * asked.z).sqrt();
    let left = (new.y * new.y + new.z * new.z).sqrt();
    [-asked.z / length, asked.y / length, left / length]
}

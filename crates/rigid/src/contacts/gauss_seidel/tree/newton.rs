//! Newton's steps on a tree of contacts: evaluation, assembly, elimination; see the module.

use super::block::{Block, Six, ZERO, add_all, add_row, factor, six, solve_column, solve_rows, twist_of};
use super::order::Elimination;
use crate::contacts::contact_rows::{Manifold, Point, Rows, SweepBody};
use crate::contacts::gauss_seidel::tuning::{
    MAX_NEWTON_STEPS, MERIT_ROUNDING, MIN_STEP_FRACTION, NEWTON_FORCE_RATIO, NEWTON_MERIT_RATIO,
    NEWTON_STIFFNESS,
};
use gedanken_math::{Twist, Vec3};

/// State of a contact point: which of its rows are in the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ContactMode {
    /// The point does not press: no row.
    Open,
    /// It presses and slides: the normal, and across the way of sliding.
    Sliding,
    /// It presses and sticks: all three rows.
    Sticking,
}

/// One body in the tree.
#[derive(Debug, Clone, Copy)]
struct Node {
    /// Diagonal block; after elimination its Cholesky factor.
    own: Block,
    /// Block between the body (rows) and its parent (columns).
    link: Block,
    /// own⁻¹ link.
    solved: Block,
    /// -F.
    right: Six,
    /// Newton's step d.
    step: Six,
}

const EMPTY: Node = Node { own: ZERO, link: ZERO, solved: ZERO, right: [0.0; 6], step: [0.0; 6] };

/// Tree of the contacts of an island; memory.
#[derive(Debug, Default)]
pub(crate) struct ContactTree {
    elimination: Elimination,
    /// By body.
    nodes: Vec<Node>,
    /// I by body, in the world.
    inertias: Vec<[[f64; 3]; 3]>,
    /// Modes by point in the present factors; empty before the first.
    factored: Vec<ContactMode>,
    /// Modes by point at the x evaluated last.
    modes: Vec<ContactMode>,
    /// Unit vector across the way of sliding, in the tangent plane, and stiffness along it in parts of W; by
    /// point that slides.
    across: Vec<[f64; 3]>,
    /// x by body, which steps start from.
    x: Vec<Twist>,
    /// x that is tried.
    trial_x: Vec<Twist>,
    /// Nodes and inertias are those of the present rows.
    is_ready: bool,
}

/// Values at some x.
#[derive(Debug, Clone, Copy)]
struct NewtonState {
    /// Merit function, which steps make smaller: ½ xᵀ M x + λ·J x + |π(y)|²/2W.
    merit: f64,
    /// Some point slides.
    slides: bool,
    /// The modes are those of the present factors.
    same: bool,
}

/// Impulses of a contact on its two bodies: Jᵀ of a change of λ.
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

    /// Adds the impulses to -F.
    fn give(&self, nodes: &mut [Node], manifold: &Manifold) {
        for (place, push) in [(manifold.a, self.on_a), (manifold.b, self.on_b)] {
            let right = &mut nodes[place as usize].right;
            right.iter_mut().zip(six(push.linear, push.angular)).for_each(|(right, x)| *right += x);
        }
    }
}

impl ContactTree {
    /// Number of movable bodies of the planned tree.
    pub(crate) fn bodies(&self) -> usize {
        self.elimination.len()
    }

    /// Plans the elimination of an island; `ends` are the places of the bodies of all contacts. Returns
    /// `false` if the contacts do not form a tree.
    pub(crate) fn plan(
        &mut self,
        bodies: usize,
        is_movable: impl Fn(u32) -> bool + Copy,
        ends: &[[u32; 2]],
    ) -> bool {
        self.is_ready = false;
        self.elimination.plan(bodies, is_movable, ends)
    }

    /// Makes room for the blocks. Most trees are never solved, so planning leaves that out.
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

    /// Solves the contacts of a sub-step, whose bodies move as its forces and the present impulses make them.
    /// `kicks` is Σ m v² of the laws' kicks. Returns `false` if that takes too many steps or rounding forbids
    /// it; nothing has changed then.
    pub(crate) fn solve(&mut self, rows: &mut Rows, kicks: f64) -> bool {
        if !self.is_ready {
            self.make_ready(rows);
        }
        self.trial_x.clear();
        self.trial_x.resize(rows.bodies.len(), Twist::ZERO);
        let (start, mut found) = self.assume_sticking(rows);
        for _ in 0..MAX_NEWTON_STEPS {
            std::mem::swap(&mut self.trial_x, &mut self.x);
            if !found.same || found.slides {
                self.factored.clone_from(&self.modes);
                self.assemble(rows);
                if !self.eliminate() {
                    self.factored.clear();
                    return false;
                }
            }
            self.substitute();
            // Halving: the merit function has kinks where points open or slide, and a full step may jump over
            // one.
            let mut fraction = 1.0;
            let next = loop {
                self.trial_x.clear();
                let steps = self.x.iter().zip(&self.nodes);
                self.trial_x.extend(steps.map(|(x, node)| *x + twist_of(&node.step) * fraction));
                let next = self.evaluate(rows);
                // A step after which nothing opens, closes, slides or sticks anew was exact.
                let noise = MERIT_ROUNDING * next.merit.abs();
                if (next.same && !next.slides)
                    || next.merit <= found.merit + noise
                    || fraction < MIN_STEP_FRACTION
                {
                    break next;
                }
                fraction *= 0.5;
            };
            if next.same
                && fraction == 1.0
                && next.merit
                    <= start
                        + f64::max(NEWTON_MERIT_RATIO * NEWTON_MERIT_RATIO * kicks, MERIT_ROUNDING * start)
                && (!next.slides || self.is_balanced(rows, NEWTON_FORCE_RATIO * NEWTON_FORCE_RATIO * kicks))
            {
                self.apply(rows);
                return true;
            }
            found = next;
        }
        false
    }

    /// Assumes that all points stick that have pressed or come nearer, at x = 0. Returns the merit there, and
    /// the assumed state with an infinite merit: any first step is better.
    fn assume_sticking(&mut self, rows: &Rows) -> (f64, NewtonState) {
        let Self { nodes, modes, factored, .. } = self;
        let mut found =
            NewtonState { merit: f64::INFINITY, slides: false, same: factored.len() == rows.points.len() };
        let mut start = 0.0;
        nodes.iter_mut().for_each(|node| node.right = [0.0; 6]);
        modes.clear();
        for manifold in &rows.manifolds {
            let mut pushes = PairImpulse::default();
            for point in of(manifold, &rows.points) {
                let trial = trial_impulse(&rows.bodies, manifold, point, Vec3::ZERO);
                let (new, _) = project_to_cone(trial, manifold.friction);
                start += 0.5 * new.length_squared() / (NEWTON_STIFFNESS * point.normal_mass);
                let presses = point.impulse.x > 0.0 || trial.x > 0.0;
                let (new, mode) =
                    if presses { (trial, ContactMode::Sticking) } else { (Vec3::ZERO, ContactMode::Open) };
                found.same = found.same && factored[modes.len()] == mode;
                modes.push(mode);
                pushes.add(manifold.frame * (new - point.impulse), point);
            }
            pushes.give(nodes, manifold);
        }
        (start, found)
    }

    /// Evaluates the x that is tried: modes, merit, and -F = Jᵀ (π(y) - λ) - M x.
    fn evaluate(&mut self, rows: &Rows) -> NewtonState {
        let Self { nodes, inertias, modes, across, trial_x, factored, .. } = self;
        let mut found = NewtonState { merit: 0.0, slides: false, same: factored.len() == rows.points.len() };
        for (((node, x), inertia), body) in nodes.iter_mut().zip(&*trial_x).zip(&*inertias).zip(&rows.bodies)
        {
            if body.inv_mass > 0.0 {
                let turned = inertia.map(|row| Vec3::from_array(row).dot(x.angular));
                let momentum = Twist::new(x.linear * (1.0 / body.inv_mass), Vec3::from_array(turned));
                found.merit += 0.5 * momentum.dot(*x);
                node.right = six(-momentum.linear, -momentum.angular);
            }
        }
        modes.clear();
        across.clear();
        for manifold in &rows.manifolds {
            let mut pushes = PairImpulse::default();
            for point in of(manifold, &rows.points) {
                let shift = at(trial_x, manifold, point);
                let trial = trial_impulse(&rows.bodies, manifold, point, shift);
                let (new, mode) = project_to_cone(trial, manifold.friction);
                let weight = NEWTON_STIFFNESS * point.normal_mass;
                found.merit += point.impulse.dot(shift) + 0.5 * new.length_squared() / weight;
                if mode == ContactMode::Sliding {
                    found.slides = true;
                    across.push(edge(trial, new));
                }
                found.same = found.same && factored[modes.len()] == mode;
                modes.push(mode);
                pushes.add(manifold.frame * (new - point.impulse), point);
            }
            pushes.give(nodes, manifold);
        }
        found
    }

    /// Returns `true` if F is small: its square in the metric of M⁻¹ is within `tolerance`.
    fn is_balanced(&self, rows: &Rows, tolerance: f64) -> bool {
        let square = |(node, body): (&Node, &SweepBody)| {
            let push = twist_of(&node.right);
            push.dot(Twist::new(push.linear * body.inv_mass, body.inv_inertia * push.angular))
        };
        self.nodes.iter().zip(&rows.bodies).map(square).sum::<f64>() <= tolerance
    }

    /// Gives every point the impulse π(y), and every body the change of its twist.
    fn apply(&mut self, rows: &mut Rows) {
        let Rows { bodies, manifolds, points } = rows;
        // All points answer to the motion before, not to what others do meanwhile: bodies take their pushes
        // last.
        let Self { trial_x, x: pushes, .. } = self;
        pushes.fill(Twist::ZERO);
        for manifold in manifolds.iter() {
            let [a, b] = [manifold.a, manifold.b].map(|place| place as usize);
            for point in &mut points[manifold.first as usize..][..manifold.count as usize] {
                let shift = at(trial_x, manifold, point);
                let (new, _) =
                    project_to_cone(trial_impulse(bodies, manifold, point, shift), manifold.friction);
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

    /// Assembles M + Jᵀ W J with the rows of the factored modes.
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
        let (mut modes, mut across) = (self.factored.iter(), self.across.iter());
        for manifold in &rows.manifolds {
            let [a, b] = [manifold.a, manifold.b].map(|place| place as usize);
            let [moves_a, moves_b] = [a, b].map(|place| rows.bodies[place].inv_mass > 0.0);
            let (child, flipped) = if self.elimination.parent(a) == Some(b) { (a, false) } else { (b, true) };
            for (point, mode) in of(manifold, &rows.points).iter().zip(&mut modes) {
                let weight = NEWTON_STIFFNESS * point.normal_mass;
                let (arm_a, arm_b) = (point.arm_a, point.arm_b);
                let (first, second) = if flipped { (arm_b, arm_a) } else { (arm_a, arm_b) };
                match mode {
                    ContactMode::Open => {}
                    ContactMode::Sticking => {
                        add_all(&mut self.nodes[a].own, arm_a, arm_a, if moves_a { weight } else { 0.0 });
                        add_all(&mut self.nodes[b].own, arm_b, arm_b, if moves_b { weight } else { 0.0 });
                        let both = if moves_a && moves_b { -weight } else { 0.0 };
                        add_all(&mut self.nodes[child].link, first, second, both);
                    }
                    ContactMode::Sliding => {
                        let &[y, z, left] = across.next().expect("every point that slides has an entry");
                        let axes = [
                            (manifold.frame.x_axis, weight),
                            (manifold.frame * Vec3::new(0.0, y, z), weight * left),
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

    /// Factorises from the leaves to the root. Returns `false` if a block is not positive.
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

    /// Computes Newton's step: from the leaves to the root, and back.
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

/// Returns the points of a contact.
fn of<'a>(manifold: &Manifold, points: &'a [Point]) -> &'a [Point] {
    &points[manifold.first as usize..][..manifold.count as usize]
}

/// Returns J x of a point.
#[inline]
fn at(x: &[Twist], manifold: &Manifold, point: &Point) -> Vec3 {
    let [a, b] = [manifold.a, manifold.b].map(|place| x[place as usize]);
    manifold.frame.transpose() * (b.at(point.arm_b) - a.at(point.arm_a))
}

/// Returns y = λ - W (J (v + x) + b), `shift` being J x.
#[inline]
fn trial_impulse(bodies: &[SweepBody], manifold: &Manifold, point: &Point, shift: Vec3) -> Vec3 {
    let [a, b] = [manifold.a, manifold.b].map(|place| &bodies[place as usize]);
    let mut speed = manifold.frame.transpose() * (b.twist().at(point.arm_b) - a.twist().at(point.arm_a));
    speed.x += point.allowed;
    point.impulse - (speed + shift) * (NEWTON_STIFFNESS * point.normal_mass)
}

/// Returns π(y): the normal impulse made positive, and friction brought into the disc of radius μ λ_n.
fn project_to_cone(trial: Vec3, friction: f64) -> (Vec3, ContactMode) {
    if trial.x < 0.0 {
        return (Vec3::ZERO, ContactMode::Open);
    }
    let (most, square) = (friction * trial.x, trial.y * trial.y + trial.z * trial.z);
    if square <= most * most {
        return (trial, ContactMode::Sticking);
    }
    let scale = most / square.sqrt();
    (Vec3::new(trial.x, trial.y * scale, trial.z * scale), ContactMode::Sliding)
}

/// Returns the derivative of π where it brings friction to the edge of the disc: a unit vector across the
/// way, and the part of y that is left.
fn edge(trial: Vec3, new: Vec3) -> [f64; 3] {
    let length = (trial.y * trial.y + trial.z * trial.z).sqrt();
    let left = (new.y * new.y + new.z * new.z).sqrt();
    [-trial.z / length, trial.y / length, left / length]
}

//! The spanning tree of joints: which body carries which, and by which joint.
//!
//! Bodies are reached from what is static, the ground, and from what is kinematic, in order of their distance in
//! joints. Where several joints reach a body at the same distance, the first by name carries it; the others close
//! loops. Bodies that no joints lead to float: of those that hang together, the first by name is free.

use gedanken_experiment::{Joint, JointKind};
use std::collections::BTreeMap;

/// What carries a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Carrier {
    /// Nothing: it floats.
    Free,
    /// Nothing: it is kinematic, and moves as it is told.
    Prescribed,
    /// The ground, through a joint.
    Ground(usize),
    /// Another body, through a joint.
    Body(usize, usize),
}

/// A forest over bodies that move.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct SpanningTree {
    /// By body, what carries it.
    pub(super) carriers: Vec<Option<Carrier>>,
    /// Bodies, every carrier before what it carries, depth first, by name.
    pub(super) order: Vec<usize>,
    /// Joints that close loops, by their numbers.
    pub(super) cut: Vec<usize>,
}

/// Returns `true` if a joint can carry a body: what is left free is a motion of coordinates.
pub(super) fn can_carry(kind: JointKind) -> bool {
    matches!(
        kind,
        JointKind::Point
            | JointKind::Hinge
            | JointKind::Slider
            | JointKind::Universal
            | JointKind::Weld
            | JointKind::Free
    )
}

impl SpanningTree {
    /// Spans bodies, which stand by name, and of which some are kinematic; `ends` are the bodies of each joint,
    /// `None` for the ground. Joints stand by name.
    pub(super) fn new(is_kinematic: &[bool], joints: &[&Joint], ends: &[[Option<usize>; 2]]) -> Self {
        let carrier = |&is_kinematic: &bool| is_kinematic.then_some(Carrier::Prescribed);
        let mut tree = Self { carriers: is_kinematic.iter().map(carrier).collect(), ..Self::default() };
        let mut used = vec![false; joints.len()];
        let roots = (0..is_kinematic.len()).filter(|&body| is_kinematic[body]).collect();
        tree.reach(joints, ends, &mut used, true, roots);
        for body in 0..is_kinematic.len() {
            if tree.carriers[body].is_none() {
                tree.carriers[body] = Some(Carrier::Free);
                tree.reach(joints, ends, &mut used, false, vec![body]);
            }
        }
        let holds = |number: &usize| !used[*number] && joints[*number].kind != JointKind::Spring;
        tree.cut = (0..joints.len()).filter(holds).collect();
        tree.sort();
        tree
    }

    /// Reaches all bodies from these, and from the ground if it is one of the roots, level by level.
    fn reach(
        &mut self,
        joints: &[&Joint],
        ends: &[[Option<usize>; 2]],
        used: &mut [bool],
        mut is_ground: bool,
        mut level: Vec<usize>,
    ) {
        let mut is_level = vec![false; self.carriers.len()];
        while is_ground || !level.is_empty() {
            level.iter().for_each(|&body| is_level[body] = true);
            let mut next: BTreeMap<usize, usize> = BTreeMap::new();
            for (number, _) in joints.iter().enumerate().filter(|(_, it)| can_carry(it.kind)) {
                for side in 0..2 {
                    let (carrier, carried) = (ends[number][side], ends[number][1 - side]);
                    if let Some(body) = carried
                        && carrier.map_or(is_ground, |carrier| is_level[carrier])
                        && self.carriers[body].is_none()
                    {
                        next.entry(body).or_insert(number);
                    }
                }
            }
            for (&body, &number) in &next {
                used[number] = true;
                let other = if ends[number][0] == Some(body) { ends[number][1] } else { ends[number][0] };
                self.carriers[body] = Some(match other {
                    None => Carrier::Ground(number),
                    Some(carrier) => Carrier::Body(carrier, number),
                });
            }
            level.iter().for_each(|&body| is_level[body] = false);
            level = next.into_keys().collect();
            is_ground = false;
        }
    }

    /// Puts bodies into the order of a walk from the roots.
    fn sort(&mut self) {
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); self.carriers.len()];
        let mut stack = Vec::new();
        for (body, carrier) in self.carriers.iter().enumerate().rev() {
            match carrier {
                Some(Carrier::Body(carrier, _)) => children[*carrier].push(body),
                _ => stack.push(body),
            }
        }
        // The stack is taken from its end, and both lists were filled from the last name on.
        while let Some(body) = stack.pop() {
            self.order.push(body);
            stack.append(&mut children[body]);
        }
    }
}

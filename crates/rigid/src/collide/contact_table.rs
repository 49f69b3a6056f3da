//! Contacts: the table of touching pairs with points, normals and impulses that is kept from step to step.
//!
//! A [`Touch`] is one manifold: up to four points of two bodies (or of two of their parts) with a common
//! normal. The impulses of the last step start the next solve, so they are part of the state: a restored
//! snapshot continues bit for bit.

use gedanken_dynamics::{Life, Table};
use gedanken_geometry::narrow::Feature;
use gedanken_math::Vec3;
use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// One point of a contact.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TouchPoint {
    /// From A's centre of mass to the point on A, in the world, when the contact was found.
    pub arm_a: Vec3,
    /// From B's centre of mass to the point on B.
    pub arm_b: Vec3,
    /// Distance along the normal, m; negative if the bodies overlap.
    pub gap: f64,
    /// Features of A and B that made the point; they identify it from step to step.
    pub features: [Feature; 2],
    /// The normal impulse of the last step or sub-step, N·s, on B along the normal; never negative.
    pub normal_impulse: f64,
    /// The friction impulse on B in the same time, N·s, in the world, perpendicular to the normal.
    pub friction_impulse: Vec3,
}

/// Value of unused elements of [`Touch::points`].
pub(crate) const EMPTY: TouchPoint = TouchPoint {
    arm_a: Vec3::ZERO,
    arm_b: Vec3::ZERO,
    gap: 0.0,
    features: [Feature::face(0); 2],
    normal_impulse: 0.0,
    friction_impulse: Vec3::ZERO,
};

/// The points at which two bodies, or two of their parts, touch or nearly do.
///
/// It is large, and most of it is often not there (a ball has one point): lists of touches are written and
/// copied in place, and what is behind the last point is neither cleared nor looked at.
#[derive(Clone, Copy)]
pub struct Touch {
    /// The row of A: the smaller one.
    pub a: u32,
    /// The row of B.
    pub b: u32,
    /// Numbers of the parts of A and B.
    pub parts: [u32; 2],
    /// The unit normal, from A to B.
    pub normal: Vec3,
    /// The combined coefficient of friction, at the present sliding speed.
    pub friction: f64,
    /// Share of the impulses that starts the next solve; the part of an impact is left out.
    pub lasting: f64,
    /// `true` if the bodies were found to touch here, when the step began. Gaps tell less: solvers bring them
    /// up to date.
    pub touching: bool,
    /// Number of points.
    pub count: u8,
    /// The points; only the first `count` mean anything.
    pub points: [TouchPoint; 4],
}

impl PartialEq for Touch {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
            && (self.normal, self.friction, self.lasting) == (other.normal, other.friction, other.lasting)
            && self.touching == other.touching
            && self.points() == other.points()
    }
}

impl fmt::Debug for Touch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Touch")
            .field("rows", &[self.a, self.b])
            .field("parts", &self.parts)
            .field("normal", &self.normal)
            .field("friction", &self.friction)
            .field("lasting", &self.lasting)
            .field("touching", &self.touching)
            .field("points", &self.points())
            .finish()
    }
}

impl Touch {
    /// No bodies, no points: what is to be filled in.
    pub(crate) const BLANK: Touch = Touch {
        a: 0,
        b: 0,
        parts: [0; 2],
        normal: Vec3::ZERO,
        friction: 0.0,
        lasting: 1.0,
        touching: false,
        count: 0,
        points: [EMPTY; 4],
    };

    /// Takes all that means something from another one, and leaves the rest.
    pub fn copy_from(&mut self, other: &Self) {
        (self.a, self.b, self.parts) = (other.a, other.b, other.parts);
        (self.normal, self.friction, self.touching) = (other.normal, other.friction, other.touching);
        (self.lasting, self.count) = (other.lasting, other.count);
        self.points_mut().copy_from_slice(other.points());
    }

    /// Takes what a solve has made of it, impulses and gaps, from a copy of itself.
    pub(crate) fn take_solved(&mut self, solved: &Self) {
        self.lasting = solved.lasting;
        for (mine, theirs) in self.points_mut().iter_mut().zip(solved.points()) {
            mine.gap = theirs.gap;
            mine.normal_impulse = theirs.normal_impulse;
            mine.friction_impulse = theirs.friction_impulse;
        }
    }

    /// The points.
    #[must_use]
    pub fn points(&self) -> &[TouchPoint] {
        &self.points[..usize::from(self.count)]
    }

    /// The points, to change.
    pub fn points_mut(&mut self) -> &mut [TouchPoint] {
        &mut self.points[..usize::from(self.count)]
    }

    /// Key that identifies and orders touches: rows, then parts.
    #[must_use]
    pub fn key(&self) -> (u32, u32, [u32; 2]) {
        (self.a, self.b, self.parts)
    }

    /// The total impulse on B in the last step, normal and friction.
    #[must_use]
    pub fn impulse(&self) -> Vec3 {
        self.points()
            .iter()
            .fold(Vec3::ZERO, |sum, point| sum + self.normal * point.normal_impulse + point.friction_impulse)
    }
}

/// Every contact, ordered by [`Touch::key`].
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Contacts {
    /// The touches: large, so copies of a state share them. Every step makes a list of its own.
    pub touches: Arc<Vec<Touch>>,
}

impl Table for Contacts {
    const NAME: &'static str = "contacts";
    const LIFE: Life = Life::State;

    fn words(&self, word: &mut dyn FnMut(u64)) {
        let vector = |v: Vec3, word: &mut dyn FnMut(u64)| v.to_array().iter().for_each(|x| word(x.to_bits()));
        for touch in self.touches.iter() {
            word(u64::from(touch.a) << 32 | u64::from(touch.b));
            word(u64::from(touch.parts[0]) << 32 | u64::from(touch.parts[1]));
            vector(touch.normal, word);
            word(touch.friction.to_bits());
            word(touch.lasting.to_bits());
            word(u64::from(touch.touching));
            for point in touch.points() {
                vector(point.arm_a, word);
                vector(point.arm_b, word);
                word(point.gap.to_bits());
                word(point.normal_impulse.to_bits());
                vector(point.friction_impulse, word);
            }
        }
    }

    fn is_finite(&self) -> bool {
        let fine =
            |point: &TouchPoint| point.normal_impulse.is_finite() && point.friction_impulse.is_finite();
        self.touches.iter().all(|touch| touch.points().iter().all(fine))
    }
}

/// Touches, the first `count` of which are of this step.
#[derive(Debug, Default)]
pub(crate) struct TouchList {
    pub(crate) touches: Vec<Touch>,
    pub(crate) count: usize,
}

impl TouchList {
    /// An empty list in the place of another.
    pub(crate) fn over(touches: Vec<Touch>) -> Self {
        Self { touches, count: 0 }
    }

    /// The next one, without points, to be filled in.
    pub(crate) fn next(&mut self) -> &mut Touch {
        if self.count == self.touches.len() {
            self.touches.push(Touch::BLANK);
        }
        self.count += 1;
        let touch = &mut self.touches[self.count - 1];
        touch.count = 0;
        touch
    }

    /// Touches of this step.
    pub(crate) fn filled(&self) -> &[Touch] {
        &self.touches[..self.count]
    }
}

/// Pairs of rows that began or ceased to touch since the last step.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct TouchChanges {
    /// Time at which the changes were found, s.
    pub time: f64,
    /// Pairs that touch now and did not before, in order.
    pub begun: Vec<[u32; 2]>,
    /// Pairs that touched before and do not now, in order.
    pub ended: Vec<[u32; 2]>,
}

impl Table for TouchChanges {
    const NAME: &'static str = "touch changes";
    const LIFE: Life = Life::Step;
}

impl TouchChanges {
    /// Compares the pairs that touched before with those that touch now, both in order.
    pub(crate) fn find(&mut self, time: f64, before: &[[u32; 2]], now: &[[u32; 2]]) {
        self.time = time;
        self.begun.clear();
        self.ended.clear();
        let (mut before, mut now) = (before, now);
        loop {
            let order = match (before.first(), now.first()) {
                (None, None) => return,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(old), Some(new)) => old.cmp(new),
            };
            if order != Ordering::Greater {
                self.ended.extend(before.first().filter(|_| order.is_lt()));
                before = &before[1..];
            }
            if order != Ordering::Less {
                self.begun.extend(now.first().filter(|_| order.is_gt()));
                now = &now[1..];
            }
        }
    }
}

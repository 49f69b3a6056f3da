//! Graphs of contacts in stacks, pyramids, on ramps and between any objects.

use super::{ContactGraph, DirectContact};
use crate::contexts::ids::{ActorId, Id};
use crate::contexts::touch::{Touch, touch};
use crate::contexts::trajectory::bounds::Placed;
use gedanken_geometry::narrow::Scratch;
use gedanken_geometry::{Cuboid, Shape};
use gedanken_math::rotation::about_axis;
use gedanken_math::{Pose, Vec3};
use proptest::prelude::*;

/// All that a graph says of one object.
#[derive(Clone, Debug, Default, PartialEq)]
struct Seen {
    /// Other objects that it reaches, each once: the nearest first, by contacts; of equals the first by name.
    reachable: Vec<usize>,
    /// `true` if there is a static one among them.
    path_to_static: bool,
    /// Objects in direct contact, the best aligned first; of equals the first by name.
    direct: Vec<DirectContact>,
}

impl ContactGraph {
    /// Other objects that one reaches, each once: the nearest first, by contacts; of equals the first by
    /// name.
    fn reachable(&self, object: usize) -> Vec<usize> {
        let Some(place) = self.place(id(object)) else { return Vec::new() };
        self.reached_from(place).iter().map(|&it| self.members[it].index()).collect()
    }

    /// All that the graph says of an object.
    fn look(&self, object: usize) -> Seen {
        Seen {
            reachable: self.reachable(object),
            path_to_static: self.path_to_static(id(object)),
            direct: self.direct(id(object)),
        }
    }
}

fn id(index: usize) -> ActorId {
    ActorId::new(index)
}

fn graph(touches: &[Touch], is_static: &[bool], direction: Vec3) -> ContactGraph {
    ContactGraph::new(touches, &is_static.to_vec().into(), direction)
}

const UP: Vec3 = Vec3::Z;
const DOWN: Vec3 = Vec3::NEG_Z;

fn touching(a: usize, b: usize, normal: Vec3) -> Touch {
    Touch {
        a: id(a),
        b: id(b),
        normal,
        point: Vec3::new(a as f64, b as f64, 0.0),
        gap: 0.0,
        farthest: 0.0,
        corners: Vec::new(),
    }
}

fn cuboid(lengths: [f64; 3], pose: Pose) -> Placed {
    Placed { shape: Shape::Cuboid(Cuboid::new(Vec3::from_array(lengths)).unwrap()), pose }
}

fn all_touches(objects: &[Placed]) -> Vec<Touch> {
    let mut scratch = Scratch::default();
    let mut found = Vec::new();
    for a in 0..objects.len() {
        for b in a + 1..objects.len() {
            let touch = touch(id(a), &objects[a], id(b), &objects[b], &mut scratch).unwrap();
            if touch.gap < 1e-9 {
                found.push(touch);
            }
        }
    }
    found
}

fn one(_: ActorId) -> Option<&'static [f64]> {
    Some(&[1.0])
}

#[test]
fn four_on_each_other() {
    // A static object below three others: the figure of the thesis.
    let touches: Vec<Touch> = (0..3).map(|k| touching(k, k + 1, UP)).collect();
    let is_static = [true, false, false, false];
    let (up, down) = (graph(&touches, &is_static, UP), graph(&touches, &is_static, DOWN * 7.0));
    assert_eq!(up.look(1).reachable, [2, 3]);
    assert!(!up.path_to_static(id(2)) && down.path_to_static(id(2)));
    assert_eq!(down.look(3).reachable, [2, 1, 0]);
    assert_eq!(down.look(3).direct, [DirectContact { object: id(2), normal: UP, point: touches[2].point }]);
    assert_eq!(up.look(1).direct, [DirectContact { object: id(2), normal: DOWN, point: touches[1].point }]);
    assert_eq!((up.sum(id(1), 1, one), up.sum(id(3), 1, one)), (vec![2.0], vec![0.0]));
    // "3 and 0 for object 1 and object 4", of which the first is static.
    assert_eq!((up.sum(id(0), 1, one), down.sum(id(0), 1, one)), (vec![3.0], vec![0.0]));
    assert_eq!((up.look(0).direct[0].object, up.path_to_static(id(0))), (id(1), false));
    // An object without a contact reaches none.
    assert_eq!(graph(&touches[1..], &is_static, UP).look(0).direct, []);
}

/// Rows of 4, 3, 2 and 1 bricks with gaps between them, each on two below, on a static floor.
#[test]
fn a_pyramid_counts_every_brick_once() {
    let mut objects = vec![cuboid([20.0, 20.0, 2.0], Pose::at(DOWN))];
    for (row, count) in [(0, 4), (1, 3), (2, 2), (3, 1)] {
        for k in 0..count {
            let x = 1.25 * (f64::from(k) - 0.5 * f64::from(count - 1));
            objects.push(cuboid([1.0, 1.0, 0.5], Pose::at(Vec3::new(x, 0.0, 0.25 + 0.5 * f64::from(row)))));
        }
    }
    let touches = all_touches(&objects);
    assert_eq!(touches.len(), 4 + 12);
    let mut is_static = vec![false; objects.len()];
    is_static[0] = true;
    let (up, down) = (graph(&touches, &is_static, UP), graph(&touches, &is_static, DOWN));
    assert_eq!(down.reachable(10), [8, 9, 5, 6, 7, 1, 2, 3, 4, 0]);
    assert_eq!(up.reachable(2), [5, 6, 8, 9, 10]);
    assert_eq!(up.sum(id(0), 1, one), [10.0]);
    assert_eq!(up.sums(1, one), [0.0, 3.0, 5.0, 5.0, 3.0, 2.0, 3.0, 2.0, 1.0, 1.0, 0.0]);
    assert_eq!(down.sums(1, one), [0.0, 1.0, 1.0, 1.0, 1.0, 3.0, 3.0, 3.0, 6.0, 6.0, 10.0]);
    assert!((1..=10).all(|k| down.path_to_static(id(k)) && !up.path_to_static(id(k))));
    let rows = down.direct(id(10));
    assert_eq!(rows.iter().map(|it| it.object.index()).collect::<Vec<_>>(), [8, 9]);
    assert!(rows.iter().all(|it| it.normal == UP));
    // The top brick overlaps each of the two below by 0.375 along x.
    assert!((rows[0].point - Vec3::new(-0.3125, 0.0, 1.5)).length() < 1e-14, "{}", rows[0].point);
}

#[test]
fn two_on_a_ramp() {
    // A ramp that falls along x, turned about y by 0.4; two cubes lie on it, side by side, a third lies on
    // the lower one.
    let frame = Pose::new(about_axis(1, 0.4), Vec3::ZERO);
    let at = |x: f64, z: f64| frame * Pose::at(Vec3::new(x, 0.0, z));
    let ramp = cuboid([10.0, 10.0, 1.0], at(0.0, -0.5));
    let cube = |x, z| cuboid([1.0; 3], at(x, z));
    let objects = [cube(-0.5, 0.5), cube(0.5, 0.5), cube(0.5, 1.5), ramp];
    let (touches, is_static) = (all_touches(&objects), [false, false, false, true]);
    // 0-1, 0-3, 1-2, 1-3, and the edge that 0 and 2 share.
    assert_eq!(touches.len(), 5);
    let across = frame.vector_to_world(Vec3::Z);
    let along = frame.vector_to_world(Vec3::X);
    let down = graph(&touches, &is_static, DOWN);
    let rows = down.direct(id(0));
    // The ramp is steeper below than the cubes ahead: cos 0.4 against sin 0.4. The edge shared with 2 has the
    // normal of a face.
    assert_eq!(rows.iter().map(|it| it.object.index()).collect::<Vec<_>>(), [3, 1, 2]);
    assert!((rows[0].normal - across).length() < 1e-15 && (rows[1].normal + along).length() < 1e-15);
    assert!(down.path_to_static(id(2)) && !graph(&touches, &is_static, UP).path_to_static(id(2)));
    // Along the ramp the ramp itself is not seen.
    let ahead = graph(&touches[..4], &is_static, along);
    assert!(!ahead.reachable(0).contains(&3) && ahead.reachable(0).contains(&1));
}

#[test]
fn a_graze_is_no_support() {
    let lean = |part: f64| Vec3::new((1.0 - part * part).sqrt(), 0.0, part);
    let is_static = [false, true];
    let sees = |part: f64| !graph(&[touching(0, 1, -lean(part))], &is_static, DOWN).reachable(0).is_empty();
    assert!(sees(0.011) && !sees(0.009) && !sees(0.0) && !sees(-0.5));
    // A direction may be of any length but zero.
    for scale in [1e-300, 1e300] {
        assert_eq!(graph(&[touching(0, 1, DOWN)], &is_static, DOWN * scale).reachable(0), [1]);
    }
    assert!(graph(&[touching(0, 1, DOWN)], &is_static, Vec3::ZERO).reachable(0).is_empty());
}

#[test]
fn equal_alignments_are_told_by_name() {
    // Two walls of a groove, the one that rounding favours last by name.
    let [left, right] = [Vec3::new(-0.6, 0.0, -0.8), Vec3::new(0.6, 0.0, -0.8 - 1e-15)];
    let seen = graph(&[touching(0, 2, right), touching(0, 1, left)], &[false, true, true], DOWN);
    assert_eq!(seen.direct(id(0)).iter().map(|it| it.object.index()).collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn a_tower_of_ten_thousand() {
    let count = 10_000;
    let mut is_static = vec![false; count];
    is_static[0] = true;
    let touches: Vec<Touch> = (1..count).map(|k| touching(k - 1, k, UP)).collect();
    let (up, down) = (graph(&touches, &is_static, UP), graph(&touches, &is_static, DOWN));
    assert_eq!(down.reachable(count - 1), (0..count - 1).rev().collect::<Vec<_>>());
    let (above, below) = (up.sums(1, one), down.sums(1, one));
    for k in 1..count {
        assert_eq!((above[k], below[k]), ((count - 1 - k) as f64, k as f64));
        assert!(down.path_to_static(id(k)) && !up.path_to_static(id(k)));
    }
    // Every way is straight: no member is searched by itself.
    assert_eq!((up.straight.len(), down.straight.len()), (count, count));
}

#[test]
fn who_leans_on_each_other_in_a_ring() {
    // Each of three leans on the next: all reach both others, and none itself.
    let lean = Vec3::new(0.8, 0.0, -0.6);
    let touches = [touching(0, 1, lean), touching(1, 2, lean), touching(2, 0, lean)];
    let seen = graph(&touches, &[false; 3], DOWN);
    assert_eq!(seen.reachable(1), [2, 0]);
    assert_eq!(seen.sums(1, one), [2.0; 3]);
}

const OBJECTS: usize = 9;

/// Contacts with normals of all directions between objects by number.
fn touches() -> impl Strategy<Value = Vec<Touch>> {
    let normal = prop::array::uniform3(-1.0..1.0f64)
        .prop_map(Vec3::from_array)
        .prop_filter("a direction", |it| it.length() > 0.1)
        .prop_map(Vec3::normalize);
    let touch = (0..OBJECTS, 0..OBJECTS, normal).prop_map(|(a, b, normal)| touching(a, b, normal));
    prop::collection::vec(touch, 0..16)
}

fn statics() -> impl Strategy<Value = Vec<bool>> {
    prop::collection::vec(prop::bool::weighted(0.2), OBJECTS)
}

/// Number of contacts from one object to each other, by relaxing until nothing changes. A static object that is
/// reached ends the path.
fn steps(touches: &[Touch], is_static: &[bool], from: usize, direction: Vec3) -> Vec<Option<usize>> {
    let mut steps = vec![None; OBJECTS];
    steps[from] = Some(0);
    for _ in 0..OBJECTS {
        for touch in touches.iter().filter(|it| it.a != it.b) {
            for (a, b, normal) in [(touch.a, touch.b, -touch.normal), (touch.b, touch.a, touch.normal)] {
                let (a, b) = (a.index(), b.index());
                let Some(far) = steps[a].filter(|_| a == from || !is_static[a]) else { continue };
                if normal.dot(direction) < -0.01 && steps[b].is_none_or(|it| it > far + 1) {
                    steps[b] = Some(far + 1);
                }
            }
        }
    }
    steps
}

proptest! {
    #[test]
    fn what_is_seen_is_what_touches_lead_to(touches in touches(), is_static in statics(), from in 0..OBJECTS) {
        let seen = graph(&touches, &is_static, DOWN);
        let steps = steps(&touches, &is_static, from, DOWN);
        let mut expected: Vec<(usize, usize)> =
            (0..OBJECTS).filter(|&it| it != from).filter_map(|it| Some((steps[it]?, it))).collect();
        expected.sort_unstable();
        let expected: Vec<usize> = expected.into_iter().map(|it| it.1).collect();
        let look = seen.look(from);
        prop_assert_eq!(look.path_to_static, expected.iter().any(|&it| is_static[it]));
        let mut direct: Vec<usize> = look.direct.iter().map(|it| it.object.index()).collect();
        direct.sort_unstable();
        let near: Vec<usize> = (0..OBJECTS).filter(|&it| steps[it] == Some(1)).collect();
        prop_assert_eq!(direct, near);
        prop_assert!(look.direct.is_sorted_by(|p, q| p.normal.z >= q.normal.z - 1e-8));
        prop_assert_eq!(look.reachable, expected);
    }

    /// All at once or one by one, in any order of contacts, seen from either side: the same bits.
    #[test]
    fn sums_do_not_depend_on_the_way_they_are_made(
        (touches, shuffled) in touches().prop_flat_map(|it| (Just(it.clone()), Just(it).prop_shuffle())),
        is_static in statics(),
        values in prop::collection::vec(prop::option::weighted(0.8, prop::array::uniform3(-1.0..1.0f64)), OBJECTS),
    ) {
        let seen = graph(&touches, &is_static, DOWN);
        let shuffled: Vec<Touch> = shuffled.into_iter().map(Touch::swapped).collect();
        let other = graph(&shuffled, &is_static, DOWN);
        let value = |object: ActorId| values[object.index()].as_ref().map(|it| it.as_slice());
        let sums = seen.sums(3, value);
        prop_assert_eq!(&sums, &other.sums(3, value));
        for (k, member) in seen.members().iter().map(|it| it.index()).enumerate() {
            let sum = seen.sum(id(member), 3, value);
            if !is_static[member] {
                prop_assert_eq!(&sums[3 * k..3 * k + 3], &sum[..]);
            }
            let reachable = seen.reachable(member);
            let exact: f64 = reachable.iter().filter_map(|&it| values[it]).map(|it| it[1]).sum();
            prop_assert!((sum[1] - exact).abs() < 1e-14);
            prop_assert_eq!(seen.look(member), other.look(member));
        }
    }
}

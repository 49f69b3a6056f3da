//! Broad phases against all pairs, compared one by one: the same answers from every kind, whatever the
//! history.

use gedanken_geometry::Ray;
use gedanken_geometry::bounds::Aabb;
use gedanken_geometry::broad::{BroadError, BroadPhase, MAX_ID, Manager};
use gedanken_math::Vec3;
use proptest::prelude::*;
use std::collections::BTreeMap;

const KINDS: [BroadPhase; 4] = [
    BroadPhase::SweepAndPrune,
    BroadPhase::UniformGrid { cell: 1.0 },
    BroadPhase::UniformGrid { cell: 0.07 },
    BroadPhase::Tree,
];

fn managers() -> Vec<Manager> {
    KINDS.iter().map(|&kind| Manager::new(kind).unwrap()).collect()
}

/// All pairs, one by one.
fn brute(boxes: &BTreeMap<u32, Aabb>) -> Vec<(u32, u32)> {
    let mut found = Vec::new();
    for (&i, a) in boxes {
        for (&j, b) in boxes.range(i + 1..) {
            let apart = (0..3).any(|k| a.max[k] < b.min[k] || b.max[k] < a.min[k]);
            if !apart {
                found.push((i, j));
            }
        }
    }
    found
}

/// Corners on a coarse lattice or anywhere, so that touching, flat and coincident boxes abound; some huge,
/// some infinite.
fn any_box() -> impl Strategy<Value = Aabb> {
    let lattice = (prop::array::uniform3(-6..6i32), prop::array::uniform3(0..3i32)).prop_map(|(c, h)| {
        let (c, h) = (c.map(f64::from), h.map(f64::from));
        Aabb::around(Vec3::from_array(c) * 0.5, Vec3::from_array(h) * 0.25)
    });
    let anywhere = (prop::array::uniform3(-4.0..4.0f64), prop::array::uniform3(0.0..0.6f64))
        .prop_map(|(c, h)| Aabb::around(Vec3::from_array(c), Vec3::from_array(h)));
    let huge = (prop::array::uniform3(-4.0..4.0f64), 1.0..1e9f64)
        .prop_map(|(c, h)| Aabb::around(Vec3::from_array(c), Vec3::new(h, 0.1, h)));
    let far = prop::array::uniform3(-1e300..1e300f64)
        .prop_map(|c| Aabb::new(Vec3::from_array(c).min(Vec3::ZERO), Vec3::from_array(c).max(Vec3::ZERO)));
    let infinite = (-4.0..4.0f64, 0..4usize).prop_map(|(at, k)| match k {
        0 => Aabb::INFINITE,
        1 => Aabb::new(Vec3::NEG_INFINITY, Vec3::new(f64::INFINITY, f64::INFINITY, at)),
        2 => Aabb::new(Vec3::new(at, at, f64::NEG_INFINITY), Vec3::new(at + 1.0, at, f64::INFINITY)),
        _ => Aabb::new(Vec3::splat(at), Vec3::INFINITY),
    });
    prop_oneof![10 => lattice, 10 => anywhere, 1 => huge, 1 => far, 1 => infinite]
}

#[derive(Debug, Clone)]
enum Change {
    Put(u32, Aabb),
    Nudge(u32, Vec3),
    Remove(u32),
    /// Files all boxes in between, then looks for those in a region.
    Settle(Aabb),
    Ask,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        6 => (0..60u32, any_box()).prop_map(|(id, b)| Change::Put(id, b)),
        6 => (0..60u32, prop::array::uniform3(-0.05..0.05f64))
            .prop_map(|(id, d)| Change::Nudge(id, Vec3::from_array(d))),
        2 => (0..60u32).prop_map(Change::Remove),
        1 => any_box().prop_map(Change::Settle),
        1 => Just(Change::Ask),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_kind_finds_all_pairs_through_any_history(changes in prop::collection::vec(change(), 1..150)) {
        let mut all = managers();
        let mut boxes: BTreeMap<u32, Aabb> = BTreeMap::new();
        let mut out = vec![(9, 9)];
        for change in changes.iter().chain([&Change::Ask, &Change::Ask]) {
            match *change {
                Change::Put(id, aabb) => {
                    for m in &mut all {
                        if boxes.contains_key(&id) { m.update(id, aabb).unwrap() } else { m.insert(id, aabb).unwrap() }
                    }
                    boxes.insert(id, aabb);
                }
                Change::Nudge(id, by) => {
                    if let Some(aabb) = boxes.get_mut(&id) {
                        *aabb = Aabb::new(aabb.min + by, aabb.max + by);
                        for m in &mut all {
                            m.update(id, *aabb).unwrap();
                        }
                    }
                }
                Change::Remove(id) => {
                    let there = boxes.remove(&id).is_some();
                    for m in &mut all {
                        prop_assert_eq!(m.remove(id), if there { Ok(()) } else { Err(BroadError::Missing { id }) });
                    }
                }
                Change::Settle(region) => {
                    let met = boxes.iter().filter(|(_, aabb)| aabb.intersects(&region));
                    let truth: Vec<u32> = met.map(|(id, _)| *id).collect();
                    let mut found = Vec::new();
                    for (m, kind) in all.iter_mut().zip(KINDS) {
                        m.settle();
                        m.region(&region, &mut found).unwrap();
                        prop_assert_eq!(&found, &truth, "{:?}", kind);
                    }
                }
                Change::Ask => {
                    let truth = brute(&boxes);
                    for (m, kind) in all.iter_mut().zip(KINDS) {
                        m.pairs(&mut out);
                        prop_assert_eq!(&out, &truth, "{:?}", kind);
                        prop_assert_eq!(m.len(), boxes.len());
                    }
                }
            }
        }
    }

    #[test]
    fn regions_and_rays_find_all(
        boxes in prop::collection::vec(any_box(), 0..60), region in any_box(), settled in any::<bool>(),
        origin in prop::array::uniform3(-5.0..5.0f64), direction in prop::array::uniform3(-1..2i32), t_max in 0.0..9.0f64,
    ) {
        let t_max = if t_max > 8.0 { f64::INFINITY } else { t_max };
        let ray = Ray::new(Vec3::from_array(origin), Vec3::from_array(direction.map(f64::from)));
        let mut all = managers();
        let (mut out, mut pairs) = (Vec::new(), Vec::new());
        let ids = || (0..boxes.len() as u32).zip(&boxes);
        let in_region: Vec<u32> = ids().filter(|(_, b)| b.intersects(&region)).map(|(i, _)| i).collect();
        let met: Vec<u32> = ids().filter(|(_, b)| b.cast_ray(&ray, t_max).is_some()).map(|(i, _)| i).collect();
        for m in &mut all {
            for (i, &b) in ids().rev().filter(|(i, _)| i % 2 == 0) {
                m.insert(i, b).unwrap();
            }
            if settled {
                m.pairs(&mut pairs);
            }
            for (i, &b) in ids().filter(|(i, _)| i % 2 == 1) {
                m.insert(i, b).unwrap();
            }
            m.region(&region, &mut out).unwrap();
            prop_assert_eq!(&out, &in_region);
            m.ray(&ray, t_max, &mut out).unwrap();
            prop_assert_eq!(&out, &met);
        }
    }

    /// A ray meets a box if a point of it, found by walking along the ray, is inside; and the entry is on the
    /// box.
    #[test]
    fn rays_enter_boxes_where_points_do(
        b in any_box(), origin in prop::array::uniform3(-5.0..5.0f64), direction in prop::array::uniform3(-1.0..1.0f64),
    ) {
        let ray = Ray::new(Vec3::from_array(origin), Vec3::from_array(direction));
        let hit = b.cast_ray(&ray, 10.0);
        let inside = (0..=1000).map(|i| 0.01 * f64::from(i)).find(|&t| b.contains(&Aabb::new(ray.at(t), ray.at(t))));
        if let Some(t) = inside {
            prop_assert!(hit.is_some_and(|enter| enter <= t && t - enter <= 10.0));
        }
        if let Some(enter) = hit {
            // The coordinates are at most 15, their rounding 15 ε; the far end may be off by 4 ε · 10.
            prop_assert!(b.fattened(60.0 * f64::EPSILON).contains(&Aabb::new(ray.at(enter), ray.at(enter))));
        }
    }
}

#[test]
fn touching_coincident_and_flat_boxes_are_found() {
    let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
    let point = Aabb::new(Vec3::ONE, Vec3::ONE);
    let needle = Aabb::new(Vec3::new(1.0, 1.0, -5.0), Vec3::new(1.0, 1.0, 5.0));
    let plate = Aabb::new(Vec3::new(-3.0, -3.0, 1.0), Vec3::new(3.0, 3.0, 1.0));
    let beyond = Aabb::new(Vec3::splat(1.0f64.next_up()), Vec3::splat(2.0));
    for mut m in managers() {
        for (id, b) in (0..).zip([unit, unit, point, needle, plate, beyond]) {
            m.insert(id, b).unwrap();
        }
        let mut out = Vec::new();
        m.pairs(&mut out);
        let first_five: Vec<(u32, u32)> = (0..5).flat_map(|i| (i + 1..5).map(move |j| (i, j))).collect();
        assert_eq!(out, first_five);
    }
}

/// The longest interval is longer than its rounded length: the box begins just below where rounding would
/// look.
#[test]
fn rounded_lengths_hide_nothing() {
    for mut m in managers() {
        m.insert(0, Aabb::new(Vec3::new(-1e-17, 0.0, 0.0), Vec3::new(1.0, 0.1, 0.1))).unwrap();
        m.insert(1, Aabb::new(Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.5, 0.1, 0.1))).unwrap();
        let mut out = Vec::new();
        m.pairs(&mut out);
        assert_eq!(out, [(0, 1)]);
    }
}

#[test]
fn what_is_no_box_is_refused_and_changes_nothing() {
    let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
    let nan = Aabb::new(Vec3::new(0.0, f64::NAN, 0.0), Vec3::ONE);
    let reversed = Aabb::new(Vec3::ONE, Vec3::ZERO);
    let nowhere = Aabb::new(Vec3::INFINITY, Vec3::INFINITY);
    for mut m in managers() {
        m.insert(0, unit).unwrap();
        for bad in [nan, reversed, nowhere, Aabb::EMPTY] {
            assert_eq!(m.insert(1, bad), Err(BroadError::BadBox { id: 1 }));
            assert_eq!(m.update(0, bad), Err(BroadError::BadBox { id: 0 }));
            assert_eq!(m.region(&bad, &mut Vec::new()), Err(BroadError::BadQuery { what: "region" }));
        }
        assert_eq!(m.insert(0, unit), Err(BroadError::Taken { id: 0 }));
        assert_eq!(m.insert(MAX_ID, unit), Err(BroadError::IdTooLarge { id: MAX_ID }));
        assert_eq!(m.update(7, unit), Err(BroadError::Missing { id: 7 }));
        assert_eq!(m.get(0), Some(&unit));
        assert_eq!((m.get(1), m.len()), (None, 1));
        let bad_ray = Ray::new(Vec3::NAN, Vec3::X);
        assert!(matches!(m.ray(&bad_ray, 1.0, &mut Vec::new()), Err(BroadError::BadQuery { .. })));
        assert!(m.ray(&Ray::new(Vec3::ZERO, Vec3::X), f64::NAN, &mut Vec::new()).is_err());
    }
    for cell in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(Manager::new(BroadPhase::UniformGrid { cell }), Err(BroadError::BadCell { .. })));
    }
}

/// Thousands of boxes, of which a part leaps and a part creeps in every frame: long enough for trees to be
/// built anew, boxes to leave their margins, and tables to grow and shrink.
#[test]
fn large_moving_scenes_agree_with_all_pairs() {
    let mut seed = 2026u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1u64 << 53) as f64
    };
    let mut boxes: BTreeMap<u32, Aabb> = BTreeMap::new();
    let mut all = managers();
    let mut out = Vec::new();
    let mut found = 0;
    for frame in 0..30 {
        for id in 0..1200u32 {
            let mut place = || Vec3::new(random(), random(), random());
            let (at, step) = (place() * 10.0, place() - Vec3::splat(0.5));
            let size = 0.05 + 0.5 * random();
            let what = random();
            let new = match boxes.get(&id).copied() {
                None if frame == 0 || what < 0.3 => Aabb::around(at, Vec3::splat(size)),
                None => continue,
                Some(_) if what < 0.02 => {
                    boxes.remove(&id);
                    all.iter_mut().for_each(|m| m.remove(id).unwrap());
                    continue;
                }
                Some(b) if what < 0.07 => Aabb::around(at, b.half_extents()),
                Some(b) if what < 0.5 => Aabb::new(b.min + step * 0.05, b.max + step * 0.05),
                Some(_) => continue,
            };
            let known = boxes.insert(id, new).is_some();
            for m in &mut all {
                if known { m.update(id, new).unwrap() } else { m.insert(id, new).unwrap() }
            }
        }
        let truth = brute(&boxes);
        found += truth.len();
        for (m, kind) in all.iter_mut().zip(KINDS) {
            m.pairs(&mut out);
            assert_eq!(out, truth, "frame {frame}, {kind:?}");
        }
    }
    assert!(found > 30_000, "a scene with {found} pairs in 30 frames proves little");
}

/// Few boxes under ids far apart, all of which move: tables are mostly empty, and trees are built anew in
/// every frame.
#[test]
fn ids_far_apart_are_found() {
    let mut all = managers();
    let mut out = Vec::new();
    for frame in 0..6 {
        let mut boxes = BTreeMap::new();
        for k in 0..40u32 {
            let turn = f64::from(k * (frame + 3));
            let centre = Vec3::new(libm::sin(turn), libm::cos(1.7 * turn), libm::sin(0.6 * turn));
            boxes.insert(k * 997, Aabb::around(centre, Vec3::splat(0.2)));
        }
        let truth = brute(&boxes);
        assert!(truth.len() > 10, "a scene with {} pairs proves little", truth.len());
        for (m, kind) in all.iter_mut().zip(KINDS) {
            for (&id, &aabb) in &boxes {
                if frame == 0 { m.insert(id, aabb).unwrap() } else { m.update(id, aabb).unwrap() }
            }
            m.pairs(&mut out);
            assert_eq!(out, truth, "frame {frame}, {kind:?}");
        }
    }
}

#[test]
fn managers_can_be_shared_and_sent() {
    fn shared<T: Send + Sync + Clone>() {}
    shared::<Manager>();
}

//! Queries allocate nothing after warm-up, and everything is `Send + Sync`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

mod narrow_support;

use gedanken_geometry::narrow::{self, Manifold, Scratch, manifolds};
use narrow_support::Random;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts the allocations of this thread.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

#[allow(unsafe_code, reason = "an allocator can be written in no other way; it only counts and hands on")]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn queries_allocate_nothing_after_warm_up() {
    let (mut random, mut scratch, mut out) = (Random(21), Scratch::default(), Vec::<Manifold>::new());
    let pairs: Vec<_> = (0..720)
        .map(|k| (random.shape(k % 6), random.pose(0.8), random.shape(k / 6 % 6), random.pose(0.8)))
        .collect();
    let mut pass = || {
        for (a, p, b, q) in &pairs {
            narrow::distance(a, p, b, q, &mut scratch).unwrap();
            narrow::contact(a, p, b, q, &mut scratch).unwrap();
            narrow::intersects(a, p, b, q, &mut scratch).unwrap();
            manifolds(a, p, b, q, 0.02, &mut scratch, &mut out).unwrap();
        }
    };
    pass();
    let before = COUNT.with(Cell::get);
    pass();
    assert_eq!(COUNT.with(Cell::get), before);
}

#[test]
fn all_of_it_goes_to_other_threads() {
    fn shareable<T: Send + Sync>() {}
    shareable::<Scratch>();
    shareable::<Manifold>();
    shareable::<narrow::QueryError>();
    shareable::<narrow::Distance>();
    shareable::<gedanken_geometry::sweep::UniformMotion>();
}

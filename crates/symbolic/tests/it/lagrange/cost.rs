//! Cost of deriving and comparing, counted twice: in steps, the account that bounds it, and in requests for
//! memory, which show whether that account misses something.

use super::oracle::cases;
use crate::counting;
use gedanken_symbolic::Pool;
use gedanken_symbolic::lagrange::Effort;

/// Steps for the equations of one system, and for one comparison.
const MOST_STEPS: u64 = 1_100_000;
/// Requests for memory within a step, on the average, and those of what is not counted in steps.
const REQUESTS_PER_STEP: u64 = 8;
const OTHER_REQUESTS: u64 = 200_000;

/// Does it, and fails if it has cost too much.
#[track_caller]
fn bounded<T>(pool: &mut Pool, what: &str, part: impl FnOnce(&mut Pool) -> T) -> T {
    let (steps, requests) = (pool.work(), counting::asked());
    let result = part(pool);
    let (steps, requests) = (pool.work() - steps, counting::asked() - requests);
    assert!(steps <= MOST_STEPS, "{what}: {steps} steps");
    assert!(
        requests <= REQUESTS_PER_STEP * steps + OTHER_REQUESTS,
        "{what}: {requests} requests in {steps} steps"
    );
    result
}

/// Whatever the Lagrangian, and however alike the two are that are compared.
#[test]
fn equations_and_comparisons_are_bounded() {
    for case in cases() {
        let mut pool = Pool::new();
        let system = case.system(&mut pool);
        let derive = |pool: &mut Pool, effort: Effort| {
            bounded(pool, case.name, |pool| system.equations(pool, effort)).expect("SymPy has derived them")
        };
        let (readable, plain) = (derive(&mut pool, Effort::Readable), derive(&mut pool, Effort::Plain));
        let pairs = readable.motion.iter().zip(&plain.motion).chain(readable.right.iter().zip(&plain.right));
        let written = readable.accelerations.iter().flatten().zip(plain.accelerations.iter().flatten());
        for (&a, &b) in pairs.chain(written) {
            let equal = bounded(&mut pool, case.name, |pool| pool.is_equal(a, b));
            assert_ne!(equal, Some(false), "{}", case.name);
        }
    }
}

/// Systems of textbooks take little of what is allowed.
#[test]
fn systems_of_books_are_far_from_the_bound() {
    for case in cases().into_iter().filter(|case| !case.name.starts_with("random")) {
        let mut pool = Pool::new();
        case.equations(&mut pool, Effort::Readable);
        assert!(pool.work() < MOST_STEPS / 5, "{}: {} steps", case.name, pool.work());
    }
}

//! Constructors change no value, depend on no order, and are idempotent.

use super::random::{NAMES, at, point, tree};
use crate::reader::{read, read_truth};
use gedanken_symbolic::{Node, Pool};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;

/// Several times as many cases as usual; each is small.
pub(crate) fn many(times: u32) -> ProptestConfig {
    let usual = ProptestConfig::default();
    ProptestConfig { cases: times * usual.cases, failure_persistence: None, ..usual }
}

#[test]
fn values_stay() {
    let (all, compared) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(many(8));
    let outcome = runner.run(&(tree(), point()), |(tree, point)| {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool, false);
        all.set(all.get() + 1);
        if let Some(expected) = tree.value(&point) {
            compared.set(compared.get() + 1);
            let found = pool.evaluate(expr, &|symbol| at(pool.name(symbol), &point));
            prop_assert!(
                (found - expected).abs() <= 1e-6 * (1.0 + expected.abs()),
                "{} is {found}, not {expected}",
                pool.text(expr)
            );
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    assert!(3 * compared.get() > all.get(), "{} of {} compared", compared.get(), all.get());
}

proptest! {
    #![proptest_config(many(8))]

    #[test]
    fn read_back_the_same(tree in tree()) {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool, false);
        let text = pool.text(expr);
        let again = read(&mut pool, &text);
        prop_assert_eq!(again, expr, "{} came back as {}", text, pool.text(again));
        let mut other = Pool::new();
        let copy = read(&mut other, &text);
        prop_assert_eq!(other.text(copy), text);
    }

    #[test]
    fn nothing_is_left_to_do(tree in tree()) {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool, false);
        for part in pool.parts_of([expr]) {
            let again = pool.rebuilt(part, &mut |_, part| part);
            prop_assert_eq!(again, part, "{} became {}", pool.text(part), pool.text(again));
            if let &Node::Choice(condition, ..) = pool.node(part) {
                let text = pool.truth_text(condition);
                prop_assert_eq!(read_truth(&mut pool, &text), condition, "{}", text);
            }
        }
    }

    #[test]
    fn age_does_not_matter(tree in tree(), first in tree()) {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool, false);
        // Here other names and other parts are older.
        let mut other = Pool::new();
        for name in NAMES.iter().rev() {
            other.symbol(name);
        }
        first.build(&mut other, true);
        let same = tree.build(&mut other, true);
        prop_assert_eq!(pool.text(expr), other.text(same));
    }

    #[test]
    fn the_order_is_one(tree in tree()) {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool, false);
        let mut parts = pool.parts_of([expr]);
        parts.sort_by(|a, b| pool.order(*a, *b));
        for (place, &a) in parts.iter().enumerate() {
            for &b in &parts[place + 1..] {
                prop_assert!(pool.order(a, b).is_lt() && pool.order(b, a).is_gt());
            }
        }
    }
}

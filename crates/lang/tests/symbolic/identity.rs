//! Print, then read: the same expression.

use crate::dice::Dice;
use crate::random::expression as random;
use gedanken_lang::symbolic::expression;
use gedanken_symbolic::Pool;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn print_then_read_is_the_identity(seed in any::<u64>()) {
        let mut pool = Pool::new();
        let mut dice = Dice::new(seed);
        let depth = 1 + dice.below(5);
        let expr = random(&mut pool, &mut dice, depth);
        let text = pool.text(expr);
        match expression(&mut pool, &text) {
            Ok(read) => prop_assert_eq!(read, expr, "{} is read as {}", &text, pool.text(read)),
            // Expressions that never have a value are refused.
            Err(diagnostics) => prop_assert!(
                diagnostics.iter().all(|it| ["E501", "E502", "E503", "E504", "E506"].contains(&it.code.as_str())),
                "{text}: {diagnostics:?}"
            ),
        }
    }
}

#[test]
fn numbers_of_any_length() {
    let mut pool = Pool::new();
    for text in ["10^400", "1e400", "123456789012345678901234567890/7", "0.1", "1e-400", "2^(1/3)", "9.81"] {
        let expr = expression(&mut pool, text).unwrap();
        let printed = pool.text(expr);
        assert_eq!(expression(&mut pool, &printed), Ok(expr), "{text} is printed as {printed}");
    }
    let tenth = expression(&mut pool, "0.1").unwrap();
    assert_eq!(tenth, pool.rational(1, 10));
}

/// More terms than the parser takes in a row.
#[test]
fn long_sums_and_products() {
    let mut pool = Pool::new();
    let symbols: Vec<_> = (0..1500).map(|index| pool.symbol(&format!("x{index}"))).collect();
    for expr in [pool.sum(&symbols), pool.product(&symbols)] {
        let printed = pool.text(expr);
        assert_eq!(expression(&mut pool, &printed), Ok(expr));
    }
}

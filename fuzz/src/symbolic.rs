//! Any text as a formula: read or refused with reasons, never a panic or an endless computation. What is read
//! and written again is the same formula, every notation can show it, and what is simplified is still equal
//! to it.

use gedanken_lang::symbolic::{Notation, Pool, expression, show, text};
use gedanken_lang::value::Shaped;

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(input) = std::str::from_utf8(bytes) else { return };
    let mut pool = Pool::new();
    let expr = match expression(&mut pool, input) {
        Ok(expr) => expr,
        Err(diagnostics) => {
            assert!(diagnostics.iter().any(|it| it.is_error()));
            return;
        }
    };
    for notation in [Notation::Vfl, Notation::Latex, Notation::MathMl, Notation::Unicode] {
        show(&pool, expr, notation);
    }
    if let Ok(written) = text(&pool, &Shaped::Real(expr)) {
        // A formula whose text is deeper than the parser reads is not read back.
        if let Ok(again) = expression(&mut pool, &written) {
            assert_eq!(again, expr, "{input} is written {written}");
        }
    }
    let short = pool.simplify(expr);
    assert_ne!(
        pool.is_equal(expr, short),
        Some(false),
        "{input} became {}",
        show(&pool, short, Notation::Vfl)
    );
}

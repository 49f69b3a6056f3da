//! Programs that must not compile: they mix dimensions, or touch columns that a rule did not declare.
//!
//! The compiler's answers are kept beside the programs; `TRYBUILD=overwrite cargo test --test compile_fail`
//! renews them after a change of compiler.

#[test]
fn nonsense_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/compile_fail/*.rs");
}

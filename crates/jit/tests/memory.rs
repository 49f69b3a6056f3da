//! Code is freed with its program. Alone in its file, hence in its process: it looks at the memory of all of
//! it.

mod support;

use gedanken_lang::arithmetic::Unary;
use gedanken_lang::ir::{Access, Node, NodeId};
use support::{Sketch, run};

/// Pages in memory, where the system tells (Linux).
fn resident() -> Option<usize> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    pages.split_whitespace().nth(1)?.parse().ok()
}

#[test]
fn memory_is_given_back() {
    let mut sketch = Sketch::new(1);
    let sine = sketch.node(Node::Unary(Unary::Sin, NodeId(0)));
    sketch.output(sine);
    let compile_and_run = || {
        let (results, _) = run(&sketch.compile(&[Access::Each]), 1, &[&[1.0]]);
        assert_eq!(results, [[libm::sin(1.0)]]);
    };
    compile_and_run();
    let before = resident();
    for _ in 0..1_000 {
        compile_and_run();
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        assert!(after < before + 500, "{before} pages before, {after} after 1000 programs of a page or more");
    }
}

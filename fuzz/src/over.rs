//! Any text as the value of `--over`: values in their order or a refusal in words, never a panic.

use gedanken_lab::sweep::{Axis, Grid, MAX_RUNS};

/// The target.
pub fn run(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match Axis::read(text) {
        Ok(axis) => {
            let count = axis.count();
            assert!((1..=MAX_RUNS).contains(&count), "{text}");
            for number in [0, count / 2, count - 1] {
                assert!(axis.value(number).is_finite(), "{text}");
            }
            let read: f64 = axis.setting(count - 1).text.parse().expect("a number is written as one");
            assert_eq!(read, axis.value(count - 1), "{text}");
            assert!(Grid::new(vec![axis.clone()]).is_ok() && Grid::new(vec![axis.clone(), axis]).is_err());
        }
        Err(why) => assert!(!why.is_empty(), "{text}"),
    }
}

//! Flags do not add up, so a sum of flags cannot be declared.

use gedanken_dynamics::{Attribute, Frame, Rule, add};

struct OnGround;

impl Attribute for OnGround {
    type Value = bool;
    const NAME: &'static str = "on_ground";
    const SYMBOL: &'static str = "g";
    const UNIT: &'static str = "1";
    const FRAME: Frame = Frame::Invariant;
    const WRITERS: &'static [&'static str] = &[];
}

fn main() {
    let _ = Rule::new("count", add::<OnGround>(), |_, flags| flags[0] = true);
}

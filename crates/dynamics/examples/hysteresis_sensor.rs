//! A first look: a ball falls, a contact sensor notices the floor, and the ball bounces.
//!
//! The sensor has one tick of hysteresis: the event rule `set` raises a flag when the ball is below the
//! floor, and `clear` takes it down one tick later. Between the two, `bounce` sees the flag. Run it with
//! `cargo run --example hysteresis_sensor`.

#![expect(clippy::print_stdout, reason = "an example talks to the terminal")]

use gedanken_dynamics::*;
use gedanken_math::units::{METRE, SECOND};
use std::fmt::Write;

/// `true` if a body touches the floor, at this tick.
struct OnGround;

impl Attribute for OnGround {
    type Value = bool;
    const NAME: &'static str = "on_ground";
    const SYMBOL: &'static str = "g";
    const UNIT: &'static str = "1";
    const FRAME: Frame = Frame::Invariant;
    const WRITERS: &'static [&'static str] = &["set", "clear"];
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    print!("{}", table()?);
    Ok(())
}

/// Ten steps, one line each.
pub(crate) fn table() -> Result<String, Box<dyn std::error::Error>> {
    // What there is, and what is known of it.
    let model = Model::new(Components::atoms(["ball"])?)
        .with::<Position<OneD>>()
        .with::<Velocity<OneD>>()
        .with::<OnGround>();
    let ball = model.id("ball")?;
    let mut state = model.state();
    state.set::<Position<OneD>>(ball, 1.5 * METRE)?;
    state.set::<OnGround>(ball, false)?;

    // What happens in a step: small rules that declare what they read and write.
    let g = 10.0 * METRE / (SECOND * SECOND);
    let row = ball.row();
    let fall =
        Rule::new("fall", (write::<Position<OneD>>(), write::<Velocity<OneD>>()), move |step, (r, v)| {
            v[row] += -1.0 * g * step.h;
            r[row] += v[row] * step.h;
        });
    let set =
        Rule::event("set", (read::<Position<OneD>>(), write::<OnGround>()), move |_, (r, on_ground)| {
            on_ground[row] = r[row] < 0.0 * METRE;
        });
    let bounce =
        Rule::new("bounce", (read::<OnGround>(), write::<Velocity<OneD>>()), move |_, (on_ground, v)| {
            if on_ground[row] {
                v[row] = v[row].abs();
            }
        });
    let clear = Rule::event("clear", (write::<OnGround>(), phenomena()), move |_, (on_ground, mut out)| {
        if std::mem::take(&mut on_ground[row]) {
            out.emit(ball, "touched the floor");
        }
    });

    // One after the other. Side by side (`par`) these rules would be refused: they share cells.
    let workflow = (fall.advancing() >> set >> bounce >> clear).build(&model)?;

    let mut table = String::from(" t (s)   tick   height (m)\n");
    let mut scratch = workflow.scratch();
    for _ in 0..10 {
        let report = workflow.step(&mut state, &mut scratch, 0.125 * SECOND)?;
        let events: String =
            report.phenomena.iter().map(|p| format!("   {} at tick {}", p.name, p.tick)).collect();
        let height = state.get::<Position<OneD>>(ball)?.si();
        writeln!(table, "{:6.3} {:6} {height:12.5}{events}", state.time().si(), state.tick())?;
    }
    Ok(table)
}

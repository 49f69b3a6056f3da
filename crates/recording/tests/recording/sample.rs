//! A small recording made by hand, with one of everything.

use gedanken_lang::types::Type;
use gedanken_recording::{
    Constant, Event, EventKind, Frame, Notice, Owner, Quantity, Recording, Schema, Sink, hash_row,
};

/// A ball that falls onto a floor: `x = 1 − t²` until it bounces at t = 1, every quarter of a second.
///
/// The ball has a context attribute `e` in two contexts, `free` and `rolling`; `free` is index 1.
pub(crate) fn schema() -> Schema {
    let quantity =
        |owner, name: &str, ty, context, start| Quantity { owner, name: name.to_owned(), ty, context, start };
    let constant = |owner, name: &str, ty, scalars| Constant { owner, name: name.to_owned(), ty, scalars };
    let (ball, floor) = (Owner::Object(0), Owner::Object(1));
    Schema {
        engine: "0.1.0".to_owned(),
        text: "object ball { }\n\"quoted\", é".to_owned(),
        path: "ball.lab".to_owned(),
        imports: vec![("a.vfl".to_owned(), "f(x) = x".to_owned())],
        simulation: "fall".to_owned(),
        parameters: vec!["g=1.62".to_owned()],
        initial_time: 0.0,
        duration: 2.5,
        frame_rate: 4.0,
        objects: vec!["ball".to_owned(), "floor".to_owned()],
        contexts: vec!["bounce".to_owned(), "free".to_owned(), "rolling".to_owned()],
        quantities: vec![
            quantity(Owner::World, "wind", Type::vector(2), None, 0),
            quantity(ball, "position", Type::vector(3), None, 2),
            quantity(ball, "touches", Type::Bool, None, 5),
            quantity(ball, "e", Type::Real, Some(1), 6),
            quantity(ball, "e", Type::Real, Some(2), 7),
            quantity(floor, "stress", Type::matrix(2, 2), None, 8),
            quantity(Owner::Measure, "energy", Type::Real, None, 12),
        ],
        constants: vec![
            constant(Owner::World, "g", Type::Real, vec![9.81]),
            constant(ball, "mass", Type::Real, vec![0.1]),
            constant(floor, "normal", Type::vector(3), vec![0.0, -0.0, 1.0]),
        ],
        contacts: false,
        derived: vec![("L".to_owned(), "0.5 * x_dot^2".to_owned())],
    }
}

pub(crate) const NO_VALUE: f64 = f64::NAN;

/// The row at frame `k`: free until frame 3, rolling after it.
pub(crate) fn row(k: usize) -> Vec<f64> {
    let t = k as f64 / 4.0;
    let (touches, free, rolling) = if k < 4 { (0.0, t, NO_VALUE) } else { (1.0, NO_VALUE, -t) };
    vec![0.5, t, 0.0, 0.0, 1.0 - t * t, touches, free, rolling, 1.0, 2.0, 3.0, 4.0 + t, 1e-7]
}

pub(crate) fn event() -> Event {
    Event {
        index: 0,
        time: 0.9,
        kind: EventKind::Collision,
        context: Some(0),
        objects: vec![1, 0],
        given: vec![("collisionPoint".to_owned(), vec![0.0, 0.1, 0.2])],
        before: vec![0.5, 0.9, 0.0, 0.0, 0.19, 0.0, 0.9, NO_VALUE, 1.0, 2.0, 3.0, 4.0, 7.0],
        after: vec![0.5, 0.9, 0.0, 0.0, 0.19, 1.0, NO_VALUE, -0.9, 1.0, 2.0, 3.0, 4.5, 6.0],
    }
}

/// An event of the ball alone, without context.
pub(crate) fn lone_event() -> Event {
    Event {
        index: 1,
        time: 1.1,
        kind: EventKind::FreeFall,
        context: None,
        objects: vec![0],
        given: Vec::new(),
        before: vec![0.5, 1.1, 0.0, 0.0, 0.0, 1.0, NO_VALUE, -1.1, 6.0],
        after: vec![0.5, 1.1, 0.0, 0.0, 8.0, 1.0, NO_VALUE, -1.1, 6.0],
    }
}

/// Hands everything to a sink, calling `between` after each frame.
pub(crate) fn play(sink: &mut dyn Sink, mut between: impl FnMut(&mut dyn Sink)) -> std::io::Result<()> {
    for k in 0..8 {
        if k == 4 {
            sink.event(&event())?;
        }
        if k == 5 {
            sink.event(&lone_event())?;
            sink.notice(&Notice { time: 1.1, message: "ball: \"up\", again".to_owned() })?;
        }
        let row = row(k);
        let keyframe: Option<&[u8]> = (k % 3 == 0).then_some(&[7, 0, 255]);
        sink.frame(Frame {
            index: k as u64,
            time: k as f64 / 4.0,
            row: &row,
            hash: hash_row(&row),
            contacts: &[],
            keyframe,
        })?;
        between(sink);
    }
    Ok(())
}

pub(crate) fn recording() -> Recording {
    let mut recording = Recording::new(schema());
    play(&mut recording, |_| {}).unwrap();
    recording
}

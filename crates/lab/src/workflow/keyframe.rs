//! A state as bytes: everything that a run needs to go on from a frame, and a sign of what it belongs to.
//!
//! Six words of eight bytes, little-endian: a mark, the fingerprint of what changes, the frame, the tick, the
//! number of events so far, the number of reals; then the reals that rules change, recorded or not. What
//! never changes is in the experiment, and measures follow from the state.

use super::layout::Layout;
use gedanken_recording::{Owner, Quantity};

/// `gworkfl` and a version.
const MARK: u64 = u64::from_le_bytes(*b"gworkfl1");

/// What a keyframe holds.
#[derive(Debug, PartialEq)]
pub(super) struct Keyframe {
    pub(super) frame: u64,
    pub(super) tick: u64,
    pub(super) events: u64,
    pub(super) row: Vec<f64>,
}

impl Keyframe {
    pub(super) fn to_bytes(&self, layout: &Layout) -> Vec<u8> {
        let header = [MARK, fingerprint(layout), self.frame, self.tick, self.events, self.row.len() as u64];
        let words = header.into_iter().chain(self.row.iter().map(|real| real.to_bits()));
        words.flat_map(u64::to_le_bytes).collect()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) has written, or says why it cannot.
    pub(super) fn from_bytes(bytes: &[u8], layout: &Layout) -> Result<Self, String> {
        let (words, rest) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let [MARK, sign, frame, tick, events, length, row @ ..] = words.as_slice() else {
            return Err("it is not one of a workflow".to_owned());
        };
        if *sign != fingerprint(layout) {
            return Err("it belongs to another experiment, whose attributes or rules are others".to_owned());
        }
        let row: Vec<f64> = row.iter().map(|&bits| f64::from_bits(bits)).collect();
        let width = layout.changing.last().map_or(0, Quantity::end);
        let whole = rest.is_empty() && *length == row.len() as u64 && row.len() == width;
        if !whole || !row.iter().all(|real| real.is_finite()) {
            return Err("it is damaged".to_owned());
        }
        Ok(Self { frame: *frame, tick: *tick, events: *events, row })
    }
}

/// A hash of what changes of whom: FNV-1a over names and types.
fn fingerprint(layout: &Layout) -> u64 {
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    let mut take = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    };
    let schema = &layout.schema;
    take(&schema.simulation);
    for quantity in &layout.changing {
        match quantity.owner {
            Owner::World => take("world"),
            Owner::Object(object) => take(&schema.objects[object]),
            Owner::Measure => take("measure"),
        }
        take(&quantity.name);
        take(&quantity.ty.to_string());
    }
    schema.contexts.iter().for_each(|event| take(event));
    hash
}

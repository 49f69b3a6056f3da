//! A run as bytes: everything that it needs to go on from a frame, and a sign of what it belongs to.
//!
//! Words of eight bytes, little-endian: a mark, the fingerprint of bodies and laws, the frame, the number of
//! events so far; then the words of the simulation. Shapes, laws and joints are in the experiment, and
//! measures follow from the state.

use gedanken_rigid::World;

/// `grigid` and a version.
const MARK: u64 = u64::from_le_bytes(*b"grigid 1");

/// What a keyframe holds.
#[derive(Debug, PartialEq)]
pub(super) struct Keyframe {
    pub(super) frame: u64,
    pub(super) events: u64,
    pub(super) words: Vec<u64>,
}

impl Keyframe {
    pub(super) fn to_bytes(&self, sign: u64) -> Vec<u8> {
        let header = [MARK, sign, self.frame, self.events];
        header.into_iter().chain(self.words.iter().copied()).flat_map(u64::to_le_bytes).collect()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) has written, or says why it cannot.
    pub(super) fn from_bytes(bytes: &[u8], own_sign: u64) -> Result<Self, String> {
        let (words, rest) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let [MARK, sign, frame, events, words @ ..] = words.as_slice() else {
            return Err("it is not one of rigid bodies".to_owned());
        };
        if *sign != own_sign {
            return Err("it belongs to another experiment, whose objects or laws are others".to_owned());
        }
        if !rest.is_empty() {
            return Err("it is damaged".to_owned());
        }
        Ok(Self { frame: *frame, events: *events, words: words.to_vec() })
    }
}

/// A hash of who takes part and what acts on them: FNV-1a over names.
pub(super) fn fingerprint(simulation: &str, world: &World) -> u64 {
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    let mut take = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    };
    take(simulation);
    let components = world.model().components();
    components.iter().for_each(|id| take(components.name(id)));
    world.laws().terms().iter().for_each(|term| take(&term.label));
    world.constraints().iter().for_each(|it| take(it.name()));
    hash
}

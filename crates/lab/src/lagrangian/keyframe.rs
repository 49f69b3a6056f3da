//! A run as bytes: everything that it needs to go on from a frame, and a sign of what it belongs to.
//!
//! Words of eight bytes, little-endian: a mark, the fingerprint of the system, the frame, the number of
//! events so far; then the reals of the state. Equations are in the experiment, and all that is recorded
//! follows from the state.

use gedanken_experiment::Lagrangian;
use gedanken_symbolic::lagrange::EquationsOfMotion;

/// `glagra` and a version.
const MARK: u64 = u64::from_le_bytes(*b"glagra 1");

/// What a keyframe holds.
#[derive(Debug, PartialEq)]
pub(super) struct Keyframe {
    pub(super) frame: u64,
    pub(super) events: u64,
    pub(super) reals: Vec<f64>,
}

impl Keyframe {
    pub(super) fn to_bytes(&self, sign: u64) -> Vec<u8> {
        let header = [MARK, sign, self.frame, self.events];
        header
            .into_iter()
            .chain(self.reals.iter().map(|it| it.to_bits()))
            .flat_map(u64::to_le_bytes)
            .collect()
    }

    /// Reads what [`to_bytes`](Self::to_bytes) has written, or says why it cannot.
    pub(super) fn from_bytes(bytes: &[u8], own_sign: u64) -> Result<Self, String> {
        let (words, rest) = bytes.as_chunks::<8>();
        let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
        let [MARK, sign, frame, events, reals @ ..] = words.as_slice() else {
            return Err("it is not one of a Lagrangian".to_owned());
        };
        if *sign != own_sign {
            return Err(
                "it belongs to another experiment, whose energies or coordinates are others".to_owned()
            );
        }
        if !rest.is_empty() {
            return Err("it is damaged".to_owned());
        }
        let reals = reals.iter().map(|it| f64::from_bits(*it)).collect();
        Ok(Self { frame: *frame, events: *events, reals })
    }
}

/// A hash of what moves: FNV-1a over names and the Lagrangian, or the Hamiltonian.
pub(super) fn fingerprint(simulation: &str, lagrangian: &Lagrangian) -> u64 {
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    let mut take = |text: &str| {
        for byte in text.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    };
    take(simulation);
    take(&lagrangian.name);
    lagrangian.system.coordinates.iter().for_each(|it| take(&it.name));
    take(&lagrangian.pool.text(match &lagrangian.equations {
        EquationsOfMotion::Lagrange(it) => it.lagrangian,
        EquationsOfMotion::Hamilton(it) => it.hamiltonian,
    }));
    lagrangian.system.constraints.iter().for_each(|it| take(&it.name));
    lagrangian.stops.iter().for_each(|it| take(&it.name));
    hash
}

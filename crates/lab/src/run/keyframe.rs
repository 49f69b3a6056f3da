//! Keyframes: all that a run needs to go on from a frame, as bytes, in one format for every mechanics.
//!
//! Words of eight bytes, little-endian:
//!
//! | words | |
//! |---|---|
//! | mark | `gedankey`, of every keyframe |
//! | version | of this format |
//! | checksum | of all that follows |
//! | mechanics | its number |
//! | fingerprint | hash of the names of simulation, objects, contexts and laws |
//! | frame, time | number of the frame, and its time |
//! | events | number of events so far |
//! | notices | number of notices that have been told; then their texts |
//! | state | as the mechanics [saves](super::mechanism::Mechanism::save) it, to the end |
//!
//! Values that never change are in the experiment, and measures follow from the state. A keyframe does not
//! depend on what is recorded, nor on the duration.

use super::options::Stop;
use super::words::{Hash, Words, WordsReader};
use gedanken_experiment::Mechanics;
use std::collections::BTreeSet;

/// First word of every keyframe.
const MARK: u64 = u64::from_le_bytes(*b"gedankey");

/// Version of the format.
const VERSION: u64 = 2;

/// Words before those that the checksum covers.
const BEFORE: usize = 3;

/// Kind and identity of runs whose keyframes fit each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sign<'e> {
    /// Mechanics of the simulation.
    pub(crate) mechanics: &'e Mechanics,
    /// Hash of the names of simulation, objects, contexts and laws.
    pub(crate) fingerprint: u64,
}

/// Contents of every keyframe beside the state.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Header {
    /// Number of the frame.
    pub(crate) frame: u64,
    /// Its time.
    pub(crate) time: f64,
    /// Number of events so far.
    pub(crate) events: u64,
    /// Keys of notices that have been told.
    pub(crate) told: BTreeSet<String>,
}

/// Names of the mechanics, by their numbers in keyframes.
const MECHANICS: [&str; 5] = ["contexts", "a workflow", "rigid bodies", "a Lagrangian", "a mechanism"];

/// Number of a mechanics in keyframes.
fn number(mechanics: &Mechanics) -> usize {
    match mechanics {
        Mechanics::Contexts(_) => 0,
        Mechanics::Workflow(_) => 1,
        Mechanics::Rigid(_) => 2,
        Mechanics::Lagrangian(_) => 3,
        Mechanics::Mechanism(_) => 4,
    }
}

/// A keyframe as bytes; `save` writes the state.
pub(crate) fn to_bytes(sign: Sign<'_>, header: &Header, save: impl FnOnce(&mut Words)) -> Vec<u8> {
    let mut words = Words::default();
    words.index(number(sign.mechanics));
    words.word(sign.fingerprint);
    words.word(header.frame);
    words.real(header.time);
    words.word(header.events);
    words.index(header.told.len());
    header.told.iter().for_each(|key| words.text(key));
    save(&mut words);
    let own = words.as_slice();
    [MARK, VERSION, checksum(own)].iter().chain(own).flat_map(|word| word.to_le_bytes()).collect()
}

/// Words of a keyframe, checked: those after the checksum.
pub(crate) fn words(bytes: &[u8]) -> Result<Vec<u64>, Stop> {
    let refuse = |why: &str| Err(Stop::Keyframe(why.to_owned()));
    let (words, rest) = bytes.as_chunks::<8>();
    let words: Vec<u64> = words.iter().map(|word| u64::from_le_bytes(*word)).collect();
    match words.as_slice() {
        [MARK, VERSION, sum, own @ ..] if rest.is_empty() && *sum == checksum(own) => {}
        [MARK, VERSION, ..] | [MARK] => {
            return refuse("it is damaged: some of its bytes are missing or changed");
        }
        [MARK, other, ..] => {
            return refuse(&format!(
                "it has version {other} of the format, and this program reads version {VERSION}"
            ));
        }
        _ => return refuse("it is not a keyframe"),
    }
    Ok(words[BEFORE..].to_vec())
}

/// Reads the header from the words of a keyframe, and refuses those of other runs.
pub(crate) fn header(reader: &mut WordsReader<'_>, own: Sign<'_>) -> Result<Header, Stop> {
    let refuse = |why: String| Err(Stop::Keyframe(why));
    let (found, number) = (reader.index(MECHANICS.len())?, number(own.mechanics));
    if found != number {
        return refuse(format!("it is one of {}, not of {}", MECHANICS[found], MECHANICS[number]));
    }
    if reader.word()? != own.fingerprint {
        return refuse("it belongs to another experiment, whose objects or laws are others".to_owned());
    }
    let (frame, time, events) = (reader.word()?, reader.real()?, reader.word()?);
    let told = (0..reader.length()?).map(|_| reader.text()).collect::<Result<_, Stop>>()?;
    Ok(Header { frame, time, events, told })
}

fn checksum(words: &[u64]) -> u64 {
    let mut hash = Hash::new();
    hash.word(words.len() as u64);
    words.iter().for_each(|word| hash.word(*word));
    hash.value()
}

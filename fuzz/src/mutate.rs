//! Mutations of stored inputs, the same in every run.

/// Source of random numbers: SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// The sequence of a seed.
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, or 0.
    pub fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }
}

/// Pieces of text that mean something to one of the readers.
const PIECES: [&str; 32] = [
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "=",
    "#",
    ".",
    ",",
    "\n",
    "\n\n",
    "\"",
    "//",
    "-",
    "^",
    "/",
    "*",
    "@",
    "if ",
    " then ",
    " else ",
    "1e308",
    "0",
    "-1",
    "previous(",
    "mandatory ",
    "name = ",
    "import ",
    "t0",
    "é",
    "\u{0}",
];
/// Numbers that readers of bytes get wrong.
const NUMBERS: [u64; 8] = [0, 1, 0x7F, 0x80, 0xFFFF_FFFF, 0x7FFF_FFFF, u64::MAX, 0x7FF0_0000_0000_0000];
/// Longest input, so that no single one takes long.
const MAX_BYTES: usize = 1 << 16;

/// Changes an input in one to four places; `other` lends it parts.
pub fn mutate(dice: &mut Dice, input: &[u8], other: &[u8]) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..=dice.below(4) {
        change(dice, &mut bytes, other);
        bytes.truncate(MAX_BYTES);
    }
    bytes
}

fn change(dice: &mut Dice, bytes: &mut Vec<u8>, other: &[u8]) {
    let at = dice.below(bytes.len() + 1);
    let length = 1 + dice.below(24);
    let to = (at + length).min(bytes.len());
    match dice.below(9) {
        0 => flip(dice, bytes),
        1 => drop(bytes.drain(at..to)),
        2 => {
            let again = bytes[at..to].to_vec();
            insert(bytes, at, &again);
        }
        3 => insert(bytes, at, PIECES[dice.below(PIECES.len())].as_bytes()),
        4 => {
            let from = dice.below(other.len());
            insert(bytes, at, &other[from..(from + 4 * length).min(other.len())]);
        }
        5 => bytes.truncate(at),
        6 => {
            let number = NUMBERS[dice.below(NUMBERS.len())].to_le_bytes();
            let width = [1, 2, 4, 8][dice.below(4)].min(bytes.len() - at);
            bytes[at..at + width].copy_from_slice(&number[..width]);
        }
        7 => {
            // Nesting is what parsers run out of stack with.
            let piece = PIECES[dice.below(6)].repeat(1 << dice.below(9));
            insert(bytes, at, piece.as_bytes());
        }
        _ => {
            let digit = bytes.iter().skip(at).position(u8::is_ascii_digit);
            match digit {
                Some(found) => bytes[at + found] = b'0' + dice.below(10) as u8,
                None => flip(dice, bytes),
            }
        }
    }
}

fn flip(dice: &mut Dice, bytes: &mut [u8]) {
    let at = dice.below(bytes.len());
    if let Some(byte) = bytes.get_mut(at) {
        *byte ^= 1 << dice.below(8);
    }
}

fn insert(bytes: &mut Vec<u8>, at: usize, piece: &[u8]) {
    bytes.splice(at..at, piece.iter().copied());
}

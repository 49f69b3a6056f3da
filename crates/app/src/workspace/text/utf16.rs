//! Positions in a text: byte offsets of the checker and UTF-16 offsets of browsers.

/// Map between byte offsets and UTF-16 offsets of one text.
#[derive(Debug)]
pub(crate) struct Utf16Map {
    /// Characters of more than one byte. Between them both offsets advance equally.
    wide: Vec<Wide>,
    bytes: usize,
}

#[derive(Debug)]
struct Wide {
    /// Start of the character, in bytes and in units.
    byte: usize,
    unit: usize,
    /// Start of the next character.
    next_byte: usize,
    next_unit: usize,
}

impl Utf16Map {
    pub(crate) fn new(text: &str) -> Self {
        let mut wide = Vec::new();
        let mut unit = 0;
        for (byte, c) in text.char_indices() {
            let next_unit = unit + c.len_utf16();
            if !c.is_ascii() {
                wide.push(Wide { byte, unit, next_byte: byte + c.len_utf8(), next_unit });
            }
            unit = next_unit;
        }
        Self { wide, bytes: text.len() }
    }

    /// Returns the UTF-16 offset of a byte. A byte inside a character counts as its start, one beyond the end
    /// as the end.
    pub(crate) fn before(&self, byte: usize) -> u32 {
        let byte = byte.min(self.bytes);
        let after = self.wide.partition_point(|it| it.byte < byte);
        let units = match after.checked_sub(1).map(|last| &self.wide[last]) {
            None => byte,
            Some(last) if byte < last.next_byte => last.unit,
            Some(last) => last.next_unit + (byte - last.next_byte),
        };
        u32::try_from(units).unwrap_or(u32::MAX)
    }

    /// Returns the byte offset of a unit: inside a character its start, beyond the end the end.
    pub(crate) fn byte(&self, unit: u32) -> usize {
        let unit = unit as usize;
        let after = self.wide.partition_point(|it| it.unit < unit);
        let byte = match after.checked_sub(1).map(|last| &self.wide[last]) {
            None => unit,
            Some(last) if unit < last.next_unit => last.byte,
            Some(last) => last.next_byte + (unit - last.next_unit),
        };
        byte.min(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways_agree_with_counting() {
        for text in ["", "plain", "größer ω²", "a𝛼b—c𝛼", "é", "日本 x"] {
            let units = Utf16Map::new(text);
            for (byte, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let counted = text[..byte].encode_utf16().count();
                assert_eq!(units.before(byte) as usize, counted, "{text} {byte}");
                assert_eq!(units.byte(counted as u32), byte, "{text} {byte}");
            }
            assert_eq!(units.before(text.len() + 9) as usize, text.encode_utf16().count());
            assert_eq!(units.byte(u32::MAX), text.len());
        }
    }

    #[test]
    fn inside_a_character_is_its_beginning() {
        let units = Utf16Map::new("a𝛼b");
        assert_eq!([1, 2, 3, 4, 5].map(|byte| units.before(byte)), [1, 1, 1, 1, 3]);
        assert_eq!([1, 2, 3].map(|unit| units.byte(unit)), [1, 1, 5]);
    }
}

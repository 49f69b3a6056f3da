//! Numbers in bulk: a binary message is a head that says what follows, then the numbers.
//!
//! ```text
//! u32     length of the head in bytes, a multiple of 4 such that the numbers begin at a multiple of 8
//! bytes   the head: JSON, padded with spaces
//! numbers little-endian: f32 for poses, f64 for columns
//! ```

use serde::Serialize;

/// Header of a binary message.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "chunk", rename_all = "snake_case")]
pub(crate) enum ChunkHead {
    /// For every frame, for every body that moves: x, y, z, then the quaternion w, x, y, z, as f32.
    Poses {
        /// Number of the request; 0 if there was none.
        id: u32,
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// Index of the first frame.
        first: u32,
        /// Number of frames from one to the next.
        stride: u32,
        /// Number of frames.
        frames: u32,
        /// Number of moving bodies.
        bodies: u32,
    },
    /// For every series: its times, then its values, as f64. NaN is no value.
    Columns {
        /// Number of the request.
        id: u32,
        /// Number of the run.
        run: u32,
        /// Revision of the text.
        revision: u32,
        /// Series that follow, in this order.
        series: Vec<SeriesHead>,
    },
}

/// One series.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct SeriesHead {
    /// Index of the formula in the request.
    pub(crate) formula: u32,
    /// Label in a legend: `ball.v#1`.
    pub(crate) label: String,
    /// Number of points.
    pub(crate) points: u32,
    /// Reason why values are missing.
    pub(crate) problem: Option<String>,
}

/// A binary message: head and numbers.
pub(crate) fn encode(head: &ChunkHead, numbers: &[u8]) -> Vec<u8> {
    let mut json = serde_json::to_vec(head).expect("a head has no maps, so it is JSON");
    // Four bytes stand before the head: together they fill whole groups of eight.
    json.resize((json.len() + 4).next_multiple_of(8) - 4, b' ');
    let length = u32::try_from(json.len()).expect("a head is short");
    let mut message = Vec::with_capacity(4 + json.len() + numbers.len());
    message.extend_from_slice(&length.to_le_bytes());
    message.extend_from_slice(&json);
    message.extend_from_slice(numbers);
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_begin_where_a_page_can_read_them_in_place() {
        for label in ["v", "ball.v", "norm(ball.v)", "ball.position#1"] {
            let series = vec![SeriesHead { formula: 0, label: label.to_owned(), points: 1, problem: None }];
            let message = encode(&ChunkHead::Columns { id: 1, run: 2, revision: 3, series }, &[7; 16]);
            let length = u32::from_le_bytes(message[..4].try_into().expect("four bytes")) as usize;
            assert_eq!((4 + length) % 8, 0);
            assert_eq!(&message[4 + length..], [7; 16]);
            let head: serde_json::Value = serde_json::from_slice(&message[4..4 + length]).expect("JSON");
            assert_eq!(head["series"][0]["label"], label);
        }
    }
}

//! Checksums computed as `docs/recordings.md` defines them, from what other readers of Arrow see.

use crate::sample;
use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type, UInt64Type};
use arrow_array::{Array, RecordBatch};
use arrow_ipc::reader::FileReader;
use arrow_schema::DataType;
use gedanken_recording::arrow::{ArrowSink, finish_arrow};
use std::io::Cursor;

const KEYS: [&str; 16] = [
    "format",
    "engine",
    "text",
    "path",
    "imports",
    "simulation",
    "parameters",
    "initial_time",
    "duration",
    "frame_rate",
    "objects",
    "contexts",
    "quantities",
    "constants",
    "derived",
    "recording",
];

fn mix(state: u64, word: u64) -> u64 {
    let z = (state ^ word).wrapping_add(0x9E3779B97F4A7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58476D1CE4E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D049BB133111EB);
    z ^ (z >> 31)
}

fn word_of_bytes(bytes: &[u8]) -> u64 {
    let mut padded = bytes.to_vec();
    while !padded.len().is_multiple_of(8) {
        padded.push(0);
    }
    let mut lanes = [1, 2, 3, 4];
    for k in 0..padded.len() / 8 {
        let word = u64::from_le_bytes(padded[8 * k..8 * k + 8].try_into().unwrap());
        lanes[k % 4] = mix(lanes[k % 4], word);
    }
    let [a, b, c, d] = lanes;
    mix(bytes.len() as u64, a ^ b.rotate_left(16) ^ c.rotate_left(32) ^ d.rotate_left(48))
}

fn word_of_cell(column: &dyn Array, row: usize) -> u64 {
    let is_null = column.is_null(row);
    match column.data_type() {
        DataType::Float64 if is_null => 0x7FF8000000000000,
        DataType::Float64 => column.as_primitive::<Float64Type>().value(row).to_bits(),
        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row),
        DataType::Int64 => column.as_primitive::<Int64Type>().value(row) as u64,
        _ if is_null => 0,
        DataType::Utf8 => word_of_bytes(column.as_string::<i32>().value(row).as_bytes()),
        DataType::Binary => word_of_bytes(column.as_binary::<i32>().value(row)),
        other => panic!("{other}"),
    }
}

fn check(file: Vec<u8>) {
    let reader = FileReader::try_new(Cursor::new(file), None).unwrap();
    let schema = reader.schema();
    let mut checksum = 0;
    for key in KEYS {
        if let Some(value) = schema.metadata().get(key) {
            checksum = mix(mix(checksum, word_of_bytes(key.as_bytes())), word_of_bytes(value.as_bytes()));
        }
    }
    assert_eq!(schema.metadata().get("checksum"), Some(&format!("{checksum:016x}")));
    let seal = reader.custom_metadata().clone();
    let mut rows = 0;
    let batches: Vec<RecordBatch> = reader.collect::<Result<_, _>>().unwrap();
    for batch in &batches {
        let (written, cells) = batch.columns().split_last().unwrap();
        for row in 0..batch.num_rows() {
            let sum = cells.iter().fold(0, |sum, column| mix(sum, word_of_cell(column, row)));
            checksum = mix(checksum, sum);
            assert_eq!(written.as_primitive::<UInt64Type>().value(row), checksum, "row {rows}");
            rows += 1;
        }
    }
    assert!(rows > 7);
    assert_eq!(seal.get("rows"), Some(&rows.to_string()));
    assert_eq!(seal.get("checksum"), Some(&format!("{checksum:016x}")));
}

#[test]
fn others_compute_the_same_checksums() {
    let recording = sample::recording();
    let mut sink = ArrowSink::new(Vec::new(), Vec::new(), &recording.schema).unwrap();
    recording.replay(&mut sink).unwrap();
    let (frames, events) = sink.into_inner().unwrap();
    for stream in [frames, events] {
        let mut file = Vec::new();
        finish_arrow(&*stream, &mut file).unwrap();
        check(file);
    }
}

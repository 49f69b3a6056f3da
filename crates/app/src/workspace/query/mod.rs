//! Answers from the recording of a run: columns over time, values at one moment, tables and lists of events.

pub(crate) mod columns;
pub(crate) mod contacts;
pub(crate) mod downsample;
pub(crate) mod event_list;
pub(crate) mod quantities;
pub(crate) mod tables;

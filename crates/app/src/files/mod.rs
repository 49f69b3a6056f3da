//! Files on disk: reading text, writing files whole or not at all, and recordings.

pub(crate) mod disk;
pub(crate) mod new_file;
pub(crate) mod recording_file;

//! Files on disk: reading them, and every way in which the binary writes one.
//!
//! There are two kinds of written files, and no third: clippy refuses all other ways (`clippy.toml`).
//!
//! - **Whole files** ([`whole_file`]): texts that `fmt` lays out, exports of a session, plots, examples,
//!   saves of the page, and the files of `export`, which are locked as well ([`claim`]). The new content is
//!   written to a hidden file beside the old one, synced, given the mode (and where allowed the owner) of the
//!   old one, and renamed; then the folder is synced. A kill, a full disk or a power cut leaves the old file
//!   or the new one, never a part of it.
//! - **Growing files** ([`claim`], [`new_file`]): recordings, tables and lists of events of a run. They have
//!   their own name from the first byte, or wait as `NAME.part` beside the file that they replace at the end.
//!   They are locked while they are written, flushed every second, and synced at the end. Parts that an
//!   earlier run left are kept under a name with their date ([`leftover`]).
//!
//! Rules for both kinds:
//!
//! - A symbolic link stays a link, and what it leads to is replaced. A hard link is parted: the other names
//!   keep the old content, which a note says. Otherwise no write could be whole.
//! - A file or folder that the user may not write to is an error before anything changes.
//! - Pipes, devices and open descriptors (`/dev/stdout`) are written as they are.
#![allow(clippy::disallowed_methods, reason = "this is the module that all others write files with")]

pub(crate) mod claim;
pub(crate) mod disk;
mod leftover;
mod lock;
pub(crate) mod new_file;
mod place;
pub(crate) mod recording_file;
mod sweep;
mod temporary;
#[cfg(test)]
pub(crate) mod test_folder;
mod utc;
pub(crate) mod whole_file;

pub(crate) use place::is_same;
pub(crate) use sweep::sweep;

//! The commands, one file each.

pub(crate) mod accuracy;
pub(crate) mod check;
pub(crate) mod derive;
pub(crate) mod eval;
pub(crate) mod examples;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod fmt;
pub(crate) mod inspect;
pub(crate) mod lab;
pub(crate) mod new;
pub(crate) mod plot;
pub(crate) mod repl;
pub(crate) mod run;
pub(crate) mod sweep;
pub(crate) mod trace;

//! What every file of the repository owes its reader. Each check reports all offenders at once and says how
//! to make peace with it.

mod citations;
mod excerpts;
mod imports;
mod links;
mod manifests;
mod repository;
mod sources;

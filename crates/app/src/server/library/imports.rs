//! The files that an experiment may import: those of its folder, then the libraries of the gallery.

use super::safe_path::{EXPERIMENT, Missing, printable, resolve_below};
use crate::files::disk::Disk;
use crate::wire::Origin;
use gedanken_experiment::{Files, gallery};
use std::path::PathBuf;

/// Files that experiments of one origin can import. Paths are relative to the experiment: `week1/drop.lab`
/// that imports `"solids.vfl"` gets `week1/solids.vfl`.
#[derive(Clone, Debug)]
pub(super) struct Imports {
    /// A real path; `None` for experiments of the gallery, which need nothing else.
    folder: Option<PathBuf>,
    /// Folder of the experiment below the library folder: `week1`; empty for that folder itself.
    beside: String,
}

impl Imports {
    pub(super) fn new(folder: Option<PathBuf>, origin: &Origin) -> Self {
        match origin {
            Origin::Gallery { .. } => Self { folder: None, beside: String::new() },
            Origin::Page {} => Self { folder, beside: String::new() },
            Origin::Folder { name } => {
                let beside = name.rsplit_once('/').map_or("", |(beside, _)| beside).to_owned();
                Self { folder, beside }
            }
        }
    }

    /// The file of the folder, or else the one of the gallery.
    fn find<T>(
        &self,
        path: &str,
        read: impl FnOnce(&str) -> Result<T, String>,
        known: impl FnOnce(&'static str) -> T,
    ) -> Result<T, String> {
        // Where the system has another separator, paths come with it.
        let path = path.replace(std::path::MAIN_SEPARATOR, "/");
        if let Some(folder) = &self.folder {
            match resolve_below(folder, &joined(&self.beside, &path)?) {
                Ok(real) => return read(&real.to_string_lossy()),
                Err(Missing::Refused(why)) => return Err(why),
                Err(Missing::Absent) => {}
            }
        }
        let file = gallery::FILES.iter().find(|file| file.name == path && !path.ends_with(EXPERIMENT));
        file.map(|file| known(file.text)).ok_or_else(|| {
            let place = if self.folder.is_some() { "neither in the folder nor" } else { "not" };
            format!("there is no such file: `{}` is {place} in the gallery", printable(&path))
        })
    }
}

/// A path from a place below the folder as a path from the folder. `..` goes up, but not out of it.
fn joined(beside: &str, path: &str) -> Result<String, String> {
    let mut parts: Vec<&str> = beside.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        if part != ".." {
            parts.push(part);
        } else if parts.pop().is_none() {
            return Err(format!("`{}` leads out of the folder of the lab", printable(path)));
        }
    }
    // A root, or a slash too many, leaves an empty part, which no name has.
    Ok(parts.join("/"))
}

impl Files for Imports {
    fn text(&self, path: &str) -> Result<String, String> {
        self.find(path, |real| Files::text(&Disk, real), str::to_owned)
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        self.find(path, |real| Files::bytes(&Disk, real), |text| text.as_bytes().to_vec())
    }
}

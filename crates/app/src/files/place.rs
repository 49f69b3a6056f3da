//! Places that files are written to: what a path leads to, and whether it is still the same file later.

use std::fs::{self, File, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Maximum number of links that are followed, as on Linux.
const MAX_LINKS: u32 = 40;

/// End of a chain of symbolic links.
#[derive(Debug)]
pub(super) enum Place {
    /// There is no file of this name yet.
    Free(PathBuf),
    /// A regular file.
    File(PathBuf, Metadata),
    /// A pipe, a device or an open descriptor.
    Stream(PathBuf),
}

impl Place {
    /// Follows the links of a path.
    ///
    /// # Errors
    /// If it leads to a folder, or cannot be looked at.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let mut path = path.to_owned();
        for _ in 0..MAX_LINKS {
            if is_descriptor(&path) {
                return Ok(Self::Stream(path));
            }
            match fs::symlink_metadata(&path) {
                Ok(meta) if meta.is_symlink() => {
                    let to = fs::read_link(&path)?;
                    path = path.parent().map_or_else(|| to.clone(), |folder| folder.join(&to));
                }
                Ok(meta) if meta.is_dir() => return Err(ErrorKind::IsADirectory.into()),
                Ok(meta) if meta.is_file() => return Ok(Self::File(path, meta)),
                Ok(_) => return Ok(Self::Stream(path)),
                Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Self::Free(path)),
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("its links lead in a circle"))
    }

    /// Returns the path at the end of the links.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Free(path) | Self::File(path, _) | Self::Stream(path) => path,
        }
    }
}

/// Returns `true` for a pipe with a name, which waits for its reader when it is opened to be written.
pub(super) fn is_pipe(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        fs::metadata(path).is_ok_and(|meta| meta.file_type().is_fifo()) && !is_descriptor(path)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Returns `true` for the names that systems give to descriptors that are open already. Behind
/// `/dev/stdout` may be a regular file, which must not be replaced under whoever has opened it.
pub(super) fn is_descriptor(path: &Path) -> bool {
    let streams = ["/dev/stdin", "/dev/stdout", "/dev/stderr"];
    let is_numbered = |folder: &Path| {
        folder == Path::new("/dev/fd") || (folder.starts_with("/proc") && folder.ends_with("fd"))
    };
    streams.iter().any(|stream| path == Path::new(stream)) || path.parent().is_some_and(is_numbered)
}

/// Number that tells a file from all others of the computer, whatever its names.
#[cfg(unix)]
fn identity(meta: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    Some((meta.dev(), meta.ino()))
}

#[cfg(not(unix))]
fn identity(_meta: &Metadata) -> Option<(u64, u64)> {
    None
}

/// Returns `true` if an open file is still the one of this path. Where files have no identity, a file of the
/// name is enough.
pub(super) fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(found)) => identity(&open) == identity(&found),
        _ => false,
    }
}

/// Returns `true` if two paths lead to one regular file, by links or hard links, or would when they are
/// written.
pub(crate) fn is_same(a: &Path, b: &Path) -> bool {
    match (Place::of(a), Place::of(b)) {
        (Ok(Place::File(a, a_meta)), Ok(Place::File(b, b_meta))) => {
            match (identity(&a_meta), identity(&b_meta)) {
                (Some(a), Some(b)) => a == b,
                _ => full(&a) == full(&b),
            }
        }
        (Ok(Place::Free(a)), Ok(Place::Free(b))) => full(&a) == full(&b),
        _ => false,
    }
}

/// The path of a file from the root, also of one that does not exist yet.
fn full(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::test_folder::TestFolder;

    #[cfg(unix)]
    #[test]
    fn links_are_followed_to_their_end_also_to_files_that_are_not_there() {
        use std::os::unix::fs::symlink;
        let folder = TestFolder::new("place");
        let path = |name: &str| folder.0.join(name);
        fs::write(path("file"), "x").unwrap();
        symlink("file", path("link")).unwrap();
        symlink("link", path("link of link")).unwrap();
        symlink("none", path("dangling")).unwrap();
        symlink("round", path("round")).unwrap();
        symlink("/dev/stdout", path("stdout")).unwrap();
        assert!(
            matches!(Place::of(&path("link of link")).unwrap(), Place::File(end, _) if end == path("file"))
        );
        assert!(matches!(Place::of(&path("dangling")).unwrap(), Place::Free(end) if end == path("none")));
        assert!(matches!(Place::of(&path("stdout")).unwrap(), Place::Stream(_)));
        assert!(matches!(Place::of(Path::new("/dev/null")).unwrap(), Place::Stream(_)));
        assert!(Place::of(&path("round")).unwrap_err().to_string().contains("circle"));
        assert_eq!(Place::of(&folder.0).unwrap_err().kind(), ErrorKind::IsADirectory);
    }

    #[cfg(unix)]
    #[test]
    fn one_file_is_known_under_all_its_names() {
        let folder = TestFolder::new("same");
        let path = |name: &str| folder.0.join(name);
        fs::write(path("a"), "x").unwrap();
        fs::write(path("b"), "x").unwrap();
        fs::hard_link(path("a"), path("hard")).unwrap();
        std::os::unix::fs::symlink("a", path("soft")).unwrap();
        for name in ["a", "hard", "soft", "../same/a"] {
            let name = name.replace("same", &folder.0.file_name().unwrap().to_string_lossy());
            assert!(is_same(&path("a"), &path(&name)), "{name}");
        }
        assert!(!is_same(&path("a"), &path("b")));
        assert!(is_same(&path("new"), &folder.0.join(".").join("new")), "also before it is there");
        assert!(!is_same(&path("new"), &path("newer")));
        assert!(!is_same(Path::new("/dev/null"), Path::new("/dev/null")), "devices take everything");
    }
}

//! Files that a model names: where they are looked for, and which are refused.

use crate::files::Files;

/// The files around a model.
pub(crate) struct ModelFiles<'f> {
    /// All files that may be read.
    pub(crate) files: &'f dyn Files,
    /// Folder of the model, without a slash at the end; empty for the current one.
    pub(crate) folder: String,
    /// Whether paths that leave the folder are refused.
    pub(crate) is_confined: bool,
}

/// Reason why a path has no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PathError {
    /// It leaves the folder of the model.
    Outside,
    /// It cannot be read, and why.
    Unreadable(String),
}

impl<'f> ModelFiles<'f> {
    /// The files around the model at a path.
    pub(crate) fn around(files: &'f dyn Files, model: &str, is_confined: bool) -> Self {
        Self { files, folder: folder_of(model), is_confined }
    }

    /// The path of a file that is named in the file at `named_in`: from the folder of the model, else from the
    /// folder of that file, as MuJoCo looks for it. `read` tries a path.
    pub(crate) fn find<T>(
        &self,
        name: &str,
        named_in: &str,
        read: impl Fn(&dyn Files, &str) -> Result<T, String>,
    ) -> Result<(String, T), PathError> {
        let mut first_reason = None;
        let other = folder_of(named_in);
        for folder in [&self.folder, &other] {
            let path = join(folder, name);
            if self.is_confined && !is_below(&self.folder, &path) {
                return Err(PathError::Outside);
            }
            match read(self.files, &path) {
                Ok(content) => return Ok((path, content)),
                Err(reason) => first_reason = first_reason.or(Some(reason)),
            }
            if other == self.folder {
                break;
            }
        }
        Err(PathError::Unreadable(first_reason.unwrap_or_default()))
    }
}

/// The folder of a file, by its path.
fn folder_of(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.rsplit_once('/').map_or(String::new(), |(folder, _)| folder_or_root(folder).to_owned())
}

fn folder_or_root(folder: &str) -> &str {
    if folder.is_empty() { "/" } else { folder }
}

/// Joins a folder and a path, with steps such as `.` and `..` taken where they can be.
pub(crate) fn join(folder: &str, path: &str) -> String {
    let path = path.replace('\\', "/");
    let whole = if is_absolute(&path) || folder.is_empty() { path } else { format!("{folder}/{path}") };
    let root = if whole.starts_with('/') { "/" } else { "" };
    let mut steps: Vec<&str> = Vec::new();
    for step in whole.split('/') {
        match step {
            "" | "." => {}
            ".." if steps.last().is_some_and(|&last| last != "..") => {
                steps.pop();
            }
            // Above the root there is nothing.
            ".." if root == "/" => {}
            step => steps.push(step),
        }
    }
    format!("{root}{}", steps.join("/"))
}

/// Returns `true` for paths from a root or a drive.
fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || path.contains(":/")
}

/// Returns `true` if a joined path lies in a folder or in folders of it.
fn is_below(folder: &str, path: &str) -> bool {
    let folder = join("", folder);
    let rest =
        if folder.is_empty() { (!is_absolute(path)).then_some(path) } else { path.strip_prefix(&folder) };
    match rest {
        Some(rest) if folder.is_empty() || folder == "/" => !rest.starts_with(".."),
        Some(rest) => rest.starts_with('/'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_and_seen_to_leave_their_folder() {
        assert_eq!(join("a/b", "../c/./d.stl"), "a/c/d.stl");
        assert_eq!(join("", "..\\x.xml"), "../x.xml");
        assert_eq!(join("/m", "../../etc/passwd"), "/etc/passwd");
        assert_eq!(join("m", "/etc/passwd"), "/etc/passwd");
        assert!(is_below("m", "m/x.stl") && is_below("", "x.stl") && is_below("/m", "/m/n/x"));
        assert!(!is_below("m", "mm/x.stl") && !is_below("", "../x") && !is_below("m", "/etc/passwd"));
        assert!(!is_below("", "/etc/passwd") && !is_below("", "c:/x"));
    }
}

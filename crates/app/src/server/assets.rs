//! Files of the page: those of `web/dist`, built into the binary, or those of a folder during development.

use axum::body::Bytes;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// All files of the page that was built, sorted by name; empty if none was.
const BUILT_FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Page that is shown if the binary was built without the page.
const PLACEHOLDER: &str = include_str!("placeholder.html");

/// Source of the files of the page.
#[derive(Debug)]
pub(crate) enum Page {
    /// The binary.
    Built,
    /// A folder, read again for each request. A canonical path.
    Folder(PathBuf),
}

/// A file of the page.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Asset {
    pub(super) bytes: Bytes,
    /// MIME type.
    pub(super) kind: &'static str,
    /// Cache policy for browsers.
    pub(super) cache: CachePolicy,
}

/// Cache policy of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CachePolicy {
    /// Cache, and revalidate by its ETag.
    Revalidate,
    /// Cache for ever: its name has a fingerprint of its content.
    Forever,
}

impl Page {
    /// Returns the file of a requested path. It is the same for everybody.
    pub(super) fn file(&self, path: &str) -> Option<Asset> {
        let name = match path.strip_prefix('/')? {
            "" => INDEX_FILE,
            name => name,
        };
        let cache = if matches!(self, Self::Built) && has_fingerprint(name) {
            CachePolicy::Forever
        } else {
            CachePolicy::Revalidate
        };
        let placeholder = || (name == INDEX_FILE).then(|| self.placeholder().into());
        self.read(name).or_else(placeholder).map(|bytes| Asset { bytes, kind: kind(name), cache })
    }

    fn read(&self, name: &str) -> Option<Bytes> {
        match self {
            Self::Built => {
                let place = BUILT_FILES.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
                Some(Bytes::from_static(BUILT_FILES[place].1))
            }
            Self::Folder(folder) => {
                let is_plain = |part| matches!(part, Component::Normal(_));
                if !Path::new(name).components().all(is_plain) {
                    return None;
                }
                let real = folder.join(name).canonicalize().ok()?;
                (real.starts_with(folder) && real.is_file()).then(|| fs::read(real).ok())?.map(Bytes::from)
            }
        }
    }

    /// Returns a page that says why there is no page.
    fn placeholder(&self) -> String {
        let why = match self {
            Self::Built => "This program was built without it.".to_owned(),
            Self::Folder(folder) => {
                let name = folder.display().to_string();
                let name = name.replace('&', "&amp;").replace('<', "&lt;");
                format!("There is no <code>index.html</code> in <code>{name}</code>.")
            }
        };
        PLACEHOLDER.replace("WHY", &why)
    }
}

const INDEX_FILE: &str = "index.html";

/// Returns `true` for a name like `assets/index-DiwrgTda.js`, with a fingerprint of eight letters before the
/// ending.
fn has_fingerprint(name: &str) -> bool {
    let stem = name.strip_prefix("assets/").and_then(|name| name.split('.').next());
    let Some(start) = stem.map(|stem| stem.len().saturating_sub(9)) else { return false };
    let last = stem.and_then(|stem| stem.get(start..)).and_then(|last| last.strip_prefix('-'));
    last.is_some_and(|last| {
        last.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) && last.len() == 8
    })
}

/// The MIME type of a file, by its ending.
fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "json" | "map" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "jpg" | "jpeg" => "image/jpeg",
        "webp" => "image/webp",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "woff" => "font/woff",
        "ttf" => "font/ttf",
        "wasm" => "application/wasm",
        "txt" | "lab" | "vfl" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_told_from_names() {
        for name in ["assets/index-DiwrgTda.js", "assets/a-b-_2345678.css", "assets/x-12345678.js.map"] {
            assert!(has_fingerprint(name), "{name}");
        }
        for name in
            ["index-DiwrgTda.js", "assets/index.js", "assets/notes-short.js", "assets/12345678.js", "assets/"]
        {
            assert!(!has_fingerprint(name), "{name}");
        }
    }

    #[test]
    fn the_built_page_is_whole_or_says_how_to_build_it() {
        let index = Page::Built.file("/").unwrap();
        let text = String::from_utf8(index.bytes.to_vec()).unwrap();
        if BUILT_FILES.is_empty() {
            assert!(text.contains("built without it") && text.contains("make lab"), "{text}");
        }
        assert!(BUILT_FILES.is_sorted_by_key(|(name, _)| name));
        for (name, bytes) in BUILT_FILES {
            assert_eq!(Page::Built.file(&format!("/{name}")).unwrap().bytes, *bytes, "{name}");
        }
        assert_eq!(Page::Built.file("/no.js"), None);
    }

    #[test]
    fn a_page_of_a_folder_has_no_way_out() {
        let folder = std::env::temp_dir().join(format!("gedanken-page-{}", std::process::id()));
        fs::create_dir_all(folder.join("page/assets")).unwrap();
        let page = Page::Folder(folder.join("page").canonicalize().unwrap());
        let text = |path: &str| page.file(path).map(|it| String::from_utf8(it.bytes.to_vec()).unwrap());
        assert!(text("/").unwrap().contains("There is no <code>index.html</code>"));
        fs::write(folder.join("secret.js"), "secret").unwrap();
        fs::write(folder.join("page/assets/index-12345678.js"), "1").unwrap();
        fs::write(folder.join("page/index.html"), "<p>").unwrap();
        assert_eq!(text("/").unwrap(), "<p>");
        assert_eq!(text("/index.html"), text("/"));
        assert_eq!(page.file("/").unwrap().cache, CachePolicy::Revalidate);
        let script = page.file("/assets/index-12345678.js").unwrap();
        assert_eq!((script.kind, script.cache), ("text/javascript; charset=utf-8", CachePolicy::Revalidate));
        for path in
            ["/../secret.js", "//etc/passwd", "/assets/../../secret.js", "/assets", "secret.js", "/a\0.js"]
        {
            assert_eq!(page.file(path), None, "{path:?}");
        }
        fs::remove_dir_all(folder).unwrap();
    }
}

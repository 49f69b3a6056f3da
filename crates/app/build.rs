//! Builds the page of the lab into the binary: a list of all files of `web/dist`, empty if it has not been
//! built.
#![allow(clippy::print_stdout, reason = "it is how cargo is told")]
#![allow(clippy::disallowed_methods, reason = "what a cut build leaves is built again")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let web = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("../../web");
    let built = web.join("dist");
    let mut files = Vec::new();
    if built.join("index.html").is_file() {
        println!("cargo::rerun-if-changed={}", built.display());
        collect(&built.canonicalize()?, "", &mut files)?;
        files.sort();
    } else if web.is_dir() {
        // A path that is not there would make every build begin anew.
        println!("cargo::rerun-if-changed={}", web.display());
    } else {
        println!("cargo::rerun-if-changed=build.rs");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let mut list = String::from("&[\n");
    for (number, (name, path)) in files.iter().enumerate() {
        // A copy: the page may be built anew while the compiler reads.
        fs::copy(path, out.join(format!("page.{number}")))?;
        let copy = format!("include_bytes!(concat!(env!(\"OUT_DIR\"), \"/page.{number}\"))");
        let _ = writeln!(list, "    ({name:?}, {copy}.as_slice()),");
    }
    list.push_str("]\n");
    fs::write(out.join("page.rs"), list)
}

/// All files below a folder, by the names that a browser asks for: `assets/index.js`.
fn collect(folder: &Path, prefix: &str, files: &mut Vec<(String, PathBuf)>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        let name = format!("{prefix}{name}");
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push((name, entry.path()));
        }
    }
    Ok(())
}

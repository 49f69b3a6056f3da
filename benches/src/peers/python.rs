//! The virtual environment `benches/.venv` with the packages of `requirements.txt`, made when missing.

use std::path::{Path, PathBuf};
use std::process::Command;

const HOME: &str = env!("CARGO_MANIFEST_DIR");

/// The environment's Python, with the pinned packages installed.
pub fn interpreter() -> Result<PathBuf, String> {
    let environment = Path::new(HOME).join(".venv");
    let python = environment.join("bin/python");
    let requirements = Path::new(HOME).join("requirements.txt");
    let wanted = std::fs::read_to_string(&requirements).map_err(|error| error.to_string())?;
    // Written last, so that an installation that was cut short is done again.
    let stamp = environment.join("installed.txt");
    if std::fs::read_to_string(&stamp).is_ok_and(|installed| installed == wanted) {
        return Ok(python);
    }
    eprintln!(
        "installing {} into benches/.venv ...",
        wanted.split_whitespace().collect::<Vec<_>>().join(" ")
    );
    quietly(Command::new("python3").args(["-m", "venv", "--clear"]).arg(&environment))?;
    quietly(
        Command::new(&python).args(["-m", "pip", "install", "--quiet", "--requirement"]).arg(&requirements),
    )?;
    #[expect(clippy::disallowed_methods, reason = "a stamp that was cut is written again by the next run")]
    std::fs::write(&stamp, wanted).map_err(|error| error.to_string())?;
    Ok(python)
}

/// Runs a command; its output is shown only if it fails.
fn quietly(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let text =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    Err(format!("{command:?} failed:\n{text}"))
}

//! `gedanken new`: a small experiment to begin with.

use super::examples::unknown_example;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::whole_file::create_all;
use clap::Args;
use gedanken_experiment::gallery;
use std::path::PathBuf;

/// Begin an experiment: writes a small one that runs, for you to change
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Name of the experiment; writes NAME.lab, and never replaces an existing file
    #[arg(value_name = "NAME")]
    name: PathBuf,

    /// Start from a copy of this example; `gedanken examples` lists them
    #[arg(long, value_name = "EXAMPLE")]
    from: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  gedanken new ramp                         writes ramp.lab
  gedanken new crash --from two_spheres     the same, from an example";

/// A ball, a floor, two laws and a word on each.
const TEMPLATE: &str = include_str!("template.lab");

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut path = arguments.name.clone();
    if path.extension().is_none_or(|extension| extension != "lab") {
        let mut name = path.into_os_string();
        name.push(".lab");
        path = name.into();
    }
    if path.file_stem().is_none_or(|stem| stem == ".lab" || stem.is_empty()) {
        return Err(Failure::Usage("an experiment needs a name, as in `gedanken new ramp`".to_owned()));
    }
    let shown = path.to_string_lossy().into_owned();
    let files: Vec<(PathBuf, String)> = match &arguments.from {
        None => vec![(path, TEMPLATE.replace("THIS", &shown))],
        Some(name) => {
            let example = gallery::experiment(name).ok_or_else(|| unknown_example(name))?;
            let folder = path.parent().map(PathBuf::from).unwrap_or_default();
            let place = |k: usize, file: &gallery::File| {
                if k == 0 { path.clone() } else { folder.join(file.name) }
            };
            let needed = example.with_imports();
            needed.iter().enumerate().map(|(k, file)| (place(k, file), file.text.to_owned())).collect()
        }
    };
    let written = create_all(&files)?;
    let screen = Screen::of_stdout(false);
    let more: String = written.iter().skip(1).map(|name| format!(" and {name}")).collect();
    let next = screen.dim("next: ");
    screen.print(&format!(
        "{shown}{more} written\n{next}gedanken run {shown}\n      gedanken trace {shown}\n"
    ))?;
    Ok(())
}

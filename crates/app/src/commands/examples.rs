//! `gedanken examples`: the gallery of experiments that comes with the program.

use crate::console::format::{columns, wrap};
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::files::whole_file::create_all;
use clap::Args;
use gedanken_experiment::gallery;
use gedanken_experiment::gallery::File;
use gedanken_lang::check::similar;
use serde_json::{Value, json};
use std::path::PathBuf;

/// List the experiments that come with the program, print one, or copy it here
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Example to print (default: list all)
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// Copy it and the files it imports to the current folder; never replaces an existing file
    #[arg(long, requires = "name")]
    copy: bool,

    /// Print JSON: names and summaries, or with NAME the files and their texts
    #[arg(long, conflicts_with = "copy")]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  gedanken examples                         what there is
  gedanken examples bouncing_ball           its text
  gedanken examples bouncing_ball --copy    a file of your own to run and change";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let screen = Screen::of_stdout(false);
    let Some(name) = &arguments.name else {
        let text = if arguments.json { list_as_json() } else { list(screen) };
        return Ok(screen.print(&text)?);
    };
    let example = gallery::experiment(name).ok_or_else(|| unknown_example(name))?;
    if arguments.json {
        return Ok(screen.print(&format!("{:#}\n", whole(example)))?);
    }
    if !arguments.copy {
        return Ok(screen.print(example.text)?);
    }
    let files: Vec<(PathBuf, String)> =
        example.with_imports().iter().map(|file| (PathBuf::from(file.name), file.text.to_owned())).collect();
    let written = create_all(&files)?.join(" and ");
    let next = screen.dim("next: ");
    Ok(screen.print(&format!("{written} written\n{next}gedanken run {}\n", example.name))?)
}

/// Makes the failure for an unknown example.
pub(crate) fn unknown_example(name: &str) -> Failure {
    let titles = gallery::experiments().filter_map(|file| file.title());
    let help = match similar(name, titles) {
        Some(meant) => format!("did you mean {meant}?"),
        None => "`gedanken examples` lists them".to_owned(),
    };
    Failure::Usage(format!("there is no example `{name}`\nhelp: {help}"))
}

fn list(screen: Screen) -> String {
    let named: Vec<(&str, File)> =
        gallery::experiments().filter_map(|file| Some((file.title()?, file))).collect();
    let widest = named.iter().map(|(title, _)| columns(title)).max().unwrap_or(0);
    let mut text = String::new();
    for (title, file) in &named {
        for (k, line) in wrap(&file.summary(), screen.width - widest - 3).iter().enumerate() {
            let name = format!("{:widest$}", if k == 0 { title } else { "" });
            text.push_str(&format!("{}   {line}\n", if k == 0 { screen.bold(&name) } else { name }));
        }
    }
    text
}

fn list_as_json() -> String {
    let examples: Vec<Value> = gallery::experiments()
        .map(|file| json!({ "name": file.title(), "file": file.name, "summary": file.summary() }))
        .collect();
    format!("{:#}\n", json!({ "examples": examples }))
}

fn whole(example: File) -> Value {
    let needed = example.with_imports();
    let files: Vec<Value> =
        needed.iter().map(|file| json!({ "file": file.name, "text": file.text })).collect();
    json!({ "name": example.title(), "summary": example.summary(), "files": files })
}

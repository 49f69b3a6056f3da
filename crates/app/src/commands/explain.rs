//! `gedanken explain`: what the code of a message means, with an example of the mistake and of its cure.

use crate::console::page::{INDENT, Page};
use crate::console::terminal::Screen;
use crate::failure::Failure;
use clap::Args;
use gedanken_lang::diagnostic::{CATALOGUE, Code, Entry};

/// Explain the code of an error or warning, such as E501
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Code of a message, such as E501 (default: list all codes)
    code: Option<String>,
}

const EXAMPLES: &str = "\
Examples:
  gedanken explain E501    division by zero
  gedanken explain         all codes";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let screen = Screen::of_stdout(false);
    let Some(code) = &arguments.code else {
        let list: String =
            CATALOGUE.iter().map(|entry| format!("{}  {}\n", entry.code, entry.title)).collect();
        return Ok(screen.print(&list)?);
    };
    let Some(entry) = Code::parse(code.trim()).map(Code::entry) else {
        let why = format!("there is no code `{code}`\nhelp: `gedanken explain` lists all codes");
        return Err(Failure::Usage(why));
    };
    Ok(screen.print(&page(screen, entry))?)
}

/// An explanation laid out for the screen: paragraphs filled, examples indented under a word on what they
/// show.
fn page(screen: Screen, entry: &Entry) -> String {
    let mut page = Page::new(screen);
    page.line(&screen.bold(&format!("{}: {}", entry.code, entry.title)));
    let mut paragraph = String::new();
    let mut in_example = false;
    for line in entry.explanation.lines().chain([""]) {
        if let Some(fence) = line.strip_prefix("```") {
            in_example = !in_example && !fence.is_empty();
            if in_example {
                page.heading(if fence.ends_with("wrong") { "Wrong" } else { "Right" });
            }
        } else if in_example {
            page.line(&format!("{INDENT}{INDENT}{line}"));
        } else if !line.is_empty() {
            paragraph.push_str(line);
            paragraph.push(' ');
        } else if !paragraph.is_empty() {
            page.line("");
            page.paragraph(&std::mem::take(&mut paragraph));
        }
    }
    page.text
}

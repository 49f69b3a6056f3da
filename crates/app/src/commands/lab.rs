//! `gedanken lab`: the laboratory in a browser.

use crate::console::terminal;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::runner::source::{Kind, kind, unreadable};
use crate::server::{self, Library, Page, Start};
use crate::wire::Origin;
use clap::Args;
use gedanken_experiment::{Override, gallery};
use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Open the lab in a browser: write laws, see what happens, look at every value
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Experiment to open, folder to work in, or name of an example (default: the current folder and a
    /// bouncing ball)
    #[arg(value_name = "FILE|DIR")]
    what: Option<PathBuf>,

    /// Port to listen at; 0 takes any free one [default: 4747, or the next free one]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    port: Option<u16>,

    /// Address of this computer to listen at
    #[arg(long, value_name = "ADDR", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,

    /// Allow access from other computers; required for a --host that they can reach
    #[arg(long)]
    expose: bool,

    /// Do not open a browser
    #[arg(long)]
    no_open: bool,

    /// Change a value of the experiment: NAME=VALUE of the world, OWNER.NAME=VALUE of an object or a
    /// Lagrangian; can be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = setting)]
    set: Vec<String>,

    /// Serve the page from this folder instead of the built-in one (for work on the page)
    #[arg(long, value_name = "DIR")]
    page: Option<PathBuf>,
}

impl Default for Arguments {
    fn default() -> Self {
        Self {
            what: None,
            port: None,
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            expose: false,
            no_open: false,
            set: Vec::new(),
            page: None,
        }
    }
}

const EXAMPLES: &str = "\
Examples:
  gedanken lab                            a bouncing ball, and all experiments of this folder
  gedanken lab drop.lab                   an experiment of yours
  gedanken lab kepler                     an example
  gedanken lab drop.lab --set restitution=0.5
  gedanken lab week1 --port 8080 --no-open

Only this computer can reach the lab, unless --expose is given. Ctrl-C ends it.";

/// The experiment of the gallery that is shown unless another one was asked for.
const DEFAULT_EXPERIMENT: &str = "bouncing_ball";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let host = arguments.host;
    if !host.is_loopback() && !arguments.expose {
        return Err(Failure::Usage(format!(
            "--host {host} lets other computers use this lab: run what they like, and write into its folder\n\
             help: to allow it, add --expose"
        )));
    }
    let (folder, origin) = opened(arguments.what.as_deref())?;
    let library = Library::new(Some(folder));
    let text = library.read(&origin).map_err(Failure::Usage)?;
    let page = match &arguments.page {
        None => Page::Built,
        Some(folder) if folder.is_dir() => Page::Folder(folder.canonicalize()?),
        Some(folder) => {
            return Err(Failure::Usage(format!("--page {}: it is not a folder", folder.display())));
        }
    };
    let listener = server::bind(host, arguments.port).map_err(Failure::Usage)?;
    let url = url(listener.local_addr()?);
    let start = Start { library, origin, text, settings: arguments.set.clone(), page };
    let ready = || {
        Screen::of_stdout(false).print(&format!("The lab is at {url}\n"))?;
        if !host.is_loopback() {
            terminal::eprint(&format!(
                "warning: other computers can reach this lab at {host}. Whoever can may run experiments on this computer and write\n\
                 experiments into its folder. Nothing is encrypted. Only do this in a network that you trust.\n"
            ));
        }
        if io::stdout().is_terminal() {
            Screen::of_stdout(false).print("Ctrl-C ends it.\n")?;
            if !arguments.no_open {
                open(&url);
            }
        }
        Ok(())
    };
    Ok(server::serve(listener, start, ready)?)
}

/// The folder to work in, and the experiment to begin with.
fn opened(what: Option<&Path>) -> Result<(PathBuf, Origin), Failure> {
    let example = |name: &str| Origin::Gallery { name: name.to_owned() };
    let Some(path) = what else { return Ok((PathBuf::from("."), example(DEFAULT_EXPERIMENT))) };
    if path.is_dir() {
        return Ok((path.to_owned(), example(DEFAULT_EXPERIMENT)));
    }
    let name = path.to_string_lossy().into_owned();
    if !path.exists() {
        if let Some(title) =
            gallery::experiment(&name).and_then(|file| file.title()).filter(|title| *title == name)
        {
            return Ok((PathBuf::from("."), example(title)));
        }
        return Err(unreadable(&name, "there is no such file or folder"));
    }
    if kind(path)? == Kind::Recording {
        let why = "is a recording, and the lab opens experiments";
        return Err(Failure::Usage(format!("{name} {why}\nhelp: `gedanken plot {name}` shows it")));
    }
    // A link leads to its file; that one's folder is the folder.
    let real = path.canonicalize().map_err(|error| unreadable(&name, &crate::files::disk::plain(&error)))?;
    match (real.parent(), real.file_name().and_then(|last| last.to_str())) {
        (Some(folder), Some(last)) => Ok((folder.to_owned(), Origin::Folder { name: last.to_owned() })),
        _ => Err(unreadable(&name, "its name is not text")),
    }
}

/// A setting that can be read, as it was written.
fn setting(text: &str) -> Result<String, String> {
    Override::read(text).map(|_| text.to_owned())
}

/// Returns the address of the lab for a browser of this computer.
fn url(address: SocketAddr) -> String {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(Ipv6Addr::LOCALHOST),
        ip => ip,
    };
    format!("http://{}/", SocketAddr::new(ip, address.port()))
}

/// Opens a browser, if there is one; if not, the reader has the address.
fn open(url: &str) {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else if ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some()) {
        Command::new("xdg-open")
    } else {
        return;
    };
    let _ = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}

//! `gedanken lab`: the laboratory in a browser.

use crate::console::terminal;
use crate::console::terminal::Screen;
use crate::failure::Failure;
use crate::runner::source::{Kind, kind, unreadable};
use crate::server::{self, Library, Opener, Page, Secret, SecretFolder, Start, StoredSecret};
use crate::wire::Origin;
use clap::Args;
use gedanken_experiment::{Override, gallery};
use std::io::{self, IsTerminal};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

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

    /// Let others read and run experiments without the secret of the lab; required for a --host that other
    /// computers can reach
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

Only you can use the lab, unless --expose is given: it opens your browser with its secret.
Any other browser asks for it. Ctrl-C ends the lab.";

/// Time after which a browser that has not opened the lab gets a hint; those in a sandbox cannot read its file.
const OPENING_TIME: Duration = Duration::from_secs(10);

/// The experiment of the gallery that is shown unless another one was asked for.
const DEFAULT_EXPERIMENT: &str = "bounce";

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let host = arguments.host;
    if !host.is_loopback() && !arguments.expose {
        return Err(Failure::Usage(format!(
            "--host {host} lets other computers use this lab: read what is in its folder, and run what they like\n\
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
    let address = listener.local_addr()?;
    let url = url(address);
    let secrets = SecretFolder::find().map_err(Failure::Usage)?;
    let stored = secrets.secret(address.port()).map_err(Failure::Usage)?;
    let opener = Opener::new(secrets, address.port());
    // A lab that was killed may have left one.
    opener.remove();
    let start = Start {
        library,
        origin,
        text,
        settings: arguments.set.clone(),
        page,
        secret: stored.secret.clone(),
        opener: opener.clone(),
        exposed: arguments.expose,
    };
    let ready = || announce(arguments, &url, &stored, &opener);
    let served = server::serve(listener, start, ready);
    opener.remove();
    Ok(served?)
}

/// Says where the lab is, and opens a browser.
fn announce(arguments: &Arguments, url: &str, stored: &StoredSecret, opener: &Opener) -> io::Result<()> {
    let place = stored.path.display();
    Screen::of_stdout(false).print(&format!(
        "The lab is at {url}\nIts secret is in {place}; a browser that has not shown it is asked for it.\n"
    ))?;
    if let Some(notice) = &stored.notice {
        terminal::eprint(&format!("warning: {notice}\n"));
    }
    if arguments.expose {
        terminal::eprint(&exposure_warning(arguments.host));
    }
    if io::stdout().is_terminal() {
        Screen::of_stdout(false).print("Ctrl-C ends it.\n")?;
        if !arguments.no_open {
            open(url, opener, &stored.secret);
        }
    }
    Ok(())
}

/// Says what others may do.
fn exposure_warning(host: IpAddr) -> String {
    let others = if host.is_loopback() { "other users of this computer" } else { "other computers" };
    format!(
        "warning: {others} can reach this lab at {host}. Whoever can may read the experiments of its folder and run\n\
         experiments on this computer; saving needs the secret. Nothing is encrypted. Only do this in a network that you trust.\n"
    )
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
fn open(url: &str, opener: &Opener, secret: &Secret) {
    let Some(mut command) = browser() else { return };
    // Not the address: every user of this computer sees the arguments of all processes.
    let file = match opener.write(url, secret) {
        Ok(file) => file,
        Err(error) => {
            let why = crate::files::disk::plain(&error);
            terminal::eprint(&format!("warning: no browser is opened: its file cannot be written: {why}\n"));
            return;
        }
    };
    let _ = command.arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    let hint = format!(
        "The browser has not opened the lab yet. If it is not allowed to read {}, open {url} and paste the secret.\n",
        file.display()
    );
    let wait = move || {
        std::thread::sleep(OPENING_TIME);
        // The file is removed when the browser has shown the secret.
        if file.exists() {
            terminal::eprint(&hint);
        }
    };
    // Without a thread there is no hint.
    let _ = std::thread::Builder::new().name("opener".to_owned()).spawn(wait);
}

/// Returns the command that opens a file with the user's browser; `None` if there is no screen.
fn browser() -> Option<Command> {
    if cfg!(target_os = "macos") {
        return Some(Command::new("open"));
    }
    if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        return Some(command);
    }
    let has_screen = ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some());
    has_screen.then(|| Command::new("xdg-open"))
}

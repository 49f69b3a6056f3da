//! The listener: binds a port, accepts a limited number of sockets, and shuts down.

use super::access::MAX_WRONG;
use super::auth::Auth;
use super::routes;
use super::state::{ServerState, Start};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::{Semaphore, watch};
use tokio::time::{sleep, timeout};

/// Default port.
pub(super) const DEFAULT_PORT: u16 = 4747;
/// Number of ports that are tried from the default one on.
const PORTS_TRIED: u16 = 50;
/// Maximum number of open pages.
const MAX_PAGES: u32 = 16;
/// Maximum number of open sockets, those of pages excluded; others wait.
const MAX_SOCKETS: usize = 64;
/// Time limit for the headers of a request.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);
/// Time limit of a connection; a browser that needs more opens another.
const CONNECTION_TIMEOUT: Duration = Duration::from_secs(120);
/// Time limit for pages to close at shutdown.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum size of the headers of a request, in bytes.
const MAX_HEADER_BYTES: usize = 64 << 10;

/// Binds a port; without one, the first free port from 4747 on.
///
/// # Errors
/// If it cannot, with the remedy.
pub(crate) fn bind(host: IpAddr, port: Option<u16>) -> Result<TcpListener, String> {
    let listen = |port: u16| TcpListener::bind(SocketAddr::new(host, port));
    let failed = |error: io::Error, port: u16| match error.kind() {
        ErrorKind::AddrInUse => format!(
            "port {port} is taken by another program, perhaps another lab\nhelp: choose another port with --port, or leave the option out to get a free one"
        ),
        ErrorKind::AddrNotAvailable => format!("{host} is not an address of this computer"),
        ErrorKind::PermissionDenied => {
            format!(
                "you are not allowed to listen at port {port}\nhelp: those from 1024 on are for everybody"
            )
        }
        _ => format!("cannot listen at {}: {error}", SocketAddr::new(host, port)),
    };
    if let Some(port) = port {
        return listen(port).map_err(|error| failed(error, port));
    }
    for port in DEFAULT_PORT..DEFAULT_PORT + PORTS_TRIED {
        match listen(port) {
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            other => return other.map_err(|error| failed(error, port)),
        }
    }
    listen(0).map_err(|error| failed(error, 0))
}

/// Serves until a signal ends it; `ready` is called as soon as requests are answered.
///
/// # Errors
/// If the system has no threads or sockets for it.
pub(crate) fn serve(
    listener: TcpListener,
    start: Start,
    ready: impl FnOnce() -> io::Result<()>,
) -> Result<(), io::Error> {
    let (end, ending) = watch::channel(false);
    let Start { library, origin, text, settings, page, secret, opener, exposed } = start;
    let auth = Auth { address: listener.local_addr()?, secret, exposed };
    let room = Arc::new(Semaphore::new(MAX_PAGES as usize));
    let state = ServerState {
        library: Arc::new(library),
        origin,
        text,
        settings,
        page,
        auth,
        opener,
        wrong: Semaphore::new(MAX_WRONG),
        room: Arc::clone(&room),
        ending,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        listener.set_nonblocking(true)?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let shutdown = shutdown_signal()?;
        ready()?;
        tokio::select! {
            () = accept(listener, Arc::new(state)) => {}
            () = shutdown => {}
        }
        let _ = end.send(true);
        let _ = timeout(SHUTDOWN_TIMEOUT, room.acquire_many(MAX_PAGES)).await;
        Ok(())
    })
}

/// Accepts a limited number of sockets at once. Never returns.
async fn accept(listener: tokio::net::TcpListener, state: Arc<ServerState>) {
    let service = TowerToHyperService::new(routes::router(state));
    let sockets = Arc::new(Semaphore::new(MAX_SOCKETS));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(HEADER_TIMEOUT).max_buf_size(MAX_HEADER_BYTES);
    loop {
        let Ok(place) = Arc::clone(&sockets).acquire_owned().await else { return };
        let Ok((stream, _)) = listener.accept().await else {
            // Such as: too many files are open. It passes.
            sleep(Duration::from_millis(50)).await;
            continue;
        };
        let (http, service) = (http.clone(), service.clone());
        tokio::spawn(async move {
            serve_socket(&http, stream, service).await;
            drop(place);
        });
    }
}

/// Answers the requests of one socket until it closes or becomes a WebSocket.
async fn serve_socket(http: &http1::Builder, stream: TcpStream, service: TowerToHyperService<axum::Router>) {
    // Small answers go out at once.
    let _ = stream.set_nodelay(true);
    // Who breaks off, or speaks something else, is no trouble of ours.
    let serve_socket = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    let _ = timeout(CONNECTION_TIMEOUT, serve_socket).await;
}

/// Waits for Ctrl-C, or a request to terminate.
#[cfg(unix)]
fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
fn shutdown_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without it, closing the window is the only way to end.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

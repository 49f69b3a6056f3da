//! HTTP routes: the files of the page, the WebSocket, access, and the security headers of all responses.

use super::access::{self, MAX_FORM_BYTES};
use super::assets::{Asset, CachePolicy};
use super::auth::{ACCESS_PATH, Access, WIRE_PATH};
use super::connection;
use super::response::plain_text;
use super::state::ServerState;
use crate::wire::MAX_REQUEST_BYTES;
use axum::Router;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use gedanken_math::hash::fnv1a;
use std::sync::Arc;

/// Headers of every response: no content sniffing, no referrer, no use from other origins.
const SECURITY_HEADERS: [(HeaderName, &str); 4] = [
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// Returns the router of all paths, behind [`Auth`](super::auth::Auth).
pub(super) fn router(state: Arc<ServerState>) -> Router {
    Router::new()
        .route(WIRE_PATH, get(wire))
        .route(ACCESS_PATH, get(access::rights).post(access::enter))
        .layer(DefaultBodyLimit::max(MAX_FORM_BYTES))
        .fallback(file)
        .layer(from_fn_with_state(Arc::clone(&state), check_auth))
        .with_state(state)
}

/// Checks every request, and adds the security headers to every response.
async fn check_auth(State(state): State<Arc<ServerState>>, request: Request, next: Next) -> Response {
    let admitted = state.auth.admit(request.method(), request.uri(), request.headers());
    let (mut response, policy) = match admitted.map(policy) {
        Ok(policy) => (next.run(request).await, policy),
        Err((status, why)) => (plain_text(status, why), HeaderValue::from_static("default-src 'none'")),
    };
    let headers = response.headers_mut();
    for (name, value) in SECURITY_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    match response.status() {
        StatusCode::METHOD_NOT_ALLOWED => {
            response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("GET, HEAD"));
        }
        StatusCode::UNAUTHORIZED => {
            response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        _ => {}
    }
    response
}

/// Returns the content security policy: the page may load from and connect to this server only.
fn policy(host: &str) -> HeaderValue {
    let policy = format!(
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; connect-src 'self' ws://{host}; \
         worker-src 'self' blob:; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static("default-src 'none'"))
}

/// The WebSocket.
async fn wire(
    State(state): State<Arc<ServerState>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        return plain_text(StatusCode::UPGRADE_REQUIRED, "Here the page and the lab talk, by WebSocket.");
    };
    let Ok(place) = Arc::clone(&state.room).try_acquire_owned() else {
        return plain_text(
            StatusCode::SERVICE_UNAVAILABLE,
            "Too many pages are open; close one and try again.",
        );
    };
    let upgrade = upgrade.max_message_size(MAX_REQUEST_BYTES).max_frame_size(MAX_REQUEST_BYTES);
    let may_save = state.auth.access(&headers) == Access::Owner;
    upgrade.on_upgrade(move |socket| connection::serve_page(socket, state, place, may_save))
}

/// A file of the page.
async fn file(State(state): State<Arc<ServerState>>, uri: Uri, headers: HeaderMap) -> Response {
    let Some(asset) = state.page.file(uri.path()) else {
        return plain_text(StatusCode::NOT_FOUND, "There is no such page in the lab.");
    };
    let Asset { bytes, kind, cache } = asset;
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let control = |value| (header::CACHE_CONTROL, HeaderValue::from_static(value));
    match cache {
        CachePolicy::Forever => {
            ([kind, control("public, max-age=31536000, immutable")], bytes).into_response()
        }
        CachePolicy::Revalidate => {
            let tag = format!("\"{:016x}\"", fnv1a(&bytes));
            let is_known =
                headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes());
            let tag = (header::ETAG, HeaderValue::from_str(&tag).expect("hexadecimal digits in quotes"));
            let headers = [kind, control("no-cache"), tag];
            if is_known {
                (StatusCode::NOT_MODIFIED, headers).into_response()
            } else {
                (headers, bytes).into_response()
            }
        }
    }
}

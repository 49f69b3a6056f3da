//! Access: a browser shows the secret once, and gets a cookie for it.
//!
//! `GET /access` says what a request may do: `owner`, `guest` or `stranger`. `POST /access` with the form field
//! `secret` answers with the cookie and the way to the page.

use super::response::plain_text;
use super::state::ServerState;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

/// Maximum size of a form with a secret, in bytes.
pub(super) const MAX_FORM_BYTES: usize = 1024;
/// Maximum number of wrong secrets that wait for their answer; more are refused at once.
pub(super) const MAX_WRONG: usize = 8;
/// Time after which a wrong secret is answered.
const WRONG_DELAY: Duration = Duration::from_millis(500);

/// Says what a request may do.
pub(super) async fn rights(State(state): State<Arc<ServerState>>, headers: HeaderMap) -> Response {
    plain_text(StatusCode::OK, state.auth.access(&headers).name())
}

/// Gives the cookie for the secret. A wrong secret waits; the right one never does, so that nobody who tries
/// can lock the owner out.
pub(super) async fn enter(State(state): State<Arc<ServerState>>, form: Bytes) -> Response {
    let form = String::from_utf8_lossy(&form);
    let shown = form.split('&').find_map(|field| field.strip_prefix("secret=")).unwrap_or_default();
    let Some(cookie) = state.auth.cookie_for(shown) else {
        return wrong(&state).await;
    };
    state.opener.remove();
    let headers = [
        (header::SET_COOKIE, HeaderValue::from_str(&cookie).expect("a number and hexadecimal digits")),
        (header::LOCATION, HeaderValue::from_static("/")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (StatusCode::SEE_OTHER, headers).into_response()
}

async fn wrong(state: &ServerState) -> Response {
    let Ok(_waiting) = state.wrong.try_acquire() else {
        let why = "Too many wrong secrets at once. Wait a second and try again.";
        let retry = [(header::RETRY_AFTER, HeaderValue::from_static("1"))];
        return (retry, plain_text(StatusCode::TOO_MANY_REQUESTS, why)).into_response();
    };
    sleep(WRONG_DELAY).await;
    plain_text(
        StatusCode::UNAUTHORIZED,
        "This is not the secret of this lab. The lab says at its start which file holds it.",
    )
}

//! Responses in one sentence.

use axum::http::StatusCode;
use axum::http::header::{self, HeaderValue};
use axum::response::{IntoResponse, Response};

/// Makes a plain-text response.
pub(super) fn plain_text(status: StatusCode, text: &'static str) -> Response {
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    let control = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    (status, [kind, control], format!("{text}\n")).into_response()
}

//! Authorisation of requests. A foreign page in the same browser must not reach the lab.
//!
//! - `Host` must be a name of this server. Otherwise a foreign site could let its own name lead here and read
//!   everything as if it were its own (DNS rebinding).
//! - `Origin`, where a browser sends one, must be the page of this server. Browsers let any page open a
//!   WebSocket anywhere, and say who asks only by this header: a WebSocket without it must show the token
//!   instead.
//! - Nothing is changed by requests: `GET` and `HEAD` are all there is.

use super::token::is_same;
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use std::net::{IpAddr, SocketAddr};

/// Header in which programs that are no browsers send the token.
pub(super) const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-gedanken-token");

/// The path of the WebSocket.
pub(super) const WIRE_PATH: &str = "/wire";

/// Address and token of the server.
#[derive(Debug)]
pub(super) struct Auth {
    /// Address of the server.
    pub(super) address: SocketAddr,
    /// Token of this start of the server.
    pub(super) token: String,
}

/// Reason of a refusal: a status and a sentence.
pub(super) type Refusal = (StatusCode, &'static str);

impl Auth {
    /// Checks a request, and returns the host that it was sent to.
    ///
    /// # Errors
    /// If it is refused.
    pub(super) fn admit<'h>(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &'h HeaderMap,
    ) -> Result<&'h str, Refusal> {
        if method != Method::GET && method != Method::HEAD {
            return Err((StatusCode::METHOD_NOT_ALLOWED, "The lab only answers GET and HEAD."));
        }
        let stranger = (StatusCode::MISDIRECTED_REQUEST, "The lab has another address than this one.");
        let host = only(headers, &HOST).ok_or(stranger)?.ok_or(stranger)?;
        let is_absolute_elsewhere = uri.authority().is_some_and(|authority| authority.as_str() != host);
        if !self.is_own(host) || is_absolute_elsewhere {
            return Err(stranger);
        }
        let foreign = (StatusCode::FORBIDDEN, "Only the page of this lab may ask it.");
        match only(headers, &ORIGIN).ok_or(foreign)? {
            Some(origin) if origin.strip_prefix("http://") == Some(host) => {}
            Some(_) => return Err(foreign),
            None if uri.path() == WIRE_PATH && !self.shows_token(headers) => return Err(foreign),
            None => {}
        }
        Ok(host)
    }

    fn shows_token(&self, headers: &HeaderMap) -> bool {
        only(headers, &TOKEN_HEADER).flatten().is_some_and(|shown| is_same(shown, &self.token))
    }

    /// Whether a `Host` is a name of this server. A number cannot be made to lead elsewhere, so that a server
    /// for everybody takes all of them.
    fn is_own(&self, host: &str) -> bool {
        let (name, port) = split(host);
        if port != Some(self.address.port()) {
            return false;
        }
        if name.eq_ignore_ascii_case("localhost") {
            return true;
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        bare.parse::<IpAddr>()
            .is_ok_and(|ip| ip.is_loopback() || ip == self.address.ip() || self.address.ip().is_unspecified())
    }
}

/// The value of a header that may be there once: `None` if it is there twice, or is not text.
fn only<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<Option<&'h str>> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Some(None),
        (Some(value), None) => value.to_str().ok().map(Some),
        (Some(_), Some(_)) => None,
    }
}

/// Name and port of a host; the port is 80 if it is not there, `None` if it is no number.
fn split(host: &str) -> (&str, Option<u16>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse().ok()),
        _ => (host, Some(80)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admit(address: &str, path: &str, headers: &[(HeaderName, &str)]) -> Result<String, u16> {
        let auth = Auth { address: address.parse().unwrap(), token: "0123".to_owned() };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().unwrap());
        }
        let admitted = auth.admit(&Method::GET, &path.parse().unwrap(), &map);
        admitted.map(str::to_owned).map_err(|(status, _)| status.as_u16())
    }

    #[test]
    fn only_names_of_this_server_are_hosts() {
        let host = |host: &str| admit("127.0.0.1:4747", "/", &[(HOST, host)]);
        for own in ["127.0.0.1:4747", "localhost:4747", "LOCALHOST:4747", "[::1]:4747", "127.0.0.2:4747"] {
            assert_eq!(host(own), Ok(own.to_owned()));
        }
        for foreign in [
            "evil.example:4747",
            "127.0.0.1",
            "127.0.0.1:80",
            "localhost:47470",
            "localhost.evil.example:4747",
            "192.168.1.7:4747",
            "",
            ":4747",
            "127.0.0.1:4747:4747",
            "[::1]",
            "127.0.0.1.:4747",
        ] {
            assert_eq!(host(foreign), Err(421), "{foreign}");
        }
        assert_eq!(admit("127.0.0.1:4747", "/", &[]), Err(421));
        let twice = [(HOST, "127.0.0.1:4747"), (HOST, "evil.example:4747")];
        assert_eq!(admit("127.0.0.1:4747", "/", &twice), Err(421));
        assert_eq!(admit("127.0.0.1:80", "/", &[(HOST, "localhost")]), Ok("localhost".to_owned()));
        let own = [(HOST, "127.0.0.1:4747")];
        assert_eq!(
            admit("127.0.0.1:4747", "http://evil.example/", &own),
            Err(421),
            "in the line of the request"
        );
    }

    #[test]
    fn a_server_for_everybody_takes_numbers_but_no_names() {
        let host = |host: &str| admit("0.0.0.0:4747", "/", &[(HOST, host)]).is_ok();
        assert!(host("192.168.1.7:4747") && host("[fe80::1]:4747") && host("localhost:4747"));
        assert!(!host("evil.example:4747"));
        let host = |host: &str| admit("192.168.1.7:4747", "/", &[(HOST, host)]).is_ok();
        assert!(host("192.168.1.7:4747") && !host("192.168.1.8:4747"));
    }

    #[test]
    fn a_foreign_page_is_not_answered() {
        let own = (HOST, "127.0.0.1:4747");
        let from = |path: &str, origin: &str| admit("127.0.0.1:4747", path, &[own.clone(), (ORIGIN, origin)]);
        for path in ["/", "/wire", "/assets/a.js"] {
            assert!(from(path, "http://127.0.0.1:4747").is_ok(), "{path}");
            for origin in [
                "http://evil.example",
                "http://127.0.0.1:4748",
                "https://127.0.0.1:4747",
                "null",
                "",
                "http://localhost:4747",
                "http://127.0.0.1:4747.evil.example",
            ] {
                assert_eq!(from(path, origin), Err(403), "{path} {origin}");
            }
        }
    }

    #[test]
    fn a_wire_needs_an_origin_or_the_token() {
        let wire = |more: &[(HeaderName, &str)]| {
            admit("127.0.0.1:4747", WIRE_PATH, &[&[(HOST, "127.0.0.1:4747")], more].concat())
        };
        assert_eq!(wire(&[]), Err(403));
        assert_eq!(wire(&[(TOKEN_HEADER, "0124")]), Err(403));
        assert_eq!(wire(&[(TOKEN_HEADER, "")]), Err(403));
        assert_eq!(wire(&[(TOKEN_HEADER, "01234")]), Err(403));
        assert!(wire(&[(TOKEN_HEADER, "0123")]).is_ok());
        assert_eq!(wire(&[(TOKEN_HEADER, "0123"), (ORIGIN, "http://evil.example")]), Err(403));
    }

    #[test]
    fn nothing_but_reading_is_answered() {
        let auth = Auth { address: "127.0.0.1:4747".parse().unwrap(), token: String::new() };
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::CONNECT] {
            let (status, _) = auth.admit(&method, &"/".parse().unwrap(), &HeaderMap::new()).unwrap_err();
            assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED);
        }
    }
}

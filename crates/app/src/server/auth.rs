//! Authorisation of requests. A foreign page in the same browser must not reach the lab, and another user of the
//! same computer must not use it.
//!
//! - `Host` must be a name of this server. Otherwise a foreign site could let its own name lead here and read
//!   everything as if it were its own (DNS rebinding).
//! - `Origin`, where a browser sends one, must be the page of this server. Browsers let any page open a
//!   WebSocket anywhere, and say who asks only by this header.
//! - A WebSocket needs the secret: by the cookie that [`access`](super::access) gives, or as a bearer token. A
//!   lab that is exposed takes guests from its own page without it; they may read and run, but not save.
//! - Nothing is changed by requests: `GET` and `HEAD` are all there is, and `POST` to show the secret.
//!
//! The cookie is `SameSite=Lax`: the way from the opener to the page begins in another site, the file, and a
//! stricter cookie would not go along. What other sites can do with it is to load the page, which is the same
//! for everybody.

use super::secret::Secret;
use axum::http::header::{AUTHORIZATION, COOKIE, HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, Method, StatusCode, Uri};
use std::net::{IpAddr, SocketAddr};

/// The path of the WebSocket.
pub(super) const WIRE_PATH: &str = "/wire";
/// The path where the secret is shown.
pub(super) const ACCESS_PATH: &str = "/access";

/// Address and secret of the server.
#[derive(Debug)]
pub(super) struct Auth {
    /// Address of the server.
    pub(super) address: SocketAddr,
    /// Secret of the server.
    pub(super) secret: Secret,
    /// `true` if guests may read and run.
    pub(super) exposed: bool,
}

/// Rights of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// Has shown the secret: may read, run and save.
    Owner,
    /// May read and run.
    Guest,
    /// May load the page, which asks for the secret.
    Stranger,
}

impl Access {
    /// Returns the word that the page gets.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Guest => "guest",
            Self::Stranger => "stranger",
        }
    }
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
        let shows_secret = method == Method::POST && uri.path() == ACCESS_PATH;
        if method != Method::GET && method != Method::HEAD && !shows_secret {
            return Err((StatusCode::METHOD_NOT_ALLOWED, "The lab only answers GET and HEAD."));
        }
        let stranger = (StatusCode::MISDIRECTED_REQUEST, "The lab has another address than this one.");
        let host = only(headers, &HOST).ok_or(stranger)?.ok_or(stranger)?;
        let is_absolute_elsewhere = uri.authority().is_some_and(|authority| authority.as_str() != host);
        if !self.is_own(host) || is_absolute_elsewhere {
            return Err(stranger);
        }
        let foreign = (StatusCode::FORBIDDEN, "Only the page of this lab may ask it.");
        let origin = only(headers, &ORIGIN).ok_or(foreign)?;
        match origin {
            Some(origin) if origin.strip_prefix("http://") == Some(host) => {}
            // The opener is a file, and files have no origin. Without the secret this request does nothing.
            Some("null") if shows_secret => {}
            Some(_) => return Err(foreign),
            None => {}
        }
        if uri.path() == WIRE_PATH {
            let is_allowed = match self.access(headers) {
                Access::Owner => true,
                Access::Guest => origin.is_some(),
                Access::Stranger => false,
            };
            if !is_allowed {
                return Err((StatusCode::UNAUTHORIZED, SECRET_NEEDED));
            }
        }
        Ok(host)
    }

    /// Returns the rights of a request.
    pub(super) fn access(&self, headers: &HeaderMap) -> Access {
        if self.shows_cookie(headers) || self.shows_bearer(headers) {
            Access::Owner
        } else if self.exposed {
            Access::Guest
        } else {
            Access::Stranger
        }
    }

    /// Returns the header that sets the cookie, for the right secret. The cookie ends with the browser.
    pub(super) fn cookie_for(&self, shown: &str) -> Option<String> {
        let name = self.cookie_name();
        let digits = self.secret.digits();
        self.secret.is(shown).then(|| format!("{name}={digits}; Path=/; HttpOnly; SameSite=Lax"))
    }

    /// The name of the cookie. Browsers send cookies to all ports of a host, so that the name tells them
    /// apart.
    fn cookie_name(&self) -> String {
        format!("gedanken-{}", self.address.port())
    }

    /// Whether a cookie of this port has the secret. A server at another port may have set a second cookie of
    /// the same name; it does not hide the right one.
    fn shows_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let lines = headers.get_all(COOKIE).iter().filter_map(|line| line.to_str().ok());
        let pairs = lines.flat_map(|line| line.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(key, _)| *key == name).any(|(_, shown)| self.secret.is(shown))
    }

    fn shows_bearer(&self, headers: &HeaderMap) -> bool {
        let shown = only(headers, &AUTHORIZATION).flatten().and_then(|value| value.split_once(' '));
        shown.is_some_and(|(scheme, shown)| {
            scheme.eq_ignore_ascii_case("bearer") && self.secret.is(shown.trim())
        })
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

/// Answer to a WebSocket without the secret.
const SECRET_NEEDED: &str = "This lab asks for its secret. The lab says at its start which file holds it. \
    A browser shows it on the page; a program sends the header `Authorization: Bearer`, a space and the secret.";

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

    /// Digits of the secret of all tests.
    fn secret() -> String {
        "0123456789abcdef".repeat(4)
    }

    fn auth(address: &str, exposed: bool) -> Auth {
        Auth { address: address.parse().unwrap(), secret: Secret::parse(&secret()).unwrap(), exposed }
    }

    fn map(headers: &[(HeaderName, &str)]) -> HeaderMap {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(name, value.parse().unwrap());
        }
        map
    }

    fn admit(address: &str, path: &str, headers: &[(HeaderName, &str)]) -> Result<String, u16> {
        let auth = auth(address, false);
        let admitted = auth.admit(&Method::GET, &path.parse().unwrap(), &map(headers)).map(str::to_owned);
        admitted.map_err(|(status, _)| status.as_u16())
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
        for path in ["/", "/access", "/assets/a.js"] {
            assert!(from(path, "http://127.0.0.1:4747").is_ok(), "{path}");
        }
        for path in ["/", "/access", "/wire", "/assets/a.js"] {
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
    fn a_wire_needs_the_secret() {
        let right = secret();
        let own = [(HOST, "127.0.0.1:4747"), (ORIGIN, "http://127.0.0.1:4747")];
        let wire = |headers: &[(HeaderName, &str)]| {
            let page = admit("127.0.0.1:4747", WIRE_PATH, &[&own, headers].concat());
            assert_eq!(page, admit("127.0.0.1:4747", WIRE_PATH, &[&own[..1], headers].concat()), "a program");
            page.map(|_| ())
        };
        let bearer = format!("Bearer {right}");
        assert_eq!(wire(&[]), Err(401));
        assert_eq!(wire(&[(AUTHORIZATION, &bearer)]), Ok(()));
        assert_eq!(wire(&[(AUTHORIZATION, &bearer.replace('B', "b"))]), Ok(()), "schemes have no case");
        for wrong in
            ["Bearer", "Bearer ", "Bearer 0123", &right, &format!("Basic {right}"), &format!("{bearer}0")]
        {
            assert_eq!(wire(&[(AUTHORIZATION, wrong)]), Err(401), "{wrong}");
        }
        assert_eq!(wire(&[(AUTHORIZATION, &bearer), (AUTHORIZATION, &bearer)]), Err(401), "twice");
        let cookie = format!("gedanken-4747={right}");
        assert_eq!(wire(&[(COOKIE, &cookie)]), Ok(()));
        assert_eq!(wire(&[(COOKIE, &format!("a=b; gedanken-4747=0; {cookie}"))]), Ok(()), "one is right");
        for wrong in [
            String::new(),
            "gedanken-4747=".to_owned(),
            format!("gedanken-4748={right}"),
            format!("gedanken={right}"),
            format!("xgedanken-4747={right}"),
            format!("gedanken-4747={right}0"),
            format!("gedanken-4747={}", right.to_uppercase()),
        ] {
            assert_eq!(wire(&[(COOKIE, &wrong)]), Err(401), "{wrong}");
        }
        let foreign = [(HOST, "127.0.0.1:4747"), (ORIGIN, "http://evil.example"), (COOKIE, &cookie)];
        assert_eq!(admit("127.0.0.1:4747", WIRE_PATH, &foreign), Err(403), "a foreign page with the cookie");
    }

    #[test]
    fn guests_of_an_exposed_lab_come_from_its_page() {
        let auth = auth("192.168.1.7:4747", true);
        let wire = |headers: &[(HeaderName, &str)]| {
            let headers = map(&[&[(HOST, "192.168.1.7:4747")], headers].concat());
            let admitted = auth.admit(&Method::GET, &WIRE_PATH.parse().unwrap(), &headers);
            admitted.map(|_| auth.access(&headers)).map_err(|(status, _)| status.as_u16())
        };
        let own = (ORIGIN, "http://192.168.1.7:4747");
        assert_eq!(wire(std::slice::from_ref(&own)), Ok(Access::Guest));
        let cookie = format!("gedanken-4747={}", secret());
        assert_eq!(wire(&[own.clone(), (COOKIE, &cookie)]), Ok(Access::Owner));
        assert_eq!(wire(&[own, (COOKIE, "gedanken-4747=0")]), Ok(Access::Guest));
        assert_eq!(wire(&[]), Err(401), "a program");
        assert_eq!(wire(&[(ORIGIN, "http://evil.example")]), Err(403));
    }

    #[test]
    fn nothing_but_reading_and_showing_the_secret_is_answered() {
        let auth = auth("127.0.0.1:4747", false);
        let status = |method: &Method, path: &str, headers: &[(HeaderName, &str)]| {
            let headers = map(headers);
            let admitted = auth.admit(method, &path.parse().unwrap(), &headers);
            admitted.map(|_| ()).map_err(|(status, _)| status.as_u16())
        };
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::CONNECT] {
            assert_eq!(status(&method, "/", &[]), Err(405), "{method}");
            assert_eq!(status(&method, "/wire", &[]), Err(405), "{method}");
        }
        assert_eq!(status(&Method::PUT, "/access", &[]), Err(405));
        let own = (HOST, "127.0.0.1:4747");
        assert_eq!(status(&Method::POST, "/access", &[(HOST, "evil.example:4747")]), Err(421));
        for origin in ["null", "http://127.0.0.1:4747"] {
            assert_eq!(status(&Method::POST, "/access", &[own.clone(), (ORIGIN, origin)]), Ok(()));
        }
        for origin in ["http://evil.example", "http://127.0.0.1:4748", "file://"] {
            assert_eq!(status(&Method::POST, "/access", &[own.clone(), (ORIGIN, origin)]), Err(403));
        }
    }

    #[test]
    fn the_cookie_is_named_by_its_port_and_hidden_from_scripts() {
        let auth = auth("127.0.0.1:4747", false);
        let right = secret();
        assert_eq!(
            auth.cookie_for(&right),
            Some(format!("gedanken-4747={right}; Path=/; HttpOnly; SameSite=Lax"))
        );
        assert_eq!(auth.cookie_for(&right[1..]), None);
        assert_eq!(auth.cookie_for(""), None);
    }
}

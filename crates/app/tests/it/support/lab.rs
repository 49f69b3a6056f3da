//! A lab that runs, and a browser that is none: HTTP and WebSocket by hand, so that it can also be impolite.

use super::{Folder, command, first_line, session_folder};
use serde_json::Value;
use std::fs;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Duration;

/// Longest wait for a message of the lab.
const MESSAGE_TIME_LIMIT: Duration = Duration::from_secs(60);

/// A server that ends with the test.
pub(crate) struct Lab {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
}

impl Lab {
    pub(crate) fn start(folder: &Folder, more: &[&str]) -> Self {
        Self::start_at(folder, 0, more)
    }

    /// Starts a lab at a port.
    pub(crate) fn start_at(folder: &Folder, port: u16, more: &[&str]) -> Self {
        let port = port.to_string();
        let arguments = [&["lab", "--no-open", "--port", port.as_str()], more].concat();
        let mut child = command(folder, &arguments).stdout(Stdio::piped()).spawn().unwrap();
        let (line, stdout) = first_line(child.stdout.take().unwrap(), "the address of the lab");
        child.stdout = Some(stdout);
        let address = line.strip_prefix("The lab is at http://").and_then(|rest| rest.strip_suffix("/\n"));
        let address = address.unwrap_or_else(|| panic!("{line:?}")).parse().unwrap();
        Self { child, address }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(MESSAGE_TIME_LIMIT)).unwrap();
        stream.set_write_timeout(Some(MESSAGE_TIME_LIMIT)).unwrap();
        stream
    }

    /// Sends a head as it is, and reads what comes until the other side closes.
    pub(crate) fn raw(&self, head: &str) -> Answer {
        let mut stream = self.connect();
        stream.write_all(head.as_bytes()).unwrap();
        let mut bytes = Vec::new();
        // What was read before a reset counts.
        let _ = stream.read_to_end(&mut bytes);
        Answer::read(&bytes)
    }

    /// `GET path`, with further headers.
    pub(crate) fn get(&self, path: &str, headers: &[&str]) -> Answer {
        let own = format!("Host: {}", self.address);
        let lines = [&[own.as_str(), "Connection: close"], headers].concat().join("\r\n");
        self.raw(&format!("GET {path} HTTP/1.1\r\n{lines}\r\n\r\n"))
    }

    /// `POST /access` with this body.
    pub(crate) fn enter(&self, body: &str, headers: &[&str]) -> Answer {
        let own = format!("Host: {}", self.address);
        let length = format!("Content-Length: {}", body.len());
        let form = "Content-Type: application/x-www-form-urlencoded";
        let lines =
            [&[own.as_str(), form, length.as_str(), "Connection: close"], headers].concat().join("\r\n");
        self.raw(&format!("POST /access HTTP/1.1\r\n{lines}\r\n\r\n{body}"))
    }

    /// The file of the secret.
    pub(crate) fn secret_file(&self) -> PathBuf {
        session_folder().join(format!("gedanken/{}.secret", self.address.port()))
    }

    /// The secret, as a program finds it.
    pub(crate) fn secret(&self) -> String {
        fs::read_to_string(self.secret_file()).unwrap().trim_end().to_owned()
    }

    /// The header with the cookie that a browser has got.
    pub(crate) fn cookie(&self) -> String {
        format!("Cookie: gedanken-{}={}", self.address.port(), self.secret())
    }

    pub(crate) fn origin(&self) -> String {
        format!("Origin: http://{}", self.address)
    }

    /// A connection as the page makes it.
    pub(crate) fn wire(&self) -> Wire {
        Wire::open(self, &[&self.origin(), &self.cookie()]).expect("the page is let in")
    }

    /// A connection that has been welcomed.
    pub(crate) fn welcomed(&self) -> Wire {
        let mut wire = self.wire();
        assert_eq!(wire.expect_reply("welcome")["type"], "welcome");
        wire
    }

    /// Whether it still answers, page and connection.
    pub(crate) fn is_well(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
            && self.get("/", &[]).status == 200
            && self
                .welcomed()
                .request(r#"{"type":"open","id":7,"origin":{"from":"gallery","name":"kepler"}}"#)["id"]
                == 7
    }
}

impl Drop for Lab {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// An answer by HTTP.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    head: String,
    pub(crate) body: String,
}

impl Answer {
    fn read(bytes: &[u8]) -> Self {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0);
        Self { status, head: head.to_owned(), body: body.to_owned() }
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().skip(1).find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }
}

/// A message of the server.
#[derive(Debug)]
pub(crate) enum Message {
    Text(Value),
    Binary(Vec<u8>),
    /// With its code.
    Closed(u16),
}

/// A WebSocket, from the side of the browser (RFC 6455).
pub(crate) struct Wire {
    pub(crate) stream: TcpStream,
}

impl Wire {
    /// Opens one with these headers, or gives the status that refuses it.
    pub(crate) fn open(lab: &Lab, headers: &[&str]) -> Result<Self, u16> {
        let mut stream = lab.connect();
        let own = format!("Host: {}", lab.address);
        let upgrade = [
            own.as_str(),
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ];
        let lines = [&upgrade, headers].concat().join("\r\n");
        stream.write_all(format!("GET /wire HTTP/1.1\r\n{lines}\r\n\r\n").as_bytes()).unwrap();
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            match stream.read(&mut byte) {
                Ok(1) => head.push(byte[0]),
                _ => break,
            }
        }
        let answer = Answer::read(&head);
        if answer.status != 101 {
            return Err(answer.status);
        }
        // The example of RFC 6455, section 1.3.
        assert_eq!(answer.header("sec-websocket-accept"), Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
        Ok(Self { stream })
    }

    /// Sends one frame; `false` if the other side takes no more.
    pub(crate) fn send(&mut self, opcode: u8, bytes: &[u8]) -> bool {
        let mut frame = vec![0x80 | opcode];
        match bytes.len() {
            short @ ..126 => frame.push(0x80 | short as u8),
            middle @ ..65_536 => {
                frame.push(0x80 | 126);
                frame.extend((middle as u16).to_be_bytes());
            }
            long => {
                frame.push(0x80 | 127);
                frame.extend((long as u64).to_be_bytes());
            }
        }
        let mask = [0x12, 0x34, 0x56, 0x78];
        frame.extend(mask);
        frame.extend(bytes.iter().zip(mask.iter().cycle()).map(|(byte, mask)| byte ^ mask));
        self.stream.write_all(&frame).is_ok()
    }

    pub(crate) fn say(&mut self, text: &str) -> bool {
        self.send(1, text.as_bytes())
    }

    /// The next message; signs of life are passed over.
    pub(crate) fn next(&mut self) -> Message {
        loop {
            let mut head = [0; 2];
            if self.read(&mut head).is_none() {
                return Message::Closed(0);
            }
            let length = match head[1] & 0x7f {
                126 => {
                    let mut length = [0; 2];
                    self.read(&mut length).unwrap();
                    usize::from(u16::from_be_bytes(length))
                }
                127 => {
                    let mut length = [0; 8];
                    self.read(&mut length).unwrap();
                    usize::try_from(u64::from_be_bytes(length)).unwrap()
                }
                short => usize::from(short),
            };
            assert_eq!((head[0] & 0x80, head[1] & 0x80), (0x80, 0), "whole frames, not masked");
            let mut bytes = vec![0; length];
            self.read(&mut bytes).unwrap();
            match head[0] & 0x0f {
                1 => return Message::Text(serde_json::from_slice(&bytes).unwrap()),
                2 => return Message::Binary(bytes),
                8 => {
                    return Message::Closed(
                        bytes.get(..2).map_or(0, |code| u16::from_be_bytes([code[0], code[1]])),
                    );
                }
                9 | 10 => {}
                other => panic!("opcode {other}"),
            }
        }
    }

    fn read(&mut self, bytes: &mut [u8]) -> Option<()> {
        match self.stream.read_exact(bytes) {
            Ok(()) => Some(()),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                panic!("waited {MESSAGE_TIME_LIMIT:?} in vain for a message of the lab")
            }
            Err(_) => None,
        }
    }

    /// The next message of this kind; others are passed over.
    pub(crate) fn expect_reply(&mut self, kind: &str) -> Value {
        loop {
            match self.next() {
                Message::Text(value) if value["type"] == kind => return value,
                Message::Closed(code) => panic!("closed with {code} before {kind}"),
                Message::Text(_) | Message::Binary(_) => {}
            }
        }
    }

    /// Asks, and gives the next text message.
    pub(crate) fn request(&mut self, question: &str) -> Value {
        assert!(self.say(question));
        loop {
            match self.next() {
                Message::Text(value) => return value,
                Message::Closed(code) => panic!("closed with {code} after {question}"),
                Message::Binary(_) => {}
            }
        }
    }
}

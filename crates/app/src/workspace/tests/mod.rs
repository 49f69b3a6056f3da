//! A workspace on its own: requests in, messages out, no socket.

mod ball;
mod derivation;
mod edit;
mod list;
mod many;
mod others;
mod requests;
mod runs;
mod scene;
mod session;
mod support;

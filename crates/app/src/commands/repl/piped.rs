//! A session that comes through a pipe, line by line.

use super::answer;
use crate::console::terminal;
use crate::failure::Failure;
use crate::files::disk::Disk;
use gedanken_lang::session::{Session, is_complete};
use gedanken_lang::source::Sources;
use std::io::{BufRead, Read};

/// Answers every input. An empty line ends an input that seems to go on, as it does on a terminal.
pub(super) fn listen(session: &mut Session<Disk>, mut lines: impl BufRead) -> Result<(), Failure> {
    let mut fine = true;
    let mut input = String::new();
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let room = (Sources::LONGEST - input.len().min(Sources::LONGEST)) as u64;
        let ended = lines.by_ref().take(room).read_until(b'\n', &mut bytes)? == 0;
        match std::str::from_utf8(&bytes) {
            Ok(line) => input.push_str(line),
            Err(_) => {
                terminal::print_error("this line is not valid UTF-8 and was skipped");
                fine = false;
            }
        }
        let blank = input.trim().is_empty();
        let forced = ended || input.ends_with("\n\n") || input.ends_with("\n\r\n");
        if !blank && (forced || is_complete(&input)) {
            let replies = session.submit(input.trim_end());
            let answered = answer(session, &replies, false)?;
            fine &= !answered.failed;
            if answered.quit {
                break;
            }
            input.clear();
        } else if blank {
            input.clear();
        }
        if ended {
            break;
        }
    }
    if fine { Ok(()) } else { Err(Failure::Reported) }
}

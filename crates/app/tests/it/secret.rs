//! The secret of a lab from outside: where it is kept, what shows it, and what is refused without it.

use crate::support::lab::{Lab, Wire};
use crate::support::{Folder, command, first_line, session_folder, wait_until};
use serde_json::{Value, json};
use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Asks to save, and gives the answer.
fn save(wire: &mut Wire, name: &str) -> Value {
    let request = json!({ "type": "save", "id": 3, "name": name, "text": "// saved", "base": null });
    wire.request(&request.to_string())
}

fn welcomed(lab: &Lab, headers: &[&str]) -> Wire {
    let mut wire = Wire::open(lab, headers).unwrap_or_else(|status| panic!("{status} with {headers:?}"));
    wire.expect_reply("welcome");
    wire
}

#[test]
fn another_user_of_the_computer_finds_no_way_to_save() {
    let folder = Folder::new("stranger");
    let lab = Lab::start(&folder, &[]);
    let (origin, secret) = (lab.origin(), lab.secret());
    let other = Lab::start(&folder, &[]);
    // All that is answered without the secret, and all that can be guessed.
    for path in ["/", "/index.html", "/access", "/wire", "/icon.svg"] {
        let answer = lab.get(path, &[]);
        assert!(!answer.body.contains(&secret) && answer.header("set-cookie").is_none(), "{path}");
    }
    assert_eq!(lab.get("/access", &[]).body, "stranger\n");
    let port = lab.address.port();
    for wrong in [
        "X-Nothing: 1".to_owned(),
        "Authorization: Bearer".to_owned(),
        format!("Authorization: Bearer {}", other.secret()),
        format!("X-Gedanken-Token: {secret}"),
        format!("Cookie: gedanken-{port}=0"),
        format!("Cookie: gedanken-{port}={}", other.secret()),
        format!("Cookie: gedanken-{}={secret}", other.address.port()),
        other.cookie(),
    ] {
        assert_eq!(Wire::open(&lab, &[&origin, &wrong]).err(), Some(401), "{wrong}");
        assert_eq!(Wire::open(&lab, &[&wrong]).err(), Some(401), "a program with {wrong}");
    }
    let refused = lab.get("/wire", &[&origin]);
    assert_eq!((refused.status, refused.header("www-authenticate")), (401, Some("Bearer")));
    for word in ["secret", "file", "Authorization: Bearer", "page"] {
        assert!(refused.body.contains(word), "the way out: {}", refused.body);
    }
    assert!(folder.names().is_empty());
}

#[test]
fn the_cookie_or_the_header_lets_one_save() {
    let folder = Folder::new("owner");
    let lab = Lab::start(&folder, &[]);
    let entered = lab.enter(&format!("secret={}", lab.secret()), &[&lab.origin()]);
    assert_eq!((entered.status, entered.header("location")), (303, Some("/")));
    assert_eq!(entered.header("cache-control"), Some("no-store"));
    let cookie = entered.header("set-cookie").unwrap();
    let (pair, attributes) = cookie.split_once("; ").unwrap();
    assert_eq!(format!("Cookie: {pair}"), lab.cookie());
    assert_eq!(attributes, "Path=/; HttpOnly; SameSite=Lax");
    assert_eq!(lab.get("/access", &[&lab.cookie()]).body, "owner\n");
    assert_eq!(save(&mut welcomed(&lab, &[&lab.origin(), &lab.cookie()]), "page")["type"], "saved");
    let bearer = format!("Authorization: Bearer {}", lab.secret());
    assert_eq!(save(&mut welcomed(&lab, &[&bearer]), "program")["type"], "saved");
    assert_eq!(folder.names(), ["page.lab", "program.lab"]);
    assert_eq!(folder.read("page.lab"), "// saved");
}

#[test]
fn wrong_secrets_are_slow_and_never_lock_the_owner_out() {
    let lab = Lab::start(&Folder::new("wrong"), &[]);
    let right = format!("secret={}", lab.secret());
    for wrong in ["", "secret=", "secret=0", &right[..right.len() - 1], &right.replace("secret", "token")] {
        let began = Instant::now();
        let answer = lab.enter(wrong, &["Origin: null"]);
        assert_eq!((answer.status, answer.header("set-cookie")), (401, None), "{wrong}");
        assert!(answer.body.contains("not the secret"), "{}", answer.body);
        assert!(began.elapsed() > Duration::from_millis(400), "{:?}", began.elapsed());
    }
    assert_eq!(lab.enter(&"x".repeat(5000), &[]).status, 413);
    assert_eq!(lab.enter(&right, &["Origin: http://evil.example"]).status, 403);
    std::thread::scope(|scope| {
        let tries: Vec<_> = (0..40).map(|_| scope.spawn(|| lab.enter("secret=0", &[]).status)).collect();
        assert_eq!(lab.enter(&right, &[]).status, 303, "while others try");
        let answers: Vec<u16> = tries.into_iter().map(|it| it.join().unwrap()).collect();
        assert!(answers.iter().all(|status| [401, 429].contains(status)), "{answers:?}");
    });
    assert_eq!(lab.enter(&right, &[]).status, 303);
}

#[test]
fn the_secret_outlives_a_restart() {
    let folder = Folder::new("restart");
    let mut lab = Lab::start(&folder, &[]);
    let (cookie, port) = (lab.cookie(), lab.address.port());
    lab.child.kill().unwrap();
    lab.child.wait().unwrap();
    let again = Lab::start_at(&folder, port, &[]);
    assert_eq!(save(&mut welcomed(&again, &[&again.origin(), &cookie]), "kept")["type"], "saved");
}

#[test]
fn guests_of_an_exposed_lab_read_and_run_but_do_not_save() {
    let folder = Folder::with("guest", &[("mine.lab", crate::support::BALL)]);
    let lab = Lab::start(&folder, &["--expose"]);
    assert_eq!(lab.get("/access", &[]).body, "guest\n");
    assert_eq!(Wire::open(&lab, &[]).err(), Some(401), "a program shows the secret");
    let mut guest = welcomed(&lab, &[&lab.origin()]);
    let origin = json!({ "from": "folder", "name": "mine.lab" });
    let opened = guest.request(&json!({ "type": "open", "id": 1, "origin": origin }).to_string());
    assert_eq!(opened["text"], crate::support::BALL);
    let edit =
        json!({ "type": "edit", "revision": 1, "origin": origin, "text": opened["text"], "settings": [] });
    assert_eq!(guest.request(&edit.to_string())["sound"], true);
    guest.say(r#"{"type":"run","run":1,"revision":1,"simulation":null,"coarse":false}"#);
    assert_eq!(guest.expect_reply("ended")["ending"], json!({ "how": "complete" }));
    for name in ["new", "mine"] {
        let refused = save(&mut guest, name);
        assert_eq!((&refused["type"], &refused["id"]), (&json!("refused"), &json!(3)));
        assert!(refused["why"].as_str().unwrap().contains("secret"), "{refused}");
    }
    assert_eq!(folder.names(), ["mine.lab"]);
    assert_eq!(folder.read("mine.lab"), crate::support::BALL);
    assert_eq!(save(&mut welcomed(&lab, &[&lab.origin(), &lab.cookie()]), "new")["type"], "saved");
}

#[cfg(unix)]
mod files {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::path::Path;

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o777
    }

    #[test]
    fn only_the_user_can_read_the_secret() {
        let folder = Folder::new("modes");
        let mut lab = Lab::start(&folder, &[]);
        let (file, before) = (lab.secret_file(), lab.secret());
        assert_eq!((mode(&file), mode(file.parent().unwrap())), (0o600, 0o700));
        assert!(before.len() == 64 && before.bytes().all(|byte| byte.is_ascii_hexdigit()), "256 bits");
        lab.child.kill().unwrap();
        lab.child.wait().unwrap();
        // What others can have read is not used again.
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
        let again = Lab::start_at(&folder, lab.address.port(), &[]);
        assert_eq!(mode(&file), 0o600);
        assert_ne!(again.secret(), before);
        assert_eq!(
            Wire::open(&again, &[&again.origin(), &lab.cookie().replace(&again.secret(), &before)]).err(),
            Some(401)
        );
    }

    #[test]
    fn without_a_place_for_the_secret_there_is_no_lab() {
        let folder = Folder::new("no-place");
        let mut nowhere = command(&folder, &["lab", "--no-open", "--port", "0"]);
        nowhere.env_remove("XDG_RUNTIME_DIR").env_remove("XDG_STATE_HOME").env_remove("HOME");
        let said = crate::support::output(&mut nowhere);
        let stderr = String::from_utf8(said.stderr).unwrap();
        assert_eq!(
            (said.status.code(), stderr.contains("help: set XDG_RUNTIME_DIR")),
            (Some(2), true),
            "{stderr}"
        );
        // A link could lead to a folder that others can open.
        fs::create_dir(folder.0.join("open")).unwrap();
        std::os::unix::fs::symlink(folder.0.join("open"), folder.0.join("gedanken")).unwrap();
        nowhere.env("XDG_RUNTIME_DIR", &folder.0);
        let said = crate::support::output(&mut nowhere);
        let stderr = String::from_utf8(said.stderr).unwrap();
        assert_eq!((said.status.code(), stderr.contains("link")), (Some(2), true), "{stderr}");
        assert_eq!(fs::read_dir(folder.0.join("open")).unwrap().count(), 0);
    }

    /// The browser gets the name of a file, which every user may see; the secret is inside, and the file is
    /// gone when it has been shown.
    #[cfg(target_os = "linux")]
    #[test]
    fn the_browser_is_opened_without_the_secret_in_its_arguments() {
        let folder = Folder::new("opener");
        folder.write("xdg-open", "#!/bin/sh\nprintf '%s\\n' \"$@\" > opened.part && mv opened.part opened\n");
        fs::set_permissions(folder.0.join("xdg-open"), fs::Permissions::from_mode(0o755)).unwrap();
        // `script` gives it a terminal: without one, no browser is opened.
        let lab = format!("{} lab --port 0", env!("CARGO_BIN_EXE_gedanken"));
        let mut terminal = std::process::Command::new("script");
        let path = format!("{}:{}", folder.0.display(), std::env::var("PATH").unwrap());
        terminal.args(["-qefc", &lab, "typescript"]).current_dir(&folder.0).env("PATH", path);
        terminal.env("XDG_RUNTIME_DIR", session_folder()).env("DISPLAY", ":0");
        let mut child = terminal.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let (line, stdout) = first_line(child.stdout.take().unwrap(), "the address of the lab");
        wait_until("the browser", || folder.0.join("opened").exists());
        let arguments = folder.read("opened");
        let port = line.trim_end().trim_end_matches('/').rsplit_once(':').unwrap().1.to_owned();
        let file = session_folder().join(format!("gedanken/{port}.html"));
        assert_eq!(arguments.trim_end(), file.to_str().unwrap());
        assert_eq!(mode(&file), 0o600);
        let secret = fs::read_to_string(file.with_extension("secret")).unwrap().trim_end().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.contains(&format!("action=\"http://127.0.0.1:{port}/access\"")), "{text}");
        assert!(text.contains(&format!("name=\"secret\" value=\"{secret}\"")), "{text}");
        for process in fs::read_dir("/proc").unwrap() {
            let shown = fs::read(process.unwrap().path().join("cmdline")).unwrap_or_default();
            assert!(!String::from_utf8_lossy(&shown).contains(&secret));
        }
        let lab = Lab { child, address: format!("127.0.0.1:{port}").parse().unwrap() };
        // A browser says of a file that it has no origin.
        assert_eq!(lab.enter(&format!("secret={secret}"), &["Origin: null"]).status, 303);
        assert!(!file.exists(), "it has been used");
        assert!(!folder.read("typescript").contains(&secret), "nor is it printed");
        drop((lab, stdout));
    }
}

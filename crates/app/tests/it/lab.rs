//! `gedanken lab` from outside: who is let in, what is answered, and that nothing a stranger sends stops it.

use crate::support::lab::{Lab, Message, Wire};
use crate::support::{BALL, Folder, command, first_line, outcome, wait_until};
use serde_json::{Value, json};
use std::io::ErrorKind;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn the_page_comes_with_strict_headers_and_no_secret() {
    let folder = Folder::new("page");
    let lab = Lab::start(&folder, &[]);
    let page = lab.get("/", &[]);
    assert_eq!((page.status, page.header("content-type")), (200, Some("text/html; charset=utf-8")));
    assert_eq!(page.header("cache-control"), Some("no-cache"));
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(page.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(page.header("cross-origin-opener-policy"), Some("same-origin"));
    let policy = page.header("content-security-policy").unwrap();
    for part in [
        "default-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        &format!("connect-src 'self' ws://{};", lab.address),
    ] {
        assert!(policy.contains(part), "{policy}");
    }
    assert!(!policy.contains("script-src") && !policy.contains("unsafe-eval"), "{policy}");
    assert!(!page.body.contains(&lab.secret()) && page.header("set-cookie").is_none());
    assert_eq!(lab.get("/", &[&lab.cookie()]).body, page.body, "the page is the same for everybody");
    assert_eq!(lab.get("/nothing.js", &[]).status, 404);
    let head = lab.raw(&format!("HEAD / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", lab.address));
    assert_eq!((head.status, head.body.as_str()), (200, ""));
}

#[test]
fn a_page_can_be_served_from_a_folder() {
    let folder = Folder::new("from-folder");
    std::fs::create_dir(folder.0.join("dist")).unwrap();
    let lab = Lab::start(&folder, &["--page", "dist"]);
    let page = lab.get("/", &[]);
    assert_eq!(page.status, 200);
    assert!(page.body.contains("page is missing") && page.body.contains("make lab"), "{}", page.body);
    folder.write("dist/index.html", "<p>new");
    folder.write("dist/a.js", "1");
    folder.write("secret.js", "2");
    assert_eq!(lab.get("/", &[]).body, "<p>new");
    let script = lab.get("/a.js", &[]);
    assert_eq!((script.status, script.body.as_str()), (200, "1"));
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    let tag = script.header("etag").unwrap();
    assert_eq!(lab.get("/a.js", &[&format!("If-None-Match: {tag}")]).status, 304);
    folder.write("dist/a.js", "3");
    assert_eq!(lab.get("/a.js", &[&format!("If-None-Match: {tag}")]).body, "3");
    for path in
        ["/../secret.js", "/%2e%2e/secret.js", "//secret.js", "/..%2fsecret.js", "/a.js/../../secret.js"]
    {
        assert_eq!(lab.get(path, &[]).status, 404, "{path}");
    }
}

#[test]
fn foreign_hosts_and_pages_stay_outside() {
    let lab = Lab::start(&Folder::new("foreign"), &[]);
    let port = lab.address.port();
    let from =
        |host: &str| lab.raw(&format!("GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")).status;
    assert_eq!(from(&format!("localhost:{port}")), 200);
    for host in ["evil.example", &format!("evil.example:{port}"), "127.0.0.1", "localhost:1"] {
        assert_eq!(from(host), 421, "{host}");
    }
    let refused = lab.raw("GET / HTTP/1.0\r\n\r\n");
    assert_eq!(refused.status, 421);
    assert!(
        refused.body.ends_with(".\n") && !refused.body.contains("secret"),
        "a sentence: {}",
        refused.body
    );
    assert_eq!(lab.get("/", &["Origin: http://evil.example"]).status, 403);
    let post =
        format!("POST / HTTP/1.1\r\nHost: {}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", lab.address);
    assert_eq!(lab.raw(&post).status, 405);

    let refusal = |headers: &[&str]| Wire::open(&lab, headers).err();
    let cookie = lab.cookie();
    for origin in ["http://evil.example", &format!("http://localhost:{port}"), "null"] {
        let origin = format!("Origin: {origin}");
        assert_eq!(refusal(&[&origin, &cookie]), Some(403), "with the cookie, {origin}");
        assert_eq!(refusal(&[&origin]), Some(403), "{origin}");
    }
    assert_eq!(refusal(&[&lab.origin(), &cookie]), None);
    assert_eq!(lab.get("/wire", &[&lab.origin(), &cookie]).status, 426, "it is no page");
}

#[test]
fn the_welcome_says_what_there_is() {
    let folder = Folder::with("welcome", &[("ball.lab", BALL)]);
    let lab = Lab::start(&folder, &["ball.lab", "--set", "restitution=0.5"]);
    let welcome = lab.wire().expect_reply("welcome");
    assert_eq!(welcome["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(welcome["folder"], folder.0.canonicalize().unwrap().to_str().unwrap());
    assert_eq!(welcome["origin"], json!({ "from": "folder", "name": "ball.lab" }));
    assert_eq!(welcome["text"], BALL);
    assert_eq!(welcome["settings"], json!(["restitution=0.5"]));
    let words = welcome["words"].as_array().unwrap();
    let kind = |name: &str| words.iter().find(|it| it["name"] == name).map(|it| it["kind"].as_str().unwrap());
    assert_eq!(
        (kind("norm"), kind("if"), kind("context")),
        (Some("native"), Some("keyword"), Some("keyword"))
    );
    assert!(words.iter().all(|it| it["summary"].as_str().unwrap().ends_with(['.', ')'])));
    folder.write("ball.lab", "// changed");
    assert_eq!(
        lab.wire().expect_reply("welcome")["text"],
        "// changed",
        "who comes later sees what is there then"
    );

    let welcome = Lab::start(&folder, &[]).wire().expect_reply("welcome");
    assert_eq!(welcome["origin"], json!({ "from": "gallery", "name": "bounce" }));
    assert_eq!(welcome["text"], include_str!("../../../../experiments/bounce.lab"));
    let welcome = Lab::start(&folder, &["kepler"]).wire().expect_reply("welcome");
    assert_eq!(welcome["origin"], json!({ "from": "gallery", "name": "kepler" }));
}

#[test]
fn an_experiment_is_checked_and_run() {
    let lab = Lab::start(&Folder::new("run"), &[]);
    let mut wire = lab.welcomed();
    let edit =
        json!({ "type": "edit", "revision": 1, "origin": { "from": "page" }, "text": BALL, "settings": [] });
    let checked = wire.request(&edit.to_string());
    assert_eq!((&checked["type"], &checked["sound"]), (&json!("checked"), &json!(true)), "{checked}");
    wire.say(r#"{"type":"run","run":1,"revision":1,"simulation":null,"coarse":false}"#);
    assert_eq!(wire.expect_reply("started")["run"], 1);
    let mut frames = 0;
    let ended = loop {
        match wire.next() {
            Message::Text(value) if value["type"] == "ended" => break value,
            Message::Text(value) => assert_ne!(value["type"], "fault", "{value}"),
            Message::Binary(bytes) => {
                let length = u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize;
                let head: Value = serde_json::from_slice(&bytes[4..4 + length]).unwrap();
                let whole = |name: &str| head[name].as_u64().unwrap() as usize;
                assert_eq!(bytes.len() - 4 - length, whole("frames") * whole("bodies") * 7 * 4, "{head}");
                frames += whole("frames");
            }
            Message::Closed(code) => panic!("closed with {code}"),
        }
    };
    assert!(frames > 10, "{frames}");
    assert_eq!(ended["ending"], json!({ "how": "complete" }), "{ended}");
    assert!(ended["frames"].as_u64().unwrap() > 10 && ended["hash"].as_str().unwrap().len() == 16, "{ended}");
}

#[test]
fn nothing_leads_out_of_the_folder() {
    let outer = Folder::new("save");
    std::fs::create_dir(outer.0.join("inside")).unwrap();
    outer.write("secret.lab", "secret");
    outer.write("secret.vfl", "secret = 1");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outer.0.join("secret.lab"), outer.0.join("inside/link.lab")).unwrap();
        std::os::unix::fs::symlink(outer.0.join("secret.vfl"), outer.0.join("inside/link.vfl")).unwrap();
    }
    let lab = Lab::start(&outer, &["inside"]);
    let mut wire = lab.welcomed();
    let mut save = |name: &str| {
        let request = json!({ "type": "save", "id": 3, "name": name, "text": BALL, "base": null });
        wire.request(&request.to_string())
    };
    let saved = save("drop");
    assert_eq!((&saved["type"], &saved["origin"]["name"]), (&json!("saved"), &json!("drop.lab")), "{saved}");
    assert_eq!(outer.read("inside/drop.lab"), BALL);

    let out = ["../secret", "/etc/x", "link", "C:\\x", "a\0", "..\\secret", "a/../../secret", "", "."];
    for name in out {
        let refused = save(name);
        assert_eq!((&refused["type"], &refused["id"]), (&json!("refused"), &json!(3)), "{name:?}: {refused}");
    }
    for name in out {
        let name = format!("{name}.lab");
        for origin in [json!({ "from": "folder", "name": name }), json!({ "from": "gallery", "name": name })]
        {
            let refused = wire.request(&json!({ "type": "open", "id": 4, "origin": origin }).to_string());
            assert_eq!(refused["type"], "refused", "{name:?}");
            assert!(!refused.to_string().contains("\"secret\""), "{refused}");
        }
    }
    let absolute = outer.0.join("secret.vfl");
    for (k, path) in
        ["../secret.vfl", absolute.to_str().unwrap(), "link.vfl", "C:\\\\secret.vfl"].iter().enumerate()
    {
        let text = format!("import \"{path}\"\n{BALL}");
        let origin = json!({ "from": "folder", "name": "drop.lab" });
        let edit =
            json!({ "type": "edit", "revision": k + 1, "origin": origin, "text": text, "settings": [] });
        let checked = wire.request(&edit.to_string());
        assert_eq!((&checked["type"], &checked["sound"]), (&json!("checked"), &json!(false)), "{path}");
        if cfg!(unix) || *path != "link.vfl" {
            let is_refused =
                |it: &Value| it["code"] == "E602" || it["code"].as_str().unwrap().starts_with("E1");
            assert!(checked["problems"].as_array().unwrap().iter().any(is_refused), "{checked}");
        }
    }
    let mut names = outer.names();
    names.retain(|name| name != "inside");
    assert_eq!(names, ["secret.lab", "secret.vfl"]);
    assert_eq!(
        (outer.read("secret.lab").as_str(), outer.read("secret.vfl").as_str()),
        ("secret", "secret = 1")
    );
}

#[test]
fn what_cannot_be_understood_is_answered_and_the_connection_goes_on() {
    let mut lab = Lab::start(&Folder::new("malformed"), &[]);
    let mut wire = lab.welcomed();
    let deep = "[".repeat(100_000);
    for bad in [
        "",
        "{",
        "null",
        "[]",
        "\"x\"",
        "{}",
        r#"{"type":"nothing"}"#,
        r#"{"type":"open"}"#,
        r#"{"type":"cancel","run":-1}"#,
        r#"{"type":"cancel","run":1e99}"#,
        r#"{"type":"cancel","run":1,"more":2}"#,
        r#"{"type":"cancel","run":1}{}"#,
        &deep,
        r#"{"type":"read","id":1,"run":1,"formulas":[],"from":1e999,"to":1,"most":1,"events":true}"#,
    ] {
        let fault = wire.request(bad);
        assert_eq!(fault["type"], "fault", "{bad:.80} {fault}");
        assert!(fault["why"].as_str().unwrap().len() < 400, "{fault}");
    }
    assert!(wire.send(2, &[0, 1, 2, 255]));
    assert_eq!(wire.expect_reply("fault")["type"], "fault");
    let opened = wire.request(r#"{"type":"open","id":9,"origin":{"from":"gallery","name":"kepler"}}"#);
    assert_eq!((&opened["type"], &opened["id"]), (&json!("opened"), &json!(9)));

    let mut other = lab.welcomed();
    let mut stubborn = lab.welcomed();
    for _ in 0..1000 {
        stubborn.say("?");
    }
    for k in 0..1000 {
        assert!(matches!(stubborn.next(), Message::Text(it) if it["type"] == "fault"), "{k}");
    }
    assert!(matches!(stubborn.next(), Message::Closed(1008)));
    assert_eq!(other.request("?")["type"], "fault", "only that one is closed");

    let mut long = lab.welcomed();
    long.send(1, &vec![b' '; (4 << 20) + 1]);
    let closed = loop {
        match long.next() {
            Message::Closed(code) => break code,
            Message::Text(fault) => assert_eq!(fault["type"], "fault"),
            Message::Binary(_) => panic!("no numbers"),
        }
    };
    assert!(matches!(closed, 0 | 1009), "{closed}");
    for broken in [&b"\x00\x01\x02\x03 no frame"[..], &[0xff; 64], b"GET / HTTP/1.1\r\n\r\n"] {
        use std::io::Write as _;
        let mut wire = lab.welcomed();
        wire.stream.write_all(broken).unwrap();
        while !matches!(wire.next(), Message::Closed(_)) {}
    }
    assert!(lab.is_well());
}

/// Memory of a process, in MiB.
#[cfg(target_os = "linux")]
fn memory(lab: &Lab) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", lab.child.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() >> 10
}

#[test]
fn a_flood_of_messages_waits_and_does_not_grow() {
    let mut lab = Lab::start(&Folder::new("flood"), &[]);
    let began = Instant::now();
    let mut wire = lab.welcomed();
    for _ in 0..10_000 {
        assert!(wire.say(r#"{"type":"cancel","run":1}"#));
    }
    let opened = wire.request(r#"{"type":"open","id":9,"origin":{"from":"gallery","name":"kepler"}}"#);
    assert_eq!(opened["id"], 9, "all were taken, in order");

    // Who asks without listening is not read any more: some megabytes lie in the sockets, and no more in the
    // server.
    #[cfg(target_os = "linux")]
    let before = memory(&lab);
    let mut deaf = lab.welcomed();
    deaf.stream.set_write_timeout(Some(Duration::from_secs(2))).unwrap();
    let library = json!({ "type": "library", "id": 1 }).to_string() + &" ".repeat(20_000);
    let taken = (0..10_000).take_while(|_| deaf.say(&library)).count();
    assert!(taken < 10_000, "it had to wait");
    #[cfg(target_os = "linux")]
    assert!(memory(&lab) < before + 100, "{} MiB after {before}", memory(&lab));
    assert!(lab.is_well());
    drop(deaf);
    assert!(lab.is_well());
    assert!(began.elapsed() < Duration::from_secs(60), "{:?}", began.elapsed());
}

#[test]
fn many_connections_are_bounded_and_make_room_again() {
    let mut lab = Lab::start(&Folder::new("many"), &[]);
    let (origin, cookie) = (lab.origin(), lab.cookie());
    let mut inside = Vec::new();
    let mut refused = 0;
    for _ in 0..200 {
        match Wire::open(&lab, &[&origin, &cookie]) {
            Ok(wire) => inside.push(wire),
            Err(status) => {
                assert_eq!(status, 503);
                refused += 1;
            }
        }
    }
    assert_eq!((inside.len(), refused), (16, 184));
    assert_eq!(lab.get("/", &[]).status, 200, "the page itself still comes");
    for wire in &mut inside {
        wire.expect_reply("welcome");
    }
    drop(inside);
    let began = Instant::now();
    wait_until("room for another page", || Wire::open(&lab, &[&origin, &cookie]).is_ok());
    assert!(began.elapsed() < Duration::from_secs(10), "room for another page came late");
    assert!(lab.is_well());
}

/// A request to check a text.
fn edit(text: &str) -> String {
    json!({ "type": "edit", "revision": 1, "origin": { "from": "page" }, "text": text, "settings": [] })
        .to_string()
}

/// A text that takes long to check, and has an end.
fn long_text() -> String {
    let attributes: String = (0..100_000).map(|k| format!("    w{k} = {k} + 1\n")).collect();
    BALL.replacen("world attributes {\n", &format!("world attributes {{\n{attributes}"), 1)
}

#[test]
fn pages_with_long_texts_keep_no_other_page_waiting() {
    let lab = Lab::start(&Folder::new("long-texts"), &[]);
    let long = edit(&long_text());
    let mut busy: Vec<Wire> = (0..16).map(|_| lab.welcomed()).collect();
    for wire in &mut busy {
        assert!(wire.say(&long));
    }
    // All places are taken. One of them goes, in the middle of its check, and makes room at once.
    drop(busy.remove(0));
    let mut page = None;
    wait_until("room for another page", || {
        page = Wire::open(&lab, &[&lab.origin(), &lab.cookie()]).ok();
        page.is_some()
    });
    let mut page = page.unwrap();
    page.expect_reply("welcome");
    let checked = page.request(&edit(BALL));
    assert_eq!((&checked["type"], &checked["sound"]), (&json!("checked"), &json!(true)), "{checked}");
    // They were not done before: the last of them has no answer yet.
    let last = busy.last_mut().unwrap();
    last.stream.set_nonblocking(true).unwrap();
    let waits = last.stream.peek(&mut [0; 1]).is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
    assert!(waits, "the long texts were checked before the short one");
}

#[test]
fn a_newer_text_replaces_the_one_that_waits() {
    let lab = Lab::start(&Folder::new("replaced"), &[]);
    let mut wire = lab.welcomed();
    let text = |revision: u32, text: &str| {
        json!({ "type": "edit", "revision": revision, "origin": { "from": "page" }, "text": text, "settings": [] })
            .to_string()
    };
    let long = long_text();
    for revision in 1..=6 {
        assert!(wire.say(&text(revision, &long)));
    }
    assert!(wire.say(&text(7, BALL)));
    // What the editor asks about the newest text needs no check.
    let hovered = wire.request(r#"{"type":"hover","id":3,"revision":7,"at":0}"#);
    assert_eq!(hovered["id"], 3, "{hovered}");
    assert_eq!(wire.expect_reply("checked")["revision"], 7, "the only one that is answered");
}

#[test]
fn problems_are_bounded_and_counted() {
    let lab = Lab::start(&Folder::new("problems"), &[]);
    let mut wire = lab.welcomed();
    assert!(wire.say(&edit(&"@#$%^&*\n".repeat(2000))));
    let checked = wire.expect_reply("checked");
    let listed = checked["problems"].as_array().unwrap().len() as u64;
    assert_eq!((listed, checked["sound"].as_bool()), (100, Some(false)));
    assert!(checked["more_errors"].as_u64().unwrap() > 1000, "{}", checked["more_errors"]);
}

#[test]
fn who_says_nothing_does_not_stay() {
    let mut lab = Lab::start(&Folder::new("silent"), &[]);
    let began = Instant::now();
    let silent: Vec<_> = (0..200).map(|_| lab.connect()).collect();
    assert_eq!(lab.get("/", &[]).status, 200);
    assert!(began.elapsed() < Duration::from_secs(40), "{:?}", began.elapsed());
    drop(silent);
    assert!(lab.is_well());
}

#[cfg(unix)]
#[test]
fn it_ends_when_asked() {
    for signal in ["-INT", "-TERM"] {
        let mut lab = Lab::start(&Folder::new("end"), &[]);
        let mut wire = lab.welcomed();
        let id = lab.child.id().to_string();
        assert!(std::process::Command::new("kill").args([signal, &id]).status().unwrap().success());
        assert!(matches!(wire.next(), Message::Closed(1001)), "pages are told");
        wait_until("the end of the lab", || lab.child.try_wait().unwrap().is_some());
        assert_eq!(lab.child.wait().unwrap().code(), Some(0));
    }
}

#[test]
fn what_cannot_be_opened_is_said() {
    let folder = Folder::with("errors", &[("notes.txt", ""), ("old.arrow", "")]);
    let refused = |arguments: &[&str]| {
        let (code, stdout, stderr) = outcome(&folder, &[&["lab", "--no-open"], arguments].concat());
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        stderr
    };
    assert!(refused(&["no.lab"]).contains("no.lab cannot be read: there is no such file"));
    assert!(refused(&["notes.txt"]).contains("neither an experiment"));
    assert!(refused(&["old.arrow"]).contains("is a recording"));
    assert!(refused(&["--page", "notes.txt"]).contains("not a folder"));
    assert!(refused(&["--set", "restitution"]).contains("there is no `=`"));
    assert!(refused(&["--host", "0.0.0.0"]).contains("--expose"));
    assert!(refused(&["--host", "evil.example"]).contains("--host"));
    let taken = Lab::start(&folder, &[]);
    let port = taken.address.port().to_string();
    assert!(refused(&["--port", &port]).contains(&format!("port {port} is taken")));
}

#[test]
fn without_arguments_it_is_the_lab_at_the_first_free_port() {
    let folder = Folder::new("bare");
    let mut labs = Vec::new();
    let mut ports = Vec::new();
    for _ in 0..2 {
        let mut child = command(&folder, &[]).stdout(Stdio::piped()).spawn().unwrap();
        let (line, stdout) = first_line(child.stdout.take().unwrap(), "the address of the lab");
        child.stdout = Some(stdout);
        labs.push(child);
        let port = line.strip_prefix("The lab is at http://127.0.0.1:").and_then(|it| it.strip_suffix("/\n"));
        ports.push(port.unwrap().parse::<u16>().unwrap());
    }
    for mut child in labs {
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert!(ports[0] >= 4747 && ports[1] >= 4747 && ports[0] != ports[1], "{ports:?}");
}

#[test]
fn an_exposed_lab_warns() {
    let folder = Folder::new("exposed");
    let mut command = command(&folder, &["lab", "--no-open", "--port", "0", "--host", "0.0.0.0", "--expose"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (line, _stderr) = first_line(child.stderr.take().unwrap(), "the warning");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(line.starts_with("warning: other computers can reach this lab"), "{line}");
}

//! Reading, listing and saving, in temporary folders.

mod versions;

use super::*;
use gedanken_experiment::Files;
use std::fs;

/// A temporary folder, removed when the test ends: `inside` belongs to the library, `outside` does not.
struct Room(PathBuf);

impl Room {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("gedanken-shelf-{name}-{}", std::process::id()));
        fs::create_dir_all(path.join("inside/week1")).unwrap();
        fs::create_dir_all(path.join("outside")).unwrap();
        fs::write(path.join("outside/secret.lab"), "// secret").unwrap();
        fs::write(path.join("outside/secret.vfl"), "secret = 1").unwrap();
        Self(path)
    }

    fn library(&self) -> Library {
        Library::new(Some(self.0.join("inside")))
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join("inside").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join("inside").join(name)).unwrap()
    }

    #[cfg(unix)]
    fn link(&self, to: &str, name: &str) {
        std::os::unix::fs::symlink(self.0.join(to), self.0.join("inside").join(name)).unwrap();
    }

    /// Everything outside, which nobody may have changed.
    fn outside(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.0.join("outside"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn folder(name: &str) -> Origin {
    Origin::Folder { name: name.to_owned() }
}

/// Returns `true` if no save to this name is accepted, whatever version it names.
fn is_refused(library: &Library, name: &str) -> bool {
    [None, Some("0-0")].into_iter().all(|base| library.save(name, "x", base).is_err())
}

/// Ways out that somebody may try.
const OUT: [&str; 9] = [
    "../outside/secret.lab",
    "week1/../../outside/secret.lab",
    "/etc/secret.lab",
    "C:\\secret.lab",
    "..\\outside\\secret.lab",
    "week1\\..\\..\\outside\\secret.lab",
    "drop\0.lab",
    "",
    "./drop.lab",
];

#[test]
fn the_folder_and_the_gallery_are_listed_with_what_they_say() {
    let room = Room::new("entries");
    room.write(
        "drop.lab",
        "// A ball falls. It bounces.\n// Then it rests.\n//\n//   v = g t\nworld attributes {}\n",
    );
    room.write("week1/two.lab", "measure b {\n value = 1\n}\n// later\nmeasure a {\n value = 2\n}\n");
    room.write("a/b/c/deep.lab", "");
    room.write("a/b/c/d/too_deep.lab", "");
    room.write(".hidden/x.lab", "");
    room.write(".x.lab", "");
    room.write("big.lab", &" ".repeat(MAX_EXPERIMENT_BYTES + 1));
    room.write("notes.txt", "");
    room.write("bad.lab", "object { {{");
    let entries = room.library().entries();
    let own: Vec<&LibraryEntry> =
        entries.iter().take_while(|entry| matches!(entry.origin, Origin::Folder { .. })).collect();
    let names: Vec<&str> = own.iter().map(|entry| entry.name.as_str()).collect();
    assert_eq!(names, ["a/b/c/deep", "bad", "drop", "week1/two"]);
    assert_eq!(own[2].origin, folder("drop.lab"));
    assert_eq!(own[2].summary, "A ball falls.");
    assert_eq!(own[2].theory, "A ball falls. It bounces.\nThen it rests.\n\n  v = g t");
    assert_eq!(own[3].measures, ["b", "a"]);
    assert_eq!(own[3].theory, "");

    let known: Vec<&LibraryEntry> = entries[own.len()..].iter().collect();
    assert_eq!(known.len(), gallery::experiments().count());
    for (entry, file) in known.iter().zip(gallery::experiments()) {
        assert_eq!(entry.summary, file.summary(), "one sentence in both lists");
        assert_eq!(room.library().read(&entry.origin).unwrap(), file.text);
    }
}

#[test]
fn a_folder_with_too_much_in_it_is_cut_off() {
    let room = Room::new("many");
    for k in 0..600 {
        room.write(&format!("many{k}.lab"), "");
    }
    assert_eq!(room.library().entries().len(), 500 + gallery::experiments().count());
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let room = Room::new("out");
    room.write("drop.lab", "inside");
    let library = room.library();
    for name in OUT {
        assert!(library.read(&folder(name)).is_err(), "{name:?}");
        assert!(is_refused(&library, name), "{name:?}");
        let gallery = Origin::Gallery { name: name.to_owned() };
        assert!(library.read(&gallery).is_err(), "{name:?}");
        let import = name.replace(".lab", ".vfl");
        for origin in [folder("drop.lab"), folder("week1/x.lab"), folder(name), gallery, Origin::Page {}] {
            let files = library.files(&origin);
            assert!(files.text(&import).is_err(), "{import:?} from {origin:?}");
            assert!(files.bytes(&import).is_err(), "{import:?} from {origin:?}");
        }
    }
    for name in ["con", "a*b", "a|b", "a\u{7}b", "week1/", "a\tb", "x:y", ".bashrc"] {
        assert!(is_refused(&library, name), "{name:?}");
    }
    assert!(library.save("~%$", "x", None).is_err());
    assert!(library.read(&folder("week1")).is_err());
    room.write("notes.txt", "private");
    assert!(library.read(&folder("notes.txt")).is_err(), "only experiments are read");
    assert_eq!(room.outside(), ["secret.lab", "secret.vfl"]);
    assert_eq!(room.text("drop.lab"), "inside");
}

#[cfg(unix)]
#[test]
fn no_link_leads_out_of_the_folder() {
    let room = Room::new("links");
    room.write("real.lab", "// real");
    room.link("outside/secret.lab", "link.lab");
    room.link("outside/secret.vfl", "link.vfl");
    room.link("outside", "folder");
    room.link("outside/new.lab", "dangling.lab");
    room.link("inside/real.lab", "inner.lab");
    let library = room.library();
    for name in ["link.lab", "folder/secret.lab", "dangling.lab"] {
        assert!(library.read(&folder(name)).is_err(), "{name}");
        assert!(is_refused(&library, name), "{name}");
    }
    assert!(library.save("folder/new", "x", None).unwrap_err().contains("leads out"));
    for name in ["link.vfl", "folder/secret.vfl"] {
        assert!(library.files(&Origin::Page {}).text(name).is_err(), "{name}");
        assert!(library.files(&folder("folder/x.lab")).text("secret.vfl").is_err(), "{name}");
    }
    assert_eq!(library.read(&folder("inner.lab")).unwrap(), "// real", "a link inside is fine");
    let listed: Vec<String> = library.entries().into_iter().map(|entry| entry.name).collect();
    assert!(!listed.iter().any(|name| name == "link" || name.contains("secret")), "{listed:?}");
    assert_eq!(room.outside(), ["secret.lab", "secret.vfl"]);
    assert_eq!(fs::read_to_string(room.0.join("outside/secret.lab")).unwrap(), "// secret");
}

#[cfg(unix)]
#[test]
fn a_pipe_is_not_waited_for() {
    let room = Room::new("pipe");
    let path = room.0.join("inside/pipe.lab");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    if !made.is_ok_and(|status| status.success()) {
        return;
    }
    let library = room.library();
    assert!(library.read(&folder("pipe.lab")).unwrap_err().contains("not a plain file"));
    assert!(is_refused(&library, "pipe"));
    assert_eq!(library.entries().len(), gallery::experiments().count());
}

#[test]
fn imports_come_from_beside_the_experiment_then_from_the_gallery() {
    let room = Room::new("imports");
    room.write("mine.vfl", "top");
    room.write("week1/mine.vfl", "week1");
    room.write("lib/solids.vfl", "own solids");
    let library = room.library();
    let text = |origin: Origin, path: &str| library.files(&origin).text(path);
    assert_eq!(text(folder("drop.lab"), "mine.vfl").unwrap(), "top");
    assert_eq!(text(folder("week1/drop.lab"), "mine.vfl").unwrap(), "week1");
    assert_eq!(text(folder("week1/drop.lab"), "../mine.vfl").unwrap(), "top");
    assert!(text(folder("week1/drop.lab"), "../../outside/secret.vfl").unwrap_err().contains("leads out"));
    assert_eq!(text(Origin::Page {}, "mine.vfl").unwrap(), "top");
    let solids = gallery::FILES.iter().find(|file| file.name == "solids.vfl").unwrap().text;
    for origin in [folder("week1/drop.lab"), Origin::Page {}, Origin::Gallery { name: "chapter5".to_owned() }]
    {
        assert_eq!(text(origin, "solids.vfl").unwrap(), solids);
    }
    assert_eq!(
        text(folder("lib/a.lab"), "solids.vfl").unwrap(),
        "own solids",
        "what is beside it comes first"
    );
    let gallery = Origin::Gallery { name: "chapter5".to_owned() };
    assert!(text(gallery, "mine.vfl").is_err(), "the gallery is the same in every folder");
    let why = text(Origin::Page {}, "none.vfl").unwrap_err();
    assert!(why.starts_with("there is no such file"), "{why}");
}

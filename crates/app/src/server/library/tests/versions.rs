//! Saves carry the version that they began from: nobody writes over what he has not seen.

use super::{Room, folder};
use crate::server::library::{Library, MAX_EXPERIMENT_BYTES, OnDisk, Opened, Saved};
use std::fs;

/// Saves, and returns the version on disk.
fn written(library: &Library, name: &str, text: &str, base: Option<&str>) -> String {
    match library.save(name, text, base) {
        Ok(Saved::Written { version, .. }) => version,
        other => panic!("{other:?}"),
    }
}

/// Saves in vain, and returns what is on disk.
fn differing(library: &Library, name: &str, text: &str, base: Option<&str>) -> OnDisk {
    match library.save(name, text, base) {
        Ok(Saved::Differs { disk, .. }) => disk,
        other => panic!("{other:?}"),
    }
}

/// Returns the version of an experiment that is opened.
fn opened(library: &Library, name: &str) -> String {
    library.open(&folder(name)).unwrap().version.unwrap()
}

/// Returns the names of all files of the folder, hidden ones too.
fn names(room: &Room) -> Vec<String> {
    let entries = fs::read_dir(room.0.join("inside")).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_is_saved_can_be_read_and_saved_again() {
    let room = Room::new("save");
    let library = room.library();
    let first = written(&library, "drop", "one", None);
    assert_eq!(
        library.open(&folder("drop.lab")),
        Ok(Opened { text: "one".to_owned(), version: Some(first.clone()) })
    );
    let second = written(&library, "drop.lab", "two", Some(&first));
    assert_eq!((room.text("drop.lab").as_str(), opened(&library, "drop.lab")), ("two", second));
    written(&library, "week1/drop", "three", None);
    assert!(library.save("week2/drop", "x", None).unwrap_err().contains("no such folder"));
    let long = "x".repeat(MAX_EXPERIMENT_BYTES + 1);
    assert!(library.save("long", &long, None).unwrap_err().contains("1 MiB"));
    written(&library, "week1", "week1.lab is not the folder week1", None);
    assert_eq!(names(&room), ["drop.lab", "week1", "week1.lab"], "nothing is left beside them");
    assert!(Library::new(None).save("drop", "x", None).is_err());
}

#[test]
fn a_save_from_an_older_version_writes_nothing_and_shows_what_is_there() {
    let room = Room::new("stale");
    room.write("drop.lab", "base\n");
    let library = room.library();
    let base = opened(&library, "drop.lab");
    let first = written(&library, "drop.lab", "first\n", Some(&base));
    let disk = differing(&library, "drop.lab", "second\n", Some(&base));
    assert_eq!(disk, OnDisk::Text { text: "first\n".to_owned(), version: first.clone() });
    assert_eq!(room.text("drop.lab"), "first\n");

    // Another program, at the same instant by its clock and of the same length.
    let modified = fs::metadata(room.0.join("inside/drop.lab")).unwrap().modified().unwrap();
    room.write("drop.lab", "fresh\n");
    fs::File::open(room.0.join("inside/drop.lab")).unwrap().set_modified(modified).unwrap();
    let disk = differing(&library, "drop.lab", "second\n", Some(&first));
    let OnDisk::Text { text, version } = disk else { panic!("{disk:?}") };
    assert_eq!(text, "fresh\n");
    written(&library, "drop.lab", "second\n", Some(&version));
    assert_eq!(room.text("drop.lab"), "second\n", "with the version that was shown it is knowingly");
    assert_eq!(names(&room), ["drop.lab", "week1"]);
}

#[test]
fn a_text_that_is_on_disk_already_is_saved_whatever_it_began_from() {
    let room = Room::new("same");
    let library = room.library();
    let first = written(&library, "drop", "one", None);
    // The answer was lost with the connection, and the page saves again.
    assert_eq!(written(&library, "drop", "one", None), first);
    assert_eq!(written(&library, "drop", "one", Some("0-0")), first);
}

#[test]
fn a_new_file_is_not_written_over_one_that_appeared() {
    let room = Room::new("appeared");
    let library = room.library();
    room.write("drop.lab", "theirs");
    let disk = differing(&library, "drop", "mine", None);
    assert!(matches!(&disk, OnDisk::Text { text, .. } if text == "theirs"), "{disk:?}");
    assert_eq!(room.text("drop.lab"), "theirs");
}

#[test]
fn of_many_who_save_at_once_from_one_version_one_writes() {
    let room = Room::new("race");
    let library = room.library();
    for (name, base) in [("new.lab", None), ("old.lab", Some(written(&library, "old", "base", None)))] {
        let texts: Vec<String> = (0..8).map(|k| format!("text {k}")).collect();
        let outcomes: Vec<Saved> = std::thread::scope(|scope| {
            let save = |text| library.save(name, text, base.as_deref()).unwrap();
            let threads: Vec<_> = texts.iter().map(|text| scope.spawn(move || save(text))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let wrote = |outcome: &Saved| matches!(outcome, Saved::Written { .. });
        assert_eq!(outcomes.iter().filter(|outcome| wrote(outcome)).count(), 1, "{outcomes:?}");
        let winner = outcomes.iter().position(wrote).unwrap();
        assert_eq!(room.text(name), texts[winner]);
        for outcome in outcomes.iter().filter(|outcome| !wrote(outcome)) {
            let Saved::Differs { disk: OnDisk::Text { text, .. }, .. } = outcome else {
                panic!("{outcome:?}")
            };
            assert_eq!(text, &texts[winner], "the others are shown what was written");
        }
    }
    assert_eq!(names(&room), ["new.lab", "old.lab", "week1"]);
}

#[test]
fn a_deleted_file_is_told_and_not_made_again_unasked() {
    let room = Room::new("deleted");
    let library = room.library();
    let base = written(&library, "drop", "one", None);
    fs::remove_file(room.0.join("inside/drop.lab")).unwrap();
    assert_eq!(differing(&library, "drop.lab", "two", Some(&base)), OnDisk::Absent {});
    assert_eq!(names(&room), ["week1"]);
    assert_eq!(library.look("drop.lab"), Ok(OnDisk::Absent {}));
    written(&library, "drop.lab", "two", None);
    assert_eq!(room.text("drop.lab"), "two");
}

#[test]
fn line_breaks_and_a_byte_order_mark_stay_as_they_are_on_disk() {
    let room = Room::new("form");
    let library = room.library();
    room.write("windows.lab", "\u{feff}a\r\nb\r\n");
    let Opened { text, version } = library.open(&folder("windows.lab")).unwrap();
    assert_eq!(text, "a\nb\n");
    let version = version.unwrap();
    assert_eq!(written(&library, "windows.lab", &text, Some(&version)), version, "unchanged in every byte");
    let second = written(&library, "windows.lab", "a\nc\n", Some(&version));
    assert_eq!(room.text("windows.lab"), "\u{feff}a\r\nc\r\n");
    // The same text with other line breaks is another file.
    room.write("windows.lab", "a\nc\n");
    assert_ne!(opened(&library, "windows.lab"), second);
    let disk = differing(&library, "windows.lab", "a\nd\n", Some(&second));
    assert!(matches!(&disk, OnDisk::Text { text, .. } if text == "a\nc\n"), "{disk:?}");
}

#[test]
fn bytes_that_are_no_text_are_told_and_replaced_only_knowingly() {
    let room = Room::new("latin1");
    let library = room.library();
    let path = room.0.join("inside/drop.lab");
    let base = written(&library, "drop", "one", None);
    fs::write(&path, b"one\nB\xe4lle\n").unwrap();
    assert!(library.open(&folder("drop.lab")).unwrap_err().contains("not text in UTF-8 (line 2)"));
    let disk = differing(&library, "drop.lab", "two", Some(&base));
    let OnDisk::Unreadable { why, version } = disk else { panic!("{disk:?}") };
    assert!(why.contains("not text in UTF-8 (line 2)"), "{why}");
    assert_eq!(fs::read(&path).unwrap(), b"one\nB\xe4lle\n");
    assert_eq!(library.look("drop.lab").unwrap().version(), Some(version.as_str()));
    written(&library, "drop.lab", "two", Some(&version));
    assert_eq!(room.text("drop.lab"), "two");
}

#[test]
fn an_experiment_that_was_opened_can_be_saved_under_its_name() {
    let room = Room::new("percent");
    room.write("5% off.lab", "one");
    let library = room.library();
    let base = opened(&library, "5% off.lab");
    written(&library, "5% off.lab", "two", Some(&base));
    assert_eq!(room.text("5% off.lab"), "two");
    assert!(library.save("6% off", "x", None).unwrap_err().contains('%'));
}

#[cfg(unix)]
#[test]
fn a_save_that_fails_leaves_the_file_and_nothing_beside_it() {
    use std::os::unix::fs::PermissionsExt as _;
    let room = Room::new("readonly");
    let library = room.library();
    let base = written(&library, "drop", "one", None);
    let path = room.0.join("inside/drop.lab");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let base = written(&library, "drop", "two", Some(&base));
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640, "the mode stays");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
    assert!(library.save("drop", "three", Some(&base)).unwrap_err().contains("read-only"));
    assert_eq!(
        (room.text("drop.lab").as_str(), names(&room)),
        ("two", vec!["drop.lab".into(), "week1".into()])
    );
}

#[test]
fn the_identifier_of_a_folder_is_its_own_and_stays() {
    let (one, other) = (Room::new("id-one"), Room::new("id-other"));
    assert_eq!(one.library().folder_id(), one.library().folder_id());
    assert_ne!(one.library().folder_id(), other.library().folder_id());
    assert_eq!(Library::new(None).folder_id(), "");
}

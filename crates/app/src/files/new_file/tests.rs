//! Growing files in temporary folders.

use super::*;
use crate::files::lock::Lock;
use crate::files::test_folder::TestFolder;

fn create(path: &Path) -> io::Result<NewFile> {
    Ok(NewFile::begin(vec![Claim::new(path, false)?], true)?.remove(0))
}

fn written(path: &Path, text: &str) -> NewFile {
    let mut file = create(path).unwrap();
    file.write_all(text.as_bytes()).unwrap();
    file.flush().unwrap();
    file
}

#[test]
fn what_is_there_stays_until_there_is_something_better() {
    let folder = TestFolder::new("replaced");
    let path = folder.0.join("a.csv");
    let first = written(&path, "first");
    assert_eq!(fs::read(&path).unwrap(), b"first", "under its name from the beginning");
    first.finish().unwrap();

    let second = written(&path, "second");
    assert_eq!(fs::read(&path).unwrap(), b"first");
    assert_eq!(folder.names(), ["a.csv", "a.csv.part"]);
    second.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
    assert_eq!(folder.names(), ["a.csv"]);
}

#[test]
fn files_that_belong_together_wait_together() {
    let folder = TestFolder::new("pair");
    let (one, other) = (folder.0.join("a"), folder.0.join("b"));
    fs::write(&one, "old").unwrap();
    let files = NewFile::begin(Vec::from(Claim::pair(&one, &other).unwrap()), true).unwrap();
    assert_eq!(folder.names(), ["a", "a.part", "b.part"]);
    files.into_iter().for_each(|file| file.finish().unwrap());
    assert_eq!(folder.names(), ["a", "b"]);
}

#[test]
fn a_converted_file_takes_the_name_and_a_failed_conversion_leaves_the_original() {
    let folder = TestFolder::new("converted");
    let path = folder.0.join("a");
    for old in [false, true] {
        let file = written(&path, "abc");
        let doubled = |from: &mut dyn Read, to: &mut dyn Write| {
            let mut bytes = Vec::new();
            from.read_to_end(&mut bytes)?;
            to.write_all(&bytes.repeat(2))
        };
        file.finish_converted(doubled).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"abcabc", "{old}");
        assert_eq!(folder.names(), ["a"]);
    }
    let file = written(&path, "xyz");
    let full = |_: &mut dyn Read, _: &mut dyn Write| Err(io::Error::from(ErrorKind::StorageFull));
    let error = file.finish_converted(full).unwrap_err();
    assert!(error.to_string().ends_with("a cannot be written: the disk is full"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"xyz");
    assert_eq!(folder.names(), ["a"]);
}

#[test]
fn a_file_that_is_written_at_once_is_whole_or_absent_and_leaves_parts_of_runs_alone() {
    let folder = TestFolder::new("at-once");
    let (path, part) = (folder.0.join("a.csv"), folder.0.join("a.csv.part"));
    fs::write(&part, "t,x\n0,1\n").unwrap();
    let begin = || {
        let mut file = NewFile::begin(vec![Claim::whole(&path).unwrap()], true).unwrap().remove(0);
        file.write_all(b"rows").unwrap();
        file.flush().unwrap();
        assert!(folder.names().contains(&".a.csv.part".to_owned()) && !path.exists());
        file
    };
    drop(begin());
    assert_eq!(folder.names(), ["a.csv.part"]);
    let full = |_: &mut dyn Read, _: &mut dyn Write| Err(io::Error::from(ErrorKind::StorageFull));
    assert!(begin().finish_converted(full).is_err());
    assert_eq!(folder.names(), ["a.csv.part"]);
    begin().finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"rows");
    fs::remove_file(&path).unwrap();
    begin().finish_converted(|from, to| io::copy(from, to).map(|_| ())).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"rows");
    assert_eq!(folder.names(), ["a.csv", "a.csv.part"]);
    let writing = File::open(&part).unwrap();
    writing.try_lock().unwrap();
    assert_eq!(Claim::whole(&path).unwrap_err().kind(), ErrorKind::ResourceBusy);
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let error = create(Path::new("no/such/a.csv")).unwrap_err();
    assert_eq!(error.to_string(), "no/such/a.csv cannot be written: there is no such folder");
}

#[test]
fn one_file_has_one_writer_and_a_refused_one_leaves_nothing() {
    let folder = TestFolder::new("writers");
    let (path, fresh) = (folder.0.join("a.csv"), folder.0.join("b.csv"));
    let first = written(&path, "first");
    for _ in 0..2 {
        let claimed = Claim::new(&fresh, false).unwrap();
        let error = create(&path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ResourceBusy);
        let who = if cfg!(target_os = "linux") { &std::process::id().to_string() } else { "another run" };
        assert!(error.to_string().contains(who), "{error}");
        drop(claimed);
        assert_eq!(folder.names(), ["a.csv"]);
    }
    first.finish().unwrap();
    let second = written(&path, "second");
    assert_eq!(create(&path).unwrap_err().kind(), ErrorKind::ResourceBusy, "also beside its name");
    second.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"second");
}

#[test]
fn parts_with_rows_are_kept_and_others_go() {
    let folder = TestFolder::new("parts");
    let path = folder.0.join("a.csv");
    let part = folder.0.join("a.csv.part");
    for has_target in [true, false] {
        for (left, kept) in [("t,x\n", 0), ("t,x\n0,1\n", 1), ("", 0)] {
            fs::write(&part, left).unwrap();
            if has_target {
                fs::write(&path, "old").unwrap();
            }
            written(&path, "new").finish().unwrap();
            assert_eq!(fs::read(&path).unwrap(), b"new");
            let others: Vec<String> = folder.names().into_iter().filter(|name| name != "a.csv").collect();
            assert_eq!(others.len(), kept, "{left:?}: {others:?}");
            for name in others {
                assert!(name.starts_with("a.2") && name.ends_with("Z.csv"), "{name}");
                assert_eq!(fs::read_to_string(folder.0.join(&name)).unwrap(), left);
                fs::remove_file(folder.0.join(name)).unwrap();
            }
            fs::remove_file(&path).unwrap();
        }
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_was_removed_is_written_again_and_one_that_lost_its_name_is_kept_apart() {
    let folder = TestFolder::new("removed");
    let path = folder.0.join("a.csv");
    let file = written(&path, "rows");
    fs::remove_file(&path).unwrap();
    file.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"rows");

    let file = written(&path, "more rows");
    fs::remove_file(folder.0.join("a.csv.part")).unwrap();
    file.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"more rows", "also beside its name");

    fs::remove_file(&path).unwrap();
    let file = written(&path, "ours");
    fs::remove_file(&path).unwrap();
    fs::write(&path, "theirs").unwrap();
    let error = file.finish().unwrap_err().to_string();
    assert!(error.contains("has got its name"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), b"theirs");
    let kept = folder.names().into_iter().find(|name| name.ends_with("Z.csv")).unwrap();
    assert_eq!(fs::read(folder.0.join(kept)).unwrap(), b"ours");

    let inner = folder.0.join("inner");
    fs::create_dir(&inner).unwrap();
    for convert in [false, true] {
        fs::create_dir_all(&inner).unwrap();
        let file = written(&inner.join("b.csv"), "rows");
        fs::remove_dir_all(&inner).unwrap();
        let copy = |from: &mut dyn Read, to: &mut dyn Write| io::copy(from, to).map(|_| ());
        let done = if convert { file.finish_converted(copy) } else { file.finish() };
        let error = done.unwrap_err().to_string();
        assert!(error.contains("folder was removed"), "{error}");
    }
}

#[test]
fn without_locks_a_file_has_a_name_that_no_other_run_has() {
    let folder = TestFolder::new("unlocked");
    let path = folder.0.join("a.arrow");
    let claim = || Claim::with(&path, false, |_, _| Lock::Unsupported).unwrap();
    let begin = |claim| NewFile::begin(vec![claim], true).unwrap().remove(0);
    let (mut one, mut other) = (begin(claim()), begin(claim()));
    let process = std::process::id();
    assert_eq!(folder.names(), [format!("a.{process}-1.arrow.part"), format!("a.{process}.arrow.part")]);
    one.write_all(b"one").unwrap();
    other.write_all(b"other").unwrap();
    one.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"one");
    other.finish().unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"other", "the last one, but whole");
    assert_eq!(folder.names(), ["a.arrow"]);
}

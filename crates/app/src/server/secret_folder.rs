//! The folder of secrets: files that only the user can read, one secret for each port.
//!
//! A secret outlives its lab, so that pages that are still open can save after a restart. What is found in
//! the folder is used only if no other user can have read or written it.

use super::secret::Secret;
use crate::files::disk::plain;
use crate::files::whole_file;
use std::ffi::OsString;
use std::fs::{self, DirBuilder, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Name of the folder, in the user's folder for such files.
const NAME: &str = "gedanken";

/// Maximum size of a file that is read as a secret, in bytes.
const MAX_BYTES: u64 = 256;

/// Folder that only the user can open.
#[derive(Clone, Debug)]
pub(crate) struct SecretFolder {
    path: PathBuf,
}

/// Secret of a port, and why it is a new one, if there was a file that could not be trusted.
#[derive(Debug)]
pub(crate) struct StoredSecret {
    pub(crate) secret: Secret,
    /// File of the secret.
    pub(crate) path: PathBuf,
    /// Sentence about the file that was replaced.
    pub(crate) notice: Option<String>,
}

impl SecretFolder {
    /// Finds the folder by the custom of the system, and makes it if there is none.
    ///
    /// # Errors
    /// If there is no place for it that only the user can open.
    pub(crate) fn find() -> Result<Self, String> {
        let mut reasons = Vec::new();
        for place in places(&|variable| std::env::var_os(variable)) {
            match Self::at(&place) {
                Ok(folder) => return Ok(folder),
                Err(why) => reasons.push(format!("{}: {why}", place.display())),
            }
        }
        let why = if reasons.is_empty() { "HOME is not set".to_owned() } else { reasons.join("; ") };
        Err(format!(
            "there is no place to keep the secret of the lab: {why}\n\
             help: set XDG_RUNTIME_DIR to a folder of yours that only you can open"
        ))
    }

    /// Makes the folder if there is none, and checks that only the user can open it.
    fn at(path: &Path) -> Result<Self, String> {
        let failed = |error: io::Error| plain(&error);
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path).map_err(failed)?;
        let found = fs::symlink_metadata(path).map_err(failed)?;
        if !found.is_dir() {
            return Err("it is no folder, or a link to one".to_owned());
        }
        let folder = Self { path: path.to_owned() };
        #[cfg(unix)]
        folder.check_permissions(&found)?;
        Ok(folder)
    }

    /// Checks the owner of the folder, and closes it to others. A new file in it says who the user is, and
    /// whether the file system keeps permissions.
    #[cfg(unix)]
    fn check_permissions(&self, found: &fs::Metadata) -> Result<(), String> {
        use std::os::unix::fs::{MetadataExt, PermissionsExt};
        let failed = |error: io::Error| plain(&error);
        let name = format!("{}.probe", std::process::id());
        let made = self.write(&name, "").and_then(fs::metadata);
        self.remove(&name);
        let made = made.map_err(failed)?;
        if made.uid() != found.uid() {
            return Err("it belongs to another user".to_owned());
        }
        if made.mode() & 0o777 != 0o600 {
            return Err("this file system does not keep who may read a file".to_owned());
        }
        if found.mode() & 0o777 != 0o700 {
            fs::set_permissions(&self.path, fs::Permissions::from_mode(0o700)).map_err(failed)?;
        }
        Ok(())
    }

    /// Returns the secret of a port: the stored one, or a new one if there is none that can be trusted.
    ///
    /// # Errors
    /// If it cannot be stored.
    pub(crate) fn secret(&self, port: u16) -> Result<StoredSecret, String> {
        let name = format!("{port}.secret");
        let path = self.path.join(&name);
        let notice = match self.stored(&path) {
            Ok(Some(secret)) => return Ok(StoredSecret { secret, path, notice: None }),
            Ok(None) => None,
            Err(why) => Some(format!(
                "{} was replaced by a new secret: {why}. Pages that are open ask for the new one.",
                path.display()
            )),
        };
        let secret = Secret::random()?;
        self.write(&name, &format!("{}\n", secret.digits())).map_err(|error| {
            format!("the secret of the lab cannot be written to {}: {}", path.display(), plain(&error))
        })?;
        Ok(StoredSecret { secret, path, notice })
    }

    /// Reads a stored secret; `None` if there is no file, an error if it cannot be trusted.
    fn stored(&self, path: &Path) -> Result<Option<Secret>, String> {
        let failed = |error: io::Error| plain(&error);
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(error)),
            Ok(found) if !found.is_file() => return Err("it was no ordinary file".to_owned()),
            Ok(_) => {}
        }
        let file = File::open(path).map_err(failed)?;
        let found = file.metadata().map_err(failed)?;
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            let folder = fs::symlink_metadata(&self.path).map_err(failed)?;
            if found.uid() != folder.uid() {
                return Err("it belonged to another user".to_owned());
            }
            if found.mode() & 0o777 != 0o600 || found.nlink() != 1 {
                return Err("others could read it".to_owned());
            }
        }
        if found.len() > MAX_BYTES {
            return Err("it held no secret".to_owned());
        }
        let mut text = String::new();
        let read = file.take(MAX_BYTES).read_to_string(&mut text);
        let secret = read.ok().and_then(|_| Secret::parse(&text));
        secret.map(Some).ok_or_else(|| "it held no secret".to_owned())
    }

    /// Writes a file that only the user can read, whole or not at all, and returns its path. A link of this
    /// name is replaced, never followed.
    pub(super) fn write(&self, name: &str, text: &str) -> io::Result<PathBuf> {
        let path = self.path.join(name);
        whole_file::replace_private(&path, text.as_bytes())?;
        Ok(path)
    }

    /// Removes a file, if it is there.
    pub(super) fn remove(&self, name: &str) {
        // Gone already, or in a folder that has gone: nothing is left to be read.
        let _ = fs::remove_file(self.path.join(name));
    }
}

/// Places for the folder, the best first. A folder of the session forgets the secrets when the user logs out.
fn places(variable: &dyn Fn(&str) -> Option<OsString>) -> Vec<PathBuf> {
    let folder = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
    if cfg!(windows) {
        return folder("LOCALAPPDATA").into_iter().map(|path| path.join(NAME)).collect();
    }
    // Whoever makes the folder of a session closes it to others; one that is not there is not ours to make.
    let session = folder("XDG_RUNTIME_DIR").filter(|path| path.is_dir());
    let state = folder("XDG_STATE_HOME").or_else(|| Some(folder("HOME")?.join(".local/state")));
    session.into_iter().chain(state).map(|path| path.join(NAME)).collect()
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

    /// An empty folder that ends with the test.
    struct Room(PathBuf);

    impl Room {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("gedanken-secrets-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            fs::create_dir(&path).unwrap();
            Self(path)
        }

        fn folder(&self) -> SecretFolder {
            SecretFolder::at(&self.0.join("state/gedanken")).unwrap()
        }
    }

    impl Drop for Room {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn mode(path: &Path) -> u32 {
        fs::symlink_metadata(path).unwrap().mode() & 0o777
    }

    fn digits(folder: &SecretFolder, port: u16) -> String {
        folder.secret(port).unwrap().secret.digits().to_owned()
    }

    #[test]
    fn a_secret_is_private_belongs_to_a_port_and_outlives_its_lab() {
        let room = Room::new("new");
        let folder = room.folder();
        let first = folder.secret(4747).unwrap();
        assert_eq!((mode(&folder.path), mode(&first.path)), (0o700, 0o600));
        assert_eq!(fs::read_to_string(&first.path).unwrap(), format!("{}\n", first.secret.digits()));
        assert_eq!(digits(&room.folder(), 4747), first.secret.digits(), "a restart");
        assert_ne!(digits(&folder, 4748), first.secret.digits(), "another port");
        assert_eq!(fs::read_dir(&folder.path).unwrap().count(), 2, "nothing else is left");
    }

    #[test]
    fn what_others_can_have_read_or_written_is_replaced() {
        let room = Room::new("replaced");
        let folder = room.folder();
        let path = folder.secret(4747).unwrap().path;
        let elsewhere = room.0.join("elsewhere");
        let known = "0".repeat(64);
        let replaced = |how: &str, prepare: &dyn Fn()| {
            let before = digits(&folder, 4747);
            prepare();
            let after = folder.secret(4747).unwrap();
            assert!(!after.secret.is(&before) && !after.secret.is(&known), "{how}");
            assert!(after.notice.is_some_and(|it| it.contains(path.to_str().unwrap())), "{how}");
            let found = fs::symlink_metadata(&path).unwrap();
            assert!(found.is_file() && found.mode() & 0o777 == 0o600 && found.nlink() == 1, "{how}");
        };
        for open in [0o644, 0o640, 0o622, 0o400] {
            let prepare = || fs::set_permissions(&path, fs::Permissions::from_mode(open)).unwrap();
            replaced(&format!("{open:o}"), &prepare);
        }
        for text in ["", "short", &"g".repeat(64), &"0".repeat(1000)] {
            replaced(text, &|| fs::write(&path, text).unwrap());
        }
        replaced("a link", &|| {
            fs::write(&elsewhere, &known).unwrap();
            fs::remove_file(&path).unwrap();
            symlink(&elsewhere, &path).unwrap();
        });
        assert_eq!(fs::read_to_string(&elsewhere).unwrap(), known, "the link was not followed");
        replaced("a second name", &|| fs::hard_link(&path, room.0.join("second")).unwrap());
    }

    #[test]
    fn a_folder_that_is_open_is_closed_and_a_link_is_refused() {
        let room = Room::new("folder");
        let folder = room.folder();
        fs::set_permissions(&folder.path, fs::Permissions::from_mode(0o777)).unwrap();
        assert_eq!(mode(&room.folder().path), 0o700);
        let (real, link) = (room.0.join("real"), room.0.join("link"));
        fs::create_dir(&real).unwrap();
        symlink(&real, &link).unwrap();
        assert!(SecretFolder::at(&link).unwrap_err().contains("link"));
        fs::write(room.0.join("file"), "").unwrap();
        assert!(SecretFolder::at(&room.0.join("file")).is_err());
        fs::create_dir(folder.path.join("4747.secret")).unwrap();
        assert!(folder.secret(4747).unwrap_err().contains("cannot be written"));
    }

    #[test]
    fn a_file_or_folder_of_another_user_is_not_trusted() {
        let room = Room::new("owner");
        let folder = room.folder();
        let path = folder.secret(4747).unwrap().path;
        let before = digits(&folder, 4747);
        // Only a system administrator can give files away.
        if std::os::unix::fs::chown(&path, Some(12_345), None).is_err() {
            return;
        }
        assert_ne!(digits(&folder, 4747), before);
        std::os::unix::fs::chown(&folder.path, Some(12_345), None).unwrap();
        assert!(SecretFolder::at(&folder.path).unwrap_err().contains("another user"));
    }

    #[test]
    fn the_folder_of_the_session_comes_first() {
        let room = Room::new("places");
        let session = room.0.to_str().unwrap().to_owned();
        let found = |set: &[(&str, &str)]| {
            let variable = |name: &str| set.iter().find(|it| it.0 == name).map(|it| OsString::from(it.1));
            places(&variable)
        };
        let home = ("HOME", "/u");
        let runtime = ("XDG_RUNTIME_DIR", session.as_str());
        assert_eq!(found(&[home]), [PathBuf::from("/u/.local/state/gedanken")]);
        assert_eq!(found(&[home, ("XDG_STATE_HOME", "/s")]), [PathBuf::from("/s/gedanken")]);
        let both = [room.0.join("gedanken"), PathBuf::from("/u/.local/state/gedanken")];
        assert_eq!(found(&[home, runtime]), both);
        assert_eq!(found(&[home, ("XDG_RUNTIME_DIR", "/no/such")]), [both[1].clone()]);
        assert_eq!(found(&[("HOME", "u"), ("XDG_STATE_HOME", "")]), [] as [PathBuf; 0], "not absolute");
    }
}

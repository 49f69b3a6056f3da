//! The opener: a file that only the user can read, through which the browser is opened.
//!
//! A browser is started with an address as its argument, and every user of the computer sees the arguments of
//! all processes. So the argument is the name of a file, and the secret is inside. The file is removed when
//! the secret has been shown, and when the lab ends.

use super::auth::ACCESS_PATH;
use super::secret::Secret;
use super::secret_folder::SecretFolder;
use std::io;
use std::path::PathBuf;

/// Page that shows the secret to the lab, and then the lab.
const PAGE: &str = r#"<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Gedanken</title></head>
<body>
<form method="post" action="ADDRESS">
<input type="hidden" name="secret" value="SECRET">
<button>Open the lab</button>
</form>
<script>document.forms[0].submit()</script>
</body>
</html>
"#;

/// File through which the browser is opened.
#[derive(Clone, Debug)]
pub(crate) struct Opener {
    folder: SecretFolder,
    name: String,
}

impl Opener {
    /// Names the file of a port. It is not written yet.
    pub(crate) fn new(folder: SecretFolder, port: u16) -> Self {
        Self { folder, name: format!("{port}.html") }
    }

    /// Writes the file for the lab at `url`, and returns its path.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write(&self, url: &str, secret: &Secret) -> io::Result<PathBuf> {
        let address = format!("{}{ACCESS_PATH}", url.trim_end_matches('/'));
        let text = PAGE.replace("ADDRESS", &address).replace("SECRET", secret.digits());
        self.folder.write(&self.name, &text)
    }

    /// Removes the file, if it is there.
    pub(crate) fn remove(&self) {
        self.folder.remove(&self.name);
    }
}

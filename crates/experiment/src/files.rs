//! Access to the files that an experiment names.

use gedanken_math::Cancel;

/// The files that an experiment may read, by path. Errors are phrases such as `there is no such file`.
pub trait Files {
    /// The text of a library of functions.
    ///
    /// # Errors
    /// Reason why it cannot be read.
    fn text(&self, path: &str) -> Result<String, String>;

    /// The bytes of a shape file, STL or OBJ.
    ///
    /// # Errors
    /// Reason why they cannot be read.
    fn bytes(&self, path: &str) -> Result<Vec<u8>, String>;

    /// Token that ends reading and checking, for whoever asks for the experiment may want another one by now.
    fn cancel(&self) -> Cancel {
        Cancel::never()
    }
}

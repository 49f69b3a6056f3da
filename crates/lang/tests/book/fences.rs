//! Fences in a Markdown text.

/// For each pair of fences the words after the opening one, and the text.
pub(crate) fn fences(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(words) = line.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            found.push((words.to_owned(), body.join("\n") + "\n"));
        }
    }
    found
}

//! A reader of the XML that is written here: strict about closing and escaping, and about how many children
//! an element has.

use std::fmt::Write;

/// An element, or text.
#[derive(Debug)]
pub(crate) enum Node {
    /// `<tag name="value">children</tag>`.
    Element { tag: String, attributes: Vec<(String, String)>, children: Vec<Node> },
    /// With its escapes resolved.
    Text(String),
}

/// The one element that a text consists of.
pub(crate) fn read(text: &str) -> Node {
    let mut rest = text;
    let mut open = vec![("".to_owned(), Vec::new(), Vec::new())];
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("</") {
            let (tag, after) = after.split_once('>').expect("a closing tag ends");
            let (opened, attributes, children) = open.pop().unwrap();
            assert_eq!(opened, tag, "closed in order: {text}");
            let parent = open.last_mut().expect("nothing is closed that was not opened");
            parent.2.push(Node::Element { tag: opened, attributes, children });
            rest = after;
        } else if let Some(after) = rest.strip_prefix('<') {
            let (inside, after) = after.split_once('>').expect("an opening tag ends");
            let (tag, mut pairs) = inside.split_once(' ').unwrap_or((inside, ""));
            assert!(
                !tag.is_empty() && tag.bytes().all(|byte| byte.is_ascii_lowercase()),
                "{tag:?} in {text}"
            );
            let mut attributes = Vec::new();
            while !pairs.is_empty() {
                let (name, value) = pairs.trim_start().split_once("=\"").expect("an attribute has a value");
                let (value, others) = value.split_once('"').expect("a value ends");
                assert!(!value.contains('<'), "{text}");
                attributes.push((name.to_owned(), plain(value)));
                pairs = others;
            }
            open.push((tag.to_owned(), attributes, Vec::new()));
            rest = after;
        } else {
            let end = rest.find('<').expect("text stands in elements");
            open.last_mut().unwrap().2.push(Node::Text(plain(&rest[..end])));
            rest = &rest[end..];
        }
    }
    let (_, _, mut nodes) = open.pop().unwrap();
    assert!(open.is_empty() && nodes.len() == 1, "one element, closed: {text}");
    nodes.pop().unwrap()
}

/// Text with its escapes resolved.
fn plain(text: &str) -> String {
    assert!(!text.chars().any(|c| c.is_control() || c == '>'), "{text:?}");
    let mut found = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('&') {
        let (name, after) = after.split_once(';').expect("an escape ends");
        found.push_str(before);
        found.push_str(match name {
            "amp" => "&",
            "lt" => "<",
            "gt" => ">",
            "quot" => "\"",
            "#39" => "'",
            _ => panic!("`{name}` is no escape: {text}"),
        });
        rest = after;
    }
    found + rest
}

impl Node {
    /// Every element has the children that MathML wants of it.
    pub(crate) fn check(&self) {
        let Self::Element { tag, children, .. } = self else { return };
        let count = match tag.as_str() {
            "mfrac" | "msub" | "msup" | "mover" => Some(2),
            "msubsup" => Some(3),
            "mspace" => Some(0),
            "mi" | "mn" | "mo" | "mtext" => Some(1),
            "math" | "mrow" | "mtd" | "mtr" | "mtable" | "msqrt" | "merror" => None,
            other => panic!("`{other}` is not among the elements"),
        };
        assert!(count.is_none_or(|count| count == children.len()), "{self:?}");
        for child in children {
            let text = matches!(child, Self::Text(_));
            assert_eq!(text, matches!(tag.as_str(), "mi" | "mn" | "mo" | "mtext"), "{tag} in {self:?}");
            if tag == "mtable" || tag == "mtr" {
                let wanted = if tag == "mtable" { "mtr" } else { "mtd" };
                assert!(matches!(child, Self::Element { tag, .. } if tag == wanted), "{self:?}");
            }
            child.check();
        }
    }

    /// Writes an element in a line: `v_0^2`, `{a}/{b}`, `√{x}`; `*` is an invisible product.
    pub(crate) fn line(&self) -> String {
        let Self::Element { tag, children, .. } = self else {
            let Self::Text(text) = self else { unreachable!() };
            return match text.as_str() {
                "\u{2062}" => "*".to_owned(),
                "\u{2061}" => String::new(),
                other => other.replace('\u{a0}', " "),
            };
        };
        let parts: Vec<String> = children.iter().map(Self::line).collect();
        let script = |part: &str| {
            if part.chars().count() == 1 { part.to_owned() } else { format!("{{{part}}}") }
        };
        match tag.as_str() {
            "mfrac" => format!("{{{}}}/{{{}}}", parts[0], parts[1]),
            "msup" => format!("{}^{}", parts[0], script(&parts[1])),
            "msub" => format!("{}_{}", parts[0], script(&parts[1])),
            "msubsup" => format!("{}_{}^{}", parts[0], script(&parts[1]), script(&parts[2])),
            "mover" => format!("{}{}", parts[0], parts[1]),
            "msqrt" => format!("√{{{}}}", parts.concat()),
            "mspace" => " ".to_owned(),
            "mtable" => parts.join(";"),
            "mtr" => parts.join("|"),
            "merror" => format!("!{}!", parts.concat()),
            _ => parts.concat(),
        }
    }

    /// All names that elements carry, in their order.
    pub(crate) fn names(&self) -> Vec<String> {
        let Self::Element { attributes, children, .. } = self else { return Vec::new() };
        let own = attributes.iter().filter(|(name, _)| name == "data-name").map(|(_, value)| value.clone());
        own.chain(children.iter().flat_map(Self::names)).collect()
    }

    /// The elements, one in a line, indented.
    pub(crate) fn outline(&self) -> String {
        let mut text = String::new();
        self.write_outline(0, &mut text);
        text
    }

    fn write_outline(&self, depth: usize, text: &mut String) {
        let Self::Element { tag, attributes, children } = self else { return };
        let _ = write!(text, "{}{tag}", "  ".repeat(depth));
        for (name, value) in attributes {
            let _ = write!(text, " {name}={value}");
        }
        if let [Self::Text(content)] = children.as_slice() {
            let _ = write!(text, ": {}", content.escape_debug());
        }
        text.push('\n');
        children.iter().for_each(|child| child.write_outline(depth + 1, text));
    }
}

//! The TypeScript types of the protocol are those of Rust: this test makes them, and fails if the stored ones
//! differ.
//!
//! To store new ones: `GEDANKEN_STORE=1 cargo test -p gedanken generated`.

use super::*;
use std::fmt::Write as _;
use ts_rs::{Config, TS};

const STORED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/src/wire/types.ts");

fn declaration<T: TS>(text: &mut String, config: &Config) {
    let docs = T::docs().unwrap_or_default();
    let _ = writeln!(text, "\n{docs}export {}", T::decl(config));
}

fn types() -> String {
    let config = Config::default();
    let mut text = String::from(
        "// The protocol between page and engine. Made from crates/app/src/wire by a test; do not edit by hand.\n",
    );
    for (what, name, value) in [
        ("an experiment", "MAX_TEXT_BYTES", MAX_TEXT_BYTES),
        ("a request; a longer one ends the connection", "MAX_REQUEST_BYTES", MAX_REQUEST_BYTES),
    ] {
        let _ = writeln!(text, "\n/** Maximum size in bytes of {what}. */\nexport const {name} = {value};");
    }
    declaration::<Request>(&mut text, &config);
    declaration::<Origin>(&mut text, &config);
    declaration::<Moment>(&mut text, &config);
    declaration::<Filter>(&mut text, &config);
    declaration::<Reply>(&mut text, &config);
    declaration::<ContactPoint>(&mut text, &config);
    declaration::<Ending>(&mut text, &config);
    declaration::<EventInfo>(&mut text, &config);
    declaration::<Verdict>(&mut text, &config);
    declaration::<LibraryEntry>(&mut text, &config);
    declaration::<OnDisk>(&mut text, &config);
    declaration::<Scene>(&mut text, &config);
    declaration::<Body>(&mut text, &config);
    declaration::<BodyShape>(&mut text, &config);
    declaration::<BodyPart>(&mut text, &config);
    declaration::<Drawing>(&mut text, &config);
    declaration::<Spot>(&mut text, &config);
    declaration::<Amount>(&mut text, &config);
    declaration::<ViewInfo>(&mut text, &config);
    declaration::<CurveInfo>(&mut text, &config);
    declaration::<CameraInfo>(&mut text, &config);
    declaration::<ContextInfo>(&mut text, &config);
    declaration::<QuantityInfo>(&mut text, &config);
    declaration::<ValueInfo>(&mut text, &config);
    declaration::<TableRow>(&mut text, &config);
    declaration::<SessionOutput>(&mut text, &config);
    declaration::<Problem>(&mut text, &config);
    declaration::<Label>(&mut text, &config);
    declaration::<Edit>(&mut text, &config);
    declaration::<Formula>(&mut text, &config);
    declaration::<Number>(&mut text, &config);
    declaration::<OwnerAttribute>(&mut text, &config);
    declaration::<Completion>(&mut text, &config);
    declaration::<Word>(&mut text, &config);
    declaration::<Derived>(&mut text, &config);
    declaration::<DerivedSection>(&mut text, &config);
    declaration::<DerivedLine>(&mut text, &config);
    declaration::<ChunkHead>(&mut text, &config);
    declaration::<SeriesHead>(&mut text, &config);
    text
}

#[test]
fn the_page_has_the_types_of_the_protocol() {
    let made = types();
    if std::env::var_os("GEDANKEN_STORE").is_some() {
        std::fs::write(STORED, &made).expect("the stored types can be written");
    }
    let stored = std::fs::read_to_string(STORED).unwrap_or_default();
    assert!(
        stored == made,
        "web/src/wire/types.ts is stale; store it anew with\n  GEDANKEN_STORE=1 cargo test -p gedanken generated"
    );
}

//! One event: who met, what the engine measured, and every value before and after.

use crate::console::page::Page;
use crate::console::table::{Align, Table};
use crate::console::terminal::Screen;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use gedanken_recording::{Column, Event, Moment, Owner, Place, Schema};

/// Marks what the event changed.
const CHANGED: &str = "*";
const NO_VALUE: &str = "none";

/// The tables of an event.
pub(super) fn page(screen: Screen, schema: &Schema, event: &Event) -> String {
    let mut page = Page::new(screen);
    let names: Vec<&str> = event.objects.iter().map(|&index| schema.objects[index].as_str()).collect();
    let context = event.context.map_or("no context".to_owned(), |index| schema.contexts[index].clone());
    let (kind, time) = (event.kind.name(), Value::Real(event.time));
    page.line(&screen.bold(&format!("event {}: {kind} of {} at t = {time}", event.index, names.join(", "))));
    page.line(&screen.dim(&format!("context: {context}; {CHANGED} marks what changed")));
    for (name, scalars) in &event.given {
        let value = Value::Vector(scalars.clone());
        page.line(&format!("{name} = {value}"));
    }
    let mut owners = vec![(Owner::World, "world")];
    owners.extend(event.objects.iter().map(|&index| (Owner::Object(index), schema.objects[index].as_str())));
    owners.push((Owner::Measure, "measures"));
    for (owner, title) in owners {
        if let Some(table) = of_owner(schema, event, owner) {
            page.heading(title);
            page.add(&table.render(screen));
        }
    }
    page.text
}

/// The table of one owner; `None` if it has nothing.
fn of_owner(schema: &Schema, event: &Event, owner: Owner) -> Option<Table> {
    let mut table = Table::new([
        ("", Align::Left),
        ("before", Align::Right),
        ("after", Align::Right),
        ("", Align::Left),
        ("kind", Align::Left),
    ]);
    let mut rows = 0;
    if owner == Owner::World {
        let time = Value::Real(event.time).to_string();
        table.row(["t".to_owned(), time.clone(), time, String::new(), "time".to_owned()]);
        rows += 1;
    }
    for column in schema.columns().iter().filter(|column| column.owner == owner) {
        let value = |side| {
            let scalar = schema.event_scalar(event, side, &column.places);
            (!scalar.is_nan()).then_some(scalar)
        };
        let (before, after) = (value(Moment::Before), value(Moment::After));
        if before.is_none() && after.is_none() {
            continue;
        }
        let changed = before.map(f64::to_bits) != after.map(f64::to_bits);
        let is_boolean = schema.find(&column.name).is_some_and(|it| it.ty == Type::Bool);
        let cell = |scalar: Option<f64>| match scalar {
            None => NO_VALUE.to_owned(),
            Some(scalar) if is_boolean => (scalar != 0.0).to_string(),
            Some(scalar) => Value::Real(scalar).to_string(),
        };
        let name = format!("{}{}", column.attribute, column.element);
        let mark = if changed { CHANGED } else { "" };
        table.row([name, cell(before), cell(after), mark.to_owned(), kind_of(schema, column)]);
        rows += 1;
    }
    (rows > 0).then_some(table)
}

/// Kind of a column: an attribute, a constant one, something of a context, or a measure.
fn kind_of(schema: &Schema, column: &Column) -> String {
    let row = match column.places.first() {
        Some(Place::Row(row)) => *row,
        _ => return "constant".to_owned(),
    };
    let quantity = schema.quantities.iter().find(|it| (it.start..it.start + it.width()).contains(&row));
    match (quantity.and_then(|it| it.context), column.owner) {
        (Some(context), _) => format!("of {}", schema.contexts[context]),
        (None, Owner::Measure) => "measure".to_owned(),
        (None, _) => "attribute".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample_recording::two_balls_recording;

    #[test]
    fn before_and_after_of_all_who_take_part() {
        let recording = two_balls_recording();
        let screen = Screen { width: 80, colour: false, ascii: false };
        let lines = [
            "event 0: collision of b at t = 1.5",
            "context: hit; * marks what changed",
            "",
            "world",
            "      before   after      kind",
            "  t      1.5     1.5      time",
            "  g      9.5     9.5      attribute",
            "",
            "b",
            "            before   after       kind",
            "  touched     none    true   *   attribute",
            "  v#1            3       0   *   attribute",
            "  v#2            0     1.5   *   attribute",
            "",
            "measures",
            "      before   after       kind",
            "  n        1       2   *   measure",
            "",
        ];
        assert_eq!(page(screen, &recording.schema, &recording.events[0]), lines.join("\n"));
    }
}

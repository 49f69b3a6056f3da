//! Long rows of terms and factors, in groups.

use super::Item;

/// Maximum length of a sum or product. Longer ones are written in groups, since readers bound the number of
/// operators in a row.
pub(super) const MAX_ROW_LENGTH: usize = 128;

/// Puts parentheses around groups of a row that is too long. `ends` are the ends of its elements, counted
/// from `start`. The first element of each group has no operator.
pub(super) fn group(row: &mut Vec<Item>, start: usize, ends: &[usize], operator: &'static str) {
    if ends.len() <= MAX_ROW_LENGTH {
        return;
    }
    let items = row.split_off(start);
    let mut groups: Vec<Vec<Item>> = Vec::new();
    let mut from = 0;
    for chunk in ends.chunks(MAX_ROW_LENGTH) {
        let to = chunk[chunk.len() - 1];
        groups.push(items[from..to].to_vec());
        from = to;
    }
    while groups.len() > MAX_ROW_LENGTH {
        groups = groups.chunks(MAX_ROW_LENGTH).map(|chunk| joined(chunk, operator)).collect();
    }
    row.extend(joined(&groups, operator));
}

fn joined(groups: &[Vec<Item>], operator: &'static str) -> Vec<Item> {
    let mut row = Vec::new();
    for (place, group) in groups.iter().enumerate() {
        if place > 0 {
            row.push(Item::Text(operator));
        }
        row.push(Item::Text("("));
        row.extend_from_slice(group);
        row.push(Item::Text(")"));
    }
    row
}

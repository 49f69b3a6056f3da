//! Times as parts of file names: `2026-11-18T02-35-10Z`.

use std::time::{SystemTime, UNIX_EPOCH};

const SECONDS_PER_DAY: u64 = 24 * 60 * 60;

/// Returns a time of the world's clock (UTC) without characters that some systems refuse in names. Times
/// before 1970 are shown as its beginning.
pub(super) fn stamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, rest) = (seconds / SECONDS_PER_DAY, seconds % SECONDS_PER_DAY);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}-{minute:02}-{second:02}Z")
}

/// The Gregorian date so many days after 1970-01-01.
///
/// Years are counted from March, so that the leap day is the last of its year: 153 days are five months from
/// there, 1461 four years, 146 097 four hundred.
fn date(days: u64) -> (u64, u64, u64) {
    let days = days + DAYS_BEFORE_1970;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (400 * era + year + u64::from(month <= 2), month, day)
}

/// Days from 0000-03-01 to 1970-01-01.
const DAYS_BEFORE_1970: u64 = 719_468;

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    /// Values of `date -u -d @SECONDS`.
    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, expected) in [
            (0, "1970-01-01T00-00-00Z"),
            (951_782_399, "2000-02-28T23-59-59Z"),
            (951_782_400, "2000-02-29T00-00-00Z"),
            (1_735_689_599, "2024-12-31T23-59-59Z"),
            (1_794_969_310, "2026-11-18T02-35-10Z"),
            (4_107_542_400, "2100-03-01T00-00-00Z"),
        ] {
            assert_eq!(stamp(UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
        assert_eq!(stamp(UNIX_EPOCH - Duration::from_secs(9)), "1970-01-01T00-00-00Z");
    }
}

//! Downsampling of a series that keeps its picture.
//!
//! Time is divided into equal intervals. Of each interval the first, last, lowest and highest point are kept:
//! drawn as a line, intervals as wide as a pixel fill the same pixels as all points do.

/// Number of points that an interval keeps, beside a gap.
const POINTS_PER_INTERVAL: usize = 4;

/// Returns at most about `most` of the points, which are in order of time. NaN is a gap, and an interval with
/// gaps keeps one.
pub(crate) fn downsample(points: Vec<(f64, f64)>, most: usize) -> Vec<(f64, f64)> {
    let (Some(&(from, _)), Some(&(to, _))) = (points.first(), points.last()) else { return points };
    if points.len() <= most.max(POINTS_PER_INTERVAL) {
        return points;
    }
    let intervals = (most / POINTS_PER_INTERVAL).max(1);
    let interval = |time: f64| {
        let part = (time - from) / (to - from) * intervals as f64;
        // All points may be at one time.
        if part.is_nan() { 0 } else { (part as usize).min(intervals - 1) }
    };
    let mut kept = Vec::with_capacity(POINTS_PER_INTERVAL * intervals);
    let mut start = 0;
    while start < points.len() {
        let this = interval(points[start].0);
        let length = points[start..].iter().take_while(|point| interval(point.0) == this).count();
        keep(&points[start..start + length], &mut kept);
        start += length;
    }
    kept
}

/// Appends the kept points of one interval.
fn keep(points: &[(f64, f64)], kept: &mut Vec<(f64, f64)>) {
    let mut lowest: Option<usize> = None;
    let mut highest: Option<usize> = None;
    let mut gap = None;
    for (place, &(_, value)) in points.iter().enumerate() {
        if value.is_nan() {
            gap = gap.or(Some(place));
            continue;
        }
        if lowest.is_none_or(|it| value < points[it].1) {
            lowest = Some(place);
        }
        if highest.is_none_or(|it| value > points[it].1) {
            highest = Some(place);
        }
    }
    let mut places = vec![0, points.len() - 1];
    places.extend([lowest, highest, gap].into_iter().flatten());
    places.sort_unstable();
    places.dedup();
    kept.extend(places.into_iter().map(|place| points[place]));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look like chance and are the same every time: xorshift.
    fn noise(seed: u64) -> impl Iterator<Item = f64> {
        let mut state = seed * 2 + 1;
        std::iter::repeat_with(move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) as f64 / (1u64 << 53) as f64
        })
    }

    fn extremes(points: &[(f64, f64)]) -> (f64, f64) {
        let values = points.iter().map(|it| it.1).filter(|it| !it.is_nan());
        values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), it| (low.min(it), high.max(it)))
    }

    #[test]
    fn extremes_and_ends_stay_and_nothing_is_made_up() {
        for seed in 1..200u64 {
            let mut random = noise(seed);
            let mut next = || random.next().unwrap_or_default();
            let count = 1 + (next() * 3000.0) as usize;
            let most = (next() * 500.0) as usize;
            let mut time = 0.0;
            let points: Vec<(f64, f64)> = (0..count)
                .map(|_| {
                    time += if next() < 0.1 { 0.0 } else { next() };
                    (time, if next() < 0.05 { f64::NAN } else { next() - 0.5 })
                })
                .collect();
            let thinned = downsample(points.clone(), most);
            let bits = |it: &(f64, f64)| (it.0.to_bits(), it.1.to_bits());
            assert!(
                thinned.len()
                    <= most.max(POINTS_PER_INTERVAL)
                        + most.max(POINTS_PER_INTERVAL) / POINTS_PER_INTERVAL
                        + 1,
                "{} of {most}",
                thinned.len()
            );
            assert_eq!(extremes(&thinned), extremes(&points));
            assert_eq!(thinned.first().map(bits), points.first().map(bits));
            assert_eq!(thinned.last().map(bits), points.last().map(bits));
            // In order, and each of them one of the points.
            let mut rest = points.iter();
            assert!(thinned.iter().all(|point| rest.any(|it| bits(it) == bits(point))));
        }
    }

    #[test]
    fn few_points_stay_as_they_are() {
        assert_eq!(downsample(Vec::new(), 5), []);
        let points = vec![(0.0, 1.0), (1.0, 2.0), (2.0, 0.0)];
        assert_eq!(downsample(points.clone(), 3), points);
        let at_once = vec![(1.0, 0.0); 100];
        assert_eq!(downsample(at_once, 10), [(1.0, 0.0); 2]);
    }
}

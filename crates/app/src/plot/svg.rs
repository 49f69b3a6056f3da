//! Plots as SVG: one self-contained file, light, with axes, round ticks, a grid and a legend.
//!
//! Coordinates are written with a tenth of a pixel. Long series that go one way are thinned without a visible
//! difference: of all points in a tenth of a pixel the first, lowest, highest and last are kept.

use super::axis::Axis;
use std::fmt::Write;

/// Curves to be drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picture {
    pub(crate) title: String,
    pub(crate) x_label: String,
    /// A name for each curve, and its points; a point without a place leaves a gap.
    pub(crate) curves: Vec<(String, Vec<(f64, f64)>)>,
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 480.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = 56.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 24.0;
/// Pixels of an average letter at the size of labels.
const LETTER_WIDTH: f64 = 7.0;

/// Colours that colour-blind eyes tell apart, on white (Okabe and Ito, without yellow), and dashes for a
/// second round.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#000000"];
const DASHES: [&str; 3] = ["", " stroke-dasharray=\"7 3\"", " stroke-dasharray=\"2 3\""];

impl Picture {
    /// The whole file; `None` if no point has a place.
    pub(crate) fn render(&self) -> Option<String> {
        // Points with one coordinate missing are not drawn, so that they must not widen an axis.
        let axis = |coordinate: fn(&(f64, f64)) -> f64| {
            let drawn = self.curves.iter().flat_map(|(_, points)| points);
            Axis::fit(drawn.filter(|p| p.0.is_finite() && p.1.is_finite()).map(coordinate))
        };
        let frame = Frame::new(axis(|p| p.0)?, axis(|p| p.1)?, self.legend_width());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" font-family=\"system-ui, sans-serif\" font-size=\"13\" role=\"img\">\n\
             <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
            escaped(&self.title)
        );
        let text = |x: f64, y: f64, anchor: &str, more: &str, words: &str| {
            let words = escaped(words);
            format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\"{more}>{words}</text>\n")
        };
        svg += &text(LEFT, 26.0, "start", " font-size=\"16\" fill=\"#222\"", &self.title);
        svg += "<g stroke=\"#e5e5e5\" fill=\"none\">\n";
        let (right, bottom) = (frame.right, HEIGHT - BOTTOM);
        let (x_ticks, y_ticks) = (frame.x.ticks(8), frame.y.ticks(7));
        for x in x_ticks.iter().filter_map(|(value, _)| frame.across(*value)) {
            let _ = writeln!(svg, "<path d=\"M{x:.1} {TOP}V{bottom}\"/>");
        }
        for y in y_ticks.iter().filter_map(|(value, _)| frame.down(*value)) {
            let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{right:.1}\"/>");
        }
        let _ = writeln!(svg, "<path stroke=\"#444\" d=\"M{LEFT} {TOP}V{bottom}H{right:.1}\"/>\n</g>");
        svg += "<g fill=\"#444\">\n";
        for (value, label) in &x_ticks {
            svg +=
                &frame.across(*value).map_or(String::new(), |x| text(x, bottom + 18.0, "middle", "", label));
        }
        for (value, label) in &y_ticks {
            svg += &frame.down(*value).map_or(String::new(), |y| text(LEFT - 8.0, y + 4.5, "end", "", label));
        }
        let middle = 0.5 * (LEFT + right);
        svg += &text(middle, HEIGHT - 16.0, "middle", "", &self.x_label);
        // A single curve is named at its axis and needs no legend.
        if let [(name, _)] = self.curves.as_slice() {
            svg += &text(LEFT, TOP - 9.0, "start", "", name);
        }
        svg += "</g>\n<g fill=\"none\" stroke-width=\"1.6\" stroke-linejoin=\"round\" stroke-linecap=\"round\">\n";
        for (k, (name, points)) in self.curves.iter().enumerate() {
            let path = frame.path(points);
            let _ = writeln!(
                svg,
                "<path stroke=\"{}\"{} d=\"{path}\"><title>{}</title></path>",
                colour(k),
                dash(k),
                escaped(name)
            );
        }
        svg += "</g>\n";
        if self.curves.len() > 1 {
            // Many curves share the height, so that the last name still lies on the picture.
            let apart = (0.9 * (HEIGHT - TOP) / self.curves.len() as f64).min(20.0);
            for (k, (name, _)) in self.curves.iter().enumerate() {
                let y = TOP + 10.0 + apart * k as f64;
                let x = right + 16.0;
                let _ = writeln!(
                    svg,
                    "<path stroke=\"{}\"{} stroke-width=\"2\" fill=\"none\" d=\"M{x:.1} {y:.1}h22\"/>",
                    colour(k),
                    dash(k)
                );
                svg += &text(x + 28.0, y + 4.5, "start", " fill=\"#222\"", name);
            }
        }
        svg += "</svg>\n";
        Some(svg)
    }

    /// Pixels for the names of several curves, on the right.
    fn legend_width(&self) -> f64 {
        if self.curves.len() < 2 {
            return 0.0;
        }
        let longest = self.curves.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        (44.0 + LETTER_WIDTH * longest as f64).min(WIDTH / 2.5)
    }
}

fn colour(k: usize) -> &'static str {
    COLOURS[k % COLOURS.len()]
}

fn dash(k: usize) -> &'static str {
    DASHES[k / COLOURS.len() % DASHES.len()]
}

/// Map from values to positions in the picture.
struct Frame {
    x: Axis,
    y: Axis,
    right: f64,
}

impl Frame {
    fn new(x: Axis, y: Axis, legend: f64) -> Self {
        Self { x, y, right: WIDTH - RIGHT - legend }
    }

    fn across(&self, value: f64) -> Option<f64> {
        self.x.fraction(value).map(|fraction| LEFT + fraction * (self.right - LEFT))
    }

    fn down(&self, value: f64) -> Option<f64> {
        self.y.fraction(value).map(|fraction| HEIGHT - BOTTOM - fraction * (HEIGHT - BOTTOM - TOP))
    }

    /// The `d` of a path through the points that have a place.
    fn path(&self, points: &[(f64, f64)]) -> String {
        let mut path = String::new();
        let mut pen_is_down = false;
        let placed = points.iter().map(|&(x, y)| Some((self.across(x)?, self.down(y)?)));
        for point in thinned(placed) {
            if let Some((x, y)) = point {
                let _ = write!(path, "{}{x:.1} {y:.1}", if pen_is_down { "L" } else { "M" });
                if !pen_is_down {
                    // A point alone is a dot: the ends of lines are round.
                    let _ = write!(path, "l0 0");
                }
            }
            pen_is_down = point.is_some();
        }
        path
    }
}

/// Pixels that points may be moved together by.
const MIN_POINT_DISTANCE: f64 = 0.1;

type Placed = Option<(f64, f64)>;

/// Points without those that cannot be seen: of neighbours in one grain across, the first, lowest, highest
/// and last.
fn thinned(points: impl Iterator<Item = Placed>) -> Vec<Placed> {
    let column = |point: &Placed| point.map(|(x, _)| libm::floor(x / MIN_POINT_DISTANCE));
    let all: Vec<Placed> = points.collect();
    let mut kept = Vec::new();
    for group in all.chunk_by(|a, b| column(a) == column(b)) {
        if group.len() <= 4 || group[0].is_none() {
            let take = if group[0].is_none() { 1 } else { group.len() };
            kept.extend_from_slice(&group[..take]);
            continue;
        }
        let height = |k: &usize| group[*k].map_or(0.0, |(_, y)| y);
        let extreme = |better: fn(f64, f64) -> bool| {
            (0..group.len()).fold(0, |best, k| if better(height(&k), height(&best)) { k } else { best })
        };
        let mut places = [0, extreme(|a, b| a < b), extreme(|a, b| a > b), group.len() - 1];
        places.sort_unstable();
        kept.extend(places.chunk_by(|a, b| a == b).map(|same| group[same[0]]));
    }
    kept
}

/// Text that cannot be taken for markup.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(points: &[(f64, f64)]) -> Picture {
        Picture {
            title: "a < b & c".to_owned(),
            x_label: "t".to_owned(),
            curves: vec![("one".to_owned(), points.to_vec())],
        }
    }

    #[test]
    fn a_line_runs_from_corner_to_corner() {
        let svg = picture(&[(0.0, -1.0), (2.0, 3.0)]).render().unwrap();
        let (bottom, right) = (HEIGHT - BOTTOM, WIDTH - RIGHT);
        let path = format!("d=\"M{LEFT:.1} {bottom:.1}l0 0L{right:.1} {TOP:.1}\"");
        assert!(svg.contains(&path), "{path} in {svg}");
        assert!(svg.contains("<title>a &lt; b &amp; c</title>") && !svg.contains("a < b"));
        assert!(svg.contains(">one</text>"), "a curve alone is named at its axis");
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
    }

    #[test]
    fn what_has_no_place_leaves_a_gap_and_nothing_is_no_picture() {
        let svg =
            picture(&[(0.0, 0.0), (1.0, 1.0), (2.0, f64::NAN), (3.0, 1.0), (4.0, 0.0)]).render().unwrap();
        let curve = svg.lines().find(|line| line.contains("<title>one")).unwrap();
        assert_eq!(curve.matches('M').count(), 2, "{curve}");
        assert_eq!(picture(&[(0.0, f64::NAN)]).render(), None);
        assert_eq!(picture(&[]).render(), None);
    }

    #[test]
    fn several_curves_have_a_legend_and_their_own_looks() {
        let mut picture = picture(&[(0.0, 0.0), (1.0, 1.0)]);
        picture.curves =
            (0..9).map(|k| (format!("curve {k}"), vec![(0.0, f64::from(k)), (1.0, 2.0)])).collect();
        let svg = picture.render().unwrap();
        for k in 0..9 {
            assert_eq!(svg.matches(&format!("curve {k}<")).count(), 2, "its own title and the legend");
        }
        assert_ne!((colour(0), dash(0)), (colour(7), dash(7)));
    }

    #[test]
    fn thinning_keeps_ends_and_extremes() {
        let wave = |k: u32| {
            let x = f64::from(k) * 1e-3;
            Some((x, libm::sin(f64::from(k))))
        };
        let all: Vec<Placed> = (0..100_000).map(wave).collect();
        let kept = thinned(all.iter().copied());
        assert!(kept.len() <= 4 * 1001, "{}", kept.len());
        assert_eq!((kept.first(), kept.last()), (all.first(), all.last()));
        let highest = |points: &[Placed]| points.iter().flatten().map(|p| p.1).fold(f64::MIN, f64::max);
        assert_eq!(highest(&kept), highest(&all));
        assert!(kept.windows(2).all(|pair| pair[0].unwrap().0 <= pair[1].unwrap().0));
        // A path that turns back on itself keeps its shape: only neighbours are looked at.
        let circle: Vec<Placed> = (0..100)
            .map(|k| Some(libm::sincos(f64::from(k))))
            .map(|p| p.map(|(s, c)| (100.0 * s, 100.0 * c)))
            .collect();
        assert_eq!(thinned(circle.iter().copied()), circle);
    }
}

//! The guide keeps its word: every listing is read and run, every measure is as expected, and every message,
//! notice, table and answer is the one that is printed.
//!
//! What stands in a fence is said by the words after it. `lab` is a complete experiment, named by its first
//! line; `lab part` occurs in a complete one; `lab E301` is refused with this code, `lab stops E501` stops
//! with it while it runs. `message`, `notice` and `csv` belong to the listing before them, `session` is typed
//! into the REPL, and what `sh` types is run as far as this crate can.

use crate::support;
use crate::support::guide;
use gedanken_lang::diagnostic::{Code, Style, render};
use gedanken_lang::session::{Reply, Session};
use gedanken_lang::syntax::{Dialect, format};
use gedanken_lang::value::Value;
use gedanken_lang::vm::Limits;
use gedanken_recording::formula::Formula;
use gedanken_recording::{CsvSink, EventKind, Moment, Recording};
use guide::{Fence, fences, listing, missed, page, run, scalar, words};
use std::fmt::Write;
use support::{Memory, experiment};

#[test]
fn every_listing_runs_and_every_measure_is_as_expected() {
    let mut count = 0;
    for fence in fences().iter().filter(|it| it.words == "lab") {
        let (experiment, recordings) = fence.run(&[]);
        let (missed, met) = missed(&experiment, &recordings);
        assert_eq!(missed, [""; 0], "guide.md:{} {}", fence.line, fence.name());
        count += met;
    }
    assert!(count >= 30, "the guide tests what it says");
}

/// `gedanken fmt` would leave them as they are.
#[test]
fn listings_are_well_formed() {
    for fence in fences().iter().filter(|it| it.is_listing()) {
        let formatted = format(&fence.text, Dialect::Experiment).unwrap();
        assert!(formatted == fence.text, "guide.md:{}: write\n{formatted}", fence.line);
    }
}

#[test]
fn parts_stand_in_complete_listings() {
    let lines = |text: &str| text.lines().map(|it| it.trim().to_owned()).collect::<Vec<_>>();
    let fences = fences();
    let (parts, others): (Vec<&Fence>, Vec<&Fence>) = fences.iter().partition(|it| it.words == "lab part");
    assert!(!parts.is_empty());
    for part in parts {
        let wanted = lines(&part.text);
        let mut listings = others.iter().filter(|it| it.words == "lab");
        let is_there = listings.any(|it| lines(&it.text).windows(wanted.len()).any(|it| it == wanted));
        assert!(is_there, "guide.md:{}: no listing has\n{}", part.line, part.text);
    }
}

#[test]
fn mistakes_get_the_code_beside_them_and_the_message_below() {
    let fences = fences();
    let mut messages = Vec::new();
    for (place, fence) in fences.iter().enumerate().filter(|(_, it)| it.is_listing() && it.words != "lab") {
        let (found, sources) = fence.fault();
        let stops = fence.words.starts_with("lab stops");
        let codes: Vec<&str> = found.iter().map(|it| it.code.as_str()).collect();
        assert_eq!(codes, [fence.words.rsplit(' ').next().unwrap()], "guide.md:{}", fence.line);
        assert_eq!(experiment(&Memory(&[]), &fence.text, &[]).1.is_ok(), stops, "guide.md:{}", fence.line);
        let message = render(&found, &sources, Style::Plain).replace("test.lab", fence.name());
        if let Some(printed) = fences.get(place + 1).filter(|it| it.words == "message") {
            assert_eq!(printed.text.trim_end(), message.trim_end(), "guide.md:{}", printed.line);
        }
        messages.push((fence.name().to_owned(), message));
    }
    let says = |name: &str, words: &[&str]| {
        let message = &messages.iter().find(|(it, _)| it == name).unwrap().1;
        words.iter().all(|word| message.contains(word))
    };
    assert!(says("zero.lab", &["5 / (1 - (t - t0))", "`ball`", "`strange`", "t = 1"]), "{messages:?}");
    assert!(says("lid.lab", &["`ball`", "`lid`"]) || says("lid.lab", &["`ball`", "`floor`"]), "{messages:?}");
}

#[test]
fn notices_are_those_that_are_printed() {
    let fences = fences();
    let mut count = 0;
    for (place, fence) in fences.iter().enumerate().filter(|(_, it)| it.words == "lab") {
        let recordings = fence.run(&[]).1;
        let mut said: Vec<&str> =
            recordings.iter().flat_map(|it| &it.notices).map(|it| it.message.as_str()).collect();
        // Each simulation of a listing says it.
        said.dedup();
        let printed = fences.get(place + 1).filter(|it| it.words == "notice");
        let printed: Vec<&str> = printed.map_or(Vec::new(), |it| it.text.lines().collect());
        assert_eq!(said, printed, "guide.md:{} {}", fence.line, fence.name());
        count += said.len();
    }
    assert!(count >= 3);
}

#[test]
fn tables_are_those_that_are_printed() {
    let fences = fences();
    let printed: Vec<&Fence> = fences.iter().filter(|it| it.words == "csv").collect();
    assert_eq!(printed.len(), 1);
    for csv in printed {
        let above = fences.iter().rev().find(|it| it.line < csv.line && it.words == "lab").unwrap();
        let recording = above.run(&[]).1.remove(0);
        let mut sink = CsvSink::new(Vec::new(), &recording.schema, false).unwrap();
        recording.replay(&mut sink).unwrap();
        assert_eq!(String::from_utf8(sink.into_inner()).unwrap(), csv.text, "guide.md:{}", csv.line);
    }
}

#[test]
fn the_table_of_events_is_fresh() {
    let page = page();
    let (_, rest) = page.split_once("<!-- events of bounce.lab -->\n").expect("the guide has the markers");
    let printed = rest.split_once("<!-- end of events -->").expect("the guide has the markers").0;
    let fences = fences();
    let recording = listing(&fences, "bounce.lab", usize::MAX).run(&[]).1.remove(0);
    let v = recording.schema.find("ball.v#3").unwrap();
    let mut table =
        String::from("| event | time | what | who | before | after |\n|---|---|---|---|---|---|\n");
    for event in &recording.events {
        let who: Vec<&str> = event.objects.iter().map(|&it| recording.schema.objects[it].as_str()).collect();
        let value = |moment| match recording.schema.event_value(event, moment, &v) {
            Some(Value::Real(real)) => format!("{real:.4}"),
            other => panic!("{other:?}"),
        };
        let (before, after) = (value(Moment::Before), value(Moment::After));
        let (number, kind, who) = (event.index, event.kind.name(), who.join(", "));
        writeln!(table, "| {number} | {:.6} | {kind} | {who} | {before} | {after} |", event.time).unwrap();
    }
    assert!(printed == table, "docs/guide.md is out of date; between the markers of events put\n{table}");
}

#[test]
fn slips_of_the_pen_get_their_codes() {
    let page = page();
    let (_, rest) = page.split_once("<!-- slips -->\n").expect("the guide has the markers");
    let printed = rest.split_once("<!-- end of slips -->").expect("the guide has the markers").0;
    let fences = fences();
    let mut table = String::from("| in | instead of | you wrote | and get |\n|---|---|---|---|\n");
    for row in printed.lines().skip(2) {
        let cells: Vec<&str> = row.split('|').map(|it| it.trim().trim_matches('`')).collect();
        let [_, file, right, wrong, ..] = cells[..] else { panic!("{row}") };
        let found = listing(&fences, file, usize::MAX).with(right, wrong).fault().0;
        let code = found.first().map_or("no message", |it| it.code.as_str());
        let title = Code::parse(code).map_or("", |it| it.entry().title);
        writeln!(table, "| `{file}` | `{right}` | `{wrong}` | {code}: {title} |").unwrap();
    }
    assert!(printed == table, "docs/guide.md is out of date; between the markers of slips put\n{table}");
}

/// Files are listings, with `--set` the measures hold as well, and what is plotted is a formula over what is
/// recorded.
#[test]
fn commands_do_what_they_are_there_for() {
    let fences = fences();
    let mut set = 0;
    for (fence, line) in
        fences.iter().filter(|it| it.words == "sh").flat_map(|it| it.text.lines().map(move |l| (it, l)))
    {
        let words = words(line);
        let [program, command, file, rest @ ..] = words.as_slice() else { panic!("{line}") };
        assert_eq!(program, "gedanken", "{line}");
        assert!(["run", "trace", "plot"].contains(&command.as_str()), "{line}");
        let settings: Vec<&str> =
            rest.windows(2).filter(|it| it[0] == "--set").map(|it| it[1].as_str()).collect();
        let (experiment, recordings) = listing(&fences, file, fence.line).run(&settings);
        assert_eq!(missed(&experiment, &recordings).0, [""; 0], "{line}");
        set += settings.len();
        let named = rest.windows(2).find(|it| it[0] == "--simulation").map(|it| it[1].as_str());
        assert!(experiment.simulation(named).is_some(), "{line}");
        let recording = &recordings[0];
        if command == "plot" {
            let names = rest.iter().take_while(|it| *it != "--out").filter(|it| !it.starts_with("--"));
            for name in names {
                let formula = Formula::read(&recording.schema, name);
                assert!(formula.is_ok(), "{line}: {}", formula.unwrap_err());
            }
        }
        let event = rest.windows(2).find(|it| it[0] == "--event").map(|it| it[1].parse::<usize>().unwrap());
        assert!(event.is_none_or(|it| it < recording.events.len()), "{line}");
    }
    assert!(set >= 6, "the guide varies its experiments");
}

/// Claims of the guide about a listing that are no measures of it.
#[test]
fn numbers_in_the_text_are_right() {
    let fences = fences();
    let of = |name: &str| listing(&fences, name, usize::MAX);
    let first = |name: &str, settings: &[&str]| of(name).run(settings).1.remove(0);
    let is = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-9, "{value} for {expected}");

    let still = first("still.lab", &[]);
    assert_eq!((still.frames(), still.events.len()), (61, 0));
    assert_eq!(still.row(0), still.row(60));

    let fall = first("fall.lab", &[]);
    assert_eq!((fall.events.len(), fall.events[0].time), (1, 0.0));
    is(scalar(&fall, "fallen", 2), scalar(&fall, "fallen", 4) / 4.0);
    is(scalar(&first("fall.lab", &["a=[0, 0, -1.62]"]), "fallen", 4), 0.81);

    for rate in ["7", "60", "1000"] {
        let bounce = of("bounce.lab").with("duration = 3", &format!("duration = 3 frame rate = {rate}"));
        let bounce = bounce.run(&[]).1.remove(0);
        let time = libm::sqrt(2.0 * 4.5 / 9.81);
        assert!((bounce.events[1].time - time).abs() < 1e-12, "{} at {rate} frames", bounce.events[1].time);
    }

    let meet = first("meet.lab", &[]);
    for frame in [0, meet.frames() - 1] {
        is(scalar(&meet, "energy", frame), 3.5);
        is(scalar(&meet, "momentum#1", frame), -1.0);
    }
    let lossy = first("meet.lab", &["e=0.5"]);
    assert!(scalar(&lossy, "energy", lossy.frames() - 1) < 3.0);

    // Drag fails the measure of the energy; a slower moon comes closer, and is faster there.
    let (spring, recordings) = of("spring.lab").with("force / mass", "(force - 0.1 * v) / mass").run(&[]);
    assert!(missed(&spring, &recordings).0.iter().any(|it| it.starts_with("energy: ")));
    let moons = of("moons.lab").with("0.8 * speed", "0.75 * speed").run(&[]).1.remove(0);
    let vector = |name: &str, frame| [1, 2, 3].map(|k| scalar(&moons, &format!("{name}#{k}"), frame));
    let square = |x: [f64; 3]| x.iter().map(|it| it * it).sum::<f64>();
    let fast = |frame| square(vector("moon.v", frame));
    let far = |frame| {
        let (moon, planet) = (vector("moon.position", frame), vector("planet.position", frame));
        square([0, 1, 2].map(|k| moon[k] - planet[k]))
    };
    let closest = (0..moons.frames()).min_by(|&a, &b| far(a).total_cmp(&far(b))).unwrap();
    assert!(far(closest) < 0.9 * far(0) && fast(closest) > 1.1 * fast(0));

    let rest = first("rest.lab", &[]);
    let since = |rest: &Recording| scalar(rest, "ball.at_rest_since", rest.frames() - 1);
    assert_eq!(format!("{:.3}", since(&rest)), "5.747");
    let coarse = of("rest.lab").with("duration = 7", "duration = 7 touching tolerance = 1e-6").run(&[]).1;
    assert!(since(&coarse[0]) < since(&rest));
    let slid = |friction: &str| {
        let ramp = first("ramp.lab", &[friction]);
        scalar(&ramp, "way", ramp.frames() - 1) > 0.0
    };
    assert!(slid("friction=0.577") && !slid("friction=0.578"));
    let stack = first("stack.lab", &[]);
    is(scalar(&stack, "below_all", stack.frames() - 1), 68.67);
    let unasked = of("stack.lab")
        .with("if hasPathToStaticObjectDirVec2 then -(weight . n) * n else [0, 0, 0]", "-(weight . n) * n");
    let unasked = unasked.read(&[]).1;
    assert_eq!(run(&unasked, unasked.simulation(Some("no_ground")).unwrap()).1.unwrap().code, "E507");
    let (priced, recordings) = of("stack.lab").with("mass", "price").run(&[]);
    assert_eq!(missed(&priced, &recordings), (Vec::new(), 5));

    let faster = first("bounce.lab", &["restitution=1.1"]);
    is(scalar(&faster, "apex_after_the_first_bounce", faster.frames() - 1), 1.1 * 1.1 * 4.5);

    let waves = of("waves.lab").with("waves(3)", "sine(t) + sine(2 * t) / 2 + sine(3 * t) / 3");
    assert_eq!(waves.run(&[]).1[0].notices, []);

    let zero = of("zero.lab").read(&[]).1;
    let kept = run(&zero, &zero.simulations[0]).0;
    assert_eq!(kept.times.last(), Some(&(59.0 / 60.0)));
}

/// A ball of radius 1 beside the middle of a room: its largest coordinate is 10, so it touches the floor from
/// 1e-11 on.
#[test]
fn the_touching_tolerance_is_what_is_said() {
    let contacts = |gap: &str, tolerance: &str| {
        let text = format!(
            "object {{ name = ball physical type = dynamic geometrical type = sphere
                attributes = {{ position = [9, 0, 1 + {gap}] size = 1 }} }}
            object {{ name = floor physical type = static geometrical type = half space
                attributes = {{ position = [0, 0, 0] }} }}
            context {{ name = rest type = contact functions = {{ size = 1 }} }}
            simulation {{ name = wait duration = 0.1 {tolerance} }}"
        );
        let room = Fence { words: String::new(), text, line: 0 };
        room.run(&[]).1[0].events.iter().filter(|it| it.kind == EventKind::Contact).count()
    };
    assert_eq!(contacts("1.9e-12", ""), 1);
    assert_eq!(contacts("2.1e-12", ""), 0);
    assert_eq!(contacts("1.1e-11", "touching tolerance = 1e-6"), 1);
    assert_eq!(contacts("1.1e-6", "touching tolerance = 1e-6"), 0);
}

/// A disk with nothing on it.
struct Nothing;

impl gedanken_lang::session::Files for Nothing {
    fn read(&self, _path: &str) -> Result<String, String> {
        Err("there is no such file".to_owned())
    }

    fn write(&self, _path: &str, _text: &str) -> Result<(), String> {
        Err("there is no such folder".to_owned())
    }
}

#[test]
fn sessions_answer_as_printed() {
    for fence in fences().iter().filter(|it| it.words == "session") {
        let mut session = Session::new(Nothing, Limits::default());
        let mut lines = fence.text.lines().peekable();
        while let Some(line) = lines.next() {
            let input = line.strip_prefix("> ").expect("an input starts with `> `");
            let printed: Vec<&str> =
                std::iter::from_fn(|| lines.next_if(|it| !it.starts_with("> "))).collect();
            let replies = session.submit(input);
            let answer = replies.iter().filter_map(|it| match it {
                Reply::Value(value) => Some(value.to_string()),
                Reply::Diagnostic(found) => Some(found.message.clone()),
                _ => None,
            });
            assert_eq!(answer.collect::<Vec<_>>(), printed, "{input}");
        }
    }
}

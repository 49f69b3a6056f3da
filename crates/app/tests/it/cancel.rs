//! How soon work ends that is interrupted: a table of commands, mechanics and kinds of work.
//!
//! Each row starts work that takes minutes, waits until it is under way, interrupts it and takes the time until
//! it has ended. The bound here is one that a busy machine keeps; on an idle one every row is under 0.2 s in an
//! optimized build, as the printed table shows (`cargo nextest run --no-capture`).

use crate::support::lab::Lab;
use crate::support::{Folder, command, finish, wait_until};
use serde_json::json;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// Longest time from the interrupt to the end, however busy the machine is.
const BOUND: Duration = Duration::from_secs(10);

/// Time of the processor after which work is under way: no text here is read for so long.
const UNDER_WAY: Duration = Duration::from_millis(700);

/// A function whose every value takes some ten million steps of the evaluator.
const SLOW: &str = "f(n) = if n < 2 then n else f(n - 1) + f(n - 2)\n";

const BALL: &str = "object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 1]  size = 0.1  v = [1, 0, 0]  velocity = [1, 0, 0]  mass = 1 } }
";

/// A text with one definition in each line; here two blanks stand between definitions.
fn lines(text: &str) -> String {
    text.replace("  ", "\n")
}

/// A law that takes very long.
fn slow_contexts() -> String {
    lines(&format!(
        "import \"slow.vfl\"\n{BALL}context {{ name = slow  type = free fall
    functions = {{ position = [0, 0, 1 + 0 * f(28) * t] }} }}
simulation {{ name = s  duration = 100  frame rate = 10 }}
"
    ))
}

fn slow_workflow() -> String {
    lines(&format!(
        "import \"slow.vfl\"\n{BALL}rule slow {{ writes = {{position}}
    functions = {{ position = previous(position) + [0, 0, 0 * f(28)] }} }}
simulation {{ name = s  mechanics = workflow  workflow = slow  duration = 100  frame rate = 10  time step = 0.1 }}
"
    ))
}

fn slow_force() -> String {
    lines(&format!(
        "import \"slow.vfl\"\n{BALL}force slow {{ of = {{ball}}  force = [0, 0, 0 * f(28)] }}
simulation {{ name = s  mechanics = rigid  duration = 100  frame rate = 10  time step = 0.1 }}
"
    ))
}

/// A measure that takes very long, of a system that does not.
fn slow_measure() -> String {
    lines(
        "import \"slow.vfl\"\nlagrangian spring {  coordinates = { x = 1 }  T = 0.5 * x_dot^2  V = 0.5 * x^2  }
measure slow { value = x + 0 * f(28) }
simulation { name = s  mechanics = lagrangian  duration = 100  frame rate = 10  integrator = rk4  time step = 0.1 }
",
    )
}

/// A frame of ten million steps.
fn many_steps() -> String {
    lines(
        "lagrangian spring {  coordinates = { x = 1 }  T = 0.5 * x_dot^2  V = 0.5 * x^2  }
simulation { name = s  mechanics = lagrangian  duration = 100  frame rate = 1  integrator = rk4  time step = 1e-7 }
",
    )
}

/// Balls in a row that touch, each slower than the one before it: they exchange their velocities by pairs, all
/// at one instant, as often as bubble sort exchanges numbers.
fn one_instant() -> String {
    let mut text = String::new();
    for k in 0..2000 {
        let _ = writeln!(
            text,
            "object {{ name = b{k:04}  physical type = dynamic  geometrical type = sphere
    attributes = {{ position = [{k}, 0, 0]  size = 0.5  v = [{}, 0, 0] }} }}",
            -k
        );
    }
    text += "context { name = straight  type = free fall
    attributes = {t0, p0}  compute_first_time_only_attributes = {t0, p0}
    functions = { t0 = t  p0 = position  position = p0 + v * (t - t0) } }
context { name = swap  type = collision
    attributes = {v_in}  compute_first_time_only_attributes = {v_in}
    aliases = {
        use v1 as attribute v of object with index 0
        use v2 as attribute v of object with index 1
        use v1_in as attribute v_in of object with index 0
        use v2_in as attribute v_in of object with index 1
        use n as attribute collisionNormal of object with index 0
    }
    functions = { v1_in = v1  v2_in = v2  j = (v2_in - v1_in) . n  v1 = v1_in + j * n  v2 = v2_in - j * n }
    applicability = { mandatory 2 dynamic spheres } }
simulation { name = s  duration = 20  frame rate = 1 }
";
    lines(&text)
}

/// Balls whose law has no bounds, so that contacts of all pairs are sampled.
fn long_search() -> String {
    let mut text = "import \"slow.vfl\"\n".to_owned();
    for k in 0..300 {
        let _ = writeln!(
            text,
            "object {{ name = b{k:03}  physical type = dynamic  geometrical type = sphere
    attributes = {{ position = [{}, 0, 0]  size = 0.1 }} }}",
            5 * k
        );
    }
    text += "context { name = wave  type = free fall
    attributes = {p0}  compute_first_time_only_attributes = {p0}
    functions = { p0 = position  position = p0 + [0, 0, 0 * f(6) * t] } }
simulation { name = s  duration = 100  frame rate = 1 }
";
    lines(&text)
}

/// Boxes in a heap, in steps of a hundred thousand sub-steps.
fn heavy_step() -> String {
    let mut text = String::new();
    for k in 0..2000 {
        let (x, y, z) = (k % 10, k / 10 % 10, k / 100);
        let _ = writeln!(
            text,
            "object {{ name = b{k:03}  physical type = dynamic  geometrical type = cuboid
    attributes = {{ position = [{x}.{z}, {y}, {z}.5]  size = [1, 1, 1]  mass = 1 }} }}"
        );
    }
    text += "object { name = floor  physical type = static  geometrical type = half space
    attributes = { position = [0, 0, 0] } }
simulation { name = s  mechanics = rigid  gravity = [0, 0, -9.81]  duration = 100  frame rate = 1  time step = 1  substeps = 100000 }
";
    lines(&text)
}

/// A chain of pendulums, whose equations fill pages.
fn chain() -> String {
    let count = 60;
    let mut text = "lagrangian chain {\ncoordinates = {\n".to_owned();
    (1..=count).for_each(|k| text += &format!("q{k} = 0.1\n"));
    text += "}\nfunctions = {\n";
    let sum = |what: &str, k: usize| {
        let terms: Vec<String> = (1..=k).map(|i| what.replace('#', &i.to_string())).collect();
        terms.join(" + ")
    };
    for k in 1..=count {
        let _ = writeln!(text, "vx{k} = {}", sum("cosine(q#) * q#_dot", k));
        let _ = writeln!(text, "vy{k} = {}", sum("sine(q#) * q#_dot", k));
        let _ = writeln!(text, "y{k} = -({})", sum("cosine(q#)", k));
    }
    text += "}\n";
    let _ = writeln!(text, "T = 0.5 * ({})", sum("vx#^2 + vy#^2", count));
    let _ = writeln!(text, "V = 9.81 * ({})", sum("y#", count));
    text += "}\nsimulation {\nname = s\nmechanics = lagrangian\nduration = 10\n}\n";
    text
}

/// World attributes whose values take long.
fn slow_values() -> String {
    let mut text = "import \"slow.vfl\"\nworld attributes {\n".to_owned();
    (0..200).for_each(|k| text += &format!("a{k} = f(28)\n"));
    text + "}\n" + &lines(BALL) + "simulation {\nname = s\nduration = 1\n}\n"
}

/// 390 KB of objects.
fn long_text() -> String {
    let mut text = String::new();
    for k in 0.. {
        let _ = writeln!(
            text,
            "object {{ name = b{k:04}  physical type = dynamic  geometrical type = sphere
    attributes = {{ position = [{k}, 0, 0]  size = 0.1  v = [1, {k}, 0]  a{k} = 2 * {k} }} }}"
        );
        if text.len() > 390_000 {
            break;
        }
    }
    text += "context { name = straight  type = free fall  functions = { position = previous(position) + dt * v } }
simulation { name = s  duration = 1 }
";
    lines(&text)
}

/// Time that a process has used the processor, from `/proc`.
fn used(child: &Child) -> Duration {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    // The name in brackets may hold anything, so counting begins after it.
    let after = stat.rsplit_once(')').map_or("", |it| it.1);
    let ticks: u64 = after.split_whitespace().skip(11).take(2).filter_map(|it| it.parse::<u64>().ok()).sum();
    // Linux tells times in hundredths of a second.
    Duration::from_millis(10 * ticks)
}

/// Starts a command, waits until it is under way, interrupts it, and returns how long it took to end.
fn interrupted(folder: &Folder, arguments: &[&str], signal: &str, input: &str) -> Duration {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    wait_until(&format!("{arguments:?} to be under way"), || used(&child) > UNDER_WAY);
    assert!(child.try_wait().unwrap().is_none(), "{arguments:?} ended by itself");
    let kill = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let start = Instant::now();
    let output = finish(child, &format!("the end of {arguments:?}"));
    let took = start.elapsed();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(!stderr.contains("error[") && !stderr.contains("panicked"), "{arguments:?}: {stderr}");
    took
}

/// Prints a row of the table, and holds its bound.
#[allow(clippy::print_stdout, reason = "the table is to be read")]
fn row(what: [&str; 3], took: Duration) {
    let [command, mechanics, work] = what;
    println!("{command:<10} {mechanics:<11} {work:<44} {:>6.3} s", took.as_secs_f64());
    assert!(took < BOUND, "{what:?}: {took:?}");
}

#[test]
fn commands_end_soon_after_an_interrupt() {
    let folder = Folder::with("cancel", &[("slow.vfl", SLOW)]);
    let texts: [(&str, &str, &str, String); 8] = [
        ("law.lab", "contexts", "recursion within a law", slow_contexts()),
        ("instant.lab", "contexts", "collisions at one instant", one_instant()),
        ("search.lab", "contexts", "a search for contacts", long_search()),
        ("rule.lab", "workflow", "recursion within a rule", slow_workflow()),
        ("force.lab", "rigid", "recursion within a force", slow_force()),
        ("heap.lab", "rigid", "one heavy step", heavy_step()),
        ("measure.lab", "lagrangian", "recursion within a measure", slow_measure()),
        ("steps.lab", "lagrangian", "many steps in a frame", many_steps()),
    ];
    for (file, mechanics, work, text) in &texts {
        folder.write(file, text);
        for signal in ["-INT", "-TERM"] {
            let took = interrupted(&folder, &["run", file, "--record", "a.csv"], signal, "");
            row([&format!("run {signal}"), mechanics, work], took);
        }
    }
    for (name, more) in [("trace", &[][..]), ("plot", &["ball.position"]), ("export", &["b.csv"])] {
        let took = interrupted(&folder, &[&[name, "law.lab"], more].concat(), "-INT", "");
        row([name, "contexts", "recursion within a law"], took);
    }
    folder.write("chain.lab", &chain());
    folder.write("values.lab", &slow_values());
    row(
        ["derive", "lagrangian", "a chain of sixty links"],
        interrupted(&folder, &["derive", "chain.lab"], "-INT", ""),
    );
    row(["check", "", "initial values"], interrupted(&folder, &["check", "values.lab"], "-INT", ""));
    let many = format!("{SLOW}{}", "$ f(28)\n".repeat(100));
    row(["eval", "", "recursion"], interrupted(&folder, &["eval", &many], "-INT", ""));
    row(["repl", "", "recursion"], interrupted(&folder, &["repl"], "-INT", &many));
    row(["accuracy", "all", "the suite"], interrupted(&folder, &["accuracy"], "-INT", ""));
}

#[test]
fn the_page_ends_work_soon_after_it_is_not_wanted() {
    let folder = Folder::with("cancel_page", &[("slow.vfl", SLOW)]);
    let lab = Lab::start(&folder, &["."]);
    let mut wire = lab.welcomed();
    let edit = |revision: u32, text: &str| {
        let origin = json!({ "from": "folder", "name": "a.lab" });
        json!({ "type": "edit", "revision": revision, "origin": origin, "text": text, "settings": [] })
            .to_string()
    };
    let mut revision = 0;
    for (mechanics, work, text) in [
        ("contexts", "recursion within a law", slow_contexts()),
        ("contexts", "collisions at one instant", one_instant()),
        ("workflow", "recursion within a rule", slow_workflow()),
        ("rigid", "recursion within a force", slow_force()),
        ("rigid", "one heavy step", heavy_step()),
        ("lagrangian", "recursion within a measure", slow_measure()),
    ] {
        revision += 1;
        assert!(wire.say(&edit(revision, &text)));
        let checked = wire.expect_reply("checked");
        assert_eq!((&checked["revision"], &checked["sound"]), (&json!(revision), &json!(true)), "{checked}");
        let run = json!({ "type": "run", "run": revision, "revision": revision, "simulation": null, "coarse": false });
        let before = used(&lab.child);
        assert!(wire.say(&run.to_string()));
        wire.expect_reply("started");
        wait_until("the run to be under way", || used(&lab.child) > before + UNDER_WAY);
        let start = Instant::now();
        assert!(wire.say(&json!({ "type": "cancel", "run": revision }).to_string()));
        let ended = wire.expect_reply("ended");
        assert_eq!(ended["ending"]["how"], "cancelled", "{ended}");
        row(["page: run", mechanics, work], start.elapsed());
    }
    for (work, text) in
        [("initial values", slow_values()), ("390 KB of objects", long_text()), ("a chain", chain())]
    {
        let before = used(&lab.child);
        assert!(wire.say(&edit(revision + 1, &text)));
        // A text that is checked sooner than that has nothing to cancel.
        let start = Instant::now();
        while used(&lab.child) < before + UNDER_WAY && start.elapsed() < 2 * UNDER_WAY {
            std::thread::sleep(Duration::from_millis(10));
        }
        revision += 2;
        let start = Instant::now();
        assert!(wire.say(&edit(revision, "")));
        while wire.expect_reply("checked")["revision"] != json!(revision) {}
        row(["page: key", "", work], start.elapsed());
    }
}

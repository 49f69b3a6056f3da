"""Steps of a thrown cube by SciPy's SLSQP and by a second method, as stored data for the tests of the variational solver.

    python3 -m venv oracle
    oracle/bin/pip install --requirement crates/rigid/tests/oracle/requirements.txt
    oracle/bin/python crates/rigid/tests/oracle/dice.py           # writes cube.json and die.json
    oracle/bin/python crates/rigid/tests/oracle/dice.py --check   # reads them, and says how far each number can be trusted
    oracle/bin/python crates/rigid/tests/oracle/dice.py --time    # SLSQP's seconds per contact step, as JSON

The minimisation of a step is in step.py, SLSQP in slsqp.py, the second method in refined.py.

A file is an object with `cube` (m, s, mu, g, h), `made_with` and `steps`, one line each, in SI units and in the order of time. Up
is y and the ground is y = 0. Corner k = 4 a + 2 b + c is at (s/2) (+-1, +-1, +-1) with + along x where a = 1, along y where b = 1,
along z where c = 1. A step has

    c, q, c_dot, omega    the state before: centre, orientation w x y z, velocity, angular velocity in the body's frame
    lambda                normal forces of the pass without friction, of least norm where they are not unique; 8
    slsqp, refined        what the two methods find with friction mu lambda: `c`, `theta`, the `cost` (no norm smoothed) and
                          `stationarity`, the unbalanced force and torque/s over max(m g, m |c_dot|/h, largest contact force)
    slsqp.heights         heights of the corners after the step; 8
    slsqp.seconds         wall time of SLSQP's two passes, without restarts
    refined.nu            normal forces with friction, not unique with a face on the ground; 8

The next state is that of `refined`: c and R exp([theta]x), with c_dot = (c_new - c)/h and omega = theta/h. SLSQP's errors enter no
state, and no corner begins a step more than some 1e-16 s below the ground.
"""

import argparse
import json
import pathlib
import statistics
import sys

import numpy as np
import scipy
from scipy.spatial.transform import Rotation

import refined
import slsqp
from step import CORNERS, Cube, Step, turned

HERE = pathlib.Path(__file__).parent
CASES = {
    "cube": {
        "cube": {"m": 1.0, "s": 1.0, "mu": 0.4, "g": 9.81, "h": 0.01},
        "start": {"c": [0.0, 3.0, 0.0], "q": [1.0, 0.0, 0.0, 0.0], "c_dot": [1.0, 0.0, 0.5], "omega": [2.0, 3.0, 1.0]},
        "steps": 300,
    },
    # Lands after 116 steps, tumbles over three corners, slides on an edge and on a face, and rests from step 284 on.
    "die": {
        "cube": {"m": 0.004, "s": 0.016, "mu": 0.4, "g": 9.81, "h": 0.001},
        "start": {"c": [0.0, 0.08, 0.0], "q": [1.0, 0.0, 0.0, 0.0], "c_dot": [0.4, 0.0, 0.2], "omega": [20.0, 30.0, 10.0]},
        "steps": 320,
    },
}
# Height over the side below which a corner may bear. Corners of a face on the ground are within 1e-15, others far above.
FACE = 1e-9


def numbers(values):
    """Floats of Python, which JSON gets in their shortest form that reads back the same; no negative zeros."""
    return [float(value) + 0.0 for value in values]


def rounded(value):
    """Three digits: what is judged by its magnitude."""
    return float(f"{value:.2e}")


def scale(step, largest):
    """Force by which residuals are divided, scaled: max(m g, m |c_dot|/h, largest contact force)."""
    return max(step.cube.fall, np.linalg.norm(step.z_p[:3]), largest)


def solved(cube, state):
    """A step of the stored data."""
    step = Step(cube, state)
    first = refined.minimum(step, np.zeros(8), step.z_p)
    lam = refined.least_norm(step, first.z, FACE) * cube.force
    w = cube.mu * lam / cube.force
    good = refined.minimum(step, w, first.z) if lam.any() else first

    _, second, seconds = slsqp.both_passes(step, w)
    c, theta = step.place(slsqp.best(step, w, second))
    z = step.scaled(c, theta)
    left, largest = slsqp.residual(step, w, z)
    peer = {
        "c": numbers(c),
        "theta": numbers(theta),
        "cost": step.cost(c, theta, lam),
        "heights": numbers(cube.s * step.heights(z)),
        "stationarity": rounded(left / scale(step, largest)),
        "seconds": rounded(seconds),
    }
    c, theta = step.place(good.z)
    # Of the numbers as they are stored.
    z = step.scaled(c, theta)
    left = slsqp.size_of(step.smooth_cost(z)[1] + step.pull(z, refined.forces(good.nu, good.tau)))
    largest = max(good.nu.max(), np.linalg.norm(good.tau, axis=1).max())
    own = {
        "c": numbers(c),
        "theta": numbers(theta),
        "cost": step.cost(c, theta, lam),
        "nu": numbers(good.nu * cube.force),
        "stationarity": rounded(left / scale(step, largest)),
    }
    return {**state, "lambda": numbers(lam), "slsqp": peer, "refined": own}


def after(cube, entry):
    """State after a stored step."""
    c, theta = entry["refined"]["c"], entry["refined"]["theta"]
    return {
        "c": c,
        "q": numbers(turned(entry["q"], theta)),
        "c_dot": numbers((np.array(c) - entry["c"]) / cube.h),
        "omega": numbers(np.array(theta) / cube.h),
    }


def make(name):
    """Writes a file."""
    case = CASES[name]
    cube = Cube(**case["cube"])
    state, lines = case["start"], []
    for _ in range(case["steps"]):
        entry = solved(cube, state)
        lines.append(json.dumps(entry, separators=(",", ":")))
        state = after(cube, entry)
    head = {"cube": case["cube"], "made_with": f"numpy {np.__version__}, scipy {scipy.__version__}"}
    text = json.dumps(head)[:-1] + ', "steps": [\n' + ",\n".join(lines) + "\n]}\n"
    (HERE / f"{name}.json").write_text(text)


def stored(name):
    """Cube and steps of a stored file."""
    data = json.loads((HERE / f"{name}.json").read_text())
    return Cube(**data["cube"]), data["steps"]


def touching(steps):
    """Stored steps with contact, and their numbers."""
    return [(i, entry) for i, entry in enumerate(steps) if any(entry["lambda"])]


def plain_cost(cube, state, c, theta, lam):
    """Cost and heights by the formula on paper and SciPy's rotations: nothing of step.py but the order of the corners."""
    w, x, y, z = state["q"]
    r, v = Rotation.from_quat([x, y, z, w]), cube.s * CORNERS
    c, theta, c0 = np.array(c), np.array(theta), np.array(state["c"])
    places = c + (r * Rotation.from_rotvec(theta)).apply(v)
    away, turn = c - c0 - cube.h * np.array(state["c_dot"]), theta - cube.h * np.array(state["omega"])
    d = (places - c0 - r.apply(v))[:, [0, 2]]
    cost = cube.m / (2 * cube.h**2) * away @ away + cube.m * cube.s**2 / (12 * cube.h**2) * turn @ turn
    return cost + cube.m * cube.g * c[1] + cube.mu * np.array(lam) @ np.linalg.norm(d, axis=1), places[:, 1]


def charged(entry, cost, heights):
    """A cost with what lies below the ground charged at the multipliers."""
    return cost - np.minimum(0, heights) @ np.array(entry["refined"]["nu"])


def spread(label, values):
    """Prints median and worst."""
    values = sorted(values)
    print(f"  {label:58} median {statistics.median(values):9.2e}   worst {values[-1]:9.2e}")


def check(name):
    """Prints what the stored numbers are worth."""
    cube, steps = stored(name)
    contact = touching(steps)
    print(f"{name}: {len(steps)} steps, {len(contact)} with contact")
    off, loss, below, formula, curvature = [], [], [], [], []
    for _, entry in contact:
        peer, own = entry["slsqp"], entry["refined"]
        away, turn = np.subtract(peer["c"], own["c"]), np.subtract(peer["theta"], own["theta"])
        off.append(max(np.abs(away).max() / cube.s, np.abs(turn).max()))
        loss.append(charged(entry, peer["cost"], np.array(peer["heights"])) - own["cost"])
        for which in (peer, own):
            cost, heights = plain_cost(cube, entry, which["c"], which["theta"], entry["lambda"])
            below.append(-heights.min() / cube.s)
            formula.append(abs(cost - which["cost"]))
        step = Step(cube, entry)
        solution = refined.minimum(step, cube.mu * np.array(entry["lambda"]) / cube.force, step.scaled(own["c"], own["theta"]))
        matrix = np.eye(3) + step.curvature(solution.z, refined.forces(solution.nu, solution.tau))
        curvature.append(np.linalg.eigvalsh(matrix)[0])
    spread("refined: stationarity", [entry["refined"]["stationarity"] for _, entry in contact])
    spread("SLSQP: stationarity", [entry["slsqp"]["stationarity"] for _, entry in contact])
    spread("SLSQP: distance from refined (c/s and theta)", off)
    spread("SLSQP: charged cost above refined [J]", loss)
    spread("both: depth below the ground, over s", below)
    spread("both: cost against the formula and SciPy's rotations [J]", formula)
    spread("SLSQP: seconds of two passes", [entry["slsqp"]["seconds"] for _, entry in contact])
    print(f"  least eigenvalue of the Lagrangian's Hessian, kinetic energy = 1: {min(curvature):.3f}")
    check_multipliers(cube, contact)
    check_minima(cube, contact)


def check_multipliers(cube, contact):
    """Multipliers: how SLSQP's differ, and how near a corner without force comes to bearing one."""
    unique, face, hovering = [], [], [np.inf]
    for _, entry in contact:
        step, lam = Step(cube, entry), np.array(entry["lambda"])
        first = slsqp.scaled(step, None, step.z_p)
        difference = np.abs(first.multipliers * cube.force - lam).max() / (scale(step, lam.max() / cube.force) * cube.force)
        (face if np.count_nonzero(lam) > 3 else unique).append(difference)
        heights = step.heights(refined.minimum(step, np.zeros(8), step.z_p).z)
        hovering.append(min(heights[heights > FACE]))
    spread("SLSQP: multipliers against lambda, at most 3 corners", unique)
    spread("SLSQP: multipliers against lambda, a face", face)
    print(f"  lowest corner that may not bear, over s: {min(hovering):.1e}")


def check_minima(cube, contact):
    """Other minima: 20 steps from 20 random beginnings each, a radian and 0.4 s away (standard deviations by direction)."""
    random = np.random.default_rng(4)
    others = 0
    for _, entry in contact[:: max(1, len(contact) // 20)][:20]:
        step, w = Step(cube, entry), cube.mu * np.array(entry["lambda"]) / cube.force
        z = step.scaled(entry["refined"]["c"], entry["refined"]["theta"])
        for _ in range(20):
            other = refined.minimum(step, w, z + random.normal(size=6) * 0.4).z
            others += np.abs(other - z).max() > 1e-7
    print(f"  {others} of 400 random beginnings end in another minimum")


def clock(name, way, repeats):
    """Times SLSQP's two passes on the stored contact steps; the second has the stored lambda. Best of some repeats each."""
    cube, steps = stored(name)
    report = {"file": name, "way": way, "scipy": scipy.__version__, "mean_seconds": 0.0, "steps": 0}
    report |= {"indices": [], "seconds": [], "costs": [], "charged": []}
    for index, entry in touching(steps):
        lam = np.array(entry["lambda"])
        runs = []
        for _ in range(repeats):
            # A new one each time, so that nothing is remembered from the last.
            step = Step(cube, entry)
            runs.append(slsqp.both_passes(step, cube.mu * lam / cube.force, slsqp.WAYS[way]))
        z = runs[0][1].x
        cost = step.cost(*step.place(z), lam)
        report["indices"].append(index)
        report["seconds"].append(rounded(min(seconds for _, _, seconds in runs)))
        report["costs"].append(cost)
        report["charged"].append(charged(entry, cost, cube.s * step.heights(z)))
    report["steps"] = len(report["seconds"])
    report["mean_seconds"] = statistics.mean(report["seconds"])
    json.dump(report, sys.stdout)
    print()


def main():
    parser = argparse.ArgumentParser(description="Steps of a thrown cube by SciPy's SLSQP.")
    parser.add_argument("--check", action="store_true", help="say what the stored numbers are worth")
    parser.add_argument("--time", action="store_true", help="time SLSQP on the stored contact steps of one file; JSON")
    parser.add_argument("--way", choices=slsqp.WAYS, default="scaled", help="how SLSQP is told the problem, for --time")
    parser.add_argument("--repeats", type=int, default=3, help="for --time")
    parser.add_argument("names", nargs="*", metavar="cube|die", help="which files (default: both; for --time, cube)")
    given = parser.parse_args()
    if given.time:
        return clock((given.names or ["cube"])[0], given.way, given.repeats)
    for name in given.names or CASES:
        if not given.check:
            make(name)
        check(name)


main()

"""Drives SciPy's SLSQP for the benches, on the stored contact steps of a thrown cube.

First line: the folder with the steps (cube.json) and with the minimisation as Python (slsqp.py). The answer is SciPy's version, the
number of contact steps, m, s, mu, g and h, and then a line for each contact step: c, q (w x y z), c_dot and omega before it, the
eight forces lambda of the pass without friction, and c after it. Then `time WAY` answers with the seconds of both passes of each
contact step, and `cost WAY` with the cost of each, what lies below the ground charged at the stored normal forces.
"""

import functools
import json
import pathlib
import sys

import numpy
import scipy


def main():
    folder = pathlib.Path(sys.stdin.readline().strip())
    sys.path.insert(0, str(folder))
    sys.dont_write_bytecode = True
    import slsqp
    from step import Cube, Step

    # SciPy's own default, of a program that names none.
    default = 1e-6
    ways = {
        "differences": functools.partial(slsqp.seed, tolerance=default),
        "gradient": functools.partial(slsqp.gradient, tolerance=default),
        "units": slsqp.units,
        "scaled": slsqp.scaled,
    }
    data = json.loads((folder / "cube.json").read_text())
    cube = Cube(**data["cube"])
    touching = [entry for entry in data["steps"] if any(entry["lambda"])]
    print(scipy.__version__, len(touching), cube.m, cube.s, cube.mu, cube.g, cube.h, flush=True)
    for entry in touching:
        before = [x for key in ("c", "q", "c_dot", "omega", "lambda") for x in entry[key]]
        print(*before, *entry["refined"]["c"], flush=True)

    def solved(entry, way):
        # A new one each time, so that nothing is remembered from the last.
        step, lam = Step(cube, entry), numpy.array(entry["lambda"])
        _, second, seconds = slsqp.both_passes(step, cube.mu * lam / cube.force, ways[way])
        return step, lam, second.x, seconds

    def charged(entry, way):
        step, lam, z, _ = solved(entry, way)
        below = numpy.minimum(0, cube.s * step.heights(z))
        return float(step.cost(*step.place(z), lam) - below @ numpy.array(entry["refined"]["nu"]))

    for line in sys.stdin:
        command, way = line.split()
        if command == "time":
            print(*(solved(entry, way)[3] for entry in touching), flush=True)
        elif command == "cost":
            print(*(charged(entry, way) for entry in touching), flush=True)
        else:
            sys.exit(f"unknown command {line}")


main()

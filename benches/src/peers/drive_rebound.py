"""Drives REBOUND for the benches: bodies and commands come in by lines, times and states go out.

Not called rebound.py, or it would import itself.

First line: number of bodies, softening, time step; then mass, position and velocity of each body. Then
`steps K` answers with the seconds that K steps took, and `state` with a line per body. The clock runs around
one call into the library, so Python costs nothing.
"""

import sys
import time

import rebound


def main():
    n, softening, dt = sys.stdin.readline().split()
    sim = rebound.Simulation()
    sim.integrator = "leapfrog"
    sim.gravity = "basic"
    sim.collision = "none"
    sim.G = 1.0
    sim.softening = float(softening)
    sim.dt = float(dt)
    for _ in range(int(n)):
        m, x, y, z, vx, vy, vz = map(float, sys.stdin.readline().split())
        sim.add(m=m, x=x, y=y, z=z, vx=vx, vy=vy, vz=vz)
    print(rebound.__version__, flush=True)

    for line in sys.stdin:
        command, *arguments = line.split()
        if command == "steps":
            steps = int(arguments[0])
            start = time.perf_counter()
            sim.steps(steps)
            print(repr(time.perf_counter() - start), flush=True)
        elif command == "state":
            for p in sim.particles:
                print(*map(repr, (p.m, p.x, p.y, p.z, p.vx, p.vy, p.vz)))
            sys.stdout.flush()
        else:
            sys.exit(f"unknown command {command}")


main()

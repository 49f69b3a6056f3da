"""Drives MuJoCo for the benches: a model and commands come in by lines, times and states go out.

First line: number of lines of the model, then the model. The answer is MuJoCo's version and the number of velocities. Then
`start K` puts the model into its initial state, makes K steps, and answers with time, q, v and the acceleration it starts to search
from; all else goes from there. `certificate TOLERANCE N` answers with the worst certificate of N steps with that tolerance, `steps
TOLERANCE N CHUNK` with the seconds of each chunk of N steps, `end N` with q after N steps. The clock runs around one call into the
library for a whole chunk, so Python costs nothing.
"""

import sys
import time

import mujoco
import numpy


def certificate(model, data):
    """Bound of the error of the acceleration in the norm of M, relative to the acceleration."""
    momentum = numpy.zeros(model.nv)
    mujoco.mj_mulM(model, data, momentum, data.qacc)
    gradient = momentum - data.qfrc_smooth - data.qfrc_constraint
    solved = numpy.zeros((1, model.nv))
    mujoco.mj_solveM(model, data, solved, gradient[None, :])
    return max(0.0, gradient @ solved[0]) ** 0.5 / (data.qacc @ momentum + 1e-12) ** 0.5


def main():
    lines = int(sys.stdin.readline())
    model = mujoco.MjModel.from_xml_string("".join(sys.stdin.readline() for _ in range(lines)))
    # Ours has no other bound than the certificate.
    model.opt.iterations = 10_000
    start, data = mujoco.MjData(model), mujoco.MjData(model)
    print(mujoco.__version__, model.nv, flush=True)

    for line in sys.stdin:
        command, *arguments = line.split()
        if command == "start":
            mujoco.mj_resetData(model, start)
            model.opt.tolerance = 1e-12
            if int(arguments[0]) > 0:
                mujoco.mj_step(model, start, nstep=int(arguments[0]))
            print(*map(repr, (float(x) for x in (start.time, *start.qpos, *start.qvel, *start.qacc_warmstart))), flush=True)
            continue
        mujoco.mj_copyData(data, model, start)
        if command == "certificate":
            model.opt.tolerance, worst = float(arguments[0]), 0.0
            for _ in range(int(arguments[1])):
                mujoco.mj_step(model, data)
                worst = max(worst, certificate(model, data))
            print(repr(float(worst)), flush=True)
        elif command == "steps":
            model.opt.tolerance, times = float(arguments[0]), []
            steps, chunk = int(arguments[1]), int(arguments[2])
            for _ in range(steps // chunk):
                begin = time.perf_counter()
                mujoco.mj_step(model, data, nstep=chunk)
                times.append(time.perf_counter() - begin)
            print(*map(repr, times), flush=True)
        elif command == "end":
            mujoco.mj_step(model, data, nstep=int(arguments[0]))
            print(*map(repr, (float(x) for x in data.qpos)), flush=True)
        else:
            sys.exit(f"unknown command {command}")


main()

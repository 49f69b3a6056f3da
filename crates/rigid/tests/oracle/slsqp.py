"""SciPy's SLSQP on a step, in four ways.

`scaled` is the fairest peer and the one whose results are stored. Its variables and its cost have no units (see step.py), so that
the Hessian of the kinetic energy is the identity, which is SLSQP's first guess. Gradients of cost and constraints are exact.
`units` is the same in metres, radians and joules. `seed` is what one writes first: metres and joules, the formula of the cost as it
stands on paper, `scipy.spatial.transform.Rotation`, derivatives by differences. `gradient` is `seed` with the exact gradient of the
cost; the constraints are still given by their values alone.

|d_k| has no derivative at zero, where a resting cube is. All ways minimise sqrt(|d_k|^2 + SMOOTH^2 s^2) instead; costs that
leave this file are computed without it.
"""

import time

import numpy as np
from scipy.optimize import minimize, nnls
from scipy.spatial.transform import Rotation

from step import CORNERS, ROOT

# In units of the side. A corner that sticks is off by less than this; a smaller value changes the cost by less than rounding.
SMOOTH = 1e-10
# Tolerances `ftol` of the cost without units. The first gives positions to 3e-8 s and is what is timed; one of 422 contact steps
# exhausts the iterations with it (the die as it comes to rest). The second, for restarts alone, is as far as SLSQP goes: with it
# some runs end in a failed line search.
SCALED_TOLERANCE = 1e-15
FINEST_TOLERANCE = 1e-18
# Of joules. Below the first, SLSQP's line searches fail for a cube of a metre; the second is as far as differences go.
UNITS_TOLERANCE = 1e-12
SEED_TOLERANCE = 1e-9
ITERATIONS = 200
# A corner lower than this may bear, and one that moved less may stick, when a residual is computed. In units of the side.
NEAR = 1e-7
STUCK = 1e-8


def smoothed(step, w, z):
    """Scaled cost and gradient with friction of radii w, its norm smoothed."""
    value, gradient = step.smooth_cost(z)
    if w is not None:
        d = step.slides(z)
        length = np.sqrt((d * d).sum(axis=1) + SMOOTH * SMOOTH)
        value += w @ length
        forces = np.zeros((8, 3))
        forces[:, ::2] = d * (w / length)[:, None]
        gradient += step.pull(z, forces)
    return value, gradient


def scaled(step, w, z, tolerance=SCALED_TOLERANCE):
    """One pass, without friction if w is None."""
    return minimize(
        lambda z: smoothed(step, w, z),
        z,
        jac=True,
        method="SLSQP",
        constraints={"type": "ineq", "fun": step.heights, "jac": step.normals},
        options={"ftol": tolerance, "maxiter": ITERATIONS},
    )


def units(step, w, z):
    """One pass in metres, radians and joules; z is scaled on the way in and out."""
    cube = step.cube
    size = np.array([cube.s] * 3 + [ROOT] * 3)
    origin = np.concatenate((step.c0, np.zeros(3)))

    def cost(x):
        value, gradient = smoothed(step, w, (x - origin) / size)
        return cube.energy * value, cube.energy * gradient / size

    result = minimize(
        cost,
        origin + size * z,
        jac=True,
        method="SLSQP",
        constraints={
            "type": "ineq",
            "fun": lambda x: cube.s * step.heights((x - origin) / size),
            "jac": lambda x: cube.s * step.normals((x - origin) / size) / size,
        },
        options={"ftol": UNITS_TOLERANCE, "maxiter": ITERATIONS},
    )
    result.x = (result.x - origin) / size
    return result


def seed(step, w, z, tolerance=SEED_TOLERANCE):
    """One pass by the formula of the cost and by differences; shares no geometry with `scaled` and `units`."""
    return written(step, w, z, None, tolerance)


def gradient(step, w, z, tolerance=SEED_TOLERANCE):
    """One pass by the formula of the cost with its exact gradient, and by differences of the constraints."""
    cube = step.cube
    size = np.array([cube.s] * 3 + [ROOT] * 3)
    origin = np.concatenate((step.c0, np.zeros(3)))
    slope = lambda x: cube.energy * smoothed(step, w, (x - origin) / size)[1] / size
    return written(step, w, z, slope, tolerance)


def written(step, w, z, slope, tolerance):
    """One pass by the formula of the cost in metres, radians and joules; its gradient by differences if `slope` is None."""
    cube = step.cube
    r = Rotation.from_matrix(step.r)
    corners = cube.s * CORNERS
    c_p, theta_p = step.c0 + cube.h * step.c_dot, cube.h * step.omega
    before = step.c0 + r.apply(corners)

    def places(x):
        return x[:3] + (r * Rotation.from_rotvec(x[3:])).apply(corners)

    def cost(x):
        value = cube.m / (2 * cube.h**2) * np.sum((x[:3] - c_p) ** 2)
        value += cube.m * cube.s**2 / (12 * cube.h**2) * np.sum((x[3:] - theta_p) ** 2)
        value += cube.m * cube.g * x[1]
        if w is not None:
            d = (places(x) - before)[:, [0, 2]]
            value += np.sum(cube.force * w * np.sqrt(np.sum(d * d, axis=1) + (SMOOTH * cube.s) ** 2))
        return value

    result = minimize(
        cost,
        np.concatenate(step.place(z)),
        jac=slope,
        method="SLSQP",
        constraints={"type": "ineq", "fun": lambda x: places(x)[:, 1]},
        options={"ftol": tolerance, "maxiter": ITERATIONS},
    )
    result.x = step.scaled(result.x[:3], result.x[3:])
    return result


WAYS = {"scaled": scaled, "units": units, "gradient": gradient, "seed": seed}


def both_passes(step, w, way=scaled):
    """Both passes from the predicted state, with the radii w in the second: their results, and the seconds that they took."""
    start = time.perf_counter()
    first = way(step, None, step.z_p)
    second = way(step, w, first.x)
    return first, second, time.perf_counter() - start


def exact_cost(step, w, z):
    """Scaled cost with no norm smoothed."""
    return step.smooth_cost(z)[0] + w @ np.linalg.norm(step.slides(z), axis=1)


def best(step, w, result):
    """Best of a result and of restarts: from itself with a new Hessian, from the state before and from the prediction."""
    price = 2 * max(step.cube.fall, result.multipliers.max())

    def merit(z):
        return exact_cost(step, w, z) - price * np.minimum(0, step.heights(z)).sum()

    def again(z):
        return scaled(step, w, z, FINEST_TOLERANCE).x

    z = result.x
    for _ in range(4):
        finer = again(z)
        if not merit(finer) < merit(z):
            break
        z = finer
    return min((z, again(np.zeros(6)), again(step.z_p)), key=merit)


def residual(step, w, z):
    """Scaled force and torque over s that no admissible contact forces balance at z, and the largest of those forces.

    Normal forces of corners near the ground are free but not negative. The force of a corner that slides has the direction of
    its slide. Where a corner moved less than STUCK, two guesses are made and the better one counts, so this is an upper bound:
    the smoothed force, and the one that balances best if it lies inside the disc.
    """
    normals, tangents, slides = step.normals(z), step.tangents(z), step.slides(z)
    bears = normals[step.heights(z) < NEAR].T
    length = np.linalg.norm(slides, axis=1)
    stuck = np.flatnonzero((length < STUCK) & (w > 0))
    tries = []
    for free in [(), stuck] if len(stuck) else [()]:
        soft = np.sqrt(length**2 + SMOOTH**2)
        divisor = np.where(length < STUCK, soft, np.where(length > 0, length, 1))
        tau = slides * (w / divisor)[:, None]
        tau[list(free)] = 0
        forces = np.zeros((8, 3))
        forces[:, ::2] = tau
        target = step.smooth_cost(z)[1] + step.pull(z, forces)
        columns = [-bears] + [s * tangents[k].T for k in free for s in (1, -1)]
        found, _ = nnls(np.hstack(columns), -target) if bears.size or len(free) else (np.zeros(0), 0)
        count = bears.shape[1]
        for i, k in enumerate(free):
            plus, minus = found[count + 4 * i : count + 4 * i + 4].reshape(2, 2)
            tau[k] = plus - minus
        if (np.linalg.norm(tau, axis=1) > w * (1 + 1e-9)).any():
            continue
        left = target + np.hstack(columns) @ found if found.size else target
        largest = max(np.abs(found[:count]).max(initial=0), np.linalg.norm(tau, axis=1).max())
        tries.append((size_of(left), largest))
    return min(tries)


def size_of(gradient):
    """Larger of a scaled gradient's force and of its torque over the side."""
    return max(np.linalg.norm(gradient[:3]), np.linalg.norm(gradient[3:]) / ROOT)

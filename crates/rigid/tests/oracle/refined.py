"""Minimum of a step by the method of multipliers, finished by Newton's method on the conditions of a minimum.

No norm is smoothed. Friction enters by its dual, a force tau_k in the disc of radius w_k = mu lambda_k: with r > 0,

    nu_k <- max(0, nu_k - r y_k),    tau_k <- projection of tau_k + r d_k on the disc,

and between two updates z minimises the augmented Lagrangian, which has one continuous derivative, by Newton's method with a line
search. A corner that sticks is one whose force lies inside its disc. The Newton matrix is 6 x 6 and positive definite also where
multipliers are not unique, such as with a face on the ground. Corners that nearly stick make these updates slow; some steps of
Newton's method on all conditions at once then reach rounding. Curvature of constraints and slides is exact in both.
"""

import itertools

import numpy as np

# First r, in units of the kinetic energy's Hessian.
PENALTY = 10.0
ROUNDS = 60
# Largest violation of a condition at which a minimum is accepted, in units of the largest force.
SETTLED = 1e-13


class Solution:
    """A minimum with its multipliers, all scaled: z, normal forces nu (8), friction forces tau (8 x 2), largest violation."""

    def __init__(self, z, nu, tau, error):
        self.z, self.nu, self.tau, self.error = z, nu, tau, error


def forces(nu, tau):
    """Derivative of the Lagrangian by the corners' places: friction in the plane, normal forces against it."""
    return np.column_stack((tau[:, 0], -nu, tau[:, 1]))


def project(p, w):
    """Projection of p_k on the disc of radius w_k, with the lengths and which of them are longer."""
    length = np.linalg.norm(p, axis=1)
    slips = length > w
    return np.where(slips[:, None], p * (w / np.where(slips, length, 1))[:, None], p), length, slips


def augmented(step, z, nu, tau, w, r):
    """Value and gradient of the augmented Lagrangian, and the multipliers that it stands for."""
    value, gradient = step.smooth_cost(z)
    new_nu = np.maximum(0, nu - r * step.heights(z))
    p = tau + r * step.slides(z)
    new_tau, length, slips = project(p, w)
    value += ((new_nu @ new_nu) + np.where(slips, 2 * w * length - w * w, length * length).sum()) / (2 * r)
    return value, gradient + step.pull(z, forces(new_nu, new_tau)), new_nu, new_tau, length, slips


def newton_matrix(step, z, nu, tau, w, r, length, slips):
    """Second derivative of the augmented Lagrangian, where it has one."""
    matrix = np.eye(6)
    matrix[3:, 3:] += step.curvature(z, forces(nu, tau))
    normals, tangents = step.normals(z), step.tangents(z)
    for k in range(8):
        if nu[k] > 0:
            matrix += r * np.outer(normals[k], normals[k])
        if w[k] > 0:
            t = tangents[k]
            if slips[k]:
                along = t.T @ (tau[k] / w[k])
                matrix += w[k] * r / length[k] * (t.T @ t - np.outer(along, along))
            else:
                matrix += r * (t.T @ t)
    return matrix


def inner(step, z, nu, tau, w, r):
    """Minimises the augmented Lagrangian over z."""
    value, gradient, *rest = augmented(step, z, nu, tau, w, r)
    for _ in range(100):
        size = np.abs(gradient).max()
        matrix = newton_matrix(step, z, rest[0], rest[1], w, r, rest[2], rest[3])
        least = np.linalg.eigvalsh(matrix)[0]
        if least < 1e-3:
            matrix += (1e-3 - least) * np.eye(6)
        direction = -np.linalg.solve(matrix, gradient)
        slope = gradient @ direction
        # Near the minimum values differ by rounding alone; there the gradient decides.
        near = abs(slope) < 1e-12 * abs(value)
        t = 1.0
        while t > 1e-9:
            trial = z + t * direction
            new_value, new_gradient, *new_rest = augmented(step, trial, nu, tau, w, r)
            if near and np.abs(new_gradient).max() < 0.5 * size or not near and new_value <= value + 1e-4 * t * slope:
                break
            t = 0.0 if near else t / 2
        else:
            break
        z, value, gradient, rest = trial, new_value, new_gradient, new_rest
    return z, rest[0], rest[1]


def misfit(step, w, z, nu, tau):
    """Largest violation of the conditions of a minimum: stationarity, and both duals as projections; scaled forces."""
    gradient = step.smooth_cost(z)[1] + step.pull(z, forces(nu, tau))
    normal = nu - np.maximum(0, nu - step.heights(z))
    friction = tau - project(tau + step.slides(z), w)[0]
    return max(np.abs(gradient).max(), np.abs(normal).max(), np.abs(friction).max())


def polished(step, w, z, nu, tau):
    """Newton's method on the conditions themselves, as equations of z, nu and tau; returns the best that it meets.

    The duals may not be unique, so the smallest correction that solves the equations is taken.
    """
    best = (misfit(step, w, z, nu, tau), z, nu, tau)
    rubs = np.flatnonzero(w > 0)
    for _ in range(8):
        normals, tangents, slides = step.normals(z), step.tangents(z), step.slides(z)
        heights = step.heights(z)
        bears = np.flatnonzero(nu - heights > 0)
        n, f = len(bears), 2 * len(rubs)
        rows, right = np.zeros((6 + n + f, 6 + n + f)), np.zeros(6 + n + f)
        nu = np.where(nu - heights > 0, nu, 0)
        rows[:6, :6] = np.eye(6)
        rows[3:6, 3:6] += step.curvature(z, forces(nu, tau))
        rows[:6, 6 : 6 + n] = -normals[bears].T
        rows[6 : 6 + n, :6] = normals[bears]
        right[:6] = step.smooth_cost(z)[1] + step.pull(z, forces(nu, tau))
        right[6 : 6 + n] = heights[bears]
        for i, k in enumerate(rubs):
            at = slice(6 + n + 2 * i, 8 + n + 2 * i)
            rows[:6, at] = tangents[k].T
            p = tau[k] + slides[k]
            length = np.linalg.norm(p)
            if length <= w[k]:
                rows[at, :6], right[at] = tangents[k], slides[k]
                continue
            turn = w[k] / length * (np.eye(2) - np.outer(p, p) / length**2)
            rows[at, :6], rows[at, at] = -turn @ tangents[k], np.eye(2) - turn
            right[at] = tau[k] - w[k] * p / length
        change = -np.linalg.lstsq(rows, right, rcond=1e-14)[0]
        z, nu, tau = z + change[:6], nu.copy(), tau.copy()
        nu[bears] += change[6 : 6 + n]
        tau[rubs] += change[6 + n :].reshape(-1, 2)
        error = misfit(step, w, z, nu, tau)
        if error < best[0]:
            best = (error, z, nu, tau)
    return best


def minimum(step, w, z):
    """Solves a step with fixed radii w of the discs (scaled), beginning at z. Fails rather than return a poor solution."""
    nu, tau, r = np.zeros(8), np.zeros((8, 2)), PENALTY
    best = None
    for rounds in range(ROUNDS):
        z, nu, tau = inner(step, z, nu, tau, w, r)
        if rounds % 4 == 3:
            scale = max(step.cube.fall, np.linalg.norm(step.z_p[:3]), nu.max())
            found = polished(step, w, z, nu, tau)
            best = found if best is None or found[0] < best[0] else best
            if best[0] < SETTLED * scale:
                break
            # Where corners nearly stick, their duals hardly matter to the cost and follow slowly unless r is large.
            r = min(4 * r, 1e6)
    error, z, nu, tau = best
    if error > 10 * SETTLED * scale:
        raise ArithmeticError(f"conditions of a minimum violated by {error / scale:.1e}")
    return Solution(z, nu, tau, error / scale)


def least_norm(step, z, near):
    """Multipliers of least norm of a pass without friction; corners lower than `near` may bear.

    The least norm has the form pinv(A_S) b on its support S, so that trying all supports finds it exactly.
    """
    _, gradient = step.smooth_cost(z)
    normals = step.normals(z)
    active = np.flatnonzero(step.heights(z) < near)
    tries = []
    for size in range(len(active) + 1):
        for support in itertools.combinations(active, size):
            a = normals[list(support)].T
            values = np.linalg.pinv(a, rcond=1e-9) @ gradient if size else np.zeros(0)
            misfit = np.abs(gradient - a @ values).max() if size else np.abs(gradient).max()
            if (values >= 0).all():
                lam = np.zeros(8)
                lam[list(support)] = values
                tries.append((misfit, lam))
    best = min(misfit for misfit, _ in tries)
    scale = max(step.cube.fall, np.linalg.norm(step.z_p[:3]))
    return min((lam for misfit, lam in tries if misfit < best + 1e-12 * scale), key=lambda lam: lam @ lam)

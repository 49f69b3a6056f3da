"""One step of a cube above the plane y = 0 as a minimisation, in variables without units.

    minimise   m/(2 h^2) |c - c_p|^2 + m s^2/(12 h^2) |theta - theta_p|^2 + m g c_y + sum_k mu lambda_k |d_k|
    such that  y_k = (c + R exp([theta]x) v_k)_y >= 0 for the eight corners v_k,

with c_p = c_0 + h c_dot, theta_p = h Omega (body frame) and d_k the displacement of corner k in the plane x z.

Variables are z = ((c - c_0)/s, theta/sqrt(6)) and the cost is divided by m s^2/h^2. Its kinetic part is then |z - z_p|^2/2 for
every cube and every step, gravity is `fall` = g h^2/s along z_1, and a force F becomes F h^2/(m s). A cost of a metre and one of
16 mm look the same to an optimiser, which is what SLSQP needs: its tolerances are absolute and its first Hessian is the identity.
"""

import math

import numpy as np

ROOT = math.sqrt(6)
EYE = np.eye(3)
SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
# Coefficients of sin(p)/p and (1 - cos(p))/p^2 as series in p^2, exact to the last bit for turns of a radian or two.
SINE = np.array([(-1.0) ** n / math.factorial(2 * n + 1) for n in range(16)])
COSINE = np.array([(-1.0) ** n / math.factorial(2 * n + 2) for n in range(16)])


def cross(v):
    """Matrix [v]x of the cross product by v."""
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


# Corners over s, and their cross products.
CORNERS = SIGNS / 2
CROSSED = np.array([cross(v) for v in CORNERS])


def rotation(q):
    """Rotation matrix of a quaternion w x y z of length one."""
    w, x, y, z = q
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def turned(q, theta):
    """Quaternion of R exp([theta]x), of length one."""
    angle = float(np.linalg.norm(theta))
    half = math.sin(angle / 2) / angle if angle > 0 else 0.5
    w, v = math.cos(angle / 2), half * np.asarray(theta)
    u = np.asarray(q[1:])
    product = np.concatenate(([q[0] * w - u @ v], q[0] * v + w * u + np.cross(u, v)))
    return product / np.linalg.norm(product)


class Cube:
    """A cube and the step of time: mass m, side s, friction mu, gravity g along -y, time step h."""

    def __init__(self, m, s, mu, g, h):
        self.m, self.s, self.mu, self.g, self.h = m, s, mu, g, h
        # What a scaled cost and a scaled force are multiplied by.
        self.energy = m * s * s / (h * h)
        self.force = m * s / (h * h)
        self.fall = g * h * h / s


class Step:
    """The minimisation from one state: a dictionary of `c`, `q` (w x y z), `c_dot` and `omega`."""

    def __init__(self, cube, state):
        self.cube = cube
        self.c0 = np.array(state["c"])
        self.c_dot = np.array(state["c_dot"])
        self.omega = np.array(state["omega"])
        self.r = rotation(state["q"])
        self.z_p = np.concatenate((cube.h * self.c_dot / cube.s, cube.h * self.omega / ROOT))
        self.start = CORNERS @ self.r.T
        self.height = self.c0[1] / cube.s
        self.seen = None

    def place(self, z):
        """c and theta of the scaled variables."""
        return self.c0 + self.cube.s * z[:3], ROOT * z[3:]

    def scaled(self, c, theta):
        """Scaled variables of c and theta."""
        return np.concatenate(((np.asarray(c) - self.c0) / self.cube.s, np.asarray(theta) / ROOT))

    def turn(self, z):
        """R exp([theta]x), the right Jacobian of the exponential, and the displaced corners over s; kept for one z.

        SLSQP asks for cost, gradient, constraints and their normals at the same point, one after the other.
        """
        key = z.tobytes()
        if key != self.seen:
            x, y, t = (ROOT * z[3:]).tolist()
            u = x * x + y * y + t * t
            p = math.sqrt(u)
            if p > 1e-2:
                a, b, c = math.sin(p) / p, 2 * (math.sin(p / 2) / p) ** 2, (p - math.sin(p)) / (p * u)
            else:
                a, b, c = 1 - u / 6 * (1 - u / 20), 0.5 - u / 24 * (1 - u / 30), 1 / 6 - u / 120 * (1 - u / 42)
            k = np.array([[0, -t, y], [t, 0, -x], [-y, x, 0]])
            k2 = np.array([[x * x - u, x * y, x * t], [x * y, y * y - u, y * t], [x * t, y * t, t * t - u]])
            self.re = self.r @ (EYE + a * k + b * k2)
            self.jr = EYE - b * k + c * k2
            self.at = CORNERS @ self.re.T + z[:3]
            self.seen = key
        return self.re, self.jr, self.at

    def heights(self, z):
        """Heights of the corners over s."""
        return self.turn(z)[2][:, 1] + self.height

    def normals(self, z):
        """Derivatives of the heights, 8 x 6."""
        re, jr, _ = self.turn(z)
        rows = np.zeros((8, 6))
        rows[:, 1] = 1
        rows[:, 3:] = (CROSSED @ re[1]) @ (ROOT * jr)
        return rows

    def slides(self, z):
        """Displacements of the corners along x and z, over s."""
        return (self.turn(z)[2] - self.start)[:, ::2]

    def tangents(self, z):
        """Derivatives of the slides, 8 x 2 x 6."""
        re, jr, _ = self.turn(z)
        rows = np.zeros((8, 2, 6))
        rows[:, 0, 0] = rows[:, 1, 2] = 1
        rows[:, 0, 3:] = (CROSSED @ re[0]) @ (ROOT * jr)
        rows[:, 1, 3:] = (CROSSED @ re[2]) @ (ROOT * jr)
        return rows

    def pull(self, z, forces):
        """Gradient of sum_k F_k . (corner k over s) for fixed F, 8 x 3."""
        re, jr, _ = self.turn(z)
        s = CORNERS.T @ (forces @ re)
        torque = np.array([s[1, 2] - s[2, 1], s[2, 0] - s[0, 2], s[0, 1] - s[1, 0]])
        return np.concatenate((forces.sum(axis=0), ROOT * (torque @ jr)))

    def curvature(self, z, forces):
        """Second derivative of sum_k F_k . (corner k over s) for fixed F, by theta, 3 x 3.

        F . R exp([theta]x) v = f . v + A f . (theta x v) + B (f . theta  theta . v - theta^2 f . v) with f = R^T F; A, B are
        series in theta^2.
        """
        f = forces @ self.r
        m = CORNERS.T @ f  # sum of v f^T
        # f . (theta x v) = theta . (v x f)
        twist = np.array([m[1, 2] - m[2, 1], m[2, 0] - m[0, 2], m[0, 1] - m[1, 0]])
        form = (m + m.T) / 2 - np.trace(m) * EYE
        theta = ROOT * z[3:]
        u = theta @ theta
        n = np.arange(16)
        powers = u**n
        a1, a2 = (SINE[1:] * n[1:]) @ powers[:-1], (SINE[2:] * n[2:] * n[1:-1]) @ powers[:-2]
        b0 = COSINE @ powers
        b1, b2 = (COSINE[1:] * n[1:]) @ powers[:-1], (COSINE[2:] * n[2:] * n[1:-1]) @ powers[:-2]
        square, outer = theta @ form @ theta, np.outer(theta, theta)
        slope = 2 * form @ theta
        hessian = (a2 * 4 * outer + 2 * a1 * EYE) * (theta @ twist) + 2 * a1 * (np.outer(theta, twist) + np.outer(twist, theta))
        hessian += (b2 * 4 * outer + 2 * b1 * EYE) * square + 2 * b1 * (np.outer(theta, slope) + np.outer(slope, theta))
        return 6 * (hessian + b0 * 2 * form)

    def smooth_cost(self, z):
        """Scaled cost without friction, less a constant, and its gradient."""
        d = z - self.z_p
        gradient = d.copy()
        gradient[1] += self.cube.fall
        return 0.5 * (d @ d) + self.cube.fall * z[1], gradient

    def cost(self, c, theta, lam):
        """Cost in joules, by the formula of the head of this file and with no norm smoothed."""
        cube = self.cube
        z = self.scaled(c, theta)
        away = np.asarray(c) - self.c0 - cube.h * self.c_dot
        turn = np.asarray(theta) - cube.h * self.omega
        kinetic = cube.m / (2 * cube.h**2) * (away @ away) + cube.m * cube.s**2 / (12 * cube.h**2) * (turn @ turn)
        friction = cube.mu * cube.s * (np.asarray(lam) @ np.linalg.norm(self.slides(z), axis=1))
        return float(kinetic + cube.m * cube.g * c[1] + friction)

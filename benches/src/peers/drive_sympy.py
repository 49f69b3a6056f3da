"""Drives SymPy for the benches: the name of a system comes in by a line, seconds and numbers go out.

`pendulum 2`, `pendulum 3` (planar chains of so many links) or `cart_pole` makes the Lagrangian, from Cartesian positions, outside the clock. Then `derive` answers with the seconds
that Lagrange's equations took, with mass matrix and right-hand side, as SymPy forms them: without simplification; and `check` with
the accelerations at a fixed state, for comparison.
"""

import sys
import time

import sympy
from sympy import Matrix, cos, diff, sin, symbols
from sympy.core.cache import clear_cache
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

t = dynamicsymbols._t


def pendulum(links):
    g = symbols("g")
    angles = dynamicsymbols(" ".join(f"theta{i}" for i in range(1, links + 1)), real=True)
    x, y, kinetic, potential = 0, 0, 0, 0
    for i, angle in enumerate(angles, 1):
        m, l = symbols(f"m{i} l{i}")
        x, y = x + l * sin(angle), y - l * cos(angle)
        kinetic += m / 2 * (diff(x, t) ** 2 + diff(y, t) ** 2)
        potential += m * g * y
    return kinetic - potential, list(angles)


def cart_pole():
    g, big, m, l = symbols("g M m l")
    x, theta = dynamicsymbols("x theta", real=True)
    tip = (x + l * sin(theta), l * cos(theta))
    kinetic = big / 2 * diff(x, t) ** 2 + m / 2 * (diff(tip[0], t) ** 2 + diff(tip[1], t) ** 2)
    return kinetic - m * g * tip[1], [x, theta]


def derive(lagrangian, coordinates):
    method = LagrangesMethod(lagrangian, coordinates)
    method.form_lagranges_equations()
    return method, method.mass_matrix, method.forcing


def main():
    name, *links = sys.stdin.readline().split()
    lagrangian, coordinates = cart_pole() if name == "cart_pole" else pendulum(int(links[0]))
    print(sympy.__version__, flush=True)
    for line in sys.stdin:
        if line.strip() == "derive":
            # What an earlier repetition left in SymPy's cache would make this one look faster than any user's first.
            clear_cache()
            start = time.perf_counter()
            derive(lagrangian, coordinates)
            print(time.perf_counter() - start, flush=True)
        elif line.strip() == "check":
            _, mass, forcing = derive(lagrangian, coordinates)
            state = {}
            for i, q in enumerate(coordinates):
                state[diff(q, t)] = sympy.Float("0.7", 30) - sympy.Float("0.45", 30) * i
                state[q] = sympy.Float("0.4", 30) + sympy.Float("0.3", 30) * i
            values = {s: sympy.Float(sum(map(ord, s.name)) % 7 + 1, 30) / 2 for s in lagrangian.free_symbols - {t}}
            put = lambda matrix: Matrix(matrix).subs({diff(q, t): state[diff(q, t)] for q in coordinates}).subs(state).subs(values)
            print(" ".join(str(sympy.N(a, 17)) for a in put(mass).LUsolve(put(forcing))), flush=True)
        else:
            sys.exit(f"unknown command {line}")


main()

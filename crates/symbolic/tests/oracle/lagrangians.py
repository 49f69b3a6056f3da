"""Accelerations of mechanical systems by SymPy, for crates/algebra/tests/mechanics/oracle.rs.

    python3 -m venv oracle && oracle/bin/pip install sympy==1.13.3
    oracle/bin/python crates/algebra/tests/oracle/lagrangians.py > crates/algebra/tests/oracle/lagrangians.txt

SymPy derives the equations (physics.mechanics.LagrangesMethod, with multipliers for constraints), mpmath solves them for the
accelerations and multipliers at each state with 40 digits. What is written has 17. States have four decimals and are exact as
they are written. Nothing here knows how the crate derives anything.

A state need not satisfy the constraints: M q'' = f + A^T lambda and A q'' = b have a solution all the same.
"""

import random

import mpmath
import sympy
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

STATES = 100
SEED = 20261116
mpmath.mp.dps = 40
T = dynamicsymbols._t


def pendulum_chain(links):
    """T and V of a chain of point masses, in Cartesian coordinates of the bobs: nothing is simplified beforehand."""
    kinetic, potential = [], []
    for bob in range(1, links + 1):
        x = " + ".join(f"l{i}*cosine(theta{i})*theta{i}_dot" for i in range(1, bob + 1))
        y = " + ".join(f"l{i}*sine(theta{i})*theta{i}_dot" for i in range(1, bob + 1))
        height = " + ".join(f"l{i}*cosine(theta{i})" for i in range(1, bob + 1))
        kinetic.append(f"0.5*m{bob}*(({x})^2 + ({y})^2)")
        potential.append(f"m{bob}*g*({height})")
    return {
        "coordinates": [f"theta{i}" for i in range(1, links + 1)],
        "L": " + ".join(kinetic) + " + " + " + ".join(potential),
    }


def three_bodies():
    pairs = [(1, 2), (1, 3), (2, 3)]
    kinetic = " + ".join(f"0.5*m{i}*(x{i}_dot^2 + y{i}_dot^2)" for i in (1, 2, 3))
    potential = " + ".join(f"G*m{i}*m{j}/sqrt((x{i} - x{j})^2 + (y{i} - y{j})^2)" for i, j in pairs)
    return {"coordinates": ["x1", "y1", "x2", "y2", "x3", "y3"], "L": f"{kinetic} + {potential}"}


SYSTEMS = {
    "pendulum": {"coordinates": ["theta"], "L": "0.5*m*l^2*theta_dot^2 + m*g*l*cosine(theta)"},
    "damped_driven_pendulum": {
        "coordinates": ["theta"],
        "L": "0.5*m*l^2*theta_dot^2 + m*g*l*cosine(theta)",
        "dissipation": "0.5*c*theta_dot^2",
        "forces": {"theta": "F*cosine(w*t)"},
    },
    "double_pendulum": pendulum_chain(2),
    "triple_pendulum": pendulum_chain(3),
    "quadruple_pendulum": pendulum_chain(4),
    "cart_pole": {
        "coordinates": ["x", "theta"],
        "L": "0.5*M*x_dot^2 + 0.5*m*((x_dot + l*cosine(theta)*theta_dot)^2 + (l*sine(theta)*theta_dot)^2) + m*g*l*cosine(theta)",
        "forces": {"x": "u - b*x_dot"},
    },
    "spherical_pendulum": {
        "coordinates": ["theta", "phi"],
        "L": "0.5*m*l^2*(theta_dot^2 + sine(theta)^2*phi_dot^2) + m*g*l*cosine(theta)",
    },
    "kepler": {"coordinates": ["r", "phi"], "L": "0.5*m*(r_dot^2 + r^2*phi_dot^2) + k/r"},
    "bead_on_hoop": {
        "coordinates": ["theta"],
        "L": "0.5*m*R^2*(theta_dot^2 + w^2*sine(theta)^2) + m*g*R*cosine(theta)",
    },
    "elastic_pendulum": {
        "coordinates": ["r", "theta"],
        "L": "0.5*m*(r_dot^2 + r^2*theta_dot^2) + m*g*r*cosine(theta) - 0.5*k*(r - l)^2",
    },
    "foucault": {
        "coordinates": ["x", "y"],
        "L": "0.5*m*((x_dot - w*y)^2 + (y_dot + w*x)^2) - 0.5*m*g/l*(x^2 + y^2)",
    },
    "heavy_top": {
        "coordinates": ["phi", "theta", "psi"],
        "L": "0.5*I1*(theta_dot^2 + phi_dot^2*sine(theta)^2) + 0.5*I3*(psi_dot + phi_dot*cosine(theta))^2 - m*g*l*cosine(theta)",
    },
    "kapitza": {
        "coordinates": ["theta"],
        "L": "0.5*m*((l*cosine(theta)*theta_dot)^2 + (l*sine(theta)*theta_dot - a*w*sine(w*t))^2) - m*g*(a*cosine(w*t) - l*cosine(theta))",
    },
    "coupled_oscillators": {
        "coordinates": ["x1", "x2", "x3", "x4"],
        "L": "0.5*m*(x1_dot^2 + x2_dot^2 + x3_dot^2 + x4_dot^2) - 0.5*k*(x1^2 + (x2 - x1)^2 + (x3 - x2)^2 + (x4 - x3)^2 + x4^2)",
        "dissipation": "0.5*c*((x2_dot - x1_dot)^2 + (x4_dot - x3_dot)^2)",
    },
    "three_bodies": three_bodies(),
    "swinging_atwood": {
        "coordinates": ["r", "theta"],
        "L": "0.5*M*r_dot^2 + 0.5*m*(r_dot^2 + r^2*theta_dot^2) - g*r*(M - m*cosine(theta))",
    },
    "magnetic": {
        "coordinates": ["x", "y", "z"],
        "L": "0.5*m*(x_dot^2 + y_dot^2 + z_dot^2) + q*B*x*y_dot*exp(-z^2) - q*E*z*cosine(w*t)",
    },
    "relativistic": {
        "coordinates": ["x", "y"],
        "L": "-m*c^2*sqrt(1 - (x_dot^2 + y_dot^2)/(60*c^2)) - 0.5*k*(x^2 + 2*y^2)",
    },
    "shortened_pendulum": {
        "coordinates": ["theta"],
        "L": "0.5*m*((l + v*t)^2*theta_dot^2 + v^2) + m*g*(l + v*t)*cosine(theta)",
    },
    "geodesic": {
        "coordinates": ["u", "v"],
        "L": "0.5*m*((1 + 4*u^2)*u_dot^2 + 8*u*v*u_dot*v_dot + (1 + 4*v^2)*v_dot^2) - m*g*log(1 + u^2 + v^2)",
    },
    "rods": {
        "coordinates": ["x1", "y1", "x2", "y2"],
        "L": "0.5*m1*(x1_dot^2 + y1_dot^2) + 0.5*m2*(x2_dot^2 + y2_dot^2) - g*(m1*y1 + m2*y2)",
        "constraints": {"upper": "x1^2 + y1^2 - l1^2", "lower": "(x2 - x1)^2 + (y2 - y1)^2 - l2^2"},
    },
    "moving_rod": {
        "coordinates": ["x", "y", "z"],
        "L": "0.5*m*(x_dot^2 + y_dot^2 + z_dot^2) - m*g*z",
        "dissipation": "0.5*c*(x_dot^2 + y_dot^2 + z_dot^2)",
        "constraints": {"rod": "(x - a*cosine(w*t))^2 + (y - a*sine(w*t))^2 + z^2 - l^2"},
    },
    "sleigh": {
        "coordinates": ["x", "y", "phi"],
        "L": "0.5*m*((x_dot - a*sine(phi)*phi_dot)^2 + (y_dot + a*cosine(phi)*phi_dot)^2) + 0.5*J*phi_dot^2",
        "velocity_constraints": {"blade": "-sine(phi)*x_dot + cosine(phi)*y_dot"},
    },
    "rolling_disc": {
        "coordinates": ["x", "y", "phi", "psi"],
        "L": "0.5*m*(x_dot^2 + y_dot^2) + 0.5*I1*phi_dot^2 + 0.5*I3*psi_dot^2",
        "forces": {"phi": "F*sine(t)", "psi": "F"},
        "velocity_constraints": {
            "along": "x_dot - r*cosine(phi)*psi_dot",
            "across": "y_dot - r*sine(phi)*psi_dot",
        },
    },
}


def random_system(dice, count):
    """T is a sum of squares of random rates, with one square of each rate so that it is positive; V is anything."""
    names = [f"q{i}" for i in range(1, count + 1)]

    def number():
        return str(dice.randint(-20, 20) / 10)

    def atom():
        q = dice.choice(names)
        other = dice.choice(names)
        return dice.choice(
            [q, f"{q}^2", f"{q}*{other}", f"sine({q})", f"cosine({q} - {other})", f"sine({number()}*{q} + t)", f"exp(-{q}^2)"]
        )

    squares = [f"{dice.randint(5, 20) / 10}*{q}_dot^2" for q in names]
    for _ in range(count):
        rate = " + ".join(f"({number()} + {number()}*{atom()})*{q}_dot" for q in names)
        squares.append(f"{dice.randint(1, 10) / 10}*({rate})^2")
    linear = f"{atom()}*{dice.choice(names)}_dot"
    potential = " + ".join(f"{number()}*{atom()}*{atom()}" for _ in range(count + 1))
    system = {"coordinates": names, "L": " + ".join(squares) + f" + {linear} - ({potential})"}
    if dice.random() < 0.5:
        system["dissipation"] = " + ".join(f"{dice.randint(1, 9) / 10}*(1 + {q}^2)*{q}_dot^2" for q in names)
    if dice.random() < 0.5:
        system["forces"] = {dice.choice(names): f"{number()}*{atom()} + {number()}*{names[0]}_dot"}
    if count > 2 and dice.random() < 0.6:
        system["constraints"] = {"surface": f"{names[0]} + {atom()}*{names[1]} + {names[2]}^2"}
    return system


def names_in(texts):
    import re

    words = {word for text in texts for word in re.findall(r"[A-Za-z_]\w*", text)}
    return words - {"sine", "cosine", "sqrt", "exp", "log"}


class Reader:
    """Texts of a system as SymPy's expressions."""

    def __init__(self, system):
        self.q = [dynamicsymbols(name) for name in system["coordinates"]]
        self.names = {"t": T, "sine": sympy.sin, "cosine": sympy.cos, "sqrt": sympy.sqrt, "exp": sympy.exp, "log": sympy.log}
        for name, q in zip(system["coordinates"], self.q):
            self.names[name] = q
            self.names[f"{name}_dot"] = q.diff(T)

    def read(self, text):
        for name in names_in([text]):
            self.names.setdefault(name, sympy.Symbol(name))
        return sympy.sympify(text.replace("^", "**"), locals=self.names, rational=True)


def solved(system):
    """The names of a state, and a function from a state to accelerations and multipliers."""
    reader = Reader(system)
    q = reader.q
    rates = [it.diff(T) for it in q]
    lagrangian = reader.read(system["L"])
    positions = [reader.read(text) for text in system.get("constraints", {}).values()]
    velocities = [reader.read(text) for text in system.get("velocity_constraints", {}).values()]
    method = LagrangesMethod(lagrangian, q, hol_coneqs=positions or None, nonhol_coneqs=velocities or None)
    equations = list(method.form_lagranges_equations())
    dissipation = reader.read(system.get("dissipation", "0"))
    for place, (name, rate) in enumerate(zip(system["coordinates"], rates)):
        force = reader.read(system.get("forces", {}).get(name, "0"))
        equations[place] += dissipation.diff(rate) - force
    equations += [it.diff(T, 2) for it in positions] + [it.diff(T) for it in velocities]
    # SymPy adds what constraints do to the left side, with the other sign.
    multipliers = list(method.lam_vec) if positions or velocities else []
    unknown = [it.diff(T, 2) for it in q] + multipliers
    plain = {it: sympy.Symbol(f"unknown{i}") for i, it in enumerate(unknown)}
    equations = [it.subs(plain) for it in equations]
    state = {rate: sympy.Symbol(f"{name}_dot") for name, rate in zip(system["coordinates"], rates)}
    equations = [it.subs(state) for it in equations]
    place = {it: sympy.Symbol(name) for name, it in zip(system["coordinates"], q)}
    equations = [it.subs(place) for it in equations]
    unknown = list(plain.values())
    matrix = [[it.diff(x) for x in unknown] for it in equations]
    right = [-it.subs({x: 0 for x in unknown}) for it in equations]
    texts = [system["L"], system.get("dissipation", "")]
    for kind in ("forces", "constraints", "velocity_constraints"):
        texts += system.get(kind, {}).values()
    names = sorted(names_in(texts) | set(system["coordinates"]) | {f"{it}_dot" for it in system["coordinates"]})
    symbols = [T if name == "t" else sympy.Symbol(name) for name in names]
    evaluate = sympy.lambdify(symbols, [matrix, right], "mpmath", cse=True)

    def at(values):
        matrix, right = evaluate(*[mpmath.mpf(value) for value in values])
        solution = mpmath.lu_solve(mpmath.matrix(matrix), mpmath.matrix(right))
        count = len(q)
        return [solution[i] if i < count else -solution[i] for i in range(len(right))]

    return names, at


def main():
    dice = random.Random(SEED)
    systems = dict(SYSTEMS)
    for number in range(10):
        systems[f"random{number}"] = random_system(dice, 2 + number % 3)
    print(f"# SymPy {sympy.__version__}, mpmath {mpmath.__version__}, seed {SEED}; written by lagrangians.py")
    for name, system in systems.items():
        names, at = solved(system)
        print(f"system {name}")
        print(f"coordinates {' '.join(system['coordinates'])}")
        print(f"L {system['L']}")
        if "dissipation" in system:
            print(f"dissipation {system['dissipation']}")
        for kind in ("forces", "constraints", "velocity_constraints"):
            for of, text in system.get(kind, {}).items():
                print(f"{kind} {of} {text}")
        print(f"names {' '.join(names)}")
        variables = {it for q in system["coordinates"] for it in (q, f"{q}_dot")}
        for _ in range(STATES):
            # Parameters are positive; so are radii, or nearly.
            low = {it: (-1.5 if it in variables and it not in ("r",) else 0.4) for it in names}
            values = [f"{dice.uniform(low[it], 1.6):.4f}" for it in names]
            found = [mpmath.nstr(it, 17) for it in at(values)]
            print(f"{' '.join(values)} = {' '.join(found)}")


if __name__ == "__main__":
    main()

"""Makes the contact data that the tests compare with: MuJoCo's contacts of random and degenerate pairs of shapes.

`make oracle` makes the data anew: shapes.json (pairs of shapes) and scenes.json (filters, order and parameters).

A larger sample with other seeds, for measuring the share of equal cases:

    tools/oracle/.venv/bin/python crates/multibody/tests/oracle/contacts.py shapes FOLDER --cases 10000 --seed 7 --fine

shapes.json: `{"pairs": [{"shapes": [a, b], "models": [{"a": shape, "b": shape, "cases": [case, ...]}]}]}`. A shape is
its list of sizes as MJCF has them, for a mesh its vertices in the geom's frame. A case is
`[pose a, pose b, margin, contacts]`; a pose `[x, y, z, w, i, j, k]` has a quaternion that need not be of unit length;
a contact is `[distance, x, y, z, nx, ny, nz]`, with `tx, ty, tz` where the first tangent is not the one that follows
from the normal alone. Inputs are coarse decimals, so that the file stays small.

scenes.json: `{"scenes": [{"parents", "joints", "mocap", "parent_filter", "excluded", "geoms", "pairs", "contacts"}]}`:
bodies by their parents, whether they have joints, whether they are mocap bodies; a geom is `[body, type, sizes,
contype, conaffinity, condim, friction, solref, solimp, margin, gap, priority, solmix, pose]`, a pair `[geoms, condim,
friction, solref, solreffriction, solimp, margin, gap]`, a contact `[geoms, distance, condim, friction, solref,
solreffriction, solimp, includemargin, excluded]`.
"""

import argparse
import json
import pathlib

import mujoco
import numpy as np

TYPES = ["plane", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"]
# Pairs whose contacts are closed forms: compared number by number. The others are iterative in MuJoCo.
EXACT = {
    ("plane", "sphere"), ("plane", "capsule"), ("plane", "ellipsoid"), ("plane", "cylinder"), ("plane", "box"),
    ("sphere", "sphere"), ("sphere", "capsule"), ("sphere", "cylinder"), ("sphere", "box"), ("capsule", "capsule"),
    ("capsule", "box"), ("box", "box"),
}


def pairs():
    """All pairs that collide, the lower type first."""
    return [(a, b) for i, a in enumerate(TYPES) for b in TYPES[i:] if b != "plane"]


def sizes(kind, rng):
    """Random sizes of a shape; for a mesh its vertices."""
    pick = lambda: float(np.round(rng.uniform(0.05, 0.5), 2))
    if kind == "plane":
        return [0, 0, 1]
    if kind == "sphere":
        return [pick()]
    if kind in ("capsule", "cylinder"):
        return [pick(), pick()]
    if kind in ("ellipsoid", "box"):
        size = [pick(), pick(), pick()]
        if rng.random() < 0.3:
            size = [size[0]] * 3
        return size
    style = rng.integers(3)
    if style == 0:  # random points
        return np.round(rng.normal(size=(int(rng.integers(5, 20)), 3)) * 0.2, 2).ravel().tolist()
    if style == 1:  # a box
        h = [pick(), pick(), pick()]
        return [s * x for i in range(8) for s, x in zip(((i & 1) * 2 - 1, (i & 2) - 1, (i & 4) / 2 - 1), h)]
    n, r, h = int(rng.integers(3, 9)), pick(), pick()  # a prism
    ring = [(r * np.cos(2 * np.pi * k / n), r * np.sin(2 * np.pi * k / n)) for k in range(n)]
    return [float(v) for z in (-h, h) for (x, y) in ring for v in (x, y, z)]


def model(kinds, size):
    """A model with two geoms: the second and, unless it is a plane, the first on free bodies."""
    asset, body = "", ""
    for name, kind, s in zip("ab", kinds, size):
        if kind == "mesh":
            asset += f'<mesh name="{name}" vertex="{" ".join(map(repr, s))}"/>'
            geom = f'<geom name="{name}" type="mesh" mesh="{name}"/>'
        else:
            geom = f'<geom name="{name}" type="{kind}" size="{" ".join(map(repr, s))}"/>'
        if kind == "plane":
            body += geom.replace("/>", ' pos="1 1 1" quat="1 1 1 1"/>')
        else:
            body += f'<body pos="{name == "b"} 0 0"><freejoint/>{geom}</body>'.replace("True", "5").replace("False", "0")
    xml = f"<mujoco><asset>{asset}</asset><worldbody>{body}</worldbody></mujoco>"
    return mujoco.MjModel.from_xml_string(xml)


def rotation(rng, fine):
    """A quaternion: random, or one of the cube's own rotations, or a turn about one axis."""
    style = rng.integers(4)
    if style == 0:
        return [1.0, 0, 0, 0]
    if style == 1:
        options = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [1, 1, 0, 0], [1, 0, 1, 0], [1, 0, 0, 1],
                   [1, 1, 1, 1], [1, -1, 1, 1], [0, 1, 1, 0], [1, -1, 0, 0], [1, 0, -1, 0], [1, 0, 0, -1]]
        return [float(x) for x in options[rng.integers(len(options))]]
    if fine:
        q = rng.normal(size=4)
        return (q / np.linalg.norm(q)).tolist()
    q = rng.integers(-9, 10, size=4)
    return [float(x) for x in q] if q.any() else [1.0, 0, 0, 0]


def poses(kinds, size, rng, fine):
    """Poses of both: overlapping, near, touching, one inside the other, aligned."""
    decimals = 15 if fine else 3
    qa = rotation(rng, fine)
    qb = list(qa) if rng.random() < 0.25 else rotation(rng, fine)
    extent = sum(max(abs(x) for x in s) for k, s in zip(kinds, size) if k != "plane")
    pa = np.round(rng.uniform(-0.5, 0.5, size=3), decimals)
    style = rng.integers(8)
    if style == 0:
        offset = np.zeros(3)
    elif style <= 2:  # along an axis of the first shape
        offset = np.zeros(3)
        offset[rng.integers(3)] = rng.choice([-1, 1]) * extent * rng.uniform(0.2, 1.1)
    elif style == 3:  # touching along an axis
        offset = np.zeros(3)
        k = rng.integers(3)
        offset[k] = sum(s[min(k, len(s) - 1)] for kind, s in zip(kinds, size) if kind not in ("plane", "mesh"))
    else:
        offset = rng.normal(size=3)
        offset *= extent * rng.uniform(0.1, 1.3) / np.linalg.norm(offset)
    offset = np.round(offset, decimals)
    if style <= 3:  # in the first shape's frame
        q = np.array(qa) / np.linalg.norm(qa)
        turned = np.zeros(3)
        mujoco.mju_rotVecQuat(turned, offset, q)
        offset = turned if fine else np.round(turned, 3)
    if rng.random() < 0.2:
        pa = np.zeros(3)
    return pa.tolist(), qa, (pa + offset).round(15 if fine else 3).tolist(), qb


def place(m, d, g, pos, quat):
    """Puts the body of geom g (or the world's geom g) so."""
    b = m.geom_bodyid[g]
    q = np.array(quat, dtype=float)
    if b == 0:
        m.geom_sameframe[g] = 0
        m.geom_pos[g] = pos
        q = q / np.linalg.norm(q)
        m.geom_quat[g] = q
    else:
        adr = m.jnt_qposadr[m.body_jntadr[b]]
        d.qpos[adr:adr + 3] = pos
        d.qpos[adr + 3:adr + 7] = q


def geom_pose(m, d, g, pos, quat):
    """The geom's own pose: for a mesh its frame is not the body's."""
    if m.geom_type[g] != mujoco.mjtGeom.mjGEOM_MESH:
        return list(pos) + list(quat)
    q = np.zeros(4)
    mujoco.mju_mulQuat(q, d.xquat[m.geom_bodyid[g]], m.geom_quat[g])
    return d.geom_xpos[g].tolist() + q.tolist()


def completed(normal):
    """First tangent that follows from the normal alone."""
    y = np.array([0.0, 1, 0]) if abs(normal[1]) < 0.5 else np.array([0.0, 0, 1])
    y -= normal * (normal @ y)
    return y / np.linalg.norm(y)


def rounded(x, fine):
    """Numbers of a contact, short unless fine."""
    return [float(v) for v in x] if fine else [float(f"{v:.11g}") if abs(v) > 1e-11 else 0.0 for v in x]


def contacts(d, fine, tangent_default=True):
    """The contacts of the present state."""
    out = []
    for c in d.contact[:d.ncon]:
        values = [c.dist, *c.pos, *c.frame[:3]]
        if np.abs(c.frame[3:6] - completed(c.frame[:3])).max() > 1e-9:
            values += list(c.frame[3:6])
        out.append(rounded(values, fine))
    return out


def shape_data(kind, size, m, g):
    """Sizes as the test needs them."""
    if kind != "mesh":
        return size
    mesh = m.geom_dataid[g]
    start, n = m.mesh_vertadr[mesh], m.mesh_vertnum[mesh]
    return [float(x) for x in m.mesh_vert[start:start + n].ravel()]


def shapes(args):
    """Pairs of shapes."""
    out = []
    for index, kinds in enumerate(pairs()):
        if args.pair and args.pair != "-".join(kinds):
            continue
        rng = np.random.default_rng([args.seed, index])
        wanted = args.cases or (96 if kinds in EXACT else 32)
        per_model = max(8, wanted // 64)
        models, made = [], 0
        while made < wanted:
            size = [sizes(k, rng) for k in kinds]
            try:
                m = model(kinds, size)
            except ValueError:
                continue
            d = mujoco.MjData(m)
            cases = []
            ga, gb = m.geom("a").id, m.geom("b").id
            while len(cases) < per_model:
                pa, qa, pb, qb = poses(kinds, size, rng, args.fine)
                margin = float(rng.choice([0.0, 0.0, 0.01, 0.1]))
                m.geom_margin[ga] = margin
                m.geom_margin[gb] = 0.0
                m.body_margin[m.geom_bodyid[ga]] = margin
                place(m, d, ga, pa, qa)
                place(m, d, gb, pb, qb)
                mujoco.mj_kinematics(m, d)
                mujoco.mj_collision(m, d)
                if d.ncon == 0 and rng.random() < 0.8:
                    continue
                cases.append([geom_pose(m, d, ga, pa, qa), geom_pose(m, d, gb, pb, qb), margin, contacts(d, args.fine)])
            made += len(cases)
            models.append({"a": shape_data(kinds[0], size[0], m, ga), "b": shape_data(kinds[1], size[1], m, gb),
                           "cases": cases})
        out.append({"shapes": list(kinds), "models": models})
    return {"pairs": out}


def surface(rng):
    """Random parameters of a geom, as MJCF attributes."""
    pick = lambda *options: options[rng.integers(len(options))]
    values = {
        "contype": pick(1, 1, 1, 0, 2, 3), "conaffinity": pick(1, 1, 1, 0, 2, 5), "condim": pick(1, 3, 3, 4, 6),
        "friction": pick([1, 0.005, 0.0001], [0.5, 0.01, 0.002], [0, 0, 0], [0.7, 0.0, 0.3]),
        "solref": pick([0.02, 1], [0.02, 1], [0.05, 0.7], [-1000, -50], [-200, -80]),
        "solimp": pick([0.9, 0.95, 0.001, 0.5, 2], [0.5, 0.8, 0.01, 0.3, 3], [0.99, 0.99, 0.1, 0.5, 1]),
        "margin": pick(0, 0, 0.05, -0.01), "gap": pick(0, 0, 0.1, 0.02), "priority": pick(0, 0, 0, 1, -1),
        "solmix": pick(1, 1, 0.3, 0, 5),
    }
    return values


def attributes(values):
    """MJCF text of attributes."""
    text = lambda v: " ".join(map(repr, v)) if isinstance(v, list) else repr(v)
    return " ".join(f'{k}="{text(v)}"' for k, v in values.items())


def scene(rng):
    """One random scene: its MJCF text and what the test needs to know of it."""
    count = int(rng.integers(3, 7))
    parents, joints, mocap = [0], [False], [False]
    for b in range(1, count):
        parents.append(int(rng.integers(0, b)) if rng.random() < 0.5 else 0)
        mocap.append(parents[-1] == 0 and rng.random() < 0.15)
        joints.append(not mocap[-1] and rng.random() < 0.7)
    # MuJoCo numbers bodies depth first.
    order, stack = [], [0]
    while stack:
        b = stack.pop()
        order.append(b)
        stack += [c for c in range(count - 1, 0, -1) if parents[c] == b]
    rank = {b: i for i, b in enumerate(order)}
    names = [[] for _ in range(count)]
    for b in range(count):
        kinds = ["sphere", "capsule", "box"] + (["plane"] if b == 0 else [])
        for k in range(int(rng.integers(1, 4))):
            names[b].append((f"g{b}_{k}", kinds[rng.integers(len(kinds))], surface(rng)))

    def body(b):
        out = ""
        for name, kind, values in names[b]:
            pos = np.round(rng.uniform(-0.3, 0.3, 3), 2).tolist()
            quat = rng.integers(-3, 4, size=4).tolist() if rng.random() < 0.7 else [1, 0, 0, 0]
            quat = quat if any(quat) else [1, 0, 0, 0]
            size = sizes(kind, rng)
            out += f'<geom name="{name}" type="{kind}" {attributes(values | {"size": size, "pos": pos, "quat": quat})}/>'
        for c in range(1, count):
            if parents[c] == b:
                pos = " ".join(map(str, np.round(rng.uniform(-0.4, 0.4, 3), 2)))
                joint = '<joint type="ball"/>' if joints[c] else ""
                inertia = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
                inner = body(c)
                flag = ' mocap="true"' if mocap[c] else ""
                out += f'<body name="b{c}" pos="{pos}"{flag}>{joint}{inertia}{inner}</body>'
        return out

    world = body(0)
    flat = [name for b in order for name, _, _ in names[b]]
    contact, pairs, excluded = "", [], []
    for _ in range(int(rng.integers(0, 3))):
        a, b = (int(x) for x in rng.integers(1, count, size=2))
        if a != b and sorted([a, b]) not in excluded:
            excluded.append(sorted([a, b]))
            contact += f'<exclude body1="b{a}" body2="b{b}"/>'
    for _ in range(int(rng.integers(0, 4))):
        a, b = (flat[int(x)] for x in rng.choice(len(flat), size=2, replace=False))
        if any({a, b} == set(p[0]) for p in pairs):
            continue
        given = surface(rng)
        friction = [given["friction"][0], 0.3, given["friction"][1], given["friction"][2], 0.01]
        solreffriction = [[0, 0], [0.03, 1]][rng.integers(2)]
        pairs.append([[a, b], given["condim"], friction, given["solref"], solreffriction, given["solimp"], given["margin"],
                      given["gap"]])
        contact += (f'<pair geom1="{a}" geom2="{b}" ' + attributes({
            "condim": given["condim"], "friction": friction, "solref": given["solref"],
            "solreffriction": solreffriction, "solimp": given["solimp"], "margin": given["margin"],
            "gap": given["gap"]}) + "/>")
    parent_filter = bool(rng.random() < 0.7)
    flag = "" if parent_filter else '<option><flag filterparent="disable"/></option>'
    xml = f"<mujoco>{flag}<worldbody>{world}</worldbody><contact>{contact}</contact></mujoco>"
    remap = {"parents": [rank[parents[b]] for b in order], "joints": [joints[b] for b in order],
             "mocap": [mocap[b] for b in order], "parent_filter": parent_filter,
             "excluded": [[rank[a], rank[b]] for a, b in excluded]}
    return xml, remap, pairs, {n: v for b in range(count) for n, _, v in names[b]}


def scenes(args):
    """Random scenes."""
    rng = np.random.default_rng(args.seed)
    out = []
    while len(out) < (args.cases or 24):
        xml, data, pairs, values = scene(rng)
        m = mujoco.MjModel.from_xml_string(xml)
        d = mujoco.MjData(m)
        for j in range(m.njnt):
            q = rng.integers(-4, 5, size=4)
            d.qpos[m.jnt_qposadr[j]:m.jnt_qposadr[j] + 4] = q if q.any() else [1, 0, 0, 0]
        mujoco.mj_kinematics(m, d)
        mujoco.mj_collision(m, d)
        geoms = []
        for g in range(m.ngeom):
            q, v = np.zeros(4), values[m.geom(g).name]
            mujoco.mju_mulQuat(q, d.xquat[m.geom_bodyid[g]], m.geom_quat[g])
            kind = mujoco.mjtGeom(m.geom_type[g]).name[7:].lower()
            geoms.append([int(m.geom_bodyid[g]), kind, [float(x) for x in m.geom_size[g]], v["contype"],
                          v["conaffinity"], v["condim"], v["friction"], v["solref"], v["solimp"], v["margin"], v["gap"],
                          v["priority"], v["solmix"], d.geom_xpos[g].tolist() + q.tolist()])
        data["geoms"] = geoms
        data["pairs"] = [[[m.geom(n).id for n in p[0]]] + p[1:] for p in pairs]
        data["contacts"] = [[c.geom.tolist(), rounded([c.dist], False)[0], int(c.dim), rounded(c.friction, False),
                             rounded(c.solref, False), rounded(c.solreffriction, False), rounded(c.solimp, False),
                             rounded([c.includemargin], False)[0], int(c.exclude)] for c in d.contact[:d.ncon]]
        out.append(data)
    return {"scenes": out}


def main():
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["shapes", "scenes"])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--cases", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pair", default="")
    parser.add_argument("--fine", action="store_true", help="full precision of inputs and results")
    args = parser.parse_args()
    data = shapes(args) if args.what == "shapes" else scenes(args)
    args.folder.mkdir(parents=True, exist_ok=True)
    name = f"{args.what}{'-' + args.pair if args.pair else ''}.json"
    (args.folder / name).write_text(json.dumps(data, separators=(",", ":")))


if __name__ == "__main__":
    main()

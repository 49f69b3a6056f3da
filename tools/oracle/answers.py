"""Asks MuJoCo about the models in crates/lab/tests/it/multibody/models, and stores its answers beside them.

    make oracle                       installs MuJoCo into tools/oracle/.venv and makes all answers anew

For each model: four states (as described, in motion, and two random ones), what is to be computed there, and what
MuJoCo says; two motions of a second from the first states. The file that `gedanken inspect` reads is the part `given`,
what is expected the part `answers`. Numbers are written with 17 digits, so that they come back bit for bit.
"""

import json
import os
import pathlib
import sys
import tempfile
import zlib

# MuJoCo writes its log into the working folder.
os.chdir(tempfile.mkdtemp())

import mujoco
import numpy as np

HOME = pathlib.Path(__file__).resolve().parents[2] / "crates/lab/tests/it/multibody"
STATES = 4
SAMPLE = 0.05
# A change of the start by this must not move a sample by more than a thousand times as much.
CHANGE = 1e-10
FIELDS = ["qfrc_bias", "qfrc_passive", "qfrc_actuator", "qacc_smooth", "xpos", "xquat"]
CONTACT = ["geom", "pos", "frame", "dist", "dim", "friction", "solref", "solreffriction", "solimp", "includemargin",
           "efc_address"]


def run_to_rounding(model):
    """Newton's method with nothing that stops it early."""
    model.opt.solver = mujoco.mjtSolver.mjSOL_NEWTON
    model.opt.tolerance = 0.0
    model.opt.iterations = 200
    model.opt.ls_iterations = 200
    model.opt.ls_tolerance = 1e-6


def random_rotation(rng, largest):
    axis = rng.normal(size=3)
    angle = rng.uniform(0.0, largest)
    return np.append(np.cos(angle / 2), np.sin(angle / 2) * axis / np.linalg.norm(axis))


def random_state(model, rng):
    """Every joint somewhere; those with limits also a little beyond them."""
    q = model.qpos0.copy()
    for kind, at, limited, (low, high) in zip(model.jnt_type, model.jnt_qposadr, model.jnt_limited, model.jnt_range):
        if kind == mujoco.mjtJoint.mjJNT_FREE:
            q[at:at + 3] += rng.uniform(-0.03, 0.03, size=3)
            q[at + 3:at + 7] = random_rotation(rng, 0.6)
        elif kind == mujoco.mjtJoint.mjJNT_BALL:
            q[at:at + 4] = random_rotation(rng, 1.1 * high if limited else 2.5)
        elif limited:
            q[at] = rng.uniform(low - 0.05 * (high - low), high + 0.05 * (high - low))
        else:
            q[at] += rng.uniform(-0.5, 0.5)
    return q


def states(model, rng):
    data = mujoco.MjData(model)
    found = []
    for number in range(STATES):
        mujoco.mj_resetData(model, data)
        if number == 1:
            if model.nkey:
                mujoco.mj_resetDataKeyframe(model, data, 0)
            data.qvel[:] = rng.normal(size=model.nv) * 0.2
            data.ctrl[:] = rng.normal(size=model.nu)
            for _ in range(100):
                mujoco.mj_step(model, data)
        elif number > 1:
            data.qpos[:] = random_state(model, rng)
            data.qvel[:] = rng.normal(size=model.nv)
            data.ctrl[:] = rng.normal(size=model.nu) * 2.0
            data.mocap_pos[:] += rng.uniform(-0.02, 0.02, size=data.mocap_pos.shape)
        mujoco.mj_normalizeQuat(model, data.qpos)
        state = {key: np.array(getattr(data, key)).ravel().copy()
                 for key in ("qpos", "qvel", "ctrl", "mocap_pos", "mocap_quat")}
        state["points"] = [{"body": int(rng.integers(model.nbody)), "offset": rng.uniform(-0.2, 0.2, size=3)}]
        state["inverse_qacc"] = rng.normal(size=model.nv)
        found.append(state)
    return found


def put(model, state):
    data = mujoco.MjData(model)
    for key in ("qpos", "qvel", "ctrl"):
        getattr(data, key)[:] = state[key]
    data.mocap_pos[:] = state["mocap_pos"].reshape(-1, 3)
    data.mocap_quat[:] = state["mocap_quat"].reshape(-1, 4)
    return data


def jacobian_of_rows(model, data):
    if not mujoco.mj_isSparse(model):
        return np.array(data.efc_J).reshape(data.nefc, model.nv)
    full = np.zeros((data.nefc, model.nv))
    for row, (at, count) in enumerate(zip(data.efc_J_rowadr, data.efc_J_rownnz)):
        full[row, data.efc_J_colind[at:at + count]] = data.efc_J[at:at + count]
    return full


def certificate(model, data, mass):
    """The bound of the error of qacc in the norm of M, relative to it."""
    rest = mass @ data.qacc - data.qfrc_smooth - data.qfrc_constraint
    return float(np.sqrt(max(0.0, rest @ np.linalg.solve(mass, rest))) / np.sqrt(data.qacc @ mass @ data.qacc + 1e-12))


def answer(model, state):
    data = put(model, state)
    mujoco.mj_forward(model, data)
    mass = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, mass)
    found = {key: np.array(getattr(data, key)).copy() for key in FIELDS}
    found["M"] = mass
    found["rows"] = {"type": data.efc_type.copy(), "J": jacobian_of_rows(model, data).copy(), "pos": data.efc_pos.copy(),
                     "aref": data.efc_aref.copy(), "D": data.efc_D.copy(), "R": data.efc_R.copy()}
    found["qacc"] = data.qacc.copy()
    found["certificate"] = certificate(model, data, mass)
    point = state["points"][0]
    place = data.xpos[point["body"]] + data.xmat[point["body"]].reshape(3, 3) @ point["offset"]
    moves, turns = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    mujoco.mj_jac(model, data, moves, turns, place, point["body"])
    found["jac"] = np.vstack([moves, turns])
    contacts = {key: np.array(getattr(data.contact, key)).copy() for key in CONTACT}
    flags = model.opt.disableflags
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    data = put(model, state)
    data.qacc[:] = state["inverse_qacc"]
    mujoco.mj_inverse(model, data)
    found["inverse"] = data.qfrc_inverse.copy()
    model.opt.disableflags = flags
    return found, contacts


def course(model, state):
    data = put(model, state)
    every = round(SAMPLE / model.opt.timestep)
    found = [data.qpos.copy()]
    for step in range(1, round(1.0 / model.opt.timestep) + 1):
        mujoco.mj_step(model, data)
        if step % every == 0:
            found.append(data.qpos.copy())
    return np.array(found)


def motion(model, state, disabled):
    """A motion of a second, as far as a tiny change of the start stays tiny."""
    flags = model.opt.disableflags
    model.opt.disableflags |= int(disabled)
    found = course(model, state)
    changed = dict(state)
    changed["qvel"] = state["qvel"] + CHANGE * np.random.default_rng(5).normal(size=model.nv)
    apart = np.abs(course(model, changed) - found).max(axis=1)
    model.opt.disableflags = flags
    beyond = np.flatnonzero(np.maximum.accumulate(apart) > 1e3 * CHANGE)
    return found[:beyond[0]] if len(beyond) else found


def energies(model, state):
    """Total energy at the start and after a second."""
    data = put(model, state)
    found = []
    for steps in (0, round(1.0 / model.opt.timestep)):
        for _ in range(steps):
            mujoco.mj_step(model, data)
        mujoco.mj_forward(model, data)
        mujoco.mj_energyPos(model, data)
        mujoco.mj_energyVel(model, data)
        found.append(float(data.energy.sum()))
    return found


def plain(value):
    """Lists and numbers; whole numbers without a point."""
    if isinstance(value, dict):
        return {key: plain(part) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float) and value == int(value) and abs(value) < 1e15:
        return int(value)
    return value


def make(path):
    rng = np.random.default_rng(zlib.crc32(path.stem.encode()))
    model = mujoco.MjModel.from_xml_path(str(path))
    run_to_rounding(model)
    given = states(model, rng)
    pairs = [answer(model, state) for state in given]
    kinds = {"smooth": mujoco.mjtDisableBit.mjDSBL_CONSTRAINT, "nocontact": mujoco.mjtDisableBit.mjDSBL_CONTACT}
    motions = [{"name": f"{number}_{kind}", "state": number, "kind": kind} for number, kind in
               [(0, "smooth"), (2, "smooth"), (1, "nocontact"), (3, "nocontact")]]
    stored = {
        "mujoco": mujoco.__version__,
        "given": {"id": path.stem, "states": given, "contacts": [contacts for _, contacts in pairs], "motions": motions},
        "answers": {"states": [found for found, _ in pairs],
                    "motions": {it["name"]: motion(model, given[it["state"]], kinds[it["kind"]]) for it in motions}},
    }
    if path.stem == "falling":
        stored["answers"]["energies"] = energies(model, given[3])
    text = json.dumps(plain(stored), separators=(",", ":"))
    (HOME / "answers" / f"{path.stem}.json").write_text(text + "\n")
    rows = [len(found["rows"]["type"]) for found, _ in pairs]
    worst = max(found["certificate"] for found, _ in pairs)
    samples = [len(it) for it in stored["answers"]["motions"].values()]
    print(f"{path.stem}: {len(text) // 1024} KB, rows {rows}, certificate {worst:.1e}, samples {samples}")


def main():
    (HOME / "answers").mkdir(exist_ok=True)
    for path in sorted((HOME / "models").glob("*.xml")):
        make(path)


if __name__ == "__main__":
    sys.exit(main())

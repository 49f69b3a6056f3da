//! Snippets: example blocks that completion inserts.

/// Blocks and imports: name, purpose, and an example to change.
pub(super) const BLOCK_SNIPPETS: [(&str, &str, &str); 15] = [
    (
        "world attributes",
        "values that everything in the experiment can read",
        "world attributes {\n    g = [0, 0, -9.81]\n}\n",
    ),
    (
        "object",
        "something with a shape, which moves or does not",
        "object {\n    name = ball\n    physical type = dynamic\n    geometrical type = sphere\n    attributes = {\n        position = [0, 0, 5]\n        size = 0.5\n        v = [0, 0, 0]\n    }\n}\n",
    ),
    (
        "context",
        "the laws of free fall, of a collision or of a contact",
        "context {\n    name = flight\n    type = free fall\n    functions = {\n        v' = g\n        position' = v\n    }\n}\n",
    ),
    (
        "simulation",
        "how long, with which objects and which laws",
        "simulation {\n    name = first\n    duration = 5\n}\n",
    ),
    (
        "measure",
        "a quantity that is recorded, and perhaps compared with what is expected",
        "measure height {\n    of = {ball}\n    value = position # 3\n}\n",
    ),
    (
        "rule",
        "a step of a workflow, which changes attributes",
        "rule drift {\n    reads = {v}\n    writes = {position}\n    functions = {\n        position = previous(position) + dt * v\n    }\n    advances = 1\n}\n",
    ),
    (
        "event",
        "what a workflow watches for",
        "event landing {\n    reads = {position}\n    functions = {\n        when = position # 3 < 0\n    }\n}\n",
    ),
    (
        "material",
        "how surfaces bounce and rub",
        "material rubber {\n    restitution = 0.9\n    friction = 0.8\n}\n",
    ),
    (
        "force",
        "a force on rigid bodies",
        "force drag {\n    of = all\n    force = -0.1 * norm(velocity) * velocity\n}\n",
    ),
    (
        "potential",
        "an energy of rigid bodies, whose slope is a force",
        "potential spring {\n    of = {ball}\n    energy = 0.5 * 100 * (position . position)\n}\n",
    ),
    (
        "constraint",
        "what the motion of rigid bodies must keep",
        "constraint rail {\n    of = {ball}\n    value = position # 1\n}\n",
    ),
    (
        "joint",
        "what ties two rigid bodies together",
        "joint pivot {\n    kind = hinge\n    between = {arm, world}\n    anchor = [0, 0, 1]\n    axis = [0, 1, 0]\n}\n",
    ),
    (
        "lagrangian",
        "a system that is stated by its energies",
        "lagrangian pendulum {\n    coordinates = { theta = 1 }\n    parameters = { m = 1  l = 2  g = 9.81 }\n    T = 0.5 * m * l^2 * theta_dot^2\n    V = -m * g * l * cosine(theta)\n}\n",
    ),
    (
        "view",
        "what the page shows at first: plots, arrows, drawings, camera",
        "view {\n    plots = {norm(ball.v)}\n    arrows = {ball.v}\n}\n",
    ),
    ("import", "functions from a file", "import \"solids.vfl\"\n"),
];

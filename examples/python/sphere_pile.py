"""Spheres fall into a box; a page shows them in the browser.

    python3 sphere_pile.py [FILE.html]
"""
import sys
from typing import Any

import numpy as np

import nsds

RADIUS, SIDE, LAYERS = 0.1, 3, 3


def pile(seed: int = 5) -> tuple[nsds.Model, float]:
    """SIDE x SIDE x LAYERS spheres above a box that is open at the top."""
    model = nsds.Model("pile")
    shake = np.random.default_rng(seed)
    half = 1.1 * SIDE * RADIUS
    shape: list[dict[str, Any]] = [dict(kind="half_space", plane=([0, 0, 1], 0.0))]
    for k in range(4):
        normal = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0]][k]
        shape.append(dict(kind="half_space", plane=(normal, -half)))
    mass = 1000.0 * 4.0 / 3.0 * np.pi * RADIUS ** 3
    for i, j, k in np.ndindex(SIDE, SIDE, LAYERS):
        place = 2.2 * RADIUS * (np.array([i, j, k]) + [0.5 - SIDE / 2, 0.5 - SIDE / 2, 0.6])
        place[:2] += 0.01 * RADIUS * shake.standard_normal(2)
        body = model.rigid_body(mass=mass, inertia=0.4 * mass * RADIUS ** 2 * np.eye(3), q0=[*place, 1, 0, 0, 0],
                                gravity=[0, 0, -9.81])
        shape.append(dict(kind="sphere", radius=RADIUS, ds=body))
    model.shapes(name="spheres", material=[dict(mu=0.3, e_n=0.0)], shape=shape)
    return model, SIDE * SIDE * LAYERS * mass * 9.81


def main() -> None:
    model, weight = pile()
    simulation = model.time_stepping(t1=3.0, h=5e-3)
    scene = nsds.Scene(model, title="pile")
    while simulation.step():
        if simulation.step_count % 4 == 0:
            scene.record(simulation.t)
    contacts = model.contact_table()
    first, second = contacts["bodies"].T  # -1: floor and walls
    upward = contacts["force"][:, 2] * np.where(first < 0, -1.0, 1.0)
    print("%d contacts carry force; floor and walls carry %.3f of the weight"
          % (np.count_nonzero(contacts["active"]), upward[(first < 0) | (second < 0)].sum() / weight))
    if len(sys.argv) > 1:
        scene.write_html(sys.argv[1])
    scene.close()
    model.close()


if __name__ == "__main__":
    main()

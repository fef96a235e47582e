"""The height of the first bounce over the restitution, from a model file: 41 runs on two threads.

    python3 restitution_sweep.py [FILE.png]
"""
import os
import sys
import tempfile

import nsds

MODEL = """
nsds: 1
parameters: {e: 0.9}
systems:
  ball: {type: lagrangian_linear, q0: 1, mass: 1, fext: -9.81}
interactions:
  floor: {systems: ball, relation: {type: lagrangian_linear, H: 1}, law: {type: newton_impact, e: e}}
simulation: {type: event_driven, t1: 1.6, output_period: 1e-3}
measures: {top: {kind: max, of: "ball.q[0]", from: 0.46}}
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "ball.yaml")
        with open(file, "w", encoding="utf-8") as out:
            out.write(MODEL)
        sweep = nsds.Sweep(file, ["e=0.1:0.9:41"])
        table = sweep.run_all(threads=2)
        error = max(abs(table[k, 0] - float(sweep.values(k)["e"]) ** 2) for k in range(len(sweep)))
        print("the ball bounces to e^2, within %.0e m" % error)
        if len(sys.argv) > 1:
            from nsds import plot
            plot.sweep(sweep, table, "top", units={"e": "1", "top": "m"}).figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()

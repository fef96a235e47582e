"""A buck converter from a netlist: its output over the duty cycle.

    python3 buck_converter.py [FILE.png]
"""
import os
import sys
import tempfile

import nsds

NETLIST = """Buck converter
.param duty=0.5
Vin in 0 24
S1 in sw SWI PULSE(0 1 0 0 0 {duty*10u} 10u)
D1 0 sw DI
L1 sw out 100u
C1 out 0 47u
Rload out 0 2
.model SWI SW(ideal=1)
.model DI D(ideal=1)
.tran 1u 5m 4m
.print tran v(out) i(L1)
.measure tran vout mean v(out) from=4m to=5m
.measure tran ripple pp i(L1) from=4m to=5m
.end
"""


def main() -> None:
    with nsds.Job(text=NETLIST, kind="circuit", settings={"duty": 0.25}) as job:
        path = job.run()
        print("at a duty cycle of 0.25: %.3f V, a ripple of %.3f A" % (job.measures["vout"], job.measures["ripple"]))
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "buck.cir")
        with open(file, "w", encoding="utf-8") as out:
            out.write(NETLIST)
        sweep = nsds.Sweep(file, ["duty=0.1:0.9:9"])
        table = sweep.run_all(threads=2)
        worst = max(abs(table[k, 0] - 24.0 * float(sweep.values(k)["duty"])) for k in range(len(sweep)))
        print("vout = 24 V times the duty cycle, within %.4f V" % worst)
        if len(sys.argv) > 1:
            from nsds import plot
            axes = plot.series(path)
            axes[0].figure.savefig(sys.argv[1])


if __name__ == "__main__":
    main()

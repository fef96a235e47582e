Flyback converter with coupled inductors, the twin in ngspice
Vin in 0 48
VG g 0 PULSE(0 1 0 1n 1n 3.999u 10u)
L1 in sw 200u IC=0
L2 0 d 22.22u IC=0
K1 L1 L2 1
S1 sw 0 g 0 SWI
D1 d out DI
C1 out 0 20u IC=10
R1 out 0 6
.model SWI SW(vt=0.5 ron=1u roff=1g)
.model DI D(is=1e-12 n=1)
.tran 1u 4m 0 0.25u uic
.print tran v(out)
.measure tran m avg v(out) from=3m to=4m
.end

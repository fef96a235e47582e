Boost converter in discontinuous conduction, the twin in ngspice
Vin in 0 10
VG g 0 PULSE(0 1 0 1n 1n 3.999u 10u)
L1 in sw 20u IC=0
S1 sw 0 g 0 SWI
D1 sw out DI
C1 out 0 10u IC=33
R1 out 0 200
.model SWI SW(vt=0.5 ron=1u roff=1g)
.model DI D(is=1e-12 n=1)
.tran 1u 4m 0 0.25u uic
.print tran v(out)
.measure tran m avg v(out) from=3m to=4m
.end

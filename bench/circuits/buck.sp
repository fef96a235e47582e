Buck converter, the twin in ngspice
Vin in 0 24
VG g 0 PULSE(0 1 0 1n 1n 4.999u 10u)
S1 in sw g 0 SWI
D1 0 sw DI
L1 sw out 100u IC=0
C1 out 0 47u IC=0
R1 out 0 2
.model SWI SW(vt=0.5 ron=1u roff=1g)
.model DI D(is=1e-12 n=1)
.tran 1u 3m 0 0.25u uic
.print tran v(out)
.measure tran m avg v(out) from=2m to=3m
.end

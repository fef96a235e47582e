Rectifier without ground, the twin in ngspice
V1 p 0 SIN(0 10 50)
E1 s1 x p 0 1
VT x s2 0
F1 p 0 VT 1
EM m 0 h l 1
RM m 0 1
D1 s1 h DI
D2 s2 h DI
D3 l s1 DI
D4 l s2 DI
C1 h l 100u
R1 h l 1k
.model DI D(is=1e-12 n=0.1)
.tran 0.1m 60m
.print tran v(m)
.measure tran m avg v(m) from=20m to=60m
.end

Three-phase bridge, the twin in ngspice
Va na 0 SIN(0 100 50 0 0 0)
Vb nb 0 SIN(0 100 50 0 0 -120)
Vc nc 0 SIN(0 100 50 0 0 120)
La na a 2m IC=0
Lb nb b 2m IC=0
Lc nc c 2m IC=0
D1 a p DI
D2 b p DI
D3 c p DI
D4 n a DI
D5 n b DI
D6 n c DI
LD p q 0.1 IC=0
RD q n 10
.model DI D(is=1e-12 n=1)
.tran 0.1m 500m 0 10u uic
.print tran i(LD)
.measure tran m avg i(LD) from=400m to=500m
.end

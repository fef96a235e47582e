Half-wave rectifier, the twin in ngspice
V1 a 0 SIN(0 10 50)
D1 a b DI
R1 b 0 100
C1 b 0 200u IC=0
.model DI D(is=1e-12 n=1)
.tran 0.1m 200m 0 50u uic
.print tran v(b)
.measure tran m avg v(b) from=100m to=200m
.end

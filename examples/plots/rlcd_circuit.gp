# Voltages and currents of the RLCD circuit, and the energy that is left.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "760" ARG2 ARG3
csv = ARG1

set multiplot layout 3,1 margins 0.10,0.97,0.08,0.94 spacing 0.05
set xrange [0:5]
set format x ""
set title "Oscillating circuit with resistor and ideal diode (10 mH, 1 µF, 1 kΩ)"
set ylabel "voltage [V]"
set yrange [-11:11]
plot csv skip 1 using (1e3*$1):2 with lines linecolor rgb blue title "capacitor", \
     csv skip 1 using (1e3*$1):4 with lines linecolor rgb red dashtype (6,4) title "diode"
unset title
set ylabel "current [mA]"
set yrange [-110:110]
plot csv skip 1 using (1e3*$1):(1e3*$3) with lines linecolor rgb blue title "inductor", \
     csv skip 1 using (1e3*$1):(1e3*$5) with lines linecolor rgb red title "diode"
set ylabel "stored energy [µJ]"
set xlabel "time [ms]"
set format x "%g"
set yrange [0:55]
plot csv skip 1 using (1e3*$1):(1e6*$6) with lines linecolor rgb blue notitle
unset multiplot

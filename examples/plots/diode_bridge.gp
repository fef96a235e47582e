# Voltages, diode currents and energies of the diode bridge.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "760" ARG2 ARG3
csv = ARG1

set multiplot layout 3,1 margins 0.10,0.97,0.08,0.94 spacing 0.05
set xrange [0:5]
set format x ""
set title "Bridge of four ideal diodes between an oscillating circuit and its load"
set ylabel "voltage [V]"
set yrange [-11:13]
set key top right horizontal
plot csv skip 1 using (1e3*$1):2 with lines linecolor rgb blue title "source", \
     csv skip 1 using (1e3*$1):4 with lines linecolor rgb red title "load"
unset title
set ylabel "diode current [mA]"
set yrange [-0.5:12]
plot csv skip 1 using (1e3*$1):(1e3*$5) with lines linecolor rgb blue title "A to P", \
     csv skip 1 using (1e3*$1):(1e3*$6) with lines linecolor rgb red title "N to A"
set ylabel "energy [µJ]"
set xlabel "time [ms]"
set format x "%g"
set yrange [0:62]
plot csv skip 1 using (1e3*$1):(1e6*$8) with lines linecolor rgb blue title "stored", \
     csv skip 1 using (1e3*$1):(1e6*$9) with lines linecolor rgb red title "dissipated", \
     csv skip 1 using (1e3*$1):(1e6*($8+$9)) with lines linecolor rgb gray dashtype (8,6) title "sum"
unset multiplot

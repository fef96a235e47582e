# Output, coil current and duty of the buck converter over time, and a few periods of the steady state.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "820" ARG2 ARG3
csv = ARG1

set multiplot
set lmargin at screen 0.10; set rmargin at screen 0.97
set tmargin at screen 0.95; set bmargin at screen 0.76
set xrange [0:6]
set format x ""
set title "Step-down converter, 12 V to 5 V; the load doubles at 3 ms"
set ylabel "output [V]"
set yrange [0:6]
plot csv skip 1 using (1e3*$1):3 with lines linecolor rgb blue notitle, \
     5 with lines dashtype (8,6) linecolor rgb gray title "reference"
unset title
set tmargin at screen 0.73; set bmargin at screen 0.56
set ylabel "coil current [A]"
set yrange [0:3]
plot csv skip 1 using (1e3*$1):2 with lines linewidth 0.6 linecolor rgb red notitle
set tmargin at screen 0.53; set bmargin at screen 0.38
set ylabel "duty asked for"
set yrange [0:0.6]
set xlabel "time [ms]"
set format x "%g"
plot csv skip 1 using (1e3*$1):4 with lines linecolor rgb blue notitle
set tmargin at screen 0.28; set bmargin at screen 0.07
set xlabel "time [µs], from 2.95 ms on"
set ylabel "current [A]"
set xrange [0:40]
set yrange [0:1.6]
set key top right horizontal
plot csv skip 1 using (1e6*($1-2.95e-3)):2 with lines linecolor rgb red title "coil", \
     csv skip 1 using (1e6*($1-2.95e-3)):7 with lines linecolor rgb blue dashtype (6,4) title "diode"
unset multiplot

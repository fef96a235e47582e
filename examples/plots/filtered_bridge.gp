# Source and load voltage of the bridge with a capacitor across its load, and the pulses of current.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "640" ARG2 ARG3
csv = ARG1

set multiplot layout 2,1 margins 0.10,0.97,0.10,0.93 spacing 0.06
set xrange [0:5]
set format x ""
set title "Diode bridge with a capacitor of 300 nF across its load"
set ylabel "voltage [V]"
set yrange [-11:12]
plot csv skip 1 using (1e3*$1):2 with lines linecolor rgb blue title "source", \
     csv skip 1 using (1e3*$1):3 with lines linecolor rgb red title "load"
unset title
set ylabel "current of the bridge [mA]"
set xlabel "time [ms]"
set format x "%g"
set yrange [0:30]
plot csv skip 1 using (1e3*$1):(1e3*$4) with lines linecolor rgb blue notitle
unset multiplot

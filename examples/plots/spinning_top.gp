# The end of the top's axis from above, and its tilt over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "480" ARG2 ARG3
csv = ARG1

set multiplot layout 1,2 margins 0.08,0.97,0.13,0.90 spacing 0.12
set title "Axis of a top from above: cusps"
set size ratio -1
set xlabel "x"
set ylabel "y"
plot csv skip 1 using 2:3 with lines linecolor rgb blue notitle
set size noratio
set title "It nutates as it goes round"
set xlabel "time [s]"
set ylabel "tilt [rad]"
plot csv skip 1 using 1:4 with lines linecolor rgb red notitle
unset multiplot

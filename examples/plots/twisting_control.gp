# Twisting control in the phase plane and over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "480" ARG2 ARG3
csv = ARG1

set multiplot layout 1,2 margins 0.08,0.97,0.14,0.90 spacing 0.10
set title "Twisting control of a double integrator"
set xlabel "x1"
set ylabel "x2 [1/s]"
set xrange [-0.6:1.2]
set yrange [-2:1]
plot csv skip 1 using 2:3 with lines linecolor rgb blue notitle
set title "control, and disturbance reversed"
set xlabel "time [s]"
set ylabel "control [1/s²]"
set xrange [0:6]
set yrange [-3.5:4.5]
plot csv skip 1 using 1:4 with lines linecolor rgb red title "control", \
     -0.5*sin(5*x) with lines dashtype (6,4) linecolor rgb gray title "-d(t)"
unset multiplot

# Height and velocity of the bouncing ball over time.
call system(sprintf("dirname '%s'", ARG0))."/style.gp" "900" "640" ARG2 ARG3
csv = ARG1
radius = 0.1 # m: height of the centre in contact

set multiplot layout 2,1 margins 0.09,0.97,0.10,0.93 spacing 0.06
set xrange [0:10]
set title "A ball dropped from 1 m, restitution 0.9"
set ylabel "height of the centre [m]"
set yrange [0:1.05]
set format x ""
plot csv skip 1 using 1:2 with lines linecolor rgb blue title "height", \
     radius with lines dashtype (8,6) linecolor rgb gray title "on the floor"
unset title
set xlabel "time [s]"
set ylabel "velocity [m/s]"
set yrange [-4.5:4.5]
set format x "%g"
plot csv skip 1 using 1:3 with lines linecolor rgb red title "velocity"
unset multiplot
